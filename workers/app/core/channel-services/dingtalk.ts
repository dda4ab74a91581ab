/** The robot of a group in a messenger of companies, which may want its messages signed. */
import { statusFault } from '../channel-fault.ts'
import { saidIn, wholeOf, withinBytes } from './message-text.ts'
import { type ChannelService, robotAddress } from './service.ts'

/** It takes 20,000 bytes with everything around a text. */
const textBytesMax = 15_000

export const dingtalk = {
  type: 'dingtalk',
  name: { en: 'DingTalk group robot', zh: '钉钉群机器人' },
  fields: [
    robotAddress,
    {
      name: 'secret',
      label: { en: 'Secret of the signature', zh: '加签密钥' },
      hint: {
        en: 'Where the robot wants signatures; it begins with SEC. A robot that wants a keyword finds it in your words.',
        zh: '安全设置为“加签”时填写，以 SEC 开头。设置为“自定义关键词”时，请把关键词写进消息模板。',
      },
      shape: 'token',
      secret: true,
      optional: true,
      charactersMax: 128,
    },
  ],
  async call({ address = '', secret = '' }, message, { nowUnix, hmac }) {
    const place = new URL(address)
    if (secret !== '') {
      const timestamp = String(nowUnix * 1000)
      place.searchParams.set('timestamp', timestamp)
      place.searchParams.set('sign', await hmac(secret, `${timestamp}\n${secret}`))
    }
    return {
      address: place.href,
      json: { msgtype: 'text', text: { content: withinBytes(wholeOf(message), textBytesMax) } },
    }
  },
  faultIn({ status, text }) {
    const { errcode, errmsg } = saidIn(text)
    if (typeof errcode !== 'number') return statusFault(status) ?? { kind: 'foreign' }
    switch (errcode) {
      case 0:
        return statusFault(status)
      // One code stands for signature, address of the sender and keyword.
      case 310000:
        return String(errmsg).startsWith('keywords') ? { kind: 'rejected' } : { kind: 'credentials' }
      case 300001:
      case 300005:
        return { kind: 'not_found' }
      // -1 is a service that is busy.
      case -1:
      case 130101:
      case 410100:
      case 660026:
        return { kind: 'rate_limited' }
      default:
        return statusFault(status) ?? { kind: 'rejected' }
    }
  },
} as const satisfies ChannelService
