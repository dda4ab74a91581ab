import * as z from '#shared/schema/deferred.ts'
import { documentedDownloaderTypes, downloaderKinds } from '../core/vocabulary.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'

const wireDownloader = z
  .object({
    id: z.int(),
    name: z.string(),
    /** The documented two alone: whatever is neither is told as the one that it is most like. */
    type: z.enum(documentedDownloaderTypes),
    /** Which program it is. */
    program: z.enum(downloaderKinds),
    default: z.boolean(),
    reachable: z.boolean(),
    error: z.string().optional(),
    ...withReason,
    version: z.string().optional(),
    upload_speed: z.int(),
    download_speed: z.int(),
    uploaded: z.int(),
    downloaded: z.int(),
    free_space: z.int(),
  })
  .meta({ id: 'Downloader' })
export type WireDownloader = z.infer<typeof wireDownloader>

export const listDownloaders = declareRoute('read', 'get', '/downloaders', {
  operationId: 'listDownloaders',
  feature: 'downloaders',
  summary: 'Enabled downloaders and how they are',
  description:
    'Speeds, totals and free space in bytes as each downloader told them last. One that cannot be reached has `reachable` false and says why. `type` keeps to its two words, so that clients that know no other read every downloader; `program` names the program.',
  answers: { 200: z.object({ items: z.array(wireDownloader) }) },
})
