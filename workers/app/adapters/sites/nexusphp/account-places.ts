/**
 * Where a page of the account puts its figures: rows of the table of details, heads beside their values where a theme has
 * no table, and `label: value` within a text.
 */
import { selectAll, selectOne } from 'css-select'
import { type AnyNode, type Document, Element, isTag, isText, type ParentNode, Text } from 'domhandler'
import { textContent } from 'domutils'
import type { SiteProfile } from '../../../core/site.ts'
import { plainText, readNumber, readSize } from '../../../core/site-numbers.ts'
import {
  accountCellCharactersMax,
  accountHeadCharactersMax,
  accountHeadNodesMax,
  accountLinksMax,
  accountPageCharactersMax,
  demandBesideCharactersMax,
  demandCharactersMax,
  trafficTogetherCharactersMax,
} from '../../../limits.ts'
import { descendants, spacedText } from '../markup.ts'
import { accountWords, demanded, figureAfterLink, figureInLink, partMark } from './account-words.ts'
import { cellsOf, isCell } from './torrent-list.ts'

export type DetailRow = readonly [head: string, value: Element]

const ownLink = /[?&]((?:u?id=[0-9]{1,18})|(?:uuid=[0-9a-z-]{1,64}))(?:&|#|$)/i

/** The reader's own link, to the page of accounts: its query names the account. */
export function ownLinkIn(
  block: Element,
  page: string | undefined,
): readonly [link: Element, query: string] | undefined {
  for (const link of descendants(block)) {
    const { href = '' } = link.attribs
    const isOwn = link.name === 'a' && (href.includes('userdetails') || (page !== undefined && href.includes(page)))
    const query = isOwn ? ownLink.exec(href)?.[1] : undefined
    // A picture may lead there too, and names nobody.
    if (query !== undefined && textContent(link).trim() !== '') return [link, query]
  }
  return undefined
}

/**
 * What a page says of its reader on top: the software's own block, and on themes without one the smallest part that
 * holds the reader's link and the way out.
 */
export function ownBlock(page: Document, profile: SiteProfile): Element | undefined {
  const block = stockBlock(page, profile)
  if (block !== undefined) return block
  const ways = selectAll<AnyNode, Element>('a[href*="logout"], form[action*="logout"]', page).slice(0, 4)
  for (const way of ways) {
    for (let part = way.parent; part !== null && isTag(part) && part.name !== 'body'; part = part.parent)
      if (ownLinkIn(part, profile.paths['user']) !== undefined) return part.name === 'html' ? undefined : part
  }
  return trafficBlock(page, profile)
}

/**
 * Where the way out stands elsewhere: around one of the first links to an account, the part with a link to a page that each
 * member has of their own, if that part tells both sides of the traffic.
 */
function trafficBlock(page: Document, profile: SiteProfile): Element | undefined {
  const { heads, telling } = accountWords(profile.labels)
  const isAccount = ({ attribs }: Element) => attribs['href']?.includes(profile.paths['user'] ?? 'userdetails') === true
  for (const link of descendants(page).filter(isAccount).slice(0, accountLinksMax)) {
    let part: ParentNode | null = link.parent
    while (part !== null && isTag(part) && part.name !== 'body' && !descendants(part).some(isOwnPage))
      part = part.parent
    if (part === null || !isTag(part) || part.name === 'body') continue
    // Who is named after what is told of the reader is somebody else.
    const own = descendants(part).find((one) => one === link || isOwnPage(one))
    if (own !== link) continue
    const told = [...tellings([part], telling), ...pictured(part)].filter(
      ([, value]) => readSize(leading(value)) !== undefined,
    )
    const isTold = (names: readonly string[]) =>
      told.some(([label]) => names.some((one) => one.toLowerCase() === label))
    if (isTold(heads.uploaded) && isTold(heads.downloaded)) return part
  }
  return undefined
}

/** A theme may have a picture for the word. */
function pictured(part: Element): Told[] {
  return descendants(part).flatMap(({ name, attribs, next }) =>
    name === 'img' && attribs['alt'] && next !== null && isText(next)
      ? [[attribs['alt'].toLowerCase(), plainText(next.data, accountHeadCharactersMax)]]
      : [],
  )
}

function isOwnPage({ name, attribs }: Element): boolean {
  return name === 'a' && /(?:mybonus|invite|messages|usercp)\.php/.test(attribs['href'] ?? '')
}

export function stockBlock(page: Document, profile: SiteProfile): Element | undefined {
  return selectOne<AnyNode, Element>(profile.selectors['info_block'] ?? '#info_block', page) ?? undefined
}

/** Rows outside the block on top: what the head says, as it is looked for, and the cell beside it. */
export function detailRows(page: Document, block: Element | undefined, isHead: (name: string) => boolean): DetailRow[] {
  const inBlock = new Set(block === undefined ? [] : descendants(block))
  const found = descendants(page).flatMap((row) => {
    if (row.name !== 'tr' || inBlock.has(row)) return []
    const pairs = cellsOf(row).flatMap((cell, index): DetailRow[] => {
      // What stands between two cells may hold the one that is meant.
      const value = elementAfter(cell)
      if (value === undefined || !isCell(value)) return []
      // A second pair in one row says that it is one.
      const mayHead = index === 0 || cell.name === 'th' || /(?:^|\s)rowhead(?:\s|$)/.test(cell.attribs['class'] ?? '')
      const name = mayHead ? headOf(cell) : ''
      return isHead(name) ? [[name, value]] : []
    })
    // Heads beside heads are the first row of a list.
    const told = pairs.filter(([, value]) => !isHead(headOf(value)))
    return told.length === 0 ? [] : [{ row, told }]
  })
  const tables = new Set(found.map(({ row }) => row.parent))
  return found.flatMap(({ row, told }) => (isInOwnWords(row, tables) ? [] : told))
}

/** What a member writes fills a row of the table of details by itself, whatever tables are written into it. */
function isInOwnWords(row: Element, tables: ReadonlySet<ParentNode | null>): boolean {
  for (let around = row.parent; around !== null && isTag(around); around = around.parent)
    if (around.name === 'td' && around.attribs['colspan'] !== undefined && tables.has(around.parent?.parent ?? null))
      return true
  return false
}

/** What stands within one element as `head: value`. */
const listNames = new Set(['li', 'h4'])
const looseNames = new Set(['span', 'div', 'dt', 'label', 'strong', 'b', 'p', 'font', 'em', 'small', 'h3', 'h4', 'h5'])

/** Heads with their values beside them, on pages without a table of details. */
export function looseRows(page: Document, block: Element | undefined, isHead: (name: string) => boolean): DetailRow[] {
  const inBlock = new Set(block === undefined ? [] : descendants(block))
  return descendants(page).flatMap((element): DetailRow[] => {
    if (inBlock.has(element)) return []
    if (listNames.has(element.name)) {
      const [name, value] = headWithin(element) ?? ['']
      return value !== undefined && isHead(name) ? [[name, value]] : []
    }
    if (!looseNames.has(element.name)) return []
    const value = elementAfter(element)
    if (value === undefined || value.name === 'a') return []
    const name = headOf(element)
    return isHead(name) && !isHead(headOf(value)) ? [[name, value]] : []
  })
}

function headWithin({ children }: Element): DetailRow | undefined {
  const [first, ...others] = children
  const [, head, rest] =
    first === undefined || !isText(first) ? [] : (/^\s*([^:：]{1,64})[:：](.*)$/s.exec(first.data) ?? [])
  if (head === undefined || rest === undefined) return undefined
  return [plainText(head, accountHeadCharactersMax).toLowerCase(), new Element('span', {}, [new Text(rest), ...others])]
}

/** The element that follows at once, without a text between them. */
function elementAfter(element: Element): Element | undefined {
  let next = element.next
  while (next !== null && !isTag(next)) {
    if (isText(next) && next.data.replace(/[\s:：]/g, '') !== '') return undefined
    next = next.next
  }
  return next ?? undefined
}

/** In lower case, without its colon and what explains it; a number is a figure. Empty for what is too long to be a head. */
function headOf(cell: Element): string {
  const text = shortText(cell)
  if (text === undefined) return ''
  return plainText(text, accountHeadCharactersMax)
    .replace(/\s{0,3}(?:\[[^\]\d]{0,24}\]|[?？*]){1,3}$/, '')
    .replace(/\s{0,3}[:：]$/, '')
    .toLowerCase()
}

