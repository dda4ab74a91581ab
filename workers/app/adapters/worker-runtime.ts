import {
  channelAnswerBytesMax,
  channelCallMs,
  downloaderAnswerBytesMax,
  downloaderCallMs,
  downloaderOperationMs,
  downloaderStalenessMs,
} from '../limits.ts'
import type { DriverRuntime } from './downloaders/downloader-driver.ts'
import type { CallRuntime } from './downloaders/downloader-http.ts'

/** Network, time and waiting as the Worker's runtime gives them. */
export const workerRuntime: DriverRuntime = {
  bounds: {
    callMs: downloaderCallMs,
    operationMs: downloaderOperationMs,
    stalenessMs: downloaderStalenessMs,
    answerBytesMax: downloaderAnswerBytesMax,
  },
  fetch: (address, init) => fetch(address, init),
  nowMs: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** The same for channels. */
export const channelRuntime: CallRuntime = {
  bounds: { callMs: channelCallMs, answerBytesMax: channelAnswerBytesMax },
  fetch: workerRuntime.fetch,
}
