/** Where things stand in a script, the symbols declared there, and the references made. */
import type { Symbol as CodeSymbol, Reference, Type, Value } from '../../core/facts.ts'
import { LineTable } from '../../core/line-table.ts'
import type { NodeKind } from '../../core/vocabulary.ts'
import { clipSignature, commentText, type FactBuilder } from '../fact-builder.ts'
import type { Scope } from './scope.ts'
import { childOf, type SyntaxNode } from './syntax-tree.ts'

/** A value of the language itself (a literal, a regular expression): nothing of the project. */
export const literal: Value = { k: 'glob', n: '' }
export const alternativesMax = 6
export const objectPropertiesMax = 400

export const functionTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSDeclareFunction',
])

export interface CommentSpan {
  readonly start: number
  readonly end: number
  readonly isBlock: boolean
}

type Work = () => void

/** What the parts of the reader ask of those that are made after them. */
export interface ScriptReader {
  value(input: SyntaxNode | undefined, scope: Scope): Value
  annotation(node: SyntaxNode, scope: Scope): Type | undefined
  /** Says of which type something is to be that is written there: functions in it take what the type says they take. */
  expect(node: SyntaxNode | undefined, type: Type | undefined): void
  resultOf(node: SyntaxNode, scope: Scope): Value | undefined
  visit(node: SyntaxNode, scope: Scope): void
  visitType(node: SyntaxNode, scope: Scope): void
  visitTypeChildren(node: SyntaxNode, scope: Scope): void
  visitDecorator(decorator: SyntaxNode, scope: Scope): void
}

export class ScriptFile {
  readonly facts: FactBuilder
  readonly program: SyntaxNode
  readonly text: string
  readonly lines: LineTable
  readonly comments: CommentSpan[]
  readonly scopes = new Map<SyntaxNode, Scope>()
  readonly symbolOf = new Map<SyntaxNode, number>()
  readonly valueOf = new Map<SyntaxNode, Value>()
  readonly context = new Map<SyntaxNode, { f: Value; i: number }>()
  readonly objectHolder = new Map<SyntaxNode, number>()
  later: Work[] = []
  readonly arrays = new Map<string, SyntaxNode>()
  readonly selves = new Map<SyntaxNode, Value>()

  constructor(facts: FactBuilder, program: SyntaxNode, text: string, comments: CommentSpan[]) {
    this.facts = facts
    this.program = program
    this.text = text
    this.lines = new LineTable(text)
    this.comments = comments
  }

  line(offset: number): number {
    return this.lines.line(offset)
  }

  column(offset: number): number {
    return this.lines.column(offset)
  }

  declareSymbol(
    kind: NodeKind,
    name: string,
    parent: number,
    node: SyntaxNode,
    outer: SyntaxNode,
    extra: Partial<CodeSymbol> = {},
  ): number {
    const index = this.facts.addSymbol({
      kind,
      name,
      parent,
      line: this.line(outer.start),
      col: this.column(outer.start),
      endLine: this.line(Math.max(outer.start, outer.end - 1)),
      endCol: this.column(outer.end),
    })
    const symbol = this.facts.symbol(index)
    Object.assign(symbol, extra)
    const doc = this.#docBefore(outer.start)
    if (doc !== '') symbol.doc = doc
    const signature = this.#signature(node, outer)
    if (signature !== '') symbol.signature = signature
    this.symbolOf.set(node, index)
    return index
  }

  #docBefore(offset: number): string {
    let low = 0
    let high = this.comments.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.comments[middle]?.end ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    let first = low - 1
    const last = this.comments[first]
    if (last === undefined) return ''
    if (!mayBeModifiers(this.text, last.end, offset)) return ''
    const between = this.text.slice(last.end, offset)
    if (!/^\s*((export|default|declare|async|abstract|public|private|protected|static|readonly)\s+)*$/.test(between))
      return ''
    if (/\n\s*\n/.test(between)) return ''
    if (last.isBlock) return commentText(this.text.slice(last.start, last.end))
    while (first > 0) {
      const before = this.comments[first - 1]
      const after = this.comments[first]
      if (before === undefined || after === undefined || before.isBlock) break
      if (
        !/^\s*$/.test(this.text.slice(before.end, after.start)) ||
        this.line(after.start) - this.line(before.start) > 1
      )
        break
      first -= 1
    }
    return commentText(this.text.slice(this.comments[first]?.start ?? last.start, last.end))
  }

  #signature(node: SyntaxNode, outer: SyntaxNode): string {
    const callable = functionTypes.has(node.type) ? node : childOf(node, 'value')
    const body = callable === undefined ? undefined : childOf(callable, 'body')
    if (callable !== undefined && functionTypes.has(callable.type) && body !== undefined) {
      return clipSignature(this.text.slice(outer.start, body.start).replace(/=>\s*$/, ''))
    }
    if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression' || node.type === 'TSInterfaceDeclaration') {
      return clipSignature(this.text.slice(outer.start, childOf(node, 'body')?.start ?? outer.end))
    }
    if (node.type.startsWith('TSMethod') || node.type.startsWith('TSProperty') || node.type === 'TSDeclareFunction') {
      return clipSignature(this.text.slice(outer.start, outer.end))
    }
    const annotation = childOf(node, 'typeAnnotation')
    if (annotation !== undefined) return clipSignature(this.text.slice(outer.start, annotation.end))
    return ''
  }

  refer(scope: Scope, kind: Reference['kind'], value: Value, at: SyntaxNode, name: string, asType = false): void {
    const from = scope.owner
    const line = this.line(at.start)
    const col = this.column(at.start)
    this.facts.addReference(
      asType ? { from, kind, value, name, line, col, asType } : { from, kind, value, name, line, col },
    )
  }
}

/** Whether what stands there may be nothing, or words before a declaration: most of it is other code, and long. */
function mayBeModifiers(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const char = text.charCodeAt(at)
    if (char > 0x20 && char < 0x80 && (char < 0x61 || char > 0x7a)) return false
  }
  return true
}
