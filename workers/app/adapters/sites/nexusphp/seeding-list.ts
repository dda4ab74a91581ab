/** What is seeded, as the list of it on the account's page says. */
import { selectAll } from 'css-select'
import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler'
import { textContent } from 'domutils'
import type { SiteProfile } from '../../../core/site.ts'
import { leadingSize, plainText, readCount } from '../../../core/site-numbers.ts'
import { accountCellCharactersMax } from '../../../limits.ts'
import { descendants } from '../markup.ts'
import { countAfterMark, present, seedingMark, sizeOf } from './account-figures.ts'
import { accountWords, noRecord, records, totalAfterRecords } from './account-words.ts'
import { cellsOf, rowsOf, wordsOf } from './torrent-list.ts'
import { columnsOf, torrentIdIn } from './torrent-row.ts'

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
  const head = plainText(textBefore(page, table), accountCellCharactersMax)
  if (noRecord.test(head)) return { count: 0, sizeBytes: 0 }
  const [, alone, ofAll] = countAndSize.exec(head) ?? []
  const count = readCount(records.exec(head)?.[1] ?? alone ?? '')
  const { totalSize } = accountWords(profile.labels)
  const stated = sizeOf(totalSize.exec(head)?.[1] ?? totalAfterRecords.exec(head)?.[1] ?? ofAll ?? '')
  const sum = count === undefined ? undefined : sumOf(table, count)
  // Each row is rounded by itself.
  const isSumWrong = stated !== undefined && sum !== undefined && Math.abs(stated - sum) > sumShareMax * stated + mib
  return {
    ...present('count', count),
    ...present('sizeBytes', stated ?? sum),
    ...(isSumWrong ? { isSumWrong } : {}),
  }
}

/** A list of torrents in a row of the account, which is whole where the top of the page counts as many. */
export function listedIn(cell: Element, page: Document): SeedingFacts | undefined {
  const table = descendants(cell).find(({ name }) => name === 'table')
  const count = table === undefined ? undefined : countAfterMark(page, seedingMark)
  if (count === undefined) return undefined
  const sizeBytes = sumOf(table, count)
  return sizeBytes === undefined ? undefined : { count, sizeBytes }
}

/** Nothing but both, without a word. */
const countAndSize = /^\s*([0-9][0-9,]{0,9})\s*\|\s*([0-9][0-9.,]{0,20}\s*[KMGTP]?i?B)\s*$/i

const mib = 1024 ** 2

const sumShareMax = 0.02

/** The text of a page up to an element, and all of it without one. A cell that is in no table belongs elsewhere. */
function textBefore(page: Document, end: Element | undefined): string {
  const words: string[] = []
  const walk = (nodes: readonly AnyNode[]): boolean =>
    nodes.every((node) => {
      if (node === end) return false
      if (isText(node)) words.push(node.data)
      return isTag(node) && node.name !== 'td' ? walk(node.children) : true
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
  const ids = new Set<string>()
  for (const row of rows) {
    const link = selectAll<AnyNode, Element>('a[href*="details.php"]', row)[0]
    const id = torrentIdIn(link?.attribs['href'])
    // One that stands there twice stands for another.
    if (cellsOf(row).length !== heads.length || (id !== undefined && ids.has(id))) return undefined
    if (id !== undefined) ids.add(id)
    const cell = cellsOf(row)[position]
    const size = cell === undefined ? undefined : leadingSize(textContent(cell))
    if (size === undefined) return undefined
    sum += size
  }
  // One without its link, among others that have theirs, may stand for another, too.
  return ids.size === 0 || ids.size === rows.length ? sum : undefined
}
