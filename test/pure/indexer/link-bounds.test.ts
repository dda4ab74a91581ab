import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, test } from 'vitest'
import { languages } from '../../../local/indexer/core/vocabulary.ts'
import { extractFile, prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { ancestorsMax, linkStepsPerFileMax, linkStepsPerReferenceMax } from '../../../local/indexer/limits.ts'
import { link } from '../../../local/indexer/resolve/link.ts'
import { FactsInMemory } from '../../../local/indexer/resolve/project-facts.ts'
import { linkSources, noSettings } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages(languages))

const knot = 14
const others = (i: number, name: (j: number) => string): string =>
  Array.from({ length: knot }, (_, j) => j)
    .filter((j) => j !== i)
    .map(name)
    .join(', ')
const times = (line: (i: number) => string): string => Array.from({ length: knot }, (_, i) => line(i)).join('\n')

/** Types, mixins and files that lead to one another in every way: more ways through them than could be taken one by one. */
const knots: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'interfaces of TypeScript',
    {
      'a.ts': `${times((i) => `interface I${i} extends ${others(i, (j) => `I${j}`)} {}`)}\nexport function f(x: I0) { x.missing() }`,
    },
  ],
  [
    'aliases of TypeScript that are made of one another',
    {
      'a.ts': `${times((i) => `type T${i} = ${others(i, (j) => `T${j}[] | Map<string, T${j}>`).replaceAll(', T', ' | T')}`)}\nexport function f(x: T0) { for (const y of x) y[0].missing() }`,
    },
  ],
  [
    'open types of TypeScript that are given one another',
    {
      'a.ts': `${times((i) => `type T${i}<A> = ${others(i, (j) => `T${j}<A[]>`).replaceAll(', ', ' | ')}`)}\nexport function f(x: T0<string>) { x.missing() }`,
    },
  ],
  [
    'modules of JavaScript that pass on one another',
    Object.fromEntries(
      Array.from({ length: knot }, (_, i) => [
        `m${i}.js`,
        `${others(i, (j) => `export * from './m${j}.js'`).replaceAll(', e', '\ne')}\nimport { missing } from './m${(i + 1) % knot}.js'\nmissing().more()`,
      ]),
    ),
  ],
  [
    'classes of Python',
    { 'a.py': `${times((i) => `class C${i}(${others(i, (j) => `C${j}`)}):\n    pass`)}\nC0().missing()\n` },
  ],
  [
    'modules of Python that import all of one another',
    Object.fromEntries(
      Array.from({ length: knot }, (_, i) => [
        `m${i}.py`,
        `${others(i, (j) => `from m${j} import *`).replaceAll(', f', '\nf')}\nmissing().more()\n`,
      ]),
    ),
  ],
  [
    'structs of Go that embed one another',
    {
      'a.go': `package a\n${times((i) => `type S${i} struct {\n${others(i, (j) => `*S${j}`).replaceAll(', ', '\n')}\n}`)}\nfunc f(x S0) { x.Missing() }\n`,
    },
  ],
  [
    'traits of Rust',
    {
      'src/lib.rs': `${times((i) => `trait T${i}: ${others(i, (j) => `T${j}`).replaceAll(', ', ' + ')} {}`)}\nfn f(x: &dyn T0) { x.missing(); }\n`,
    },
  ],
  [
    'modules of Rust that use all of one another',
    {
      'src/lib.rs': `${times((i) => `mod m${i};`)}\n`,
      ...Object.fromEntries(
        Array.from({ length: knot }, (_, i) => [
          `src/m${i}.rs`,
          `${others(i, (j) => `use crate::m${j}::*;`).replaceAll(', u', '\nu')}\nfn f() { missing().more(); }\n`,
        ]),
      ),
    },
  ],
  [
    'interfaces of Java',
    {
      'A.java': `${times((i) => `interface I${i} extends ${others(i, (j) => `I${j}`)} {}`)}\nclass A { void f(I0 x) { x.missing(); } }\n`,
    },
  ],
  [
    'interfaces of C#',
    {
      'A.cs': `${times((i) => `interface I${i} : ${others(i, (j) => `I${j}`)} {}`)}\nclass A { void F(I0 x) { x.Missing(); } }\n`,
    },
  ],
  [
    'classes of C++',
    {
      'a.cpp': `${times((i) => `class C${i};`)}\n${times((i) => `class C${i} : ${others(i, (j) => `public C${j}`)} {};`)}\nvoid f(C0 x) { x.missing(); }\n`,
    },
  ],
  [
    'headers of C that include one another',
    Object.fromEntries(
      Array.from({ length: knot }, (_, i) => [
        `h${i}.h`,
        `${others(i, (j) => `#include "h${j}.h"`).replaceAll(', #', '\n#')}\nstruct s${i} { struct s${(i + 1) % knot} *next; };\nstatic void f${i}(struct s${i} *x) { x->next->next->next->missing(); }\n`,
      ]),
    ),
  ],
  [
    'modules of Ruby that include one another',
    {
      'a.rb': `${times((i) => `module M${i}\n${others(i, (j) => `include M${j}`).replaceAll(', i', '\ni')}\nend`)}\nclass A\ninclude M0\ndef f\nmissing.more\nself.lost\nend\nend\n`,
    },
  ],
  [
    'traits of PHP that use one another',
    {
      'a.php': `<?php\n${times((i) => `trait T${i} { use ${others(i, (j) => `T${j}`)}; }`)}\nclass A { use T0; function f() { $this->missing()->more(); } }\n`,
    },
  ],
  [
    'components of Vue',
    Object.fromEntries(
      Array.from({ length: knot }, (_, i) => [
        `C${i}.vue`,
        `<script setup lang="ts">\n${others(i, (j) => `import C${j} from './C${j}.vue'`).replaceAll(', i', '\ni')}\nC${(i + 1) % knot}.missing()\n</script>\n<template>${others(i, (j) => `<C${j} />`)}</template>`,
      ]),
    ),
  ],
]

