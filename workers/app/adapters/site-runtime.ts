import { siteAnswerBytesMax, siteCallMs, siteQueueMax } from '../limits.ts'
import type { SiteRuntime } from './sites/site-driver.ts'

/** Network, time and waiting as the Worker's runtime gives them. */
export const siteRuntime: SiteRuntime = {
  bounds: { callMs: siteCallMs, answerBytesMax: siteAnswerBytesMax, queueMax: siteQueueMax },
  fetch: (address, init) => fetch(address, init),
  nowMs: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
    }),
}
