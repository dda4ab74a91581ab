/**
 * The files of a directory as they were before a turn changed them, kept as git trees in a folder of our own, so that
 * the owner's repository is never touched and a folder without one can be taken back as well. Files are kept byte for
 * byte, those of repositories within the directory too.
 */
import { createHash } from 'node:crypto'
import { constants, existsSync, readdirSync, rmSync } from 'node:fs'
import { access, lstat, mkdir, realpath, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { runGit, sayGitFault } from '../../git/run-git.ts'
import { present } from '../core/fields.ts'
import type { FileDiff } from '../core/session/message.ts'
import {
  snapshotFileBytesMax,
  snapshotGitMsMax,
  snapshotListMsMax,
  snapshotPatchBytesMax,
  snapshotPatchesBytesMax,
} from '../limits.ts'
import { withinFolder } from './tools/pinned-path.ts'

const skipped = ['node_modules/', '.venv/', '__pycache__/', '.git/', '.cache/']
/** Within a repository these may be kept, and its own rules say whether they are not. */
const skippedOutsideGit = ['target/', 'dist/']
/** What the project says of its files is for its own repository: nothing is to be converted on the way in or out. */
const unconverted = '* -text -eol -ident -filter -working-tree-encoding\n'

interface GitOptions {
  /** For its standard input. */
  readonly input?: readonly string[]
  /** Reading stops here, which ends it. */
  readonly outputBytesMax?: number
  readonly workTree?: string
  /** Ends it. */
  readonly signal?: AbortSignal | undefined
  /** An index of its own, by its name in the store. */
  readonly index?: string
}

type Git = (args: readonly string[], options?: GitOptions) => Promise<string>

export class SnapshotStore {
  readonly #folder: string
  /** Where programs are looked for: the one thing git needs of our environment. */
  readonly #searchPath: string
  readonly #queues = new Map<string, Promise<unknown>>()
  /** What only looks at files is given up when the server stops; what writes them back is not. */
  readonly #stopping = new AbortController()

  constructor(folder: string, searchPath: string) {
    this.#folder = folder
    this.#searchPath = searchPath
  }

  /** A git that was killed leaves its lock behind, which nobody would ever remove. */
  recover(): void {
    for (const store of existsSync(this.#folder) ? readdirSync(this.#folder) : []) {
      for (const index of [ownIndex, restoredIndex]) {
        rmSync(path.join(this.#folder, store, `${index}.lock`), { force: true })
      }
    }
  }

  get isClosing(): boolean {
    return this.#stopping.signal.aborted
  }

  /** Resolves when no git works in the folders any more. */
  async close(): Promise<void> {
    this.#stopping.abort(new Error('the server stops'))
    await Promise.allSettled(this.#queues.values())
  }

  /** The tree of the directory now. */
  capture(directory: string): Promise<string> {
    return this.#looking(directory, async (git) => {
      const known = await byReach(directory, splitNames(await git(['ls-files', '-z', '--modified'])))
      if (known.gone.length > 0) await git(['update-index', '-z', '--force-remove', '--stdin'], { input: known.gone })
      const others = await keepable(directory, await othersIn(git, directory, ''))
      await git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], {
        input: [...known.here, ...others],
      })
      return (await git(['write-tree'])).trim()
    })
  }

  /** Paths that differ between two trees. */
  changed(directory: string, from: string, to: string): Promise<string[]> {
    return this.#looking(directory, async (git) =>
      splitNames(await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to])),
    )
  }

  /** What going from one tree to the other changes in these paths. A patch that is too long to show is left out. */
  diff(directory: string, from: string, to: string, paths: ReadonlySet<string>): Promise<FileDiff[]> {
    return this.#looking(directory, async (git) => {
      if (paths.size === 0) return []
      const compare = (format: readonly string[], options?: GitOptions) =>
        git(['diff-tree', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', ...format, from, to], options)
      const status = (await compare(['-z', '--name-status'])).split('\0')
      const counts = new Map<string, readonly [number, number]>()
      for (const line of splitNames(await compare(['-z', '--numstat']))) {
        const [added, deleted, name = ''] = line.split('\t')
        counts.set(name, [Number(added) || 0, Number(deleted) || 0])
      }
      const patches = wholePatches(await compare(['-p'], { outputBytesMax: snapshotPatchesBytesMax }))
      const files: FileDiff[] = []
      for (let index = 0; index + 1 < status.length; index += 2) {
        const letter = status[index]
        const name = status[index + 1] ?? ''
        // Another kind of thing in its place is shown as a deletion and an addition.
        const patch = patches.splice(0, letter === 'T' ? 2 : 1).join('')
        if (!paths.has(name)) continue
        const [additions, deletions] = counts.get(name) ?? [0, 0]
        files.push({
          path: name,
          status: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified',
          additions,
          deletions,
          patch: patch.length > snapshotPatchBytesMax ? '' : patch,
        })
      }
      return files
    })
  }

  /**
   * The tree in which these steps, oldest first, did not happen, and what others did since then did. Fails with the paths
   * where both changed the same lines, or one of the two is gone.
   */
  without(directory: string, now: string, steps: readonly KeptStep[]): Promise<Result<string, readonly string[]>> {
    return this.#alone(directory, async (git) => {
      const touched = new Set(steps.flatMap(({ paths }) => [...paths]))
      const files = new Map<string, TreeEntry | undefined>()
      for (const line of splitNames(await git(['ls-tree', '-r', '-z', now]))) {
        const [, mode = '', sha = '', name = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
        if (touched.has(name)) files.set(name, { mode, sha })
      }
      const conflicts = new Set<string>()
      for (const { before, after, paths } of steps.toReversed()) {
        for (const { name, from, to } of readRawDiff(await git([...rawDiff, after, before]))) {
          const current = files.get(name)
          if (!paths.has(name) || isSameEntry(current, to)) continue
          const merged = isSameEntry(current, from)
            ? { entry: to }
            : await this.#merge(directory, git, current, from, to)
          if (merged === undefined) conflicts.add(name)
          else files.set(name, merged.entry)
        }
      }
      if (conflicts.size > 0) return failWith([...conflicts])
      const index = restoredIndex
      await git(['read-tree', now], { index })
      const entries = [...touched].map((name) => ({ name, entry: files.get(name) }))
      // What goes makes room first: a file may stand where a folder was.
      const gone = entries.filter(({ entry }) => entry === undefined).map(({ name }) => name)
      const kept = entries.flatMap(({ name, entry }) =>
        entry === undefined ? [] : [`${entry.mode} ${entry.sha}\t${name}`],
      )
      if (gone.length > 0) await git(['update-index', '-z', '--force-remove', '--stdin'], { index, input: gone })
      if (kept.length > 0) await git(['update-index', '--replace', '-z', '--index-info'], { index, input: kept })
      return succeed((await git(['write-tree'], { index })).trim())
    })
  }

  /** Takes back these hunks of a patch that the files now end with; false when they are not as it says. */
  applyReversed(directory: string, patch: string): Promise<boolean> {
    return this.#alone(directory, async (git) => {
      const file = path.join(this.storeOf(directory), 'hunks.patch')
      await writeFile(file, patch)
      try {
        await git(['apply', '--reverse', '--whitespace=nowarn', file])
        return true
      } catch {
        return false
      } finally {
        await rm(file, { force: true })
      }
    })
  }

  /** Undefined where the two cannot both have their way. */
  async #merge(
    directory: string,
    git: Git,
    ...[current, base, other]: readonly (TreeEntry | undefined)[]
  ): Promise<{ readonly entry: TreeEntry } | undefined> {
    const all = [current, base, other]
    if (current === undefined || !all.every((entry) => entry?.mode.startsWith('100') === true)) return undefined
    const store = this.storeOf(directory)
    const names: string[] = []
    try {
      for (const entry of all) names.push((await git(['unpack-file', entry?.sha ?? ''], { workTree: store })).trim())
      const [result = ''] = names
      await git(['merge-file', '--quiet', ...names], { workTree: store })
      const sha = (await git(['hash-object', '-w', '--no-filters', result], { workTree: store })).trim()
      return { entry: { mode: current.mode, sha } }
    } catch {
      return undefined
    } finally {
      for (const name of names) await rm(path.join(store, name), { force: true })
    }
  }

  /** Puts these paths back to what they are in the tree; a path the tree does not have is deleted. */
  restore(directory: string, tree: string, paths: readonly string[]): Promise<void> {
    return this.#alone(directory, async (git) => {
      const kept = new Set(splitNames(await git(['ls-tree', '-r', '-z', '--name-only', tree])))
      const added = paths.filter((name) => !kept.has(name))
      await removeFiles(directory, added)
      const input = paths.filter((name) => kept.has(name))
      if (input.length === 0) return
      const index = restoredIndex
      await git(['read-tree', tree], { index })
      await git(['checkout-index', '--force', '-z', '--stdin'], { index, input })
    })
  }

  /** Where the files of a directory are kept. */
  storeOf(directory: string): string {
    return path.join(this.#folder, createHash('sha256').update(directory).digest('hex').slice(0, 24))
  }

  /** Drops what is kept of a directory, unless it is needed again by the time that its turn comes. */
  forget(directory: string, isUnused: () => boolean): Promise<void> {
    return this.#inTurn(directory, async () => {
      if (!isUnused()) return
      const store = path.basename(this.storeOf(directory))
      await withinFolder(this.#folder, (at) => rm(path.join(at, store), { recursive: true, force: true }))
    })
  }

  #looking<T>(directory: string, work: (git: Git) => Promise<T>): Promise<T> {
    return this.#alone(directory, work, this.#stopping.signal)
  }

  /** One at a time for a directory: git locks its index, and a capture must not see half a restore. */
  #alone<T>(directory: string, work: (git: Git) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#inTurn(directory, async () => {
      signal?.throwIfAborted()
      const store = await this.#prepare(directory)
      return work((args, options) => gitInStore(this.#searchPath, store, directory, args, { ...options, signal }))
    })
  }

  #inTurn<T>(directory: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(directory) ?? Promise.resolve()
    const run = before.catch(() => undefined).then(work)
    this.#queues.set(directory, run)
    return run
  }

  async #prepare(directory: string): Promise<string> {
    const store = this.storeOf(directory)
    await mkdir(store, { recursive: true, mode: 0o700 })
    await gitInStore(this.#searchPath, store, directory, ['init', '--quiet', '--template='])
    await mkdir(path.join(store, 'info'), { recursive: true })
    const excluded = [...skipped, ...(isInRepository(directory) ? [] : skippedOutsideGit)]
    await writeFile(path.join(store, 'info', 'exclude'), `${excluded.join('\n')}\n`)
    await writeFile(path.join(store, 'info', 'attributes'), unconverted)
    return store
  }
}

