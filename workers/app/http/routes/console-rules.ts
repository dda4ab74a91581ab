import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addRule,
  changeRule,
  listRules,
  orderRules,
  type RuleBody,
  removeRule,
  tryRules,
  type WireDryRunFigures,
  type WireStoredRule,
} from '../../contract/console-rules.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { type DryRun, dryRun } from '../../core/rules/dry-run.ts'
import { dryRunChangesShown, feedItemSeconds, filterRulesMax } from '../../limits.ts'
import type { StoredRule } from '../../ports/feeds.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const noRule = failure('not_found', { kind: 'none', what: 'filter_rule' })
const refusals = {
  not_found: noRule,
  name_taken: wrongField('name', { kind: 'name_taken', what: 'filter_rule' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'filter_rule', limit: filterRulesMax }),
} as const

export function consoleRuleRoutes(
  deps: Pick<AppDeps, 'filterRules' | 'feeds' | 'downloaders' | 'clock'>,
): BoundRoute[] {
  const { filterRules } = deps

  /** It may be switched off, and may not be missing. */
  async function checked(body: RuleBody): Promise<Result<RuleBody, Failure>> {
    const { downloader_id: id } = body.rule.target
    if (id !== 0 && !(await deps.downloaders.list()).some((one) => one.id === id))
      return failWith(wrongField('rule.target.downloader_id', { kind: 'none', what: 'downloader' }))
    return succeed(body)
  }

  return [
    bind(listRules, async () => succeed({ body: { items: (await filterRules.list()).map(toWireRule) } })),
    bind(addRule, async ({ body }) => {
      const change = await checked(body)
      return change.ok ? stored(await filterRules.add(change.value)) : change
    }),
    bind(changeRule, async ({ params, body }) => {
      const change = await checked(body)
      return change.ok ? stored(await filterRules.update(params.id, change.value)) : change
    }),
    bind(removeRule, async ({ params }) =>
      (await filterRules.remove(params.id)) ? succeed({ body: { ok: true as const } }) : failWith(noRule),
    ),
    bind(orderRules, async ({ body }) =>
      (await filterRules.order(body.ids))
        ? succeed({ body: { ok: true as const } })
        : failWith(wrongField('ids', { kind: 'rule.each_once' })),
    ),
    bind(tryRules, async ({ body }) => {
      const sinceUnix = unixSeconds(deps.clock) - feedItemSeconds
      const past = [...(await deps.feeds.candidates(sinceUnix))].reverse()
      const present = (await filterRules.list()).filter(({ enabled }) => enabled)
      const now = dryRun(past, present)
      const tried = dryRun(past, body.rules)
      const changed = past.flatMap(({ candidate }, at) => {
        const acts = { stored: now.verdicts[at]?.act ?? 'leave', tried: tried.verdicts[at]?.act ?? 'leave' }
        return acts.stored === acts.tried ? [] : [{ site: candidate.site, title: candidate.title, ...acts }]
      })
      return succeed({
        body: {
          judged: past.length,
          stored: figuresOf(now),
          tried: figuresOf(tried),
          changed: changed.reverse().slice(0, dryRunChangesShown),
        },
      })
    }),
  ]
}

function stored(
  outcome: Result<StoredRule, keyof typeof refusals>,
): Result<{ readonly body: WireStoredRule }, Failure> {
  return outcome.ok ? succeed({ body: toWireRule(outcome.value) }) : failWith(refusals[outcome.failure])
}

function toWireRule({ id, name, enabled, rule, taken, takenToday }: StoredRule): WireStoredRule {
  return { id, name, enabled, rule: structuredClone(rule) as WireStoredRule['rule'], taken, taken_today: takenToday }
}

function figuresOf({ taken, billed, bytes, unsized }: DryRun): WireDryRunFigures {
  return { taken, billed, size: bytes, unsized }
}
