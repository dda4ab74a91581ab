/** What rules would have done with what turned up, in the order in which it did. */
import { isFree } from '../site.ts'
import { noneTaken, type TakenToday } from './day-bound.ts'
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
  /** The 24 hours in which most was taken, up to the last of it; undefined where nothing was. */
  readonly busiest?: (TakenToday & { readonly untilUnix: number }) | undefined
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
  judgeOne: (one: PastCandidate, takenToday: (ruleId: number) => TakenToday) => Verdict,
): DryRun {
  const days = new Map<number, LastDay>()
  const ofAll = new LastDay()
  let busiest: DryRun['busiest']
  const byRule = new Map<number | undefined, { taken: number; billed: number; bytes: number }>()
  let left = 0
  let unsized = 0
  const verdicts = past.map((one) => {
    const { candidate, atUnix } = one
    const verdict = judgeOne(one, (id) => days.get(id)?.at(atUnix) ?? noneTaken)
    const { act, ruleId } = verdict
    if (act === 'leave') left += 1
    if (act !== 'take') return verdict
    const sums = byRule.get(ruleId) ?? { taken: 0, billed: 0, bytes: 0 }
    byRule.set(ruleId, sums)
    sums.taken += 1
    if (!isFree(candidate.promotion)) sums.billed += 1
    if (candidate.sizeBytes === undefined) unsized += 1
    else sums.bytes += candidate.sizeBytes
    const size = candidate.sizeBytes ?? 0
    if (ruleId !== undefined) {
      const day = days.get(ruleId) ?? new LastDay()
      days.set(ruleId, day)
      day.take(atUnix, size)
    }
    ofAll.take(atUnix, size)
    const today = ofAll.at(atUnix)
    if (busiest === undefined || today.count > busiest.count) busiest = { ...today, untilUnix: atUnix }
    return verdict
  })
  const sum = (of: keyof RuleTaken) => [...byRule.values()].reduce((so, one) => so + one[of], 0)
  return { verdicts, byRule, left, taken: sum('taken'), billed: sum('billed'), bytes: sum('bytes'), unsized, busiest }
}

/** What was taken in the 24 hours before a moment: old ones leave, so that a month of takes is not counted through at each. */
class LastDay {
  readonly #takes: { readonly atUnix: number; readonly bytes: number }[] = []
  #bytes = 0

  take(atUnix: number, bytes: number): void {
    this.#takes.push({ atUnix, bytes })
    this.#bytes += bytes
  }

  at(nowUnix: number): TakenToday {
    for (
      let [first] = this.#takes;
      first !== undefined && first.atUnix <= nowUnix - daySeconds;
      [first] = this.#takes
    ) {
      this.#takes.shift()
      this.#bytes -= first.bytes
    }
    return { count: this.#takes.length, bytes: this.#bytes }
  }
}
