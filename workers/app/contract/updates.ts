import * as z from '#shared/schema/deferred.ts'
import { declareRoute } from './route.ts'

const wireRelease = z
  .object({
    version: z.string(),
    name: z.string(),
    published_at: z.int(),
    url: z.string(),
    changelog: z.string(),
    prerelease: z.literal(true).optional(),
  })
  .meta({ id: 'Release' })
export type WireRelease = z.infer<typeof wireRelease>

const wireUpdates = z
  .object({
    current_version: z.string(),
    has_update: z.boolean(),
    /** 0 where nothing was looked at. */
    checked_at: z.int(),
    /** Nothing was looked at, because the owner has named no list of releases. */
    unchecked: z.literal('not_set_up').optional(),
    /** Newest first. */
    new_releases: z.array(wireRelease),
    /** There are more new ones than are shown. */
    has_more_releases: z.literal(true).optional(),
  })
  .meta({ id: 'Updates' })
export type WireUpdates = z.infer<typeof wireUpdates>

export const getUpdates = declareRoute('read', 'get', '/updates', {
  operationId: 'getUpdates',
  feature: 'updates',
  summary: 'Whether there is a newer version',
  description: 'Looks at the list of releases that the owner named. It never installs anything.',
  query: z.object({ include_prerelease: z.literal('1').optional() }),
  answers: { 200: wireUpdates },
  failures: ['upstream'],
})
