/**
 * Makes a text of a site fit to be shown to others: what it says is replaced, and how it says it stays. Only known words
 * stay as they are; every other word becomes one of the same length, every number one of the same shape, and the same
 * becomes the same again.
 */

export interface Masking {
  /** Words that say what something is. */
  readonly known: readonly string[]
  /** What may stand nowhere, not in a name or a known word either. */
  readonly secrets: readonly string[]
  /** Random, and never told: without it nothing can be tried out. */
  readonly salt: string
  /** Told of everything that is replaced. */
  readonly note?: (what: Masked) => void
}

/** What of a page is replaced; `part`: it is left out. */
export const maskedKinds = ['secret', 'word', 'number', 'moment', 'address', 'part'] as const
export type Masked = (typeof maskedKinds)[number]

export interface Mask {
  readonly text: (text: string) => string
  /** A number that names somebody or something, of whatever length. */
  readonly id: (digits: string) => string
  /** Letters and digits one by one. */
  readonly token: (text: string) => string
  readonly hasSecret: (text: string) => boolean
  readonly note: (what: Masked) => void
}

/** Shorter ones stand in other words by chance. */
const secretCharactersMin = 3
/** Numbers up to so many digits are counts, which a reader compares with what it counts itself. */
const countDigitsMax = 3
const han = '甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉'

export function createMask({ known, secrets, salt, note = () => {} }: Masking): Mask {
  const hidden = [...new Set(secrets)].filter((secret) => secret.length >= secretCharactersMin).sort(longestFirst)
  const hiddenPattern = hidden.length === 0 ? undefined : new RegExp(hidden.map(quoted).join('|'), 'gi')
  const parts = new RegExp(
    [
      // Moments, addresses of machines, known words, sizes, then runs of letters and digits.
      '(?<moment>\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}(?:[ T]{0,3}\\d{1,2}:\\d{2}(?::\\d{2})?)?|\\d{1,2}:\\d{2}(?::\\d{2})?)',
      '(?<machine>\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})',
      `(?<known>${[...known].sort(longestFirst).map(wholeWord).join('|')})`,
      '(?<size>\\d[\\d,]{0,20}(?:\\.\\d{1,12})?\\s{0,4}[KMGTPE]?i?B(?![A-Za-z]))',
      '(?<number>(?<![A-Za-z_\\d.,])\\d[\\d,]*(?:\\.\\d+)?(?![A-Za-z_\\d]))',
      '(?<run>[\\p{L}\\p{N}_]+)',
    ].join('|'),
    'giu',
  )

  const random = (text: string) => randomOf(`${salt} ${text}`)

  function number(written: string, isAlways = false): string {
    const digits = written.replace(/\D/g, '')
    if (/^0*$/.test(digits)) return written
    if (!isAlways && digits.length <= countDigitsMax && digits.length === written.length) return written
    for (let round = 0; ; round += 1) {
      const next = random(`${round} ${digits}`)
      let isFirst = true
      const made = written.replace(/\d/g, (digit) => {
        // What begins with a zero, or with none, still does.
        const least = isFirst && digit !== '0' ? 1 : 0
        const keeps = isFirst && digit === '0'
        isFirst = keeps
        return keeps ? digit : String(least + (next() % (10 - least)))
      })
      if (made !== written || digits.length === 1 || round > 8) return made
    }
  }

  function token(text: string): string {
    const next = random(text.toLowerCase())
    return text.replace(/[\p{L}\p{N}]/gu, (character) => {
      const turn = next()
      if (/\p{Script=Han}/u.test(character)) return han[turn % han.length] ?? '甲'
      if (/[0-9]/.test(character)) return String(turn % 10)
      const letter = String.fromCharCode(97 + (turn % 26))
      return /\p{Lu}/u.test(character) ? letter.toUpperCase() : letter
    })
  }

  function moment(written: string): string {
    const next = random(written.replace(/\D/g, ' '))
    const two = (count: number, from: number) => String(from + (next() % count)).padStart(2, '0')
    return written
      .replace(/^\d{4}([-/.])\d{1,2}([-/.])\d{1,2}/, (_, one, other) => `2020${one}${two(12, 1)}${other}${two(28, 1)}`)
      .replace(/\d{1,2}:\d{2}(:\d{2})?$/, (_, seconds) => {
        return `${two(24, 0)}:${two(60, 0)}${seconds === undefined ? '' : `:${two(60, 0)}`}`
      })
  }

  function noted(what: Masked, made: string): string {
    note(what)
    return made
  }

  function shown(text: string): string {
    return text.replace(parts, (found, ...rest) => {
      const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
      if (groups['moment'] !== undefined) return noted('moment', moment(found))
      if (groups['machine'] !== undefined) return noted('address', found.includes(':') ? '2001:db8::1' : '192.0.2.1')
      if (groups['known'] !== undefined) return found
      if (groups['size'] === undefined && groups['number'] === undefined) return noted('word', token(found))
      const made = number(found, groups['size'] !== undefined)
      return made === found ? made : noted('number', made)
    })
  }

  const hasSecret = (text: string) => hiddenPattern !== undefined && text.search(hiddenPattern) !== -1
  return {
    text(text) {
      if (hiddenPattern === undefined) return shown(text)
      // Between two secrets, as it is; a secret itself as a word of its own.
      const pieces: string[] = []
      let from = 0
      for (const match of text.matchAll(hiddenPattern)) {
        pieces.push(shown(text.slice(from, match.index)), noted('secret', token(match[0])))
        from = match.index + match[0].length
      }
      return [...pieces, shown(text.slice(from))].join('')
    },
    id: (digits) => noted('number', number(digits, true)),
    token: (text) => noted(hasSecret(text) ? 'secret' : 'word', token(text)),
    hasSecret,
    note,
  }
}

function longestFirst(one: string, other: string): number {
  return other.length - one.length
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** A word of letters stands by itself; where none are written apart, it may stand in a longer one. */
function wholeWord(word: string): string {
  const pattern = quoted(word).replaceAll(' ', '\\s')
  const isLatin = (character = '') => /[a-z0-9]/i.test(character)
  const before = isLatin(word[0]) ? '(?<![A-Za-z0-9_])' : ''
  const after = isLatin(word.at(-1)) ? '(?![A-Za-z0-9_])' : ''
  return `${before}${pattern}${after}`
}

/** Numbers that follow from a text: the same ones each time, and without the salt nobody knows which. */
function randomOf(seed: string): () => number {
  let [one, other] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < seed.length; at += 1) {
    const code = seed.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ code ^ (one >>> 15), 0x85ebca6b)
  }
  return () => {
    one = (one + 0x6d2b79f5) | 0
    other = Math.imul(other ^ (other >>> 13) ^ one, 0xc2b2ae35)
    let mixed = Math.imul(one ^ (one >>> 15), 1 | one) ^ other
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
