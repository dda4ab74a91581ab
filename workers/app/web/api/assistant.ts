/** The assistant's conversations and settings. */
import type {
  WireAssistantStatus,
  WireConfirmation,
  WireConversation,
  WireConversationDetail,
  WireEventPage,
  WireRun,
} from '../../contract/assistant.ts'
import type { AssistantSettingsBody, WireAssistantSettings, WireModelTrial } from '../../contract/console-settings.ts'
import { type Answer, app, call, type Done, eventsPatienceMs, type Items, own, sitePatienceMs } from './call.ts'

export function fetchAssistantStatus(signal?: AbortSignal): Promise<Answer<WireAssistantStatus>> {
  return call({ method: 'GET', path: `${app}/assistant/status`, signal })
}

export function fetchConversations(signal?: AbortSignal): Items<WireConversation> {
  return call({ method: 'GET', path: `${app}/assistant/conversations`, signal })
}

/** A new one with its first message. */
export function beginConversation(message: string): Promise<Answer<WireConversation & { readonly run: WireRun }>> {
  return call({ method: 'POST', path: `${app}/assistant/conversations`, body: { message } })
}
function conversation(id: string): string {
  return `${app}/assistant/conversations/${encodeURIComponent(id)}`
}

export function readConversation(id: string, signal: AbortSignal): Promise<Answer<WireConversationDetail>> {
  return call({ method: 'GET', path: conversation(id), signal })
}

export function waitForEvents(id: string, after: number, signal: AbortSignal): Promise<Answer<WireEventPage>> {
  return call({
    method: 'GET',
    path: `${conversation(id)}/events?after=${after}`,
    signal,
    patienceMs: eventsPatienceMs,
  })
}

export function sendMessage(id: string, text: string): Promise<Answer<WireRun>> {
  return call({ method: 'POST', path: `${conversation(id)}/messages`, body: { text } })
}

export function stopAnswer(id: string): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${conversation(id)}/cancel`, body: {} })
}

export function removeConversation(id: string): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: conversation(id) })
}

export function decide(id: string, approve: boolean): Promise<Answer<WireConfirmation>> {
  return call({ method: 'POST', path: `${app}/assistant/confirmations/${encodeURIComponent(id)}`, body: { approve } })
}

export function fetchAssistantSettings(signal?: AbortSignal): Promise<Answer<WireAssistantSettings>> {
  return call({ method: 'GET', path: `${own}/settings/assistant`, signal })
}

export function changeAssistantSettings(body: AssistantSettingsBody): Promise<Answer<WireAssistantSettings>> {
  return call({ method: 'PUT', path: `${own}/settings/assistant`, body })
}

export function tryAssistant(body: Omit<AssistantSettingsBody, 'enabled'>): Promise<Answer<WireModelTrial>> {
  return call({ method: 'POST', path: `${own}/settings/assistant/test`, body, patienceMs: sitePatienceMs })
}
