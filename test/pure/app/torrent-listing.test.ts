import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { TorrentFilter, TorrentQuery } from '../../../workers/app/core/downloader.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { TorrentCatalogue } from '../../../workers/app/core/torrent-catalogue.ts'
import { torrentGroupsMax } from '../../../workers/app/core/torrent-groups.ts'
import { joinSorted, partsOfJoined } from '../../../workers/app/core/torrent-listing.ts'
import {
  sortOrders,
  type TorrentSort,
  type TorrentState,
  torrentSorts,
  torrentStates,
} from '../../../workers/app/core/vocabulary.ts'
import { torrentFixture } from '../../support/torrent-fixture.ts'

function torrent(number: number, change: Partial<Torrent> = {}): Torrent {
  const infoHash = number.toString(16).padStart(40, '0')
  return torrentFixture(infoHash, { title: `Title ${number}`, state: 'seeding', ...change })
}

function catalogueOf(...torrents: Torrent[]): TorrentCatalogue {
  const catalogue = new TorrentCatalogue()
  catalogue.apply({ kind: 'full', torrents })
  return catalogue
}

const byTitle: TorrentQuery = { sort: 'title', order: 'asc' }
const titles = ({ torrents }: { torrents: readonly Torrent[] }) => torrents.map(({ title }) => title)

test('those that may be called by a name are found by what their titles say, however their words are parted', ({
  expect,
}) => {
  const titled = [
    'Harbour.Lights.2021.1080p',
    '[灯火] The Salt Road S01E01',
    'Harbour Lights Out 2020 720p',
    'Lights.2019.1080p',
  ]
  const catalogue = catalogueOf(...titled.map((title, at) => torrent(at, { title })))
  expect(catalogue.called(['harbourlights'])).toEqual([titled[0]])
  expect(catalogue.called(['thesaltroad', 'lights'])).toEqual([titled[1], titled[3]])
  expect(catalogue.called(['灯火'])).toEqual([titled[1]])
  expect(catalogue.called(['harbour', 'nothing'])).toEqual([])
})

describe('each sort orders by its own field', () => {
  test.for<[TorrentSort, Partial<Torrent>, Partial<Torrent>]>([
    ['added_at', { addedAtUnix: 1 }, { addedAtUnix: 2 }],
    ['completed_at', { completedAtUnix: 1 }, { completedAtUnix: 2 }],
    ['title', { title: 'alpha' }, { title: 'Beta' }],
    ['progress', { progressPercent: 1.5 }, { progressPercent: 12 }],
    ['size', { sizeBytes: 9 }, { sizeBytes: 10 }],
    ['ratio', { ratio: 0.5 }, { ratio: 3 }],
    ['state', { state: 'downloading' }, { state: 'error' }],
    ['upload_speed', { uploadBytesPerSecond: 9 }, { uploadBytesPerSecond: 10 }],
    ['download_speed', { downloadBytesPerSecond: 9 }, { downloadBytesPerSecond: 10 }],
    ['eta', { etaSeconds: -1 }, { etaSeconds: 5 }],
    ['seeds', { seeds: 9 }, { seeds: 10 }],
  ])('%s', ([sort, low, high], { expect }) => {
    const catalogue = catalogueOf(torrent(2, high), torrent(1, low))
    const hashes = (order: 'asc' | 'desc') =>
      catalogue
        .select({ sort, order }, { from: 0, count: 10 })
        .torrents.map(({ infoHash }) => Number.parseInt(infoHash, 16))

    expect(hashes('asc')).toEqual([1, 2])
    expect(hashes('desc')).toEqual([2, 1])
  })
})

test('every sort of the interface is covered above', ({ expect }) => {
  expect(torrentSorts).toHaveLength(11)
})

describe('a keyword', () => {
  const catalogue = catalogueOf(
    torrent(1, { title: 'Größe.2024' }),
    torrent(2, { title: 'CAFÉ au lait' }),
    torrent(3, { title: '港口的灯塔' }),
    torrent(4, { title: 'a*b%c_d' }),
    torrent(5, { title: 'Harbour.Lights.S01E02_1080p-GROUP' }),
    torrent(6, { title: 'Lights of Another Town' }),
  )
  test.for<[string, string[]]>([
    ['gRÖSSE', []],
    ['GRÖßE', ['Größe.2024']],
    ['café', ['CAFÉ au lait']],
    ['cafe\u0301', ['CAFÉ au lait']],
    ['的灯', ['港口的灯塔']],
    ['*b%', ['a*b%c_d']],
    ['.', ['Größe.2024', 'Harbour.Lights.S01E02_1080p-GROUP']],
    ['-', ['Harbour.Lights.S01E02_1080p-GROUP']],
    ['harbour lights', ['Harbour.Lights.S01E02_1080p-GROUP']],
    ['lights harbour', ['Harbour.Lights.S01E02_1080p-GROUP']],
    ['Harbour_Lights-s01e02', ['Harbour.Lights.S01E02_1080p-GROUP']],
    ['group  1080p\u3000harb', ['Harbour.Lights.S01E02_1080p-GROUP']],
    ['lights.s01', ['Harbour.Lights.S01E02_1080p-GROUP']],
    ['another.town', ['Lights of Another Town']],
    ['-lights-', ['Harbour.Lights.S01E02_1080p-GROUP', 'Lights of Another Town']],
    ['harbour town', []],
    ['nothing', []],
  ])('%s finds what a reader would call the same', ([keyword, expected], { expect }) => {
    expect(titles(catalogue.select({ ...byTitle, keyword }, { from: 0, count: 10 }))).toEqual(expected)
  })
})

