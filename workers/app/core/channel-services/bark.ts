/** An app that shows messages on one make of phone, through its maker's push service; anybody may run the server. */
import { statusFault } from '../channel-fault.ts'
import { cutTo } from '../redact.ts'
import { saidIn } from './message-text.ts'
import { type ChannelService, serverAt } from './service.ts'

/** The push service takes 4,096 bytes with everything around a message, of which the rest has at most 1,300. */
const bodyBytesMax = 2700
const titleCharactersMax = 100

export const bark = {
  type: 'bark',
  name: { en: 'Bark', zh: 'Bark' },
  fields: [
    serverAt('https://api.day.app'),
    {
      name: 'key',
      label: { en: 'Device key', zh: '设备密钥' },
      hint: { en: 'In the app, what follows the server in its address', zh: '应用内测试地址中服务器之后的一段' },
      shape: 'token',
      secret: true,
      charactersMax: 128,
    },
    {
      name: 'group',
      label: { en: 'Group', zh: '分组' },
      hint: { en: 'Messages of one group stand together', zh: '同一分组的消息显示在一起' },
      shape: 'text',
      optional: true,
      charactersMax: 48,
    },
  ],
  call({ server = '', key = '', group = '' }, { title, text }) {
    return {
      address: `${server}/push`,
      json: {
        device_key: key,
        title: cutTo(title, titleCharactersMax),
        body: withinWritten(text, bodyBytesMax),
        ...(group === '' ? {} : { group }),
      },
    }
  },
  faultIn({ status, text }) {
    const { code, message: said } = saidIn(text)
    const words = typeof said === 'string' ? said : ''
    if (status === 400 && words.startsWith('failed to get device token')) return { kind: 'not_found' }
    if (status === 500 && /BadDeviceToken|Unregistered/.test(words)) return { kind: 'not_found' }
    if (status === 500 && words.includes('PayloadTooLarge')) return { kind: 'rejected' }
    // What it answers to whoever lacks the name and password that it is kept behind.
    if (status === 418) return { kind: 'credentials' }
    return statusFault(status) ?? (code === 200 && words === 'success' ? undefined : { kind: 'foreign' })
  },
} as const satisfies ChannelService

/** The server writes JSON with every `<`, `>` and `&` as an escape, beside those that JSON asks for. */
function withinWritten(text: string, bytesMax: number): string {
  const encoder = new TextEncoder()
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += /[<>&\u2028\u2029]/.test(character) ? 6 : encoder.encode(JSON.stringify(character)).byteLength - 2
    if (bytes > bytesMax) return `${kept}…`
    kept += character
  }
  return kept
}
