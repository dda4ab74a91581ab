import { type AnyNode, type Document, DomHandler, type Element, hasChildren, isTag, isText } from 'domhandler'
import { Parser } from 'htmlparser2'
import { markupDepthMax } from '../../limits.ts'

/** Leaves out tags that nest beyond the bound, and keeps their text: what walks the tree later is recursive. */
class BoundedHandler extends DomHandler {
  #depth = 0

  override onopentag(name: string, attributes: { [key: string]: string }): void {
    this.#depth += 1
    if (this.#depth <= markupDepthMax) super.onopentag(name, attributes)
  }

  override onclosetag(): void {
    if (this.#depth <= markupDepthMax) super.onclosetag()
    this.#depth -= 1
  }
}

export function parseMarkup(text: string): Document {
  const handler = new BoundedHandler()
  const parser = new Parser(handler, { decodeEntities: true })
  parser.end(text)
  return handler.root
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

/** The text of a page with a space between its parts, so that a figure never runs into what stands beside it. */
export function spacedText(root: Document | Element): string {
  const words: string[] = []
  const open: AnyNode[] = [...root.children].reverse()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isText(node)) words.push(node.data)
    if (hasChildren(node)) for (const child of [...node.children].reverse()) open.push(child)
  }
  return words.join(' ')
}
