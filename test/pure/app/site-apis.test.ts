/**
 * Answers of the JSON interfaces as the sites' own software makes them. UNIT3D: `app/Http/Resources/{Torrent,User}Resource`
 * and `Http/Controllers/API/TorrentController` of HDInnovations/UNIT3D-Community-Edition at 44a3aeac1; what is featured is
 * credited by `app/Jobs/ProcessAnnounce`; the resources of its tags from v1.9 on, where they differ. Gazelle: `sections/ajax/{info,browse}` and `app/Json/{TGroupList,User}` of
 * OPSnet/Gazelle at 71b45155d; the older fork's `groupTime` is in seconds. The fork for films is Mosasauroidea/GazellePW at
 * 86c4bed (`sections/ajax/{info,browse}.php`, `classes/torrents.class.php`); what members see of their peers is
 * `sections/ajax/community_stats.php` of WhatCD/Gazelle, to which forks add a size. The fork for games, and the sites on UNIT3D
 * that tell more or elsewhere, are not public: their answers are as public clients know them (Yata-Dash/Yata-Dash at 9d7e1905,
 * `internal/fetch/fetch_test.go`; pt-plugins/PT-depiler at c64cc94c, `definitions/{gazellegames,huno}.ts`; Prowlarr/Prowlarr,
 * `Definitions/GazelleGames.cs`).
 */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { readyDefinitions, siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteOverrides } from '../../../workers/app/contract/site-definition.ts'
import type { Discount, SiteKind } from '../../../workers/app/core/vocabulary.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

interface Asked {
  readonly address: string
  readonly headers: Headers
}

function siteOf(
  kind: SiteKind,
  answers: Readonly<Record<string, unknown>>,
  named: SiteOverrides = {},
  asked: Asked[] = [],
) {
  const profile = siteProfile(kind, named)
  return createSiteDriver(
    { kind, baseUrl: 'https://site.example', credentials: { cookie: '', apiKey: 'k' }, profile },
    siteRuntime(async (address, init) => {
      asked.push({ address, headers: new Headers(init.headers) })
      const { pathname, searchParams } = new URL(address)
      const answer = answers[searchParams.get('action') ?? searchParams.get('request') ?? pathname]
      if (typeof answer === 'string') return new Response(answer, { headers: { 'content-type': 'application/xml' } })
      return new Response(JSON.stringify(answer ?? {}), { headers: { 'content-type': 'application/json' } })
    }),
  )
}
const signal = () => AbortSignal.timeout(5000)
const named = (id: string): SiteOverrides => readyDefinitions.find((one) => one.id === id)?.overrides ?? {}
const everything = { keyword: '', categoryIds: [], freeOnly: false }

const unit3dTorrent = (attributes: Readonly<Record<string, unknown>>) => ({
  type: 'torrent',
  id: '31',
  attributes: {
    meta: { poster: null, genres: '' },
    name: 'Paper Harbour 2026 1080p',
    release_year: '2026',
    category: 'Movies',
    type: 'WEB-DL',
    info_hash: 'ab'.repeat(20),
    size: 123_456_789,
    num_file: 1,
    freeleech: '0%',
    double_upload: false,
    refundable: 0,
    internal: 0,
    personal_release: false,
    uploader: 'Anonymous',
    seeders: 12,
    leechers: 3,
    times_completed: 45,
    imdb_id: 1_234_567,
    category_id: 1,
    created_at: '2026-11-20T10:20:30.000000Z',
    ...attributes,
  },
})

