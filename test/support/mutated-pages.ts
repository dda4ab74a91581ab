/**
 * Pages with something wrong in them: a letter of a word, a tag, a row, a piece that does not belong there, an end too
 * early. No mutation touches a number or a unit, so that every figure on such a page is still the one that was there.
 */
import { seededRandom } from '../long/seeded-random.ts'
import { forks, listInForm, listOfHeads, listOfNumbers, listOfPairs, listOfRows } from './nexusphp-forks.ts'
import { farLanguages } from './nexusphp-languages.ts'
import {
  accountPage,
  allLooks,
  bonusPage,
  framedPage,
  type PageAccount,
  type PageLook,
  type PageTorrent,
  promotions,
  seedingList,
  torrentTable,
  walkersAccount,
} from './nexusphp-pages.ts'
import { homesByLink, homesOfSigns, recordedLists } from './nexusphp-recorded.ts'
import { listOfMarks, listOfParts, listOfSigns, type Theme, themes, themeTorrents } from './nexusphp-themes.ts'

export const pageKinds = ['home', 'details', 'seeding', 'bonus', 'list', 'parts'] as const
export type PageKind = (typeof pageKinds)[number]

export interface MutatedPage {
  readonly kind: PageKind
  readonly text: string
  /** As it was before. */
  readonly whole: string
}

const gib = 1024 ** 3
export const mutatedAccount: PageAccount = {
  ...walkersAccount,
  username: 'walker',
  uploadedBytes: 12.5 * 1024 * gib,
  downloadedBytes: 2.25 * 1024 * gib,
  movedUp: 7.125 * 1024 * gib,
  movedDown: 3.375 * 1024 * gib,
  hitAndRuns: [{ section: '种子区', inspecting: 8, unreached: 6 }],
}
export const mutatedTorrents: readonly PageTorrent[] = promotions.map((promotion, index) => ({
  id: 1001 + index,
  name: `Paper.Harbour.S0${index}`,
  smallDescription: '纸港',
  category: '剧集',
  tags: ['中字'],
  promotion,
  promotionUntil: '2026-11-25 22:33:44',
  hitAndRun: index % 2 === 0,
  comments: 70 + index,
  added: '2026-11-19 22:33:44',
  sizeBytes: (index + 1) * 1.5 * gib,
  seeders: 100 + index,
  leechers: 200 + index,
  completed: 300 + index,
}))

/** Lists of forks, whose torrents all have the same four figures. */
export const forkFigures = { sizeBytes: Math.trunc(4.56 * gib), seeders: 12, leechers: 0, snatched: 345 } as const
const pinned = {
  name: 'Paper.Harbour',
  promotion: 'pro_free',
  until: '2026-11-25 22:33:44',
  pinnedUntil: '2026-12-25 22:33:44',
}
const recordedHomes = Object.values({ ...homesByLink, ...homesOfSigns })
const forkLists: readonly string[] = [
  listOfHeads(pinned),
  listOfRows(pinned),
  listOfNumbers('Paper.Harbour', '纸港', ['中字', '官方']),
  listOfPairs(['Paper.Harbour', 'Slow.Lantern', 'Quiet.Tide']),
  listInForm([
    [true, 'free_bg', ''],
    [false, 'free_bg', 'pro_free'],
    [false, '', ''],
  ]),
]

