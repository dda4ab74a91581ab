/** The assistant's rules, which need nothing but their arguments. */

import fc from 'fast-check'
import { describe, test } from 'vitest'
import { assistantToolShapes } from '../../../workers/app/contract/assistant-tools.ts'
import { actionInChinese } from '../../../workers/app/core/assistant/action-chinese.ts'
import { actionInEnglish } from '../../../workers/app/core/assistant/action-english.ts'
import { canonicalJson } from '../../../workers/app/core/assistant/canonical-json.ts'
import { chatHistory } from '../../../workers/app/core/assistant/chat-history.ts'
import { type Message, type ToolCall, titleFrom } from '../../../workers/app/core/assistant/conversation.ts'
import type { ModelFault } from '../../../workers/app/core/assistant/model-fault.ts'
import type { ProposedAction } from '../../../workers/app/core/assistant/proposed-action.ts'
import { isCutByRestart, nextStep, type RunState } from '../../../workers/app/core/assistant/run-step.ts'
import { toolAnswers } from '../../../workers/app/core/assistant/tool-answers.ts'
import { byteLength, cutToBytes, writeToolOutput } from '../../../workers/app/core/assistant/tool-output.ts'
import { textChange, visibleText } from '../../../workers/app/core/assistant/visible-text.ts'
import { inChinese } from '../../../workers/app/core/reason/chinese.ts'
import { modelReason, modelReasonInFull } from '../../../workers/app/core/reason/of-fault.ts'

const stepsMax = 12

function call(id: string): ToolCall {
  return { id, modelId: `m-${id}`, name: 'pause_torrent', arguments: {}, write: true, isBroken: false }
}

function run(change: Partial<RunState>): RunState {
  return { id: 'r', steps: 1, answered: new Set(), actions: new Map(), ...change }
}

const action = (status: 'pending' | 'approved' | 'denied' | 'expired', isStarted = false) => ({
  id: 'c',
  status,
  isStarted,
})

describe('what a run does next', () => {
  const rows: readonly (readonly [what: string, state: RunState, next: unknown, survives: boolean])[] = [
    ['at its beginning', run({ steps: 0 }), { kind: 'ask' }, false],
    ['after an answer without calls', run({ calls: [] }), { kind: 'end', reason: 'answered' }, false],
    ['with a call', run({ calls: [call('a')] }), { kind: 'call', call: call('a') }, false],
    ['with all calls answered', run({ calls: [call('a')], answered: new Set(['a']) }), { kind: 'ask' }, false],
    [
      'while its question waits',
      run({ calls: [call('a')], actions: new Map([['a', action('pending')]]) }),
      { kind: 'wait' },
      true,
    ],
    [
      'after a yes',
      run({ calls: [call('a')], actions: new Map([['a', action('approved')]]) }),
      { kind: 'act', call: call('a'), confirmationId: 'c' },
      true,
    ],
    [
      'after a yes to one of two',
      run({
        calls: [call('a'), call('b')],
        actions: new Map([
          ['a', action('pending')],
          ['b', action('approved')],
        ]),
      }),
      { kind: 'act', call: call('b'), confirmationId: 'c' },
      true,
    ],
    [
      'in the middle of an action',
      run({ calls: [call('a')], actions: new Map([['a', action('approved', true)]]) }),
      { kind: 'act', call: call('a'), confirmationId: 'c' },
      false,
    ],
    [
      'in the middle of an action while another question waits',
      run({
        calls: [call('a'), call('b')],
        actions: new Map([
          ['a', action('approved', true)],
          ['b', action('pending')],
        ]),
      }),
      { kind: 'act', call: call('a'), confirmationId: 'c' },
      false,
    ],
    [
      'with calls in its last step',
      run({ steps: stepsMax, calls: [call('a')] }),
      { kind: 'end', reason: 'steps' },
      false,
    ],
    ['without calls in its last step', run({ steps: stepsMax, calls: [] }), { kind: 'end', reason: 'answered' }, false],
  ]

  test.each(rows)('%s, and whether a restart leaves it', (_, state, next, survives) => {
    if (JSON.stringify(nextStep(state, stepsMax)) !== JSON.stringify(next))
      throw new Error(JSON.stringify(nextStep(state, stepsMax)))
    if (isCutByRestart(state, stepsMax) === survives) throw new Error('a restart is told otherwise')
  })
})

