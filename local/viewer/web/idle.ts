/** Calls back when the browser has nothing better to do, and soon where it cannot say so. */
export function whenIdle(act: () => void, latestMs: number): () => void {
  if (typeof requestIdleCallback === 'function') {
    const handle = requestIdleCallback(act, { timeout: latestMs })
    return () => cancelIdleCallback(handle)
  }
  const handle = setTimeout(act, latestMs / 10)
  return () => clearTimeout(handle)
}
