import { knownSentences } from './known-sentences.ts'

/**
 * What the server says of a service on the internet, recognised, so that a page can say it in its own language. The
 * server's sentences are a closed list; a test holds this one against it. A sentence that is not here is shown as it is.
 */
const name = '(?:影视资料服务|图片服务器|发布列表)'

const sentences = {
  not_set_up: '还没有设置(?:影视资料服务的密钥|图片地址|发布列表，无法检查更新)',
  not_found: '(?:影视资料服务没有这个地址，请检查接口地址|没有这张图片|没有找到这个仓库的发布列表，请检查设置)',
  refused: '(?:影视资料服务不接受这个密钥|(?:图片服务器|发布列表)拒绝了这个请求)',
  rate_limited: `${name}限制了访问频率，请稍后再试`,
  busy: `同时访问${name}的请求太多，请稍后再试`,
  unreachable: `无法连接${name}`,
  certificate: `${name}的 HTTPS 证书无效或不受信任`,
  timeout: `${name}响应超时`,
  too_large: `${name}返回的数据过大`,
  redirected: `${name}把请求转到了别的地址，请检查设置的地址`,
  broken: `${name}返回的不是(?:预期的内容|图片)`,
  status: `${name}返回了意外的 HTTP 状态 [0-9]{3}`,
  proxy_unreachable: '无法连接代理，请检查代理地址',
  proxy_refused: '代理拒绝了用户名或密码',
  proxy_unsupported: '代理只在自己的机器上运行时可用，请在设置中去掉代理',
  secrets: '主密钥(?:丢失，无法读取已保存的密钥或代理|已更换，无法读取已保存的密钥或代理，请重新填写)',
  interrupted: '服务内部的连接被中断，请重试',
} as const

export type ServiceFaultName = keyof typeof sentences

const find = knownSentences(sentences)

/** Undefined for words that are not of the list. */
export function serviceFaultOf(message: string): ServiceFaultName | undefined {
  return find(message)?.name
}
