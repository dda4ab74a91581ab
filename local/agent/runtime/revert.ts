/**
 * Takes a session and its files back. Before the first change of a step the tree of the directory is recorded, after
 * the step the paths it changed: a revert touches only those, so what the owner did in other files stays. Taking files
 * back is noted before it begins: what a crash leaves half done is undone at the next start.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { ChangeCounts, FileDiff, RevertState } from '../core/session/message.ts'
import type { KeptStep } from '../core/tree-differences.ts'
import type { HunkChoice } from '../ports.ts'
import type { SessionStore } from './session-store.ts'
import type { SnapshotStore } from './snapshot-store.ts'

export interface StepEffects {
  readonly files: readonly string[]
  /** Of the whole session; absent where they are as they were. */
  readonly changes?: ChangeCounts
}

export class Reverts {
  readonly #store: SessionStore
  readonly #sql: SyncSql
  readonly #snapshots: SnapshotStore
  readonly #onFault: (cause: unknown) => void

  constructor(store: SessionStore, sql: SyncSql, snapshots: SnapshotStore, onFault: (cause: unknown) => void) {
    this.#onFault = onFault
    this.#store = store
    this.#sql = sql
    this.#snapshots = snapshots
    sql.run(
      `CREATE TABLE IF NOT EXISTS step_snapshot (
         session_id TEXT NOT NULL, message_id TEXT NOT NULL, tree TEXT NOT NULL, paths TEXT NOT NULL, after_tree TEXT,
         PRIMARY KEY (session_id, message_id)
       ) WITHOUT ROWID`,
    )
    const columns = sql.all('SELECT name FROM pragma_table_info(?)', 'step_snapshot').map((row) => textOf(row, 'name'))
    if (!columns.includes('after_tree')) sql.run('ALTER TABLE step_snapshot ADD COLUMN after_tree TEXT')
    sql.run(
      `CREATE TABLE IF NOT EXISTS begun_revert (
         session_id TEXT PRIMARY KEY, tree TEXT NOT NULL, paths TEXT NOT NULL
       ) WITHOUT ROWID`,
    )
  }

  /** Reverts that a crash cut short: the files go back to where they were before, and nothing is staged. */
  async recover(): Promise<void> {
    for (const row of this.#sql.all('SELECT session_id, tree, paths FROM begun_revert')) {
      const sessionId = textOf(row, 'session_id')
      try {
        await this.#undo(sessionId, textOf(row, 'tree'), JSON.parse(textOf(row, 'paths')) as string[])
      } catch (cause) {
        this.#onFault(cause)
      }
    }
  }

