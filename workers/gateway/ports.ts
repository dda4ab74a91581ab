import type { JsonRecord } from '#shared/kernel/json-record.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { ListedModel } from '#shared/models/listed-model.ts'
import type { TraceParent } from '#shared/telemetry/trace-context.ts'
import type { Cancellation } from './core/cancellation.ts'
import type { Catalogue } from './core/catalogue.ts'
import type { EmbeddingAnswer, EmbeddingCall } from './core/embeddings/embedding-call.ts'
import type { Eventually } from './core/eventually.ts'
import type { Failure, FailureCode } from './core/failure.ts'
import type { Wanted } from './core/keys/admission.ts'
import type { CallAttempt, CallRecord, ProviderStep, UsageRow } from './core/keys/call-record.ts'
import type { KeyFields, KeyGrant, KeyRecord, KeyRefusal } from './core/keys/key-record.ts'
import type { Moment } from './core/keys/moment.ts'
import type { ModelRoute } from './core/providers/model-route.ts'
import type { PassedSurface } from './core/providers/provider-dialect.ts'
import type { CircuitStatus } from './core/providers/route-plan.ts'
import type { Keyring } from './core/reasoning-capsule.ts'
import type { ProviderImage } from './core/to-provider/image-reference.ts'
import type { ConverseAnswer, ConverseEvent } from './core/wire/converse-answer.ts'
import type { ConverseRequest } from './core/wire/converse-request.ts'

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal: Cancellation
}

export interface OutgoingAnswer {
  readonly status: number
  header(name: string): string | undefined
  /** Ends early when the request's signal fires. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Sends one request, follows no redirect. Rejects only when there is no answer at all. */
export type Outgoing = (request: OutgoingRequest) => Promise<OutgoingAnswer>

/** As much of a web request as the gateway's routes read. */
export interface GatewayRequest {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null }
}

/** Takes a streamed body. */
export interface BodySink {
  enqueue(piece: string | Uint8Array): void
  close(): void
  /** Whether the client has taken what was written. */
  hasRoom(): boolean
}

/** A streamed body, in the manner of the web's streams, whichever way the host writes it. */
export interface BodySource {
  start(sink: BodySink): void
  /** Asked again and again, each time when the client has room: enqueues something or closes. */
  pull(): Promise<void>
  /** The client wants no more. */
  cancel(): void
}

export type AnswerBody = string | BodySource | null

/** The client's end of one request. A host that can do better than web requests and answers brings its own. */
export interface ClientEnd {
  /** Where the client calls from, as the host saw it; undefined: it did not see it. */
  readonly address: string | undefined
  /** Reads no further than the bound. `cut`: the client left before its body was complete; `slow`: its time was over. */
  readBody(bytesMax: number): Promise<Result<Uint8Array, 'too_large' | 'cut' | 'slow'>>
  /** Calls back when the client leaves before its answer is complete. */
  onLeave(leave: () => void): void
  /** Makes the answer. What a host of its own makes is only for itself, and has no more of an answer than its status. */
  answer(body: AnswerBody, status: number, headers: Readonly<Record<string, string>>): Response
  /** Answers by a connection of messages; undefined where the host has none. */
  upgrade?(accept: (peer: SocketPeer) => SocketTaker): Response
}

/** The client's side of a connection of messages. */
export interface SocketPeer {
  /** Resolves when it was taken, or the client has left. */
  send(text: string): Promise<void>
  close(code: number): void
}

/** Takes a client's messages; the next one when this resolves. */
export interface SocketTaker {
  take(text: string): Promise<void>
  leave(): void
}

/** Digests by the platform's own means: at once where it can, later where it must. */
export interface Digests {
  /** Of text its UTF-8 bytes; as lower-case hexadecimal digits. */
  sha256Hex(data: string | Uint8Array): Eventually<string>
  hmacSha256(key: Uint8Array, bytes: Uint8Array): Eventually<Uint8Array>
  /** Of text, as lower-case hexadecimal digits: for a signature no bytes are made. */
  hmacSha256Hex(key: Uint8Array, text: string): Eventually<string>
}

export interface Random {
  /** Lower-case hexadecimal digits of so many random bytes. */
  hex(bytes: number): string
  /** At least 0, below 1. */
  fraction(): number
}

export interface Timers {
  /** Resolves after the time, or at once when the signal fires. */
  sleep(ms: number, signal: Cancellation): Promise<void>
  /** Calls the task again and again; the returned function stops it. */
  every(ms: number, task: () => void): () => void
  /** The same for tasks that look at the clock themselves: the first call may come sooner, so they can share a timer. */
  watch(ms: number, task: () => void): () => void
}

interface LogEntry {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  readonly [field: string]: unknown
}
export type Log = (entry: LogEntry) => void

