/** The bot interface of a chat platform. The token is part of every address, so that nothing of an address is passed on. */
import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ChannelSettings } from '../../core/channel.ts'
import { type ChannelFault, callFault, statusFault } from '../../core/channel-fault.ts'
import type { ChatMessage } from '../../core/chat/chat-update.ts'
import { chatAnswerBytesMax, chatPollMs, chatPollSeconds, chatUpdatesPageMax } from '../../limits.ts'
import { callDownloader, type DownloaderCall, parseJson } from '../downloaders/downloader-http.ts'
import { workerRuntime } from '../worker-runtime.ts'

export type BotSettings = Extract<ChannelSettings, { kind: 'bot' }>

export interface BotFault {
  readonly fault: ChannelFault
  /** The platform names it with 429. */
  readonly retryAfterSeconds?: number
}

export interface BotApi {
  /** Held until there is one, or for a while. Without an offset from the first that waits. */
  updates(offset: number | undefined, signal: AbortSignal): Promise<Result<readonly unknown[], BotFault>>
  setHook(address: string, secret: string): Promise<Result<void, BotFault>>
  removeHook(): Promise<Result<void, BotFault>>
  send(chat: string, message: ChatMessage): Promise<Result<void, BotFault>>
}

const answerShape = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  parameters: z
    .object({ retry_after: z.number().min(0).optional() })
    .optional()
    .catch(undefined),
})

/** What is asked for; the platform keeps to it from then on. */
const wanted = ['message', 'callback_query'] as const

/** One call of the interface. */
export function botCall(
  { baseUrl, token }: Pick<BotSettings, 'baseUrl' | 'token'>,
  method: string,
  body: Readonly<Record<string, unknown>>,
): DownloaderCall {
  return {
    address: `${baseUrl}/bot${encodeURIComponent(token).replaceAll('%3A', ':')}/${method}`,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  }
}

export function createBotApi(settings: BotSettings): BotApi {
  const runtime = { ...workerRuntime, bounds: { callMs: chatPollMs, answerBytesMax: chatAnswerBytesMax } }

  async function call(
    method: string,
    body: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Result<unknown, BotFault>> {
    const answer = await callDownloader(runtime, botCall(settings, method, body), signal)
    if (!answer.ok) return failWith({ fault: callFault(answer.failure) })
    const { status, text } = answer.value
    const said = answerShape.safeParse(parseJson(text))
    if (status === 200 && said.data?.ok === true) return succeed(said.data.result)
    const retryAfterSeconds = said.data?.parameters?.retry_after
    return failWith({
      fault: statusFault(status) ?? { kind: 'not_a_bot' },
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }

  const short = () => AbortSignal.timeout(chatPollMs)
  const done = (came: Result<unknown, BotFault>) => (came.ok ? succeed(undefined) : came)

  return {
    async updates(offset, signal) {
      const body = { timeout: chatPollSeconds, limit: chatUpdatesPageMax, allowed_updates: wanted }
      const came = await call('getUpdates', offset === undefined ? body : { ...body, offset }, signal)
      if (!came.ok) return came
      return Array.isArray(came.value) ? succeed(came.value) : failWith({ fault: { kind: 'not_a_bot' } })
    },

    setHook: async (address, secret) =>
      done(await call('setWebhook', { url: address, secret_token: secret, allowed_updates: wanted }, short())),

    removeHook: async () => done(await call('deleteWebhook', {}, short())),

    async send(chat, message) {
      switch (message.kind) {
        case 'say': {
          const { text, buttons } = message
          const keyboard = buttons?.map((row) =>
            row.map(({ label, token: data }) => ({ text: label, callback_data: data })),
          )
          const markup = keyboard === undefined ? {} : { reply_markup: { inline_keyboard: keyboard } }
          return done(await call('sendMessage', { chat_id: chat, text, ...markup }, short()))
        }
        case 'answer':
          return done(
            await call('answerCallbackQuery', { callback_query_id: message.press, text: message.text }, short()),
          )
        case 'take_buttons':
          return done(await call('editMessageReplyMarkup', { chat_id: chat, message_id: message.messageId }, short()))
      }
    },
  }
}
