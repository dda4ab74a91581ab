import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PushFacts, PushRecordStore } from '../../adapters/d1/push-records.ts'
import type { DownloaderTarget, InfoHashes } from '../../core/downloader.ts'
import { gibBytes } from '../../core/gib-bytes.ts'
import { type FoundTorrent, gateSize, type SeedingCapacity, stopForCapacity } from '../../core/push-plan.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { isFree } from '../../core/site.ts'
import { isForeignFile, type SiteFault } from '../../core/site-fault.ts'
import { readTorrentFile, type TorrentFile } from '../../core/torrent-file.ts'
import { torrentFileBounds } from '../../limits.ts'
import type { DownloaderFleet } from '../../ports/downloaders.ts'
import type { PushOrder, PushOutcome } from '../../ports/pushes.ts'
import { infoHashesOf } from './info-hashes.ts'

export interface PushDeps {
  readonly records: PushRecordStore
  readonly fleet: Pick<DownloaderFleet, 'find' | 'add'>
  readonly site: { readonly name: string; readonly capacityGib: number }
  /** What a search shortly before said about it. */
  found(torrentId: string): Promise<FoundTorrent | undefined>
  download(torrentId: string, downloadKey: string | undefined): Promise<Result<Uint8Array, SiteFault>>
  /** What the account seeds at the site, and when that was read. Undefined when nobody can say. */
  seeding(): Promise<{ readonly bytes: number; readonly atUnix: number } | undefined>
  /** From now on the record is kept in step with the downloader. */
  follow(isFree: boolean): Promise<void>
  /** What became of it is passed on to those who want to know. */
  passOn(): Promise<void>
}

/** Brings one torrent of a site into a downloader. The caller sees to it that a site has one push at a time. */
export async function pushTorrentOf(
  deps: PushDeps,
  downloader: DownloaderTarget,
  order: PushOrder,
): Promise<Result<PushOutcome, SiteFault>> {
  const found = await deps.found(order.torrentId)
  const bytes = await deps.download(order.torrentId, found?.downloadKey)
  if (!bytes.ok) return isForeignFile(bytes.failure) && found === undefined ? failWith({ kind: 'search_first' }) : bytes
  const file = readTorrentFile(bytes.value, torrentFileBounds)
  if (!file.ok)
    return failWith(file.failure === 'too_large' ? { kind: 'too_large' } : { kind: 'broken', part: 'torrent' })
  const infoHashes = await infoHashesOf(file.value)
  const present = await deps.fleet.find(downloader, infoHashes)
  const shown = present.ok ? present.value[0] : undefined
  if (shown !== undefined) {
    if (order.source !== 'brush') await deps.records.claimed(downloader.id, shown.infoHash, order.source)
    return succeed({ kind: 'skipped', infoHash: shown.infoHash })
  }

  const facts = factsOf(deps.site.name, downloader, order, file.value, infoHashes, found)
  const id = await deps.records.begin(facts)
  // Whatever happens from here on, the scheduler finds out what came of it.
  await deps.follow(facts.free)
  const stopWith = async (kind: 'stopped' | 'refused', reason: Reason): Promise<Result<PushOutcome, SiteFault>> => {
    await deps.records.failed(id, reason)
    await deps.passOn()
    return succeed({ kind, infoHash: infoHashes[0], reason })
  }
  if (!present.ok) return stopWith('refused', present.failure)
  const sizeBytes = gateSize(file.value.sizeBytes, found)
  const full = stopForCapacity(await capacityOf(deps), sizeBytes)
  if (full !== undefined) return stopWith('stopped', full)
  const added = await deps.fleet.add(downloader, {
    content: bytes.value,
    infoHashes,
    sizeBytes,
    category: order.category,
    tags: order.tags,
    savePath: order.savePath,
    isPaused: order.isPaused === true,
  })
  switch (added.kind) {
    case 'added':
      await deps.records.succeeded(id, facts, added.infoHash)
      await deps.passOn()
      return succeed({ kind: 'pushed', infoHash: added.infoHash })
    case 'present':
      // Somebody else was quicker.
      await deps.records.dropped(id)
      return succeed({ kind: 'skipped', infoHash: added.infoHash })
    case 'stopped':
      return stopWith('stopped', added.reason)
    case 'refused':
      if (!added.mayHaveArrived) return stopWith('refused', added.reason)
      return succeed({ kind: 'refused', infoHash: infoHashes[0], reason: added.reason })
  }
}

/** Figures of the site are hours old: what was pushed since then counts too. */
export async function capacityOf(
  deps: Pick<PushDeps, 'site' | 'seeding'> & { readonly records: Pick<PushRecordStore, 'uncountedBytes'> },
): Promise<SeedingCapacity> {
  const capacityBytes = deps.site.capacityGib * gibBytes
  const seeding = capacityBytes === 0 ? undefined : await deps.seeding()
  const seedingBytes =
    seeding === undefined
      ? undefined
      : seeding.bytes + (await deps.records.uncountedBytes(deps.site.name, seeding.atUnix))
  return { capacityBytes, seedingBytes }
}

function factsOf(
  site: string,
  downloader: DownloaderTarget,
  order: PushOrder,
  file: TorrentFile,
  infoHashes: InfoHashes,
  found: FoundTorrent | undefined,
): PushFacts {
  const discount = found?.discount
  const free = isFree(discount)
  return {
    site,
    torrentId: order.torrentId,
    title: order.title || file.name || order.torrentId,
    sizeBytes: (found?.sizeBytes || file.sizeBytes) ?? 0,
    category: order.category,
    tags: order.tags.join(','),
    free,
    ...(discount === undefined || discount === 'NONE' ? {} : { freeLevel: discount }),
    // The end of half a price is not the end of a free download.
    ...(free && found?.discountEndAtUnix !== undefined ? { freeEndAtUnix: found.discountEndAtUnix } : {}),
    ...(order.unknownEnd === undefined ? {} : { unknownEnd: order.unknownEnd }),
    hasHr: found?.hasHr ?? false,
    source: order.source,
    downloader: downloader.name,
    downloaderId: downloader.id,
    infoHashes,
  }
}
