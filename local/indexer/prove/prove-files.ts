/** Judges the edges of TypeScript and JavaScript files by what the compiler says their names mean, and keeps what it said. */
import { createHash, hash } from 'node:crypto'
import path from 'node:path'
import type ts from 'typescript'
import { readSmallFile } from '../../git/find-repository.ts'
import { isForCompiler } from '../core/compiler-check.ts'
import type { ScipDocument } from '../core/compiler-index.ts'
import type { GraphReader } from '../core/graph-reader.ts'
import { judgedKinds, judgeEdges } from '../core/proofs.ts'
import { listFiles } from '../files/list-files.ts'
import { readProjectConfig } from '../files/project-config.ts'
import { fileBytesMax, judgedTogetherMax } from '../limits.ts'
import type { IndexPlace } from '../store/index-folder.ts'
import { KeptIndex, openIndex } from '../store/open-index.ts'
import { beginCheck, filesToJudge, keepNotJudged, keepProofs } from '../store/proof-store.ts'
import { librariesFolder, loadCompiler } from './compiler.ts'
import { ConfinedFiles } from './confined-files.ts'
import { ScriptNames } from './script-names.ts'
import { ScriptProgram, type ScriptProgramParts } from './script-program.ts'
import { ConfigReader, type ScriptProject, scriptProjects } from './script-projects.ts'

export type ProofNews =
  | { readonly kind: 'begun'; readonly files: number }
  /** These are read as one program; until it is said that one of them is looked at, all of them are what takes time. */
  | { readonly kind: 'program'; readonly files: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'kept'; readonly files: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string }

export interface ProofOrder {
  readonly place: IndexPlace
  /** Goes on with a check in place of beginning one. */
  readonly goesOn: boolean
  readonly programFilesMax: number
}

/** A published index is only held while it is asked: a sync waits for who reads it. */
class Indexes {
  readonly #place: IndexPlace
  readonly #kept = new KeptIndex()

  constructor(place: IndexPlace) {
    this.#place = place
  }

