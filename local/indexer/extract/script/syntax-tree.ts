/** Typed access to the plain objects of an ESTree parser. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const none: readonly SyntaxNode[] = []

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

export function childOf(node: SyntaxNode, key: string): SyntaxNode | undefined {
  const value = node[key]
  return isSyntaxNode(value) ? value : undefined
}

export function childrenOf(node: SyntaxNode, key: string): readonly SyntaxNode[] {
  const value = node[key]
  if (!Array.isArray(value)) return none
  return value.every(isSyntaxNode) ? value : value.filter(isSyntaxNode)
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
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const item of value) if (isSyntaxNode(item)) visit(item)
    } else if (isSyntaxNode(value)) visit(value)
  }
}
