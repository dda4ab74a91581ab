/** Texts that were written to stop whoever reads them, and what each is refused for. */
import type { DefinitionRule } from '../../workers/app/core/cardigann/definition.ts'
import { definitionBytesMax } from '../../workers/app/limits.ts'

/** A small definition that is right; `change` is what a row of a table makes of it. */
export function smallDefinition(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: 'small',
    name: 'Small',
    links: ['https://harbour.example/'],
    caps: { categorymappings: [{ id: 1, cat: 'Movies' }], modes: { search: ['q'] } },
    settings: [],
    search: {
      paths: [{ path: 'browse.php' }],
      rows: { selector: 'tr' },
      fields: { title: { selector: 'a' }, download: { selector: 'a', attribute: 'href' } },
    },
    ...change,
  }
}

/** With these filters on the title. */
export function withFilters(...filters: readonly unknown[]): Record<string, unknown> {
  const search = smallDefinition()['search'] as { fields: object }
  return smallDefinition({
    search: { ...search, fields: { ...search.fields, title: { selector: 'a', filters } } },
  })
}

export const withPattern = (pattern: string) => withFilters({ name: 'regexp', args: pattern })

export function withTitle(title: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const search = smallDefinition()['search'] as { fields: object }
  return smallDefinition({ search: { ...search, fields: { ...search.fields, title } } })
}

const filled = (piece: string) => piece.repeat(Math.floor(definitionBytesMax / piece.length))
const lines = (line: (index: number) => string) => {
  let text = ''
  for (let index = 0; ; index += 1) {
    const next = `${line(index)}\n`
    if (text.length + next.length > definitionBytesMax) return text
    text += next
  }
}
const json = (definition: unknown) => JSON.stringify(definition)
const laughs = ['l0: &l0 [x, x]']
for (let level = 1; level < 30; level += 1)
  laughs.push(`l${level}: &l${level} [*l${level - 1}, *l${level - 1}, *l${level - 1}]`)

export const hostileDefinitions: readonly (readonly [name: string, rule: DefinitionRule, source: string])[] = [
  ['what is repeated grows', 'yaml', laughs.join('\n')],
  ['what holds itself', 'shape', '&a [*a]'],
  ['lists in lists', 'yaml', filled('[')],
  ['lists that end', 'yaml', filled(']')],
  ['tables in tables', 'yaml', filled('{a: ')],
  ['lists on a line', 'yaml', filled('- ')],
  ['questions on a line', 'yaml', filled('? ')],
  ['a staircase', 'shape', lines((index) => `${' '.repeat(index)}a:`)],
  ['anchors', 'yaml', filled('&a ')],
  ['tags', 'yaml', filled('!!x ')],
  ['directives', 'yaml', filled('%x\n')],
  ['many names', 'too_many', lines((index) => `k${index}: 1`).slice(0, 60_000)],
  ['more names', 'yaml', lines((index) => `k${index}: 1`)],
  ['one name again', 'yaml', filled('a:\n')],
  ['quotes in quotes', 'yaml', filled('a: "')],
  ['no words', 'yaml', filled('#\n')],
  ['a list of faults', 'yaml', filled('@\n')],
  ['repetitions of repetitions', 'pattern', json(withPattern('((((a{1000}){1000}){1000}){1000}){1000}'))],
  ['groups in groups', 'pattern', json(withPattern(`${'('.repeat(9000)}a${')'.repeat(9000)}`))],
  ['a pattern of alternatives', 'pattern', json(withPattern(Array.from({ length: 5000 }, () => 'ab').join('|')))],
  ['a selector without end', 'selector', json(withTitle({ selector: filled('a > ').slice(0, 19_000) }))],
  ['a selector in itself', 'selector', json(withTitle({ selector: `${':not('.repeat(900)}a${')'.repeat(900)}` }))],
  ['conditions in conditions', 'template', json(withTitle({ text: '{{ if .True }}'.repeat(1400) }))],
  ['loops in loops', 'template', json(withTitle({ text: '{{ range .Categories }}'.repeat(800) }))],
  ['brackets in an expression', 'template', json(withTitle({ text: `{{ ${'('.repeat(19_000)} }}` }))],
]
