/**
 * Looks on other sites for what the disks hold. What a site has of it is believed when its own file lists the very files, is
 * added paused beside them, checked by its downloader, and started only when all of it is there.
 */
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { PushFacts, PushRecordStore } from '../../adapters/d1/push-records.ts'
import type { ReseedFinding, ReseedRow, ReseedStore } from '../../adapters/d1/reseeds.ts'
import { readSearchRows } from '../../contract/search-rows.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import { areSameFiles, layoutOf, nearestInSize, searchWordsOf } from '../../core/reseed/same-files.ts'
import type { Torrent } from '../../core/torrent.ts'
import { readTorrentFile } from '../../core/torrent-file.ts'
import { checkOutcome } from '../../core/transfers/transfer.ts'
import {
  reseedBytesMin,
  reseedFilesPerSearch,
  reseedLookSeconds,
  reseedOpenLookSeconds,
  reseedSizeShare,
  reseedWordsCharactersMax,
  torrentFileBounds,
  torrentFilesShownMax,
  transferAttemptsMax,
  transferCheckSeconds,
  transferCheckStartSeconds,
} from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { Reseeds } from '../../ports/reseeds.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import type { SiteEntry, SiteFleet, SiteStore } from '../../ports/sites.ts'
import { allTorrentsOf } from '../downloaders/all-torrents.ts'
import { infoHashesOf } from '../pushes/info-hashes.ts'

export interface ReseedDeps {
  readonly clock: Clock
  readonly settings: Pick<OwnerSettings, 'read'>
  readonly store: ReseedStore
  readonly records: Pick<PushRecordStore, 'begin' | 'succeeded'>
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'select' | 'find' | 'details' | 'add' | 'change' | 'act'>
  readonly sites: Pick<SiteStore, 'list' | 'find'>
  readonly siteFleet: Pick<SiteFleet, 'search' | 'download'>
  /** Records of pushes are followed from now on. */
  follow(): Promise<void>
}

interface Held {
  readonly target: DownloaderTarget
  readonly torrent: Torrent
}

export async function isReseeding({ settings, store }: Pick<ReseedDeps, 'settings' | 'store'>): Promise<boolean> {
  return (await settings.read('reseed')).value.enabled || (await store.isAnyOpen())
}

export function createReseeds(deps: {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly store: ReseedStore
  readonly lookSoon: () => Promise<void>
}): Reseeds {
  return {
    settings: async () => (await deps.settings.read('reseed')).value,
    async change({ enabled, sites, asksPerDay }) {
      await deps.settings.write('reseed', { enabled, sites: [...sites], asksPerDay })
      await deps.lookSoon()
    },
    list: () => deps.store.list(),
    asksToday: () => deps.store.asksToday(),
  }
}

/** Takes on what is under way, and asks each site about one torrent. Gives back when to look again. */
export async function runReseed(
  deps: ReseedDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const { value } = await deps.settings.read('reseed')
  const targets = await deps.downloaders.targets()
  const errors: NamedReason[] = []
  for (const row of await deps.store.open()) {
    const target = targets.find(({ id }) => id === row.downloaderId)
    if (target !== undefined) await takeOn(deps, row, target)
  }
  if (value.enabled && !(await deps.store.isAnyOpen())) errors.push(...(await askSites(deps, value, targets)))
  const isOpen = await deps.store.isAnyOpen()
  const seconds = isOpen ? reseedOpenLookSeconds : reseedLookSeconds
  return {
    dueAtUnix: isOpen || value.enabled ? unixSeconds(deps.clock) + seconds : undefined,
    ...(errors.length === 0 ? {} : { reason: { kind: 'several', of: errors } }),
  }
}

