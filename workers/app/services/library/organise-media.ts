import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import type { MediaHistoryStore } from '../../adapters/d1/media-history.ts'
import type { MediaItem, MediaOutcome } from '../../adapters/d1/media-items.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import { isSameFolder } from '../../core/folder.ts'
import { libraryFolder } from '../../core/media/library-folder.ts'
import { isHeldAlready, replaces } from '../../core/media/organise-plan.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import type { Torrent } from '../../core/torrent.ts'
import {
  lostPushSeconds,
  moveGraceSeconds,
  moveLookSeconds,
  moveSeconds,
  organiseRetrySeconds,
  organiseRunMs,
  organiseWaitSeconds,
  titleFolderBytesMax,
} from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { Libraries } from '../../ports/library.ts'
import type { QualityProfiles } from '../../ports/subscriptions.ts'

export interface OrganiseDeps {
  readonly clock: Clock
  readonly history: MediaHistoryStore
  readonly libraries: Pick<Libraries, 'list'>
  readonly profiles: Pick<QualityProfiles, 'of'>
  readonly downloaders: Pick<DownloaderStore, 'list' | 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'find' | 'move'>
}

const gone: Reason = { kind: 'torrent_removed' }

/** Brings what is complete into its library. Gives back when to look again, and what could not be asked. */
export async function organiseMedia(
  deps: OrganiseDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const { clock, history } = deps
  await history.begin()
  const startedAtMs = clock.nowMs()
  const targets = new Map((await deps.downloaders.targets()).map((target) => [target.id, target]))
  const known = new Set((await deps.downloaders.list()).map(({ id }) => id))
  /** Those that did not answer in this run: they are not waited for again. */
  const silent = new Map<number, NamedReason>()
  for (const item of await history.due(moveLookSeconds)) {
    if (clock.nowMs() - startedAtMs >= organiseRunMs) break
    const target = targets.get(item.downloaderId)
    if (!known.has(item.downloaderId)) await giveUp(deps, item, 'failed', { kind: 'downloader_deleted' })
    // Switched off meanwhile: gone on with once it is on.
    else if (target === undefined) await history.postponed(item.id, { seconds: organiseWaitSeconds })
    else if (!silent.has(target.id)) {
      const fault = await organiseOne(deps, target, item)
      if (fault !== undefined) silent.set(target.id, { name: target.name, reason: fault })
    }
  }
  const dueAtUnix = await history.nextAtUnix()
  return { dueAtUnix, ...(silent.size === 0 ? {} : { reason: { kind: 'several', of: [...silent.values()] } }) }
}

/** Gives back why the downloader could not be asked. */
async function organiseOne(deps: OrganiseDeps, target: DownloaderTarget, item: MediaItem): Promise<Reason | undefined> {
  const { history } = deps
  const found = await deps.fleet.find(target, item.infoHashes)
  if (!found.ok) {
    await tryLater(deps, item, found.failure)
    return found.failure
  }
  const [torrent] = found.value
  if (torrent === undefined) return missed(deps, item)
  if (torrent.progressPercent < 100) return tryLater(deps, item, { kind: 'media.incomplete' })
  const shared = await history.sharedPlace(item)
  if (shared !== undefined) return finish(deps, item, torrent, { status: 'done', ...shared })
  const beside = await history.heldBeside(item)
  const wish = await history.wishOf(item)
  const order = await deps.profiles.of(wish.profileId)
  const held = beside.map(({ holding }) => holding)
  if (item.askedAtUnix === undefined && isHeldAlready(item.holding, held, wish.episodes, order))
    return skip(deps, item, torrent, { kind: 'media.held_already' })
  const replaced = beside.filter(({ holding }) => replaces(item.holding, holding, order))
  const library = await libraryFor(deps, item)
  if (library === undefined)
    return skip(deps, item, torrent, { kind: 'media.no_library', media: item.mediaType }, replaced)
  const done = { status: 'done', library: library.name, mode: library.mode, replaced } as const
  if (library.mode === 'keep') return finish(deps, item, torrent, { ...done, targetPath: torrent.savePath })
  const folder = libraryFolder(library.path, folderTitle(item), titleFolderBytesMax)
  const isMoving = torrent.state === 'checking'
  if (isSameFolder(torrent.savePath, folder) && !isMoving)
    return finish(deps, item, torrent, { ...done, targetPath: folder })
  const waitedSeconds = item.askedAtUnix === undefined ? undefined : unixSeconds(deps.clock) - item.askedAtUnix
  if (waitedSeconds !== undefined) {
    const patienceSeconds = isMoving ? moveSeconds : moveGraceSeconds
    if (waitedSeconds >= patienceSeconds) return tryLater(deps, item, { kind: 'media.not_moved' })
    return wait(deps, item)
  }
  if (isMoving) return tryLater(deps, item, { kind: 'media.files_busy' })
  await history.asked(item.id, { library: library.name, targetPath: folder })
  const moved = await deps.fleet.move(target, item.infoHashes, folder)
  if (!moved.ok) return tryLater(deps, item, moved.failure)
  if (moved.value.kind === 'gone') return missed(deps, item)
  if (moved.value.kind === 'moving') return wait(deps, item)
  return finish(deps, item, moved.value.torrent, { ...done, targetPath: folder })
}

async function libraryFor({ libraries }: OrganiseDeps, { mediaType }: MediaItem) {
  const ofKind = (await libraries.list()).filter((library) => library.mediaType === mediaType)
  return ofKind.find(({ isDefault }) => isDefault) ?? ofKind[0]
}

function folderTitle({ title, year, tmdbId, season, mediaType }: MediaItem) {
  return { title, tmdbId, ...(year === undefined ? {} : { year }), ...(mediaType === 'tv' ? { season } : {}) }
}

type Outcome = Pick<MediaOutcome, 'status'> & Partial<MediaOutcome>

async function finish({ history }: OrganiseDeps, item: MediaItem, torrent: Torrent | undefined, outcome: Outcome) {
  const place = { library: '', mode: 'keep', targetPath: torrent?.savePath ?? '' } as const
  const sizeBytes = torrent?.sizeBytes || item.sizeBytes
  await history.finished(item, { replaced: [], ...place, ...outcome, sizeBytes })
  return undefined
}

/** It is there all the same: what looks for missing episodes does not look for it again. */
function skip(
  deps: OrganiseDeps,
  item: MediaItem,
  torrent: Torrent,
  reason: Reason,
  replaced: MediaOutcome['replaced'] = [],
) {
  return finish(deps, item, torrent, { status: 'skipped', reason, replaced })
}

function giveUp(deps: OrganiseDeps, item: MediaItem, status: 'failed' | 'removed', reason: Reason) {
  return finish(deps, item, undefined, { status, reason })
}

async function wait({ history }: OrganiseDeps, item: MediaItem) {
  await history.postponed(item.id, { seconds: moveLookSeconds, reason: undefined })
  return undefined
}

/** A downloader that starts shows its torrents one after another: gone is what is missed twice. */
async function missed(deps: OrganiseDeps, item: MediaItem) {
  if (item.reason?.kind === gone.kind) return giveUp(deps, item, 'removed', gone)
  await deps.history.postponed(item.id, { seconds: lostPushSeconds, reason: gone })
  return undefined
}

async function tryLater(deps: OrganiseDeps, item: MediaItem, reason: Reason) {
  const seconds = organiseRetrySeconds[item.attempts]
  if (seconds === undefined) return giveUp(deps, item, 'failed', reason)
  await deps.history.postponed(item.id, { seconds, reason, attempts: item.attempts + 1 })
  return undefined
}
