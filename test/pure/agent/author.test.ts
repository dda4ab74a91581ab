import { test } from 'vitest'
import { readAuthor, writeAuthor } from '../../../local/git/author.ts'

test.each([
  ['nothing', '', {}],
  [
    'both',
    '[user]\n\tname = Lee Adair\n\temail = lee@quay.example\n',
    { name: 'Lee Adair', email: 'lee@quay.example' },
  ],
  ['the last of several', '[user]\nname = a\n[core]\nname = b\n[USER]\nNAME = c\r\n', { name: 'c' }],
  ['what stands on the line of the head', '[user] name = "a"\n', { name: 'a' }],
  ['none of a part of it', '[user "work"]\nname = a\n', {}],
  [
    'quotes, escapes and no comment',
    '[user]\nname = "a # \\"b\\"" c ; d\nemail = e # f\n',
    { name: 'a # "b" c', email: 'e' },
  ],
])('%s is read', (_, text, told) => {
  const found = readAuthor(text)
  if (JSON.stringify(found) !== JSON.stringify(told)) throw new Error(JSON.stringify(found))
})

test('what is written says the same when it is read, and no further line', ({ expect }) => {
  const author = { name: 'a "b" \\ c', email: 'e@quay.example' }
  expect(readAuthor(writeAuthor(author))).toEqual(author)
  expect(writeAuthor({ name: 'a\n[core]\npager = x', email: 'e' })).toBe(
    '[user]\n\tname = "a [core] pager = x"\n\temail = "e"\n',
  )
})
