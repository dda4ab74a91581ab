/** Stores one step of the model as it arrives: text in durable pieces, tool calls, and how the step ended. */

import { TextPieces } from '#shared/sse/text-pieces.ts'
import type { SessionEvent } from '../core/session/event.ts'
import type { JsonObject, SessionError, TokenCounts } from '../core/session/message.ts'
import type { TextEnd } from '../core/session/project.ts'
import { answerBytesMax, textPieceBytesMax, textPieceMsMax } from '../limits.ts'
import type { Identifiers } from './identifiers.ts'
import { loopShare } from './loop-share.ts'
import { ModelFault, type ModelPart, type ModelToolCall } from './model-port.ts'
import type { SessionStore } from './session-store.ts'
import type { ToolOutput } from './tool-port.ts'

const bounds = { msMax: textPieceMsMax, bytesMax: textPieceBytesMax, turn: takeTurn }

async function takeTurn(): Promise<void> {
  if (loopShare.isSpent()) await loopShare.turn()
}

export interface FinishedStep {
  readonly finish: string
  readonly tokens: TokenCounts
}

export interface CalledTool {
  readonly call: ModelToolCall
  readonly problem: string | undefined
}

type UnstampedEnd = Extract<SessionEvent, { type: TextEnd['type'] }>

interface OpenText {
  readonly id: string
  readonly kind: 'text' | 'reasoning'
  readonly pieces: TextPieces
  /** Its first piece is stored: a text without any leaves no trace. */
  hasBegun: boolean
  /** What its end stores, as JSON too. */
  end?: { readonly event: UnstampedEnd; readonly body: string }
}

export class StepWriter {
  readonly #store: SessionStore
  readonly #ids: Identifiers
  readonly #sessionId: string
  readonly assistantMessageID: string
  readonly calls: CalledTool[] = []
  readonly #texts = new Map<string, OpenText>()
  readonly #inputs = new Map<string, string>()
  readonly #ends: TextEnd[] = []
  #textsBegun = 0
  #bytes = 0
  finished: FinishedStep | undefined

  constructor(store: SessionStore, ids: Identifiers, sessionId: string, assistantMessageID: string) {
    this.#store = store
    this.#ids = ids
    this.#sessionId = sessionId
    this.assistantMessageID = assistantMessageID
  }

  /** Throws when the answer has become longer than any answer is; what fits is kept. */
  write(part: ModelPart): void {
    const fitting = this.#fitting(part)
    this.#write(fitting)
    if (fitting !== part) {
      throw new ModelFault({ kind: 'answer_too_long', bytes: answerBytesMax }, { isRetryable: false })
    }
  }

