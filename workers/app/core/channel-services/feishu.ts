/** The robot of a group in a messenger of companies, of its two regions alike; it may want its messages signed. */
import { statusFault } from '../channel-fault.ts'
import { saidIn, wholeOf, withinBytes } from './message-text.ts'
import { type ChannelService, robotAddress } from './service.ts'

/** It takes 20 KB with everything around a text, in which a quote or a line's end counts twice. */
const textBytesMax = 9500

export const feishu = {
  type: 'feishu',
  name: { en: 'Feishu or Lark group robot', zh: '飞书或 Lark 群机器人' },
  fields: [
    robotAddress,
    {
      name: 'secret',
      label: { en: 'Secret of the signature', zh: '签名密钥' },
      hint: {
        en: 'Where the robot wants signatures. A robot that wants a keyword finds it in your words.',
        zh: '开启“签名校验”时填写。开启“自定义关键词”时，请把关键词写进消息模板。',
      },
      shape: 'token',
      secret: true,
      optional: true,
      charactersMax: 128,
    },
  ],
  async call({ address = '', secret = '' }, message, { nowUnix, hmac }) {
    const timestamp = String(nowUnix)
    // The key is what others sign, and nothing is signed with it.
    const signed = secret === '' ? {} : { timestamp, sign: await hmac(`${timestamp}\n${secret}`, '') }
    return {
      address,
      json: { ...signed, msg_type: 'text', content: { text: withinBytes(wholeOf(message), textBytesMax) } },
    }
  },
  faultIn({ status, text }) {
    const { code } = saidIn(text)
    if (typeof code !== 'number') return statusFault(status) ?? { kind: 'foreign' }
    switch (code) {
      case 0:
        return statusFault(status)
      case 19021:
      case 19022:
        return { kind: 'credentials' }
      case 19001:
        return { kind: 'not_found' }
      case 11232:
        return { kind: 'rate_limited' }
      default:
        return statusFault(status) ?? { kind: 'rejected' }
    }
  },
} as const satisfies ChannelService
