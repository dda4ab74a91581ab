/** Figures of pages whose shape was recorded of single sites: each is right or absent. */
import { describe, test } from 'vitest'
import { parseMarkup } from '../../../workers/app/adapters/sites/markup.ts'
import { readHome } from '../../../workers/app/adapters/sites/nexusphp/account-block.ts'
import { readBonusPerHour } from '../../../workers/app/adapters/sites/nexusphp/bonus-page.ts'
import { readSeeding } from '../../../workers/app/adapters/sites/nexusphp/seeding-list.ts'
import { readTorrentList, readTorrentTree } from '../../../workers/app/adapters/sites/nexusphp/torrent-list.ts'
import { readyDefinitions, siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { listTablesMax } from '../../../workers/app/limits.ts'
import {
  homeOfCoins,
  homeOfForm,
  homeOfPictures,
  homesByLink,
  homesOfSigns,
  hourInParts,
  listBelowAnother,
  listOfLabels,
  listOfPartsUntil,
  listOfWordMarks,
  listOfWords,
  listWithoutHeads,
} from '../../support/nexusphp-recorded.ts'
import { themeAccount as account, themeTorrents } from '../../support/nexusphp-themes.ts'

const stock = siteProfile('nexusphp')
const profileOf = (id: string) => {
  const definition = readyDefinitions.find((one) => one.id === id)
  return definition === undefined ? stock : siteProfile(definition.kind, definition.overrides ?? {})
}
const { username, uploadedBytes, downloadedBytes, bonus, seeding, leeching } = account
const known = {
  userQuery: `id=${account.userId}`,
  ...{ username, uploadedBytes, downloadedBytes, ratio: 5.555, bonus, seeding, leeching },
}

describe('the block about the reader', () => {
  test.for(Object.entries({ ...homesByLink, ...homesOfSigns }))('of %s is read', ([id, home], { expect }) => {
    const page = parseMarkup(home(account))
    // A ratio before a bare number may be the beginning of one that is written with blanks.
    const expected = { ...known, ratio: id === 'cspt' ? undefined : known.ratio }
    expect(readHome(page, stock)).toEqual(expected)
    // What a named site calls its bonus has to be there.
    const { bonus: read, ...others } = { ...readHome(page, profileOf(id)) }
    expect({ ...others, bonus: read ?? bonus }).toEqual(expected)
  })

  test.for(['audiences', 'zmpt'] as const)('of %s tells the bonus under its own word only', (id, { expect }) => {
    const home = homesByLink[id]?.(account) ?? ''
    expect(readHome(parseMarkup(home), profileOf(id))?.bonus).toBe(bonus)
    const other = home.replace(/爆米花|电力值/, '车票')
    expect(readHome(parseMarkup(other), profileOf(id))?.bonus).toBeUndefined()
  })

  test('has no bonus where its figure is lost, and another one follows', ({ expect }) => {
    const home = homesByLink['luckpt']?.(account) ?? ''
    const lost = home.replace(/]: [0-9,.]+ .*?<img class="arrowup"/, ']: <img class="arrowup"')
    expect(lost).not.toBe(home)
    expect(readHome(parseMarkup(lost), stock)?.bonus).toBeUndefined()
  })

  test('of a theme of pictures names the reader, and counts what is seeded', ({ expect }) => {
    const { uploadedBytes: _up, downloadedBytes: _down, ratio: _ratio, bonus: _bonus, ...rest } = known
    expect(readHome(parseMarkup(homeOfPictures(account)), stock)).toMatchObject(rest)
  })

  test('names the reader beside a form to leave by', ({ expect }) => {
    const { userQuery } = known
    const unreadMessages = account.messages
    expect(readHome(parseMarkup(homeOfForm(account)), stock)).toEqual({ userQuery, username, bonus, unreadMessages })
  })

  test('tells no bonus where it is several coins', ({ expect }) => {
    for (const word of ['UCoin', '魔力值'])
      expect(
        readHome(parseMarkup(homeOfCoins(account, word)), profileOf(word === 'UCoin' ? 'u2' : 'nexusphp')),
      ).toEqual({
        ...known,
        bonus: undefined,
      })
  })
})

describe('beside the block', () => {
  test('what parts bring in an hour is not what all bring', ({ expect }) => {
    expect(readBonusPerHour(parseMarkup(hourInParts('17.755', '20.565')), stock)).toBeUndefined()
  })

  test('a list is counted and summed without a word', ({ expect }) => {
    const list = '<div>56 | 1.25 TiB</div><table><tr><th>标题</th></tr></table>'
    expect(readSeeding(parseMarkup(list), stock)).toEqual({ count: 56, sizeBytes: 1.25 * 1024 ** 4 })
    expect(readSeeding(parseMarkup(list.replace('56', 'B56')), stock)).toEqual({})
  })

  test('a sum stands behind the count of all, and not behind that of some', ({ expect }) => {
    const list = '<b>56</b>条记录，共计<b>1.250 TB</b>。其中官种<b>46</b>个，共计<b>1.726 GB</b>。<table></table>'
    expect(readSeeding(parseMarkup(list), stock)).toEqual({ count: 56, sizeBytes: 1.25 * 1024 ** 4 })
    expect(readSeeding(parseMarkup(list.replace('共计', '当前')), stock)).toEqual({ count: 56 })
  })
})

