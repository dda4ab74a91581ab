/** What comes from outside the project has no members of the project's, however they are called. */
import { beforeAll, test } from 'vitest'
import { prepareLanguages } from '../../../local/indexer/extract/extract-file.ts'
import { linkSources, type PlainEdge } from '../../support/link-sources.ts'

beforeAll(() => prepareLanguages([]))

/** The only member of that name in the project, which an unknown receiver would be guessed to have. */
const sink = `export interface Sink { enqueueAll(piece: string): void }
export class Kept implements Sink { enqueueAll(piece: string): void {} }
`
const only = 'export class Sink { enqueueAll(piece: string): void {} }\n'

function calls(text: string, others: Readonly<Record<string, string>> = { 'sink.ts': only }): PlainEdge[] {
  return linkSources({ ...others, 'a.ts': text }).filter((one) => one.kind === 'calls' && one.from.startsWith('a.ts'))
}

test.for([
  ['a method of an object that the platform is made with', 'new ReadableStream({ pull(it) { it.enqueueAll("") } })'],
  ['a function in an object that the platform is given', 'register({ run: { now: (it) => it.enqueueAll("") } })'],
  [
    'a function in an object that a package is given',
    'import { open } from "far"\nopen(1, { on: (it) => it.enqueueAll("") })',
  ],
  [
    'a function that a field of a type from outside is given',
    'import type { Take } from "far"\nclass Desk { take: Take\n constructor() { this.take = (it) => { it.enqueueAll("") } } }',
  ],
  [
    'a function that a variable of a type from outside is given',
    'import type { Take } from "far"\nlet take: Take\nexport function begin() { take = (it) => it.enqueueAll("") }',
  ],
  [
    'one of a list from outside, or of none',
    'import { open } from "far"\nconst desk = open()\nfor (const it of desk?.all ?? []) it.enqueueAll("")',
  ],
  [
    'one of a list from outside, or of none, by a condition',
    'import { open } from "far"\nconst all = open() ? open().all : []\nall.forEach((it) => it.enqueueAll(""))',
  ],
  [
    'one of several that are made by a function of a package',
    'import { open } from "far"\nconst all = Array.from({ length: 2 }, () => open())\nfor (const it of all) it.enqueueAll("")',
  ],
  [
    'one of several that are waited for',
    'import { open } from "far"\nfor (const it of await Promise.all(open())) it.enqueueAll("")',
  ],
  [
    'something from outside with more written onto it',
    'import type { Far } from "far"\nexport function run(it: Far & { readonly more: string }) { it.enqueueAll("") }',
  ],
  [
    'something from outside that may be of the project',
    'import type { Far } from "far"\nclass Near {}\nexport function run(it: Far | Near) { it.enqueueAll("") }',
  ],
] as const)('%s has nothing of the project', ([, text], { expect }) => {
  expect(calls(text)).toEqual([])
})

test('what nothing is known of is still guessed to be the only one of that name', ({ expect }) => {
  const [guess] = calls('export function run(it) { it.enqueueAll("") }')

  expect(guess).toMatchObject({ to: 'sink.ts#Sink::enqueueAll', resolution: 'fuzzy' })
})

test.for([
  ['a function', 'export function open(options: Options): void {}', 'open({ on: (it) => it.enqueueAll("") })'],
  ['a class', 'export class open { constructor(options: Options) {} }', 'new open({ on(it) { it.enqueueAll("") } })'],
  [
    'a function at a place further on',
    'export function open(n: number, options?: Options): void {}',
    'open(1, { on: (it) => it.enqueueAll("") })',
  ],
  [
    'a function of any of several types',
    'export function open(options: { on: number } | Options): void {}',
    'open({ on: (it) => it.enqueueAll("") })',
  ],
])('a function in an object that %s of the project is given takes what is declared', ([, open, text], { expect }) => {
  const found = calls(`import { open } from './open.ts'\n${text}`, {
    'sink.ts': sink,
    'open.ts': `import type { Sink } from './sink.ts'\ninterface Options { on: (sink: Sink) => void }\n${open}`,
  })

  expect(found).toContainEqual(expect.objectContaining({ to: 'sink.ts#Sink::enqueueAll', confidence: 0.9 }))
})

test('several that a function makes are what it gives back', ({ expect }) => {
  const found = calls(
    "import { Kept } from './sink.ts'\nfor (const one of Array.from({ length: 2 }, () => new Kept())) one.enqueueAll('')",
    { 'sink.ts': sink },
  )

  expect(found).toContainEqual(expect.objectContaining({ to: 'sink.ts#Kept::enqueueAll', confidence: 0.9 }))
})

test('a member of an object that is declared to be of a type is both that of the object and that of the type', ({
  expect,
}) => {
  const found = calls(
    `import type { Sink } from './sink.ts'
const kept: Sink = { enqueueAll(piece) {} }
export function run() { kept.enqueueAll('') }
`,
    { 'sink.ts': sink },
  )

  expect(found.map((one) => [one.to, one.confidence])).toEqual([
    ['a.ts#kept::enqueueAll', 0.9],
    ['sink.ts#Sink::enqueueAll', 0.9],
  ])
})
