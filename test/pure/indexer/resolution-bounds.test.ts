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
