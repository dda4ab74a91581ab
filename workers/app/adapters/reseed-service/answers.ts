/**
 * What the service that knows torrents of the same files by info hash takes and says. Source: its published client,
 * ledccn/iyuuplus-dev at 5e9ff804 (`composer/reseed-client/src/Client.php`, `TooManyRequestsException.php`,
 * `ReseedServices.php`), and its documents (`reference/reseed_index`): an envelope of `code`, `msg` and `data`, 0 for good.
 */
import { z } from 'zod'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { hostOf } from '../../core/reseed/reseed-service.ts'
import { reseedServiceRestSeconds, reseedServiceSitesMax, reseedServiceSitesSeconds } from '../../limits.ts'
import type { ReseedServiceTorrent } from '../../ports/reseed-service.ts'

/** In its own words, and for how long it wants to be left alone. */
export interface SaidRefusal {
  readonly kind: 'said'
  readonly words: string
  readonly restSeconds: number
  /** Whether it is about how often it was asked, and not about what it was asked. */
  readonly isThrottled: boolean
}

/** Its client waits so long where it does not say. */
const throttledSeconds = 30
const throttledCode = 429
/** Comes with a code of refusal, and is an answer: nothing is known of any of the hashes. */
const nothingFound = '未查询到可辅种数据'

const envelope = z.object({
  code: z.int(),
  msg: z.string().catch(''),
  data: z.unknown().optional(),
})
const retryAfter = z.object({ 'Retry-After': z.coerce.number().int().min(1) })

/** What it gave; undefined for what is not from it. */
export function readEnvelope(json: unknown): Result<unknown, SaidRefusal> | undefined {
  const { data: said } = envelope.safeParse(json)
  if (said === undefined) return undefined
  if (said.code === 0) return succeed(said.data)
  if (said.msg === nothingFound) return succeed({})
  const isThrottled = said.code === throttledCode
  const told = retryAfter.safeParse(said.data).data?.['Retry-After']
  const seconds = told ?? (isThrottled ? throttledSeconds : reseedServiceRestSeconds)
  return failWith({
    kind: 'said',
    words: said.msg,
    restSeconds: Math.min(seconds, reseedServiceSitesSeconds),
    isThrottled,
  })
}

const sites = z.object({ sites: z.array(z.unknown()) })
const site = z.object({ id: z.int().min(1), base_url: z.string().min(1).max(253) })

/** Its numbers of sites by host; so below, undefined for what is no answer to the question. */
export function readSites(data: unknown): ReadonlyMap<string, number> | undefined {
  const list = sites.safeParse(data).data?.sites.slice(0, reseedServiceSitesMax)
  if (list === undefined) return undefined
  const byHost = new Map<string, number>()
  for (const one of list) {
    const { data: read } = site.safeParse(one)
    const host = read === undefined ? undefined : hostOf(read.base_url)
    if (read !== undefined && host !== undefined) byHost.set(host, read.id)
  }
  return byHost
}

const told = z.object({ sid_sha1: z.string().regex(/^[0-9a-f]{40}$/) })

export function readTold(data: unknown): string | undefined {
  return told.safeParse(data).data?.sid_sha1
}

// PHP writes a list without anything in it as a list.
const found = z.union([z.array(z.unknown()).length(0), z.record(z.string(), z.unknown())])
const group = z.object({ torrent: z.array(z.unknown()) })
const torrent = z.object({
  sid: z.coerce.number().int().min(1),
  torrent_id: z.coerce.string().regex(/^[1-9][0-9]{0,17}$/),
  info_hash: z.string().regex(/^[0-9a-f]{40}$/i),
})

export function readFound(data: unknown): ReadonlyMap<string, readonly ReseedServiceTorrent[]> | undefined {
  const { data: groups } = found.safeParse(data)
  if (groups === undefined) return undefined
  return new Map(
    Object.entries(groups).map(([infoHash, one]) => [
      infoHash.toLowerCase(),
      (group.safeParse(one).data?.torrent ?? []).flatMap((given) => {
        const { data: read } = torrent.safeParse(given)
        if (read === undefined) return []
        return { sid: read.sid, torrentId: read.torrent_id, infoHash: read.info_hash.toLowerCase() }
      }),
    ]),
  )
}
