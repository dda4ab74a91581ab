/**
 * zod, whose schemas are made when the first asks one for something. A contract declares some two thousand of them, a start
 * needs few, and making them all took a sixth of it (decision 0257).
 *
 * What a step adds to a schema is put off as well. Whoever keeps notes about schemas by the object asks `madeSchema` first.
 */
import * as zod from 'zod'

export type {
  infer,
  input,
  output,
  ZodArray,
  ZodDefault,
  ZodObject,
  ZodString,
  ZodType,
} from 'zod'

/** Methods that give another schema, and nothing else. Any other makes the schema it is asked of. */
export const schemaSteps: ReadonlySet<string> = new Set([
  'default',
  'describe',
  'exclude',
  'extend',
  'gt',
  'int',
  'length',
  'max',
  'meta',
  'min',
  'nonnegative',
  'nullable',
  'nullish',
  'omit',
  'optional',
  'partial',
  'pipe',
  'positive',
  'prefault',
  'refine',
  'regex',
  'required',
  'superRefine',
  'transform',
  'trim',
  'url',
])

const itself = Symbol('the schema itself')

/** The schema itself, for one that is put off; anything else as it is. */
export function madeSchema<T>(value: T): T {
  return (value as { readonly [itself]?: T } | null | undefined)?.[itself] ?? value
}

/** A schema knows its parts by what they are, and asks each of them for every value. */
function madeParts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(madeSchema)
  const schema = madeSchema(value)
  if (schema !== value || Object.getPrototypeOf(value) !== Object.prototype) return schema
  const parts = Object.getOwnPropertyDescriptors(value)
  for (const part of Object.values(parts)) {
    // A part that names its own whole is a getter, read when the whole is there.
    if ('value' in part) part.value = madeSchema(part.value)
  }
  return Object.defineProperties({}, parts)
}

type Maker = (...given: never[]) => object

function putOff(make: () => object): object {
  let schema: object | undefined
  const made = () => {
    schema ??= make()
    return schema
  }
  return new Proxy(
    {},
    {
      get(_, name) {
        if (name === itself) return made()
        if (schema !== undefined || typeof name !== 'string' || !schemaSteps.has(name)) return Reflect.get(made(), name)
        return (...given: unknown[]) =>
          putOff(() => (Reflect.get(made(), name) as Maker)(...(given.map(madeParts) as never[])))
      },
      set: (_, name, value) => Reflect.set(made(), name, value),
      has: (_, name) => Reflect.has(made(), name),
      getPrototypeOf: () => Reflect.getPrototypeOf(made()),
      ownKeys: () => Reflect.ownKeys(made()),
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(made(), name)
        // The stand-in has no property of its own, and may tell of none that cannot change.
        return found && { ...found, configurable: true }
      },
    },
  )
}

function deferred<F extends Maker>(make: F): F {
  return ((...given: unknown[]) => putOff(() => make(...(given.map(madeParts) as never[])))) as unknown as F
}

export const array = deferred(zod.array)
export const boolean = deferred(zod.boolean)
export const discriminatedUnion = deferred(zod.discriminatedUnion)
const deferredEnum = deferred(zod.enum)
export const int = deferred(zod.int)
export const literal = deferred(zod.literal)
export const looseObject = deferred(zod.looseObject)
export const number = deferred(zod.number)
export const object = deferred(zod.object)
export const partialRecord = deferred(zod.partialRecord)
export const record = deferred(zod.record)
export const strictObject = deferred(zod.strictObject)
export const string = deferred(zod.string)
export const tuple = deferred(zod.tuple)
export const union = deferred(zod.union)
export const unknown = deferred(zod.unknown)
export const url = deferred(zod.url)
export { deferredEnum as enum }
export const coerce = zod.coerce
export const iso = zod.iso
