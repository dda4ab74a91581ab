/** Indexes that are built when they are first asked, and brought up to date before each answer. */
import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programFile } from '../bin/installation.mjs'
import packageFacts from '../package.json' with { type: 'json' }
import type { IndexNews, IndexOrder } from './code-index-process.ts'
import { type IndexPlace, indexPlace, indexPlaceIn, isTooBroad, refuseRoot } from './indexer/store/index-folder.ts'

export interface KeeperBounds {
  /** An index of some million lines takes a part of it. */
  readonly heapMbMax: number
  /** Of one index; what takes longer is the owner's to build. */
  readonly buildMsMax: number
  /** A project whose index could not be built is not tried again for so long. */
  readonly retryMs: number
  /** The process ends when it had nothing to do for so long. */
  readonly idleMs: number
  /** Indexes of ours that are kept; the one that was asked longest ago goes first. */
  readonly ownMax: number
}

export const keeperBounds: KeeperBounds = {
  heapMbMax: 1024,
  buildMsMax: 10 * 60_000,
  retryMs: 10 * 60_000,
  idleMs: 60_000,
  ownMax: 16,
}

export type Freshness =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'under-way'; readonly progress: string }
  | { readonly kind: 'failed'; readonly reason: string }

interface Job {
  readonly place: IndexPlace
  readonly settled: Promise<Freshness>
  readonly settle: (outcome: Freshness) => void
  progress: string
}

export interface IndexFolders {
  /** Name of the folder in a project that holds its own index. */
  readonly setting: string | undefined
  /** Where those lie that no project has of its own. */
  readonly own: string
}

export class IndexKeeper {
  readonly #folders: IndexFolders
  readonly #bounds: KeeperBounds
  readonly #waiting: Job[] = []
  #running: Job | undefined
  #orders = 0
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  readonly #failed = new Map<string, { readonly reason: string; readonly atMs: number }>()

  constructor(folders: IndexFolders, bounds: Partial<KeeperBounds> = {}) {
    this.#folders = folders
    this.#bounds = { ...keeperBounds, ...bounds }
  }

  /** The project's own index where it has one: it is its owner's. */
  placeOf(directory: string): IndexPlace {
    const ofProject = indexPlace(directory, this.#folders.setting)
    return existsSync(ofProject.database) ? ofProject : this.#ownPlace(directory)
  }

  hasIndex(directory: string): boolean {
    return refuseRoot(directory) === undefined && existsSync(this.placeOf(directory).database)
  }

  mayBuild(directory: string): boolean {
    return refuseRoot(directory) === undefined && !isTooBroad(directory)
  }

  /** Answers when what was changed until now is in the index, or after a while, with how far it is. */
  async bringUpToDate(place: IndexPlace, waitMsMax: number, signal: AbortSignal): Promise<Freshness> {
    const failed = this.#failed.get(place.database)
    if (failed !== undefined && Date.now() - failed.atMs < this.#bounds.retryMs)
      return { kind: 'failed', reason: failed.reason }
    // One that runs may be past a file that was changed since.
    const job = this.#waiting.find((one) => one.place.database === place.database) ?? this.#add(place)
    const over = new AbortController()
    const waited = sleep(waitMsMax, undefined, { signal: AbortSignal.any([signal, over.signal]) }).then(
      (): Freshness => ({ kind: 'under-way', progress: this.#progressOf(job) }),
    )
    try {
      return await Promise.race([job.settled, waited])
    } finally {
      over.abort()
      waited.catch(() => undefined)
    }
  }

  /** The project is gone. */
  forget(directory: string): void {
    rmSync(this.#ownPlace(directory).folder, { recursive: true, force: true })
  }

  #ownPlace(directory: string): IndexPlace {
    const name = createHash('sha256').update(directory).digest('hex').slice(0, 32)
    return indexPlaceIn(path.join(this.#folders.own, name), directory)
  }

  #progressOf(job: Job): string {
    if (this.#running === undefined || job === this.#running) return job.progress
    return this.#running.place.database === job.place.database ? this.#running.progress : 'another one goes first'
  }

  #add(place: IndexPlace): Job {
    const { promise, resolve } = Promise.withResolvers<Freshness>()
    const job: Job = { place, settled: promise, settle: resolve, progress: 'begins' }
    this.#waiting.push(job)
    if (this.#running === undefined) this.#next()
    return job
  }

  #next(): void {
    this.#running = this.#waiting.shift()
    const job = this.#running
    clearTimeout(this.#idle)
    if (job === undefined) {
      this.#idle = setTimeout(() => this.#end(), this.#bounds.idleMs).unref()
      return
    }
    this.#orders += 1
    const order: IndexOrder = { id: this.#orders, place: job.place, version: packageFacts.version }
    const child = this.#started()
    const finish = (outcome: Freshness): void => {
      clearTimeout(timer)
      child.off('message', onNews)
      child.off('exit', onExit)
      if (outcome.kind === 'failed') this.#failed.set(job.place.database, { reason: outcome.reason, atMs: Date.now() })
      else this.#failed.delete(job.place.database)
      job.settle(outcome)
      this.#next()
    }
    const onNews = (news: IndexNews): void => {
      if (news.id !== order.id) return
      if (news.kind === 'progress')
        job.progress = news.total === 0 ? news.stage : `${news.stage}, ${news.done} of ${news.total}`
      else if (news.kind === 'failed') finish({ kind: 'failed', reason: news.message })
      // Another program writes it: that is its owner's way to bring it up to date.
      else finish(news.kind === 'done' ? { kind: 'fresh' } : { kind: 'under-way', progress: 'by another program' })
    }
    const onExit = (): void => {
      this.#child = undefined
      finish({ kind: 'failed', reason: `it takes more than ${this.#bounds.heapMbMax} MiB, or its process was ended` })
    }
    const timer = setTimeout(() => {
      this.#end()
      finish({ kind: 'failed', reason: `it takes longer than ${this.#bounds.buildMsMax / 1000} seconds` })
    }, this.#bounds.buildMsMax).unref()
    child.on('message', onNews)
    child.on('exit', onExit)
    this.#makeRoom(job.place)
    child.send(order)
  }

  #started(): ChildProcess {
    if (this.#child !== undefined) return this.#child
    const child = fork(programFile('code-index-process'), {
      execArgv: [`--max-old-space-size=${this.#bounds.heapMbMax}`],
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    child.on('error', () => undefined)
    // Nothing waits for it at the end of the program.
    child.unref()
    child.channel?.unref()
    this.#child = child
    return child
  }

  #end(): void {
    const child = this.#child
    this.#child = undefined
    child?.removeAllListeners('exit')
    child?.kill('SIGKILL')
  }

  #makeRoom(place: IndexPlace): void {
    if (path.dirname(place.folder) !== this.#folders.own) return
    if (existsSync(place.folder)) {
      const now = new Date()
      utimesSync(place.folder, now, now)
      return
    }
    if (!existsSync(this.#folders.own)) return
    const kept = readdirSync(this.#folders.own)
      .map((name) => path.join(this.#folders.own, name))
      .map((folder) => ({ folder, ms: statSync(folder).mtimeMs }))
      .sort((left, right) => right.ms - left.ms)
    for (const { folder } of kept.slice(this.#bounds.ownMax - 1)) rmSync(folder, { recursive: true, force: true })
  }
}
