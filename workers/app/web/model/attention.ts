/** What waits for the owner, the most pressing first. Words and links are the page's. */

import type { WireDownloader } from '../../contract/downloaders.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { isSame } from './reasons.ts'
import { lastFailure, type SiteRow, urgencyOf } from './site-board.ts'

export type Matter =
  | { readonly kind: 'limit'; readonly grave: boolean; readonly row: SiteRow; readonly days: number }
  | { readonly kind: 'job'; readonly grave: true; readonly row: SiteRow; readonly reason: Reason }
  | { readonly kind: 'sign-in'; readonly grave: false; readonly row: SiteRow; readonly reason?: Reason }
  | { readonly kind: 'downloader'; readonly grave: true; readonly downloader: WireDownloader }

function ofSite(row: SiteRow): Matter[] {
  if (!row.settings.enabled) return []
  const matters: Matter[] = []
  const { live } = row
  const urgency = live === undefined ? 'unknown' : urgencyOf(live.login.tier)
  if (live !== undefined && (urgency === 'now' || urgency === 'soon')) {
    matters.push({ kind: 'limit', grave: urgency === 'now', row, days: live.login.days_remaining })
  }
  const failure = lastFailure(row)
  const signInFailed = live?.attendance.status === 'failed'
  // One reason is told once, however much of the work it stops.
  const told = signInFailed && failure?.job === 'sign_in' ? undefined : failure?.reason
  if (told !== undefined) matters.push({ kind: 'job', grave: true, row, reason: told })
  const reason = live?.attendance.reason ?? failure?.reason
  if (signInFailed && (told === undefined || !isSame(reason, told)))
    matters.push({ kind: 'sign-in', grave: false, row, ...(reason === undefined ? {} : { reason }) })
  return matters
}

function weight(matter: Matter): number {
  if (matter.kind === 'limit') return matter.grave ? matter.days : 1000 + matter.days
  return matter.grave ? 500 : 2000
}

export function attention(rows: readonly SiteRow[], downloaders: readonly WireDownloader[]): Matter[] {
  const unreachable = downloaders
    .filter((one) => !one.reachable)
    .map((downloader) => ({ kind: 'downloader', grave: true, downloader }) as const)
  return [...rows.flatMap(ofSite), ...unreachable].toSorted((a, b) => weight(a) - weight(b))
}
