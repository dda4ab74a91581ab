/**
 * Reads the account's figures from pages written for people. A figure is taken from where the software puts it (a row's
 * head in the table of details, a label with a colon, a mark in the block about the reader) and from nowhere else; the
 * words are data, and where they are not found the figure is absent. Layout: the software's own templates, 1.5 to 1.8.
 */
import { selectAll } from 'css-select'
import { type AnyNode, type Document, type Element, isTag, isText } from 'domhandler'
import { textContent } from 'domutils'
import type { SiteProfile } from '../../../core/site.ts'
import { leadingSize, plainText, readCount, readNumber, readSize, readTime } from '../../../core/site-numbers.ts'
import {
  accountBlockCharactersMax,
  accountCellCharactersMax,
  bonusPageCharactersMax,
  siteNoticeCharactersMax,
  siteTextCharactersMax,
} from '../../../limits.ts'
import { descendants, spacedText } from '../markup.ts'
import {
  type DetailRow,
  detailRows,
  exactText,
  leading,
  looseRows,
  markedBonus,
  nameIn,
  ownBlock,
  ownLinkIn,
  stockBlock,
  type Told,
  tellings,
  tellingsTogether,
} from './account-places.ts'
import {
  type AccountWords,
  accountWords,
  bothSides,
  noRecord,
  otherHeads,
  records,
  usernameHeads,
} from './account-words.ts'
import { cellsOf, rowsOf, wordsOf } from './torrent-list.ts'
import { columnsOf, torrentIdIn } from './torrent-row.ts'

