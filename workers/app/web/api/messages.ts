/** Message templates, and where messages go. */
import type { ChannelBody, TestChannelBody, WireChannel } from '../../contract/console-channels.ts'
import type { ChatBotBody, WireChatBot } from '../../contract/console-chats.ts'
import type { WireTemplateEvent, WireTemplates } from '../../contract/templates.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { DevicePermission } from '../../core/vocabulary.ts'
import type { Draft } from '../model/template-draft.ts'
import { type Answer, app, call, type Done, own, rowsAt } from './call.ts'

export function fetchTemplates(signal?: AbortSignal): Promise<Answer<WireTemplates>> {
  return call({ method: 'GET', path: `${app}/templates`, signal })
}

export function previewTemplate(type: string, draft: Draft, signal?: AbortSignal): Promise<Answer<Draft>> {
  return call({ method: 'POST', path: `${app}/templates/preview`, body: { type, ...draft }, signal })
}

export function saveTemplate(type: string, body: Draft): Promise<Answer<WireTemplateEvent>> {
  return call({ method: 'PUT', path: `${app}/templates/${encodeURIComponent(type)}`, body })
}

export function resetTemplate(type: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${app}/templates/${encodeURIComponent(type)}` })
}

export interface ChannelList {
  readonly items: readonly WireChannel[]
  /** What a channel may be told of. */
  readonly events: readonly { readonly type: WireChannel['events'][number]; readonly name: string }[]
}

export const {
  list: fetchChannels,
  add: addChannel,
  change: changeChannel,
  remove: removeChannel,
} = rowsAt<WireChannel, ChannelBody, ChannelList>(`${own}/channels`)

/** What this browser subscribes with at its push service. */
export function fetchPushKey(): Promise<Answer<{ readonly public_key: string }>> {
  return call({ method: 'GET', path: `${own}/channels/push-key` })
}

export interface ChannelTest {
  readonly delivered: boolean
  readonly reason?: Reason
}

export function testChannel(body: TestChannelBody): Promise<Answer<ChannelTest>> {
  return call({ method: 'POST', path: `${own}/channels/test`, body })
}

const chatOf = (channelId: number) => `${own}/channels/${channelId}/chat`

export function fetchChatBot(channelId: number, signal?: AbortSignal): Promise<Answer<WireChatBot>> {
  return call({ method: 'GET', path: chatOf(channelId), signal })
}

export function changeChatBot(channelId: number, body: ChatBotBody): Promise<Answer<WireChatBot>> {
  return call({ method: 'PUT', path: chatOf(channelId), body })
}

export function makeChatCode(
  channelId: number,
  body: { readonly permission: DevicePermission },
): Promise<Answer<{ readonly code: string; readonly expires_at: number }>> {
  return call({ method: 'POST', path: `${chatOf(channelId)}/code`, body })
}

export function removeChat(channelId: number, chatId: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${chatOf(channelId)}s/${encodeURIComponent(chatId)}` })
}
