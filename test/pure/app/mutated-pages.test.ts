/** Pages and definitions with something wrong in them: no crash, no long wait, and no figure that was not there. */
import { describe, test } from 'vitest'
import { checkDefinition } from '../../../workers/app/adapters/sites/cardigann/definition-service.ts'
import { parseMarkup } from '../../../workers/app/adapters/sites/markup.ts'
import { readHome } from '../../../workers/app/adapters/sites/nexusphp/account-block.ts'
import { readAccount } from '../../../workers/app/adapters/sites/nexusphp/account-page.ts'
import { readBonusPerHour } from '../../../workers/app/adapters/sites/nexusphp/bonus-page.ts'
import { readSeeding } from '../../../workers/app/adapters/sites/nexusphp/seeding-list.ts'
import { readTorrentList } from '../../../workers/app/adapters/sites/nexusphp/torrent-list.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { seededRandom } from '../../long/seeded-random.ts'
import { inventedDefinitions, inventedText } from '../../support/invented-definitions.ts'
import { withFault } from '../../support/mutated-definitions.ts'
import {
  forkFigures,
  type MutatedPage,
  mutatedAccount,
  mutatedPages,
  mutatedTorrents,
} from '../../support/mutated-pages.ts'
import {
  accountPage,
  bonusPage,
  framedPage,
  seedingList,
  shownBytes,
  torrentTable,
} from '../../support/nexusphp-pages.ts'
import { listOfParts, listOfSigns, themeTorrents } from '../../support/nexusphp-themes.ts'

const runs = Number(process.env['WHARF_MUTATIONS'] ?? '800')
const seed = Number(process.env['WHARF_FUZZ_SEED'] ?? '20261124')
/** Of the processor's time, which other work on the machine does not lengthen. */
const readMsMax = 200
const profile = siteProfile('nexusphp', {})

type Figures = readonly (readonly [name: string, value: unknown])[]
const { uploadedBytes, downloadedBytes, bonus, bonusPerHour, seeding, leeching, unread } = mutatedAccount
/** What may be said of a figure; anything else was made up. Ratios are told to three digits, cut or rounded. */
const truths: Readonly<Record<string, readonly unknown[]>> = {
  uploadedBytes: [uploadedBytes],
  downloadedBytes: [downloadedBytes],
  ratio: [5.555, 5.556],
  bonus: [bonus],
  seedingPoints: [bonus * 3, Math.round(bonus * 30) / 10],
  bonusPerHour: [bonusPerHour, Math.round((bonusPerHour / 2) * 1000) / 1000],
  seeding: [seeding],
  leeching: [leeching],
  unreadMessages: [unread],
  hnrUnsatisfied: [6],
  count: [mutatedTorrents.length],
  seedingSizeBytes: [seeding * 2 * 1024 ** 3],
}
const total = mutatedTorrents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
const known = new Map<string, readonly number[]>([
  ...['41', '1', '2', '3'].map((id) => [id, Object.values(forkFigures)] as const),
  ...mutatedTorrents.map(
    ({ id, sizeBytes, seeders, leechers, completed }) =>
      [String(id), [shownBytes(sizeBytes), seeders, leechers, completed]] as const,
  ),
  ...themeTorrents.map(
    ({ id, gib, seeders, leechers, snatched }) => [String(id), [gib * 1024 ** 3, seeders, leechers, snatched]] as const,
  ),
])

function figuresOf({ kind, text }: MutatedPage): Figures {
  switch (kind) {
    case 'home':
      return Object.entries(readHome(parseMarkup(text), profile) ?? {}).filter(
        ([name]) => !['userQuery', 'username'].includes(name),
      )
    case 'details':
      return Object.entries(readAccount(parseMarkup(text), profile) ?? {})
        .filter(([name]) => !['level', 'contradictory', 'lastActiveAtUnix', 'joinedAtUnix'].includes(name))
        .map(([name, found]) => [name, typeof found === 'object' && 'value' in found ? found.value : found])
    case 'seeding': {
      const { count, sizeBytes, isSumWrong } = readSeeding(parseMarkup(text), profile)
      const isRight = sizeBytes === undefined || isSumWrong || Math.abs(sizeBytes / total - 1) < 0.001
      return [...(count === undefined ? [] : [['count', count] as const]), ['sum', isRight ? 'right' : sizeBytes]]
    }
    case 'bonus': {
      const found = readBonusPerHour(parseMarkup(text), profile)
      return found === undefined ? [] : [['bonusPerHour', found]]
    }
    default:
      return (readTorrentList(text, profile) ?? []).map(({ torrentId, sizeBytes, seeders, leechers, snatched }) => [
        `torrent ${torrentId}`,
        [sizeBytes, seeders, leechers, snatched],
      ])
  }
}

