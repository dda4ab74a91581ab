import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addEndRule,
  changeEndRule,
  listEndRules,
  listEnds,
  orderEndRules,
  removeEndRule,
  setEndMode,
  tryEndRules,
  type WireEnd,
  type WireStoredEndRule,
} from '../../contract/console-ends.ts'
import type { WireClause } from '../../contract/console-rules.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import { endRulesMax } from '../../limits.ts'
import type { StoredEndRule, TorrentEnd } from '../../ports/ends.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { removeNamed } from '../remove-named.ts'

const noRule = failure('not_found', { kind: 'none', what: 'end_rule' })
const refusals = {
  not_found: noRule,
  name_taken: wrongField('name', { kind: 'name_taken', what: 'end_rule' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'end_rule', limit: endRulesMax }),
} as const

export function consoleEndRoutes({ endRules, torrentEnds }: Pick<AppDeps, 'endRules' | 'torrentEnds'>): BoundRoute[] {
  async function stored(
    outcome: Result<StoredEndRule, keyof typeof refusals>,
  ): Promise<Result<{ readonly body: WireStoredEndRule }, Failure>> {
    if (!outcome.ok) return failWith(refusals[outcome.failure])
    await torrentEnds.lookSoon()
    return succeed({ body: toWireRule(outcome.value) })
  }

  return [
    bind(listEndRules, async () =>
      succeed({ body: { mode: await torrentEnds.mode(), items: (await endRules.list()).map(toWireRule) } }),
    ),
    bind(addEndRule, async ({ body }) => stored(await endRules.add(body))),
    bind(changeEndRule, async ({ params, body }) => stored(await endRules.update(params.id, body))),
    bind(removeEndRule, async ({ params }) => {
      const removed = await removeNamed(endRules, params.id, noRule)
      if (removed.ok) await torrentEnds.lookSoon()
      return removed
    }),
    bind(orderEndRules, async ({ body }) => {
      if (!(await endRules.order(body.ids))) return failWith(wrongField('ids', { kind: 'rule.each_once' }))
      await torrentEnds.lookSoon()
      return succeed({ body: { ok: true as const } })
    }),
    bind(setEndMode, async ({ body }) => {
      await torrentEnds.setMode(body.mode)
      await torrentEnds.lookSoon()
      return succeed({ body: { mode: body.mode } })
    }),
    bind(listEnds, readEnds({ torrentEnds })),
    bind(tryEndRules, async ({ body, say }) => {
      const rules = body.rules.filter(({ enabled }) => enabled).map(({ name, rule }, id) => ({ id, name, rule }))
      const { judged, ended, freedBytes, items, unread } = await torrentEnds.tryRules(rules)
      return succeed({
        body: {
          judged,
          ended,
          freed: freedBytes,
          items: items.map(({ infoHash, sizeBytes, clauses, ...facts }) => ({
            ...facts,
            info_hash: infoHash,
            size: sizeBytes,
            clauses: structuredClone(clauses) as WireClause[],
          })),
          unread: unread.map(({ name, reason }) => ({ downloader: name, ...explained(say, reason) })),
        },
      })
    }),
  ]
}

export function readEnds({ torrentEnds }: Pick<AppDeps, 'torrentEnds'>) {
  return async ({ say }: { readonly say: Say }) =>
    succeed({ body: { items: (await torrentEnds.list()).map((one) => toWireEnd(one, say)) } })
}

function toWireRule({ id, name, enabled, rule, ended, endedToday }: StoredEndRule): WireStoredEndRule {
  return { id, name, enabled, rule: structuredClone(rule) as WireStoredEndRule['rule'], ended, ended_today: endedToday }
}

function toWireEnd(end: TorrentEnd, say: Say): WireEnd {
  return {
    id: end.id,
    downloader_id: end.downloaderId,
    downloader: end.downloader,
    info_hash: end.infoHash,
    title: end.title,
    ...(end.site === '' ? {} : { site: end.site }),
    size: end.sizeBytes,
    action: end.action,
    status: end.status,
    rule: end.rule,
    clauses: structuredClone(end.clauses) as WireClause[],
    due_since: end.dueSinceUnix,
    decided_at: end.decidedAtUnix,
    ...(end.reason === undefined ? {} : explained(say, end.reason)),
  }
}
