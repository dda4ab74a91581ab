/**
 * What the script may ask of the host it runs on, through its binding `OWN_HOST`: what the machine is like, and backups.
 * No address of the network leads here.
 */
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { Result } from '#shared/kernel/result.ts'
import type { BackupShelf, MachineProblem, MachineReport } from '../../workers/app/core/operating/machine.ts'
import type { BackupKeeper } from '../backup/keeper.ts'
import type { RuntimeKind } from '../workerd/runtime-kind.ts'
import { type ClockWitness, clockProblem } from './clock.ts'
import { bytesOf, type CutJournal, type Damage, databasesOf } from './databases.ts'
import { diskProblem, spaceOn } from './disk.ts'
import { reportFreshMs } from './limits.ts'
import type { NetworkWatch } from './network.ts'
import { noteDigests } from './noted-digests.ts'
import { succeedOr } from './quietly.ts'

export interface HostOfficeOptions {
  readonly dataFolder: string
  readonly runtime: RuntimeKind
  /** Found at the start; such objects are left as they are. */
  readonly damages: readonly Damage[]
  readonly cutJournals: readonly CutJournal[]
  readonly clock: ClockWitness
  /** By which others than this machine reach the service. */
  readonly addresses: readonly string[]
  readonly network: NetworkWatch
  readonly backups: BackupKeeper
  readonly areBackupsMade: boolean
  /** The address of the bucket that backups are sent to. */
  readonly bucket?: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export interface OfficeAnswer {
  readonly status: number
  readonly body: string | ReadableStream
  readonly bytes?: number
}

export class HostOffice {
  readonly backups: BackupKeeper
  readonly network: NetworkWatch
  readonly #options: HostOfficeOptions
  readonly #startedAtUnix: number
  #migrations: { readonly folder: string; readonly applied: readonly string[] } | undefined
  /** By file: what the start found, and what was found since. */
  readonly #damages: Map<string, MachineProblem>
  #made: { readonly atMs: number; readonly report: MachineReport } | undefined

  constructor(options: HostOfficeOptions) {
    this.#options = options
    this.backups = options.backups
    this.network = options.network
    this.#startedAtUnix = Math.floor(options.now() / 1000)
    this.#damages = new Map()
    for (const { file } of options.damages) this.#damages.set(file, this.#damaged(file))
  }

  /** Found while it is used. Answers what to tell of it, once. */
  foundDamaged(file: string): MachineProblem | undefined {
    if (this.#damages.has(file)) return undefined
    const problem = this.#damaged(file)
    this.#damages.set(file, problem)
    this.#made = undefined
    return problem
  }

  /** When nobody has the databases open any more. */
  ended(): void {
    const { dataFolder, damages } = this.#options
    const suspects = damages.filter(({ isReadable }) => isReadable === true).map(({ file }) => file)
    // On a full disk there is none, and the next start says nothing of it.
    succeedOr(undefined, () => noteDigests(dataFolder, databasesOf(dataFolder), new Set(suspects)))
  }

  #damaged(path: string): MachineProblem {
    return { kind: 'machine.database_damaged', path, ...this.#newest() }
  }

  #newest(): { readonly backup?: string } {
    const backup = this.backups.newest()
    return backup === undefined ? {} : { backup }
  }

  /** From now on what comes into this folder later is missing. */
  migrated(folder: string): void {
    this.#migrations = { folder, applied: stepsIn(folder) }
  }

