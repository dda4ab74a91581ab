/** Typed access to the plain objects of an ESTree parser. */
import { visitorKeys } from 'oxc-parser'

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
  for (let at = 0; at < value.length; at += 1) if (value[at] === null) return value.filter(isSyntaxNode)
  return value as SyntaxNode[]
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

/** Where nodes of a type hold others, in the order in which these are read. */
const childKeys: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(visitorKeys))

/** Every direct child, whatever the property it hangs on. */
export function eachChild(node: SyntaxNode, visit: (child: SyntaxNode) => void): void {
  const keys = childKeys.get(node.type)
  if (keys === undefined) throw new Error(`nothing is known of what a ${node.type} holds`)
  for (let at = 0; at < keys.length; at += 1) {
    const value = node[keys[at] as string]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (let item = 0; item < value.length; item += 1) if (value[item] !== null) visit(value[item] as SyntaxNode)
    } else visit(value as SyntaxNode)
  }
}
