/** Files for the routes: read, listed and found within one directory, a few at a time, never through a link out of it. */
import { type FileHandle, lstat, opendir } from 'node:fs/promises'
import path from 'node:path'
import { getMimeType, mimes } from 'hono/utils/mime'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { findRepository } from '../../git/find-repository.ts'
import { askRepository } from '../../git/read-repository.ts'
import { readStatus } from '../core/changed-files.ts'
import { type Failure, failure } from '../core/failure.ts'
import {
  type Entry,
  entriesOf,
  type Found,
  inListOrder,
  isWithin,
  judgePath,
  leavesProject,
  rankEntries,
} from '../core/file.ts'
import type { EntryType } from '../core/vocabulary.ts'
import {
  changedFilesMax,
  fileBytesMax,
  fileChunkBytes,
  fileOperationsMax,
  filePathBytesMax,
  findDepthMax,
  findEntriesMax,
} from '../limits.ts'
import type { ChangedFiles, FileBytes, Files, FindQuery } from '../ports.ts'
import { runRipgrep } from './ripgrep.ts'
import { Slots } from './slots.ts'
import { openPinned, withinFolder } from './tools/pinned-path.ts'
import { resolveTarget, type Target } from './tools/tool-files.ts'

export class ProjectFiles implements Files {
  /** Data with keys in it may lie in the project: it is shown to nobody. */
  readonly #withheld: readonly string[]
  readonly #workTrees: string
  readonly #searchPath: string
  readonly #slots = new Slots(fileOperationsMax)

  /** Of what is withheld, this much is shown to whoever works there. */
  constructor(withheld: readonly string[], workTrees: string, searchPath: string) {
    this.#workTrees = workTrees
    this.#searchPath = searchPath
    this.#withheld = withheld
  }

  read(directory: string, given: string, signal: AbortSignal): Promise<Result<FileBytes, Failure>> {
    return this.#inSlot(signal, async () => {
      const target = await this.#resolve(directory, given)
      return target.ok ? openFile(target.value) : target
    })
  }

  list(directory: string, given: string, signal: AbortSignal): Promise<Result<Found, Failure>> {
    return this.#inSlot(signal, async () => {
      const target = await this.#resolve(directory, given)
      if (!target.ok) return target
      const { full, shown } = target.value
      const prefix = shown === '.' ? '' : `${shown}/`
      try {
        return succeed(await withinFolder(full, (at) => readFolder(at, prefix)))
      } catch (error) {
        if (isAbsent(error)) return notFound
        throw error
      }
    })
  }

  find(directory: string, { query, type, limit }: FindQuery, signal: AbortSignal): Promise<Result<Found, Failure>> {
    return this.#inSlot(signal, async () => {
      const args = ['--files', '--null', '--hidden', '--sort=path', '--color=never', '--glob=!.git', '--', directory]
      const walked = await runRipgrep(args, directory, { limit: findEntriesMax, signal, end: '\0' })
      const files = walked.lines.map((file) =>
        file.slice(directory.endsWith('/') ? directory.length : directory.length + 1),
      )
      const known = entriesOf(files, { countMax: findEntriesMax, depthMax: findDepthMax })
      const entries: Entry[] = []
      for (const entry of rankEntries(known.entries, query, type)) {
        if (entries.length === limit || signal.aborted) break
        // A name seen through a link that was there for a moment is nobody's to know.
        if (await this.#isThere(directory, entry)) entries.push(entry)
      }
      return succeed({ entries, isCut: known.isCut || !walked.isWhole })
    })
  }

  changed(
    directory: string,
    one: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<ChangedFiles | undefined, Failure>> {
    return this.#inSlot(signal, async () => {
      const judged = judgePath(one ?? '.', filePathBytesMax)
      if (!judged.ok) return judged
      const repository = findRepository(directory)
      if (repository === undefined) return succeed(undefined)
      const inside = path.relative(repository.top, directory)
      const here = ['--', path.join(inside, judged.value)]
      const ask = (...args: readonly string[]) =>
        askRepository(repository, ['--literal-pathspecs', ...args, ...here], this.#searchPath)
      const told = await ask('status', '--porcelain', '--branch', '-z', '--no-renames', '--ignore-submodules=all')
      if (told === undefined) return failWith(noStatus)
      const differing = ['--no-renames', '--no-ext-diff', '--no-textconv', 'HEAD']
      const lines = await ask('diff', '--numstat', '-z', ...differing)
      const { branch, files: all } = readStatus(told, lines ?? '', inside)
      const shown = all.filter((file) => {
        const full = path.join(directory, file.path)
        return !this.#withheld.some((folder) => isWithin(folder, full))
      })
      // Too long a difference is cut, and then there is none.
      const patch = one === undefined || shown.length === 0 ? undefined : await ask('diff', ...differing)
      const files = patch === undefined ? shown : shown.map((file) => ({ ...file, patch }))
      return succeed({ branch, files: files.slice(0, changedFilesMax), isCut: shown.length > changedFilesMax })
    })
  }

  async #resolve(directory: string, given: string): Promise<Result<Target, Failure>> {
    const judged = judgePath(given, filePathBytesMax)
    if (!judged.ok) return judged
    // A link that leads nowhere is told like one that leads out: which of them it is says what exists elsewhere.
    const target = await resolveTarget(directory, judged.value).catch(() => undefined)
    const isShown =
      target?.isOutside === false &&
      (isWithin(this.#workTrees, target.full) || !this.#withheld.some((folder) => isWithin(folder, target.full)))
    if (target === undefined || !isShown) return failWith(leavesProject)
    return succeed(target)
  }

  async #isThere(directory: string, entry: Entry): Promise<boolean> {
    const target = await this.#resolve(directory, entry.path)
    const full = path.join(directory, entry.path).replace(/\/$/, '')
    if (!target.ok || target.value.full !== full) return false
    // In the very folder that was judged: by its name it may be another one by now.
    const look = withinFolder(path.dirname(full), (at) => lstat(path.join(at, path.basename(full))))
    const facts = await look.catch(() => undefined)
    return facts !== undefined && typeOf(facts) === entry.type
  }

  async #inSlot<T>(signal: AbortSignal, work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
    const release = await this.#slots.acquire(signal)
    try {
      return signal.aborted ? failWith(callerLeft) : await work()
    } catch (error) {
      if (signal.aborted) return failWith(callerLeft)
      throw error
    } finally {
      release()
    }
  }
}

