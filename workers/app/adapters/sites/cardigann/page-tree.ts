/** Pages as definitions expect them, and selectors whose work is counted: others wrote both. */
import { compile, type Options } from 'css-select'
import { type AnyNode, Document, DomHandler, Element, hasChildren, isTag, isText } from 'domhandler'
import * as domutils from 'domutils'
import { Parser } from 'htmlparser2'
import { selectorCharactersMax, selectorStepsMax, selectorsKeptMax } from '../../../limits.ts'
import { parseMarkup, parseToEnd } from '../markup.ts'

export class SelectorTooCostly extends Error {}
export class SelectorFault extends Error {}

/** What a page may cost: each look at an element counts. */
class SelectorBudget {
  #left = selectorStepsMax

  take(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new SelectorTooCostly()
  }
}

let budget = new SelectorBudget()

/** Compiled selectors outlive a page, so they ask whichever page is being read; reading never waits in between. */
const counting: NonNullable<Options<AnyNode, Element>['adapter']> = {
  isTag,
  getName: (element) => element.name,
  getAttributeValue(element, name) {
    budget.take(1)
    return element.attribs[name]
  },
  hasAttrib: (element, name) => Object.hasOwn(element.attribs, name),
  getChildren(node) {
    const children = hasChildren(node) ? node.children : []
    budget.take(1 + children.length)
    return children
  },
  getParent(node) {
    budget.take(1)
    return node.parent
  },
  getSiblings(node): AnyNode[] {
    const siblings: AnyNode[] = node.parent === null ? [node] : node.parent.children
    budget.take(1 + siblings.length)
    return siblings
  },
  prevElementSibling(node) {
    budget.take(1)
    let before = node.prev
    while (before !== null && !isTag(before)) {
      budget.take(1)
      before = before.prev
    }
    return before
  },
  getText: (node) => textOf(node),
  removeSubsets: (nodes) => domutils.removeSubsets(nodes),
  equals: (left, right) => left === right,
}

/** All text below a node, as it stands. */
function textOf(node: AnyNode): string {
  const pieces: string[] = []
  const open: AnyNode[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    budget.take(1)
    if (isText(next)) {
      budget.take(next.data.length >> 5)
      pieces.push(next.data)
    } else if (hasChildren(next)) {
      for (let index = next.children.length - 1; index >= 0; index -= 1) open.push(next.children[index] as AnyNode)
    }
  }
  return pieces.join('')
}

type Query = (element: Element) => boolean
const kept = new Map<string, Query | undefined>()

function queryOf(selector: string): Query | undefined {
  const present = kept.get(selector)
  if (present !== undefined || kept.has(selector)) return present
  let query: Query | undefined
  if (selector.length <= selectorCharactersMax) {
    try {
      query = compile<AnyNode, Element>(prepared(selector), { adapter: counting }) as Query
    } catch {
      query = undefined
    }
  }
  if (kept.size >= selectorsKeptMax) kept.clear()
  kept.set(selector, query)
  return query
}

/** Brackets and marks inside a quoted text do not end it. */
function prepared(selector: string): string {
  return selector.replace(
    /:contains\(\s{0,9}(["'])((?:\\.|(?!\1)[^\\]){0,500})\1\s{0,9}\)/g,
    (_, mark: string, text: string) =>
      `:contains(${mark}${text.replace(/\\.|[()"']/g, (one) => (one.length > 1 ? one : `\\${one}`))}${mark})`,
  )
}

export function isPageSelector(selector: string): boolean {
  const rest = belowRoot(selector)
  return rest === '' || queryOf(rest ?? selector) !== undefined
}

/** Undefined where it does not begin at the root. */
function belowRoot(selector: string): string | undefined {
  const found = /^\s*:root(?![\w-])(\s*>\s*)?/.exec(selector)
  if (found === null) return undefined
  // `:root > body` is below the page's first element, as `:root body` is.
  return selector.slice(found[0].length).trim()
}

/** The page that is being read. All it is asked happens at once, within what it may cost. */
export class PageTree {
  readonly root: Document
  readonly #budget = new SelectorBudget()

  constructor(root: Document) {
    this.root = root
  }

  /** The first element that fits: the one itself, or one below it. */
  first(from: AnyNode, selector: string): Element | undefined {
    return this.#asked(selector, from, (query, start) => {
      if (isTag(start) && query(start)) return start
      return firstBelow(start, query)
    })
  }

  all(from: AnyNode, selector: string): Element[] {
    const found: Element[] = []
    this.#asked(selector, from, (query, start) => {
      gather(start, query, found)
      return undefined
    })
    return found
  }

  isMatch(element: AnyNode, selector: string): boolean {
    return (
      this.#asked(selector, element, (query, start) => (isTag(start) && query(start) ? start : undefined)) !== undefined
    )
  }

  text(node: AnyNode): string {
    budget = this.#budget
    return textOf(node)
  }

  remove(from: AnyNode, selector: string): void {
    for (const element of this.all(from, selector)) domutils.removeElement(element)
  }

  #asked(
    selector: string,
    from: AnyNode,
    ask: (query: Query, start: AnyNode) => Element | undefined,
  ): Element | undefined {
    budget = this.#budget
    const rest = belowRoot(selector)
    if (rest === '') return this.root.children.find(isTag)
    const query = queryOf(rest ?? selector)
    if (query === undefined) throw new SelectorFault()
    return ask(query, rest === undefined ? from : this.root)
  }
}

