/**
 * After a few files changed: parses those, links them and the files the change can matter to, and replaces their
 * rows. The result says what building the whole index would say; where that is not sure, nothing is done.
 */
import { affectedFiles, type FileChange, type LinkedFile, type PassedOn } from '../core/affected-files.ts'
import type { FileFacts } from '../core/facts.ts'
import { changedNames, dependentNames, type Surface, surfaceOf } from '../core/file-surface.ts'
import { languageFamily, languageOf } from '../core/language-of.ts'
import { pushTo } from '../core/push-to.ts'
import { patchedFilesMax } from '../limits.ts'
import { linkSteps } from '../resolve/link.ts'
import { importTargets } from '../resolve/modules.ts'
import { frameworksOf, withRoutes } from '../resolve/routes.ts'
import { folderOf } from '../resolve/script-modules.ts'
import type { KeptFacts } from '../store/facts-cache.ts'
import { takenFacts } from '../store/packed-facts.ts'
import { type FilePatch, patchIndex, UnpatchableError } from '../store/patch-index.ts'
import { FactsMissingError, StoredFacts } from '../store/stored-facts.ts'
import { type BuildOutcome, type BuildTask, isStopped } from './build-task.ts'
import type { SourceText } from './changes.ts'
import { extractFiles } from './extract-files.ts'
import { inSteps } from './in-steps.ts'

interface ChangedFile extends FilePatch {
  readonly kept: KeptFacts
}

/** Undefined: the change is of a kind that needs the whole index to be built. */
export async function buildPatch(task: BuildTask): Promise<BuildOutcome | undefined> {
  const { state, changes, settings } = task
  if (state === undefined || changes.added > 0 || changes.removed > 0) return undefined
  if (state.meta.get('settings_hash') !== task.meta['settings_hash']) return undefined
  const sources = changes.files.flatMap((one) => one.source ?? [])
  if (sources.length === 0 || sources.length > patchedFilesMax) return undefined

  const files = await readChanged(task, sources)
  if (files === 'stopped') return { kind: 'stopped' }
  if (files === undefined) return undefined
  const facts = (which: (file: ChangedFile) => FileFacts): string[] => frameworksOf(files.map(which), settings.packages)
  if (facts((one) => one.before).join() !== facts((one) => one.after.facts).join()) return undefined

  const linked = linkedFiles(task, files)
  if (linked === undefined) return undefined
  const project = storedFacts(task, files, linked)
  try {
    return await relinkAffected(task, files, linked, project)
  } catch (error) {
    if (error instanceof FactsMissingError || error instanceof UnpatchableError) return undefined
    throw error
  } finally {
    project.close()
  }
}

async function relinkAffected(
  task: BuildTask,
  files: readonly ChangedFile[],
  linked: readonly LinkedFile[],
  project: StoredFacts,
): Promise<BuildOutcome | undefined> {
  const surfaces = new Map<number, Surface>()
  const surfaceAt = (f: number): Surface => {
    const surface = surfaces.get(f) ?? surfaceOf(project.facts(f))
    surfaces.set(f, surface)
    return surface
  }
  const passedOn: PassedOn = (f, isTouched) => dependentNames(surfaceAt(f), isTouched)
  // Past this, linking everything costs hardly more.
  const most = linked.length / 2
  const relinked = affectedFiles(linked, files.map(changeOf), passedOn, most)
  if (relinked === undefined) return undefined
  if (isStopped(task)) return { kind: 'stopped' }
  return relink(task, files, relinked, project)
}

async function readChanged(
  task: BuildTask,
  sources: readonly SourceText[],
): Promise<ChangedFile[] | 'stopped' | undefined> {
  const { packages } = task.settings
  const placeOf = new Map(task.changes.files.map((one, f) => [one.file.path, f]))
  const files: ChangedFile[] = []
  let isKnown = true
  const isWhole = await extractFiles(
    sources,
    { signal: task.signal, onProgress: (done, total) => task.onProgress?.('reading', done, total) },
    ({ file, hash }, packed) => {
      const record = task.state?.files.get(file.path)
      const before = record === undefined ? undefined : task.cache.read(file.path, record.hash)
      const f = placeOf.get(file.path)
      if (before === undefined || f === undefined) {
        isKnown = false
        return
      }
      files.push({
        f,
        before: withRoutes(before, packages),
        after: {
          facts: withRoutes(takenFacts(packed), packages),
          hash,
          size: file.size,
          modifiedMs: file.modifiedMs,
          indexedMs: task.nowMs,
        },
        kept: { path: file.path, hash, body: packed.body, links: packed.links },
      })
    },
  )
  return isWhole ? (isKnown ? files : undefined) : 'stopped'
}

