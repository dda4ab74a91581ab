/** Which files of a project are compiled together and how, as its configurations say. They are data: nothing in them is loaded. */
import path from 'node:path'
import type ts from 'typescript'
import { compilerConfigsMax } from '../limits.ts'
import type { Compiler } from './compiler.ts'
import type { ConfinedFiles } from './confined-files.ts'

export interface ScriptProject {
  readonly options: ts.CompilerOptions
  readonly references: readonly ts.ProjectReference[]
  /** Relative to the root of the index. */
  readonly files: readonly string[]
}

/** Each file is of the first project that takes it in, those in inner folders before those around them. */
export function scriptProjects(
  compiler: Compiler,
  reader: ConfigReader,
  scripts: readonly string[],
  configs: readonly string[],
): ScriptProject[] {
  const entries = configs
    .filter((one) => /(^|\/)[tj]sconfig\.json$/.test(one))
    .sort((left, right) => depthOf(right) - depthOf(left) || (left < right ? -1 : 1))
  const left = new Set(scripts)
  const projects: ScriptProject[] = []
  const optionsByFolder = new Map<string, ts.CompilerOptions>()
  for (const entry of entries) {
    for (const { options, references, files } of reader.withReferences(path.join(reader.root, entry))) {
      if (!optionsByFolder.has(path.posix.dirname(entry))) optionsByFolder.set(path.posix.dirname(entry), options)
      const own = files.filter((one) => left.delete(one))
      if (own.length > 0) projects.push({ options, references, files: own })
    }
  }
  return [...projects, ...others(compiler, [...left], optionsByFolder)]
}

/** Files that no configuration takes in are compiled as the nearest one says. */
function others(
  compiler: Compiler,
  files: readonly string[],
  optionsByFolder: ReadonlyMap<string, ts.CompilerOptions>,
): ScriptProject[] {
  const plain = plainOptions(compiler)
  const byOptions = Map.groupBy(files, (file) => {
    let folder = path.posix.dirname(file)
    while (folder !== '.' && !optionsByFolder.has(folder)) folder = path.posix.dirname(folder)
    return optionsByFolder.get(folder) ?? plain
  })
  return [...byOptions].map(([options, own]) => ({ options, references: [], files: own }))
}

/** Of a project that says nothing itself. */
function plainOptions(compiler: Compiler): ts.CompilerOptions {
  return {
    ...forced,
    allowImportingTsExtensions: true,
    strict: true,
    target: compiler.ScriptTarget.ESNext,
    module: compiler.ModuleKind.Preserve,
    moduleResolution: compiler.ModuleResolutionKind.Bundler,
    jsx: compiler.JsxEmit.Preserve,
  }
}

/** Whatever a project says: JavaScript is read too, nothing is written, and only what its names mean is asked. */
const forced = {
  allowJs: true,
  checkJs: false,
  noEmit: true,
  skipLibCheck: true,
  composite: false,
  incremental: false,
  declaration: false,
  libReplacement: false,
  maxNodeModuleJsDepth: 0,
} satisfies ts.CompilerOptions

function depthOf(file: string): number {
  return file.split('/').length
}

export class ConfigReader {
  readonly root: string
  readonly #compiler: Compiler
  readonly #confined: ConfinedFiles
  readonly #folders: ReadonlyMap<string, FolderEntries>
  readonly #host: ts.ParseConfigHost
  readonly #parsed = new Map<string, ts.ParsedCommandLine | undefined>()

  constructor(compiler: Compiler, confined: ConfinedFiles, scripts: readonly string[]) {
    this.root = confined.root
    this.#compiler = compiler
    this.#confined = confined
    this.#folders = foldersOf(confined.root, scripts)
    this.#host = {
      useCaseSensitiveFileNames: true,
      fileExists: (file) => confined.fileExists(file),
      readFile: (file) => confined.readFile(file),
      readDirectory: (folder, endings, excludes, includes, depth) =>
        this.#matching([folder, endings, excludes, includes, depth]),
    }
  }

  /** The configuration itself, and then what it refers to, each once. */
  *withReferences(file: string, seen = new Set<string>()): Generator<ScriptProject> {
    if (seen.has(file)) return
    seen.add(file)
    const parsed = this.parsed(file)
    if (parsed === undefined) return
    const { options, fileNames, projectReferences = [] } = parsed
    yield {
      options,
      references: projectReferences,
      files: fileNames.flatMap((one) => this.#confined.ownPath(one) ?? []),
    }
    for (const { path: to } of projectReferences)
      yield* this.withReferences(this.#compiler.resolveProjectReferencePath({ path: to }), seen)
  }

  parsed(file: string): ts.ParsedCommandLine | undefined {
    if (this.#parsed.has(file)) return this.#parsed.get(file)
    const found = this.#parsed.size < compilerConfigsMax ? this.#parse(file) : undefined
    this.#parsed.set(file, found)
    return found
  }

  #parse(file: string): ts.ParsedCommandLine | undefined {
    const text = this.#confined.readFile(file)
    if (text === undefined) return undefined
    const parsed = this.#compiler.parseJsonSourceFileConfigFileContent(
      this.#compiler.parseJsonText(file, text),
      ...([this.#host, path.dirname(file), forced, file] as const),
    )
    // What it was parsed from hangs on the object itself.
    const options = Object.assign(parsed.options, forced)
    delete options['plugins']
    return parsed
  }

  /** Among the files of the index: whatever a pattern says, no folder is looked through for it. */
  #matching([folder, endings, excludes, includes, depth]: Parameters<ts.ParseConfigHost['readDirectory']>): string[] {
    const entries = (one: string): FolderEntries =>
      this.#folders.get(path.resolve(one)) ?? { files: [], directories: [] }
    return (this.#compiler as unknown as Matching).matchFiles(
      ...([folder, endings, excludes, includes, true, this.#confined.root, depth, entries] as const),
      (one) => one,
    )
  }
}

interface FolderEntries {
  readonly files: string[]
  readonly directories: string[]
}

/** What the compiler's own reader of folders is made of; its published types leave it out. */
interface Matching {
  matchFiles(
    folder: string,
    endings: readonly string[],
    excludes: readonly string[] | undefined,
    includes: readonly string[],
    isCaseKept: boolean,
    current: string,
    depth: number | undefined,
    entries: (folder: string) => FolderEntries,
    realPath: (place: string) => string,
  ): string[]
}

function foldersOf(root: string, scripts: readonly string[]): ReadonlyMap<string, FolderEntries> {
  const found = new Map<string, FolderEntries>()
  const entriesOf = (folder: string): FolderEntries => {
    const known = found.get(folder)
    if (known !== undefined) return known
    const made: FolderEntries = { files: [], directories: [] }
    found.set(folder, made)
    if (folder !== root) entriesOf(path.dirname(folder)).directories.push(path.basename(folder))
    return made
  }
  for (const script of scripts) {
    const file = path.join(root, script)
    entriesOf(path.dirname(file)).files.push(path.basename(file))
  }
  return found
}
