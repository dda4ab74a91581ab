/** Prompts on their way into a session's inbox: checked, expanded where they name a command, and each taken once. */
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SyncSql } from '#shared/sql/sync-sql.ts'
import { parseCommandLine } from '../core/command-text.ts'
import { type Failure, failure, sessionNotFound } from '../core/failure.ts'
import { inboxPerSessionMax, promptTextBytesMax } from '../limits.ts'
import type { Admission, Receipt } from '../ports.ts'
import type { DirectoryCatalogue } from './catalogue.ts'
import { expandCommand } from './commands.ts'
import type { EventStreams } from './event-streams.ts'
import type { Identifiers } from './identifiers.ts'
import { admitInput, withdrawInput } from './inbox.ts'
import { loopShare } from './loop-share.ts'
import type { Memories } from './memories.ts'
import { checkPromptFiles } from './prompt-files.ts'
import type { InboxRow, SessionStore } from './session-store.ts'
import type { ToolServers } from './tool-servers.ts'
import type { WorkTrees } from './work-trees.ts'

export interface AdmissionDeps {
  readonly store: SessionStore
  readonly sql: SyncSql
  readonly clock: Clock
  readonly ids: Identifiers
  readonly catalogue: DirectoryCatalogue
  readonly streams: EventStreams
  readonly memories: Memories
  readonly workTrees: WorkTrees
  readonly remotePrompts: Pick<ToolServers, 'expand'>
  /** There is something to be driven. */
  readonly wake: (sessionId: string) => void
  /** Nothing of the session runs: what wakes it begins at once. */
  readonly isIdle: (sessionId: string) => boolean
}

