/** A site's proxy, and the words in which a call through it is put to the host's outgoing side. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Reason } from './reason/reason.ts'

/**
 * The proxy as the owner typed it, brought to `scheme://[user[:password]@]host[:port]`. Fails with the
 * reason, which repeats nothing of what was typed: it may hold a password.
 */
function parseSiteProxy(text: string): Result<string, Reason> {
  if (!/^https?:\/\//i.test(text)) return failWith({ kind: 'proxy.scheme' })
  let url: URL
  try {
    url = new URL(text)
    // What is sent to the proxy is decoded first.
    decodeURIComponent(url.username)
    decodeURIComponent(url.password)
  } catch {
    return failWith({ kind: 'proxy.broken' })
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return failWith({ kind: 'proxy.rest' })
  if (url.username === '' && url.password !== '') return failWith({ kind: 'proxy.password_alone' })
  return succeed(url.href.slice(0, -1))
}

/** As it comes from a form: empty for none. At the edge nothing can send a call through one. */
export function parseProxySetting(text: string, canUseProxies: boolean): Result<string, Reason> {
  if (text === '') return succeed('')
  return canUseProxies ? parseSiteProxy(text) : failWith({ kind: 'proxy.unsupported' })
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
