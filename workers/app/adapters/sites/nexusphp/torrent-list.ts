/** Reads the list of torrents of a page: of an ordinary one as it is told apart, of any other from its tree. */
import { selectAll } from 'css-select'
import { type AnyNode, type Document, Element, isTag, isText } from 'domhandler'
import { textContent } from 'domutils'
import type { SearchHit, SiteProfile } from '../../../core/site.ts'
import { listTablesMax, siteHitsMax } from '../../../limits.ts'
import { descendants, parseMarkup } from '../markup.ts'
import { nothingFound } from './account-words.ts'
import { columnsByLinks } from './columns-by-links.ts'
import { readPlainTorrentList } from './plain-torrent-list.ts'
import { markOf, noteElements, timeIn } from './row-elements.ts'
import { withSitePromotion } from './site-promotion.ts'
import { readTorrentCards } from './torrent-cards.ts'
import {
  areMixed,
  type Column,
  columnsOf,
  isPin,
  isTagLabel,
  ListPromotions,
  lacksColumns,
  RowFacts,
  sortIn,
  type TorrentIdIn,
  torrentIdAt,
} from './torrent-row.ts'

/** In the list of a member who may edit torrents and not delete them the software forgets to begin the last cell. */
const editMark = '<a href="edit.php?returnto='
const unbegunCell = /(<\/td>\s{0,4})(<br ?\/?><a href="edit\.php\?returnto=)/g

/** Undefined when there is no list on the page. */
export function readTorrentList(page: string, profile: SiteProfile): SearchHit[] | undefined {
  const text = page.includes(editMark) ? page.replace(unbegunCell, '$1<td>$2') : page
  const hits = readPlainTorrentList(text, profile) ?? readTorrentTree(parseMarkup(text), profile)
  return hits === undefined ? undefined : withSitePromotion(text, hits, profile.utcOffsetMinutes)
}

export function readTorrentTree(page: Document, profile: SiteProfile): SearchHit[] | undefined {
  const tables = selectAll<AnyNode, Element>(profile.selectors['torrents'] ?? 'table.torrents', page)
  if (tables.length === 0)
    return readTorrentCards(page, profile) ?? (nothingFound.test(textContent(page)) ? [] : undefined)
  // What is announced above the list may stand in a table like it, which has no heads.
  for (const columnsIn of profile.selectors['torrents'] === undefined
    ? [columnsOfHeads, columnsOfLinks]
    : [columnsOfHeads])
    for (const table of tables.slice(0, listTablesMax)) {
      const hits = readTable(table, columnsIn, profile)
      if (hits !== undefined) return hits
    }
  return undefined
}

interface ListTable {
  readonly columns: ReadonlyMap<number, Column>
  readonly width: number
  readonly rows: readonly Element[]
}

function columnsOfHeads([head, ...rows]: readonly Element[]): ListTable {
  const heads = head === undefined ? [] : cellsOf(head)
  const isBroken = heads.some(hasCellWithin) || areMixed(heads.map(({ name }) => name))
  return { columns: isBroken ? new Map() : columnsOf(heads.map(wordsOf)), width: heads.length, rows }
}

function columnsOfLinks(rows: readonly Element[]): ListTable {
  const cells = rows.map(cellsOf)
  const width = cells[0]?.length ?? 0
  return { columns: columnsByLinks(cells.filter((row) => row.length === width)), width, rows }
}

function readTable(
  table: Element,
  columnsIn: (rows: readonly Element[]) => ListTable,
  profile: SiteProfile,
): SearchHit[] | undefined {
  const { columns, width, rows } = columnsIn(inOneLine(withoutTitle(rowsOf(table))))
  if (rows.length === 0) return columns.size === 0 ? undefined : []
  if (lacksColumns(columns)) return nothingFound.test(textContent(table)) ? [] : undefined
  // Of a table that a definition names nothing else is known: heads that few rows have as many cells as are of another.
  const fitting = rows.filter((row) => cellsOf(row).length === width)
  if (profile.selectors['torrents'] !== undefined && fitting.length * 2 <= rows.length) return undefined
  const idIn = torrentIdAt(profile.paths['torrent'])
  const promotions = new ListPromotions()
  const read = rows.slice(0, siteHitsMax).flatMap((row) => readRow(row, width, columns, profile, idIn, promotions))
  const hits = promotions.settle(read)
  // A table of which no row is a torrent is another table.
  return hits.length === 0 && !nothingFound.test(textContent(table)) ? undefined : hits
}

/** A form of a whole list stands between the table and its rows, which browsers take for nothing. */
const aroundRows = new Set(['tbody', 'thead', 'form'])

export function rowsOf(table: Element): Element[] {
  return table.children.filter(isTag).flatMap((child) => {
    if (child.name === 'tr') return [child]
    return aroundRows.has(child.name) ? rowsOf(child) : []
  })
}

/** What stands over all columns before their heads says what the table is. */
function withoutTitle(rows: readonly Element[]): readonly Element[] {
  const start = rows.findIndex((row) => cellsOf(row).length > 1)
  return start === -1 ? rows : rows.slice(start)
}

/** A list may have two lines a torrent: what goes over both stands first, and then what the second line tells. */
function inOneLine(rows: readonly Element[]): readonly Element[] {
  const goesOver = ({ attribs }: Element) => attribs['rowspan']?.trim() === '2'
  if (rows[0] === undefined || !cellsOf(rows[0]).some(goesOver)) return rows
  return rows.flatMap((row, index) => {
    const second = rows[index + 1]
    if (index % 2 === 1 || second === undefined) return []
    return [new Element('tr', row.attribs, [...cellsOf(row).filter(goesOver), ...cellsOf(second)])]
  })
}

export function cellsOf(row: Element): Element[] {
  return row.children.filter(isTag).filter(isCell)
}

export function isCell({ name }: Element): boolean {
  return name === 'td' || name === 'th'
}

/** A cell within another one, a table of its own aside: below which head it belongs cannot be told. */
function hasCellWithin(part: Element): boolean {
  return part.children.filter(isTag).some((child) => isCell(child) || (child.name !== 'table' && hasCellWithin(child)))
}

/** What is written beside the cells of a row: its cell lost its mark, and what follows stands below other heads. */
function isBesideCells(node: AnyNode): boolean {
  if (isText(node)) return node.data.trim() !== ''
  return isTag(node) && !isCell(node) && node.name !== 'script' && textContent(node).trim() !== ''
}

export function wordsOf(cell: Element): string {
  return [
    textContent(cell),
    ...descendants(cell).flatMap(({ attribs }) => [
      attribs['alt'],
      attribs['title'],
      attribs['class'],
      sortIn(attribs),
    ]),
  ].join(' ')
}

function readRow(
  row: Element,
  width: number,
  columns: ReadonlyMap<number, Column>,
  profile: SiteProfile,
  torrentIdIn: TorrentIdIn,
  promotions: ListPromotions,
): SearchHit[] {
  // With a cell more or less, what stands below a head is not known.
  const cells = cellsOf(row)
  if (cells.length !== width || cells.some(hasCellWithin) || row.children.some(isBesideCells)) return []
  const { utcOffsetMinutes, selectors } = profile
  const inside = descendants(row)
  const links = selectors['title'] === undefined ? inside : selectAll<AnyNode, Element>(selectors['title'], row)
  const ofTorrent = links.filter(({ attribs }) => torrentIdIn(attribs['href']) !== undefined)
  // A picture may lead there too, and names nothing.
  const link = ofTorrent.find((one) => one.attribs['title'] || textContent(one).trim() !== '') ?? ofTorrent[0]
  if (link === undefined) return []
  const facts = new RowFacts()
  facts.torrentIdIn = torrentIdIn
  facts.torrentId = torrentIdIn(link.attribs['href']) ?? ''
  facts.title = link.attribs['title'] ?? ''
  facts.text = textContent(link)
  facts.subtitle = subtitleAfter(link)
  facts.noteMark(markOf(row), utcOffsetMinutes)
  for (const [position, cell] of cells.entries()) {
    const column = columns.get(position)
    if (column !== undefined) facts.texts[column] = column === 'time' ? textOfLines(cell) : textContent(cell)
    const elements = descendants(cell)
    if (column === 'time') facts.timeUnix = timeIn(elements, utcOffsetMinutes)
    const nameAt = elements.indexOf(link)
    for (const [at, { attribs }] of elements.entries())
      if (attribs['href'] !== undefined) facts.noteCountLink(attribs['href'], column, nameAt !== -1 && at >= nameAt)
    if (column === 'category') {
      const picture = elements.find(({ name }) => name === 'img')?.attribs
      facts.category = picture?.['title'] || picture?.['alt'] || ''
    }
    // The torrent's own name may hold a date.
    if (nameAt !== -1)
      facts.endUnix = timeIn(
        elements.filter((one) => one !== link && !isPin(one.attribs['class'], one.attribs['title'])),
        utcOffsetMinutes,
      )
  }
  noteElements(facts, inside, utcOffsetMinutes)
  const hit = promotions.noted(facts, facts.toHit(utcOffsetMinutes))
  return hit === undefined ? [] : [hit]
}

/** The second line of the title's cell: what follows the line break, without tags and marks. */
function subtitleAfter(link: Element): string {
  // The link may stand in bold: then the break is beside the bold text.
  for (const node of [link, link.parent]) {
    const after = node?.parent?.children.slice(node.parent.children.indexOf(node) + 1) ?? []
    const start = after.findIndex((one) => isTag(one) && one.name === 'br')
    if (start !== -1)
      return after
        .slice(start + 1)
        .flatMap(wordsBeside)
        .join(' ')
  }
  return ''
}

function wordsBeside(node: AnyNode): string[] {
  if (isText(node)) return [node.data]
  return isTag(node) && !isTagElement(node) ? [textWithoutTags(node)] : []
}

function isTagElement({ name, attribs }: Element): boolean {
  return isTagLabel(name, attribs['class'], attribs['style'])
}

/** Tags may stand together in an element of their own. */
function textWithoutTags({ children }: Element): string {
  return children
    .map((node) => (isText(node) ? node.data : isTag(node) && !isTagElement(node) ? textWithoutTags(node) : ''))
    .join('')
}

/** The text of a cell, with a space where a line ends. */
function textOfLines(node: AnyNode): string {
  if (isText(node)) return node.data
  if (!isTag(node)) return ''
  return node.name === 'br' ? ' ' : node.children.map(textOfLines).join('')
}
