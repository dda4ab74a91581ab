/** Typed access to the plain objects of an ESTree parser. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

export function childOf(node: SyntaxNode, key: string): SyntaxNode | undefined {
  const value = node[key]
  return isSyntaxNode(value) ? value : undefined
}

export function childrenOf(node: SyntaxNode, key: string): SyntaxNode[] {
  const value = node[key]
  return Array.isArray(value) ? value.filter(isSyntaxNode) : []
}

/** The same by place: undefined where the source leaves one out. */
export function childrenOrGaps(node: SyntaxNode, key: string): (SyntaxNode | undefined)[] {
  const value = node[key]
  return Array.isArray(value) ? value.map((one) => (isSyntaxNode(one) ? one : undefined)) : []
}

export function textOf(node: SyntaxNode | undefined, key: string): string {
  const value = node?.[key]
  return typeof value === 'string' ? value : ''
}

/** Every direct child, whatever the property it hangs on. */
export function eachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  for (const key in node) {
    if (key === 'type' || key === 'start' || key === 'end') continue
    const value = node[key]
    if (Array.isArray(value)) {
      for (const item of value) if (isSyntaxNode(item)) visit(item)
    } else if (isSyntaxNode(value)) visit(value)
  }
}

/** Offsets to lines (from 1) and columns (from 0, UTF-16 units). */
export class LineTable {
  readonly #starts: number[] = [0]

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  get count(): number {
    return this.#starts.length
  }

  line(offset: number): number {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }

  column(offset: number): number {
    return offset - (this.#starts[this.line(offset) - 1] ?? 0)
  }
}
