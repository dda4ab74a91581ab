/** What an expression can denote. */
import type { FileFacts, Type, Value } from '../core/facts.ts'

export type Environment = ReadonlyMap<string, Denotation>

/** Where what is inside is written as a type: it is found when somebody asks, because a type may hold itself. */
export interface Written {
  readonly type: Type
  readonly env: Environment | undefined
}

export type Denotation =
  | {
      readonly t: 'symbol'
      readonly f: number
      readonly s: number
      readonly env?: Environment
      readonly through?: 'member' | 'inferred'
    }
  | { readonly t: 'module'; readonly f: number }
  /** What all files put into a namespace of C++, as one of them sees it. */
  | { readonly t: 'namespace'; readonly path: string; readonly from: number }
  /** A package of a language whose packages are folders. */
  | { readonly t: 'package'; readonly files: readonly number[]; readonly path: string }
  | {
      readonly t: 'instance'
      readonly f: number
      readonly s: number
      readonly env?: Environment
      /** As its ancestors see it: what the type itself declares is passed over. */
      readonly above?: true
    }
  /** `keyed`: by a key, with which a loop hands it out. */
  | { readonly t: 'list'; readonly of: Denotation | undefined; readonly keyed?: true; readonly written?: Written }
  | { readonly t: 'tuple'; readonly of: readonly (Denotation | undefined)[]; readonly written?: Written }
  | { readonly t: 'promise'; readonly of: Denotation | undefined; readonly written?: Written }
  | { readonly t: 'built-in'; readonly on: Denotation; readonly n: string }
  | {
      readonly t: 'function'
      readonly f: number
      readonly result: Value | undefined
      readonly async: boolean
      readonly type?: Type
      /** Any function of a type that is written down. */
      readonly isAny?: true
      readonly env?: Environment
    }
  | { readonly t: 'object'; readonly f: number; readonly value: Extract<Value, { k: 'obj' }> }
  | {
      readonly t: 'shape'
      readonly f: number
      readonly properties: ReadonlyMap<string, Type>
      readonly env?: Environment
    }
  /** `isPartial`: there are more that nothing is known of. `besides`: so many more of the platform or from outside. */
  | {
      readonly t: 'either'
      readonly of: readonly Denotation[]
      readonly isPartial?: true
      readonly besides?: number
    }
  /** Something outside the project. */
  | { readonly t: 'external' }

export type Instance = Extract<Denotation, { t: 'instance' }>

export const outside: Denotation = { t: 'external' }
/** How names reach across files in one language. */
export interface ModuleLookup {
  /** What a specifier written in the file denotes. */
  module(from: FileFacts, specifier: string): Denotation
  /** A name nothing in the file declares: a file of the same package, a name of the same namespace. */
  free(from: FileFacts, name: string, asType: boolean): Denotation | undefined
  /** What a call of such a name means, where functions have names of their own. */
  called?(from: FileFacts, name: string): Denotation | undefined
  /** A member of a module that the module itself does not declare, such as a submodule; `s`: of one inside the file. */
  moduleMember(path: string, name: string, s?: number): Denotation | undefined
  /** What else a call of a function of a file may mean that other files declare beside it; undefined for nothing else. */
  overloads?(from: FileFacts, s: number): Denotation | undefined
  /** What all files put into a namespace under a name, as one file sees it. */
  namespaceMember?(path: string, name: string, from: FileFacts): Denotation | undefined
  /** A member of a type that is written outside the file that declares the type; `suits`: whether one can be called so. */
  attached?(
    from: FileFacts,
    type: string,
    name: string,
    fullType: string,
    suits: (place: { readonly f: number; readonly s: number }) => boolean,
  ): Denotation | undefined
}

export function isSame(left: Denotation, right: Denotation): boolean {
  if (left === right) return true
  if (left.t !== right.t) return false
  if ((left.t === 'symbol' || left.t === 'instance') && (right.t === 'symbol' || right.t === 'instance'))
    return left.f === right.f && left.s === right.s
  if (left.t === 'module' && right.t === 'module') return left.f === right.f
  if ('written' in left || 'written' in right) return isWrittenAlike(left, right)
  if (left.t === 'list' && right.t === 'list')
    return left.of !== undefined && right.of !== undefined && isSame(left.of, right.of)
  if (left.t === 'promise' && right.t === 'promise')
    return left.of !== undefined && right.of !== undefined && isSame(left.of, right.of)
  return left.t === 'external'
}

/** Without looking inside, which would not end where a type holds itself. */
function isWrittenAlike(left: Denotation, right: Denotation): boolean {
  const [one, other] = [left, right].map((of) => ('written' in of ? of.written : undefined))
  return one !== undefined && one.type === other?.type && one.env === other.env
}