describe('text that is shown', () => {
  test.each([
    ['an answer', 'an answer'],
    ['  \n an answer', 'an answer'],
    ['<think>a\nb</think>\n\nanswer', 'answer'],
    ['<think>unfinished', ''],
    ['<thi', ''],
    ['thoughts\n</think>\nanswer', 'answer'],
    ['</think>answer', '</think>answer'],
    ['the mark </think> ends thoughts', 'the mark </think> ends thoughts'],
    ['<thinking> is another word', '<thinking> is another word'],
  ])('of %j is %j', (raw, shown) => {
    if (visibleText(raw, false) !== shown) throw new Error(visibleText(raw, false))
  })

  test('that only looked like the beginning of a mark is text in the end', ({ expect }) => {
    expect(visibleText('<th', true)).toBe('<th')
  })

  test('is the same in the end, however it comes in pieces', ({ expect }) => {
    const bits = fc.constantFrom('<think>', '</think>', '\n', 'a', ' b', '<', '/', '好')
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 12 }), (pieces) => {
        let raw = ''
        let shown = ''
        for (const piece of pieces) {
          raw += piece
          const change = textChange(shown, visibleText(raw, false))
          if (change !== undefined) shown = change.replace ? change.text : shown + change.text
          expect(shown).toBe(visibleText(raw, false))
        }
      }),
    )
  })
})

describe('a tool’s output', () => {
  test('is within its bound, whatever it is, and JSON as long as it has a list', ({ expect }) => {
    const value = fc.record({ items: fc.array(fc.string({ unit: 'grapheme' })), total: fc.nat() })
    fc.assert(
      fc.property(value, fc.integer({ min: 120, max: 400 }), (output, bytesMax) => {
        const text = writeToolOutput(output, bytesMax)
        expect(byteLength(text)).toBeLessThanOrEqual(bytesMax)
        const read = JSON.parse(text)
        expect(read.total).toBe(output.total)
        expect(output.items.slice(0, read.items.length)).toEqual(read.items)
        expect(read.items_cut ?? false).toBe(read.items.length < output.items.length)
      }),
    )
  })

  test('without a list is cut with a mark', ({ expect }) => {
    const text = writeToolOutput({ message: '长'.repeat(1000) }, 300)

    expect(byteLength(text)).toBeLessThanOrEqual(300)
    expect(text.endsWith('…（已截断）')).toBe(true)
  })

  test('is never cut within a character', ({ expect }) => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(64), (text, bytesMax) => {
        const whole = new TextDecoder().decode(new TextEncoder().encode(text))
        const cut = cutToBytes(whole, bytesMax)
        expect(whole.startsWith(cut)).toBe(true)
        expect(byteLength(cut)).toBeLessThanOrEqual(bytesMax)
        expect(bytesMax - byteLength(cut)).toBeLessThan(whole === cut ? Number.POSITIVE_INFINITY : 4)
      }),
    )
  })
})

test('canonical JSON is the same for the same value and another for another one', ({ expect }) => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, inner]) => [name, reversed(inner)]),
    )
  }
  fc.assert(
    fc.property(fc.jsonValue(), (json) => {
      const value = JSON.parse(JSON.stringify(json))
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(value)
    }),
  )
  expect(canonicalJson({ a: [1, 2] })).not.toBe(canonicalJson({ a: [2, 1] }))
  expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}')
})

describe('what the model is told of the past', () => {
  const message = (part: Record<string, unknown>): Message =>
    ({ id: 'x', runId: 'r', createdAtMs: 0, content: '', ...part }) as unknown as Message
  const user = (content: string) => message({ role: 'user', content })
  const said = (content: string, ...toolCalls: ToolCall[]) => message({ role: 'assistant', content, toolCalls })
  const result = (id: string) =>
    message({ role: 'tool', content: `of ${id}`, toolName: 't', toolCallId: id, isError: false })
  const bounds = { messagesMax: 6, charactersMax: 100 }

  test('are its words, its calls and their results by the model’s own names, and no notices', ({ expect }) => {
    const history = chatHistory(
      [user('q'), said('', call('a')), result('a'), said('answer'), message({ role: 'notice', content: 'n' })],
      bounds,
    )

    expect(history).toEqual([
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'm-a', type: 'function', function: { name: 'pause_torrent', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'm-a', content: 'of a' },
      { role: 'assistant', content: 'answer' },
    ])
  })

  test('are whole turns within the bounds, and the last one whatever its size', ({ expect }) => {
    const old = [user('old'), said('x'.repeat(99))]
    const turn = [user('new'), said('', call('a')), result('a')]

    expect(chatHistory([...old, ...turn], bounds)[0]).toEqual({ role: 'user', content: 'new' })
    expect(chatHistory([user('old'), said('short'), user('new')], bounds)).toHaveLength(3)
    expect(chatHistory([user('y'.repeat(500))], bounds)).toHaveLength(1)
    expect(chatHistory([result('lost'), said('lost'), ...turn], bounds)[0]).toEqual({ role: 'user', content: 'new' })
  })

  test('begin with a question and give every result its call, wherever they are cut', ({ expect }) => {
    const turn = fc.constantFrom(
      [user('q'), said('a')],
      [user('q'), said('', call('a'), call('b')), result('a'), result('b'), said('a')],
      [user('q'), message({ role: 'notice', content: 'n' })],
    )
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 6 }),
        fc.nat(20),
        fc.nat(200),
        (turns, messagesMax, charactersMax) => {
          const history = chatHistory(turns.flat(), { messagesMax, charactersMax })
          expect(history[0]?.role).toBe('user')
          const calls = history.flatMap((one) => ('tool_calls' in one ? (one.tool_calls ?? []) : []))
          const results = history.filter(({ role }) => role === 'tool')
          expect(results).toHaveLength(calls.length)
        },
      ),
    )
  })
})