describe('a UNIT3D site', () => {
  test.for([
    [{ freeleech: '0%' }, 'NONE'],
    [{ freeleech: '100%' }, 'FREE'],
    [{ freeleech: '100%', double_upload: true }, '2XFREE'],
    [{ freeleech: '50%' }, 'PERCENT_50'],
    [{ freeleech: '0%', double_upload: true }, '2XUP'],
    [{ freeleech: '0%', featured: 1 }, '2XFREE'],
    [{ freeleech: '25%', featured: true, double_upload: false }, '2XFREE'],
    // Versions before 3, of which the resource says `Yes` and `No`, and one that writes what the database holds.
    [{ freeleech: 'Yes', double_upload: 'No' }, 'FREE'],
    [{ freeleech: 'Yes', double_upload: 'Yes' }, '2XFREE'],
    [{ freeleech: 'No', double_upload: 'Yes' }, '2XUP'],
    [{ freeleech: 'No', double_upload: 'No' }, 'NONE'],
    [{ freeleech: 1, double_upload: 0 }, 'FREE'],
    [{ freeleech: 100, double_upload: 1 }, '2XFREE'],
    [{ freeleech: 0, double_upload: 0 }, 'NONE'],
    [{ freeleech: '75%' }, 'PERCENT_30'],
    [{ freeleech: '25%' }, 'NONE'],
    [{ freeleech: false, double_upload: false }, 'NONE'],
    // What is let off is not told, so nobody knows what is paid.
    [{ freeleech: null }, undefined],
    [{ freeleech: '%' }, undefined],
    [{ freeleech: undefined }, undefined],
    [{ freeleech: undefined, double_upload: true }, undefined],
    [{ freeleech: undefined, featured: true }, '2XFREE'],
  ] satisfies (readonly [Record<string, unknown>, Discount | undefined])[])(
    'whose torrent is %o counts it as %s',
    async ([attributes, discount], { expect }) => {
      const driver = siteOf('unit3d', { '/api/torrents/filter': { data: [unit3dTorrent(attributes)] } })
      const found = await driver.search(everything, signal())

      expect(found).toMatchObject({
        ok: true,
        value: [
          {
            discount,
            sizeBytes: 123_456_789,
            seeders: 12,
            leechers: 3,
            snatched: 45,
            uploadedAtUnix: Date.UTC(2026, 10, 20, 10, 20, 30) / 1000,
          },
        ],
      })
    },
  )

  test.for([
    [123_456_789, 123_456_789],
    ['123456789', 123_456_789],
    ['1.5 GiB', 1.5 * 1024 ** 3],
    ['950.25\u00a0MiB', Math.trunc(950.25 * 1024 ** 2)],
    ['large', undefined],
  ] as const)('reads the size %j of older and newer versions', async ([size, bytes], { expect }) => {
    const driver = siteOf('unit3d', { '/api/torrents/filter': { data: [unit3dTorrent({ size })] } })
    const found = await driver.search(everything, signal())

    expect(found).toMatchObject({ ok: true, value: [{ sizeBytes: bytes }] })
  })

  test.for([
    [12, 12],
    ['12', 12],
    [[{ id: 1 }, { id: 2 }], 2],
    [[], 0],
    [null, undefined],
  ] as const)('has for %j that many seeding', async ([seeding, count], { expect }) => {
    const driver = siteOf('unit3d', { '/api/user': { username: 'walker', uploaded: '1 TiB', seeding, leeching: 0 } })
    const reading = await driver.read(signal())

    expect(reading.ok && reading.value.user?.seeding).toBe(count)
    expect(reading.ok && reading.value.user?.leeching).toBe(0)
  })

  test('that writes an endless ratio has the account all the same', async ({ expect }) => {
    const driver = siteOf('unit3d', {
      '/api/user': {
        username: 'walker',
        group: 'PowerUser',
        uploaded: '1.5 TiB',
        downloaded: '0 B',
        ratio: '∞',
        buffer: '1.5 TiB',
        seeding: 12,
        leeching: 0,
        seedbonus: '12345.67',
        hit_and_runs: 2,
      },
    })

    expect(await driver.read(signal())).toMatchObject({
      ok: true,
      value: {
        user: { uploadedBytes: 1.5 * 1024 ** 4, downloadedBytes: 0, bonus: 12_345.67, hnrUnsatisfied: 2 },
      },
    })
  })
})

