/** What a language says of itself, for a syntax tree of it to be read. */
import type { Node } from 'web-tree-sitter'
import type { NodeKind } from '../../core/vocabulary.ts'

/** A name that a statement gives to a value, with what is written about it. */
export interface Naming {
  readonly name: string
  readonly at: Node
  readonly value?: Node | null
  readonly type?: Node | null
  /** One element of what the value holds, as a loop hands it out. */
  readonly isElement?: boolean
  /** Its place among several names that take the value apart. */
  readonly part?: number
  /** A list of what the type says. */
  readonly isList?: boolean
  /** That list is by name. */
  readonly isKeyed?: boolean
}

interface HeritageFact {
  readonly type: Node
  readonly relation: 'extends' | 'implements'
}

export interface ImportedName {
  readonly specifier: string
  /** Undefined for the module itself. */
  readonly imported: string | undefined
  readonly local: string
}

interface CallShape {
  /** Field that holds the whole callee. */
  readonly callee?: string
  /** Fields of receiver and name, where the grammar keeps them apart. */
  readonly object?: string
  readonly name?: string
}

export interface TreeLanguage {
  readonly grammar: string
  readonly types: Readonly<Record<string, NodeKind>>
  readonly functions: ReadonlySet<string>
  readonly calls: Readonly<Record<string, CallShape>>
  readonly members: Readonly<Record<string, readonly [string, string]>>
  /** Expressions that make an instance, with the field of the type. */
  readonly creations: Readonly<Record<string, string>>
  readonly identifiers: ReadonlySet<string>
  readonly typeIdentifiers: ReadonlySet<string>
  /** Functions without a name. */
  readonly lambdas: ReadonlySet<string>
  readonly selfNames: ReadonlySet<string>
  readonly superNames: ReadonlySet<string>
  /** Whether a bare name in a method may be a member of its type. */
  readonly hasImplicitSelf: boolean
  /** Whether a type inside another reaches the members of the outer one by their bare names. */
  readonly hasOuterMembers: boolean
  /** Whether a called name is always a method, whatever a variable of that name holds. */
  readonly hasMethodNames: boolean
  /** Whether types have names of their own. */
  readonly hasTypeNames: boolean
  nameOf(node: Node): string
  parameters(node: Node): readonly Naming[]
  resultType(node: Node): Node | null
  heritage(node: Node): readonly HeritageFact[]
  /** What a function says of its type parameters. */
  bounds(node: Node): readonly { readonly name: string; readonly type: Node }[]
  /** Names a type leaves open. */
  typeParameters(node: Node): readonly string[]
  /** Names a statement of a function gives. */
  locals(node: Node): readonly Naming[]
  /** Fields a type declares by itself. */
  fields(node: Node): readonly Naming[]
  imports(node: Node): readonly ImportedName[] | undefined
  /** The type a method declared outside it belongs to. */
  receiver(node: Node): { readonly type: string; readonly self: string | undefined } | undefined
  isExported(name: string, node: Node): boolean
  visibility(node: Node): string | undefined
  packageName?(root: Node): string | undefined
  /** The type that a function of another one is written as a method of. */
  extended?(node: Node): string | undefined
  /** Whether an assignment makes a type. */
  isTypeAssignment?(node: Node): boolean
}
