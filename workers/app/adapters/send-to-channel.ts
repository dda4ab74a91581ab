import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ChannelMessage, ChannelSettings } from '../core/channel.ts'
import { type ChannelFault, callFault, statusFault } from '../core/channel-fault.ts'
import { serviceOf } from '../core/channel-services/services.ts'
import { cutTo } from '../core/redact.ts'
import {
  browserTitleCharactersMax,
  channelCallMs,
  chatMessageCharactersMax,
  pushKeptSeconds,
  pushTextBytesMax,
} from '../limits.ts'
import { botCall } from './chat/bot-api.ts'
import { type CallRuntime, callDownloader, type DownloaderCall } from './downloaders/downloader-http.ts'
import { encryptPush, type PushKey, pushAuthorization } from './web-push.ts'
import { hmacSha256, signatureHeaders } from './webhook-signature.ts'

/** Calls and keys that channels need. */
export interface ChannelSending {
  readonly runtime: CallRuntime
  /** Undefined while it cannot be opened. */
  readonly pushKey: () => Promise<PushKey | undefined>
}

/** RFC 8292 wants an address at which the sender can be asked; this service has none that strangers may know. */
const pushSubject = 'mailto:owner@wharf.invalid'

/** One attempt. Whatever the outside does wrong is a fault, and nothing of what it says is passed on. */
export async function sendToChannel(
  settings: ChannelSettings,
  message: ChannelMessage,
  { runtime, pushKey }: ChannelSending,
  nowUnix: number,
): Promise<Result<void, ChannelFault>> {
  const key = settings.kind === 'browser' ? await pushKey() : undefined
  if (settings.kind === 'browser' && key === undefined) return failWith({ kind: 'secrets', state: 'missing' })
  const call =
    settings.kind === 'webhook'
      ? await webhookCall(settings, message, nowUnix)
      : settings.kind === 'bot'
        ? messageCall(settings, message)
        : settings.kind === 'browser'
          ? await pushCall(settings, message, key as PushKey, nowUnix)
          : await serviceCall(settings, message, nowUnix)
  const answer = await callDownloader(runtime, call, AbortSignal.timeout(channelCallMs))
  if (!answer.ok) return failWith(callFault(answer.failure))
  const fault = 'values' in settings ? serviceOf(settings.kind).faultIn(answer.value) : statusFault(answer.value.status)
  if (fault !== undefined) return failWith(fault)
  return settings.kind !== 'bot' || saysOk(answer.value.text) ? succeed(undefined) : failWith({ kind: 'not_a_bot' })
}

async function webhookCall(
  { address, headerName, headerValue, signingKey }: Extract<ChannelSettings, { kind: 'webhook' }>,
  { id, type, title, text, atUnix }: ChannelMessage,
  nowUnix: number,
): Promise<DownloaderCall> {
  const body = JSON.stringify({ id, type, title, text, at: atUnix })
  // Receivers drop what they had: a message keeps its id however often it is tried, and each test has one of its own.
  const signedId = type === 'test' ? `test_${nowUnix}` : `notice_${id}`
  return {
    address,
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(headerName === '' ? {} : { [headerName.toLowerCase()]: headerValue }),
      ...(signingKey === undefined ? {} : await signatureHeaders(signingKey, signedId, nowUnix, body)),
    },
    body,
  }
}

function messageCall(
  settings: Extract<ChannelSettings, { kind: 'bot' }>,
  { title, text }: ChannelMessage,
): DownloaderCall {
  const whole = [title, text].filter((part) => part !== '').join('\n\n')
  return botCall(settings, 'sendMessage', { chat_id: settings.chatId, text: cutTo(whole, chatMessageCharactersMax) })
}

async function pushCall(
  { address, p256dh, auth }: Extract<ChannelSettings, { kind: 'browser' }>,
  { id, type, title, text, atUnix }: ChannelMessage,
  key: PushKey,
  nowUnix: number,
): Promise<DownloaderCall> {
  return {
    address,
    method: 'POST',
    headers: {
      authorization: await pushAuthorization(key, address, pushSubject, nowUnix),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(pushKeptSeconds),
      urgency: 'normal',
    },
    body: await encryptPush(fitting({ id, type, title, text, at: atUnix }), { p256dh, auth }),
  }
}

async function serviceCall(
  { kind, values }: Extract<ChannelSettings, { values: object }>,
  message: ChannelMessage,
  nowUnix: number,
): Promise<DownloaderCall> {
  const { address, headers, json } = await serviceOf(kind).call(values, message, { nowUnix, hmac: hmacSha256 })
  return {
    address,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(json),
  }
}

/** With as much of the text as a push service takes. */
function fitting(
  message: { readonly title: string; readonly text: string } & Readonly<Record<string, unknown>>,
): string {
  const title = cutTo(message.title, browserTitleCharactersMax)
  for (let most = [...message.text].length; ; most = Math.floor(most / 2)) {
    const json = JSON.stringify({ ...message, title, text: cutTo(message.text, most) })
    if (most === 0 || new TextEncoder().encode(json).byteLength <= pushTextBytesMax) return json
  }
}

/** Some other page at the address answers 200 as well. */
function saysOk(text: string): boolean {
  try {
    return (JSON.parse(text) as { ok?: unknown } | null)?.ok === true
  } catch {
    return false
  }
}
