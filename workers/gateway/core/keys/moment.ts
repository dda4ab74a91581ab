/** A moment as budgets see it: days and months begin by the clock of one time zone. */
export interface Moment {
  readonly ms: number
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly dayEndsMs: number
  readonly monthEndsMs: number
}

export const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Reads the clock of a zone. What it finds serves until the day is over. */
export function calendarOf(timeZone: string): (ms: number) => Moment {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const dayAt = (ms: number) => format.format(ms)
  /** The first full minute of which `isPast` holds, which lies less than `spanMs` ahead. */
  const firstMinute = (fromMs: number, spanMs: number, isPast: (ms: number) => boolean): number => {
    let low = Math.floor(fromMs / minuteMs)
    let high = Math.ceil((fromMs + spanMs) / minuteMs)
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (isPast(middle * minuteMs)) high = middle
      else low = middle
    }
    return high * minuteMs
  }
  let known: { readonly fromMs: number; readonly moment: Omit<Moment, 'ms'> } | undefined
  return (ms) => {
    if (known === undefined || ms < known.fromMs || ms >= known.moment.dayEndsMs) {
      const day = dayAt(ms)
      const month = day.slice(0, 7)
      const dayEndsMs = firstMinute(ms, 26 * hourMs, (at) => dayAt(at) > day)
      const monthEndsMs = firstMinute(ms, 32 * 24 * hourMs, (at) => dayAt(at).slice(0, 7) > month)
      known = { fromMs: ms, moment: { day, dayEndsMs, monthEndsMs } }
    }
    return { ms, ...known.moment }
  }
}

export function isTimeZone(name: string): boolean {
  // Most have this one, and the runtime reads all its time zones to answer.
  if (name === 'UTC') return true
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
