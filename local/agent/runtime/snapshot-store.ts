/**
 * The files of a directory as they were before a turn changed them, kept as git trees in a folder of our own, so that
 * the owner's repository is never touched and a folder without one can be taken back as well. Files are kept byte for
 * byte, those of repositories within the directory too.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { runGit, sayGitFault } from '../../git/run-git.ts'
import { splitNul } from '../core/changed-files.ts'
import { present } from '../core/fields.ts'
import type { ChangeCounts, FileDiff } from '../core/session/message.ts'
import {
  isAnotherKind,
  isSameEntry,
  isUnbroken,
  type KeptStep,
  type TreeEntry,
  wholePatches,
} from '../core/tree-differences.ts'
import {
  snapshotCountedFilesMax,
  snapshotGitMsMax,
  snapshotListMsMax,
  snapshotPatchBytesMax,
  snapshotPatchesBytesMax,
} from '../limits.ts'
import { loopShare } from './loop-share.ts'
import { byReach, keepable, removeFiles } from './snapshot-files.ts'
import { withinFolder } from './tools/pinned-path.ts'
import { comparing, TreeComparisons } from './tree-comparisons.ts'

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
  /** A store whose objects are read beside its own. */
  readonly borrowed?: string | undefined
}

type Git = (args: readonly string[], options?: GitOptions) => Promise<string>

export class SnapshotStore {
  readonly #folder: string
  /** Where programs are looked for: the one thing git needs of our environment. */
  readonly #searchPath: string
  readonly #queues = new Map<string, Promise<unknown>>()
  /** The capture that is the last of a queue and has not begun: whoever asks for one meanwhile has a part in it. */
  readonly #lastCaptures = new Map<string, Promise<string>>()
  /** Stores that this process has begun: what a crash left of one is whole again from then on. */
  readonly #begun = new Set<string>()
  /** The last tree of a store, with the state of the index that it was written from. */
  readonly #written = new Map<string, { readonly tree: string; readonly index: string }>()
  readonly #comparisons = new TreeComparisons()
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

