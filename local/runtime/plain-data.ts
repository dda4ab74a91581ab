/**
 * What objects say to one another and to the script: plain data, as a copy. At the edge the two may be on different
 * machines, so nothing that lives on one of them may be passed, and nothing that one changes may change for the other.
 */
import { plainDataDepthMax } from './limits.ts'

const builtInErrors: Readonly<Record<string, ErrorConstructor>> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

/** Throws what the edge throws for a class, a function or anything else that is not data. */
export function plainCopy<T>(value: T, depth = 0): T {
  return copyOf(value, depth) as T
}

function copyOf(value: unknown, depth: number): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw refusal(typeof value === 'function' ? 'a function' : String(value))
  if (typeof value !== 'object' || value === null) return value
  if (depth > plainDataDepthMax) throw refusal('data that is nested too deeply, or holds itself')
  if (Array.isArray(value)) return value.map((item) => copyOf(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) {
    const copy: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__')
        Object.defineProperty(copy, key, {
          value: copyOf(item, depth + 1),
          enumerable: true,
          writable: true,
          configurable: true,
        })
      else copy[key] = copyOf(item, depth + 1)
    }
    return copy
  }
  if (value instanceof Map)
    return new Map([...value].map(([key, item]) => [copyOf(key, depth + 1), copyOf(item, depth + 1)]))
  if (value instanceof Set) return new Set([...value].map((item) => copyOf(item, depth + 1)))
  if (value instanceof Error) return errorCopy(value, depth)
  // Of an instance of a class of one's own the platform's copy would lose the class without a word.
  if (value instanceof Date || value instanceof RegExp || value instanceof ArrayBuffer || ArrayBuffer.isView(value))
    return structuredClone(value)
  throw refusal(`an object of type "${nameOf(prototype)}"`)
}

/** Of its class only what every place knows is left. */
export function errorCopy(error: Error, depth = 0): Error {
  const { message, name, stack, cause } = error
  const copy = new (builtInErrors[name] ?? Error)(message)
  if (copy.name !== name) Object.defineProperty(copy, 'name', { value: name, configurable: true, writable: true })
  if (stack !== undefined) Object.defineProperty(copy, 'stack', { value: stack, configurable: true, writable: true })
  if (cause !== undefined) copy.cause = copyOfOr(cause, depth + 1)
  for (const [key, item] of Object.entries(error))
    if (key !== 'name') Object.assign(copy, { [key]: copyOfOr(item, depth + 1) })
  return copy
}

/** A failure is worth telling without what cannot be told of it. */
function copyOfOr(value: unknown, depth: number): unknown {
  try {
    return copyOf(value, depth)
  } catch {
    return undefined
  }
}

function nameOf(prototype: unknown): string {
  const maker = typeof prototype === 'object' && prototype !== null ? prototype.constructor : undefined
  return typeof maker === 'function' ? maker.name : 'unknown'
}

function refusal(what: string): DOMException {
  return new DOMException(`Could not serialize ${what}. Only plain data passes between objects.`, 'DataCloneError')
}
