/** Keeps one conversation in step with the server for as long as it is shown: one question at a time, more slowly after failures. */

import type { Result } from '#shared/kernel/result.ts'
import type { WireConversationDetail, WireEventPage } from '../contract/assistant.ts'
import type { ApiFailure } from './model/failure-words.ts'
import { beginTranscript, type Transcript, takePage } from './model/transcript.ts'

type Answer<T> = Result<T, ApiFailure>

export interface ConversationSource {
  readonly read: (signal: AbortSignal) => Promise<Answer<WireConversationDetail>>
  /** Answers once there are events after that number, or with an empty page after the server's own wait. */
  readonly events: (after: number, signal: AbortSignal) => Promise<Answer<WireEventPage>>
  /** Resolves when someone looks at the page. */
  readonly untilSeen: (signal: AbortSignal) => Promise<void>
  /** Resolves after that time, sooner when trying again may help, and at once when it is over. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly nowMs: () => number
}

export interface Following {
  /** Undefined until the first reading. */
  readonly transcript: Transcript | undefined
  /** Why the server was not reached the last time; what is known stays. */
  readonly failure: ApiFailure | undefined
}

const firstPauseMs = 1000
const longestPauseMs = 30_000
/** An empty page sooner than this was no wait: the server had too many waiting at once. */
const shortestWaitMs = 1000

/** What no later try can change: the session ended, or the conversation is gone. */
function isFinal({ status }: ApiFailure): boolean {
  return status === 401 || status === 403 || status === 404
}

export async function followConversation(
  source: ConversationSource,
  tell: (following: Following) => void,
  signal: AbortSignal,
): Promise<void> {
  let transcript: Transcript | undefined
  let inStep = false
  /** How often in a row nothing was learnt. */
  let vain = 0
  while (!signal.aborted) {
    await source.untilSeen(signal)
    if (signal.aborted) return
    const askedAtMs = source.nowMs()
    let failure: ApiFailure | undefined
    let isVain = false
    if (transcript === undefined || !inStep) {
      const answer = await source.read(signal)
      if (answer.ok) {
        transcript = beginTranscript(answer.value, transcript)
        inStep = true
      } else failure = answer.failure
    } else {
      const answer = await source.events(transcript.lastSeq, signal)
      if (answer.ok) {
        const next = takePage(transcript, answer.value)
        inStep = next !== undefined
        isVain = next?.lastSeq === transcript.lastSeq ? source.nowMs() - askedAtMs < shortestWaitMs : !inStep
        if (!isVain) vain = 0
        transcript = next ?? transcript
      } else failure = answer.failure
    }
    if (signal.aborted) return
    tell({ transcript, failure })
    if (failure !== undefined && isFinal(failure)) return
    if (!isVain && failure === undefined) continue
    // Out of step for once is mended at once.
    if (inStep || vain > 0 || failure !== undefined)
      await source.pause(Math.min(longestPauseMs, firstPauseMs * 2 ** vain), signal)
    vain += 1
  }
}