function isTrue([name, value]: Figures[number]): boolean {
  if (name === 'sum') return value === 'right'
  if (!name.startsWith('torrent ')) return truths[name]?.includes(value) ?? false
  const row = known.get(name.slice('torrent '.length))
  return (
    Array.isArray(value) && row !== undefined && value.every((one, index) => one === undefined || one === row[index])
  )
}

const linesOf = (text: string) => text.replaceAll('<', '\n<').split('\n')

function changedIn({ text, whole }: MutatedPage): string {
  const known = new Set(linesOf(whole))
  const [before, after] = [linesOf(whole).length, linesOf(text).length]
  return [`${before} lines, now ${after}`, ...linesOf(text).filter((line) => !known.has(line))].join('\n')
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const english = { language: 'en', version: '1.8', promotionStyle: 'icon', timeType: 'timealive' } as const
const seedingPage = seedingList(english, mutatedTorrents)
const detailsPage = accountPage(english, mutatedAccount)
const listPage = framedPage(english, mutatedAccount, torrentTable(english, mutatedTorrents))

describe('a page with a fault that once led to another figure', () => {
  test.each<[fault: string, kind: MutatedPage['kind'], page: string, from: string | RegExp, to: string]>([
    ['a number between a size and its unit', 'list', listPage, '1.50<br />GB', '1.50<i>: 77</i><br />GB'],
    [
      'the same in a list of what is seeded',
      'seeding',
      unstated(seedingPage),
      '1.50<br />GB',
      '1.50<i>: 77</i><br />GB',
    ],
    [
      'a row of another torrent, without its link',
      'seeding',
      unstated(seedingPage),
      /<a href="details\.php\?id=1001[^>]*>([\s\S]*?)1\.50<br/,
      '<p>$19.00<br',
    ],
    ['a row in the place of a count', 'seeding', seedingPage, /<b>[0-9]+/, '<tr><td>排名</td><td>77</td></tr>'],
    [
      'a row of the bonus table that went',
      'bonus',
      bonusPage(english, mutatedAccount),
      /<tr><td>Basic reward.*?<\/tr><tr>/,
      '<tr><td></td>',
    ],
    [
      'what a level asks for, and no traffic',
      'details',
      accountPage({ ...english, language: 'chs' }, mutatedAccount),
      /<h1 .*/s,
      '<p>升级要求：上传量: 100 GB，下载量: 50 GB，分享率: 1.05</p>',
    ],
    [
      'half of the hits and runs, without the link to them',
      'details',
      accountPage({ ...english, language: 'chs' }, mutatedAccount),
      /<a href="myhr[^>]*>(8\/<font[^>]*>6)<\/font>/,
      '</div>$1</table>',
    ],
    [
      'the row of hits and runs around all of the page',
      'details',
      accountPage({ ...english, language: 'chs' }, mutatedAccount),
      /^([\s\S]*?)(<tr><td[^>]*>H&R<\/td><td[^>]*><a href="myhr[^>]*>8\/<font[^>]*>6<\/font>\/10)(<\/a><\/td><\/tr>)/,
      '$2$1',
    ],
    [
      'hits and runs alone in the bar on top, beside the number of messages',
      'details',
      accountPage({ ...english, language: 'chs' }, mutatedAccount),
      /(<table id="info_block"[^>]*><tr>)[\s\S]*?(<font class='color_bonus'>H&R[\s\S]*?)<h1 [\s\S]*$/,
      '$1$2',
    ],
    [
      'a link to the bonus that lost its end, and takes in the bracket behind it',
      'home',
      framedPage({ ...english, language: 'chs', version: '1.5' }, mutatedAccount, ''),
      /魔力值(.*?mybonus\.php[^>]*>[^<]*)<\/a>/s,
      '萝卜$1</b>',
    ],
    [
      'an amount in a script',
      'details',
      detailsPage,
      /<h1 .*/s,
      '<script>"Uploaded: 9 TB, Downloaded: 8 TB"</script><p>Class</p><p>x</p>',
    ],
    [
      'a word before a label that is not known',
      'details',
      detailsPage,
      /(<strong>)Uploaded(.*?<strong>)Actual Uploaded/s,
      '$1x$2Actuwl Uploaded',
    ],
    [
      'a word before a label that is not known, and one joined to it',
      'details',
      accountPage({ ...english, language: 'de' }, mutatedAccount),
      /Verhältnis teilen(.*?)Tatsächliches/s,
      'Vzrhältnis teilen$1Tatsächlwches',
    ],
    [
      'closing tags that close nothing between two counts',
      'parts',
      listOfParts(themeTorrents),
      '7</div><div class="torrent-info-text-finished">98',
      '7</table></td>98',
    ],
    [
      'a cell that lost its mark, and one more at the end of its row',
      'parts',
      listOfSigns(themeTorrents),
      /<td>8(<\/td><td>1<\/td><td>2)<\/td>/,
      '<br>8$1<td>',
    ],
    [
      'a cell among the heads, and a head that ran into the next',
      'parts',
      listOfSigns(themeTorrents),
      /<th>(<a href="\?sort=8.*?)<th>(<a href="\?sort=6)/s,
      '<td>77</td><th>$1<b>$2',
    ],
    ['a cell within a head', 'parts', listOfSigns(themeTorrents), /<th>(<a href="\?sort=8)/, '<th><td>$1'],
    [
      'the end of one part, and the next one within what is left of the page',
      'parts',
      listOfParts(themeTorrents.slice(0, 3)),
      /^[\s\S]*?(<div class="torrent-info-text-size">[\s\S]*?lantern[\s\S]*?<\/b>)<\/a>/i,
      '<tr>$1</tr>',
    ],
    [
      'a row that took in what says how many messages there are',
      'details',
      accountPage({ ...english, language: 'cht' }, mutatedAccount),
      /<h1 .*/s,
      '<table><tr><td class="rowhead">目前做種</td><td><a>[察看/隱藏]</a><div><tr><td><b>你有5條新短訊！點擊查看</b></td></tr></table>',
    ],
    [
      'a part that has a piece of the next',
      'parts',
      listOfParts(themeTorrents),
      /(id=72.*?>99%)(.*?<a>3<\/a>)<\/div>(.*?)leechers(">1<)/s,
      '$1<div>$2<div>$3others$4',
    ],
  ])('%s: nothing is made up', (_fault, kind, whole, from, to) => {
    const text = whole.replace(from, to)
    const wrong = figuresOf({ kind, text, whole }).filter((figure) => !isTrue(figure))
    if (text === whole || wrong.length > 0) throw new Error(JSON.stringify(wrong))
  })
})

/** Without the total on top, so that it is the sum that is told. */
function unstated(page: string): string {
  return page.replace(/ \| Total size: [^<]*/, '')
}

describe('mutated', () => {
  test('pages: every figure that is read is the one that was there', { timeout: 3_600_000 }, ({ expect }) => {
    const next = mutatedPages(seed)
    const invented: string[] = []
    const read = new Map<string, number>()
    let slowestMs = 0
    for (let index = 0; index < runs; index += 1) {
      const page = next()
      let figures: Figures = []
      const ms = processorMs(() => {
        figures = figuresOf(page)
      })
      // What is compiled on the way is no part of a page.
      if (index > 200) slowestMs = Math.max(slowestMs, ms)
      const wrong = figures.filter((figure) => !isTrue(figure))
      if (wrong.length > 0) invented.push(`page ${index} (${page.kind}): ${JSON.stringify(wrong)}\n${changedIn(page)}`)
      read.set(
        page.kind,
        (read.get(page.kind) ?? 0) + (figures.length > 1 || page.kind === 'bonus' ? figures.length : 0),
      )
    }
    console.log(
      `pages ${runs}, figures ${JSON.stringify([...read])}, invented ${invented.length}, slowest ${Math.round(slowestMs)} ms`,
    )

    expect(invented.slice(0, 3)).toEqual([])
    expect(slowestMs).toBeLessThan(readMsMax)
    // A reader that reads nothing invents nothing either.
    for (const kind of ['home', 'details', 'list'] as const) expect(read.get(kind) ?? 0).toBeGreaterThan(runs / 6)
  })

  test('definitions are taken or refused', { timeout: 3_600_000 }, ({ expect }) => {
    const random = seededRandom(seed)
    const texts = inventedDefinitions.map(inventedText)
    let [taken, refused, slowestMs] = [0, 0, 0]
    for (let index = 0; index < runs / 3; index += 1) {
      let text = texts[Math.floor(random() * texts.length)] ?? ''
      for (let count = 1 + Math.floor(random() * 2); count > 0; count -= 1) text = withFault(text, random)
      const ms = processorMs(() => {
        if (checkDefinition(text).ok) taken += 1
        else refused += 1
      })
      if (index > 200) slowestMs = Math.max(slowestMs, ms)
    }
    console.log(`definitions ${taken} taken, ${refused} refused, slowest ${Math.round(slowestMs)} ms`)

    expect(slowestMs).toBeLessThan(readMsMax)
    expect(taken).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })
})
