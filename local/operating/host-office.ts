/**
 * What the script may ask of the host it runs on, through its binding `OWN_HOST`: what the machine is like. No address of
 * the network leads here.
 */
import { readdirSync } from 'node:fs'
import type { MachineProblem, MachineReport } from '../../workers/app/core/operating/machine.ts'
import type { BackupKeeper } from '../backup/keeper.ts'
import type { RuntimeKind } from '../workerd/runtime-kind.ts'
import { type ClockWitness, clockProblem } from './clock.ts'
import { bytesOf, type Damage, databasesOf } from './databases.ts'
import { diskProblem, spaceOn } from './disk.ts'
import { reportFreshMs } from './limits.ts'

export interface HostOfficeOptions {
  readonly dataFolder: string
  readonly runtime: RuntimeKind
  /** Found at the start; such objects are left as they are. */
  readonly damages: readonly Damage[]
  readonly clock: ClockWitness
  readonly backups: BackupKeeper
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export interface OfficeAnswer {
  readonly status: number
  readonly body: string
}

export class HostOffice {
  readonly backups: BackupKeeper
  readonly #options: HostOfficeOptions
  readonly #startedAtUnix: number
  #migrations: { readonly folder: string; readonly applied: readonly string[] } | undefined
  #made: { readonly atMs: number; readonly report: MachineReport } | undefined

  constructor(options: HostOfficeOptions) {
    this.#options = options
    this.backups = options.backups
    this.#startedAtUnix = Math.floor(options.now() / 1000)
  }

  /** From now on what comes into this folder later is missing. */
  migrated(folder: string): void {
    this.#migrations = { folder, applied: stepsIn(folder) }
  }

  async ask(method: string, path: string): Promise<OfficeAnswer> {
    if (method === 'GET' && path === '/report') return { status: 200, body: JSON.stringify(this.report()) }
    return { status: 404, body: '{}' }
  }

  report(): MachineReport {
    const atMs = performance.now()
    if (this.#made === undefined || atMs - this.#made.atMs > reportFreshMs) this.#made = { atMs, report: this.#make() }
    return this.#made.report
  }

  #make(): MachineReport {
    const { dataFolder, runtime } = this.#options
    const files = databasesOf(dataFolder)
    const sum = (kinds: readonly string[]) =>
      files.filter(({ kind }) => kinds.includes(kind)).reduce((bytes, { file }) => bytes + bytesOf(file), 0)
    const { folder, applied = [] } = this.#migrations ?? {}
    const missing = folder === undefined ? [] : stepsIn(folder).filter((name) => !applied.includes(name))
    return {
      runtime,
      startedAtUnix: this.#startedAtUnix,
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
    const { dataFolder, clock, damages, now } = this.#options
    const newest = damages.length === 0 ? undefined : this.backups.newest()
    return [
      diskProblem(dataFolder),
      ...damages.map(
        ({ file }): MachineProblem => ({
          kind: 'machine.database_damaged',
          path: file,
          ...(newest === undefined ? {} : { backup: newest }),
        }),
      ),
      clockProblem(Math.floor(now() / 1000), clock),
    ].filter((problem) => problem !== undefined)
  }
}

function stepsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.sql'))
}

/** As a binding of the script, in the words of whichever runtime it is. */
export function officeBinding<Answer>(
  office: HostOffice,
  AnswerOf: new (body: string, init: { status: number; headers: Record<string, string> }) => Answer,
): (method: string, address: string) => Promise<Answer> {
  return async (method, address) => {
    const { status, body } = await office.ask(method, new URL(address).pathname)
    return new AnswerOf(body, { status, headers: { 'content-type': 'application/json' } })
  }
}