export interface HomeFacts {
  /** Of the account's own page: `id=1`. */
  readonly userQuery: string
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

/** The block about the reader that stands on every page. Undefined when it is not there. */
export function readHome(page: Document, profile: SiteProfile): HomeFacts | undefined {
  const block = ownBlock(page, profile)
  const own = block === undefined ? undefined : ownLinkIn(block, profile.paths['user'])
  if (block === undefined || own === undefined) return undefined
  const [link, userQuery] = own
  const username = plainText(nameIn(link), siteTextCharactersMax)
  if (username === '') return undefined
  const hitAndRuns = selectAll<AnyNode, Element>('a[href*="myhr.php"]', block).at(-1)
  const words = accountWords(profile.labels)
  const { heads } = words
  const told = tellings([block], words.telling)
  const marked = profile.labels.bonus === undefined ? markedBonus(block) : undefined
  const toldOf = (names: readonly string[]) => told.filter(([name]) => isOneOf(names, name)).map(([, value]) => value)
  return {
    userQuery,
    username,
    ...present('unreadMessages', unreadIn(block, words) ?? announced(page, words)),
    ...present('seeding', countAfterMark(block, seedingMark)),
    ...present('leeching', countAfterMark(block, leechingMark)),
    ...present('bonus', bonusIn(exactText(block, accountBlockCharactersMax), words) ?? marked?.value),
    ...present('hnrUnsatisfied', hitAndRuns === undefined ? undefined : unreached(spacedText(hitAndRuns), true)),
    ...present('uploadedBytes', agreed(toldOf(heads.uploaded).map((value) => sizeOf(leading(value))))),
    ...present('downloadedBytes', agreed(toldOf(heads.downloaded).map((value) => sizeOf(leading(value))))),
    ...present('ratio', agreed(toldOf(heads.ratio).map((value) => ratioIn(leading(value))))),
  }
}

/** A figure with the head of its row, and the words beside it, as the page has them. */
export interface RowFigure<Value> {
  readonly value: Value
  readonly row?: string
  readonly label?: string
}

export interface AccountFacts {
  /** Where the page says it, and the reader's own link says something else. */
  readonly username?: string
  /** What the site counts toward the ratio, not what was moved. */
  readonly uploadedBytes?: RowFigure<number>
  readonly downloadedBytes?: RowFigure<number>
  readonly ratio?: RowFigure<number>
  readonly level?: RowFigure<string>
  readonly bonus?: RowFigure<number>
  readonly lastActiveAtUnix?: number
  readonly joinedAtUnix?: number
  readonly seedingPoints?: number
  readonly seeding?: RowFigure<number>
  readonly seedingSizeBytes?: RowFigure<number>
  readonly hnrUnsatisfied?: RowFigure<number>
  /** What rows of the page tell differently. Left out for nothing. */
  readonly contradictory?: readonly ('uploaded' | 'downloaded' | 'ratio')[]
}

/** The account's own page: heads and their values. Undefined when no figure of the account is there. */
export function readAccount(page: Document, profile: SiteProfile): AccountFacts | undefined {
  const words = accountWords(profile.labels)
  const { heads, telling } = words
  const block = stockBlock(page, profile)
  // An owner's words stand for the site's own.
  const ownWord = block === undefined || profile.labels.bonus !== undefined ? undefined : markedBonus(block)?.word
  const bonusHeads = ownWord === undefined ? heads.bonus : [...heads.bonus, ownWord]
  const known = new Set(
    [...Object.values(heads), ...Object.values(otherHeads), bonusHeads].flat().map((name) => name.toLowerCase()),
  )
  const table = detailRows(page, block, (name) => known.has(name))
  const rows = table.length > 0 ? table : looseRows(page, block, (name) => known.has(name))
  /** Of several words in use the first that is there; one that heads several rows has as many values. */
  const rowsOfOne = (names: readonly string[]): readonly DetailRow[] => {
    for (const name of names) {
      const found = rows.filter(([head]) => head === name.toLowerCase())
      if (found.length > 0) return found
    }
    return []
  }
  const [transfer] = rowsOfOne(heads.transfer)
  const inTransfer = transfer === undefined ? {} : { row: transfer[0] }
  // A word that some language has for both sides of the traffic tells neither beside the other one's.
  const told = toldOnPage().filter(([label]) => profile.labels.uploaded !== undefined || !bothSides.has(label))

  /** In the row of the traffic; without one in any cell; and without a table where both sides stand together. */
  function toldOnPage(): readonly Told[] {
    if (transfer !== undefined) return tellings([transfer[1]], telling)
    const inCells = tellings(
      descendants(page).filter(({ name, parent }) => name === 'td' && parent !== null && isDetailCell(parent)),
      telling,
    ).filter(([, value]) => value !== '')
    if (inCells.length > 0 && table.length > 0) return inCells
    return tellingsTogether(
      page,
      block,
      telling,
      (label) => isOneOf(heads.uploaded, label),
      (label) => isOneOf(heads.downloaded, label),
    )
  }
  function isDetailCell(parent: AnyNode): boolean {
    return table.some(([, cell]) => cell.parent === parent)
  }

  function countedAs(
    names: readonly string[],
    read: (text: string) => number | undefined,
  ): RowFigure<number> | undefined {
    const places = told.filter(([name]) => isOneOf(names, name))
    const value = agreed(places.map(([, text]) => read(leading(text))))
    if (value !== undefined) return { value, ...inTransfer, label: places[0]?.[0] ?? '' }
    return places.length > 0 ? undefined : ownRow(names, (cell) => read(leading(textOf(cell))))
  }
  function ownRow<Value>(
    names: readonly string[],
    read: (cell: Element) => Value | undefined,
  ): RowFigure<Value> | undefined {
    const found = rowsOfOne(names)
    const values = found.map(([, cell]) => read(cell)).filter((value) => value !== undefined)
    const [value] = values
    return value === undefined || new Set(values).size > 1 ? undefined : { value, row: found[0]?.[0] ?? '' }
  }
  const timeIn = (cell: Element) => readTime(textOf(cell), profile.utcOffsetMinutes)

  const ratio = countedAs(heads.ratio, ratioIn)
  const contradictory = (['uploaded', 'downloaded', 'ratio'] as const).filter((name) => {
    const values = told.filter(([label]) => isOneOf(heads[name], label)).map(([, text]) => leading(text))
    // What is uploaded may be so many torrents, too.
    const figures = values.filter((value) => value !== '' && (name === 'ratio' || sizeOf(value) !== undefined))
    return new Set(figures).size > 1
  })
  const facts = {
    ...(contradictory.length === 0 ? {} : { contradictory }),
    ...present('uploadedBytes', countedAs(heads.uploaded, sizeOf)),
    ...present('downloadedBytes', countedAs(heads.downloaded, sizeOf)),
    ...present('ratio', ratio === undefined || ratio.value < 0 ? undefined : ratio),
    ...present('level', ownRow(heads.level, levelIn)),
    ...present(
      'bonus',
      ownRow(
        bonusHeads,
        (cell) =>
          loneNumber(exactText(cell, accountCellCharactersMax, ' ')) ??
          bonusIn(exactText(cell, accountCellCharactersMax), words),
      ),
    ),
    ...present('username', profile.paths['user'] === undefined ? undefined : namedOn(page)),
    ...present('lastActiveAtUnix', ownRow(heads.last_active, timeIn)?.value),
    ...present('joinedAtUnix', ownRow(otherHeads.joined, timeIn)?.value),
    ...present('seedingPoints', ownRow(otherHeads.seedingPoints, (cell) => loneNumber(textOf(cell)))?.value),
    ...present(
      'seeding',
      ownRow(otherHeads.seedingNow, (cell) => listedIn(cell, page)?.count ?? countBesideSize(textOf(cell))),
    ),
    ...present(
      'seedingSizeBytes',
      ownRow(otherHeads.seedingSize, (cell) => onlySize(textOf(cell))) ??
        ownRow(otherHeads.seedingNow, (cell) => listedIn(cell, page)?.sizeBytes ?? onlySize(textOf(cell))),
    ),
    ...present(
      'hnrUnsatisfied',
      ownRow(heads.hit_and_run, (cell) => unreached(textOf(cell), isLinked(cell))),
    ),
  }
  const { username, ...figures } = facts
  return Object.keys(figures).length === 0 ? undefined : facts
}

/** On pages whose link to the account is called otherwise than its reader. What levels are called may be a head, too. */
function namedOn(page: Document): string | undefined {
  const [row] = detailRows(page, undefined, (name) => isOneOf(usernameHeads, name))
  return row === undefined ? undefined : plainText(textOf(row[1]), siteTextCharactersMax) || undefined
}

/** A list of torrents in a row of the account, which is whole where the top of the page counts as many. */
function listedIn(cell: Element, page: Document): SeedingFacts | undefined {
  const table = descendants(cell).find(({ name }) => name === 'table')
  const count = table === undefined ? undefined : countAfterMark(page, seedingMark)
  if (count === undefined) return undefined
  const sizeBytes = sumOf(table, count)
  return sizeBytes === undefined ? undefined : { count, sizeBytes }
}

/**
 * Stock pages write amounts with two or three digits behind the point. One comma before three digits may be that point,
 * so it is no figure here.
 */
const isTwofold = (text: string) => /^\s{0,3}[0-9]{1,3},[0-9]{3}(?![0-9,.])/.test(text)
const sizeOf = (text: string) => (isTwofold(text) ? undefined : readSize(text))
const fractionOf = (text: string) => (isTwofold(text) ? undefined : readNumber(text))

const isLinked = (cell: Element) => descendants(cell).some(({ attribs }) => attribs['href']?.includes('myhr.php'))
const textOf = (cell: Element) => plainText(spacedText(cell), accountCellCharactersMax)

/** A picture's name, a name behind a word, or the word itself up to what explains it. */
function levelIn(cell: Element): string | undefined {
  const inside = descendants(cell)
  const nameOf = ({ attribs }: Element) => attribs['title']?.trim() || attribs['alt']?.trim()
  const picture = inside.find((one) => one.name === 'img' && nameOf(one))
  const word = inside.find(({ name, attribs }) => name !== 'img' && attribs['title']?.trim())
  const named = picture === undefined ? word?.attribs['title'] : nameOf(picture)
  const text = named ?? (/^[^[(（|:：]*/.exec(textOf(cell))?.[0] || textOf(cell))
  return plainText(text, siteTextCharactersMax) || undefined
}

const sizes = /[0-9][0-9.,]{0,24}\s{0,4}[KMGTPE]?i?B(?![a-z])/gi

/** Before a size that is all of them together: a count, and words for the sum. */
const beforeSum =
  /^(?:[\s0-9,.|/()（）:：，、共总總计計个個条條项項种種子大小体體积積]|torrents?|records?|total|size|of)*$/i

/** The only size in a text, at its beginning or behind a count. Undefined for two: one would be taken for the other. */
function onlySize(text: string): number | undefined {
  const told = text.replace(/\[[^\]]*\]/g, ' ')
  const [found, ...others] = told.match(sizes) ?? []
  const isSum = found !== undefined && beforeSum.test(told.slice(0, told.indexOf(found)))
  return !isSum || others.length > 0 ? undefined : sizeOf(found)
}

/** The only number in a text, its sizes aside, where it comes first or counts something. */
function countBesideSize(text: string): number | undefined {
  const told = text.replace(sizes, ' ').replace(/\[[^\]]*\]|\(\s{0,3}[0-9.]{1,6}\s{0,3}%\s{0,3}\)/g, ' ')
  const [found, ...others] = told.match(/[0-9][0-9.,]*/g) ?? []
  const isCount = /^\s*[0-9]/.test(told) || /[0-9]\s{0,3}(?:个|個|条|條|项|項|torrent|record)/i.test(told)
  // Half a torrent is another figure.
  return found === undefined || found.includes('.') || others.length > 0 || !isCount ? undefined : readCount(found)
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
  const head = plainText(textBefore(page, table), accountCellCharactersMax)
  if (noRecord.test(head)) return { count: 0, sizeBytes: 0 }
  const count = readCount(records.exec(head)?.[1] ?? '')
  const stated = sizeOf(accountWords(profile.labels).totalSize.exec(head)?.[1] ?? '')
  const sum = count === undefined ? undefined : sumOf(table, count)
  // Each row is rounded by itself.
  const isSumWrong = stated !== undefined && sum !== undefined && Math.abs(stated - sum) > sumShareMax * stated + mib
  return {
    ...present('count', count),
    ...present('sizeBytes', stated ?? sum),
    ...(isSumWrong ? { isSumWrong } : {}),
  }
}

/**
 * Points an hour, from the page that explains them: the total of its table, which counts what is given on top, and
 * without one the sentence about the reader; never the explanation.
 */
export function readBonusPerHour(page: Document, profile: SiteProfile): number | undefined {
  const tables = profile.labels.bonus_per_hour === undefined ? tablesOfAnHour(page) : []
  // Where there is a table, the sentence leaves out what is given on top.
  if (tables.length > 0) return hourTotal(tables)
  const text = plainText(spacedText(page), bonusPageCharactersMax)
  for (const pattern of accountWords(profile.labels).bonusPerHour) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return fractionOf(found)
  }
  return undefined
}

