/** Conversations as a client has them: a caller, a scripted model, and what is read until something shows. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { inject } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import type { WireConversationDetail, WireEvent, WireEventPage } from '../../../workers/app/contract/assistant.ts'
import type { ConversationHost } from '../../../workers/app/objects/conversation-object.ts'
import { type ModelScript, modelScript } from '../model-script.ts'
import { type Answer, type AnyCaller, type Caller, ownerSession, send } from './app-client.ts'

export const modelKey = 'PlantedModelKey4711'
const conversations = `${appPrefix}/assistant/conversations`

/** The assistant, set up with a place of the test's own at the stand-in model. */
export async function setUpAssistant(place: string): Promise<{ session: Caller; script: ModelScript }> {
  const session = await ownerSession()
  const script = modelScript(inject('standInModel'), place)
  const answer = await send('PUT', `${consolePrefix}/settings/assistant`, session, { json: settingsOf(script) })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
  return { session, script }
}

export function settingsOf(script: ModelScript, change: Readonly<Record<string, unknown>> = {}) {
  const { address } = script
  return { enabled: true, endpoint: 'address', address, model: 'stand-in', api_key: modelKey, ...change }
}

export const say = (caller: AnyCaller, id: string, text: string): Promise<Answer> =>
  send('POST', `${conversations}/${id}/messages`, caller, { json: { text } })

export const begin = (caller: AnyCaller, json: unknown = {}): Promise<Answer> =>
  send('POST', conversations, caller, { json })

export async function read(caller: AnyCaller, id: string): Promise<WireConversationDetail> {
  return (await send('GET', `${conversations}/${id}`, caller)).body
}

export async function poll(caller: AnyCaller, id: string, after: number, wait = 0): Promise<WireEventPage> {
  return (await send('GET', `${conversations}/${id}/events?after=${after}&wait=${wait}`, caller)).body
}

export const cancel = (caller: AnyCaller, id: string): Promise<Answer> =>
  send('POST', `${conversations}/${id}/cancel`, caller)

export const decide = (caller: AnyCaller, id: string, approve: boolean): Promise<Answer> =>
  send('POST', `${appPrefix}/assistant/confirmations/${id}`, caller, { json: { approve } })

/** Reads on, as a client does, until an event is the one that is looked for. Every page is gapless. */
export async function until(
  caller: AnyCaller,
  id: string,
  isIt: (event: WireEvent) => boolean,
  after = 0,
): Promise<WireEvent[]> {
  const events: WireEvent[] = []
  for (let last = after; ; ) {
    const page = await poll(caller, id, last, 10)
    if (page.reset) throw new Error('events were lost')
    for (const event of page.events) {
      last += 1
      if (event.seq !== last) throw new Error(`event ${event.seq} came instead of ${last}`)
      events.push(event)
    }
    if (page.last !== last) throw new Error(`the page ends at ${page.last} instead of ${last}`)
    if (events.some(isIt)) return events
    if (page.events.length === 0) throw new Error(`it never came: ${JSON.stringify(events)}`)
  }
}

export const isEnd = (event: WireEvent): boolean => event.type === 'run_finished'
export const isQuestion = (event: WireEvent): boolean =>
  event.type === 'confirmation' && event.confirmation.status === 'pending'

/** A question to the end of its answer. */
export async function ask(caller: AnyCaller, text: string): Promise<{ id: string; events: WireEvent[] }> {
  const { body } = await begin(caller, { message: text })
  return { id: body.id, events: await until(caller, body.id, isEnd) }
}

/** The object of a conversation. */
export function objectOf(principalId: string, id: string) {
  return env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(`${principalId}/${id}`))
}

/** Looks into a conversation's object, or changes what is stored there. */
export function insideOf<T>(
  principalId: string,
  id: string,
  look: (sql: SqlStorage, host: ConversationHost, storage: DurableObjectStorage) => T | Promise<T>,
): Promise<T> {
  return runInDurableObject(objectOf(principalId, id), (host: ConversationHost, state) =>
    look(state.storage.sql, host, state.storage),
  )
}
