import { test } from 'vitest'
import { linkSources } from '../../support/link-sources.ts'

const variables = 12
const times = (line: (i: number, other: (step: number) => number) => string) =>
  Array.from({ length: variables }, (_, i) => line(i, (step) => (i + step) % variables)).join('\n')

/** Each has more ways through it than could ever be taken one by one; that the test ends is what it proves. */
test.for([
  [
    'a variable that is spread into what it is assigned',
    `let all = { ...given }\n${times((i) => `if (c) all = { ...all, part${i}: plan }`)}\nall.part0()\nall.missing()`,
  ],
  [
    'literals that spread one another in a circle',
    `${times((i, at) => `const o${i} = { ...o${at(1)}, ...o${at(2)}, get: () => o${at(3)}.get() }`)}\no0.missing()`,
  ],
  [
    'a list that is made of itself',
    `let r = []\n${times(() => 'r = [...r, ...r.filter(Boolean).concat(r)]')}\nr[0].a()`,
  ],
  [
    'functions that answer what two others answer',
    `${times((i, at) => `const f${i} = (n) => n ? f${at(1)}(n) : f${at(2)}(n)`)}\nf0(1).missing()`,
  ],
  [
    'classes that hold one another',
    `${times((i, at) => `class C${i} { next = c ? new C${at(1)}() : new C${at(2)}()\n go() { return c ? this.next.go() : this.next.next.go() } }`)}\nnew C0().go().missing()`,
  ],
  [
    'a function that answers a type made of itself three ways, and asks itself for each',
    `type V = number | V[] | Map<string, V> | Set<V>
export function walk(v: V): V {
  if (typeof v === 'number') return v
  if (Array.isArray(v)) return v.map((one) => walk(one))
  if (v instanceof Map) return new Map([...v].map(([key, one]) => [key, walk(one)]))
  return new Set([...v].map((one) => walk(one)))
}
walk(1).missing()`,
  ],
  [
    'the same with answers that nobody wrote down',
    `type V = number | V[] | Map<string, V> | Set<V>
function walk(v: V) {
  if (Array.isArray(v)) return [...v, ...v.map(walk), ...v.flatMap(walk)]
  if (v instanceof Map) return new Map([...v, ...[...v].map(([key, one]) => [key, walk(one)])])
  if (v instanceof Set) return new Set([...v, ...[...v].map(walk)])
  return walk([v, walk(v), walk([walk(v)])])
}
walk(walk(walk(1))).get('a').map(walk).missing()`,
  ],
] as const)('%s is resolved in the end', ([, text], { expect }) => {
  const edges = linkSources({
    'a.ts': `import { plan } from './plan'\n${text}`,
    'plan.ts': 'export function plan() {}',
  })

  expect(edges).toContainEqual(expect.objectContaining({ kind: 'imports', to: 'plan.ts#plan' }))
})

test('a member added while the variable is built up is found, and not as certain', ({ expect }) => {
  const parts = times((i) => `if (given.part${i}) all = { ...all, part${i}: plan${i === 3 ? '' : '2'} }`)
  const edges = linkSources({
    'a.ts': `import { plan, plan2 } from './plan'\nexport function run(given) {\nlet all = { ...given }\n${parts}\nall.part3()\n}`,
    'plan.ts': 'export function plan() {}\nexport function plan2() {}',
  }).filter((edge) => edge.kind === 'calls')

  expect(edges).toMatchObject([{ to: 'plan.ts#plan', confidence: 0.5 }])
})

test('a function over a type made of itself three ways is found to call itself in each of them', ({ expect }) => {
  const edges = linkSources({
    'a.ts': `import { plan } from './plan'
type V = number | V[] | Map<string, V> | Set<V>
export function walk(v: V): V {
  if (Array.isArray(v)) return v.map((one) => walk(one))
  if (v instanceof Map) return new Map([...v].map(([key, one]) => [key, walk(one)]))
  if (v instanceof Set) return new Set([...v].map((one) => walk(one)))
  return plan(v)
}`,
    'plan.ts': 'export function plan(v: number): number {\n  return v\n}',
  }).filter((edge) => edge.kind === 'calls')

  const calls = edges.map(({ from, to }) => `${from} ${to}`)
  expect(new Set(calls)).toEqual(new Set(['a.ts#walk a.ts#walk', 'a.ts#walk plan.ts#plan']))
})