  #fitting(part: ModelPart): ModelPart {
    if (!('text' in part)) return part
    const bytes = Buffer.from(part.text)
    const room = answerBytesMax - this.#bytes
    this.#bytes += bytes.length
    if (bytes.length <= room) return part
    // A character that is cut through is left out.
    return { ...part, text: new TextDecoder().decode(bytes.subarray(0, room), { stream: true }) }
  }

  #write(part: ModelPart): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        break
      case 'text-delta':
        this.#textOf(part.id, 'text').pieces.push(part.text)
        break
      case 'reasoning-delta':
        this.#textOf(part.id, 'reasoning').pieces.push(part.text)
        break
      case 'text-end':
        this.#endText(`text ${part.id}`)
        break
      case 'reasoning-end':
        this.#endText(`reasoning ${part.id}`, part.metadata)
        break
      case 'tool-input-start':
        this.#startInput(part.id, part.name)
        break
      case 'tool-input-delta':
        this.#inputs.set(part.id, (this.#inputs.get(part.id) ?? '') + part.text)
        break
      case 'tool-call':
        this.#call(part.call, part.problem)
        break
      case 'finish':
        this.finished = { finish: part.finish, tokens: part.tokens }
        break
    }
  }

  /** Ends texts that the provider left open. */
  endTexts(): void {
    for (const key of [...this.#texts.keys()]) this.#endText(key)
  }

  /**
   * Makes what is stored when the part is written, of the texts that it ends; without a part, of all. For a long one it takes as
   * long as storing it, so whoever shares the loop has a pass for each.
   */
  prepareEnds(part?: ModelPart): void {
    if (part?.type === 'text-end') this.#prepareEnd(`text ${part.id}`)
    else if (part?.type === 'reasoning-end') this.#prepareEnd(`reasoning ${part.id}`, part.metadata)
    else if (part === undefined || part.type === 'tool-input-start' || part.type === 'tool-call')
      for (const key of this.#texts.keys()) this.#prepareEnd(key)
  }

  /** What it says whole, as stored; undefined while a text of it is not, or after one could not be. */
  get ends(): readonly TextEnd[] | undefined {
    return this.#ends.length === this.#textsBegun ? this.#ends : undefined
  }

  succeed(callID: string, output: ToolOutput, workedMs: number): void {
    this.#commit({
      type: 'session.next.tool.success',
      data: {
        assistantMessageID: this.assistantMessageID,
        callID,
        structured: output.structured,
        content: output.content,
        ...(output.outputPaths === undefined ? {} : { outputPaths: output.outputPaths }),
        provider: { executed: false },
        workedMs,
      },
    })
  }

  fail(callID: string, error: SessionError, workedMs?: number): void {
    this.#commit({
      type: 'session.next.tool.failed',
      data: {
        assistantMessageID: this.assistantMessageID,
        callID,
        error,
        provider: { executed: false },
        ...(workedMs === undefined ? {} : { workedMs }),
      },
    })
  }

  #textOf(key: string, kind: OpenText['kind']): OpenText {
    const known = this.#texts.get(`${kind} ${key}`)
    if (known !== undefined) return known
    const id = this.#ids.make('part')
    const text: OpenText = {
      id,
      kind,
      hasBegun: false,
      pieces: new TextPieces(bounds, (delta) => this.#addText(text, delta)),
    }
    this.#texts.set(`${kind} ${key}`, text)
    return text
  }

  /** A text begins with its first piece, in one transaction: nobody waits for two. */
  #addText(text: OpenText, delta: string): void {
    const { assistantMessageID } = this
    this.#store.commit(this.#sessionId, ({ append }) => {
      if (text.kind === 'text') {
        if (!text.hasBegun) append({ type: 'session.next.text.started', data: { assistantMessageID, textID: text.id } })
        append({ type: 'session.next.text.delta', data: { assistantMessageID, textID: text.id, delta } })
      } else {
        const reasoningID = text.id
        if (!text.hasBegun)
          append({ type: 'session.next.reasoning.started', data: { assistantMessageID, reasoningID } })
        if (delta !== '')
          append({ type: 'session.next.reasoning.delta', data: { assistantMessageID, reasoningID, delta } })
      }
    })
    if (!text.hasBegun) this.#textsBegun += 1
    text.hasBegun = true
  }

  #prepareEnd(key: string, metadata?: JsonObject): OpenText | undefined {
    // A thought that is sealed has no words, and is to come back all the same.
    const text =
      metadata === undefined ? this.#texts.get(key) : this.#textOf(key.slice('reasoning '.length), 'reasoning')
    if (text === undefined || text.end !== undefined) return text
    const whole = text.pieces.end()
    if (metadata !== undefined && !text.hasBegun) this.#addText(text, '')
    if (!text.hasBegun) return text
    const assistantMessageID = this.assistantMessageID
    const event: UnstampedEnd =
      text.kind === 'text'
        ? { type: 'session.next.text.ended', data: { assistantMessageID, textID: text.id, text: whole } }
        : {
            type: 'session.next.reasoning.ended',
            data: {
              assistantMessageID,
              reasoningID: text.id,
              text: whole,
              ...(metadata === undefined ? {} : { provider: { metadata } }),
            },
          }
    text.end = { event, body: this.#store.bodyOf(this.#sessionId, event) }
    return text
  }

  #endText(key: string, metadata?: JsonObject): void {
    const end = this.#prepareEnd(key, metadata)?.end
    this.#texts.delete(key)
    if (end === undefined) return
    const { event, body } = end
    const { timestamp } = this.#store.commit(this.#sessionId, ({ append }) => append(event, body))
    this.#ends.push({ ...event, timestamp, sessionID: this.#sessionId })
  }

  #startInput(callID: string, name: string): void {
    if (this.#inputs.has(callID)) return
    // A provider that calls a tool has ended its text, whether it said so or not.
    this.endTexts()
    this.#inputs.set(callID, '')
    this.#commit({
      type: 'session.next.tool.input.started',
      data: { assistantMessageID: this.assistantMessageID, callID, name },
    })
  }

  #call(call: ModelToolCall, problem: string | undefined): void {
    this.#startInput(call.id, call.name)
    const { assistantMessageID } = this
    const text = this.#inputs.get(call.id) ?? ''
    this.#store.commit(this.#sessionId, ({ append }) => {
      append({
        type: 'session.next.tool.input.ended',
        data: { assistantMessageID, callID: call.id, text: text === '' ? JSON.stringify(call.input) : text },
      })
      append({
        type: 'session.next.tool.called',
        data: {
          assistantMessageID,
          callID: call.id,
          tool: call.name,
          input: call.input,
          provider: { executed: false, ...(call.metadata === undefined ? {} : { metadata: call.metadata }) },
        },
      })
    })
    this.calls.push({ call, problem })
  }

  #commit(event: SessionEvent): void {
    this.#store.commit(this.#sessionId, ({ append }) => append(event))
  }
}
