import { describe, expect, test } from 'vitest'
import { providerWords } from '../../../local/agent/core/provider-words.ts'

describe('the words of a provider', () => {
  test.for([
    ['the common shape', '{"error":{"message":"No credit left","type":"x"}}', 'No credit left'],
    ['an error that is a text', '{"error":"No credit left"}', 'No credit left'],
    ['a message alone', '{"message":"No such model"}', 'No such model'],
    ['a detail alone', '{"detail":"No such model"}', 'No such model'],
    ['a list of one', '[{"error":{"message":"Bad key"}}]', 'Bad key'],
    ['plain text', 'upstream is down', 'upstream is down'],
    ['an object that is read already', { message: 'overloaded' }, 'overloaded'],
    ['several lines and marks of direction', '{"message":"one\\n\\ttwo\\u202ethree\\u001b[31m"}', 'one two three [31m'],
    ['a page', '<html><body>502</body></html>', undefined],
    ['nothing', '', undefined],
    ['no message', '{"code":7}', undefined],
    ['a number', '7', undefined],
  ] as const)('of %s', ([, body, shown]) => {
    expect(providerWords(body, [])).toBe(shown)
  })

  test.for([
    ['the key itself', 'key hunter2-in-parts is wrong', ['hunter2-in-parts']],
    ['a key by its looks', 'Incorrect key: sk-hunter2canary', []],
    ['a key with stars', 'Incorrect key: sk-hunter2****************ary', []],
    ['a bearer', 'header Bearer hunter2.xyz refused', []],
    ['a long mixture', 'token a1b2c3d4e5f6g7h8i9j0hunter2k3 refused', []],
    ['an address with a key', 'see https://user:hunter2@host/path?key=hunter2', []],
  ] as const)('without %s', ([, body, secrets]) => {
    const shown = providerWords(body, secrets)
    expect(shown).toBeDefined()
    expect(shown).not.toContain('hunter2')
  })

  test('are 300 characters at the most', () => {
    expect(providerWords('word '.repeat(59).concat('words'), [])).toHaveLength(300)
    const cut = providerWords('word '.repeat(60).concat('w'), [])
    expect(cut).toHaveLength(300)
    expect(cut?.endsWith('…')).toBe(true)
  })
})
