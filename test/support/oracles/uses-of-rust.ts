/**
 * What each name in the Rust files of a workspace means, by the trees that `rustc` writes down before and after it knows types:
 * lines of tabs as the other programs tell them. What macros make is not told, nor are tests: packages that only they need may
 * not be there. Both forms are the compiler's own notes, in no standard; they are read as version 1.95 writes them.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

interface Target {
  readonly package: string
  readonly flag: readonly string[]
}

/** From 1, as the compiler counts; columns count characters. */
interface Place {
  readonly file: string
  readonly line: number
  readonly col: number
  readonly endLine: number
  readonly endCol: number
}

/** `more` is given to cargo. */
export function usesOfRust(root: string, more: readonly string[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wharf-truth-'))
  const told = new Told(root)
  const cargo = (args: readonly string[]): string => {
    const env = { ...process.env, RUSTC_BOOTSTRAP: '1', CARGO_TARGET_DIR: path.join(folder, 'target') }
    const done = spawnSync('cargo', args, { cwd: root, encoding: 'utf8', env, maxBuffer: 1024 * 1024 * 1024 })
    if (done.status !== 0) throw new Error(`cargo: ${done.error?.message ?? done.stderr.slice(-2000)}`)
    return done.stdout
  }
  try {
    for (const target of targetsOf(cargo(['metadata', '--no-deps', '--format-version', '1', '--offline'])))
      for (const tree of ['hir-tree', 'thir-tree']) {
        const file = path.join(folder, tree)
        const asked = [
          'rustc',
          '--offline',
          '--quiet',
          '--profile',
          'check',
          '-p',
          target.package,
          ...target.flag,
          ...more,
        ]
        cargo([...asked, '--', `-Zunpretty=${tree}`, '-o', file, '--cap-lints', 'allow'])
        if (tree === 'hir-tree') namesOf(file, told)
        else typedNamesOf(file, told)
      }
    return told.lines()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function targetsOf(metadata: string): Target[] {
  const { packages } = JSON.parse(metadata) as {
    packages: { name: string; targets: { name: string; kind: string[] }[] }[]
  }
  return packages.flatMap((one) =>
    one.targets.flatMap(({ name, kind }): Target[] => {
      if (kind.includes('bin')) return [{ package: one.name, flag: ['--bin', name] }]
      return kind.some((kind) => kind.endsWith('lib') || kind === 'proc-macro')
        ? [{ package: one.name, flag: ['--lib'] }]
        : []
    }),
  )
}

class Told {
  readonly #root: string
  readonly #files = new Map<string, readonly string[]>()
  /** What is told, by the symbol that it is told of. */
  readonly #lines = new Map<string, string>()
  readonly #defined = new Set<string>()
  /** What the crates have, wherever it comes from. */
  readonly #owned = new Set<string>()
  /** What implements a trait for a type, by both; nothing where several do, as for several types that the trait is given. */
  readonly implementations = new Map<string, string | undefined>()

  constructor(root: string) {
    this.#root = root
  }

  lines(): string {
    const isMade = (symbol: string): boolean => this.#owned.has(symbol) && !this.#defined.has(symbol)
    return [...this.#lines].flatMap(([line, symbol]) => (isMade(symbol) ? [] : line)).join('\n')
  }

  /** Of what a macro made it is not known where it stands, and nothing is told. */
  own(symbol: string): void {
    this.#owned.add(symbol)
  }

  isDefined(symbol: string): boolean {
    return this.#defined.has(symbol)
  }

  /** What stands there, on one line; nothing if it is not of this folder, or of more lines. */
  text({ file, line, col, endLine, endCol }: Place): string {
    return line === endLine ? [...this.#line(file, line)].slice(col - 1, endCol - 1).join('') : ''
  }

  define(name: string, place: Place, symbol: string): void {
    this.#defined.add(symbol)
    for (let line = place.line; line <= Math.min(place.endLine, place.line + 8); line += 1) {
      const from = line === place.line ? place.col - 1 : 0
      const text = [...this.#line(place.file, line)].slice(from).join('')
      const at = wordIn(text, name)
      if (at === -1) continue
      this.#tell(
        { ...place, line, endLine: line, col: from + at + 1, endCol: from + at + 1 + name.length },
        symbol,
        true,
      )
      return
    }
  }

  /** The names of a path, from the first on; of several lines none is told. */
  path(place: Place, names: readonly { readonly name: string; readonly symbol: string | undefined }[]): void {
    const text = this.text(place)
    let from = 0
    for (const { name, symbol } of names) {
      const at = wordIn(text, name, from)
      if (at === -1) continue
      from = behindTypes(text, at + name.length)
      if (symbol === undefined) continue
      const col = place.col + at
      this.#tell({ ...place, col, endCol: col + name.length }, symbol, false)
    }
  }

  /** The last name of what stands there, which may end in the types that it is given. */
  last(place: Place, symbol: string): void {
    this.#last(place, symbol, undefined)
  }

  /** The same, of a function: what operators and conversions call has no name there. */
  lastCalled(place: Place, symbol: string): void {
    this.#last(place, symbol, symbol.slice(symbol.lastIndexOf(':') + 1))
  }

  #last(place: Place, symbol: string, written: string | undefined): void {
    const text = this.text(place)
    let end = text.length
    if (text.endsWith('>')) {
      let depth = 0
      do {
        end -= 1
        if (text[end] === '>' && text[end - 1] !== '-') depth += 1
        if (text[end] === '<') depth -= 1
      } while (end > 0 && depth > 0)
      if (text.slice(0, end).endsWith('::')) end -= 2
    }
    const name = /[\p{L}_][\p{L}\p{N}_]*$/u.exec(text.slice(0, end))
    if (name === null || (written !== undefined && name[0] !== written)) return
    const col = place.col + name.index
    this.#tell({ ...place, col, endCol: col + name[0].length }, symbol, false)
  }

  #tell({ file, line, col, endCol }: Place, symbol: string, isDefinition: boolean): void {
    if (path.isAbsolute(file) || file.startsWith('..')) return
    const told = [file, line - 1, col - 1, endCol - 1, symbol, isDefinition ? 'definition' : 'use']
    this.#lines.set(told.join('\t'), symbol)
  }

  #line(file: string, line: number): string {
    let lines = this.#files.get(file)
    if (lines === undefined) {
      lines = path.isAbsolute(file) ? [] : readFileSync(path.join(this.#root, file), 'utf8').split('\n')
      this.#files.set(file, lines)
    }
    return lines[line - 1] ?? ''
  }
}

/** A part of the tree that is open: what it says of itself, read before what is in it. */
interface Part {
  readonly kind: string
  readonly indent: number
  place?: Place | undefined
  symbol?: string | undefined
  name?: string | undefined
  readonly segments: { readonly name: string; readonly symbol: string | undefined }[]
}

/** Where things are declared, and what the paths mean that need no types. */
function namesOf(file: string, told: Told): void {
  const open: Part[] = []
  let owner = ''
  let waiting: Part | undefined
  /** The trait and the type of an implementation, told in that order and each in the first path behind its name. */
  let head: string[] = []
  let isHead = false
  let isReference = false
  let part: Part | undefined
  for (const line of linesOf(file)) {
    const text = line.trimStart()
    const indent = line.length - text.length
    if (indent === 0) {
      const started = defined(text)
      if (started !== undefined && text.endsWith('=> OwnerNodes {')) {
        owner = started
        told.own(started)
        head = []
      }
    }
    const top = open.at(-1)
    const isOfImplementation = /\{impl#\d+\}$/.test(owner)
    if (
      isOfImplementation &&
      (text === 'trait_ref: TraitRef {' ? indent === 32 : text === 'self_ty: Ty {' && indent === 24)
    ) {
      isHead = text.startsWith('t') || head.length === 1
      isReference = false
    }
    if (isHead && text === 'kind: Ref(') isReference = true
    const kind = /^(?:\w+: )?(Path|PathSegment|Variant|FieldDef|Binding) ?[({]$/.exec(text)?.[1]
    if (kind !== undefined) {
      const opened: Part = { kind, indent, segments: [] }
      open.push(opened)
      if (isHead && kind === 'Path' && text.endsWith('{')) {
        part = opened
        isHead = false
      }
    } else if (top !== undefined && indent === top.indent && /^[})]/.test(text)) {
      if (top === part) {
        part = undefined
        head.push(`${isReference ? '&' : ''}${top.symbol ?? ''}`)
        const key = head.join(' ')
        if (head.length === 2) told.implementations.set(key, told.implementations.has(key) ? undefined : owner)
      }
      close(open, told)
    } else if (waiting !== undefined && /^(DefId|HirId)\(/.test(text)) {
      waiting.symbol = text.startsWith('HirId') ? `local ${text}` : defined(text)
      waiting = undefined
    } else if (top !== undefined && indent === top.indent + 4) {
      if (text.startsWith('span: ')) top.place = placeOf(text) ?? top.place
      else if (text.startsWith('ident: ')) top.name = /^ident: (?:r#)?(.+)#\d+,$/.exec(text)?.[1]
      else if (text.startsWith('def_id: ')) top.symbol = defined(text)
      else if (text === 'res: Def(' || text === 'res: Local(') waiting = top
    } else if (indent === 16 && text.startsWith('span: ')) {
      const place = placeOf(text)
      const name = /::(\w+)$/.exec(owner)?.[1]
      if (place !== undefined && name !== undefined) told.define(name, place, owner)
    }
  }
}

function close(open: Part[], told: Told): void {
  const part = open.pop()
  if (part === undefined) return
  const { kind, place, symbol, name, segments } = part
  if (kind === 'PathSegment') {
    if (name !== undefined) open.findLast((one) => one.kind === 'Path')?.segments.push({ name, symbol })
  } else if (kind === 'Path') {
    const last = segments.pop()
    if (place !== undefined && last !== undefined)
      told.path(place, [...segments, { name: last.name, symbol: symbol ?? last.symbol }])
  } else if (place !== undefined && symbol !== undefined && name !== undefined) told.define(name, place, symbol)
}

/** What the methods, fields and further names mean that need types. */
function typedNamesOf(file: string, told: Told): void {
  /** Of the expressions that a field is read of: where, and how far inside their type is told. */
  let read: { readonly place: Place; readonly indent: number } | undefined
  let place: Place | undefined
  let called: string | undefined
  let own = ''
  for (const line of linesOf(file)) {
    const text = line.trimStart()
    if (text === line && text.startsWith('DefId(')) own = /\w+\[\w+\]/.exec(text)?.[0] ?? own
    if (text.startsWith('ty: ')) {
      called = /^ty: FnDef\(/.test(text) ? implemented(text, own, told) : undefined
      const indent = line.length - text.length
      if (read !== undefined && indent > read.indent) {
        const type = /^ty: ([\w:]+)(?:<.*)?$/.exec(text)?.[1]
        const field = /\.\s*([A-Za-z_]\w*)$/.exec(told.text(read.place))?.[1]
        const symbol = `${own}::${type}::${field}`
        if (told.isDefined(symbol)) told.last(read.place, symbol)
        read = undefined
      }
    } else if (text.startsWith('span: ')) place = placeOf(text)
    else if (place === undefined) continue
    else if (text.startsWith('ZstLiteral(') && called !== undefined) told.lastCalled(place, called)
    else if (text === 'Field {') read = { place, indent: line.length - text.length }
    else if (text.startsWith('def_id: ')) {
      const constant = defined(text)
      if (constant !== undefined) told.last(place, constant)
    } else if (text.startsWith('did: ')) {
      const type = defined(text)
      const variant = /^Self::(\w+)/.exec(told.text(place))?.[1]
      if (type !== undefined && variant !== undefined)
        told.path(place, [
          { name: 'Self', symbol: undefined },
          { name: variant, symbol: `${type}::${variant}` },
        ])
    }
  }
}

/** The function of a type: of a trait that is implemented for a type of this crate, what implements it. */
function implemented(text: string, own: string, told: Told): string | undefined {
  const symbol = defined(text)
  const [, trait, method] = /^(.*)::(\w+)$/.exec(symbol ?? '') ?? []
  const [, reference, type] = /^ty: FnDef\(DefId\([^)]*\), \[(&'?[^ ]* (?:mut )?)?([\w:]+)/.exec(text) ?? []
  const key = `${trait} ${reference === undefined ? '' : '&'}${own}::${type}`
  const implementation = told.implementations.get(key)
  // Which of several it is stands in what the trait is given.
  if (implementation === undefined && told.implementations.has(key)) return undefined
  const found = `${implementation}::${method}`
  return told.isDefined(found) ? found : symbol
}

/** What makes objects of a type is told as the type. */
function defined(text: string): string | undefined {
  return /DefId\(\d+:\d+ ~ (\w+\[\w+\][^)]*?)(?:::\{constructor#0\})?\)/.exec(text)?.[1]
}

/** Nothing of what a macro made. */
function placeOf(text: string): Place | undefined {
  const found = /span: (.+?):(\d+):(\d+): (\d+):(\d+) \(#0\)/.exec(text)
  if (found === null) return undefined
  const [, file = '', line, col, endLine, endCol] = found
  return { file, line: Number(line), col: Number(col), endLine: Number(endLine), endCol: Number(endCol) }
}

function wordIn(text: string, name: string, from = 0): number {
  for (let at = text.indexOf(name, from); at !== -1; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + name.length] ?? '')) return at
  return -1
}

/** Behind the types that a name is given, if it is. */
function behindTypes(text: string, from: number): number {
  const start = /^\s*(?:::\s*)?</.exec(text.slice(from))
  if (start === null) return from
  let at = from + start[0].length
  for (let depth = 1; depth > 0 && at < text.length; at += 1) {
    if (text[at] === '<') depth += 1
    if (text[at] === '>' && text[at - 1] !== '-') depth -= 1
  }
  return at
}

/** Such a tree is longer than a text may be. */
function* linesOf(file: string): Generator<string> {
  const from = openSync(file, 'r')
  const decoder = new TextDecoder()
  const bytes = new Uint8Array(8 * 1024 * 1024)
  let rest = ''
  try {
    for (let count = readSync(from, bytes); count > 0; count = readSync(from, bytes)) {
      const lines = (rest + decoder.decode(bytes.subarray(0, count), { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    yield rest
  } finally {
    closeSync(from)
  }
}
