/** Speeds of one torrent as a page saw them, for a chart. Pure. */

export interface SpeedSample {
  readonly atMs: number
  /** Bytes a second. */
  readonly up: number
  readonly down: number
}

/** At one look in three seconds some twenty minutes. */
const speedSamplesMax = 400
/** As many as a phone has room for. */
const speedColumns = 40

export function withSample(samples: readonly SpeedSample[], sample: SpeedSample): readonly SpeedSample[] {
  return [...samples.slice(-(speedSamplesMax - 1)), sample]
}

export interface SpeedColumn {
  readonly fromMs: number
  readonly toMs: number
  readonly up: number
  readonly down: number
  /** The page did not look then. */
  readonly isGap: boolean
}

/** Means over equal times from the first look to the last; each look is in the column that it is of. */
export function speedColumnsOf(samples: readonly SpeedSample[]): SpeedColumn[] {
  const [first] = samples
  const last = samples.at(-1)
  if (first === undefined || last === undefined) return []
  const count = Math.min(speedColumns, samples.length)
  const lengthMs = Math.max(1, (last.atMs - first.atMs + 1) / count)
  const columns = Array.from({ length: count }, (_, at) => ({
    fromMs: first.atMs + at * lengthMs,
    toMs: first.atMs + (at + 1) * lengthMs,
    up: 0,
    down: 0,
    looks: 0,
  }))
  for (const { atMs, up, down } of samples) {
    const column = columns[Math.min(count - 1, Math.floor((atMs - first.atMs) / lengthMs))]
    if (column === undefined) continue
    column.up += up
    column.down += down
    column.looks += 1
  }
  return columns.map(({ looks, ...column }) => ({
    ...column,
    up: looks === 0 ? 0 : column.up / looks,
    down: looks === 0 ? 0 : column.down / looks,
    isGap: looks === 0,
  }))
}
