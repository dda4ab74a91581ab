/** Between two moments at random; `random` is at least 0 and below 1. */
export function jitter(fromUnix: number, toUnix: number, random: number): number {
  return fromUnix + Math.floor((toUnix - fromUnix) * random)
}

interface PlannedRun {
  readonly scope: string
  readonly subjectId: number
  readonly dueAtUnix: number
  readonly leaseUntilUnix: number
}

/** At most one due job for each subject: what waits longest first. */
export function pickDue<Run extends PlannedRun>(runs: readonly Run[], nowUnix: number, upTo: number): Run[] {
  const keyOf = ({ scope, subjectId }: PlannedRun) => `${scope} ${subjectId}`
  const busy = new Set(runs.filter(({ leaseUntilUnix }) => leaseUntilUnix > nowUnix).map(keyOf))
  const picked: Run[] = []
  for (const run of [...runs].sort((left, right) => left.dueAtUnix - right.dueAtUnix)) {
    if (picked.length >= upTo) break
    if (run.dueAtUnix > nowUnix || busy.has(keyOf(run))) continue
    busy.add(keyOf(run))
    picked.push(run)
  }
  return picked
}

/** When there is something to do again; undefined when there is nothing at all. A job under a lease waits for its end. */
export function nextWake(runs: readonly Pick<PlannedRun, 'dueAtUnix' | 'leaseUntilUnix'>[]): number | undefined {
  const times = runs.map(({ dueAtUnix, leaseUntilUnix }) => Math.max(dueAtUnix, leaseUntilUnix))
  return times.length === 0 ? undefined : Math.min(...times)
}
