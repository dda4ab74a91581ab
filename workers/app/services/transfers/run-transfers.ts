/**
 * Moves torrents from one downloader to another while their files stay where they are: added paused, checked, and only when
 * all of it is there the old one stops, the new one starts and the old one forgets it. Every step is written before it is
 * done and may be done twice, so that one that was cut off goes on.
 */
import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { OpenTransfer, TransferStore } from '../../adapters/d1/transfers.ts'
import type { DownloaderTarget, InfoHashes } from '../../core/downloader.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { Torrent } from '../../core/torrent.ts'
import { readTorrentFile } from '../../core/torrent-file.ts'
import { checkOutcome, mappedFolder } from '../../core/transfers/transfer.ts'
import {
  torrentFileBounds,
  transferAttemptsMax,
  transferCheckSeconds,
  transferCheckStartSeconds,
  transferLookSeconds,
} from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { SiteFleet, SiteStore } from '../../ports/sites.ts'
import type { Transfers } from '../../ports/transfers.ts'
import { infoHashesOf } from '../pushes/info-hashes.ts'

export interface TransferDeps {
  readonly clock: Clock
  readonly store: TransferStore
  readonly downloaders: Pick<DownloaderStore, 'list' | 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'find' | 'add' | 'act' | 'change' | 'exportFile'>
  readonly sites: Pick<SiteStore, 'find'>
  readonly siteFleet: Pick<SiteFleet, 'download'>
}

/** A step came to its end for good. */
type Step = { readonly kind: 'goes_on' } | { readonly kind: 'again'; readonly reason: Reason } | Over
type Over = { readonly kind: 'over'; readonly reason: Reason }

const goesOn: Step = { kind: 'goes_on' }
const again = (reason: Reason): Step => ({ kind: 'again', reason })
const over = (reason: Reason): Step => ({ kind: 'over', reason })

export function createTransfers(
  deps: Pick<TransferDeps, 'store'> & { readonly plan: () => Promise<void>; readonly wake: () => Promise<void> },
): Transfers {
  const soon = async () => {
    await deps.plan()
    await deps.wake()
  }
  return {
    list: () => deps.store.list(),
    async begin(order) {
      const begun = await deps.store.add(order)
      if (begun !== undefined) await soon()
      return begun
    },
    async stop(id) {
      const isStopped = await deps.store.stop(id)
      if (isStopped) await soon()
      return isStopped
    },
  }
}

/** Takes each of those whose turn it is one step on. Gives back when to look again. */
export async function runTransfers(
  deps: TransferDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const known = new Set((await deps.downloaders.list()).map(({ id }) => id))
  const targets = new Map((await deps.downloaders.targets()).map((target) => [target.id, target]))
  for (const transfer of await deps.store.open()) {
    const from = targets.get(transfer.fromId)
    const to = targets.get(transfer.toId)
    if (!known.has(transfer.fromId) || !known.has(transfer.toId)) {
      await deps.store.enter(transfer.id, 'failed', { kind: 'downloader_deleted' })
      continue
    }
    // One that is switched off is waited for.
    if (from === undefined || to === undefined) continue
    await settle(deps, transfer, from, to, await step(deps, transfer, from, to))
  }
  const isMore = await deps.store.isAnyOpen()
  return { dueAtUnix: isMore ? unixSeconds(deps.clock) + transferLookSeconds : undefined }
}

