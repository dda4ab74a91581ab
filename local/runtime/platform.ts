/** Globals of the script that Node has otherwise or not at all. */
import { provideBase64 } from './bytes-as-text.ts'
import { currentLife, type Life } from './lives.ts'
import type { Fetch } from './outgoing-fetch.ts'

export interface Platform {
  readonly fetch: Fetch
  readonly console: Readonly<
    Record<'log' | 'info' | 'warn' | 'error' | 'debug', (...parts: readonly unknown[]) => void>
  >
  readonly setTimeout: (task: Task, ms?: number, ...args: readonly unknown[]) => NodeJS.Timeout
  readonly setInterval: (task: Task, ms?: number, ...args: readonly unknown[]) => NodeJS.Timeout
  readonly FixedLengthStream: typeof FixedLengthStream
}

const nodeTimeout = globalThis.setTimeout
const nodeInterval = globalThis.setInterval

/** One for each script. */
export function createPlatform(
  fetch: Fetch,
  writeLine: (line: string) => void,
  onFailure: (cause: unknown) => void,
): Platform {
  provideBase64()
  const write = (...parts: readonly unknown[]) => writeLine(parts.map((part) => textOf(part)).join(' '))
  /** Of an object whose life is over nothing rings any more; what fails in a timer is told and not thrown at everybody. */
  const guarded =
    (task: Task, life: Life | undefined): Task =>
    (...args) => {
      if (life?.isOver === true) return
      try {
        task(...args)
      } catch (cause) {
        onFailure(cause)
      }
    }
  return {
    fetch,
    console: { log: write, info: write, warn: write, error: write, debug: write },
    setTimeout: (task, ms, ...args) => nodeTimeout(guarded(task, currentLife()), ms, ...args),
    setInterval(task, ms, ...args) {
      const life = currentLife()
      const timer = nodeInterval(
        (...given: readonly unknown[]) => {
          if (life?.isOver === true) clearInterval(timer)
          else guarded(task, life)(...given)
        },
        ms,
        ...args,
      )
      return timer
    },
    FixedLengthStream,
  }
}

function textOf(part: unknown): string {
  if (typeof part === 'string') return part
  if (part instanceof Error) return part.stack ?? String(part)
  return JSON.stringify(part) ?? String(part)
}

type Task = (...args: readonly unknown[]) => void

const lengths = new WeakMap<ReadableStream, number>()

/** A body whose length is said before its bytes are there. */
class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(bytes: number) {
    super()
    lengths.set(this.readable, bytes)
  }
}

export function knownLength(body: ReadableStream): number | undefined {
  return lengths.get(body)
}
