/** What an hour brings, from the page that explains the bonus. */
import type { Document, Element } from 'domhandler'
import type { SiteProfile } from '../../../core/site.ts'
import { plainText } from '../../../core/site-numbers.ts'
import { bonusPageCharactersMax } from '../../../limits.ts'
import { descendants, spacedText } from '../markup.ts'
import { agreed, fractionOf, isOneOf, isTwofold, loneNumber, textOf } from './account-figures.ts'
import { accountWords, otherHeads } from './account-words.ts'
import { cellsOf, rowsOf } from './torrent-list.ts'

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
    const found = [...text.matchAll(new RegExp(pattern, `g${pattern.flags}`))].map(([, one = '']) => fractionOf(one))
    // What is given for some of them and for the others is no figure of all.
    if (found.length > 0) return agreed(found)
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
