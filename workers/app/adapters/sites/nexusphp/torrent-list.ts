/** Reads the list of torrents. Sites order and leave out columns as they like, so every column is found by its head. */
import { selectAll, selectOne } from 'css-select'
import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler'
import { textContent } from 'domutils'
import type { SearchHit, SiteProfile } from '../../../core/site.ts'
import { plainText, readCount, readSize, readTime } from '../../../core/site-numbers.ts'
import type { Discount } from '../../../core/vocabulary.ts'
import { siteHitsMax, siteTextCharactersMax } from '../../../limits.ts'
import { descendants } from '../markup.ts'

type Column = 'category' | 'time' | 'size' | 'seeders' | 'leechers' | 'snatched'

/** Words in a column's head: its text, and name, title and class of the picture that stands for it. */
const columnWords: readonly (readonly [Column, RegExp])[] = [
  ['seeders', /做种|做種|种子数|種子數|seeder/i],
  ['leechers', /下载者|下載者|下载数|下載數|leecher/i],
  ['snatched', /完成|snatch/i],
  ['size', /大小|体积|體積|size/i],
  ['time', /存活|时间|時間|发布|發佈|添加|time|added/i],
  ['category', /类型|類型|分类|分類|type|cat/i],
]

const discountByClass: ReadonlyMap<string, Discount> = new Map([
  ['pro_free', 'FREE'],
  ['pro_free2up', '2XFREE'],
  ['pro_50pctdown', 'PERCENT_50'],
  ['pro_50pctdown2up', '2X50'],
  ['pro_30pctdown', 'PERCENT_30'],
  ['pro_2up', '2XUP'],
])

const emptyListWords = /没有种子|沒有種子|没有找到|沒有找到|没有任何|nothing (?:found|here)|no torrents/i

/** Undefined when there is no list on the page. */
export function readTorrentList(page: Document, profile: SiteProfile): SearchHit[] | undefined {
  const table = selectOne<AnyNode, Element>(profile.selectors['torrents'] ?? 'table.torrents', page)
  if (table === null) return emptyListWords.test(textContent(page)) ? [] : undefined
  const [head, ...rows] = rowsOf(table)
  const columns = columnsOf(head)
  if (rows.length === 0) return columns.size === 0 ? undefined : []
  const hits = rows.slice(0, siteHitsMax).flatMap((row) => readRow(row, columns, profile))
  // A table of which no row is a torrent is another table.
  return hits.length === 0 && !emptyListWords.test(textContent(table)) ? undefined : hits
}

function rowsOf(table: Element): Element[] {
  return table.children.filter(isTag).flatMap((child) => {
    if (child.name === 'tr') return [child]
    return child.name === 'tbody' || child.name === 'thead'
      ? child.children.filter(isTag).filter(({ name }) => name === 'tr')
      : []
  })
}

function cellsOf(row: Element): Element[] {
  return row.children.filter(isTag).filter(({ name }) => name === 'td' || name === 'th')
}

function columnsOf(head: Element | undefined): ReadonlyMap<Column, number> {
  const columns = new Map<Column, number>()
  if (head === undefined) return columns
  for (const [position, cell] of cellsOf(head).entries()) {
    const words = [
      textContent(cell),
      ...descendants(cell).flatMap(({ attribs }) => [attribs['alt'], attribs['title'], attribs['class']]),
    ].join(' ')
    const found = columnWords.find(([column, pattern]) => !columns.has(column) && pattern.test(words))
    if (found !== undefined) columns.set(found[0], position)
  }
  return columns
}

/** What the elements of a row say, found in one walk: a page has thousands of them. */
interface RowMarks {
  readonly discount: Discount
  readonly hasHr: boolean
  readonly tags: readonly Element[]
  readonly hrefs: string
}

function marksOf(inside: readonly Element[]): RowMarks {
  let discount: Discount | undefined
  let hasHr = false
  const tags: Element[] = []
  const hrefs: string[] = []
  for (const element of inside) {
    const { href } = element.attribs
    if (href !== undefined) hrefs.push(href)
    hasHr ||= element.name === 'img' && hitAndRunWords.test(element.attribs['alt'] ?? element.attribs['title'] ?? '')
    for (const name of classesOf(element)) {
      if (name === 'tag' || name === 'tags') tags.push(element)
      discount ??= discountByClass.get(name)
      hasHr ||= hitAndRunClass.test(name)
    }
  }
  return { discount: discount ?? 'NONE', hasHr, tags, hrefs: hrefs.join('\n') }
}

