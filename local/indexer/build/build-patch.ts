/**
 * After a few files changed, came or went: parses those, links them and the files that it can matter to, and replaces
 * their rows. The result says what building the whole index would say; where that is not sure, nothing is done.
 */
import { affectedFiles, type FileChange, type PassedOn } from '../core/affected-files.ts'
import type { FileFacts } from '../core/facts.ts'
import { hashName } from '../core/file-links.ts'
import { dependentNames, namesThrough, type Surface, surfaceOf } from '../core/file-surface.ts'
import { patchedFilesMax } from '../limits.ts'
import { linkSteps } from '../resolve/link.ts'
import { frameworksOf, withRoutes } from '../resolve/routes.ts'
import { changePublished } from '../store/change-index.ts'
import type { FactsCache, KeptFacts, MacrosOfFile } from '../store/facts-cache.ts'
import { takenFacts } from '../store/packed-facts.ts'
import { type FilePatch, type IndexPatch, patchIndex, UnpatchableError } from '../store/patch-index.ts'
import { FactsMissingError, StoredFacts } from '../store/stored-facts.ts'
import { type BuildOutcome, type BuildTask, isStopped } from './build-task.ts'
import type { SourceText } from './changes.ts'
import { extractFiles } from './extract-files.ts'
import { inSteps } from './in-steps.ts'
import { changeOfContent, type HangingFiles, hangTogether } from './linked-files.ts'
import { MacroReading } from './macro-reading.ts'

/** `kept`: its facts as they are kept from now on; undefined: the file is gone. */
interface TurnedFile extends FilePatch {
  readonly kept: KeptFacts | undefined
}

interface Patch {
  readonly task: BuildTask
  /** Paths of the files there are, and behind them of those that are gone. */
  readonly paths: readonly string[]
  readonly files: readonly TurnedFile[]
  readonly frameworks: readonly string[]
  readonly macros: string
}

/** Undefined: the change is of a kind that needs the whole index to be built. */
export async function buildPatch(task: BuildTask): Promise<BuildOutcome | undefined> {
  const { state, changes } = task
  if (state === undefined || state.meta.get('settings_hash') !== task.meta['settings_hash']) return undefined
  const sources = changes.files.flatMap((one) => one.source ?? [])
  if (sources.length + changes.removed > patchedFilesMax) return undefined

  const reading = macroReading(task)
  if (reading === undefined) return undefined
  const changed = await readChanged(task, sources, reading)
  if (changed === 'stopped') return { kind: 'stopped' }
  const gone = filesGone(task)
  if (changed === undefined || gone === undefined) return undefined
  const files = [...changed, ...gone]
  const frameworks = frameworksAfter(task, files)
  if (frameworks === undefined) return undefined
  const paths = [...changes.files.map((one) => one.file.path), ...gone.map((one) => one.path)]
  const patch: Patch = { task, paths, files, frameworks, macros: reading.hash }

  const isAlone = isNobodyElses(patch)
  const hanging = isAlone ? undefined : hangingFiles(patch)
  if (!isAlone && hanging === undefined) return undefined
  const project = storedFacts(patch)
  try {
    return hanging === undefined
      ? await relink(patch, placesOf(patch), project)
      : await relinkAffected(patch, hanging, project)
  } catch (error) {
    if (error instanceof FactsMissingError || error instanceof UnpatchableError) return undefined
    throw error
  } finally {
    project.close()
  }
}

/**
 * Whether no file but those that changed writes a name that changed: then nothing that ties the others to one another has to be
 * read, which is most of what a small change to a large project costs.
 */
function isNobodyElses({ task, files }: Patch): boolean {
  const hashes: number[] = []
  for (const { before, after } of files) {
    if (before === undefined || after === undefined) return false
    const { names, methods } = changeOfContent(before, after.facts)
    if (names === undefined) return false
    for (const name of [...names, ...methods]) hashes.push(hashName(name))
  }
  return !task.cache.isAnyWritten(hashes)
}

