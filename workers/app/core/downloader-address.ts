import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { Reason } from './reason/reason.ts'

/**
 * The address of a downloader as the owner typed it, brought to `scheme://host[:port][/path]` without a trailing slash.
 */
export function parseDownloaderAddress(text: string): Result<string, Reason> {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  let url: URL
  try {
    url = new URL(withScheme)
  } catch {
    return failWith({ kind: 'address.incomplete' })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return failWith({ kind: 'address.scheme' })
  if (url.username !== '' || url.password !== '') return failWith({ kind: 'address.user' })
  if (url.search !== '' || url.hash !== '') return failWith({ kind: 'address.query' })
  return succeed(`${url.origin}${url.pathname.replace(/\/+$/, '')}`)
}

/** The same, but that a query is allowed, since many services want their key there. */
export function parseAddressWithQuery(text: string): Result<string, Reason> {
  const query = text.indexOf('?')
  const judged = parseDownloaderAddress(query === -1 ? text : text.slice(0, query))
  if (!judged.ok) return judged
  const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  return url.hash === '' ? succeed(url.href) : failWith({ kind: 'address.fragment' })
}
