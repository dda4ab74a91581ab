/** What the parts of the evaluator ask of one another. */
import type { Symbol as CodeSymbol, FileFacts, Type, Value } from '../core/facts.ts'
import type { Language } from '../core/vocabulary.ts'
import type { Denotation, Environment, ModuleLookup } from './denotation.ts'

type Found = Denotation | undefined

export interface Evaluation {
  file(f: number): FileFacts
  symbol(f: number, s: number): CodeSymbol
  children(f: number, s: number, name: string): readonly number[]
  readonly modules: (file: FileFacts) => ModuleLookup

  /** How often a search was cut short so far: what was found while this rose is not remembered. */
  readonly cuts: number
  /** Says that a search is cut short here, and answers nothing. */
  cut(): undefined
  /** Takes steps from those allowed; false once they are used up. */
  spend(steps: number): boolean
  /** Whether the steps allowed are used up. */
  readonly isSpent: boolean
  /** Finds something as if it had been asked for first, however deep the question it is part of has gone. */
  fromTheTop<T>(find: () => T): T

  evaluate(f: number, value: Value, env?: Environment, asType?: boolean): Found
  callee(f: number, value: Value, env?: Environment): Found
  member(denotation: Denotation, name: string, asType?: boolean, isCalled?: boolean, count?: number): Found
  typed(f: number, type: Type, env?: Environment): Found
  held(denotation: Denotation): Found
  either(found: readonly Found[], wasPartial?: boolean): Found

  readonly exports: {
    exported(f: number, name: string, asType: boolean): Found
  }
  readonly members: {
    instanceMember(
      f: number,
      s: number,
      name: string,
      env: Environment | undefined,
      isAbove?: boolean,
      isCalled?: boolean,
      count?: number,
    ): Found
  }
  readonly ancestors: {
    constructorOf(f: number, s: number, env: Environment | undefined): Found
    linearMember(f: number, s: number, name: string, env: Environment | undefined, isAbove: boolean): Found
  }
  readonly calls: {
    bound(
      target: Extract<Denotation, { t: 'symbol' }>,
      f: number,
      args: readonly Type[] | undefined,
      env: Environment | undefined,
    ): Environment | undefined
    instanceOf(target: Denotation, f: number, args: readonly Type[] | undefined, env: Environment | undefined): Found
    callResult(callee: Denotation, f: number, args?: readonly Value[]): Found
    awaited(denotation: Found): Found
  }
  readonly contents: {
    element(denotation: Found, language: Language, how?: { readonly each?: 1; readonly n?: number }): Found
    part(of: { readonly f: number; readonly s: number; readonly env?: Environment }, place: number | undefined): Found
    pairs(denotation: Found, language: Language): Found
  }
}
