/** Links all files and writes a new index. Files whose facts are kept are not parsed again. */
import type { FileFacts } from '../core/facts.ts'
import { linkSteps } from '../resolve/link.ts'
import { FactsInMemory } from '../resolve/project-facts.ts'
import { frameworksOf, withRoutes } from '../resolve/routes.ts'
import type { KeptFacts } from '../store/facts-cache.ts'
import { takenFacts } from '../store/packed-facts.ts'
import type { IndexedFile } from '../store/row-writer.ts'
import { publishIndex } from '../store/write-index.ts'
import { type BuildOutcome, type BuildTask, isStopped } from './build-task.ts'
import { type CurrentFile, readSource, type SourceText } from './changes.ts'
import { extractFiles } from './extract-files.ts'
import { inSteps } from './in-steps.ts'

interface ReadFile {
  readonly current: CurrentFile
  readonly facts: FileFacts
}

export async function buildWhole(task: BuildTask): Promise<BuildOutcome> {
  const { place, settings, cache, changes } = task
  const read: (ReadFile | undefined)[] = []
  const wanted: SourceText[] = []
  const placeOf = new Map<SourceText, number>()
  changes.files.forEach((current, at) => {
    const facts = current.source === undefined ? cache.read(current.file.path, current.hash) : undefined
    if (facts !== undefined) {
      read[at] = { current, facts }
      return
    }
    const source = current.source ?? readSource(place.root, current.file.path)
    if (source === undefined || typeof source === 'string') return
    placeOf.set(source, at)
    wanted.push(source)
  })
  const fresh: KeptFacts[] = []
  const isWhole = await extractFiles(
    wanted,
    { signal: task.signal, onProgress: (done, total) => task.onProgress?.('reading', done, total) },
    (source, packed) => {
      const at = placeOf.get(source) ?? 0
      const current = changes.files[at]
      if (current === undefined) return
      read[at] = { current: { ...current, file: source.file, hash: source.hash }, facts: takenFacts(packed) }
      fresh.push({ path: source.file.path, hash: source.hash, body: packed.body, links: packed.links })
    },
  )
  if (!isWhole) return { kind: 'stopped' }
  const files = read
    .filter((one) => one !== undefined)
    .map(
      ({ current, facts }): IndexedFile => ({
        facts: withRoutes(facts, settings.packages),
        hash: current.hash,
        size: current.file.size,
        modifiedMs: current.file.modifiedMs,
        indexedMs: current.indexedMs ?? task.nowMs,
      }),
    )
  if (isStopped(task)) return { kind: 'stopped' }
  const all = files.map((one) => one.facts)
  const links = await inSteps(task, 'resolving', all.length, linkSteps(new FactsInMemory(all), settings))
  if (links === undefined) return { kind: 'stopped' }
  const frameworks = JSON.stringify(frameworksOf(all, settings.packages))
  const content = { files, links, leftOut: changes.leftOut, meta: { ...task.meta, frameworks } }
  const counts = await inSteps(task, 'writing', all.length, publishIndex(place, content))
  if (counts === undefined) return { kind: 'stopped' }
  const listed = new Set(task.listing.files.map((one) => one.path))
  cache.replace(fresh, (one) => listed.has(one))
  return { kind: 'published', counts, linked: files.length }
}
