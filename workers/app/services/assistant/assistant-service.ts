import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ConversationIndex } from '../../adapters/d1/conversations.ts'
import { createLookUpPace } from '../../core/assistant/look-up-pace.ts'
import { conversationsOf, type Principal } from '../../core/principal.ts'
import {
  unknownConversationsAtOnce,
  unknownConversationsCallersMax,
  unknownConversationsPauseMs,
  unknownConversationsWaitingMax,
} from '../../limits.ts'
import type { ConversationHost } from '../../objects/conversation-object.ts'
import type { AssistantService, ConversationFault } from '../../ports/assistant.ts'
import type { Identifiers, Logger } from '../../ports/runtime.ts'

/**
 * The way to conversations. Who asks is part of an object's name. An object comes into being, with a database of its own,
 * by being asked: the list is asked first, so that made-up ids make none, and for those who make them up not often.
 */
export function createAssistantService(
  objects: DurableObjectNamespace<ConversationHost>,
  deps: {
    readonly index: ConversationIndex
    readonly identifiers: Identifiers
    readonly logger: Logger
    readonly clock: Clock
  },
): AssistantService {
  const { index, identifiers, logger, clock } = deps
  const stubOf = (caller: Principal, id: string) => stubAt(conversationsOf(caller), id)
  const stubAt = (holderId: string, id: string) => objects.get(objects.idFromName(`${holderId}/${id}`))
  const pace = createLookUpPace({
    atOnce: unknownConversationsAtOnce,
    pauseMs: unknownConversationsPauseMs,
    waitingMax: unknownConversationsWaitingMax,
    callersMax: unknownConversationsCallersMax,
  })

  async function find(caller: Principal, id: string): Promise<Result<ReturnType<typeof stubOf>, ConversationFault>> {
    const waitMs = pace.take(caller.id, clock.nowMs())
    if (waitMs === undefined) return failWith('in_vain')
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    try {
      if (!(await index.has(conversationsOf(caller), id))) return failWith('not_found')
    } catch (cause) {
      logger.error('conversation_not_found_out', { cause })
      return failWith('unread')
    }
    pace.release(caller.id, clock.nowMs())
    return succeed(stubOf(caller, id))
  }

  /** Also what the list holds of a conversation that is gone. */
  async function drop(callerId: string, id: string): Promise<boolean> {
    const wasThere = await stubAt(callerId, id).remove()
    if (!wasThere) await index.remove(id)
    return wasThere
  }

  /** Those that rested longest make room. */
  async function makeRoom(caller: Principal): Promise<void> {
    try {
      const holderId = conversationsOf(caller)
      for (const id of await index.surplus(holderId)) await drop(holderId, id)
    } catch (error) {
      // The next new conversation tries again.
      logger.error('conversations not trimmed', { error })
    }
  }

  return {
    async list(caller) {
      const listed = await index.list(conversationsOf(caller))
      // The list is told of an end after the conversation itself knows it: of the few that are under way each is asked.
      const present = await Promise.all(
        listed.map(async (one) => (one.runId === undefined ? one : await stubOf(caller, one.id).summary())),
      )
      return present.filter((one) => one !== undefined)
    },
    async create(caller, wanted) {
      const id = identifiers.next()
      const entry = caller.kind === 'session' ? 'web' : caller.kind === 'chatops' ? 'chatops' : 'app'
      const created = await stubOf(caller, id).create(caller, { ...wanted, id, entry })
      if (!created.ok) return failWith(created.failure)
      await makeRoom(caller)
      return succeed(created.value)
    },
    async removeAll(callerId) {
      for (const id of await index.idsOf(callerId)) await drop(callerId, id)
    },
    async read(caller, id) {
      const found = await find(caller, id)
      if (!found.ok) return found
      const detail = await found.value.read()
      return detail === undefined ? failWith('not_found') : succeed(detail)
    },
    async remove(caller, id) {
      const found = await find(caller, id)
      return found.ok ? was(await drop(conversationsOf(caller), id)) : found
    },
    async send(caller, id, text) {
      const found = await find(caller, id)
      if (found.ok) return await found.value.send(text)
      // Without the list nobody could count the message either.
      return failWith(found.failure === 'unread' ? 'unavailable' : found.failure)
    },
    async cancel(caller, id) {
      const found = await find(caller, id)
      return found.ok ? was(await found.value.cancel()) : found
    },
    async follow(caller, id, after, waitMs) {
      const found = await find(caller, id)
      if (!found.ok) return found
      const page = await found.value.follow(after, waitMs)
      return page === undefined ? failWith('not_found') : succeed(page)
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

function was(isThere: boolean): Result<void, ConversationFault> {
  return isThere ? succeed(undefined) : failWith('not_found')
}
