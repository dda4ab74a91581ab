import fc from 'fast-check'
import { describe, test } from 'vitest'
import { secretsIn, toLogLine } from '../../../local/agent/core/log-line.ts'
import { logLineBytesMax, secretCharactersMin } from '../../../local/agent/limits.ts'

const line = (fields: Record<string, unknown>, secrets: readonly string[] = []) =>
  toLogLine({ time: 'now', event: 'something_failed', fields }, secrets, logLineBytesMax)
const bytes = (text: string) => new TextEncoder().encode(text).byteLength

/** What programs, pages and models have been caught writing into other people's terminals and logs. */
const corpus = [
  'a\nb\r\n{"level":"error","event":"forged"}',
  '\u001b[2J\u001b]0;title\u0007',
  '\u009b31mred\u009d52;c;x\u009c',
  '\u007f\b\b\b',
  'one\u2028two\u2029three',
  '\u202egnp.exe\u202c \u2066x\u2069',
  '\ud800 alone',
  '\u0000\u0001\u001f',
  '"}\n\\u000a\\',
  '\ufeff\u200f',
]

describe('a line of the log', () => {
  test.for(corpus)('shows %j and obeys none of it', (text, { expect }) => {
    const written = line({ text, [text]: 1, deep: [{ cause: new Error(text) }] })

    expect(written).toMatch(/^[^\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]*$/u)
    expect(JSON.parse(written)).toMatchObject({ time: 'now', level: 'error', event: 'something_failed', text })
  })

  test('is one line of JSON within its bound, whatever the fields are', ({ expect }) => {
    const value = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(value, fc.string({ unit: 'binary' }))),
        (fields) => {
          const written = line(fields)
          expect(bytes(written)).toBeLessThanOrEqual(logLineBytesMax)
          expect(written).not.toMatch(/\p{Cc}/u)
          expect(JSON.parse(written)).toMatchObject({ level: 'error' })
        },
      ),
      { numRuns: 200 },
    )
  })

  test.for(['x', '\u009b', 'é', '😀', '"', '\\', '\n'])(
    'of too many %j is cut with a mark, and still JSON',
    (sign, { expect }) => {
      const frame = bytes(line({ text: '' }))
      expect(line({ text: 'x'.repeat(logLineBytesMax - frame) })).not.toContain('"cut"')

      const written = line({ text: sign.repeat(logLineBytesMax) })
      expect(bytes(written)).toBeLessThanOrEqual(logLineBytesMax)
      expect(JSON.parse(written)).toMatchObject({
        event: 'something_failed',
        cut: expect.stringMatching(/^\{"text":".*…$/),
      })
    },
  )

  test('tells the event although a field cannot be written', ({ expect }) => {
    const self: Record<string, unknown> = {}
    self['self'] = self
    expect(JSON.parse(line(self))).toMatchObject({ event: 'something_failed', fields: 'cannot be written' })
  })

  test('holds no secret, wherever it stands', ({ expect }) => {
    const secrets = ['sk-"quoted"-canary', 'sk-canary-0815']
    for (const secret of secrets) {
      const cause = new Error(`refused ${secret}`)
      const written = line({ secret, cause, list: [`Bearer ${secret}`], address: `http://x/?key=${secret}` }, secrets)
      expect(written).not.toContain('canary')
      expect(JSON.parse(written)).toMatchObject({ list: ['Bearer [secret]'] })
    }
  })
})

test('variables are secret by the end of their name, unless their value is an ordinary word', ({ expect }) => {
  const long = 'x'.repeat(secretCharactersMin)
  const found = secretsIn(
    {
      OPENAI_API_KEY: `${long}1`,
      GITHUB_TOKEN: `${long}2`,
      SVC_SERVER_PASSWORD: `${long}3`,
      client_secret: `${long}4`,
      SHORT_KEY: long.slice(1),
      KEYBOARD: `${long}5`,
      PATH: `${long}6`,
    },
    secretCharactersMin,
  )
  expect(found).toEqual([1, 2, 3, 4].map((end) => `${long}${end}`))
})
