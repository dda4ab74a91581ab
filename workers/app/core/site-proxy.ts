/** A site's proxy, and the words in which a call through it is put to the host's outgoing side. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

/**
 * The proxy as the owner typed it, brought to `scheme://[user[:password]@]host[:port]`. Fails with the reason, in Chinese,
 * which repeats nothing of what was typed: it may hold a password.
 */
function parseSiteProxy(text: string): Result<string, string> {
  if (!/^https?:\/\//i.test(text)) return failWith('代理地址要以 http:// 或 https:// 开头')
  let url: URL
  try {
    url = new URL(text)
    // What is sent to the proxy is decoded first.
    decodeURIComponent(url.username)
    decodeURIComponent(url.password)
  } catch {
    return failWith('代理地址写法不对，应类似 http://用户名:密码@127.0.0.1:7890')
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return failWith('代理地址在端口之后不要有内容')
  if (url.username === '' && url.password !== '') return failWith('代理地址中有密码但没有用户名')
  return succeed(url.href.slice(0, -1))
}

/** As it comes from a form: empty for none. At the edge nothing can send a call through one. */
export function parseProxySetting(text: string, canUseProxies: boolean): Result<string, string> {
  if (text === '') return succeed('')
  return canUseProxies ? parseSiteProxy(text) : failWith('代理只在自己的机器上运行时可用，部署在边缘时不能设置')
}

/** What may be shown of it. */
export function proxyHost(proxy: string): string {
  return new URL(proxy).host
}

/** Headers between the script and the host's outgoing side; the site sees none of them. */
export const outgoingHeaders = {
  proxy: 'x-wharf-proxy',
  /** Proves that it is the script that asks: the way to the host is a local port. */
  code: 'x-wharf-outgoing-code',
  /** On an answer that is not the site's: what went wrong. */
  fault: 'x-wharf-outgoing-fault',
} as const

export const outgoingFaults = [
  'proxy_unreachable',
  'proxy_refused',
  'unreachable',
  'certificate',
  'timeout',
  'too_large',
] as const
export type OutgoingFault = (typeof outgoingFaults)[number]
