/** Brings an index up to date with the files of its project: all of them, or those that changed. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { FileFacts } from './core/facts.ts'
import { languageOf } from './core/language-of.ts'
import { extractFile, prepareLanguages } from './extract/extract-file.ts'
import { ExtractPool } from './extract/pool.ts'
import { listFiles, type SourceFile, statSource } from './files/list-files.ts'
import { readProjectConfig } from './files/project-config.ts'
import { readProjectSettings } from './files/project-settings.ts'
import { workerFilesMin } from './limits.ts'
import { link } from './resolve/link.ts'
import { createModuleLookup } from './resolve/modules.ts'
import { frameworksOf, withRoutes } from './resolve/routes.ts'
import { FactsCache } from './store/facts-cache.ts'
import { createIndexFolder, type IndexPlace } from './store/index-folder.ts'
import { readIndexState } from './store/index-state.ts'
import { takeLock } from './store/lock.ts'
import { packFacts, unpackFacts } from './store/packed-facts.ts'
import { type IndexedFile, publishIndex } from './store/write-index.ts'

export interface SyncReport {
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly files: number
  readonly lines: number
  readonly nodes: number
  readonly edges: number
  readonly withErrors: number
  readonly elapsedMs: number
  /** False when nothing had changed and the published index was left as it is. */
  readonly isPublished: boolean
}

export interface SyncOptions {
  readonly place: IndexPlace
  /** Reads every file again, whatever the index says. */
  readonly isFull: boolean
  readonly nowMs: number
  readonly version: string
  readonly onProgress?: (stage: 'listing' | 'reading' | 'resolving' | 'writing', done: number, total: number) => void
  readonly signal?: AbortSignal
}

export type SyncOutcome =
  | { readonly kind: 'done'; readonly report: SyncReport }
  | { readonly kind: 'locked'; readonly pid: number }
  | { readonly kind: 'stopped' }

export async function syncIndex(options: SyncOptions): Promise<SyncOutcome> {
  createIndexFolder(options.place)
  const lock = takeLock(options.place.lock)
  if (!('release' in lock)) return { kind: 'locked', pid: lock.pid }
  try {
    return await syncLocked(options)
  } finally {
    lock.release()
  }
}

function isStopped(options: SyncOptions): boolean {
  return options.signal?.aborted === true
}

interface Pending {
  readonly file: SourceFile
  readonly text: string
  readonly hash: string
}

