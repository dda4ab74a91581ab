/**
 * What one file says about itself, before anything is known of other files. Facts are plain data: they
 * cross worker threads and are kept in the extraction cache, so that only changed files are parsed again.
 */
import type { EdgeKind, GivenUp, Language, NodeKind } from './vocabulary.ts'

/** What an expression denotes, as far as the file alone can tell. The resolver evaluates it lazily. */
export type Value =
  | { readonly k: 'sym'; readonly s: number }
  | { readonly k: 'loc'; readonly i: number }
  /** The module behind a specifier, as an object. */
  | { readonly k: 'mod'; readonly m: string }
  | { readonly k: 'imp'; readonly m: string; readonly n: string }
  /**
   * `c`: where it is called, with how many, and a bit for each of the first that is a function without a name, those above
   * `countMax`; in languages whose methods of one name differ by that.
   */
  | { readonly k: 'get'; readonly o: Value; readonly n: string; readonly c?: number }
  | { readonly k: 'call'; readonly f: Value; readonly a?: readonly Value[] }
  /** What is made of a type that is given these types; a function that is given types is the function itself. */
  | { readonly k: 'new'; readonly c: Value; readonly a?: readonly Type[] }
  | { readonly k: 'is'; readonly t: Type }
  /** `this` or `self` inside the type `s`; `c` when it is the type itself (a static member). */
  | { readonly k: 'this'; readonly s: number; readonly c?: 1 }
  | { readonly k: 'super'; readonly s: number; readonly c?: 1 }
  | { readonly k: 'await'; readonly v: Value }
  /** What is inside; `each`: as a loop takes it out, which a map hands out in pairs; `n`: the one at that place. */
  | { readonly k: 'elem'; readonly v: Value; readonly each?: 1; readonly n?: number }
  /** `tuple`: what is listed is known by its place. */
  | { readonly k: 'arr'; readonly v: Value; readonly tuple?: 1 }
  | { readonly k: 'obj'; readonly p: ReadonlyMap<string, Value>; readonly x?: readonly Value[] }
  /** A function without a name: what it returns. */
  | { readonly k: 'fn'; readonly r?: Value; readonly async?: 1 }
  /** Parameter `p` of the function handed as argument `i` to the call of `f`; without `p`, whatever `f` takes there. */
  | { readonly k: 'arg'; readonly f: Value; readonly i: number; readonly p?: number }
  /** One of several; with `first`, the first of them that is found, as scopes are searched. */
  | { readonly k: 'alt'; readonly v: readonly Value[]; readonly first?: 1 }
  /** What is left of `v` where a condition says that it is none of these. */
  | { readonly k: 'less'; readonly v: Value; readonly ts: readonly Type[] }
  /** A name nothing in the file declares. */
  | { readonly k: 'glob'; readonly n: string }

/** As many arguments as are counted. */
export const countMax = 31

export type Type =
  | { readonly k: 'ref'; readonly v: Value; readonly a?: readonly Type[] }
  | { readonly k: 'arr'; readonly e: Type; readonly keyed?: 1 }
  | { readonly k: 'tuple'; readonly ts: readonly Type[] }
  | { readonly k: 'obj'; readonly p: ReadonlyMap<string, Type> }
  | { readonly k: 'fn'; readonly r?: Type; readonly ps?: readonly (Type | null)[] }
  | { readonly k: 'of'; readonly v: Value }
  | { readonly k: 'any-of'; readonly ts: readonly Type[] }
  /** A name the declaration leaves open; `b`: what it is at least. */
  | { readonly k: 'param'; readonly n: string; readonly b?: Type }
  | { readonly k: 'get'; readonly t: Type; readonly n: string }

export interface Heritage {
  readonly value: Value
  readonly args?: readonly Type[]
  readonly relation: 'extends' | 'implements'
  readonly line: number
  readonly col: number
  readonly name: string
}

export interface Symbol {
  kind: NodeKind
  readonly name: string
  qualifiedName: string
  /** Index of the containing symbol; the file itself is symbol 0 and its own parent. */
  readonly parent: number
  readonly line: number
  readonly col: number
  endLine: number
  endCol: number
  doc?: string
  signature?: string
  visibility?: string
  exported?: true
  async?: true
  static?: true
  abstract?: true
  accessor?: true
  decorators?: string[]
  typeParameters?: string[]
  returnType?: string
  /** Value of a variable, constant or property, from its initialiser. */
  value?: Value
  /** Declared type of a value; of a function, its declared result; of a type alias, what it stands for. */
  type?: Type
  /** What a function returns, when no type is written. */
  result?: Value
  parameterTypes?: (Type | null)[]
  /** Where methods of one name differ by how many they take: a bit for each number that one of them takes. */
  takes?: number
  heritage?: Heritage[]
  /** A method written outside its type, in languages that allow that: the name of the type; of overloads those of all. */
  attachedTo?: string[]
}

export interface Reference {
  readonly from: number
  readonly kind: Extract<EdgeKind, 'calls' | 'references' | 'instantiates' | 'decorates'>
  readonly value: Value
  readonly name: string
  readonly line: number
  readonly col: number
  /** Set where the position asks for a type, which tells a type apart from a value of the same name. */
  readonly asType?: true
}

export interface ImportFact {
  readonly specifier: string
  readonly line: number
  readonly col: number
  readonly names: readonly string[]
  /** Where the text of the specifier is a path or a name of another language's module system. */
  readonly symbol: number
}

/** Stands for every name of what is imported for all files of a project. */
export const forAll = 'global *'

/** A name this file offers to others. */
export type ExportFact =
  /** `in`: of a module inside the file, by its qualified name; of the file itself where nothing is said. */
  | { readonly name: string; readonly value: Value; readonly in?: string }
  | { readonly name: '*'; readonly from: string; readonly in?: string }
  | { readonly name: string; readonly from: string; readonly imported: string; readonly in?: string }

export interface RouteFact {
  readonly method: string | null
  readonly url: string
  readonly line: number
  readonly col: number
  readonly handler: Value | null
  readonly framework: string
}

export interface FileFacts {
  readonly path: string
  readonly language: Language
  readonly lines: number
  readonly generated: boolean
  readonly symbols: Symbol[]
  readonly locals: Value[]
  readonly references: Reference[]
  readonly imports: ImportFact[]
  readonly exports: ExportFact[]
  readonly routes: RouteFact[]
  readonly errors: string[]
  /** Set where the file was not read to its end. */
  readonly givenUp?: GivenUp
  /** Package or namespace the file declares for itself, in languages that have one. */
  readonly packageName?: string
}
