import { trackerHost } from '../../../core/torrent-details.ts'

/**
 * Which tracker each torrent is at, by the lists that qBittorrent from 4.3 on sends beside its torrents: every address
 * with all that announce to it (src/webui/api/synccontroller.cpp at release-4.5.2 and release-5.2.3).
 */
export class TrackerHosts {
  readonly #torrentsAt = new Map<string, readonly string[]>()
  #hosts = new Map<string, string>()

  of(infoHash: string): string | undefined {
    return this.#hosts.get(infoHash)
  }

  /** Those that are at another one than before. */
  takeOver(
    isFull: boolean,
    trackers: Readonly<Record<string, readonly string[]>>,
    removed: readonly string[],
  ): ReadonlySet<string> {
    if (isFull) this.#torrentsAt.clear()
    for (const address of removed) this.#torrentsAt.delete(address)
    const told = Object.entries(trackers)
    if (!isFull && told.length + removed.length === 0) return new Set()
    for (const [address, torrents] of told) this.#torrentsAt.set(address, torrents)
    const before = this.#hosts
    this.#hosts = new Map()
    const moved = new Set<string>()
    for (const [address, torrents] of this.#torrentsAt) {
      const host = trackerHost(address)
      for (const infoHash of torrents) {
        if (this.#hosts.has(infoHash)) continue
        this.#hosts.set(infoHash, host)
        if (before.get(infoHash) !== host) moved.add(infoHash)
      }
    }
    for (const infoHash of before.keys()) if (!this.#hosts.has(infoHash)) moved.add(infoHash)
    return moved
  }
}
