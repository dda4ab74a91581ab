/** What the assistant says in a chat's conversation, as messages, and what it wants to do, as questions with buttons. */
import type { ChatMemory, Outcome, Talk } from '../../adapters/chat/chat-memory.ts'
import type {
  WireConfirmation,
  WireConversationDetail,
  WireEvent,
  WireEventPage,
  WireMessage,
} from '../../contract/assistant.ts'
import { actionInEnglish } from '../../core/assistant/action-english.ts'
import type { ChatMessage } from '../../core/chat/chat-update.ts'
import { inPieces } from '../../core/chat/command.ts'
import { chatWords } from '../../core/chat/words.ts'
import type { Principal } from '../../core/principal.ts'
import { chatMessageCharactersMax, chatPartsMax, eventsPageMax, eventsWaitSeconds } from '../../limits.ts'
import type { ChatParts } from './answer-update.ts'

/** One look, held until there is something. False when there is nothing more to follow. */
export async function followTalk(
  parts: ChatParts,
  memory: ChatMemory,
  channelId: number,
  talk: Talk,
): Promise<boolean> {
  const caller = await parts.store.speaker(channelId, talk.chat)
  const nowMs = parts.clock.nowMs()
  const stop = () => {
    memory.told({ ...talk, isRunning: false }, { messages: [] }, nowMs)
    return false
  }
  // Whoever is not paired any more is told nothing more.
  if (caller === undefined) return stop()
  const path = `/assistant/conversations/${encodeURIComponent(talk.conversationId)}`
  const page = await parts.app.ask<WireEventPage>(
    caller,
    'GET',
    `${path}/events?after=${talk.told}&wait=${eventsWaitSeconds}`,
  )
  if (!page.ok) return page.failure.kind === 'none' ? stop() : wait()
  const { events, reset, last, running } = page.value
  const outcome = reset ? await caughtUp(parts, caller, path) : await outcomeOf(parts, events)
  const isRunning = running || events.length >= eventsPageMax
  memory.told({ ...talk, told: last, isRunning }, outcome, parts.clock.nowMs())
  return isRunning
}

/** It could not be read now; the alarm tries again. */
function wait(): boolean {
  return false
}

/** Events are missing: what stands there now is said, as far as it is new, and waits for an answer. */
async function caughtUp(parts: ChatParts, caller: Principal, path: string): Promise<Outcome> {
  const detail = await parts.app.ask<WireConversationDetail>(caller, 'GET', path)
  if (!detail.ok) return { messages: [] }
  const { messages, confirmations, running } = detail.value
  const newest = messages.at(-1)
  const questions = await Promise.all(confirmations.map((one) => question(parts, one)))
  return joined([...(newest === undefined || running ? [] : [{ messages: spoken(newest) }]), ...questions])
}

async function outcomeOf(parts: ChatParts, events: readonly WireEvent[]): Promise<Outcome> {
  const made: Outcome[] = []
  for (const event of events) {
    if (event.type === 'message') made.push({ messages: spoken(event.message) })
    if (event.type === 'confirmation' && event.confirmation.status === 'pending')
      made.push(await question(parts, event.confirmation))
  }
  return joined(made)
}

function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    messages: outcomes.flatMap(({ messages }) => messages),
    buttons: outcomes.flatMap(({ buttons }) => buttons ?? []),
  }
}

function spoken({ role, content }: WireMessage): ChatMessage[] {
  if ((role !== 'assistant' && role !== 'notice') || content.trim() === '') return []
  return inPieces(content, chatMessageCharactersMax, chatPartsMax).map((text) => ({ kind: 'say', text }))
}

/** Of its two buttons one can be pressed, once, for as long as the confirmation stands. */
async function question(parts: ChatParts, { id, summary, change, expires_at }: WireConfirmation): Promise<Outcome> {
  const { identifiers, locale, texts, clock } = parts
  const { language } = await locale.read()
  const words = chatWords[language]
  const untilMs = Date.parse(expires_at)
  const text = await texts.write('reply.confirm', {
    summary: language === 'en' && change !== undefined ? actionInEnglish(change) : summary,
    minutes: Math.max(1, Math.ceil((untilMs - clock.nowMs()) / 60_000)),
  })
  const together = identifiers.next()
  const [yes, no] = [true, false].map((approve) => ({
    token: identifiers.secret(),
    together,
    action: { kind: 'decide', confirmationId: id, approve } as const,
    untilMs,
  }))
  if (yes === undefined || no === undefined) return { messages: [] }
  return {
    messages: [
      {
        kind: 'say',
        text,
        buttons: [
          [
            { label: words.confirm, token: yes.token },
            { label: words.reject, token: no.token },
          ],
        ],
      },
    ],
    buttons: [yes, no],
  }
}
