/**
 * One turn: steps of the model until it has nothing more to call. Every step begins with one transaction that takes the
 * waiting input in and records that the step runs, so input is never taken without a step that used it.
 */
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result } from '#shared/kernel/result.ts'
import type {
  JsonObject,
  Message,
  ModelRef,
  SessionError,
  SessionRecord,
  TokenCounts,
} from '../core/session/message.ts'
import { untitledPrefix } from '../core/session/project.ts'
import {
  callsBesideMax,
  fallbackAfterAttempts,
  retryDelayMsFirst,
  retryDelayMsMax,
  steersPerBoundaryMax,
  streamSliceMsMax,
} from '../limits.ts'
import type { HumanRequests } from './human-requests.ts'
import type { Identifiers } from './identifiers.ts'
import { promoteInput } from './inbox.ts'
import type { Memories, Selection } from './memories.ts'
import { toModelMessages } from './model-history.ts'
import { type ModelClient, type ModelEndpoint, ModelFault, type ModelToolCall } from './model-port.ts'
import { serverStops } from './session-host.ts'
import type { SessionStore } from './session-store.ts'
import { Slots } from './slots.ts'
import { type CalledTool, StepWriter } from './step-writer.ts'
import type {
  EditSettings,
  OutputLimits,
  SandboxSettings,
  Tool,
  ToolCall,
  ToolOutput,
  ToolProblem,
} from './tool-port.ts'

/** Who writes the summary of a session. */
export interface Summariser {
  readonly endpoint: ModelEndpoint
  readonly system: string
  readonly temperature: number | undefined
  readonly topP: number | undefined
  costOf(tokens: TokenCounts): number
}

/** What a step runs with, resolved from the record at its boundary. */
export interface StepSetup {
  readonly agent: string
  readonly model: ModelRef
  readonly endpoint: ModelEndpoint | undefined
  /** Why there is no endpoint. */
  readonly problem?: string
  readonly summariser: Summariser | undefined
  readonly system: string
  /** The notes that the instructions hold, where they are not those of the step before. */
  readonly retrieved?: NonNullable<Selection['event']>
  readonly tools: readonly Tool[]
  readonly temperature: number | undefined
  readonly topP: number | undefined
  readonly outputLimits: OutputLimits
  readonly sandbox: SandboxSettings
  readonly edits: EditSettings
  readonly webSearch: ToolCall['webSearch']
  readonly stepsMax: number
  /** Files are recorded before and after a step that may change them, so that it can be taken back. */
  readonly takesSnapshots: boolean
  /** How many other models the owner named for one that is overloaded. */
  readonly fallbacks: number
  /** Tokens at which the context is summarised first; undefined turns that off. */
  readonly contextTokensMax: number | undefined
  costOf(tokens: TokenCounts): number
  isAllowed: ToolCall['isAllowed']
  rulesKey: ToolCall['rulesKey']
  permit(
    call: Omit<
      ToolCall,
      'permit' | 'isAllowed' | 'rulesKey' | 'question' | 'answers' | 'outputLimits' | 'sandbox' | 'edits' | 'webSearch'
    >,
    ask: Parameters<ToolCall['permit']>[0],
  ): ReturnType<ToolCall['permit']>
}

export interface TurnDeps {
  readonly store: SessionStore
  readonly clock: Clock
  readonly ids: Identifiers
  readonly model: ModelClient
  readonly asks: HumanRequests
  readonly memories: Pick<Memories, 'exclude'>
  readonly setup: (record: SessionRecord, fallback?: number) => Promise<StepSetup>
  /** Told of the first prompt of a session. */
  readonly onFirstPrompt: (record: SessionRecord, text: string) => void
  /** Summarises the context; answers false when that was not possible. */
  readonly compact: (sessionId: string, setup: StepSetup, signal: AbortSignal) => Promise<boolean>
  readonly beforeEffects: (
    sessionId: string,
    messageId: string,
    directory: string,
    signal: AbortSignal,
  ) => Promise<void>
  readonly afterEffects: (sessionId: string, messageId: string, directory: string) => Promise<readonly string[]>
  /** Tells whoever looks on what a call that runs has said last. It is not stored. */
  readonly progress: (
    record: SessionRecord,
    source: { readonly messageId: string; readonly callId: string },
    output: string,
  ) => void
  readonly toolSchema: (tool: Tool) => JsonObject
  readonly attemptsMax: number
  /** A provider that sends nothing for this long has failed. */
  readonly quietMsMax: number
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>
}

