/**
 * Changes of functions, and what the index says of them before and after, beside what TypeScript's language service says of
 * the same functions: every use that it finds, each told by what its own definition is.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { innermost } from '../../local/indexer/core/change-reach.ts'
import type { CodeGraph } from '../../local/indexer/core/code-graph.ts'
import { indexPlace } from '../../local/indexer/store/index-folder.ts'
import { syncIndex } from '../../local/indexer/sync.ts'
import { composeReview, composeSenses } from '../../local/viewer/compose.ts'
import { review } from '../../local/viewer/review.ts'
import { seededRandom } from '../long/seeded-random.ts'
import { plainOptions } from './compiler-oracle.ts'
import { commitAll } from './git-in-test.ts'
import { unwrap } from './unwrap.ts'

/** What is said of changes, beside what is so. */
export interface Told {
  /** Calls that the compiler knows to be of the changed function. */
  callers: number
  readonly missed: string[]
  /** Lines shown as certain that the compiler knows to be something else. */
  readonly wrong: string[]
  shown: number
}

export interface SensesVerdict {
  readonly changes: number
  /** What is shown before an edit. */
  readonly before: Told
  /** Calls by way of what the function overrides or implements, of which none is certain, and how many of them are shown. */
  readonly possible: { callers: number; shown: number }
  /** What a review says of the edit. */
  readonly review: Told
}

/** More callers than an answer has room for are another matter. */
const callersMax = 60

