/** Definitions and pages that would keep the machine busy are refused with a rule, and each bound holds where it is said. */
import { describe, test } from 'vitest'
import { Lexer, stringify } from 'yaml'
import { checkDefinition } from '../../../../workers/app/adapters/sites/cardigann/definition-service.ts'
import {
  definitionDepthMax,
  definitionMarksMax,
  definitionSignsMax,
  signsOf,
} from '../../../../workers/app/adapters/yaml-shape.ts'
import { aliasesMax } from '../../../../workers/app/adapters/yaml-text.ts'
import { instructionsMax } from '../../../../workers/app/core/cardigann/pattern-program.ts'
import { repeatMax } from '../../../../workers/app/core/cardigann/pattern-syntax.ts'
import { definitionFaultsMax, selectorCharactersMax } from '../../../../workers/app/limits.ts'
import {
  hostileDefinitions,
  smallDefinition,
  withFilters,
  withPattern,
  withTitle,
} from '../../../support/hostile-definitions.ts'

const rulesOf = (source: string) => {
  const checked = checkDefinition(source)
  return checked.ok ? [] : checked.failure.map(({ rule }) => rule)
}
const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))
const search = (change: object) =>
  smallDefinition({ search: { ...(smallDefinition()['search'] as object), ...change } })

describe('hostile definitions', () => {
  test('the small one they are made of is right', ({ expect }) => {
    expect(rulesOf(stringify(smallDefinition()))).toEqual([])
  })

  test.for(hostileDefinitions)('%s: %s', ([, rule, source], { expect }) => {
    expect(rulesOf(source)).toContain(rule)
  })

  test('of a text full of faults, so many are told', ({ expect }) => {
    const faults = (count: number) => rulesOf(stringify(withFilters(...times(count, () => ({ name: 'nothing' })))))
    expect(faults(definitionFaultsMax)).toHaveLength(definitionFaultsMax)
    expect(faults(definitionFaultsMax + 1)).toHaveLength(definitionFaultsMax)
  })
})

const nestedText = (depth: number) =>
  `${stringify(smallDefinition())}description: ${'['.repeat(depth)}${']'.repeat(depth)}\n`

const bounds: readonly (readonly [what: string, max: number, rule: string, made: (size: number) => unknown])[] = [
  ['links', 50, 'too_many', (size) => smallDefinition({ links: times(size, (index) => `https://h${index}.example/`) })],
  ['paths', 30, 'too_many', (size) => search({ paths: times(size, () => ({ path: 'a' })) })],
  [
    'selectors of a download',
    20,
    'too_many',
    (size) => smallDefinition({ download: { selectors: times(size, () => ({ selector: 'a' })) } }),
  ],
  ['seconds of a pause', 120, 'value', (size) => smallDefinition({ requestDelay: size })],
  ['rows that belong to one', 20, 'value', (size) => search({ rows: { selector: 'tr', after: size } })],
  ['entries of a list', 2000, 'too_many', (size) => smallDefinition({ legacylinks: times(size, String) })],
  [
    'entries of a table',
    2000,
    'too_many',
    (size) => search({ inputs: Object.fromEntries(times(size, (index) => [`n${index}`, 'x'])) }),
  ],
  ['characters of a text', 20_000, 'too_large', (size) => smallDefinition({ description: 'x'.repeat(size) })],
  ['characters of a selector', selectorCharactersMax, 'selector', (size) => withTitle({ selector: 'a'.repeat(size) })],
  ['repetitions in a pattern', repeatMax, 'pattern', (size) => withPattern(`a{${size}}`)],
  ['groups in each other', 59, 'pattern', (size) => withPattern(`${'('.repeat(size)}a${')'.repeat(size)}`)],
  [
    'blocks of a template in each other',
    39,
    'template',
    (size) => withTitle({ text: `${'{{ if .True }}'.repeat(size)}x${'{{ end }}'.repeat(size)}` }),
  ],
  ['letters of an identifier', 64, 'value', (size) => smallDefinition({ id: 'a'.repeat(size) })],
]

describe('bounds of a definition', () => {
  test.for(bounds)('%s: %i, and no more', ([, max, rule, made], { expect }) => {
    expect(rulesOf(stringify(made(max)))).toEqual([])
    expect(rulesOf(stringify(made(max + 1)))).toContain(rule)
  })

  test('instructions of a pattern, once its repetitions are written out', ({ expect }) => {
    // Each letter is an instruction; what stands around them takes less than ten.
    const written = (letters: number) => rulesOf(stringify(withPattern(`(?:${'a'.repeat(10)}){${letters / 10}}`)))
    expect(written(instructionsMax - 10)).toEqual([])
    expect(written(instructionsMax + 10)).toEqual(['pattern'])
  })

  test('parts in each other', ({ expect }) => {
    // At the bound the text is read, and the description is no list; past it nothing is read.
    expect(rulesOf(nestedText(definitionDepthMax))).toEqual(['shape'])
    expect(rulesOf(nestedText(definitionDepthMax + 1))).toEqual(['yaml'])
  })

  test('what is named once and repeated', ({ expect }) => {
    const repeated = (count: number) =>
      rulesOf(
        `${stringify(smallDefinition())}language: &l en-US\nlegacylinks: [${times(count, () => '*l').join(', ')}]\n`,
      )
    expect(repeated(aliasesMax)).toEqual([])
    expect(repeated(aliasesMax + 1)).toEqual(['yaml'])
  })

  test('documents', ({ expect }) => {
    const one = stringify(smallDefinition())
    expect(rulesOf(`---\n${one}...\n`)).toEqual([])
    expect(checkDefinition(`${one}---\nid: other\n`)).toEqual({
      ok: false,
      failure: [{ rule: 'yaml', path: [], detail: 'multiple docs', line: one.split('\n').length }],
    })
  })

  test('signs', ({ expect }) => {
    const signed = (count: number) => {
      const text = '#\n'.repeat(Math.floor(count / 2) - 1)
      const missing = count - [...new Lexer().lex(text)].length
      const whole = `${'\n'.repeat(missing)}${text}`
      expect([...new Lexer().lex(whole)]).toHaveLength(count)
      return signsOf(whole) === undefined
    }
    expect(signed(definitionSignsMax)).toBe(false)
    expect(signed(definitionSignsMax + 1)).toBe(true)
  })

  test('marks', ({ expect }) => {
    const marked = (count: number) =>
      rulesOf(`${stringify(smallDefinition())}legacylinks: [${times(count, (index) => `&m${index} x`).join(', ')}]\n`)
    expect(marked(definitionMarksMax)).toEqual([])
    expect(marked(definitionMarksMax + 1)).toEqual(['yaml'])
  })
})
