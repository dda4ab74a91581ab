/** How the files of C of a project are read, which depends on what its other files say macros are. */
import { type FileMacros, fileMacros, isOfC, ProjectMacros } from '../core/project-macros.ts'
import type { FactsCache, MacrosOfFile } from '../store/facts-cache.ts'
import type { CurrentFile, SourceText } from './changes.ts'

export interface ReadText {
  readonly text: string
  /** What is to be kept of how it was made. */
  readonly macros: MacrosOfFile | undefined
}

export class MacroReading {
  readonly #files = new Map<string, FileMacros>()
  readonly #project: ProjectMacros
  /** Files that are kept as they were read with other macros than there are now. */
  readonly outdated: ReadonlySet<string>
  /** Whether it is known of each file what it has to do with macros. */
  readonly isWhole: boolean

  /** `sourceOf`: a file that is to be read; of the others what is kept counts. */
  constructor(
    files: readonly CurrentFile[],
    sourceOf: (file: CurrentFile, place: number) => SourceText | undefined,
    cache: FactsCache,
  ) {
    const kept = files.some((one) => isOfC(one.file.path)) ? cache.macros() : new Map<string, never>()
    const outdated = new Set<string>()
    const asRead: [path: string, own: MacrosOfFile][] = []
    let isWhole = true
    for (const [place, current] of files.entries()) {
      const { path } = current.file
      if (!isOfC(path)) continue
      const source = sourceOf(current, place)
      const known = kept.get(path)
      if (source !== undefined) this.#files.set(path, fileMacros(path, source.text))
      else if (known?.hash === current.hash) {
        this.#files.set(path, known)
        asRead.push([path, known])
      } else isWhole = false
    }
    this.isWhole = isWhole
    this.#project = new ProjectMacros(this.#files.values())
    for (const [path, own] of asRead) if (this.#project.readWith(own) !== own.readWith) outdated.add(path)
    this.outdated = outdated
  }

  /** Equal, and no file is read otherwise because of what another one says. */
  get hash(): string {
    return String(this.#project.hash)
  }

  /** The text with what macros stand for in their places. */
  read({ file: { path }, text }: SourceText): ReadText {
    if (!isOfC(path)) return { text, macros: undefined }
    const own = this.#files.get(path) ?? fileMacros(path, text)
    return { text: this.#project.applied(text, own), macros: { ...own, readWith: this.#project.readWith(own) } }
  }
}