export async function judgeSenses(
  root: string,
  changes: number,
  seed: number,
  isChanged: (file: string) => boolean = () => true,
): Promise<SensesVerdict> {
  const place = indexPlace(root, undefined)
  const sync = async (isFull: boolean): Promise<void> => {
    const built = await syncIndex({ place, isFull, nowMs: Date.now(), version: 'oracle' })
    if (built.kind !== 'done') throw new Error(built.kind)
  }
  commitAll(root)
  await sync(true)
  const compiler = new Compiler(root)
  const senses = composeSenses(() => place, undefined)
  const verdict: SensesVerdict = {
    changes,
    before: { callers: 0, missed: [], wrong: [], shown: 0 },
    possible: { callers: 0, shown: 0 },
    review: { callers: 0, missed: [], wrong: [], shown: 0 },
  }
  let changed = 0
  for (const one of shuffled(
    compiler.functions.filter(({ file }) => isChanged(file)),
    seededRandom(seed),
  )) {
    if (changed === changes) break
    const uses = compiler.usesOf(one)
    if (uses.certain.size === 0 || uses.certain.size > callersMax) continue
    changed += 1
    const about = `${one.file}:${one.line} ${one.name}`
    const asked = { file: one.file, lines: String(one.bodyLine), budget: 20_000 }
    const answer = await senses.ask('relies', asked, new AbortController().signal)
    if (answer.isError) throw new Error(`${about}: ${answer.text}`)
    tell(verdict.before, about, uses, placesIn(answer.text, 'Certain callers'))
    const possible = placesIn(answer.text, 'Possible callers')
    verdict.possible.callers += uses.possible.size
    verdict.possible.shown += [...uses.possible].filter((site) => possible.has(site)).length

    const file = path.join(root, one.file)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text.slice(0, one.bodyStart)} void 0;${text.slice(one.bodyStart)}`)
    await sync(false)
    const ports = composeReview(place, undefined, root)
    const { affected } = unwrap(review(ports, 'HEAD'))
    const sure = affected.items.filter((item) => item.isCertain)
    const places = (items: typeof sure): Set<string> => new Set(items.map((item) => `${item.file}:${item.line}`))
    const { own, certain, all } = unwrap(
      ports.index.use(({ reader: { graph } }) => ({
        own: holdersOf(graph, new Set([`${one.file}:${one.bodyLine}`])),
        certain: holdersOf(graph, uses.certain),
        // What is inside a function is a part of its text.
        all: new Set([...holdersOf(graph, uses.all), ...functionsAround(graph, one)]),
      })),
    )
    const held = { certain: new Set([...certain].filter((site) => !own.has(site))), all }
    tell(verdict.review, about, held, places(sure), places(sure.filter((item) => item.steps === 1)))
    writeFileSync(file, text)
    await sync(false)
  }
  if (changed < changes) throw new Error(`only ${changed} functions are called from what the compiler knows`)
  return verdict
}

/** The declarations around some lines, each by the line it begins in. */
function holdersOf(graph: CodeGraph, sites: ReadonlySet<string>): Set<string> {
  return new Set(
    [...sites].flatMap((site) => {
      const [, path = '', line = ''] = /^(.*):(\d+)$/.exec(site) ?? []
      const file = graph.fileByPath(path)
      if (file === undefined) return []
      const holder = innermost(graph, file)[Number(line)] ?? file.firstNode
      return [`${path}:${graph.nodes.line[holder] ?? 1}`]
    }),
  )
}

function functionsAround(graph: CodeGraph, { file: path, bodyLine }: ChangedFunction): string[] {
  const file = graph.fileByPath(path)
  if (file === undefined) return []
  const around: string[] = []
  for (let n = innermost(graph, file)[bodyLine] ?? 0; n > file.firstNode; n = graph.parentOf(n))
    around.push(`${path}:${graph.nodes.line[n] ?? 1}`)
  return around
}

interface Uses {
  /** `file:line` of each call whose own definition is the function. */
  readonly certain: ReadonlySet<string>
  /** Of calls that the compiler connects with it by way of what it overrides or implements. */
  readonly possible: ReadonlySet<string>
  /** Of everything that names it. */
  readonly all: ReadonlySet<string>
}

function tell(
  told: Told,
  about: string,
  uses: Pick<Uses, 'certain' | 'all'>,
  shown: ReadonlySet<string>,
  direct = shown,
): void {
  told.callers += uses.certain.size
  told.shown += direct.size
  for (const site of uses.certain) if (!shown.has(site)) told.missed.push(`${about} <- ${site}`)
  for (const site of direct) if (!uses.all.has(site)) told.wrong.push(`${about} <- ${site}`)
}

/** `file:line` of the rows below one heading. */
function placesIn(text: string, heading: string): Set<string> {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`${heading} (`))
  const places = new Set<string>()
  if (from === -1) return places
  for (const line of lines.slice(from + 1)) {
    const [, place] = /^ {2}(\S+:\d+) {2}/.exec(line) ?? []
    if (place === undefined) break
    places.add(place)
  }
  return places
}

interface ChangedFunction {
  readonly file: string
  readonly name: string
  readonly line: number
  /** Where its name stands, what the language service is asked about. */
  readonly nameStart: number
  /** Where it is edited. */
  readonly bodyStart: number
  readonly bodyLine: number
}

class Compiler {
  readonly #root: string
  readonly #service: ts.LanguageService
  readonly #program: ts.Program
  readonly functions: readonly ChangedFunction[]

  constructor(root: string) {
    this.#root = root
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/(^|\/)(node_modules|\.\w+)\//.test(file))
      .map((file) => path.join(root, file))
      .sort()
    // Positions are those before any edit, and an edit is taken back before the next.
    const texts = new Map(names.map((file) => [file, ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8'))]))
    const { sys } = ts
    this.#service = ts.createLanguageService({
      getScriptFileNames: () => names,
      getScriptVersion: () => '1',
      getScriptSnapshot: (file) =>
        texts.get(file) ?? (sys.fileExists(file) ? ts.ScriptSnapshot.fromString(sys.readFile(file) ?? '') : undefined),
      getCurrentDirectory: () => root,
      getCompilationSettings: () => ({ ...plainOptions, jsx: ts.JsxEmit.Preserve }),
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: sys.fileExists,
      readFile: sys.readFile,
      readDirectory: sys.readDirectory,
      directoryExists: sys.directoryExists,
      getDirectories: sys.getDirectories,
      ...(sys.realpath === undefined ? {} : { realpath: sys.realpath }),
    })
    const program = this.#service.getProgram()
    if (program === undefined) throw new Error('the language service has no program')
    this.#program = program
    this.functions = names.flatMap((file) => this.#functionsIn(file))
  }

  usesOf({ file, nameStart }: ChangedFunction): Uses {
    const certain = new Set<string>()
    const possible = new Set<string>()
    const all = new Set<string>()
    const whole = path.join(this.#root, file)
    const found = this.#service.findReferences(whole, nameStart)?.flatMap((one) => one.references) ?? []
    for (const one of found) {
      const source = this.#program.getSourceFile(one.fileName)
      const own = path.relative(this.#root, one.fileName)
      if (source === undefined || own.startsWith('..') || own.startsWith('node_modules')) continue
      const site = `${own}:${source.getLineAndCharacterOfPosition(one.textSpan.start).line + 1}`
      all.add(site)
      const called = callOf(source, one.textSpan.start)
      if (called === undefined) continue
      const definitions = this.#service.getDefinitionAtPosition(one.fileName, one.textSpan.start) ?? []
      const isOurs = definitions.some((at) => at.fileName === whole && at.textSpan.start === nameStart)
      ;(isOurs ? certain : possible).add(site)
    }
    return { certain, possible, all }
  }

  #functionsIn(file: string): ChangedFunction[] {
    const source = this.#program.getSourceFile(file)
    const found: ChangedFunction[] = []
    if (source === undefined) return found
    const own = path.relative(this.#root, file)
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit)
      const name = nameOf(node)
      const body = bodyOf(node)
      if (name === undefined || body === undefined || body.statements.length === 0) return
      const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line + 1
      const bodyStart = body.getStart(source) + 1
      found.push({
        ...{ file: own, name: name.text, line: lineOf(node.getStart(source)), nameStart: name.getStart(source) },
        ...{ bodyStart, bodyLine: lineOf(bodyStart) },
      })
    }
    visit(source)
    return found
  }
}

function nameOf(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | undefined {
  if (!ts.isFunctionDeclaration(node) && !ts.isMethodDeclaration(node) && !isFunctionInName(node)) return undefined
  return node.name !== undefined && ts.isMemberName(node.name) ? node.name : undefined
}

function isFunctionInName(node: ts.Node): node is ts.VariableDeclaration & { initializer: ts.ArrowFunction } {
  return ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isArrowFunction(node.initializer)
}

function bodyOf(node: ts.Node): ts.Block | undefined {
  const body = isFunctionInName(node)
    ? node.initializer.body
    : ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)
      ? node.body
      : undefined
  return body !== undefined && ts.isBlock(body) ? body : undefined
}

/** The call or `new` of which the name at a position is what is called. */
function callOf(source: ts.SourceFile, at: number): ts.Node | undefined {
  let node: ts.Node = source
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(node, (one) =>
      one.getStart(source) <= at && at < one.getEnd() ? one : undefined,
    )
    if (inner === undefined) break
    node = inner
  }
  const named = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node ? node.parent : node
  const { parent } = named
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === named ? parent : undefined
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const rest = [...list]
  for (let at = rest.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    const [one, two] = [rest[at], rest[other]]
    if (one !== undefined && two !== undefined) [rest[at], rest[other]] = [two, one]
  }
  return rest
}
