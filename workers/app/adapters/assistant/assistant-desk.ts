import { failWith, succeed } from '#shared/kernel/result.ts'
import type { Principal } from '../../core/principal.ts'
import type { ConversationHost } from '../../objects/conversation-object.ts'
import type { AssistantDesk, Identifiers, Logger } from '../../ports.ts'
import type { ConversationIndex } from '../d1/conversations.ts'

/**
 * The way to conversations. Who asks is part of an object's name. An object comes into being, with a database of its own,
 * by being asked: the list is asked first, so that made-up ids make none.
 */
export function createAssistantDesk(
  objects: DurableObjectNamespace<ConversationHost>,
  deps: { readonly index: ConversationIndex; readonly identifiers: Identifiers; readonly logger: Logger },
): AssistantDesk {
  const { index, identifiers, logger } = deps
  const stubOf = (caller: Pick<Principal, 'id'>, id: string) => objects.get(objects.idFromName(`${caller.id}/${id}`))

  async function find(caller: Principal, id: string): Promise<ReturnType<typeof stubOf> | undefined> {
    return (await index.has(caller.id, id)) ? stubOf(caller, id) : undefined
  }

  /** Also what the list holds of a conversation that is gone. */
  async function drop(callerId: string, id: string): Promise<void> {
    if (!(await stubOf({ id: callerId }, id).remove())) await index.remove(id)
  }

  /** Those that rested longest make room. */
  async function makeRoom(caller: Principal): Promise<void> {
    try {
      for (const id of await index.surplus(caller.id)) await drop(caller.id, id)
    } catch (error) {
      // The next new conversation tries again.
      logger.error('conversations not trimmed', { error })
    }
  }

  return {
    async list(caller) {
      const listed = await index.list(caller.id)
      // The list is told of an end after the conversation itself knows it: of the few that are under way each is asked.
      const present = await Promise.all(
        listed.map(async (one) => (one.runId === undefined ? one : await stubOf(caller, one.id).summary())),
      )
      return present.filter((one) => one !== undefined)
    },
    async create(caller, { title, message }) {
      const id = identifiers.next()
      const entry = caller.kind === 'session' ? 'web' : 'app'
      const wanted = { id, title, entry, ...(message === undefined ? {} : { message }) } as const
      const created = await stubOf(caller, id).create(caller, wanted)
      if (!created.ok) return failWith(created.failure)
      await makeRoom(caller)
      return succeed(created.value)
    },
    async removeAll(callerId) {
      for (const id of await index.idsOf(callerId)) await drop(callerId, id)
    },
    async read(caller, id) {
      return await (await find(caller, id))?.read()
    },
    async remove(caller, id) {
      return (await (await find(caller, id))?.remove()) ?? false
    },
    async send(caller, id, text) {
      let conversation: Awaited<ReturnType<typeof find>>
      try {
        conversation = await find(caller, id)
      } catch (cause) {
        // Without the list nobody could count the message either.
        logger.error('conversation_not_found_out', { cause })
        return failWith('unavailable')
      }
      return (await conversation?.send(text)) ?? failWith('not_found')
    },
    async cancel(caller, id) {
      return (await (await find(caller, id))?.cancel()) ?? false
    },
    async follow(caller, id, after, waitMs) {
      return await (await find(caller, id))?.follow(after, waitMs)
    },
    async decide(caller, confirmationId, approve, requestId) {
      // A confirmation is named after its conversation.
      const [id = ''] = confirmationId.split('.')
      // Not by the list: what is deleted has left it, and its object still knows that the question was settled. Whoever
      // gets here may operate, so that nobody who only reads makes objects by asking.
      return stubOf(caller, id).decide(confirmationId, approve, requestId)
    },
  }
}
