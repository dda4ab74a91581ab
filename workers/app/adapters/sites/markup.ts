import { type AnyNode, Document, DomHandler, type Element, hasChildren, isTag, isText } from 'domhandler'
import { Parser } from 'htmlparser2'
import { markupDepthMax, openTagsMax } from '../../limits.ts'

class TooManyOpenTags extends Error {}

/**
 * To be asked at every tag that opens. The parser goes through all open tags at each new one, so that its work grows
 * with the square of what a page leaves open.
 */
export function checkOpenTags(count: number): void {
  if (count > openTagsMax) throw new TooManyOpenTags()
}

/** Reads a text to its end; false for one that leaves more tags open than any page does. */
export function parseToEnd(parser: Parser, text: string): boolean {
  try {
    parser.end(text)
    return true
  } catch (cause) {
    if (cause instanceof TooManyOpenTags) return false
    throw cause
  }
}

/** Stands where a tag was passed over between two numbers, which are not one. */
const cut = '\uFFFD'

/** Leaves out tags that nest beyond the bound, and keeps their text: what walks the tree later is recursive. */
class BoundedHandler extends DomHandler {
  #depth = 0
  #parser: Parser | undefined
  /** Where the last piece of text ended, while nothing of the tree came after it. */
  #text: { readonly end: number; readonly isNumber: boolean } | undefined

  override onparserinit(parser: Parser): void {
    super.onparserinit(parser)
    this.#parser = parser
  }

  /** A closing tag that closes nothing leaves no trace, and would make one text of what stands before and after it. */
  override ontext(data: string): void {
    const { startIndex, endIndex } = this.#parser ?? { startIndex: 0, endIndex: 0 }
    const isCut = this.#text?.isNumber === true && startIndex > this.#text.end + 1 && /^\s*[\d.,]/.test(data)
    super.ontext(isCut ? cut + data : data)
    this.#text = { end: endIndex, isNumber: /[\d.,]\s*$/.test(data) }
  }

  override onopentag(name: string, attributes: { [key: string]: string }): void {
    this.#text = undefined
    this.#depth += 1
    checkOpenTags(this.#depth)
    if (this.#depth <= markupDepthMax) super.onopentag(name, attributes)
  }

  override onclosetag(): void {
    this.#text = undefined
    if (this.#depth <= markupDepthMax) super.onclosetag()
    this.#depth -= 1
  }
}

/** Of a text that is no page, the tree of an empty one. */
export function parseMarkup(text: string): Document {
  const handler = new BoundedHandler()
  return parseToEnd(new Parser(handler, { decodeEntities: true }), text) ? handler.root : new Document([])
}

/** All elements below a node, in document order. No tree is deeper than the bound above. */
export function descendants(root: Document | Element, found: Element[] = []): Element[] {
  for (const child of root.children) {
    if (!isTag(child)) continue
    found.push(child)
    if (child.children.length > 0) descendants(child, found)
  }
  return found
}

/** What a page does not show. */
const unshown = new Set(['title', 'script', 'style'])

/**
 * The text of a page with a space between its parts, so that a figure never runs into what stands beside it. What is said
 * instead of an element stands for all of it.
 */
export function spacedText(
  root: Document | Element,
  without?: Element,
  between = ' ',
  instead?: (element: Element) => string | undefined,
): string {
  const words: string[] = []
  const open: AnyNode[] = [...root.children].reverse()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isText(node)) words.push(node.data)
    if (node === without || (isTag(node) && unshown.has(node.name))) continue
    const said = isTag(node) ? instead?.(node) : undefined
    if (said !== undefined) words.push(said)
    else if (hasChildren(node)) for (const child of [...node.children].reverse()) open.push(child)
  }
  return words.join(between)
}
