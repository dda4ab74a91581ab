import { describe, test } from 'vitest'
import { logLineCharactersMax } from '../../../local/workerd/limits.ts'
import { faultLine, isForOwner, toLogLine } from '../../../local/workerd/log-lines.ts'

describe('a line of the log', () => {
  test.for([
    ['plain\n', 'plain'],
    ['two\nlines', 'two\\nlines'],
    ['tab\there', 'tab\\there'],
    ['\u001b[2Jgone\r', '\\u001b[2Jgone'],
    ['left\u009dright', 'left\\u009dright'],
    ['a\u2028b', 'a\\u2028b'],
    ['key is s3cret, s3cret', 'key is [secret], [secret]'],
  ] as const)('%j becomes %j', ([message, line], { expect }) => {
    expect(toLogLine(message, ['s3cret'])).toBe(line)
  })

  test('is whole at its bound and cut with a mark past it', ({ expect }) => {
    expect(toLogLine('x'.repeat(logLineCharactersMax), [])).toBe('x'.repeat(logLineCharactersMax))
    expect(toLogLine('x'.repeat(logLineCharactersMax + 1), [])).toBe(`${'x'.repeat(logLineCharactersMax)} [cut]`)
  })
})

describe('what of the runtime’s own notes an owner sees', () => {
  test.for([
    ['NOSENTRY per-isolate bootstrap compile cache failed its compatibility check; scripts will be compiled', false],
    ['NOSENTRY SQLite alarm overdue, running despite AlarmManager mismatch; scheduledTime = 1s', false],
    ['NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm.; scheduledTime = 1s', false],
    ['NOSENTRY SQLite failed: database disk image is malformed', true],
    ['Uncaught Error: NOSENTRY per-isolate bootstrap compile cache', true],
    ['D1_ERROR: no such table: feeds', true],
  ] as const)('%s: %s', ([message, isShown], { expect }) => {
    expect(isForOwner(message)).toBe(isShown)
  })
})

test('a fault of the host says when, how grave and what, on one line', ({ expect }) => {
  const line = faultLine('request_broke', new Error('a\nb'))
  expect(line).not.toContain('\n')
  expect(JSON.parse(line)).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    level: 'error',
    event: 'request_broke',
    cause: expect.stringContaining('Error: a\nb'),
  })
  expect(JSON.parse(faultLine('unhandled', 'words'))).toMatchObject({ cause: 'words' })
})