async function settle(
  deps: TransferDeps,
  transfer: OpenTransfer,
  from: DownloaderTarget,
  to: DownloaderTarget,
  outcome: Step,
): Promise<void> {
  if (outcome.kind === 'goes_on') return
  if (outcome.kind === 'again' && (await deps.store.retry(transfer.id, outcome.reason)) < transferAttemptsMax) return
  // What was begun at the other one is taken back; its files are those of the old one, and stay.
  const { infoHash, state, wasPaused } = transfer
  const old = state === 'switching' ? await deps.fleet.find(from, [infoHash]) : undefined
  // The old one may have gone without anybody hearing of it: the last of the two stays.
  const isOldThere = old === undefined || (old.ok && old.value.length > 0)
  if (state !== 'waiting' && isOldThere) {
    const shown = await shownThere(deps, transfer, to)
    if (shown.ok && shown.value !== undefined) await deps.fleet.act(to, 'delete', [shown.value.infoHash])
  }
  if (state === 'switching' && isOldThere && !wasPaused) await deps.fleet.act(from, 'resume', [infoHash])
  await deps.store.enter(transfer.id, 'failed', outcome.reason)
}

function step(
  deps: TransferDeps,
  transfer: OpenTransfer,
  from: DownloaderTarget,
  to: DownloaderTarget,
): Promise<Step> | Step {
  if (transfer.isStopped && transfer.state !== 'switching') return over({ kind: 'transfer.stopped' })
  switch (transfer.state) {
    case 'waiting':
      return begin(deps, transfer, from, to)
    case 'adding':
      return add(deps, transfer, from, to)
    case 'checking':
      return check(deps, transfer, to)
    case 'switching':
      return switchOver(deps, transfer, from, to)
  }
}

/** Looks whether it can be moved, before anything is done. */
async function begin(
  { fleet, store }: TransferDeps,
  { id, infoHash, folder }: OpenTransfer,
  from: DownloaderTarget,
  to: DownloaderTarget,
): Promise<Step> {
  const held = await fleet.find(from, [infoHash])
  if (!held.ok) return again(held.failure)
  const torrent = held.value[0]
  if (torrent === undefined) return over({ kind: 'none', what: 'torrent' })
  if (torrent.progressPercent < 100) return over({ kind: 'transfer.incomplete' })
  if (mappedFolder(torrent.savePath, folder) === undefined) return over({ kind: 'transfer.not_whole', percent: 0 })
  const present = await fleet.find(to, [infoHash])
  if (!present.ok) return again(present.failure)
  if (present.value.length > 0) return over({ kind: 'push.there_already' })
  if (torrent.state === 'paused' || torrent.state === 'stopped') await store.notePaused(id)
  await store.enter(id, 'adding')
  return goesOn
}

async function add(
  deps: TransferDeps,
  { id, infoHash, folder }: OpenTransfer,
  from: DownloaderTarget,
  to: DownloaderTarget,
): Promise<Step> {
  const held = await deps.fleet.find(from, [infoHash])
  if (!held.ok) return again(held.failure)
  const torrent = held.value[0]
  if (torrent === undefined) return over({ kind: 'none', what: 'torrent' })
  const file = await fileOf(deps, from, infoHash)
  if (!file.ok) return file.failure
  const { bytes, infoHashes } = file.value
  await deps.store.noteHashes(id, infoHashes)
  const added = await deps.fleet.add(to, {
    content: bytes,
    infoHashes,
    // Its files are there: it takes no room.
    sizeBytes: 0,
    category: torrent.category,
    tags: torrent.tags === '' ? [] : torrent.tags.split(','),
    savePath: mappedFolder(torrent.savePath, folder) ?? torrent.savePath,
    isPaused: true,
  })
  if (added.kind === 'stopped') return over(added.reason)
  if (added.kind === 'refused') return added.mayHaveArrived ? again(added.reason) : over(added.reason)
  // Present: it was added by a step that was cut off.
  const checked = await deps.fleet.change(to, { kind: 'recheck' }, [added.infoHash])
  const failure = checked.ok ? checked.value[0]?.reason : checked.failure
  if (failure !== undefined) return again(failure)
  await deps.store.enter(id, 'checking')
  return goesOn
}

/** As the other downloader shows it: of a torrent of both versions programs differ in the hash they show. */
async function shownThere(
  { fleet }: Pick<TransferDeps, 'fleet'>,
  { otherHashes }: Pick<OpenTransfer, 'otherHashes'>,
  to: DownloaderTarget,
): Promise<Result<Torrent | undefined, Reason>> {
  const found = await fleet.find(to, otherHashes)
  return found.ok ? succeed(found.value[0]) : found
}

