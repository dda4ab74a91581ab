/**
 * A syntax tree as plain objects. Each question to the parser about one of its nodes crosses into WebAssembly and back, and
 * reading a file asks several of each: here all of them are asked once, in one walk.
 */
import type { Language as Grammar, Tree, TreeCursor } from 'web-tree-sitter'
import { LineTable } from '../../core/line-table.ts'
import type { SyntaxCount } from '../read-bounds.ts'

interface Place {
  readonly row: number
  readonly column: number
}

/** What all nodes of a tree share. */
interface Source {
  readonly text: string
  readonly lines: LineTable
  readonly rowsBefore: number
}

interface SaidOfNode {
  readonly type: string
  readonly isNamed: boolean
  readonly field: string | null
  readonly startIndex: number
  readonly endIndex: number
}

const noNodes: readonly TreeNode[] = []

export class TreeNode {
  readonly type: string
  readonly startIndex: number
  readonly endIndex: number
  readonly parent: TreeNode | null
  /** Whether it has a name in the grammar, and does not just stand for itself as a bracket does. */
  readonly isNamed: boolean
  children: readonly TreeNode[] = noNodes
  namedChildren: readonly TreeNode[] = noNodes
  readonly #source: Source
  /** What it is to its parent. */
  readonly #field: string | null
  /** How many named nodes its parent has before it. */
  readonly #before: number

  constructor(source: Source, parent: TreeNode | null, before: number, said: SaidOfNode) {
    this.type = said.type
    this.isNamed = said.isNamed
    this.startIndex = said.startIndex
    this.endIndex = said.endIndex
    this.parent = parent
    this.#source = source
    this.#field = said.field
    this.#before = before
  }

  /** Called once, when all it holds is known. */
  hold(children: readonly TreeNode[], named: number): void {
    this.children = children
    this.namedChildren = named === children.length ? children : namedAmong(children, named)
  }

  get text(): string {
    return this.#source.text.slice(this.startIndex, this.endIndex)
  }

  get startPosition(): Place {
    return this.#place(this.startIndex)
  }

  get endPosition(): Place {
    return this.#place(this.endIndex)
  }

  get previousNamedSibling(): TreeNode | null {
    return this.parent?.namedChildren[this.#before - 1] ?? null
  }

  childForFieldName(name: string): TreeNode | null {
    const { children } = this
    for (let at = 0; at < children.length; at += 1) {
      const child = children[at] as TreeNode
      if (child.#field === name) return child
    }
    return null
  }

  childrenForFieldName(name: string): TreeNode[] {
    return this.children.filter((one) => one.#field === name)
  }

  /** The first below it of that type, as they are written. */
  firstOfType(type: string): TreeNode | undefined {
    for (const child of this.children) {
      const found = child.type === type ? child : child.firstOfType(type)
      if (found !== undefined) return found
    }
    return undefined
  }

  #place(index: number): Place {
    const { lines, rowsBefore } = this.#source
    return { row: lines.line(index) - 1 + rowsBefore, column: lines.column(index) }
  }
}

/** As long as it will be: one that grows from nothing has room for seventeen. */
function namedAmong(children: readonly TreeNode[], count: number): readonly TreeNode[] {
  if (count === 0) return noNodes
  const named = new Array<TreeNode>(count)
  let at = 0
  for (const child of children) if (child.isNamed) named[at++] = child
  return named
}

/**
 * Reads a text. `isAgain`: something that was read in another way, and is passed over in a file that is too large for that;
 * `rowsBefore`: how many lines of the file stand before it.
 */
export type Parse = (
  text: string,
  how?: { readonly isAgain?: boolean; readonly rowsBefore?: number },
) => ParsedText | undefined

export interface ParsedText {
  readonly root: TreeNode
  /** Somewhere is what the grammar does not know. */
  readonly hasError: boolean
}

/** What the kinds and fields of a grammar are called, by their numbers. */
export interface GrammarNames {
  readonly kinds: readonly string[]
  readonly isNamed: readonly boolean[]
  readonly fields: readonly (string | null)[]
}

export function grammarNames(grammar: Grammar): GrammarNames {
  const { types, fields } = grammar
  return { kinds: types, isNamed: types.map((_, kind) => grammar.nodeTypeIsNamed(kind)), fields }
}

/** The outermost node of what was parsed from a text. */
export function plainTree(
  tree: Tree,
  text: string,
  names: GrammarNames,
  count: SyntaxCount,
  rowsBefore: number,
): TreeNode {
  const cursor = tree.walk()
  try {
    return new TreeWalk({ text, lines: new LineTable(text), rowsBefore }, cursor, names, count).read(null, 0)
  } finally {
    cursor.delete()
  }
}

class TreeWalk {
  readonly #source: Source
  readonly #cursor: TreeCursor
  readonly #names: GrammarNames
  readonly #count: SyntaxCount
  /** Children of the nodes that are being read: a list of them is made when it is known how long it is. */
  readonly #open: TreeNode[] = []
  #openCount = 0

  constructor(source: Source, cursor: TreeCursor, names: GrammarNames, count: SyntaxCount) {
    this.#source = source
    this.#cursor = cursor
    this.#names = names
    this.#count = count
  }

  /** Where the cursor stands, with all that is below. */
  read(parent: TreeNode | null, before: number): TreeNode {
    this.#count.add()
    const cursor = this.#cursor
    const { kinds, isNamed, fields } = this.#names
    const kind = cursor.nodeTypeId
    const node = new TreeNode(this.#source, parent, before, {
      type: kinds[kind] ?? 'ERROR',
      isNamed: isNamed[kind] ?? true,
      field: parent === null ? null : (fields[cursor.currentFieldId] ?? null),
      startIndex: cursor.startIndex,
      endIndex: cursor.endIndex,
    })
    // What has no name is a word or a sign, and holds nothing.
    if (!node.isNamed || !cursor.gotoFirstChild()) return node
    const from = this.#openCount
    let named = 0
    do {
      const child = this.read(node, named)
      this.#open[this.#openCount++] = child
      if (child.isNamed) named += 1
    } while (cursor.gotoNextSibling())
    cursor.gotoParent()
    node.hold(this.#open.slice(from, this.#openCount), named)
    this.#openCount = from
    return node
  }
}
