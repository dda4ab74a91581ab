import fc from 'fast-check'
import { describe, test } from 'vitest'
import type {
  WireConfirmation,
  WireConversationDetail,
  WireEvent,
  WireEventPage,
  WireMessage,
} from '../../../../workers/app/contract/assistant.ts'
import { messagesGivenMax } from '../../../../workers/app/limits.ts'
import {
  beginTranscript,
  messagesShownMax,
  type Transcript,
  takePage,
  turnsOf,
  waitingOf,
} from '../../../../workers/app/web/model/transcript.ts'

const at = '2026-11-21T14:03:00Z'

/** Without what every event has. */
type Untold<E = WireEvent> = E extends WireEvent ? Omit<E, 'seq' | 'at'> : never

/** A conversation as the server keeps it: what is stored, and the events that tell of it. */
class KeptConversation {
  readonly events: WireEvent[] = []
  readonly #messages: WireMessage[] = []
  readonly #confirmations: WireConfirmation[] = []
  #runId: string | undefined
  #partial = ''

  #tell(event: Untold): void {
    this.events.push({ seq: this.events.length + 1, at, ...event })
  }
  #store(part: Partial<WireMessage>): WireMessage {
    const message: WireMessage = {
      id: `m${this.#messages.length + 1}`,
      run_id: this.#runId ?? '',
      role: 'user',
      content: '',
      created_at: at,
      ...part,
    }
    this.#messages.push(message)
    this.#tell({ type: 'message', message })
    return message
  }

  ask(content: string): void {
    if (this.#runId !== undefined) return
    this.#runId = `r${this.events.length}`
    this.#tell({ type: 'run_started', run_id: this.#runId })
    this.#store({ content })
  }
  write(text: string): void {
    if (this.#runId === undefined) return
    this.#partial += text
    this.#tell({ type: 'delta', text })
  }
  rewrite(text: string): void {
    if (this.#runId === undefined) return
    this.#partial = text
    this.#tell({ type: 'delta', text, replace: true })
  }
  /** The step ends with a call, which waits for the owner. */
  call(): void {
    if (this.#runId === undefined) return
    const call = { id: `c${this.events.length}`, name: 'pause_torrent', arguments: {}, write: true }
    this.#store({ role: 'assistant', content: this.#partial, tool_calls: [call] })
    this.#partial = ''
    const confirmation: WireConfirmation = {
      id: `q${this.events.length}`,
      run_id: this.#runId,
      tool_call_id: call.id,
      tool: call.name,
      summary: '暂停 1 个种子',
      arguments: {},
      status: 'pending',
      expires_at: at,
      created_at: at,
    }
    this.#confirmations.push(confirmation)
    this.#tell({ type: 'confirmation', confirmation })
  }
  decide(status: 'approved' | 'denied' | 'expired'): void {
    const index = this.#confirmations.findIndex((one) => one.status === 'pending')
    const waiting = this.#confirmations[index]
    if (waiting === undefined) return
    const decided = { ...waiting, status }
    this.#confirmations[index] = decided
    this.#tell({ type: 'confirmation', confirmation: decided })
    if (this.#runId === undefined) return
    const { tool_call_id } = waiting
    this.#store({ role: 'tool', content: status, tool_call_id, is_error: status !== 'approved' })
  }
  finish(status: 'done' | 'canceled' | 'failed', isKept = true): void {
    if (this.#runId === undefined) return
    while (this.#confirmations.some((one) => one.status === 'pending')) this.decide('expired')
    if (this.#partial !== '' && isKept) this.#store({ role: 'assistant', content: this.#partial })
    this.#partial = ''
    if (status !== 'done') this.#store({ role: 'notice', content: status })
    this.#tell({ type: 'run_finished', status })
    this.#runId = undefined
  }

  read(): WireConversationDetail {
    return {
      id: 'a',
      title: '站点',
      entry: 'web',
      running: this.#runId !== undefined,
      created_at: at,
      updated_at: at,
      messages: this.#messages.slice(-messagesShownMax),
      confirmations: this.#confirmations.filter(({ status }) => status === 'pending'),
      ...(this.#runId === undefined ? {} : { run_id: this.#runId }),
      partial: this.#partial,
      last_seq: this.events.length,
    }
  }
  page(after: number, size: number): WireEventPage {
    const events = this.events.slice(after, after + size)
    return { events, reset: false, last: events.at(-1)?.seq ?? after, running: this.#runId !== undefined }
  }
}

type Act = (kept: KeptConversation) => void

const act = fc.oneof(
  fc.string().map(
    (text): Act =>
      (kept) =>
        kept.ask(text),
  ),
  fc.string().map(
    (text): Act =>
      (kept) =>
        kept.write(text),
  ),
  fc.string().map(
    (text): Act =>
      (kept) =>
        kept.rewrite(text),
  ),
  fc.constant<Act>((kept) => kept.call()),
  fc.constantFrom('approved', 'denied', 'expired').map(
    (how): Act =>
      (kept) =>
        kept.decide(how),
  ),
  fc.constantFrom('done', 'canceled', 'failed').map(
    (how): Act =>
      (kept) =>
        kept.finish(how),
  ),
  fc.constant<Act>((kept) => kept.finish('failed', false)),
)

/** What a reading tells; of the decisions only those that still wait. */
function told(transcript: Transcript) {
  return { ...transcript, confirmations: waitingOf(transcript) }
}

describe('a transcript', () => {
  test('is the same however its events were cut, repeated, mixed up or lost', ({ expect }) => {
    const readers = fc.array(
      fc.record({
        /** How many acts happen before the next question. */
        acts: fc.nat(6),
        size: fc.integer({ min: 1, max: 12 }),
        /** From how far back the page begins. */
        back: fc.nat(5),
        isMixed: fc.boolean(),
        fate: fc.constantFrom('whole', 'whole', 'whole', 'reset', 'torn'),
      }),
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), readers, (acts, steps) => {
        const kept = new KeptConversation()
        const waiting = [...acts]
        let known = beginTranscript(kept.read())
        for (const { acts: count, size, back, isMixed, fate } of steps) {
          for (const one of waiting.splice(0, count)) one(kept)
          const page = kept.page(Math.max(0, known.lastSeq - back), size + back)
          const events = isMixed ? page.events.toReversed() : [...page.events, ...page.events]
          // A page whose first news are missing must not be taken for a whole one.
          const torn = page.events.filter(({ seq }) => seq !== known.lastSeq + 1)
          const next = takePage(known, {
            ...page,
            events: fate === 'torn' ? torn : events,
            reset: fate === 'reset',
          })
          if (fate === 'whole') expect(next?.lastSeq).toBe(Math.max(known.lastSeq, page.last))
          if (fate === 'reset' || (fate === 'torn' && page.last > known.lastSeq)) expect(next).toBeUndefined()
          known = next ?? beginTranscript(kept.read(), known)
        }
        for (const one of waiting) one(kept)
        while (known.lastSeq < kept.events.length) known = takePage(known, kept.page(known.lastSeq, 3)) ?? known
        expect(told(known)).toEqual(told(beginTranscript(kept.read())))
      }),
    )
  })

  test('does not take an empty page for a whole one when it ends further on', ({ expect }) => {
    const kept = new KeptConversation()
    const known = beginTranscript(kept.read())
    expect(takePage(known, { events: [], reset: false, last: 0, running: false })).toEqual(known)
    expect(takePage(known, { events: [], reset: false, last: 1, running: false })).toBeUndefined()
  })

  test('keeps as many messages as a reading gives, and the question that is older than those', ({ expect }) => {
    const kept = new KeptConversation()
    let known = beginTranscript(kept.read())
    for (let at = 0; at < messagesShownMax; at += 1) {
      kept.ask(`${at}`)
      kept.finish('done')
    }
    known = takePage(known, kept.page(0, 10_000)) ?? known
    expect(messagesShownMax).toBe(messagesGivenMax)
    expect(known.messages.length).toBe(messagesShownMax)
    expect(known.messages[0]?.content).toBe('0')
    kept.ask('one more')
    kept.call()
    known = takePage(known, kept.page(known.lastSeq, 10)) ?? known
    expect(known.messages.length).toBe(messagesShownMax)
    expect(known.messages[0]?.content).toBe('2')
    const [waiting] = waitingOf(known)
    const withoutCall = { ...known, messages: known.messages.filter(({ role }) => role === 'user') }
    expect(turnsOf(withoutCall).at(-1)?.lines).toMatchObject([{ kind: 'tool', confirmation: waiting }])
  })

  test('a decision is final, and stays when the conversation is read again', ({ expect }) => {
    const kept = new KeptConversation()
    kept.ask('pause it')
    kept.call()
    const asked = kept.read()
    kept.decide('denied')
    const before = beginTranscript(asked)
    const after = takePage(before, kept.page(before.lastSeq, 10))
    expect(after?.confirmations.map(({ status }) => status)).toEqual(['denied'])
    // An answer that was on its way while the decision was made.
    expect(beginTranscript(asked, after).confirmations.map(({ status }) => status)).toEqual(['denied'])
  })
})

describe('the lines of a transcript', () => {
  function turnsAfter(happen: (kept: KeptConversation) => void) {
    const kept = new KeptConversation()
    const known = beginTranscript(kept.read())
    happen(kept)
    return turnsOf(takePage(known, kept.page(0, 100)) ?? known)
  }

  test('one turn for each question, its answers in order and each call where it was made', ({ expect }) => {
    const turns = turnsAfter((kept) => {
      kept.ask('first')
      kept.write('let me ')
      kept.write('look')
      kept.call()
      kept.decide('approved')
      kept.write('done')
      kept.finish('done')
      kept.ask('second')
      kept.finish('canceled')
    })
    expect(turns.map(({ mine }) => mine?.content)).toEqual(['first', 'second'])
    expect(turns[0]?.lines).toMatchObject([
      { kind: 'answer', text: 'let me look' },
      { kind: 'tool', tool: 'pause_torrent', state: 'done', result: 'approved', confirmation: { status: 'approved' } },
      { kind: 'answer', text: 'done' },
    ])
    expect(turns[1]?.lines).toMatchObject([{ kind: 'notice', text: 'canceled' }])
  })

  test.for<[string, string, (kept: KeptConversation) => void]>([
    ['is at work while the owner has not decided', 'runs', () => undefined],
    ['failed once it was refused', 'failed', (kept) => kept.decide('denied')],
    ['is done once it was allowed', 'done', (kept) => kept.decide('approved')],
  ])('a call %s', ([, state, then], { expect }) => {
    const turns = turnsAfter((kept) => {
      kept.ask('pause it')
      kept.call()
      then(kept)
    })
    expect(turns[0]?.lines).toMatchObject([{ kind: 'tool', state }])
  })

  test('a call without an outcome is at work in the run that is on, and over with it', ({ expect }) => {
    const call = { id: 'c1', name: 'list_tasks', arguments: {}, write: false }
    const message: WireMessage = {
      id: 'm1',
      run_id: 'r1',
      role: 'assistant',
      content: '',
      created_at: at,
      tool_calls: [call],
    }
    const read = { ...new KeptConversation().read(), messages: [message], running: true, run_id: 'r1' }
    expect(turnsOf(beginTranscript(read))[0]?.lines).toMatchObject([{ kind: 'tool', state: 'runs' }])
    expect(turnsOf(beginTranscript({ ...read, running: false }))[0]?.lines).toMatchObject([{ state: 'ended' }])
  })
})
