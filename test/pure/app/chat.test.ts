/** What is written to a bot, and how long answers are cut. */
import { describe, test } from 'vitest'
import { readUpdate } from '../../../workers/app/adapters/chat/read-update.ts'
import { inPieces, readWritten } from '../../../workers/app/core/chat/command.ts'
import { secondsToRetry } from '../../../workers/app/core/chat/retry.ts'
import {
  chatAttemptsMax,
  chatMessageCharactersMax,
  chatPartsMax,
  chatRetrySeconds,
} from '../../../workers/app/limits.ts'

test.for([
  ['/status', { kind: 'command', command: 'status', words: '' }],
  ['/STATUS@wharf_bot', { kind: 'command', command: 'status', words: '' }],
  ['/search  salt\nroad ', { kind: 'command', command: 'search', words: 'salt\nroad' }],
  ['/resume x', { kind: 'resume', words: 'x' }],
  ['/start', { kind: 'help' }],
  ['/start ABCD', { kind: 'pair', code: 'ABCD' }],
  ['/pair', { kind: 'pair', code: '' }],
  ['/push 1', { kind: 'unknown' }],
  ['/', { kind: 'unknown' }],
  [' how are things? ', { kind: 'text', text: 'how are things?' }],
] as const)('%j is %j', ([text, written], { expect }) => {
  expect(readWritten(text)).toEqual(written)
})

describe('what the platform did not take', () => {
  test.for([
    [0, 'unreachable', 0, 2],
    [0, 'rate_limited', 45, 45],
    [chatAttemptsMax - 2, 'status', 0, 300],
    [chatAttemptsMax - 1, 'status', 0, undefined],
    [chatAttemptsMax - 1, 'rate_limited', 45, undefined],
    [0, 'rejected', 0, undefined],
    [0, 'credentials', 0, undefined],
    [0, 'not_found', 0, undefined],
  ] as const)(
    'after %i tries, for being %s and told to wait %i s, waits %s',
    ([attempts, kind, told, waits], { expect }) => {
      const bounds = { attemptsMax: chatAttemptsMax, pauses: chatRetrySeconds }
      expect(secondsToRetry(attempts, kind, told, bounds)).toBe(waits)
    },
  )
})

describe('a long answer', () => {
  test('is cut where a line ends, not within a character, and loses nothing', ({ expect }) => {
    expect(inPieces('aaaa\nbbb', 5, 3)).toEqual(['aaaa', 'bbb'])
    expect(inPieces('abcd𠮷x', 5, 3)).toEqual(['abcd', '𠮷x'])
    expect(inPieces('a'.repeat(chatMessageCharactersMax), chatMessageCharactersMax, chatPartsMax)).toHaveLength(1)
    expect(inPieces('a'.repeat(chatMessageCharactersMax + 1), chatMessageCharactersMax, chatPartsMax)).toHaveLength(2)
  })

  test('has so many pieces, of which the last says that there was more', ({ expect }) => {
    const whole = inPieces('a'.repeat(10 * chatPartsMax), 10, chatPartsMax)
    expect([whole.length, whole.join('')]).toEqual([chatPartsMax, 'a'.repeat(10 * chatPartsMax)])
    const cut = inPieces('a'.repeat(10 * chatPartsMax + 1), 10, chatPartsMax)
    expect([cut.length, cut.at(-1)]).toEqual([chatPartsMax, 'aaaaaaaaa…'])
  })
})

describe('an update', () => {
  const chat = { id: 5, type: 'private' }
  const from = { id: 5, first_name: 'Ada', username: 'ada' }
  test.for([
    ['a message', { update_id: 1, message: { message_id: 1, chat, from, text: 'x' } }, { text: 'x' }],
    ['a picture', { update_id: 1, message: { message_id: 1, chat, from, photo: [] } }, undefined],
    [
      'a group',
      { update_id: 1, message: { message_id: 1, chat: { id: -1, type: 'group' }, from, text: 'x' } },
      undefined,
    ],
    [
      'another one in the chat',
      { update_id: 1, message: { message_id: 1, chat, from: { id: 6 }, text: 'x' } },
      undefined,
    ],
    ['something new', { update_id: 1, purchased: {} }, undefined],
    ['no number', { message: { message_id: 1, chat, from, text: 'x' } }, undefined],
    ['nothing', null, undefined],
  ] as const)('of %s', ([, written, read], { expect }) => {
    if (read === undefined) expect(readUpdate(written)).toBeUndefined()
    else expect(readUpdate(written)).toMatchObject({ id: 1, chat: '5', name: 'Ada @ada', ...read })
  })
})
