/**
 * Plays a chat platform's bot interface. Follows its public documentation (core.telegram.org/bots/api, Bot API 7.9):
 * numbers of updates and what confirms them, a held question and who ends it, webhooks and their secret, the bounds of
 * messages and buttons, presses that are answered once, and 429 with `retry_after`. Each token is a bot of its own.
 * `/control/{token}` gives what the bot said, and has people write and press.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { endServer, listenToKept } from './loopback.ts'

interface Sent {
  readonly chat: number
  readonly message: number
  readonly text: string
  buttons: readonly (readonly { readonly text: string; readonly data: string }[])[]
}

interface Bot {
  next: number
  readonly updates: { readonly update_id: number }[]
  readonly sent: Sent[]
  /** Presses that nobody answered yet, and what those that were got. */
  readonly presses: Map<string, string | undefined>
  hook: { readonly url: string; readonly secret: string } | undefined
  held: (() => void) | undefined
  /** Each is taken off by the next `sendMessage`. */
  refusals: { readonly status: number; readonly retryAfter?: number }[]
  messages: number
  /** Offsets of questions, as they came. */
  readonly asked: (number | null)[]
}

/** People who started the bot; it may write to nobody else. */
const people = new Set([501, 502, 503])
const textMax = 4096
const dataBytesMax = 64

export interface StandInBot {
  readonly origin: string
  stop(): Promise<void>
}