describe('a keyword of first letters', () => {
  const catalogue = catalogueOf(
    torrent(1, { title: '流浪地球2.The.Wandering.Earth.II.2023' }),
    torrent(2, { title: '重庆森林 1994' }),
    torrent(3, { title: '长安三万里' }),
    torrent(4, { title: 'Quiet River' }),
  )
  test.for<[string, string, string[]]>([
    ['the first letters', 'lldq', ['流浪地球2.The.Wandering.Earth.II.2023']],
    ['a part of them', 'ldq', ['流浪地球2.The.Wandering.Earth.II.2023']],
    ['letters and what is written as it is', 'dq2', ['流浪地球2.The.Wandering.Earth.II.2023']],
    ['in capitals, with a word', 'earth LLDQ', ['流浪地球2.The.Wandering.Earth.II.2023']],
    ['each reading of a character: chóng', 'cqsl', ['重庆森林 1994']],
    ['each reading of a character: zhòng', 'zqsl', ['重庆森林 1994']],
    ['cháng and zhǎng', 'casw', ['长安三万里']],
    ['cháng and zhǎng again', 'zasw', ['长安三万里']],
    ['other letters', 'lldx', []],
    ['letters in another order', 'dqll', []],
    ['letters of two words', 'lldqt', []],
    ['a single letter as it is written', 'q', ['Quiet River']],
    ['digits alone as they are written', '94', ['重庆森林 1994']],
  ])('%s: %s', ([, keyword, expected], { expect }) => {
    expect(titles(catalogue.select({ ...byTitle, keyword }, { from: 0, count: 10 })).sort()).toEqual(expected)
  })

  test('a title that is changed is found by its new reading', ({ expect }) => {
    const changing = catalogueOf(torrent(1, { title: 'Quiet River' }))
    const found = (keyword: string) => changing.select({ ...byTitle, keyword }, { from: 0, count: 1 }).total
    changing.apply({ kind: 'delta', changed: [torrent(1, { title: '静静的河' })], removed: [] })
    expect([found('jjdh'), found('river')]).toEqual([1, 0])
    changing.apply({ kind: 'delta', changed: [torrent(1, { title: '静静的河', ratio: 7 })], removed: [] })
    expect(found('jjdh')).toBe(1)
  })
})

test('what contains a keyword as it stands is found whatever the keyword is', ({ expect }) => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'é', '灯', '.', '_', '-', ' '), maxLength: 12 })
  fc.assert(
    fc.property(text, text, text, (before, keyword, after) => {
      const title = `${before}${keyword}${after}`
      const found = catalogueOf(torrent(1, { title })).select({ ...byTitle, keyword }, { from: 0, count: 1 })
      expect(titles(found)).toEqual([title])
    }),
  )
})

test('a state shows only torrents in it, and the total counts all of them', ({ expect }) => {
  const catalogue = catalogueOf(
    ...torrentStates.flatMap((state, index) => [torrent(index * 2, { state }), torrent(index * 2 + 1, { state })]),
  )

  for (const state of torrentStates) {
    const selected = catalogue.select({ ...byTitle, state }, { from: 0, count: 1 })
    expect(selected.torrents.map((one) => one.state)).toEqual([state])
    expect(selected.total).toBe(2)
  }
})