describe('a site on UNIT3D that tells more, or elsewhere', () => {
  test.for([
    [536_870_912_000, 536_870_912_000],
    ['500 GiB', 536_870_912_000],
    [null, undefined],
  ] as const)('has %j for the size that is seeding', async ([seed_size, bytes], { expect }) => {
    const more = { seed_size, total_seedtime: 8_640_000, join_date: '2024-06-15', real_ratio: null, unread_mail: true }
    const user = { username: 'walker', uploaded: '50 GiB', downloaded: '1 GiB', ratio: '50', seeding: 12, leeching: 0 }
    const reading = await siteOf('unit3d', { '/api/user': { ...user, ...more } }).read(signal())

    if (!reading.ok) throw new Error(JSON.stringify(reading))
    expect(reading.value.user?.seedingSizeBytes).toBe(bytes)
    expect(reading.value.user?.joinedAtUnix).toBe(Date.UTC(2024, 5, 15) / 1000)
  })

  const profile = {
    ...{ username: 'walker', group: 'Targaryen', member_since: '2022-01-01T00:00:00+00:00' },
    ...{ uploaded: 1_099_511_627_776, downloaded: 549_755_813_888, ratio: 2.0, buffer: 549_755_813_888 },
    ...{ hunos: 1500, active_seeds: 42, active_leeches: 3, hit_and_runs: 1, warnings: 0 },
    seed_divisions: { vanguard: 10, squire: 25 },
  }

  test('has its account on a page of its own', async ({ expect }) => {
    const answers = { '/api/profile': { success: true, data: profile, message: 'ok' } }
    const reading = await siteOf('unit3d', answers, named('huno')).read(signal())

    if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
    const { sources, ...figures } = reading.value.user
    expect(figures).toEqual({
      ...{ username: 'walker', level: 'Targaryen', uploadedBytes: 1024 ** 4, downloadedBytes: 512 * 1024 ** 3 },
      ...{ ratio: 2, bonus: 1500, seeding: 42, leeching: 3, hnrUnsatisfied: 1 },
      joinedAtUnix: Date.UTC(2022, 0, 1) / 1000,
    })
    expect(sources?.bonus).toEqual({ page: 'api/profile', label: 'hunos' })
  })

  test('writes `Inf` where nothing was downloaded', async ({ expect }) => {
    const answers = { '/api/profile': { success: true, data: { ...profile, downloaded: 0, ratio: 'Inf' } } }
    const reading = await siteOf('unit3d', answers, named('huno')).read(signal())

    expect(reading).toMatchObject({ ok: true, value: { user: { downloadedBytes: 0 } } })
    expect(reading.ok && reading.value.user?.ratio).toBe(undefined)
  })

  const { id, attributes } = unit3dTorrent({ category: { id: 1, name: 'Movie' } })
  test.for([
    [{ success: true, data: { data: [{ id, ...attributes }], total: 1 } }],
    [{ success: true, data: [{ id, ...attributes }] }],
    [{ success: true, data: [{ id: 31, attributes }] }],
  ])('lists its torrents as %j', async ([answer], { expect }) => {
    const found = await siteOf('unit3d', { '/api/torrents/filter': answer }, named('huno')).search(everything, signal())

    expect(found).toMatchObject({
      ok: true,
      value: [
        { torrentId: '31', title: 'Paper Harbour 2026 1080p', category: 'Movie', seeders: 12, sizeBytes: 123_456_789 },
      ],
    })
  })
})

const gazelleFigures = {
  fileCount: 9,
  size: 987_654_321,
  snatches: 45,
  seeders: 12,
  leechers: 3,
  isFreeleech: false,
  isNeutralLeech: false,
  isPersonalFreeleech: false,
  canUseToken: true,
  hasSnatched: false,
}
const gazelleGroup = {
  groupId: 5,
  groupName: 'Tide &amp; Stone',
  artist: 'Sm&oslash;rg &lt;3',
  cover: '',
  tags: ['jazz', 'r&amp;b'],
  groupYear: 2019,
  releaseType: 'Album',
  groupTime: '2026-11-20 10:20:30',
  torrents: [
    {
      torrentId: 51,
      media: 'CD',
      format: 'FLAC',
      encoding: 'Lossless',
      time: '2026-11-19 09:08:07',
      ...gazelleFigures,
    },
    { torrentId: 52, media: 'WEB', format: 'MP3', encoding: '320', time: '2026-11-18 09:08:07', ...gazelleFigures },
  ],
}
const gazelleAlone = (groupTime: string) => ({
  groupId: 6,
  groupName: 'How to Tie Knots &ndash; Manual',
  torrentId: 61,
  tags: ['knots'],
  category: 'E-Books',
  groupTime,
  ...gazelleFigures,
  isFreeleech: true,
})

