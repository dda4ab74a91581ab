import { describe, test } from 'vitest'
import {
  compileTemplate,
  TemplateFault,
  templateOutputCharactersMax,
  type Variable,
} from '../../../../workers/app/core/cardigann/template.ts'

const variables = new Map<string, Variable>([
  ['.Keywords', 'two words'],
  ['.Categories', ['5', '7']],
  ['.Config.sort', 'seeders'],
  ['.Config.free', 'True'],
  ['.Config.off', ''],
  ['.Config.sitelink', 'https://a.example/'],
  ['.Query.Season', '3'],
  ['.Result.title', 'A title'],
  ['.Result._type', 'b'],
  ['.Today.Year', '2031'],
])

describe('templates of definitions', () => {
  test.for([
    ['plain', 'plain'],
    ['{{ .Keywords }}', 'two words'],
    ['{{.Keywords}}-{{ .Config.sort}}', 'two words-seeders'],
    ['{{ .Config.missing }}', ''],
    ['{{ if .Config.free }}yes{{ else }}no{{ end }}', 'yes'],
    ['{{ if .Config.off }}yes{{ else }}no{{ end }}', 'no'],
    ['{{ if .Config.off }}a{{ else if .Config.free }}b{{ else }}c{{ end }}', 'b'],
    ['{{ if not .Config.off }}yes{{ end }}', 'yes'],
    ['{{ if eq .Config.sort "seeders" }}s{{ end }}', 's'],
    ['{{ if eq .Config.sort "a" "seeders" }}s{{ end }}', 's'],
    ['{{ if ne .Config.sort "seeders" }}s{{ else }}t{{ end }}', 't'],
    ['{{ if and (.Config.free) (eq .Result._type "b") }}both{{ end }}', 'both'],
    ['{{ if and (.Keywords) (eq .Config.off .False)) }}x{{ end }}', 'x'],
    ['{{ if or (eq .Result._type "x") (or (eq .Result._type "y") (eq .Result._type "b")) }}deep{{ end }}', 'deep'],
    ['{{ or .Config.off .Query.Season .Keywords }}', '3'],
    ['{{ and .Config.free .Query.Season }}', '3'],
    ['{{ if .True }}t{{ end }}{{ if .False }}f{{ end }}', 't'],
    ['{{ join .Categories "," }}', '5,7'],
    ['{{ range .Categories }}c{{.}}=1&{{end}}', 'c5=1&c7=1&'],
    ['{{ range $i, $e := .Categories }}{{ $i }}:{{ $e }};{{ end }}', '0:5;1:7;'],
    ['{{ range .Categories }}{{ . }}{{ $.Config.sort }}{{ end }}', '5seeders7seeders'],
    ['{{ range .Config.off }}x{{ else }}none{{ end }}', 'none'],
    ['{{ re_replace .Keywords "\\s+" "+" }}', 'two+words'],
    ['{{ re_replace .Keywords "(\\w)\\w*" "$1" }}', 't w'],
    ['{{ if .Config.free }}{{ if .Config.off }}a{{ else }}b{{ end }}{{ end }}', 'b'],
    ['a {{- .Config.sort -}} b', 'aseedersb'],
    ['{{ .Today.Year }}', '2031'],
    ['{{/* said to readers */}}x', 'x'],
    ['{{ "quoted }} text" }}', 'quoted }} text'],
    ['{{ "a \\"b\\"" }}', 'a "b"'],
  ])('%s', ([source, expected], { expect }) => {
    expect(compileTemplate(source as string).render(variables)).toBe(expected)
  })

  test('encodes what is looked up, and nothing else', ({ expect }) => {
    expect(compileTemplate('s?q={{ .Keywords }}&a b').render(variables, encodeURIComponent)).toBe('s?q=two%20words&a b')
  })

  test.for([
    '{{ if .Keywords }}no end',
    '{{ end }}',
    '{{ else }}',
    '{{ .Keywords',
    '{{ unknown .Keywords }}',
    '{{ eq .Keywords }}',
    '{{ join .Categories }}',
    '{{ re_replace .Keywords "(" "" }}',
    '{{ .Keywords .Keywords }}',
    '{{ }}',
    '{{ (.Keywords }}',
    `${'{{ if .Keywords }}'.repeat(60)}${'{{ end }}'.repeat(60)}`,
  ])('refuses %s', (source, { expect }) => {
    expect(() => compileTemplate(source)).toThrow(TemplateFault)
  })

  test('writes as much as its bound, and no more', ({ expect }) => {
    const list = new Map<string, Variable>([['.Categories', Array.from({ length: 1000 }, () => 'x')]])
    const perItem = Math.floor(templateOutputCharactersMax / 1000) - 1
    expect(
      compileTemplate(`{{ range .Categories }}${'y'.repeat(Math.floor(perItem / 2))}{{ end }}`).render(list),
    ).toContain('y')
    expect(() => compileTemplate(`{{ range .Categories }}${'y'.repeat(perItem + 2)}{{ end }}`).render(list)).toThrow(
      TemplateFault,
    )
  })
})