function firstBelow(from: AnyNode, query: Query): Element | undefined {
  const open: AnyNode[] = hasChildren(from) ? [...from.children].reverse() : []
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    budget.take(1)
    if (!isTag(node)) continue
    if (query(node)) return node
    for (let index = node.children.length - 1; index >= 0; index -= 1) open.push(node.children[index] as AnyNode)
  }
  return undefined
}

function gather(from: AnyNode, query: Query, found: Element[]): void {
  const open: AnyNode[] = hasChildren(from) ? [...from.children].reverse() : []
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    budget.take(1)
    if (!isTag(node)) continue
    if (query(node)) found.push(node)
    for (let index = node.children.length - 1; index >= 0; index -= 1) open.push(node.children[index] as AnyNode)
  }
}

/** As a browser builds it: a first element, a body, and rows of tables inside a `tbody`. */
export function readPage(text: string): PageTree {
  const root = parseMarkup(text)
  const html = root.children.find((node): node is Element => isTag(node) && node.name === 'html')
  const whole = html ?? wrapped('html', root, root.children)
  if (!whole.children.some((node) => isTag(node) && (node.name === 'body' || node.name === 'frameset'))) {
    const outside = whole.children.filter((node) => !(isTag(node) && node.name === 'head'))
    const body = new Element('body', {}, [])
    adopt(body, outside)
    adopt(whole, [...whole.children.filter((node) => !outside.includes(node)), body])
  }
  completeTables(root)
  return new PageTree(root)
}

function wrapped(name: string, parent: Document, children: AnyNode[]): Element {
  const element = new Element(name, {}, [])
  adopt(element, [...children])
  adopt(parent, [element])
  return element
}

function adopt(parent: Element | Document, children: AnyNode[]): void {
  parent.children = children as Element['children']
  let before: AnyNode | null = null
  for (const child of children) {
    child.parent = parent
    child.prev = before as Element['prev']
    child.next = null
    if (before !== null) before.next = child as Element['next']
    before = child
  }
}

function completeTables(root: Document): void {
  const open: AnyNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!hasChildren(node)) continue
    if (isTag(node) && node.name === 'table' && node.children.some((child) => isTag(child) && child.name === 'tr'))
      adopt(node, withBodies(node.children))
    open.push(...node.children)
  }
}

/** Rows that stand in a table itself, one after another, share a body. */
function withBodies(children: readonly AnyNode[]): AnyNode[] {
  const result: AnyNode[] = []
  let rows: AnyNode[] = []
  const close = () => {
    if (rows.some(isTag)) {
      const body = new Element('tbody', {}, [])
      adopt(body, rows)
      result.push(body)
    } else result.push(...rows)
    rows = []
  }
  for (const child of children) {
    const isOther = isTag(child) && child.name !== 'tr' && child.name !== 'form' && child.name !== 'script'
    if (isOther) close()
    if (isOther) result.push(child)
    else rows.push(child)
  }
  close()
  return result
}

class XmlHandler extends DomHandler {
  #depth = 0

  override onopentag(name: string, attributes: { [key: string]: string }): void {
    this.#depth += 1
    if (this.#depth <= xmlDepthMax) super.onopentag(name, attributes)
  }

  override onclosetag(): void {
    if (this.#depth <= xmlDepthMax) super.onclosetag()
    this.#depth -= 1
  }
}

const xmlDepthMax = 50

export function readXml(text: string): PageTree {
  const handler = new XmlHandler()
  const parser = new Parser(handler, { xmlMode: true, decodeEntities: true, recognizeCDATA: true })
  return new PageTree(parseToEnd(parser, text) ? flattened(handler.root) : new Document([]))
}

/** Texts in CDATA are texts. Names keep no capitals: selectors have none. */
function flattened(root: Document): Document {
  const open: AnyNode[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!hasChildren(node)) continue
    if (isTag(node)) node.name = node.name.toLowerCase()
    open.push(...node.children)
  }
  return root
}
