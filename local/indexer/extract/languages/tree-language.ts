/** What a language says of itself, for a syntax tree of it to be read. */
import type { Reference, Type, Value } from '../../core/facts.ts'
import type { NodeKind } from '../../core/vocabulary.ts'
import type { FactBuilder } from '../fact-builder.ts'
import type { Scope } from '../tree/scope.ts'
import type { Parse, TreeNode } from '../tree/tree-node.ts'

/**
 * One step into a value that a pattern takes apart: to what it holds, to a place of a tuple, or to what the type that the
 * pattern names has at a place or under a name.
 */
export type PatternStep =
  | 'inside'
  | number
  | { readonly of: TreeNode; readonly part: number }
  | { readonly of: TreeNode; readonly field: string }

/** A name that a statement gives to a value, with what is written about it. */
export interface Naming {
  readonly name: string
  readonly at: TreeNode
  readonly value?: TreeNode | null
  readonly type?: TreeNode | null
  /** One element of what the value holds, as a loop hands it out. */
  readonly isElement?: boolean
  /** Its place among several names that take the value apart. */
  readonly part?: number
  /** The way to it from the value, where it is a longer one. */
  readonly steps?: readonly PatternStep[]
  /** Which parameter it is a part of, where that is not its own place among the names. */
  readonly position?: number
  /** A list of what the type says. */
  readonly isList?: boolean
  /** That list is by name. */
  readonly isKeyed?: boolean
}

interface HeritageFact {
  readonly type: TreeNode
  readonly relation: 'extends' | 'implements'
}

/** A part of a text, from one place to another, and what is read there. */
export interface Opened {
  readonly from: number
  readonly to: number
  readonly text: string
}

export interface ImportedName {
  readonly specifier: string
  /** Undefined for the module itself. */
  readonly imported: string | undefined
  readonly local: string
  /** For all files of the project around, not for this one alone. */
  readonly isForAll?: true
}

/** A name given to something elsewhere: `path` is where all its names come from, where the name is `*`. */
export interface UsedName {
  readonly name: string
  readonly path: string
  readonly value: Value
}

interface Receiver {
  readonly type: string
  readonly around?: readonly string[]
  readonly self: string | undefined
}

export interface CallShape {
  /** Field that holds the whole callee. */
  readonly callee?: string
  /** Fields of receiver and name, where the grammar keeps them apart. */
  readonly object?: string
  readonly name?: string
}

/** What the tables ask of whoever reads the file. */
export interface TreeReader {
  readonly facts: FactBuilder
  value(node: TreeNode | null | undefined, scope: Scope): Value
  typeOf(node: TreeNode, scope: Scope, depth?: number): Type
  name(name: string, scope: Scope, isType?: boolean): Value
  /** A bare name where a member of the type, inherited ones included, may be meant. */
  bareName(name: string, scope: Scope): Value
  isVariable(name: string, scope: Scope): boolean
  /** The method of that name that the body of a type has declared before a node that stands in that body itself. */
  methodBefore(node: TreeNode, scope: Scope): Value | undefined
  /** Whether the file itself has something of that name at its top. */
  declares(name: string): boolean
  /** What a name means outside of all functions and types of the file. */
  ofFile(name: string): Value
  imported(name: string): Value | undefined
  enclosingTypes(scope: Scope): readonly number[]
}

export interface TreeVisitor {
  readonly reader: TreeReader
  refer(scope: Scope, kind: Reference['kind'], value: Value, at: TreeNode, name: string, asType?: boolean): void
  visit(node: TreeNode, scope: Scope, depth: number): void
  nameLocals(node: TreeNode, scope: Scope): void
  /** The tree of another text in the same language. */
  readonly parse: Parse
}

