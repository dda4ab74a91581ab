import type { LiveRuntime } from './live-downloader.ts'

/** Network, time and waiting as the Worker's runtime gives them. */
export const workerRuntime: LiveRuntime = {
  fetch: (address, init) => fetch(address, init),
  nowMs: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
