/**
 * Copies of a project in which a session works while others work in the project itself. Each is a repository of its own,
 * in the server's data, that borrows the objects of the project's: nothing is written to that, and nothing that a stranger
 * put into its configuration is read. What was changed in one reaches the project when the owner merges it.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { copyFile, lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { findRepository, type Repository } from '../../git/find-repository.ts'
import { askRepository } from '../../git/read-repository.ts'
import { runGit, sayGitFault } from '../../git/run-git.ts'
import type { WireWorkTree } from '../contract/work-tree.ts'
import { splitNul } from '../core/changed-files.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { FileDiff } from '../core/session/message.ts'
import { snapshotGitMsMax, workTreesMax } from '../limits.ts'
import type { LocationInfo, Logger } from '../ports.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import { withinFolder } from './tools/pinned-path.ts'

export const workTreeSchema = [
  `CREATE TABLE work_tree (
     session_id TEXT PRIMARY KEY, name TEXT NOT NULL, directory TEXT NOT NULL, project TEXT NOT NULL, branch TEXT NOT NULL,
     base_commit TEXT NOT NULL, base_tree TEXT NOT NULL, created_ms INTEGER NOT NULL, ended_ms INTEGER,
     merging_tree TEXT, merging_paths TEXT
   ) WITHOUT ROWID`,
]

export interface WorkTreesDeps {
  readonly sql: SyncSql
  readonly clock: Clock
  readonly logger: Logger
  readonly snapshots: SnapshotStore
  /** They are made in it; a path without links. */
  readonly folder: string
  readonly searchPath: string
  /** A folder is gone. */
  readonly onGone: (directory: string) => void
  readonly notify: (type: string, data: Readonly<Record<string, unknown>>) => void
}

interface WorkTree {
  readonly sessionId: string
  /** Of its folder. */
  readonly name: string
  /** Its top. */
  readonly directory: string
  /** The top of the project that it is of. */
  readonly project: string
  readonly branch: string
  readonly baseCommit: string
  readonly baseTree: string
  readonly createdMs: number
  readonly isEnded: boolean
}

export class WorkTrees {
  readonly #deps: WorkTreesDeps

  constructor(deps: WorkTreesDeps) {
    this.#deps = deps
  }

  list(): readonly WireWorkTree[] {
    return this.#deps.sql
      .all('SELECT * FROM work_tree WHERE ended_ms IS NULL ORDER BY created_ms, session_id')
      .map((row) => wireOf(readRow(row)))
  }

  /** What a session of one may be told; undefined for one that works in the project itself. */
  of(sessionId: string): WorkTree | undefined {
    const [row] = this.#deps.sql.all('SELECT * FROM work_tree WHERE session_id = ?', sessionId)
    return row === undefined ? undefined : readRow(row)
  }