function placesOf({ paths, files }: Patch): Set<number> {
  const turned = new Set(files.map((one) => one.path))
  return new Set(paths.flatMap((path, f) => (turned.has(path) ? [f] : [])))
}

async function relinkAffected(
  patch: Patch,
  { files, changes, diverted }: HangingFiles,
  project: StoredFacts,
): Promise<BuildOutcome | undefined> {
  const before = new Map(patch.files.map((one) => [one.path, one.before]))
  const count = patch.task.changes.files.length
  const surfaces = new Map<number, Surface>()
  const surfaceAt = (f: number): Surface => {
    const facts = f < count ? project.facts(f) : before.get(patch.paths[f] ?? '')
    const surface = surfaces.get(f) ?? (facts === undefined ? new Map() : surfaceOf(facts))
    surfaces.set(f, surface)
    return surface
  }
  const passedOn: PassedOn = (f, isTouched) => dependentNames(surfaceAt(f), isTouched)
  const fromElsewhere = [...diverted].map(
    ([file, specifiers]): FileChange => ({
      file,
      names: namesThrough(surfaceAt(file), project.language(file), (one) => specifiers.has(one)),
      methods: new Set(),
    }),
  )
  // Past this, linking everything costs hardly more.
  const affected = affectedFiles(files, [...changes, ...fromElsewhere], passedOn, files.length / 2)
  if (affected === undefined) return undefined
  if (isStopped(patch.task)) return { kind: 'stopped' }
  return relink(patch, new Set([...affected].filter((f) => f < count)), project)
}

/** Undefined: files that did not change would be read otherwise now, because of what others say macros are. */
function macroReading({ state, changes, cache }: BuildTask): MacroReading | undefined {
  const reading = new MacroReading(changes.files, ({ source }) => source, cache)
  return reading.isWhole && reading.hash === state?.meta.get('macros') ? reading : undefined
}

async function readChanged(
  task: BuildTask,
  sources: readonly SourceText[],
  reading: MacroReading,
): Promise<TurnedFile[] | 'stopped' | undefined> {
  const { packages } = task.settings
  const files: TurnedFile[] = []
  const macrosOf = new Map<string, MacrosOfFile | undefined>()
  // A build of the whole may follow, and reads what is written.
  const texts = sources.map((source): SourceText => {
    const { text, macros } = reading.read(source)
    macrosOf.set(source.file.path, macros)
    return { ...source, text }
  })
  let isKnown = true
  const isWhole = await extractFiles(
    texts,
    { signal: task.signal, onProgress: (done, total) => task.onProgress?.('reading', done, total) },
    ({ file, hash }, packed) => {
      const record = task.state?.files.get(file.path)
      const before = record === undefined ? undefined : task.cache.read(file.path, record.hash)
      if (record !== undefined && before === undefined) isKnown = false
      files.push({
        path: file.path,
        before: before === undefined ? undefined : withRoutes(before, packages),
        after: {
          facts: withRoutes(takenFacts(packed), packages),
          hash,
          size: file.size,
          modifiedMs: file.modifiedMs,
          indexedMs: task.nowMs,
        },
        kept: { path: file.path, hash, body: packed.body, links: packed.links, macros: macrosOf.get(file.path) },
      })
    },
  )
  return isWhole ? (isKnown ? files : undefined) : 'stopped'
}

/** Files that were published and are there no more. Undefined: what one of them said is not known. */
function filesGone({ state, changes, cache, settings }: BuildTask): TurnedFile[] | undefined {
  const present = new Set(changes.files.map((one) => one.file.path))
  const gone = [...(state?.files ?? [])].filter(([path]) => !present.has(path))
  const files = gone.flatMap(([path, { hash }]): TurnedFile[] => {
    const facts = cache.read(path, hash)
    if (facts === undefined) return []
    return [{ path, before: withRoutes(facts, settings.packages), after: undefined, kept: undefined }]
  })
  return files.length === gone.length ? files : undefined
}