describe('a Gazelle site', () => {
  test.for([['2026-11-20 10:20:30'], ['1795170030']])(
    'lists groups and what has none, of time %s',
    async ([time = ''], { expect }) => {
      const driver = siteOf('gazelle', {
        browse: {
          status: 'success',
          response: { currentPage: 1, pages: 1, results: [gazelleGroup, gazelleAlone(time)] },
        },
      })
      const found = await driver.search(everything, signal())

      if (!found.ok) throw new Error(JSON.stringify(found))
      expect(found.value.map(({ torrentId, title, category, tags }) => ({ torrentId, title, category, tags }))).toEqual(
        [
          { torrentId: '51', title: 'Smørg <3 - Tide & Stone (2019)', category: undefined, tags: ['jazz', 'r&b'] },
          { torrentId: '52', title: 'Smørg <3 - Tide & Stone (2019)', category: undefined, tags: ['jazz', 'r&b'] },
          { torrentId: '61', title: 'How to Tie Knots – Manual', category: 'E-Books', tags: ['knots'] },
        ],
      )
      expect(found.value[2]).toMatchObject({
        uploadedAtUnix: Date.UTC(2026, 10, 20, 10, 20, 30) / 1000,
        discount: 'FREE',
        sizeBytes: 987_654_321,
        seeders: 12,
      })
    },
  )

  const freed = ['isFreeleech', 'isNeutralLeech', 'isPersonalFreeleech', 'isFreeload'] as const
  test.for(
    freed.flatMap((name) =>
      ([true, 1, '1', false, 0, '0', '', null] as const).map(
        (value) => [name, value, value === true || value === 1 || value === '1'] as const,
      ),
    ),
  )('counts a torrent with %s %j as free: %s', async ([name, value, isFree], { expect }) => {
    const torrent = { torrentId: 51, ...gazelleFigures, [name]: value }
    const response = { results: [{ ...gazelleGroup, torrents: [torrent] }] }
    const found = await siteOf('gazelle', { browse: { status: 'success', response } }).search(everything, signal())

    expect(found).toMatchObject({ ok: true, value: [{ torrentId: '51', discount: isFree ? 'FREE' : 'NONE' }] })
  })

  test('of a fork without any of the marks says nothing of what is free', async ({ expect }) => {
    const { isFreeleech: _, isNeutralLeech: __, isPersonalFreeleech: ___, ...unmarked } = gazelleFigures
    const response = { results: [{ ...gazelleGroup, torrents: [{ torrentId: 51, ...unmarked }] }] }
    const found = await siteOf('gazelle', { browse: { status: 'success', response } }).search(everything, signal())

    expect(found.ok && found.value.map(({ torrentId, discount }) => ({ torrentId, discount }))).toEqual([
      { torrentId: '51', discount: undefined },
    ])
  })

  const film = {
    groupId: 9,
    groupName: 'Paper Harbour',
    groupSubName: '纸港',
    tags: [''],
    groupYear: 2026,
    groupTime: '1795170030',
    imdbId: 'tt1234567',
    doubanId: '7654321',
  }
  test.for([
    ['0', 'NONE'],
    ['1', 'FREE'],
    ['2', 'FREE'],
    ['11', 'NONE'],
    ['12', 'PERCENT_50'],
    ['13', 'PERCENT_30'],
    [12, 'PERCENT_50'],
  ] as const)('for films lets off what its type %j says: %s', async ([freeType, discount], { expect }) => {
    const one = {
      ...{ torrentId: 91, time: '2026-11-19 09:08:07', ...gazelleFigures, freeType, processing: '', source: 'WEB' },
      ...{ codec: 'x265', resolution: '2160p', container: 'MKV' },
      ...{ isFreeleech: freeType === '1', isNeutralLeech: freeType === '2' },
    }
    const response = { currentPage: 1, pages: 1, results: [{ ...film, torrents: [one] }] }
    const found = await siteOf('gazelle', { browse: { status: 'success', response } }).search(everything, signal())

    if (!found.ok) throw new Error(JSON.stringify(found))
    const [{ title, subtitle, tags, imdbId, doubanId, discount: told } = {}] = found.value
    expect({ title, subtitle, tags, imdbId, doubanId, told }).toEqual({
      title: 'Paper Harbour (2026)',
      subtitle: '纸港 | WEB / x265 / 2160p / MKV',
      tags: [],
      imdbId: 'tt1234567',
      doubanId: '7654321',
      told: discount,
    })
  })

  test('that tells tags in another form lists its torrents all the same', async ({ expect }) => {
    const response = { results: [{ ...gazelleGroup, tags: { 3: 'jazz' } }] }
    const found = await siteOf('gazelle', { browse: { status: 'success', response } }).search(everything, signal())

    expect(found).toMatchObject({
      ok: true,
      value: [
        { torrentId: '51', tags: [] },
        { torrentId: '52', tags: [] },
      ],
    })
  })

  /** One fork keeps these of whoever asked first, for everybody and half a day (its `ajax_info_data`). */
  test('is not believed what it keeps for everybody', async ({ expect }) => {
    const own = { uploaded: 5000, downloaded: 1000, ratio: 5, class: 'Power User', bonusPoints: 12 }
    const anybodys = { seedingCount: 77, seedingSize: 777, seedingBonusPointsPerHour: 7.7, leechingCount: 7 }
    const driver = siteOf('gazelle', {
      index: { status: 'success', response: { username: 'walker', id: 7, userstats: { ...own, ...anybodys } } },
      user: { status: 'success', response: { community: { seeding: 12, leeching: null } } },
    })
    const reading = await driver.read(signal())

    if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
    const { sources: _, ...figures } = reading.value.user
    expect(figures).toEqual({
      username: 'walker',
      level: 'Power User',
      ...{ uploadedBytes: 5000, downloadedBytes: 1000, ratio: 5, bonus: 12, seeding: 12 },
    })
  })

  test('tells its bonus', async ({ expect }) => {
    const driver = siteOf('gazelle', {
      index: {
        status: 'success',
        response: {
          username: 'walker',
          id: 7,
          authkey: 'a',
          passkey: 'b',
          notifications: { messages: 2, notifications: 0 },
          userstats: {
            uploaded: 5000,
            downloaded: 1000,
            ratio: 5,
            requiredratio: 0.6,
            bonusPoints: 12_345,
            bonusPointsPerHour: 6.78,
            class: 'Power User',
          },
        },
      },
      user: {
        status: 'success',
        response: { stats: { lastAccess: '2026-11-20 01:00:00' }, community: { seeding: 12, leeching: null } },
      },
    })

    expect(await driver.read(signal())).toMatchObject({
      ok: true,
      value: { user: { bonus: 12_345, bonusPerHour: 6.78, unreadMessages: 2, seeding: 12 } },
    })
  })
})

