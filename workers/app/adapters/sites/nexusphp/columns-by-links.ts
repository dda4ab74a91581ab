/**
 * What the columns of a list without heads are, by where the software's own links in them lead, and without such a link by
 * the order that the software has: time, size, seeders, leechers, snatched. A count of nobody has no link, so that a column
 * is known by any of its rows, and none is where its rows say different things.
 */
import type { Element } from 'domhandler'
import { textContent } from 'domutils'
import { leadingSize, readTime } from '../../../core/site-numbers.ts'
import { descendants, spacedText } from '../markup.ts'
import { type Column, countLinks } from './torrent-row.ts'

const links = [...countLinks, ['category', /[?&](?:cat|category)=?[0-9]/]] as const
const none: ReadonlyMap<number, Column> = new Map()

export function columnsByLinks(rows: readonly (readonly Element[])[]): ReadonlyMap<number, Column> {
  const known = new Map<Column, number>()
  for (const [column, pattern] of links) {
    const at = new Set(rows.flatMap((row) => row.flatMap((cell, index) => (leadsTo(cell, pattern) ? [index] : []))))
    const [position] = at
    // The name of a torrent may have links to other categories beside it.
    if (at.size > 1 && column !== 'category') return none
    if (position !== undefined && at.size === 1) known.set(column, position)
  }
  const size = onlyColumn(rows, isSize)
  if (size === undefined) return none
  const usual = inOrder(size)
  const isAsUsual = [...known].every(([column, position]) => column === 'category' || position === usual.get(column))
  const hasTimes = rows.every((row) => isTime(row[size - 1]))
  const isOrdered = hasTimes && rows.every((row) => countsAfter(row, size) === 3)
  const isAnchored = known.has('seeders') && (known.has('leechers') || known.has('snatched'))
  if (!isAsUsual || !(isOrdered || isAnchored)) return none
  const told = [...usual, ...known].filter(([column]) => hasTimes || column !== 'time')
  return new Map(told.map(([column, position]) => [position, column]))
}

const inOrder = (size: number): ReadonlyMap<Column, number> =>
  new Map([
    ['time', size - 1],
    ['size', size],
    ['seeders', size + 1],
    ['leechers', size + 2],
    ['snatched', size + 3],
  ])

/** How many cells behind this one hold nothing but a count. */
function countsAfter(row: readonly Element[], position: number): number {
  const after = row.slice(position + 1).findIndex((cell) => !/^\s*[0-9][0-9,]*\s*$/.test(textContent(cell)))
  return after === -1 ? row.length - position - 1 : after
}

function leadsTo(cell: Element, pattern: RegExp): boolean {
  return descendants(cell).some(({ name, attribs }) => name === 'a' && pattern.test(attribs['href'] ?? ''))
}

/** The one column of which each row says as much. */
function onlyColumn(rows: readonly (readonly Element[])[], isOne: (cell: Element) => boolean): number | undefined {
  const [first = []] = rows
  const found = [...first.keys()].filter((index) => rows.every((row) => row[index] !== undefined && isOne(row[index])))
  return found.length === 1 ? found[0] : undefined
}

function isSize(cell: Element): boolean {
  const text = textContent(cell)
  return /^\s*[0-9][0-9.,]*\s*[KMGTP]?i?B\s*$/i.test(text) && leadingSize(text.trim()) !== undefined
}

function isTime(cell: Element | undefined): boolean {
  if (cell === undefined) return false
  const titles = [cell, ...descendants(cell)].map(({ attribs }) => attribs['title'] ?? '')
  return [...titles, spacedText(cell)].some((text) => readTime(text, 0) !== undefined)
}
