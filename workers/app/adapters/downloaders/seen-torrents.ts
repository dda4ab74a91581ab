/** For programs that always tell everything: what of it is new, so that lists that are kept in order stay as they are. */
import type { Torrent } from '../../core/torrent.ts'
import type { TorrentChanges } from '../../core/torrent-catalogue.ts'

export class SeenTorrents {
  #texts: Map<string, string> | undefined

  /** The next list counts as a first one. */
  forget(): void {
    this.#texts = undefined
  }

  takeOver(torrents: readonly Torrent[]): TorrentChanges {
    const before = this.#texts
    const texts = new Map(torrents.map((torrent) => [torrent.infoHash, JSON.stringify(torrent)]))
    this.#texts = texts
    if (before === undefined) return { kind: 'full', torrents }
    return {
      kind: 'delta',
      changed: torrents.filter(({ infoHash }) => before.get(infoHash) !== texts.get(infoHash)),
      removed: [...before.keys()].filter((infoHash) => !texts.has(infoHash)),
    }
  }
}
