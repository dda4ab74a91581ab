/**
 * A small process that starts programs for this one. While it is not there, and for what it is not asked, this process starts them
 * itself. What it started ends with it, and it ends with this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { programFile } from '../../bin/installation.mjs'
import { starterRestMs } from './limits.ts'
import { type ProgramOptions, ToldProgram } from './started-program.ts'

type Said =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly id: string; readonly pid: number }
  | { readonly kind: 'failed'; readonly id: string; readonly message: string; readonly code?: string }
  | {
      readonly kind: 'ended'
      readonly id: string
      readonly code: number | null
      readonly signal: NodeJS.Signals | null
    }

/** Nobody but whom it was told knows it: a stream is believed by it. */
const idBytes = 12
const idCharacters = 2 * idBytes
/** An id and a descriptor. */
const helloCharacters = idCharacters + 1

interface Running {
  readonly child: ChildProcess
  readonly server: Server
  readonly folder: string
}

export class Starter {
  readonly #programs = new Map<string, ToldProgram>()
  #running: Running | undefined
  #isReady = false
  #isClosed = false
  #restsUntilMs = 0

  /** Of the small process, once it is there. */
  get pid(): number | undefined {
    return this.#isReady ? this.#running?.child.pid : undefined
  }

  /** So that it is there before the first program is asked for: to begin it copies this process too. */
  begin(): void {
    if (!this.#isClosed && this.#running === undefined && performance.now() >= this.#restsUntilMs) this.#begin()
  }

  /** Undefined while it cannot be asked; it is then on its way. */
  start(program: string, args: readonly string[], options: ProgramOptions): ToldProgram | undefined {
    if (!this.#isReady) {
      this.begin()
      return undefined
    }
    const id = randomBytes(idBytes).toString('hex')
    const told = new ToldProgram(options, {
      write: (descriptor, text, isEnd) => this.#say({ kind: 'write', id, descriptor, text, isEnd }),
      signal: (name, isGroup) => this.#say({ kind: 'signal', id, name, isGroup }),
    })
    this.#programs.set(id, told)
    this.#hold()
    this.#say({ kind: 'start', id, program, args, options })
    return told
  }

  close(): void {
    this.#isClosed = true
    this.#lose()
  }

  #begin(): void {
    // The path of a socket may have 107 bytes, and the data folder may be deep. Nobody else may come in.
    const folder = mkdtempSync(path.join(tmpdir(), 'svc-start-'))
    const server = createServer((socket) => this.#meet(socket))
    const socketPath = path.join(folder, 'streams')
    server.listen(socketPath)
    server.unref()
    const child = spawn(process.execPath, ['--max-semi-space-size=1', programFile('starter-process'), socketPath], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
      cwd: '/',
      // Ctrl+C in the terminal of the server is not for it: what it started is asked to end first.
      detached: true,
    })
    this.#running = { child, server, folder }
    const isLost = () => {
      if (this.#running?.child === child) this.#lose()
    }
    server.on('error', isLost)
    child.on('error', isLost)
    child.stdin.on('error', () => undefined)
    let rest = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#take(JSON.parse(line) as Said)
    })
    // The end of what it says, not of itself: how a program ended may have been said before.
    child.stdout.on('close', isLost)
    child.unref()
    this.#hold()
  }

  #take(said: Said): void {
    if (said.kind === 'ready') {
      this.#isReady = true
      return
    }
    const program = this.#programs.get(said.id)
    if (program === undefined) return
    if (said.kind === 'started') {
      program.pid = said.pid
      program.emit('spawn')
      return
    }
    if (said.kind === 'failed') program.fail(said.message, said.code)
    else program.end(said.code, said.signal)
    // Its streams may be on their way yet.
    if (said.kind === 'failed') this.#forget(said.id)
    else program.once('close', () => this.#forget(said.id))
  }

  #forget(id: string): void {
    this.#programs.delete(id)
    this.#hold()
  }

  /** A stream of a program comes in, and says whose it is. */
  #meet(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    const look = () => {
      const hello = socket.read(helloCharacters) as Buffer | null
      if (hello === null) {
        if (!socket.readableEnded) socket.once('readable', look)
        return
      }
      const program = this.#programs.get(hello.toString('latin1', 0, idCharacters))
      if (program === undefined) socket.destroy()
      else program.attach(Number(hello.toString('latin1', idCharacters)), socket)
    }
    socket.once('readable', look)
  }

  #say(message: unknown): void {
    this.#running?.child.stdin?.write(`${JSON.stringify(message)}\n`)
  }

  /** Keeps this process alive for as long as a program of it runs, as a child would. */
  #hold(): void {
    const pipe = this.#running?.child.stdout as Socket | null | undefined
    const input = this.#running?.child.stdin as Socket | null | undefined
    input?.unref()
    if (this.#programs.size > 0) pipe?.ref()
    else pipe?.unref()
  }

  #lose(): void {
    const running = this.#running
    if (running === undefined) return
    this.#running = undefined
    this.#isReady = false
    this.#restsUntilMs = performance.now() + starterRestMs
    running.child.stdin?.destroy()
    running.server.close()
    rmSync(running.folder, { recursive: true, force: true })
    for (const program of this.#programs.values()) program.lose()
    this.#programs.clear()
  }
}
