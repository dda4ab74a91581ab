/** Why a service on the internet could not be read. Closed, so that no text of it reaches a caller. */
export type ServiceFault =
  | { readonly kind: 'not_set_up' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'certificate' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'redirected' }
  /** It answered, and not with what was asked for. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'proxy_unreachable' }
  | { readonly kind: 'proxy_refused' }
  | { readonly kind: 'proxy_unsupported' }
  | { readonly kind: 'secrets'; readonly state: 'missing' | 'changed' }
  | { readonly kind: 'interrupted' }

export type Service = 'metadata' | 'images' | 'releases'

interface ServiceWords {
  readonly name: string
  readonly notSetUp: string
  readonly notFound: string
  readonly refused: string
  readonly broken: string
}

const words: Readonly<Record<Service, ServiceWords>> = {
  metadata: {
    name: '影视资料服务',
    notSetUp: '还没有设置影视资料服务的密钥',
    notFound: '影视资料服务没有这个地址，请检查接口地址',
    refused: '影视资料服务不接受这个密钥',
    broken: '影视资料服务返回的不是预期的内容',
  },
  images: {
    name: '图片服务器',
    notSetUp: '还没有设置图片地址',
    notFound: '没有这张图片',
    refused: '图片服务器拒绝了这个请求',
    broken: '图片服务器返回的不是图片',
  },
  releases: {
    name: '发布列表',
    notSetUp: '还没有设置发布列表，无法检查更新',
    notFound: '没有找到这个仓库的发布列表，请检查设置',
    refused: '发布列表拒绝了这个请求',
    broken: '发布列表返回的不是预期的内容',
  },
}

/** The reason as it is shown: Chinese, without addresses and without the service's own words. */
export function describeServiceFault(service: Service, fault: ServiceFault): string {
  const { name, notSetUp, notFound, refused, broken } = words[service]
  switch (fault.kind) {
    case 'not_set_up':
      return notSetUp
    case 'not_found':
      return notFound
    case 'refused':
      return refused
    case 'rate_limited':
      return `${name}限制了访问频率，请稍后再试`
    case 'busy':
      return `同时访问${name}的请求太多，请稍后再试`
    case 'unreachable':
      return `无法连接${name}`
    case 'certificate':
      return `${name}的 HTTPS 证书无效或不受信任`
    case 'timeout':
      return `${name}响应超时`
    case 'too_large':
      return `${name}返回的数据过大`
    case 'redirected':
      return `${name}把请求转到了别的地址，请检查设置的地址`
    case 'broken':
      return broken
    case 'status':
      return `${name}返回了意外的 HTTP 状态 ${fault.status}`
    case 'proxy_unreachable':
      return '无法连接代理，请检查代理地址'
    case 'proxy_refused':
      return '代理拒绝了用户名或密码'
    case 'proxy_unsupported':
      return '代理只在自己的机器上运行时可用，请在设置中去掉代理'
    case 'secrets':
      return fault.state === 'missing'
        ? '主密钥丢失，无法读取已保存的密钥或代理'
        : '主密钥已更换，无法读取已保存的密钥或代理，请重新填写'
    case 'interrupted':
      return '服务内部的连接被中断，请重试'
  }
}
