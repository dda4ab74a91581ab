/** A session that is shared as a file: without secrets, and without anything that acts. */
import { describe, test } from 'vitest'
import { redactAll, redactText } from '../../../../local/agent/web/model/redact.ts'
import { sharedPage } from '../../../../local/agent/web/model/shared-page.ts'

describe('what leaves in a shared file', () => {
  test.for([
    ['Authorization: Bearer abcdef123456', 'abcdef123456'],
    ['curl -H "X-Api-Key: hunter2hunter2"', 'hunter2hunter2'],
    ['OPENAI_API_KEY=sk-proj-abcdefghijkl', 'abcdefghijkl'],
    ['export DB_PASSWORD="two words here"', 'two words'],
    ["token: 'short'", 'short'],
    ['{"client_secret": "a\\"b"}', 'a\\"b'],
    ['https://user:pa55word@example.com/x', 'pa55word'],
    ['ghp_0123456789abcdefghij', '0123456789abcdefghij'],
    ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig', 'eyJzdWIiOiIxIn0'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----', 'MIIabc'],
    ['-----BEGIN PRIVATE KEY-----\nMIIcut', 'MIIcut'],
    ['set-cookie: sid=deadbeef', 'deadbeef'],
  ])('has no secret of %s', ([text, secret], { expect }) => {
    expect(text).toContain(secret)
    expect(redactText(text ?? '')).not.toContain(secret)
    expect(redactText(text ?? '')).toContain('[secret]')
  })

  test.for([
    'The claim reads a due job and writes the lease.',
    'const tokens = count(text)\nreturn secretary',
    'https://example.com/a?b=c#d',
    'src/keys/token-list.ts:14',
  ])('has the words %s as they are', (text, { expect }) => {
    expect(redactText(text)).toBe(text)
  })

  test('is looked through however deep it lies, names of values included', ({ expect }) => {
    const value = { input: { command: 'echo $X', headers: [{ Authorization: 'abc' }] }, password: 'short', n: 3 }
    expect(redactAll(value)).toEqual({
      input: { command: 'echo $X', headers: [{ Authorization: '[secret]' }] },
      password: '[secret]',
      n: 3,
    })
  })
})

describe('a shared file', () => {
  const page = sharedPage({
    title: '</title><script>alert(1)</script>',
    note: 'now & then',
    language: 'en',
    styles: 'a { background: url("https://elsewhere.example/x.png") } </style><script>1</script>',
    icons: '<symbol id="i-x"/>',
    body: '<p>text</p>',
  })
  test('runs nothing and asks nobody', ({ expect }) => {
    expect(page).not.toMatch(/<script/)
    expect(page).not.toContain('elsewhere.example')
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(page.match(/<\/style>/g)).toHaveLength(1)
  })
  test('has its title as text', ({ expect }) => {
    expect(page).toContain('<title>&#60;/title&#62;&#60;script&#62;')
  })
})
