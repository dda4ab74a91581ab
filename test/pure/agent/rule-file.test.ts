import { describe, test } from 'vitest'
import { parseRuleFile, sayRules } from '../../../local/agent/core/rule-file.ts'

describe('a file of rules', () => {
  test.for([
    ['---\nglobs: *.ts,*.tsx\n---\nx', ['*.ts', '*.tsx']],
    ['---\nglobs: src/**/*.{ts,tsx}, docs/*.md\n---\nx', ['src/**/*.{ts,tsx}', 'docs/*.md']],
    ['---\nglobs: ["a.ts", "b.ts"]\n---\nx', ['a.ts', 'b.ts']],
    ['---\nglobs:\n  - a.ts\n  - "b.ts"\ndescription: d\n---\nx', ['a.ts', 'b.ts']],
    ['---\r\nglobs: a.ts\r\n---\r\nx', ['a.ts']],
    ['---\ndescription: d\n---\nx', []],
  ] as const)('%j is about %j', ([file, globs], { expect }) => {
    const rule = parseRuleFile(file)
    expect(rule.globs).toEqual(globs)
    expect(rule.text).toBe('x')
    expect(rule.isAlways).toBe(false)
  })

  test.for([
    ['always', '---\nalwaysApply: true\n---\nBe kind.', 'Rules from r.mdc:\n\nBe kind.'],
    ['without a head', 'Be kind.', 'Rules from r.mdc:\n\nBe kind.'],
    ['always, and empty', '---\nalwaysApply: true\n---\n', ''],
    [
      'by pattern',
      '---\nglobs: *.ts\n---\nx',
      'Rules for files that match *.ts: read r.mdc before you change one of them.',
    ],
    [
      'by what it says',
      '---\ndescription: "How to test"\n---\nx',
      'Rules to read where they apply, in r.mdc: How to test',
    ],
    ['by hand', '---\nalwaysApply: false\n---\nx', ''],
    ['a head that never ends', '---\nglobs: *.ts\nx', 'Rules from r.mdc:\n\n---\nglobs: *.ts\nx'],
  ] as const)('that applies %s is told so', ([, file, told], { expect }) => {
    expect(sayRules('r.mdc', parseRuleFile(file))).toBe(told)
  })
})
