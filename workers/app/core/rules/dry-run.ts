/** What rules would have done with what turned up, in the order in which it did. */
import { isFree } from '../site.ts'
import type { Candidate } from './filter-rule.ts'
import { judge, type OrderedRule, prepareRules, type Verdict } from './judge.ts'
import { Subject } from './subject.ts'

const daySeconds = 24 * 3600

export interface PastCandidate {
  readonly candidate: Candidate
  readonly atUnix: number
}

export interface DryRun {
  readonly verdicts: readonly Verdict[]
  readonly taken: number
  /** Taken, and not surely free then. */
  readonly billed: number
  readonly bytes: number
  /** Taken without a size that is known. */
  readonly unsized: number
}

/** `past` is oldest first. The bound of a day counts what this run itself would have taken. */
export function dryRun(past: readonly PastCandidate[], rules: readonly OrderedRule[]): DryRun {
  const prepared = prepareRules(rules)
  return dryRunBy(past, ({ candidate, atUnix }, takenToday) =>
    judge(new Subject(candidate, atUnix), prepared, { mayWait: false, takenToday }),
  )
}

/** The same by whatever judges, which is told what it took of each rule in the day before. */
export function dryRunBy(
  past: readonly PastCandidate[],
  judgeOne: (one: PastCandidate, takenToday: (ruleId: number) => number) => Verdict,
): DryRun {
  const takenAt = new Map<number, number[]>()
  let billed = 0
  let bytes = 0
  let unsized = 0
  let taken = 0
  const verdicts = past.map((one) => {
    const { candidate, atUnix } = one
    const verdict = judgeOne(one, (id) => recent(takenAt.get(id), atUnix))
    if (verdict.act !== 'take') return verdict
    taken += 1
    if (candidate.promotion === undefined || !isFree(candidate.promotion)) billed += 1
    if (candidate.sizeBytes === undefined) unsized += 1
    else bytes += candidate.sizeBytes
    if (verdict.ruleId !== undefined) takenAt.set(verdict.ruleId, [...(takenAt.get(verdict.ruleId) ?? []), atUnix])
    return verdict
  })
  return { verdicts, taken, billed, bytes, unsized }
}

/** Old ones leave, so that a month of takes is not counted through at each. */
function recent(times: number[] | undefined, atUnix: number): number {
  while (times !== undefined && (times[0] ?? atUnix) <= atUnix - daySeconds) times.shift()
  return times?.length ?? 0
}
