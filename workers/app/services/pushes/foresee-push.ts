import type { DownloaderTarget } from '../../core/downloader.ts'
import { gateSize, type PushGate, stopForCapacity, stopForSpace } from '../../core/push-plan.ts'
import type { DownloaderFleet } from '../../ports/downloaders.ts'
import type { ForeseenPush } from '../../ports/pushes.ts'
import { capacityOf, type PushDeps } from './push-torrent.ts'

type ForesightDeps = Pick<PushDeps, 'site' | 'found' | 'seeding'> & {
  readonly records: Pick<PushDeps['records'], 'hashesOf' | 'uncountedBytes'>
  readonly fleet: Pick<DownloaderFleet, 'find' | 'space'>
}

/** What a push would meet now, by the figures it would go by. Nothing is fetched, sent or written down. */
export async function foreseePush(
  deps: ForesightDeps,
  downloader: DownloaderTarget,
  wish: ForeseenPush,
): Promise<PushGate[]> {
  const sizeBytes = gateSize(wish.sizeBytes, await deps.found(wish.torrentId))
  return Promise.all([
    presenceOf(deps, downloader, wish),
    capacityFor(deps, sizeBytes),
    roomFor(deps, downloader, wish.savePath, sizeBytes),
  ])
}

/** A site that keeps the hash to itself tells it in the file only; of what was sent before it is known. */
async function presenceOf(
  { site, records, fleet }: ForesightDeps,
  downloader: DownloaderTarget,
  { torrentId, infoHash }: ForeseenPush,
): Promise<PushGate> {
  const told = infoHash === undefined ? [] : [infoHash.toLowerCase()]
  const infoHashes = [...new Set([...told, ...(await records.hashesOf(site.name, torrentId))])]
  const seen = await fleet.find(downloader, infoHashes)
  // No gate is asked where the downloader cannot be.
  if (!seen.ok) return { gate: 'present', state: 'shut', reason: seen.failure }
  if (seen.value.length > 0) return { gate: 'present', state: 'shut', reason: { kind: 'push.there_already' } }
  return { gate: 'present', state: infoHashes.length === 0 ? 'unknown' : 'open' }
}

async function capacityFor(deps: ForesightDeps, sizeBytes: number | undefined): Promise<PushGate> {
  const capacity = await capacityOf(deps)
  const reason = stopForCapacity(capacity, sizeBytes)
  const told = { gate: 'capacity', ...(capacity.capacityBytes === 0 ? {} : { capacity }) } as const
  return reason === undefined ? { ...told, state: 'open' } : { ...told, state: 'shut', reason }
}

async function roomFor(
  { fleet }: ForesightDeps,
  downloader: DownloaderTarget,
  savePath: string,
  sizeBytes: number | undefined,
): Promise<PushGate> {
  const read = await fleet.space(downloader, savePath)
  if (!read.ok) return { gate: 'space', state: 'shut', reason: read.failure }
  const reason = stopForSpace(read.value, sizeBytes)
  const told = { gate: 'space', space: read.value } as const
  return reason === undefined ? { ...told, state: 'open' } : { ...told, state: 'shut', reason }
}
