/** Watches what a check costs, file by file, and ends the thread that does it at the file that costs too much. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { programFile } from '../../../bin/installation.mjs'
import type { NotJudgedReason } from '../core/compiler-check.ts'
import {
  programFilesMax,
  programFilesMin,
  programMsMax,
  proofFileMsMax,
  proofHeapMbMax,
  proofMsMax,
  proofWaitFactor,
} from '../limits.ts'
import type { IndexPlace } from '../store/index-folder.ts'
import { openIndex } from '../store/open-index.ts'
import { endCheck, keepNotJudged } from '../store/proof-store.ts'
import type { ProofNews, ProofOrder } from './prove-files.ts'

export interface ProofBounds {
  readonly heapMbMax: number
  readonly fileMsMax: number
  readonly programMsMax: number
  /** Of the whole check. */
  readonly msMax: number
}

export const proofBounds: ProofBounds = {
  heapMbMax: proofHeapMbMax,
  fileMsMax: proofFileMsMax,
  programMsMax,
  msMax: proofMsMax,
}

export interface ProofTask {
  readonly place: IndexPlace
  readonly bounds: ProofBounds
}

export type ProofOutcome =
  | { readonly kind: 'done' }
  /** It took its time; what is left is for the next one. */
  | { readonly kind: 'out_of_time' }
  | { readonly kind: 'failed'; readonly reason: string }

export type ProofReply =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'ended'; readonly outcome: ProofOutcome }

const lookMs = 200

export async function watchProof(
  { place, bounds }: ProofTask,
  tell: (reply: ProofReply) => void,
): Promise<ProofOutcome> {
  const budget = new Budget(bounds.msMax)
  let filesMax = programFilesMax
  let total: number | undefined
  let done = 0
  /** A file at which memory ran out once: what was worked out for those before it may have taken it. */
  const suspected = new Set<string>()
  const onNews = (news: ProofNews): void => {
    if (news.kind === 'begun') {
      total ??= news.files
      done = total - news.files
    } else if (news.kind === 'kept') done += news.files
    else return
    tell({ kind: 'progress', done, total: total ?? 0 })
  }
  for (;;) {
    const run = new Run({ place, goesOn: total !== undefined, programFilesMax: filesMax }, bounds, budget, onNews)
    const end = await run.ended
    if (end.kind === 'done') {
      endCheck(place, Date.now())
      return end
    }
    if (end.kind !== 'given_up') return end
    const isMemory = end.reason === 'too_much_memory'
    if (isMemory && end.files.length > programFilesMin) {
      filesMax = Math.ceil(end.files.length / 2)
      continue
    }
    const isFirst = isMemory && !end.files.every((one) => suspected.has(one))
    for (const one of end.files) suspected.add(one)
    if (!isFirst) giveUp(place, end.files, end.reason)
  }
}

function giveUp(place: IndexPlace, files: readonly string[], reason: NotJudgedReason): void {
  const opened = openIndex(place)
  if (!opened.ok) throw new Error(`the index cannot be read (${opened.failure})`)
  const { reader, close } = opened.value
  try {
    keepNotJudged(place, reader, files, reason)
  } finally {
    close()
  }
}

type RunEnd =
  | ProofOutcome
  | { readonly kind: 'given_up'; readonly files: readonly string[]; readonly reason: NotJudgedReason }

/** Time of a processor, and of the clock on a machine with other work. */
class Budget {
  readonly #msMax: number
  readonly #sinceMs = performance.now()
  readonly #cpuSince = process.cpuUsage()

  constructor(msMax: number) {
    this.#msMax = msMax
  }

  get isSpent(): boolean {
    const { user, system } = process.cpuUsage(this.#cpuSince)
    return (user + system) / 1000 > this.#msMax || performance.now() - this.#sinceMs > this.#msMax * proofWaitFactor
  }
}

/** One thread, until it is done or has to be ended. */
class Run {
  readonly ended: Promise<RunEnd>
  readonly #bounds: ProofBounds
  readonly #worker: Worker
  /** What takes time now, and how much of it that may. */
  #current: readonly string[] = []
  #budget: Budget

  constructor(order: ProofOrder, bounds: ProofBounds, whole: Budget, onNews: (news: ProofNews) => void) {
    this.#bounds = bounds
    this.#budget = new Budget(bounds.programMsMax)
    this.#worker = new Worker(programFile('code-proof-worker'), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: bounds.heapMbMax },
    })
    const { promise, resolve } = Promise.withResolvers<RunEnd>()
    this.ended = promise.finally(() => this.#worker.terminate())
    this.#worker.on('message', (news: ProofNews) => {
      if (news.kind === 'done') resolve({ kind: 'done' })
      else if (news.kind === 'failed') resolve(news)
      else this.#hear(news, onNews)
    })
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY' && this.#current.length > 0
      resolve(isMemory ? this.#giveUp('too_much_memory') : { kind: 'failed', reason: error.message })
    })
    this.#worker.on('exit', () => resolve({ kind: 'failed', reason: 'its thread ended' }))
    void this.#look(whole, resolve)
  }

  #hear(news: ProofNews, onNews: (news: ProofNews) => void): void {
    onNews(news)
    if (news.kind !== 'program' && news.kind !== 'file') return
    this.#current = news.kind === 'file' ? [news.path] : news.files
    this.#budget = new Budget(news.kind === 'file' ? this.#bounds.fileMsMax : this.#bounds.programMsMax)
  }

  async #look(whole: Budget, resolve: (end: RunEnd) => void): Promise<void> {
    let isOver = false
    void this.ended.finally(() => {
      isOver = true
    })
    while (!isOver) {
      await sleep(lookMs)
      if (whole.isSpent) resolve({ kind: 'out_of_time' })
      else if (this.#budget.isSpent)
        resolve(this.#current.length > 0 ? this.#giveUp('too_slow') : { kind: 'out_of_time' })
    }
  }

  #giveUp(reason: NotJudgedReason): RunEnd {
    return { kind: 'given_up', files: this.#current, reason }
  }
}
