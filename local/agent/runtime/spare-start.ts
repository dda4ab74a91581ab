/**
 * A program of the sandbox that is started ahead of its command and waits to be told what to make. To start a program copies
 * this process, which takes as long as much of what it then makes. Until it is told, there is nothing in it.
 */
import type { StartedProgram } from '../../starter/started-program.ts'
import type { SandboxStart } from '../core/sandbox-start.ts'
import { waitingShellMs } from '../limits.ts'
import { spawnEnclosed, tellSetup } from './spawn-enclosed.ts'
import { waitingShellWords } from './tools/shell-words.ts'

type Untold = Pick<SandboxStart, 'program' | 'args' | 'cwd' | 'environment'>

interface Spare {
  readonly key: string
  readonly child: StartedProgram
  readonly timer: ReturnType<typeof setTimeout>
}

export class SpareStart {
  #spare: Spare | undefined
  #isClosed = false
  readonly #idleMs: number

  constructor(idleMs = waitingShellMs) {
    this.#idleMs = idleMs
  }

  /** Has one wait that is told its setup later. */
  prepare(start: Untold): void {
    const key = keyOf(start)
    if (this.#isClosed || this.#spare?.key === key) return
    this.#end()
    const child = spawnEnclosed(start, waitingShellWords, 'pipe')
    const spare: Spare = { key, child, timer: setTimeout(() => this.#end(), this.#idleMs).unref() }
    this.#spare = spare
    const isOver = () => this.#forget(spare)
    child.on('error', isOver)
    child.on('exit', isOver)
    for (const stream of child.stdio) stream?.on('error', () => undefined)
  }

  /** A shell of that very start, which reads its command from standard input; undefined where none waits. */
  take(start: SandboxStart): StartedProgram | undefined {
    const spare = this.#spare
    if (spare?.key !== keyOf(start)) return undefined
    this.#forget(spare)
    tellSetup(spare.child, start.setup)
    return spare.child
  }

  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    const spare = this.#spare
    if (spare === undefined) return
    this.#forget(spare)
    spare.child.kill('SIGKILL')
  }

  #forget(spare: Spare): void {
    clearTimeout(spare.timer)
    if (this.#spare === spare) this.#spare = undefined
  }
}

/** What is settled when a program starts; the rest is its setup. */
function keyOf({ program, args, cwd, environment }: Untold): string {
  return JSON.stringify([program, args, cwd, environment])
}
