import type { WireTorrentDetails } from '../../workers/app/contract/torrents.ts'

const mib = 1024 ** 2
const gib = 1024 ** 3

/** Of one torrent: files of a season, two trackers of which one refuses, and who is connected. */
export function inventedTorrentDetails(): Omit<WireTorrentDetails, 'torrent'> {
  return {
    comment: '',
    private: true,
    pieces: 1997,
    piece_size: 16 * mib,
    availability: 14.25,
    piece_map: Array.from({ length: 200 }, (_, share) => (share < 120 ? 100 : share < 150 ? 40 : 0)),
    super_seeding: false,
    sequential: false,
    first_last: false,
    upload_limit: 0,
    download_limit: 0,
    files: [
      ['The.Salt.Road.S02E06.The.Long.Ebb.mkv', 8.41, 41, 'normal'],
      ['Subs/The.Salt.Road.S02E06.zh.srt', 0.0001, 100, 'high'],
      ['Sample/sample.mkv', 0.06, 0, 'skip'],
    ].map(([file, size, progress, priority], index) => ({
      index,
      path: `The.Salt.Road.S02E06/${file}`,
      size: Math.round(Number(size) * gib),
      progress: Number(progress),
      priority: priority as 'normal',
    })),
    trackers: [
      { host: 'tracker.cedar.example', state: 'error', said: 'not authorised' },
      { host: 'announce.cedar.example', state: 'working', seeds: 58, peers: 12 },
    ],
    peers: [
      {
        address: '192.0.2.41:51413',
        client: 'Harbr 2.3.1',
        progress: 88,
        download_speed: 0,
        upload_speed: Math.round(0.2 * mib),
      },
      {
        address: '[2001:db8:4::9c1e]:6889',
        client: 'Tern 5.0.4',
        progress: 100,
        download_speed: Math.round(1.4 * mib),
        upload_speed: 0,
      },
    ],
  }
}
