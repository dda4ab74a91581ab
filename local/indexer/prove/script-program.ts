/** A part of a project as the compiler sees it: some of its files, and all that these import. */
import path from 'node:path'
import { getHeapStatistics } from 'node:v8'
import type ts from 'typescript'
import { checkerMbMax } from '../limits.ts'
import { type Compiler, librariesFolder } from './compiler.ts'
import type { ConfinedFiles } from './confined-files.ts'
import type { ConfigReader, ScriptProject } from './script-projects.ts'

export interface ScriptProgramParts {
  readonly compiler: Compiler
  readonly confined: ConfinedFiles
  readonly configs: ConfigReader
}

export class ScriptProgram {
  readonly #compiler: Compiler
  readonly #options: ts.CreateProgramOptions
  #program: ts.Program
  #heapBefore: number

  constructor({ compiler, confined, configs }: ScriptProgramParts, project: ScriptProject) {
    confined.startOver()
    this.#compiler = compiler
    this.#options = {
      rootNames: project.files.map((file) => path.join(confined.root, file)),
      options: project.options,
      projectReferences: project.references,
      host: compilerHost(compiler, confined, configs),
    }
    this.#program = compiler.createProgram(this.#options)
    // Names are bound to what declares them now, and not with the first question.
    this.#program.getTypeChecker()
    this.#heapBefore = getHeapStatistics().used_heap_size
  }

  source(file: string): ts.SourceFile | undefined {
    return this.#program.getSourceFile(file)
  }

  /** What the compiler worked out so far is kept for the next question, until it takes too much room. */
  checker(): ts.TypeChecker {
    const heap = getHeapStatistics().used_heap_size
    if (heap - this.#heapBefore > checkerMbMax * 1024 * 1024) {
      this.#heapBefore = heap
      this.#program = this.#compiler.createProgram({ ...this.#options, oldProgram: this.#program })
    }
    return this.#program.getTypeChecker()
  }
}

/** What the compiler asks for beside its published interface: that a project it refers to is read as source, built or not. */
interface CompilerHost extends ts.CompilerHost {
  useSourceOfProjectReferenceRedirect(): boolean
}

function compilerHost(compiler: Compiler, confined: ConfinedFiles, configs: ConfigReader): CompilerHost {
  const sources = new Map<string, ts.SourceFile | undefined>()
  const read = (file: string, how: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined => {
    const text = confined.readFile(file)
    return text === undefined ? undefined : compiler.createSourceFile(file, text, how, false)
  }
  return {
    fileExists: (file) => confined.fileExists(file),
    readFile: (file) => confined.readFile(file),
    directoryExists: (folder) => confined.directoryExists(folder),
    getDirectories: (folder) => confined.folders(folder),
    realpath: (file) => confined.realPath(file),
    getSourceFile(file, how) {
      if (!sources.has(file)) sources.set(file, read(file, how))
      return sources.get(file)
    },
    getParsedCommandLine: (file) => configs.parsed(file),
    useSourceOfProjectReferenceRedirect: () => true,
    getDefaultLibFileName: (options) => path.join(librariesFolder, compiler.getDefaultLibFileName(options)),
    getDefaultLibLocation: () => librariesFolder,
    getCurrentDirectory: () => confined.root,
    getCanonicalFileName: (file) => file,
    useCaseSensitiveFileNames: () => true,
    // Only in JavaScript do comments say what things are.
    jsDocParsingMode: compiler.JSDocParsingMode.ParseForTypeInfo,
    getNewLine: () => '\n',
    // Nothing is ever written.
    writeFile: () => undefined,
  }
}