/** Undefined wherever the shapes that languages share say enough. */
interface TreeHooks {
  /** The text as the grammar can read it, of the same length and with the same lines. */
  readable?(text: string): string
  /** Parts of a text that are read as another text of the same length and lines, where the grammar knows all of that. */
  opened?(root: TreeNode, text: string): readonly Opened[]
  /** A plainer form of a text that the grammar cannot read, of the same length and with the same lines. */
  simplified?(text: string): string
  packageName?(root: TreeNode): string | undefined
  /** The names that the file makes public, where it lists them. */
  publicNames?(root: TreeNode): ReadonlySet<string> | undefined
  /** The type that a function of another one is written as a method of. */
  extended?(node: TreeNode): string | undefined
  /** Whether an assignment makes a type. */
  isTypeAssignment?(node: TreeNode): boolean
  /** What a node that declares a type is, where its type alone does not say; undefined for none. */
  kindOf?(node: TreeNode, kind: NodeKind): NodeKind | undefined
  /** The name of the function that a node makes without writing it. */
  madeFunction?(node: TreeNode, source: string): string | undefined
  /** Whether what is declared inside stands beside the types around, and not in them. */
  isBesideType?(node: TreeNode): boolean
  /** Whether the type is only announced here. */
  isForward?(node: TreeNode): boolean
  /** Names a statement outside of types and functions gives. */
  topLevel?(node: TreeNode): readonly Naming[]
  /** Whether what reads like a field is a method that others have to write. */
  isUnwrittenMethod?(node: TreeNode): boolean
  usedName?(node: TreeNode): UsedName | undefined
  /** What is written in the body itself to say what the function or type is for. */
  innerDoc?(node: TreeNode): string
  /** The type that a comment before a declaration says it, or one of its parameters, has. */
  documented?(
    reader: TreeReader,
    node: TreeNode,
    tag: 'var' | 'param' | 'return',
    name: string,
    scope: Scope,
  ): Type | undefined
  /** Names of what is written before a declaration, such as `@property`. */
  decorators?(outer: TreeNode): readonly TreeNode[]
  /** A specifier as the file itself would write it, where it stands in a symbol of the file. */
  specifier?(written: string, facts: FactBuilder, owner: number): string

