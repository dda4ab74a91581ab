/**
 * Asks the service that knows by info hash what other sites have. What it says of a site is noted, and believed when the
 * site's own file was compared.
 */
import { unixSeconds } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { ReseedFinding } from '../../adapters/d1/reseeds.ts'
import type { SettingValue } from '../../contract/owner-settings.ts'
import { serviceReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason, storeReason } from '../../core/reason/stored-reason.ts'
import { reseedAddressOf, sidOf } from '../../core/reseed/reseed-service.ts'
import type { SiteTarget } from '../../core/site.ts'
import {
  reseedServiceHashesMax,
  reseedServiceRestSeconds,
  reseedServiceRowsMax,
  reseedServiceSitesSeconds,
  reseedServiceToldSeconds,
} from '../../limits.ts'
import type { ReseedServicePlace, ReseedServiceRefusal, ReseedServiceTorrent } from '../../ports/reseed-service.ts'
import type { SiteEntry } from '../../ports/sites.ts'
import { toldOf } from './look-at-site.ts'
import type { Held, ReseedDeps } from './reseed-deps.ts'

type Seen = SettingValue<'reseedServiceSeen'>

interface OpenService {
  readonly host: string
  /** Its numbers of the owner's sites, by their names. */
  readonly sids: ReadonlyMap<string, number>
  /** One question about what is held, each with the sites that it is to be looked for on. */
  ask(wanted: ReadonlyMap<Held, readonly string[]>, isShown: IsShown): Promise<ReseedFinding[]>
  /** Why it is not asked at present. */
  reason(): Reason | undefined
}

/** Whether the downloader of what is held shows a torrent of that info hash as well. */
type IsShown = (held: Held, infoHash: string) => boolean

/** Undefined while there is no token for it. `chosen` are the sites that are looked on. */
export async function openService(deps: ReseedDeps, chosen: readonly SiteEntry[]): Promise<OpenService | undefined> {
  const { value, hasSecret, revision } = await deps.settings.read('reseedService')
  if (!hasSecret) return undefined
  const nowUnix = unixSeconds(deps.clock)
  let seen: Seen = (await deps.settings.read('reseedServiceSeen')).value
  const isResting = () => nowUnix < seen.restsUntilUnix
  async function remember(change: Partial<Seen>): Promise<void> {
    seen = { ...seen, ...change }
    // Of another address or token, which the owner gave meanwhile, nothing is known yet.
    const isSame = (await deps.settings.read('reseedService')).revision === revision
    if (isSame) await deps.settings.write('reseedServiceSeen', seen)
  }
  /** What it gave; undefined where it refused, and is left alone for a while. */
  async function given<T>(answer: Result<T, ReseedServiceRefusal>): Promise<T | undefined> {
    if (answer.ok) return answer.value
    const { reason, restSeconds, isThrottled } = answer.failure
    await remember({
      reason: storeReason(reason),
      restsUntilUnix: nowUnix + restSeconds,
      // What it calls the sites may be what it refused.
      ...(isThrottled ? {} : { sidSha1: '' }),
    })
    return undefined
  }

  const address = reseedAddressOf(value)
  const place = await placeOf(deps, address)
  if ('kind' in place)
    await remember({ reason: storeReason(place), restsUntilUnix: nowUnix + reseedServiceRestSeconds })
  else if (!isResting() && nowUnix - seen.sitesAtUnix >= reseedServiceSitesSeconds) {
    const sites = await given(await deps.service.sites(place))
    if (sites !== undefined) await remember({ sites: Object.fromEntries(sites), sitesAtUnix: nowUnix, reason: '' })
  }
  const sids = new Map(chosen.flatMap(({ record, target }) => sidsOf(record.name, target, seen)))

  return {
    host: new URL(address).host,
    sids,
    reason: () => (isResting() ? readReason(seen.reason) : undefined),
    async ask(wanted, isShown) {
      const held = [...wanted.keys()]
        .filter(({ torrent }) => isInfoHash(torrent.infoHash))
        .toSorted((one, other) => other.torrent.sizeBytes - one.torrent.sizeBytes)
        .slice(0, Math.min(reseedServiceHashesMax, Math.floor(reseedServiceRowsMax / Math.max(1, sids.size))))
      if ('kind' in place || isResting() || held.length === 0) return []
      const told = [...new Set(sids.values())].toSorted((one, other) => one - other)
      if (
        seen.sidSha1 === '' ||
        `${seen.told}` !== `${told}` ||
        nowUnix - seen.toldAtUnix >= reseedServiceToldSeconds
      ) {
        const sidSha1 = await given(await deps.service.tell(place, told))
        if (sidSha1 === undefined) return []
        await remember({ sidSha1, told, toldAtUnix: nowUnix })
      }
      const infoHashes = [...new Set(held.map(({ torrent }) => torrent.infoHash))]
      const found = await given(await deps.service.find(place, { infoHashes, sidSha1: seen.sidSha1 }))
      if (found === undefined) return []
      await remember({ askedAtUnix: nowUnix, reason: '' })
      return held.flatMap((one) => {
        const torrents = found.get(one.torrent.infoHash) ?? []
        return (wanted.get(one) ?? []).map((site) => {
          const torrent = torrents.find(({ sid }) => sid === sids.get(site))
          return { ...toldOf(site, 'service', one), ...saidOf(torrent, one, isShown) }
        })
      })
    },
  }
}

/** What it says is no more than a hint, but for a torrent that is there. */
function saidOf(torrent: ReseedServiceTorrent | undefined, held: Held, isShown: IsShown) {
  if (torrent === undefined) return { state: 'none' } as const
  const { torrentId, infoHash } = torrent
  const isThere = isShown(held, infoHash)
  return { state: isThere ? 'present' : 'told', torrentId, ...(isThere ? { otherHashes: [infoHash] } : {}) } as const
}

async function placeOf(deps: ReseedDeps, address: string): Promise<ReseedServicePlace | Reason> {
  const [token, proxy] = [await deps.settings.openSecret('reseedService'), await deps.proxy()]
  if (!token.ok) return serviceReason('reseed', { kind: 'secrets', state: token.failure })
  return proxy.ok ? { address, token: token.value, proxy: proxy.value } : serviceReason('reseed', proxy.failure)
}

/** Of version 1, which is what it knows torrents by. */
function isInfoHash(infoHash: string): boolean {
  return /^[0-9a-f]{40}$/.test(infoHash)
}

function sidsOf(name: string, { baseUrl, profile }: SiteTarget, { sites }: Seen): [string, number][] {
  const sid = sidOf([baseUrl, ...profile.hosts], sites)
  return sid === undefined ? [] : [[name, sid]]
}
