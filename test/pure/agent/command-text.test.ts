import fc from 'fast-check'
import { describe, test } from 'vitest'
import { expandTemplate, parseCommandLine } from '../../../local/agent/core/command-text.ts'

describe('a prompt', () => {
  test.for([
    ['/ship', 'ship', ''],
    ['/ship  now\nand here ', 'ship', 'now\nand here'],
    ['/git/review-all HEAD~1', 'git/review-all', 'HEAD~1'],
  ] as const)('%o names the command %s with %o', ([text, name, rest], { expect }) => {
    expect(parseCommandLine(text)).toEqual({ name, rest })
  })

  test.for(['ship', ' /ship', '//ship', '/', '/ ship', '/-x', '/ship!', 'see /ship'])(
    '%o names none',
    (text, { expect }) => {
      expect(parseCommandLine(text)).toBeUndefined()
    },
  )
})

describe('a template', () => {
  test.for([
    ['Ship $ARGUMENTS now', 'a "b c"', 'Ship a "b c" now'],
    ['$1 then $2', 'a b', 'a then b'],
    ['$1 then $2', 'a b c d', 'a then b c d'],
    ['$2 before $1', `'one two' three`, 'three before one two'],
    ['$1 and $1', 'a', 'a and a'],
    ['$1 $2', '', ''],
    ['only $3', 'a b c d', 'only c d'],
    ['Ship', 'it now', 'Ship\n\nit now'],
    ['Ship', '', 'Ship'],
    ['costs $10 or $ARGUMENTSX', 'x', 'costs $10 or $ARGUMENTSX\n\nx'],
    ['$ARGUMENTS', '$1 $& $ARGUMENTS', '$1 $& $ARGUMENTS'],
  ] as const)('%o with %o is %o', ([template, rest, text], { expect }) => {
    expect(expandTemplate(template, rest)).toBe(text)
  })

  test('never looks into what an argument holds', ({ expect }) => {
    fc.assert(
      fc.property(fc.string(), (rest) => {
        expect(expandTemplate('a $ARGUMENTS b', rest)).toBe(`a ${rest} b`.trim())
      }),
    )
  })
})
