/** What names mean in a part of a script. */
import type { Type, Value } from '../../core/facts.ts'

export interface Binding {
  /** A variable of a function: the slot its value is kept in. */
  readonly value: Value
  readonly isLocal: boolean
}

export interface ScopeStart {
  readonly owner?: number
  readonly self?: Value | undefined
  readonly parentClass?: Value | undefined
  readonly isFunction?: boolean
  readonly declaresSymbols?: boolean
}

/** Most parts declare nothing: room for names is made for the first. */
export class Scope {
  readonly parent: Scope | undefined
  /** The symbol that what happens here belongs to. */
  readonly owner: number
  self: Value | undefined
  readonly parentClass: Value | undefined
  readonly isFunction: boolean
  /** Names declared here are symbols of the index: the top level of a module or a namespace. */
  readonly declaresSymbols: boolean
  #values: Map<string, Binding> | undefined
  #types: Map<string, Type> | undefined

  constructor(parent: Scope | undefined, start: ScopeStart, values?: Map<string, Binding>) {
    this.parent = parent
    this.owner = start.owner ?? parent?.owner ?? 0
    this.self = start.self ?? parent?.self
    this.parentClass = start.parentClass ?? parent?.parentClass
    this.isFunction = start.isFunction === true
    this.declaresSymbols = start.declaresSymbols === true
    this.#values = values
    this.#types = undefined
  }

  ownValue(name: string): Value | undefined {
    return this.#values?.get(name)?.value
  }

  ownType(name: string): Type | undefined {
    return this.#types?.get(name)
  }

  bind(name: string, binding: Binding): void {
    this.#values ??= new Map()
    this.#values.set(name, binding)
  }

  bindType(name: string, type: Type): void {
    this.#types ??= new Map()
    this.#types.set(name, type)
  }

  /** Here or around here. */
  binding(name: string): Binding | undefined {
    for (let at: Scope | undefined = this; at !== undefined; at = at.parent) {
      const found = at.#values?.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  type(name: string): Type | undefined {
    for (let at: Scope | undefined = this; at !== undefined; at = at.parent) {
      const found = at.#types?.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }
}
