import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { factsOf, type PriceList } from '#shared/models/price-list.ts'
import type { TraceParent } from '#shared/telemetry/trace-context.ts'
import { foundationOf } from '../core/catalogue.ts'
import { isPending } from '../core/eventually.ts'
import { type Failure, type FailureCode, failure } from '../core/failure.ts'
import { estimateTokens } from '../core/from-provider/chat-usage.ts'
import { costMaxNano, costNano, freeFacts, freePrices } from '../core/keys/call-cost.ts'
import { type CallEstimate, callEstimate } from '../core/keys/call-estimate.ts'
import {
  type CallAttempt,
  type CallOutcome,
  type CallRecord,
  noTokens,
  type TokenCount,
} from '../core/keys/call-record.ts'
import { keyFailure } from '../core/keys/key-failure.ts'
import type { KeyGrant } from '../core/keys/key-record.ts'
import type { Moment } from '../core/keys/moment.ts'
import { redactedCause } from '../core/redaction.ts'
import { attemptsKeptMax } from '../limits.ts'
import type { CallContext, KeyStore, Log, ModelDirectory, Random } from '../ports.ts'
import type { KeepAlive } from './shared-reading.ts'

interface CallMeterParts {
  readonly store: KeyStore
  readonly prices: PriceList
  readonly directory: ModelDirectory
  readonly clock: Clock
  readonly calendar: (ms: number) => Moment
  readonly random: Random
  readonly keepAlive: KeepAlive
  readonly log: Log
  /** Told of every call that has ended. */
  readonly onCall: (grant: KeyGrant, call: CallRecord, trace?: TraceParent) => void
}

interface CallOf {
  readonly provider: string
  /** The table of prices; `free`: nothing costs anything. */
  readonly prices: string
  readonly modelId: string
  readonly body: unknown
  readonly outputTokensMax: number | undefined
}

/** Reserves what a call may take, follows it, and writes down what it took. */
export class CallMeter {
  readonly #parts: CallMeterParts

  constructor(parts: CallMeterParts) {
    this.#parts = parts
  }

  /** Undefined: nobody is to be charged, because the gateway asks for itself. */
  async open(call: CallOf, context: CallContext): Promise<Result<OpenCall | undefined, Failure>> {
    const { account } = context
    if (account === undefined) return succeed(undefined)
    const { grant } = account
    const { store, prices, directory, clock, calendar, random } = this.#parts
    const read = directory.current()
    const { callable } = isPending(read) ? await read : read
    const foundationId = callable.get(call.modelId)?.foundationId ?? foundationOf(call.modelId)
    const facts = call.prices === freePrices ? freeFacts : factsOf(prices, call.prices, call.modelId, foundationId)
    const open = new OpenCall(this.#parts, context, grant, account.route, call, facts)
    if (!grant.reserves) return succeed(open)
    if (grant.hasBudget && facts?.inputNano === undefined) {
      const unpriced = failure('forbidden', `no price is known of ${call.modelId}, and this key has a budget`, {
        param: 'model',
      })
      await open.end('refused', { code: unpriced.code })
      return failWith(unpriced)
    }
    const { inputTokensMax, outputTokensMax } = open.estimate()
    const cost = facts === undefined ? 0 : costMaxNano(facts, inputTokensMax, outputTokensMax)
    const reservationId = random.hex(16)
    const wanted = { costNano: cost, tokens: inputTokensMax + outputTokensMax }
    const refusal = await store.reserve(grant.id, reservationId, wanted, calendar(clock.nowMs()))
    if (refusal !== undefined) {
      await open.end('refused', { code: refusal.reason })
      return failWith(keyFailure(refusal))
    }
    open.reservationId = reservationId
    return succeed(open)
  }
}

interface Ended {
  readonly code?: string
  readonly tokens?: TokenCount
}

/** One call under way. It ends once, whoever says so first. */
export class OpenCall {
  /** Of what was reserved for it. */
  reservationId: string | undefined
  readonly #parts: CallMeterParts
  readonly #context: CallContext
  readonly #grant: KeyGrant
  readonly #route: string
  readonly #call: CallOf
  readonly #facts: Parameters<typeof costNano>[0]
  readonly #startedMs: number
  #firstMs: number | undefined
  #characters = 0
  #reasoningCharacters = 0
  #estimate: CallEstimate | undefined
  #isOver = false
  readonly #attempts: CallAttempt[]
  #hasTried = false

