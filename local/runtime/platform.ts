/** Globals of the script that Node has otherwise or not at all. The script's file begins with an import of them. */
import { createOutgoingFetch, type Fetch, type OutgoingFetch } from './outgoing-fetch.ts'
import { currentLife, type Life } from './lives.ts'

let outgoing: OutgoingFetch | undefined
let writeLine: (line: string) => void = () => undefined
let onFailure: (cause: unknown) => void = () => undefined

/** One script a process. */
export function openPlatform(log: (line: string) => void, told: (cause: unknown) => void): () => Promise<void> {
  const opened = createOutgoingFetch()
  outgoing = opened
  writeLine = log
  onFailure = told
  return () => opened.close()
}

export const fetch: Fetch = (input, init) => {
  if (outgoing === undefined) return Promise.reject(new Error('the runtime is closed'))
  return outgoing.fetch(input, init)
}

const write = (...parts: readonly unknown[]) => writeLine(parts.map((part) => textOf(part)).join(' '))

function textOf(part: unknown): string {
  if (typeof part === 'string') return part
  if (part instanceof Error) return part.stack ?? String(part)
  return JSON.stringify(part) ?? String(part)
}

export const console = { log: write, info: write, warn: write, error: write, debug: write }

type Task = (...args: readonly unknown[]) => void

/** Of an object whose life is over nothing rings any more; what fails in a timer is told and not thrown at everybody. */
function guarded(task: Task, life: Life | undefined): Task {
  return (...args) => {
    if (life?.isOver === true) return
    try {
      task(...args)
    } catch (cause) {
      onFailure(cause)
    }
  }
}

const nodeTimeout = globalThis.setTimeout
const nodeInterval = globalThis.setInterval

export const setTimeout = (task: Task, ms?: number, ...args: readonly unknown[]) =>
  nodeTimeout(guarded(task, currentLife()), ms, ...args)

export const setInterval = (task: Task, ms?: number, ...args: readonly unknown[]) => {
  const life = currentLife()
  const timer = nodeInterval((...given: readonly unknown[]) => {
    if (life?.isOver === true) clearInterval(timer)
    else guarded(task, life)(...given)
  }, ms, ...args)
  return timer
}

const lengths = new WeakMap<ReadableStream, number>()

/** A body whose length is said before its bytes are there. */
export class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(bytes: number) {
    super()
    lengths.set(this.readable, bytes)
  }
}

export function knownLength(body: ReadableStream): number | undefined {
  return lengths.get(body)
}