async function syncLocked(options: SyncOptions): Promise<SyncOutcome> {
  const started = performance.now()
  const { place } = options
  options.onProgress?.('listing', 0, 0)
  const config = readProjectConfig(place.root)
  const listing = listFiles(place.root, config.exclude)
  const { settings, hash: settingsHash } = readProjectSettings(place.root, listing.settings)
  const state = options.isFull ? undefined : readIndexState(place.database)
  const cache = new FactsCache(place.cache)
  try {
    const current: { file: SourceFile; hash: string; facts: FileFacts | undefined; isNew: boolean }[] = []
    let added = 0
    let changed = 0
    const wanted: { file: SourceFile; at: number }[] = []
    const listed = new Set(listing.files.map((one) => one.path))
    for (const file of listing.files) {
      const record = state?.files.get(file.path)
      const isSame = record !== undefined && record.size === file.size && record.modifiedMs === file.modifiedMs
      if (isSame) current.push({ file, hash: record.hash, facts: undefined, isNew: false })
      else {
        wanted.push({ file, at: current.length })
        current.push({ file, hash: '', facts: undefined, isNew: true })
      }
    }
    const toExtract: (Pending & { at: number })[] = []
    for (const { file, at } of wanted) {
      const pending = readSource(place.root, file)
      const entry = current[at]
      if (entry === undefined) continue
      if (pending === undefined) {
        entry.file = { ...file, size: -1 }
        continue
      }
      const record = state?.files.get(file.path)
      entry.file = pending.file
      entry.hash = pending.hash
      // Same bytes under a new time: nothing to parse, and nothing that a reader would see changes.
      if (record !== undefined && record.hash === pending.hash) {
        entry.isNew = false
        continue
      }
      if (record === undefined) added += 1
      else changed += 1
      toExtract.push({ ...pending, at })
    }
    const kept = current.filter((one) => one.file.size >= 0)
    const removed =
      state === undefined
        ? 0
        : [...state.files.keys()].filter((one) => !listed.has(one)).length + (current.length - kept.length)
    const isUnchanged =
      state !== undefined && toExtract.length === 0 && removed === 0 && state.meta.get('settings_hash') === settingsHash
    if (isUnchanged) {
      return {
        kind: 'done',
        report: reportOf(state.meta, {
          added: 0,
          changed: 0,
          removed: 0,
          files: kept.length,
          elapsedMs: performance.now() - started,
          isPublished: false,
        }),
      }
    }
    // Kept files whose facts were lost are parsed again.
    for (const [at, entry] of current.entries()) {
      if (entry.file.size < 0 || (entry.isNew && entry.hash !== '')) continue
      entry.facts = cache.read(entry.file.path, entry.hash)
      if (entry.facts === undefined) {
        const pending = readSource(place.root, entry.file)
        if (pending !== undefined) toExtract.push({ ...pending, at })
      }
    }
    const fresh: { path: string; hash: string; packed: Uint8Array }[] = []
    if (
      !(await extractAll(options, toExtract, (at, packed, hash) => {
        const entry = current[at]
        if (entry === undefined) return
        entry.facts = unpackFacts(packed)
        entry.hash = hash
        fresh.push({ path: entry.file.path, hash, packed })
      }))
    )
      return { kind: 'stopped' }
    const files: IndexedFile[] = []
    for (const entry of kept) {
      if (entry.facts === undefined) continue
      const record = state?.files.get(entry.file.path)
      const indexedMs = entry.isNew || record === undefined ? options.nowMs : record.indexedMs
      files.push({
        facts: withRoutes(entry.facts, settings.packages),
        hash: entry.hash,
        size: entry.file.size,
        modifiedMs: entry.file.modifiedMs,
        indexedMs,
      })
    }
    if (isStopped(options)) return { kind: 'stopped' }
    options.onProgress?.('resolving', 0, 1)
    const all = files.map((one) => one.facts)
    const links = link(all, createModuleLookup(all, settings))
    if (isStopped(options)) return { kind: 'stopped' }
    options.onProgress?.('writing', 0, 1)
    const counts = {
      nodes: all.reduce((sum, one) => sum + one.symbols.length, 0),
      lines: all.reduce((sum, one) => sum + one.lines, 0),
      withErrors: all.filter((one) => one.errors.length > 0).length,
    }
    const meta: Record<string, string> = {
      indexed_with_version: options.version,
      indexed_ms: String(options.nowMs),
      settings_hash: settingsHash,
      files_left_out: String(listing.leftOut),
      frameworks: JSON.stringify(frameworksOf(all, settings.packages)),
      nodes: String(counts.nodes),
      lines: String(counts.lines),
      edges: String(links.edges.length),
      with_errors: String(counts.withErrors),
      commit: headCommit(place.root),
    }
    publishIndex(place, { files, links, meta })
    cache.replace(fresh, (one) => listed.has(one))
    return {
      kind: 'done',
      report: reportOf(new Map(Object.entries(meta)), {
        added,
        changed,
        removed,
        files: files.length,
        elapsedMs: performance.now() - started,
        isPublished: true,
      }),
    }
  } finally {
    cache.close()
  }
}

function reportOf(
  meta: ReadonlyMap<string, string>,
  rest: Omit<SyncReport, 'lines' | 'nodes' | 'edges' | 'withErrors'>,
): SyncReport {
  const number = (key: string): number => Number(meta.get(key) ?? 0)
  return {
    ...rest,
    elapsedMs: Math.round(rest.elapsedMs),
    lines: number('lines'),
    nodes: number('nodes'),
    edges: number('edges'),
    withErrors: number('with_errors'),
  }
}

/** Reads a file and its times together: when they moved in between, the next sync sees the difference. */
function readSource(root: string, listed: SourceFile): Pending | undefined {
  const file = statSource(root, listed.path)
  if (file === undefined) return undefined
  try {
    const bytes = readFileSync(path.join(root, file.path))
    if (bytes.includes(0)) return undefined
    const text = bytes.toString('utf8')
    return { file: { ...file, size: bytes.length }, text, hash: createHash('sha256').update(text).digest('hex') }
  } catch {
    return undefined
  }
}

async function extractAll(
  options: SyncOptions,
  pending: readonly (Pending & { at: number })[],
  take: (at: number, packed: Uint8Array, hash: string) => void,
): Promise<boolean> {
  let done = 0
  const advance = (): void => {
    done += 1
    if (done % 16 === 0 || done === pending.length) options.onProgress?.('reading', done, pending.length)
  }
  if (pending.length < workerFilesMin) {
    await prepareLanguages(pending.flatMap((one) => languageOf(one.file.path) ?? []))
    for (const one of pending) {
      if (isStopped(options)) return false
      take(one.at, packFacts(extractFile(one.file.path, one.text)), one.hash)
      advance()
    }
    return true
  }
  const pool = new ExtractPool()
  try {
    await pool.run(
      pending.map((one) => ({ path: one.file.path, text: one.text })),
      (index, packed) => {
        const one = pending[index]
        if (one !== undefined) take(one.at, packed, one.hash)
        advance()
      },
      options.signal,
    )
  } finally {
    await pool.close()
  }
  return !isStopped(options)
}

function headCommit(root: string): string {
  const found = spawnSync('git', ['-c', 'core.fsmonitor=false', 'rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return found.status === 0 ? found.stdout.trim() : ''
}