const noStatus = failure('backend_unavailable', { kind: 'no_status' })
const callerLeft = failure('filesystem_error', { kind: 'caller_left' })
const notFound = failWith(failure('not_found', { kind: 'no_file' }))

/** What was opened is judged, and its first bytes are read: whatever is wrong is said before the answer begins. */
async function openFile({ full }: Target): Promise<Result<FileBytes, Failure>> {
  let file: FileHandle
  try {
    file = await openPinned(full)
  } catch (error) {
    if (isAbsent(error)) return notFound
    throw error
  }
  const opened = await judgeFile(file, full).catch(async (error: unknown) => {
    await file.close()
    throw error
  })
  if (!opened.ok) await file.close()
  return opened
}

async function judgeFile(file: FileHandle, full: string): Promise<Result<FileBytes, Failure>> {
  const facts = await file.stat()
  if (!facts.isFile()) return notFound
  if (facts.size > fileBytesMax)
    return failWith(failure('file_too_large', { kind: 'file_over_bound', most: fileBytesMax }))
  const start = await readChunk(file, 0, facts.size)
  return succeed({ type: contentTypeOf(full, start), size: facts.size, body: streamFile(file, facts.size, start) })
}

/** As many bytes as were promised, and not one more, however the file grows meanwhile. */
function streamFile(file: FileHandle, size: number, start: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let next = start
  let sent = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // The answer has promised its length: one that became shorter is cut off, which its reader notices.
          if (next.length === 0 && sent < size) throw new Error('The file became shorter while it was read')
          sent += next.length
          if (next.length > 0) controller.enqueue(next)
          next = sent < size ? await readChunk(file, sent, size - sent) : new Uint8Array()
        } catch (error) {
          await file.close()
          throw error
        }
        if (sent < size) return
        await file.close()
        controller.close()
      },
      cancel: () => file.close(),
    },
    { highWaterMark: 0 },
  )
}

async function readChunk(file: FileHandle, at: number, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunk = new Uint8Array(Math.min(fileChunkBytes, most))
  const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
  return chunk.subarray(0, bytesRead)
}

/** Endings that mean something else in a project than on the web. */
const typesByEnding = { ...mimes, ts: 'text/plain; charset=utf-8', md: 'text/markdown; charset=utf-8' }

function contentTypeOf(name: string, start: Uint8Array): string {
  const byName = getMimeType(path.basename(name), typesByEnding)
  return byName ?? (start.includes(0) ? 'application/octet-stream' : 'text/plain; charset=utf-8')
}

async function readFolder(at: string, prefix: string): Promise<Found> {
  const entries: Entry[] = []
  for await (const entry of await opendir(at)) {
    const type = typeOf(entry)
    if (type === undefined) continue
    if (entries.length === findEntriesMax) return { entries: inListOrder(entries), isCut: true }
    entries.push({ path: `${prefix}${entry.name}${type === 'directory' ? '/' : ''}`, type })
  }
  return { entries: inListOrder(entries), isCut: false }
}

/** Links and special files are none. */
function typeOf(entry: { isFile(): boolean; isDirectory(): boolean }): EntryType | undefined {
  if (entry.isDirectory()) return 'directory'
  return entry.isFile() ? 'file' : undefined
}

/** A socket cannot be opened, and what became a link is no longer there. */
function isAbsent(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'ENAMETOOLONG'].includes(String(code))
}
