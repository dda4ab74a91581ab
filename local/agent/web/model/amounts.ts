/** Amounts and times as they are written, the same in both languages but for the words, which are handed in. */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** Dollars: cents for what is paid, more digits for what is nearly nothing. */
export function dollars(value: number): string {
  return value > 0 && value < 0.01 ? value.toFixed(4) : value.toFixed(2)
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[power - 1]}`
}

export function seconds(ms: number): string {
  const s = ms / 1000
  if (s < 60) return `${s.toFixed(1)} s`
  const minutes = Math.floor(s / 60)
  return minutes < 60
    ? `${minutes} min ${Math.round(s - minutes * 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export type Moment =
  | { readonly kind: 'now' }
  | { readonly kind: 'minutes'; readonly minutes: number }
  | { readonly kind: 'today'; readonly text: string }
  | { readonly kind: 'day'; readonly day: number; readonly month: number }
  | { readonly kind: 'date'; readonly text: string }

const two = (value: number): string => String(value).padStart(2, '0')

export function clock(ms: number): string {
  const date = new Date(ms)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

export function momentOf(ms: number, nowMs: number): Moment {
  const minutes = Math.floor((nowMs - ms) / 60_000)
  if (minutes < 1) return { kind: 'now' }
  if (minutes < 60) return { kind: 'minutes', minutes }
  const [then, now] = [new Date(ms), new Date(nowMs)]
  if (then.toDateString() === now.toDateString()) return { kind: 'today', text: clock(ms) }
  if (then.getFullYear() === now.getFullYear()) return { kind: 'day', day: then.getDate(), month: then.getMonth() }
  return { kind: 'date', text: `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}` }
}
