import type { SessionError } from '../core/session/message.ts'
import type { ReadAhead, SessionStore, Transaction } from './session-store.ts'

interface Settling {
  /** After a crash: the calls that still wait for the owner, and so never ran. */
  readonly waitingCalls?: ReadonlySet<string>
  readonly ahead?: ReadAhead | undefined
}

/**
 * Ends a step that will not end by itself: open texts keep what was stored, open calls are settled. After a crash a
 * call that ran is uncertain: it may have had its effect, and is never run again.
 */
export function settleStep(
  deps: { readonly store: SessionStore },
  sessionId: string,
  assistantMessageID: string,
  error: SessionError,
  { waitingCalls, ahead }: Settling = {},
): void {
  const settle = ({ append }: Transaction): void => {
    const message = deps.store.findWithoutNewTexts(sessionId, assistantMessageID)
    if (message?.type !== 'assistant' || message.time.completed !== undefined) return
    for (const part of message.content) {
      if (part.type !== 'tool' || part.state.status === 'completed' || part.state.status === 'error') continue
      const isUncertain = waitingCalls !== undefined && part.state.status === 'running' && !waitingCalls.has(part.id)
      append({
        type: 'session.next.tool.failed',
        data: {
          assistantMessageID,
          callID: part.id,
          error: isUncertain
            ? {
                type: 'unknown',
                message: 'The server stopped while this ran; whether it took effect is not known',
                reason: 'uncertain',
              }
            : { type: 'unknown', message: error.message, reason: 'interrupted' },
          provider: { executed: false },
        },
      })
    }
    append({ type: 'session.next.step.failed', data: { assistantMessageID, error } })
  }
  deps.store.commit(sessionId, settle, ahead)
}

export function settleInterrupted(
  deps: { readonly store: SessionStore },
  sessionId: string,
  assistantMessageID: string,
  ahead?: ReadAhead,
): void {
  const error = { type: 'unknown', message: 'The turn was interrupted', reason: 'interrupted' } as const
  settleStep(deps, sessionId, assistantMessageID, error, { ahead })
}
