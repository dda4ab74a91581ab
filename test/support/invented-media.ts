/** A library of films and series that do not exist. */

import type { WireMediaRecord } from '../../workers/app/contract/media.ts'
import { withReason } from './said.ts'
import type { StandInState } from './stand-in-console.ts'

const gib = 1024 ** 3
const films = { library: 'Films', media_type: 'movie' } as const
const series = { library: 'Series', media_type: 'tv' } as const
const saltRoad = { ...series, title: '盐路', year: 2026, tmdb_id: 100, season: 2 } as const
const place = '/mnt/media/tv/盐路 (2026)/Season 02'

const lines: readonly (readonly [Partial<WireMediaRecord>, string, number])[] = [
  [
    { ...saltRoad, episode: 6, target_path: place },
    'The.Salt.Road.S02E06.The.Long.Ebb.2160p.WEB-DL.DDP5.1.H.265-QUAY',
    8.42,
  ],
  [
    {
      ...films,
      title: '远山来信',
      year: 2022,
      tmdb_id: 103,
      status: 'failed',
      ...withReason('message', { kind: 'media.not_moved' }),
    },
    '远山来信 2022 2160p 60fps WEB-DL',
    22.8,
  ],
  [
    { ...saltRoad, episode: 4, episode_end: 5, target_path: place },
    'The.Salt.Road.S02E04-E05.2160p.WEB-DL.H.265-QUAY',
    16.1,
  ],
  [
    {
      ...films,
      title: '闸门',
      year: 2023,
      tmdb_id: 106,
      library: undefined as never,
      mode: 'keep',
      status: 'skipped',
      ...withReason('message', { kind: 'media.held_already' }),
      target_path: '/mnt/pool/downloads/films',
    },
    'Sluice.2023.720p.BluRay.x264-MILL',
    4.37,
  ],
  [
    {
      ...films,
      title: '铜的季节',
      year: 2024,
      tmdb_id: 107,
      status: 'failed',
      ...withReason('message', { kind: 'downloader.rejected' }),
    },
    'Copper.Season.2024.2160p.UHD.BluRay.REMUX.HDR.HEVC.TrueHD.7.1-OREBODY',
    71.3,
  ],
  [
    {
      ...series,
      title: 'Northern Passage',
      tmdb_id: 102,
      season: 1,
      target_path: '/mnt/media/tv/Northern Passage/Season 01',
    },
    'Northern.Passage.S01.1080p.WEB-DL.DDP5.1.H.264-FLOE',
    31.19,
  ],
  [
    {
      ...films,
      title: '第七个仓库',
      year: 2020,
      tmdb_id: 111,
      status: 'removed',
      ...withReason('message', { kind: 'media.replaced' }),
    },
    'Warehouse.Seven.2020.720p.WEB-DL.H.264-CRATE',
    3.02,
  ],
  [
    {
      ...films,
      title: 'The Long Inventory',
      year: 2021,
      tmdb_id: 109,
      target_path: '/mnt/media/films/The Long Inventory (2021)',
    },
    'The.Long.Inventory.2021.1080p.BluRay.DTS.x264-LEDGER',
    12.6,
  ],
]

export function inventedMedia(nowUnix: number): Pick<StandInState, 'libraries' | 'mediaHistory'> {
  return {
    libraries: [
      { id: 1, name: 'Films', media_type: 'movie', path: '/mnt/media/films', mode: 'move', default: true },
      { id: 2, name: 'Series', media_type: 'tv', path: '/mnt/media/tv', mode: 'move', default: true },
      { id: 3, name: '老电影', media_type: 'movie', path: '/mnt/cold/films', mode: 'keep', default: false },
    ],
    mediaHistory: lines.map(([{ library, ...change }, torrent_name, sizeGib], at) => ({
      id: lines.length - at,
      media_type: 'movie',
      tmdb_id: 1,
      title: '',
      mode: 'move',
      status: 'done',
      ...(library === undefined ? {} : { library }),
      ...change,
      torrent_name,
      size: Math.round(sizeGib * gib),
      created_at: nowUnix - 900 - at * 30_000,
    })),
  }
}
