/** The files a compiler may see: those of the project, wherever links lead, and its own libraries. Nothing outside of both. */
import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { readSmallFile } from '../../git/find-repository.ts'
import { declarationBytesMax, fileBytesMax, programBytesMax } from '../limits.ts'

export class ConfinedFiles {
  /** As the system names it. */
  readonly root: string
  readonly #libraries: string
  readonly #folders = new Map<string, string | undefined>()
  readonly #isFile = new Map<string, boolean>()
  #bytes = 0

  constructor(root: string, libraries: string) {
    this.root = realpathSync(root)
    this.#libraries = realpathSync(libraries)
  }

  /** Relative to the root, or undefined for what is none of the project's own. */
  ownPath(file: string): string | undefined {
    const own = path.relative(this.root, file).replaceAll(path.sep, '/')
    return own.startsWith('..') || path.isAbsolute(own) || /(^|\/)node_modules\//.test(own) ? undefined : own
  }

  /** What was read before counts no more: another program begins. */
  startOver(): void {
    this.#bytes = 0
  }

  fileExists(file: string): boolean {
    const known = this.#isFile.get(file)
    if (known !== undefined) return known
    const found = this.#place(file)
    const isFile = found !== undefined && lstatSync(found, { throwIfNoEntry: false })?.isFile() === true
    this.#isFile.set(file, isFile)
    return isFile
  }

  directoryExists(folder: string): boolean {
    return this.#folder(folder) !== undefined
  }

  readFile(file: string): string | undefined {
    const found = this.#place(file)
    if (found === undefined || this.#bytes > programBytesMax) return undefined
    const isDeclared = file.endsWith('.d.ts') || file.includes('/node_modules/')
    const text = readSmallFile(found, isDeclared ? declarationBytesMax : fileBytesMax)
    this.#bytes += text?.length ?? 0
    return text
  }

  folders(folder: string): string[] {
    const found = this.#folder(folder)
    if (found === undefined) return []
    return readdirSync(found, { withFileTypes: true })
      .filter((one) => one.isDirectory() || one.isSymbolicLink())
      .map((one) => one.name)
      .filter((name) => this.directoryExists(path.join(folder, name)))
  }

  /** What is outside is what it is called: nothing is found there. */
  realPath(file: string): string {
    return this.#place(file) ?? this.#folder(file) ?? file
  }

  #place(file: string): string | undefined {
    const folder = this.#folder(path.dirname(file))
    if (folder === undefined) return undefined
    const place = path.join(folder, path.basename(file))
    const stat = lstatSync(place, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink() !== true) return place
    return this.#within(place)
  }

  #folder(folder: string): string | undefined {
    if (this.#folders.has(folder)) return this.#folders.get(folder)
    const found = this.#within(folder)
    const isFolder = found !== undefined && lstatSync(found, { throwIfNoEntry: false })?.isDirectory() === true
    this.#folders.set(folder, isFolder ? found : undefined)
    return isFolder ? found : undefined
  }

  #within(place: string): string | undefined {
    try {
      const real = realpathSync(place)
      const isOurs = [this.root, this.#libraries].some((one) => real === one || real.startsWith(one + path.sep))
      return isOurs ? real : undefined
    } catch {
      return undefined
    }
  }
}
