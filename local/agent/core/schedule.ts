/** When a scheduled prompt is due. What it was for may be past, so one whose time went by is told and never made up for. */

export interface Timing {
  /** Nothing more comes without one. */
  readonly nextMs: number | undefined
  readonly everyMs: number | undefined
}

export interface Due {
  readonly runs: boolean
  /** How many times went by with nobody there. */
  readonly missed: number
  readonly nextMs: number | undefined
}

/** `graceMs`: so late still counts as on time. */
export function whatIsDue({ nextMs, everyMs }: Timing, nowMs: number, graceMs: number): Due {
  if (nextMs === undefined || nextMs > nowMs) return { runs: false, missed: 0, nextMs }
  if (everyMs === undefined) {
    const runs = nowMs - nextMs <= graceMs
    return { runs, missed: runs ? 0 : 1, nextMs: undefined }
  }
  const past = Math.floor((nowMs - nextMs) / everyMs)
  const newestMs = nextMs + past * everyMs
  const runs = nowMs - newestMs <= graceMs
  return { runs, missed: past + (runs ? 0 : 1), nextMs: newestMs + everyMs }
}

/** The first time, or why there is none. */
export function firstTime(
  { at, everyMs }: { readonly at: number | undefined; readonly everyMs: number | undefined },
  nowMs: number,
  aheadMsMax: number,
): number | 'neither' | 'past' | 'far' {
  const first = at ?? (everyMs === undefined ? undefined : nowMs + everyMs)
  if (first === undefined) return 'neither'
  if (first <= nowMs) return 'past'
  return first > nowMs + aheadMsMax ? 'far' : first
}
