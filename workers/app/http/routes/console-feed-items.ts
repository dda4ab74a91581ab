import type { z } from '@hono/zod-openapi'
import { failWith, succeed } from '#shared/kernel/result.ts'
import {
  askOtherRules,
  listFeedItems,
  pushFeedItem,
  type WireFeedItem,
  type WireOtherRules,
} from '../../contract/console-feed-items.ts'
import type { WireClause, WireRule } from '../../contract/console-rules.ts'
import { failure } from '../../core/failure.ts'
import type { Say } from '../../core/reason/say.ts'
import { noneTaken } from '../../core/rules/day-bound.ts'
import { defaultTarget } from '../../core/rules/filter-rule.ts'
import { clausesByRule, prepareInOrder } from '../../core/rules/judge.ts'
import { Subject } from '../../core/rules/subject.ts'
import { type Widened, widened } from '../../core/rules/widen.ts'
import { overrulable } from '../../core/vocabulary.ts'
import { ruleNumberMax, ruleWordCharactersMax, ruleWordsMax } from '../../limits.ts'
import type { FeedItem } from '../../ports/feeds.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { pushFailure } from '../push-failure.ts'
import { toWireCandidate } from '../rule-trial.ts'
import { endsOf, placeIn, takenUpReply } from '../taken-up.ts'

const widenBounds = {
  numberMax: ruleNumberMax,
  wordsMax: ruleWordsMax,
  wordCharactersMax: ruleWordCharactersMax,
}

const noItem = failure('not_found', { kind: 'none', what: 'feed_item' })

export function consoleFeedItemRoutes(
  deps: Pick<AppDeps, 'feeds' | 'filterRules' | 'sites' | 'downloaders' | 'pushService'>,
): BoundRoute[] {
  const { feeds, filterRules } = deps
  return [
    bind(listFeedItems, readFeedItems(deps)),
    bind(askOtherRules, async ({ params }) => {
      const item = await feeds.item(params.id)
      if (item === undefined) return failWith(noItem)
      const [rules, taken] = await Promise.all([filterRules.list(), filterRules.takenBefore(item.decidedAtUnix)])
      const subject = new Subject(item.candidate, item.decidedAtUnix)
      const verdicts = clausesByRule(subject, prepareInOrder(rules), {
        mayWait: false,
        takenToday: (id) => taken.get(id) ?? noneTaken,
      })
      const items = rules.flatMap(({ id, name, enabled, rule: { action } }, at) => {
        const lacking = (verdicts[at] ?? []).filter(({ state }) => state !== 'met')
        // What is against it says more than what nobody told.
        const clause = lacking.find(({ state }) => state === 'unmet') ?? lacking[0]
        const told = clause === undefined ? {} : { clause: structuredClone(clause) as WireClause }
        return name === item.rule ? [] : [{ id, name, enabled, action, lacking: lacking.length, ...told }]
      })
      const nearest = rules.findIndex(({ name }) => name === item.rule)
      const rule = rules[nearest]?.rule
      const target = structuredClone(rule?.action === 'take' ? rule.target : defaultTarget) as WireRule['target']
      const wider =
        rule?.action === 'take' ? widened(verdicts[nearest] ?? [], subject, rule.target, widenBounds) : undefined
      const told = wider === undefined ? {} : { wider: toWireWider(rules[nearest]?.id ?? 0, wider) }
      return succeed({ body: { items, target, ...told } satisfies WireOtherRules })
    }),
    bind(pushFeedItem, async ({ params, body, say }) => {
      const item = await feeds.item(params.id)
      if (item === undefined) return failWith(noItem)
      const { candidate, status: decided, rule } = item
      if (item.decidedAtUnix !== body.decided_at || !overrulable.includes(decided))
        return failWith(failure('busy_conflict', { kind: 'push.decided_anew' }))
      const ends = await endsOf(deps, { site: candidate.site, downloader_id: body.downloader_id })
      if (!ends.ok) return ends
      const { site, downloader } = ends.value
      const pushed = await deps.pushService.push(site.target, downloader, {
        torrentId: candidate.torrentId,
        source: 'manual_push',
        title: candidate.title,
        ...placeIn(body),
      })
      if (!pushed.ok) return failWith(pushFailure(pushed.failure))
      const { kind, infoHash } = pushed.value
      if (kind === 'pushed' || kind === 'skipped')
        await feeds.overrule(item, kind === 'pushed' ? 'overruled' : 'present')
      return succeed({
        auditReason: { kind: 'push.overruled', rule, decided },
        ...takenUpReply(pushed.value, downloader, { info_hash: infoHash }, say),
        audited: { names: [candidate.title] },
      })
    }),
  ]
}

/** Filter rules ask what their form has and nothing else. */
function toWireWider(id: number, wider: Widened): WireOtherRules['wider'] {
  return { id, ...(structuredClone(wider) as Omit<NonNullable<WireOtherRules['wider']>, 'id'>) }
}

type FeedItemQuery = z.output<typeof listFeedItems.query>

export function readFeedItems({ feeds }: Pick<AppDeps, 'feeds'>) {
  return async ({ query: { feed, status, before }, say }: { readonly query: FeedItemQuery; readonly say: Say }) => {
    const items = await feeds.items({
      ...(feed === undefined ? {} : { feedId: feed }),
      ...(status === undefined ? {} : { statuses: [status] }),
      ...(before === undefined ? {} : { beforeId: before }),
    })
    return succeed({ body: { items: items.map((item) => toWireItem(item, say)) } })
  }
}

function toWireItem(item: FeedItem, say: Say): WireFeedItem {
  return {
    id: item.id,
    feed: item.feed,
    ...toWireCandidate(item.candidate),
    status: item.status,
    rule: item.rule,
    clauses: structuredClone(item.clauses) as WireClause[],
    ...(item.reason === undefined ? {} : { error: say(item.reason), reason: item.reason }),
    found_at: item.foundAtUnix,
    decided_at: item.decidedAtUnix,
  }
}