/** What a step did: the tree before it and after it, and which of the paths that differ are its own. */
export interface KeptStep {
  readonly before: string
  readonly after: string
  readonly paths: ReadonlySet<string>
}

interface TreeEntry {
  readonly mode: string
  readonly sha: string
}

const rawDiff = ['diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev']
const absent = '000000'

function isSameEntry(left: TreeEntry | undefined, right: TreeEntry | undefined): boolean {
  return left?.mode === right?.mode && left?.sha === right?.sha
}

function readRawDiff(text: string) {
  const parts = splitNames(text)
  return parts.flatMap((facts, at) => {
    if (at % 2 === 1) return []
    const [fromMode = absent, toMode = absent, fromSha = '', toSha = ''] = facts.slice(1).split(' ')
    const entry = (mode: string, sha: string) => (mode === absent ? undefined : { mode, sha })
    return [{ name: parts[at + 1] ?? '', from: entry(fromMode, fromSha), to: entry(toMode, toSha) }]
  })
}

const ownIndex = 'index'
/** What is written back comes from an index of its own, so that the other one goes on saying what was seen last. */
const restoredIndex = 'restored'
const noIndex = 'none'

function splitNames(text: string): string[] {
  return text.split('\0').filter((name) => name !== '')
}

function isInRepository(directory: string): boolean {
  const parent = path.dirname(directory)
  return existsSync(path.join(directory, '.git')) || (parent !== directory && isInRepository(parent))
}

