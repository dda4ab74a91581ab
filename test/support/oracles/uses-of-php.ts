/**
 * What each name in the PHP files of a folder means, by a language server that is started for it: a line of tabs each, columns in
 * UTF-16 units. A name that it gives several meanings, or one that is only written in a comment, is not told.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { filesBelow } from './files-below.ts'

interface Place {
  readonly line: number
  readonly character: number
}
interface Range {
  readonly start: Place
  readonly end: Place
}
interface Meant {
  readonly targetUri: string
  readonly targetSelectionRange?: Range
}

/** How many questions wait for an answer at once. */
const questionsAtOnce = 64

const [folder = '.'] = process.argv.slice(2)
const root = path.resolve(folder)
const kept = mkdtempSync(path.join(os.tmpdir(), 'wharf-truth-'))
const server = spawn('intelephense', ['--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })

const waiting = new Map<number, (result: unknown) => void>()
const indexed = Promise.withResolvers<void>()
let asked = 0
let heard = Buffer.alloc(0)

server.stdout.on('data', (part: Buffer) => {
  heard = Buffer.concat([heard, part])
  for (;;) {
    const head = heard.indexOf('\r\n\r\n')
    const length = Number(/Content-Length: (\d+)/i.exec(heard.toString('latin1', 0, Math.max(head, 0)))?.[1])
    if (head < 0 || heard.length < head + 4 + length) return
    const message = JSON.parse(heard.toString('utf8', head + 4, head + 4 + length)) as {
      id?: number
      method?: string
      result?: unknown
    }
    heard = heard.subarray(head + 4 + length)
    if (message.method === 'indexingEnded') indexed.resolve()
    else if (message.method === undefined) waiting.get(message.id ?? 0)?.(message.result)
    else if (message.id !== undefined) send({ id: message.id, result: null })
  }
})

function send(message: object): void {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

function ask(method: string, params: object): Promise<unknown> {
  asked += 1
  const { promise, resolve } = Promise.withResolvers<unknown>()
  waiting.set(asked, resolve)
  send({ id: asked, method, params })
  const id = asked
  return promise.finally(() => waiting.delete(id))
}

/** A comment or a string; what is outside of PHP's marks; what cannot hold a name is blank afterwards. */
const noCode =
  /^(?:(?!<\?(?:php|=))[\s\S])+|\?>(?:(?!<\?(?:php|=))[\s\S])*|\/\/(?:(?!\?>)[^\n])*|#(?!\[)(?:(?!\?>)[^\n])*|\/\*[\s\S]*?\*\/|'(?:[^'\\]|\\[\s\S])*'|<<<[ \t]*(['"]?)(\w+)\1\n[\s\S]*?\n\s*\2\b|"(?:[^"\\]|\\[\s\S])*"/g
const keywords = new Set(
  'abstract and array as bool break callable case catch class clone const continue declare default do echo else elseif empty enum extends final finally float fn for foreach function global if implements include include_once instanceof int interface isset iterable list match mixed namespace new null object or print private protected public readonly require require_once return static string switch this throw trait true false try unset use var void while xor yield'.split(
    ' ',
  ),
)

function codeOf(text: string): string {
  return text.replace(noCode, (found) => (/^["<]/.test(found) ? found : found.replace(/[^\n]/g, ' ')))
}

type Around = 'function' | 'type' | 'file'

/** What is around a place of the text, or has its head there: a variable in a function is not the file's, in a type it is a property. */
function aroundIn(text: string): (at: number) => Around {
  const code = text.replace(noCode, (found) => ' '.repeat(found.length))
  const changes: { readonly at: number; readonly around: Around }[] = [{ at: 0, around: 'file' }]
  const open: Around[] = []
  let head: Around = 'file'
  for (const { 0: sign, index: at } of code.matchAll(/(?<![$\w:>])(?:function|class|trait|interface|enum)\b|[{};]/gi)) {
    if (sign === '{') open.push(head)
    else if (sign === '}') open.pop()
    head = sign.length === 1 ? 'file' : /^f/i.test(sign) ? 'function' : 'type'
    changes.push({ at, around: head === 'file' ? (open.findLast((one) => one !== 'file') ?? 'file') : head })
  }
  let next = 0
  // Asked from the beginning of the text to its end.
  return (at) => {
    while ((changes[next + 1]?.at ?? Number.POSITIVE_INFINITY) <= at) next += 1
    return changes[next]?.around ?? 'file'
  }
}

/** A name and where its meaning is declared, by a place that says all three of file, line and column. */
interface Named {
  readonly file: string
  readonly line: number
  readonly col: number
  readonly name: string
  readonly isOwn: boolean
  readonly target: string
  /** Written as a member is: of an object without a sign before its name, or of a type. */
  readonly isMember: boolean
  readonly isInFunction: boolean
}
const all: Named[] = []
/** Places of variables that are a function's own: what it says is the file's, or takes from what is around it, is not. */
const local = new Set<string>()

async function readNames(file: string): Promise<void> {
  const uri = pathToFileURL(path.join(root, file)).href
  const text = readFileSync(path.join(root, file), 'utf8')
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'php', version: 1, text } } })
  const asking = new Set<Promise<void>>()
  const aroundAt = aroundIn(text)
  let start = 0
  for (const [line, code] of codeOf(text).split('\n').entries()) {
    for (const { 0: name, index: col } of code.matchAll(/\$?[\p{L}_][\p{L}\p{N}_]*(?!\\|[\p{L}\p{N}_])/gu)) {
      if (keywords.has(name.toLowerCase().replace('$', ''))) continue
      const around = aroundAt(start + col)
      const isMember = !name.startsWith('$') || code.slice(0, col).endsWith('::')
      // Of a file's own variables nothing is told.
      if (!isMember && around === 'file') continue
      const isInFunction = around === 'function'
      if (isInFunction && !/\b(?:global\s|use\s*\()[^;)]*$/i.test(code.slice(0, col)))
        local.add(`${file}:${line}:${col}`)
      const one = readName(uri, { file, line, col, name, isMember, isInFunction }).finally(() => asking.delete(one))
      asking.add(one)
      if (asking.size >= questionsAtOnce) await Promise.race(asking)
    }
    start += code.length + 1
  }
  await Promise.all(asking)
  send({ method: 'textDocument/didClose', params: { textDocument: { uri } } })
}

async function readName(uri: string, named: Omit<Named, 'isOwn' | 'target'>): Promise<void> {
  const { file, line, col, name } = named
  const position = { line, character: col + (name.startsWith('$') ? 1 : 0) }
  const found = (await ask('textDocument/definition', { textDocument: { uri }, position })) as
    | readonly Meant[]
    | object
    | null
  // Of a path that is included the file is told, and no name in it.
  const [one, ...others] = Array.isArray(found) ? (found as readonly Meant[]) : []
  if (one?.targetSelectionRange === undefined || others.length > 0) return
  const { start } = one.targetSelectionRange
  const declaring = path.relative(root, fileURLToPath(one.targetUri))
  const isOwn = declaring === file && start.line === line && start.character === col
  all.push({ ...named, isOwn, target: `${declaring}:${start.line}:${start.character}` })
}

function* tell(): Generator<string> {
  const declared = new Map(all.flatMap((one) => (one.isOwn ? [[one.target, one.name] as const] : [])))
  const members = new Set(all.flatMap((one) => (one.isMember ? [one.target] : [])))
  for (const { file, line, col, name, target, isOwn, isInFunction } of all) {
    const sign = name.startsWith('$') ? 1 : 0
    const isMember = members.has(target)
    // A variable of a function is used there, and is nothing that others could name.
    if (!isMember && (isOwn || !isInFunction || !local.has(target))) continue
    // What is declared in a comment is in no place of the code; what the server brings itself is outside.
    if (isMember && !declared.has(target) && !target.startsWith('..')) continue
    const from = isMember ? col + sign : col
    const written = declared.get(target) ?? name
    const symbol = `${target}:${isMember ? written.replace('$', '') : written}`
    yield [file, line, from, col + name.length, symbol, isOwn ? 'definition' : 'use'].join('\t')
  }
}

try {
  const uri = pathToFileURL(root).href
  await ask('initialize', {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: 'judged' }],
    capabilities: { textDocument: { definition: { linkSupport: true } } },
    initializationOptions: { storagePath: kept, globalStoragePath: kept, clearCache: true },
  })
  send({ method: 'initialized', params: {} })
  await indexed.promise
  for (const file of filesBelow(root, /\.php$/)) await readNames(file)
  for (const line of tell()) process.stdout.write(`${line}\n`)
} finally {
  server.kill()
  rmSync(kept, { recursive: true, force: true })
}
