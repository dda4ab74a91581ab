/** What others can see of a file, and where a name can be meant that its language keeps to a file or a folder: what is elsewhere by that name is something else. */
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import { languageFamily } from '../../indexer/core/language-of.ts'
import type { FileRow, NodeRow } from '../../indexer/core/rows.ts'

export class NameScopes {
  readonly #graph: CodeGraph
  readonly #modules = new Map<number, boolean>()
  #areAllRead: boolean | undefined
  readonly #below = new Map<string, readonly FileRow[]>()

  constructor(graph: CodeGraph) {
    this.#graph = graph
  }

  /** All files that can name the symbol; undefined where others may. */
  of(node: NodeRow, file: FileRow): readonly FileRow[] | undefined {
    const isOutermost = node.parent === file.firstNode
    const isExported = this.#graph.has(node.n, 'exported')
    switch (languageFamily(file.language)) {
      case 'script':
        if (node.name.startsWith('#')) return [file]
        // What stands further in is a part of something that is declared elsewhere (`declare module`).
        return isOutermost && node.col === 0 && !isExported && this.#isModule(file) ? [file] : undefined
      case 'java':
        return this.#graph.has(node.n, 'private') ? [file] : undefined
      case 'c':
        return isOutermost && !isExported && node.kind === 'function' && !this.#isIncluded(file) ? [file] : undefined
      case 'go':
        return /^\p{Lu}/u.test(node.name) ? undefined : this.#filesOf(file, (folder, path) => folder === folderOf(path))
      case 'rust':
        // A module sees what is private to one around it.
        return isOutermost && !isExported && !node.name.endsWith('!')
          ? this.#filesOf(file, (folder, path) => folder === '' || path.startsWith(`${folder}/`))
          : undefined
      default:
        return undefined
    }
  }

  /** By another file, as far as all files were read. */
  #isIncluded(file: FileRow): boolean {
    const isUnread = (one: FileRow): boolean => one.givenUp !== undefined && languageFamily(one.language) === 'c'
    this.#areAllRead ??= !this.#graph.files.some(isUnread)
    if (!this.#areAllRead) return true
    return Array.from(this.#graph.incomingPlaces(file.firstNode)).some(
      (edge) => this.#graph.edgeKindOf(edge) === 'imports',
    )
  }

  /** A script that neither takes nor gives shares its names with all others of a page. */
  #isModule(file: FileRow): boolean {
    let is = this.#modules.get(file.n)
    if (is === undefined) {
      is = false
      for (let n = file.firstNode + 1; n < file.firstNode + file.nodeCount && !is; n += 1)
        is = this.#graph.kindOf(n) === 'import' || this.#graph.has(n, 'exported')
      this.#modules.set(file.n, is)
    }
    return is
  }

  #filesOf(file: FileRow, isNear: (folder: string, path: string) => boolean): readonly FileRow[] {
    const folder = folderOf(file.path)
    const key = `${languageFamily(file.language)} ${folder}`
    let files = this.#below.get(key)
    if (files === undefined) {
      files = this.#graph.files.filter(
        (one) => languageFamily(one.language) === languageFamily(file.language) && isNear(folder, one.path),
      )
      this.#below.set(key, files)
    }
    return files
  }
}

/** What each language lets others see. */
export function isPublic(graph: CodeGraph, n: number, file: FileRow): boolean {
  const name = graph.nameOf(n)
  switch (file.language) {
    case 'python':
      if (graph.parentOf(n) === file.firstNode) return graph.has(n, 'exported')
      return !name.startsWith('_') && !hasPrivateParent(graph, n)
    case 'go':
      return /^\p{Lu}/u.test(name)
    case 'ruby':
      return !graph.has(n, 'notPublic')
    case 'php':
      // Classes elsewhere inherit what is protected.
      return !graph.has(n, 'private')
    default: {
      if (graph.has(n, 'private') || name.startsWith('#')) return false
      let at = n
      for (;;) {
        if (graph.has(at, 'exported')) return true
        at = graph.parentOf(at)
        // A function's insides are its own, however public the function is.
        if (at === 0 || ['function', 'method', 'component'].includes(graph.kindOf(at))) return false
      }
    }
  }
}

function hasPrivateParent(graph: CodeGraph, n: number): boolean {
  for (let at = graph.parentOf(n); at !== 0; at = graph.parentOf(at)) {
    const kind = graph.kindOf(at)
    if (kind === 'function' || kind === 'method') return true
    if (kind !== 'file' && !graph.has(at, 'exported')) return true
  }
  return false
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