describe('what leads back to itself is linked in time that grows with the text', () => {
  test.for(knots)('%s', ([, sources], { expect }) => {
    const started = performance.now()
    const edges = linkSources(sources)

    // Without its bounds each of them takes minutes, or never ends.
    expect(performance.now() - started).toBeLessThan(5000)
    expect([...edges].filter((one) => one.to.endsWith('issing'))).toEqual([])
  })

  test('a list of numbers, texts, lists and tables of itself costs next to nothing, and its edges are right', ({
    expect,
  }) => {
    const text = readFileSync(path.join(import.meta.dirname, '../../support/bencode.ts'), 'utf8')
    const files = [extractFile('bencode.ts', text)]
    const started = performance.now()
    const links = link(new FactsInMemory(files), noSettings)
    const elapsed = performance.now() - started
    const calls = linkSources({ 'bencode.ts': text })
      .filter((one) => one.kind === 'calls')
      .map((one) => `${one.from.slice(11)} ${one.to.slice(11)} ${one.confidence}`)

    expect(links.givenUp.size).toBe(0)
    expect(elapsed).toBeLessThan(1000)
    expect([...new Set(calls)].sort()).toEqual([
      'bdecode decodeAt 1',
      'bencode bencode 1',
      'bencode isList 1',
      'decodeAt decodeAt 1',
    ])
  })

  test('the type of what is inside a type that holds itself is known at any depth', ({ expect }) => {
    const edges = linkSources({
      'a.ts': `export interface Leaf { name: string }
export type Tree = Leaf | Tree[] | Map<string, Tree>
export function run(tree: Tree[][][]) {
  for (const one of tree[0][0]) if ('name' in one) one.name.at(0)
}`,
    })

    expect(edges).toContainEqual(expect.objectContaining({ from: 'a.ts#run', to: 'a.ts#Leaf::name' }))
  })
})

test('what a macro makes in a module of Rust that passes on all of its own is asked for, and nothing given up', ({
  expect,
}) => {
  const sources = {
    'src/lib.rs': 'pub mod hub;\n',
    'src/hub/mod.rs': `${times((i) => `mod p${i};\npub use self::p${i}::*;`)}\nmade!{ pub trait Made {} }\n`,
    ...Object.fromEntries(
      Array.from({ length: knot }, (_, i) => [
        `src/hub/p${i}.rs`,
        `use crate::hub::{Made, ${others(i, (j) => `T${j}`)}};\npub struct T${i};\nimpl T${i} { pub fn make() {} }\nimpl Made for T${i} {}\nfn f(made: &dyn Made) { made.run(); ${others(i, (j) => `T${j}::make()`).replaceAll(', ', '; ')}; }\n`,
      ]),
    ),
  }
  const facts = Object.entries(sources).map(([file, text]) => extractFile(file, text))
  const { givenUp } = link(new FactsInMemory(facts), noSettings)
  const calls = linkSources(sources).filter((one) => one.to.endsWith('::make'))

  expect(givenUp.size).toBe(0)
  expect(calls).toHaveLength(knot * (knot - 1))
})

