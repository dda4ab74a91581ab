import { test } from 'vitest'
import { affectedFiles, type LinkedFile, type PassedOn } from '../../../local/indexer/core/affected-files.ts'
import { changedNames, dependentNames, surfaceOf } from '../../../local/indexer/core/file-surface.ts'
import { isNamedAsTest, isTestFile, isTestSupport } from '../../../local/indexer/core/test-file.ts'
import { extractFile } from '../../../local/indexer/extract/extract-file.ts'
import { packFacts } from '../../../local/indexer/store/packed-facts.ts'

function namesChanged(before: string, after: string): string[] | undefined {
  const names = changedNames(extractFile('a.ts', before), extractFile('a.ts', after))
  return names === undefined ? undefined : [...names].sort()
}

test.for<[string, string, string, string[] | undefined]>([
  ['a remark', 'export const a = 1\n', '// remark\nexport const a = 1\n', []],
  [
    'another body with the same result',
    'export function a() { return b() }\nfunction b() { return 1 }\n',
    'export function a() { const x = 2; b(x)\n return b() }\nfunction b() { return 1 }\n',
    [],
  ],
  ['a function more', 'export const a = 1\n', 'export const a = 1\nexport function more() {}\n', ['more']],
  ['a function less', 'export const a = 1\nexport function more() {}\n', 'export const a = 1\n', ['more']],
  [
    'another result, which a second function passes on',
    'class K {}\nclass L {}\nfunction a() { return new K() }\nexport function b() { return a() }\nexport const c = 1\n',
    'class K {}\nclass L {}\nfunction a() { return new L() }\nexport function b() { return a() }\nexport const c = 1\n',
    ['a', 'b'],
  ],
  [
    'another parent, which the makers of the class pass on',
    'class P { m() {} }\nclass K extends P {}\nexport const make = () => new K()\n',
    'class P { m() {} }\nclass K {}\nexport const make = () => new K()\n',
    ['K', 'make'],
  ],
  [
    'a local that a result hangs on',
    'export function a() { const x = one(); return x }\nfunction one() {}\nfunction two() {}\n',
    'export function a() { const x = two(); return x }\nfunction one() {}\nfunction two() {}\n',
    ['a'],
  ],
  [
    'what an object holds',
    'function a() {}\nfunction b() {}\nexport const made = { run: a }\n',
    'function a() {}\nfunction b() {}\nexport const made = { run: b }\n',
    ['made'],
  ],
  [
    'what a written type of an object holds',
    'class K {}\nclass L {}\nexport function take(): { of: K } { return made() }\n',
    'class K {}\nclass L {}\nexport function take(): { of: L } { return made() }\n',
    ['take'],
  ],
  ['what is passed on wholesale', "export * from './b.ts'\n", "export * from './c.ts'\n", undefined],
  ['a constructor', 'export class K {}\n', 'export class K { constructor() {} }\n', ['K', 'constructor']],
])('%s changes the names it should', ([, before, after, names], { expect }) => {
  expect(namesChanged(before, after)).toEqual(names)
})

test('two values that lead to each other are told apart from what they were', ({ expect }) => {
  const knot = (call: string) =>
    `export function a() { let x = f(); let y = g(x); x = y.${call}(); return x }\nfunction f() {}\nfunction g() {}\n`

  expect(namesChanged(knot('one'), knot('one'))).toEqual([])
  expect(namesChanged(knot('one'), knot('two'))).toEqual(['a'])
})

test('so are two that lead to each other through what an object holds', ({ expect }) => {
  const knot = (held: string) =>
    `export function a() { let x = f(); let y = g({ x, on: ${held} }); x = y.one(); return x }\nfunction f() {}\nfunction g() {}\n`

  expect(namesChanged(knot('f'), knot('f'))).toEqual([])
  expect(namesChanged(knot('f'), knot('g'))).toEqual(['a'])
})

const sources = [
  ['base.ts', 'export function used() {}\nexport function other() {}\n'],
  ['passes.ts', "import { used } from './base.ts'\nexport const passed = used()\n"],
  ['calls.ts', "import { used } from './base.ts'\nexport function own() { used() }\n"],
  ['takes.ts', "import { passed } from './passes.ts'\npassed.run()\n"],
  ['owns.ts', "import { own } from './calls.ts'\nown()\n"],
  ['apart.ts', 'export function used() {}\nunknown.run()\n'],
] as const

const passedOn: PassedOn = (f, isTouched) => {
  const [path, text] = sources[f] ?? ['', '']
  return dependentNames(surfaceOf(extractFile(path, text)), isTouched)
}

function project(): LinkedFile[] {
  return sources.map(([path, text]) => {
    const links = packFacts(extractFile(path, text)).links
    return {
      links,
      family: 'script',
      targets: links.specifiers.map((one) => sources.findIndex(([other]) => `./${other}` === one)),
    }
  })
}

test.for<[string, readonly string[] | undefined, string[]]>([
  ['nothing but the file itself for no name', [], ['base.ts']],
  ['nothing but the file itself for a name nobody writes', ['unheard'], ['base.ts']],
  [
    'who writes the name, and who gets what was made with it',
    ['used'],
    ['base.ts', 'passes.ts', 'calls.ts', 'takes.ts'],
  ],
  [
    'whoever reaches the file, when it may be any name',
    undefined,
    ['base.ts', 'passes.ts', 'calls.ts', 'takes.ts', 'owns.ts'],
  ],
])('a change affects %s', ([, names, affected], { expect }) => {
  const change = { file: 0, names: names === undefined ? undefined : new Set(names), methods: new Set<string>() }

  const found = affectedFiles(project(), [change], passedOn)

  expect([...(found ?? [])].map((f) => sources[f]?.[0]).sort()).toEqual([...affected].sort())
})

test('a method more or less affects every file that calls something of its name', ({ expect }) => {
  const found = affectedFiles(project(), [{ file: 0, names: new Set(), methods: new Set(['run']) }], passedOn)

  expect([...(found ?? [])].map((f) => sources[f]?.[0]).sort()).toEqual(['apart.ts', 'base.ts', 'takes.ts'])
})

test.for([
  [4, 4],
  [3, undefined],
] as const)('of at most %i files that are told, four are %s', ([most, told], { expect }) => {
  const change = { file: 0, names: new Set(['used']), methods: new Set<string>() }

  expect(affectedFiles(project(), [change], passedOn, most)?.size).toBe(told)
})

test.for([
  ['test/order.test.ts', 'named'],
  ['tests/test_order.py', 'named'],
  ['src/OrderTest.java', 'named'],
  ['test/support/order.test.ts', 'named'],
  ['test/order.js', 'in a suite'],
  ['tests/api/order.rs', 'in a suite'],
  ['test/support/order.ts', 'support'],
  ['spec/helpers/order.rb', 'support'],
  ['src/testutil/order.go', 'support'],
  ['src/__mocks__/order.js', 'support'],
  ['src/support/order.ts', 'no test'],
] as const)('%s is %s', ([path, kind], { expect }) => {
  const told = isNamedAsTest(path)
    ? 'named'
    : !isTestFile(path)
      ? 'no test'
      : isTestSupport(path)
        ? 'support'
        : 'in a suite'
  expect(told).toBe(kind)
})
