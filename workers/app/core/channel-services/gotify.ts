/** A server of one's own that shows messages of applications. */

import { statusFault } from '../channel-fault.ts'
import { cutTo } from '../redact.ts'
import { saidIn, textOf, withinBytes } from './message-text.ts'
import type { ChannelService } from './service.ts'

/** It sets no bounds; these keep a message readable. */
const titleCharactersMax = 250
const messageBytesMax = 16 * 1024

export const gotify = {
  type: 'gotify',
  name: { en: 'Gotify', zh: 'Gotify' },
  fields: [
    { name: 'server', label: { en: 'Server', zh: '服务器' }, shape: 'address', charactersMax: 512 },
    {
      name: 'token',
      label: { en: 'Token of the application', zh: '应用令牌' },
      hint: { en: 'Under Apps; it begins with A', zh: '在“应用”页创建，以 A 开头' },
      shape: 'token',
      secret: true,
      charactersMax: 128,
    },
  ],
  call({ server = '', token = '' }, message) {
    return {
      address: `${server}/message`,
      headers: { 'x-gotify-key': token },
      json: {
        title: cutTo(message.title, titleCharactersMax),
        message: withinBytes(textOf(message), messageBytesMax),
      },
    }
  },
  faultIn({ status, text }) {
    const { id, appid } = saidIn(text)
    return (
      statusFault(status) ?? (typeof id === 'number' && typeof appid === 'number' ? undefined : { kind: 'foreign' })
    )
  },
} as const satisfies ChannelService