interface HourTable {
  readonly heads: readonly string[]
  readonly rows: readonly Element[]
}

/** Known by one of its two heads, so that one whose other head is not understood is not taken for none. */
function tablesOfAnHour(page: Document): HourTable[] {
  return descendants(page).flatMap((table) => {
    if (table.name !== 'table') return []
    const [head, ...rows] = rowsOf(table)
    const cells = head === undefined ? [] : cellsOf(head)
    const heads = cells.map((cell) =>
      textOf(cell)
        .toLowerCase()
        .replace(/\s*[:：]$/, ''),
    )
    const isOne = heads.some((name) => isOneOf(otherHeads.hourReward, name) || isOneOf(otherHeads.hourTotal, name))
    return isOne ? [{ heads, rows }] : []
  })
}

function hourTotal(tables: readonly HourTable[]): number | undefined {
  const table = tables.find(({ heads }) => heads.some((name) => isOneOf(otherHeads.hourReward, name)))
  const position = table?.heads.findIndex((name) => isOneOf(otherHeads.hourTotal, name)) ?? -1
  const [first] = table?.rows ?? []
  const cell = first === undefined || position === -1 ? undefined : cellsOf(first)[position]
  // The software puts it beside all rows; any other is of one of them.
  const isOfAll = cell !== undefined && Number(cell.attribs['rowspan']) === table?.rows.length
  return !isOfAll || isTwofold(textOf(cell)) ? undefined : loneNumber(textOf(cell))
}

