import { endOfFree } from '../free-end.ts'
import { gibBytes } from '../gib-bytes.ts'
import type { Clause } from '../rules/clause.ts'
import { type DryRun, dryRunBy, type PastCandidate } from '../rules/dry-run.ts'
import { type RuleCondition, theFree } from '../rules/filter-rule.ts'
import { judge, type OrderedRule, type PreparedRules, prepareRules, type Verdict } from '../rules/judge.ts'
import { Subject } from '../rules/subject.ts'
import type { Discount } from '../vocabulary.ts'
import type { BrushBounds, PickRules } from './brush-rules.ts'

const hourMinutes = 60

/** A torrent of a site's newest list, as far as the choice needs it. */
export interface BrushCandidate {
  readonly torrentId: string
  readonly title: string
  readonly subtitle: string
  /** Undefined for what the site does not tell. */
  readonly sizeBytes: number | undefined
  readonly seeders: number | undefined
  readonly leechers: number | undefined
  readonly uploadedAtUnix: number | undefined
  readonly discount: Discount | undefined
  readonly discountEndAtUnix: number | undefined
  readonly hasHr: boolean
}

export interface ChosenTorrent extends BrushCandidate {
  /** What was asked of it, and what was found. */
  readonly clauses: readonly Clause[]
}

export const leftReasons = ['rules', 'bounds', 'size'] as const

/** One that a run saw and did not take. */
export interface LeftTorrent extends BrushCandidate {
  /** `rules`: a rule did not want it. Wanted otherwise: others took the places, or it is larger than the room that was left. */
  readonly why: (typeof leftReasons)[number]
  readonly clauses: readonly Clause[]
}

/** What a task holds already. */
export interface BrushHolding {
  readonly active: number
  readonly downloading: number
  readonly activeBytes: number
}

/**
 * What a run takes, in that order: where most want it and fewest have it, and of equals the newest. One that does not
 * fit leaves its place to the next one that does.
 */
export function chooseTorrents(
  candidates: readonly BrushCandidate[],
  rules: { readonly pick: PickRules; readonly bounds: BrushBounds },
  holding: BrushHolding,
  nowUnix: number,
): { readonly chosen: ChosenTorrent[]; readonly left: LeftTorrent[] } {
  const { bounds, pick } = rules
  const asked = rulesOfPick(pick)
  const places = Math.min(
    bounds.new_per_run_max,
    bounds.active_max - holding.active,
    bounds.downloading_max - holding.downloading,
  )
  let leftBytes = bounds.active_gib_max * gibBytes - holding.activeBytes
  const chosen = new Map<string, ChosenTorrent>()
  const wanted: ChosenTorrent[] = []
  const left: LeftTorrent[] = []
  for (const candidate of candidates) {
    const { act, clauses } = judgeForBrush(candidate, pick, asked, nowUnix)
    if (act === 'take') wanted.push({ ...candidate, clauses })
    else left.push({ ...candidate, clauses, why: 'rules' })
  }
  for (const candidate of wanted.sort(byDemand)) {
    const { torrentId, sizeBytes = 0 } = candidate
    if (chosen.has(torrentId)) continue
    if (chosen.size >= places) left.push({ ...candidate, why: 'bounds' })
    else if (sizeBytes > leftBytes) left.push({ ...candidate, why: 'size' })
    else {
      chosen.set(torrentId, candidate)
      leftBytes -= sizeBytes
    }
  }
  // What came nearest to being taken first.
  return { chosen: [...chosen.values()], left: left.sort((one, other) => nearness(one) - nearness(other)) }
}

/** What was wanted before what was not, and of that the one with the fewest clauses against it. */
function nearness({ why, clauses }: LeftTorrent): number {
  return why === 'rules' ? 1 + clauses.filter(({ state }) => state !== 'met').length : 0
}

