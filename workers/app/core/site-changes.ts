/** What changed between two days, from one snapshot per site and day: counted as the statistics page counts. */

/** A figure that was not told, or not believed, is null. */
export interface Snapshot {
  readonly siteId: number
  readonly day: string
  readonly uploadedBytes: number | null
  readonly downloadedBytes: number | null
  readonly bonus: number | null
}

export interface SiteChange {
  readonly siteId: number
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly bonus: number
  /** Figures with nothing to count from: no snapshot of the range, or the first one there is. Their zeros say nothing. */
  readonly unknown?: readonly ChangingFigure[]
}

type ChangingField = 'uploadedBytes' | 'downloadedBytes' | 'bonus'
type ChangingFigure = 'uploaded' | 'downloaded' | 'bonus'
const figures: readonly (readonly [ChangingFigure, ChangingField])[] = [
  ['uploaded', 'uploadedBytes'],
  ['downloaded', 'downloadedBytes'],
  ['bonus', 'bonus'],
]

/**
 * Per site the newest snapshot of the range minus the last one before it; without one before, minus the first of the
 * range, and not known where that is the newest as well; each figure by the snapshots that know it. A figure that went down counts as zero: bonus was spent, or the site
 * took something back. Sites without a snapshot in the range are absent.
 */
export function changesBetween(snapshots: readonly Snapshot[], from: string, to: string): SiteChange[] {
  const bySite = new Map<number, Snapshot[]>()
  for (const snapshot of snapshots) {
    const list = bySite.get(snapshot.siteId) ?? []
    list.push(snapshot)
    bySite.set(snapshot.siteId, list)
  }
  return [...bySite.entries()].flatMap(([siteId, unsorted]) => {
    const list = [...unsorted].sort((left, right) => (left.day < right.day ? -1 : 1))
    const inRange = list.filter(({ day }) => day >= from && day <= to)
    if (inRange.length === 0) return []
    const before = list.filter(({ day }) => day < from)
    const change = { siteId, uploadedBytes: 0, downloadedBytes: 0, bonus: 0 }
    const unknown: ChangingFigure[] = []
    for (const [name, field] of figures) {
      const known = inRange.flatMap((snapshot) => snapshot[field] ?? [])
      const newest = known.at(-1)
      const first = before.findLast((one) => one[field] !== null)?.[field] ?? (known.length > 1 ? known[0] : undefined)
      if (newest === undefined || first === undefined) unknown.push(name)
      else change[field] = growth(first, newest)
    }
    return [unknown.length === 0 ? change : { ...change, unknown }]
  })
}

/** The changes of each day of a range, over all sites; every day is there, also one without a snapshot. */
export function changesByDay(
  snapshots: readonly Snapshot[],
  days: readonly string[],
): { day: string; uploadedBytes: number; downloadedBytes: number; bonus: number; sites: number }[] {
  const sums = new Map(days.map((day) => [day, { uploadedBytes: 0, downloadedBytes: 0, bonus: 0, sites: 0 }]))
  const before = new Map<string, number>()
  for (const snapshot of [...snapshots].sort((left, right) => (left.day < right.day ? -1 : 1))) {
    const sum = sums.get(snapshot.day)
    for (const [name, field] of figures) {
      const value = snapshot[field]
      if (value === null) continue
      const last = `${snapshot.siteId} ${name}`
      if (sum !== undefined) sum[field] += growth(before.get(last) ?? value, value)
      before.set(last, value)
    }
    if (sum !== undefined) sum.sites += 1
  }
  return [...sums].map(([day, sum]) => ({ day, ...sum }))
}

function growth(before: number, after: number): number {
  return Math.max(0, after - before)
}
