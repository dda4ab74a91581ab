/** Takes up a torrent that a caller brings: a magnet link, a torrent file, or the address of either. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { fetchTorrent } from '../../adapters/fetch-torrent.ts'
import { fromBase64 } from '../../core/bytes.ts'
import type { DownloaderTarget, TorrentUpload } from '../../core/downloader.ts'
import { readMagnet } from '../../core/magnet.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import { readTorrentFile } from '../../core/torrent-file.ts'
import { magnetCharactersMax, torrentFileBounds, torrentFileBytesMax } from '../../limits.ts'
import type { AddedTorrent, AddRefusal, DownloaderFleet, TorrentDesk, TorrentSource } from '../../ports/downloaders.ts'
import { infoHashesOf } from './info-hashes.ts'

interface AddDeps {
  readonly fleet: Pick<DownloaderFleet, 'add'>
  /** What stands at an address on the internet. */
  fetchTorrent(address: string): ReturnType<typeof fetchTorrent>
}

type Content = Pick<TorrentUpload, 'content' | 'infoHashes' | 'sizeBytes'> & { readonly title: string }

export function createTorrentDesk(deps: AddDeps): TorrentDesk {
  return {
    async add(target: DownloaderTarget, source, place): Promise<Result<AddedTorrent, AddRefusal>> {
      const content = await contentOf(deps, source)
      if (!content.ok) return content
      const { title, ...upload } = content.value
      return succeed({
        title,
        infoHash: upload.infoHashes[0],
        outcome: await deps.fleet.add(target, { ...upload, ...place }),
      })
    },
  }
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
