/**
 * Takes a session and its files back. Before the first change of a step the tree of the directory is recorded, after
 * the step the paths it changed: a revert touches only those, so what the owner did in other files stays. Taking files
 * back is noted before it begins: what a crash leaves half done is undone at the next start.
 */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { FileDiff, RevertState } from '../core/session/message.ts'
import type { SessionStore } from './session-store.ts'
import type { SnapshotStore } from './snapshot-store.ts'

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
         session_id TEXT NOT NULL, message_id TEXT NOT NULL, tree TEXT NOT NULL, paths TEXT NOT NULL,
         PRIMARY KEY (session_id, message_id)
       ) WITHOUT ROWID`,
    )
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

  async afterEffects(sessionId: string, messageId: string, directory: string): Promise<readonly string[]> {
    const [row] = this.#sql.all(
      'SELECT tree FROM step_snapshot WHERE session_id = ? AND message_id = ?',
      sessionId,
      messageId,
    )
    if (row === undefined) return []
    const after = await this.#capture(directory)
    if (after === undefined) return []
    const paths = await this.#snapshots.changed(directory, textOf(row, 'tree'), after)
    this.#sql.run(
      'UPDATE step_snapshot SET paths = ? WHERE session_id = ? AND message_id = ?',
      JSON.stringify(paths),
      sessionId,
      messageId,
    )
    return paths
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
    return this.#snapshots.diff(directory, first.tree, now, await this.#changedPaths(directory, steps, now))
  }

  async stage(sessionId: string, target: { messageID: string; files: boolean }): Promise<Result<RevertState, Failure>> {
    const record = this.#store.find(sessionId)
    const seq = this.#store.messageSeq(sessionId, target.messageID)
    if (record === undefined || seq === undefined) {
      return failWith(
        failure('not_found', 'There is no such message', {
          kind: 'message',
          sessionID: sessionId,
          messageID: target.messageID,
        }),
      )
    }
    const { directory } = record.location
    // Staging again starts from where the files were before the first staging.
    await this.#restoreStaged(sessionId)
    let revert: RevertState = { messageID: target.messageID, diff: '', files: [] }
    if (target.files) {
      const steps = this.#stepsFrom(sessionId, seq)
      const first = steps[0]
      if (first !== undefined) {
        const snapshot = await this.#snapshots.capture(directory)
        const paths = await this.#changedPaths(directory, steps, snapshot)
        const files: FileDiff[] = await this.#snapshots.diff(directory, first.tree, snapshot, paths)
        revert = { messageID: target.messageID, snapshot, diff: files.map((file) => file.patch).join(''), files }
        await this.#takeBack(sessionId, directory, first.tree, snapshot, files)
      }
    }
    this.#store.commit(sessionId, ({ append, sql }) => {
      append({ type: 'session.next.revert.staged', data: { revert } })
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

  async clear(sessionId: string): Promise<void> {
    if (this.#store.find(sessionId)?.revert === undefined) return
    await this.#restoreStaged(sessionId)
    this.#store.commit(sessionId, ({ append }) => append({ type: 'session.next.revert.cleared', data: {} }))
  }

  commit(sessionId: string): void {
    const revert = this.#store.find(sessionId)?.revert
    if (revert === undefined) return
    this.#store.commit(sessionId, ({ append }) =>
      append({ type: 'session.next.revert.committed', data: { messageID: revert.messageID } }),
    )
  }

  async #restoreStaged(sessionId: string): Promise<void> {
    const record = this.#store.find(sessionId)
    const revert = record?.revert
    if (record === undefined || revert?.snapshot === undefined) return
    const paths = (revert.files ?? []).map((file) => file.path)
    await this.#snapshots.restore(record.location.directory, revert.snapshot, paths)
  }

  /** Steps with effects at or after a message, oldest first. */
  #stepsFrom(sessionId: string, seq: number): StepSnapshot[] {
    return this.#sql
      .all(
        `SELECT s.tree, s.paths FROM step_snapshot s JOIN message m ON m.session_id = s.session_id AND m.id = s.message_id
         WHERE s.session_id = ? AND m.seq >= ? ORDER BY m.seq`,
        sessionId,
        seq,
      )
      .map((row: SqlRow) => {
        const paths = textOf(row, 'paths')
        return { tree: textOf(row, 'tree'), paths: paths === notRecorded ? undefined : (JSON.parse(paths) as string[]) }
      })
  }

  /** A step whose paths nobody recorded was cut short: whatever differs until the next one is taken as its work. */
  async #changedPaths(directory: string, steps: readonly StepSnapshot[], now: string): Promise<ReadonlySet<string>> {
    const changed = await Promise.all(
      steps.map(({ tree, paths }, at) => paths ?? this.#snapshots.changed(directory, tree, steps[at + 1]?.tree ?? now)),
    )
    return new Set(changed.flat())
  }
}

interface StepSnapshot {
  readonly tree: string
  readonly paths: readonly string[] | undefined
}

/** In the place of the paths, until the step has ended. */
const notRecorded = ''
