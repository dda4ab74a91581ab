import { describe, test } from 'vitest'
import { failWith, type Result, succeed } from '../../../../shared/kernel/result.ts'
import type { WireConversationDetail, WireEventPage } from '../../../../workers/app/contract/assistant.ts'
import {
  type ConversationSource,
  type Following,
  followConversation,
} from '../../../../workers/app/web/follow-conversation.ts'
import type { ApiFailure } from '../../../../workers/app/web/model/failure-words.ts'

type Answer<T> = Result<T, ApiFailure>

const at = '2026-11-21T14:03:00Z'

function reading(lastSeq: number): Answer<WireConversationDetail> {
  return succeed({
    id: 'a',
    title: '站点',
    entry: 'web',
    running: true,
    created_at: at,
    updated_at: at,
    messages: [],
    confirmations: [],
    partial: '',
    last_seq: lastSeq,
  })
}
function page(...seqs: readonly number[]): Answer<WireEventPage> {
  const events = seqs.map((seq) => ({ seq, at, type: 'delta' as const, text: `${seq} ` }))
  return succeed({ events, reset: false, last: seqs.at(-1) ?? 0, running: true })
}
const empty = (last: number): Answer<WireEventPage> => succeed({ events: [], reset: false, last, running: true })
const reset: Answer<WireEventPage> = succeed({ events: [], reset: true, last: 0, running: true })
const refused = (status: number) => failWith({ code: 'x', status, message: '' })

type Step =
  | readonly ['read', Answer<WireConversationDetail>]
  | readonly ['events', Answer<WireEventPage>, waitMs?: number]

/** Plays the answers one after another and notes what was asked and how long it was rested; the last one ends it. */
async function play(steps: readonly Step[]) {
  const waiting = [...steps]
  const log: string[] = []
  const told: Following[] = []
  const end = new AbortController()
  let nowMs = 0
  let asking = 0
  function next<T>(kind: Step[0], asked: string): Promise<Answer<T>> {
    log.push(asked)
    asking += 1
    if (asking > 1) throw new Error('two questions at once')
    const step = waiting.shift()
    if (step === undefined || step[0] !== kind) throw new Error(`${kind} was not expected: ${log.join(', ')}`)
    nowMs += step[2] ?? 0
    asking -= 1
    if (waiting.length === 0) end.abort()
    return Promise.resolve(step[1] as Answer<T>)
  }
  const source: ConversationSource = {
    read: () => next('read', 'read'),
    events: (after) => next('events', `after ${after}`),
    untilSeen: () => Promise.resolve(),
    pause: (ms) => {
      log.push(`rest ${ms}`)
      return Promise.resolve()
    },
    nowMs: () => nowMs,
  }
  await followConversation(source, (following) => told.push(following), end.signal)
  return { log, told, left: waiting.length }
}

describe('following a conversation', () => {
  test('it is read once, and from there on its events are asked for one page after another', async ({ expect }) => {
    const { log, told } = await play([
      ['read', reading(4)],
      ['events', page(5, 6)],
      ['events', empty(6), 25_000],
      ['events', page(7)],
      ['events', page(8)],
    ])
    expect(log).toEqual(['read', 'after 4', 'after 6', 'after 6', 'after 7'])
    // What came after the end is nobody's any more.
    expect(told.map(({ transcript }) => transcript?.partial)).toEqual(['', '5 6 ', '5 6 ', '5 6 7 '])
  })

  test('failures make it ask more slowly, up to a bound, and what is known stays', async ({ expect }) => {
    const lost = Array.from({ length: 7 }, (): Step => ['events', refused(0)])
    const { log, told } = await play([
      ['read', reading(4)],
      ...lost,
      ['events', page(5)],
      ['events', refused(503)],
      ['events', page(6)],
    ])
    expect(log.filter((one) => one.startsWith('rest'))).toEqual([
      ...[1, 2, 4, 8, 16, 30, 30].map((seconds) => `rest ${seconds * 1000}`),
      'rest 1000',
    ])
    expect(told[1]).toMatchObject({ transcript: { lastSeq: 4 }, failure: { status: 0 } })
    expect(told[8]).toMatchObject({ transcript: { partial: '5 ' }, failure: undefined })
  })

  test.for([401, 403, 404])('%i is the end of it', async (status, { expect }) => {
    const { log, told, left } = await play([
      ['read', reading(4)],
      ['events', refused(status)],
      ['events', page(5)],
    ])
    expect(log).toEqual(['read', 'after 4'])
    expect(told.at(-1)?.failure?.status).toBe(status)
    expect(left).toBe(1)
  })

  test.for([
    ['the server says so', reset],
    ['an event is missing', page(6, 7)],
  ] as const)('it is read again when %s, and not again and again', async ([, broken], { expect }) => {
    const { log } = await play([
      ['read', reading(4)],
      ['events', broken],
      ['read', reading(9)],
      ['events', reset],
      ['read', reading(9)],
      ['events', page(10)],
    ])
    expect(log).toEqual(['read', 'after 4', 'read', 'after 9', 'rest 2000', 'read', 'after 9'])
  })

  test('empty pages that come at once are asked for slowly', async ({ expect }) => {
    const { log } = await play([
      ['read', reading(4)],
      ['events', empty(4)],
      ['events', empty(4)],
      ['events', empty(4), 25_000],
      ['events', empty(4)],
      ['events', page(5)],
    ])
    expect(log.filter((one) => one.startsWith('rest'))).toEqual(['rest 1000', 'rest 2000', 'rest 1000'])
  })

  test('nothing is asked while nobody looks', async ({ expect }) => {
    const seen = Promise.withResolvers<void>()
    const end = new AbortController()
    let asked = 0
    const running = followConversation(
      {
        read: () => {
          asked += 1
          end.abort()
          return Promise.resolve(reading(4))
        },
        events: () => Promise.resolve(page(5)),
        untilSeen: () => seen.promise,
        pause: () => Promise.resolve(),
        nowMs: () => 0,
      },
      () => undefined,
      end.signal,
    )
    await Promise.resolve()
    expect(asked).toBe(0)
    seen.resolve()
    await running
    expect(asked).toBe(1)
  })
})
