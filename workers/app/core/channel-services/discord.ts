/** A channel of a chat server, by the webhook that its owner made. */
import { statusFault } from '../channel-fault.ts'
import { saidIn, wholeOf, withinUnits } from './message-text.ts'
import type { ChannelService } from './service.ts'

/** Its own bound. */
const textUnitsMax = 2000

export const discord = {
  type: 'discord',
  name: { en: 'Discord webhook', zh: 'Discord Webhook' },
  fields: [
    {
      name: 'address',
      label: { en: 'Webhook address', zh: 'Webhook 地址' },
      hint: { en: 'In the settings of the channel, under Integrations', zh: '频道设置的“整合”中' },
      shape: 'address',
      secret: true,
      charactersMax: 512,
    },
  ],
  call({ address = '' }, message) {
    const place = new URL(address)
    // It answers with the message that it made, so that another page is told apart.
    place.searchParams.set('wait', 'true')
    return {
      address: place.href,
      // A title of a torrent calls nobody.
      json: { content: withinUnits(wholeOf(message), textUnitsMax), allowed_mentions: { parse: [] } },
    }
  },
  faultIn({ status, text }) {
    const { id, channel_id: channel } = saidIn(text)
    const isMessage = typeof id === 'string' && typeof channel === 'string'
    return statusFault(status) ?? (isMessage ? undefined : { kind: 'foreign' })
  },
} as const satisfies ChannelService
