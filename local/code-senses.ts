/** The code index as the agent server asks it: on a thread that is started with the first question. */
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { programFile } from '../bin/installation.mjs'
import type { CodeSenses } from './agent/runtime/code-senses.ts'
import type { SenseQuestion, SenseReply } from './code-senses-worker.ts'
import { indexPlace, refuseRoot } from './indexer/store/index-folder.ts'

/** An index of some million lines takes a part of it; a damaged one, or somebody's trap, may want any amount. */
const heapMbMax = 1024
const answerMsMax = 30_000

export function createCodeSenses(folderSetting: string | undefined): CodeSenses {
  const thread = new SenseThread(folderSetting)
  return {
    hasIndex: (directory) =>
      existsSync(indexPlace(directory, folderSetting).database) && refuseRoot(directory) === undefined,
    async ask(directory, tool, input, mayShow, signal) {
      // First which files an answer would show, then the answer with those of them that may be: rules are not passed on.
      const first = await thread.ask({ directory, tool, input, shown: undefined }, signal)
      if (first.isError) return { text: first.text, isError: true }
      const shown = first.paths.filter(mayShow)
      return shown.length === first.paths.length ? first : thread.ask({ directory, tool, input, shown }, signal)
    },
  }
}

interface Waiting {
  readonly settle: (reply: SenseReply) => void
  readonly fail: (cause: Error) => void
}

class SenseThread {
  readonly #folderSetting: string | undefined
  #worker: Worker | undefined
  #asked = 0
  readonly #waiting = new Map<number, Waiting>()

  constructor(folderSetting: string | undefined) {
    this.#folderSetting = folderSetting
  }

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
      workerData: this.#folderSetting,
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
