/** A server that hands messages of a topic to phones; anybody may run one. */

import { statusFault } from '../channel-fault.ts'
import { cutTo } from '../redact.ts'
import { saidIn, textOf, withinBytes } from './message-text.ts'
import { type ChannelService, serverAt } from './service.ts'

/** The server's own default. What is longer it keeps as a file beside the message. */
const messageBytesMax = 4096
/** It sets no bound; a phone shows one line. */
const titleCharactersMax = 250

export const ntfy = {
  type: 'ntfy',
  name: { en: 'ntfy', zh: 'ntfy' },
  fields: [
    serverAt('https://ntfy.sh'),
    {
      name: 'topic',
      label: { en: 'Topic', zh: '主题' },
      hint: {
        en: 'Letters, digits, - and _. On a public server, whoever knows it can read it.',
        zh: '字母、数字、- 和 _。在公共服务器上，知道主题的人都能读到消息。',
      },
      shape: 'token',
      charactersMax: 64,
    },
    {
      name: 'token',
      label: { en: 'Access token', zh: '访问令牌' },
      hint: { en: 'For a topic that is protected', zh: '主题受保护时填写' },
      shape: 'token',
      secret: true,
      optional: true,
      charactersMax: 128,
    },
  ],
  call({ server = '', topic = '', token = '' }, message) {
    return {
      address: `${server}/`,
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      json: {
        topic,
        title: cutTo(message.title, titleCharactersMax),
        message: withinBytes(textOf(message), messageBytesMax),
      },
    }
  },
  faultIn({ status, text }) {
    const { event, id } = saidIn(text)
    return statusFault(status) ?? (event === 'message' && typeof id === 'string' ? undefined : { kind: 'foreign' })
  },
} as const satisfies ChannelService