export async function startStandInBot(): Promise<StandInBot> {
  const bots = new Map<string, Bot>()
  const botOf = (token: string): Bot => {
    const known = bots.get(token) ?? {
      next: 7001,
      updates: [],
      sent: [],
      presses: new Map(),
      hook: undefined,
      held: undefined,
      refusals: [],
      messages: 0,
      asked: [],
    }
    bots.set(token, known)
    return known
  }

  function refuse(response: ServerResponse, status: number, description: string, retryAfter?: number): ServerResponse {
    response.writeHead(status, { 'content-type': 'application/json' })
    const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } }
    return response.end(JSON.stringify({ ok: false, error_code: status, description, ...parameters }))
  }
  function answer(response: ServerResponse, result: unknown): ServerResponse {
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ ok: true, result }))
  }

  async function getUpdates(
    bot: Bot,
    body: Record<string, unknown>,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    if (bot.hook !== undefined)
      return refuse(response, 409, "Conflict: can't use getUpdates method while webhook is active")
    const offset = body['offset'] as number | undefined
    bot.asked.push(offset ?? null)
    const limit = Number(body['limit'] ?? 100)
    if (!(limit >= 1 && limit <= 100)) return refuse(response, 400, 'Bad Request: limit')
    // An update is confirmed by a question for what comes after it.
    if (offset !== undefined)
      while (bot.updates[0] !== undefined && bot.updates[0].update_id < offset) bot.updates.shift()
    // A question ends the one that is held.
    bot.held?.()
    if (bot.updates.length === 0)
      await new Promise<void>((resolve) => {
        const over = setTimeout(resolve, Number(body['timeout'] ?? 0) * 1000)
        bot.held = () => {
          clearTimeout(over)
          resolve()
        }
        response.on('close', bot.held)
      })
    bot.held = undefined
    return answer(response, bot.updates.slice(0, limit))
  }

  function sendMessage(bot: Bot, body: Record<string, unknown>, response: ServerResponse): ServerResponse {
    const refusal = bot.refusals.shift()
    if (refusal !== undefined) return refuse(response, refusal.status, 'refused', refusal.retryAfter)
    const said = body['text']
    const chat = Number(body['chat_id'])
    if (!people.has(chat)) return refuse(response, 400, 'Bad Request: chat not found')
    if (typeof said !== 'string' || said.trim() === '')
      return refuse(response, 400, 'Bad Request: message text is empty')
    if (said.length > textMax) return refuse(response, 400, 'Bad Request: message is too long')
    const markup = body['reply_markup'] as { inline_keyboard?: { text: string; callback_data: string }[][] } | undefined
    const rows = markup?.inline_keyboard ?? []
    for (const one of rows.flat()) {
      const bytes = Buffer.byteLength(one.callback_data)
      if (bytes < 1 || bytes > dataBytesMax) return refuse(response, 400, 'Bad Request: BUTTON_DATA_INVALID')
    }
    bot.messages += 1
    const buttons = rows.map((row) => row.map((one) => ({ text: one.text, data: one.callback_data })))
    bot.sent.push({ chat, message: bot.messages, text: said, buttons })
    return answer(response, { message_id: bot.messages, chat: { id: chat, type: 'private' }, text: said })
  }

  function serve(bot: Bot, method: string, body: Record<string, unknown>, response: ServerResponse): unknown {
    switch (method) {
      case 'getUpdates':
        return getUpdates(bot, body, response)
      case 'setWebhook': {
        const [url, secret] = [String(body['url']), String(body['secret_token'] ?? '')]
        if (!url.startsWith('https://'))
          return refuse(response, 400, 'Bad Request: bad webhook: HTTPS url must be provided')
        if (!/^[A-Za-z0-9_-]{1,256}$/.test(secret)) return refuse(response, 400, 'Bad Request: secret token')
        bot.hook = { url, secret }
        bot.held?.()
        return answer(response, true)
      }
      case 'deleteWebhook':
        bot.hook = undefined
        return answer(response, true)
      case 'sendMessage':
        return sendMessage(bot, body, response)
      case 'answerCallbackQuery': {
        const id = String(body['callback_query_id'])
        if (!bot.presses.has(id) || bot.presses.get(id) !== undefined)
          return refuse(
            response,
            400,
            'Bad Request: query is too old and response timeout expired or query ID is invalid',
          )
        bot.presses.set(id, String(body['text'] ?? ''))
        return answer(response, true)
      }
      case 'editMessageReplyMarkup': {
        const one = bot.sent.find(({ message }) => message === Number(body['message_id']))
        if (one === undefined || one.buttons.length === 0)
          return refuse(response, 400, 'Bad Request: message is not modified')
        one.buttons = []
        return answer(response, true)
      }
      default:
        return refuse(response, 404, 'Not Found')
    }
  }

  interface Orders {
    readonly say?: { readonly chat: number; readonly text: string; readonly type?: string; readonly from?: number }
    readonly press?: { readonly chat: number; readonly data: string; readonly message?: number }
    readonly refusals?: Bot['refusals']
    /** Numbers begin here from now on. */
    readonly next?: number
    /** Somebody else set it. */
    readonly hook?: string
    readonly forget?: boolean
  }

  function control(bot: Bot, orders: Orders, response: ServerResponse): ServerResponse {
    if (orders.forget === true) bot.sent.length = 0
    if (orders.next !== undefined) bot.next = orders.next
    if (orders.refusals !== undefined) bot.refusals = orders.refusals
    if (orders.hook !== undefined) {
      bot.hook = { url: orders.hook, secret: 'x' }
      bot.held?.()
    }
    const made: Record<string, unknown>[] = []
    if (orders.say !== undefined) {
      const { chat, text: said, type = 'private', from = chat } = orders.say
      made.push({
        message: {
          message_id: 1,
          date: 1_700_000_000,
          from: { id: from, is_bot: false, first_name: 'Ada', username: 'ada' },
          chat: { id: chat, type },
          text: said,
        },
      })
    }
    if (orders.press !== undefined) {
      const { chat, data, message = 1 } = orders.press
      const id = `press${bot.next}`
      bot.presses.set(id, undefined)
      made.push({
        callback_query: {
          id,
          from: { id: chat, is_bot: false, first_name: 'Ada' },
          message: { message_id: message, date: 1, chat: { id: chat, type: 'private' } },
          chat_instance: '1',
          data,
        },
      })
    }
    const updates = made.map((body) => ({ update_id: bot.next++, ...body }))
    // With a webhook the platform would send them: the test does, since the Worker under test listens nowhere.
    if (bot.hook === undefined) bot.updates.push(...updates)
    if (updates.length > 0) bot.held?.()
    const { sent, hook, asked, presses } = bot
    return response.end(
      JSON.stringify({ sent, hook, asked, presses: Object.fromEntries(presses), updates, waiting: bot.updates.length }),
    )
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const [, first = '', second = ''] = (request.url ?? '').split('/')
    const body = await text(request)
    const json = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
    if (first === 'control') return control(botOf(decodeURIComponent(second)), json, response)
    const token = /^bot(\d+:[A-Za-z0-9_-]+)$/.exec(decodeURIComponent(first))?.[1]
    if (token === undefined) return refuse(response, 404, 'Not Found')
    if (token.endsWith('Revoked')) return refuse(response, 401, 'Unauthorized')
    return serve(botOf(token), second, json, response)
  }

  const server = createServer((request, response) => void take(request, response))
  const { url: origin } = await listenToKept(server)
  return { origin, stop: () => endServer(server) }
}
