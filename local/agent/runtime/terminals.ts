/**
 * Pseudo-terminals of this process. Each keeps the last of its output; whoever is connected reads from there at a pace
 * of its own, so a slow reader holds up neither the program nor the other readers, and costs no memory.
 */
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../core/failure.ts'
import { Scrollback } from '../core/scrollback.ts'
import { controlFrame, defaultShell, defaultTerminalSize, exitCodeOf, type TerminalSize } from '../core/terminal.ts'
import {
  connectTokenMs,
  connectTokensMax,
  scrollbackBytesMax,
  terminalFrameBytesMax,
  terminalsExitedMax,
  terminalsLiveMax,
} from '../limits.ts'
import type {
  ConnectTerminal,
  LocationInfo,
  Locations,
  Logger,
  SocketAttachment,
  SocketPeer,
  TerminalInfo,
  TerminalInput,
  Terminals,
} from '../ports.ts'
import type { LiveEvent } from './event-streams.ts'
import type { Identifiers } from './identifiers.ts'

/** A program with a terminal of its own. */
export interface TerminalProcess {
  readonly pid: number
  /** Resolves once the program can take it, or is gone. */
  write(bytes: Uint8Array): Promise<void>
  resize(size: TerminalSize): void
  /** Ends the program and all that runs in its terminal; resolves when nothing of it is left. */
  end(): Promise<void>
}

export interface TerminalProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  readonly size: TerminalSize
  readonly onOutput: (bytes: Uint8Array) => void
  /** The program has ended, and all of its output was given to `onOutput`. */
  readonly onExit: (exit: { readonly exitCode: number; readonly signal?: number | undefined }) => void
}

export interface TerminalsDeps {
  readonly start: (options: TerminalProcessOptions) => Promise<TerminalProcess>
  readonly locations: Locations
  readonly ids: Identifiers
  readonly clock: Clock
  readonly logger: Logger
  readonly notify: (event: LiveEvent) => void
  /** What the server was started with, its own credentials left out. */
  readonly environment: Readonly<Record<string, string>>
}

interface Terminal {
  info: TerminalInfo
  readonly directory: string
  readonly workspaceID: string | undefined
  readonly output: Scrollback
  /** Called at the next output, and at the end. */
  readonly waiting: Set<() => void>
  process?: TerminalProcess
}

interface Ticket {
  readonly terminalId: string
  readonly expiresMs: number
}

export class PseudoTerminals implements Terminals {
  readonly #deps: TerminalsDeps
  readonly #terminals = new Map<string, Terminal>()
  readonly #tickets = new Map<string, Ticket>()
  /** Being started or ended: they count, so that many at once do not pass the bound together. */
  #between = 0
  #isClosed = false

  constructor(deps: TerminalsDeps) {
    this.#deps = deps
  }

  /** Whether a program of any of them runs, or is being started. */
  get isBusy(): boolean {
    return this.#between > 0 || [...this.#terminals.values()].some(({ info }) => info.status === 'running')
  }