function shortText(cell: Element): string | undefined {
  let text = ''
  let nodes = 0
  const open: AnyNode[] = [cell]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes += isTag(node) ? node.children.length : 0
    if (nodes > accountHeadNodesMax) return undefined
    if (isText(node)) text += node.data.length > accountHeadCharactersMax ? node.data.trim() : node.data
    if (isTag(node)) for (const child of [...node.children].reverse()) open.push(child)
    if (text.length > accountHeadCharactersMax) return undefined
  }
  return text
}

export type Told = readonly [label: string, value: string]

/** What cells say in the form `label: value`, one after another. */
export function tellings(cells: readonly Element[], telling: RegExp): Told[] {
  return cells.flatMap((cell) => toldIn(markedText(cell, accountCellCharactersMax), telling).map(({ told }) => told))
}

/** The same, of a page whose account is no table: only where both sides of the traffic stand together. */
export function tellingsTogether(
  page: Document,
  block: Element | undefined,
  telling: RegExp,
  isOneSide: (label: string) => boolean,
  isOtherSide: (label: string) => boolean,
): Told[] {
  const places = toldIn(markedText(page, accountPageCharactersMax, block), telling)
  return places.flatMap(({ told, start }) => {
    const [label] = told
    const isFarSide = isOneSide(label) ? isOtherSide : isOneSide
    const isNear = places.some(
      (other) => isFarSide(other.told[0]) && Math.abs(other.start - start) <= trafficTogetherCharactersMax,
    )
    return isNear ? [told] : []
  })
}

