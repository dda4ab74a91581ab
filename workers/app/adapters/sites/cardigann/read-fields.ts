/** Takes values out of rows, as the fields of a definition say. */
import type { AnyNode } from 'domhandler'
import { isTag } from 'domhandler'
import type { FieldSelector } from '../../../core/cardigann/definition.ts'
import { type FilterContext, filtered } from '../../../core/cardigann/filters.ts'
import { jsonText, selectJson } from '../../../core/cardigann/json-path.ts'
import type { PageTree } from './page-tree.ts'

/** Of a row: its value, or undefined where the row does not have it. */
export type FieldRead<Row> = (row: Row, field: FieldSelector, context: FilterContext) => string | undefined

export function pageFields(page: PageTree): FieldRead<AnyNode> {
  return (row, field, context) => {
    const { variables } = context
    if (field.text !== undefined) return filtered(field.text.render(variables), field.filters, context)
    let node: AnyNode | undefined = row
    const selector = field.selector?.render(variables) ?? ''
    if (selector !== '') node = page.first(row, selector)
    if (node === undefined) return undefined
    if (field.remove !== undefined) page.remove(node, field.remove)
    const value = field.cases === undefined ? plainValue(page, node, field) : caseOf(page, node, field, context)
    return value === undefined ? undefined : filtered(oneLine(value), field.filters, context)
  }
}

function plainValue(page: PageTree, node: AnyNode, { attribute }: FieldSelector): string | undefined {
  if (attribute === undefined) return page.text(node)
  return isTag(node) && Object.hasOwn(node.attribs, attribute) ? node.attribs[attribute] : undefined
}

function caseOf(
  page: PageTree,
  node: AnyNode,
  { cases }: FieldSelector,
  { variables }: FilterContext,
): string | undefined {
  const found = cases?.find(({ key }) => key === '*' || page.first(node, key) !== undefined)
  return found?.value.render(variables)
}

/** A row of JSON, and what it is a part of: a name with two dots in front is looked for there. */
export interface JsonRow {
  readonly own: unknown
  readonly outer: unknown
}

export const jsonFields: FieldRead<JsonRow> = ({ own, outer }, field, context) => {
  const { variables } = context
  if (field.text !== undefined) return filtered(field.text.render(variables), field.filters, context)
  let value: string | undefined
  if (field.selector !== undefined) {
    const selector = field.selector.render(variables)
    const from = selector.startsWith('..') ? outer : own
    value = jsonText(selectJson(from, selector.replace(/^\.+/, '')))
    if (value === undefined) return undefined
  }
  if (field.cases !== undefined) {
    const found = field.cases.find(({ key }) => key === '*' || key === value)
    if (found === undefined) return undefined
    value = found.value.render(variables)
  }
  return value === undefined ? undefined : filtered(oneLine(value), field.filters, context)
}

export function oneLine(text: string): string {
  return text.replace(/[\s\u00a0]+/g, ' ').trim()
}
