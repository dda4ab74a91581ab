/** A review to read, and one for programs that show findings beside code (SARIF 2.1.0). */
import type { Verdict } from '../../indexer/core/vocabulary.ts'
import type { BrokenContract } from './contracts.ts'
import type { AffectedSymbol, Review } from './review.ts'
import type { ReviewedSymbol } from './reviewed-change.ts'

const rowsShown = 40

export function reviewText(review: Review): string {
  const { owners, contracts, changed, affected, routes, tests, newlyDead, newlyCircular, notIndexed } = review
  const untested = changed.filter((one) => one.tested === 'no')
  const certain = affected.items.filter((one) => one.isCertain)
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Owners', owners.map((one) => `${one.owner}  ${one.files.join(', ')}`)],
    ['Contracts broken', contracts.flatMap(contractRows)],
    ['Changed', changed.map((one) => `${placed(one)}${testedWords[String(one.tested)] ?? ''}`)],
    ['Certainly affected', certain.map(affectedRow)],
    ['Possibly affected', affected.items.filter((one) => !one.isCertain).map(affectedRow)],
    ['Routes', routes.map((one) => `${one.isCertain ? 'certain ' : 'possible'}  ${placed(one)}${said(one.verdict)}`)],
    [
      'Tests that reach it',
      tests.map((one) => `${one.isCertain ? 'certain ' : 'possible'}  ${one.file}  through ${one.through.join(' > ')}`),
    ],
    ['Nothing uses it any more', newlyDead.filter((one) => !one.isNew).map(placed)],
    ['New, and nothing uses it', newlyDead.filter((one) => one.isNew).map(placed)],
    ['New circles of files', newlyCircular.map((one) => `${one.file}:${one.line}  ${one.files.join(' > ')}`)],
    ['Not in the index, so nothing is known of them', notIndexed],
  ]
  const head = `${review.range}: ${counted(changed.length, 'symbol')} changed, ${counted(affected.total, 'symbol')} affected, ${counted(tests.length, 'test file')} to run, ${counted(untested.length, 'changed symbol')} without a test`
  return [
    head,
    ...sections.flatMap(([title, rows]) =>
      rows.length === 0
        ? []
        : [
            `\n${title} (${rows.length})`,
            ...rows.slice(0, rowsShown).map((row) => `  ${row}`),
            ...(rows.length > rowsShown ? [`  ... ${rows.length - rowsShown} more; --json has all`] : []),
          ],
    ),
  ].join('\n')
}

const testedWords: Readonly<Record<string, string>> = {
  certain: '',
  possible: '  (perhaps tested)',
  no: '  (no test reaches it)',
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function placed({ file, line, kind, name }: ReviewedSymbol): string {
  return `${file}:${line}  ${kind} ${name}`
}

function said(verdict: Verdict | null): string {
  return verdict === null ? '' : `  (${verdict})`
}

function contractRows(one: BrokenContract): string[] {
  const uses = `${counted(one.callers.length, 'certain use')}, ${one.possible} possible`
  const what = {
    gone: `${one.name} is gone; ${uses}`,
    changed: `${one.kind} ${one.name} has another signature; ${uses}`,
    unmet: `${one.kind} ${one.name} is asked for now; ${counted(one.callers.length, 'type')} without it, ${one.possible} possible`,
  }[one.how]
  return [
    `${one.file}:${one.line}  ${what}`,
    ...(one.before === null ? [] : [`  - ${one.before}`]),
    ...(one.now === null ? [] : [`  + ${one.now}`]),
    ...one.callers.map(
      (caller) => `  ${caller.file}:${caller.atLine}  ${caller.kind} ${caller.name}${said(caller.verdict)}`,
    ),
  ]
}

function affectedRow(one: AffectedSymbol): string {
  return `${one.file}:${one.atLine}  ${one.kind} ${one.name} > ${one.toward}${said(one.verdict)}`
}

const rules = {
  'broken-contract': {
    level: 'warning',
    text: 'A use of a public signature that the change altered or took away, or a type that lacks what it asks for',
  },
  'affected-route': { level: 'note', text: 'A route that the change reaches' },
  'newly-circular': { level: 'warning', text: 'A line of the change closes a circle of files' },
  'newly-dead': { level: 'warning', text: 'Nothing in the index uses it any more' },
  'new-unused': { level: 'note', text: 'New, and nothing in the index uses it' },
  'untested-change': { level: 'note', text: 'A changed symbol that no test in the index reaches' },
} as const
type Rule = keyof typeof rules

export function reviewSarif(review: Review, version: string): object {
  const names = Object.keys(rules) as Rule[]
  const result = (rule: Rule, file: string, line: number, message: string, verdict: Verdict | null = null): object => ({
    ruleId: rule,
    ruleIndex: names.indexOf(rule),
    level: rules[rule].level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'SRCROOT' },
          region: { startLine: line },
        },
      },
    ],
    // The same finding after lines above it moved is the same finding.
    partialFingerprints: { 'symbol/v1': `${rule}:${file}:${message}` },
    ...(verdict === null ? {} : { properties: { verdict } }),
  })
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'indexer review',
            version,
            rules: names.map((id) => ({
              id,
              shortDescription: { text: rules[id].text },
              defaultConfiguration: { level: rules[id].level },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [
          ...review.contracts.flatMap((one) =>
            one.callers.map((caller) =>
              result(
                'broken-contract',
                caller.file,
                caller.atLine,
                {
                  gone: `${caller.name} uses ${one.name}, which ${one.file} has no more`,
                  changed: `${caller.name} uses ${one.name} of ${one.file}, which has another signature now`,
                  unmet: `${caller.name} lacks ${one.name}, which ${one.file} asks for now`,
                }[one.how],
                caller.verdict,
              ),
            ),
          ),
          ...review.newlyDead.map((one) =>
            one.isNew
              ? result(
                  'new-unused',
                  one.file,
                  one.line,
                  `${one.kind} ${one.name} is new, and nothing in the index uses it`,
                )
              : result('newly-dead', one.file, one.line, `nothing in the index uses ${one.kind} ${one.name} any more`),
          ),
          ...review.newlyCircular.map((one) =>
            result('newly-circular', one.file, one.line, `closes a circle: ${one.files.join(' > ')}`),
          ),
          ...review.changed
            .filter((one) => one.tested === 'no')
            .map((one) => result('untested-change', one.file, one.line, `no test reaches ${one.kind} ${one.name}`)),
          ...review.routes.map((one) =>
            result(
              'affected-route',
              one.file,
              one.line,
              `${one.isCertain ? 'surely' : 'perhaps'} reaches the change: ${one.name}`,
              one.verdict,
            ),
          ),
        ],
      },
    ],
  }
}