describe('a list', () => {
  const expected = themeTorrents.map(({ id, name, second, gib, seeders, leechers, snatched, discount }) => ({
    ...{
      torrentId: String(id),
      title: name,
      subtitle: second,
      sizeBytes: gib * 1024 ** 3,
      seeders,
      leechers,
      snatched,
    },
    ...{ discount, category: '电影', hasHr: false, uploadedAtUnix: Date.UTC(2026, 10, 19, 17, 2, 3) / 1000 },
  }))
  const read = (text: string) => {
    const hits = readTorrentList(text, stock)
    return { hits, tree: readTorrentTree(parseMarkup(text), stock) }
  }

  test('tells by labels what is on', ({ expect }) => {
    const { hits, tree } = read(listOfLabels('2026-11-29 00:47:50'))
    const endUnix = Date.UTC(2026, 10, 28, 16, 47, 50) / 1000
    expect(hits).toEqual(
      expected.map((one, index) =>
        expect.objectContaining({ ...one, tags: ['官方', '中字'], discountEndAtUnix: [endUnix][index] }),
      ),
    )
    expect(tree).toEqual(hits)
  })

  test.for([
    ['below another one that announces', listBelowAnother()],
    ['under words, of which one may mean two things', listOfWords()],
    ['without heads, by its links', listWithoutHeads(true)],
    ['without heads and links, in the usual order', listWithoutHeads(false)],
  ] as const)('%s is read', ([, text], { expect }) => {
    const { hits, tree } = read(text)
    expect(hits).toEqual(expected.map((one) => expect.objectContaining(one)))
    expect(tree).toEqual(hits)
  })

  test.for([
    ['free', 'FREE'],
    ['halfdown', 'PERCENT_50'],
    // Counts neither way.
    ['zeroupzerodown', 'FREE'],
  ] as const)('tells by a word of the kind %s what is on: %s', ([kind, discount], { expect }) => {
    const { hits, tree } = read(listOfWordMarks(kind))
    expect(hits?.map((one) => one.discount)).toEqual(expected.map(() => discount))
    expect(tree).toEqual(hits)
  })

  test('is looked for in so many tables and no more', ({ expect }) => {
    const other = '<table class="torrents"><tr><td>预告</td></tr></table>'
    const below = (count: number) => listOfWords().replace('<body>', `<body>${other.repeat(count)}`)
    expect(readTorrentList(below(listTablesMax - 1), stock)).toHaveLength(expected.length)
    expect(readTorrentList(below(listTablesMax), stock)).toBeUndefined()
  })

  test.for([
    ['links that lead elsewhere', true, /#leechers/g, '#seeders'],
    ['one row that is larger than a size', false, '12.50<br />GB', '12.50 GB of 14'],
    ['counts in another order', true, /#seeders">(.*?)#leechers/g, '#leechers">$1#seeders'],
    ['one count less', false, /<td class="rowfollow">98<\/td>/, '<td class="rowfollow">x</td>'],
  ] as const)('without heads, with %s, is not guessed at', ([, isLinked, from, to], { expect }) => {
    const text = listWithoutHeads(isLinked).replace(from, to)
    expect(text).not.toBe(listWithoutHeads(isLinked))
    expect(readTorrentList(text, stock)).toBeUndefined()
  })

  test('of parts says what is on, and until when', ({ expect }) => {
    const marks = ['free', '2xfree', '50', '30', '2x', 'other']
    const hits = readTorrentList(listOfPartsUntil(marks, '2026-11-27 22:05:11'), stock)
    const endUnix = Date.UTC(2026, 10, 27, 14, 5, 11) / 1000
    expect(hits?.map(({ title, discount, discountEndAtUnix }) => [title, discount, discountEndAtUnix])).toEqual(
      ['FREE', '2XFREE', 'PERCENT_50', 'PERCENT_30', '2XUP', 'NONE'].map((discount, index) => [
        `Paper.${index}`,
        discount,
        discount === 'NONE' ? undefined : endUnix,
      ]),
    )
  })

  test('of parts has no name where only counts lead to its torrents', ({ expect }) => {
    const text = listOfPartsUntil(['free'], '2026-11-27 22:05:11').replace(/<a [^>]*text-name.*?<\/a>/, '')
    expect(readTorrentList(text, stock)).toBeUndefined()
  })
})
