/** Waits that end when the test's clock reaches them, or when they are given up. */
export function manualClock(startMs = 0) {
  let nowMs = startMs
  const waits = new Set<{ readonly atMs: number; readonly end: () => void }>()
  return {
    nowMs: () => nowMs,
    wait: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const one = { atMs: nowMs + ms, end: resolve }
        waits.add(one)
        signal.addEventListener('abort', () => {
          waits.delete(one)
          reject(signal.reason)
        })
      }),
    async pass(ms: number) {
      nowMs += ms
      for (const one of [...waits].filter(({ atMs }) => atMs <= nowMs)) {
        waits.delete(one)
        one.end()
      }
      await settled()
    },
    waiting: () => waits.size,
  }
}

/** Everything that can happen without the test's doing has happened. */
export const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Work that ends when the test says so. */
export function heldWork() {
  const gate = Promise.withResolvers<string>()
  return { work: () => gate.promise, end: () => gate.resolve('done') }
}
