/**
 * A shell that stands in its sandbox and waits for its command, one for each session that lately ran one: the making of a
 * sandbox takes longer than most commands. It serves one command, as any other does, and only where everything is as it was
 * when it was made.
 */
import { lstatSync, readFileSync } from 'node:fs'
import type { StartedProgram } from '../../starter/started-program.ts'
import { isWithin, type Mount } from '../core/sandbox.ts'
import type { SandboxStart } from '../core/sandbox-start.ts'
import { waitingShellMs, waitingShellsMax } from '../limits.ts'
import { spawnEnclosed } from './spawn-enclosed.ts'

interface Waiting {
  readonly key: string
  readonly child: StartedProgram
  readonly timer: ReturnType<typeof setTimeout>
}

interface WaitingBounds {
  readonly shellsMax: number
  readonly idleMs: number
}

export class WaitingShells {
  readonly #waiting = new Map<string, Waiting>()
  readonly #bounds: WaitingBounds
  #isClosed = false

  constructor(bounds: WaitingBounds = { shellsMax: waitingShellsMax, idleMs: waitingShellMs }) {
    this.#bounds = bounds
  }

  /** Where many sessions are at work, those that began first have one each: whoever took the place of another made two for one command. */
  hasRoomFor(sessionId: string): boolean {
    return !this.#isClosed && (this.#waiting.has(sessionId) || this.#waiting.size < this.#bounds.shellsMax)
  }

  /** Undefined where none waits that was made of the very same. */
  take(sessionId: string, keyNow: () => string | undefined): StartedProgram | undefined {
    const waiting = this.#waiting.get(sessionId)
    if (waiting === undefined) return undefined
    if (waiting.key !== keyNow()) {
      this.end(sessionId)
      return undefined
    }
    this.#forget(sessionId, waiting)
    return waiting.child
  }

  /** `words` are of a shell that reads its command from standard input. */
  prepare(sessionId: string, key: string, start: SandboxStart, words: readonly string[]): void {
    if (!this.hasRoomFor(sessionId) || this.#waiting.get(sessionId)?.key === key) return
    this.end(sessionId)
    const child = spawnEnclosed(start, words, 'pipe')
    const timer = setTimeout(() => this.end(sessionId), this.#bounds.idleMs).unref()
    const waiting: Waiting = { key, child, timer }
    this.#waiting.set(sessionId, waiting)
    const isOver = () => this.#forget(sessionId, waiting)
    child.on('error', isOver)
    child.on('exit', isOver)
    for (const stream of child.stdio) stream?.on('error', () => undefined)
  }

  end(sessionId: string): void {
    const waiting = this.#waiting.get(sessionId)
    if (waiting === undefined) return
    this.#forget(sessionId, waiting)
    // It was told nothing yet, so nothing is lost with it; what it stands in ends with it.
    waiting.child.kill('SIGKILL')
  }

  close(): void {
    this.#isClosed = true
    for (const sessionId of [...this.#waiting.keys()]) this.end(sessionId)
  }

  #forget(sessionId: string, waiting: Waiting): void {
    clearTimeout(waiting.timer)
    if (this.#waiting.get(sessionId) === waiting) this.#waiting.delete(sessionId)
  }
}

/** Within one tick of the file system's clock a thing changes twice and shows it once. */
const tickNs = 50_000_000n

/**
 * How what the mounts are made of stands; undefined while it changed too lately to be told from what comes next. Where a
 * mount lies on a path of the owner's own, the kernel takes it away once that path is removed or replaced, and what is put
 * there then is in sight.
 */
export function standOf(mounts: readonly Mount[], workdir: string): string | undefined {
  const nowNs = BigInt(Date.now()) * 1_000_000n
  const written = mounts.filter(({ kind }) => kind === 'write')
  const facts = [readFileSync('/proc/self/mountinfo', 'utf8'), identityOf(workdir)?.name]
  for (const { kind, at, from } of mounts) {
    if (kind === 'link') continue
    const found = identityOf(from ?? at)
    const isOnOwners = kind.startsWith('hidden') || (kind === 'read' && written.some((over) => isWithin(over.at, at)))
    if (isOnOwners && found !== undefined && nowNs - found.changedNs < tickNs) return undefined
    facts.push(isOnOwners ? `${found?.name}:${found?.changedNs}` : found?.name)
  }
  return facts.join('\n')
}

function identityOf(full: string): { readonly name: string; readonly changedNs: bigint } | undefined {
  const facts = lstatSync(full, { bigint: true, throwIfNoEntry: false })
  if (facts === undefined) return undefined
  // The number of what is gone is given out again.
  return { name: `${facts.dev}:${facts.ino}:${facts.birthtimeNs}`, changedNs: facts.ctimeNs }
}