export async function runTurn(deps: TurnDeps, sessionId: string, signal: AbortSignal): Promise<'ran' | 'nothing'> {
  let attempts = 0
  let fallback = 0
  let hasCompacted = false
  for (let step = 0; ; step += 1) {
    const begun = await beginStep(deps, sessionId, step === 0, fallback, signal)
    if (begun === undefined) return step === 0 ? 'nothing' : 'ran'
    const { setup, writer, record } = begun
    if (setup === undefined) {
      settleInterrupted(deps, sessionId, writer)
      return 'ran'
    }
    try {
      signal.throwIfAborted()
      if (setup.endpoint === undefined)
        throw new ModelFault(setup.problem ?? 'No model is configured for this session', { isRetryable: false })
      await streamStep(deps, setup, setup.endpoint, sessionId, writer, signal)
      const outcome = await runTools(deps, setup, record, writer, signal)
      const isLast = writer.calls.length === 0 || outcome.endsTurn
      await endStep(deps, sessionId, setup, writer, outcome.hadEffects ? record.location.directory : undefined)
      attempts = 0
      if (isOverfull(setup, writer)) await deps.compact(sessionId, setup, signal)
      if (outcome.endsTurn || step + 1 >= setup.stepsMax) return 'ran'
      if (isLast && deps.store.pendingInputs(sessionId, 'steer', 1).length === 0) return 'ran'
    } catch (error) {
      keepText(writer)
      if (signal.aborted) {
        settleInterrupted(deps, sessionId, writer)
        // What its calls did until then can be taken back as well.
        await deps.afterEffects(sessionId, writer.assistantMessageID, record.location.directory)
        return 'ran'
      }
      if (!(error instanceof ModelFault)) {
        settleStep(deps, sessionId, writer.assistantMessageID, {
          type: 'unknown',
          message: 'The server failed',
          reason: 'provider',
        })
        throw error
      }
      settleStep(deps, sessionId, writer.assistantMessageID, {
        type: 'unknown',
        message: error.message,
        reason: 'provider',
      })
      if (error.isContextFull && !hasCompacted) {
        hasCompacted = true
        if (await compactOrStop(deps, sessionId, setup, signal)) continue
        if (signal.aborted) return 'ran'
      }
      attempts += 1
      const hasOther = error.isRetryable && fallback < setup.fallbacks && attempts >= fallbackAfterAttempts
      if (!hasOther && (!error.isRetryable || attempts >= deps.attemptsMax)) return 'ran'
      deps.store.commit(sessionId, ({ append }) =>
        append({
          type: 'session.next.retried',
          data: {
            assistantMessageID: writer.assistantMessageID,
            attempt: attempts,
            error: {
              message: error.message,
              isRetryable: true,
              ...(error.statusCode === undefined ? {} : { statusCode: error.statusCode }),
            },
          },
        }),
      )
      if (hasOther) {
        // For the rest of the turn: the next one begins with the session's own model again.
        fallback += 1
        attempts = 0
        continue
      }
      const wait = error.retryAfterMs ?? retryDelayMsFirst * 2 ** (attempts - 1)
      try {
        await deps.delay(Math.min(wait, retryDelayMsMax), signal)
      } catch {
        return 'ran'
      }
    }
  }
}

