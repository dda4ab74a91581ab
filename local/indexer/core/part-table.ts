/**
 * Values and types of one file as a flat list of numbers, with the names they hold beside. A part stands there once,
 * however many hold it: written out, the receiver of every call in a chain would hold all that is before it again.
 */
import type { PartVisitor } from './fact-parts.ts'
import type { Type, Value } from './facts.ts'
import { NumberTable } from './number-table.ts'
import type { GivenUp } from './vocabulary.ts'

type Part = Value | Type
type Leaf = Extract<Value, { k: 'loc' | 'sym' | 'glob' }>
type Inner = Exclude<Value, Leaf>

const code = {
  ...{
    sym: 0,
    loc: 1,
    mod: 2,
    imp: 3,
    get: 4,
    call: 5,
    new: 6,
    is: 7,
    this: 8,
    super: 9,
    await: 10,
    elem: 11,
    arr: 12,
  },
  ...{ obj: 13, fn: 14, arg: 15, alt: 16, glob: 17 },
  ...{ typeRef: 18, typeArr: 19, typeTuple: 20, typeObj: 21, typeFn: 22, typeOf: 23, typeAnyOf: 24, typeParam: 25 },
  typeGet: 26,
  less: 27,
  called: 28,
} as const

/** In place of a part or a count: there is none. */
const none = -1
/** Parts of so few slots are looked up by what they say. */
const alikeSlotsMax = 4
/** Of the table of those: a power of two. */
const alikePlacesMin = 256

export interface PartBounds {
  readonly parts: number
  readonly depth: number
}

export class PartWriter {
  readonly slots: number[] = []
  readonly names: string[] = []
  /** Where each local stands that anything hangs on. */
  readonly locals: number[] = []
  /** Set when there are too many parts or too deep ones, counted as if each were written wherever it is held. */
  tooMuch: GivenUp | undefined
  readonly #locals: readonly Value[]
  /** Told of each part when it is first met. */
  readonly #listener: PartVisitor
  readonly #bounds: PartBounds
  readonly #places = new Map<Part, number>()
  readonly #nameNumbers = new Map<string, number>()
  /** Of each part: where its slots begin, how large it is and how high, written wherever it is held. */
  readonly #parts = new NumberTable(3)
  /** Places of short parts, one more than each is, where a number made of their slots says or behind it. */
  #alike: Int32Array
  #alikeCount = 0
  readonly #wanted: number[] = []
  #size = 0
  #height = 0
  #depth = 0

  /** `expected`: about how many parts there are. */
  constructor(locals: readonly Value[], listener: PartVisitor, bounds: PartBounds, expected = 0) {
    this.#alike = new Int32Array(Math.max(alikePlacesMin, 2 ** Math.ceil(Math.log2(2 * expected + 1))))
    this.#locals = locals
    this.#listener = listener
    this.#bounds = bounds
  }

  readonly value = (value: Value): number => {
    // What is made of no other part is told by its slots: remembering by which object it came costs more than looking.
    switch (value.k) {
      case 'loc':
        return this.#leaf(value, code.loc, value.i)
      case 'sym':
        return this.#leaf(value, code.sym, value.s)
      case 'glob':
        return this.#leaf(value, code.glob, this.name(value.n))
    }
    const known = this.#places.get(value)
    return known === undefined ? this.#enter(value, true) : this.#met(known)
  }

  readonly type = (type: Type): number => {
    const known = this.#places.get(type)
    return known === undefined ? this.#enter(type, false) : this.#met(known)
  }

  readonly name = (name: string): number => {
    const known = this.#nameNumbers.get(name)
    if (known !== undefined) return known
    this.#nameNumbers.set(name, this.names.length)
    return this.names.push(name) - 1
  }

  /** Writes the locals that what is written so far hangs on. */
  settle(): void {
    for (let slot = this.#wanted.pop(); slot !== undefined; slot = this.#wanted.pop()) {
      const local = this.#locals[slot]
      if (local !== undefined) this.locals[slot] = this.value(local)
    }
  }

  #leaf(value: Leaf, kind: number, slot: number): number {
    if (this.#depth > this.#bounds.depth) this.tooMuch ??= 'too_deep'
    if (this.tooMuch !== undefined) return 0
    const at = this.#leafAt(kind, slot)
    const known = this.#alike[at] ?? 0
    if (known !== 0) return this.#met(known - 1)
    if (value.k === 'loc' && !(slot in this.locals)) {
      this.locals[slot] = none
      this.#wanted.push(slot)
    }
    this.#listener.value(value)
    return this.#met(this.#appendAlike(at, [kind, slot], 1, 0))
  }

