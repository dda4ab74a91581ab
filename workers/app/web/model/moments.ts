/** Times as the page writes them. The clock and the zone are arguments. */
export type Language = 'en' | 'zh'

const locale: Record<Language, string> = { en: 'en-GB', zh: 'zh-CN' }

interface Day {
  readonly year: string
  readonly month: string
  readonly day: string
}

/** Formatters are slow to make and a list asks for hundreds a second. */
const made = new Map<string, Intl.DateTimeFormat>()
function formatter(language: Language, zone: string | undefined, kind: 'parts' | 'exact'): Intl.DateTimeFormat {
  const key = `${language} ${zone ?? ''} ${kind}`
  const known = made.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(kind === 'parts' ? 'en-GB' : locale[language], {
    ...(zone === undefined ? {} : { timeZone: zone }),
    year: 'numeric',
    month: kind === 'parts' ? 'short' : 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(kind === 'exact' ? { second: '2-digit' } : {}),
    hourCycle: 'h23',
  })
  made.set(key, format)
  return format
}

const monthNumbers: Readonly<Record<string, number>> = {
  Jan: 1,
  Feb: 2,
  Mar: 3,
  Apr: 4,
  May: 5,
  Jun: 6,
  Jul: 7,
  Aug: 8,
  Sept: 9,
  Sep: 9,
  Oct: 10,
  Nov: 11,
  Dec: 12,
}

function partsOf(seconds: number, zone: string | undefined): Day & { readonly time: string } {
  const parts = new Map(
    formatter('en', zone, 'parts')
      .formatToParts(new Date(seconds * 1000))
      .map((part) => [part.type, part.value]),
  )
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    year: read('year'),
    month: read('month').replace('Sept', 'Sep'),
    day: read('day'),
    time: `${read('hour')}:${read('minute')}`,
  }
}

function sameDay(a: Day, b: Day): boolean {
  return a.year === b.year && a.month === b.month && a.day === b.day
}

const daySeconds = 86_400

/**
 * Today `14:01`, this year `21 Oct` or `10 月 21 日`, older `2025-11-02`. Of what is less than a day ahead the hour matters
 * beyond midnight too: `22 Nov 03:04`. Zero and less mean there is none.
 */
export function momentText(seconds: number, nowSeconds: number, language: Language, zone?: string): string {
  if (seconds <= 0) return '—'
  const moment = partsOf(seconds, zone)
  const now = partsOf(nowSeconds, zone)
  if (sameDay(moment, now)) return moment.time
  const month = monthNumbers[moment.month] ?? 0
  if (moment.year === now.year) {
    const day = language === 'zh' ? `${month} 月 ${moment.day} 日` : `${moment.day} ${moment.month}`
    return seconds > nowSeconds && seconds - nowSeconds < daySeconds ? `${day} ${moment.time}` : day
  }
  return `${moment.year}-${String(month).padStart(2, '0')}-${moment.day.padStart(2, '0')}`
}

/** With the time of day, for a log: `21 Nov 14:01:07`. */
export function exactMoment(seconds: number, language: Language, zone?: string): string {
  return formatter(language, zone, 'exact').format(new Date(seconds * 1000))
}

/** A calendar day `2026-11-21`, which belongs to no zone: `21 Nov` or `11 月 21 日`. */
export function dayText(day: string, language: Language): string {
  const [, month = '', date = ''] = day.split('-')
  const number = Number(month)
  if (language === 'zh') return `${number} 月 ${Number(date)} 日`
  return `${Number(date)} ${Object.entries(monthNumbers).find(([, at]) => at === number)?.[0] ?? month}`
}
