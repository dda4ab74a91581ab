import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addRule,
  changeRule,
  listRules,
  orderRules,
  putRulesText,
  type RuleBody,
  type RuleTrial,
  readRulesText,
  removeRule,
  startRule,
  tryRules,
  type WireRule,
  type WireRulesText,
  type WireStoredRule,
} from '../../contract/console-rules.ts'
import type { PlacedFault } from '../../core/cardigann/checked-definition.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import { dryRun } from '../../core/rules/dry-run.ts'
import type { Candidate } from '../../core/rules/filter-rule.ts'
import { ruleLike } from '../../core/rules/rule-like.ts'
import {
  feedItemSeconds,
  filterRuleNameCharactersMax,
  filterRulesMax,
  ruleWordCharactersMax,
  ruleWordsMax,
} from '../../limits.ts'
import type { NamedRule, StoredRule } from '../../ports/feeds.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { removeNamed } from '../remove-named.ts'
import { trialBetween } from '../rule-trial.ts'

const noRule = failure('not_found', { kind: 'none', what: 'filter_rule' })
const refusals = {
  not_found: noRule,
  name_taken: wrongField('name', { kind: 'name_taken', what: 'filter_rule' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'filter_rule', limit: filterRulesMax }),
} as const

const ruleStartBounds = {
  nameCharactersMax: filterRuleNameCharactersMax,
  wordsMax: ruleWordsMax,
  wordCharactersMax: ruleWordCharactersMax,
}

export function consoleRuleRoutes(
  deps: Pick<AppDeps, 'filterRules' | 'rulesText' | 'feeds' | 'downloaders' | 'ruleOwned' | 'clock'>,
): BoundRoute[] {
  const { filterRules } = deps

  /** It may be switched off, and may not be missing. */
  async function checked(body: RuleBody): Promise<Result<RuleBody, Failure>> {
    const known = new Set((await deps.downloaders.list()).map(({ id }) => id))
    if (!isKnown(body.rule.target.downloader_id, known))
      return failWith(wrongField('rule.target.downloader_id', { kind: 'none', what: 'downloader' }))
    return succeed(body)
  }

  async function trialOf(rules: readonly NamedRule[]): Promise<RuleTrial> {
    const sinceUnix = unixSeconds(deps.clock) - feedItemSeconds
    const kept = [...(await deps.feeds.candidates(sinceUnix))].reverse()
    const present = (await filterRules.list()).filter(({ enabled }) => enabled)
    const ownedOf = await deps.ruleOwned(
      [...present, ...rules],
      kept.map(({ candidate }) => candidate).filter(isUnasked),
      true,
    )
    const past = kept.map((one) =>
      isUnasked(one.candidate) ? { ...one, candidate: { ...one.candidate, ...ownedOf(one.candidate) } } : one,
    )
    return trialBetween(past, { ...dryRun(past, present), rules: present }, { ...dryRun(past, rules), rules })
  }

  return [
    bind(listRules, async () => {
      const [rules, left] = await Promise.all([
        filterRules.list(),
        deps.feeds.leftSince(unixSeconds(deps.clock) - feedItemSeconds),
      ])
      return succeed({ body: { items: rules.map(toWireRule), left } })
    }),
    bind(addRule, async ({ body }) => {
      const change = await checked(body)
      return change.ok ? stored(await filterRules.add(change.value)) : change
    }),
    bind(changeRule, async ({ params, body }) => {
      const change = await checked(body)
      return change.ok ? stored(await filterRules.update(params.id, change.value)) : change
    }),
    bind(removeRule, ({ params }) => removeNamed(filterRules, params.id, noRule)),
    bind(orderRules, async ({ body }) =>
      (await filterRules.order(body.ids))
        ? succeed({ body: { ok: true as const } })
        : failWith(wrongField('ids', { kind: 'rule.each_once' })),
    ),
    bind(tryRules, async ({ body }) =>
      succeed({ body: await trialOf(body.rules.map(({ name = '', ...one }) => ({ ...one, name }))) }),
    ),
    bind(startRule, async ({ body: { title, subtitle = '', size, discount } }) => {
      const { name, conditions } = ruleLike({ title, subtitle, sizeBytes: size, promotion: discount }, ruleStartBounds)
      return succeed({ body: { name, conditions: structuredClone(conditions) as WireRule['conditions'] } })
    }),
    bind(readRulesText, async () => succeed({ body: { text: deps.rulesText.write(await filterRules.list()) } })),
    bind(putRulesText, async ({ body, say }) => {
      const read = deps.rulesText.read(body.text)
      if (!read.ok) return succeed({ body: { kept: false, faults: read.failure.map((one) => toWireFault(one, say)) } })
      const known = new Set((await deps.downloaders.list()).map(({ id }) => id))
      const lost = read.value.findIndex(({ rule: { target } }) => !isKnown(target.downloader_id, known))
      if (lost >= 0) {
        const fault = { rule: 'value' as const, path: [String(lost), 'target', 'downloader_id'], line: undefined }
        return succeed({ body: { kept: false, faults: [toWireFault(fault, say)] } })
      }
      const ids = new Map((await filterRules.list()).map(({ id, name }) => [name, id]))
      // One that is new has a number of its own to count by, and none that there is.
      const tried = read.value.flatMap(({ name, enabled, rule }, at) =>
        enabled ? [{ id: ids.get(name) ?? -at - 1, name, rule }] : [],
      )
      const trial = await trialOf(tried)
      if (body.keep) await filterRules.replace(read.value)
      return succeed({ body: { kept: body.keep, faults: [], trial } })
    }),
  ]
}

/** When it was decided no rule asked whether it was there. */
function isUnasked({ isOwned, ownedLack }: Candidate): boolean {
  return isOwned === undefined && ownedLack === undefined
}

/** 0 is the default one, whichever that is. */
function isKnown(id: number, known: ReadonlySet<number>): boolean {
  return id === 0 || known.has(id)
}

function toWireFault(
  { rule, path, line }: Pick<PlacedFault, 'rule' | 'path' | 'line'>,
  say: Say,
): WireRulesText['faults'][number] {
  const place = { path: path.join('.'), ...(line === undefined ? {} : { line }) }
  return { ...place, ...explained(say, { kind: 'definition.wrong', rule, ...place }) }
}

function stored(
  outcome: Result<StoredRule, keyof typeof refusals>,
): Result<{ readonly body: WireStoredRule }, Failure> {
  return outcome.ok ? succeed({ body: toWireRule(outcome.value) }) : failWith(refusals[outcome.failure])
}

function toWireRule({ id, name, enabled, rule, taken, takenToday }: StoredRule): WireStoredRule {
  const today = { taken_today: takenToday.count, size_today: takenToday.bytes }
  return { id, name, enabled, rule: structuredClone(rule) as WireStoredRule['rule'], taken, ...today }
}
