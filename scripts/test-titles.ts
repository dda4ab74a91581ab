/** Reads which tests a file holds from its source, without running it. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** One title in the chain from the outermost group to the test itself. */
interface Segment {
  /** As it stands in the file, placeholders included. */
  readonly raw: string
  /** The fixed pieces between the placeholders; one piece when there is none. */
  readonly pieces: readonly string[]
}

export interface TestTitles {
  /** Whether a test of this name exists: the title, a row of a table, or either with the groups around it (` > `). */
  has(name: string): boolean
  /** Whether one of that name is among those that `npm test` runs, and not left to `npm run test:all`. */
  hasQuick(name: string): boolean
}

interface Chain {
  readonly segments: readonly Segment[]
  readonly isSlow: boolean
}

const rootNames = new Set(['test', 'it', 'describe', 'suite'])
const transparentModifiers = new Set(['concurrent', 'sequential', 'shuffle', 'each', 'for', 'skipIf', 'runIf', 'only'])
/** A test under one of these does not run, or passes by failing: it proves nothing. */
const silencingModifiers = new Set(['skip', 'todo', 'fails'])
/** Calls of these take a table or a condition; the call of their result takes the title. */
const curryingModifiers = new Set(['each', 'for', 'skipIf', 'runIf'])
const slowFile = /(?:\/\/|\*)\s*@module-tag\s+slow\b/
const placeholder = /%[sdifjoOc#$%]|\$(?:\d+|[A-Za-z_#][\w.]*)/g

/** The tests of a file and of the files of `test/` it imports, which may hold suites that several files run. */
export function testTitlesOf(root: string, file: string): TestTitles {
  const chains: Chain[] = []
  const literals = new Set<string>()
  const pending = [file]
  const seen = new Set<string>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    const text = readFileSync(path.join(root, next), 'utf8')
    const source = ts.createSourceFile(next, text, ts.ScriptTarget.Latest)
    collect(source, chains, literals)
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      const target = path.posix.join(path.posix.dirname(next), fileName)
      if (fileName.startsWith('.') && target.startsWith('test/') && existsSync(path.join(root, target)))
        pending.push(target)
    }
  }
  const anyLiteral = `(?:-?[\\d.]+|${[...literals].map(escapeForRegExp).join('|')})`
  const patterns = chains.flatMap(({ segments, isSlow }) =>
    segments.map((_, from) => {
      const parts = segments.slice(from)
      const raw = parts.map((part) => part.raw).join(' > ')
      const source = parts.map((part) => sourceOf(part, anyLiteral)).join(' > ')
      return { raw, isSlow, regExp: new RegExp(`^${source}$`, 'su') }
    }),
  )
  const named = (name: string) => patterns.filter(({ raw, regExp }) => raw === name || regExp.test(name))
  return { has: (name) => named(name).length > 0, hasQuick: (name) => named(name).some(({ isSlow }) => !isSlow) }
}

/** Without a word of its own a title would match every name; its placeholders then stand for texts of the file only. */
function sourceOf({ pieces }: Segment, anyLiteral: string): string {
  const filler = pieces.some((piece) => /\p{L}{2}/u.test(piece)) ? '.+' : anyLiteral
  return pieces.map(escapeForRegExp).join(filler)
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function collect(source: ts.SourceFile, chains: Chain[], literals: Set<string>): void {
  const isSlowFile = slowFile.test(source.text)
  function visit(node: ts.Node, groups: readonly Segment[], { isSilenced, isSlow }: State): void {
    if (ts.isStringLiteralLike(node) && node.text !== '') literals.add(node.text)
    const call = ts.isCallExpression(node) ? titledCall(node) : undefined
    if (call === undefined) {
      ts.forEachChild(node, (child) => visit(child, groups, { isSilenced, isSlow }))
      return
    }
    const chain = [...groups, call.segment]
    const state = { isSilenced: isSilenced || call.isSilenced, isSlow: isSlow || call.isSlow }
    if (call.isTest && !state.isSilenced) chains.push({ segments: chain, isSlow: state.isSlow })
    // The title itself is no text a placeholder may stand for.
    ts.forEachChild(call.node, (child) => {
      if (child !== call.node.arguments[0]) visit(child, call.isTest ? groups : chain, state)
    })
  }
  visit(source, [], { isSilenced: false, isSlow: isSlowFile })
}

/** What the groups around a test say of it. */
interface State {
  readonly isSilenced: boolean
  readonly isSlow: boolean
}

interface TitledCall {
  readonly node: ts.CallExpression
  readonly segment: Segment
  readonly isTest: boolean
  readonly isSilenced: boolean
  readonly isSlow: boolean
}

function titledCall(node: ts.CallExpression): TitledCall | undefined {
  const [title, body] = node.arguments
  if (title === undefined) return undefined
  const isTagged = ts.isTaggedTemplateExpression(node.expression)
  let callee: ts.Expression = node.expression
  let isCurried = ts.isCallExpression(callee) || isTagged
  let isSilenced = false
  while (!ts.isIdentifier(callee)) {
    if (ts.isCallExpression(callee)) callee = callee.expression
    else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag
    else if (ts.isPropertyAccessExpression(callee)) {
      const name = callee.name.text
      if (silencingModifiers.has(name)) isSilenced = true
      else if (!transparentModifiers.has(name)) return undefined
      if (curryingModifiers.has(name) && !isCurried) return undefined
      isCurried = ts.isCallExpression(callee.expression)
      callee = callee.expression
    } else return undefined
  }
  if (!rootNames.has(callee.text) || (body === undefined && !isSilenced)) return undefined
  const isTest = callee.text === 'test' || callee.text === 'it'
  return { node, segment: segmentOf(title), isTest, isSilenced, isSlow: isTaggedSlow(body) }
}

/** `{ tags: 'slow' }` between the title and the body. */
function isTaggedSlow(options: ts.Expression | undefined): boolean {
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return false
  return options.properties.some(
    (one) =>
      ts.isPropertyAssignment(one) &&
      ts.isIdentifier(one.name) &&
      one.name.text === 'tags' &&
      ts.isStringLiteral(one.initializer) &&
      one.initializer.text === 'slow',
  )
}

function segmentOf(title: ts.Expression): Segment {
  if (ts.isStringLiteralLike(title)) return { raw: title.text, pieces: title.text.split(placeholder) }
  if (!ts.isTemplateExpression(title)) return { raw: '', pieces: ['', ''] }
  const spans = title.templateSpans.map((span) => span.literal.text)
  return { raw: '', pieces: [title.head.text, ...spans].flatMap((piece) => piece.split(placeholder)) }
}
