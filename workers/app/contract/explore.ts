import * as z from '#shared/schema/deferred.ts'
import { imageFilePattern } from '../core/title.ts'
import { imageSizes, mediaTypes, titleLists } from '../core/vocabulary.ts'
import { explorePagesMax } from '../limits.ts'
import { keyword, wholeNumber } from './paging.ts'
import { declareRoute } from './route.ts'

const wireExploreItem = z
  .object({
    /** The metadata provider's. */
    id: z.int(),
    media_type: z.enum(mediaTypes),
    title: z.string(),
    original_title: z.string().optional(),
    year: z.int().optional(),
    overview: z.string().optional(),
    poster_path: z.string().optional(),
    vote_average: z.number().optional(),
    in_library: z.boolean(),
    subscribed: z.boolean(),
    subscription_id: z.int().optional(),
  })
  .meta({ id: 'ExploreItem' })
export type WireExploreItem = z.infer<typeof wireExploreItem>

/** 400 `invalid_argument` also while no key of the metadata provider is set. */
export const explore = declareRoute('read', 'get', '/explore', {
  operationId: 'explore',
  tag: 'explore',
  summary: 'Titles that are popular, or found by name',
  description:
    'Lists of the metadata provider, each title with whether it is in the library or subscribed. Answers `invalid_argument` while no key of the provider is set.',
  query: z.object({
    kind: z.enum(mediaTypes),
    list: z.enum(titleLists).prefault('trending'),
    q: keyword.optional(),
    /** A search has one page. */
    page: wholeNumber(1, explorePagesMax).prefault('1'),
  }),
  answers: {
    200: z.object({ items: z.array(wireExploreItem), page: z.int().min(1), total_pages: z.int().min(1) }),
  },
  failures: ['rate_limited', 'upstream'],
})

export const getProviderImage = declareRoute('read', 'get', '/images/tmdb/{size}/{file}', {
  operationId: 'getProviderImage',
  tag: 'explore',
  summary: 'Picture of a title',
  description:
    "Posters and the like, fetched by this service on the client's behalf so that the client tells the provider nothing. `poster_path` of a title is the file's name.",
  params: z.object({ size: z.enum(imageSizes), file: z.string().regex(imageFilePattern) }),
  answers: { 200: 'image', 304: 'image' },
  failures: ['not_found', 'upstream', 'busy_slots'],
})
