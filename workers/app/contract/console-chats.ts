/** What is written to a bot, and who may write: who comes in is for the signed-in browser alone. */
import * as z from '#shared/schema/deferred.ts'
import { chatCommands, chatWays, devicePermissions } from '../core/vocabulary.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const wireChatBot = z.object({
  way: z.enum(chatWays),
  commands: z.array(z.enum(chatCommands)),
  chats: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      permission: z.enum(devicePermissions),
      paired_at: z.int(),
      last_used_at: z.int().optional(),
    }),
  ),
  last_heard_at: z.int().optional(),
  /** Why it hears nothing at the moment. */
  error: z.string().optional(),
  ...withReason,
  /** While a code waits. */
  code_expires_at: z.int().optional(),
})
export type WireChatBot = z.infer<typeof wireChatBot>

const channelId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

export const readChatBot = declareRoute('session', 'get', '/channels/{id}/chat', {
  operationId: 'readChatBot',
  summary: '机器人接收的消息和配对的会话',
  params: channelId,
  answers: { 200: wireChatBot },
})

const chatBotBody = z.strictObject({
  way: z.enum(chatWays),
  commands: z.array(z.enum(chatCommands)).max(chatCommands.length),
})
export type ChatBotBody = z.input<typeof chatBotBody>

export const changeChatBot = declareRoute('session', 'put', '/channels/{id}/chat', {
  operationId: 'changeChatBot',
  summary: '修改机器人接收什么消息',
  params: channelId,
  body: chatBotBody,
  answers: { 200: wireChatBot },
})

/** `code` is shown this once and never again; it takes the place of the one before. */
export const makeChatCode = declareRoute('session', 'post', '/channels/{id}/chat/code', {
  operationId: 'makeChatCode',
  summary: '新建会话的配对码',
  params: channelId,
  body: z.strictObject({ permission: z.enum(devicePermissions) }),
  answers: { 200: z.object({ code: z.string(), expires_at: z.int() }) },
})

export const removeChat = declareRoute('session', 'delete', '/channels/{id}/chats/{chat}', {
  operationId: 'removeChat',
  summary: '解除会话的配对',
  params: channelId.extend({ chat: z.string().min(1).max(64) }),
  body: emptyBody,
  answers: { 200: z.object({ ok: z.literal(true) }) },
})

export const consoleChatDeclarations: readonly RouteDeclaration[] = [
  readChatBot,
  changeChatBot,
  makeChatCode,
  removeChat,
]
