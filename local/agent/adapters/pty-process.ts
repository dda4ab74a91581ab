/**
 * A program in a pseudo-terminal, which leads a session of its own. A guard beside it ends all that runs in that
 * session, when it is told to and when this process dies, however it dies.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { terminalKillGraceMs } from '../limits.ts'
import type { TerminalProcess, TerminalProcessOptions } from '../runtime/terminals.ts'

/** Programs wait for a pause of the owner's, not of the machine's: the first look comes soon, the later ones seldom. */
const fullLookMsFirst = 1
const fullLookMsMax = 50

/**
 * Told the session, it waits for the end of its input: the server has closed it, or is no more. A shell in a terminal
 * has process groups for its jobs, so what is signalled is the session, as the kernel lists it; where it does not, the
 * group of the leader. The hang-up that comes with the end of the terminal has reached the leader by then.
 */
const guardText = `
read -r leader || exit 0
read -r end
members() {
  if [ ! -e /proc/self/stat ]; then kill -0 -- "-$leader" && echo "-$leader"; return; fi
  for file in /proc/[0-9]*/stat; do
    last=
    while read -r line || [ -n "$line" ]; do last=$line; done < "$file"
    set -- \${last##*) }
    if [ "$4" = "$leader" ] && [ "$1" != Z ]; then file=\${file#/proc/}; echo "\${file%/stat}"; fi
  done
}
signal() { for member in $(members); do for name in "$@"; do kill -s "$name" -- "$member"; done; done; }
signal HUP TERM CONT
looks=${terminalKillGraceMs / 100}
while [ "$looks" -gt 0 ] && [ -n "$(members)" ]; do sleep 0.1; looks=$((looks - 1)); done
while [ -n "$(members)" ]; do signal KILL; sleep 0.1; done
`

export async function startTerminalProcess(options: TerminalProcessOptions): Promise<TerminalProcess> {
  // Loaded by the first terminal: most servers never open one, and some machines have no such part.
  const { spawn: openTerminal } = await import('@lydell/node-pty')
  const guard = startGuard()
  let terminal: ReturnType<typeof openTerminal>
  try {
    terminal = openTerminal(options.command, [...options.args], {
      name: 'xterm-256color',
      ...options.size,
      cwd: options.directory,
      env: { ...options.environment },
      encoding: null,
    })
  } catch (error) {
    void guard.end()
    throw error
  }
  guard.watch(terminal.pid)
  const controller = controllerOf(terminal)
  const input = new TerminalWriter(controller)
  const { promise: exited, resolve } = Promise.withResolvers<void>()
  // Without an encoding these are bytes, whatever the declaration says.
  terminal.onData((bytes) => options.onOutput(bytes as unknown as Uint8Array))
  terminal.onExit((exit) => {
    input.close()
    // What the program left running would never end: its terminal is gone.
    void guard.end()
    resolve()
    options.onExit(exit)
  })
  return {
    pid: terminal.pid,
    write: (bytes) => input.write(bytes),
    resize: ({ rows, cols }) => {
      if (!controller._socket.destroyed) terminal.resize(cols, rows)
    },
    async end() {
      await guard.end()
      await exited
    },
  }
}

/**
 * The descriptor by which the terminal is controlled, and whether it was closed: that happens before the package says
 * anything, and from then on the number may be another file's.
 */
interface Controller {
  readonly fd: number
  readonly _socket: { readonly destroyed: boolean }
}

function controllerOf(terminal: object): Controller {
  if ('fd' in terminal && typeof terminal.fd === 'number' && '_socket' in terminal) return terminal as Controller
  throw new Error('the terminal is not made as it used to be')
}

function startGuard() {
  const shell = spawn('/bin/sh', ['-c', guardText, 'svc-terminal-guard'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl+C in the terminal of the server is not for it.
    detached: true,
    env: { PATH: '/usr/bin:/bin' },
  })
  // One that cannot be told any more has ended, and with it what it watched.
  shell.stdin.on('error', () => undefined)
  shell.on('error', () => undefined)
  const ended = once(shell, 'close').catch(() => undefined)
  return {
    watch: (leader: number) => void shell.stdin.write(`${leader}\n`),
    async end() {
      shell.stdin.end()
      await ended
    },
  }
}

/**
 * Writes without waiting for the program to read: the descriptor takes what it has room for, and what is left is tried
 * again. The library's own queue spins meanwhile, and goes on writing to a descriptor that was closed.
 */
class TerminalWriter {
  readonly #controller: Controller
  readonly #queue: { rest: Uint8Array; readonly taken: () => void }[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #lookMs = fullLookMsFirst
  #isClosed = false

  constructor(controller: Controller) {
    this.#controller = controller
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.#isClosed || bytes.length === 0) return Promise.resolve()
    return new Promise((taken) => {
      this.#queue.push({ rest: bytes, taken })
      if (this.#timer === undefined) this.#work()
    })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const { taken } of this.#queue.splice(0)) taken()
  }

  #work(): void {
    this.#timer = undefined
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const written = this.#tryWrite(next.rest)
      if (written === 'gone') {
        this.close()
        return
      }
      if (written === 'full') {
        this.#timer = setTimeout(() => this.#work(), this.#lookMs)
        this.#lookMs = Math.min(this.#lookMs * 2, fullLookMsMax)
        return
      }
      this.#lookMs = fullLookMsFirst
      next.rest = next.rest.subarray(written)
      if (next.rest.length > 0) continue
      this.#queue.shift()
      next.taken()
    }
  }

  #tryWrite(bytes: Uint8Array): number | 'full' | 'gone' {
    if (this.#controller._socket.destroyed) return 'gone'
    try {
      return writeSync(this.#controller.fd, bytes)
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EAGAIN' ? 'full' : 'gone'
    }
  }
}