/** Answers false as well when the turn was interrupted meanwhile: its step is settled already. */
async function compactOrStop(deps: TurnDeps, sessionId: string, setup: StepSetup, signal: AbortSignal) {
  try {
    return await deps.compact(sessionId, setup, signal)
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

/** What was shown of an answer is kept. A store that fails here fails again, and is reported, when the step is settled. */
function keepText(writer: StepWriter): void {
  try {
    writer.endTexts()
  } catch {
    return
  }
}

/** Takes waiting input in and records the start of a step; undefined when there is nothing to do for it. */
async function beginStep(deps: TurnDeps, sessionId: string, isFirst: boolean, fallback: number, signal: AbortSignal) {
  for (;;) {
    const before = requireRecord(deps.store, sessionId)
    const setup = await untilAborted(deps.setup(before, fallback), signal)
    const record = requireRecord(deps.store, sessionId)
    // A switch that arrived meanwhile belongs to this step: resolve again.
    if (record.agent !== before.agent || JSON.stringify(record.model) !== JSON.stringify(before.model)) continue
    // What waits is not taken in by a turn that is over. Only the prompt that an interrupt is meant for goes with it.
    if (signal.aborted && (!isFirst || signal.reason === serverStops)) return undefined
    const steers = deps.store.pendingInputs(sessionId, 'steer', steersPerBoundaryMax)
    const inputs = steers.length > 0 || !isFirst ? steers : deps.store.pendingInputs(sessionId, 'queue', 1)
    if (isFirst && inputs.length === 0) return undefined
    const assistantMessageID = deps.ids.make('message')
    deps.store.commit(sessionId, (transaction) => {
      if (record.revert !== undefined) {
        transaction.append({ type: 'session.next.revert.committed', data: { messageID: record.revert.messageID } })
      }
      for (const input of inputs) promoteInput(transaction, input)
      if (setup?.retrieved !== undefined) {
        transaction.append({ type: 'session.memory.retrieved', data: setup.retrieved })
      }
      transaction.append({
        type: 'session.next.step.started',
        data: {
          assistantMessageID,
          agent: setup?.agent ?? record.agent ?? 'build',
          model: setup?.model ?? record.model ?? { providerID: 'none', id: 'none' },
        },
      })
    })
    const [first] = inputs
    if (first?.isSynthetic === false && record.title.startsWith(untitledPrefix))
      deps.onFirstPrompt(record, first.prompt.text)
    return { setup, record, writer: new StepWriter(deps.store, deps.ids, sessionId, assistantMessageID) }
  }
}

/** What a step runs with may take long to come, such as the tools of a server that starts: an interrupt does not wait. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>()
  const leave = () => resolve(undefined)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  return promise
}

async function streamStep(
  deps: TurnDeps,
  setup: StepSetup,
  endpoint: ModelEndpoint,
  sessionId: string,
  writer: StepWriter,
  signal: AbortSignal,
): Promise<void> {
  const context = deps.store.context(sessionId).filter((message) => message.id !== writer.assistantMessageID)
  const request = {
    endpoint,
    system: setup.system,
    messages: await toModelMessages(context, endpoint.ref),
    tools: setup.tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: deps.toolSchema(tool),
    })),
    temperature: setup.temperature,
    topP: setup.topP,
  }
  const quiet = new AbortController()
  const isQuiet = () => quiet.abort(new ModelFault('The provider sent nothing for too long', { isRetryable: true }))
  const quietMsMax = endpoint.quietMsMax ?? deps.quietMsMax
  let timer = setTimeout(isQuiet, quietMsMax)
  let slice = performance.now()
  try {
    for await (const part of deps.model.stream(request, AbortSignal.any([signal, quiet.signal]))) {
      signal.throwIfAborted()
      clearTimeout(timer)
      timer = setTimeout(isQuiet, quietMsMax)
      writer.write(part)
      // A fast provider must not keep everyone else waiting: what has arrived together is stored in several goes.
      if (performance.now() - slice < streamSliceMsMax) continue
      await nextTurnOfLoop()
      slice = performance.now()
    }
    await nextTurnOfLoop()
  } catch (error) {
    // An answer that is too long would go on arriving.
    quiet.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
  writer.endTexts()
  if (writer.finished === undefined) throw new ModelFault('The provider ended without an answer', { isRetryable: true })
}

interface ToolsOutcome {
  readonly endsTurn: boolean
  readonly hadEffects: boolean
}

/** Calls in the order the model made them; neighbours that only read, or that have effects apart, run together. */
async function runTools(
  deps: TurnDeps,
  setup: StepSetup,
  record: SessionRecord,
  writer: StepWriter,
  signal: AbortSignal,
): Promise<ToolsOutcome> {
  const byName = new Map(setup.tools.map((tool) => [tool.name, tool]))
  let hadEffects = false
  let endsTurn = false
  for (const group of groupCalls(writer.calls, byName)) {
    if (endsTurn) {
      for (const called of group) notRun(writer, called)
      continue
    }
    signal.throwIfAborted()
    const mayHaveEffects = group.some(({ call }) => byName.get(call.name)?.isReadOnly === false)
    if (mayHaveEffects && !hadEffects && setup.takesSnapshots) {
      const { directory } = record.location
      // The first look at a large folder takes long: an interrupt does not wait for it.
      await untilAborted(deps.beforeEffects(record.id, writer.assistantMessageID, directory, signal), signal)
      signal.throwIfAborted()
      hadEffects = true
    }
    // All of them, also after one failed: a call that still runs must not write into a step that was settled.
    // What only reads costs little and may wait for the owner: sixty-four questions wait side by side.
    const slots = mayHaveEffects ? new Slots(callsBesideMax) : undefined
    let isStopped = false
    const outcomes = await Promise.allSettled(
      group.map(async (called) => {
        const release = await slots?.acquire(signal)
        try {
          signal.throwIfAborted()
          if (isStopped) return notRun(writer, called)
          const outcome = await runTool(deps, setup, record, writer, called, byName, signal)
          isStopped ||= outcome.endsTurn
          return outcome
        } finally {
          release?.()
        }
      }),
    )
    signal.throwIfAborted()
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason
      endsTurn ||= outcome.value.endsTurn
    }
  }
  return { endsTurn, hadEffects }
}

function notRun(writer: StepWriter, { call }: CalledTool) {
  writer.fail(call.id, { type: 'unknown', message: 'Not run: an earlier call was rejected', reason: 'refused' })
  return { endsTurn: true }
}

function groupCalls(calls: readonly CalledTool[], byName: ReadonlyMap<string, Tool>): CalledTool[][] {
  const groups: CalledTool[][] = []
  let lastKind: ReturnType<typeof kindOf> = 'alone'
  for (const called of calls) {
    const kind = kindOf(called, byName.get(called.call.name))
    const last = groups.at(-1)
    if (kind === lastKind && kind !== 'alone' && last !== undefined) last.push(called)
    else groups.push([called])
    lastKind = kind
  }
  return groups
}

/** Edits are alone: each sees the file as the one before left it. */
function kindOf({ call }: CalledTool, tool: Tool | undefined): 'reads' | 'runs' | 'alone' {
  if (tool?.isReadOnly === true) return 'reads'
  return tool?.runsBeside?.(call.input) === true ? 'runs' : 'alone'
}

async function runTool(
  deps: TurnDeps,
  setup: StepSetup,
  record: SessionRecord,
  writer: StepWriter,
  { call, problem }: CalledTool,
  byName: ReadonlyMap<string, Tool>,
  signal: AbortSignal,
): Promise<{ readonly endsTurn: boolean }> {
  const settle = (failed: ToolProblem) => {
    if (failed.isSettled === true) return { endsTurn: false }
    writer.fail(call.id, { type: 'unknown', message: failed.message, reason: failed.reason })
    return { endsTurn: failed.endsTurn === true }
  }
  const tool = byName.get(call.name)
  if (tool === undefined) return settle({ message: `There is no tool named ${call.name}`, reason: 'tool' })
  if (problem !== undefined) return settle({ message: problem, reason: 'tool' })
  const input = tool.input.safeParse(call.input)
  if (!input.success) return settle({ message: describeInput(input.error.issues), reason: 'tool' })
  const source = { messageId: writer.assistantMessageID, callId: call.id }
  const facts = { sessionId: record.id, ...source, directory: record.location.directory, signal }
  let outcome: Result<ToolOutput, ToolProblem>
  try {
    if (isRepeated(deps.store.context(record.id), call)) {
      const permitted = await setup.permit(facts, { action: 'doom_loop', resources: [{ text: call.name }], save: [] })
      if (!permitted.ok) return settle(permitted.failure)
    }
    outcome = await tool.run(input.data, {
      ...facts,
      outputLimits: setup.outputLimits,
      sandbox: setup.sandbox,
      edits: setup.edits,
      webSearch: setup.webSearch,
      permit: (ask) => setup.permit(facts, ask),
      isAllowed: setup.isAllowed,
      rulesKey: setup.rulesKey,
      progress: (output) => deps.progress(record, source, output),
      answers: (questions) => deps.asks.askAnswers(record.id, questions, signal),
      question: (questions) => deps.asks.askQuestion(record.id, source, questions, signal),
    })
  } catch (error) {
    if (signal.aborted) throw error
    outcome = failWith({ message: error instanceof Error ? error.message : 'The tool failed', reason: 'tool' })
  }
  // Before the model is given any of it.
  if (tool.isForeign === true && (outcome.ok || outcome.failure.reason === 'tool')) {
    await deps.memories.exclude(record, `it used ${call.name}`)
  }
  if (!outcome.ok) return settle(outcome.failure)
  writer.succeed(call.id, outcome.value)
  return { endsTurn: false }
}

/** The same call with the same arguments for the third time in a row: the model may be going round in a circle. */
function isRepeated(messages: readonly Message[], call: ModelToolCall): boolean {
  const calls = messages.flatMap((message) =>
    message.type === 'assistant' ? message.content.filter((part) => part.type === 'tool') : [],
  )
  // Some providers count their calls anew in every step.
  const at = calls.findLastIndex((part) => part.id === call.id)
  if (at < repeatsBeforeAsking) return false
  const text = JSON.stringify(call.input)
  return calls
    .slice(at - repeatsBeforeAsking, at)
    .every(
      (part) => part.name === call.name && part.state.status !== 'pending' && JSON.stringify(part.state.input) === text,
    )
}

const repeatsBeforeAsking = 2

function describeInput(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  const list = issues.slice(0, 5).map((issue) => `${issue.path.map(String).join('.') || 'input'}: ${issue.message}`)
  return `The arguments do not fit the tool: ${list.join('; ')}`
}

async function endStep(
  deps: TurnDeps,
  sessionId: string,
  setup: StepSetup,
  writer: StepWriter,
  changedIn: string | undefined,
): Promise<void> {
  const { finished } = writer
  if (finished === undefined) throw new Error('a step ended that did not finish')
  const files =
    changedIn === undefined ? undefined : await deps.afterEffects(sessionId, writer.assistantMessageID, changedIn)
  deps.store.commit(sessionId, ({ append }) =>
    append({
      type: 'session.next.step.ended',
      data: {
        assistantMessageID: writer.assistantMessageID,
        finish: finished.finish,
        cost: setup.costOf(finished.tokens),
        tokens: finished.tokens,
        ...(files === undefined ? {} : { files }),
      },
    }),
  )
}

function isOverfull(setup: StepSetup, writer: StepWriter): boolean {
  if (setup.contextTokensMax === undefined || writer.finished === undefined) return false
  const { input, output, reasoning, cache } = writer.finished.tokens
  return input + output + reasoning + cache.read + cache.write >= setup.contextTokensMax
}

/**
 * Ends a step that will not end by itself: open texts keep what was stored, open calls are settled. After a crash a
 * call that ran is uncertain: it may have had its effect, and is never run again.
 */
export function settleStep(
  deps: Pick<TurnDeps, 'store'>,
  sessionId: string,
  assistantMessageID: string,
  error: SessionError,
  /** After a crash: the calls that still wait for the owner, and so never ran. */
  afterCrash?: { readonly waitingCalls: ReadonlySet<string> },
): void {
  deps.store.commit(sessionId, ({ append }) => {
    const message = deps.store.findMessage(sessionId, assistantMessageID)
    if (message?.type !== 'assistant' || message.time.completed !== undefined) return
    for (const part of message.content) {
      if (part.type !== 'tool' || part.state.status === 'completed' || part.state.status === 'error') continue
      const isUncertain =
        afterCrash !== undefined && part.state.status === 'running' && !afterCrash.waitingCalls.has(part.id)
      append({
        type: 'session.next.tool.failed',
        data: {
          assistantMessageID,
          callID: part.id,
          error: isUncertain
            ? {
                type: 'unknown',
                message: 'The server stopped while this ran; whether it took effect is not known',
                reason: 'uncertain',
              }
            : { type: 'unknown', message: error.message, reason: 'interrupted' },
          provider: { executed: false },
        },
      })
    }
    append({ type: 'session.next.step.failed', data: { assistantMessageID, error } })
  })
}

function settleInterrupted(deps: Pick<TurnDeps, 'store'>, sessionId: string, writer: StepWriter): void {
  settleStep(deps, sessionId, writer.assistantMessageID, {
    type: 'unknown',
    message: 'The turn was interrupted',
    reason: 'interrupted',
  })
}

function requireRecord(store: SessionStore, sessionId: string): SessionRecord {
  const record = store.find(sessionId)
  if (record === undefined) throw new Error(`session ${sessionId} has no record`)
  return record
}
