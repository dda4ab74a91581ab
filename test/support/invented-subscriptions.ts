/** Subscriptions to films and series that do not exist, and the profiles they follow. */

import type { WireQualityProfile } from '../../workers/app/contract/console-subscriptions.ts'
import type { WireSubscriptionDetail } from '../../workers/app/contract/subscriptions.ts'
import { withReason } from './said.ts'

const gib = 1024 ** 3
const day = 86_400

/** What the console shows of one, and what the owner chose for it. */
export type InventedSubscription = WireSubscriptionDetail & {
  readonly profile_id: number
  readonly downloader_id: number
}

type Line = readonly [
  title: string,
  original: string,
  year: number,
  /** 0: a film. */
  season: number,
  status: WireSubscriptionDetail['status'],
  /** One letter an episode: l in the library, d downloading, m missing, u to come. */
  episodes: string,
  daysAgo: number,
]

const lines: readonly Line[] = [
  ['盐路', 'The Salt Road', 2026, 2, 'active', 'llllmduuuu', 70],
  ['潮汐之下', 'Below the Tide', 2026, 1, 'active', 'lllllllmuuuu', 41],
  ['北方航道', 'Northern Passage', 2025, 1, 'done', 'llllllll', 90],
  ['远山来信', 'Letters from Far Hills', 2022, 0, 'active', 'd', 3],
  ['灯塔守护者', 'Lighthouse Keepers', 2027, 3, 'pending', '', 12],
  ['静天气', 'The Quiet Weather', 2026, 2, 'paused', 'lllmmm', 120],
  ['闸门', 'Sluice', 2023, 0, 'done', 'l', 200],
  ['铜的季节', 'Copper Season', 2024, 0, 'active', 'm', 5],
  ['盐镇来客', 'Visitors to Salt Town', 2026, 1, 'active', 'llllllllluuuuuuu', 60],
  ['The Long Inventory', 'The Long Inventory', 2021, 1, 'paused', 'lmlmlmlmlmmm', 300],
  ['玻璃码头', 'Glass Pier', 2027, 0, 'pending', 'u', 8],
]

const names = ['消失的航标', '盐税', '三道闸门', '引水人', '雾钟', '长退潮', '空船坞', '回声水深']
const states = { l: 'library', d: 'downloading', m: 'missing', u: 'upcoming' } as const

export function inventedSubscriptions(nowUnix: number): InventedSubscription[] {
  const dayOf = (days: number) => new Date((nowUnix + days * day) * 1000).toISOString().slice(0, 10)
  return lines.map(([title, original, year, season, status, letters, daysAgo], at) => {
    const listed = [...letters].map((letter, index) => ({
      number: index + 1,
      ...(names[index] === undefined ? {} : { name: names[index] }),
      ...(index === 9 ? {} : { air_date: dayOf((index - letters.replaceAll('u', '').length) * 7 + 6) }),
      state: states[letter as keyof typeof states],
    }))
    const count = (letter: string) => [...letters].filter((one) => one === letter).length
    return {
      id: lines.length - at,
      media_type: season === 0 ? 'movie' : 'tv',
      tmdb_id: 100 + at,
      season,
      title,
      original_title: original,
      year,
      ...(season === 0 || letters === '' ? {} : { total_episodes: letters.length }),
      ...(at === 10 ? {} : { poster_path: `/invented${at}.jpg` }),
      status,
      upgrade: at === 0,
      source: at % 2 === 0 ? 'explore' : 'app',
      ...(status === 'active'
        ? {
            last_search_at: nowUnix - 3400,
            next_search_at: nowUnix + 3800,
            ...(at === 0
              ? withReason('message', {
                  kind: 'subscription.told',
                  pushes: [{ covers: { from: 6, to: 6 } }],
                  refused: [],
                  sites: [{ site: 'Cedar', reason: { kind: 'site.timeout' } }],
                })
              : {}),
          }
        : {}),
      created_at: nowUnix - daysAgo * day,
      progress: {
        total: letters.length,
        aired: letters.length - count('u'),
        in_library: count('l'),
        downloading: count('d'),
        ...(count('d') === 0 ? {} : { downloading_percent: 42.5 }),
        missing: listed.filter(({ state }) => state === 'missing').map(({ number }) => number),
      },
      episodes: season === 0 ? [] : listed,
      torrents: at === 0 ? saltRoad(nowUnix) : [],
      profile_id: at === 0 ? 2 : 0,
      downloader_id: 0,
    }
  })
}

function saltRoad(nowUnix: number): InventedSubscription['torrents'] {
  const torrent = (
    id: string,
    site: string,
    title: string,
    status: InventedSubscription['torrents'][number]['status'],
    sizeGib: number,
    daysAgo: number,
    span: { readonly episode?: number; readonly episode_end?: number; readonly message?: string },
  ) => ({
    site,
    torrent_id: id,
    title,
    status,
    complete: status === 'done' || status === 'replaced',
    size: Math.round(sizeGib * gib),
    created_at: nowUnix - Math.round(daysAgo * day),
    ...span,
  })
  return [
    torrent('4106', 'lantern', 'The.Salt.Road.S02E06.The.Long.Ebb.2160p.WEB-DL-QUAY', 'downloading', 8.42, 0.1, {
      episode: 6,
    }),
    torrent('4105', 'lantern', 'The.Salt.Road.S02E05.2160p.WEB-DL-QUAY', 'failed', 8.1, 34, {
      episode: 5,
      ...withReason('message', { kind: 'torrent_removed' }),
    }),
    torrent('4104', 'lantern', 'The.Salt.Road.S02E04.2160p.WEB-DL-QUAY', 'done', 8.31, 40, { episode: 4 }),
    torrent('977', 'ginkgo', 'The.Salt.Road.S02E04.1080p.WEB-DL-HARBR', 'replaced', 3.02, 41, { episode: 4 }),
    torrent('318', 'stargazer', 'The.Salt.Road.S02E01-E03.2160p.WEB-DL-TIDE', 'done', 25.4, 48, {
      episode: 1,
      episode_end: 3,
    }),
  ]
}

export function inventedProfiles(): WireQualityProfile[] {
  const open = {
    sources: [],
    required_words: [],
    refused_words: [],
    min_gib: 0,
    max_gib: 0,
    min_seeders: 0,
    free_only: false,
    refuse_hr: false,
    sites: [],
  }
  return [
    { ...open, id: 1, name: '默认', default: true, resolutions: ['1080p', '2160p', '720p'] },
    {
      ...open,
      id: 2,
      name: 'Best there is',
      default: false,
      resolutions: ['2160p', '1080p'],
      sources: ['remux', 'bluray', 'web'],
      refused_words: ['HDR10', 'CAM'],
      min_gib: 2,
      max_gib: 60,
      min_seeders: 3,
      refuse_hr: true,
      sites: ['lantern'],
    },
  ]
}
