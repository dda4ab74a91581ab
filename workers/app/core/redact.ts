/**
 * Makes a text fit to leave: error messages quote what outside systems say, and what they say may carry addresses with
 * credentials in them. Source of the rules: the interface document (no query strings in error messages) and the trust
 * plan, A7. Applying it twice changes nothing more.
 */

const mask = '***'

/** Names whose values are never shown, in JSON, in pairs and in headers. */
const secretNames =
  'pass[_-]?key|auth[_-]?key|torrent[_-]?pass|credentials?|(?:[a-z]+[_-])?token|x-api-key|api[_-]?key|sign(?:ature)?|(?:[a-z]+[_-])?secret|rss[_-]?key|key|password|passwd|pwd|cookie|set-cookie|authorization|down[_-]?hash|sid'

const addressPattern = /\b([a-z][a-z0-9+.-]{1,15}):\/\/([^\s"'<>\\^`{|}]+)/gi
const jsonSecretPattern = new RegExp(
  `(["'])(${secretNames})\\1(\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[^\\s,}\\]]+)`,
  'gi',
)
const pairSecretPattern = new RegExp(`\\b(${secretNames})(\\s*=\\s*)[^\\s&;,"'<>]+`, 'gi')
const headerSecretPattern = /\b(authorization|proxy-authorization|cookie|set-cookie|x-api-key)\s*:[^\r\n]+/gi
const schemeSecretPattern = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi
/** Long runs of letters and digits without a break read as keys; a plain word or number does not mix both. */
const tokenPattern =
  /(?<![A-Za-z0-9_-])(?=[A-Za-z0-9_-]*[0-9])(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{24,}(?![A-Za-z0-9_-])/g

/** Escapes that would hide a name or an address from the patterns above. */
function decodeEscapes(text: string): string {
  return text
    .replace(/&amp;/gi, '&')
    .replace(/&quot;|&#34;|&#x22;/gi, '"')
    .replace(/&#39;|&apos;|&#x27;/gi, "'")
    .replace(/\\u0026/gi, '&')
    .replace(/\\u003d/gi, '=')
    .replace(/\\\//g, '/')
    .replace(/%3a%2f%2f/gi, '://')
    .replace(/%3d/gi, '=')
    .replace(/%26/gi, '&')
    .replace(/%3f/gi, '?')
}

/** Scheme, host and path only: no user, no query, no fragment, and no path part that reads as a key. */
function shortenAddress(scheme: string, rest: string): string {
  const withoutQuery = rest.replace(/[?#].*$/s, '')
  const slash = withoutQuery.indexOf('/')
  const authority = slash === -1 ? withoutQuery : withoutQuery.slice(0, slash)
  const path = slash === -1 ? '' : withoutQuery.slice(slash)
  return `${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}${path}`
}

/** Input beyond this is cut before it is looked at: an error text that long quotes somebody's page. */
const inputCharactersMax = 64 * 1024

const decodeRoundsMax = 8

export function redact(text: string): string {
  let decoded = text.slice(0, inputCharactersMax)
  // An escape may hide another one; every round shortens the text, and nobody nests more than a few.
  for (let round = 0; round < decodeRoundsMax; round += 1) {
    const next = decodeEscapes(decoded)
    if (next === decoded) break
    decoded = next
  }
  return decoded
    .replace(addressPattern, (_, scheme: string, rest: string) => shortenAddress(scheme, rest))
    .replace(
      jsonSecretPattern,
      (_, quote: string, name: string, colon: string) => `${quote}${name}${quote}${colon}"${mask}"`,
    )
    .replace(headerSecretPattern, (_, name: string) => `${name}: ${mask}`)
    .replace(pairSecretPattern, (_, name: string, equals: string) => `${name}${equals}${mask}`)
    .replace(schemeSecretPattern, (_, scheme: string) => `${scheme} ${mask}`)
    .replace(tokenPattern, mask)
}

/** Additionally without host, address and port: for errors of downloaders, whose place nobody outside may learn. */
export function redactWithHost(text: string): string {
  return redact(text)
    .replace(/\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s/"'<>]+/gi, mask)
    .replace(/\[[0-9a-f:.]{2,}\](?::\d{1,5})?/gi, mask)
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, mask)
    .replace(/\b(?:[a-z0-9_-]+\.)*(?:localhost|[a-z0-9-]+\.[a-z]{2,24})(?::\d{1,5})?\b/gi, (name) =>
      /^\d+(\.\d+)*$/.test(name) ? name : mask,
    )
}

/** Cuts a text that leaves, with a mark, without splitting a character. */
export function cutTo(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}