async function askSites(
  deps: ReseedDeps,
  { sites, asksPerDay }: { readonly sites: readonly string[]; readonly asksPerDay: number },
  targets: readonly DownloaderTarget[],
): Promise<NamedReason[]> {
  const asked = await deps.store.asksToday()
  const wanted = (await deps.sites.list()).filter(
    ({ record }) => record.enabled && sites.includes(record.name) && (asked.get(record.name) ?? 0) < asksPerDay,
  )
  if (wanted.length === 0) return []
  const errors: NamedReason[] = []
  const held: Held[] = []
  for (const target of targets) {
    const torrents = await allTorrentsOf(deps.fleet, target)
    if (!torrents.ok) errors.push({ name: target.name, reason: torrents.failure })
    else held.push(...torrents.value.filter(isWorthAsking).map((torrent) => ({ target, torrent })))
  }
  // The largest first: what gives most for one ask.
  held.sort((one, other) => other.torrent.sizeBytes - one.torrent.sizeBytes)
  for (const site of wanted) {
    const left = asksPerDay - (asked.get(site.record.name) ?? 0)
    const next = await nextFor(deps, site.record.name, held)
    if (next === undefined) continue
    const finding = await lookFor(deps, site, next, left)
    await deps.store.note(finding)
    if (finding.reason !== undefined && finding.state !== 'other')
      errors.push({ name: site.record.name, reason: finding.reason })
  }
  return errors
}

function isWorthAsking({ progressPercent, sizeBytes, state }: Torrent): boolean {
  return progressPercent >= 100 && sizeBytes >= reseedBytesMin && state !== 'error' && state !== 'checking'
}

async function nextFor({ store }: ReseedDeps, site: string, held: readonly Held[]): Promise<Held | undefined> {
  const done = new Map<number, ReadonlySet<string>>()
  for (const one of held) {
    const { id } = one.target
    const known = done.get(id) ?? (await store.done(site, id))
    done.set(id, known)
    if (!known.has(one.torrent.infoHash)) return one
  }
  return undefined
}

/** What one site has of one torrent. `left` asks are there, of which a search is one and each file another. */
async function lookFor(
  { siteFleet, fleet }: ReseedDeps,
  { record, target: site }: SiteEntry,
  { target, torrent }: Held,
  left: number,
): Promise<ReseedFinding> {
  let asks = 1
  const told = {
    ...{ downloaderId: target.id, infoHash: torrent.infoHash, title: torrent.title, sizeBytes: torrent.sizeBytes },
    site: record.name,
  }
  const keyword = searchWordsOf(torrent.title, reseedWordsCharactersMax)
  const found = await siteFleet.search(site, { keyword, freeOnly: false, minSeeders: 0 })
  if (!found.ok) return { ...told, asks, state: 'none', reason: siteReason(found.failure) }
  const near = nearestInSize(readSearchRows(found.value), torrent.sizeBytes, {
    share: reseedSizeShare,
    max: Math.min(reseedFilesPerSearch, left - 1),
  })
  if (near.length === 0) return { ...told, asks, state: 'none' }
  const details = await fleet.details(target, torrent.infoHash)
  if (!details.ok) return { ...told, asks, state: 'none', reason: details.failure }
  const files = details.value?.files ?? []
  // Of more no list is shown, and what is not known is not the same.
  if (files.length >= torrentFilesShownMax)
    return { ...told, asks, state: 'other', reason: { kind: 'reseed.other_files' } }
  for (const row of near) {
    asks += 1
    const bytes = await siteFleet.download(site, row.torrent_id)
    if (!bytes.ok) continue
    const file = readTorrentFile(bytes.value, torrentFileBounds)
    const layout = file.ok ? layoutOf(file.value) : undefined
    if (!file.ok || layout === undefined || !areSameFiles(files, layout)) continue
    const otherHashes = await infoHashesOf(file.value)
    const match = { ...told, asks, torrentId: row.torrent_id, otherTitle: row.title, otherHashes, hasHr: row.has_hr }
    const present = await fleet.find(target, otherHashes)
    if (!present.ok) return { ...told, asks, state: 'none', reason: present.failure }
    return { ...match, state: present.value.length > 0 ? 'present' : 'adding' }
  }
  return { ...told, asks, state: 'other', reason: { kind: 'reseed.other_files' } }
}

