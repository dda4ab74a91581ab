import * as z from '#shared/schema/deferred.ts'
import { searchUntold } from '../core/search-figures.ts'
import { discountEnds, discounts } from '../core/vocabulary.ts'
import { keywordCharactersMax, searchCategoryCharactersMax, searchSitesMax, siteNameCharactersMax } from '../limits.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'
import { ask } from './rule.ts'

const wireSearchItem = z
  .object({
    site: z.string(),
    torrent_id: z.string(),
    title: z.string(),
    subtitle: z.string().optional(),
    info_hash: z.string().optional(),
    size: z.int(),
    seeders: z.int(),
    leechers: z.int(),
    /** What the site did not tell: a zero in its place says nothing, and `free` nothing without a discount. Left out for none. */
    unknown: z.array(z.enum(searchUntold)).optional(),
    snatched: z.int().optional(),
    uploaded_at: z.int().optional(),
    category: z.string().optional(),
    tags: z.array(z.string()).optional(),
    discount: z.enum(discounts).optional(),
    discount_end_at: z.int().optional(),
    /** Of a promotion: `unknown` where the site does not tell its end. Left out where there is none. */
    discount_end: z.enum(discountEnds).optional(),
    free: z.boolean(),
    has_hr: z.boolean(),
    imdb_id: z.string().optional(),
    douban_id: z.string().optional(),
  })
  .meta({ id: 'SearchItem' })
export type WireSearchItem = z.infer<typeof wireSearchItem>

const characters = (max: number) => (text: string) => [...text].length <= max

export const search = declareRoute('read', 'post', '/search', {
  operationId: 'search',
  feature: 'search',
  summary: 'Search several sites at once',
  description:
    'Asks all enabled sites, or those that are named, side by side. A site that fails is in `errors` and does not spoil the rest; only when all of them fail is the answer `search_failed`. What `unknown` of a result names the site did not tell: a zero in its place says nothing, and of a `discount` that is named there `free` says nothing.',
  body: z.strictObject({
    keyword: z
      .string()
      .transform((text) => text.trim())
      .refine((text) => text !== '', ask({ kind: 'rule.not_empty' }))
      .refine(
        characters(keywordCharactersMax),
        ask({ kind: 'rule.at_most', limit: keywordCharactersMax, unit: 'characters' }),
      )
      .meta({ type: 'string', minLength: 1, maxLength: keywordCharactersMax }),
    sites: z.array(z.string().min(1).max(siteNameCharactersMax)).max(searchSitesMax).optional(),
    category: z.string().max(searchCategoryCharactersMax).optional(),
    free_only: z.boolean().optional(),
    min_seeders: z.int().min(0).optional(),
  }),
  answers: {
    200: z.object({
      items: z.array(wireSearchItem),
      total: z.int(),
      sites: z.record(z.string(), z.int()),
      errors: z.array(z.object({ site: z.string(), error: z.string(), ...withReason })),
      duration_ms: z.int(),
    }),
  },
  failures: ['search_failed'],
})
