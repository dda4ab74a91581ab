/** Replaces what the model sees of a session by a summary that the model writes itself. */
import { tailStart, tailTokens } from '../core/compaction.ts'
import type { TokenCounts } from '../core/session/message.ts'
import { charactersPerToken, compactionTailTokens, compactionToolOutputCharactersMax } from '../limits.ts'
import type { Identifiers } from './identifiers.ts'
import { toTranscript } from './model-history.ts'
import { type ModelClient, ModelFault } from './model-port.ts'
import type { SessionStore } from './session-store.ts'
import type { StepSetup } from './step-port.ts'

export interface CompactionDeps {
  readonly store: SessionStore
  readonly ids: Identifiers
  readonly model: ModelClient
  readonly notify: (type: string, data: Readonly<Record<string, unknown>>) => void
}

/** Answers false when there is no model or it failed; the session is then as it was. */
export async function compactSession(
  deps: CompactionDeps,
  sessionId: string,
  setup: StepSetup,
  reason: 'auto' | 'manual',
  signal: AbortSignal,
): Promise<boolean> {
  if (setup.summariser === undefined) return false
  const messages = deps.store.context(sessionId)
  if (messages.length === 0) return true
  const transcriptOf = (some: typeof messages) => toTranscript(some, compactionToolOutputCharactersMax)
  const sizes = messages.map((message) => ({ type: message.type, characters: transcriptOf([message]).length }))
  const start = tailStart(sizes, tailTokens(setup.contextTokensMax, compactionTailTokens) * charactersPerToken)
  const old = transcriptOf(messages.slice(0, start))
  // A conversation that fits into the tail is summarised whole: keeping all of it would save nothing.
  const isWhole = old === ''
  const transcript = isWhole ? transcriptOf(messages) : old
  // Of a session in which nobody said anything there is nothing to be asked.
  if (transcript === '') return true
  const recent = isWhole ? '' : transcriptOf(messages.slice(start))
  const messageID = deps.ids.make('message')
  deps.store.commit(sessionId, ({ append }) =>
    append({ type: 'session.next.compaction.started', data: { messageID, reason } }),
  )
  const { costOf, ...writer } = setup.summariser
  let summary = ''
  let tokens: TokenCounts | undefined
  try {
    const request = {
      ...writer,
      messages: [
        {
          role: 'user' as const,
          content: [{ type: 'text' as const, text: transcript }],
        },
      ],
      tools: [],
    }
    for await (const part of deps.model.stream(request, signal)) {
      if (part.type === 'finish') tokens = part.tokens
      if (part.type !== 'text-delta') continue
      summary += part.text
      deps.notify('session.next.compaction.delta', { sessionID: sessionId, messageID, text: part.text })
    }
  } catch (error) {
    if (error instanceof ModelFault && !signal.aborted) return false
    throw error
  }
  if (summary.trim() === '') return false
  deps.store.commit(sessionId, ({ append }) =>
    append({
      type: 'session.next.compaction.ended',
      data: {
        ...{ messageID, reason, text: summary, recent },
        ...(tokens === undefined ? {} : { tokens, cost: costOf(tokens) }),
      },
    }),
  )
  return true
}
