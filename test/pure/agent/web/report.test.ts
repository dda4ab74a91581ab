import { describe, test } from 'vitest'
import { certainIn, readReport, reliedOn, splitReach } from '../../../../local/agent/web/model/report.ts'

const report = [
  'Relying on function claim',
  '',
  'Certain callers (2)',
  "  src/worker.ts:4  function tick  | return claim(id, 'one') || x",
  '  ... 1 more',
  '',
  'Possible callers (1)',
  '  src/hook.ts:9  method Hook.run [guessed by name, 0.41]  | it.claim()',
  '',
  'Not as indexed: src/a.ts.',
].join('\n')

describe('what the code index says', () => {
  test('is read by its parts, each row with its place', ({ expect }) => {
    expect(readReport(report)).toEqual([
      { kind: 'text', text: 'Relying on function claim' },
      {
        kind: 'part',
        title: 'Certain callers',
        count: 2,
        rows: [
          { place: 'src/worker.ts:4', what: 'function tick', text: "return claim(id, 'one') || x" },
          { place: '', what: '... 1 more', text: '' },
        ],
      },
      {
        kind: 'part',
        title: 'Possible callers',
        count: 1,
        rows: [{ place: 'src/hook.ts:9', what: 'method Hook.run [guessed by name, 0.41]', text: 'it.claim()' }],
      },
      { kind: 'text', text: 'Not as indexed: src/a.ts.' },
    ])
  })

  test('names whom it is about, and counts those that are certain alone', ({ expect }) => {
    expect(reliedOn('Relying on function claim, class Job')).toBe('function claim, class Job')
    expect(reliedOn('Nothing in the index does.')).toBeUndefined()
    expect(certainIn(report)).toBe(2)
    expect(certainIn('The index has no symbol "x".')).toBeUndefined()
  })

  test('is told apart from what an edit answered besides', ({ expect }) => {
    const introduced = `Changed a.ts\nOf what it was before, the code index says:\n${report}`
    expect(splitReach(introduced)).toEqual({ said: 'Changed a.ts', reach: report })
    expect(splitReach('Changed a.ts\nerror: x')).toEqual({ said: 'Changed a.ts\nerror: x', reach: undefined })
  })

  test('stays whole where it has another form', ({ expect }) => {
    expect(readReport('no parts\n  indented').map(({ kind }) => kind)).toEqual(['text', 'text'])
  })
})
