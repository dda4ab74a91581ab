/** Reads the figures sites write for people. Undefined for what is no figure. */
import { daysSinceEpoch } from './civil-day.ts'

const unitBytes: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  p: 1024 ** 5,
  e: 1024 ** 6,
}

/** `1.46 GB`, `1,024.5 GiB`, `12 TB`: sites mean powers of 1024 whichever way they write it. */
export function readSize(text: string): number | undefined {
  const match = /([0-9][0-9,]{0,20}(?:\.[0-9]{1,12})?)\s{0,4}(bytes?|[KMGTPE]?i?B|[KMGTPE])(?![a-z])/i.exec(text)
  const [, amount, unit] = match ?? []
  if (amount === undefined || unit === undefined) return undefined
  const name = unit.toLowerCase()
  const scale = unitBytes[name] ?? unitBytes[name.slice(0, 1)]
  const isAlone = match?.[0].length === text.length
  const value = isAlone || isOneFigure(text, match, amount) ? amountOf(amount) : undefined
  return scale === undefined || value === undefined ? undefined : toldCount(value * scale)
}

/** The same of a text in which the size is the first figure: of two, the unit may be the other one's. */
export function leadingSize(text: string): number | undefined {
  const [, amount, unit] = plainSize.exec(text) ?? []
  if (amount !== undefined && unit !== undefined)
    return toldCount(Number(amount) * (unitBytes[unit.toLowerCase()] ?? 0))
  return /^[^0-9]*[0-9][0-9.,]*\s{0,4}(?:bytes?|[KMGTPE]?i?B|[KMGTPE])(?![a-z])/i.test(text)
    ? readSize(text)
    : undefined
}

/** As nearly all lists write it, and alone. */
const plainSize = /^([0-9]{1,4}(?:\.[0-9]{1,3})?) ?([KMGTP])i?B$/i

/** Undefined where commas do not stand between thousands: such a figure may mean a fraction. */
function amountOf(text: string): number | undefined {
  if (!text.includes(',')) return Number(text)
  return /^-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$/.test(text) ? Number(text.replaceAll(',', '')) : undefined
}

/** Whether the figure found is all of it: neither end of a longer one, nor a piece of one that is written with blanks. */
function isOneFigure(text: string, match: RegExpExecArray | null, figure: string): boolean {
  const at = match?.index ?? 0
  const [before, after] = [text.slice(Math.max(0, at - 8), at), text.slice(at + figure.length, at + figure.length + 5)]
  const isTail = at > 0 && (tail.test(before) || (/[0-9] $/.test(before) && /^[0-9]{3}(?![0-9])/.test(figure)))
  return !isTail && !(after !== '' && goesOn.test(after))
}

const tail = /[0-9][.,'\u2019\u2009\u202f]?$/
const goesOn = /^(?:[.,'\u2019]?[0-9]|[ \u2009\u202f][0-9]{3}(?![0-9]))/

/** `1,234` or `1234.5`, the first in the text. */
export function readNumber(text: string): number | undefined {
  const match = /-?[0-9][0-9,]{0,20}(?:\.[0-9]{1,12})?/.exec(text)
  if (match === null) return undefined
  const [figure] = match
  return figure.length === text.length || isOneFigure(text, match, figure) ? amountOf(figure) : undefined
}

export function readCount(text: string): number | undefined {
  const value = readNumber(text)
  return toldCount(value)
}

/** As it stands in JSON, and undefined for what is no number: a figure that is not told is not zero. */
export function toldNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? amountOf(value.trim()) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** Undefined beyond what a number holds exactly, too: the nearest one that it does is another figure. */
export function toldCount(value: unknown): number | undefined {
  const number = toldNumber(value)
  return number === undefined || number < 0 || number > Number.MAX_SAFE_INTEGER ? undefined : Math.trunc(number)
}

/** Of a torrent: one of no bytes is one whose size is not known. */
export function toldSize(value: unknown): number | undefined {
  return toldCount(value) || undefined
}

/** `2026-11-20 10:00:00` in the site's own zone, or with a zone of its own. */
export function readTime(text: string, utcOffsetMinutes: number): number | undefined {
  const match =
    /([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?(?:\.[0-9]{1,9})?(Z|[+-][0-9]{2}:?[0-9]{2})?)?/.exec(
      text,
    )
  if (match === null) return undefined
  const [, years, months, days, hours, minutes, seconds, zone] = match
  const [year, month, day] = [Number(years), Number(months), Number(days)]
  const [hour, minute, second] = [Number(hours ?? 0), Number(minutes ?? 0), Number(seconds ?? 0)]
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined
  const offset = zone === undefined ? utcOffsetMinutes : zoneMinutes(zone)
  const unix = (daysSinceEpoch(year, month, day) * 24 + hour) * 3600 + minute * 60 + second - offset * 60
  return unix > 0 ? unix : undefined
}

function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return zone.startsWith('-') ? -minutes : minutes
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed
const spaces = /[\u0000-\u001f\u007f\u00a0\s]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const unevenSpace = /[\u0000-\u001f\u007f\u00a0]|[^\S ]| {2}|^ | $/

/** A site's text on one line, without control characters, cut to what the interface carries. */
export function plainText(text: string, charactersMax: number): string {
  // Most texts are in order, and looking is cheaper than rewriting.
  const line = unevenSpace.test(text) ? text.replace(spaces, ' ').trim() : text
  return line.length <= charactersMax ? line : [...line].slice(0, charactersMax).join('')
}
