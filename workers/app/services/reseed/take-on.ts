/** Adds what a site has of a torrent beside it, has it checked, and starts it when all of it is there. */
import { unixSeconds } from '#shared/kernel/clock.ts'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { PushFacts } from '../../adapters/d1/push-records.ts'
import type { ReseedRow } from '../../adapters/d1/reseeds.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import { readTorrentFile } from '../../core/torrent-file.ts'
import { checkOutcome } from '../../core/transfers/transfer.ts'
import {
  torrentFileBounds,
  transferAttemptsMax,
  transferCheckSeconds,
  transferCheckStartSeconds,
} from '../../limits.ts'
import { infoHashesOf } from '../pushes/info-hashes.ts'
import type { ReseedDeps } from './reseed-deps.ts'

/** One that was cut off is added or looked at again, which changes nothing. */
export async function takeOn(
  deps: ReseedDeps,
  row: ReseedRow,
  targets: readonly DownloaderTarget[],
  file?: Uint8Array,
): Promise<void> {
  const target = targets.find(({ id }) => id === row.downloaderId)
  if (target === undefined) return
  const outcome = row.state === 'adding' ? await add(deps, row, target, file) : await check(deps, row, target)
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

/** The file is at hand when it was just compared. */
async function add(
  deps: ReseedDeps,
  row: ReseedRow,
  target: DownloaderTarget,
  compared: Uint8Array | undefined,
): Promise<Trouble | undefined> {
  const held = await deps.fleet.find(target, [row.infoHash])
  if (!held.ok) return again(held.failure)
  const torrent = held.value[0]
  if (torrent === undefined) return over({ kind: 'torrent_removed' })
  const bytes = compared === undefined ? await fetchAgain(deps, row) : succeed(compared)
  if (bytes === undefined) return over({ kind: 'none', what: 'site' })
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

async function fetchAgain(
  { sites, siteFleet, store }: ReseedDeps,
  row: ReseedRow,
): Promise<Result<Uint8Array, SiteFault> | undefined> {
  const site = await sites.find(row.site)
  if (site === undefined) return undefined
  await store.noteAsks(row.site, 1)
  return siteFleet.download(site.target, row.torrentId)
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