  constructor(
    parts: CallMeterParts,
    context: CallContext,
    grant: KeyGrant,
    route: string,
    call: CallOf,
    facts: Parameters<typeof costNano>[0],
  ) {
    this.#parts = parts
    this.#context = context
    this.#grant = grant
    this.#route = route
    this.#call = call
    this.#facts = facts
    this.#startedMs = parts.clock.nowMs()
    this.#attempts = context.attempts ?? []
  }

  /** The call's context for whoever makes it: what is tried is noted here. */
  noting(): CallContext {
    return { ...this.#context, attempts: this.#attempts, beginAttempt: () => this.#begin() }
  }

  #begin(): (code?: FailureCode) => void {
    this.#hasTried = true
    const beganMs = this.#parts.clock.nowMs()
    return (code) => {
      const { provider, modelId: model } = this.#call
      const ms = this.#parts.clock.nowMs() - beganMs
      this.#attempts.push({ provider, model, ms, ...(code === undefined ? {} : { code }) })
    }
  }

  estimate(): CallEstimate {
    this.#estimate ??= callEstimate(this.#call.body, this.#call.outputTokensMax, this.#facts)
    return this.#estimate
  }

  /** A piece of the answer came. */
  piece(characters: number): void {
    this.#firstMs ??= this.#parts.clock.nowMs() - this.#startedMs
    this.#characters += characters
  }

  reasoningPiece(characters: number): void {
    this.piece(characters)
    this.#reasoningCharacters += characters
  }

  /** When the client leaves, what had come by then is counted. */
  endWithClient(): void {
    const left = () => void this.end('left')
    if (this.#context.signal.aborted) left()
    else this.#context.signal.addEventListener('abort', left, { once: true })
  }

  failed({ code }: Failure): Promise<void> {
    // It was refused before the provider was asked, for instance because it has too many calls.
    if (!this.#hasTried) this.#begin()(code)
    // Of an answer that broke, what had come was made, and is paid for.
    return this.end(this.#context.signal.aborted ? 'left' : 'failed', { code })
  }

  /** Without a count the tokens are estimated, where there was an answer. Resolves when it is written down. */
  async end(outcome: CallOutcome, { code, tokens }: Ended = {}): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    const { clock, calendar, store, keepAlive, onCall, log } = this.#parts
    const nowMs = clock.nowMs()
    const isEstimated = tokens === undefined && (outcome === 'answered' || outcome === 'left' || this.#characters > 0)
    const counted = tokens ?? (isEstimated ? this.#estimated() : noTokens)
    const cost = costNano(this.#facts, counted)
    const call: CallRecord = {
      requestId: this.#context.requestId,
      atMs: this.#startedMs,
      route: this.#route,
      provider: this.#call.provider,
      model: this.#call.modelId,
      outcome,
      ...(code === undefined ? {} : { code }),
      tokens: counted,
      isEstimated,
      ...(cost === undefined ? {} : { costNano: cost }),
      ...(this.#firstMs === undefined ? {} : { firstMs: this.#firstMs }),
      tookMs: nowMs - this.#startedMs,
      ...(this.#attempts.length > 1 ? { attempts: this.#attempts.slice(-attemptsKeptMax) } : {}),
    }
    onCall(this.#grant, call, this.#context.trace)
    const settled = store
      .settle(this.#grant.id, call, this.reservationId, calendar(nowMs))
      .catch(notRecorded(log, call.requestId))
    keepAlive(settled)
    // A budget knows of an answer before the client does.
    if (store.isAwaited || this.reservationId !== undefined) await settled
  }

  #estimated(): TokenCount {
    const output = estimateTokens(this.#characters)
    return {
      ...noTokens,
      input: this.estimate().inputTokens,
      output,
      reasoning: Math.min(output, estimateTokens(this.#reasoningCharacters)),
    }
  }

  /** Reasoning is not counted apart by every provider: its share of the text is its share of the tokens. */
  reasoningTokens(): number {
    return estimateTokens(this.#reasoningCharacters)
  }
}

/** Waits as long as the call is not written down, so it holds nothing of the request: what lives so long is dear to collect. */
function notRecorded(log: Log, requestId: string): (cause: unknown) => void {
  return (cause) => log({ level: 'error', event: 'call-not-recorded', requestId, cause: redactedCause(cause) })
}