  use<T>(ask: (reader: GraphReader) => T): T {
    const opened = openIndex(this.#place, this.#kept)
    if (!opened.ok) throw new Error(`the index cannot be read (${opened.failure})`)
    try {
      return ask(opened.value.reader)
    } finally {
      opened.value.close()
    }
  }
}

export function proveFiles({ place, goesOn, programFilesMax }: ProofOrder, tell: (news: ProofNews) => void): void {
  const indexes = new Indexes(place)
  const scripts = indexes.use((reader) =>
    reader.files().flatMap((file) => (isForCompiler(file.path) ? [file.path] : [])),
  )
  if (scripts.length === 0) {
    tell({ kind: 'done' })
    return
  }
  const compiler = loadCompiler()
  const tool = `typescript ${compiler.version}`
  const settings = listFiles(place.root, readProjectConfig(place.root).exclude).settings
  if (!goesOn) {
    indexes.use((reader) =>
      beginCheck(place, reader, { tool, settings: digestOf(reader, place.root, settings), nowMs: Date.now() }),
    )
  }
  const asked = indexes.use((reader) => filesToJudge(place, reader))
  tell({ kind: 'begun', files: asked.length })
  if (asked.length === 0) {
    tell({ kind: 'done' })
    return
  }
  const confined = new ConfinedFiles(place.root, librariesFolder)
  const configs = new ConfigReader(compiler, confined, scripts)
  const parts = { compiler, confined, configs }
  const wanted = new Set(asked)
  for (const project of scriptProjects(compiler, configs, scripts, settings)) {
    const files = project.files.filter((one) => wanted.has(one))
    const ambient = project.files.filter((one) => one.endsWith('.d.ts'))
    for (const some of inBundles(files, programFilesMax))
      judgeProgram(parts, { ...project, files: [...new Set([...some, ...ambient])] }, some, {
        place,
        indexes,
        tool,
        tell,
      })
  }
  tell({ kind: 'done' })
}

/** Of what decides, beside the texts, how names are understood: here, and where the edges were made. */
function digestOf({ meta }: GraphReader, root: string, settings: readonly string[]): string {
  const digest = createHash('sha256').update(`${meta.get('extraction_version')}\0${meta.get('settings_hash')}\0`)
  for (const file of settings)
    if (/(^|\/)(package|[tj]sconfig[^/]*)\.json$/.test(file))
      digest.update(`${file}\0${readSmallFile(path.join(root, file), fileBytesMax) ?? ''}\0`)
  return digest.digest('hex')
}

interface Judging {
  readonly place: IndexPlace
  readonly indexes: Indexes
  readonly tool: string
  readonly tell: (news: ProofNews) => void
}

function judgeProgram(
  parts: ScriptProgramParts,
  project: ScriptProject,
  asked: readonly string[],
  { place, indexes, tool, tell }: Judging,
): void {
  tell({ kind: 'program', files: asked })
  const program = programOf(parts, project)
  if (program === undefined) {
    indexes.use((reader) => keepNotJudged(place, reader, asked, 'compiler_failed'))
    return
  }
  const names = new ScriptNames(parts.compiler, parts.confined.root)
  const sourceOf = (file: string): ts.SourceFile | undefined => program.source(path.join(parts.confined.root, file))
  const hashes = new Map<string, string>()
  const textAsIndexed = (file: { readonly path: string; readonly hash: string }): string | undefined => {
    const text = sourceOf(file.path)?.text
    if (text === undefined) return undefined
    const known = hashes.get(file.path) ?? hash('sha256', text)
    hashes.set(file.path, known)
    return known === file.hash ? text : undefined
  }
  const defined = new Map<string, ScipDocument>()
  for (const some of inBundles(asked, judgedTogetherMax)) {
    const documents = new Map<string, ScipDocument>()
    const broken: string[] = []
    const add = (file: string, more: ScipDocument['occurrences'] = []): void => {
      const source = sourceOf(file)
      if (source === undefined || documents.has(file)) return
      const known = defined.get(file) ?? documentOf(file, names.definitions(source))
      defined.set(file, known)
      documents.set(file, more.length === 0 ? known : documentOf(file, [...known.occurrences, ...more]))
    }
    for (const file of some) {
      tell({ kind: 'file', path: file })
      const source = sourceOf(file)
      if (source === undefined) continue
      try {
        add(file, names.uses(source, program.checker()))
      } catch {
        broken.push(file)
      }
    }
    for (const { occurrences } of [...documents.values()])
      for (const { symbol, isDefinition } of occurrences) {
        const file = isDefinition ? undefined : ScriptNames.fileOf(symbol)
        if (file !== undefined) add(file)
      }
    indexes.use((reader) => {
      for (const file of targetFiles(reader, some)) add(file)
      const index = { tool, toolVersion: '', projectRoot: '', documents: [...documents.values()] }
      const wanted = new Set(some)
      const proofs = judgeEdges(reader, index, textAsIndexed).filter((one) => wanted.has(one.path))
      keepProofs(place, proofs)
      keepNotJudged(place, reader, broken, 'compiler_failed')
    })
    tell({ kind: 'kept', files: some.length })
  }
}

/** Undefined where the compiler breaks at what is written. */
function programOf(parts: ScriptProgramParts, project: ScriptProject): ScriptProgram | undefined {
  try {
    return new ScriptProgram(parts, project)
  } catch {
    return undefined
  }
}

function documentOf(path: string, occurrences: ScipDocument['occurrences']): ScipDocument {
  return { path, language: '', columns: 'utf16', symbols: [], occurrences }
}

/** Files that edges of these files lead to. */
function targetFiles(reader: GraphReader, files: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const one of files) {
    const file = reader.fileByPath(one)
    if (file === undefined) continue
    for (let n = file.firstNode; n < file.firstNode + file.nodeCount; n += 1)
      for (const { kind, target } of reader.outgoing(n))
        if (judgedKinds.has(kind)) found.add(reader.graph.fileOfNode(target).path)
  }
  return found
}

function* inBundles<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size)
}
