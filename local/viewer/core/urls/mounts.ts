/**
 * What stands before a URL because of where its router is put: `app.use('/api', books)`, `r.Group("/api")`, a block that
 * has a prefix. A router is known by the symbol it is, or by its name in the function that makes it.
 */
import type { GraphReader } from '../../../indexer/core/graph-reader.ts'
import type { NodeRow } from '../../../indexer/core/rows.ts'
import type { Framework, MountRule } from '../frameworks/framework.ts'
import { argumentsOf, type Chain, chainBefore, chainFrom } from './chains.ts'
import type { CodeFile, UrlBounds } from './code-file.ts'
import { endOfIndented, isHandedOut, isLocal, parameterPlace } from './function-text.ts'

export interface Prefix {
  readonly url: string
  /** False: something that is not known may stand before it. */
  readonly isWhole: boolean
}

/** A symbol by its number, a name within a function of a file, or a file. */
type Router = '' | `${number}` | `${number} ${number} ${string}`

/** A place whose router is asked for. */
interface Spot {
  readonly code: CodeFile
  readonly at: number
  /** Undefined: what is written there belongs to the file. */
  readonly chain: Chain | undefined
}

interface Mount extends Prefix {
  readonly below: Spot | Router
  /** In place of what the router puts before its URLs itself. */
  readonly replaces: boolean
}

/** A part of a file whose URLs have something before them. */
interface Block extends Mount {
  readonly from: number
  readonly to: number
  /** Only what is made on the spot inside is below it: whatever has a name is put where its name is. */
  readonly isForUnnamed: boolean
}

const nothingBefore: readonly Prefix[] = [{ url: '', isWhole: true }]
const notKnown: readonly Prefix[] = [{ url: '', isWhole: false }]
const functionKinds = new Set(['function', 'method', 'component'])
const routerKinds = new Set(['function', 'method', 'component', 'constant', 'variable', 'field', 'property', 'file'])

export class Mounts {
  readonly #reader: GraphReader
  readonly #bounds: UrlBounds
  readonly #codeOf: (file: number) => CodeFile | undefined
  readonly #mounts = new Map<Router, Mount[]>()
  readonly #own = new Map<Router, string>()
  readonly #blocks = new Map<CodeFile, Block[]>()
  /** Routers that serve nothing unless they are put somewhere. */
  readonly #parts = new Set<Router>()
  /** Routers that serve wherever they stand. */
  readonly #wholes = new Set<Router>()
  readonly #known = new Map<Router, readonly Prefix[]>()
  readonly #asked = new Map<CodeFile, number>()
  /** Not all that is put somewhere was taken in: then nothing is known to be whole. */
  #isCut = false

  constructor(reader: GraphReader, codeOf: (file: number) => CodeFile | undefined, bounds: UrlBounds) {
    this.#reader = reader
    this.#bounds = bounds
    this.#codeOf = codeOf
  }

