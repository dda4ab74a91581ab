/** What is read without the parser is what the parser makes of it, and everything else is left to the parser. */
import { describe, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { readPlainYaml } from '../../../../workers/app/adapters/plain-yaml.ts'
import { definitionDepthMax } from '../../../../workers/app/adapters/yaml-shape.ts'
import { seededRandom } from '../../../long/seeded-random.ts'
import { inventedDefinitions, inventedText } from '../../../support/invented-definitions.ts'
import { withFault } from '../../../support/mutated-definitions.ts'

/** As a text, so that the order of names counts. */
function parsed(source: string): string | undefined {
  const documents = parseAllDocuments(source, { schema: 'failsafe' })
  const [document, other] = 'empty' in documents ? [] : documents
  if (document === undefined || other !== undefined || document.errors.length > 0) return undefined
  return JSON.stringify(document.toJS())
}

const runs = Number(process.env['WHARF_MUTATIONS'] ?? '800')
const seed = Number(process.env['WHARF_FUZZ_SEED'] ?? '20261124')
const nested = (depth: number) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}`

const readable: readonly (readonly [what: string, source: string])[] = [
  ['a beginning, comments and empty lines', '---\n# c\n\na: b # c\n   \n  # c\nc: d'],
  ['tables in tables', 'a:\n  b:\n    c: 1\n  d: 2\ne: 3\n'],
  ['lists under a name, further in or not', 'a:\n  - 1\n  - 2\nb:\n- 3\n- 4\nc: 5\n'],
  ['tables in lists', 'a:\n  - b: 1\n    c: 2\n  -   b: 3\n      c:\n        - 4\n'],
  ['brackets', `a: [b, "c, d", 'e', -1, [], {}, [f g], {h: i, "j": k}] # c\nb: { }\n`],
  ['quotes', `${String.raw`a: "b \"c\" \\d \/ \n\t\xa0\u00e9"`}\nb: 'c''d # e'\n"f: g": h\n'i''j': k\n`],
  ['signs that are none', 'a: b#c\nd:e: f:g\nh: -1\ni: ?j=k\nl: :root\na[b="c"]: 0\n1: 01\nnull: ~\n'],
  ['a list alone', '- a\n- b: c\n'],
]

const left: readonly (readonly [what: string, source: string])[] = [
  ['a text over two lines', 'a: b\n  c\n'],
  ['a quoted text over two lines', 'a: "b\n  c"\n'],
  ['brackets over two lines', 'a: [b,\n  c]\n'],
  ['a text as it stands', 'a: |\n  b\n'],
  ['nothing after a name', 'a:\nb: c\n'],
  ['a name twice', 'a: b\na: c\n'],
  ['a name twice in brackets', 'a: {b: c, b: d}\n'],
  ['an anchor', 'a: &b c\n'],
  ['a tag', 'a: !!str b\n'],
  ['a question', '? a\n: b\n'],
  ['a tab', 'a:\tb\n'],
  ['two documents', 'a: b\n---\nc: d\n'],
  ['the end of a document', 'a: b\n...\n'],
  ['a name in a text', 'a: b: c\n'],
  ['what is further in', 'a: b\n c: d\n'],
  ['what is less far in', 'a:\n    b: c\n  d: e\n'],
  ['more after a quoted text', 'a: "b" c\n'],
  ['a name of the language', '__proto__: a\n'],
  ['an escape that is none', 'a: "\\q"\n'],
  ['half a character', 'a: "\\ud800"\n'],
  ['nothing', ''],
]

describe('YAML as definitions are commonly written', () => {
  test.for(readable)('%s: as the parser reads it', ([, source], { expect }) => {
    expect(parsed(source)).toBeDefined()
    expect(JSON.stringify(readPlainYaml(source))).toBe(parsed(source))
  })

  test.for(left)('%s: left to the parser', ([, source], { expect }) => {
    expect(readPlainYaml(source)).toBeUndefined()
  })

  test('parts in each other, and no more', ({ expect }) => {
    expect(readPlainYaml(nested(definitionDepthMax - 1))).toBeDefined()
    expect(readPlainYaml(nested(definitionDepthMax))).toBeUndefined()
  })

  test('a definition that is right needs no parser', ({ expect }) => {
    for (const one of inventedDefinitions) {
      const source = stringify(JSON.parse(JSON.stringify(one.definition)), { lineWidth: 0 })
      expect(JSON.stringify(readPlainYaml(source))).toBe(parsed(source))
    }
  })

  test('with faults in it, a text is read as the parser reads it, or left to it', { timeout: 3_600_000 }, () => {
    const random = seededRandom(seed)
    const texts = [...inventedDefinitions.map(inventedText), ...readable.map(([, source]) => source)]
    let read = 0
    for (let index = 0; index < runs; index += 1) {
      let text = texts[Math.floor(random() * texts.length)] ?? ''
      for (let count = Math.floor(random() * 3); count > 0; count -= 1) text = withFault(text, random)
      const value = readPlainYaml(text)
      if (value === undefined) continue
      read += 1
      if (JSON.stringify(value) !== parsed(text)) throw new Error(`${text}\n${JSON.stringify(value)}\n${parsed(text)}`)
    }
    if (read < runs / 10) throw new Error(`only ${read} of ${runs} were read`)
  })
})
