/** Days and moments of day in the service's time zone, daylight saving included. */
import { daysSinceEpoch } from './civil-day.ts'

const daySeconds = 24 * 3600

interface LocalTime {
  readonly day: string
  readonly minutes: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

function localTime(unix: number, timeZone: string): LocalTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(unix * 1000)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    minutes: Number(part('hour')) * 60 + Number(part('minute')),
  }
}

/** `YYYY-MM-DD`. */
export function localDay(unix: number, timeZone: string): string {
  return localTime(unix, timeZone).day
}

/** `HH:MM` on the wall. */
export function localMinute(unix: number, timeZone: string): string {
  const { minutes } = localTime(unix, timeZone)
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Adds days by the calendar, whatever the clock does in between. */
export function addDays(day: string, days: number): string {
  // At noon in UTC no zone is needed: 24 hours later is the next date.
  return localDay(noonUtc(day) + days * daySeconds, 'UTC')
}

/**
 * When the clock on the wall shows that many minutes after midnight. A time that daylight saving skips is the first
 * moment after it; one that comes twice is the first of the two.
 */
export function momentOfDay(day: string, minutes: number, timeZone: string): number {
  const wanted = noonUtc(day) - 12 * 3600 + minutes * 60
  // No zone is further than 14 hours from UTC. The first minute of that span with at least the wanted time is it.
  let low = wanted - 14 * 3600
  let high = wanted + 14 * 3600
  while (high - low > 60) {
    const middle = low + Math.floor((high - low) / 120) * 60
    const at = localTime(middle, timeZone)
    if (at.day > day || (at.day === day && at.minutes >= minutes)) high = middle
    else low = middle
  }
  return high
}

function noonUtc(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return daysSinceEpoch(year, month, date) * daySeconds + 12 * 3600
}