describe('what members of a Gazelle site see of their peers', () => {
  const stats = { uploaded: 300, downloaded: 100, ratio: 3, class: 'Elite' }
  const index = { status: 'success', response: { username: 'walker', id: 42, userstats: stats } }
  const readWith = async (community: unknown, counts: unknown) => {
    const user = { status: 'success', response: { community } }
    const reading = await siteOf('gazelle', { index, user, community_stats: counts }).read(signal())
    if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
    const { seeding, leeching, seedingSizeBytes } = reading.value.user
    return { seeding, leeching, seedingSizeBytes }
  }
  const told = (response: unknown) => ({ status: 'success', response })

  test('has a size that is seeding', async ({ expect }) => {
    const counts = told({ leeching: 1, seeding: '1,020', snatched: '30', seedingsize: '476.55 GB' })
    const size = Math.trunc(476.55 * 1024 ** 3)
    expect(await readWith({ seeding: 20, leeching: 2 }, counts)).toEqual({
      seeding: 20,
      leeching: 2,
      seedingSizeBytes: size,
    })
    expect(await readWith({}, counts)).toEqual({ seeding: 1020, leeching: 1, seedingSizeBytes: size })
  })

  test('may be hidden, or not there', async ({ expect }) => {
    const hidden = told({ leeching: false, seeding: false, snatched: false, seedingperc: false })
    const none = { seeding: undefined, leeching: undefined, seedingSizeBytes: undefined }
    expect(await readWith({ seeding: null, leeching: null }, hidden)).toEqual(none)
    expect(await readWith({}, { status: 'failure', error: 'failure', response: [] })).toEqual(none)
  })
})