  async ask(method: string, path: string): Promise<OfficeAnswer> {
    const [place = '', name] = path.slice(1).split('/').map(decodeURIComponent)
    const isWrite = method === 'POST'
    if (place === 'report' && !isWrite) return answer(200, this.report())
    if (place !== 'backups') return answer(404, {})
    if (name === undefined) return isWrite ? fromResult(await this.backups.make('asked')) : answer(200, this.#shelf())
    return isWrite ? fromResult(await this.backups.verify(name)) : this.#file(name)
  }

  #shelf(): BackupShelf {
    const { shelf } = this.backups
    const { bucket, areBackupsMade } = this.#options
    const { away, awayFault } = this.backups
    const items = shelf.list()
    return {
      folder: shelf.folder,
      isAutomatic: areBackupsMade,
      items:
        bucket === undefined ? items : items.map((one) => ({ ...one, isAway: away?.names.has(one.name) === true })),
      ...(bucket === undefined
        ? {}
        : {
            bucket: {
              address: bucket,
              count: away?.names.size ?? 0,
              ...(away === undefined ? {} : { atUnix: away.atUnix }),
              ...(awayFault === undefined ? {} : { fault: awayFault }),
            },
          }),
    }
  }

  #file(name: string): OfficeAnswer {
    const file = this.backups.shelf.fileOf(name)
    if (file === undefined) return answer(404, {})
    const body = Readable.toWeb(createReadStream(file)) as ReadableStream
    return { status: 200, body, bytes: statSync(file).size }
  }

  report(): MachineReport {
    const atMs = performance.now()
    if (this.#made === undefined || atMs - this.#made.atMs > reportFreshMs) this.#made = { atMs, report: this.#make() }
    return this.#made.report
  }

  #make(): MachineReport {
    const { dataFolder, runtime, addresses } = this.#options
    const files = databasesOf(dataFolder)
    const kept = this.backups.shelf.list()
    const sum = (kinds: readonly string[]) =>
      files.filter(({ kind }) => kinds.includes(kind)).reduce((bytes, { file }) => bytes + bytesOf(file), 0)
    const { folder, applied = [] } = this.#migrations ?? {}
    const missing = folder === undefined ? [] : stepsIn(folder).filter((name) => !applied.includes(name))
    return {
      runtime,
      addresses,
      startedAtUnix: this.#startedAtUnix,
      backups: {
        count: kept.length,
        bytes: kept.reduce((bytes, one) => bytes + one.bytes, 0),
        ...(kept[0] === undefined ? {} : { newestAtUnix: kept[0].atUnix }),
      },
      migrations: { applied: applied.length, missing },
      disk: spaceOn(dataFolder),
      databases: {
        mainBytes: sum(['main']),
        objectBytes: sum(['object', 'index']),
        objects: files.filter(({ kind }) => kind === 'object').length,
      },
      residentBytes: process.memoryUsage.rss(),
      problems: this.#problems(),
    }
  }

  #problems(): MachineProblem[] {
    const { dataFolder, clock, cutJournals, now } = this.#options
    const { lastFault, awayFault } = this.backups
    return [
      lastFault === undefined ? undefined : ({ kind: 'backup.not_made', trouble: lastFault } as const),
      awayFault === undefined ? undefined : ({ kind: 'backup.not_sent', trouble: awayFault } as const),
      diskProblem(dataFolder),
      ...this.#damages.values(),
      ...cutJournals.map(({ file }) => ({ kind: 'machine.journal_cut', path: file, ...this.#newest() }) as const),
      clockProblem(Math.floor(now() / 1000), clock),
      this.network.problem(),
    ].filter((problem) => problem !== undefined)
  }
}

function answer(status: number, body: object): OfficeAnswer {
  return { status, body: JSON.stringify(body) }
}

function fromResult(done: Result<object, object>): OfficeAnswer {
  return done.ok ? answer(200, done.value) : answer(409, done.failure)
}

function stepsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.sql'))
}

/** As a binding of the script, in the words of whichever runtime it is. */
export function officeBinding<Answer>(
  office: HostOffice,
  AnswerOf: new (body: string | ReadableStream, init: { status: number; headers: Record<string, string> }) => Answer,
): (method: string, address: string) => Promise<Answer> {
  return async (method, address) => {
    const { status, body, bytes } = await office.ask(method, new URL(address).pathname)
    const headers: Record<string, string> =
      bytes === undefined ? { 'content-type': 'application/json' } : { 'content-length': String(bytes) }
    return new AnswerOf(body, { status, headers })
  }
}
