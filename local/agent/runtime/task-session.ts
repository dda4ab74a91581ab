import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { noTokens, type SessionRecord } from '../core/session/message.ts'
import type { DirectoryCatalogue } from './catalogue.ts'
import type { Identifiers } from './identifiers.ts'
import { admitInput } from './inbox.ts'
import type { Memories } from './memories.ts'
import type { SessionHost } from './session-host.ts'
import type { SessionStore } from './session-store.ts'
import type { RunTask } from './tools/task-tool.ts'
import type { WorkTrees } from './work-trees.ts'

interface TaskDeps {
  readonly store: SessionStore
  readonly clock: Clock
  readonly ids: Identifiers
  readonly catalogue: Pick<DirectoryCatalogue, 'agents'>
  readonly memories: Pick<Memories, 'exclude'>
  readonly workTrees: WorkTrees
  readonly endSessions: (sessionIds: readonly string[]) => Promise<void>
  readonly wake: (sessionId: string) => void
  /** The host of a session that runs. */
  readonly hostOf: (sessionId: string) => SessionHost | undefined
}

/** Work in a session of its own, below another one. It ends with the signal of the call that asked for it. */
export async function runTaskSession(deps: TaskDeps, task: Parameters<RunTask>[0]): ReturnType<RunTask> {
  const { store, clock, ids } = deps
  const parent = store.find(task.parentId)
  if (parent === undefined) throw new Error(`session ${task.parentId} has no record`)
  const agents = await deps.catalogue.agents(parent.location)
  const agent = agents.ok ? agents.value.find((candidate) => candidate.id === task.agent) : undefined
  if (agent === undefined || agent.mode === 'primary') return failWith({ kind: 'no_agent', agent: task.agent })
  const id = ids.make('session')
  const { directory } = parent.location
  const made = task.inWorkTree
    ? await deps.workTrees.begin({ directory, project: { id: parent.projectID, directory } }, id)
    : undefined
  if (made?.ok === false) return failWith({ kind: 'no_work_tree', reason: made.failure.message })
  const nowMs = clock.nowMs()
  const record: SessionRecord = {
    id,
    parentID: parent.id,
    projectID: parent.projectID,
    agent: agent.id,
    ...(parent.model === undefined ? {} : { model: parent.model }),
    cost: 0,
    tokens: noTokens,
    time: { created: nowMs, updated: nowMs },
    title: task.description,
    location: made === undefined ? parent.location : { ...parent.location, directory: made.value.directory },
    ...(parent.subpath === undefined ? {} : { subpath: parent.subpath }),
    ...(parent.memory === undefined ? {} : { memory: parent.memory }),
  }
  store.commit(id, (transaction) => {
    transaction.append({ type: 'session.created', data: { info: record } })
    // After a crash its caller is settled already, and nobody waits for its report.
    admitInput(transaction, deps, { text: task.prompt, isDriven: false })
  })
  const stop = () => void deps.hostOf(id)?.interrupt()
  task.signal.addEventListener('abort', stop)
  try {
    deps.wake(id)
    if (task.signal.aborted) stop()
    await deps.hostOf(id)?.whenIdle(new AbortController().signal)
  } finally {
    task.signal.removeEventListener('abort', stop)
    // Nobody would look after it any more.
    await deps.endSessions([id])
  }
  // Its report may hold what it read.
  const own = store.find(id)?.memory
  if (own?.generation === 'excluded') await deps.memories.exclude(parent, own.reason)
  const last = store.context(id).findLast((message) => message.type === 'assistant')
  if (last?.type !== 'assistant') return failWith({ kind: 'not_started' })
  if (last.error !== undefined) return failWith({ kind: 'failed', reason: last.error.message })
  const text = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return succeed({
    sessionId: id,
    text: text === '' ? '(the task ended without a report)' : text,
    ...(made === undefined ? {} : { workTree: await changedIn(deps.workTrees, id) }),
  })
}

async function changedIn(workTrees: WorkTrees, sessionId: string) {
  const found = await workTrees.changes(sessionId)
  return {
    branch: workTrees.of(sessionId)?.branch ?? '',
    paths: found.ok ? found.value.changes.map(({ path }) => path) : [],
  }
}