/** From its downloader where that hands it out, else from the site it was pushed from. */
async function fileOf(
  { fleet, store, sites, siteFleet }: TransferDeps,
  from: DownloaderTarget,
  infoHash: string,
): Promise<Result<KnownFile, Step>> {
  const exported = await fleet.exportFile(from, infoHash)
  if (exported.ok && exported.value !== undefined) return checkedFile(exported.value, infoHash)
  if (!exported.ok && exported.failure.kind !== 'downloader.unsupported') return failWith(again(exported.failure))
  const push = await store.pushOf(from.id, infoHash)
  const site = push === undefined ? undefined : await sites.find(push.site)
  if (push === undefined || site === undefined) return failWith(over({ kind: 'transfer.no_file' }))
  const file = await siteFleet.download(site.target, push.torrentId)
  if (!file.ok) return failWith(again(siteReason(file.failure)))
  return checkedFile(file.value, infoHash)
}

interface KnownFile {
  readonly bytes: Uint8Array
  readonly infoHashes: InfoHashes
}

async function checkedFile(bytes: Uint8Array, infoHash: string): Promise<Result<KnownFile, Step>> {
  const file = readTorrentFile(bytes, torrentFileBounds)
  const infoHashes = file.ok ? await infoHashesOf(file.value) : undefined
  return infoHashes?.includes(infoHash) === true
    ? succeed({ bytes, infoHashes })
    : failWith(over({ kind: 'transfer.other_file' }))
}

async function check(deps: TransferDeps, transfer: OpenTransfer, to: DownloaderTarget): Promise<Step> {
  const { store, clock } = deps
  const { id, sinceUnix } = transfer
  const found = await shownThere(deps, transfer, to)
  if (!found.ok) return again(found.failure)
  const torrent = found.value
  if (torrent === undefined) return over({ kind: 'torrent_removed' })
  const outcome = checkOutcome(torrent, {
    waited: unixSeconds(clock) - sinceUnix,
    startMax: transferCheckStartSeconds,
    endMax: transferCheckSeconds,
  })
  if (outcome === 'wait') return goesOn
  if (outcome === 'too_slow') return over({ kind: 'transfer.too_slow' })
  if (typeof outcome === 'object')
    return over({ kind: 'transfer.not_whole', percent: Math.round(outcome.percent * 10) / 10 })
  await store.enter(id, 'switching')
  return goesOn
}

/** A tracker sees one of them at a time: the old one stops before the new one starts. */
async function switchOver(
  deps: TransferDeps,
  transfer: OpenTransfer,
  from: DownloaderTarget,
  to: DownloaderTarget,
): Promise<Step> {
  const { fleet, store } = deps
  const { id, infoHash, wasPaused } = transfer
  const here = await shownThere(deps, transfer, to)
  if (!here.ok) return again(here.failure)
  const shown = here.value
  if (shown === undefined || shown.progressPercent < 100)
    return over({ kind: 'transfer.not_whole', percent: shown?.progressPercent ?? 0 })
  const there = await fleet.find(from, [infoHash])
  if (!there.ok) return again(there.failure)
  const isThere = there.value.length > 0
  const deeds = [
    ...(isThere ? [[from, 'pause', infoHash] as const] : []),
    ...(wasPaused ? [] : [[to, 'resume', shown.infoHash] as const]),
    ...(isThere ? [[from, 'delete', infoHash] as const] : []),
  ]
  for (const [target, action, hash] of deeds) {
    const acted = await fleet.act(target, action, [hash])
    const failure = acted.ok ? (acted.value[0]?.success === true ? undefined : acted.value[0]?.reason) : acted.failure
    if (failure !== undefined) return again(failure)
  }
  await store.movePush(from.id, infoHash, to)
  await store.enter(id, 'done')
  return goesOn
}