  /** What an expression denotes, or a type is. */
  value?(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined
  type?(reader: TreeReader, node: TreeNode, scope: Scope, depth: number): Type | undefined
  /** What is called, where neither the callee nor the name says it, and what the call gives. */
  callee?(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined
  callValue?(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined
  /** Whether a call names what is above and calls nothing. */
  isNamingAbove?(node: TreeNode): boolean
  /** The type that a call makes an instance of. */
  made?(reader: TreeReader, node: TreeNode, scope: Scope): Value | undefined
  /** What else is used where something is called. */
  usedInCallee?(callee: TreeNode): TreeNode | null
  /** The type that is made where none is written. */
  impliedType?(node: TreeNode): TreeNode | null | undefined
  /** Whether the type made has a body and no name. */
  isUnnamed?(node: TreeNode): boolean
  /** What a class without a name inherits from; undefined where the node is no such class. */
  unnamedClass?(node: TreeNode): TreeNode | null | undefined
  /** What a field holds that is declared by its name alone. */
  fieldValue?(naming: Naming, type: number): Value
  /** Whether a name belongs to the instance, wherever it is written. */
  isFieldName?(name: string): boolean
  /** What the first parameter of a function in a type stands for; undefined for what it is given. */
  firstParameter?(decorators: readonly string[]): 'instance' | 'type' | undefined
  isAccessor?(node: TreeNode): boolean
  /** What a type is made of whose fields have no names. */
  parts?(node: TreeNode): TreeNode | null
  /** How many a function takes, a bit for each number; only where methods of one name differ by that. */
  takes?(node: TreeNode): number
  /** How many types the type that a name is part of is given; only where types of one name differ by that. */
  arity?(name: TreeNode): number | undefined
  /** Whether only a type can stand where the name does, where the grammar has one kind of names. */
  isTypeName?(name: TreeNode): boolean
  /** What a name means that stands for a member without what it is a member of; undefined where it is a name like others. */
  memberNamed?(reader: TreeReader, name: TreeNode, scope: Scope): Value | undefined
  /** The types that what a call names is given. */
  typesGiven?(callee: TreeNode): readonly TreeNode[]
  /** The expression whose value a function gives back without saying so. */
  lastValue?(body: TreeNode): TreeNode | undefined
  /** What to read of a function that has no body. */
  withoutBody?(node: TreeNode): readonly TreeNode[]
  /** Reads what the shared shapes do not know; true where nothing is left to read. */
  visit?(visitor: TreeVisitor, node: TreeNode, scope: Scope, depth: number): boolean
}

export interface TreeLanguage extends TreeHooks {
  readonly grammar: string
  readonly types: Readonly<Record<string, NodeKind>>
  /** Kinds of symbols that have members; the common ones where nothing is said. */
  readonly memberKinds: ReadonlySet<NodeKind>
  readonly functions: ReadonlySet<string>
  /** Nodes that give members to a type that is declared elsewhere. */
  readonly implementations: ReadonlySet<string>
  /** Nodes around a declaration that belong to it. */
  readonly wrappers: ReadonlySet<string>
  readonly calls: Readonly<Record<string, CallShape>>
  readonly members: Readonly<Record<string, readonly [string, string]>>
  /** Expressions that make an instance, with the field of the type. */
  readonly creations: Readonly<Record<string, string>>
  readonly identifiers: ReadonlySet<string>
  readonly typeIdentifiers: ReadonlySet<string>
  /** Functions without a name. */
  readonly lambdas: ReadonlySet<string>
  /** Parts of a function that may be passed over, by the node around them, where names given there are known after them. */
  readonly branches: ReadonlyMap<string, RegExp>
  /** What a constructor does before its body. */
  readonly initializers: ReadonlySet<string>
  readonly selfNames: ReadonlySet<string>
  readonly superNames: ReadonlySet<string>
  /** Names of functions that hand on what is in what they are given. */
  readonly passingOn: ReadonlySet<string>
  /** Names that are looked for in the modules around, whichever file opened them. */
  readonly modularNames: RegExp | undefined
  /** Whether a bare name in a method may be a member of its type. */
  readonly hasImplicitSelf: boolean
  /** Whether what has the same name in the same place is one thing: a declaration and its definition, or overloads. */
  readonly hasOneOfAName: boolean
  /** Whether the open types of a function are known by what it is given. */
  readonly hasOpenFunctions: boolean
  /** Whether a type inside another reaches the members of the outer one by their bare names. */
  readonly hasOuterMembers: boolean
  /** Whether a called name is always a method, whatever a variable of that name holds. */
  readonly hasMethodNames: boolean
  /** Whether types have names of their own. */
  readonly hasTypeNames: boolean
  /**
   * Names that are the language's own, where any other bare name may be what another file of the package declares, and not
   * only one that begins like a type.
   */
  readonly predeclared?: RegExp
  /** Variables that a function has only of its own: none of what is around it. */
  readonly ownVariables?: RegExp
  /** Variables that a function without a name takes from what is around it; undefined where it takes all. */
  captured?(node: TreeNode): readonly string[] | undefined
  /** Whether what is imported inside of a function or a module is known there alone. */
  readonly hasInnerImports: boolean
  /** Whether a block has names of its own. */
  readonly hasBlockNames: boolean
  nameOf(node: TreeNode): string
  parameters(node: TreeNode): readonly Naming[]
  resultType(node: TreeNode): TreeNode | null
  bodyOf(node: TreeNode): TreeNode | null
  heritage(node: TreeNode): readonly HeritageFact[]
  /** What a function says of its type parameters. */
  bounds(node: TreeNode): readonly { readonly name: string; readonly type: TreeNode }[]
  /** Names a type leaves open. */
  typeParameters(node: TreeNode): readonly string[]
  /** Parameters of a function without a name, where they are not in one of the common shapes. */
  lambdaParameters?(node: TreeNode): readonly Naming[]
  /** Names a statement of a function gives. */
  locals(node: TreeNode): readonly Naming[]
  /** Fields a type declares by itself. */
  fields(node: TreeNode): readonly Naming[]
  imports(node: TreeNode): readonly ImportedName[] | undefined
  /** What a call hands over. */
  callArguments(node: TreeNode): readonly TreeNode[]
  /** The values that an expression chooses from. */
  chosen(node: TreeNode): readonly (TreeNode | null | undefined)[] | undefined
  /** The type a method declared outside it belongs to, and what that type is written to stand in. */
  receiver(node: TreeNode): Receiver | undefined
  isExported(name: string, node: TreeNode): boolean
  visibility(node: TreeNode): string | undefined
}