/** Whether it meets the rules, and why. Of what a site does not tell nothing is assumed, and without a size no bound holds. */
export function judgeForBrush(
  candidate: BrushCandidate,
  pick: Pick<PickRules, 'unknown_end'>,
  rules: PreparedRules,
  nowUnix: number,
): Verdict {
  const { discount, discountEndAtUnix, ...told } = candidate
  const freeEnd = endOfFree(discountEndAtUnix, pick.unknown_end ?? 'ending', nowUnix)
  const subject = new Subject(
    {
      ...told,
      site: '',
      feed: '',
      promotion: discount,
      freeUntilUnix: Number.isFinite(freeEnd) ? freeEnd : undefined,
    },
    nowUnix,
  )
  return judge(subject, rules, { mayWait: false })
}

/** What a task's choice would have taken of what turned up at its site, whatever it had room for. */
export function dryPick(past: readonly PastCandidate[], pick: PickRules): DryRun {
  const rules = rulesOfPick(pick)
  return dryRunBy(past, ({ candidate, atUnix }) => {
    const {
      sizeBytes,
      seeders,
      leechers,
      uploadedAtUnix,
      promotion: discount,
      freeUntilUnix: discountEndAtUnix,
    } = candidate
    const told = { sizeBytes, seeders, leechers, uploadedAtUnix, discount, discountEndAtUnix }
    const { torrentId, title, subtitle, hasHr = false } = candidate
    return judgeForBrush({ torrentId, title, subtitle, hasHr, ...told }, pick, rules, atUnix)
  })
}

/** A task's choice as rules in their order. How long something is still free is asked of what is free alone. */
export function rulesOfPick(pick: PickRules): PreparedRules {
  const numbers = [
    ['size_gib', 'at_least', pick.size_gib_min ?? 0],
    ['size_gib', 'at_most', pick.size_gib_max],
    ['seeders', 'at_most', pick.seeders_max],
    ['leechers', 'at_least', pick.leechers_min || undefined],
    ['age_minutes', 'at_most', pick.age_hours_max === undefined ? undefined : pick.age_hours_max * hourMinutes],
  ] as const
  const always: RuleCondition[] = [
    ...numbers.flatMap(([field, op, value]) => (value === undefined ? [] : [{ field, op, value }])),
    ...(pick.refuse_hr ? [{ field: 'hit_and_run', op: 'is', value: false } as const] : []),
    ...(pick.refused_words.length === 0
      ? []
      : [{ field: 'title', op: 'has_none', value: pick.refused_words } as const]),
  ]
  const taking = (...more: RuleCondition[]): OrderedRule['rule'] => ({
    action: 'take',
    conditions: [...always, ...more],
  })
  const isFree: RuleCondition = { field: 'promotion', op: 'is_any', value: theFree }
  const isFreeFor: RuleCondition[] =
    pick.free_hours_min === undefined
      ? []
      : [{ field: 'free_hours', op: 'at_least', value: pick.free_hours_min, or_unknown: true }]
  const rules = pick.free_only
    ? [taking(isFree, ...isFreeFor)]
    : pick.free_hours_min === undefined
      ? [taking()]
      : [taking(isFree, ...isFreeFor), taking({ field: 'promotion', op: 'is_none', value: theFree })]
  return prepareRules(rules.map((rule, id) => ({ id, rule })))
}

function byDemand(left: BrushCandidate, right: BrushCandidate): number {
  return (
    demand(right) - demand(left) ||
    (right.uploadedAtUnix ?? 0) - (left.uploadedAtUnix ?? 0) ||
    (left.sizeBytes ?? 0) - (right.sizeBytes ?? 0) ||
    (left.torrentId < right.torrentId ? -1 : Number(left.torrentId > right.torrentId))
  )
}

/** Those who want it for each who would give it, us among them. Of one that nobody counts there is none. */
function demand({ leechers, seeders }: BrushCandidate): number {
  return leechers === undefined || seeders === undefined ? 0 : leechers / (seeders + 1)
}
