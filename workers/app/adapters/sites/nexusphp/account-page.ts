/**
 * Reads the account's figures from pages written for people. A figure is taken from where the software puts it (a row's
 * head in the table of details, a label with a colon, a mark in the block about the reader) and from nowhere else; the
 * words are data, and where they are not found the figure is absent. Layout: the software's own templates, 1.5 to 1.8.
 */
import type { AnyNode, Document, Element } from 'domhandler'
import type { SiteProfile } from '../../../core/site.ts'
import { plainText, readTime } from '../../../core/site-numbers.ts'
import { accountCellCharactersMax, siteTextCharactersMax } from '../../../limits.ts'
import { descendants } from '../markup.ts'
import {
  agreed,
  bonusIn,
  countBesideSize,
  isOneOf,
  loneNumber,
  onlySize,
  present,
  ratioIn,
  sizeOf,
  textOf,
  unreached,
} from './account-figures.ts'
import {
  type DetailRow,
  detailRows,
  exactText,
  leading,
  looseRows,
  markedBonus,
  stockBlock,
  type Told,
  tellings,
  tellingsTogether,
} from './account-places.ts'
import { accountWords, bothSides, otherHeads, usernameHeads } from './account-words.ts'
import { listedIn } from './seeding-list.ts'

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
      ownRow(
        otherHeads.seedingNow,
        (cell) => listedIn(cell, page)?.count ?? (holdsTable(cell) ? undefined : countBesideSize(textOf(cell))),
      ),
    ),
    ...present(
      'seedingSizeBytes',
      ownRow(otherHeads.seedingSize, (cell) => onlySize(textOf(cell))) ??
        ownRow(
          otherHeads.seedingNow,
          (cell) => listedIn(cell, page)?.sizeBytes ?? (holdsTable(cell) ? undefined : onlySize(textOf(cell))),
        ),
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

/** In which any number may be of one torrent, or of a row that is another's. */
const holdsTable = (cell: Element) => descendants(cell).some(({ name }) => /^(?:table|tr|td)$/.test(name))

const isLinked = (cell: Element) => descendants(cell).some(({ attribs }) => attribs['href']?.includes('myhr.php'))

/** A picture's name, a name behind a word, or the word itself up to what explains it, or to the member's own title. */
function levelIn(cell: Element): string | undefined {
  const inside = descendants(cell)
  const nameOf = ({ attribs }: Element) => attribs['title']?.trim() || attribs['alt']?.trim()
  const picture = inside.find((one) => one.name === 'img' && nameOf(one))
  const word = inside.find(({ name, attribs }) => name !== 'img' && attribs['title']?.trim())
  const named = picture === undefined ? word?.attribs['title'] : nameOf(picture)
  const text = named ?? (/^(?:(?! \/ )[^[(（|:：])*/.exec(textOf(cell))?.[0] || textOf(cell))
  return plainText(text, siteTextCharactersMax) || undefined
}
