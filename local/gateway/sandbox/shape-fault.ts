// Judges bodies by the service model whose source and version service-model.ts names (`bedrock-runtime`, API 2023-09-30), in
// words that users report of the service. What the real service passes over, members it does not know, is refused here: a
// client that sends one believes in an effect it does not have.
import { isRecord } from '#shared/kernel/json-record.ts'
import { type Shape, serviceModel } from './service-model.ts'

/** A body that is not of its shape, in the provider's words. */
export interface ShapeFault {
  readonly error: 'ValidationException' | 'SerializationException'
  readonly message: string
}

/** What is wrong with a body; undefined when it is of its shape. */
export function shapeFault(shapeName: string, body: unknown): ShapeFault | undefined {
  return faultAt(shapeName, body, '')
}

function faultAt(shapeName: string, value: unknown, path: string): ShapeFault | undefined {
  const shape = serviceModel[shapeName]
  if (shape === undefined) throw new Error(`the service model has no ${shapeName}`)
  switch (shape.kind) {
    case 'structure':
      return isRecord(value) ? structureFault(shape, value, path) : unreadable(value, 'a structure', path)
    case 'list':
      if (!Array.isArray(value)) return unreadable(value, 'a list', path)
      return (
        lengthFault(shape, value.length, path) ??
        firstFault(value, (item, index) => faultAt(shape.member, item, `${path}.${index + 1}.member`))
      )
    case 'map':
      if (!isRecord(value)) return unreadable(value, 'a map', path)
      return (
        lengthFault(shape, Object.keys(value).length, path) ??
        firstFault(
          Object.entries(value),
          ([key, item]) => faultAt(shape.key, key, path) ?? faultAt(shape.value, item, `${path}.${key}.value`),
        )
      )
    case 'string':
      return typeof value === 'string' ? textFault(shape, value, path) : unreadable(value, 'a String', path)
    case 'blob':
      if (typeof value !== 'string' || !isBase64(value)) return unreadable(value, 'a base64 value', path)
      return lengthFault(shape, Buffer.byteLength(value, 'base64'), path)
    case 'integer':
      return Number.isInteger(value) ? valueFault(shape, Number(value), path) : unreadable(value, 'an Integer', path)
    case 'number':
      return typeof value === 'number' ? valueFault(shape, value, path) : unreadable(value, 'a Float', path)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : unreadable(value, 'a Boolean', path)
    case 'document':
      return undefined
  }
}

type Structure = Extract<Shape, { kind: 'structure' }>

function structureFault(shape: Structure, value: Readonly<Record<string, unknown>>, path: string) {
  const given = Object.entries(value).filter(([, item]) => item !== null && item !== undefined)
  const missing = shape.required?.find((name) => !given.some(([known]) => known === name))
  if (missing !== undefined) return constraint(below(path, missing), 'Member must not be null')
  if (shape.isUnion === true && given.length !== 1) {
    const fault: ShapeFault = {
      error: 'SerializationException',
      message: `Unions must have exactly one member set, found ${given.length} at '${path.slice(1)}'`,
    }
    return fault
  }
  return firstFault(given, ([name, item]) => {
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined
    if (member !== undefined) return faultAt(member, item, below(path, name))
    const unknown: ShapeFault = {
      error: 'SerializationException',
      message: `Unexpected member '${name}' at '${path === '' ? 'the body' : path.slice(1)}'`,
    }
    return unknown
  })
}

function firstFault<T>(
  items: readonly T[],
  judge: (item: T, index: number) => ShapeFault | undefined,
): ShapeFault | undefined {
  for (const [index, item] of items.entries()) {
    const fault = judge(item, index)
    if (fault !== undefined) return fault
  }
  return undefined
}

function textFault(shape: Extract<Shape, { kind: 'string' }>, value: string, path: string): ShapeFault | undefined {
  if (shape.values !== undefined && !shape.values.includes(value)) {
    return constraint(path, `Member must satisfy enum value set: [${shape.values.join(', ')}]`, value)
  }
  if (shape.pattern !== undefined && !new RegExp(`^(?:${shape.pattern})$`, 'u').test(value)) {
    return constraint(path, `Member must satisfy regular expression pattern: ${shape.pattern}`, value)
  }
  return lengthFault(shape, value.length, path)
}

interface Bounds {
  readonly min?: number
  readonly max?: number
}

function lengthFault({ min = 0, max }: Bounds, length: number, path: string): ShapeFault | undefined {
  if (length < min) return constraint(path, `Member must have length greater than or equal to ${min}`)
  if (max !== undefined && length > max) return constraint(path, `Member must have length less than or equal to ${max}`)
  return undefined
}

function valueFault({ min, max }: Bounds, value: number, path: string): ShapeFault | undefined {
  if (min !== undefined && value < min) {
    return constraint(path, `Member must have value greater than or equal to ${min}`, String(value))
  }
  if (max !== undefined && value > max) {
    return constraint(path, `Member must have value less than or equal to ${max}`, String(value))
  }
  return undefined
}

function constraint(path: string, words: string, value?: string): ShapeFault {
  const shown = value === undefined ? '' : `'${value}' `
  const message = `1 validation error detected: Value ${shown}at '${path.slice(1)}' failed to satisfy constraint: ${words}`
  return { error: 'ValidationException', message }
}

function unreadable(value: unknown, kind: string, path: string): ShapeFault {
  const found = value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value
  return { error: 'SerializationException', message: `${found} cannot be converted to ${kind} at '${path.slice(1)}'` }
}

function below(path: string, name: string): string {
  return `${path}.${name}`
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}
