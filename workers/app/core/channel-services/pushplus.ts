/** A service that carries messages to the messenger of most phones in China, also to a group of people. */
import { statusFault } from '../channel-fault.ts'
import { cutTo } from '../redact.ts'
import { saidIn, textOf, withinUnits } from './message-text.ts'
import { type ChannelService, serverAt } from './service.ts'

/** Its own bounds. */
const titleCharactersMax = 100
const textUnitsMax = 20_000

export const pushplus = {
  type: 'pushplus',
  name: { en: 'PushPlus', zh: 'PushPlus（推送加）' },
  fields: [
    serverAt('https://www.pushplus.plus'),
    {
      name: 'token',
      label: { en: 'Token', zh: 'Token' },
      hint: { en: 'Of the user, or of a message', zh: '用户 token 或消息 token' },
      shape: 'token',
      secret: true,
      charactersMax: 64,
    },
    {
      name: 'topic',
      label: { en: 'Code of the group', zh: '群组编码' },
      hint: { en: 'Empty to send to yourself alone', zh: '留空则只发给自己' },
      shape: 'token',
      optional: true,
      charactersMax: 64,
    },
  ],
  call({ server = '', token = '', topic = '' }, message) {
    return {
      address: `${server}/send`,
      json: {
        token,
        title: cutTo(message.title, titleCharactersMax),
        content: withinUnits(textOf(message), textUnitsMax),
        template: 'txt',
        ...(topic === '' ? {} : { topic }),
      },
    }
  },
  faultIn({ status, text }) {
    const { code, msg } = saidIn(text)
    if (typeof code !== 'number' || typeof msg !== 'string') return statusFault(status) ?? { kind: 'foreign' }
    switch (code) {
      case 200:
        return statusFault(status)
      case 302:
      case 401:
      case 403:
      case 903:
      case 905:
        return { kind: 'credentials' }
      // 500 is a service that stumbles, 888 an account without points.
      case 500:
      case 888:
      case 900:
        return { kind: 'rate_limited' }
      default:
        return statusFault(status) ?? { kind: 'rejected' }
    }
  },
} as const satisfies ChannelService
