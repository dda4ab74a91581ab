/** The calls of one step: which run beside one another, and what becomes of each. */
import { failWith, type Result } from '#shared/kernel/result.ts'
import type { Message, SessionRecord } from '../core/session/message.ts'
import { callsBesideMax } from '../limits.ts'
import type { HumanRequests } from './human-requests.ts'
import { loopShare } from './loop-share.ts'
import type { Memories } from './memories.ts'
import type { ModelToolCall } from './model-port.ts'
import type { SessionStore } from './session-store.ts'
import { Slots } from './slots.ts'
import type { StepSetup } from './step-port.ts'
import type { CalledTool, StepWriter } from './step-writer.ts'
import type { Tool, ToolOutput, ToolProblem } from './tool-port.ts'
import { untilAborted } from './until-aborted.ts'
import type { WaitingCalls } from './waiting-calls.ts'

export interface StepToolsDeps {
  readonly store: SessionStore
  readonly asks: HumanRequests
  readonly memories: Pick<Memories, 'exclude'>
  readonly beforeEffects: (
    sessionId: string,
    messageId: string,
    directory: string,
    signal: AbortSignal,
  ) => Promise<void>
  readonly waitingCalls: Pick<WaitingCalls, 'begin'>
  /** Tells whoever looks on what a call that runs has said last. It is not stored. */
  readonly progress: (
    record: SessionRecord,
    source: { readonly messageId: string; readonly callId: string },
    output: string,
  ) => void
}

interface ToolsOutcome {
  readonly endsTurn: boolean
  readonly hadEffects: boolean
}

/** Calls in the order the model made them; neighbours that only read, or that have effects apart, run together. */
export async function runTools(
  deps: StepToolsDeps,
  setup: StepSetup,
  record: SessionRecord,
  writer: StepWriter,
  signal: AbortSignal,
): Promise<ToolsOutcome> {
  const calls = writer.calls.map(({ call }) => call.id)
  const waiting = deps.waitingCalls.begin(record, writer.assistantMessageID, calls)
  try {
    return await runGroups(deps, setup, record, writer, waiting.started, signal)
  } finally {
    waiting.end()
  }
}

async function runGroups(
  deps: StepToolsDeps,
  setup: StepSetup,
  record: SessionRecord,
  writer: StepWriter,
  onStarted: (call: string) => void,
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
          onStarted(called.call.id)
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
  deps: StepToolsDeps,
  setup: StepSetup,
  record: SessionRecord,
  writer: StepWriter,
  { call, problem }: CalledTool,
  byName: ReadonlyMap<string, Tool>,
  signal: AbortSignal,
): Promise<{ readonly endsTurn: boolean }> {
  const began = performance.now()
  let waitedMs = 0
  async function waiting<T>(answer: Promise<T>): Promise<T> {
    const since = performance.now()
    return answer.finally(() => {
      waitedMs += performance.now() - since
    })
  }
  const workedMs = () => Math.max(0, Math.round(performance.now() - began - waitedMs))
  const settle = (failed: ToolProblem) => {
    if (failed.isSettled === true) return { endsTurn: false }
    writer.fail(call.id, { type: 'unknown', message: failed.message, reason: failed.reason }, workedMs())
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
      const permitted = await waiting(
        setup.permit(facts, { action: 'doom_loop', resources: [{ text: call.name }], save: [] }),
      )
      if (!permitted.ok) return settle(permitted.failure)
    }
    outcome = await tool.run(input.data, {
      ...facts,
      outputLimits: setup.outputLimits,
      sandbox: setup.sandbox,
      edits: setup.edits,
      webSearch: setup.webSearch,
      permit: (ask) => waiting(setup.permit(facts, ask)),
      isAllowed: setup.isAllowed,
      rulesKey: setup.rulesKey,
      progress: (output) => deps.progress(record, source, output),
      answers: (questions) => waiting(deps.asks.askAnswers(record.id, questions, signal)),
      question: (questions) => waiting(deps.asks.askQuestion(record.id, source, questions, signal)),
    })
  } catch (error) {
    if (signal.aborted) throw error
    outcome = failWith({ message: error instanceof Error ? error.message : 'The tool failed', reason: 'tool' })
  }
  // Before the model is given any of it.
  if (tool.isForeign === true && (outcome.ok || outcome.failure.reason === 'tool')) {
    await deps.memories.exclude(record, `it used ${call.name}`)
  }
  if (loopShare.isSpent()) await loopShare.turn()
  if (!outcome.ok) return settle(outcome.failure)
  writer.succeed(call.id, outcome.value, workedMs())
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
