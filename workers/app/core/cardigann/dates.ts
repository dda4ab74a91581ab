/** Dates as sites write them: by a layout (of .NET or of Go), as time passed, or in whatever form there is. */
import { daysSinceEpoch } from '../civil-day.ts'

export interface DateContext {
  readonly nowUnix: number
  /** Of the site, for times that do not tell their own zone. */
  readonly utcOffsetMinutes: number
}

type DateField =
  | 'year'
  | 'short_year'
  | 'month'
  | 'month_name'
  | 'day'
  | 'day_name'
  | 'hour'
  | 'hour12'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half'
  | 'zone'

type LayoutPart = { readonly literal: string } | { readonly field: DateField; readonly digits: number }
export type DateLayout = readonly LayoutPart[]

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthNames = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** Longest first, so that the shorter ones do not hide it. */
const netTokens: readonly [RegExp, DateField][] = [
  [/^y{3,5}/, 'year'],
  [/^y{1,2}/, 'short_year'],
  [/^M{3,4}/, 'month_name'],
  [/^M{1,2}/, 'month'],
  [/^d{3,4}/, 'day_name'],
  [/^d{1,2}/, 'day'],
  [/^H{1,2}/, 'hour'],
  [/^h{1,2}/, 'hour12'],
  [/^m{1,2}/, 'minute'],
  [/^s{1,2}/, 'second'],
  [/^[fF]{1,7}/, 'fraction'],
  [/^t{1,2}/, 'half'],
  [/^(?:z{1,3}|K)/, 'zone'],
]

const goTokens: readonly [RegExp, DateField][] = [
  [/^2006/, 'year'],
  [/^(?:Z07:00|Z0700|-07:00|-0700|-07|MST)/, 'zone'],
  [/^(?:January|Jan)/, 'month_name'],
  [/^(?:Monday|Mon)/, 'day_name'],
  [/^06/, 'short_year'],
  [/^01/, 'month'],
  [/^(?:02|_2)/, 'day'],
  [/^15/, 'hour'],
  [/^03/, 'hour12'],
  [/^04/, 'minute'],
  [/^05/, 'second'],
  [/^\.[09]+/, 'fraction'],
  [/^(?:PM|pm)/, 'half'],
  [/^1/, 'month'],
  [/^2/, 'day'],
  [/^3/, 'hour12'],
  [/^4/, 'minute'],
  [/^5/, 'second'],
]

/** A layout of Go spells a certain date in digits; one of .NET has none. Undefined for one that names no part of a date. */
export function compileLayout(layout: string): DateLayout | undefined {
  const isGo = /[0-9]/.test(layout)
  const tokens = isGo ? goTokens : netTokens
  const parts: LayoutPart[] = []
  for (let rest = layout; rest !== ''; ) {
    const quoted = isGo ? null : /^(?:'([^']*)'|"([^"]*)"|\\(.))/.exec(rest)
    if (quoted !== null) {
      parts.push({ literal: quoted[1] ?? quoted[2] ?? quoted[3] ?? '' })
      rest = rest.slice(quoted[0].length)
      continue
    }
    const token = tokens.map(([pattern, field]) => ({ text: pattern.exec(rest)?.[0], field })).find(({ text }) => text)
    if (token?.text === undefined) {
      parts.push({ literal: rest.slice(0, 1) })
      rest = rest.slice(1)
      continue
    }
    parts.push({ field: token.field, digits: token.text.length })
    rest = rest.slice(token.text.length)
  }
  return parts.some((part) => 'field' in part) ? parts : undefined
}

const fieldPatterns: Readonly<Record<DateField, RegExp>> = {
  year: /^[0-9]{4}/,
  short_year: /^[0-9]{2}/,
  month: /^[0-9]{1,2}/,
  month_name:
    /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)/i,
  day: /^[0-9]{1,2}/,
  day_name: /^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?/i,
  hour: /^[0-9]{1,2}/,
  hour12: /^[0-9]{1,2}/,
  minute: /^[0-9]{1,2}/,
  second: /^[0-9]{1,2}/,
  fraction: /^\.?[0-9]{1,9}/,
  half: /^[ap]\.?m?\.?/i,
  zone: /^(?:Z|UTC|GMT|[+-][0-9]{1,2}(?::?[0-9]{2})?)/i,
}