test('a condition shows only torrents in it; the counts say what the other choices would show', ({ expect }) => {
  const catalogue = catalogueOf(
    torrent(1, { title: 'alpha one', state: 'downloading', condition: { kind: 'stalled' } }),
    torrent(2, { title: 'alpha two', state: 'downloading', condition: { kind: 'tracker_error', said: 'no' } }),
    torrent(3, { title: 'alpha three', state: 'seeding', condition: { kind: 'tracker_error' } }),
    torrent(4, { title: 'beta', state: 'seeding' }),
  )
  const counts = { states: { downloading: 2, seeding: 1 }, conditions: { stalled: 1, tracker_error: 2 } }
  const part = { from: 0, count: 1 }
  expect(catalogue.select({ ...byTitle, keyword: 'alpha' }, part)).toMatchObject({ total: 3, counts })
  expect(catalogue.select({ ...byTitle, keyword: 'alpha', state: 'seeding' }, part)).toMatchObject({ total: 1, counts })
  const refused = catalogue.select({ ...byTitle, keyword: 'alpha', condition: 'tracker_error' }, part)
  expect(refused).toMatchObject({ total: 2, counts })
  expect(titles(refused)).toEqual(['alpha three'])
  expect(catalogue.sortKeys({ ...byTitle, condition: 'tracker_error' }, 10)).toEqual(['alpha three', 'alpha two'])
  expect(catalogue.select({ ...byTitle, condition: 'moving' }, part)).toMatchObject({ total: 0, torrents: [] })
})

describe('groups', () => {
  const refused = { kind: 'tracker_error', said: 'not registered' } as const
  const catalogue = catalogueOf(
    torrent(1, { title: 'alpha one', tracker: 'a.example', tags: 'x,y', savePath: '/data/tv/', sizeBytes: 3 }),
    torrent(2, { title: 'alpha two', tracker: 'a.example', tags: 'x', savePath: '/data/tv', condition: refused }),
    torrent(3, { title: 'alpha three', tracker: 'b.example', category: 'films', condition: refused }),
    torrent(4, { title: 'beta', state: 'error', condition: { kind: 'missing_files' } }),
  )
  const named = (groups: readonly { readonly name: string; readonly total: number }[]) =>
    Object.fromEntries(groups.map(({ name, total }) => [name, total]))

  test('count each torrent under each of its names, and those without one under none', ({ expect }) => {
    const { by, total } = catalogue.groups({})
    expect(total).toBe(4)
    expect(named(by.tracker)).toEqual({ 'a.example': 2, 'b.example': 1, '': 1 })
    expect(named(by.tag)).toEqual({ x: 2, y: 1, '': 2 })
    expect(named(by.folder)).toEqual({ '/data/tv': 2, '': 2 })
    expect(named(by.category)).toEqual({ '': 3, films: 1 })
    expect(by.folder.find(({ name }) => name === '/data/tv')?.totalBytes).toBe(3)
  })

  test('a group says what the others leave, and of its own what else there is', ({ expect }) => {
    const { by, total } = catalogue.groups({ tracker: 'a.example', tag: 'y', keyword: 'alpha' })
    expect(total).toBe(1)
    expect(named(by.tracker)).toEqual({ 'a.example': 1 })
    expect(named(by.tag)).toEqual({ x: 2, y: 1 })
    expect(named(by.folder)).toEqual({ '/data/tv': 1 })
  })

  test('what needs the owner is told by why, whatever state is asked for', ({ expect }) => {
    expect(catalogue.groups({ state: 'paused' }).matters).toEqual([
      { condition: 'tracker_error', said: 'not registered', tracker: 'a.example', total: 1 },
      { condition: 'tracker_error', said: 'not registered', tracker: 'b.example', total: 1 },
      { condition: 'missing_files', said: '', tracker: '', total: 1 },
    ])
    expect(catalogue.groups({ tracker: 'b.example' }).matters).toHaveLength(1)
  })

  test.for<[string, TorrentFilter, string[]]>([
    ['a tracker', { tracker: 'a.example' }, ['alpha one', 'alpha two']],
    ['no tracker', { tracker: '' }, ['beta']],
    ['a tag among others', { tag: 'y' }, ['alpha one']],
    ['no tag', { tag: '' }, ['alpha three', 'beta']],
    ['a category', { category: 'films' }, ['alpha three']],
    ['a folder, written with or without an end', { folder: '/data/tv' }, ['alpha one', 'alpha two']],
    ['part of a folder', { folder: '/data' }, []],
    ['what was said', { condition: 'tracker_error', said: 'not registered', tracker: 'a.example' }, ['alpha two']],
    ['what was not said', { condition: 'tracker_error', said: 'not' }, []],
    ['those that need the owner', { needsOwner: true }, ['alpha three', 'alpha two', 'beta']],
  ])('a list can be asked for by %s', ([, filter, wanted], { expect }) => {
    const query = { ...byTitle, ...filter }
    expect(titles(catalogue.select(query, { from: 0, count: 10 }))).toEqual(wanted)
    expect(catalogue.sortKeys(query, 10)).toEqual(wanted)
    expect(catalogue.matching(filter).map(({ title }) => title)).toHaveLength(wanted.length)
    expect(catalogue.groups(filter).total).toBe(wanted.length)
  })

  test('of very many names those with the most torrents are told', ({ expect }) => {
    const many = Array.from({ length: torrentGroupsMax + 1 }, (_, at) => torrent(at, { savePath: `/data/${at}` }))
    const { by } = catalogueOf(...many.slice(1)).groups({})
    expect(by.folder).toHaveLength(torrentGroupsMax)
    const more = catalogueOf(...many, torrent(999, { savePath: '/data/200' })).groups({}).by.folder
    expect(more).toHaveLength(torrentGroupsMax)
    expect(more[0]).toMatchObject({ name: '/data/200', total: 2 })
  })
})

