/**
 * Makes a text fit to leave: error messages quote what outside systems say, and what they say may carry addresses with
 * credentials in them. Source of the rules: the interface document (no query strings in error messages) and the trust
 * plan, A7. Applying it twice changes nothing more. Every pattern starts at one end of a run and looks at a character a
 * bounded number of times, so that the time grows with the text and no faster.
 */

const mask = '***'

/** Input beyond this is cut before it is looked at: an error text that long quotes somebody's page. */
const inputCharactersMax = 64 * 1024

const decodeRoundsMax = 8
const redactRoundsMax = 8

export function redact(text: string): string {
  let known = redactedOnce(text.slice(0, inputCharactersMax))
  // What is left around a mask may read as an address or a value once more.
  for (let round = 0; round < redactRoundsMax; round += 1) {
    const again = redactedOnce(known)
    if (again === known) break
    known = again
  }
  return known
}

function redactedOnce(text: string): string {
  let known = shortenAddresses(text)
  // An escape may hide another one, or the end of an address; every round shortens the text, and nobody nests more.
  for (let round = 0; round < decodeRoundsMax; round += 1) {
    const decoded = decodeEscapes(known)
    if (decoded === known) break
    known = shortenAddresses(decoded)
  }
  return maskNamed(known)
    .replace(schemeSecretPattern, (_, scheme: string) => `${scheme} ${mask}`)
    .replace(tokenPattern, maskToken)
}

const namedEntities: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>' }

/** Escapes that would hide a name, an address or where a value begins. */
function decodeEscapes(text: string): string {
  return text
    .replace(/%(?:25)*([2-7][0-9a-f])/gi, (written, hex: string) => printable(Number.parseInt(hex, 16)) ?? written)
    .replace(/&(?:amp;)*(?:(amp|quot|apos|lt|gt)|#(\d{2,5})|#x([0-9a-f]{2,4}));/gi, (written, name, decimal, hex) => {
      if (name !== undefined) return namedEntities[String(name).toLowerCase()] ?? written
      return printable(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)) ?? written
    })
    .replace(/\\(?:u00|x)([2-7][0-9a-f])/gi, (written, hex: string) => {
      const character = printable(Number.parseInt(hex, 16))
      // A quote that was written so does not end the text it stands in.
      return character === '"' || character === "'" ? `\\${character}` : (character ?? written)
    })
    .replace(/\\\//g, '/')
}

function printable(code: number): string | undefined {
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined
}