  list(location: LocationInfo): readonly TerminalInfo[] {
    return [...this.#terminals.values()].filter((one) => belongs(one, location)).map(({ info }) => info)
  }

  async create(location: LocationInfo, input: TerminalInput): Promise<Result<TerminalInfo, Failure>> {
    const cwd = await this.#deps.locations.resolve(path.resolve(location.directory, input.cwd ?? '.'))
    if (!cwd.ok) return cwd
    const live = [...this.#terminals.values()].filter(({ info }) => info.status === 'running').length
    if (this.#isClosed || live + this.#between >= terminalsLiveMax) return tooMany
    this.#between += 1
    try {
      return await this.#start(location, cwd.value.directory, input)
    } finally {
      this.#between -= 1
    }
  }

  read(location: LocationInfo, id: string): Result<TerminalInfo, Failure> {
    const found = this.#find(location, id)
    return found.ok ? succeed(found.value.info) : found
  }

  update(
    location: LocationInfo,
    id: string,
    change: { readonly title?: string | undefined; readonly size?: TerminalSize | undefined },
  ): Result<TerminalInfo, Failure> {
    const found = this.#find(location, id)
    if (!found.ok) return found
    const terminal = found.value
    if (change.title !== undefined) terminal.info = { ...terminal.info, title: change.title }
    if (change.size !== undefined && terminal.info.status === 'running') terminal.process?.resize(change.size)
    this.#tell(terminal, 'pty.updated', { info: terminal.info })
    return succeed(terminal.info)
  }

  async remove(location: LocationInfo, id: string): Promise<Result<void, Failure>> {
    const found = this.#find(location, id)
    if (!found.ok) return found
    this.#drop(found.value)
    this.#between += 1
    try {
      await found.value.process?.end()
    } finally {
      this.#between -= 1
    }
    return succeed(undefined)
  }

  mintTicket(
    location: LocationInfo,
    id: string,
  ): Result<{ readonly ticket: string; readonly expiresInS: number }, Failure> {
    const found = this.#find(location, id)
    if (!found.ok) return found
    const nowMs = this.#deps.clock.nowMs()
    // They are in the order of their expiry.
    for (const [old, { expiresMs }] of this.#tickets) {
      if (expiresMs > nowMs && this.#tickets.size < connectTokensMax) break
      this.#tickets.delete(old)
    }
    const ticket = randomUUID()
    this.#tickets.set(ticket, { terminalId: id, expiresMs: nowMs + connectTokenMs })
    return succeed({ ticket, expiresInS: connectTokenMs / 1000 })
  }

  connect(
    location: LocationInfo,
    id: string,
    {
      ticket,
      cursor,
      canUpgrade,
    }: { readonly ticket?: string | undefined; readonly cursor?: number | undefined; readonly canUpgrade: boolean },
  ): Result<ConnectTerminal, Failure> {
    const found = this.#find(location, id)
    if (!found.ok) return found
    const minted = ticket === undefined ? undefined : this.#tickets.get(ticket)
    if (ticket === undefined || minted?.terminalId !== id || minted.expiresMs <= this.#deps.clock.nowMs()) {
      return failWith(failure('forbidden', { kind: 'ticket' }))
    }
    if (!canUpgrade) return failWith(failure('invalid_request', { kind: 'no_socket' }))
    this.#tickets.delete(ticket)
    return succeed((peer) => attach(found.value, peer, cursor ?? 0))
  }

  /** Ends every terminal, and everything that runs in one. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal.process?.end()))
  }

  async #start(location: LocationInfo, cwd: string, input: TerminalInput): Promise<Result<TerminalInfo, Failure>> {
    const id = this.#deps.ids.make('terminal')
    const shell = defaultShell(this.#deps.environment)
    const command = input.command ?? shell.command
    const args = input.args ?? (input.command === undefined ? shell.args : [])
    const title = input.title ?? `Terminal ${id.slice(-4)}`
    const terminal: Terminal = {
      info: { id, title, command, args, cwd, status: 'running', pid: 0 },
      directory: location.directory,
      workspaceID: location.workspaceID,
      output: new Scrollback(scrollbackBytesMax),
      waiting: new Set(),
    }
    let process: TerminalProcess
    try {
      process = await this.#deps.start({
        command,
        args,
        directory: cwd,
        environment: { ...this.#deps.environment, ...input.env },
        size: input.size ?? defaultTerminalSize,
        onOutput: (bytes) => {
          terminal.output.append(bytes)
          wake(terminal)
        },
        onExit: (exit) => this.#exited(terminal, exitCodeOf(exit)),
      })
    } catch (cause) {
      this.#deps.logger.error('terminal_failed', { cause })
      return failWith(failure('backend_unavailable', { kind: 'terminal_unopened' }))
    }
    terminal.process = process
    terminal.info = { ...terminal.info, pid: process.pid }
    // The server may have been told to stop meanwhile, and would not know of this one.
    if (this.#isClosed) {
      await process.end()
      return tooMany
    }
    this.#terminals.set(id, terminal)
    this.#tell(terminal, 'pty.created', { info: terminal.info })
    return succeed(terminal.info)
  }

  #exited(terminal: Terminal, exitCode: number): void {
    terminal.info = { ...terminal.info, status: 'exited', exitCode }
    wake(terminal)
    const { id } = terminal.info
    if (!this.#terminals.has(id)) return
    // The newest of those that have exited is the last of them: what is removed first is what exited first.
    this.#terminals.delete(id)
    this.#terminals.set(id, terminal)
    this.#tell(terminal, 'pty.exited', { id, exitCode })
    const exited = [...this.#terminals.values()].filter(({ info }) => info.status === 'exited')
    for (const old of exited.slice(0, Math.max(0, exited.length - terminalsExitedMax))) this.#drop(old)
  }

  #drop(terminal: Terminal): void {
    const { id } = terminal.info
    this.#terminals.delete(id)
    for (const [ticket, { terminalId }] of this.#tickets) if (terminalId === id) this.#tickets.delete(ticket)
    this.#tell(terminal, 'pty.deleted', { id })
  }

  #find(location: LocationInfo, id: string): Result<Terminal, Failure> {
    const terminal = this.#terminals.get(id)
    if (terminal !== undefined && belongs(terminal, location)) return succeed(terminal)
    return failWith(failure('not_found', { kind: 'no_terminal' }, { kind: 'terminal', ptyID: id }))
  }

  #tell(terminal: Terminal, type: string, data: Readonly<Record<string, unknown>>): void {
    this.#deps.notify({ type, data, directory: terminal.directory })
  }
}

const tooMany = failWith(failure('conflict', { kind: 'terminals', most: terminalsLiveMax }))

function belongs(terminal: Terminal, location: LocationInfo): boolean {
  return terminal.directory === location.directory && terminal.workspaceID === location.workspaceID
}

function wake(terminal: Terminal): void {
  const waiting = [...terminal.waiting]
  terminal.waiting.clear()
  for (const resume of waiting) resume()
}

function attach(terminal: Terminal, peer: SocketPeer, cursor: number): SocketAttachment {
  const { output } = terminal
  const from = cursor < 0 ? output.end : Math.min(Math.max(cursor, output.start), output.end)
  void follow(terminal, peer, from)
  return {
    onFrame: async (bytes) => terminal.process?.write(bytes),
    onClose: () => wake(terminal),
  }
}

/** What was shown before, where live output begins, and live output until the program has ended or the reader leaves. */
async function follow(terminal: Terminal, peer: SocketPeer, from: number): Promise<void> {
  const { output } = terminal
  const liveFrom = output.end
  let at = from
  let isLive = false
  // A character may lie on two frames.
  let characters = new TextDecoder()
  while (peer.isOpen) {
    if (at < output.start) {
      // Too far behind: what is on the screen now is worth more than the oldest of what is left.
      const next = Math.max(output.start, output.end - terminalFrameBytesMax)
      await peer.send(controlFrame(next, next - at))
      characters = new TextDecoder()
      at = next
      isLive = true
    } else if (!isLive && at >= liveFrom) {
      isLive = true
      await peer.send(controlFrame(at))
    } else if (at < output.end) {
      const room = isLive ? terminalFrameBytesMax : Math.min(terminalFrameBytesMax, liveFrom - at)
      const bytes = output.read(at, room)
      at += bytes.length
      const text = characters.decode(bytes, { stream: true })
      if (text !== '') await peer.send(text)
    } else if (terminal.info.status === 'exited') {
      peer.close(normalClosure)
      return
    } else {
      await new Promise<void>((resume) => terminal.waiting.add(resume))
    }
  }
}

const normalClosure = 1000