/** A text of a page in which the marks between its parts are left. */
function markedText(root: Document | Element, charactersMax: number, without?: Element): string {
  return plainText(spacedText(root, without, partMark), charactersMax)
}

/** The same, with the number in a title for the shorter way to write it: `<span title="34,567.80">3 gold</span>`. */
export function exactText(root: Element, charactersMax: number, between = partMark): string {
  return plainText(spacedText(root, undefined, between, exactNumber), charactersMax)
}

function exactNumber(element: Element): string | undefined {
  const title = element.attribs['title']?.trim() ?? ''
  return /^[0-9][0-9,]{0,20}(?:\.[0-9]{1,12})?$/.test(title) && /[0-9]/.test(textContent(element)) ? title : undefined
}

function toldIn(text: string, telling: RegExp): { readonly told: Told; readonly start: number }[] {
  const found = [...text.matchAll(telling)]
  let between = text.slice(0, found[0]?.index)
  let isDemand = false
  return found.flatMap((match, index) => {
    const start = match.index + match[0].length
    const value = plainText(
      text.slice(start, found[index + 1]?.index).replaceAll(partMark, ' '),
      accountPageCharactersMax,
    )
    // What a level asks for is told in the same words, one after another.
    isDemand =
      demanded.test(between.slice(-demandCharactersMax)) || (isDemand && between.length <= demandBesideCharactersMax)
    between = value.slice(leading(value).length)
    const told = [(match[1] ?? '').toLowerCase().replace(/\s/g, ' '), value] as const
    return isDemand ? [] : [{ told, start: match.index }]
  })
}

/** The value itself, which comes first: what follows it explains. */
export function leading(value: string): string {
  return (
    /^\s{0,3}-?[0-9][0-9.,'\u2019]{0,32}(?:[ \u2009\u202f][0-9]{3}(?![0-9])[0-9.,]{0,16}){0,4}(?:\s{0,4}(?:[KMGTPE]?i?B|[KMGTPE])(?![a-z]))?/i.exec(
      value,
    )?.[0] ?? ''
  )
}

/** The text of a name: without the marks that stand within its link. */
export function nameIn(link: Element): string {
  const words: string[] = []
  const walk = (nodes: readonly AnyNode[]): void => {
    for (const node of nodes) {
      if (isText(node)) words.push(node.data)
      else if (isTag(node) && !/^(?:i|sup|sub|small|img)$/.test(node.name)) walk(node.children)
    }
  }
  walk(link.children)
  return words.join('').trim() === '' ? textContent(link) : words.join('')
}

/**
 * The bonus by the software's own link to where it is spent: the link holds it, alone or behind its word, or it follows the
 * brackets around that link and others like it. What a site calls it stands in its mark before the link, or in the link.
 */
export function markedBonus(block: Element): MarkedBonus | undefined {
  const found = selectAll<AnyNode, Element>('a[href*="mybonus.php"]', block).flatMap((link) => {
    const text = exactText(link, accountHeadCharactersMax)
    const [, inLink = '', figure] = figureInLink.exec(text) ?? []
    // One with a bracket in it lost its end: the bracket behind it is another's.
    const behind = /[[\]]/.test(text) ? '' : textBehind(link)
    const value = readNumber(figure ?? figureAfterLink.exec(behind)?.[1] ?? '')
    const word = wordBefore(link)
    const calledSo = word ?? (figure === undefined ? text : inLink)
    return value === undefined ? [] : [{ value, calledSo, ...(word === undefined ? {} : { word }) }]
  })
  const [first] = found
  return first === undefined || found.some(({ value }) => value !== first.value) ? undefined : first
}

export interface MarkedBonus {
  readonly value: number
  /** Its word, or what leads to where it is spent. */
  readonly calledSo: string
  /** Only where its mark holds nothing else. */
  readonly word?: string
}

function textBehind(link: Element): string {
  const beside = link.parent?.children ?? []
  const start = beside.indexOf(link) + 1
  return exactText(new Element('span', {}, beside.slice(start, start + accountHeadNodesMax)), accountHeadCharactersMax)
}

function wordBefore({ prev }: Element): string | undefined {
  const mark = prev !== null && isText(prev) && /^\s*\[\s*$/.test(prev.data) ? prev.prev : null
  if (mark === null || !isTag(mark) || mark.attribs['class'] !== 'color_bonus') return undefined
  const word = plainText(textContent(mark), accountHeadCharactersMax)
  return /^\p{L}[^\d:：]*$/u.test(word) ? word : undefined
}
