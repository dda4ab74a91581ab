import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ChannelMessage, ChannelSettings } from '../core/channel.ts'
import type { ChannelFault } from '../core/channel-fault.ts'
import { cutTo } from '../core/redact.ts'
import { channelCallMs, chatMessageCharactersMax } from '../limits.ts'
import { type CallRuntime, callDownloader, type DownloaderAnswer, type DownloaderCall } from './downloader-http.ts'
import { signatureHeaders } from './webhook-signature.ts'

/** One attempt. Whatever the outside does wrong is a fault, and nothing of what it says is passed on. */
export async function sendToChannel(
  settings: ChannelSettings,
  message: ChannelMessage,
  runtime: CallRuntime,
  nowUnix: number,
): Promise<Result<void, ChannelFault>> {
  const call = settings.kind === 'webhook' ? await webhookCall(settings, message, nowUnix) : botCall(settings, message)
  const answer = await callDownloader(runtime, call, AbortSignal.timeout(channelCallMs))
  if (!answer.ok) {
    const { kind } = answer.failure
    return failWith({
      kind: kind === 'timeout' || kind === 'certificate' || kind === 'too_large' ? kind : 'unreachable',
    })
  }
  const fault = faultOf(answer.value)
  if (fault !== undefined) return failWith(fault)
  return settings.kind === 'webhook' || saysOk(answer.value.text) ? succeed(undefined) : failWith({ kind: 'not_a_bot' })
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

function botCall(
  { baseUrl, token, chatId }: Extract<ChannelSettings, { kind: 'bot' }>,
  { title, text }: ChannelMessage,
): DownloaderCall {
  const whole = [title, text].filter((part) => part !== '').join('\n\n')
  return {
    address: `${baseUrl}/bot${encodeURIComponent(token).replaceAll('%3A', ':')}/sendMessage`,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ chat_id: chatId, text: cutTo(whole, chatMessageCharactersMax) }),
  }
}

function faultOf({ status }: DownloaderAnswer): ChannelFault | undefined {
  if (status >= 200 && status < 300) return undefined
  // A redirect that was not followed may come without its status.
  if (status === 0 || (status >= 300 && status < 400)) return { kind: 'redirected' }
  switch (status) {
    case 400:
    case 413:
    case 422:
      return { kind: 'rejected' }
    case 401:
    case 403:
      return { kind: 'credentials' }
    case 404:
    case 410:
      return { kind: 'not_found' }
    case 429:
      return { kind: 'rate_limited' }
    default:
      return { kind: 'status', status }
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