/** Each head of a type asks what the modules around it inherit, and their heads ask the same. */
describe('a large application of Ruby is linked without giving anything up', () => {
  const count = 40
  const each = (line: (i: number, next: number, far: number) => string): string =>
    Array.from({ length: count }, (_, i) => line(i, (i + 1) % count, (i * 7 + 3) % count)).join('\n')
  const applications: readonly (readonly [string, string, string])[] = [
    [
      'modules that include others of the module around them by its name',
      `module App
${each((i, next, far) => `  module Part${i}\n    include App::Part${far}\n    include App::Part${next}\n    def step${i}; end\n  end`)}
  class Page
    include App::Part0
    def run; step17; end
  end
end`,
      'step17',
    ],
  ]

  test.for(applications)('%s', ([, text, reached], { expect }) => {
    const facts = extractFile('app.rb', text)
    const { edges, givenUp } = link(new FactsInMemory([facts]), noSettings)
    const called = [...edges].filter((one) => one.kind === 'calls').map((one) => facts.symbols[one.target]?.name)

    expect(givenUp).toEqual(new Map())
    expect(called).toContain(reached)
  })
})

describe('steps', () => {
  /** Each type is given to two others in a new way, so that no two questions about them are the same. */
  const growing = times(
    (i) => `type T${i}<A> = ${others(i, (j) => `T${j}<A[]> | T${j}<Set<A>>`).replaceAll(', ', ' | ')}`,
  )
  const asking = (references: number): string =>
    Array.from({ length: references }, (_, i) => `export const r${i} = (x: T0<${i}>) => x.missing()`).join('\n')
  const plain = 'export function plain() { return last() }\nfunction last() {}'

  test('a reference that takes too many is given up and counted, and the next one is not', ({ expect }) => {
    const text = `${growing}\n${asking(2)}\n${plain}\n`
    const { edges, givenUp } = link(new FactsInMemory([extractFile('a.ts', text)]), noSettings)

    expect(givenUp.get(0)).toBe(2)
    expect([...edges].filter((one) => one.kind === 'calls')).toHaveLength(1)
  })

  test('a file whose references take too many together is given up from there on, and the next file is not', ({
    expect,
  }) => {
    const references = linkStepsPerFileMax / linkStepsPerReferenceMax + 5
    const files = [`${growing}\n${asking(references)}\n${plain}`, plain].map((text, at) =>
      extractFile(`${at}.ts`, text),
    )
    const started = performance.now()
    const { edges, givenUp } = link(new FactsInMemory(files), noSettings)

    expect(performance.now() - started).toBeLessThan(10_000)
    expect(givenUp.get(0)).toBeGreaterThan(references)
    expect(givenUp.get(1)).toBeUndefined()
    expect([...edges].filter((one) => one.kind === 'calls').map((one) => one.sourceFile)).toEqual([1])
  })

  test.for([
    ['as far up as the bound', ancestorsMax - 1, 1],
    ['one further up', ancestorsMax, 0],
  ] as const)('a member %s', ([, above, found], { expect }) => {
    const text = `class C0 { far() {} }\n${Array.from({ length: above }, (_, i) => `class C${i + 1} extends C${i} {}`).join('\n')}\nexport function f(x: C${above}) { x.far() }\n`

    expect(linkSources({ 'a.ts': text }).filter((one) => one.to.endsWith('far') && one.confidence > 0.6)).toHaveLength(
      found,
    )
  })

  test('what is not found within the bound is looked for once, however often it is asked for', ({ expect }) => {
    const asked = Math.ceil((2 * linkStepsPerFileMax) / ancestorsMax)
    const above = Array.from({ length: ancestorsMax + 50 }, (_, i) => `interface I${i} extends I${i + 1} {}`)
    const text = `${above.join('\n')}\nexport function f(x: I0) {\n${'x.missing()\n'.repeat(asked)}}\n`

    const { givenUp } = link(new FactsInMemory([extractFile('a.ts', text)]), noSettings)

    expect(givenUp.size).toBe(0)
  })
})
