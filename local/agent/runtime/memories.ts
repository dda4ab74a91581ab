/** Memory of sessions for the routes and for turns: the policy, what is learned under it, and what is given to a step. */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SyncSql } from '#shared/sql/sync-sql.ts'
import { type Failure, failure, sessionNotFound } from '../core/failure.ts'
import {
  changePolicy,
  excludeFrom,
  type MemoryDefaults,
  memoryScope,
  type Note,
  notesThatFit,
  type PolicyChange,
  policyOf,
} from '../core/memory.ts'
import type { RuleText } from '../core/rule-file.ts'
import type { MemoryPolicy, SessionRecord } from '../core/session/message.ts'
import { memoryNotesMax, memoryNotesShownBytesMax } from '../limits.ts'
import type { Learning, LocationInfo, ProjectMemory } from '../ports.ts'
import type { DirectoryCatalogue } from './catalogue.ts'
import type { Identifiers } from './identifiers.ts'
import { dropNote, learnedBy, noteSession, notesOf, retrievalOf } from './memory-store.ts'
import type { SessionStore } from './session-store.ts'

interface MemoryDeps {
  readonly store: SessionStore
  readonly sql: SyncSql
  readonly ids: Identifiers
  readonly catalogue: Pick<DirectoryCatalogue, 'resolve'>
}

/** Where the configuration cannot be read. */
const nothing: MemoryDefaults = { use: false, generate: false }

export class Memories implements ProjectMemory {
  readonly #deps: MemoryDeps

  constructor(deps: MemoryDeps) {
    this.#deps = deps
  }

  async policy(sessionId: string): Promise<Result<MemoryPolicy, Failure>> {
    const record = this.#deps.store.find(sessionId)
    if (record === undefined) return failWith(sessionNotFound(sessionId))
    if (record.memory !== undefined) return succeed(record.memory)
    const resolved = await this.#deps.catalogue.resolve(record.location.directory)
    return resolved.ok ? succeed(policyOf(record, resolved.value.memory)) : resolved
  }

  /** Compared and set in one transaction. The caller sees to it that no turn owns the session. */
  change(sessionId: string, change: PolicyChange): Result<MemoryPolicy, Failure> {
    return this.#deps.store.commit(sessionId, (transaction) => {
      const changed = changePolicy(transaction.record(), change)
      if (!changed.ok) return changed
      transaction.append({ type: 'session.memory.policy.changed', data: changed.value })
      return succeed(policyOf(transaction.record(), nothing))
    })
  }

  /** Before the model sees what strangers wrote. */
  async exclude(record: SessionRecord, reason: string): Promise<void> {
    const resolved = await this.#deps.catalogue.resolve(record.location.directory)
    this.#deps.store.commit(record.id, (transaction) => {
      const changed = excludeFrom(transaction.record(), resolved.ok ? resolved.value.memory : nothing, reason)
      if (changed !== undefined) transaction.append({ type: 'session.memory.policy.changed', data: changed })
    })
  }

  learning(sessionId: string, page: { offset: number; limit: number }): Result<Learning, Failure> {
    const { store, sql } = this.#deps
    if (store.recordText(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
    return succeed({ retrieval: retrievalOf(sql, sessionId), ...learnedBy(sql, sessionId, page) })
  }

  async rules({ directory }: LocationInfo): Promise<Result<readonly RuleText[], Failure>> {
    const resolved = await this.#deps.catalogue.resolve(directory)
    return resolved.ok ? succeed(resolved.value.loaded.rules.filter(({ text }) => text !== '')) : resolved
  }

  notes({ directory, project }: LocationInfo) {
    return notesOf(this.#deps.sql, memoryScope({ projectID: project.id, location: { directory } }))
  }

  /** By the owner. The note of a session that is no more goes without an event. */
  forgetNote(memoryID: string): Result<void, Failure> {
    const { store, sql } = this.#deps
    const sessionId = noteSession(sql, memoryID)
    if (sessionId === undefined)
      return failWith(failure('not_found', { kind: 'no_note' }, { kind: 'resource', resource: memoryID }))
    if (store.recordText(sessionId) === undefined) dropNote(sql, memoryID)
    else store.commit(sessionId, ({ append }) => append({ type: 'session.memory.forgotten', data: { memoryID } }))
    return succeed(undefined)
  }

  /** The notes for a step, and whether the session was given others, or none, before. */
  select(record: SessionRecord, policy: MemoryPolicy): Selection | undefined {
    if (!policy.useMemories) return undefined
    // Its own stand in its messages; to add them here would change the beginning of every request.
    const known = notesOf(this.#deps.sql, memoryScope(record)).filter((note) => note.sessionId !== record.id)
    const notes = notesThatFit(known, memoryNotesShownBytesMax)
    const selectedIDs = notes.map((note) => note.id)
    const before = retrievalOf(this.#deps.sql, record.id)?.selectedIds ?? []
    return {
      notes,
      event:
        JSON.stringify(before) === JSON.stringify(selectedIDs)
          ? undefined
          : { selectedIDs, candidateCount: known.length },
    }
  }

  learn(sessionId: string, text: string, source: { messageID: string; callID: string }): Result<string, NoteFault> {
    return this.#deps.store.commit(sessionId, (transaction) => {
      const record = transaction.record()
      if (record.memory?.generation === 'excluded') {
        return failWith({ kind: 'not_kept', reason: record.memory.reason })
      }
      if (notesOf(transaction.sql, memoryScope(record)).length >= memoryNotesMax) {
        return failWith({ kind: 'full', most: memoryNotesMax })
      }
      const memoryID = this.#deps.ids.make('memory')
      transaction.append({ type: 'session.memory.learned', data: { memoryID, text, ...source } })
      return succeed(memoryID)
    })
  }

  forget(sessionId: string, memoryID: string): Result<void, NoteFault> {
    return this.#deps.store.commit(sessionId, (transaction) => {
      const record = transaction.record()
      if (record.memory?.generation === 'excluded') {
        return failWith({ kind: 'not_changed', reason: record.memory.reason })
      }
      const isKnown = notesOf(transaction.sql, memoryScope(record)).some((note) => note.id === memoryID)
      if (!isKnown) return failWith({ kind: 'unknown', id: memoryID })
      transaction.append({ type: 'session.memory.forgotten', data: { memoryID } })
      return succeed(undefined)
    })
  }
}

const sentences = {
  not_kept: ({ reason }: { reason: string }) => `Nothing is kept of this session: ${reason}`,
  not_changed: ({ reason }: { reason: string }) => `This session changes no notes: ${reason}`,
  full: ({ most }: { most: number }) => `The project has ${most} notes: forget one that is no longer needed first`,
  unknown: ({ id }: { id: string }) => `There is no note ${id}`,
}

type NoteFault = FaultOf<typeof sentences>
export const sayNoteFault = sayBy(sentences)

export interface Selection {
  readonly notes: readonly Note[]
  readonly event: { readonly selectedIDs: readonly string[]; readonly candidateCount: number } | undefined
}