/** One that was cut off is added or looked at again, which changes nothing. */
async function takeOn(deps: ReseedDeps, row: ReseedRow, target: DownloaderTarget): Promise<void> {
  const outcome = row.state === 'adding' ? await add(deps, row, target) : await check(deps, row, target)
  if (outcome === undefined) return
  const { reason, isOver } = outcome
  if (!isOver && (await deps.store.retry(row.id, reason)) < transferAttemptsMax) return
  const shown = await deps.fleet.find(target, row.otherHashes.split(','))
  // Its files are another torrent's, and stay.
  if (shown.ok && shown.value[0] !== undefined) await deps.fleet.act(target, 'delete', [shown.value[0].infoHash])
  await deps.store.enter(row.id, 'failed', reason)
}

interface Trouble {
  readonly reason: Reason
  readonly isOver: boolean
}
const again = (reason: Reason): Trouble => ({ reason, isOver: false })
const over = (reason: Reason): Trouble => ({ reason, isOver: true })

async function add(deps: ReseedDeps, row: ReseedRow, target: DownloaderTarget): Promise<Trouble | undefined> {
  const held = await deps.fleet.find(target, [row.infoHash])
  if (!held.ok) return again(held.failure)
  const torrent = held.value[0]
  if (torrent === undefined) return over({ kind: 'torrent_removed' })
  const site = await deps.sites.find(row.site)
  if (site === undefined) return over({ kind: 'none', what: 'site' })
  const bytes = await deps.siteFleet.download(site.target, row.torrentId)
  if (!bytes.ok) return again(siteReason(bytes.failure))
  const file = readTorrentFile(bytes.value, torrentFileBounds)
  const infoHashes = file.ok ? await infoHashesOf(file.value) : undefined
  if (infoHashes === undefined || infoHashes.join(',') !== row.otherHashes) return over({ kind: 'transfer.other_file' })
  const added = await deps.fleet.add(target, {
    content: bytes.value,
    infoHashes,
    // Its files are there: it takes no room.
    sizeBytes: 0,
    category: torrent.category,
    tags: ['reseed'],
    savePath: torrent.savePath,
    isPaused: true,
  })
  if (added.kind === 'stopped') return over(added.reason)
  if (added.kind === 'refused') return added.mayHaveArrived ? again(added.reason) : over(added.reason)
  const checked = await deps.fleet.change(target, { kind: 'recheck' }, [added.infoHash])
  const failure = checked.ok ? checked.value[0]?.reason : checked.failure
  if (failure !== undefined) return again(failure)
  await deps.store.enter(row.id, 'checking')
  return undefined
}

async function check(deps: ReseedDeps, row: ReseedRow, target: DownloaderTarget): Promise<Trouble | undefined> {
  const infoHashes = row.otherHashes.split(',')
  const found = await deps.fleet.find(target, infoHashes)
  if (!found.ok) return again(found.failure)
  const torrent = found.value[0]
  if (torrent === undefined) return over({ kind: 'torrent_removed' })
  const outcome = checkOutcome(torrent, {
    waited: unixSeconds(deps.clock) - row.sinceUnix,
    startMax: transferCheckStartSeconds,
    endMax: transferCheckSeconds,
  })
  if (outcome === 'wait') return undefined
  if (outcome === 'too_slow') return over({ kind: 'transfer.too_slow' })
  if (typeof outcome === 'object')
    return over({ kind: 'reseed.not_whole', percent: Math.round(outcome.percent * 10) / 10 })
  const started = await deps.fleet.act(target, 'resume', [torrent.infoHash])
  const failure = started.ok ? started.value[0]?.reason : started.failure
  if (failure !== undefined && !(started.ok && started.value[0]?.success === true)) return again(failure)
  const facts: PushFacts = {
    ...{ site: row.site, torrentId: row.torrentId, title: row.otherTitle, sizeBytes: row.sizeBytes },
    ...{ category: torrent.category, tags: 'reseed', free: false, hasHr: row.hasHr, source: 'reseed' },
    ...{ downloader: target.name, downloaderId: target.id, infoHashes },
  }
  await deps.records.succeeded(await deps.records.begin(facts), facts, torrent.infoHash)
  await deps.follow()
  await deps.store.enter(row.id, 'seeding')
  return undefined
}
