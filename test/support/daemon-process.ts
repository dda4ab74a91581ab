/** Starts a real daemon for a test and ends it for sure. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const pollMs = 50

/** Looks again and again until `look` finds something, at most `limitMs`. */
export async function until<T>(what: string, look: () => Promise<T | undefined>, limitMs = 20_000): Promise<T> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/** Alone it is a second; beside others that start on a busy machine, many. */
const answersMs = 60_000

export class DaemonProcess {
  readonly #child: ChildProcess
  #said = ''

  constructor(program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // File names are not ASCII: a bare environment would make the daemons write them otherwise than they read them.
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...environment },
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (piece) => {
        this.#said = (this.#said + piece).slice(-4000)
      })
    }
  }

  /** Waits until the daemon answers at all, whatever it answers. */
  async ready(address: string): Promise<void> {
    await until(
      'the daemon to answer',
      async () => {
        if (this.#hasEnded()) throw new Error(`the daemon ended: ${this.#said}`)
        return fetch(address).then(
          async (response) => {
            await response.arrayBuffer()
            return true
          },
          () => undefined,
        )
      },
      answersMs,
    )
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#hasEnded()) return
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    const insist = setTimeout(() => this.#child.kill('SIGKILL'), 8000)
    await ended
    clearTimeout(insist)
  }

  /** Stops it in its tracks, as a hanging machine would, until it may go on. */
  freeze(): void {
    this.#child.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child.kill('SIGCONT')
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }
}

/** A daemon that a test may end, start anew and freeze; `tidy` clears up what it leaves. */
export async function controlled(run: () => Promise<DaemonProcess>, tidy: () => Promise<unknown>) {
  let daemon = await run()
  return {
    stop: (signal?: 'SIGTERM' | 'SIGKILL') => daemon.stop(signal),
    async restart() {
      await daemon.stop()
      daemon = await run()
    },
    freeze: () => daemon.freeze(),
    thaw: () => daemon.thaw(),
    async dispose() {
      daemon.thaw()
      await daemon.stop()
      await tidy()
    },
  }
}