/** What a call to the provider needs to know of the request it serves. */
export interface CallContext {
  readonly requestId: string
  readonly signal: Cancellation
  /** Who is charged, and for which route. Undefined: the gateway asks for itself. */
  readonly account?: { readonly grant: KeyGrant; readonly route: string }
  /** Tries of the request so far, over all steps of a route; whoever makes one adds it. */
  readonly attempts?: CallAttempt[]
  /** Begins a try of a provider. What is given back is told its end: why it failed, or nothing. */
  readonly beginAttempt?: () => (code?: FailureCode) => void
  /** The trace of the client that this is part of. */
  readonly trace?: TraceParent | undefined
  /** How long the provider may be silent before its answer, where its own time is longer. */
  readonly firstByteMs?: number | undefined
  /** The request as its client sent it, where that tells how the conversation began. */
  readonly began?: JsonRecord | undefined
  /** How much of an answer that passes must have come before it is one: another provider may be asked until then. */
  readonly waitsFor?: 'all' | 'first'
  /** Features that are tried out, as a client of the messages dialect names them. */
  readonly betas?: readonly string[]
}

/** Batches of events as they arrive. After a failure nothing follows. */
export type EventBatches = AsyncIterator<Result<readonly ConverseEvent[], Failure>>

export interface Provider {
  converse(modelId: string, request: ConverseRequest, call: CallContext): Promise<Result<ConverseAnswer, Failure>>
  /** Answers when the first event is there, so that an early refusal still has a status. */
  converseStream(modelId: string, request: ConverseRequest, call: CallContext): Promise<Result<EventBatches, Failure>>
  /** Of the input of a request; refused as `bad_request` where the provider does not count for the model. */
  countTokens(
    foundationId: string,
    request: Omit<ConverseRequest, 'inferenceConfig' | 'outputConfig'>,
    call: CallContext,
  ): Promise<Result<number, Failure>>
  embed(call: EmbeddingCall, context: CallContext): Promise<Result<EmbeddingAnswer, Failure>>
}

export interface ModelDirectory {
  /** The newest catalogue; waits only for the very first one. */
  current(): Eventually<Catalogue>
}

/** What the providers beside the account's list, as far as it can be read. */
export interface ExternalModels {
  /** The newest lists; waits only for the very first one of each. */
  current(): Promise<readonly { readonly provider: string; readonly models: readonly ListedModel[] }[]>
}

/** How a provider beside the account's is, as far as this process knows. */
export type ProviderStatus = (name: string) => CircuitStatus & { readonly callsUnderWay: number }

/** Lets the next call of a provider that rests decide, as far as this process keeps it from it. */
export type EndProviderRest = (name: string) => void

/** A number of bytes that several takers share. */
export interface ByteAllowance {
  /** False when there are not so many left. */
  take(bytes: number): boolean
}

export interface Images {
  /** Takes from `allowance`, which the images of one request share. */
  download(url: string, allowance: ByteAllowance, signal: Cancellation): Promise<Result<ProviderImage, Failure>>
}

/** A provider that speaks the dialect of a client itself, so that its bytes pass. */
export interface CompatibleEndpoint {
  send(surface: 'responses' | PassedSurface, body: unknown, call: CallContext): Promise<Result<OutgoingAnswer, Failure>>
}

/** What a request carries, and what is written down where it is refused. */
interface Presented {
  readonly secret: string | undefined
  readonly route: string
  readonly requestId: string
  /** Where the request comes from; undefined: nobody knows. */
  readonly caller: string | undefined
}

export interface KeyCheck {
  /** `unknown` while no key is configured or it could not be read. */
  judge(presented: Presented): Promise<Result<KeyGrant, KeyRefusal | 'unknown'>>
  /** False while no key is configured or it could not be read. */
  isConfigured(): Promise<boolean>
  /** The keyring made of the key, once that was read; what is judged before has none. */
  ownKeyring(): Keyring | undefined
}

/** An answer of the responses interface that is to be kept. Every item has an id. */
export interface NewResponse {
  readonly id: string
  readonly response: JsonRecord
  /** The answer that it goes on from, whose items stand before its own. */
  readonly previousId?: string
  readonly input: readonly JsonRecord[]
  /** Reasoning in the form in which it can go back. */
  readonly output: readonly JsonRecord[]
}

/** An answer that is kept, and all that was said up to it. */
export interface KeptResponse {
  readonly id: string
  readonly response: JsonRecord
  /** Input and output, in order, what came before included. */
  readonly items: readonly JsonRecord[]
  /** How many of them were its input. */
  readonly inputs: number
}

/** Keeps answers so that a client can go on from them, each for the key that it was given to. */
export interface ResponseStore {
  /** What is too much for it is not kept, and the oldest make room. */
  put(owner: string, kept: NewResponse, nowMs: number): Promise<void>
  get(owner: string, id: string, nowMs: number): Promise<KeptResponse | undefined>
  /** Those of these items that are kept with any answer. */
  items(owner: string, ids: readonly string[], nowMs: number): Promise<readonly JsonRecord[]>
  /** False: there was none. */
  delete(owner: string, id: string): Promise<boolean>
  /** Everything of a key. */
  forget(owner: string): Promise<void>
}

