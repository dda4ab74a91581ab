/**
 * Archives or deletes old sessions. What is applied is what a preview showed: the selection is made again in the
 * transaction that changes it, and must have the digest of the preview. The files of deleted sessions are noted in that
 * transaction and removed after it, by the next start where a crash came between.
 */
import { createHash } from 'node:crypto'
import { lstat, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { numberOf, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { type Failure, failure } from '../core/failure.ts'
import { type PruneNote, sayPruneNote } from '../core/prune-note.ts'
import { type PruneSelection, selectForPruning } from '../core/prune-selection.ts'
import { addTokens, noTokens, type SessionRecord } from '../core/session/message.ts'
import { pruneRecentMs, pruneSessionsMax } from '../limits.ts'
import type { Logger, PruneArtifact, PruneChoice, PruneCommand, PruneReport, Prunes } from '../ports.ts'
import type { EventStreams } from './event-streams.ts'
import { type SessionStore, sessionTables } from './session-store.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import { withinFolder } from './tools/pinned-path.ts'
import type { WorkTrees } from './work-trees.ts'

export interface PruningDeps {
  readonly store: SessionStore
  readonly sql: SyncSql
  readonly clock: Clock
  readonly logger: Logger
  readonly streams: EventStreams
  readonly snapshots: SnapshotStore
  readonly workTrees: Pick<WorkTrees, 'namesOf' | 'folderOf' | 'remove'>
  /** Where the outputs of tools are kept, as a path without links. */
  readonly outputsFolder: string
  readonly active: () => readonly string[]
  /** Ends what such sessions left running. */
  readonly endSessions: (sessionIds: readonly string[]) => Promise<void>
}

const dayMs = 24 * 60 * 60 * 1000

/** What other sessions go on with: rules that the owner's answers made, and notes. */
const derivedTables = ['saved_permission', 'memory'] as const

interface Artifact {
  readonly kind: PruneArtifact['kind']
  /** The name of a file, or the directory whose snapshots it is. */
  readonly name: string
}

interface Chosen extends PruneSelection {
  /** Their numbers, as the JSON text that statements take. */
  readonly ids: string
  readonly digest: string
}

export class Pruning implements Prunes {
  readonly #deps: PruningDeps
  /** One after another: two that remove the same would tell each other's story. */
  #removing: Promise<unknown> = Promise.resolve()

  constructor(deps: PruningDeps) {
    this.#deps = deps
    deps.sql.run(
      'CREATE TABLE IF NOT EXISTS pruned_artifact (kind TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID',
    )
  }

  async preview(choice: PruneChoice): Promise<PruneReport> {
    const chosen = this.#choose(choice)
    const report = this.#report('preview', chosen)
    const described = await Promise.all(this.#artifactsOf(chosen).map((artifact) => this.#describe(artifact)))
    return withArtifacts(
      report,
      described.map(({ item }) => item),
    )
  }

  async apply(choice: PruneChoice, command: PruneCommand): Promise<Result<PruneReport, Failure>> {
    return command.action === 'archive' ? this.#archive(choice, command) : this.#delete(choice, command)
  }

  /** Files of deleted sessions that a crash left. */
  async recover(): Promise<void> {
    await this.#removeNoted()
  }

  /** Resolves when no file is being removed any more. */
  async close(): Promise<void> {
    await this.#removing
  }

  #archive(choice: PruneChoice, command: PruneCommand): Result<PruneReport, Failure> {
    const atMs = this.#deps.clock.nowMs()
    return this.#deps.store.commitAll((inSession) => {
      const chosen = this.#choose(choice)
      if (chosen.digest !== command.digest) return selectionChanged
      const report = this.#report({ archive: { at_ms: atMs } }, chosen)
      let changed = 0
      for (const { id } of chosen.selected) {
        inSession(id, ({ append, record }) => {
          if (record().time.archived !== undefined) return
          append({ type: 'session.next.archived', data: { archived: atMs } })
          changed += 1
        })
      }
      return succeed({ ...report, changed_sessions: changed })
    })
  }

  async #delete(choice: PruneChoice, command: PruneCommand): Promise<Result<PruneReport, Failure>> {
    const { sql, streams } = this.#deps
    const done = sql.transaction(() => {
      const chosen = this.#choose(choice)
      if (chosen.digest !== command.digest) return selectionChanged
      const records = this.#records(chosen.ids)
      const report = this.#report('delete', chosen)
      const artifacts = this.#artifactsOf(chosen)
      for (const { kind, name } of artifacts) {
        sql.run('INSERT INTO pruned_artifact (kind, name) VALUES (?, ?) ON CONFLICT DO NOTHING', kind, name)
      }
      for (const table of command.removesDerived ? derivedTables : []) {
        sql.run(`DELETE FROM ${table} WHERE ${inList('session_id')}`, chosen.ids)
      }
      for (const { table, key } of sessionTables) sql.run(`DELETE FROM ${table} WHERE ${inList(key)}`, chosen.ids)
      return succeed({ report, records, artifacts })
    })
    if (!done.ok) return done
    const { report, records, artifacts } = done.value
    await this.#deps.endSessions(records.map(({ id }) => id))
    for (const info of records) {
      streams.endSession(info.id)
      streams.notify({
        type: 'session.deleted',
        data: { sessionID: info.id, info },
        directory: info.location.directory,
      })
    }
    const described = await Promise.all(artifacts.map((artifact) => this.#describe(artifact)))
    const left = await this.#removeNoted()
    const isLeft = ({ kind, name }: Artifact) => left.some((one) => one.kind === kind && one.name === name)
    const items = described.map(({ artifact, item }) => ({ ...item, removed: !isLeft(artifact) }))
    const notes = [...report.notes, ...left.map((one) => ({ kind: 'left' as const, path: this.#pathOf(one) }))]
    return succeed({
      ...withArtifacts(report, items),
      derived: { ...report.derived, removed: command.removesDerived },
      changed_sessions: records.length,
      ...inWords(notes),
    })
  }

  #choose({ scope, olderThanDays, by, includeRecent }: PruneChoice): Chosen {
    const nowMs = this.#deps.clock.nowMs()
    const active = new Set(this.#deps.active())
    const rows = this.#deps.sql.all(
      `SELECT s.id, s.created_ms, s.updated_ms, q.next_seq - 1 AS newest, s.record ->> '$.parentID' AS parent,
              s.record ->> '$.revert' IS NOT NULL AS reverts,
              EXISTS (SELECT 1 FROM message m WHERE m.session_id = s.id AND m.is_open = 1) AS is_open
       FROM session s JOIN event_sequence q ON q.aggregate_id = s.id
       WHERE (?1 IS NULL OR s.project_id = ?1) AND (?2 IS NULL OR s.directory = ?2) ORDER BY s.id`,
      scope.projectId ?? null,
      scope.directory ?? null,
    )
    const selection = selectForPruning(
      rows.map((row) => ({
        id: textOf(row, 'id'),
        parentId: row['parent'] === null ? undefined : textOf(row, 'parent'),
        createdMs: numberOf(row, 'created_ms'),
        updatedMs: numberOf(row, 'updated_ms'),
        newestSeq: numberOf(row, 'newest'),
        // A step that another server of the same folder drives is known by its open message alone.
        isRunning: active.has(textOf(row, 'id')) || numberOf(row, 'is_open') === 1,
        hasStagedRevert: numberOf(row, 'reverts') === 1,
      })),
      {
        by,
        untilMs: nowMs - olderThanDays * dayMs,
        recentMs: includeRecent ? undefined : nowMs - pruneRecentMs,
        sessionsMax: pruneSessionsMax,
      },
    )
    const facts = selection.selected.map(({ id, newestSeq }) => [id, newestSeq])
    return {
      ...selection,
      ids: JSON.stringify(selection.selected.map(({ id }) => id)),
      digest: createHash('sha256').update(JSON.stringify(facts)).digest('hex'),
    }
  }

  #records(ids: string): SessionRecord[] {
    return this.#deps.sql
      .all(`SELECT id FROM session WHERE ${inList('id')}`, ids)
      .flatMap((row) => this.#deps.store.find(textOf(row, 'id')) ?? [])
  }

  #report(action: PruneReport['action'], chosen: Chosen): PruneReport {
    const { sql } = this.#deps
    const tables = sessionTables.map(({ table, key, texts }) => {
      const size = texts.map((column) => `COALESCE(octet_length(${column}), 0)`).join(' + ')
      const [row] = sql.all(
        `SELECT COUNT(*) AS rows, COALESCE(SUM(${size}), 0) AS bytes FROM ${table} WHERE ${inList(key)}`,
        chosen.ids,
      )
      return { table, rows: row === undefined ? 0 : numberOf(row, 'rows'), bytes: row ? numberOf(row, 'bytes') : 0 }
    })
    const records = this.#records(chosen.ids)
    const tokens = records.reduce((sum, record) => addTokens(sum, record.tokens), noTokens)
    const [rules, notes] = derivedTables.map((table) => {
      const [row] = sql.all(`SELECT COUNT(*) AS rows FROM ${table} WHERE ${inList('session_id')}`, chosen.ids)
      return row === undefined ? 0 : numberOf(row, 'rows')
    })
    return {
      action,
      digest: chosen.digest,
      selected_session_ids: chosen.selected.map(({ id }) => id),
      excluded: chosen.excluded.map(({ id, reasons }) => ({ session_id: id, reasons: [...reasons] })),
      database: {
        tables,
        total_rows: tables.reduce((sum, { rows }) => sum + rows, 0),
        total_bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
        cost: records.reduce((sum, { cost }) => sum + cost, 0),
        tokens: {
          input: tokens.input,
          output: tokens.output,
          reasoning: tokens.reasoning,
          cache_read: tokens.cache.read,
          cache_write: tokens.cache.write,
        },
      },
      artifacts: { items: [], total_bytes: 0 },
      derived: { permission_rules: rules ?? 0, notes: notes ?? 0, removed: false },
      changed_sessions: 0,
      ...inWords(chosen.isCut ? [{ kind: 'more', most: pruneSessionsMax }] : []),
    }
  }

  /** Outputs of tools of these sessions, and snapshots of directories that no other session works in. */
  #artifactsOf({ ids }: Chosen): Artifact[] {
    const { sql } = this.#deps
    const calls = `FROM event e, json_each(e.data, ?2) part
                   WHERE e.type = 'session.next.tool.success' AND ${inList('e.aggregate_id')}`
    const outputs = sql.all(`SELECT part.value AS path ${calls}`, ids, '$.outputPaths')
    const images = sql.all(
      `SELECT part.value ->> '$.uri' AS uri ${calls} AND part.value ->> '$.type' = 'file'`,
      ids,
      '$.content',
    )
    const files = [
      ...outputs.map((row) => textOf(row, 'path')),
      ...images.flatMap((row) => pathOf(textOf(row, 'uri')) ?? []),
    ]
    const directories = sql.all(
      `SELECT DISTINCT directory FROM session WHERE ${inList('id')}
       AND directory NOT IN (SELECT directory FROM session WHERE NOT ${inList('id')})`,
      ids,
    )
    const ofSteps = directories.map((row) => textOf(row, 'directory'))
    return [...new Set(files.filter((file) => this.#isKeptOutput(file)).map((file) => path.basename(file)))]
      .map((name): Artifact => ({ kind: 'tool_output', name }))
      .concat(ofSteps.map((name) => ({ kind: 'snapshot_store', name })))
      .concat(this.#deps.workTrees.namesOf(ids).map((name) => ({ kind: 'work_tree', name })))
  }

  /** What a log names may be anything; what is removed is a file that the server itself has named, in its own folder. */
  #isKeptOutput(file: string): boolean {
    return path.dirname(file) === this.#deps.outputsFolder && /^prt_[0-9A-Za-z]+\.[a-z]+$/.test(path.basename(file))
  }

  #pathOf({ kind, name }: Artifact): string {
    if (kind === 'work_tree') return this.#deps.workTrees.folderOf(name)
    return kind === 'tool_output' ? path.join(this.#deps.outputsFolder, name) : this.#deps.snapshots.storeOf(name)
  }

  async #describe(artifact: Artifact): Promise<{ readonly artifact: Artifact; readonly item: PruneArtifact }> {
    const full = this.#pathOf(artifact)
    return {
      artifact,
      item: {
        path: full,
        bytes: await bytesAt(full),
        kind: artifact.kind,
        reason: reasons[artifact.kind],
        removed: false,
      },
    }
  }

  #noted(): Artifact[] {
    return this.#deps.sql
      .all('SELECT kind, name FROM pruned_artifact ORDER BY kind, name')
      .map((row) => ({ kind: textOf(row, 'kind') as Artifact['kind'], name: textOf(row, 'name') }))
  }

  /** Answers what could not be removed. */
  #removeNoted(): Promise<Artifact[]> {
    const run = this.#removing.then(async () => {
      const left: Artifact[] = []
      for (const artifact of this.#noted()) {
        try {
          await this.#remove(artifact)
          this.#deps.sql.run('DELETE FROM pruned_artifact WHERE kind = ? AND name = ?', artifact.kind, artifact.name)
        } catch (cause) {
          this.#deps.logger.error('prune_failed', { cause })
          left.push(artifact)
        }
      }
      return left
    })
    this.#removing = run.catch(() => undefined)
    return run
  }

  /** A folder that was never made holds nothing; one that became a link is not followed. */
  async #remove({ kind, name }: Artifact): Promise<void> {
    try {
      if (kind === 'work_tree') await this.#deps.workTrees.remove(name)
      else if (kind === 'snapshot_store') await this.#deps.snapshots.forget(name, () => this.#isUnused(name))
      else await withinFolder(this.#deps.outputsFolder, (at) => rm(path.join(at, name), { force: true }))
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }

  /** A session may have begun there meanwhile. */
  #isUnused(directory: string): boolean {
    return this.#deps.sql.all('SELECT 1 FROM session WHERE directory = ? LIMIT 1', directory).length === 0
  }
}

const reasons: Readonly<Record<Artifact['kind'], string>> = {
  tool_output: 'named by a selected session',
  snapshot_store: 'no other session works there',
  work_tree: 'made for a selected session; what was not merged goes with it',
}

const selectionChanged = failWith(failure('conflict', { kind: 'selection_changed' }))

function inList(column: string): string {
  return `${column} IN (SELECT value FROM json_each(?1))`
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

function withArtifacts(report: PruneReport, items: readonly PruneArtifact[]): PruneReport {
  return {
    ...report,
    artifacts: { items: [...items], total_bytes: items.reduce((sum, { bytes }) => sum + bytes, 0) },
  }
}

/** Of a file, or of all files in a folder. Links count as what they are. */
async function bytesAt(full: string): Promise<number> {
  const facts = await lstat(full).catch(() => undefined)
  if (facts === undefined) return 0
  if (!facts.isDirectory()) return facts.size
  let bytes = 0
  for (const name of await readdir(full).catch(() => [])) bytes += await bytesAt(path.join(full, name))
  return bytes
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function inWords(notes: PruneNote[]) {
  return { warnings: notes.map(sayPruneNote), notes }
}
