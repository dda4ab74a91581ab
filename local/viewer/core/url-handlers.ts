/** URLs that the project's frameworks hand to its code, read where the code gives them. */
import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { FileRow, NodeRow } from '../../indexer/core/rows.ts'
import type { HandlersAnswer, OfIndex } from '../contract/wire.ts'
import { FrameworkUse } from './framework-use.ts'
import type { Framework, UrlRule } from './frameworks/framework.ts'
import { listOf, nodeRef } from './graph-shapes.ts'
import { compareText } from './search.ts'
import { CodeFile, type UrlBounds } from './urls/code-file.ts'
import { Mounts } from './urls/mounts.ts'

export type ReadText = (file: FileRow) => string | undefined

type HandlerRow = OfIndex<HandlersAnswer>['handlers']['items'][number]

interface Answering {
  readonly node: NodeRow | undefined
  readonly isInline: boolean
  readonly isCertain: boolean
  readonly method?: string | undefined
}

const handlerKinds = new Set(['function', 'method', 'class', 'component', 'constant', 'variable'])
const markedKinds = new Set(['function', 'method', 'class'])
/** What a mark says something about stands this many lines below it at most. */
const markLinesMax = 12
const inlineFunction = /=>|\bfunction\b|\bfunc\s*\(|\bfn\b|\|[^|\n]*\||\bdo\b|\blambda\b/
const anyMethod = /^(any|all|on|use|match|handle(func)?|route)$/i
const markLine = /^\s*[@[#]/
const declaring = /\b(def|class|interface|record|fn|func|function)\s+\w/
const betweenMarks = /^\s*($|[@[#/*)\]])/

export function urlHandlers(
  reader: GraphReader,
  limit: number,
  readText: ReadText,
  bounds: UrlBounds,
): OfIndex<HandlersAnswer> {
  const use = new FrameworkUse(reader.graph)
  const rows: HandlerRow[] = []
  const frameworks = new Map<string, { files: number; handlers: number }>()
  const codes = new Map<number, CodeFile>()
  const usedIn = (file: FileRow): readonly Framework[] => use.of(file).filter((one) => one.urls !== undefined)
  const mounts = new Mounts(reader, (n) => codes.get(n), bounds)
  for (const file of reader.graph.files) {
    if (file.isNonProduction || file.isGenerated || usedIn(file).length === 0) continue
    const text = readText(file)
    if (text !== undefined) codes.set(file.n, new CodeFile(reader, file, text, bounds))
  }
  for (const code of codes.values()) for (const framework of usedIn(code.row)) mounts.read(code, framework)
  for (const code of codes.values()) {
    const used = usedIn(code.row)
    const read = new UrlFile(code, mounts)
    const taken = new Set<number>()
    for (const framework of used) {
      const found = read.rowsOf(framework, taken)
      rows.push(...found)
      const before = frameworks.get(framework.name) ?? { files: 0, handlers: 0 }
      if (found.length > 0)
        frameworks.set(framework.name, { files: before.files + 1, handlers: before.handlers + found.length })
    }
  }
  rows.sort(
    (left, right) => compareText(left.file, right.file) || left.line - right.line || compareText(left.url, right.url),
  )
  return {
    frameworks: [...frameworks]
      .map(([name, counts]) => ({ name, ...counts }))
      .sort((left, right) => compareText(left.name, right.name)),
    handlers: listOf(rows, limit),
  }
}

class UrlFile {
  readonly #reader: GraphReader
  readonly #code: CodeFile
  readonly #text: string
  readonly #lines: readonly string[]
  readonly #mounts: Mounts

  constructor(code: CodeFile, mounts: Mounts) {
    this.#mounts = mounts
    this.#reader = code.reader
    this.#code = code
    this.#text = code.text
    this.#lines = code.lines
  }

  /** `taken` are places that another framework of the same file was found to have. */
  rowsOf(framework: Framework, taken: Set<number>): HandlerRow[] {
    return (framework.urls ?? []).flatMap((rule) =>
      [...this.#code.places(rule.pattern)].flatMap((match) => {
        const at = match.index + match[0].length - match[0].trimStart().length
        const line = this.#code.line(at)
        if (taken.has(at) || !this.#code.isCode(at)) return []
        if (rule.isOfRouter === true && !this.#mounts.isRouter(this.#code, match)) return []
        const answering = this.#answering(rule, match, at, line)
        if (answering.length > 0) taken.add(at)
        return answering.flatMap((one) =>
          this.#mounts.before(this.#code, framework, match, one.node).map((prefix) => ({
            framework: framework.name,
            method: methodOf(one.method ?? match.groups?.['method'], rule),
            url: behind(prefix.url, this.#url(framework, match.groups?.['url'] ?? '', rule, one)),
            whole: prefix.isWhole,
            file: this.#code.row.path,
            line,
            handler: one.node === undefined ? null : nodeRef(this.#reader, one.node),
            inline: one.isInline,
            certain: one.isCertain,
          })),
        )
      }),
    )
  }

  #answering(rule: UrlRule, match: RegExpExecArray, at: number, line: number): Answering[] {
    switch (rule.handler) {
      case 'mark':
        return this.#marked(line)
      case 'named':
        return [this.#named(match.groups?.['owner'] ?? '', match.groups?.['member'])]
      case 'call': {
        const url = match.groups?.['url'] ?? ''
        const after = match.index + match[0].lastIndexOf(url) + url.length
        // `route('/path').get(…)`: what is handed stands in the call after the one that names the URL.
        const isClosed = match[0].split('(').length === match[0].split(')').length
        const end = this.#code.endOfCall(isClosed ? match.index + match[0].length : at)
        if (rule.each === undefined) return this.#handed(after, end)
        return [...this.#text.slice(after, end).matchAll(rule.each)].flatMap((one) => {
          const from = after + one.index
          return this.#handed(from, this.#code.endOfCall(from)).map((found) => ({
            ...found,
            method: one.groups?.['method'],
          }))
        })
      }
    }
  }

  /** What a mark stands above, or in the head of. */
  #marked(line: number): Answering[] {
    const around = this.#code.around(line, markedKinds)
    const found = around !== undefined && this.#isHead(around, line) ? around : this.#below(line)
    // A type that has a URL of its own gives it to its members, unless it can be called itself.
    if (found?.kind === 'class' && !this.#hasMember(found, '__invoke')) return []
    if (found !== undefined) return [{ node: found, isInline: false, isCertain: true }]
    // One of several methods of one name has no symbol of its own.
    return around?.kind === 'class' ? [{ node: around, isInline: false, isCertain: false }] : []
  }

  /** Whether a line is one of the marks before a declaration, not one of its body. */
  #isHead(node: NodeRow, line: number): boolean {
    const before = this.#lines.slice(node.line - 1, line)
    return markLine.test(before[0] ?? '') && !before.some((one) => !markLine.test(one) && declaring.test(one))
  }

  /** The declaration that a mark stands above, with nothing but marks and remarks between them. */
  #below(line: number): NodeRow | undefined {
    const below = this.#code
      .symbols()
      .filter((one) => markedKinds.has(one.kind) && one.line > line && one.line <= line + markLinesMax)
      .sort((left, right) => left.line - right.line)[0]
    if (below === undefined) return undefined
    return this.#lines.slice(line, below.line - 1).every((one) => betweenMarks.test(one)) ? below : undefined
  }

  /** What a call is given after the URL, up to its end; a function without a name answers inside of what is around. */
  #handed(after: number, end: number): Answering[] {
    const given = this.#text.slice(after, end)
    if (/^['"]?\s*,?\s*include\(/.test(given)) return []
    const line = this.#code.line(after)
    if (inlineFunction.test(given))
      return [{ node: this.#code.around(line, handlerKinds), isInline: true, isCertain: true }]
    const handed = this.#code
      .namedBetween(after + 1, end)
      .filter((edge) => handlerKinds.has(this.#reader.graph.kindOf(edge.target)))
      .at(-1)
    return handed === undefined
      ? [{ node: undefined, isInline: false, isCertain: false }]
      : [
          {
            node: this.#reader.node(handed.target),
            isInline: false,
            isCertain: handed.isCertain,
          },
        ]
  }

  /** A class by its name, and its method where one is named. */
  #named(written: string, member: string | undefined): Answering {
    const plain = written.split(/[\\/:]/).at(-1) ?? written
    const names = /^[A-Z]/.test(plain) ? [plain] : [`${camelCase(plain)}Controller`]
    const types = names.flatMap((name) => this.#reader.nodesNamed(name)).filter((one) => one.kind === 'class')
    const members = types.flatMap((type) =>
      member === undefined
        ? []
        : [...this.#reader.graph.childrenOf(type.n)].filter((n) => this.#reader.graph.nameOf(n) === member),
    )
    const [only] = member === undefined ? types.map((one) => one.n) : members
    if (only === undefined) return { node: types[0], isInline: false, isCertain: false }
    return { node: this.#reader.node(only), isInline: false, isCertain: types.length === 1 }
  }

  /** With what a mark above the type of the handler puts before it. */
  #url(framework: Framework, written: string, rule: UrlRule, { node }: Answering): string {
    const owner = node === undefined ? 0 : node.kind === 'class' ? node.n : node.parent
    const isMember = rule.handler === 'mark' && this.#reader.graph.kindOf(owner) === 'class'
    // What begins with `~` is meant from the top.
    if (!isMember || framework.prefix === undefined || written.startsWith('~'))
      return rooted(written.replace(/^~(?=\/)/, ''))
    const type = this.#reader.node(owner)
    const from = type.line - 1
    const head = this.#lines.slice(from).findIndex((one) => /\b(class|interface|record)\s+\w/.test(one))
    const prefix = framework.prefix.exec(this.#lines.slice(from, from + head + 1).join('\n'))?.groups?.['url'] ?? ''
    const named = prefix.replace(/\[controller\]/i, type.name.replace(/Controller$/, ''))
    return rooted(`${named}/${written}`)
  }

  #hasMember(type: NodeRow, name: string): boolean {
    return [...this.#reader.graph.childrenOf(type.n)].some((n) => this.#reader.graph.nameOf(n) === name)
  }
}

function camelCase(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())
}

function rooted(url: string): string {
  const folded = `/${url}`.replace(/\/{2,}/g, '/')
  return folded.length > 1 ? folded.replace(/\/$/, '') : folded
}

function behind(prefix: string, url: string): string {
  return prefix === '' ? url : rooted(`${prefix}/${url.replace(/^\/?\^/, '')}`)
}

function methodOf(written: string | undefined, rule: UrlRule): string | null {
  if (written === undefined) return rule.method ?? null
  if (anyMethod.test(written)) return null
  return written.toLowerCase() === 'del' ? 'DELETE' : written.toUpperCase()
}
