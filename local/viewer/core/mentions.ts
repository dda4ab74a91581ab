/** Where a name is written, whatever it means there. */
import type { CodeGraph } from '../../indexer/core/code-graph.ts'
import type { FileRow, NodeRow } from '../../indexer/core/rows.ts'

export interface ProjectTexts {
  /** As it was indexed; undefined for one that is not so now, or cannot be read. */
  of(file: FileRow): string | undefined
  /** Templates, settings and the like: no source, but they name some. */
  others(): Iterable<string>
}

const mentionFilesMax = 600
/** Text that is looked through for names; what lies beyond leaves the answer without its last proof. */
const mentionCharsMax = 96 * 1024 * 1024

/** Written above what they say something about; what they say keeps nothing alive. */
const idleAttributes = new Set(
  `derive inline must_use allow warn deny expect cfg cold doc non_exhaustive repr track_caller Override Deprecated
  SuppressWarnings SafeVarargs FunctionalInterface Nullable NonNull NotNull Obsolete MethodImpl DebuggerStepThrough
  ReturnTypeWillChange SensitiveParameter`.split(/\s+/),
)
const attributeLine = /^(?:#!?\[|@|\[(?=[A-Z]))\s*(?:[\w$]+(?:::|\.|\\))*([\w$]+)/

/** Looks for a name in a symbol's own file and in the files that depend on it, each file read once. */
export class MentionCount {
  isBounded = false
  readonly #texts = new Map<number, string | undefined>()
  readonly #lines = new Map<number, readonly string[]>()
  readonly #users = new Map<number, readonly FileRow[]>()
  readonly #graph: CodeGraph
  readonly #project: ProjectTexts

  constructor(graph: CodeGraph, project: ProjectTexts) {
    this.#graph = graph
    this.#project = project
  }

  of(node: NodeRow, file: FileRow): boolean | 'unreadable' {
    const own = this.#textOf(file)
    if (own === undefined) return 'unreadable'
    const name = plainName(node)
    let count = timesWritten(own, name, mentionsMin)
    for (const user of count < mentionsMin ? this.#usersOf(file) : []) {
      count += timesWritten(this.#textOf(user) ?? '', name, mentionsMin - count)
      if (count >= mentionsMin) break
    }
    return count >= mentionsMin
  }

  /** The same in these files alone, all of which can mean it. */
  within(node: NodeRow, files: readonly FileRow[]): boolean | 'unreadable' {
    const name = plainName(node)
    let written = 0
    let declared = 0
    for (const file of files) {
      const text = this.#textOf(file)
      if (text === undefined) return 'unreadable'
      const here = timesWritten(text, name, Number.POSITIVE_INFINITY)
      written += here
      for (let n = file.firstNode; here > 0 && n < file.firstNode + file.nodeCount; n += 1)
        if (plainName({ name: this.#graph.nameOf(n) }) === name && this.#graph.kindOf(n) !== 'import') declared += 1
    }
    return written > declared
  }

  /** Whether a symbol of Rust stands where a trait is implemented, which is told by the line that begins the block around it. */
  isOfTrait(node: NodeRow, file: FileRow): boolean {
    const lines = this.#linesOf(file)
    const own = lines[node.line - 1] ?? ''
    if (/^\s*(?:unsafe\s+)?impl\b[^{]*\bfor\s+[^<]/.test(own.slice(0, node.col))) return true
    const indent = indentOf(own)
    for (let at = node.line - 2; at >= 0; at -= 1) {
      const line = lines[at] ?? ''
      if (line.trim() === '' || indentOf(line) >= indent || !/^\s*(?:unsafe\s+)?(?:impl|trait)\b/.test(line)) continue
      const head = lines.slice(at, node.line - 1).join(' ')
      return /\bfor\b/.test(head.slice(0, head.indexOf('{')).replace(/\bfor\s*</g, ''))
    }
    return false
  }

  /** Whether one stands in the lines above a symbol or in its first line: who reads it may call what carries it. */
  hasAttribute(node: NodeRow, file: FileRow): boolean {
    const lines = this.#linesOf(file)
    const isCarried = (line: string): boolean => {
      const name = attributeLine.exec(line.trim())?.[1]
      return name !== undefined && !idleAttributes.has(name)
    }
    if (isCarried(lines[node.line - 1] ?? '')) return true
    for (let at = node.line - 2; at >= 0; at -= 1) {
      const line = (lines[at] ?? '').trim()
      if (isCarried(line)) return true
      if (!attributeLine.test(line) && !/^(\/\/|\/\*|\*)/.test(line)) return false
    }
    return false
  }

  /**
   * Whether a symbol's name is written anywhere in the repository more often than things of that name are declared: by
   * a text, by code whose meaning is not known, by a table, by a template. A name that begins as some text does that is
   * put together with another one may be made so.
   */
  everywhere(nodes: readonly NodeRow[]): (node: NodeRow) => boolean {
    const times = new Map(nodes.map((node) => [plainName(node), 0]))
    if (times.size === 0) return () => false
    const declared = new Map<string, number>()
    for (let n = 1; n < this.#graph.size; n += 1) {
      const name = plainName({ name: this.#graph.nameOf(n) })
      if (times.has(name) && this.#graph.kindOf(n) !== 'import') declared.set(name, (declared.get(name) ?? 0) + 1)
    }
    const stems = new Set<string>()
    let chars = 0
    const count = (text: string, isPhp: boolean): void => {
      chars += text.length
      for (const [word] of text.matchAll(/[\p{L}\p{N}_$]+/gu)) {
        const before = times.get(word)
        if (before !== undefined) times.set(word, before + 1)
      }
      for (const match of text.matchAll(composedName)) {
        const stem = match[2] ?? ''
        // Most of what stands in a list is a word of its own.
        if (!match[0].endsWith(',') || stem.endsWith('_')) stems.add(stem)
      }
      if (isPhp) for (const match of text.matchAll(composedInPhp)) stems.add(match[2] ?? '')
    }
    for (const file of this.#graph.files) {
      const text = chars > mentionCharsMax ? undefined : this.#project.of(file)
      if (text === undefined) this.isBounded = true
      else count(text, file.language === 'php')
    }
    for (const text of this.#project.others()) {
      if (chars > mentionCharsMax) {
        this.isBounded = true
        break
      }
      count(text, false)
    }
    return (node) => {
      const name = plainName(node)
      return (times.get(name) ?? 0) > (declared.get(name) ?? 0) || isComposed(name, stems)
    }
  }

  #linesOf(file: FileRow): readonly string[] {
    let lines = this.#lines.get(file.n)
    if (lines === undefined) {
      lines = this.#textOf(file)?.split('\n') ?? []
      this.#lines.set(file.n, lines)
    }
    return lines
  }

  #textOf(file: FileRow): string | undefined {
    if (this.#texts.has(file.n)) return this.#texts.get(file.n)
    if (this.#texts.size >= mentionFilesMax) {
      this.isBounded = true
      return undefined
    }
    const text = this.#project.of(file)
    this.#texts.set(file.n, text)
    return text
  }

  #usersOf(file: FileRow): readonly FileRow[] {
    let users = this.#users.get(file.n)
    if (users === undefined) {
      const numbers = new Set<number>()
      for (let n = file.firstNode; n < file.firstNode + file.nodeCount; n += 1)
        for (const edge of this.#graph.incomingPlaces(n))
          numbers.add(this.#graph.fileOf[this.#graph.edges.source[edge] ?? 0] ?? 0)
      numbers.delete(file.n)
      users = [...numbers].map((n) => this.#graph.file(n))
      this.#users.set(file.n, users)
    }
    return users
  }
}

/** A text of which a name is made, by what follows it: `'on_' + key`, `"block{$type}"`, `'get_%s' % name`. */
const composedName = /(['"`])([A-Za-z_]\w{2,})(?:\1\s*(?:[+%,]|\.\s|\|\|)|\$?\{|#\{|%[sd]|\$\w)/g
/** There a dot puts texts together, with or without spaces. */
const composedInPhp = /(['"])([A-Za-z_]\w{2,})\1\s*\.\s*[$\w(\\]/g
const stemCharsMin = 3

function isComposed(name: string, stems: ReadonlySet<string>): boolean {
  for (let at = stemCharsMin; at < name.length; at += 1)
    if (/[A-Z_]/.test(name.charAt(at)) || name.charAt(at - 1) === '_') if (stems.has(name.slice(0, at))) return true
  return false
}

/** Without the mark of what is private, and what Ruby ends names with. */
function plainName({ name }: { readonly name: string }): string {
  return name.replace(/^#|[?!=]$/g, '')
}

/** A name is written where it is declared; from the second time on somebody may mean it. */
const mentionsMin = 2

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** How often a name stands in a text as a word of its own; counted up to a number. */
function timesWritten(text: string, name: string, enough: number): number {
  let count = 0
  if (name === '') return count
  for (let at = text.indexOf(name); at !== -1 && count < enough; at = text.indexOf(name, at + name.length)) {
    const before = text.slice(Math.max(0, at - 2), at)
    const after = text.slice(at + name.length, at + name.length + 2)
    if (!/[\p{L}\p{N}_$]$/u.test(before) && !/^[\p{L}\p{N}_$]/u.test(after)) count += 1
  }
  return count
}