/** The whole text by the whole layout; undefined where they differ. */
export function readByLayout(text: string, layout: DateLayout, context: DateContext): number | undefined {
  const values = new Map<DateField, string>()
  let rest = text.trim()
  for (const part of layout) {
    if ('literal' in part) {
      if (part.literal.trim() === '') rest = rest.trimStart()
      else if (rest.toLowerCase().startsWith(part.literal.toLowerCase())) rest = rest.slice(part.literal.length)
      else return undefined
      continue
    }
    const isFixed = part.digits >= 2 && /^(?:month|day|hour|hour12|minute|second)$/.test(part.field)
    const found = (isFixed ? /^[0-9]{2}/ : fieldPatterns[part.field]).exec(rest)?.[0]
    if (found === undefined) return undefined
    values.set(part.field, found)
    rest = rest.slice(found.length)
  }
  return rest.trim() === '' ? unixOf(values, context) : undefined
}

function unixOf(
  values: ReadonlyMap<DateField, string>,
  { nowUnix, utcOffsetMinutes }: DateContext,
): number | undefined {
  const number = (field: DateField) => (values.has(field) ? Number(values.get(field)) : undefined)
  const zone = values.get('zone')
  const offset = zone === undefined ? utcOffsetMinutes : zoneMinutes(zone)
  const today = civilDay(Math.floor((nowUnix + offset * 60) / 86_400))
  const short = number('short_year')
  const named = values.get('month_name')?.slice(0, 3).toLowerCase()
  const month = named === undefined ? number('month') : months.indexOf(named) + 1
  const day = number('day')
  const hasDay = month !== undefined || day !== undefined
  let hour = number('hour') ?? number('hour12') ?? 0
  const half = values.get('half')?.slice(0, 1).toLowerCase()
  if (half === 'p' && hour < 12) hour += 12
  if (half === 'a' && hour === 12) hour = 0
  const [minute, second] = [number('minute') ?? 0, number('second') ?? 0]
  const year = number('year') ?? (short === undefined ? undefined : short + (short < 50 ? 2000 : 1900))
  const at = (years: number) =>
    unixAt(
      [
        years,
        month ?? (hasDay || year !== undefined ? 1 : today[1]),
        day ?? (hasDay || year !== undefined ? 1 : today[2]),
        hour,
        minute,
        second,
      ],
      offset,
    )
  const unix = at(year ?? today[0])
  // A day without a year is one that has been.
  return unix !== undefined && year === undefined && hasDay && unix > nowUnix + 86_400 ? at(today[0] - 1) : unix
}

type Moment = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number]

function unixAt([year, month, day, hour, minute, second]: Moment, offsetMinutes: number): number | undefined {
  if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || hour > 24 || minute > 59 || second > 60)
    return undefined
  const days = daysSinceEpoch(year, month, day)
  if (civilDay(days)[1] !== month) return undefined
  return (days * 24 + hour) * 3600 + minute * 60 + second - offsetMinutes * 60
}

/** Year, month and day of so many days after 1970-01-01. */
export function civilDay(days: number): readonly [number, number, number] {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day]
}

function zoneMinutes(zone: string): number {
  const found = /([+-])([0-9]{1,2}):?([0-9]{2})?/.exec(zone)
  if (found === null) return 0
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0)
  return found[1] === '-' ? -minutes : minutes
}

const unitSeconds: readonly [RegExp, number][] = [
  [/^(?:s|secs?|seconds?|sn|秒)$/i, 1],
  [/^(?:m|mins?|minutes?|分|分钟|分鐘)$/i, 60],
  [/^(?:h|hrs?|hours?|小时|小時|时|時)$/i, 3600],
  [/^(?:d|days?|天|日)$/i, 86_400],
  [/^(?:w|wks?|weeks?|周|週)$/i, 7 * 86_400],
  [/^(?:mo|mon|mths?|months?|月|个月|個月)$/i, 30 * 86_400],
  [/^(?:y|yrs?|years?|年)$/i, 365 * 86_400],
]

/** `2 days 3 hours ago`, `1y 2mo`, `now`. */
export function readTimeAgo(text: string, { nowUnix }: DateContext): number | undefined {
  const plain = text
    .toLowerCase()
    .replace(/,|\bago\b|\band\b|前/g, ' ')
    .trim()
  if (/^(?:just\s)?now$/.test(plain)) return nowUnix
  let seconds = 0
  let isTold = false
  for (const [, amount, unit] of plain.matchAll(/([0-9]{1,9}(?:\.[0-9]{1,9})?|\ban?\b)\s{0,5}([^\s\d.]{1,20})/g)) {
    const scale = unitSeconds.find(([pattern]) => pattern.test(unit ?? ''))?.[1]
    if (scale === undefined) return undefined
    seconds += (/^a/.test(amount ?? '') ? 1 : Number(amount)) * scale
    isTold = true
  }
  return isTold ? Math.max(0, Math.floor(nowUnix - seconds)) : undefined
}