  /** The objects that a folder borrows, where it is a work tree: its commands may read them. */
  borrowedBy(directory: string): string | undefined {
    const name = path.relative(this.#deps.folder, directory).split(path.sep)[0] ?? ''
    const [row] = this.#deps.sql.all('SELECT * FROM work_tree WHERE name = ?', name)
    if (row === undefined) return undefined
    const repository = findRepository(readRow(row).project)
    return repository === undefined ? undefined : path.join(repository.common, 'objects')
  }

  /** Makes one as the project's files are now, those that git does not know included, and answers where that is. */
  async begin(location: LocationInfo, sessionId: string): Promise<Result<LocationInfo, Failure>> {
    const { sql, clock, snapshots, folder, notify } = this.#deps
    const repository = findRepository(location.directory)
    if (repository === undefined) return noRepository
    const [count] = sql.all('SELECT COUNT(*) AS n FROM work_tree WHERE ended_ms IS NULL')
    if (count !== undefined && numberOf(count, 'n') >= workTreesMax) return tooMany
    const commit = (await this.#ask(repository, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))?.trim()
    if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return noCommit
    const name = randomBytes(6).toString('hex')
    const top = path.join(folder, name, path.basename(repository.top))
    const branch = `agent/${name}`
    try {
      await mkdir(top, { recursive: true, mode: 0o700 })
      await this.#fill(repository, top, branch, commit)
      const row = [sessionId, name, top, repository.top, branch, commit, await snapshots.capture(top), clock.nowMs()]
      sql.run(
        `INSERT INTO work_tree (session_id, name, directory, project, branch, base_commit, base_tree, created_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...row,
      )
    } catch (cause) {
      await this.#removeFolder(name, top)
      return failWith({ ...failure('filesystem_error', { kind: 'tree_unmade' }), cause })
    }
    notify('worktree.changed', { sessionID: sessionId })
    const inside = path.join(top, path.relative(repository.top, location.directory))
    return succeed({
      ...location,
      directory: (await isFolder(inside)) ? inside : top,
      project: { ...location.project, directory: top },
    })
  }

  /** What differs from the project as it was when it was made, or last merged. */
  async changes(sessionId: string): Promise<Result<{ info: WireWorkTree; changes: readonly FileDiff[] }, Failure>> {
    const tree = this.#live(sessionId)
    if (tree === undefined) return noWorkTree(sessionId)
    const { directory, baseTree } = tree
    try {
      const now = await this.#deps.snapshots.capture(directory)
      const paths = await this.#deps.snapshots.changed(directory, baseTree, now)
      const changes = await this.#deps.snapshots.diff(directory, baseTree, now, new Set(paths))
      return succeed({ info: wireOf(tree), changes })
    } catch (cause) {
      return failWith({ ...failure('backend_unavailable', { kind: 'tree_unread' }), cause })
    }
  }

  /** Into the files of the project as they are now, whole or not at all. It makes no commit. */
  async merge(sessionId: string): Promise<Result<void, Failure>> {
    const { sql, snapshots, notify } = this.#deps
    const tree = this.#live(sessionId)
    if (tree === undefined) return noWorkTree(sessionId)
    const { directory, project, baseTree } = tree
    if (!(await isFolder(project)))
      return failWith(
        failure('conflict', { kind: 'project_moved', project }, { kind: 'resource', resource: sessionId }),
      )
    const now = await snapshots.capture(directory)
    const paths = await snapshots.changed(directory, baseTree, now)
    if (paths.length > 0) {
      const before = await snapshots.capture(project)
      // Its change is what would be taken back if the project had it and went the other way.
      const change = { before: now, after: baseTree, paths: new Set(paths) }
      const merged = await snapshots.without(project, before, [change], directory)
      if (!merged.ok) {
        const files = await snapshots.diff(directory, baseTree, now, new Set(merged.failure))
        const names = merged.failure.slice(0, 20).join(', ')
        return failWith(failure('conflict', { kind: 'changed_in_project', names }, { kind: 'files', files }))
      }
      sql.run(
        'UPDATE work_tree SET merging_tree = ?, merging_paths = ? WHERE session_id = ?',
        before,
        JSON.stringify(paths),
        sessionId,
      )
      try {
        await snapshots.restore(project, merged.value, paths, directory)
      } catch (cause) {
        await this.#undoMerge(sessionId, project, before, paths)
        return failWith({ ...failure('filesystem_error', { kind: 'project_unwritten' }), cause })
      }
    }
    sql.run(
      'UPDATE work_tree SET base_tree = ?, merging_tree = NULL, merging_paths = NULL WHERE session_id = ?',
      now,
      sessionId,
    )
    notify('worktree.changed', { sessionID: sessionId })
    return succeed(undefined)
  }

  /** Throws it away with all that is in it. Its session stays to be read. */
  async discard(sessionId: string): Promise<Result<void, Failure>> {
    const { sql, clock, notify } = this.#deps
    const tree = this.#live(sessionId)
    if (tree === undefined) return noWorkTree(sessionId)
    sql.run('UPDATE work_tree SET ended_ms = ? WHERE session_id = ?', clock.nowMs(), sessionId)
    await this.#removeFolder(tree.name, tree.directory)
    notify('worktree.changed', { sessionID: sessionId })
    return succeed(undefined)
  }

  /** The folders of such sessions, before these are deleted. */
  namesOf(sessionIds: string): string[] {
    return this.#deps.sql
      .all('SELECT name FROM work_tree WHERE session_id IN (SELECT value FROM json_each(?))', sessionIds)
      .map((row) => textOf(row, 'name'))
  }

  folderOf(name: string): string {
    return path.join(this.#deps.folder, name)
  }

  async remove(name: string): Promise<void> {
    const [project] = entriesOf(this.folderOf(name))
    await this.#removeFolder(name, path.join(this.folderOf(name), project ?? ''))
  }

  /** Merges that a crash cut short are taken back, and folders go that no session knows. */
  async recover(): Promise<void> {
    const { sql, logger, folder } = this.#deps
    for (const row of sql.all('SELECT * FROM work_tree WHERE merging_tree IS NOT NULL')) {
      const { sessionId, project } = readRow(row)
      try {
        const paths = JSON.parse(textOf(row, 'merging_paths')) as string[]
        await this.#undoMerge(sessionId, project, textOf(row, 'merging_tree'), paths)
      } catch (cause) {
        logger.error('merge_not_undone', { session: sessionId, cause })
      }
    }
    sql.run('DELETE FROM work_tree WHERE session_id NOT IN (SELECT id FROM session)')
    const known = new Set(
      sql.all('SELECT name FROM work_tree WHERE ended_ms IS NULL').map((row) => textOf(row, 'name')),
    )
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (known.has(name)) continue
      await this.remove(name).catch((cause: unknown) => logger.error('work_tree_left', { name, cause }))
    }
  }

  async #undoMerge(sessionId: string, project: string, tree: string, paths: readonly string[]): Promise<void> {
    await this.#deps.snapshots.restore(project, tree, paths)
    this.#deps.sql.run('UPDATE work_tree SET merging_tree = NULL, merging_paths = NULL WHERE session_id = ?', sessionId)
  }

  #live(sessionId: string): WorkTree | undefined {
    const tree = this.of(sessionId)
    return tree?.isEnded === false ? tree : undefined
  }

  #ask(repository: Repository, args: readonly string[]): Promise<string | undefined> {
    return askRepository(repository, args, this.#deps.searchPath)
  }

  /** A repository at that commit, on a branch of its own, with the files as they lie in the project. */
  async #fill(repository: Repository, top: string, branch: string, commit: string): Promise<void> {
    const { snapshots } = this.#deps
    const objects = path.join(repository.common, 'objects')
    if (objects.includes('\n')) throw new Error('a folder has a line break in its name')
    const form = commit.length === 64 ? 'sha256' : 'sha1'
    await this.#git(
      top,
      ['init', '--quiet', '--template=', `--object-format=${form}`, `--initial-branch=${branch}`],
      {},
    )
    await mkdir(path.join(top, '.git', 'objects', 'info'), { recursive: true })
    // In quotes it is read as it is written, whatever the name begins with.
    await writeFile(path.join(top, '.git', 'objects', 'info', 'alternates'), `${JSON.stringify(objects)}\n`)
    const shallow = path.join(repository.common, 'shallow')
    if (existsSync(shallow)) await copyFile(shallow, path.join(top, '.git', 'shallow'))
    const places = { GIT_DIR: path.join(top, '.git'), GIT_WORK_TREE: top }
    await this.#git(top, ['update-ref', `refs/heads/${branch}`, commit], places)
    await this.#git(top, ['read-tree', 'HEAD'], places)
    await this.#git(top, ['checkout-index', '--all', '--force', '--quiet'], places)
    await snapshots.copyTo(repository.top, await snapshots.capture(repository.top), top)
    // What somebody deleted in the project is not there either.
    const known = splitNul(await this.#git(top, ['ls-files', '-z'], places))
    for (const name of known) {
      const isGone = await lstat(path.join(repository.top, name)).then(
        () => false,
        () => true,
      )
      if (isGone) await rm(path.join(top, name), { force: true, recursive: true })
    }
    // Ends with 1 where a file differs from the commit.
    await runGit(['update-index', '-q', '--refresh'], this.#run(top, places))
  }

  async #git(cwd: string, args: readonly string[], places: Readonly<Record<string, string>>): Promise<string> {
    const outcome = await runGit(args, this.#run(cwd, places))
    if (!outcome.ok) throw new Error(sayGitFault(outcome.failure))
    return outcome.value.text
  }

  #run(cwd: string, places: Readonly<Record<string, string>>) {
    const settings = ['core.autocrlf=false', 'core.quotepath=false']
    return { cwd, searchPath: this.#deps.searchPath, settings, places, msMax: snapshotGitMsMax }
  }

  async #removeFolder(name: string, top: string): Promise<void> {
    const { folder, snapshots, onGone } = this.#deps
    await snapshots
      .forget(top, () => true)
      .catch((cause: unknown) => {
        // Nothing was ever kept of any folder.
        if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
      })
    if (existsSync(folder))
      await withinFolder(folder, (at) => rm(path.join(at, name), { recursive: true, force: true }))
    onGone(top)
  }
}

function entriesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

async function isFolder(full: string): Promise<boolean> {
  const real = await realpath(full).catch(() => undefined)
  return real === full && (await lstat(full)).isDirectory()
}

function readRow(row: SqlRow): WorkTree {
  return {
    sessionId: textOf(row, 'session_id'),
    name: textOf(row, 'name'),
    directory: textOf(row, 'directory'),
    project: textOf(row, 'project'),
    branch: textOf(row, 'branch'),
    baseCommit: textOf(row, 'base_commit'),
    baseTree: textOf(row, 'base_tree'),
    createdMs: numberOf(row, 'created_ms'),
    isEnded: row['ended_ms'] !== null,
  }
}

function wireOf({ sessionId, directory, project, branch, baseCommit, createdMs }: WorkTree): WireWorkTree {
  return { sessionID: sessionId, directory, project, branch, commit: baseCommit, time: { created: createdMs } }
}

const noRepository = failWith(
  failure(
    'invalid_request',
    { kind: 'tree_needs_git' },
    {
      kind: 'field',
      part: 'Payload',
      field: 'worktree',
    },
  ),
)
const noCommit = failWith(failure('invalid_request', { kind: 'tree_needs_commit' }))
const tooMany = failWith(failure('conflict', { kind: 'trees', most: workTreesMax }))

function noWorkTree(sessionID: string) {
  return failWith(failure('not_found', { kind: 'no_tree' }, { kind: 'resource', resource: sessionID }))
}
