import { knownFaults } from './known-sentences.ts'

/** What the server says of a notification channel, recognised, as it is done for downloaders and sites. */
const sentences = {
  credentials: '对方不接受令牌或密钥',
  rejected: '对方不接受这条消息，请检查会话编号和接收格式',
  not_found: '该地址上没有接收方，请检查地址和令牌',
  rate_limited: '对方限制了发送频率',
  unreachable: '无法连接接收方',
  timeout: '接收方响应超时',
  certificate: '无法建立加密连接：接收方的 HTTPS 证书不受信任，或主机名无法解析',
  redirected: '接收方把请求转到了别的地址，请填写最终的地址',
  not_a_bot: '该地址的应答不像机器人接口，请检查地址',
  too_large: '接收方返回的数据过大',
  status: '接收方返回了意外的 HTTP 状态 ([0-9]{3})',
  secrets: '主密钥(?:丢失，无法读取已保存的地址和令牌|已更换，无法读取已保存的地址和令牌，请重新填写)',
} as const

export type ChannelFaultName = keyof typeof sentences

/** One for each channel the message is about; undefined when any part of it is not of the list. */
export const channelFaultsOf = knownFaults(sentences, 'channel')
