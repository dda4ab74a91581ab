/** How long ago something was, in one part. The clock is an argument. */
export type Age = { readonly unit: 'now' } | { readonly unit: 'minutes' | 'hours' | 'days'; readonly value: number }

export function ageOf(atMs: number, nowMs: number): Age {
  const minutes = Math.floor((nowMs - atMs) / 60_000)
  if (minutes < 1) return { unit: 'now' }
  if (minutes < 60) return { unit: 'minutes', value: minutes }
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? { unit: 'hours', value: hours } : { unit: 'days', value: Math.floor(hours / 24) }
}
