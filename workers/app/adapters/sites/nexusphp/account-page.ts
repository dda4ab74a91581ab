/**
 * Reads the account's figures from pages written for people. A figure is taken from where the software puts it (a row's
 * head in the table of details, a label with a colon, a mark in the block about the reader) and from nowhere else; the
 * words are data, and where they are not found the figure is absent. Layout: the software's own templates, 1.5 to 1.8.
 */
import { selectAll, selectOne } from 'css-select'
import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler'
import { textContent } from 'domutils'
import type { SiteProfile } from '../../../core/site.ts'
import { plainText, readCount, readNumber, readSize, readTime } from '../../../core/site-numbers.ts'
import { siteTextCharactersMax } from '../../../limits.ts'
import { descendants, spacedText } from '../markup.ts'
import { type AccountWords, accountWords, noRecord, records } from './account-words.ts'
import { cellsOf, rowsOf, wordsOf } from './torrent-list.ts'
import { columnsOf } from './torrent-row.ts'

export interface HomeFacts {
  readonly userId: string
  readonly username: string
  /** Undefined where the block tells of new messages without their number. */
  readonly unreadMessages?: number
  readonly seeding?: number
  readonly leeching?: number
  readonly bonus?: number
  readonly hnrUnsatisfied?: number
  readonly uploadedBytes?: number
  readonly downloadedBytes?: number
  readonly ratio?: number
}

const infoBlock = '#info_block'

/** The block about the reader that stands on every page. Undefined when it is not there. */
export function readHome(page: Document, profile: SiteProfile): HomeFacts | undefined {
  const block = selectOne<AnyNode, Element>(profile.selectors['info_block'] ?? infoBlock, page)
  if (block === null) return undefined
  const link = selectAll<AnyNode, Element>('a[href*="userdetails.php"]', block).find(({ attribs }) =>
    /[?&]id=[0-9]{1,18}/.test(attribs['href'] ?? ''),
  )
  const userId = /[?&]id=([0-9]{1,18})/.exec(link?.attribs['href'] ?? '')?.[1]
  const username = link === undefined ? '' : plainText(textContent(link), siteTextCharactersMax)
  if (userId === undefined || username === '') return undefined
  const hitAndRuns = selectAll<AnyNode, Element>('a[href*="myhr.php"]', block).at(-1)
  const words = accountWords(profile.labels)
  const { heads } = words
  const told = tellings([block], words.telling)
  const toldOf = (names: readonly string[]) => told.filter(([name]) => isOneOf(names, name)).map(([, value]) => value)
  return {
    userId,
    username,
    ...present('unreadMessages', unreadIn(block, words)),
    ...present('seeding', countAfterMark(block, /arrowup/i)),
    ...present('leeching', countAfterMark(block, /arrowdown/i)),
    ...present('bonus', readNumber(words.blockBonus.exec(plainText(spacedText(block), 8192))?.[1] ?? '')),
    ...present('hnrUnsatisfied', hitAndRuns === undefined ? undefined : unreached(spacedText(hitAndRuns))),
    ...present('uploadedBytes', agreed(toldOf(heads.uploaded).map((value) => readSize(leading(value))))),
    ...present('downloadedBytes', agreed(toldOf(heads.downloaded).map((value) => readSize(leading(value))))),
    ...present('ratio', agreed(toldOf(heads.ratio).map((value) => readNumber(leading(value))))),
  }
}

/** A figure with the head of its row, and the words beside it, as the page has them. */
export interface RowFigure<Value> {
  readonly value: Value
  readonly row?: string
  readonly label?: string
}

export interface AccountFacts {
  /** What the site counts toward the ratio, not what was moved. */
  readonly uploadedBytes?: RowFigure<number>
  readonly downloadedBytes?: RowFigure<number>
  readonly ratio?: RowFigure<number>
  readonly level?: RowFigure<string>
  readonly bonus?: RowFigure<number>
  readonly lastActiveAtUnix?: number
  readonly hnrUnsatisfied?: RowFigure<number>
  /** What rows of the page tell differently. Left out for nothing. */
  readonly contradictory?: readonly ('uploaded' | 'downloaded' | 'ratio')[]
}