/** A route as the owner wrote it, as JSON text. */
export interface KeptRoute {
  readonly name: string
  readonly text: string
  /** Number of the change that made it so. */
  readonly revision: number
}

/** What was changed of a route; undefined text: there was, or is, none. */
export interface RouteChange {
  readonly seq: number
  readonly atMs: number
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The routes that the owner keeps beside those of the settings, and how they were before. */
export interface RouteStore {
  /** Undefined: nothing was changed since that revision. */
  routes(
    known: number | undefined,
  ): Promise<{ readonly revision: number; readonly routes: readonly KeptRoute[] } | undefined>
  /** Undefined text: there is to be none. `seen` is the revision that the change is made on, 0 where there was none. */
  change(
    name: string,
    text: string | undefined,
    seen: number | undefined,
    ms: number,
  ): Promise<'changed' | 'stale' | 'full'>
  /** The newest first. */
  changes(limit: number): Promise<readonly RouteChange[]>
}

/** All routes as this process knows them. */
export interface RouteBook {
  readonly routes: ReadonlyMap<string, ModelRoute>
  /** 0: there is none yet; undefined: the settings have it, and nobody changes it. */
  revisionOf(name: string): number | undefined
  /** Resolves when what is known is new enough; undefined: it is already. */
  freshen(): Promise<void> | undefined
  /** Something was changed. */
  outdate(): void
}

export interface TokenText {
  /** Undefined for a token the encoding does not have. */
  decode(tokens: readonly number[]): Promise<string | undefined>
}

/** What a key has used, of the moment. */
export interface KeyStatus {
  readonly record: KeyRecord
  readonly dayNano: number
  readonly monthNano: number
  readonly minuteRequests: number
  readonly minuteTokens: number
  readonly heldNano: number
  /** Calls under way with a reservation. */
  readonly open: number
}

/** A call as it is shown: with the key that made it. */
export interface ListedCall {
  readonly key: string
  readonly seq: number
  readonly record: CallRecord
  /** What was said is kept. */
  readonly hasBody: boolean
}

/** A secret as it is kept. */
export interface KeptSecret {
  readonly digest: string
  readonly end: string
}

/** Keys and what they spend, wherever a host keeps them. Where it is durable, no crash forgets what was settled. */
export interface KeyStore {
  /** False: it is in the memory of this process. */
  readonly isDurable: boolean
  /** Every answer waits until its call is written down, which is quick enough. */
  readonly isAwaited: boolean
  /** Lets a request in, and counts it. */
  enter(id: string, digest: string, now: Moment, caller: string | undefined): Promise<Result<KeyGrant, KeyRefusal>>
  /** Reserves what a call may take before it is made. Undefined: it is reserved. */
  reserve(id: string, reservationId: string, wanted: Wanted, now: Moment): Promise<KeyRefusal | undefined>
  /** Writes a call down, and releases its reservation. */
  settle(id: string, call: CallRecord, reservationId: string | undefined, now: Moment): Promise<void>
  /** False: there are as many keys as there may be. */
  add(id: string, fields: KeyFields, secret: KeptSecret, ms: number): Promise<boolean>
  keys(now: Moment): Promise<readonly KeyStatus[]>
  key(id: string, now: Moment): Promise<KeyStatus | undefined>
  change(id: string, fields: KeyFields): Promise<void>
  /** A new secret; the one before opens until `oldUntilMs`. */
  renew(id: string, secret: KeptSecret, oldUntilMs: number): Promise<void>
  /** What was before the secret opens no more. */
  endOldSecret(id: string): Promise<void>
  revoke(id: string, ms: number): Promise<void>
  /** With all that is written of it. */
  forget(id: string): Promise<void>
  usage(firstDay: string, lastDay: string): Promise<readonly UsageRow[]>
  /** How providers did from that step on; there may be several of a provider and a step, to be added. */
  providerSteps(firstStep: number): Promise<readonly ProviderStep[]>
  /** The newest first; of one key where it is named. */
  calls(limit: number, key?: string): Promise<readonly ListedCall[]>
  /** Keeps what a request and its answer say, sealed, until it is too old or the owner keeps none any more. */
  keepBody(id: string, requestId: string, sealed: string, now: Moment): Promise<void>
  body(id: string, requestId: string, now: Moment): Promise<string | undefined>
}

/** What a request and its answer say, each up to a bound. */
export interface SaidBodies {
  readonly status: number
  readonly request: string
  readonly answer: string
  readonly isCut: boolean
}

/** What requests and answers of keys say, where their owner keeps it. */
export interface KeptBodies {
  keep(id: string, requestId: string, bodies: SaidBodies): void
  /** Undefined: none is kept, or none that can be opened. */
  read(id: string, requestId: string): Promise<SaidBodies | undefined>
}
