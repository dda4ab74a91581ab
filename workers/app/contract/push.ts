import * as z from '#shared/schema/deferred.ts'
import {
  pushCategoryCharactersMax,
  pushTagsCharactersMax,
  pushTitleCharactersMax,
  savePathBytesMax,
  siteNameCharactersMax,
  torrentIdCharactersMax,
} from '../limits.ts'
import { withReason } from './reason.ts'
import { declareRoute } from './route.ts'
import { ask } from './rule.ts'

/** On one line: it goes into a form of the downloader, into its lists and into file names. */
export const line = (charactersMax: number) =>
  z
    .string()
    .regex(/^[^\p{Cc}]*$/u)
    .transform((text) => text.trim())
    .refine(
      (text) => [...text].length <= charactersMax,
      ask({ kind: 'rule.at_most', limit: charactersMax, unit: 'characters' }),
    )
    .meta({ type: 'string', maxLength: charactersMax })

/** A folder of the downloader's machine. */
export const savePath = line(savePathBytesMax).refine(
  (path) => new TextEncoder().encode(path).byteLength <= savePathBytesMax,
  ask({ kind: 'rule.at_most', limit: savePathBytesMax, unit: 'bytes' }),
)

/** Where a torrent goes at the downloader. */
export const torrentPlace = {
  /** 0 or left out: the default one. */
  downloader_id: z.int().min(0).optional(),
  category: line(pushCategoryCharactersMax).optional(),
  /** Comma-separated. */
  tags: line(pushTagsCharactersMax).optional(),
  save_path: savePath.optional(),
}

const pushBody = z.strictObject({
  site: z.string().min(1).max(siteNameCharactersMax),
  /** Part of an address at the site: nothing that could lead elsewhere. */
  torrent_id: z
    .string()
    .max(torrentIdCharactersMax)
    .regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]+$/),
  title: line(pushTitleCharactersMax).optional(),
  ...torrentPlace,
})

export const pushTorrent = declareRoute('operate', 'post', '/push', {
  operationId: 'pushTorrent',
  feature: 'push',
  summary: 'Push a torrent to a downloader',
  description:
    "Fetches the torrent file from the site with the owner's account and hands it to the downloader. A torrent that is there already is no failure: `skipped` says so.",
  body: pushBody,
  answers: {
    200: z
      .object({
        success: z.boolean(),
        skipped: z.boolean(),
        message: z.string().optional(),
        ...withReason,
        info_hash: z.string().optional(),
        downloader_id: z.int(),
        downloader: z.string(),
      })
      .meta({ id: 'PushResult' }),
  },
  failures: ['not_found', 'busy_conflict', 'download_failed'],
})