/** Of addresses scheme, host and path only: no user, no query, no fragment. With a scheme or without one. */
function shortenAddresses(text: string): string {
  return text
    .replace(/:\/\/([^\s"'<>?#]*)([?#][^\s"'<>]*)?/g, (_, place: string, query = '') => `://${placeOf(place, query)}`)
    .replace(/\?[\w.%[\]~-]+=[^\s"'<>]*/g, '')
    .replace(/(?<![\w.+-])[\w.+-]{1,128}:[^\s@"'<>/]{1,128}@(?=[\w[])/g, '')
}

function placeOf(place: string, query: string): string {
  const slash = place.indexOf('/')
  const [authority, path] = slash === -1 ? [place, ''] : [place.slice(0, slash), place.slice(slash)]
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (/^(?:[^:]*|\[[^\]]*\])(?::\d{1,5}(?!\w)[^@]*)?$/.test(host)) return host + path
  // No port, so a password: what looks like the path, the query or the fragment is a part of it.
  const rest = host + path + query
  const last = rest.slice(rest.lastIndexOf('@') + 1).replace(/[?#].*$/s, '')
  return rest.includes('@') && /^[^:]*$/.test(last) ? last : mask
}

/** How names end whose values are never shown: in JSON, in pairs, in headers and in what people write. */
const secretName =
  /(?:pass(?:wd|word|phrase|code)?|pwd|key|token|secret|credentials?|cookies?|authorization|signature|down[_-]?hash|session|sess(?:ion)?[_-]?id|密码|口令|密钥|令牌|(?<![a-z0-9])(?:sid|sign?|auth|pw|pk|otp|jwt|hmac|rid))\d{0,2}(?:\[[\w-]{0,16}\])?$/i
/** Every cookie of these sites and of their frameworks that begins so. */
const secretPrefix = /(?:^|[^a-z0-9])(?:c_secure_|remember_web_)/i
/** Their values go to the end of the line. */
const wholeLine = /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key)$/i
const nameCharactersMax = 96

const namePattern = /(?<![\w.-])([\w.-]+(?:\[[\w-]{0,16}\])?|密码|口令|密钥|令牌)([\\"'`]{0,8})(\s*[:=：]\s*)/g

/** Whether what stands under this name is never shown. */
export function isSecret(name: string): boolean {
  const end = name.slice(-nameCharactersMax)
  return secretName.test(end) || secretName.test(end.replace(/\]$/, '')) || secretPrefix.test(name)
}

function maskNamed(text: string): string {
  const pieces: string[] = []
  let done = 0
  const names = new RegExp(namePattern)
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    const [whole, name = '', quotes = '', separator = ''] = found
    if (!isSecret(name)) continue
    const start = found.index + whole.length
    const { end, quote } = valueAt(text, start, named(name, quotes, separator))
    if (end === start) continue
    pieces.push(text.slice(done, start), quote, mask, quote)
    done = end
    names.lastIndex = end
  }
  return pieces.join('') + text.slice(done)
}

interface Named {
  readonly name: string
  readonly isPair: boolean
  /** Its name stands in quotes. */
  readonly isJson: boolean
}

function named(name: string, quotes: string, separator: string): Named {
  const isPair = separator.includes('=')
  return { name, isPair, isJson: !isPair && quotes !== '' }
}

interface Value {
  readonly end: number
  /** That its mask is to stand in. */
  readonly quote: string
  readonly isBare?: true
}

/** A value without quotes. */
interface Bare {
  readonly runEnd: number
  readonly end: number
}

interface BareForm {
  readonly run: RegExp
  /** What begins in the run of a value of this form, and has the form too, ends where that ends. */
  readonly isEven: boolean
  /** What may follow the run. */
  readonly more?: RegExp
}

/** Where a value ends. What is taken for one may hold another name, whose value goes further: `key: Cookie: a=b; c=d`. */
function valueAt(text: string, start: number, given: Named): Value {
  const known = new Map<BareForm, Bare>()
  const value = ownValueAt(text, start, given, known)
  let { end, isBare } = value
  for (let from = start; isBare === true; ) {
    const inner = nameWithin(text, from, end)
    if (inner === undefined) break
    from = inner.start
    const further = ownValueAt(text, from, inner, known)
    end = Math.max(end, further.end)
    isBare = wholeLine.test(inner.name) ? undefined : further.isBare
  }
  return { end, quote: value.quote }
}

/** The first name of a secret before the end whose value does not end with it. */
function nameWithin(text: string, from: number, end: number): (Named & { readonly start: number }) | undefined {
  const names = new RegExp(namePattern)
  names.lastIndex = from
  for (let found = names.exec(text); found !== null && found.index < end; found = names.exec(text)) {
    const [whole, name = '', quotes = '', separator = ''] = found
    const start = found.index + whole.length
    if (!isSecret(name)) continue
    if (start >= end || /cookie$/i.test(name) || wholeLine.test(name) || matchAt(scheme, text, start) > end)
      return { ...named(name, quotes, separator), start }
  }
  return undefined
}

/** `known`: the last of each form that began before. */
function ownValueAt(text: string, start: number, given: Named, known: Map<BareForm, Bare>): Value {
  const first = text[start]
  if (first === '[' || first === '{') return { end: endOfBrackets(text, start), quote: '"' }
  const opened = matchAt(/\\{0,7}["'`]/y, text, start)
  if (opened > start) return { end: endOfQuoted(text, start, opened), quote: text.slice(start, opened) }
  const form = bareForm(given)
  const around = known.get(form)
  const bare = form.isEven && around !== undefined && start < around.runEnd ? around : bareAt(text, start, form)
  known.set(form, bare)
  return { end: bare.end, quote: given.isJson ? '"' : '', isBare: true }
}

function bareAt(text: string, start: number, { run, more }: BareForm): Bare {
  const runEnd = matchAt(run, text, start)
  return { runEnd, end: more === undefined || runEnd === start ? runEnd : matchAt(more, text, runEnd) }
}

const inJson: BareForm = { run: /[^\s,}\]"'<>]+/y, isEven: true }
const restOfLine: BareForm = { run: /[^\r\n]*/y, isEven: true }
const cookies: BareForm = { run: /[^\s&;,"'<>]+/y, isEven: true, more: /(?:;\s*[\w.-]+=[^\s;"'<>]*)*/y }
/** The secret comes behind it. */
const scheme = /(?:bearer|basic|digest|token)\s+/iy
const word: BareForm = { run: new RegExp(`(?:${scheme.source})?[^\\s&;,"'<>]+`, 'iy'), isEven: false }

function bareForm({ name, isPair, isJson }: Named): BareForm {
  if (isJson) return inJson
  if (!isPair && wholeLine.test(name)) return restOfLine
  return /cookie$/i.test(name) ? cookies : word
}

/** Behind what the pattern matches there; `start` where it matches nothing. */
function matchAt(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/** Behind the quote that ends a value: one that is escaped no deeper than the one that began it. */
function endOfQuoted(text: string, start: number, opened: number): number {
  const depth = opened - start - 1
  const quote = text[opened - 1]
  let escapes = 0
  for (let at = opened; at < text.length; at += 1) {
    if (text[at] === '\\') escapes += 1
    else {
      if (text[at] === quote && (escapes <= depth || (depth === 0 && escapes % 2 === 0))) return at + 1
      escapes = 0
    }
  }
  return text.length
}

function endOfBrackets(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfQuoted(text, at, at + 1) - 1
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

const schemeSecretPattern = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi

const tokenPattern = /[A-Za-z0-9_-]{16,}/g
/** A run of this length that stands by itself, of one that is a part of a path, and of one without any digit. */
const tokenCharactersMin = { bare: 24, inPath: 16, letters: 32 } as const

/** Long runs without a break read as keys where a plain word, a number or a name in words does not look like that. */
function maskToken(run: string, at: number, text: string): string {
  const isMixed = /[0-9]/.test(run) && /[A-Za-z]/.test(run)
  const isHex = /^[0-9a-f]+$/i.test(run)
  const isUnbroken = /^[A-Za-z0-9]+$/.test(run)
  if (run.length >= tokenCharactersMin.bare && (isMixed || isHex)) return mask
  if (run.length >= tokenCharactersMin.letters && isUnbroken) return mask
  if (!/[/?]/.test(text[at - 1] ?? '')) return run
  if (run.length < tokenCharactersMin.bare) return isUnbroken && (isMixed || isHex) ? mask : run
  return isUnbroken || (/[a-z]/.test(run) && /[A-Z]/.test(run)) ? mask : run
}

/** Additionally without host, address and port: for errors of downloaders, whose place nobody outside may learn. */
export function redactWithHost(text: string): string {
  return redact(text)
    .replace(/:\/\/[^\s/"'<>]+/g, `://${mask}`)
    .replace(/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH)(\s+)[^\s"'<>]+/g, `$1$2${mask}`)
    .replace(/\[[0-9a-f:.]{2,64}(?:%[\w.-]{1,32})?\](?::\d{1,5})?/gi, mask)
    .replace(/(?<![\w:.])[0-9a-f:]+(?:\.\d{1,3}){0,3}(?![\w:])/gi, (run) => (isIpv6(run) ? mask : run))
    .replace(/(?<![\w.-])[\w.-]+(?::\d{1,5})?/g, (run) => (namesHost(run) ? mask : run))
}

function isIpv6(run: string): boolean {
  return run.length > 2 && run.length <= 64 && (run.includes('::') || /^(?:[0-9a-f]{1,4}:){6,7}/i.test(run))
}

/** Whether a run holds an address in dots, `localhost`, or a label behind another one that can end a host's name. */
function namesHost(run: string): boolean {
  if (/(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/.test(run)) return true
  const labels = run.replace(/:\d+$/, '').split('.')
  return labels.some(
    (label, index) =>
      /^localhost$/i.test(label) ||
      (index > 0 && labels[index - 1] !== '' && /^(?:[a-z]{2,24}|xn--[a-z0-9-]+)$/i.test(label)),
  )
}

/** Somebody else's words about a torrent, on one line: trackers quote the address they were asked at, key and all. */
export function quotedLine(words: string, charactersMax: number): string {
  return cutTo(redact(words.replace(/[\p{Cc}\s]+/gu, ' ').trim()), charactersMax)
}

/** Cuts a text that leaves, with a mark, without splitting a character. */
export function cutTo(text: string, charactersMax: number): string {
  const characters = [...text]
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}
