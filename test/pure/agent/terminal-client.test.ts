/** What the terminal client makes of lines, of messages and of what is asked. */
import { describe, test } from 'vitest'
import { filesNamed } from '../../../local/agent/core/named-files.ts'
import type { AssistantMessage, Message } from '../../../local/agent/core/session/message.ts'
import { describePermission, permissionChoices, questionChoices } from '../../../local/agent/terminal/ask-choices.ts'
import { readClientCommand } from '../../../local/agent/terminal/client-commands.ts'
import { blocksOf } from '../../../local/agent/terminal/message-blocks.ts'

test.for([
  ['/new', { name: 'new', rest: '' }],
  ['/model  fake/two ', { name: 'model', rest: 'fake/two' }],
  ['/fix it', undefined],
  ['/newer', undefined],
  ['/constructor', undefined],
  ['say /new', undefined],
  ['/model\nfake/two\n', undefined],
] as const)('%o is the client’s own: %o', ([line, command], { expect }) => {
  expect(readClientCommand(line)).toEqual(command)
})

test.for([
  ['look at @a.txt and @src/b.ts', ['a.txt', 'src/b.ts']],
  ['@a.txt @a.txt', ['a.txt']],
  ['@"with a blank.txt" too', ['with a blank.txt']],
  ['someone@example.test', []],
  ['an @ alone, and @', []],
] as const)('%o names the files %o', ([text, files], { expect }) => {
  expect(filesNamed(text)).toEqual(files)
})

describe('what is shown of a message', () => {
  const step = (content: AssistantMessage['content']): Message => ({
    id: 'msg_1',
    type: 'assistant',
    time: { created: 1 },
    agent: 'build',
    model: { providerID: 'fake', id: 'one' },
    content,
  })
  const call = (state: object, name = 'bash') =>
    step([{ type: 'tool', id: 'c1', name, time: { created: 1 }, state } as AssistantMessage['content'][number]])
  const textsOf = (message: Message, progress = new Map<string, string>()) =>
    blocksOf(message, progress).flatMap(({ lines }) => lines.map(({ tone, text }) => `${tone}: ${text}`))
  const input = { command: 'make' }
  const numbered = Array.from({ length: 20 }, (_unused, at) => `line ${at}`).join('\n')

  test('a command that runs, by the last of what it says, and one that ended, by its end', ({ expect }) => {
    const running = call({ status: 'running', input, structured: {}, content: [] })
    expect(textsOf(running, new Map([['c1', 'one\ntwo\n']]))).toEqual([
      'call: … bash make',
      'output: one',
      'output: two',
    ])
    const ended = { status: 'completed', input, structured: {}, content: [{ type: 'text', text: numbered }] }
    expect(textsOf(call(ended))).toEqual([
      'call: ✓ bash make',
      'note: (12 lines before)',
      ...Array.from({ length: 8 }, (_unused, at) => `output: line ${at + 12}`),
    ])
  })

  test('a change as its lines, cut after forty, and a reading by its name alone', ({ expect }) => {
    const lines = (count: number) => Array.from({ length: count }, () => '+x').join('\n')
    const diff = (count: number) => `--- a\n+++ a\n@@ -1 +1 @@\n${lines(count)}\n`
    const changed = (count: number) =>
      call({ status: 'completed', input: { path: 'a' }, structured: { diff: diff(count) }, content: [] }, 'edit')
    expect(textsOf(changed(40))).toEqual(['call: ✓ edit a', ...Array.from({ length: 40 }, () => 'added: +x')])
    expect(textsOf(changed(41)).slice(-2)).toEqual(['added: +x', 'note: (1 more lines)'])
    const read = { status: 'completed', input: { path: 'a' }, structured: {}, content: [{ type: 'text', text: 'x' }] }
    expect(textsOf(call(read, 'read'))).toEqual(['call: ✓ read a'])
  })

  test('a plan as its steps, and how far each is', ({ expect }) => {
    const todos = ['completed', 'in_progress', 'pending', 'cancelled'].map((status) => ({ content: status, status }))
    const text = '4 entries, 2 open'
    const written = { status: 'completed', input: { todos }, structured: {}, content: [{ type: 'text', text }] }
    expect(textsOf(call(written, 'todowrite'))).toEqual([
      'call: ✓ todowrite',
      'output: ✓ completed',
      'output: › in_progress',
      'output: · pending',
      'output: - cancelled',
    ])
  })

  test('nothing that a terminal would obey', ({ expect }) => {
    const said = step([{ type: 'text', id: 't', text: '\u001b[2Jgone\u0007' }])
    const failed = {
      status: 'error',
      input: { command: '\u001b[31m' },
      structured: {},
      content: [],
      error: { type: 'unknown', message: '\u009b1A' },
    }
    expect(textsOf(said)).toEqual(['answer: \ufffd[2Jgone\ufffd'])
    expect(textsOf(call(failed))).toEqual(['problem: ✗ bash \ufffd[31m', 'problem: \ufffd1A'])
  })
})

test('a permission that cannot be stored is not offered to be', ({ expect }) => {
  const request = { id: 'per_1', sessionID: 'ses_1', action: 'bash', resources: ['make'] }
  const values = (save: readonly string[]) => permissionChoices({ ...request, save }).map(({ value }) => value)
  expect(values([])).toEqual(['once', 'words', 'reject'])
  expect(values(['make *'])).toEqual(['once', 'session', 'always', 'words', 'reject'])
})

test('a permission is asked for in words, and says what would be stored', ({ expect }) => {
  const asked = (action: string) =>
    describePermission({ id: 'per_1', sessionID: 'ses_1', action, resources: ['a.ts'] })[0]?.text
  expect(asked('edit')).toBe('Change a file? (edit)')
  expect(asked('tickets_close')).toBe('Allow this? (tickets_close)')
  expect(asked('toString')).toBe('Allow this? (toString)')
  const request = { id: 'per_1', sessionID: 'ses_1', action: 'edit', resources: ['a.ts'], save: ['*'] }
  expect(permissionChoices(request).find(({ value }) => value === 'session')?.description).toBe(
    'everything of this kind',
  )
})

test('a question shows what is chosen of several, and an own answer unless it takes none', ({ expect }) => {
  const options = [{ label: 'A', description: 'a' }]
  const labels = (more: object, chosen: readonly string[] = []) =>
    questionChoices({ question: 'Q', header: 'q', options, ...more }, new Set(chosen)).map(({ label }) => label)
  expect(labels({})).toEqual(['A', 'Another answer'])
  expect(labels({ custom: false })).toEqual(['A'])
  expect(labels({ multiple: true }, ['A'])).toEqual(['[x] A', 'Take these', 'Another answer'])
})

test('a request to change a file shows its difference, then what relies on it', ({ expect }) => {
  const diff = '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-one\n+two\n'
  const request = { id: 'per_1', sessionID: 'ses_1', action: 'edit', resources: ['a.ts'], metadata: { diff } }
  const texts = (metadata: Record<string, unknown>) =>
    describePermission({ ...request, metadata }).map(({ text }) => text)
  expect(texts({ diff, reach: 'Relying on function one\n  b.ts:3' }).slice(-3)).toEqual([
    '+two',
    'Relying on function one',
    '  b.ts:3',
  ])
  expect(texts({ diff }).at(-1)).toBe('+two')
})
