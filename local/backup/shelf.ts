/** The backups in a data folder: their names say what they are, and the oldest of each kind make room. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { BackupReason, KeptBackup } from '../../workers/app/core/operating/machine.ts'
import { replaceFile } from '../files/replace-file.ts'
import { askedKept, beforeMigrationKept, dailyKept, weeklyKept, weekSeconds } from './limits.ts'
import { isSealed } from './sealed-mark.ts'

export type ReadBack = NonNullable<KeptBackup['readBack']>

export interface Shelved {
  readonly name: string
  readonly atUnix: number
  readonly reason: BackupReason
}

const words = { asked: 'asked', daily: 'daily', before_migration: 'before-migration' } as const satisfies Record<
  BackupReason,
  string
>
const reasons = Object.fromEntries(Object.entries(words).map(([reason, word]) => [word, reason])) as Record<
  string,
  BackupReason
>
const nameShape =
  /^wharf-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(asked|daily|before-migration)(?:-\d{1,3})?\.(?:tar\.gz|sealed)$/

function shelfOf(dataFolder: string): string {
  return path.join(dataFolder, 'backups')
}

export function stampOf(atUnix: number): string {
  return new Date(atUnix * 1000).toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

export function nameFor(
  atUnix: number,
  reason: BackupReason,
  isSealed: boolean,
  taken: (name: string) => boolean,
): string {
  for (let copy = 1; ; copy += 1) {
    const again = copy === 1 ? '' : `-${copy}`
    const name = `wharf-${stampOf(atUnix)}-${words[reason]}${again}.${isSealed ? 'sealed' : 'tar.gz'}`
    if (!taken(name)) return name
  }
}

export function readName(name: string): Shelved | undefined {
  const parts = nameShape.exec(name)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number)
  const atMs = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  const reason = reasons[parts[7] ?? '']
  return reason === undefined ? undefined : { name, atUnix: Math.floor(atMs / 1000), reason }
}

/** Those that make room. */
export function outdated(shelved: readonly Shelved[]): Shelved[] {
  const newestFirst = (reason: BackupReason) =>
    shelved.filter((one) => one.reason === reason).sort((a, b) => b.atUnix - a.atUnix || (a.name < b.name ? 1 : -1))
  const daily = newestFirst('daily')
  // By the time one is older than all that are kept as daily, its week is over: it was the last of it, or goes.
  const lastOfWeek = new Map<number, Shelved>()
  for (const one of daily.toReversed()) lastOfWeek.set(Math.floor(one.atUnix / weekSeconds), one)
  const older = daily.slice(dailyKept)
  const weekly = new Set(older.filter((one) => [...lastOfWeek.values()].includes(one)).slice(0, weeklyKept))
  const gone = older.filter((one) => !weekly.has(one))
  return [
    ...gone,
    ...newestFirst('before_migration').slice(beforeMigrationKept),
    ...newestFirst('asked').slice(askedKept),
  ]
}

/** The shelf of one data folder. */
export class Shelf {
  readonly folder: string

  constructor(dataFolder: string) {
    this.folder = shelfOf(dataFolder)
  }

  make(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
  }

  /** Newest first. */
  list(): KeptBackup[] {
    if (!existsSync(this.folder)) return []
    const notes = this.#notes()
    return readdirSync(this.folder)
      .flatMap((name) => {
        const read = readName(name)
        const file = path.join(this.folder, name)
        const stat = statSync(file, { throwIfNoEntry: false })
        if (read === undefined || stat?.isFile() !== true) return []
        const readBack = notes[name]
        return [
          { ...read, bytes: stat.size, isSealed: isSealed(file), ...(readBack === undefined ? {} : { readBack }) },
        ]
      })
      .sort((a, b) => b.atUnix - a.atUnix || (a.name < b.name ? 1 : -1))
  }

  /** Undefined for a name that is not on the shelf. */
  fileOf(name: string): string | undefined {
    return this.list().some((one) => one.name === name) ? path.join(this.folder, name) : undefined
  }

  note(name: string, readBack: ReadBack): void {
    const kept = new Set(this.list().map((one) => one.name))
    const notes = Object.entries(this.#notes()).filter(([one]) => kept.has(one) && one !== name)
    replaceFile(
      path.join(this.folder, 'read-back.json'),
      JSON.stringify(Object.fromEntries([...notes, [name, readBack]])),
    )
  }

  makeRoom(): void {
    for (const { name } of outdated(this.list())) rmSync(path.join(this.folder, name), { force: true })
  }

  #notes(): Record<string, ReadBack> {
    try {
      const notes = JSON.parse(readFileSync(path.join(this.folder, 'read-back.json'), 'utf8'))
      return Object.fromEntries(Object.entries(notes).map(([name, note]) => [name, withFacts(note as OldNote)]))
    } catch {
      return {}
    }
  }
}

/** Before troubles were facts they were noted as sentences. */
type OldNote = Omit<ReadBack, 'fault'> & { readonly fault?: ReadBack['fault'] | string }

function withFacts({ fault, ...note }: OldNote): ReadBack {
  if (fault === undefined) return note
  return { ...note, fault: typeof fault === 'string' ? { kind: 'unexpected', words: fault } : fault }
}
