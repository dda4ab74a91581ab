import type { Torrent } from '../../workers/app/core/torrent.ts'

/** A torrent in which nothing moves; a test says what is otherwise. */
export function torrentFixture(infoHash: string, change: Partial<Torrent> = {}): Torrent {
  return {
    infoHash,
    title: '',
    progressPercent: 0,
    sizeBytes: 0,
    state: 'downloading',
    ratio: 0,
    seeds: 0,
    peers: 0,
    uploadBytesPerSecond: 0,
    downloadBytesPerSecond: 0,
    uploadedBytes: 0,
    downloadedBytes: 0,
    etaSeconds: -1,
    addedAtUnix: 0,
    completedAtUnix: 0,
    category: '',
    tags: '',
    savePath: '',
    ...change,
  }
}
