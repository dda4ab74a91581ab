/**
 * What follows an edit: the project's formatter before the owner sees the difference, and the language server's word after
 * it. Both are programs of the project or the machine that run in the sandbox, where they see the project and change nothing.
 * Without a sandbox there is neither.
 */
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import path from 'node:path'
import { readSmallFile } from '../../git/find-repository.ts'
import { LanguageClient } from '../adapters/language-client.ts'
import { type FormatterSpec, formattersOf } from '../core/formatter.ts'
import {
  type Diagnostic,
  type LanguageServerSpec,
  languageOf,
  languageServers,
  sayDiagnostics,
} from '../core/language-server.ts'
import {
  diagnosticsShownMax,
  formatMsMax,
  formatTextBytesMax,
  languageDiagnoseMsMax,
  languageIdleMs,
  languageRetryMs,
  languageServersMax,
  ruleFileBytesMax,
} from '../limits.ts'
import type { CodeSenses } from './code-senses.ts'
import { type FileChange, type Reach, reachOf } from './edit-reach.ts'
import type { CommandSandbox, Enclosure } from './sandbox.ts'
import { spawnEnclosed } from './spawn-enclosed.ts'
import type { ToolCall } from './tool-port.ts'
import type { Target } from './tools/tool-files.ts'

export interface EditCareDeps {
  readonly sandbox: Pick<CommandSandbox, 'unavailable' | 'look' | 'enclose'>
  readonly searchPath: string
  /** Absent where nobody keeps an index. */
  readonly senses?: CodeSenses | undefined
  readonly idleMs?: number
  readonly diagnoseMsMax?: number | undefined
}

export interface Formatted {
  readonly text: string
  /** The program that gave the text its form. */
  readonly by?: string
}

export interface Found {
  readonly text: string
  readonly structured: { readonly diagnostics?: readonly (Diagnostic & { readonly path: string })[] }
}

interface Kept {
  readonly client: Promise<LanguageClient | undefined>
  idle: ReturnType<typeof setTimeout> | undefined
  misses: number
}

const nothingFound: Found = { text: '', structured: {} }
/** One that is silent so often in a row is not waited for again. */
const missesMax = 2

export class EditCare {
  readonly #deps: EditCareDeps
  readonly #kept = new Map<string, Kept>()
  readonly #failedMs = new Map<string, number>()

  constructor(deps: EditCareDeps) {
    this.#deps = deps
  }