  #enter(part: Part, isValue: boolean): number {
    if (this.#depth > this.#bounds.depth) this.tooMuch ??= 'too_deep'
    if (this.tooMuch !== undefined) return 0
    const size = this.#size
    const height = this.#height
    this.#size = 1
    this.#height = 0
    this.#depth += 1
    const place = isValue ? this.#putValue(part as Inner) : this.#putType(part as Type)
    this.#places.set(part, place)
    this.#depth -= 1
    this.#size = size
    this.#height = height
    return this.#met(place)
  }

  #met(place: number): number {
    this.#size += this.#parts.get(place, 1)
    const height = 1 + this.#parts.get(place, 2)
    if (height > this.#height) this.#height = height
    if (this.#size > this.#bounds.parts) this.tooMuch ??= 'too_many_facts'
    else if (this.#height > this.#bounds.depth + 1) this.tooMuch ??= 'too_deep'
    return place
  }

  #putValue(value: Inner): number {
    const slots = this.#valueSlots(value)
    const at = slots.length > alikeSlotsMax ? none : this.#alikeAt(slots)
    const known = at === none ? 0 : (this.#alike[at] ?? 0)
    if (known !== 0) return known - 1
    this.#listener.value(value)
    return this.#appendAlike(at, slots, this.#size, this.#height)
  }

  #putType(type: Type): number {
    const slots = this.#typeSlots(type)
    const at = slots.length > alikeSlotsMax ? none : this.#alikeAt(slots)
    const known = at === none ? 0 : (this.#alike[at] ?? 0)
    if (known !== 0) return known - 1
    this.#listener.type(type)
    return this.#appendAlike(at, slots, this.#size, this.#height)
  }

  /** `at`: where among the short parts it is looked for; none: it is long. */
  #appendAlike(at: number, slots: readonly number[], size: number, height: number): number {
    const place = this.#parts.length
    this.#parts.push([this.slots.length, size, height])
    for (let slot = 0; slot < slots.length; slot += 1) this.slots.push(slots[slot] as number)
    if (at === none) return place
    this.#alike[at] = place + 1
    this.#alikeCount += 1
    if (this.#alikeCount * 2 > this.#alike.length) this.#widen()
    return place
  }

  /** The same as of two slots: most parts that are asked for are such, and are there. */
  #leafAt(kind: number, slot: number): number {
    const mask = this.#alike.length - 1
    for (let at = mix(mix(0, kind), slot) & mask; ; at = (at + 1) & mask) {
      const known = this.#alike[at] ?? 0
      if (known === 0) return at
      const start = this.#parts.get(known - 1, 0)
      if (this.slots[start] === kind && this.slots[start + 1] === slot) return at
    }
  }

  /** Where in the table a part of these slots is, or would be. No part's slots are the beginning of another's. */
  #alikeAt(slots: readonly number[]): number {
    const mask = this.#alike.length - 1
    let mixed = 0
    for (let slot = 0; slot < slots.length; slot += 1) mixed = mix(mixed, slots[slot] as number)
    for (let at = mixed & mask; ; at = (at + 1) & mask) {
      const known = this.#alike[at] ?? 0
      if (known === 0 || this.#isAt(this.#parts.get(known - 1, 0), slots)) return at
    }
  }

  #isAt(start: number, slots: readonly number[]): boolean {
    for (let at = 0; at < slots.length; at += 1) if (this.slots[start + at] !== slots[at]) return false
    return true
  }

