/** Parses files in worker threads. A file that takes too long or too much memory costs its worker, not the index. */
import { getCompileCacheDir } from 'node:module'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { languageOf } from '../core/language-of.ts'
import { extractFileMsMax, extractWorkers, workerHeapMbMax, workerYoungHeapMb } from '../limits.ts'
import { type PackedFacts, packFacts } from '../store/packed-facts.ts'
import { failedFacts } from './extract-file.ts'

export interface ExtractTask {
  readonly path: string
  readonly text: string
}

/** Files are handed over in bundles: a message a file would cost more than small files take to parse. */
const bundleCharsMax = 200_000
const bundleFilesMax = 24

export class ExtractPool {
  readonly #workers = new Set<Worker>()
  readonly #fileMsMax: number

  constructor(fileMsMax: number = extractFileMsMax) {
    this.#fileMsMax = fileMsMax
  }

  async run(
    tasks: readonly ExtractTask[],
    take: (index: number, facts: PackedFacts) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    const queue = bundles(tasks)
    const lanes = Array.from({ length: Math.min(extractWorkers, queue.length) }, () =>
      this.#lane(tasks, queue, take, signal),
    )
    await Promise.all(lanes)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()))
    this.#workers.clear()
  }

  async #lane(
    tasks: readonly ExtractTask[],
    queue: number[][],
    take: (index: number, facts: PackedFacts) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let worker: Worker | undefined
    for (let bundle = queue.shift(); bundle !== undefined; bundle = queue.shift()) {
      let rest = bundle
      while (rest.length > 0) {
        if (signal?.aborted === true) return
        worker ??= this.#start()
        const { done, isLost } = await this.#hand(worker, tasks, rest, take)
        rest = rest.slice(done)
        if (!isLost) continue
        this.#workers.delete(worker)
        await worker.terminate()
        worker = undefined
        // The first file without an answer is the one that cost the worker.
        const [guilty, ...others] = rest
        const task = guilty === undefined ? undefined : tasks[guilty]
        const language = task === undefined ? undefined : languageOf(task.path)
        if (guilty !== undefined && task !== undefined && language !== undefined) {
          take(
            guilty,
            packFacts(
              failedFacts(
                task.path,
                language,
                task.text,
                `parsing took more than ${this.#fileMsMax} ms or too much memory`,
              ),
            ),
          )
        }
        rest = others
      }
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./extract-worker.mjs', import.meta.url), {
      workerData: compiledFolder(),
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMbMax, maxYoungGenerationSizeMb: workerYoungHeapMb },
      execArgv: [],
    })
    worker.setMaxListeners(0)
    this.#workers.add(worker)
    return worker
  }

  #hand(
    worker: Worker,
    tasks: readonly ExtractTask[],
    bundle: readonly number[],
    take: (index: number, facts: PackedFacts) => void,
  ): Promise<{ done: number; isLost: boolean }> {
    return new Promise((resolve) => {
      let done = 0
      let timer = setTimeout(() => finish(true), this.#fileMsMax * 2)
      const finish = (isLost: boolean): void => {
        clearTimeout(timer)
        worker.off('message', onMessage)
        worker.off('error', onError)
        worker.off('exit', onError)
        resolve({ done, isLost })
      }
      const onError = (): void => finish(true)
      const onMessage = (facts: PackedFacts): void => {
        const index = bundle[done]
        done += 1
        clearTimeout(timer)
        if (index !== undefined) take(index, facts)
        if (done === bundle.length) finish(false)
        else timer = setTimeout(() => finish(true), this.#fileMsMax)
      }
      worker.on('message', onMessage)
      worker.on('error', onError)
      worker.on('exit', onError)
      worker.postMessage(bundle.map((index) => tasks[index]))
    })
  }
}

/** The folder this thread was told to keep compiled code in: Node names its own part of it. */
function compiledFolder(): string | undefined {
  const own = getCompileCacheDir()
  return own === undefined ? undefined : path.dirname(own)
}

function bundles(tasks: readonly ExtractTask[]): number[][] {
  const found: number[][] = []
  let bundle: number[] = []
  let chars = 0
  tasks.forEach((task, index) => {
    if (bundle.length > 0 && (chars + task.text.length > bundleCharsMax || bundle.length >= bundleFilesMax)) {
      found.push(bundle)
      bundle = []
      chars = 0
    }
    bundle.push(index)
    chars += task.text.length
  })
  if (bundle.length > 0) found.push(bundle)
  return found
}
