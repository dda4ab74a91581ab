/** The tools of the assistant: what a model may ask for. None takes an address, a path or a credential. */
import * as z from '#shared/schema/deferred.ts'
import {
  mediaTypes,
  subscriptionStatuses,
  titleLists,
  torrentConditions,
  torrentSorts,
  torrentStates,
} from '../core/vocabulary.ts'
import {
  assistantTargetsMax,
  explorePagesMax,
  keywordCharactersMax,
  pushCategoryCharactersMax,
  pushTagsCharactersMax,
  seasonMax,
  siteNameCharactersMax,
  taskIdCharactersMax,
  tmdbIdMax,
  torrentIdCharactersMax,
  trackerHostCharactersMax,
} from '../limits.ts'

const page = z.int().min(1).max(1000).optional().describe('Page, from 1.')
const words = z.string().max(keywordCharactersMax).optional().describe('Words in the title.')
const bytesPerSecond = z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Bytes a second; 0: no limit.')
const site = z.string().min(1).max(siteNameCharactersMax)

const targets = z
  .strictObject({
    targets: z
      .array(
        z.strictObject({
          downloader_id: z.int().min(1),
          task_id: z.string().min(1).max(taskIdCharactersMax).describe('As list_downloader_torrents gives it.'),
        }),
      )
      .min(1)
      .max(assistantTargetsMax),
  })
  .describe('Torrents by downloader and task id.')

export const assistantToolShapes = {
  list_tasks: {
    write: false,
    description: 'Push records: torrents that were sent to a downloader, newest first, with progress and errors.',
    arguments: z.strictObject({ site: site.optional(), q: words, pushed_only: z.boolean().optional(), page }),
  },
  list_downloader_torrents: {
    write: false,
    description:
      'Torrents in the downloaders with state, progress, ratio, speeds, and what holds them up, in the words of their tracker.',
    arguments: z.strictObject({
      downloader_id: z.int().min(1).optional(),
      state: z.enum(torrentStates).optional(),
      condition: z.enum(torrentConditions).optional().describe('What holds them up.'),
      tracker: z.string().max(trackerHostCharactersMax).optional().describe('Host, as this list gives it.'),
      q: words,
      sort: z.enum(torrentSorts).optional(),
      order: z.enum(['asc', 'desc']).optional(),
      page,
    }),
  },
  get_downloader_stats: {
    write: false,
    description: 'The downloaders with speeds, totals, free space and whether they can be reached.',
    arguments: z.strictObject({}),
  },
  search_torrents: {
    write: false,
    description: 'Searches the sites for torrents. Takes up to half a minute.',
    arguments: z.strictObject({
      keyword: z.string().min(1).max(keywordCharactersMax),
      sites: z.array(site).max(20).optional().describe('Only these sites; left out: all.'),
      free_only: z.boolean().optional(),
      min_seeders: z.int().min(0).optional(),
    }),
  },
  get_site_userinfo: {
    write: false,
    description:
      "The sites with the account's upload, billed download, ratio, bonus, unread messages, sign-in of today and days until the account is at risk.",
    arguments: z.strictObject({ site: site.optional().describe('Only this site; left out: all.') }),
  },
  plan_site_level: {
    write: false,
    description:
      "Simulates how to reach a site's next level: which torrents to seed or download for free, the day with and without it, and what is not known. Changes nothing.",
    arguments: z.strictObject({ site: site.describe('As get_site_userinfo gives it.') }),
  },
  check_updates: {
    write: false,
    description: 'Whether a newer version of Wharf was released. Never upgrades.',
    arguments: z.strictObject({ include_prerelease: z.boolean().optional() }),
  },
  explore_media: {
    write: false,
    description: 'Films and series: what is trending or popular, or a search by title.',
    arguments: z.strictObject({
      kind: z.enum(mediaTypes),
      list: z.enum(titleLists).optional().describe('Left out: trending.'),
      q: z.string().max(keywordCharactersMax).optional().describe('Words, for the list search.'),
      page: z.int().min(1).max(explorePagesMax).optional(),
    }),
  },
  list_subscriptions: {
    write: false,
    description: 'Films and seasons that are looked for, with how many episodes are there, on their way and missing.',
    arguments: z.strictObject({ status: z.enum(subscriptionStatuses).optional(), q: words }),
  },
  pause_torrent: { write: true, description: 'Pauses torrents.', arguments: targets },
  resume_torrent: { write: true, description: 'Resumes torrents.', arguments: targets },
  recheck_torrent: { write: true, description: 'Checks the data of torrents again.', arguments: targets },
  reannounce_torrent: {
    write: true,
    description: 'Asks the trackers of torrents now, without waiting for the next time.',
    arguments: targets,
  },
  set_torrent_category: {
    write: true,
    description: 'Puts torrents into another category.',
    arguments: targets.extend({
      category: z.string().max(pushCategoryCharactersMax).describe('Empty: none.'),
    }),
  },
  set_torrent_tags: {
    write: true,
    description: 'Gives torrents other tags in place of those they have.',
    arguments: targets.extend({
      tags: z.string().max(pushTagsCharactersMax).describe('Comma-separated; empty: none.'),
    }),
  },
  limit_torrent: {
    write: true,
    description: 'Limits the speed of torrents.',
    arguments: targets.extend({
      upload_limit: bytesPerSecond,
      download_limit: bytesPerSecond,
    }),
  },
  delete_torrent: {
    write: true,
    description: 'Removes torrents from their downloader. Their files stay unless delete_files is true.',
    arguments: targets.extend({ delete_files: z.boolean().optional() }),
  },
  push_torrent: {
    write: true,
    description: 'Sends a torrent that search_torrents found to a downloader.',
    arguments: z.strictObject({
      site: site.describe('As search_torrents gives it.'),
      torrent_id: z.string().min(1).max(torrentIdCharactersMax).describe('As search_torrents gives it.'),
      downloader_id: z.int().min(1).optional().describe('Left out: the default downloader.'),
      category: z.string().max(pushCategoryCharactersMax).optional(),
      tags: z.string().max(pushTagsCharactersMax).optional().describe('Comma-separated.'),
    }),
  },
  carry_out_site_plan: {
    write: true,
    description: 'Carries out the plan that plan_site_level showed last: seeds and downloads exactly its torrents.',
    arguments: z.strictObject({
      site: site.describe('As get_site_userinfo gives it.'),
      plan_id: z.int().min(1).describe('As plan_site_level gives it.'),
    }),
  },
  add_subscription: {
    write: true,
    description: 'Subscribes to a film or to one season of a series: what is missing is searched for and downloaded.',
    arguments: z.strictObject({
      media_type: z.enum(mediaTypes),
      tmdb_id: z.int().min(1).max(tmdbIdMax).describe('The id that explore_media gives.'),
      season: z.int().min(1).max(seasonMax).optional().describe('Of a series; left out: the latest.'),
      upgrade: z.boolean().optional().describe('Whether better releases replace what is there.'),
    }),
  },
} as const satisfies Record<string, { write: boolean; description: string; arguments: z.ZodObject }>

export type AssistantTool = keyof typeof assistantToolShapes
export type ToolArguments<T extends AssistantTool> = z.output<(typeof assistantToolShapes)[T]['arguments']>

export function isAssistantTool(name: string): name is AssistantTool {
  return Object.hasOwn(assistantToolShapes, name)
}

/** A result of `search_torrents`, as far as a torrent's name is looked up in it. */
export const searchOutput = z.object({
  items: z.array(z.object({ site: z.string(), torrent_id: z.string(), title: z.string() })),
})