const foreignTags = [
  '<td>',
  '</td>',
  '</tr>',
  '<tr>',
  '</table>',
  '<div>',
  '</div>',
  '<b>',
  '</b>',
  '<p>',
  '<!-- x -->',
  '<br>',
]
/** Pieces with numbers of their own, each under a word that is no figure's. */
const foreignPieces = [
  '<i>排名: 77</i>',
  '<span>第 77 位</span>',
  '<td>第 77 位</td>',
  '<div>排名：77 GB</div>',
  '<tr><td>排名</td><td>77</td></tr>',
]
const letters = [...'xqzw的一丁七']
const wordsOfAPage = />([^<>]*\p{L}[^<>]*)</gu
const namesOfMarks = /(?:class|alt|title|id)=["']([^"'<>]*[A-Za-z\p{L}][^"'<>]*)["']/gu
const tagsOfAPage = /<[^<>]+>/g
const amounts = /[0-9]\s{0,4}[KMGTPE]?i?B|^\s*[KMGTPE]?i?B\s*$/

const looks: readonly PageLook[] = [
  ...allLooks,
  ...farLanguages.map(
    (language) => ({ version: '1.8', language, promotionStyle: 'icon', timeType: 'timealive' }) as const,
  ),
]
const allThemes: readonly Theme[] = [...themes, ...forks]

/** One to four things wrong with a page. */
export function pageMutator(random: () => number): (page: string) => string {
  const below = (count: number) => Math.floor(random() * count)
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item

  /** Another letter for one in a word, or in the name of a mark. */
  function otherLetter(text: string, places: RegExp): string {
    const found = [...text.matchAll(places)].filter(([, word = '']) => !amounts.test(word))
    const place = found.length === 0 ? undefined : one(found)
    const word = place?.[1] ?? ''
    const at = [...word.matchAll(/\p{L}/gu)].map(({ index }) => index)
    if (place === undefined || at.length === 0) return text
    const start = place.index + place[0].indexOf(word) + one(at)
    const size = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1
    return text.slice(0, start) + one(letters) + text.slice(start + size)
  }
  function otherTag(text: string): string {
    const tag = one([...text.matchAll(tagsOfAPage)])
    const end = tag.index + tag[0].length
    return random() < 0.5
      ? text.slice(0, tag.index) + one(foreignTags) + text.slice(end)
      : text.slice(0, tag.index) + one([...foreignTags, ...foreignPieces]) + text.slice(tag.index)
  }
  function rowMoved(text: string): string {
    const rows = text.split(/(?=<tr)/)
    const [from, to] = [below(rows.length), below(rows.length)]
    const [row = ''] = random() < 0.5 ? rows.splice(from, 1) : [rows[from]]
    rows.splice(to, 0, row)
    return rows.join('')
  }
  function cut(text: string): string {
    const tag = one([...text.matchAll(tagsOfAPage)])
    return text.slice(0, tag.index)
  }
  const mutations: readonly ((text: string) => string)[] = [
    (text) => otherLetter(text, wordsOfAPage),
    (text) => otherLetter(text, wordsOfAPage),
    (text) => otherLetter(text, namesOfMarks),
    otherTag,
    rowMoved,
    (text) => (random() < 0.2 ? cut(text) : otherTag(text)),
  ]

  return (page) => {
    let text = page
    for (let count = 1 + below(4); count > 0 && text.includes('<'); count -= 1) text = one(mutations)(text)
    return text
  }
}

export function mutatedPages(seed: number): () => MutatedPage {
  const random = seededRandom(seed)
  const mutate = pageMutator(random)
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const whole = new Map<string, string>()

  function page(kind: PageKind): string {
    const look = one(looks)
    const theme = one(allThemes)
    const isTheme = random() < 0.4
    const name = `${kind}:${isTheme ? theme.name : JSON.stringify(look)}`
    const known = whole.get(name)
    if (known !== undefined) return known
    const made = pageOf(kind, look, isTheme ? theme : undefined)
    whole.set(name, made)
    return made
  }
  function pageOf(kind: PageKind, look: PageLook, theme: Theme | undefined): string {
    switch (kind) {
      case 'home':
        return theme === undefined
          ? one([() => framedPage(look, mutatedAccount, ''), () => one(recordedHomes)(mutatedAccount)])()
          : theme.pages(mutatedAccount).home
      case 'details':
        return theme === undefined ? accountPage(look, mutatedAccount) : theme.pages(mutatedAccount).details
      case 'bonus':
        return theme === undefined ? bonusPage(look, mutatedAccount) : theme.pages(mutatedAccount).bonus
      case 'seeding':
        return seedingList(look, mutatedTorrents)
      case 'list':
        return framedPage(look, mutatedAccount, torrentTable(look, mutatedTorrents))
      default:
        return one([listOfMarks, listOfParts, listOfSigns, () => one(forkLists), () => one(recordedLists)])(
          themeTorrents,
        )
    }
  }

  return () => {
    const kind = one(pageKinds)
    const original = page(kind)
    return { kind, text: mutate(original), whole: original }
  }
}