/** The account's own page: heads on the left, values on the right. Undefined when no figure of the account is there. */
export function readAccount(page: Document, profile: SiteProfile): AccountFacts | undefined {
  const rows = detailRows(page, profile.selectors['info_block'] ?? infoBlock)
  const { heads, telling } = accountWords(profile.labels)
  const rowOf = (names: readonly string[]) => rows.find(([name]) => isOneOf(names, name))
  const transfer = rowOf(heads.transfer)
  const told = tellings(transfer === undefined ? rows.map(([, cell]) => cell) : [transfer[1]], telling)
  const textOf = (row: DetailRow | undefined) => (row === undefined ? undefined : plainText(spacedText(row[1]), 4096))
  const inTransfer = transfer === undefined ? {} : { row: transfer[0] }

  function countedAs(
    names: readonly string[],
    read: (text: string) => number | undefined,
  ): RowFigure<number> | undefined {
    const places = told.filter(([name]) => isOneOf(names, name))
    const value = agreed(places.map(([, text]) => read(leading(text))))
    if (value !== undefined) return { value, ...inTransfer, label: places[0]?.[0] ?? '' }
    return places.length > 0 ? undefined : ownRow(names, (text) => read(leading(text)))
  }
  function ownRow<Value>(
    names: readonly string[],
    read: (text: string) => Value | undefined,
  ): RowFigure<Value> | undefined {
    const row = rowOf(names)
    const value = row === undefined ? undefined : read(textOf(row) ?? '')
    return row === undefined || value === undefined ? undefined : { value, row: row[0] }
  }

  const levelRow = rowOf(heads.level)
  const picture = levelRow === undefined ? undefined : descendants(levelRow[1]).find(({ name }) => name === 'img')
  const levelText =
    picture?.attribs['title'] || picture?.attribs['alt'] || (levelRow === undefined ? '' : textContent(levelRow[1]))
  const level = plainText(levelText, siteTextCharactersMax)
  const ratio = countedAs(heads.ratio, readNumber)
  const lastActive = textOf(rowOf(heads.last_active))
  const isContradicted = (names: readonly string[]) => {
    const values = told.filter(([name]) => isOneOf(names, name)).map(([, text]) => leading(text))
    return new Set(values.filter((value) => value !== '')).size > 1
  }
  const contradictory = (['uploaded', 'downloaded', 'ratio'] as const).filter((name) => isContradicted(heads[name]))
  const facts = {
    ...(contradictory.length === 0 ? {} : { contradictory }),
    ...present('uploadedBytes', countedAs(heads.uploaded, readSize)),
    ...present('downloadedBytes', countedAs(heads.downloaded, readSize)),
    ...present('ratio', ratio === undefined || ratio.value < 0 ? undefined : ratio),
    ...(levelRow === undefined || level === '' ? {} : { level: { value: level, row: levelRow[0] } }),
    ...present('bonus', ownRow(heads.bonus, loneNumber)),
    ...present(
      'lastActiveAtUnix',
      lastActive === undefined ? undefined : readTime(lastActive, profile.utcOffsetMinutes),
    ),
    ...present('hnrUnsatisfied', ownRow(heads.hit_and_run, unreached)),
  }
  return Object.keys(facts).length === 0 ? undefined : facts
}

export interface SeedingFacts {
  readonly count?: number
  readonly sizeBytes?: number
  /** The list is whole and its rows add up to something else than the total it states. */
  readonly isSumWrong?: true
}

/** How many torrents are seeded and how large they are together, as the list on the account's page says. */
export function readSeeding(page: Document, profile: SiteProfile): SeedingFacts {
  const table = descendants(page).find(({ name }) => name === 'table')
  // Titles of torrents below the head of the list may say anything.
  const head = plainText(textBefore(page, table), 4096)
  if (noRecord.test(head)) return { count: 0, sizeBytes: 0 }
  const count = readCount(records.exec(head)?.[1] ?? '')
  const stated = readSize(accountWords(profile.labels).totalSize.exec(head)?.[1] ?? '')
  const sum = count === undefined ? undefined : sumOf(table, count)
  // Each row is rounded by itself.
  const isSumWrong = stated !== undefined && sum !== undefined && Math.abs(stated - sum) > sumShareMax * stated + mib
  return {
    ...present('count', count),
    ...present('sizeBytes', stated ?? sum),
    ...(isSumWrong ? { isSumWrong } : {}),
  }
}

/** Points an hour, from the page that explains them: the sentence about the reader, not the explanation. */
export function readBonusPerHour(page: Document, profile: SiteProfile): number | undefined {
  const text = plainText(spacedText(page), 256 * 1024)
  for (const pattern of accountWords(profile.labels).bonusPerHour) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return readNumber(found)
  }
  return undefined
}

const mib = 1024 ** 2
const sumShareMax = 0.02
function present<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value }
}

function isOneOf(names: readonly string[], text: string): boolean {
  return names.some((name) => name.toLowerCase() === text)
}

type DetailRow = readonly [head: string, value: Element]

/** Rows of the table of details: what the head says, in lower case without its colon, and the cell beside it. */
function detailRows(page: Document, blockSelector: string): DetailRow[] {
  const block = selectOne<AnyNode, Element>(blockSelector, page)
  const inBlock = new Set(block === null ? [] : descendants(block))
  return descendants(page).flatMap((row) => {
    if (row.name !== 'tr' || inBlock.has(row)) return []
    const [label, value] = cellsOf(row)
    if (label === undefined || value === undefined) return []
    const name = plainText(textContent(label), 64)
      .replace(/\s{0,3}[:：]$/, '')
      .toLowerCase()
    return name === '' ? [] : [[name, value] as const]
  })
}