describe('the Gazelle fork for games', () => {
  const games = named('gazellegames')
  const userstats = { uploaded: 4_398_046_511_104, downloaded: 1_099_511_627_776, ratio: 4, requiredratio: 0.6 }
  const quick = {
    ...{ username: 'walker', id: 24, authkey: 'a', passkey: 'p', notifications: { messages: 7 } },
    userstats: { ...userstats, class: 'Legendary Gamer' },
  }
  const member = {
    username: 'walker',
    stats: { joinedDate: '2025-01-02 03:04:05', lastAccess: '2026-10-06 01:02:03', ratio: '4.0', gold: 1000 },
    personal: { class: 'Legendary Gamer', hnrs: null, warned: false, invites: 2 },
    community: { hourlyGold: 2.5, seeding: 20, leeching: null, snatched: 100, seedSize: 34_359_738_368 },
    achievements: { userLevel: 'Legendary Gamer', nextLevel: 'Master Gamer', totalPoints: 3000, pointsToNextLvl: 1200 },
  }
  const told = (response: unknown) => ({ status: 'success', response })

  test('tells its account by a key, where it has its interface', async ({ expect }) => {
    const asked: Asked[] = []
    const driver = siteOf('gazelle', { quick_user: told(quick), user: told(member) }, games, asked)
    const reading = await driver.read(signal())

    if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
    const { sources, ...figures } = reading.value.user
    expect(figures).toEqual({
      ...{ username: 'walker', level: 'Legendary Gamer', uploadedBytes: 4 * 1024 ** 4, downloadedBytes: 1024 ** 4 },
      ...{ ratio: 4, bonus: 1000, bonusPerHour: 2.5, seeding: 20, seedingSizeBytes: 32 * 1024 ** 3, unreadMessages: 7 },
      ...{ joinedAtUnix: Date.UTC(2025, 0, 2, 3, 4, 5) / 1000, seedingPoints: 3000 },
    })
    expect(reading.value.lastActiveAtUnix).toBe(Date.UTC(2026, 9, 6, 1, 2, 3) / 1000)
    expect(sources?.bonus).toEqual({ page: 'api.php?request=user', label: 'stats.gold' })
    expect(asked.map(({ address }) => address)).toEqual([
      'https://site.example/api.php?request=quick_user',
      'https://site.example/api.php?request=user&id=24',
    ])
    for (const { headers } of asked) {
      expect(headers.get('x-api-key')).toBe('k')
      expect(headers.get('authorization')).toBe(null)
    }
  })

  test('is shown without what the page of the member tells', async ({ expect }) => {
    const reading = await siteOf('gazelle', { quick_user: told(quick), user: {} }, games).read(signal())

    if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
    const { uploadedBytes, bonus, seedingSizeBytes } = reading.value.user
    expect({ uploadedBytes, bonus, seedingSizeBytes }).toEqual({ uploadedBytes: 4 * 1024 ** 4 })
  })

  test.for([
    [{ status: 'failure', error: 'API Key is not valid' }, 'login_expired'],
    [{ status: 401, error: 'API Key is not valid.' }, 'login_expired'],
    [{ status: 'failure', error: 'User permission required' }, 'refused'],
  ] as const)('says with %j that it is %s', async ([answer, kind], { expect }) => {
    const reading = await siteOf('gazelle', { quick_user: answer }, games).read(signal())
    expect(reading).toEqual({ ok: false, failure: { kind } })
  })

  const game = {
    ...{ ID: '71', GroupID: '5', CategoryID: '1', Language: 'Multi-Language', Format: '', Encoding: '', Region: '' },
    ...{
      Remastered: '0',
      RemasterYear: '0',
      RemasterTitle: '',
      Scene: '1',
      ReleaseTitle: 'Paper Harbour &amp; Sea-QUAY',
    },
    ...{ GameDOXType: '', Size: '7654321', Time: '2026-11-19 09:08:07', Miscellaneous: 'Full ISO', FreeTorrent: '0' },
    ...{ Seeders: '12', Leechers: 3, Snatched: '45', FileCount: '9', LowSeedFL: false, PersonalFL: false },
  }
  const list = (...torrents: readonly Readonly<Record<string, unknown>>[]) =>
    told({
      5: {
        ...{ Artists: [{ id: 8, name: 'Windows' }], Year: '2016' },
        Torrents: Object.fromEntries(torrents.map((one, at) => [`${71 + at}`, { ...game, ID: `${71 + at}`, ...one }])),
      },
      6: { Artists: [], Year: '0', Torrents: [] },
    })

  test('lists its groups by their numbers, the newest first', async ({ expect }) => {
    const asked: Asked[] = []
    const extra = { Miscellaneous: 'GameDOX', GameDOXType: 'Update', Time: '2026-11-20 09:08:07' }
    const driver = siteOf('gazelle', { search: list({}, extra) }, games, asked)
    const found = await driver.search({ keyword: 'Paper.Harbour', categoryIds: ['1', '4'], freeOnly: true }, signal())

    if (!found.ok) throw new Error(JSON.stringify(found))
    const [newest, first] = found.value
    expect(newest).toMatchObject({ torrentId: '72', subtitle: 'Update / Multi-Language / GameDOX' })
    expect(first).toEqual({
      ...{ torrentId: '71', title: 'Paper Harbour & Sea-QUAY', subtitle: '2016 / Multi-Language / Full ISO' },
      ...{ sizeBytes: 7_654_321, seeders: 12, leechers: 3, snatched: 45, category: 'Windows' },
      ...{ tags: [], discount: 'NONE', hasHr: false },
      uploadedAtUnix: Date.UTC(2026, 10, 19, 9, 8, 7) / 1000,
    })
    const { searchParams } = new URL(asked[0]?.address ?? '')
    expect([...searchParams].filter(([name]) => /search|free|filter/.test(name))).toEqual([
      ['search_type', 'torrents'],
      ['searchstr', 'Paper Harbour'],
      ['filter_cat[1]', '1'],
      ['filter_cat[4]', '1'],
      ['freetorrent', '3'],
    ])
  })

  test.for([
    [{ FreeTorrent: '0' }, 'NONE'],
    [{ FreeTorrent: '1' }, 'FREE'],
    [{ FreeTorrent: '2' }, 'FREE'],
    [{ FreeTorrent: '3' }, undefined],
    [{ LowSeedFL: true }, 'FREE'],
    [{ PersonalFL: true }, 'FREE'],
    [{ FreeTorrent: null }, undefined],
    [{ FreeTorrent: null, LowSeedFL: true }, 'FREE'],
  ] as const)('counts a torrent with %j as %s', async ([change, discount], { expect }) => {
    const found = await siteOf('gazelle', { search: list(change) }, games).search(everything, signal())
    expect(found).toMatchObject({ ok: true, value: [{ torrentId: '71', discount }] })
  })

  test('has nothing in an empty list, and no list in another answer', async ({ expect }) => {
    const searched = (answer: unknown) => siteOf('gazelle', { search: answer }, games).search(everything, signal())
    expect(await searched(told([]))).toEqual({ ok: true, value: [] })
    const broken = { ok: false, failure: { kind: 'broken', part: 'list' } }
    expect(await searched(told('none'))).toEqual(broken)
    expect(await searched(told({ 5: { Torrents: { 71: { Name: 'x' } } } }))).toEqual(broken)
  })

  test('gives a torrent by the two keys of the account', async ({ expect }) => {
    const asked: Asked[] = []
    await siteOf('gazelle', { quick_user: told(quick) }, games, asked).download('71', undefined, signal())
    expect(asked.at(-1)?.address).toBe(
      'https://site.example/torrents.php?action=download&id=71&authkey=a&torrent_pass=p',
    )
  })

  test('lists unread messages', async ({ expect }) => {
    const messages = [
      { subject: 'A gift &amp; more', unread: true },
      { subject: 'Old', unread: false },
    ]
    const driver = siteOf('gazelle', { inbox: told({ messages }) }, games)
    expect(await driver.messages?.(signal())).toEqual({ ok: true, value: [{ subject: 'A gift & more' }] })
  })
})