  #widen(): void {
    const before = this.#alike
    this.#alike = new Int32Array(before.length * 2)
    for (const known of before) {
      if (known === 0) continue
      const start = this.#parts.get(known - 1, 0)
      const end = known === this.#parts.length ? this.slots.length : this.#parts.get(known, 0)
      this.#alike[this.#alikeAt(this.slots.slice(start, end))] = known
    }
  }

  #list(slots: number[], parts: readonly Value[] | undefined): number[] {
    slots.push(parts === undefined ? none : parts.length)
    if (parts !== undefined) for (const one of parts) slots.push(this.value(one))
    return slots
  }

  #types(slots: number[], parts: readonly Type[] | undefined): number[] {
    slots.push(parts === undefined ? none : parts.length)
    if (parts !== undefined) for (const one of parts) slots.push(this.type(one))
    return slots
  }

  #valueSlots(value: Inner): number[] {
    switch (value.k) {
      case 'mod':
        return [code.mod, this.name(value.m)]
      case 'imp':
        return [code.imp, this.value({ k: 'mod', m: value.m }), this.name(value.n)]
      case 'get':
        return value.c === undefined
          ? [code.get, this.value(value.o), this.name(value.n)]
          : [code.called, this.value(value.o), this.name(value.n), value.c]
      case 'call':
        return this.#list([code.call, this.value(value.f)], value.a)
      case 'new':
        return this.#types([code.new, this.value(value.c)], value.a)
      case 'is':
        return [code.is, this.type(value.t)]
      case 'this':
      case 'super':
        return [code[value.k], value.s, value.c ?? 0]
      case 'await':
        return [code.await, this.value(value.v)]
      case 'elem':
        return [code.elem, this.value(value.v), value.each ?? 0, value.n ?? none]
      case 'arr':
        return [code.arr, this.value(value.v), value.tuple ?? 0]
      case 'obj': {
        const slots = [code.obj, value.p.size]
        for (const [name, one] of value.p) slots.push(this.name(name), this.value(one))
        return this.#list(slots, value.x)
      }
      case 'fn':
        return [code.fn, value.r === undefined ? none : this.value(value.r), value.async ?? 0]
      case 'arg':
        return [code.arg, this.value(value.f), value.i, value.p ?? none]
      case 'alt':
        return this.#list([code.alt, value.first ?? 0], value.v)
      case 'less':
        return this.#types([code.less, this.value(value.v)], value.ts)
    }
  }

  #typeSlots(type: Type): number[] {
    switch (type.k) {
      case 'ref':
        return this.#types([code.typeRef, this.value(type.v)], type.a)
      case 'arr':
        return [code.typeArr, this.type(type.e), type.keyed ?? 0]
      case 'tuple':
        return this.#types([code.typeTuple], type.ts)
      case 'obj': {
        const slots = [code.typeObj, type.p.size]
        for (const [name, one] of type.p) slots.push(this.name(name), this.type(one))
        return slots
      }
      case 'fn': {
        const taken = type.ps?.map((one) => (one === null ? none : this.type(one)))
        const result = type.r === undefined ? none : this.type(type.r)
        return [code.typeFn, result, ...(taken === undefined ? [none] : [taken.length, ...taken])]
      }
      case 'of':
        return [code.typeOf, this.value(type.v)]
      case 'any-of':
        return this.#types([code.typeAnyOf], type.ts)
      case 'param':
        return [code.typeParam, type.b === undefined ? none : this.type(type.b), this.name(type.n)]
      case 'get':
        return [code.typeGet, this.type(type.t), this.name(type.n)]
    }
  }
}

function mix(mixed: number, slot: number): number {
  return Math.imul(mixed ^ slot, 0x1e3779b1) ^ (mixed >>> 15)
}

/** The parts of such a list. Each comes after those it is made of, so that one pass makes them all. */
export class PartReader {
  readonly #slots: readonly number[]
  readonly #names: readonly string[]
  readonly #parts: Part[] = []
  #at = 0

  constructor(slots: readonly number[], names: readonly string[]) {
    this.#slots = slots
    this.#names = names
    while (this.#at < slots.length) this.#parts.push(this.#next())
  }

  readonly value = (place: number): Value => this.#part(place) as Value

  readonly type = (place: number): Type => this.#part(place) as Type

  name(number: number): string {
    const name = this.#names[number]
    if (name === undefined) throw new Error(`no name ${number} among ${this.#names.length}`)
    return name
  }

  #part(place: number): Part {
    const part = this.#parts[place]
    if (part === undefined) throw new Error(`no part ${place} among ${this.#parts.length}`)
    return part
  }