  get #waitMs(): number {
    return this.#deps.diagnoseMsMax ?? languageDiagnoseMsMax
  }

  /** The text as the project's formatter writes it. A file that was not in its form before is left to its own. */
  async format(call: ToolCall, target: Target, before: string | undefined, after: string): Promise<Formatted> {
    const asItIs = { text: after }
    if (!call.edits.formats || target.isOutside || Buffer.byteLength(after) > formatTextBytesMax) return asItIs
    const project = await realpath(call.directory)
    const chosen = await this.#formatterOf(project, target.full)
    if (chosen === undefined) return asItIs
    const run = (text: string) => this.#run(call, project, [chosen.file, ...chosen.spec.args(target.full)], text)
    if (before !== undefined && before !== '' && (await run(before)) !== before) return asItIs
    const text = await run(after)
    return text === undefined || text === after ? asItIs : { text, by: chosen.spec.program }
  }

  /** What relies on what the changes take or replace; asked before them. */
  reach(call: ToolCall, changes: readonly FileChange[]): Promise<Reach> {
    return reachOf(this.#deps.senses, call, changes)
  }

  /** What language servers say of files as they are now: errors and warnings, those of all files together. */
  async diagnose(call: ToolCall, files: readonly { readonly target: Target; readonly text: string }[]): Promise<Found> {
    if (!call.edits.diagnoses) return nothingFound
    const project = await realpath(call.directory)
    const texts: string[] = []
    const diagnostics: (Diagnostic & { readonly path: string })[] = []
    const deadline = AbortSignal.any([call.signal, AbortSignal.timeout(this.#waitMs)])
    for (const { target, text } of files) {
      const spec = languageServers.find((one) => languageOf(one, target.full) !== undefined)
      if (spec === undefined || target.isOutside) continue
      const found = await this.#ask(call, project, spec, target, text, deadline)
      if (found.length === 0) continue
      texts.push(sayDiagnostics(target.shown, found, diagnosticsShownMax))
      diagnostics.push(...found.slice(0, diagnosticsShownMax).map((one) => ({ path: target.shown, ...one })))
    }
    call.signal.throwIfAborted()
    return texts.length === 0
      ? nothingFound
      : { text: `\nThe language server says of it:\n${texts.join('\n')}`, structured: { diagnostics } }
  }

  async close(): Promise<void> {
    const kept = [...this.#kept.values()]
    this.#kept.clear()
    await Promise.all(kept.map((one) => this.#end(one)))
  }

  async #ask(
    call: ToolCall,
    project: string,
    spec: LanguageServerSpec,
    target: Target,
    text: string,
    signal: AbortSignal,
  ): Promise<readonly Diagnostic[]> {
    const key = `${spec.program}\0${project}`
    if (Date.now() - (this.#failedMs.get(key) ?? 0) < languageRetryMs) return []
    const kept = this.#kept.get(key) ?? this.#begin(call, project, spec, target, key)
    if (kept === undefined) return []
    clearTimeout(kept.idle)
    kept.idle = setTimeout(() => this.#drop(key), this.#deps.idleMs ?? languageIdleMs).unref()
    const silence = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    )
    const client = await Promise.race([kept.client.catch(() => undefined), silence])
    const language = languageOf(spec, target.full) ?? ''
    const found = await client?.diagnose({ full: target.full, language, text }, signal)
    if (found !== undefined) {
      kept.misses = 0
      return found
    }
    // An interrupt says nothing about the server.
    if (call.signal.aborted) return []
    kept.misses += 1
    if (client?.isOver === true || kept.misses >= missesMax) {
      this.#failedMs.set(key, Date.now())
      this.#drop(key)
    }
    return []
  }

  #begin(call: ToolCall, project: string, spec: LanguageServerSpec, target: Target, key: string): Kept | undefined {
    const program = this.#find(spec, project, target.full)
    if (program === undefined) return undefined
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= languageServersMax && oldest !== undefined) this.#drop(oldest)
    const kept: Kept = { client: this.#connect(call, project, [program, ...spec.args]), idle: undefined, misses: 0 }
    this.#kept.set(key, kept)
    kept.client.then(
      (client) => {
        if (client === undefined) this.#forget(key, kept)
      },
      () => this.#forget(key, kept),
    )
    return kept
  }

  #forget(key: string, kept: Kept): void {
    if (this.#kept.get(key) === kept) this.#kept.delete(key)
    clearTimeout(kept.idle)
    this.#failedMs.set(key, Date.now())
  }

  async #connect(call: ToolCall, project: string, words: readonly string[]): Promise<LanguageClient | undefined> {
    const enclosure = await this.#enclose({ ...call, sessionId: 'language' }, project)
    if (enclosure === undefined) return undefined
    const client = new LanguageClient(spawnEnclosed(enclosure.start, words, 'pipe'), project)
    await client.start(AbortSignal.timeout(this.#waitMs))
    return client
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key)
    this.#kept.delete(key)
    if (kept !== undefined) void this.#end(kept)
  }

  async #end(kept: Kept): Promise<void> {
    clearTimeout(kept.idle)
    const client = await kept.client.catch(() => undefined)
    client?.close()
  }

  async #enclose(call: ToolCall, project: string): Promise<Enclosure | undefined> {
    if ((await this.#deps.sandbox.unavailable(call)) !== undefined) return undefined
    const view = await this.#deps.sandbox.look(call, project)
    if (view.isCut) return undefined
    const nothing = { hosts: [], reads: [], writes: [] }
    return this.#deps.sandbox.enclose(call, project, project, nothing, view, { isLook: true })
  }

  async #formatterOf(project: string, full: string) {
    const specs = formattersOf(full)
    for (const folder of foldersUp(project, path.dirname(full))) {
      for (const spec of specs) {
        if (!isMarked(folder, spec)) continue
        const file = this.#find(spec, project, full)
        if (file !== undefined) return { spec, file }
      }
    }
    return undefined
  }

  /** In the project from the file's folder upwards, then on the machine. Nothing is fetched. */
  #find(
    { program, isPackage }: { readonly program: string; readonly isPackage: boolean },
    project: string,
    full: string,
  ): string | undefined {
    const ofProject = isPackage
      ? foldersUp(project, path.dirname(full)).map((folder) => path.join(folder, 'node_modules', '.bin', program))
      : []
    const ofMachine = this.#deps.searchPath
      .split(path.delimiter)
      .filter((folder) => path.isAbsolute(folder))
      .map((folder) => path.join(folder, program))
    return [...ofProject, ...ofMachine].find((file) => existsSync(file))
  }

  /** What it makes of a text; undefined where it fails, or takes too long. */
  async #run(call: ToolCall, project: string, words: readonly string[], text: string): Promise<string | undefined> {
    const enclosure = await this.#enclose(call, project)
    if (enclosure === undefined) return undefined
    const child = spawnEnclosed(enclosure.start, words, 'pipe')
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const chunks: Buffer[] = []
    let bytes = 0
    const stop = () => {
      child.kill('SIGKILL')
      resolve(undefined)
    }
    const timer = setTimeout(stop, formatMsMax)
    call.signal.addEventListener('abort', stop, { once: true })
    child.stdout?.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > 2 * formatTextBytesMax) stop()
      else chunks.push(chunk)
    })
    child.stderr?.resume()
    child.on('error', stop)
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined))
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(text)
    const answer = await promise
    clearTimeout(timer)
    call.signal.removeEventListener('abort', stop)
    return answer
  }
}

/** From the folder of a file up to that of the project. */
function foldersUp(project: string, from: string): string[] {
  const folders: string[] = []
  for (
    let folder = from;
    folder === project || folder.startsWith(`${project}${path.sep}`);
    folder = path.dirname(folder)
  ) {
    folders.push(folder)
    if (folder === project) break
  }
  return folders
}

function isMarked(folder: string, { marks }: FormatterSpec): boolean {
  return marks.some(({ file, within }) => {
    const full = path.join(folder, file)
    return within === undefined ? existsSync(full) : within.test(readSmallFile(full, ruleFileBytesMax) ?? '')
  })
}