  /** Before a step's first effect. The row is committed before the effect can happen. */
  async beforeEffects(sessionId: string, messageId: string, directory: string, signal: AbortSignal): Promise<void> {
    const tree = await this.#capture(directory)
    if (tree === undefined || signal.aborted) return
    this.#sql.run(
      'INSERT INTO step_snapshot (session_id, message_id, tree, paths) VALUES (?, ?, ?, ?)',
      sessionId,
      messageId,
      tree,
      notRecorded,
    )
  }

  async afterEffects(sessionId: string, messageId: string, directory: string): Promise<StepEffects> {
    const [row] = this.#sql.all(
      'SELECT tree FROM step_snapshot WHERE session_id = ? AND message_id = ?',
      sessionId,
      messageId,
    )
    if (row === undefined) return { files: [] }
    const after = await this.#capture(directory)
    if (after === undefined) return { files: [] }
    const paths = await this.#snapshots.changed(directory, textOf(row, 'tree'), after)
    this.#sql.run(
      'UPDATE step_snapshot SET paths = ?, after_tree = ? WHERE session_id = ? AND message_id = ?',
      JSON.stringify(paths),
      after,
      sessionId,
      messageId,
    )
    const changes = await this.#newCounts(sessionId, directory, after)
    return { files: paths, ...(changes === undefined ? {} : { changes }) }
  }

  /** How much the steps changed, by the files as they are in a tree; undefined where the record says so already. */
  async #newCounts(sessionId: string, directory: string, now: string): Promise<ChangeCounts | undefined> {
    const steps = this.#stepsFrom(sessionId, 0)
    const paths = pathsOf(await this.#keptSteps(directory, steps, now))
    const counts = await this.#snapshots.count(directory, steps[0]?.tree ?? now, now, paths)
    const known = this.#store.find(sessionId)?.changes ?? { files: 0, additions: 0, deletions: 0 }
    return (['files', 'additions', 'deletions'] as const).every((name) => known[name] === counts[name])
      ? undefined
      : counts
  }

  /** After files, or steps themselves, were taken back or put back. */
  async countAgain(sessionId: string): Promise<void> {
    const record = this.#store.find(sessionId)
    if (record === undefined) return
    const { directory } = record.location
    const hasSteps = record.changes !== undefined || this.#stepsFrom(sessionId, 0).length > 0
    const now = hasSteps ? await this.#capture(directory) : undefined
    const changes = now === undefined ? undefined : await this.#newCounts(sessionId, directory, now)
    if (changes === undefined) return
    this.#store.commit(sessionId, ({ append }) => append({ type: 'session.next.changed', data: { changes } }))
  }

  /** Work goes on where files cannot be recorded, for instance without git: that step's files just cannot be taken back. */
  async #capture(directory: string): Promise<string | undefined> {
    try {
      return await this.#snapshots.capture(directory)
    } catch (cause) {
      if (!this.#snapshots.isClosing) this.#onFault(cause)
      return undefined
    }
  }

  /** What the steps changed, as it is now; undefined where files cannot be recorded. */
  async changes(sessionId: string): Promise<readonly FileDiff[] | undefined> {
    const steps = this.#stepsFrom(sessionId, 0)
    const directory = this.#store.find(sessionId)?.location.directory
    const first = steps[0]
    if (first === undefined || directory === undefined) return []
    const now = await this.#capture(directory)
    if (now === undefined) return undefined
    return this.#snapshots.diff(directory, first.tree, now, pathsOf(await this.#keptSteps(directory, steps, now)))
  }

  /** Takes single hunks of a change back, or the whole of it. `patch` is what the caller saw: it must still be so. */
  async takeBackHunks(sessionId: string, { path: name, patch, hunks }: HunkChoice): Promise<Result<void, Failure>> {
    const directory = this.#store.find(sessionId)?.location.directory
    const [first] = this.#stepsFrom(sessionId, 0)
    const now = (await this.changes(sessionId))?.find((file) => file.path === name)
    if (directory === undefined || first === undefined || now === undefined)
      return failWith(failure('not_found', { kind: 'no_change' }, { kind: 'resource', resource: name }))
    const outdated = failWith(failure('conflict', { kind: 'file_changed' }, { kind: 'files', files: [now] }))
    if (now.patch !== patch) return outdated
    if (hunks === undefined) {
      await this.#snapshots.restore(directory, first.tree, [name])
      await this.countAgain(sessionId)
      return succeed(undefined)
    }
    const chosen = chosenHunks(patch, hunks)
    if (chosen === undefined) {
      return failWith(
        failure('invalid_request', { kind: 'no_hunk' }, { kind: 'field', part: 'Payload', field: 'hunks' }),
      )
    }
    if (!(await this.#snapshots.applyReversed(directory, chosen))) return outdated
    await this.countAgain(sessionId)
    return succeed(undefined)
  }

  async stage(sessionId: string, target: { messageID: string; files: boolean }): Promise<Result<RevertState, Failure>> {
    const record = this.#store.find(sessionId)
    const seq = this.#store.messageSeq(sessionId, target.messageID)
    if (record === undefined || seq === undefined) {
      return failWith(
        failure(
          'not_found',
          { kind: 'no_message' },
          {
            kind: 'message',
            sessionID: sessionId,
            messageID: target.messageID,
          },
        ),
      )
    }
    const { directory } = record.location
    // Staging again starts from where the files were before the first staging.
    const cleared = await this.#restoreStaged(sessionId)
    if (!cleared.ok) return cleared
    let revert: RevertState = { messageID: target.messageID, diff: '', files: [] }
    if (target.files) {
      const steps = this.#stepsFrom(sessionId, seq)
      const first = steps[0]
      if (first !== undefined) {
        const snapshot = await this.#snapshots.capture(directory)
        const kept = await this.#keptSteps(directory, steps, snapshot)
        const tree = await this.#snapshots.without(directory, snapshot, kept)
        if (!tree.ok) return this.#conflict(directory, kept, snapshot, tree.failure)
        const files: FileDiff[] = await this.#snapshots.diff(directory, tree.value, snapshot, pathsOf(kept))
        const diff = files.map((file) => file.patch).join('')
        revert = { messageID: target.messageID, snapshot, tree: tree.value, diff, files }
        await this.#takeBack(sessionId, directory, tree.value, snapshot, files)
      }
    }
    const changes = revert.tree && (await this.#newCounts(sessionId, directory, revert.tree))
    this.#store.commit(sessionId, ({ append, sql }) => {
      append({ type: 'session.next.revert.staged', data: { revert } })
      if (changes) append({ type: 'session.next.changed', data: { changes } })
      sql.run('DELETE FROM begun_revert WHERE session_id = ?', sessionId)
    })
    return succeed(revert)
  }

  async #takeBack(sessionId: string, directory: string, tree: string, snapshot: string, files: readonly FileDiff[]) {
    const paths = files.map((file) => file.path)
    this.#sql.run(
      'INSERT OR REPLACE INTO begun_revert (session_id, tree, paths) VALUES (?, ?, ?)',
      sessionId,
      snapshot,
      JSON.stringify(paths),
    )
    try {
      await this.#snapshots.restore(directory, tree, paths)
    } catch (cause) {
      await this.#undo(sessionId, snapshot, paths)
      throw cause
    }
  }

  /** Nothing is staged any more: where something was, its files are back already. */
  async #undo(sessionId: string, tree: string, paths: readonly string[]): Promise<void> {
    const record = this.#store.find(sessionId)
    if (record === undefined) return
    await this.#snapshots.restore(record.location.directory, tree, paths)
    this.#store.commit(sessionId, ({ append, sql }) => {
      if (record.revert !== undefined) append({ type: 'session.next.revert.cleared', data: {} })
      sql.run('DELETE FROM begun_revert WHERE session_id = ?', sessionId)
    })
  }

  async clear(sessionId: string): Promise<Result<void, Failure>> {
    if (this.#store.find(sessionId)?.revert === undefined) return succeed(undefined)
    const restored = await this.#restoreStaged(sessionId)
    if (!restored.ok) return restored
    const { directory, tree } = restored.value ?? {}
    const changes = directory && tree && (await this.#newCounts(sessionId, directory, tree))
    this.#store.commit(sessionId, ({ append }) => {
      append({ type: 'session.next.revert.cleared', data: {} })
      if (changes) append({ type: 'session.next.changed', data: { changes } })
    })
    return succeed(undefined)
  }

  async commit(sessionId: string): Promise<void> {
    const revert = this.#store.find(sessionId)?.revert
    if (revert === undefined) return
    this.#store.commit(sessionId, ({ append }) =>
      append({ type: 'session.next.revert.committed', data: { messageID: revert.messageID } }),
    )
    await this.countAgain(sessionId)
  }

  /** What was done to the files while the revert was staged stays. */
  async #restoreStaged(
    sessionId: string,
  ): Promise<Result<{ readonly directory: string; readonly tree: string } | undefined, Failure>> {
    const record = this.#store.find(sessionId)
    const revert = record?.revert
    if (record === undefined || revert?.snapshot === undefined) return succeed(undefined)
    const { directory } = record.location
    const paths = (revert.files ?? []).map((file) => file.path)
    let tree = revert.snapshot
    if (revert.tree !== undefined) {
      const now = await this.#snapshots.capture(directory)
      const staging = [{ before: revert.snapshot, after: revert.tree, paths: new Set(paths) }]
      const wanted = await this.#snapshots.without(directory, now, staging)
      if (!wanted.ok) return this.#conflict(directory, staging, now, wanted.failure)
      tree = wanted.value
    }
    await this.#snapshots.restore(directory, tree, paths)
    return succeed({ directory, tree })
  }

  /** Nothing was changed: what would have been lost is shown, since the last of the steps that changed these files. */
  async #conflict(directory: string, steps: readonly KeptStep[], now: string, names: readonly string[]) {
    const last = (name: string) => steps.findLast(({ paths }) => paths.has(name))?.after ?? now
    const byTree = Map.groupBy(names, last)
    const files: FileDiff[] = []
    for (const [tree, paths] of byTree)
      files.push(...(await this.#snapshots.diff(directory, tree, now, new Set(paths))))
    return failWith(
      failure(
        'conflict',
        { kind: 'changed_by_others', names: names.slice(0, 20).join(', ') },
        {
          kind: 'files',
          files,
        },
      ),
    )
  }

  /** Steps with effects at or after a message, oldest first. */
  #stepsFrom(sessionId: string, seq: number): StepSnapshot[] {
    return this.#sql
      .all(
        `SELECT s.tree, s.paths, s.after_tree FROM step_snapshot s
           JOIN message m ON m.session_id = s.session_id AND m.id = s.message_id
         WHERE s.session_id = ? AND m.seq >= ? ORDER BY m.seq`,
        sessionId,
        seq,
      )
      .map((row: SqlRow) => {
        const paths = textOf(row, 'paths')
        return {
          tree: textOf(row, 'tree'),
          paths: paths === notRecorded ? undefined : (JSON.parse(paths) as string[]),
          after: row['after_tree'] === null ? undefined : textOf(row, 'after_tree'),
        }
      })
  }

  /** A step whose paths nobody recorded was cut short: whatever differs until the next one is taken as its work. */
  #keptSteps(directory: string, steps: readonly StepSnapshot[], now: string): Promise<KeptStep[]> {
    return Promise.all(
      steps.map(async (step, at) => {
        const after = step.after ?? steps[at + 1]?.tree ?? now
        const paths = step.paths ?? (await this.#snapshots.changed(directory, step.tree, after))
        return { before: step.tree, after, paths: new Set(paths) }
      }),
    )
  }
}

interface StepSnapshot {
  readonly tree: string
  readonly paths: readonly string[] | undefined
  /** Undefined for one that was cut short. */
  readonly after: string | undefined
}

function pathsOf(steps: readonly KeptStep[]): ReadonlySet<string> {
  return new Set(steps.flatMap(({ paths }) => [...paths]))
}

/** The patch with these of its hunks alone; undefined when it has not all of them. */
function chosenHunks(patch: string, wanted: readonly number[]): string | undefined {
  const [head = '', ...hunks] = patch.split(/^(?=@@ )/m)
  const chosen = [...new Set(wanted)].sort((left, right) => left - right).map((at) => hunks[at])
  return chosen.length === 0 || chosen.includes(undefined) ? undefined : head + chosen.join('')
}

/** In the place of the paths, until the step has ended. */
const notRecorded = ''
