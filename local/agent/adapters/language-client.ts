/**
 * One language server, spoken to over its standard input and output: the base protocol and as much of version 3.17 of the
 * Language Server Protocol as diagnostics of single files need.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { type StartedProgram, signalGroup } from '../../starter/started-program.ts'
import { type Diagnostic, readDiagnostics } from '../core/language-server.ts'
import { languageHeaderBytesMax, languageMessageBytesMax, languageOpenFilesMax, languageQuietMs } from '../limits.ts'

export interface LanguageFile {
  readonly full: string
  readonly language: string
  readonly text: string
}

interface Told {
  readonly diagnostics: readonly Diagnostic[]
  /** Of the text they are about, where the server says so. */
  readonly version: number | undefined
}

interface Waiting {
  resolve(result: unknown): void
  reject(cause: Error): void
}

const methodNotFound = -32_601

export class LanguageClient {
  readonly #child: StartedProgram
  readonly #root: string
  readonly #waiting = new Map<number, Waiting>()
  /** Open files, the one that was opened longest ago first, with the version of their text. */
  readonly #open = new Map<string, number>()
  readonly #told = new Map<string, Told>()
  #bell = Promise.withResolvers<void>()
  #rest: Buffer = Buffer.alloc(0)
  #ids = 0
  #versions = 0
  #pulls = false
  #isOver = false

