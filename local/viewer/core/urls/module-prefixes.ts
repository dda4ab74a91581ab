/**
 * What Nest's `RouterModule.register([{ path, module, children }])` puts before the URLs of a module's controllers. A module says
 * by its mark which controllers are its own; a name is what the index says that it means at that place.
 */
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { FileRow } from '../../../indexer/core/rows.ts'
import { type Argument, argumentsOf } from './chains.ts'
import { CodeFile, type UrlBounds } from './code-file.ts'

const registering = /\bRouterModule\s*\.\s*register\s*\(/g
const pathOption = /^path\s*:\s*(['"`])([^'"`\n]*)\1$/
const className = /^[A-Za-z_$][\w$]*$/

/** Prefixes by the number of a controller's class; one that is not here has none. */
export function modulePrefixes(
  reader: GraphReader,
  readText: (file: FileRow) => string | undefined,
  bounds: UrlBounds,
): ReadonlyMap<number, readonly string[]> {
  const codeOf = (file: FileRow): CodeFile | undefined => {
    const text = readText(file)
    return text === undefined ? undefined : new CodeFile(reader, file, text, bounds)
  }
  const files = reader
    .unresolvedNamed('RouterModule.register', bounds.mountsPerRouter)
    .map((one) => reader.graph.fileOfNode(one.source))
  const prefixes = new Map<number, string[]>()
  for (const file of new Set(files)) {
    const code = file.isNonProduction ? undefined : codeOf(file)
    if (code === undefined) continue
    for (const { module, prefix } of new RegisteredRoutes(code).modules())
      for (const controller of controllersOf(reader, module, codeOf)) {
        const known = prefixes.get(controller) ?? []
        if (!known.includes(prefix) && known.length < bounds.mountsPerRouter)
          prefixes.set(controller, [...known, prefix])
      }
  }
  return prefixes
}

interface PrefixedModule {
  readonly module: number
  readonly prefix: string
}

class RegisteredRoutes {
  readonly #code: CodeFile

  constructor(code: CodeFile) {
    this.#code = code
  }

  *modules(): Generator<PrefixedModule> {
    for (const match of this.#code.places(registering)) {
      if (!this.#code.isCode(match.index)) continue
      const open = match.index + match[0].length - 1
      const [given] = argumentsOf(this.#code.text, open, this.#code.endOfCall(open, this.#code.bounds.blockChars))
      const list = given === undefined ? undefined : this.#list(given)
      if (list !== undefined) yield* this.#of(list, '', 0)
    }
  }

  /** A list that is written there, or under a name of the file. */
  #list(given: Argument): Argument | undefined {
    if (given.text.startsWith('[')) return given
    if (!className.test(given.text)) return undefined
    const made = new RegExp(
      String.raw`\b(?:const|let|var)\s+${given.text.replaceAll('$', String.raw`\$`)}\b[^=;]*=\s*(?=\[)`,
    )
    const found = made.exec(this.#code.text)
    return found === null ? undefined : this.#bracket(found.index + found[0].length)
  }

  #bracket(at: number): Argument | undefined {
    let depth = 0
    const { text, bounds } = this.#code
    for (let end = at; end < Math.min(text.length, at + bounds.blockChars); end += 1) {
      if (text[end] === '[') depth += 1
      if (text[end] === ']') depth -= 1
      if (depth === 0) return { at, text: text.slice(at, end + 1) }
    }
    return undefined
  }

  *#of(list: Argument, before: string, depth: number): Generator<PrefixedModule> {
    if (depth > this.#code.bounds.mountDepth) return
    for (const one of partsOf(list)) {
      if (!one.text.startsWith('{')) {
        // A module alone in a list of children has what is before the list.
        yield* this.#module(one, before)
        continue
      }
      const options = partsOf(one)
      const path = options.map(({ text }) => pathOption.exec(text)?.[2]).find((found) => found !== undefined) ?? ''
      const prefix = `${before}/${path}`
      for (const option of options) {
        const named = /^(module|children)\s*:\s*/.exec(option.text)
        if (named === null) continue
        const value = { at: option.at + named[0].length, text: option.text.slice(named[0].length) }
        if (named[1] === 'module') yield* this.#module(value, prefix)
        else if (value.text.startsWith('[')) yield* this.#of(value, prefix, depth + 1)
      }
    }
  }

  *#module({ at, text }: Argument, prefix: string): Generator<PrefixedModule> {
    if (className.test(text)) for (const module of classesAt(this.#code, at, text)) yield { module, prefix }
  }
}

/** The parts of a list or of an object that is written out. */
function partsOf({ at, text }: Argument): Argument[] {
  return argumentsOf(text, 0, text.length - 1).map((one) => ({ at: at + one.at, text: one.text }))
}

function classesAt(code: CodeFile, at: number, name: string): number[] {
  const { reader } = code
  const meant = code.namedBetween(at, at + name.length).map((edge) => edge.target)
  return [...new Set(meant)].filter((n) => reader.graph.kindOf(n) === 'class')
}

function controllersOf(reader: GraphReader, module: number, codeOf: (file: FileRow) => CodeFile | undefined): number[] {
  const node = reader.node(module)
  const code = codeOf(reader.file(node.file))
  if (code === undefined) return []
  // The mark stands above the class, after whatever comes before it.
  const before = Math.max(
    0,
    ...code.symbols().map((one) => (one.parent !== 0 && one.endLine < node.line ? one.endLine : 0)),
  )
  const from = code.text.indexOf('@Module', code.offset(before + 1, 0))
  if (from === -1 || from > code.offset(node.endLine, 0)) return []
  const found = /\bcontrollers\s*:\s*\[([^\]]*)\]/.exec(
    code.text.slice(from, code.endOfCall(from, code.bounds.blockChars)),
  )
  if (found === null) return []
  const list = { at: from + found.index + found[0].indexOf('['), text: found[0].slice(found[0].indexOf('[')) }
  return partsOf(list).flatMap((one) => classesAt(code, one.at, one.text))
}
