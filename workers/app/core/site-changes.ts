/** What changed between two days, from one snapshot per site and day: counted as the statistics page counts. */

export interface Snapshot {
  readonly siteId: number
  readonly day: string
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly bonus: number
}

export interface SiteChange {
  readonly siteId: number
  readonly uploadedBytes: number
  readonly downloadedBytes: number
  readonly bonus: number
}

/**
 * Per site the newest snapshot of the range minus the last one before it; without one before, minus the first of the
 * range. A figure that went down counts as zero: bonus was spent, or the site took something back. Sites without a
 * snapshot in the range are absent.
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
    const newest = inRange.at(-1)
    if (newest === undefined) return []
    const baseline = list.filter(({ day }) => day < from).at(-1) ?? inRange[0] ?? newest
    return [
      {
        siteId,
        uploadedBytes: growth(baseline.uploadedBytes, newest.uploadedBytes),
        downloadedBytes: growth(baseline.downloadedBytes, newest.downloadedBytes),
        bonus: growth(baseline.bonus, newest.bonus),
      },
    ]
  })
}

/** The changes of each day of a range, over all sites; every day is there, also one without a snapshot. */
export function changesByDay(
  snapshots: readonly Snapshot[],
  days: readonly string[],
): (Omit<SiteChange, 'siteId'> & { readonly day: string; readonly sites: number })[] {
  const sums = new Map(days.map((day) => [day, { uploadedBytes: 0, downloadedBytes: 0, bonus: 0, sites: 0 }]))
  const before = new Map<number, Snapshot>()
  for (const snapshot of [...snapshots].sort((left, right) => (left.day < right.day ? -1 : 1))) {
    const previous = before.get(snapshot.siteId) ?? snapshot
    before.set(snapshot.siteId, snapshot)
    const sum = sums.get(snapshot.day)
    if (sum === undefined) continue
    sum.uploadedBytes += growth(previous.uploadedBytes, snapshot.uploadedBytes)
    sum.downloadedBytes += growth(previous.downloadedBytes, snapshot.downloadedBytes)
    sum.bonus += growth(previous.bonus, snapshot.bonus)
    sum.sites += 1
  }
  return [...sums].map(([day, sum]) => ({ day, ...sum }))
}

function growth(before: number, after: number): number {
  return Math.max(0, after - before)
}
