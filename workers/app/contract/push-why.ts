/** Why a torrent that was found would be taken or not, and what a push of it would meet. */
import * as z from '#shared/schema/deferred.ts'
import { pushGates } from '../core/push-plan.ts'
import { verdictActs } from '../core/rules/judge.ts'
import { discounts } from '../core/vocabulary.ts'
import { pushCategoryCharactersMax, pushTitleCharactersMax, ruleWordsMax } from '../limits.ts'
import { wireClause } from './console-rules.ts'
import { line, pushTorrent, torrentPlace } from './push.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'

const figure = z.int().min(0).optional()

const wirePushGate = z.object({
  gate: z.enum(pushGates),
  /** `unknown`: only the torrent file can tell. */
  state: z.enum(['open', 'shut', 'unknown']),
  /** Why it is shut. */
  error: z.string().optional(),
  ...withReason,
  /** Of a limited seeding capacity, in bytes: what counts against it, and the limit. */
  seeding: z.int().optional(),
  limit: z.int().optional(),
  /** Of the disk, in bytes: what is left beside what is unfinished, and what is kept free. */
  left: z.int().optional(),
  kept: z.int().optional(),
})
export type WirePushGate = z.infer<typeof wirePushGate>

/** A result of `/search`, as far as rules ask about it: what is left out is not known. */
export const explainPush = declareRoute('read', 'post', '/push/why', {
  operationId: 'explainPush',
  feature: 'push',
  summary: 'What the rules say of a result, and what a push of it would meet',
  description:
    'Judges a result of `/search` by the filter rules, as a feed would, and looks at each gate of a push by the figures it would go by now. Nothing is fetched, sent or written down; what is left out of the result counts as not known. Without rules only what is free is taken, and `rule` is empty.',
  body: z.strictObject({
    site: pushTorrent.body.shape.site,
    torrent_id: pushTorrent.body.shape.torrent_id,
    title: line(pushTitleCharactersMax),
    subtitle: line(pushTitleCharactersMax).optional(),
    info_hash: z
      .string()
      .regex(/^[0-9a-fA-F]{40}$/)
      .optional(),
    size: figure,
    seeders: figure,
    leechers: figure,
    uploaded_at: figure,
    category: line(pushCategoryCharactersMax).optional(),
    tags: z.array(line(pushCategoryCharactersMax)).max(ruleWordsMax).optional(),
    discount: z.enum(discounts).optional(),
    discount_end_at: figure,
    has_hr: z.boolean().optional(),
    downloader_id: torrentPlace.downloader_id,
    save_path: torrentPlace.save_path,
  }),
  answers: {
    200: z
      .object({
        /** What a feed would do with it. */
        act: z.enum(verdictActs),
        /** The rule that decides or, where none does, the one that comes nearest; empty for the rule of free ones. */
        rule: z.string(),
        clauses: z.array(wireClause),
        downloader_id: z.int(),
        downloader: z.string(),
        /** In the order in which a push comes to them. */
        gates: z.array(wirePushGate),
      })
      .meta({ id: 'PushForesight' }),
  },
  failures: ['not_found'],
})
export type PushWhyBody = (typeof explainPush)['body']['_input']
export type PushWhy = (typeof explainPush)['answers'][200]['_output']
