/** The code index as the agent server asks it: on a thread that is started with the first question. */
import { Worker } from 'node:worker_threads'
import { programFile } from '../bin/installation.mjs'
import type { CodeSenses } from './agent/runtime/code-senses.ts'
import type { SenseQuestion, SenseReply } from './code-senses-worker.ts'
import { type Freshness, type IndexFolders, IndexKeeper, type KeeperBounds } from './index-keeper.ts'

/** An index of some million lines takes a part of it; a damaged one, or somebody's trap, may want any amount. */
const heapMbMax = 1024
const answerMsMax = 30_000

/** Most indexes are built meanwhile; a model may do something else while a larger one is. */
const freshWaitMs = 20_000

export function createCodeSenses(
  folders: IndexFolders,
  bounds: Partial<KeeperBounds & { readonly freshWaitMs: number }> = {},
): CodeSenses {
  const thread = new SenseThread()
  const keeper = new IndexKeeper(folders, bounds)
  return {
    hasIndex: (directory) => keeper.hasIndex(directory),
    mayBuild: (directory) => keeper.mayBuild(directory),
    forget: (directory) => keeper.forget(directory),
    async ask(directory, tool, input, mayShow, signal, freshMsMax = bounds.freshWaitMs ?? freshWaitMs) {
      const place = keeper.placeOf(directory)
      const state = await keeper.bringUpToDate(place, freshMsMax, signal)
      if (!keeper.hasIndex(directory)) return withoutIndex(state)
      // First which files an answer would show, then the answer with those of them that may be: rules are not passed on.
      const first = await thread.ask({ place, tool, input, shown: undefined }, signal)
      if (first.isError) return { text: first.text, isError: true }
      const shown = first.paths.filter(mayShow)
      const { text, isError } =
        shown.length === first.paths.length ? first : await thread.ask({ place, tool, input, shown }, signal)
      return { text: `${text}${sayStale(state)}`, isError }
    },
  }
}

function withoutIndex(state: Freshness): { readonly text: string; readonly isError: boolean } {
  if (state.kind === 'failed')
    return {
      text: `This project's code cannot be indexed: ${state.reason}. Search it with grep and glob.`,
      isError: true,
    }
  const progress = state.kind === 'under-way' ? ` (${state.progress})` : ''
  return {
    text: `The code index of this project is being built${progress}. Ask again in a while; grep and glob answer meanwhile.`,
    isError: false,
  }
}

function sayStale(state: Freshness): string {
  if (state.kind === 'fresh') return ''
  const why = state.kind === 'failed' ? state.reason : state.progress
  return `\n\nWhat was changed last may not be in this answer: the index is not up to date (${why}).`
}

interface Waiting {
  readonly settle: (reply: SenseReply) => void
  readonly fail: (cause: Error) => void
}

class SenseThread {
  #worker: Worker | undefined
  #asked = 0
  readonly #waiting = new Map<number, Waiting>()

  ask(question: Omit<SenseQuestion, 'id'>, signal: AbortSignal): Promise<SenseReply> {
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(new Error('the index took too long to answer')), answerMsMax)
      const onAbort = (): void => finish(() => reject(signal.reason as Error))
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#waiting.delete(id)
        settle()
      }
      this.#waiting.set(id, {
        settle: (reply) => finish(() => resolve(reply)),
        fail: (cause) => finish(() => reject(cause)),
      })
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort)
      this.#running().postMessage({ ...question, id } satisfies SenseQuestion)
    })
  }

  #running(): Worker {
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(programFile('code-senses-worker'), {
      env: { PATH: process.env['PATH'] },
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    })
    worker.on('message', (reply: SenseReply) => this.#waiting.get(reply.id)?.settle(reply))
    worker.on('error', (cause) => this.#end(cause instanceof Error ? cause : new Error(String(cause))))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#end(new Error('the reader of the index ended'))
    })
    // Nothing waits for it at the end of the program; a listener would make something wait again.
    worker.unref()
    this.#worker = worker
    return worker
  }

  /** Whoever waits is told; the next question starts anew. */
  #end(cause: Error): void {
    const worker = this.#worker
    this.#worker = undefined
    for (const { fail } of [...this.#waiting.values()]) fail(cause)
    void worker?.terminate()
  }
}
