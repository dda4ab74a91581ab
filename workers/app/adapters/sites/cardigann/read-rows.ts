/** The rows of an answer, each as the texts that its definition's fields give. */
import type { AnyNode, Element } from 'domhandler'
import { isTag } from 'domhandler'
import * as domutils from 'domutils'
import { readAnyDate } from '../../../core/cardigann/dates.ts'
import type { Definition, RowsBlock, SearchPath } from '../../../core/cardigann/definition.ts'
import { type FilterContext, hasAllWords } from '../../../core/cardigann/filters.ts'
import { selectJson } from '../../../core/cardigann/json-path.ts'
import type { Variable } from '../../../core/cardigann/template.ts'
import { siteHitsMax } from '../../../limits.ts'
import type { PageTree } from './page-tree.ts'
import { type FieldRead, type JsonRow, jsonFields, pageFields } from './read-fields.ts'

export interface RowTexts {
  readonly texts: ReadonlyMap<string, string>
  /** From a line above the row, where the row itself has none. */
  readonly uploadedAtUnix: number | undefined
}

export interface Reading {
  readonly definition: Definition
  readonly path: SearchPath
  readonly context: FilterContext
  readonly keywords: string
  /** Makes the addresses of the page whole. */
  readonly absolute: (address: string) => string
}

export interface RowsRead {
  readonly rows: readonly RowTexts[]
  /** Rows that were there and could not be read. */
  readonly unread: number
  /** The answer is known to be a list: rows were found, or it says that there are none. */
  readonly isList: boolean
}

export function readPageRows(page: PageTree, reading: Reading): RowsRead {
  const { rows } = reading.definition.search
  const read = pageFields(page)
  if (rows.count !== undefined) {
    const count = read(page.root, rows.count, reading.context)
    if (!isCounted(count)) return noRows(count)
  }
  const selector = rows.selector.render(reading.context.variables)
  const found = merged(page.all(page.root, selector), rows)
  for (const row of found) if (rows.remove !== undefined) page.remove(row, rows.remove)
  return collect(found, read, reading, (row) => headerDate(row, read, rows, reading.context))
}

const nothing: RowsRead = { rows: [], unread: 0, isList: true }
/** A count that is not there is no answer. */
const noRows = (count: string | undefined): RowsRead => ({ ...nothing, isList: count !== undefined })

function isCounted(text: string | undefined): boolean {
  const count = Number(text?.replaceAll(',', '') ?? '0')
  return Number.isFinite(count) && count >= 1
}

/** What stands in the rows after one belongs to it. */
function merged(rows: Element[], { after }: RowsBlock): Element[] {
  if (after === 0) return rows
  const result: Element[] = []
  for (let at = 0; at < rows.length; at += after + 1) {
    const row = rows[at]
    if (row === undefined) break
    for (const other of rows.slice(at + 1, at + 1 + after))
      for (const child of [...other.children]) domutils.appendChild(row, child)
    result.push(row)
  }
  return result
}

const linesAboveMax = 500

/** The date in a line above: the nearest element before the row, or before what the row is in. */
function headerDate(
  row: AnyNode,
  read: FieldRead<AnyNode>,
  { dateHeaders }: RowsBlock,
  context: FilterContext,
): number | undefined {
  if (dateHeaders === undefined) return undefined
  let at: AnyNode | null = row
  for (let lines = 0; at !== null && lines < linesAboveMax; lines += 1) {
    let above: AnyNode | null = elementBefore(at)
    if (above === null) above = at.parent === null ? null : elementBefore(at.parent as AnyNode)
    if (above === null) return undefined
    const text = read(above, dateHeaders, context)
    if (text !== undefined && text !== '') return readAnyDate(text, context.dates)
    at = above
  }
  return undefined
}

function elementBefore(node: AnyNode): AnyNode | null {
  let before = node.prev
  while (before !== null && !isTag(before)) before = before.prev
  return before
}

/** Undefined for an answer that has no such rows at all. */
export function readJsonRows(answer: unknown, reading: Reading): RowsRead | undefined {
  const { rows } = reading.definition.search
  const { context } = reading
  if (rows.count !== undefined) {
    const count = jsonFields({ own: answer, outer: answer }, rows.count, context)
    if (!isCounted(count)) return noRows(count)
  }
  const selector = rows.selector.render(context.variables)
  const colon = selector.search(/:(?:has|not|contains)\(/)
  const list = selectJson(answer, colon < 0 ? selector : selector.slice(0, colon))
  if (!Array.isArray(list)) return undefined
  const conditions = colon < 0 ? '' : selector.slice(colon)
  const found: JsonRow[] = []
  for (const outer of list) {
    if (conditions !== '' && selectJson(outer, conditions) === undefined) continue
    const own = rows.attribute === undefined ? outer : selectJson(outer, rows.attribute)
    if (own === undefined) {
      if (rows.mayLackAttribute) return nothing
      continue
    }
    for (const one of rows.isMultiple && Array.isArray(own) ? own : [own]) found.push({ own: one, outer })
    if (found.length > siteHitsMax) break
  }
  // An empty list is one.
  return { ...collect(found, jsonFields, reading, () => undefined), isList: true }
}

function collect<Row>(
  found: readonly Row[],
  read: FieldRead<Row>,
  reading: Reading,
  dateOf: (row: Row) => number | undefined,
): RowsRead {
  const rows: RowTexts[] = []
  let unread = 0
  const { wordsMatch } = reading.definition.search.rows
  for (const row of found.slice(0, siteHitsMax)) {
    const texts = textsOf(row, read, reading)
    if (texts === undefined) {
      unread += 1
      continue
    }
    if (wordsMatch !== undefined && !hasAllWords(texts.get('title') ?? '', reading.keywords, wordsMatch.charactersMax))
      continue
    rows.push({ texts, uploadedAtUnix: texts.has('date') ? undefined : dateOf(row) })
  }
  return { rows, unread, isList: found.length > 0 }
}

/** Each field may use the ones before it. Undefined where one that must be there is not. */
function textsOf<Row>(row: Row, read: FieldRead<Row>, reading: Reading): Map<string, string> | undefined {
  const variables = new Map<string, Variable>(reading.context.variables)
  const context = { ...reading.context, variables }
  const texts = new Map<string, string>()
  for (const { name, isAppended, selector } of reading.definition.search.fields) {
    let text = read(row, selector, context)
    if (selector.isOptional && (text === undefined || text.trim() === '')) {
      text = selector.fallback?.render(variables)
      if (text === undefined || text === '') {
        variables.set(`.Result.${name}`, '')
        continue
      }
    }
    if (text === undefined) return undefined
    const whole = isAppended ? (texts.get(name) ?? '') + text : text
    const value = addressFields.has(name) && whole !== '' ? reading.absolute(whole) : whole
    texts.set(name, value)
    variables.set(`.Result.${name}`, value)
  }
  return texts
}

const addressFields = new Set(['download', 'details', 'comments', 'poster'])
