/**
 * Cookies in the forms in which browsers and their extensions hand them out, brought to what one site is sent. Formats:
 * the header of RFC 6265, the list of the browsers' own extension interface, and the file that download tools share.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'

export interface Cookie {
  readonly name: string
  readonly value: string
  /** In lower case, without the dot in front. */
  readonly domain: string
  /** Not for hosts below the domain. */
  readonly isHostOnly: boolean
  readonly path: string
  readonly isSecure: boolean
  /** Undefined for one that goes with the browser. */
  readonly expiresAtUnix?: number
}

export interface CookieBounds {
  /** Read of one text. */
  readonly cookiesMax: number
  /** Of the header that is made of them. */
  readonly charactersMax: number
}

export type CookieRefusal =
  /** In none of the forms. */
  | { readonly kind: 'cookie.unreadable' }
  /** Readable, and nothing of it is for this site. */
  | { readonly kind: 'cookie.none_fits'; readonly host: string }
  | { readonly kind: 'cookie.expired'; readonly host: string }
  | { readonly kind: 'cookie.too_long'; readonly limit: number }

/** The header a site is sent, of whatever was pasted. `address` is the site's. */
export function cookieHeader(
  text: string,
  address: string,
  nowUnix: number,
  bounds: CookieBounds,
): Result<string, CookieRefusal> {
  const pasted = text.trim()
  if (/^[[{]/.test(pasted)) {
    const cookies = cookiesInJson(pasted, bounds.cookiesMax)
    return cookies === undefined
      ? failWith({ kind: 'cookie.unreadable' })
      : headerFor(cookies, address, nowUnix, bounds.charactersMax)
  }
  const filed = cookiesInFile(pasted, bounds.cookiesMax)
  if (filed.length > 0) return headerFor(filed, address, nowUnix, bounds.charactersMax)
  const header = headerIn(pasted)
  if (header === undefined || !header.includes('=') || !/^[\x20-\x7e]+$/.test(header))
    return failWith({ kind: 'cookie.unreadable' })
  return bounded(header, bounds.charactersMax)
}

/** Of all that a browser holds, what it would send to this address: the nearest of each name. */
export function headerFor(
  cookies: readonly Cookie[],
  address: string,
  nowUnix: number,
  charactersMax: number,
): Result<string, CookieRefusal> {
  const url = new URL(`${address}/`)
  const host = url.hostname.toLowerCase()
  const fitting = cookies.filter((cookie) => isFor(cookie, url, host))
  const alive = fitting.filter(({ expiresAtUnix }) => expiresAtUnix === undefined || expiresAtUnix > nowUnix)
  if (alive.length === 0) return failWith({ kind: fitting.length === 0 ? 'cookie.none_fits' : 'cookie.expired', host })
  const nearest = new Map<string, Cookie>()
  for (const cookie of alive) {
    const other = nearest.get(cookie.name)
    if (other === undefined || nearness(cookie) >= nearness(other)) nearest.set(cookie.name, cookie)
  }
  return bounded([...nearest.values()].map(({ name, value }) => `${name}=${value}`).join('; '), charactersMax)
}

function bounded(header: string, limit: number): Result<string, CookieRefusal> {
  return header.length > limit ? failWith({ kind: 'cookie.too_long', limit }) : succeed(header)
}

/** The domain first, then the path. */
function nearness({ domain, path }: Cookie): number {
  return domain.length * 4096 + path.length
}

function isFor({ domain, isHostOnly, path, isSecure }: Cookie, url: URL, host: string): boolean {
  if (isSecure && url.protocol !== 'https:') return false
  const isOwnHost = domain === host
  // Nobody holds cookies for a whole ending, and an address has nothing above it.
  const isAbove = !isHostOnly && domain.includes('.') && host.endsWith(`.${domain}`) && !/^[\d.]+$|^\[/.test(host)
  const isWithin =
    path === '/' || url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
  return (isOwnHost || isAbove) && isWithin
}

/** The list itself, or an object that holds it. Undefined for what is no list of cookies. */
function cookiesInJson(text: string, max: number): Cookie[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const list = typeof value === 'object' && value !== null && 'cookies' in value ? value.cookies : value
  if (!Array.isArray(list)) return undefined
  const cookies = list.slice(0, max).flatMap(cookieOf)
  return cookies.length === 0 && list.length > 0 ? undefined : cookies
}

/** One entry of an extension's list. What is no cookie that can be sent is left out. */
export function cookieOf(entry: unknown): Cookie[] {
  if (typeof entry !== 'object' || entry === null) return []
  const field = (name: string): unknown => (entry as Readonly<Record<string, unknown>>)[name]
  const expiry = field('expirationDate') ?? field('expires') ?? field('expiry')
  return made({
    name: field('name'),
    value: field('value'),
    domain: field('domain') ?? field('host'),
    isHostOnly: field('hostOnly') === true,
    path: field('path'),
    isSecure: field('secure') === true,
    expiresAtUnix: unixOf(expiry),
  })
}

/** Lines of seven fields: domain, whether hosts below it are meant, path, secure, end, name, value. */
function cookiesInFile(text: string, max: number): Cookie[] {
  return text
    .split(/\r?\n/)
    .slice(0, max)
    .flatMap((line) => {
      const fields = line.replace(/^#HttpOnly_/i, '')
      if (fields.startsWith('#')) return []
      // Tabs become blanks on their way through some windows.
      const parts = fields.includes('\t') ? fields.split('\t') : fields.trim().split(/ +/)
      const [domain, below, path, secure, end, name, ...value] = parts
      if (!/^(?:TRUE|FALSE)$/i.test(below ?? '') || !/^(?:TRUE|FALSE)$/i.test(secure ?? '')) return []
      return made({
        name,
        value: value.join(' '),
        domain,
        isHostOnly: /^FALSE$/i.test(below ?? ''),
        path,
        isSecure: /^TRUE$/i.test(secure ?? ''),
        expiresAtUnix: unixOf(Number(end)),
      })
    })
}

function made(read: {
  name: unknown
  value: unknown
  domain: unknown
  isHostOnly: boolean
  path: unknown
  isSecure: boolean
  expiresAtUnix: number | undefined
}): Cookie[] {
  const { name, value, domain, isHostOnly, path, isSecure, expiresAtUnix } = read
  if (typeof name !== 'string' || typeof value !== 'string' || typeof domain !== 'string') return []
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\x20-\x3a\x3c-\x7e]*$/.test(value)) return []
  return [
    {
      name,
      value: value.trim(),
      domain: domain.trim().toLowerCase().replace(/^\./, ''),
      isHostOnly,
      path: typeof path === 'string' && path.startsWith('/') ? path : '/',
      isSecure,
      ...(expiresAtUnix === undefined ? {} : { expiresAtUnix }),
    },
  ]
}

/** Seconds or milliseconds; nothing, zero and below mean that it has no end. */
function unixOf(expiry: unknown): number | undefined {
  const moment = Number(expiry ?? 0)
  if (!Number.isFinite(moment) || moment <= 0) return undefined
  return moment > 1e11 ? moment / 1000 : moment
}

/** A header as it is, with its name, among other headers, or in the call that a browser's tools copy. */
function headerIn(text: string): string | undefined {
  const copied =
    /(?:-H|--header)\s{1,8}(['"])cookie:\s{0,8}([^'"\r\n]+)\1/i.exec(text)?.[2] ??
    (/^curl\s/i.test(text) ? /\s(?:-b|--cookie)\s{1,8}(['"])([^'"\r\n]+)\1/.exec(text)?.[2] : undefined)
  if (copied !== undefined) return copied.trim()
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    const named = /^\s{0,8}cookie:?\s{0,8}$/i.test(line) ? lines[index + 1] : /^\s{0,8}cookie:(.*)$/i.exec(line)?.[1]
    if (named !== undefined) return named.trim()
  }
  return lines.length === 1 && !/^curl\s/i.test(text) ? text : undefined
}
