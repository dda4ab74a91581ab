/** Makes the backups of a running service: one a day by itself, others when they are asked for; one at a time. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { causeOf } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type BackupTrouble, backupTroubleInEnglish } from '../../workers/app/core/operating/backup-trouble.ts'
import type { BackupFault, BackupReason, KeptBackup } from '../../workers/app/core/operating/machine.ts'
import { type AwayState, sendAway } from './away.ts'
import type { Bucket } from './bucket.ts'
import { daySeconds, firstLookMs, lookEveryMs } from './limits.ts'
import { nameFor, type ReadBack, Shelf } from './shelf.ts'

export interface KeeperOptions {
  readonly dataFolder: string
  readonly version: string
  readonly passPhrase: string | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: (line: string) => void
  /** Where what is made is sent as well. */
  readonly bucket?: Bucket
}

export class BackupKeeper {
  readonly shelf: Shelf
  readonly #options: KeeperOptions
  #isBusy = false
  #timer: NodeJS.Timeout | undefined
  #away: AwayState | undefined
  #awayFault: BackupTrouble | undefined
  #sending: Promise<void> | undefined
  #lastFault: BackupTrouble | undefined

  constructor(options: KeeperOptions) {
    this.#options = options
    this.shelf = new Shelf(options.dataFolder)
  }

  /** Of the last one that should have been made by itself; undefined when it went well. */
  get lastFault(): BackupTrouble | undefined {
    return this.#lastFault
  }

  /** Why what is here is not in the bucket; undefined when it is, or where there is none. */
  get awayFault(): BackupTrouble | undefined {
    return this.#awayFault
  }

  /** What the bucket holds; undefined where there is none, or before it was first asked. */
  get away(): AwayState | undefined {
    return this.#away
  }

  /** The newest that is not known to be damaged. */
  newest(): string | undefined {
    const newest = this.shelf.list().find(({ readBack }) => readBack?.fault === undefined)
    return newest === undefined ? undefined : path.join(this.shelf.folder, newest.name)
  }

  start(): void {
    const look = () => {
      void this.#lookAll().finally(() => {
        if (this.#timer !== undefined) this.#timer = setTimeout(look, lookEveryMs).unref()
      })
    }
    this.#timer = setTimeout(look, firstLookMs).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #lookAll(): Promise<void> {
    await this.lookDaily()
    await this.send()
  }

  /** Brings the bucket to what the shelf says. One at a time: who asks meanwhile waits for the next. */
  async send(): Promise<void> {
    const { bucket } = this.#options
    if (bucket === undefined) return
    await this.#sending
    this.#sending ??= sendAway(bucket, this.shelf, () => this.#nowUnix()).then(
      (away) => {
        this.#away = away
        this.#awayFault = undefined
      },
      (error: unknown) => {
        this.#awayFault = troubleOf(error, this.#options.dataFolder)
        this.#tell('backup_not_sent', this.#awayFault)
      },
    )
    await this.#sending
    this.#sending = undefined
  }

  async lookDaily(): Promise<void> {
    const newest = this.shelf.list().find(({ reason }) => reason === 'daily')
    // One from the future is of a clock that was wrong.
    const age = newest === undefined ? undefined : this.#nowUnix() - newest.atUnix
    if (age !== undefined && age >= 0 && age < daySeconds) return
    const made = await this.make('daily')
    if (made.ok) {
      this.#lastFault = undefined
      await this.verify(made.value.name)
      return
    }
    if (made.failure.kind !== 'failed') return
    this.#lastFault = made.failure.trouble
    this.#tell('backup_failed', made.failure.trouble)
  }

  async make(reason: BackupReason): Promise<Result<KeptBackup, BackupFault>> {
    const made = await this.#makeAlone(reason)
    if (made.ok) void this.send()
    return made
  }

  #makeAlone(reason: BackupReason): Promise<Result<KeptBackup, BackupFault>> {
    return this.#alone(async () => {
      const { dataFolder, version, passPhrase } = this.#options
      const atUnix = this.#nowUnix()
      this.shelf.make()
      const name = nameFor(atUnix, reason, passPhrase !== undefined, (one) =>
        existsSync(path.join(this.shelf.folder, one)),
      )
      const file = path.join(this.shelf.folder, name)
      const { makeBackup } = await loadFiles()
      const { damaged } = await makeBackup({ dataFolder, file, version, reason, atUnix, passPhrase })
      for (const one of damaged) this.#tell('backup_of_damaged_database', { kind: 'unexpected', words: one })
      this.shelf.makeRoom()
      const made = this.shelf.list().find((one) => one.name === name)
      return made === undefined ? failWith({ kind: 'failed', trouble: { kind: 'gone' } }) : succeed(made)
    })
  }

  async verify(name: string): Promise<Result<ReadBack, BackupFault>> {
    const file = this.shelf.fileOf(name)
    if (file === undefined) return failWith({ kind: 'none' })
    return this.#alone(async () => {
      const { verifyBackup } = await loadFiles()
      const verified = await verifyBackup(file, this.shelf.folder, this.#options.passPhrase)
      const found = verified.ok ? { rows: verified.value.rows } : { fault: verified.failure }
      const readBack: ReadBack = { atUnix: this.#nowUnix(), ...found }
      this.shelf.note(name, readBack)
      if (!verified.ok) this.#tell('backup_is_not_whole', verified.failure, name)
      return succeed(readBack)
    })
  }

  async #alone<T>(work: () => Promise<Result<T, BackupFault>>): Promise<Result<T, BackupFault>> {
    if (this.#isBusy) return failWith({ kind: 'busy' })
    this.#isBusy = true
    try {
      return await work()
    } catch (error) {
      return failWith({ kind: 'failed', trouble: troubleOf(error, this.#options.dataFolder) })
    } finally {
      this.#isBusy = false
    }
  }

  #tell(event: string, trouble: BackupTrouble, name?: string): void {
    const said = backupTroubleInEnglish(trouble)
    const why = name === undefined ? said : `${name}: ${said}`
    this.#options.log(JSON.stringify({ time: new Date(this.#options.now()).toISOString(), level: 'error', event, why }))
  }

  #nowUnix(): number {
    return Math.floor(this.#options.now() / 1000)
  }
}

/** Only who makes or reads a backup pays for what does so: no start waits for it. */
const loadFiles = () => import('./backup-file.ts')

function troubleOf(error: unknown, folder: string): BackupTrouble {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return { kind: 'disk_full', folder }
  return { kind: 'unexpected', words: causeOf(error) }
}
