/** Requests made of what client packages declare: any member, at any depth, in any company. */

import type { Shape } from './declared-shapes.ts'
import { documentUrl, picture, pictureUrl } from './gateway-clients/client.ts'

type Random = () => number
export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value }

/** Deeper than this only what is required is written. */
const depthMax = 6
const itemsMax = 2

/** What must have been made before: a request with it is refused for that. */
const rare: ReadonlySet<string> = new Set(['previous_response_id', 'conversation'])

/** Values that members of a name must have to mean anything; the types say only that they are texts or numbers. */
function meant(name: string, models: readonly string[], random: Random): Value | undefined {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  switch (name) {
    case 'model':
      return pick(models)
    case 'url':
    case 'image_url':
      return pictureUrl
    case 'file_data':
      return documentUrl
    case 'data':
      return picture
    case 'name':
      return pick(['f', 'g'])
    case 'id':
    case 'call_id':
    case 'tool_call_id':
    case 'tool_use_id':
      return pick(['a', 'b'])
    case 'arguments':
      return '{}'
    case 'parameters':
    case 'input_schema':
    case 'schema':
      return { type: 'object', properties: { a: { type: 'string' } } }
    case 'temperature':
    case 'top_p':
      return pick([0.5, 1])
    case 'n':
      return pick([1, 2])
    case 'max_tokens':
    case 'max_completion_tokens':
    case 'max_output_tokens':
      return pick([2_000, 4_096])
    case 'budget_tokens':
      return 1_024
    case 'definition':
      return 'start: "x"'
    default:
      return undefined
  }
}

export function generated(shape: Shape, models: readonly string[], random: Random, name = '', depth = 0): Value {
  const inner = (one: Shape, of = name) => generated(one, models, random, of, depth + 1)
  switch (shape.kind) {
    case 'literal':
      return shape.value
    case 'string':
      return meant(name, models, random) ?? ['hi', 'some words', 'x'][Math.floor(random() * 3)] ?? ''
    case 'number':
      return meant(name, models, random) ?? Math.floor(random() * 4)
    case 'any':
      return meant(name, models, random) ?? { a: 1 }
    case 'record':
      return meant(name, models, random) ?? { a: inner(shape.of(), 'value') }
    case 'list': {
      const length = depth > depthMax ? 0 : 1 + Math.floor(random() * itemsMax)
      return Array.from({ length }, () => inner(shape.of()))
    }
    case 'union': {
      if (name === 'model') return meant(name, models, random) ?? ''
      const one = shape.of[Math.floor(random() * shape.of.length)]
      return one === undefined ? null : inner(one)
    }
    case 'object': {
      const share = depth === 0 ? 0.2 : 0.4
      const members = shape.members.filter(
        (member) => !member.isOptional || (depth <= depthMax && random() < (rare.has(member.name) ? 0.02 : share)),
      )
      return Object.fromEntries(members.map((member) => [member.name, inner(member.shape(), member.name)]))
    }
  }
}

export type Place = readonly (string | number)[]

/** The places of all members that the types call optional, as far as a value has them. */
export function optionalPlaces(shape: Shape, value: Value, place: Place = []): readonly Place[] {
  if (shape.kind === 'union') {
    const fitting = shape.of.filter((one) => fits(one, value))
    return fitting[0] === undefined ? [] : optionalPlaces(fitting[0], value, place)
  }
  if (shape.kind === 'list' && Array.isArray(value))
    return value.flatMap((one, index) => optionalPlaces(shape.of(), one, [...place, index]))
  if (shape.kind !== 'object' || typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const record = value as Readonly<Record<string, Value>>
  return shape.members.flatMap((member) => {
    const own = record[member.name]
    if (own === undefined) return []
    const within = [...place, member.name]
    const deeper = optionalPlaces(member.shape(), own, within)
    return member.isOptional ? [within, ...deeper] : deeper
  })
}

/** Whether a value may have been made of a shape: by its literals and required members. */
function fits(shape: Shape, value: Value): boolean {
  switch (shape.kind) {
    case 'literal':
      return shape.value === value
    case 'string':
    case 'number':
      return typeof value === shape.kind
    case 'any':
      return true
    case 'list':
      return Array.isArray(value) && value.every((one) => fits(shape.of(), one))
    case 'union':
      return shape.of.some((one) => fits(one, value))
    case 'record':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
      const record = value as Readonly<Record<string, Value>>
      const names = new Set(shape.members.map((member) => member.name))
      return (
        Object.keys(record).every((name) => names.has(name)) &&
        shape.members.every(({ name, isOptional, shape: of }) => {
          const own = record[name]
          return own === undefined ? isOptional : fits(of(), own)
        })
      )
    }
  }
}

/** The value without what is at a place. */
export function without(value: Value, [first, ...rest]: Place): Value {
  if (first === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? without(one, rest) : one))
  const record = value as Readonly<Record<string, Value>>
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, one]) =>
      name !== first ? [[name, one]] : rest.length === 0 ? [] : [[name, without(one, rest)]],
    ),
  )
}

export function at(value: Value, place: Place): Value | undefined {
  return place.reduce<Value | undefined>(
    (one, step) =>
      typeof one === 'object' && one !== null ? (one as Record<string | number, Value>)[step] : undefined,
    value,
  )
}
