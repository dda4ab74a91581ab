/**
 * What one site has of what the disks hold: by the hash of their pieces where it keeps one, of many at once, else of one by its
 * name and size. Either way the site's own file is believed, and nothing else. Whether a site marks a torrent for its hit and
 * runs stands in its lists alone: a duty is noted for who announces that something is left or that it completed, and what is
 * started whole announces neither.
 */
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { ReseedFinding } from '../../adapters/d1/reseeds.ts'
import { readSearchRows } from '../../contract/search-rows.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { ReseedWay } from '../../core/reseed/reseed.ts'
import { areSameFiles, layoutOf, nearestInSize, searchWordsOf } from '../../core/reseed/same-files.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import { type ListedFile, readTorrentFile } from '../../core/torrent-file.ts'
import {
  reseedAsksPerLookMin,
  reseedFilesPerSearch,
  reseedSizeShare,
  reseedWordsCharactersMax,
  torrentFileBounds,
  torrentFilesShownMax,
} from '../../limits.ts'
import type { SiteEntry } from '../../ports/sites.ts'
import { infoHashesOf } from '../pushes/info-hashes.ts'
import type { HashesOfLook } from './piece-hashes.ts'
import type { Held, ReseedDeps } from './reseed-deps.ts'

export interface SiteLook {
  readonly asks: number
  readonly findings: readonly ReseedFinding[]
  /** Of what is to be added, by its number at the site. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly reason?: Reason
  /** It was asked by pieces, and takes no such question. */
  readonly isWithoutPieces?: true
}

type LookDeps = Pick<ReseedDeps, 'siteFleet' | 'fleet'>

/** What of a site is left to be done in one look. */
interface SiteLeft {
  /** Asks. */
  readonly left: number
  readonly hashesOf: HashesOfLook
  /** Whether it may be asked by pieces, as far as is known. */
  readonly takesPieces: boolean
  /** Whether a service knows what it has, so that it is not searched. */
  readonly isKnown: boolean
}

/** `held` is not empty, the largest first. */
export async function lookAtSite(
  deps: LookDeps,
  site: SiteEntry,
  held: readonly [Held, ...Held[]],
  { left, hashesOf, takesPieces, isKnown }: SiteLeft,
): Promise<SiteLook> {
  // No file is fetched from a downloader for a site that would not be asked by it.
  const byHash = takesPieces ? await hashesOf.of(held) : new Map<string, readonly Held[]>()
  if (byHash.size === 0) return isKnown ? nothing : byName(deps, site, held[0], left)
  const answer = await deps.siteFleet.findByPieces(site.target, [...byHash.keys()])
  if (!answer.ok) return { ...nothing, reason: siteReason(answer.failure) }
  const { asks, torrents } = answer.value
  if (torrents.ok) return byPieces(deps, site, { byHash, torrents: torrents.value, asks, left })
  if (torrents.failure.kind !== 'unsupported') return { ...nothing, asks, reason: siteReason(torrents.failure) }
  // What it took to learn that counts as well.
  if (isKnown || left - asks < reseedAsksPerLookMin) return { ...nothing, asks, isWithoutPieces: true }
  const named = await byName(deps, site, held[0], left - asks)
  return { ...named, asks: asks + named.asks }
}

const nothing: SiteLook = { asks: 0, findings: [], files: new Map() }

export function toldOf(site: string, way: ReseedWay, { target, torrent }: Held) {
  const { infoHash, title, sizeBytes } = torrent
  return { downloaderId: target.id, infoHash, title, sizeBytes, site, way }
}

/** What is not there is known of all at once. */
async function byPieces(
  deps: LookDeps,
  site: SiteEntry,
  given: {
    readonly byHash: ReadonlyMap<string, readonly Held[]>
    readonly torrents: ReadonlyMap<string, string>
    readonly asks: number
    readonly left: number
  },
): Promise<SiteLook> {
  const { byHash, torrents, asks, left } = given
  const missing = [...byHash].flatMap(([hash, holders]) => (torrents.has(hash) ? [] : holders))
  const there = [...byHash].map(([hash, holders]) => ({ holders, torrentId: torrents.get(hash) ?? '' }))
  const look = await compareThere(deps, site, 'pieces', { there, asks, left })
  const none = missing.map((one) => ({ ...toldOf(site.record.name, 'pieces', one), state: 'none' as const }))
  return { ...look, findings: [...none, ...look.findings] }
}

export interface There {
  /** Of one content, the first first. */
  readonly holders: readonly Held[]
  /** Empty for what the site has not. */
  readonly torrentId: string
}

