/** A program that was started, by this process or for it. */
import type { ChildProcess, StdioNull, StdioPipeNamed } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { Readable, Writable } from 'node:stream'

export interface ProgramOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdio: ((StdioNull & string) | StdioPipeNamed)[]
  /** Whether it leads a process group of its own. */
  readonly detached: boolean
}

/** What of a child is used. The events come in the order of a child's: `error` or `exit`, then `close`. */
export interface StartedProgram extends EventEmitter {
  /** Undefined before it is known, and where the start failed. */
  readonly pid?: number | undefined
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  readonly stdio: readonly (Readable | Writable | null | undefined)[]
  /** Whether it was told to end by `kill`. */
  readonly killed: boolean
  kill(name: NodeJS.Signals): boolean
}

/** Signals the group that a program leads, or what is left of it. */
export function signalGroup(program: StartedProgram | ChildProcess, name: NodeJS.Signals): void {
  if (program.pid === undefined) {
    if (program instanceof ToldProgram) program.signalLater(name)
    return
  }
  try {
    process.kill(-program.pid, name)
  } catch {
    // The group is gone already: nothing is left to end.
  }
}

/** How a program that is started elsewhere is spoken of; see `starter-process.mjs`. */
export interface ProgramWords {
  write(descriptor: number, text: string, isEnd: boolean): void
  signal(name: NodeJS.Signals, isGroup: boolean): void
}

export class ToldProgram extends EventEmitter implements StartedProgram {
  pid: number | undefined
  killed = false
  readonly stdio: readonly (Output | Input | Writable | null)[]
  readonly #words: ProgramWords
  readonly #leads: boolean
  #isOver = false

  constructor({ stdio, detached }: ProgramOptions, words: ProgramWords) {
    super()
    this.#words = words
    this.#leads = detached
    this.stdio = stdio.map((kind, descriptor) => {
      if (kind !== 'pipe') return null
      if (descriptor > 2) return spokenPipe((text, isEnd) => words.write(descriptor, text, isEnd))
      return descriptor === 0 ? new Input() : new Output()
    })
  }

  get stdin(): Writable | null {
    return (this.stdio[0] as Input | null | undefined) ?? null
  }

  get stdout(): Readable | null {
    return (this.stdio[1] as Output | null | undefined) ?? null
  }

  get stderr(): Readable | null {
    return (this.stdio[2] as Output | null | undefined) ?? null
  }

  kill(name: NodeJS.Signals): boolean {
    if (this.#isOver) return false
    this.#words.signal(name, false)
    this.killed = true
    return true
  }

  /** For a group that is not known yet. */
  signalLater(name: NodeJS.Signals): void {
    if (!this.#isOver) this.#words.signal(name, true)
  }

  attach(descriptor: number, socket: Socket): void {
    const stream = this.stdio[descriptor]
    if (stream instanceof Input || stream instanceof Output) stream.attach(socket)
    else socket.destroy()
  }

  fail(message: string, code: string | undefined): void {
    this.#isOver = true
    for (const stream of this.stdio) stream?.destroy()
    this.emit('error', Object.assign(new Error(message), { code }))
    this.emit('close', null, null)
  }

  end(code: number | null, signal: NodeJS.Signals | null): void {
    this.#isOver = true
    for (const stream of this.stdio) if (stream instanceof Writable) stream.destroy()
    const outputs = this.stdio.filter((stream): stream is Output => stream instanceof Output && !stream.closed)
    let open = outputs.length
    const close = () => this.emit('close', code, signal)
    for (const output of outputs) {
      output.on('close', () => {
        open -= 1
        if (open === 0) close()
      })
    }
    this.emit('exit', code, signal)
    if (open === 0) process.nextTick(close)
    // What nobody reads would stay open for ever.
    for (const output of outputs) output.resume()
  }

  /** Who started it is no more, so nobody will tell how it ends: it is ended. */
  lose(): void {
    try {
      if (this.pid !== undefined) process.kill(this.#leads ? -this.pid : this.pid, 'SIGKILL')
    } catch {
      // It went with it.
    }
    for (const stream of this.stdio) if (stream instanceof Output) stream.miss()
    this.end(null, 'SIGKILL')
  }
}

/** What is written before the socket is there waits. */
class Input extends Writable {
  #socket: Socket | undefined
  #work: ((socket: Socket) => void) | undefined

  attach(socket: Socket): void {
    this.#socket = socket
    if (this.destroyed) socket.destroy()
    // The program reads no more.
    socket.on('close', () => this.destroy())
    socket.resume()
    this.#work?.(socket)
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#do((socket) => socket.write(chunk, done))
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#do((socket) => socket.end(done))
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy()
    done(error)
  }

  #do(work: (socket: Socket) => void): void {
    if (this.#socket === undefined) this.#work = work
    else work(this.#socket)
  }
}

class Output extends Readable {
  #socket: Socket | undefined

  attach(socket: Socket): void {
    this.#socket = socket
    if (this.destroyed) socket.destroy()
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) socket.pause()
    })
    socket.on('close', () => this.push(null))
  }

  /** No socket comes any more. */
  miss(): void {
    if (this.#socket === undefined) this.push(null)
  }

  override _read(): void {
    this.#socket?.resume()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket?.destroy()
    done(error)
  }
}

/** One whose bytes come by messages. */
function spokenPipe(say: (text: string, isEnd: boolean) => void): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      say(String(chunk), false)
      done()
    },
    final(done) {
      say('', true)
      done()
    },
  })
}
