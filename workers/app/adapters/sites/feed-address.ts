/**
 * The address of the owner's own feed, as pages of sites write it. Only path and query are read off a page: the key in
 * them goes to the host that the owner configured, whatever host the page names.
 */
import { decodeHTMLAttribute } from 'entities'
import { isPublicName } from '../../core/public-name.ts'
import { feedAddressCharactersMax } from '../../limits.ts'

/** Undefined where the page names no such address with the owner's key in it. */
export function feedAddressIn(html: string, page: RegExp, key: RegExp, baseUrl: string): string | undefined {
  const found = [...html.matchAll(page)].map(([text]) => decodeHTMLAttribute(text)).filter((text) => key.test(text))
  // The same address may stand there without the key first, for programs that need none.
  const url = `${baseUrl}/${found.at(-1)}`
  if (found.length === 0 || url.length > feedAddressCharactersMax || !URL.canParse(url)) return undefined
  return new URL(url).href
}

/** An address that the site's interface names: on the site's own host, or encrypted on one beside it. */
export function feedAddressBeside(said: string, baseUrl: string): string | undefined {
  if (said.length > feedAddressCharactersMax || !URL.canParse(said)) return undefined
  const [url, base] = [new URL(said), new URL(baseUrl)]
  if (url.username !== '' || url.password !== '') return undefined
  if (url.origin === base.origin) return url.href
  const labels = base.hostname.split('.')
  const family = labels.slice(labels.length > 2 ? 1 : 0).join('.')
  const isBeside = isPublicName(family) && (url.hostname === family || url.hostname.endsWith(`.${family}`))
  return isBeside && url.protocol === 'https:' && url.port === '' ? url.href : undefined
}
