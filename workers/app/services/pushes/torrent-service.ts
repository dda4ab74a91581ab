/** Takes up a torrent that a caller brings: a magnet link, a torrent file, or the address of either. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { fetchTorrent } from '../../adapters/fetch-torrent.ts'
import { fromBase64 } from '../../core/bytes.ts'
import type { DownloaderTarget, TorrentUpload } from '../../core/downloader.ts'
import { readMagnet } from '../../core/magnet.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import type { TorrentChange } from '../../core/torrent-details.ts'
import { readTorrentFile } from '../../core/torrent-file.ts'
import type { AddWish } from '../../core/vocabulary.ts'
import { magnetCharactersMax, torrentFileBounds, torrentFileBytesMax } from '../../limits.ts'
import type {
  AddedTorrent,
  AddRefusal,
  AddWishes,
  DownloaderFleet,
  TorrentService,
  TorrentSource,
} from '../../ports/downloaders.ts'
import { infoHashesOf } from './info-hashes.ts'

interface AddDeps {
  readonly fleet: Pick<DownloaderFleet, 'add' | 'act' | 'change' | 'details'>
  /** What stands at an address on the internet. */
  fetchTorrent(address: string): ReturnType<typeof fetchTorrent>
}

type Content = Pick<TorrentUpload, 'content' | 'infoHashes' | 'sizeBytes'> & { readonly title: string }

export function createTorrentService(deps: AddDeps): TorrentService {
  return {
    async add(target: DownloaderTarget, source, place, wishes): Promise<Result<AddedTorrent, AddRefusal>> {
      const content = await contentOf(deps, source)
      if (!content.ok) return content
      const { title, ...upload } = content.value
      if (wishes.files !== undefined && typeof upload.content === 'string')
        return wrong('address', { kind: 'rule.torrent_file' })
      const isPaused = place.isPaused === true || isAny(wishes)
      const outcome = await deps.fleet.add(target, { ...upload, ...place, isPaused })
      const unmet =
        outcome.kind === 'added' && isAny(wishes)
          ? await settle(deps.fleet, target, outcome.infoHash, wishes, place.isPaused === true)
          : []
      return succeed({ title, infoHash: upload.infoHashes[0], outcome, unmet })
    },
  }
}

function isAny({ files, limits, sequential, firstLast }: AddWishes): boolean {
  return files !== undefined || limits !== undefined || sequential === true || firstLast === true
}

/** Tells a torrent that waits what was wished of it, and starts it; where files could not be chosen it goes on waiting. */
async function settle(
  fleet: AddDeps['fleet'],
  target: DownloaderTarget,
  infoHash: string,
  { files, limits, sequential, firstLast }: AddWishes,
  staysPaused: boolean,
): Promise<AddedTorrent['unmet']> {
  const unmet: { wish: AddWish; reason: Reason }[] = []
  const change = async (wish: AddWish, what: TorrentChange) => {
    const changed = await fleet.change(target, what, [infoHash])
    const reason = changed.ok ? changed.value[0]?.reason : changed.failure
    if (reason !== undefined) unmet.push({ wish, reason })
  }
  if (files !== undefined) {
    const details = await fleet.details(target, infoHash)
    const known = details.ok ? (details.value?.files ?? []).map(({ index }) => index) : []
    const skipped = known.filter((index) => !files.includes(index))
    if (known.length === 0 || skipped.length === known.length)
      unmet.push({ wish: 'files', reason: details.ok ? { kind: 'rule.inside' } : details.failure })
    else if (skipped.length > 0) await change('files', { kind: 'files', indexes: skipped, priority: 'skip' })
  }
  if (limits !== undefined) await change('limits', { kind: 'limits', ...limits })
  if (sequential === true) await change('sequential', { kind: 'sequential', on: true })
  if (firstLast === true) await change('first_last', { kind: 'first_last', on: true })
  if (!staysPaused && !unmet.some(({ wish }) => wish === 'files')) await fleet.act(target, 'resume', [infoHash])
  return unmet
}

async function contentOf(deps: AddDeps, source: TorrentSource): Promise<Result<Content, AddRefusal>> {
  switch (source.kind) {
    case 'magnet':
      return ofMagnet(source.text, 'magnet')
    case 'file': {
      const bytes = fromBase64(source.base64)
      return bytes === undefined ? wrong('file', { kind: 'rule.torrent_file' }) : ofFile(bytes, 'file')
    }
    case 'address': {
      const fetched = await deps.fetchTorrent(source.address)
      if (!fetched.ok)
        return fetched.failure === 'not_public'
          ? wrong('address', { kind: 'rule.public_address' })
          : failWith({ kind: 'download', fault: fetched.failure })
      return typeof fetched.value === 'string' ? ofMagnet(fetched.value, 'address') : ofFile(fetched.value, 'address')
    }
  }
}

function ofMagnet(text: string, field: 'magnet' | 'address'): Result<Content, AddRefusal> {
  const link = text.trim()
  const magnet = link.length > magnetCharactersMax ? undefined : readMagnet(link)
  if (magnet !== undefined)
    return succeed({
      content: link,
      infoHashes: magnet.infoHashes,
      sizeBytes: magnet.sizeBytes,
      title: magnet.title || magnet.infoHashes[0],
    })
  return field === 'address' ? failWith(noTorrent) : wrong(field, { kind: 'rule.magnet' })
}

async function ofFile(bytes: Uint8Array, field: 'file' | 'address'): Promise<Result<Content, AddRefusal>> {
  const file = readTorrentFile(bytes, torrentFileBounds)
  if (!file.ok) {
    if (field === 'address') return failWith(noTorrent)
    return wrong(
      field,
      file.failure === 'too_large'
        ? { kind: 'rule.at_most', limit: torrentFileBytesMax, unit: 'bytes' }
        : { kind: 'rule.torrent_file' },
    )
  }
  const infoHashes = await infoHashesOf(file.value)
  return succeed({
    content: bytes,
    infoHashes,
    sizeBytes: file.value.sizeBytes,
    title: file.value.name || infoHashes[0],
  })
}

const noTorrent: AddRefusal = { kind: 'download', fault: { kind: 'broken', part: 'torrent' } satisfies SiteFault }

function wrong(field: 'magnet' | 'file' | 'address', rule: Reason): Result<never, AddRefusal> {
  return failWith({ kind: 'wrong', field, rule })
}