describe('M-Team', () => {
  test.for([
    [{ code: 1, message: 'key無效' }, 'login_expired'],
    [{ code: '1', message: 'key无效' }, 'login_expired'],
    [{ code: 401, message: 'Full authentication is required to access this resource' }, 'login_expired'],
    [{ code: '401', message: null }, 'login_expired'],
    [{ code: 1, message: '請求過於頻繁' }, 'rate_limited'],
    [{ code: '1', message: '请求过于频繁，请稍后再试' }, 'rate_limited'],
    [{ code: 1, message: 'too frequent' }, 'rate_limited'],
    [{ code: 429, message: '' }, 'rate_limited'],
    // Words that only resemble those of a key or a login.
    [{ code: 1, message: 'keyword is too long' }, 'refused'],
    [{ code: 1, message: 'the author was removed' }, 'refused'],
    [{ code: 500, message: 'login_expired' }, 'refused'],
    [{ code: 1 }, 'refused'],
  ] as const)('says with %j that it is %s', async ([answer, kind], { expect }) => {
    const searched = await siteOf('mteam', { '/torrent/search': answer }).search(everything, signal())

    expect(searched).toEqual({ ok: false, failure: { kind } })
  })
})

/** What each interface calls the figures of a row, and how a row with these is answered. */
const lists: Readonly<Record<'unit3d' | 'gazelle' | 'mteam', (figures: Readonly<Record<Count, unknown>>) => unknown>> =
  {
    unit3d: ({ size, seeders, leechers, snatched }) => ({
      '/api/torrents/filter': { data: [unit3dTorrent({ size, seeders, leechers, times_completed: snatched })] },
    }),
    gazelle: ({ size, seeders, leechers, snatched }) => ({
      browse: {
        status: 'success',
        response: { results: [{ ...gazelleAlone('1795170030'), size, seeders, leechers, snatches: snatched }] },
      },
    }),
    mteam: ({ size, seeders, leechers, snatched }) => ({
      '/torrent/search': {
        code: '0',
        data: { data: [{ id: '1', name: 'x', size, status: { seeders, leechers, timesCompleted: snatched } }] },
      },
    }),
  }
