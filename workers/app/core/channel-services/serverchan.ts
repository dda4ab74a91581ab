/** A service that carries messages to the messenger of most phones in China. */
import { statusFault } from '../channel-fault.ts'
import { cutTo } from '../redact.ts'
import { saidIn, textOf, withinBytes } from './message-text.ts'
import { type ChannelService, serverAt } from './service.ts'

/** Its own bounds. */
const titleCharactersMax = 32
const textBytesMax = 32 * 1024

export const serverchan = {
  type: 'serverchan',
  name: { en: 'ServerChan Turbo', zh: 'Server酱 Turbo' },
  fields: [
    serverAt('https://sctapi.ftqq.com'),
    {
      name: 'key',
      label: { en: 'SendKey', zh: 'SendKey' },
      hint: { en: 'It begins with SCT', zh: '以 SCT 开头' },
      shape: 'token',
      secret: true,
      charactersMax: 128,
    },
  ],
  call({ server = '', key = '' }, message) {
    // It takes no message without a title, which is one line.
    const title = (message.title === '' ? message.text : message.title).trimStart().split('\n', 1)[0] ?? ''
    return {
      address: `${server}/${encodeURIComponent(key)}.send`,
      json: { title: cutTo(title, titleCharactersMax), desp: withinBytes(textOf(message), textBytesMax) },
    }
  },
  faultIn({ status, text }) {
    const { code, message } = saidIn(text)
    if (code === 0) return statusFault(status)
    if (typeof code !== 'number' || typeof message !== 'string') return statusFault(status) ?? { kind: 'foreign' }
    // One code stands for a key that is not known and for too many messages of a day.
    if (message.includes('次数')) return { kind: 'rate_limited' }
    return message.startsWith('[AUTH]') ? { kind: 'credentials' } : (statusFault(status) ?? { kind: 'rejected' })
  },
} as const satisfies ChannelService
