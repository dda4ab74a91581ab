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

/** What one rule would have taken. */
interface RuleTaken {
  readonly taken: number
  readonly billed: number
  readonly bytes: number
}

export interface DryRun {
  readonly verdicts: readonly Verdict[]
  /** By the rule that decided; of none where there is no rule. */
  readonly byRule: ReadonlyMap<number | undefined, RuleTaken>
  readonly taken: number
  /** No rule wanted it. */
  readonly left: number
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
  const byRule = new Map<number | undefined, { taken: number; billed: number; bytes: number }>()
  let left = 0
  let unsized = 0
  const verdicts = past.map((one) => {
    const { candidate, atUnix } = one
    const verdict = judgeOne(one, (id) => recent(takenAt.get(id), atUnix))
    const { act, ruleId } = verdict
    if (act === 'leave') left += 1
    if (act !== 'take') return verdict
    const sums = byRule.get(ruleId) ?? { taken: 0, billed: 0, bytes: 0 }
    byRule.set(ruleId, sums)
    sums.taken += 1
    if (candidate.promotion === undefined || !isFree(candidate.promotion)) sums.billed += 1
    if (candidate.sizeBytes === undefined) unsized += 1
    else sums.bytes += candidate.sizeBytes
    if (ruleId !== undefined) takenAt.set(ruleId, [...(takenAt.get(ruleId) ?? []), atUnix])
    return verdict
  })
  const sum = (of: keyof RuleTaken) => [...byRule.values()].reduce((so, one) => so + one[of], 0)
  return { verdicts, byRule, left, taken: sum('taken'), billed: sum('billed'), bytes: sum('bytes'), unsized }
}

/** Old ones leave, so that a month of takes is not counted through at each. */
function recent(times: number[] | undefined, atUnix: number): number {
  while (times !== undefined && (times[0] ?? atUnix) <= atUnix - daySeconds) times.shift()
  return times?.length ?? 0
}
