/**
 * One turn: steps of the model until it has nothing more to call. Every step begins with one transaction that takes the
 * waiting input in and records that the step runs, so input is never taken without a step that used it.
 */
import type { Clock } from '#shared/kernel/clock.ts'
import type { JsonObject, SessionRecord } from '../core/session/message.ts'
import { untitledPrefix } from '../core/session/project.ts'
import { fallbackAfterAttempts, retryDelayMsFirst, retryDelayMsMax, steersPerBoundaryMax } from '../limits.ts'
import type { Identifiers } from './identifiers.ts'
import { promoteInput } from './inbox.ts'
import { loopShare } from './loop-share.ts'
import { toModelMessages } from './model-history.ts'
import { type ModelClient, type ModelEndpoint, ModelFault } from './model-port.ts'
import type { StepEffects } from './revert.ts'
import { serverStops } from './session-host.ts'
import type { ReadAhead, SessionStore, Transaction } from './session-store.ts'
import { settleInterrupted, settleStep } from './settle-step.ts'
import type { StepSetup } from './step-port.ts'
import { runTools, type StepToolsDeps } from './step-tools.ts'
import { StepWriter } from './step-writer.ts'
import type { Tool } from './tool-port.ts'
import { untilAborted } from './until-aborted.ts'

export interface TurnDeps extends StepToolsDeps {
  readonly clock: Clock
  readonly ids: Identifiers
  readonly model: ModelClient
  readonly setup: (record: SessionRecord, fallback?: number) => Promise<StepSetup>
  /** Told of the first prompt of a session. */
  readonly onFirstPrompt: (record: SessionRecord, text: string) => void
  /** Summarises the context; answers false when that was not possible. */
  readonly compact: (sessionId: string, setup: StepSetup, signal: AbortSignal) => Promise<boolean>
  readonly afterEffects: (sessionId: string, messageId: string, directory: string) => Promise<StepEffects>
  /** Steps are gone with a revert. */
  readonly countAgain: (sessionId: string) => Promise<void>
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
  /** Nothing but input that waits is a reason for the next step, and it may be withdrawn until that begins. */
  let needsInput = true
  for (let step = 0; ; step += 1) {
    const begun = await beginStep(deps, sessionId, { isFirst: step === 0, needsInput, fallback }, signal)
    if (begun === undefined) return step === 0 ? 'nothing' : 'ran'
    needsInput = false
    const { setup, writer, record } = begun
    if (setup === undefined) {
      settleInterrupted(deps, sessionId, writer.assistantMessageID)
      return 'ran'
    }
    try {
      if (record.revert !== undefined) await deps.countAgain(sessionId)
      signal.throwIfAborted()
      if (setup.endpoint === undefined)
        throw new ModelFault(setup.problem ?? { kind: 'no_model' }, { isRetryable: false })
      await streamStep(deps, setup, setup.endpoint, record, writer, signal)
      const outcome = await runTools(deps, setup, record, writer, signal)
      await endStep(deps, sessionId, setup, writer, outcome.hadEffects ? record.location.directory : undefined)
      attempts = 0
      if (isOverfull(setup, writer)) await deps.compact(sessionId, setup, signal)
      if (outcome.endsTurn || step + 1 >= setup.stepsMax) return 'ran'
      needsInput = writer.calls.length === 0
      if (needsInput && deps.store.pendingInputs(sessionId, 'steer', 1).length === 0) return 'ran'
    } catch (error) {
      // A long text takes a while to keep, to read, and to settle its step with: each has a pass of its own.
      if (loopShare.isSpent()) await loopShare.turn()
      keepText(() => writer.prepareEnds())
      if (loopShare.isSpent()) await loopShare.turn()
      keepText(() => writer.endTexts())
      if (loopShare.isSpent()) await loopShare.turn()
      const ahead = readAhead(deps.store, sessionId, writer)
      if (loopShare.isSpent()) await loopShare.turn()
      if (signal.aborted) {
        settleInterrupted(deps, sessionId, writer.assistantMessageID, ahead)
        // What its calls did until then can be taken back as well.
        const { changes } = await deps.afterEffects(sessionId, writer.assistantMessageID, record.location.directory)
        if (changes !== undefined) deps.store.commit(sessionId, ({ append }) => appendChanges(append, changes))
        return 'ran'
      }
      const isFault = error instanceof ModelFault
      const message = isFault ? error.message : 'The server failed'
      const failed = {
        ...({ type: 'unknown', message, reason: 'provider' } as const),
        ...(isFault ? { fault: error.fault } : {}),
      }
      settleStep(deps, sessionId, writer.assistantMessageID, failed, { ahead })
      if (!isFault) throw error
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
function keepText(work: () => void): void {
  try {
    work()
  } catch {
    return
  }
}

/** As for the text: a store that fails here is reported when the step is settled. */
function readAhead(store: SessionStore, sessionId: string, writer: StepWriter): ReadAhead | undefined {
  try {
    return store.readAhead(sessionId, writer.assistantMessageID, writer.ends)
  } catch {
    return undefined
  }
}

/** Takes waiting input in and records the start of a step; undefined when there is nothing to do for it. */
async function beginStep(
  deps: TurnDeps,
  sessionId: string,
  { isFirst, needsInput, fallback }: { isFirst: boolean; needsInput: boolean; fallback: number },
  signal: AbortSignal,
) {
  for (;;) {
    const before = requireRecord(deps.store, sessionId)
    const setup = await untilAborted(deps.setup(before, fallback), signal)
    if (loopShare.isSpent()) await loopShare.turn()
    const record = requireRecord(deps.store, sessionId)
    // A switch that arrived meanwhile belongs to this step: resolve again.
    if (record.agent !== before.agent || JSON.stringify(record.model) !== JSON.stringify(before.model)) continue
    // What waits is not taken in by a turn that is over. Only the prompt that an interrupt is meant for goes with it.
    if (signal.aborted && (!isFirst || signal.reason === serverStops)) return undefined
    const steers = deps.store.pendingInputs(sessionId, 'steer', steersPerBoundaryMax)
    // What the server tells goes to the model with the owner's words, and is not answered ahead of them.
    const takesNext = isFirst && steers.every(({ isSynthetic }) => isSynthetic)
    const inputs = takesNext ? [...steers, ...deps.store.pendingInputs(sessionId, 'queue', 1)] : steers
    if (needsInput && inputs.length === 0) return undefined
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
    const first = inputs.find(({ isSynthetic }) => !isSynthetic)
    if (first !== undefined && record.title.startsWith(untitledPrefix)) deps.onFirstPrompt(record, first.prompt.text)
    return { setup, record, writer: new StepWriter(deps.store, deps.ids, sessionId, assistantMessageID) }
  }
}

async function streamStep(
  deps: TurnDeps,
  setup: StepSetup,
  endpoint: ModelEndpoint,
  { id: sessionId, location }: SessionRecord,
  writer: StepWriter,
  signal: AbortSignal,
): Promise<void> {
  if (loopShare.isSpent()) await loopShare.turn()
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
  const isQuiet = () => quiet.abort(new ModelFault({ kind: 'quiet' }, { isRetryable: true }))
  const quietMsMax = endpoint.quietMsMax ?? deps.quietMsMax
  let timer = setTimeout(isQuiet, quietMsMax)
  try {
    for await (const part of deps.model.stream(request, AbortSignal.any([signal, quiet.signal]))) {
      signal.throwIfAborted()
      clearTimeout(timer)
      timer = setTimeout(isQuiet, quietMsMax)
      // What a fast provider sends at once is stored in several goes, and may be interrupted between them.
      if (loopShare.isSpent()) {
        await loopShare.turn()
        signal.throwIfAborted()
      }
      writer.prepareEnds(part)
      if (loopShare.isSpent()) {
        await loopShare.turn()
        signal.throwIfAborted()
      }
      writer.write(part)
      if (part.type === 'tool-input-start') {
        const tool = setup.tools.find(({ name }) => name === part.name)
        tool?.foresee?.({ ...setup, sessionId, directory: location.directory })
      }
    }
    if (loopShare.isSpent()) await loopShare.turn()
  } catch (error) {
    // An answer that is too long would go on arriving.
    quiet.abort(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
  writer.prepareEnds()
  if (loopShare.isSpent()) await loopShare.turn()
  writer.endTexts()
  if (loopShare.isSpent()) await loopShare.turn()
  if (writer.finished === undefined) throw new ModelFault({ kind: 'no_answer' }, { isRetryable: true })
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
  const effects =
    changedIn === undefined ? undefined : await deps.afterEffects(sessionId, writer.assistantMessageID, changedIn)
  if (loopShare.isSpent()) await loopShare.turn()
  const ahead = deps.store.readAhead(sessionId, writer.assistantMessageID, writer.ends)
  if (loopShare.isSpent()) await loopShare.turn()
  const end = ({ append }: Transaction): void => {
    append({
      type: 'session.next.step.ended',
      data: {
        assistantMessageID: writer.assistantMessageID,
        finish: finished.finish,
        cost: setup.costOf(finished.tokens),
        tokens: finished.tokens,
        ...(effects === undefined ? {} : { files: effects.files }),
      },
    })
    appendChanges(append, effects?.changes)
  }
  deps.store.commit(sessionId, end, ahead)
}

function appendChanges(append: Transaction['append'], changes: StepEffects['changes']): void {
  if (changes !== undefined) append({ type: 'session.next.changed', data: { changes } })
}

function isOverfull(setup: StepSetup, writer: StepWriter): boolean {
  if (setup.contextTokensMax === undefined || writer.finished === undefined) return false
  const { input, output, reasoning, cache } = writer.finished.tokens
  return input + output + reasoning + cache.read + cache.write >= setup.contextTokensMax
}

function requireRecord(store: SessionStore, sessionId: string): SessionRecord {
  const record = store.find(sessionId)
  if (record === undefined) throw new Error(`session ${sessionId} has no record`)
  return record
}
