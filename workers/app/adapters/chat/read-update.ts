/** What a chat platform tells of what was written to a bot, read tolerantly: what is not understood is left. */
import { z } from '@hono/zod-openapi'
import type { ChatUpdate } from '../../core/chat/chat-update.ts'

const user = z.object({ id: z.int(), first_name: z.string().catch(''), username: z.string().catch('') })
const chat = z.object({ id: z.int(), type: z.string() })
const message = z.object({ message_id: z.int(), from: user.optional(), chat, text: z.string().optional() })
const update = z.object({
  update_id: z.int().min(0),
  message: message.optional().catch(undefined),
  callback_query: z
    .object({
      id: z.string(),
      from: user,
      message: z.object({ message_id: z.int(), chat }).optional().catch(undefined),
      data: z.string().optional(),
    })
    .optional()
    .catch(undefined),
})

/** The number of an update of any kind, by which it is known. */
export function numberOfUpdate(written: unknown): number | undefined {
  const read = update.safeParse(written)
  return read.success ? read.data.update_id : undefined
}

/**
 * Undefined for what is nobody's message in a chat of two. In a group the chat would be paired, and whoever comes into it
 * would speak for the owner.
 */
export function readUpdate(written: unknown): ChatUpdate | undefined {
  const read = update.safeParse(written)
  if (!read.success) return undefined
  const { update_id: id, message: said, callback_query: pressed } = read.data
  if (pressed !== undefined) {
    const { message: on, from } = pressed
    if (on === undefined || !isOfTwo(on.chat, from)) return undefined
    const press = { id: pressed.id, data: pressed.data ?? '', messageId: on.message_id }
    return { id, chat: String(on.chat.id), name: nameOf(from), press }
  }
  if (said?.from === undefined || said.text === undefined || !isOfTwo(said.chat, said.from)) return undefined
  return { id, chat: String(said.chat.id), name: nameOf(said.from), text: said.text }
}

function isOfTwo(of: z.output<typeof chat>, from: z.output<typeof user>): boolean {
  return of.type === 'private' && of.id === from.id
}

function nameOf({ first_name: first, username }: z.output<typeof user>): string {
  return [first, username === '' ? '' : `@${username}`].filter((part) => part !== '').join(' ')
}