/** What URLs are written with. Undefined: a file has less of it, and others may have it as well. */
function frameworksAfter({ state, settings }: BuildTask, files: readonly TurnedFile[]): string[] | undefined {
  const of = (facts: readonly (FileFacts | undefined)[]): string[] =>
    frameworksOf(
      facts.filter((one) => one !== undefined),
      settings.packages,
    )
  const now = of(files.map((one) => one.after?.facts))
  if (of(files.map((one) => one.before)).some((one) => !now.includes(one))) return undefined
  const known = JSON.parse(state?.meta.get('frameworks') ?? '[]') as string[]
  return [...new Set([...known, ...now])].sort()
}

function hangingFiles({ task, paths, files }: Patch): HangingFiles | undefined {
  const { state, changes, cache, settings } = task
  const published = cache.links()
  return hangTogether(
    { before: [...(state?.files.keys() ?? [])], after: paths.slice(0, changes.files.length) },
    files.map(({ path, before, after, kept }) => ({ path, before, after: after?.facts, links: kept?.links })),
    settings,
    (path) => {
      const links = published.get(path)
      return links !== undefined && links.hash === state?.files.get(path)?.hash ? links : undefined
    },
  )
}

function storedFacts({ task, paths, files }: Patch): StoredFacts {
  const { place, settings, changes, cache } = task
  const placeOf = new Map(paths.map((path, f) => [path, f]))
  return new StoredFacts(
    place.database,
    paths.slice(0, changes.files.length),
    new Map(files.flatMap(({ path, after }) => (after === undefined ? [] : [[placeOf.get(path) ?? 0, after.facts]]))),
    (f) => {
      const one = changes.files[f]
      const facts = one === undefined ? undefined : cache.read(one.file.path, one.hash)
      return facts === undefined ? undefined : withRoutes(facts, settings.packages)
    },
    packageNames(files, paths, cache),
  )
}

/** By place of the file, read when one is asked for: what most languages need never is. */
function packageNames(files: readonly TurnedFile[], paths: readonly string[], cache: FactsCache) {
  const changed = new Map(files.map((one) => [one.path, one.after?.facts.packageName]))
  let kept: ReadonlyMap<string, string> | undefined
  return (f: number): string | undefined => {
    const path = paths[f] ?? ''
    if (changed.has(path)) return changed.get(path)
    kept ??= cache.packageNames()
    return kept.get(path)
  }
}

async function relink(
  { task, paths, files, frameworks, macros }: Patch,
  relinked: ReadonlySet<number>,
  project: StoredFacts,
): Promise<BuildOutcome | undefined> {
  const { place, settings, changes, cache } = task
  const inOrder = [...relinked].sort((left, right) => left - right)
  const links = await inSteps(task, 'resolving', inOrder.length, linkSteps(project, settings, inOrder))
  if (links === undefined) return { kind: 'stopped' }
  task.onProgress?.('writing', 0, 1)
  const turned = new Set(files.map((one) => one.path))
  const patch: IndexPatch = {
    paths: paths.slice(0, changes.files.length),
    files,
    touched: changes.files.flatMap(({ file }) => {
      const record = task.state?.files.get(file.path)
      const isAsItWas = record?.modifiedMs === file.modifiedMs && record.size === file.size
      return isAsItWas || turned.has(file.path)
        ? []
        : [{ path: file.path, modifiedMs: file.modifiedMs, size: file.size }]
    }),
    relinked,
    links,
    leftOut: changes.leftOut,
    meta: { ...task.meta, frameworks: JSON.stringify(frameworks), macros },
  }
  const counts = changePublished(place, (database) => patchIndex(database, patch))
  cache.put(files.flatMap((one) => one.kept ?? []))
  cache.remove(paths.slice(changes.files.length))
  return { kind: 'published', counts, linked: relinked.size }
}