const anyTorrent = fc
  .record({
    number: fc.integer({ min: 0, max: 30 }),
    title: fc.constantFrom('alpha', 'Alpha', 'beta', 'Gamma'),
    sizeBytes: fc.integer({ min: 0, max: 3 }),
    addedAtUnix: fc.integer({ min: 0, max: 3 }),
    state: fc.constantFrom<TorrentState>(...torrentStates),
  })
  .map(({ number, ...change }) => torrent(number, change))
const anyQuery = fc.record({
  sort: fc.constantFrom(...torrentSorts),
  order: fc.constantFrom(...sortOrders),
})

test('however changes arrive, a catalogue answers like one built anew', ({ expect }) => {
  const anyChange = fc.oneof(
    fc.record({
      kind: fc.constant('delta' as const),
      changed: fc.uniqueArray(anyTorrent, { selector: ({ infoHash }) => infoHash, maxLength: 6 }),
      removed: fc.array(
        fc.integer({ min: 0, max: 30 }).map((number) => torrent(number).infoHash),
        { maxLength: 4 },
      ),
    }),
    fc.record({
      kind: fc.constant('full' as const),
      torrents: fc.uniqueArray(anyTorrent, { selector: ({ infoHash }) => infoHash, maxLength: 12 }),
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(anyChange, anyQuery), { maxLength: 12 }), (steps) => {
      const catalogue = new TorrentCatalogue()
      let model = new Map<string, Torrent>()
      for (const [change, query] of steps) {
        catalogue.apply(change)
        if (change.kind === 'full') model = new Map(change.torrents.map((one) => [one.infoHash, one]))
        else {
          for (const infoHash of change.removed) model.delete(infoHash)
          for (const one of change.changed) model.set(one.infoHash, one)
        }
        expect(catalogue.select(query, { from: 0, count: 100 })).toEqual(
          catalogueOf(...model.values()).select(query, { from: 0, count: 100 }),
        )
        expect(catalogue.size).toBe(model.size)
      }
    }),
    { numRuns: 500 },
  )
})

test('pages over several downloaders cover everything once, in the asked order', ({ expect }) => {
  const anyLists = fc.array(fc.uniqueArray(anyTorrent, { selector: ({ infoHash }) => infoHash, maxLength: 12 }), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(anyLists, anyQuery, fc.integer({ min: 1, max: 7 }), (lists, query, pageSize) => {
      const catalogues = lists.map((torrents) => catalogueOf(...torrents))
      const read = (upTo: number) =>
        catalogues.map((catalogue, owner) => ({
          owner,
          torrents: catalogue.select(query, { from: 0, count: upTo }).torrents,
        }))
      const all = lists.reduce((sum, torrents) => sum + torrents.length, 0)
      const whole = joinSorted(read(all), query, 0, all)

      const paged = Array.from({ length: Math.ceil(all / pageSize) }, (_, page) =>
        joinSorted(read((page + 1) * pageSize), query, page * pageSize, pageSize),
      ).flat()

      const located = Array.from({ length: Math.ceil(all / pageSize) }, (_, page) => {
        const skip = page * pageSize
        const keys = catalogues.map((catalogue) => catalogue.sortKeys(query, skip + pageSize))
        const parts = partsOfJoined(keys, query.order, skip, pageSize)
        const lists = catalogues.map((catalogue, owner) => {
          const part = parts[owner] ?? { from: 0, count: 0 }
          return { owner, torrents: catalogue.select(query, part).torrents }
        })
        return joinSorted(lists, query, 0, pageSize)
      }).flat()

      expect(paged).toEqual(whole)
      expect(located).toEqual(whole)
      expect(new Set(whole.map(({ owner, torrent: one }) => `${owner} ${one.infoHash}`)).size).toBe(all)
      expect(joinSorted(read(all + pageSize), query, all, pageSize)).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('equal torrents of several downloaders come by downloader and then by hash', ({ expect }) => {
  for (const order of sortOrders) {
    const lists = [3, 7].map((owner) => ({
      owner,
      torrents: catalogueOf(torrent(2), torrent(1)).select({ sort: 'size', order }, { from: 0, count: 10 }).torrents,
    }))

    const merged = joinSorted(lists, { sort: 'size', order }, 0, 10)

    expect(merged.map(({ owner, torrent: one }) => [owner, Number.parseInt(one.infoHash, 16)])).toEqual([
      [3, 1],
      [3, 2],
      [7, 1],
      [7, 2],
    ])
  }
})
