/** What a step runs with may take long to come, such as the tools of a server that starts: an interrupt does not wait. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>()
  const leave = () => resolve(undefined)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  return promise
}
