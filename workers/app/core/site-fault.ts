/** Why a site could not be read. Closed, so that no text of a page reaches a caller. */
export type SiteFault =
  | { readonly kind: 'login_expired' }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'rate_limited' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'proxy_unreachable' }
  | { readonly kind: 'proxy_refused' }
  | { readonly kind: 'proxy_unsupported' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'redirected' }
  | { readonly kind: 'broken'; readonly part: SitePart }
  /** What a push was given is no torrent file, and no search tells how to get it. */
  | { readonly kind: 'search_first' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'no_credentials' }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'interrupted' }

/** Which part of a site's answer was not there. */
type SitePart = 'page' | 'json' | 'xml' | 'list' | 'account' | 'sign_in' | 'torrent'

const parts: Readonly<Record<SitePart, string>> = {
  page: '页面不完整，或不是预期的网页',
  json: '返回的不是预期的 JSON',
  xml: '返回的不是预期的 XML',
  list: '页面中没有找到种子列表，站点可能改版',
  account: '页面中没有找到账号数据，站点可能改版',
  sign_in: '看不懂签到页面的内容，站点可能改版',
  torrent: '返回的不是种子文件',
}

/** The reason as it is shown: Chinese, without addresses and without the site's own words. */
export function describeSiteFault(fault: SiteFault): string {
  switch (fault.kind) {
    case 'login_expired':
      return '登录已失效，请更新 Cookie 或密钥'
    case 'challenge':
      return '站点要求人机验证，无法自动访问'
    case 'rate_limited':
      return '站点限制了访问频率，请稍后再试'
    case 'unreachable':
      return '无法连接站点'
    case 'proxy_unreachable':
      return '无法连接站点的代理，请检查代理地址'
    case 'proxy_refused':
      return '代理拒绝了用户名或密码'
    case 'proxy_unsupported':
      return '代理只在自己的机器上运行时可用，请在站点设置中去掉代理'
    case 'certificate':
      return '站点的 HTTPS 证书无效或不受信任'
    case 'timeout':
      return '站点响应超时'
    case 'too_large':
      return '站点返回的数据过大'
    case 'redirected':
      return '站点把请求转到了别的地址，请检查站点地址'
    case 'broken':
      return parts[fault.part]
    case 'search_first':
      return '没有得到种子文件，请先搜索这个种子再推送'
    case 'refused':
      return '站点拒绝了这个请求'
    case 'status':
      return `站点返回了意外的 HTTP 状态 ${fault.status}`
    case 'no_credentials':
      return '还没有填写 Cookie 或密钥'
    case 'secrets':
      return fault.state === 'missing'
        ? '主密钥丢失，无法读取已保存的 Cookie 或密钥'
        : '主密钥已更换，无法读取已保存的 Cookie 或密钥，请重新填写'
    case 'unsupported':
      return '这类站点不支持这个操作'
    case 'busy':
      return '站点正在处理同样的操作'
    case 'interrupted':
      return '与站点的连接被中断，请重试'
  }
}
