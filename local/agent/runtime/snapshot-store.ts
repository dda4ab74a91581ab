/**
 * The files of a directory as they were before a turn changed them, kept as git trees in a folder of our own, so that
 * the owner's repository is never touched and a folder without one can be taken back as well.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FileDiff } from '../core/session/message.ts'
import { withinFolder } from './tools/pinned-path.ts'

const skippedOutsideGit = ['node_modules/', 'target/', 'dist/', '.venv/', '__pycache__/', '.git/', '.cache/']
const largestUntrackedBytes = 2 * 1024 * 1024

export class SnapshotStore {
  readonly #folder: string
  /** Where programs are looked for: the one thing git needs of our environment. */
  readonly #searchPath: string
  readonly #queues = new Map<string, Promise<unknown>>()

  constructor(folder: string, searchPath: string) {
    this.#folder = folder
    this.#searchPath = searchPath
  }

  /** A git that was killed leaves its lock behind, which nobody would ever remove. */
  recover(): void {
    for (const store of existsSync(this.#folder) ? readdirSync(this.#folder) : []) {
      rmSync(path.join(this.#folder, store, 'index.lock'), { force: true })
    }
  }

  /** The tree of the directory now. */
  capture(directory: string): Promise<string> {
    return this.#alone(directory, async (git) => {
      await git(['add', '--all', '--', '.'])
      return (await git(['write-tree'])).trim()
    })
  }

  /** Paths that differ between two trees. */
  changed(directory: string, from: string, to: string): Promise<string[]> {
    return this.#alone(directory, async (git) =>
      (await git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to]))
        .split('\0')
        .filter((name) => name !== ''),
    )
  }

  /** What going from one tree to the other changes in these paths. */
  diff(directory: string, from: string, to: string, paths: readonly string[]): Promise<FileDiff[]> {
    return this.#alone(directory, async (git) => {
      if (paths.length === 0) return []
      const scope = ['--no-renames', from, to, '--', ...paths]
      const status = (await git(['diff-tree', '-r', '-z', '--name-status', ...scope])).split('\0')
      const counts = new Map<string, readonly [number, number]>()
      for (const line of (await git(['diff-tree', '-r', '-z', '--numstat', ...scope])).split('\0')) {
        const [added, deleted, name] = line.split('\t')
        if (name !== undefined) counts.set(name, [Number(added) || 0, Number(deleted) || 0])
      }
      const files: FileDiff[] = []
      for (let index = 0; index + 1 < status.length; index += 2) {
        const letter = status[index]
        const name = status[index + 1] ?? ''
        const [additions, deletions] = counts.get(name) ?? [0, 0]
        const patch = await git(['diff-tree', '-r', '-p', '--no-renames', from, to, '--', name])
        files.push({
          path: name,
          status: letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified',
          additions,
          deletions,
          patch,
        })
      }
      return files
    })
  }

  /** Puts these paths back to what they are in the tree; a path the tree does not have is deleted. */
  restore(directory: string, tree: string, paths: readonly string[]): Promise<void> {
    return this.#alone(directory, async (git) => {
      for (const name of paths) {
        const listed = await git(['ls-tree', '-z', tree, '--', name])
        if (listed === '') await removeFile(path.join(directory, name))
        else await git(['restore', `--source=${tree}`, '--worktree', '--', name])
      }
    })
  }

  /** One at a time for a directory: git locks its index, and a capture must not see half a restore. */
  #alone<T>(directory: string, work: (git: (args: readonly string[]) => Promise<string>) => Promise<T>): Promise<T> {
    const before = this.#queues.get(directory) ?? Promise.resolve()
    const run = before
      .catch(() => undefined)
      .then(async () => {
        const store = await this.#prepare(directory)
        return work((args) => runGit(this.#searchPath, store, directory, args))
      })
    this.#queues.set(directory, run)
    return run
  }

  async #prepare(directory: string): Promise<string> {
    const store = path.join(this.#folder, createHash('sha256').update(directory).digest('hex').slice(0, 24))
    await mkdir(store, { recursive: true, mode: 0o700 })
    await runGit(this.#searchPath, store, directory, ['init', '--quiet'])
    await mkdir(path.join(store, 'info'), { recursive: true })
    await writeFile(path.join(store, 'info', 'exclude'), `${skippedOutsideGit.join('\n')}\n`)
    return store
  }
}

/** Where a folder of the path is gone, or became a link meanwhile, the file that was made here is gone with it. */
async function removeFile(full: string): Promise<void> {
  try {
    await withinFolder(path.dirname(full), (at) => rm(path.join(at, path.basename(full)), { force: true }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP') throw error
  }
}

function runGit(searchPath: string, store: string, directory: string, args: readonly string[]): Promise<string> {
  const settings = [
    'core.autocrlf=false',
    'core.quotepath=false',
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    `core.bigFileThreshold=${largestUntrackedBytes}`,
    'gc.auto=0',
  ].flatMap((setting) => ['-c', setting])
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['--git-dir', store, '--work-tree', directory, ...settings, ...args], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: searchPath,
        HOME: store,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_LITERAL_PATHSPECS: '1',
        LC_ALL: 'C',
      },
    })
    const out: Buffer[] = []
    let problem = ''
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      if (problem.length < 2000) problem += chunk.toString('utf8')
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(out).toString('utf8'))
      else reject(new Error(`git ${args[0] ?? ''} ended with ${code}: ${problem.trim()}`))
    })
  })
}
