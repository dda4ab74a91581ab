/** Numbers as the page writes them: binary units, one precision a column, an em dash for what does not exist. */
export interface Amount {
  readonly value: string
  readonly unit: string
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/**
 * A step of 1024 happens before rounding would write 1024 of the smaller unit; into the unit `early` it happens at a
 * tenth already, so that the usual amounts of one column share one unit.
 */
function scaled(bytes: number, early: number): { value: number; step: number } {
  let value = Math.max(0, bytes)
  let step = 0
  while (step < byteUnits.length - 1 && value >= (step + 1 === early ? 102.4 : 1023.5)) {
    value /= 1024
    step += 1
  }
  return { value, step }
}

export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** How much more or less, with its sign; empty for no difference. */
export function differenceText(by: number): string {
  return by === 0 ? '' : `${by > 0 ? '+' : '−'}${grouped(Math.abs(by))}`
}

/** Two decimals, as a column of sizes wants it; torrents are mostly told in GiB. */
export function bytesAmount(bytes: number): Amount {
  const { value, step } = scaled(bytes, byteUnits.indexOf('GiB'))
  return { value: step === 0 ? String(Math.round(value)) : value.toFixed(2), unit: byteUnits[step] ?? 'B' }
}

/** A change: with its sign, one decimal. Nothing and less than nothing is no change that is counted. */
export function changeAmount(bytes: number): Amount {
  const { value, step } = scaled(bytes, byteUnits.indexOf('GiB'))
  return { value: `+${step === 0 ? Math.round(value) : value.toFixed(1)}`, unit: byteUnits[step] ?? 'B' }
}

export function joined(amount: Amount): string {
  return `${amount.value}\u00a0${amount.unit}`
}

/** Points of a site come with fractions; beyond a thousand they do not matter. */
export function pointsText(points: number): string {
  return Math.abs(points) < 1000 && !Number.isInteger(points) ? points.toFixed(1) : grouped(points)
}

/** One decimal, and never less than a tenth of a KiB: below that a speed is noise. */
export function speedAmount(bytesPerSecond: number): Amount {
  const { value, step } = scaled(bytesPerSecond, byteUnits.indexOf('MiB'))
  if (step === 0) return { value: (value / 1024).toFixed(1), unit: 'KiB/s' }
  return { value: value.toFixed(1), unit: `${byteUnits[step] ?? 'B'}/s` }
}

export function ratioText(ratio: number): string {
  if (ratio < 0) return '—'
  return Number.isFinite(ratio) ? ratio.toFixed(2) : '∞'
}

/** 99.96 is not done: it is cut, so that only what is whole reads 100. */
export function percentText(percent: number): string {
  if (percent >= 100) return '100'
  return (Math.floor(Math.max(0, percent) * 10) / 10).toFixed(1)
}

export type TimeLeftUnit = 'seconds' | 'minutes' | 'hours' | 'days'

/** One part is enough for a guess; undefined when there is none (`-1`) or it means nothing (over a year). */
export function timeLeft(seconds: number): { readonly value: number; readonly unit: TimeLeftUnit } | undefined {
  if (seconds < 0 || seconds > 365 * 86_400) return undefined
  if (seconds < 60) return { value: Math.round(seconds), unit: 'seconds' }
  if (seconds < 3570) return { value: Math.round(seconds / 60), unit: 'minutes' }
  if (seconds < 84_600) return { value: Math.round(seconds / 3600), unit: 'hours' }
  return { value: Math.round(seconds / 86_400), unit: 'days' }
}

/** Two parts, for what is compared with another span: hours and minutes below two days, days from there on. */
export function spanParts(seconds: number): {
  readonly days: number
  readonly hours: number
  readonly minutes: number
} {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  if (minutes >= 2 * 24 * 60) return { days: Math.round(minutes / 1440), hours: 0, minutes: 0 }
  return { days: 0, hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}

/** What is left of a time, never more than there is: minutes below two hours, hours below two days. */
export function wholeLeft(seconds: number): { readonly unit: 'minutes' | 'hours' | 'days'; readonly value: number } {
  if (seconds < 2 * 3600) return { unit: 'minutes', value: Math.floor(seconds / 60) }
  if (seconds < 2 * 86_400) return { unit: 'hours', value: Math.floor(seconds / 3600) }
  return { unit: 'days', value: Math.floor(seconds / 86_400) }
}
