/** The console's endpoints for what feeds brought: why it was decided so, and a push of it all the same. */
import * as z from '#shared/schema/deferred.ts'
import { feedItemStatuses } from '../core/vocabulary.ts'
import { candidateFacts, filterRule, wireClause } from './console-rules.ts'
import { wholeNumber } from './paging.ts'
import { pushTorrent, torrentPlace } from './push.ts'
import { withReason } from './reason.ts'
import { declareRoute, type RouteDeclaration } from './route.ts'

const wireFeedItem = z.object({
  id: z.int(),
  feed: z.string(),
  ...candidateFacts,
  status: z.enum(feedItemStatuses),
  /** Of the rule that decided or came nearest; empty where there was none: then only what is free is taken. */
  rule: z.string(),
  clauses: z.array(wireClause),
  /** Why it could not be pushed. */
  error: z.string().optional(),
  ...withReason,
  found_at: z.int(),
  decided_at: z.int(),
})
export type WireFeedItem = z.infer<typeof wireFeedItem>

/** Newest first, a bounded number; `before` goes on from an item's number. */
export const listFeedItems = declareRoute('session', 'get', '/feed-items', {
  operationId: 'listFeedItems',
  summary: '订阅源中的种子，以及取舍的理由',
  query: z.object({
    feed: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
    status: z.enum(feedItemStatuses).optional(),
    before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  }),
  answers: { 200: z.object({ items: z.array(wireFeedItem) }) },
})

const itemId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })

const otherRules = z.object({
  /** Each rule but the one that decided or came nearest, in their order, as it is now, asked about the torrent as it was then. */
  items: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      enabled: z.boolean(),
      action: filterRule.shape.action,
      /** How many of its clauses are not met. */
      lacking: z.int(),
      /** The first of those. */
      clause: wireClause.optional(),
    }),
  ),
  /** Where the rule that decided or came nearest would have it; the usual place where there is none. */
  target: filterRule.shape.target,
  /** What the rule that came nearest would ask, as it is now, so that it took it; left out where no change is to be had. */
  wider: z
    .object({
      id: z.int(),
      /** All of them. */
      conditions: filterRule.shape.conditions,
      /** `now` is left out for what would not be asked any more. */
      changed: z.array(
        z.object({
          was: filterRule.shape.conditions.element,
          now: filterRule.shape.conditions.element.optional(),
        }),
      ),
    })
    .optional(),
})
export type WireOtherRules = z.infer<typeof otherRules>

export const askOtherRules = declareRoute('session', 'get', '/feed-items/{id}/others', {
  operationId: 'askOtherRules',
  summary: '其他规则对订阅源中一个种子的判断',
  params: itemId,
  answers: { 200: otherRules },
})

/**
 * By hand, through the gates of every push, whatever was decided about it. `decided_at` names the decision that is
 * overruled: once there is another one, it is refused.
 */
export const pushFeedItem = declareRoute('session', 'post', '/feed-items/{id}/push', {
  operationId: 'pushFeedItem',
  summary: '不顾规则，手动推送订阅源中的一个种子',
  params: itemId,
  body: z.strictObject({ decided_at: z.int().min(0), ...torrentPlace }),
  answers: { 200: pushTorrent.answers[200] },
  failures: ['not_found', 'busy_conflict', 'download_failed'],
})

export const consoleFeedItemDeclarations: readonly RouteDeclaration[] = [listFeedItems, askOtherRules, pushFeedItem]
