/** What qBittorrent answers. Tolerant of fields that are not listed; strict about the kind of those that are. */
import { z } from 'zod'

const count = z.number().optional()
const text = z.string().optional()

const torrentFields = z.object({
  name: text,
  progress: count,
  size: count,
  state: text,
  ratio: count,
  num_seeds: count,
  num_leechs: count,
  upspeed: count,
  dlspeed: count,
  uploaded: count,
  downloaded: count,
  eta: count,
  added_on: count,
  completion_on: count,
  seeding_time: count,
  category: text,
  tags: text,
  save_path: text,
  tracker: text,
  has_tracker_error: z.boolean().optional(),
})

const serverState = z.object({
  alltime_dl: count,
  alltime_ul: count,
  dl_info_speed: count,
  up_info_speed: count,
  free_space_on_disk: count,
})
export type ServerState = z.infer<typeof serverState>

/** Torrents are named by the id that writes take: the info hash, of a torrent with a v2 part that one cut to 40 digits. */
export const mainData = z.object({
  rid: z.int(),
  full_update: z.boolean().optional(),
  torrents: z.record(z.string().regex(/^[0-9a-f]{40}$/), torrentFields).optional(),
  torrents_removed: z.array(z.string()).optional(),
  /** From 4.3 on: each address with the ids of all that announce to it, whole wherever one of them changed. */
  trackers: z.record(z.string(), z.array(z.string())).optional(),
  trackers_removed: z.array(z.string()).optional(),
  server_state: serverState.optional(),
})

/**
 * What trackers said last: src/webui/api/torrentscontroller.cpp and base/bittorrent/trackerentry(status).h of
 * qBittorrent at release-4.5.2 and release-5.2.3. Status 4 is a tracker that does not work, 5 one that refused, 6 one that
 * was not reached. DHT and the like are listed among them with a name in place of an address.
 */
export const trackerList = z.array(
  z.object({ url: z.string(), status: z.int(), msg: z.string().default(''), num_seeds: count, num_leeches: count }),
)

export const webApiVersion = z.string().regex(/^\d{1,3}\.\d{1,3}(\.\d{1,3})?$/)
export const programVersion = z.string().regex(/^v?\d{1,3}\.[0-9A-Za-z.+_-]{1,32}$/)

/** What newer versions say about files they were sent. */
export const addCounts = z.object({ failure_count: z.number() })
