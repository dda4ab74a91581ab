/** Links all files and writes a new index. Files whose facts are kept are not parsed again. */
import type { FileFacts } from '../core/facts.ts'
import { type Links, linkSteps } from '../resolve/link.ts'
import { FactsInMemory } from '../resolve/project-facts.ts'
import { frameworksOf, withRoutes } from '../resolve/routes.ts'
import type { KeptFacts, MacrosOfFile } from '../store/facts-cache.ts'
import { takenFacts } from '../store/packed-facts.ts'
import type { IndexedFile } from '../store/row-writer.ts'
import { publishIndex } from '../store/write-index.ts'
import { type BuildOutcome, type BuildTask, isStopped } from './build-task.ts'
import { type CurrentFile, readSource, type SourceText } from './changes.ts'
import { extractFiles } from './extract-files.ts'
import { inSteps } from './in-steps.ts'
import { MacroReading } from './macro-reading.ts'

/** Facts are kept in portions of so many bytes: those of all files together would lie in memory to the end. */
const keptAtOnceBytes = 8 * 1024 * 1024

export async function buildWhole(task: BuildTask): Promise<BuildOutcome> {
  const { place, settings, changes } = task
  const { files, macros } = await readFiles(task)
  if (files === undefined || isStopped(task)) return { kind: 'stopped' }
  const all = files.map((one) => one.facts)
  const links = await inSteps(
    task,
    'resolving',
    all.length,
    lettingGo(all, linkSteps(new FactsInMemory(all), settings)),
  )
  if (links === undefined) return { kind: 'stopped' }
  const frameworks = JSON.stringify(frameworksOf(all, settings.packages))
  const content = { files, links, leftOut: changes.leftOut, meta: { ...task.meta, frameworks, macros } }
  const counts = await inSteps(task, 'writing', all.length, publishIndex(place, content))
  return counts === undefined ? { kind: 'stopped' } : { kind: 'published', counts, linked: files.length }
}

/**
 * References of a file are asked for only while it is linked, and are a third of what its facts weigh. Nothing but symbols is
 * needed once all are linked.
 */
function* lettingGo(files: readonly FileFacts[], linking: Generator<number, Links>): Generator<number, Links> {
  let gone = 0
  for (;;) {
    const step = linking.next()
    if (step.done === true) {
      for (const { locals, exports } of files) locals.length = exports.length = 0
      return step.value
    }
    for (const { references } of files.slice(gone, step.value)) references.length = 0
    gone = step.value
    yield step.value
  }
}

/**
 * Facts of all files in their order, kept for the next time; undefined: it was stopped. Texts and packed facts are let go
 * of as they come: a build holds the most when all are read and those who read are still there.
 */
async function readFiles(task: BuildTask): Promise<{ files: IndexedFile[] | undefined; macros: string }> {
  const { place, settings, cache, changes } = task
  const read: (IndexedFile | undefined)[] = []
  const wanted: SourceText[] = []
  const placeOf = new Map<SourceText, number>()
  const sourceAt: (SourceText | undefined)[] = []
  const put = (at: number, current: CurrentFile, facts: FileFacts): void => {
    const { hash, file, indexedMs = task.nowMs } = current
    const { size, modifiedMs } = file
    read[at] = { facts: withRoutes(facts, settings.packages), hash, size, modifiedMs, indexedMs }
  }
  const want = (current: CurrentFile, at: number): void => {
    const source = current.source ?? readSource(place.root, current.file.path)
    current.source = undefined
    if (source === undefined || typeof source === 'string') return
    placeOf.set(source, at)
    sourceAt[at] = source
    wanted.push(source)
  }
  changes.files.forEach((current, at) => {
    const facts = current.source === undefined ? cache.read(current.file.path, current.hash) : undefined
    if (facts === undefined) want(current, at)
    else put(at, current, facts)
  })
  const reading = new MacroReading(changes.files, (_, at) => sourceAt[at], cache)
  for (const [at, current] of changes.files.entries()) if (reading.outdated.has(current.file.path)) want(current, at)
  const macrosOf = new Map<SourceText, MacrosOfFile | undefined>()
  for (const source of wanted) {
    const { text, macros } = reading.read(source)
    source.text = text
    macrosOf.set(source, macros)
  }
  let fresh: KeptFacts[] = []
  let freshBytes = 0
  const isWhole = await extractFiles(
    wanted,
    { signal: task.signal, onProgress: (done, total) => task.onProgress?.('reading', done, total) },
    (source, packed) => {
      source.text = ''
      const at = placeOf.get(source) ?? 0
      const current = changes.files[at]
      if (current === undefined) return
      put(at, { ...current, file: source.file, hash: source.hash }, takenFacts(packed))
      const macros = macrosOf.get(source)
      fresh.push({ path: source.file.path, hash: source.hash, body: packed.body, links: packed.links, macros })
      freshBytes += packed.body.length
      if (freshBytes < keptAtOnceBytes) return
      cache.put(fresh)
      fresh = []
      freshBytes = 0
    },
  )
  cache.put(fresh)
  if (!isWhole) return { files: undefined, macros: '' }
  const listed = new Set(task.listing.files.map((one) => one.path))
  cache.keepOnly((one) => listed.has(one))
  return { files: read.filter((one) => one !== undefined), macros: reading.hash }
}