  constructor(child: StartedProgram, root: string) {
    this.#child = child
    this.#root = root
    child.stdin?.on('error', () => this.#end())
    child.on('error', () => this.#end())
    child.on('exit', () => this.#end())
    child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk))
    // Of no use to anybody, and a pipe that nobody reads would stop it.
    child.stderr?.resume()
  }

  get isOver(): boolean {
    return this.#isOver
  }

  async start(signal: AbortSignal): Promise<void> {
    const uri = pathToFileURL(this.#root).href
    const result = await this.#request(
      'initialize',
      {
        processId: null,
        clientInfo: { name: 'svc' },
        rootUri: uri,
        rootPath: this.#root,
        workspaceFolders: [{ uri, name: 'project' }],
        capabilities: {
          workspace: { configuration: true, workspaceFolders: true },
          textDocument: {
            synchronization: { didSave: true },
            publishDiagnostics: { versionSupport: true },
            diagnostic: {},
          },
        },
      },
      signal,
    )
    const { capabilities } = (result ?? {}) as { readonly capabilities?: { readonly diagnosticProvider?: unknown } }
    this.#pulls = capabilities?.diagnosticProvider !== undefined && capabilities.diagnosticProvider !== null
    this.#notify('initialized', {})
  }

  /** What it says of a file as it is now; undefined where it has not said anything in time. */
  async diagnose(file: LanguageFile, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined> {
    const uri = pathToFileURL(file.full).href
    this.#versions += 1
    const version = this.#versions
    this.#told.delete(uri)
    if (this.#open.has(uri)) {
      this.#notify('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text: file.text }],
      })
    } else {
      this.#notify('textDocument/didOpen', {
        textDocument: { uri, languageId: file.language, version, text: file.text },
      })
    }
    this.#open.delete(uri)
    this.#open.set(uri, version)
    this.#closeOldest()
    // Some look at the whole project only then.
    this.#notify('textDocument/didSave', { textDocument: { uri } })
    return this.#pulls ? this.#pull(uri, signal) : this.#pushed(uri, version, signal)
  }

  close(): void {
    if (this.#isOver) return
    this.#request('shutdown', null, AbortSignal.timeout(languageQuietMs))
      .catch(() => undefined)
      .finally(() => {
        this.#notify('exit', null)
        this.#end()
      })
  }

  async #pull(uri: string, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined> {
    const report = await this.#request('textDocument/diagnostic', { textDocument: { uri } }, signal).catch(
      () => undefined,
    )
    const { kind, items } = (report ?? {}) as { readonly kind?: unknown; readonly items?: unknown }
    return kind === 'full' ? readDiagnostics(items) : undefined
  }

  /** Syntax is often told before types: what comes right after belongs to it. */
  async #pushed(uri: string, version: number, signal: AbortSignal): Promise<readonly Diagnostic[] | undefined> {
    const isTold = () => {
      const told = this.#told.get(uri)
      return told !== undefined && (told.version === undefined || told.version >= version)
    }
    const rung = (ms: number) => {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(ms)])
      return Promise.race([
        this.#bell.promise.then(() => true),
        sleep(ms + 1, false, { signal: stop }).catch(() => false),
      ])
    }
    while (!isTold() && !signal.aborted && !this.#isOver) await rung(waitStepMs)
    if (!isTold()) return undefined
    while (!signal.aborted && (await rung(languageQuietMs)));
    return this.#told.get(uri)?.diagnostics
  }

  #closeOldest(): void {
    while (this.#open.size > languageOpenFilesMax) {
      const [uri] = this.#open.keys()
      if (uri === undefined) return
      this.#open.delete(uri)
      this.#told.delete(uri)
      this.#notify('textDocument/didClose', { textDocument: { uri } })
    }
  }

  #request(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (this.#isOver) return Promise.reject(new Error('The language server has ended'))
    this.#ids += 1
    const id = this.#ids
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const leave = () => {
      this.#waiting.delete(id)
      this.#notify('$/cancelRequest', { id })
      reject(new Error('The language server did not answer in time'))
    }
    this.#waiting.set(id, { resolve, reject })
    signal.addEventListener('abort', leave, { once: true })
    this.#send({ id, method, params })
    if (signal.aborted) leave()
    return promise.finally(() => signal.removeEventListener('abort', leave))
  }

  #notify(method: string, params: unknown): void {
    this.#send({ method, params })
  }

  #send(message: object): void {
    if (this.#isOver || this.#child.stdin === null) return
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
    this.#child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`)
    this.#child.stdin.write(body)
  }

  #take(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      const headEnd = this.#rest.indexOf('\r\n\r\n')
      if (headEnd < 0) {
        if (this.#rest.length > languageHeaderBytesMax) this.#end()
        return
      }
      const length = Number(/^content-length: *(\d+)$/im.exec(this.#rest.toString('latin1', 0, headEnd))?.[1])
      if (!(length <= languageMessageBytesMax)) {
        this.#end()
        return
      }
      const bodyStart = headEnd + 4
      if (this.#rest.length < bodyStart + length) return
      const body = this.#rest.toString('utf8', bodyStart, bodyStart + length)
      this.#rest = this.#rest.subarray(bodyStart + length)
      this.#hear(body)
    }
  }

  #hear(body: string): void {
    let message: { id?: unknown; method?: unknown; params?: unknown; result?: unknown; error?: unknown }
    try {
      message = JSON.parse(body) ?? {}
    } catch {
      return
    }
    const { id, method, params } = message
    if (typeof method === 'string' && id !== undefined) this.#answer(id, method, params)
    else if (method === 'textDocument/publishDiagnostics') this.#published(params)
    else if (typeof id === 'number') {
      const waiting = this.#waiting.get(id)
      this.#waiting.delete(id)
      if (message.error === undefined) waiting?.resolve(message.result)
      else waiting?.reject(new Error('The language server refused'))
    }
  }

  /** What it may ask for: settings, of which there are none, and leave to tell more, which it has. */
  #answer(id: unknown, method: string, params: unknown): void {
    if (method === 'workspace/configuration') {
      const { items } = (params ?? {}) as { readonly items?: unknown }
      this.#send({ id, result: Array.isArray(items) ? items.map(() => null) : [] })
    } else if (method === 'workspace/workspaceFolders') {
      this.#send({ id, result: [{ uri: pathToFileURL(this.#root).href, name: 'project' }] })
    } else if (
      /^(?:client\/(?:un)?registerCapability|window\/workDoneProgress\/create|workspace\/\w+\/refresh)$/.test(method)
    ) {
      this.#send({ id, result: null })
    } else {
      this.#send({ id, error: { code: methodNotFound, message: 'Not supported' } })
    }
  }

  #published(params: unknown): void {
    const { uri, version, diagnostics } = (params ?? {}) as Record<string, unknown>
    if (typeof uri !== 'string') return
    // A server may write the address in another way than we do.
    const known = [...this.#open.keys()].find((one) => one === uri || decodeURIComponent(one) === safelyDecoded(uri))
    if (known === undefined) return
    this.#told.set(known, {
      diagnostics: readDiagnostics(diagnostics),
      version: typeof version === 'number' ? version : undefined,
    })
    this.#ring()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#rest = Buffer.alloc(0)
    for (const { reject } of this.#waiting.values()) reject(new Error('The language server has ended'))
    this.#waiting.clear()
    this.#child.stdin?.end()
    signalGroup(this.#child, 'SIGKILL')
    this.#ring()
  }

  #ring(): void {
    const { resolve } = this.#bell
    this.#bell = Promise.withResolvers()
    resolve()
  }
}

/** How long one wait for its word is at most, before it is looked whether it still runs. */
const waitStepMs = 5_000

function safelyDecoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}
