/**
 * Answers of the JSON interfaces as the sites' own software makes them. UNIT3D: `app/Http/Resources/{Torrent,User}Resource`
 * and `Http/Controllers/API/TorrentController` of HDInnovations/UNIT3D-Community-Edition at 44a3aeac1; what is featured is
 * credited by `app/Jobs/ProcessAnnounce`; the resources of its tags from v1.9 on, where they differ. Gazelle: `sections/ajax/{info,browse}` and `app/Json/{TGroupList,User}` of
 * OPSnet/Gazelle at 71b45155d; the older fork's `groupTime` is in seconds. The fork for films is Mosasauroidea/GazellePW at
 * 86c4bed (`sections/ajax/{info,browse}.php`, `classes/torrents.class.php`).
 */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { Discount, SiteKind } from '../../../workers/app/core/vocabulary.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

function siteOf(kind: SiteKind, answers: Readonly<Record<string, unknown>>) {
  return createSiteDriver(
    { kind, baseUrl: 'https://site.example', credentials: { cookie: '', apiKey: 'k' }, profile: siteProfile(kind, {}) },
    siteRuntime(async (address) => {
      const { pathname, searchParams } = new URL(address)
      const answer = answers[searchParams.get('action') ?? pathname]
      if (typeof answer === 'string') return new Response(answer, { headers: { 'content-type': 'application/xml' } })
      return new Response(JSON.stringify(answer ?? {}), { headers: { 'content-type': 'application/json' } })
    }),
  )
}
const signal = () => AbortSignal.timeout(5000)
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
    [{ freeleech: null }, 'NONE'],
    [{ freeleech: '%' }, 'NONE'],
  ] satisfies (readonly [Record<string, unknown>, Discount])[])(
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
})
