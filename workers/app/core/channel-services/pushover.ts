/** An app that shows messages on phones and desktops. */
import { statusFault } from '../channel-fault.ts'
import { cutTo } from '../redact.ts'
import { saidIn, textOf } from './message-text.ts'
import { type ChannelService, serverAt } from './service.ts'

/** Its own bounds. */
const titleCharactersMax = 250
const textCharactersMax = 1024

export const pushover = {
  type: 'pushover',
  name: { en: 'Pushover', zh: 'Pushover' },
  fields: [
    serverAt('https://api.pushover.net'),
    {
      name: 'token',
      label: { en: 'Token of the application', zh: '应用令牌' },
      shape: 'token',
      secret: true,
      charactersMax: 64,
    },
    {
      name: 'user',
      label: { en: 'Key of the user or group', zh: '用户或群组密钥' },
      shape: 'token',
      secret: true,
      charactersMax: 64,
    },
    {
      name: 'device',
      label: { en: 'Device', zh: '设备' },
      hint: { en: 'Its name; empty for all of them', zh: '设备名称，留空则发到所有设备' },
      shape: 'token',
      optional: true,
      charactersMax: 64,
    },
  ],
  call({ server = '', token = '', user = '', device = '' }, message) {
    return {
      address: `${server}/1/messages.json`,
      json: {
        token,
        user,
        title: cutTo(message.title, titleCharactersMax),
        message: cutTo(textOf(message), textCharactersMax),
        ...(device === '' ? {} : { device }),
      },
    }
  },
  faultIn({ status, text }) {
    const said = saidIn(text)
    if (status === 400 && (said['token'] === 'invalid' || said['user'] === 'invalid')) return { kind: 'credentials' }
    const isTaken = said['status'] === 1 && typeof said['request'] === 'string'
    return statusFault(status) ?? (isTaken ? undefined : { kind: 'foreign' })
  },
} as const satisfies ChannelService
