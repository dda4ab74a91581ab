/**
 * Calls back when the browser has nothing better to do, and soon where it cannot say so. What no reader waits for pauses
 * first: a browser also rests while answers for the first screen are on their way.
 */
export function whenIdle(act: () => void, latestMs: number, pauseMs = 0): () => void {
  let cancel = (): void => {}
  function wait(): void {
    if (typeof requestIdleCallback === 'function') {
      const handle = requestIdleCallback(act, { timeout: latestMs })
      cancel = () => cancelIdleCallback(handle)
    } else {
      const handle = setTimeout(act, latestMs / 10)
      cancel = () => clearTimeout(handle)
    }
  }
  if (pauseMs === 0) wait()
  else {
    const handle = setTimeout(wait, pauseMs)
    cancel = () => clearTimeout(handle)
  }
  return () => cancel()
}