/** What the cells say in the form `label: value`, one after another. */
function tellings(cells: readonly Element[], telling: RegExp): (readonly [string, string])[] {
  return cells.flatMap((cell) => {
    const text = plainText(spacedText(cell), 4096)
    const found = [...text.matchAll(telling)]
    return found.map((match, index) => {
      const start = match.index + match[0].length
      return [(match[1] ?? '').toLowerCase().replace(/\s/g, ' '), text.slice(start, found[index + 1]?.index)] as const
    })
  })
}

/** The value itself, which comes first: what follows it explains. */
function leading(value: string): string {
  return /^\s{0,3}-?[0-9][0-9,]{0,20}(?:\.[0-9]{1,12})?(?:\s{0,4}[KMGTPE]?i?B(?![a-z]))?/i.exec(value)?.[0] ?? ''
}

/** The same figure may stand in several places; one that differs makes all of them doubtful. */
function agreed(values: readonly (number | undefined)[]): number | undefined {
  const [first, ...others] = values.filter((value) => value !== undefined)
  return others.every((value) => value === first) ? first : undefined
}

/** A number and nothing else, but for what stands in brackets behind it. */
function loneNumber(text: string | undefined): number | undefined {
  const found = /^\s{0,3}([0-9][0-9,]{0,20}(?:\.[0-9]{1,12})?)\s{0,3}(?:$|[[(（])/.exec(text ?? '')?.[1]
  return found === undefined ? undefined : readNumber(found)
}

/** `inspected/unreached/limit`, once or for each section; older pages say how many and nothing else. */
function unreached(text: string): number | undefined {
  const sections = [...text.matchAll(/([0-9]{1,9})\s{0,3}\/\s{0,3}([0-9]{1,9})\s{0,3}\/\s{0,3}[0-9]{1,9}/g)]
  if (sections.length > 0) return sections.reduce((sum, [, , count]) => sum + Number(count), 0)
  return readCount(/^\s{0,3}([0-9,]{1,12})\s{0,3}(?:$|[/(（])/.exec(text)?.[1] ?? '')
}

/** The number that stands after a small picture. */
function countAfterMark(block: Element, mark: RegExp): number | undefined {
  const picture = descendants(block).find(
    ({ name, attribs }) => name === 'img' && mark.test(`${attribs['class'] ?? ''} ${attribs['alt'] ?? ''}`),
  )
  return picture === undefined ? undefined : readCount(/^\s{0,3}([0-9,]{1,12})/.exec(textAfter(picture))?.[1] ?? '')
}

/** The first text beside a node that is not blank. */
function textAfter(node: Element): string {
  let text = ''
  for (let next = node.next; next !== null && text.trim() === ''; next = next.next) text = textContent(next)
  return text.slice(0, 64)
}

function unreadIn(block: Element, { newMessages, newMessagesAlone }: AccountWords): number | undefined {
  const links = selectAll<AnyNode, Element>('a[href*="messages.php"]', block)
  for (const link of links) {
    const picture = descendants(link).find(({ name }) => name === 'img')
    const isInbox =
      picture !== undefined && /inbox/i.test(`${picture.attribs['class'] ?? ''} ${picture.attribs['alt'] ?? ''}`)
    if (isInbox) {
      const beside = textAfter(link)
      const counted = newMessages.exec(beside)?.[1] ?? newMessagesAlone.exec(picture.attribs['title'] ?? '')?.[1]
      if (counted !== undefined) return readCount(counted)
      return /inboxnew/i.test(picture.attribs['class'] ?? '') ? undefined : 0
    }
    const counted = newMessagesAlone.exec(textContent(link))?.[1]
    if (counted !== undefined) return readCount(counted)
  }
  return links.length === 0 ? undefined : 0
}

/** The text of a page up to an element, and all of it without one. */
function textBefore(page: Document, end: Element | undefined): string {
  const words: string[] = []
  const walk = (nodes: readonly AnyNode[]): boolean =>
    nodes.every((node) => {
      if (node === end) return false
      if (isText(node)) words.push(node.data)
      return isTag(node) ? walk(node.children) : true
    })
  walk(page.children)
  return words.join(' ')
}

/** The sum of a list's sizes, where it has as many rows as it counts: versions before 1.8 state no total. */
function sumOf(table: Element | undefined, count: number): number | undefined {
  if (table === undefined) return undefined
  const [head, ...rows] = rowsOf(table)
  const heads = head === undefined ? [] : cellsOf(head).map(wordsOf)
  const position = [...columnsOf(heads)].find(([, column]) => column === 'size')?.[0]
  if (position === undefined || rows.length !== count) return undefined
  let sum = 0
  for (const row of rows) {
    const cell = cellsOf(row)[position]
    const size = cell === undefined ? undefined : readSize(textContent(cell))
    if (size === undefined) return undefined
    sum += size
  }
  return sum
}