const commonLayouts = [
  'ddd, dd MMM yyyy HH:mm:ss zzz',
  'ddd, d MMM yyyy HH:mm:ss zzz',
  'dd MMM yyyy HH:mm:ss zzz',
  'd MMM yyyy HH:mm:ss',
  'd MMM yyyy HH:mm',
  'd MMM yyyy',
  'MMM d yyyy HH:mm:ss',
  'MMM d yyyy, HH:mm',
  'MMM d, yyyy',
  'MMM d yyyy',
  'MM/dd/yyyy HH:mm:ss zzz',
  'MM/dd/yyyy HH:mm:ss',
  'M/d/yyyy h:mm:ss tt',
  'MM/dd/yyyy',
  'yyyy/MM/dd HH:mm:ss',
  'yyyy/MM/dd HH:mm',
  'yyyy/MM/dd',
  'dd.MM.yyyy HH:mm:ss',
  'dd.MM.yyyy HH:mm',
  'dd.MM.yyyy',
  'MM-dd HH:mm',
  'HH:mm:ss',
  'HH:mm',
].map((layout) => compileLayout(layout) ?? [])

const dayWords: readonly [RegExp, number][] = [
  [/\b(?:today|heute|aujourd'hui|hoy|oggi|hoje|dzisiaj|dziś|сегодня)\b|今天|今日/i, 0],
  [/\b(?:yesterday|gestern|hier|ayer|ieri|ontem|wczoraj|вчера)\b|昨天|昨日/i, -1],
  [/\btomorrow\b|明天/i, 1],
]

/** Whatever form it has: the moment, or undefined. */
export function readAnyDate(text: string, context: DateContext): number | undefined {
  const plain = text.trim().slice(0, 200)
  if (/^[0-9]{9,10}$/.test(plain)) return Number(plain)
  if (/^[0-9]{13}$/.test(plain)) return Math.floor(Number(plain) / 1000)
  const iso =
    /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ]\s{0,3}([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?\s{0,3}(Z|UTC|[+-][0-9]{2}:?[0-9]{2})?)?$/i.exec(
      plain,
    )
  if (iso !== null) {
    const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = iso
    const offset = zone === undefined ? context.utcOffsetMinutes : zoneMinutes(zone)
    return unixAt([Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)], offset)
  }
  for (const [word, days] of dayWords) {
    if (word.test(plain)) return readOnDay(plain, days, context)
  }
  const ago = readTimeAgo(plain, context)
  if (ago !== undefined) return ago
  for (const layout of commonLayouts) {
    const unix = readByLayout(plain, layout, context)
    if (unix !== undefined) return unix
  }
  return undefined
}

function readOnDay(text: string, days: number, { nowUnix, utcOffsetMinutes }: DateContext): number | undefined {
  const clock = /([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}))?\s{0,3}([ap]m)?/i.exec(text)
  const [year, month, day] = civilDay(Math.floor((nowUnix + utcOffsetMinutes * 60) / 86_400) + days)
  let hour = Number(clock?.[1] ?? 0)
  const half = clock?.[4]?.toLowerCase()
  if (half === 'pm' && hour < 12) hour += 12
  if (half === 'am' && hour === 12) hour = 0
  return unixAt([year, month, day, hour, Number(clock?.[2] ?? 0), Number(clock?.[3] ?? 0)], utcOffsetMinutes)
}

/** `Mon, 23 Nov 2026 10:00:00 +0000`: what filters hand on. */
export function writeDate(unix: number): string {
  const days = Math.floor(unix / 86_400)
  const rest = unix - days * 86_400
  const [year, month, day] = civilDay(days)
  const two = (value: number) => String(value).padStart(2, '0')
  const weekday = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'][((days % 7) + 7) % 7]
  const name = monthNames[month - 1]?.slice(0, 3) ?? ''
  const clock = `${two(Math.floor(rest / 3600))}:${two(Math.floor((rest % 3600) / 60))}:${two(rest % 60)}`
  return `${weekday}, ${two(day)} ${name.slice(0, 1).toUpperCase()}${name.slice(1)} ${year} ${clock} +0000`
}