/** Files that the store does not know yet. A repository within the directory is named as a folder: it is looked into. */
async function othersIn(git: Git, directory: string, inside: string): Promise<string[]> {
  const options = inside === '' ? {} : { workTree: path.join(directory, inside), index: noIndex }
  const listed = splitNames(await git(['ls-files', '-z', '--others', '--exclude-standard'], options))
  const names: string[] = []
  for (const name of listed) {
    if (name.endsWith('/')) names.push(...(await othersIn(git, directory, inside + name)))
    else names.push(inside + name)
  }
  return names
}

/** A folder that became a link leads elsewhere: what was in it is gone. */
async function byReach(directory: string, names: readonly string[]) {
  const root = await realpath(directory)
  const here: string[] = []
  const gone: string[] = []
  for (const [folder, inFolder] of byFolder(names)) {
    const real = await realpath(path.join(root, folder)).catch(() => undefined)
    const reached = real === undefined || real === path.join(root, folder) ? here : gone
    reached.push(...inFolder)
  }
  return { here, gone }
}

function byFolder(names: readonly string[]): Map<string, string[]> {
  return Map.groupBy(names, (name) => path.dirname(name))
}

/** Very large files are data, and what cannot be read cannot be kept: neither may cost the others their way back. */
async function keepable(directory: string, names: readonly string[]): Promise<string[]> {
  const kept: string[] = []
  for (const name of names) {
    const full = path.join(directory, name)
    const facts = await lstat(full).catch(() => undefined)
    if (facts === undefined || facts.size > snapshotFileBytesMax) continue
    const isReadable = await access(full, constants.R_OK).then(
      () => true,
      () => false,
    )
    if (facts.isSymbolicLink() || (facts.isFile() && isReadable)) kept.push(name)
  }
  return kept
}

