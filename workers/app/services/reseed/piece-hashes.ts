/** By what sites know the content of a torrent: SHA-1 over the hashes of its pieces, of the file as its downloader hands it out. */
import { toHex } from '../../core/bytes.ts'
import { readTorrentFile } from '../../core/torrent-file.ts'
import { piecesPerAskMax, reseedExportsPerLook, torrentFileBounds } from '../../limits.ts'
import { infoHashesOf } from '../pushes/info-hashes.ts'
import type { Held, ReseedDeps } from './reseed-deps.ts'

export interface HashesOfLook {
  /** By their hash, the first first. */
  of(held: readonly Held[]): Promise<ReadonlyMap<string, readonly Held[]>>
  /** Whether its downloader was found to hand no file out. */
  isWithout(held: Held): boolean
}

export function hashesOfLook({ store, fleet }: Pick<ReseedDeps, 'store' | 'fleet'>): HashesOfLook {
  let exportsLeft = reseedExportsPerLook
  /** Downloaders that hand no file out. */
  const closed = new Set<number>()

  return { of: hashesOf, isWithout: ({ target }) => closed.has(target.id) }

  async function hashesOf(held: readonly Held[]): Promise<ReadonlyMap<string, readonly Held[]>> {
    const able = held.filter(({ target }) => !closed.has(target.id)).slice(0, piecesPerAskMax)
    const known = await store.pieces(able.map(({ torrent }) => torrent.infoHash))
    const byHash = new Map<string, Held[]>()
    for (const one of able) {
      const { infoHash } = one.torrent
      const hash = known.get(infoHash) ?? (await exported(one))
      // Room for those that come after its own.
      if (hash === 'closed') return hashesOf(held)
      if (hash !== undefined && hash !== '') byHash.set(hash, [...(byHash.get(hash) ?? []), one])
    }
    return byHash
  }

  async function exported({ target, torrent }: Held): Promise<string | undefined> {
    if (exportsLeft === 0) return undefined
    exportsLeft -= 1
    const file = await fleet.exportFile(target, torrent.infoHash)
    if (!file.ok && file.failure.kind === 'downloader.unsupported') {
      closed.add(target.id)
      return 'closed'
    }
    const read = file.ok && file.value !== undefined ? readTorrentFile(file.value, torrentFileBounds) : undefined
    if (read?.ok !== true || !(await infoHashesOf(read.value)).includes(torrent.infoHash)) return undefined
    const { pieces } = read.value
    const hash =
      pieces === undefined ? '' : toHex(new Uint8Array(await crypto.subtle.digest('SHA-1', new Uint8Array(pieces))))
    await store.keepPieces(torrent.infoHash, hash)
    return hash
  }
}