export async function admitPrompt(
  deps: AdmissionDeps,
  sessionId: string,
  admission: Admission,
): Promise<Result<Receipt, Failure>> {
  const { store } = deps
  const record = store.find(sessionId)
  if (record === undefined) return failWith(sessionNotFound(sessionId))
  if (deps.workTrees.of(sessionId)?.isEnded === true) return treeGone(sessionId)
  if (Buffer.byteLength(admission.prompt.text) > promptTextBytesMax) return textTooLong
  if (saysNothing(admission.prompt)) return textMissing
  const delivery = admission.delivery ?? 'steer'
  const request = canonical({ prompt: admission.prompt, delivery, agent: admission.agent, model: admission.model })
  const repeated = admission.id === undefined ? undefined : repeat(deps, sessionId, admission.id, request)
  if (repeated !== undefined) return goOn(deps, sessionId, admission, repeated)
  const chosen = await chooseInput(deps, record.location.directory, admission)
  if (!chosen.ok) return chosen
  const { text, agent, model, command, foreign } = chosen.value
  // Text of strangers: nothing of the session is kept for later ones.
  if (foreign !== undefined) await deps.memories.exclude(record, `it used a prompt of ${foreign}`)
  if (Buffer.byteLength(text) > promptTextBytesMax) return textTooLong
  const files = await checkPromptFiles(admission.prompt.files ?? [])
  if (!files.ok) return files
  if (loopShare.isSpent()) await loopShare.turn()
  // It may have been deleted while the files were looked at.
  if (store.find(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
  // The same request may have been admitted while the files were looked at.
  const raced = admission.id === undefined ? undefined : repeat(deps, sessionId, admission.id, request)
  if (raced !== undefined) return goOn(deps, sessionId, admission, raced)
  if (store.pendingInputCount(sessionId) >= inboxPerSessionMax) {
    // They may have been left by a crash: without this the session would be full for ever.
    if (admission.resume !== false) deps.wake(sessionId)
    return failWith(
      failure(
        'conflict',
        { kind: 'prompts', most: inboxPerSessionMax },
        {
          kind: 'resource',
          resource: sessionId,
        },
      ),
    )
  }
  // A turn that begins with it is its next transaction, which is waited for: the disk is waited for once.
  const isFirst = admission.resume !== false && deps.isIdle(sessionId)
  const admitted = store[isFirst ? 'commitAhead' : 'commit'](sessionId, (transaction) => {
    if (agent !== undefined) {
      transaction.append({
        type: 'session.next.agent.switched',
        data: { messageID: deps.ids.make('message'), agent },
      })
    }
    if (model !== undefined) {
      transaction.append({
        type: 'session.next.model.switched',
        data: { messageID: deps.ids.make('message'), model },
      })
    }
    return admitInput(transaction, deps, {
      id: admission.id,
      text,
      ...(admission.prompt.files === undefined ? {} : { files: files.value }),
      ...(admission.prompt.agents === undefined ? {} : { agents: admission.prompt.agents }),
      delivery,
      request,
      isDriven: admission.resume !== false,
    })
  })
  if (command !== undefined) {
    deps.streams.notify({
      type: 'command.executed',
      data: { ...command, sessionID: sessionId, messageID: admitted.id },
      directory: record.location.directory,
    })
  }
  if (admission.resume !== false) deps.wake(sessionId)
  await store.settling.settled()
  return succeed({
    admittedSeq: admitted.admittedSeq,
    id: admitted.id,
    sessionID: sessionId,
    prompt: admitted.prompt,
    delivery,
    timeCreated: admitted.createdMs,
  })
}

/** Before it is taken in, and for good: what is withdrawn already stays so. Nothing is between the look and the write. */
export function withdrawPrompt(
  { store }: Pick<AdmissionDeps, 'store'>,
  sessionID: string,
  messageID: string,
): Result<Receipt, Failure> {
  if (store.find(sessionID) === undefined) return failWith(sessionNotFound(sessionID))
  const input = store.findInput(sessionID, messageID)
  if (input === undefined)
    return failWith(failure('not_found', { kind: 'no_prompt' }, { kind: 'message', sessionID, messageID }))
  if (input.promotedSeq !== undefined)
    return failWith(failure('conflict', { kind: 'prompt_taken' }, { kind: 'resource', resource: messageID }))
  if (!input.isWithdrawn) store.commit(sessionID, (transaction) => withdrawInput(transaction, input))
  return succeed(receiptOf(input))
}

/** A session works with an agent that there is, and that is no subagent alone. */
export async function checkAgent(
  catalogue: Pick<DirectoryCatalogue, 'agents'>,
  directory: string,
  agent: string | undefined,
): Promise<Result<void, Failure>> {
  if (agent === undefined) return succeed(undefined)
  const agents = await catalogue.agents({ directory })
  if (!agents.ok) return agents
  if (agents.value.some((candidate) => candidate.id === agent && candidate.mode !== 'subagent'))
    return succeed(undefined)
  return failWith(
    failure(
      'invalid_request',
      { kind: 'no_agent', name: agent.slice(0, 80) },
      {
        kind: 'field',
        part: 'Payload',
        field: 'agent',
      },
    ),
  )
}

/** What the model is given for a prompt, and by whom: a command has its own text, and may have its own agent and model. */
async function chooseInput(deps: AdmissionDeps, directory: string, { prompt, agent, model }: Admission) {
  const expanded = await expand(deps, directory, prompt.text)
  if (!expanded.ok) return expanded
  const command = expanded.value
  const chosen = {
    text: command?.text ?? prompt.text,
    agent: agent ?? command?.agent,
    model: model ?? command?.model,
    command: command?.command,
    foreign: command?.foreign,
  }
  const known = await checkAgent(deps.catalogue, directory, chosen.agent)
  return known.ok ? succeed(chosen) : known
}

/** Most prompts name no command, and wait for no configuration to be read. */
async function expand(deps: AdmissionDeps, directory: string, text: string) {
  const line = parseCommandLine(text)
  if (line === undefined) return succeed(undefined)
  const resolved = await deps.catalogue.resolve(directory)
  if (!resolved.ok) return resolved
  const { agents, commands } = resolved.value
  const isForTasks = (id: string) => agents.some((candidate) => candidate.id === id && candidate.mode === 'subagent')
  const own = expandCommand(commands, isForTasks, line)
  if (own !== undefined) return succeed({ ...own, foreign: undefined })
  try {
    const remote = await deps.remotePrompts.expand(resolved.value.toolServers, directory, line)
    if (remote === undefined) return succeed(undefined)
    const command = { name: line.name, arguments: line.rest }
    return succeed({ text: remote.text, command, foreign: remote.server, agent: undefined, model: undefined })
  } catch (error) {
    return failWith(
      failure('backend_unavailable', {
        kind: 'tool_server',
        said: error instanceof Error ? error.message : 'The tool server failed',
      }),
    )
  }
}

/** A client that asks again wants it done: after a crash nothing else would set what waits going. */
function goOn(
  deps: AdmissionDeps,
  sessionId: string,
  admission: Admission,
  repeated: Result<Receipt, Failure>,
): Result<Receipt, Failure> {
  const waits = repeated.ok && repeated.value.promotedSeq === undefined
  if (waits && admission.resume !== false) {
    deps.sql.run(
      'UPDATE session_input SET is_driven = 1 WHERE session_id = ? AND id = ? AND is_driven = 0',
      sessionId,
      repeated.value.id,
    )
    deps.wake(sessionId)
  }
  return repeated
}

/** The first receipt of an id that was admitted before, or the conflict with it. */
function repeat(
  deps: Pick<AdmissionDeps, 'store'>,
  sessionId: string,
  id: string,
  request: string,
): Result<Receipt, Failure> | undefined {
  const existing = deps.store.findInput(sessionId, id)
  if (existing === undefined) {
    const isTaken = deps.store.messageSeq(sessionId, id) !== undefined
    return isTaken ? taken(id) : undefined
  }
  if (existing.isWithdrawn)
    return failWith(failure('conflict', { kind: 'prompt_withdrawn' }, { kind: 'resource', resource: id }))
  return existing.request === request ? succeed(receiptOf(existing)) : taken(id)
}

const textField = { kind: 'field', part: 'Payload', field: 'prompt.text' } as const
const textTooLong = failWith(failure('invalid_request', { kind: 'text_too_long', most: promptTextBytesMax }, textField))
const textMissing = failWith(failure('invalid_request', { kind: 'text_missing' }, textField))

/** Providers refuse a message without content, and would refuse the whole session from then on. */
function saysNothing({ text, files, agents }: Admission['prompt']): boolean {
  return text.trim() === '' && (files ?? []).length === 0 && (agents ?? []).length === 0
}

function taken(id: string): { readonly ok: false; readonly failure: Failure } {
  return failWith(failure('conflict', { kind: 'prompt_differs' }, { kind: 'resource', resource: id }))
}

function treeGone(sessionID: string) {
  return failWith(failure('conflict', { kind: 'tree_gone' }, { kind: 'resource', resource: sessionID }))
}

function receiptOf(input: InboxRow): Receipt {
  return {
    admittedSeq: input.admittedSeq,
    id: input.id,
    sessionID: input.sessionId,
    prompt: input.prompt,
    delivery: input.delivery,
    timeCreated: input.createdMs,
    ...(input.promotedSeq === undefined ? {} : { promotedSeq: input.promotedSeq }),
  }
}

/** JSON with the keys of every object in one order: the same request has one text, however it was written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )
}
