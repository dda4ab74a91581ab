import type { Eventually } from '../core/eventually.ts'

/** Who looks at bytes on their way. */
interface Tap {
  piece(bytes: Uint8Array): void
  /** Once. `isWhole`: they came to their end, and did not break or were left. */
  end(isWhole: boolean): Promise<void> | undefined
}

/** Bytes as they come. A generator in between would take several turns of the queue for each piece. */
export function tappedBytes(bytes: AsyncIterable<Uint8Array>, tap: Tap): AsyncIterableIterator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]()
  let isOver = false
  const end = async (isWhole: boolean) => {
    if (isOver) return
    isOver = true
    await tap.end(isWhole)
  }
  const seen = (step: IteratorResult<Uint8Array>): Eventually<IteratorResult<Uint8Array>> => {
    if (step.done === true) return end(true).then(() => step)
    tap.piece(step.value)
    return step
  }
  const broken = (reason: unknown) =>
    end(false).then(() => {
      throw reason
    })
  return {
    next: () => source.next().then(seen, broken),
    async return() {
      try {
        await source.return?.()
      } finally {
        await end(false)
      }
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
