import { gibBytes } from '../gib-bytes.ts'
import { localDay, localMinute } from '../local-day.ts'

export function gib(bytes: number): string {
  return `${(bytes / gibBytes).toFixed(2)} GiB`
}

/** A moment, as both languages write it. */
export function utc(unix: number): string {
  return `${localDay(unix, 'UTC')} ${localMinute(unix, 'UTC')} UTC`
}