type Count = 'size' | 'seeders' | 'leechers' | 'snatched'

describe('a count of a row', () => {
  const figures = { size: 1000, seeders: 5, leechers: 2, snatched: 9 }
  test.for(
    (['unit3d', 'gazelle', 'mteam'] as const).flatMap((kind) =>
      ([undefined, null, '', 'many', -1] as const).map((value) => [kind, value] as const),
    ),
  )('of %s that is %j is absent, and the others are there', async ([kind, value], { expect }) => {
    for (const name of ['size', 'seeders', 'leechers', 'snatched'] as const) {
      const answers = lists[kind]({ ...figures, [name]: value }) as Readonly<Record<string, unknown>>
      const found = await siteOf(kind, answers).search(everything, signal())
      if (!found.ok) throw new Error(JSON.stringify(found))
      const { sizeBytes: size, seeders, leechers, snatched } = found.value[0] ?? {}
      expect({ size, seeders, leechers, snatched }).toEqual({ ...figures, [name]: undefined })
    }
  })

  const attribute = (name: string, value: string) => `<torznab:attr name="${name}" value="${value}"/>`
  test.for([
    ['all of them', ['seeders', '5', 'peers', '7', 'size', '1000'], [1000, 5, 2]],
    ['no seeders', ['peers', '7', 'size', '1000'], [1000, undefined, undefined]],
    ['leechers for themselves', ['leechers', '2', 'size', '1000'], [1000, undefined, 2]],
    ['no peers', ['seeders', '5', 'size', '1000'], [1000, 5, undefined]],
    ['fewer peers than seeders', ['seeders', '5', 'peers', '3', 'size', '1000'], [1000, 5, undefined]],
    ['no size', ['seeders', '5', 'peers', '5', 'size', '0'], [undefined, 5, 0]],
    ['words', ['seeders', 'many', 'peers', 'more', 'size', 'large'], [undefined, undefined, undefined]],
  ] as const)('of a feed with %s is told or absent', async ([, told, [size, seeders, leechers]], { expect }) => {
    const attributes = told.flatMap((name, at) => (at % 2 === 0 ? [attribute(name, told[at + 1] ?? '')] : []))
    const feed = `<rss version="2.0" xmlns:torznab="http://torznab.com/schemas/2015/feed"><channel><item><title>x</title><guid>1</guid><link>https://site.example/1</link>${attributes.join('')}</item></channel></rss>`
    const found = await siteOf('torznab', { '/api': feed }).search(everything, signal())

    if (!found.ok) throw new Error(JSON.stringify(found))
    expect(found.value.map((one) => [one.sizeBytes, one.seeders, one.leechers])).toEqual([[size, seeders, leechers]])
  })

  test.for([
    [{ downloadvolumefactor: '0', uploadvolumefactor: '2' }, '2XFREE'],
    [{ downloadvolumefactor: '1' }, 'NONE'],
    [{ uploadvolumefactor: '2' }, undefined],
    [{ downloadvolumefactor: 'gold' }, undefined],
    [{}, undefined],
  ] as const)('of a feed that tells %j of what is paid is %s', async ([told, discount], { expect }) => {
    const attributes = Object.entries(told).map(([name, value]) => attribute(name, value))
    const feed = `<rss version="2.0" xmlns:torznab="http://torznab.com/schemas/2015/feed"><channel><item><title>x</title><guid>1</guid><link>https://site.example/1</link>${attributes.join('')}</item></channel></rss>`
    const found = await siteOf('torznab', { '/api': feed }).search(everything, signal())

    expect(found.ok && found.value.map((one) => one.discount)).toEqual([discount])
  })
})