/** Each begins with a line of its own; the last one is not whole where reading stopped. */
function wholePatches(text: string): string[] {
  const patches = text.split(/^(?=diff --git )/m)
  return Buffer.byteLength(text) < snapshotPatchesBytesMax ? patches : patches.slice(0, -1)
}

/** Where a folder is gone, or became a link meanwhile, the files that were made there are gone with it. */
async function removeFiles(directory: string, names: readonly string[]): Promise<void> {
  for (const [folder, inFolder] of byFolder(names)) {
    await ignoringGone(
      withinFolder(path.join(directory, folder), async (at) => {
        for (const name of inFolder) await rm(path.join(at, path.basename(name)), { force: true })
      }),
    )
    await removeEmptyFolders(directory, folder)
  }
}

/** Git keeps no folder without files, so one that a command made for its files goes with them. */
async function removeEmptyFolders(directory: string, folder: string): Promise<void> {
  if (folder === '.') return
  const full = path.join(directory, folder)
  const isRemoved = await ignoringGone(
    withinFolder(path.dirname(full), (at) => rmdir(path.join(at, path.basename(full)))),
  )
  if (isRemoved) await removeEmptyFolders(directory, path.dirname(folder))
}

async function ignoringGone(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENOTEMPTY'].includes(code)) return false
    throw error
  }
}

async function gitInStore(
  searchPath: string,
  store: string,
  directory: string,
  args: readonly string[],
  { input, outputBytesMax, workTree = directory, index = ownIndex, signal }: GitOptions = {},
): Promise<string> {
  const outcome = await runGit(args, {
    cwd: workTree,
    searchPath,
    settings: ['core.autocrlf=false', 'core.quotepath=false', `core.bigFileThreshold=${snapshotPatchesBytesMax}`],
    places: { GIT_DIR: store, GIT_WORK_TREE: workTree, GIT_INDEX_FILE: path.join(store, index) },
    msMax: args[0] === 'ls-files' ? snapshotListMsMax : snapshotGitMsMax,
    ...present({ input, outputBytesMax, signal }),
  })
  if (!outcome.ok) throw new Error(sayGitFault(outcome.failure))
  if (outcome.value.isCut && outputBytesMax === undefined) throw new Error(`git ${args[0]} said too much`)
  return outcome.value.text
}
