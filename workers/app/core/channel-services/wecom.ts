/** The robot of a group in a messenger of companies. */
import { statusFault } from '../channel-fault.ts'
import { saidIn, wholeOf, withinBytes } from './message-text.ts'
import type { ChannelService } from './service.ts'

/** Its own bound. */
const textBytesMax = 2048

export const wecom = {
  type: 'wecom',
  name: { en: 'WeCom group robot', zh: '企业微信群机器人' },
  fields: [
    {
      name: 'address',
      label: { en: 'Webhook address', zh: 'Webhook 地址' },
      hint: { en: 'As the page of the robot shows it', zh: '机器人详情页上的地址' },
      shape: 'address',
      secret: true,
      charactersMax: 512,
    },
  ],
  call({ address = '' }, message) {
    return { address, json: { msgtype: 'text', text: { content: withinBytes(wholeOf(message), textBytesMax) } } }
  },
  faultIn({ status, text }) {
    const { errcode } = saidIn(text)
    if (typeof errcode !== 'number') return statusFault(status) ?? { kind: 'foreign' }
    switch (errcode) {
      case 0:
        return statusFault(status)
      // -1 is a service that is busy.
      case -1:
      case 45009:
        return { kind: 'rate_limited' }
      case 93000:
      case 93008:
        return { kind: 'not_found' }
      default:
        return statusFault(status) ?? { kind: 'rejected' }
    }
  },
} as const satisfies ChannelService
