/** A channel of a workspace, by the webhook of an app in it. */
import { statusFault } from '../channel-fault.ts'
import { wholeOf, withinUnits } from './message-text.ts'
import type { ChannelService } from './service.ts'

/** What it shows as one message; it cuts what is longer by itself, without a mark. */
const textUnitsMax = 4000

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export const slack = {
  type: 'slack',
  name: { en: 'Slack webhook', zh: 'Slack Webhook' },
  fields: [
    {
      name: 'address',
      label: { en: 'Webhook address', zh: 'Webhook 地址' },
      hint: { en: 'In the settings of the app, under Incoming Webhooks', zh: '应用设置的 Incoming Webhooks 中' },
      shape: 'address',
      secret: true,
      charactersMax: 512,
    },
  ],
  call({ address = '' }, message) {
    const text = withinUnits(wholeOf(message), textUnitsMax)
    // Between < and > stand links and who is called.
    return { address, json: { text: text.replace(/[&<>]/g, (character) => escapes[character] ?? '') } }
  },
  faultIn({ status, text }) {
    return statusFault(status) ?? (text.trim() === 'ok' ? undefined : { kind: 'foreign' })
  },
} as const satisfies ChannelService