  /** Takes in what a file puts where. All files come before the first question. */
  read(code: CodeFile, framework: Framework): void {
    const taken = new Set<number>()
    const rules = framework.mounts ?? []
    for (const rule of rules)
      for (const match of code.places(rule.pattern)) {
        if (taken.has(match.index) || !code.isCode(match.index + match[0].search(/\S/))) continue
        taken.add(match.index)
        if (taken.size > this.#bounds.routersPerFile) this.#isCut = true
        else this.#take(code, framework, rule, match)
      }
    for (const [made, routers] of [
      [framework.part, this.#parts],
      [framework.whole, this.#wholes],
    ] as const)
      for (const match of made === undefined ? [] : code.places(made)) {
        const { assigned } = chainFrom(code.text, match.index, match.index + match[0].length)
        if (assigned !== undefined) routers.add(this.#named(code, assigned, match.index))
      }
    if (framework.placed?.path.test(code.row.path) === true)
      this.#put(fileRouter(code), { below: '', url: framework.placed.url, isWhole: true, replaces: false })
  }

  /** What may stand before a URL that is given at a place; `handler` answers it. */
  before(
    code: CodeFile,
    framework: Framework,
    match: RegExpExecArray,
    handler: NodeRow | undefined,
  ): readonly Prefix[] {
    const asked = (this.#asked.get(code) ?? 0) + 1
    this.#asked.set(code, asked)
    if (this.#isCut || asked > this.#bounds.routersPerFile) return notKnown
    const isPutByName = framework.mountsHandlers === true && handler !== undefined
    if (isPutByName && this.#mounts.has(symbolRouter(handler.n))) return this.#of(symbolRouter(handler.n), 0)
    const spot = spotOf(code, match.index, match[0])
    return withChain(framework, spot, this.#at(spot, 0))
  }

  /** Whether what a call hangs on was seen to be a router. */
  isRouter(code: CodeFile, match: RegExpExecArray): boolean {
    const { chain } = spotOf(code, match.index, match[0])
    const name = chain?.head === '' ? chain.assigned : chain?.head
    if (chain === undefined || name === undefined) return false
    const router = this.#named(code, name, chain.start)
    return [this.#parts, this.#wholes, this.#mounts, this.#own].some((one) => one.has(router))
  }

  #take(code: CodeFile, framework: Framework, rule: MountRule, match: RegExpExecArray): void {
    const spot = spotOf(code, match.index, match[0])
    const chained = withChain(framework, spot, nothingBefore)[0]?.url ?? ''
    const url = joined(chained, match.groups?.['url'] ?? '')
    const isWhole = rule.isUnknown !== true
    const mount: Mount = {
      below: spot,
      url,
      isWhole,
      replaces: rule.replaces === true && match.groups?.['url'] !== undefined,
    }
    const open = match.index + match[0].indexOf('(')
    switch (rule.before) {
      case 'made': {
        const end = match.index + match[0].length
        const whole = spot.chain ?? chainFrom(code.text, match.index + match[0].search(/\S/), end)
        const { assigned } = whole
        if (assigned === undefined) return
        const made = this.#named(code, assigned, match.index)
        // What hangs on nothing is a router of its own, with something before its URLs wherever it is put.
        if (spot.chain === undefined || spot.chain.head === '') this.#own.set(made, url)
        else this.#put(made, mount)
        return
      }
      case 'handed': {
        const end = code.endOfCall(open, code.bounds.blockChars)
        this.#block(code, { ...mount, from: open, to: end, isForUnnamed: true })
        for (const child of this.#children(code, match, open, end)) this.#put(child, mount)
        return
      }
      case 'arguments': {
        const from =
          match.index + match[0].lastIndexOf('(', rule.opensLast === true ? undefined : match[0].indexOf('('))
        this.#block(code, { ...mount, from, to: code.endOfCall(from, code.bounds.blockChars), isForUnnamed: false })
        return
      }
      case 'block': {
        const from = match.index + match[0].search(/\S/)
        const to = endOfIndented(code, from)
        this.#block(code, { ...mount, below: { code, at: from, chain: undefined }, from, to, isForUnnamed: false })
      }
    }
  }

  #children(code: CodeFile, match: RegExpExecArray, open: number, end: number): Router[] {
    const { groups, indices } = match
    const module = groups?.['module']
    if (module !== undefined) return this.#files(module)
    const list = groups?.['child']
    const from = indices?.groups?.['child']?.[0]
    if (list !== undefined && from !== undefined)
      return argumentsOf(`(${list}`, 0, list.length + 1).flatMap(
        (one) => this.#child(code, one.text, from + one.at - 1) ?? [],
      )
    const last = argumentsOf(code.text, open, end).at(-1)
    return last === undefined ? [] : (this.#child(code, last.text, last.at) ?? [])
  }

  /** What a router that is handed on is: a name, what a function answers with, or a module. */
  #child(code: CodeFile, written: string, at: number): Router[] | undefined {
    const callee = /^&?\$?[\w$]+(?:(?:\.|::|->)[\w$]+)*/.exec(written)?.[0]
    if (callee === undefined) return undefined
    if (/^(require|import)$/.test(callee)) {
      const line = code.line(at)
      return code
        .symbols()
        .flatMap((one) => this.#reader.outgoing(one.n))
        .filter((edge) => edge.kind === 'imports' && edge.line === line)
        .map((edge) => symbolRouter(edge.target))
    }
    const first = callee.split(/\.|::|->/)[0] ?? callee
    const meant = this.#symbolAt(code, at, callee)
    return [meant === undefined ? this.#named(code, first.replace(/^&/, ''), at) : symbolRouter(meant)]
  }

  /** Files by a dotted name of a module, or by the end of their path. */
  #files(module: string): Router[] {
    const path = module.includes('/') ? module : module.replaceAll('.', '/')
    return this.#reader
      .files()
      .filter(({ path: one }) =>
        [path, `${path}.py`, `${path}/__init__.py`].some((end) => `/${one}`.endsWith(`/${end}`)),
      )
      .map((one) => symbolRouter(one.firstNode))
  }

  #block(code: CodeFile, block: Block): void {
    const known = this.#blocks.get(code)
    if (known === undefined) this.#blocks.set(code, [block])
    else known.push(block)
  }

  #put(child: Router, mount: Mount): void {
    const known = this.#mounts.get(child)
    if (known === undefined) this.#mounts.set(child, [mount])
    else if (known.length <= this.#bounds.mountsPerRouter) known.push(mount)
  }

  #at(spot: Spot, depth: number): readonly Prefix[] {
    if (depth > this.#bounds.mountDepth) return notKnown
    const { code, at, chain } = spot
    const isUnnamed = chain === undefined || (chain.head === '' && chain.assigned === undefined)
    const inside = (this.#blocks.get(code) ?? [])
      .filter((one) => one.from < at && at < one.to && (isUnnamed || !one.isForUnnamed))
      .sort((left, right) => right.from - left.from)[0]
    if (inside !== undefined) return this.#below(inside, depth + 1)
    if (chain === undefined) return this.#of(fileRouter(code), depth + 1)
    if (chain.head !== '') return this.#of(this.#named(code, chain.head, chain.start), depth + 1)
    if (chain.assigned !== undefined) return this.#of(this.#named(code, chain.assigned, chain.start), depth + 1)
    const around = code.around(code.line(at), functionKinds)
    return around === undefined ? nothingBefore : this.#of(symbolRouter(around.n), depth + 1)
  }

  #below(mount: Mount, depth: number): Prefix[] {
    const above = typeof mount.below === 'string' ? this.#of(mount.below, depth) : this.#at(mount.below, depth)
    return above.map(({ url, isWhole }) => ({ url: joined(url, mount.url), isWhole: isWhole && mount.isWhole }))
  }

  #of(router: Router, depth: number): readonly Prefix[] {
    if (router === '') return nothingBefore
    if (depth > this.#bounds.mountDepth) return notKnown
    const known = this.#known.get(router)
    if (known !== undefined) return known
    // Asked for again on the way to itself: a circle serves nothing that could be told.
    this.#known.set(router, notKnown)
    const own = this.#own.get(router) ?? ''
    const found = this.#putAt(router).flatMap((mount) =>
      this.#below(mount, depth + 1).map((one) => (mount.replaces ? one : { ...one, url: joined(one.url, own) })),
    )
    const alone: Prefix = { url: own, isWhole: !this.#parts.has(router) && !this.#isParameter(router) }
    // Put at more places than are told: others may stand before it as well.
    const isTold = found.length <= this.#bounds.mountsPerRouter
    const told = unique(found.slice(0, this.#bounds.mountsPerRouter)).map((one) =>
      isTold ? one : { ...one, isWhole: false },
    )
    const prefixes = found.length === 0 ? [alone] : told
    this.#known.set(router, prefixes)
    return prefixes
  }

  /** Where a router is put: by its name, by the module or the function that hands it out, or by who calls the function it is handed to. */
  #putAt(router: Router): readonly Mount[] {
    const direct = this.#mounts.get(router)
    if (direct !== undefined) return direct
    const plain = (below: Router): Mount => ({ below, url: '', isWhole: true, replaces: false })
    const local = localParts(router)
    if (local === undefined) {
      const n = Number(router)
      const file = this.#reader.graph.fileOfNode(n)
      return n === file.firstNode ? [] : (this.#mounts.get(symbolRouter(file.firstNode)) ?? [])
    }
    const code = this.#codeOf(local.file)
    if (code === undefined || local.around === 0) return []
    const around = this.#reader.node(local.around)
    const place = parameterPlace(code, around, local.name)
    if (place === undefined) return isHandedOut(code, around, local.name) ? [plain(symbolRouter(around.n))] : []
    const mounted = this.#mounts.get(symbolRouter(around.n))
    if (mounted !== undefined) return mounted
    return this.#reader
      .incoming(around.n)
      .filter((edge) => edge.kind === 'calls')
      .slice(0, this.#bounds.mountsPerRouter + 1)
      .flatMap((edge) => this.#handedTo(edge, around.name, place).map(plain))
  }

  #handedTo(edge: { source: number; line: number; col: number }, name: string, place: number): Router[] {
    const code = this.#codeOf(this.#reader.graph.fileOfNode(edge.source).n)
    if (code === undefined || code.row.isNonProduction) return []
    const open = code.text.indexOf('(', code.offset(edge.line, edge.col) + 1)
    if (open === -1 || !code.text.slice(code.offset(edge.line, edge.col), open).includes(name)) return []
    const given = argumentsOf(code.text, open, code.endOfCall(open))[place]
    return given === undefined ? [] : (this.#child(code, given.text, given.at) ?? [])
  }

  #isParameter(router: Router): boolean {
    const local = localParts(router)
    const code = local === undefined || local.around === 0 ? undefined : this.#codeOf(local.file)
    return (
      local !== undefined &&
      code !== undefined &&
      parameterPlace(code, this.#reader.node(local.around), local.name) !== undefined
    )
  }

  /** What a name means at a place: a symbol, or what the function around it calls by that name. */
  #named(code: CodeFile, written: string, at: number): Router {
    const name = written.replace(/^\$/, '')
    const line = code.line(at)
    const around = code.around(line, functionKinds)
    const isOwn = around !== undefined && isLocal(code, around, name)
    if (!isOwn) {
      const top = code
        .symbols()
        .find((one) => one.name === name && one.parent === code.row.firstNode && one.kind !== 'import')
      const meant = top?.n ?? this.#symbolAt(code, at, written)
      if (meant !== undefined) return symbolRouter(meant)
    }
    return `${code.row.n} ${around?.n ?? 0} ${name}`
  }

  #symbolAt(code: CodeFile, at: number, written: string): number | undefined {
    return code
      .namedBetween(at, at + written.length)
      .filter((edge) => routerKinds.has(this.#reader.graph.kindOf(edge.target)))
      .at(-1)?.target
  }
}

const symbolRouter = (n: number): Router => `${n}`
const fileRouter = (code: CodeFile): Router => symbolRouter(code.row.firstNode)

function localParts(router: Router): { file: number; around: number; name: string } | undefined {
  const [file, around, name] = router.split(' ')
  return name === undefined ? undefined : { file: Number(file), around: Number(around), name }
}

/** A place by what is written there: what the first call in it hangs on. */
function spotOf(code: CodeFile, index: number, written: string): Spot {
  const at = index + written.search(/\S/)
  const open = written.indexOf('(')
  const call = /(?:\?\.|->|\.)\s*\w+\s*(?:<[^>()]*>)?\s*$/.exec(open === -1 ? '' : written.slice(0, open))
  if (call === null) return { code, at, chain: undefined }
  return { code, at, chain: chainBefore(code.text, index + call.index, code.bounds.chainChars) }
}

/** With what calls on the way say: `r.Group("/a").GET("/b", …)`. */
function withChain(framework: Framework, { chain }: Spot, prefixes: readonly Prefix[]): readonly Prefix[] {
  const text = chain?.text ?? ''
  const urls = (framework.mounts ?? [])
    .filter((rule) => rule.before === 'made' && text !== '' && chain?.assigned === undefined)
    .flatMap((rule) => [...text.matchAll(rule.pattern)].map((match) => match.groups?.['url'] ?? ''))
  return urls.length === 0 ? prefixes : prefixes.map((one) => ({ ...one, url: urls.reduce(joined, one.url) }))
}

function joined(before: string, after: string): string {
  if (before === '' || after === '') return before + after
  return `${before.replace(/\/+$/, '')}/${after.replace(/^[/^]+/, '')}`
}

function unique(prefixes: readonly Prefix[]): Prefix[] {
  return [...new Map(prefixes.map((one) => [`${one.url} ${one.isWhole}`, one])).values()]
}
