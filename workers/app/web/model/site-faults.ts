/**
 * What the server says of a site, recognised, so that a page can say it in its own language and add what to do. The
 * server's sentences are a closed list; a test holds this one against it. A sentence that is not here is shown as it is.
 */
export const siteFaults = {
  login_expired: ['登录已失效，请更新 Cookie 或密钥'],
  challenge: ['站点要求人机验证，无法自动访问'],
  rate_limited: ['站点限制了访问频率，请稍后再试'],
  unreachable: ['无法连接站点'],
  proxy_unreachable: ['无法连接站点的代理，请检查代理地址'],
  proxy_refused: ['代理拒绝了用户名或密码'],
  proxy_unsupported: ['代理只在自己的机器上运行时可用，请在站点设置中去掉代理'],
  certificate: ['站点的 HTTPS 证书无效或不受信任'],
  timeout: ['站点响应超时'],
  too_large: ['站点返回的数据过大'],
  redirected: ['站点把请求转到了别的地址，请检查站点地址'],
  broken: [
    '页面不完整，或不是预期的网页',
    '返回的不是预期的 JSON',
    '返回的不是预期的 XML',
    '页面中没有找到种子列表，站点可能改版',
    '页面中没有找到账号数据，站点可能改版',
    '看不懂签到页面的内容，站点可能改版',
    '返回的不是种子文件',
  ],
  search_first: ['没有得到种子文件，请先搜索这个种子再推送'],
  refused: ['站点拒绝了这个请求'],
  status: [],
  no_credentials: ['还没有填写 Cookie 或密钥'],
  secrets: ['主密钥丢失，无法读取已保存的 Cookie 或密钥', '主密钥已更换，无法读取已保存的 Cookie 或密钥，请重新填写'],
  unsupported: ['这类站点不支持这个操作'],
  busy: ['站点正在处理同样的操作'],
  interrupted: ['与站点的连接被中断，请重试'],
  gave_up: ['自动签到多次未能完成'],
  internal: ['服务内部错误'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type SiteFaultName = keyof typeof siteFaults

const statusSentence = /^站点返回了意外的 HTTP 状态 ([0-9]{3})$/
const bySentence = new Map<string, SiteFaultName>(
  Object.entries(siteFaults).flatMap(([name, sentences]) =>
    sentences.map((sentence) => [sentence, name as SiteFaultName] as const),
  ),
)

export interface KnownFault {
  readonly name: SiteFaultName
  /** Of the HTTP status the sentence names. */
  readonly status?: string
}

/** Undefined for words that are not of the list. */
export function siteFaultOf(message: string): KnownFault | undefined {
  const sentence = message.replace(/^(?:签到失败|下载种子文件失败)：/, '')
  const status = statusSentence.exec(sentence)?.[1]
  if (status !== undefined) return { name: 'status', status }
  const name = bySentence.get(sentence)
  return name === undefined ? undefined : { name }
}

const proxyFaults = ['proxy_unreachable', 'proxy_refused', 'proxy_unsupported']

/** Faults that the form of the site mends. */
export function isMendedInForm(name: SiteFaultName): boolean {
  return ['login_expired', 'no_credentials', 'redirected', 'certificate', 'secrets', ...proxyFaults].includes(name)
}
