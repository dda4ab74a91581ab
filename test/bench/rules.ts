/**
 * `npm run bench -- rules`: how many candidates a set of rules judges in a second, with their clauses, and how long a
 * round takes for the largest set there may be.
 */

import type { Candidate, RuleCondition } from '../../workers/app/core/rules/filter-rule.ts'
import { judge, type OrderedRule, prepareRules } from '../../workers/app/core/rules/judge.ts'
import { releaseOf, Subject } from '../../workers/app/core/rules/subject.ts'
import { filterRulesMax } from '../../workers/app/limits.ts'

const candidates = 1_000_000
const wantedPerSecond = 200_000
const roundItems = 100
const rounds = 50
const wantedRoundMs = 5
const gib = 1024 ** 3
const nowUnix = 1_800_000_000
const judgedAt = { mayWait: false, takenToday: () => ({ count: 0, bytes: 0 }) }

const groups = ['QUAY', 'PIER', 'MOLE', 'BUOY', 'REEF']
const resolutions = ['720p', '1080p', '2160p']
const sites = ['shelf', 'lantern', 'cedar', 'ginkgo', 'quarry']
const promotions = ['NONE', 'FREE', 'PERCENT_50', '2XFREE', '2XUP'] as const
const pick = <One>(list: readonly One[], at: number): One => {
  const one = list[at % list.length]
  if (one === undefined) throw new Error('an empty list')
  return one
}

function candidateOf(at: number): Candidate {
  const season = String((at % 9) + 1).padStart(2, '0')
  return {
    site: pick(sites, at),
    feed: `feed ${at % 40}`,
    torrentId: String(at),
    title: `Harbour.Lights.${1990 + (at % 35)}.S${season}.${pick(resolutions, at)}.WEB-DL.H.265-${pick(groups, at >> 2)}`,
    subtitle: `港口灯火 第${(at % 9) + 1}季 中字`,
    sizeBytes: ((at * 7919) % 90) * gib + 1,
    seeders: (at * 31) % 50,
    leechers: (at * 17) % 90,
    uploadedAtUnix: nowUnix - ((at * 613) % 86_400),
    category: pick(['Movies', 'TV', 'Music'], at >> 1),
    tags: at % 3 === 0 ? ['官方', '中字'] : [],
    promotion: pick(promotions, at >> 1),
    freeUntilUnix: at % 4 === 0 ? nowUnix + ((at * 97) % 172_800) : undefined,
    hasHr: at % 7 === 0,
  }
}

function ruleOf(at: number): OrderedRule {
  const conditions: readonly RuleCondition[] = [
    { field: 'site', op: 'is_any', value: [pick(sites, at), pick(sites, at + 1), pick(sites, at + 2)] },
    { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
    { field: 'free_hours', op: 'at_least', value: at % 24, or_unknown: true },
    { field: 'size_gib', op: 'at_most', value: 20 + (at % 60) },
    { field: 'seeders', op: 'at_most', value: 20 + (at % 20), or_unknown: true },
    { field: 'resolution', op: 'is_any', value: [pick(resolutions, at), pick(resolutions, at + 1)] },
    { field: 'title', op: 'has_none', value: ['cam', 'screener'] },
    {
      field: 'title',
      op: at % 10 === 0 ? 'matches' : 'like',
      value: [at % 10 === 0 ? `-(${pick(groups, at)})$` : '*lights*'],
    },
    { field: 'group', op: 'is_none', value: [pick(groups, at + 1)] },
  ]
  return { id: at + 1, rule: { action: at % 11 === 0 ? 'skip' : 'take', conditions, per_day_max: 1000 } }
}

const rulesOf = (count: number) => prepareRules(Array.from({ length: count }, (_, at) => ruleOf(at)))
/** What a name says is read where a rule first asks for it; that is measured beside the judging. */
const read = Array.from({ length: 10_000 }, (_, at) => {
  const candidate = candidateOf(at)
  return { candidate, release: releaseOf(candidate) }
})

const few = rulesOf(6)
for (const { candidate, release } of read) judge(new Subject(candidate, nowUnix, release), few, judgedAt)
const acts = new Map<string, number>()
const from = performance.now()
const cpuFrom = process.cpuUsage()
for (let at = 0; at < candidates; at += 1) {
  const { candidate, release } = pick(read, at)
  const { act } = judge(new Subject(candidate, nowUnix, release), few, judgedAt)
  acts.set(act, (acts.get(act) ?? 0) + 1)
}
const seconds = (performance.now() - from) / 1000
const busySeconds = busySince(from, cpuFrom) / 1000
const perSecond = Math.round(candidates / busySeconds)
console.log(
  `judged          ${candidates} by 6 rules of 9 conditions: ${perSecond} a second (wanted ${wantedPerSecond})`,
)
console.log(`                took ${seconds.toFixed(1)} s, ${busySeconds.toFixed(1)} s of a core`)
console.log(`                ${[...acts].map(([act, count]) => `${act} ${count}`).join(', ')}`)

const namesFrom = performance.now()
const namesCpuFrom = process.cpuUsage()
for (const { candidate } of read) judge(new Subject(candidate, nowUnix), few, judgedAt)
const namesSeconds = busySince(namesFrom, namesCpuFrom) / 1000
console.log(`                ${Math.round(read.length / namesSeconds)} a second with reading their names`)

const most = rulesOf(filterRulesMax)
const roundMs = roundMsOf(({ candidate, release }) => new Subject(candidate, nowUnix, release))
const readRoundMs = roundMsOf(({ candidate }) => new Subject(candidate, nowUnix))
console.log(
  `a round         ${roundItems} items by ${filterRulesMax} rules: ${roundMs.toFixed(2)} ms (wanted ${wantedRoundMs})`,
)
console.log(`                ${readRoundMs.toFixed(2)} ms with reading their names`)
if (perSecond < wantedPerSecond || roundMs > wantedRoundMs) process.exitCode = 1

function roundMsOf(subjectOf: (one: (typeof read)[number]) => Subject): number {
  const from = performance.now()
  const cpuFrom = process.cpuUsage()
  for (const one of read.slice(0, rounds * roundItems)) judge(subjectOf(one), most, judgedAt)
  return busySince(from, cpuFrom) / rounds
}

/** A busy machine gives a process a part of a core: what counts is what a core does. */
function busySince(fromMs: number, cpuFrom: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(cpuFrom)
  return Math.min(performance.now() - fromMs, (user + system) / 1000)
}
