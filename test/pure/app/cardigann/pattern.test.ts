import { describe, test } from 'vitest'
import {
  compilePattern,
  PatternTooCostly,
  patternPlacesMax,
  patternStepsMax,
} from '../../../../workers/app/core/cardigann/pattern.ts'
import { instructionsMax } from '../../../../workers/app/core/cardigann/pattern-program.ts'
import { PatternFault, repeatMax } from '../../../../workers/app/core/cardigann/pattern-syntax.ts'

describe('patterns in the dialect of definitions', () => {
  test.for([
    ['(\\d+)', 'id=77&cat=5', '<$1>', 'id=<77>&cat=<5>'],
    ['(?i)\\bwEb[-\\s]?dl\\b', 'a WEB-DL b', '*', 'a * b'],
    ['^(.+?)\\s-\\s(.+)$', 'left - right', '$2 - $1', 'right - left'],
    ['(?<year>\\d{4})', 'Film 2019', '(\u0024{year})', 'Film (2019)'],
    ["(?'word'\\w+) (\\w+)", 'one two', '$1 \u0024{word} $2', 'two one one'],
    ['(\\.MULTI)\\1', 'a.MULTI.MULTI.b', '$1', 'a.MULTI.b'],
    ['(?<!\\d)x(?!\\d)', 'x 1x x2 x', 'y', 'y 1x x2 y'],
    ['(?<=a+)b', 'aab cb', '-', 'aa- cb'],
    ['(?>a+)ab', 'aaab', '-', 'aaab'],
    ['[a-z-[aeiou]]+', 'hello', '.', '.e.o'],
    ['[^\\w\\s]', 'a,b!', '', 'ab'],
    ['\\p{IsCyrillic}+', 'тест abc', '@', '@ abc'],
    ['\\w+', 'žluťoučký', '@', '@'],
    ['a{2,3}', 'aaaaa', '-', '--'],
    ['a{2,3}?', 'aaaaa', '-', '--a'],
    ['x*', 'axb', '-', '-a--b-'],
    ['$', 'end\n', '!', 'end!\n!'],
    ['(?m)^', 'a\nb', '> ', '> a\n> b'],
    ['(?s)a.b', 'a\nb', '-', '-'],
    ['a.b', 'a\nb', '-', 'a\nb'],
    ['(?x) a  b # a comment', 'ab', '-', '-'],
    ['(?i:A)b', 'ab aB', '-', '- aB'],
    ['\\u0041\\x42\\t', 'AB\t', '-', '-'],
    ['a|b|', 'ab', '-', '---'],
    ['(a)|(b)', 'ab', '[$1|$2]', '[a|][|b]'],
    ['b', 'abc', "$$ $& $` $' $_ $9 \u0024{no}", 'a$ b a c abc $9 \u0024{no}c'],
    ['{', 'a{b', '-', 'a-b'],
    ['[]a]+', 'x]a]', '-', 'x-'],
    ['[a\\-z]', 'a-z', '.', '...'],
  ])('%s over "%s"', ([source, text, replacement, expected], { expect }) => {
    expect(compilePattern(source as string).replace(text as string, replacement as string)).toBe(expected)
  })

  test.for([
    '(',
    'a)',
    '[a',
    '*a',
    'a**',
    '(?<n',
    '(?',
    '\\',
    '\\p{Nothing}',
    '[z-a]',
    'a{3,2}',
    '\\k<none>',
    '\\2',
    '(?(1)a|b)',
  ])('refuses %s', (source, { expect }) => {
    expect(() => compilePattern(source)).toThrow(PatternFault)
  })

  test('counts repetitions as far as its bound, and no further', ({ expect }) => {
    expect(compilePattern(`^a{${repeatMax}}$`).match('a'.repeat(repeatMax))?.end).toBe(repeatMax)
    expect(() => compilePattern(`a{${repeatMax + 1}}`)).toThrow(PatternFault)
    expect(() => compilePattern(`(?:a{${repeatMax}}){${Math.ceil(instructionsMax / repeatMax)}}`)).toThrow(PatternFault)
  })

  test.for([
    ['(a+)+$', `${'a'.repeat(5000)}!`],
    ['(a|a)*b', 'a'.repeat(5000)],
    ['(.*)(.*)(.*)(.*)x', 'a'.repeat(2000)],
    ['(\\w+\\s?)*$', `${'word '.repeat(1000)}!!`],
    ['^(?:(?!x).)*y', 'a'.repeat(5000)],
    ['(a?){30}a{30}', 'a'.repeat(30)],
  ])('%s is decided within its steps, where others count to the end of days', ([source, text], { expect }) => {
    expect(() => compilePattern(source as string).match(text as string)).not.toThrow()
  })

  test('gives up what cannot be bounded otherwise', ({ expect }) => {
    expect(() => compilePattern('(a*)*\\1c').match('a'.repeat(3000))).toThrow(PatternTooCostly)
    expect(patternStepsMax).toBeGreaterThan(0)
    const marks = 40
    const wide = compilePattern('a?'.repeat(marks))
    const charactersMax = Math.floor(patternPlacesMax / marks) - 1
    expect(wide.match('b'.repeat(1000))?.end).toBe(0)
    expect(() => wide.match('b'.repeat(charactersMax + 1))).toThrow(PatternTooCostly)
  })

  test('finds what the platform finds, over invented texts', ({ expect }) => {
    const sources = [
      '(a|ab)(c|bcd)(d*)',
      '(a+|b)*?c',
      '(?:x(y)?)+',
      '[ab]*?(b|$)',
      '(^|,)([^,]*)',
      '(?=(a+))a*b\\d?',
      'a??b{0,2}',
    ]
    const letters = 'abcdxy,1'
    let seed = 7
    for (const source of sources) {
      const own = compilePattern(source)
      for (let round = 0; round < 200; round += 1) {
        let text = ''
        for (let length = round % 12; length > 0; length -= 1) {
          seed = (seed * 1103515245 + 12345) & 0x7fffffff
          text += letters[(seed >> 8) % letters.length]
        }
        const theirs = new RegExp(source).exec(text)
        const ours = own.match(text)
        expect([source, text, ours?.index, ours?.groups[0]]).toEqual([source, text, theirs?.index, theirs?.[0]])
      }
    }
  })
})