  /** The tree of the directory, as it is at some moment from now on. */
  capture(directory: string): Promise<string> {
    const last = this.#lastCaptures.get(directory)
    if (last !== undefined) return last
    const begin = () => {
      if (this.#lastCaptures.get(directory) === run) this.#lastCaptures.delete(directory)
    }
    const run = this.#looking(directory, (git) => {
      begin()
      return this.#captureAlone(directory, git)
    })
    this.#lastCaptures.set(directory, run)
    // One that never came to its turn is nobody's any more either.
    run.catch(begin)
    return run
  }

  async #captureAlone(directory: string, git: Git): Promise<string> {
    const store = this.storeOf(directory)
    const differing = await differingIn(git, directory)
    const { gone, here } = await byReach(directory, differing.known)
    if (gone.length > 0) await git(['update-index', '-z', '--force-remove', '--stdin'], { input: gone })
    const input = [...here, ...(await keepable(directory, differing.others))]
    if (input.length > 0) await git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], { input })
    const index = await stateOf(path.join(store, ownIndex))
    const written = this.#written.get(store)
    if (written !== undefined && written.index === index) return written.tree
    const tree = (await git(['write-tree'])).trim()
    // Writing a tree may put another index in place, and so may another server of this folder.
    const isOfTree = index !== undefined && index === (await stateOf(path.join(store, ownIndex)))
    if (isOfTree) this.#written.set(store, { tree, index })
    return tree
  }

  /** Paths that differ between two trees. */
  async changed(directory: string, from: string, to: string): Promise<string[]> {
    if (from === to) return []
    return this.#looking(directory, async (git) =>
      (await this.#comparisons.differences(git, from, to)).map(({ name }) => name),
    )
  }

  /** How much going from one tree to the other changes in these paths. */
  async count(directory: string, from: string, to: string, paths: ReadonlySet<string>): Promise<ChangeCounts> {
    if (from === to || paths.size === 0) return { files: 0, additions: 0, deletions: 0 }
    if (paths.size > snapshotCountedFilesMax)
      return { files: (await this.changed(directory, from, to)).filter((name) => paths.has(name)).length }
    const counts = await this.#looking(directory, (git) => this.#comparisons.counts(git, from, to))
    const own = [...counts].filter(([name]) => paths.has(name)).map(([, lines]) => lines)
    return {
      files: own.length,
      additions: own.reduce((sum, [added]) => sum + added, 0),
      deletions: own.reduce((sum, [, deleted]) => sum + deleted, 0),
    }
  }

  /** What going from one tree to the other changes in these paths. A patch that is too long to show is left out. */
  diff(directory: string, from: string, to: string, paths: ReadonlySet<string>): Promise<FileDiff[]> {
    return this.#looking(directory, async (git) => {
      if (paths.size === 0) return []
      const differences = await this.#comparisons.differences(git, from, to)
      const counts = await this.#comparisons.counts(git, from, to)
      const outputBytesMax = snapshotPatchesBytesMax
      const patches = wholePatches(await git([...comparing, '-p', from, to], { outputBytesMax }), outputBytesMax)
      const files: FileDiff[] = []
      for (const { name, was, is } of differences) {
        // Another kind of thing in its place is shown as a deletion and an addition.
        const patch = patches.splice(0, isAnotherKind(was, is) ? 2 : 1).join('')
        if (!paths.has(name)) continue
        const [additions, deletions] = counts.get(name) ?? [0, 0]
        files.push({
          path: name,
          status: was === undefined ? 'added' : is === undefined ? 'deleted' : 'modified',
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
   * where both changed the same lines, or one of the two is gone. `of`: the directory whose trees the steps are between,
   * where it is another one.
   */
  without(
    directory: string,
    now: string,
    steps: readonly KeptStep[],
    of?: string,
  ): Promise<Result<string, readonly string[]>> {
    return this.#alone(directory, async (plain) => {
      const git = this.#lent(plain, of)
      const touched = new Set(steps.flatMap(({ paths }) => [...paths]))
      const first = steps[0]?.before
      if (first !== undefined && of === undefined && isUnbroken(steps, now)) {
        // Nobody else did anything, so without them it is as before the first, which saves a question for each step.
        if ((await this.#comparisons.differences(git, first, now)).every(({ name }) => touched.has(name)))
          return succeed(first)
      }
      const files = new Map<string, TreeEntry | undefined>()
      for (const line of splitNul(await git(['ls-tree', '-r', '-z', now]))) {
        const [, mode = '', sha = '', name = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? []
        if (touched.has(name)) files.set(name, { mode, sha })
      }
      const conflicts = new Set<string>()
      for (const { before, after, paths } of steps.toReversed()) {
        for (const { name, was, is } of await this.#comparisons.differences(git, before, after)) {
          const current = files.get(name)
          if (!paths.has(name) || isSameEntry(current, was)) continue
          const merged = isSameEntry(current, is) ? { entry: was } : await this.#merge(directory, git, current, is, was)
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

  /** Puts these paths back to what they are in the tree; a path the tree does not have is deleted. `of` as above. */
  restore(directory: string, tree: string, paths: readonly string[], of?: string): Promise<void> {
    return this.#alone(directory, async (plain) => {
      const git = this.#lent(plain, of)
      const kept = new Set(splitNul(await git(['ls-tree', '-r', '-z', '--name-only', tree])))
      const added = paths.filter((name) => !kept.has(name))
      await removeFiles(directory, added)
      const input = paths.filter((name) => kept.has(name))
      if (input.length === 0) return
      const index = restoredIndex
      await git(['read-tree', tree], { index })
      await git(['checkout-index', '--force', '-z', '--stdin'], { index, input })
    })
  }

  /** Writes all files of a tree into another folder. */
  copyTo(directory: string, tree: string, target: string): Promise<void> {
    return this.#looking(directory, async (git) => {
      const index = restoredIndex
      await git(['read-tree', tree], { index })
      await git(['checkout-index', '--all', '--force', '--quiet'], { index, workTree: target })
    })
  }

  #lent(git: Git, of: string | undefined): Git {
    if (of === undefined) return git
    const borrowed = path.join(this.storeOf(of), 'objects')
    return (args, options) => git(args, { ...options, borrowed })
  }

  /** Where the files of a directory are kept. */
  storeOf(directory: string): string {
    return path.join(this.#folder, createHash('sha256').update(directory).digest('hex').slice(0, 24))
  }

  /** Drops what is kept of a directory, unless it is needed again by the time that its turn comes. */
  forget(directory: string, isUnused: () => boolean): Promise<void> {
    return this.#inTurn(directory, async () => {
      if (!isUnused()) return
      const store = this.storeOf(directory)
      this.#begun.delete(store)
      this.#written.delete(store)
      const name = path.basename(store)
      await withinFolder(this.#folder, (at) => rm(path.join(at, name), { recursive: true, force: true }))
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
    this.#lastCaptures.delete(directory)
    return run
  }

  async #prepare(directory: string): Promise<string> {
    const store = this.storeOf(directory)
    await mkdir(store, { recursive: true, mode: 0o700 })
    if (!this.#begun.has(store) || !existsSync(path.join(store, 'HEAD'))) {
      await gitInStore(this.#searchPath, store, directory, ['init', '--quiet', '--template='])
      this.#begun.add(store)
    }
    await mkdir(path.join(store, 'info'), { recursive: true })
    const excluded = [...skipped, ...(isInRepository(directory) ? [] : skippedOutsideGit)]
    await writeFile(path.join(store, 'info', 'exclude'), `${excluded.join('\n')}\n`)
    await writeFile(path.join(store, 'info', 'attributes'), unconverted)
    return store
  }
}

const ownIndex = 'index'
/** What is written back comes from an index of its own, so that the other one goes on saying what was seen last. */
const restoredIndex = 'restored'
const noIndex = 'none'

function isInRepository(directory: string): boolean {
  const parent = path.dirname(directory)
  return existsSync(path.join(directory, '.git')) || (parent !== directory && isInRepository(parent))
}

/** Files that are not as the index has them, and files that it does not know. */
async function differingIn(git: Git, directory: string) {
  const known: string[] = []
  const unknown: string[] = []
  const listed = await git(['ls-files', '-z', '-t', '--modified', '--others', '--exclude-standard'])
  for (const line of splitNul(listed)) (line.startsWith('? ') ? unknown : known).push(line.slice(2))
  return { known, others: await lookInto(git, directory, '', unknown) }
}

/** A repository within the directory is named as a folder: it is looked into. */
async function lookInto(git: Git, directory: string, inside: string, listed: readonly string[]): Promise<string[]> {
  const names: string[] = []
  for (const name of listed) {
    if (!name.endsWith('/')) {
      names.push(inside + name)
      continue
    }
    const places = { workTree: path.join(directory, inside, name), index: noIndex }
    const within = splitNul(await git(['ls-files', '-z', '--others', '--exclude-standard'], places))
    names.push(...(await lookInto(git, directory, inside + name, within)))
  }
  return names
}

/** Git never writes into an index: it puts another one in its place. */
async function stateOf(index: string): Promise<string | undefined> {
  const facts = await stat(index, { bigint: true }).catch(() => undefined)
  return facts && [facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join()
}

async function gitInStore(
  searchPath: string,
  store: string,
  directory: string,
  args: readonly string[],
  { input, outputBytesMax, workTree = directory, index = ownIndex, signal, borrowed = '' }: GitOptions = {},
): Promise<string> {
  // To start a program is among what holds the loop longest.
  if (loopShare.isSpent()) await loopShare.turn()
  const outcome = await runGit(args, {
    cwd: workTree,
    searchPath,
    settings: ['core.autocrlf=false', 'core.quotepath=false', `core.bigFileThreshold=${snapshotPatchesBytesMax}`],
    places: {
      GIT_DIR: store,
      GIT_WORK_TREE: workTree,
      GIT_INDEX_FILE: path.join(store, index),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: borrowed,
    },
    msMax: args[0] === 'ls-files' ? snapshotListMsMax : snapshotGitMsMax,
    ...present({ input, outputBytesMax, signal }),
  })
  if (!outcome.ok) throw new Error(sayGitFault(outcome.failure))
  if (outcome.value.isCut && outputBytesMax === undefined) throw new Error(`git ${args[0]} said too much`)
  return outcome.value.text
}
