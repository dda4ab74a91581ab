import { describe, test } from 'vitest'
import {
  filterToken,
  hasToken,
  matchParts,
  pathAsked,
  toggleToken,
} from '../../../../local/viewer/web/model/search-text.ts'

describe('what a search box asks for', () => {
  test.for([
    ['claimNext to release', 'claimNext', 'release'],
    ['a -> b', 'a', 'b'],
    ['Worker::tick->release', 'Worker::tick', 'release'],
    ['a→b', 'a', 'b'],
    ['how does parse reach finalizeIssue?', 'parse', 'finalizeIssue'],
    ['从 a 到 b', 'a', 'b'],
    ['  a  to  b  ', 'a', 'b'],
  ] as const)('“%s” is a path', ([text, from, to], { expect }) => {
    expect(pathAsked(text)).toEqual({ from, to })
  })

  test.for(['', 'to', 'tomato', 'a to', 'to b', 'a to a', 'button label', 'one two to three', 'path:src kind:class'])(
    '“%s” is a name',
    (text, { expect }) => {
      expect(pathAsked(text)).toBeUndefined()
    },
  )

  test('a filter is added once and taken away again', ({ expect }) => {
    const token = filterToken('path', 'my folder')
    expect(token).toBe('path:"my folder"')
    const asked = toggleToken('lease kind:class', token)
    expect(asked).toBe('lease kind:class path:"my folder"')
    expect(hasToken(asked, token)).toBe(true)
    expect(toggleToken(asked, token)).toBe('lease kind:class')
    expect(toggleToken('', 'kind:class')).toBe('kind:class')
  })

  test.for([
    ['makeLease', 'lease', ['make', '*Lease']],
    ['Lease', 'lease', ['*Lease']],
    ['lease', '', ['lease']],
    ['lease', 'x', ['lease']],
    ['aXa', 'a', ['*a', 'Xa']],
  ] as const)('in “%s” the part “%s” is marked', ([name, wanted, parts], { expect }) => {
    expect(matchParts(name, wanted).map((part) => (part.isMatch ? `*${part.text}` : part.text))).toEqual(parts)
  })
})