const mib = 1024 ** 2
const sumShareMax = 0.02
function present<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value }
}

/** An amount is of another label, which was lost. */
function ratioIn(text: string): number | undefined {
  return /b\s*$/i.test(text) ? undefined : fractionOf(text)
}

function isOneOf(names: readonly string[], text: string): boolean {
  return names.some((name) => name.toLowerCase() === text)
}

/** The same figure may stand in several places; one that differs makes all of them doubtful. */
function agreed(values: readonly (number | undefined)[]): number | undefined {
  const [first, ...others] = values.filter((value) => value !== undefined)
  return others.every((value) => value === first) ? first : undefined
}

/** A number that comes first, and beside it words or brackets: another number beside it may be the one that is meant. */
function loneNumber(text: string): number | undefined {
  const found =
    /^\s{0,3}([0-9][0-9.,]{0,32})\s{0,3}(?:$|[[(（]|(?![KMGTPE]?i?B(?![a-z]))[^\d%/:：.,'\u2019-][^\d]*(?:$|[[(（]))/i.exec(
      text,
    )?.[1]
  return found === undefined ? undefined : readNumber(found)
}

/** `bonus: 12.3`, by the word that says most where several do. */
function bonusIn(text: string, { heads, blockBonus }: AccountWords): number | undefined {
  const found = [...text.matchAll(blockBonus)].map(([, word = '', value = '']) => {
    const rank = heads.bonus.findIndex((one) => one.toLowerCase() === word.toLowerCase().replace(/\s/g, ' '))
    return { rank, value: readNumber(value) }
  })
  const first = Math.min(...found.map(({ rank }) => rank))
  return agreed(found.filter(({ rank }) => rank === first).map(({ value }) => value))
}

/**
 * `inspected/unreached/limit`, once or for each section. Other pages say how many, or how many of the limit; where the
 * software's own link is, two numbers are a piece of its three.
 */
function unreached(text: string, isStock: boolean): number | undefined {
  const sections = [...text.matchAll(/([0-9]{1,9})\s{0,3}\/\s{0,3}([0-9]{1,9})\s{0,3}\/\s{0,3}[0-9]{1,9}/g)]
  if (sections.length > 0) return sections.reduce((sum, [, , count]) => sum + Number(count), 0)
  const ofLimit = isStock ? null : /^\s{0,3}([0-9]{1,9})\s{0,3}\/\s{0,3}[0-9]{1,9}\s{0,3}$/.exec(text)
  return readCount((ofLimit ?? /^\s{0,3}([0-9,]{1,12})\s{0,3}(?:$|[(（])/.exec(text))?.[1] ?? '')
}

const seedingMark = /arrowup|uploading files/i
const leechingMark = /arrowdown|downloading files/i

/** The number that stands after a small picture. */
function countAfterMark(block: Document | Element, mark: RegExp): number | undefined {
  const picture = descendants(block).find(
    ({ name, attribs: { class: classText = '', alt = '', src = '' } }) =>
      name === 'img' && mark.test(`${classText} ${alt} ${src}`),
  )
  return picture === undefined ? undefined : readCount(/^[0-9,]{1,12}/.exec(textAfter(picture))?.[0] ?? '')
}

/** The first text beside a node that is not blank. */
function textAfter(node: Element): string {
  let text = ''
  for (let next = node.next; next !== null && text.trim() === ''; next = next.next) text = textContent(next)
  return text.trim().slice(0, 64)
}

/** The number beside the inbox, or none at all where it holds no message; a picture alone has no number. */
function unreadIn(block: Element, { newMessages, newMessagesAlone }: AccountWords): number | undefined {
  for (const link of selectAll<AnyNode, Element>('a[href*="messages.php"]', block)) {
    const picture = descendants(link).find(({ name }) => name === 'img')
    const isInbox =
      picture !== undefined && /inbox/i.test(`${picture.attribs['class'] ?? ''} ${picture.attribs['alt'] ?? ''}`)
    if (isInbox) {
      const beside = textAfter(link)
      const counted = newMessages.exec(beside)?.[1] ?? newMessagesAlone.exec(picture.attribs['title'] ?? '')?.[1]
      if (counted !== undefined) return readCount(counted)
      return /^\s*0\s*$/.test(beside) && !/inboxnew/i.test(picture.attribs['class'] ?? '') ? 0 : undefined
    }
    const counted = newMessagesAlone.exec(textContent(link))?.[1]
    if (counted !== undefined) return readCount(counted)
  }
  return undefined
}

/** A notice on top of the page that leads to the inbox and says how many. */
function announced(page: Document, { newMessagesAlone }: AccountWords): number | undefined {
  const told = selectAll<AnyNode, Element>('a[href*="messages.php"]', page)
    .map((link) => newMessagesAlone.exec(plainText(textContent(link), siteNoticeCharactersMax))?.[1])
    .filter((count) => count !== undefined)
  return agreed(told.map((count) => readCount(count)))
}

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