/** Of what a site is said to have, so many files are read in one look. */
export async function compareThere(
  deps: LookDeps,
  site: SiteEntry,
  way: ReseedWay,
  given: { readonly there: readonly There[]; readonly asks: number; readonly left: number },
): Promise<SiteLook> {
  let { asks } = given
  const filesEnd = asks + Math.min(reseedFilesPerSearch, given.left - asks)
  const findings: ReseedFinding[] = []
  const files = new Map<string, Uint8Array>()
  const told = (one: Held) => toldOf(site.record.name, way, one)
  for (const { holders, torrentId } of given.there) {
    const [first] = holders
    if (first === undefined || torrentId === '' || asks >= filesEnd) continue
    const end = (reason: Reason): SiteLook => ({ asks, findings, files, reason })
    const held = await filesOf(deps, first)
    if (!held.ok) return end(held.failure)
    let same: Comparison = otherFiles
    if (held.value !== undefined) {
      asks += 1
      const bytes = await deps.siteFleet.download(site.target, torrentId)
      if (!bytes.ok) {
        const reason = siteReason(bytes.failure)
        if (!isOfTorrent(bytes.failure)) return end(reason)
        findings.push({ ...told(first), state: 'none', reason })
        continue
      }
      same = await compare(deps, first, held.value, bytes.value)
      if (same.state === 'adding') files.set(torrentId, bytes.value)
    }
    if (same.state === 'unknown') return end(same.reason)
    findings.push({ ...told(first), ...same, ...(same.state === 'other' ? {} : { torrentId }) })
    if (same.state === 'other') continue
    // The same content twice in one downloader is there once it is added.
    for (const one of holders.slice(1).filter(({ target }) => target.id === first.target.id))
      findings.push({ ...told(one), ...same, torrentId, state: 'present' })
  }
  return { asks, findings, files }
}

/** May be of this torrent alone, which would else be in the way of all after it, in every look. */
function isOfTorrent({ kind }: SiteFault): boolean {
  return kind === 'status' || kind === 'broken' || kind === 'search_first' || kind === 'refused' || kind === 'too_large'
}

/** A search is one ask, and each file another. */
async function byName(deps: LookDeps, site: SiteEntry, one: Held, left: number): Promise<SiteLook> {
  let asks = 1
  const { torrent } = one
  const told = toldOf(site.record.name, 'name', one)
  const end = (finding: Pick<ReseedFinding, 'state'> & Partial<ReseedFinding>): SiteLook => ({
    ...{ asks, findings: [{ ...told, ...finding }], files: new Map() },
    ...(finding.state === 'unanswered' && finding.reason !== undefined ? { reason: finding.reason } : {}),
  })
  /** Nothing was learnt of the torrent: it comes first again. */
  const trouble = (reason: Reason): SiteLook => ({ ...nothing, asks, reason })
  const keyword = searchWordsOf(torrent.title, reseedWordsCharactersMax)
  const found = await deps.siteFleet.search(site.target, { keyword, freeOnly: false, minSeeders: 0 })
  if (!found.ok) {
    const reason = siteReason(found.failure)
    return isOfTorrent(found.failure) ? end({ state: 'unanswered', reason }) : trouble(reason)
  }
  const near = nearestInSize(readSearchRows(found.value), torrent.sizeBytes, {
    share: reseedSizeShare,
    max: Math.min(reseedFilesPerSearch, left - asks),
  })
  if (near.length === 0) return end({ state: 'none' })
  const held = await filesOf(deps, one)
  if (!held.ok) return trouble(held.failure)
  if (held.value === undefined) return end(otherFiles)
  for (const row of near) {
    asks += 1
    const bytes = await deps.siteFleet.download(site.target, row.torrent_id)
    if (!bytes.ok && !isOfTorrent(bytes.failure)) return trouble(siteReason(bytes.failure))
    if (!bytes.ok) continue
    const same = await compare(deps, one, held.value, bytes.value)
    if (same.state === 'other') continue
    if (same.state === 'unknown') return trouble(same.reason)
    const match = end({ ...same, torrentId: row.torrent_id, otherTitle: row.title, hasHr: row.has_hr })
    return { ...match, files: new Map([[row.torrent_id, bytes.value]]) }
  }
  return end(otherFiles)
}

type Comparison =
  | { readonly state: 'other'; readonly reason: Reason }
  | { readonly state: 'unknown'; readonly reason: Reason }
  | { readonly state: 'adding' | 'present'; readonly otherTitle: string; readonly otherHashes: readonly string[] }

const otherFiles = { state: 'other', reason: { kind: 'reseed.other_files' } } as const

/** As its downloader shows them; undefined for more than it shows, and what is not known is not the same. */
async function filesOf(
  { fleet }: LookDeps,
  { target, torrent }: Held,
): Promise<Result<readonly ListedFile[] | undefined, Reason>> {
  const details = await fleet.details(target, torrent.infoHash)
  if (!details.ok) return details
  const files = details.value?.files ?? []
  return succeed(files.length < torrentFilesShownMax ? files : undefined)
}

async function compare(
  { fleet }: LookDeps,
  { target }: Held,
  files: readonly ListedFile[],
  bytes: Uint8Array,
): Promise<Comparison> {
  const file = readTorrentFile(bytes, torrentFileBounds)
  const layout = file.ok ? layoutOf(file.value) : undefined
  if (!file.ok || layout === undefined || !areSameFiles(files, layout)) return otherFiles
  const otherHashes = await infoHashesOf(file.value)
  const present = await fleet.find(target, otherHashes)
  if (!present.ok) return { state: 'unknown', reason: present.failure }
  return { state: present.value.length > 0 ? 'present' : 'adding', otherTitle: file.value.name, otherHashes }
}
