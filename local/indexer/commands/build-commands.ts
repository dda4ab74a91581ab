import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { compileLess } from '../build/compile-less.ts'
import type { CheckedIndexes } from '../store/checked-indexes.ts'
import { ForeignFolderError, type IndexPlace } from '../store/index-folder.ts'
import { readLock } from '../store/lock.ts'
import { indexStamp } from '../store/open-index.ts'
import { type SyncOptions, type SyncOutcome, type SyncReport, syncIndex } from '../sync.ts'
import { gapsText } from './index-gaps.ts'
import { existingPlace, placeAt } from './index-places.ts'
import { CommandRefusal, type Output, printJson } from './output.ts'

export interface BuildContext {
  readonly output: Output
  readonly cwd: string
  readonly folderSetting: string | undefined
  readonly version: string
  readonly nowMs: number
  readonly isQuiet: boolean
  readonly isJson: boolean
  readonly signal: AbortSignal
  /** Told of what is published, which is known to be whole. */
  readonly checked: CheckedIndexes | undefined
}

/** Makes an index where none is yet, and builds it. */
export async function initCommand(context: BuildContext, given: string | undefined, isForced: boolean): Promise<void> {
  const place = placeAt(context, path.resolve(context.cwd, given ?? '.'))
  if (existsSync(place.database) && !isForced) {
    throw new CommandRefusal(
      `${place.root} already has an index; "indexer sync" brings it up to date, "indexer init --force" builds it anew`,
    )
  }
  await build(context, place, true)
}

export async function indexCommand(context: BuildContext, given: string | undefined): Promise<void> {
  await build(context, existingPlace(context, given), true)
}

export async function syncCommand(context: BuildContext, given: string | undefined): Promise<void> {
  await build(context, existingPlace(context, given), false)
}

/** Removes a lock that its process left behind; a living one is kept. */
export function unlockCommand(context: BuildContext, given: string | undefined): void {
  const place = existingPlace(context, given)
  const holder = readLock(place.lock)
  if (holder === undefined) {
    context.output.line('no lock to remove')
    return
  }
  if (holder.isAlive) throw new CommandRefusal(`process ${holder.pid} is writing this index; stop it first`)
  rmSync(place.lock, { force: true })
  context.output.line('lock removed')
}

/** Older releases could damage a database that two programs had open. */
const sqliteMin = [3, 51, 3] as const

function isSafeSqlite(version: string | undefined): boolean {
  const parts = (version ?? '0').split('.').map(Number)
  for (const [position, wanted] of sqliteMin.entries()) {
    const part = parts[position] ?? 0
    if (part !== wanted) return part > wanted
  }
  return true
}

async function build(context: BuildContext, place: IndexPlace, isFull: boolean): Promise<void> {
  const { output } = context
  if (!isSafeSqlite(process.versions['sqlite'])) {
    throw new CommandRefusal(
      `this Node brings SQLite ${process.versions['sqlite'] ?? 'nothing'}; writing an index needs ${sqliteMin.join('.')} or newer`,
    )
  }
  compileLess()
  const before = indexStamp(place)
  const wasWhole = isFull || before === undefined || context.checked?.has(place.database, before) === true
  const outcome = await written(place, {
    place,
    isFull,
    nowMs: context.nowMs,
    version: context.version,
    signal: context.signal,
    ...(context.isQuiet || output.progress === undefined
      ? {}
      : { onProgress: (stage, done, total) => output.progress?.(progressText(stage, done, total)) }),
  }).finally(() => output.progress?.(''))
  if (outcome.kind === 'locked')
    throw new CommandRefusal(
      `process ${outcome.pid} is writing this index; wait for it, or "indexer unlock" when it is gone`,
    )
  if (outcome.kind === 'stopped') throw new CommandRefusal('stopped; the index is as it was', 130)
  const stamp = indexStamp(place)
  // A change of what nobody has looked through says nothing of the rest.
  if (outcome.report.isPublished && wasWhole && stamp !== undefined) context.checked?.add(place.database, stamp)
  if (context.isJson) printJson(output, outcome.report)
  else if (!context.isQuiet) output.line(reportText(outcome.report))
}

/** SQLite's codes for a full disk and for what it cannot read, write or open. */
const sqliteFileErrors: ReadonlySet<unknown> = new Set([8, 10, 13, 14])

/** A disk that is full or closed to us is no fault of the program: it is said in one line, with what to do. */
async function written(place: IndexPlace, options: SyncOptions): Promise<SyncOutcome> {
  try {
    return await syncIndex(options)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof ForeignFolderError) throw new CommandRefusal(`the index cannot be written: ${error.message}`)
    const isOfFiles =
      ('syscall' in error && 'code' in error) ||
      ('errcode' in error && sqliteFileErrors.has(Number(error.errcode) & 255))
    if (!isOfFiles) throw error
    throw new CommandRefusal(
      `the index cannot be written (${error.message}); make room, or see who may write to ${place.folder}. The index is as it was`,
    )
  }
}

const barWidth = 24

function progressText(stage: string, done: number, total: number): string {
  if (total === 0) return `${stage}…`
  const filled = Math.round((done / total) * barWidth)
  return `${stage} [${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${done}/${total}`
}

function reportText(report: SyncReport): string {
  if (!report.isPublished) return `up to date: ${report.files} files${gapsText(report)} (${report.elapsedMs} ms)`
  const changes = `${report.added} added, ${report.changed} changed, ${report.removed} removed`
  const errors = gapsText(report)
  return `${report.files} files, ${report.lines} lines, ${report.nodes} symbols, ${report.edges} edges (${changes}${errors}) in ${report.elapsedMs} ms`
}