describe('the sentence of a question', () => {
  test('is one line, whatever the names in it', ({ expect }) => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u202Eabc', 'a\nb', '「x」', '“x”', '\u2028', ''),
    )
    fc.assert(
      fc.property(name, name, name, (title, downloader, site) => {
        const all: readonly ProposedAction[] = [
          { action: 'delete_with_files', targets: [{ title, downloader, info_hash: 'ab' }] },
          { action: 'push', targets: [{ site, site_title: title, torrent_id: title, title, downloader }] },
          { action: 'subscribe', targets: [{ title, tmdb_id: 3, year: 2026, season: 2, upgrade: true }] },
        ]
        const languages = [
          [actionInChinese, '「', '」', '。'],
          [actionInEnglish, '“', '”', '.'],
        ] as const
        for (const [say, open, close, end] of languages) {
          for (const sentence of all.map(say)) {
            expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
            expect(sentence.split(open)).toHaveLength(2)
            expect(sentence.split(close)).toHaveLength(2)
            expect(sentence.endsWith(end)).toBe(true)
          }
        }
      }),
    )
  })
})

test.each([
  ['how\nare  my', 'how are my'],
  ['\u202Eabc\u0000def', 'abc def'],
  ['12345678901', '123456789…'],
  ['1234567890', '1234567890'],
])('a conversation that begins with %j is called %j', (text, title) => {
  if (titleFrom(text, 10) !== title) throw new Error(titleFrom(text, 10))
})

test('every fault of a model is said in Chinese, and what the service said to its owner only', ({ expect }) => {
  const faults: readonly ModelFault[] = [
    { kind: 'disabled' },
    { kind: 'secrets', state: 'missing' },
    { kind: 'secrets', state: 'changed' },
    { kind: 'no_gateway' },
    { kind: 'unreachable' },
    { kind: 'timeout' },
    ...[302, 400, 401, 403, 404, 413, 429, 500, 503].map(
      (status) => ({ kind: 'refused', status, detail: 'said' }) as const,
    ),
    { kind: 'not_chat' },
    { kind: 'too_large' },
    { kind: 'cut' },
    { kind: 'failed', detail: 'said' },
    { kind: 'filtered' },
    { kind: 'stopped' },
  ]
  for (const fault of faults) {
    expect(inChinese(modelReason(fault))).toMatch(/\p{Script=Han}/u)
    expect(inChinese(modelReason(fault))).not.toContain('said')
    expect(inChinese(modelReasonInFull(fault)).includes('said')).toBe('detail' in fault)
  }
})

/** Every field of a schema, and every text in it. */
function walk(schema: unknown, see: (name: string, field: Record<string, unknown>) => void, name = ''): void {
  if (typeof schema !== 'object' || schema === null) return
  const field = schema as Record<string, unknown>
  see(name, field)
  walk(field['items'], see, name)
  for (const [inner, shape] of Object.entries(field['properties'] ?? {})) walk(shape, see, inner)
}

test('no tool takes an address, a path or a credential, and every argument is bounded', ({ expect }) => {
  const fields: string[] = []
  for (const { arguments: shape } of Object.values(assistantToolShapes)) {
    walk(shape.toJSONSchema(), (name, field) => {
      fields.push(name)
      expect(name).not.toMatch(/url|uri|path|address|host|token|password|cookie|secret|(^|_)key$/i)
      if (field['type'] === 'string') expect(field['enum'] ?? field['maxLength'], name).toBeDefined()
      if (field['type'] === 'array') expect(field['maxItems'], name).toBeDefined()
      if (field['type'] === 'object') expect(field['additionalProperties'], name).toBe(false)
    })
  }
  expect(fields).toContain('task_id')
})

test('what the model is told instead of a result is a sentence in each language', ({ expect }) => {
  expect(Object.keys(toolAnswers.en)).toEqual(Object.keys(toolAnswers.zh))
  for (const answer of Object.values(toolAnswers.zh)) expect(answer).toMatch(/^\p{Script=Han}.*。$/u)
  for (const answer of Object.values(toolAnswers.en)) expect(answer).toMatch(/^[A-Z][\x20-\x7e]+\.$/)
})