  #number(): number {
    return this.#slots[this.#at++] as number
  }

  #name(): string {
    return this.name(this.#number())
  }

  #value(): Value {
    return this.value(this.#number())
  }

  #type(): Type {
    return this.type(this.#number())
  }

  #times<T>(take: () => T): T[] {
    // As long as it will be: one that grows from nothing has room for seventeen, and most have one.
    const count = this.#number()
    if (count === 1) return [take()]
    const taken = new Array<T>(count)
    for (let at = 0; at < count; at += 1) taken[at] = take()
    return taken
  }

  #named<T>(take: () => T): Map<string, T> {
    const named = new Map<string, T>()
    for (let left = this.#number(); left > 0; left -= 1) named.set(this.#name(), take())
    return named
  }

  /** Undefined where a list is left out, and not only empty. */
  #list<T>(take: () => T): T[] | undefined {
    if (this.#slots[this.#at] !== none) return this.#times(take)
    this.#at += 1
    return undefined
  }

  readonly #oneValue = (): Value => this.#value()
  readonly #oneType = (): Type => this.#type()
  readonly #typeOrNull = (): Type | null => {
    const place = this.#number()
    return place === none ? null : this.type(place)
  }

  #next(): Part {
    switch (this.#number()) {
      case code.sym:
        return { k: 'sym', s: this.#number() }
      case code.loc:
        return { k: 'loc', i: this.#number() }
      case code.mod:
        return { k: 'mod', m: this.#name() }
      case code.imp: {
        const { m } = this.#value() as Extract<Value, { k: 'mod' }>
        return { k: 'imp', m, n: this.#name() }
      }
      case code.get:
        return { k: 'get', o: this.#value(), n: this.#name() }
      case code.called:
        return { k: 'get', o: this.#value(), n: this.#name(), c: this.#number() }
      case code.call: {
        const f = this.#value()
        const a = this.#list(this.#oneValue)
        return a === undefined ? { k: 'call', f } : { k: 'call', f, a }
      }
      case code.new: {
        const c = this.#value()
        const a = this.#list(this.#oneType)
        return a === undefined ? { k: 'new', c } : { k: 'new', c, a }
      }
      case code.is:
        return { k: 'is', t: this.#type() }
      case code.this:
        return this.#self('this')
      case code.super:
        return this.#self('super')
      case code.await:
        return { k: 'await', v: this.#value() }
      case code.elem: {
        const v = this.#value()
        const isEach = this.#number() === 1
        const n = this.#number()
        if (isEach) return n === none ? { k: 'elem', v, each: 1 } : { k: 'elem', v, each: 1, n }
        return n === none ? { k: 'elem', v } : { k: 'elem', v, n }
      }
      case code.arr: {
        const v = this.#value()
        return this.#number() === 1 ? { k: 'arr', v, tuple: 1 } : { k: 'arr', v }
      }
      case code.obj: {
        const p = this.#named(this.#oneValue)
        const x = this.#list(this.#oneValue)
        return x === undefined ? { k: 'obj', p } : { k: 'obj', p, x }
      }
      case code.fn: {
        const r = this.#number()
        const isAsync = this.#number() === 1
        if (r === none) return isAsync ? { k: 'fn', async: 1 } : { k: 'fn' }
        return isAsync ? { k: 'fn', r: this.value(r), async: 1 } : { k: 'fn', r: this.value(r) }
      }
      case code.arg: {
        const [f, i, p] = [this.#value(), this.#number(), this.#number()]
        return p === none ? { k: 'arg', f, i } : { k: 'arg', f, i, p }
      }
      case code.alt: {
        const isFirst = this.#number() === 1
        const v = this.#times(this.#oneValue)
        return isFirst ? { k: 'alt', v, first: 1 } : { k: 'alt', v }
      }
      case code.less:
        return { k: 'less', v: this.#value(), ts: this.#times(this.#oneType) }
      case code.glob:
        return { k: 'glob', n: this.#name() }
      case code.typeRef: {
        const v = this.#value()
        const a = this.#list(this.#oneType)
        return a === undefined ? { k: 'ref', v } : { k: 'ref', v, a }
      }
      case code.typeArr: {
        const e = this.#type()
        return this.#number() === 1 ? { k: 'arr', e, keyed: 1 } : { k: 'arr', e }
      }
      case code.typeTuple:
        return { k: 'tuple', ts: this.#times(this.#oneType) }
      case code.typeObj:
        return { k: 'obj', p: this.#named(this.#oneType) }
      case code.typeFn: {
        const r = this.#number()
        const ps = this.#list(this.#typeOrNull)
        return { k: 'fn', ...(r === none ? {} : { r: this.type(r) }), ...(ps === undefined ? {} : { ps }) }
      }
      case code.typeOf:
        return { k: 'of', v: this.#value() }
      case code.typeAnyOf:
        return { k: 'any-of', ts: this.#times(this.#oneType) }
      case code.typeParam: {
        const b = this.#number()
        const n = this.#name()
        return b === none ? { k: 'param', n } : { k: 'param', n, b: this.type(b) }
      }
      case code.typeGet:
        return { k: 'get', t: this.#type(), n: this.#name() }
      default:
        throw new Error(`no part of a kind that is known before slot ${this.#at}`)
    }
  }

  #self(k: 'this' | 'super'): Value {
    const s = this.#number()
    return this.#number() === 1 ? { k, s, c: 1 } : { k, s }
  }
}
