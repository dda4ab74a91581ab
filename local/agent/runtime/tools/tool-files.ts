/** Files as tools reach them: where a path leads, whether it lies in the project, and what the model has seen of it. */
import type { Stats } from 'node:fs'
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Result, succeed } from '#shared/kernel/result.ts'
import { isProtectedPath } from '../../core/protected-path.ts'
import { readBytesMax, receiptSessionsMax, receiptsPerSessionMax } from '../../limits.ts'
import { type PermissionAsk, type ToolCall, type ToolProblem, toolProblem } from '../tool-port.ts'
import { openPinned, withinFolder } from './pinned-path.ts'

export interface Target {
  /** Where the path leads once links are followed: what is judged, shown and opened. */
  readonly full: string
  /** Relative to the project, or the full path outside of it; `/` between its parts. */
  readonly shown: string
  readonly isOutside: boolean
}

/** Follows links as far as the path exists; the rest is what would be created. */
export async function resolveTarget(directory: string, wanted: string): Promise<Target> {
  const root = await realpath(directory)
  const full = await resolveExisting(path.resolve(root, wanted))
  const relative = path.relative(root, full)
  const isOutside = relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)
  return { full, shown: isOutside ? full : relative === '' ? '.' : relative.split(path.sep).join('/'), isOutside }
}

async function resolveExisting(wanted: string): Promise<string> {
  const missing: string[] = []
  let current = wanted
  for (;;) {
    try {
      return path.join(await realpath(current), ...missing)
    } catch {
      // A link to nothing would be followed by a write: it is judged by where it points.
      const facts = await lstat(current).catch(() => undefined)
      if (facts?.isSymbolicLink() === true) throw new Error('The path is a link that leads nowhere')
      const parent = path.dirname(current)
      if (parent === current) return path.join(current, ...missing)
      missing.unshift(path.basename(current))
      current = parent
    }
  }
}

/** Asks for whatever a look at, or a change of, this target needs. */
export async function permitTarget(
  call: ToolCall,
  action: 'read' | 'edit' | 'list' | 'grep' | 'glob',
  target: Target,
  metadata?: PermissionAsk['metadata'],
): Promise<Result<void, ToolProblem>> {
  if (target.isOutside) {
    const folder = `${path.dirname(target.full)}/*`
    const outside = await call.permit({
      action: 'external_directory',
      resources: [{ text: target.full }],
      save: [folder],
      isLook: action !== 'edit',
    })
    if (!outside.ok) return outside
  }
  const isProtected = action === 'edit' && isProtectedPath(target.full)
  return call.permit({
    action,
    resources: [{ text: target.shown }],
    save: action === 'edit' ? ['*'] : [target.shown],
    ...(metadata === undefined ? {} : { metadata }),
    isProtected,
  })
}

/** Reads a regular file of bounded size. The file that is judged is the one that is read. */
export async function readTarget(
  target: Target,
): Promise<Result<{ readonly bytes: Buffer; readonly facts: Stats }, ToolProblem>> {
  let file: Awaited<ReturnType<typeof openPinned>>
  try {
    file = await openPinned(target.full)
  } catch (error) {
    return toolProblem(describeFileError(error, target.shown))
  }
  try {
    const facts = await file.stat()
    if (!facts.isFile()) return toolProblem(`${target.shown} is not a regular file`)
    if (facts.size > readBytesMax) return toolProblem(`${target.shown} is larger than ${readBytesMax} bytes`)
    const bytes = Buffer.alloc(facts.size)
    let filled = 0
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return succeed({ bytes: bytes.subarray(0, filled), facts })
  } finally {
    await file.close()
  }
}

export function describeFileError(error: unknown, shown: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return `${shown} does not exist`
  if (code === 'EACCES' || code === 'EPERM') return `${shown} may not be opened`
  if (code === 'ELOOP') return `${shown} became a link while it was being opened`
  if (code === 'EISDIR') return `${shown} is a directory`
  return `${shown} cannot be opened`
}

/** Puts the text in place at once: a reader, or a crash, sees the old file or the new one. */
export async function writeTarget(target: Target, text: string, mode: number | undefined): Promise<void> {
  const folder = path.dirname(target.full)
  const name = path.basename(target.full)
  await mkdir(folder, { recursive: true })
  await withinFolder(folder, async (at) => {
    const beside = path.join(at, `.${name}.${process.pid}.${Math.random().toString(36).slice(2)}`)
    const file = await open(beside, 'wx', mode ?? 0o666)
    try {
      // What the process may set on new files does not take rights away from one that had them.
      if (mode !== undefined) await file.chmod(mode)
      await file.writeFile(text, 'utf8')
      await file.sync()
    } finally {
      await file.close()
    }
    try {
      await rename(beside, path.join(at, name))
    } catch (error) {
      await rm(beside, { force: true })
      throw error
    }
  })
}

export function removeTarget(target: Target): Promise<void> {
  return withinFolder(path.dirname(target.full), (at) => rm(path.join(at, path.basename(target.full))))
}

/**
 * What a session has read, so that nothing is overwritten that the model has not seen as it is. The oldest of too many
 * are forgotten: the model reads again.
 */
export class ReadReceipts {
  readonly #seen = new Map<string, Map<string, string>>()

  note(sessionId: string, full: string, facts: Stats): void {
    const files = this.#seen.get(sessionId) ?? new Map<string, string>()
    putNewest(files, full, stateOf(facts), receiptsPerSessionMax)
    putNewest(this.#seen, sessionId, files, receiptSessionsMax)
  }

  /** Why the file may not be changed now, or undefined. */
  refuse(sessionId: string, target: Target, facts: Stats): string | undefined {
    const seen = this.#seen.get(sessionId)?.get(target.full)
    if (seen === undefined) return `Read ${target.shown} before changing it`
    return seen === stateOf(facts) ? undefined : `${target.shown} changed since it was read: read it again`
  }
}

function putNewest<V>(map: Map<string, V>, key: string, value: V, sizeMax: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > sizeMax && oldest !== undefined) map.delete(oldest)
}

function stateOf(facts: Stats): string {
  return `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeMs}`
}