function readRow(row: Element, columns: ReadonlyMap<Column, number>, profile: SiteProfile): SearchHit[] {
  const cells = cellsOf(row)
  const inside = descendants(row)
  const { title: titleSelector } = profile.selectors
  const links = titleSelector === undefined ? inside : selectAll<AnyNode, Element>(titleSelector, row)
  const link = links.find(({ attribs }) => idIn(attribs['href']) !== undefined)
  const torrentId = idIn(link?.attribs['href'])
  if (link === undefined || torrentId === undefined) return []
  const cellText = (column: Column) => {
    const cell = cells[columns.get(column) ?? -1]
    return cell === undefined ? '' : textContent(cell)
  }
  const timeCell = cells[columns.get('time') ?? -1]
  const uploadedAtUnix = timeCell === undefined ? undefined : timeIn(timeCell, profile.utcOffsetMinutes)
  const title = plainText(link.attribs['title'] || textContent(link), siteTextCharactersMax)
  const subtitle = subtitleAfter(link)
  const category = categoryOf(cells[columns.get('category') ?? -1])
  const { discount, hasHr, tags, hrefs } = marksOf(inside)
  const titleCell = discount === 'NONE' ? undefined : cells.find((cell) => contains(cell, link))
  const discountEndAtUnix = titleCell === undefined ? undefined : timeIn(titleCell, profile.utcOffsetMinutes)
  const imdbId = /imdb\.com\/title\/(tt[0-9]{5,10})/.exec(hrefs)?.[1]
  const doubanId = /douban\.com\/subject\/([0-9]{1,12})/.exec(hrefs)?.[1]
  const snatched = readCount(cellText('snatched'))
  const downloadKey = /[?&](?:downhash|passkey)=[^&\s"']{1,256}/.exec(hrefs)?.[0].slice(1)
  return [
    {
      torrentId,
      title,
      ...(subtitle === '' ? {} : { subtitle }),
      sizeBytes: readSize(cellText('size')) ?? 0,
      seeders: readCount(cellText('seeders')) ?? 0,
      leechers: readCount(cellText('leechers')) ?? 0,
      ...(snatched === undefined ? {} : { snatched }),
      ...(uploadedAtUnix === undefined ? {} : { uploadedAtUnix }),
      ...(category === '' ? {} : { category }),
      tags: tags
        .slice(0, 32)
        .map((element) => plainText(textContent(element), siteTextCharactersMax))
        .filter((tag) => tag !== ''),
      discount,
      ...(discountEndAtUnix === undefined ? {} : { discountEndAtUnix }),
      hasHr,
      ...(imdbId === undefined ? {} : { imdbId }),
      ...(doubanId === undefined ? {} : { doubanId }),
      ...(downloadKey === undefined ? {} : { downloadKey }),
    },
  ]
}

function idIn(href: string | undefined): string | undefined {
  if (href === undefined || !href.includes('details.php?')) return undefined
  return /details\.php\?(?:[^#]{0,200}&)?id=([0-9]{1,18})/.exec(href)?.[1]
}

const noClasses: readonly string[] = []

function classesOf({ attribs }: Element): readonly string[] {
  const text = attribs['class']
  if (text === undefined) return noClasses
  return /\s/.test(text) ? text.split(/\s+/) : [text]
}

function contains(cell: Element, inner: Element): boolean {
  for (let node: AnyNode | null = inner; node !== null; node = node.parent) if (node === cell) return true
  return false
}

const hitAndRunClass = /^(?:hitandrun|hr)$/i
const hitAndRunWords = /^H\s?&\s?R/i

/** A time is written in a title where the text only says how long ago it was. */
function timeIn(cell: Element, utcOffsetMinutes: number): number | undefined {
  for (const { attribs } of descendants(cell)) {
    const time = attribs['title'] === undefined ? undefined : readTime(attribs['title'], utcOffsetMinutes)
    if (time !== undefined) return time
  }
  return readTime(plainText(textContent(cell), siteTextCharactersMax), utcOffsetMinutes)
}

/** The second line of the title's cell: what follows the line break, without tags and marks. */
function subtitleAfter(link: Element): string {
  const siblings = link.parent?.children ?? []
  let start = siblings.findIndex((node) => isTag(node) && node.name === 'br')
  let nodes: AnyNode[] = siblings
  // The link may stand in bold: then the break is beside the bold text.
  if (start === -1 && link.parent !== null && isTag(link.parent) && link.parent.parent !== null) {
    nodes = link.parent.parent.children
    start = nodes.findIndex((node) => isTag(node) && node.name === 'br')
  }
  if (start === -1) return ''
  const words = nodes.slice(start + 1).flatMap((node) => {
    if (isText(node)) return [node.data]
    return isTag(node) && !classesOf(node).some((name) => name === 'tag' || name === 'tags') ? [textContent(node)] : []
  })
  return plainText(words.join(' '), siteTextCharactersMax)
}

function categoryOf(cell: Element | undefined): string {
  if (cell === undefined) return ''
  const picture = descendants(cell).find(({ name }) => name === 'img')?.attribs
  return plainText(picture?.['title'] || picture?.['alt'] || textContent(cell), siteTextCharactersMax)
}