function familyOf(path: string): string | undefined {
  const language = languageOf(path)
  return language === undefined ? undefined : languageFamily(language)
}

/** How all files hang together, before and after the change alike. */
function linkedFiles(task: BuildTask, changed: readonly ChangedFile[]): LinkedFile[] | undefined {
  const kept = task.cache.links()
  const paths = task.changes.files.map((one) => one.file.path)
  const targetsOf = importTargets(paths, task.settings)
  const folders = new Map<string, number[]>()
  for (const [f, path] of paths.entries()) if (familyOf(path) === 'go') pushTo(folders, folderOf(path), f)
  const now = new Map(changed.map((one) => [one.f, one.kept.links]))
  const files: LinkedFile[] = []
  for (const [f, { file, hash }] of task.changes.files.entries()) {
    const links = kept.get(file.path)
    const after = now.get(f)
    if (links === undefined || (after === undefined && links.hash !== hash)) return undefined
    const specifiers = [...links.specifiers, ...(after?.specifiers ?? [])]
    const family = familyOf(file.path) ?? ''
    const targetOf = targetsOf[family]
    const targets = targetOf === undefined ? undefined : specifiers.flatMap((one) => targetOf(file.path, one))
    // Files of one folder are one package of Go.
    if (family === 'go') targets?.push(...(folders.get(folderOf(file.path)) ?? []))
    files.push({ links: after ?? links, family, targets })
  }
  return files
}

function changeOf({ f, before, after }: ChangedFile): FileChange {
  const methods = new Set<string>()
  const count = (facts: FileFacts): Map<string, number> => {
    const counts = new Map<string, number>()
    for (const one of facts.symbols) if (one.kind === 'method') counts.set(one.name, (counts.get(one.name) ?? 0) + 1)
    return counts
  }
  const old = count(before)
  const now = count(after.facts)
  for (const name of new Set([...old.keys(), ...now.keys()])) if (old.get(name) !== now.get(name)) methods.add(name)
  return { file: f, names: changedNames(before, after.facts), methods }
}

function storedFacts(task: BuildTask, files: readonly ChangedFile[], linked: readonly LinkedFile[]): StoredFacts {
  const { place, settings, changes, cache } = task
  return new StoredFacts(
    place.database,
    changes.files.map((one) => one.file.path),
    new Map(files.map((one) => [one.f, one.after.facts])),
    (f) => {
      const one = changes.files[f]
      const facts = one === undefined ? undefined : cache.read(one.file.path, one.hash)
      return facts === undefined ? undefined : withRoutes(facts, settings.packages)
    },
    (f) => linked[f]?.links.packageName,
  )
}

async function relink(
  task: BuildTask,
  files: readonly ChangedFile[],
  relinked: ReadonlySet<number>,
  project: StoredFacts,
): Promise<BuildOutcome | undefined> {
  const { place, settings, changes, cache } = task
  const changed = new Set(files.map((one) => one.f))
  const inOrder = [...relinked].sort((left, right) => left - right)
  const links = await inSteps(task, 'resolving', inOrder.length, linkSteps(project, settings, inOrder))
  if (links === undefined) return { kind: 'stopped' }
  task.onProgress?.('writing', 0, 1)
  const counts = patchIndex(place, {
    files,
    touched: changes.files.flatMap(({ file }, f) => {
      const record = task.state?.files.get(file.path)
      const isAsItWas = record?.modifiedMs === file.modifiedMs && record.size === file.size
      return isAsItWas || changed.has(f) ? [] : [{ f, modifiedMs: file.modifiedMs, size: file.size }]
    }),
    relinked,
    links,
    leftOut: changes.leftOut,
    meta: task.meta,
  })
  cache.replace(
    files.map((one) => one.kept),
    () => true,
  )
  return { kind: 'published', counts, linked: relinked.size }
}
