/** Tools of servers that the user's own configuration names: reached when a step needs them, left when nobody does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ToolServerConfiguration } from '../contract/configuration.ts'
import { type CommandLine, splitWords } from '../core/command-text.ts'
import { isPageOpened, pageQuestion, questionsOf, readForm, sayWanted, valuesOf } from '../core/elicitation.ts'
import { present } from '../core/fields.ts'
import { openablePageOf } from '../core/openable-page.ts'
import type { JsonObject } from '../core/session/message.ts'
import { sayToolServerFault, type ToolServerFault } from '../core/tool-server-fault.ts'
import type { ToolServerStatus } from '../core/vocabulary.ts'
import {
  formRoundsMax,
  pageAddressCharactersMax,
  progressBytesMax,
  questionCharactersMax,
  questionOptionsMax,
  questionsMax,
  resourcesShownMax,
  resourceUriCharactersMax,
  toolNameCharactersMax,
  toolServerPromptsMax,
  toolServerPromptsMs,
  toolServerToolsMax,
} from '../limits.ts'
import { declareTool, type Tool, type ToolCall, toolProblem } from './tool-port.ts'
import type { OutputKeeper } from './tools/output-keeper.ts'

export interface RemoteTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly parameters: JsonObject
}

export type RemoteContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mime: string; readonly data: string }

export interface RemoteResult {
  readonly content: readonly RemoteContent[]
  readonly isError: boolean
}

/** Something to read that a server has beside its tools. */
interface RemoteResource {
  readonly uri: string
  readonly name: string
  readonly description: string
}

export interface RemotePrompt {
  readonly name: string
  readonly description: string
  readonly arguments: readonly { readonly name: string; readonly isRequired: boolean }[]
}

/** What the owner did with a form of a server. */
export type FormOutcome =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' | 'cancel' }

/** What he did with a page that a server wants opened. */
export type PageOutcome = FormOutcome['action']

/** A failure of a tool server in words that can be shown. */
export class ToolServerProblem extends Error {
  override readonly name = 'ToolServerProblem'
  readonly fault: ToolServerFault

  constructor(fault: ToolServerFault, options?: ErrorOptions) {
    super(sayToolServerFault(fault), options)
    this.fault = fault
  }

  /** The owner can mend it by signing in. */
  get needsSignIn(): boolean {
    return this.fault.kind === 'asks_sign_in' || this.fault.kind === 'asks_more'
  }
}

/** Why a server has no tools now. */
interface Unusable {
  readonly message: string
  /** Left out where the failure is not the server's. */
  readonly fault?: ToolServerFault
  readonly needsSignIn: boolean
}

/** How a server of the configuration is, as a list of them shows it. */
export interface ToolServerState {
  readonly name: string
  readonly type: ToolServerConfiguration['type']
  readonly status: ToolServerStatus
  readonly tools: number
  /** Why it cannot be used. */
  readonly message?: string
  readonly fault?: ToolServerFault
}

/** Fails with messages that can be shown. */
export interface ToolServerPort {
  tools(): Promise<readonly RemoteTool[]>
  /** `onProgress` is told how far a long call is, in the server's words. */
  call(
    name: string,
    input: JsonObject,
    signal: AbortSignal,
    onProgress: (text: string) => void,
    isAsking: () => boolean,
  ): Promise<RemoteResult>
  /** None where the server has no prompts. */
  prompts(): Promise<readonly RemotePrompt[]>
  /** The text of one, as a prompt of the owner. */
  prompt(name: string, given: Readonly<Record<string, string>>): Promise<string>
  readonly hasResources: boolean
  resources(signal: AbortSignal): Promise<readonly RemoteResource[]>
  resource(uri: string, signal: AbortSignal): Promise<RemoteResult>
  readonly isOpen: boolean
  close(): void
}

export interface ToolServerDeps {
  readonly connect: (
    configuration: ToolServerConfiguration,
    directory: string,
    told: {
      readonly onToolsChanged: () => void
      readonly onPromptsChanged: () => void
      readonly onForm: (message: string, schema: unknown) => Promise<FormOutcome>
      readonly onPage: (message: string, address: string) => Promise<PageOutcome>
    },
    name: string,
  ) => Promise<ToolServerPort>
  readonly keeper: OutputKeeper
  readonly idleMs: number
  readonly retryMs: number
  readonly onFault: (name: string, cause: unknown) => void
  readonly onToolsChanged: (name: string) => void
}

/** What a step is offered, and which servers it has to do without. */
export interface OfferedTools {
  readonly tools: readonly Tool[]
  readonly problems: readonly { readonly server: string; readonly message: string }[]
}

interface Entry {
  readonly key: string
  readonly name: string
  readonly configuration: ToolServerConfiguration
  readonly directory: string
}

interface Running {
  readonly name: string
  readonly port: Promise<ToolServerPort>
  tools: Promise<readonly Tool[]>
  /** Asked for when somebody wants them. */
  prompts: Promise<readonly RemotePrompt[]> | undefined
  /** Calls that wait for it, and those of them in which the owner is asked. */
  readonly active: Set<ToolCall>
  asking: number
  calls: number
  idle: ReturnType<typeof setTimeout> | undefined
}

export class ToolServers {
  readonly #deps: ToolServerDeps
  readonly #running = new Map<string, Running>()
  /** Servers that failed a moment ago: a step does not wait for them again and again. */
  readonly #failed = new Map<string, Unusable & { readonly untilMs: number; readonly name: string }>()
  #isClosed = false

  constructor(deps: ToolServerDeps) {
    this.#deps = deps
  }

  /** Tools of every server that can be reached, named `<server>_<tool>`. One that cannot be is named with its reason. */
  async tools(servers: Readonly<Record<string, ToolServerConfiguration>>, directory: string): Promise<OfferedTools> {
    const problems: { server: string; message: string }[] = []
    const lists = await Promise.all(
      Object.entries(servers).map(async ([name, configuration]) => {
        if (configuration.enabled === false) return []
        const entry = entryOf(name, configuration, directory)
        const listed = await this.#toolsOf(entry)
        if (listed.ok) return listed.value
        problems.push({ server: name, message: listed.failure.message })
        return []
      }),
    )
    return { tools: lists.flat(), problems }
  }

  /** Every server of the configuration, reached as a step would. One that takes its time is said to start. */
  states(
    servers: Readonly<Record<string, ToolServerConfiguration>>,
    directory: string,
  ): Promise<readonly ToolServerState[]> {
    return Promise.all(
      Object.entries(servers).map(async ([name, configuration]) => {
        const { type } = configuration
        if (configuration.enabled === false) return { name, type, status: 'off' as const, tools: 0 }
        const late = sleep(toolServerPromptsMs, undefined, { ref: false })
        const listed = await Promise.race([this.#toolsOf(entryOf(name, configuration, directory)), late])
        if (listed === undefined) return { name, type, status: 'starting' as const, tools: 0 }
        if (listed.ok) return { name, type, status: 'ready' as const, tools: listed.value.length }
        const { needsSignIn, message, fault } = listed.failure
        const status = needsSignIn ? ('needs_auth' as const) : ('failed' as const)
        return { name, type, status, tools: 0, message, ...present({ fault }) }
      }),
    )
  }

  /** What failed a moment ago is tried again by whoever needs it, and what runs begins anew. */
  forget(name: string): void {
    for (const [key, failed] of this.#failed) if (failed.name === name) this.#failed.delete(key)
    for (const [key, running] of [...this.#running]) if (running.name === name && running.calls === 0) this.#end(key)
    this.#deps.onToolsChanged(name)
  }

  /** The tools of one, or why there are none: one that failed a moment ago is not waited for again. */
  async #toolsOf(entry: Entry): Promise<Result<readonly Tool[], Unusable>> {
    const failed = this.#failed.get(entry.key)
    if (failed !== undefined && performance.now() < failed.untilMs) return failWith(failed)
    try {
      const tools = await (await this.#serve(entry)).tools
      this.#failed.delete(entry.key)
      return succeed(tools)
    } catch (cause) {
      const { name } = entry
      const message = cause instanceof Error ? cause.message : 'The tool server failed'
      const { fault, needsSignIn = false } = cause instanceof ToolServerProblem ? cause : {}
      const untilMs = performance.now() + this.#deps.retryMs
      const problem = { untilMs, message, name, needsSignIn, ...present({ fault }) }
      this.#deps.onFault(name, cause)
      this.#failed.set(entry.key, problem)
      return failWith(problem)
    }
  }

  /** Prompts of servers as commands, `<server>_<prompt>`. Those of servers that are slow to come are there the next time. */
  async commands(
    servers: Readonly<Record<string, ToolServerConfiguration>>,
    directory: string,
  ): Promise<readonly { readonly name: string; readonly description: string; readonly template: string }[]> {
    const lists = await Promise.all(
      Object.entries(servers).map(async ([name, configuration]) => {
        const late = sleep(toolServerPromptsMs, undefined, { ref: false })
        const known = await Promise.race([this.#prompts(name, configuration, directory), late])
        return (known ?? []).map((prompt) => ({
          name: offeredName(name, prompt.name),
          description: prompt.description,
          template: prompt.arguments.map((one) => `$${one.name}`).join(' '),
        }))
      }),
    )
    return lists.flat()
  }

  /** What a prompt that names one stands for; undefined where none is named so. Fails with words that can be shown. */
  async expand(
    servers: Readonly<Record<string, ToolServerConfiguration>>,
    directory: string,
    line: CommandLine,
  ): Promise<{ readonly text: string; readonly server: string } | undefined> {
    for (const [name, configuration] of Object.entries(servers)) {
      if (!line.name.startsWith(offeredName(name, ''))) continue
      const prompts = await this.#prompts(name, configuration, directory)
      const prompt = prompts.find((one) => offeredName(name, one.name) === line.name)
      if (prompt === undefined) continue
      const running = await this.#serve(entryOf(name, configuration, directory))
      const text = await (await running.port).prompt(prompt.name, argumentsOf(prompt, line.rest))
      return { text, server: name }
    }
    return undefined
  }

  async #prompts(
    name: string,
    configuration: ToolServerConfiguration,
    directory: string,
  ): Promise<readonly RemotePrompt[]> {
    if (configuration.enabled === false) return []
    try {
      const running = await this.#serve(entryOf(name, configuration, directory))
      running.prompts ??= running.port.then((port) => port.prompts())
      return (await running.prompts).slice(0, toolServerPromptsMax)
    } catch (cause) {
      this.#deps.onFault(name, cause)
      return []
    }
  }

  /** Only a call of one session can be what it asks for: nobody else is to answer. */
  #askerOf(entry: Entry): { readonly running: Running; readonly call: ToolCall } | undefined {
    const running = this.#running.get(entry.key)
    const [call, ...others] = running?.active ?? []
    return running === undefined || call === undefined || others.some((one) => one.sessionId !== call.sessionId)
      ? undefined
      : { running, call }
  }

  /** The owner opens it himself: nothing here asks the address, which is shown as it is. */
  async #askPage(entry: Entry, message: string, address: string): Promise<PageOutcome> {
    const asker = this.#askerOf(entry)
    if (asker === undefined) return 'cancel'
    const page = openablePageOf(address)
    if (page === undefined || address.length > pageAddressCharactersMax) return 'decline'
    asker.running.asking += 1
    try {
      const answers = await asker.call.answers([pageQuestion(entry.name, message, page, formBounds)])
      if (answers === undefined) return asker.call.signal.aborted ? 'cancel' : 'decline'
      return isPageOpened(answers) ? 'accept' : 'decline'
    } finally {
      asker.running.asking -= 1
    }
  }

  async #askForm(entry: Entry, message: string, schema: unknown): Promise<FormOutcome> {
    const asker = this.#askerOf(entry)
    if (asker === undefined) return { action: 'cancel' }
    const { running, call } = asker
    const fields = readForm(schema, formBounds)
    if (fields === undefined) return { action: 'decline' }
    running.asking += 1
    try {
      let note = ''
      for (let round = 0; round < formRoundsMax; round += 1) {
        const answers = await call.answers(questionsOf(entry.name, `${message}${note}`, fields, formBounds))
        if (answers === undefined) return { action: call.signal.aborted ? 'cancel' : 'decline' }
        const values = valuesOf(fields, answers)
        if (values.ok)
          return { action: 'accept', content: values.value as Record<string, string | number | boolean | string[]> }
        note = `\n(${sayWanted(values.failure)})`
      }
      return { action: 'cancel' }
    } finally {
      running.asking -= 1
    }
  }

  close(): void {
    this.#isClosed = true
    for (const key of [...this.#running.keys()]) this.#end(key)
  }

  /** The server of an entry, reached if it is not; one that went away is reached anew. */
  async #serve(entry: Entry): Promise<Running> {
    const known = this.#running.get(entry.key)
    if (known !== undefined) {
      const port = await known.port.catch(() => undefined)
      if (port?.isOpen === true && this.#running.get(entry.key) === known) {
        this.#touch(entry.key, known)
        return known
      }
      if (this.#running.get(entry.key) === known) this.#end(entry.key)
      return this.#serve(entry)
    }
    if (this.#isClosed) throw new Error('The server stops')
    const changed = () => {
      const running = this.#running.get(entry.key)
      if (running !== undefined) {
        running.tools = this.#list(entry, running.port)
        this.#endUnlessListed(entry.key, running)
      }
      this.#deps.onToolsChanged(entry.name)
    }
    const told = {
      onToolsChanged: changed,
      onPromptsChanged: () => {
        const running = this.#running.get(entry.key)
        if (running !== undefined) running.prompts = undefined
      },
      onForm: (message: string, schema: unknown) => this.#askForm(entry, message, schema),
      onPage: (message: string, address: string) => this.#askPage(entry, message, address),
    }
    const port = this.#deps.connect(entry.configuration, entry.directory, told, entry.name)
    const running: Running = {
      ...{ name: entry.name, port, tools: this.#list(entry, port), prompts: undefined },
      ...{ active: new Set<ToolCall>(), asking: 0, calls: 0, idle: undefined },
    }
    this.#running.set(entry.key, running)
    this.#endUnlessListed(entry.key, running)
    return running
  }

  /**
   * A server that still starts or lists is not idle. Whoever needs the tools is told why there are none, but nobody may
   * need them: then the failure ends here.
   */
  #endUnlessListed(key: string, running: Running): void {
    running.calls += 1
    const settle = () => {
      running.calls -= 1
      this.#touch(key, running)
    }
    running.tools.then(settle, () => {
      if (this.#running.get(key) === running) this.#end(key)
    })
  }

  /** Counts the idle time from now; a server that works is not idle. */
  #touch(key: string, running: Running): void {
    clearTimeout(running.idle)
    if (running.calls > 0 || this.#running.get(key) !== running) return
    running.idle = setTimeout(() => this.#end(key), this.#deps.idleMs)
    running.idle.unref()
  }

  #end(key: string): void {
    const running = this.#running.get(key)
    if (running === undefined) return
    clearTimeout(running.idle)
    this.#running.delete(key)
    running.port.then(
      (port) => port.close(),
      () => undefined,
    )
  }

  async #list(entry: Entry, port: Promise<ToolServerPort>): Promise<readonly Tool[]> {
    const names = new Set<string>()
    const server = await port
    const listed = await server.tools()
    const tools = listed.slice(0, toolServerToolsMax).flatMap((tool) => {
      const name = offeredName(entry.name, tool.name)
      if (names.has(name)) return []
      names.add(name)
      return [this.#declare(entry, name, tool)]
    })
    const name = offeredName(entry.name, 'resource')
    // A tool of the server's own by that name is the server's business.
    return server.hasResources && !names.has(name) ? [...tools, this.#declareResources(entry, name)] : tools
  }

  #declareResources(entry: Entry, name: string): Tool {
    return declareTool({
      name,
      description: `Reads a resource of ${entry.name} by its uri. Without one it lists them.`,
      input: z.object({ uri: z.string().min(1).max(resourceUriCharactersMax).optional() }),
      isReadOnly: true,
      isForeign: true,
      run: async ({ uri }, call) => {
        const permitted = await call.permit({ action: name, resources: [{ text: uri ?? '*' }], save: ['*'] })
        if (!permitted.ok) return permitted
        return this.#use(entry, call, name, async (port) =>
          uri === undefined ? listOf(await port.resources(call.signal)) : port.resource(uri, call.signal),
        )
      },
    })
  }

  #declare(entry: Entry, name: string, { name: remoteName, description, parameters }: RemoteTool): Tool {
    return declareTool({
      name,
      description,
      input: z.looseObject({}),
      parameters,
      isReadOnly: false,
      isForeign: true,
      run: async (input, call) => {
        const permitted = await call.permit({ action: name, resources: [{ text: '*' }], save: ['*'] })
        if (!permitted.ok) return permitted
        return this.#use(entry, call, remoteName, (port) =>
          port.call(
            remoteName,
            input,
            call.signal,
            (text) => call.progress?.(text.slice(-progressBytesMax)),
            () => (this.#running.get(entry.key)?.asking ?? 0) > 0,
          ),
        )
      },
    })
  }

  async #use(entry: Entry, call: ToolCall, name: string, ask: (port: ToolServerPort) => Promise<RemoteResult>) {
    const running = await this.#serve(entry)
    running.calls += 1
    running.active.add(call)
    clearTimeout(running.idle)
    try {
      const result = await ask(await running.port)
      const text = result.content.map((item) => (item.type === 'text' ? item.text : `(${item.mime})`)).join('\n')
      if (result.isError) return toolProblem(text)
      const kept = await this.#deps.keeper.text(text, {}, call.outputLimits)
      const images = await Promise.all(
        result.content
          .filter((item) => item.type === 'image')
          .map((item) => this.#deps.keeper.image(Buffer.from(item.data, 'base64'), name)),
      )
      return { ok: true as const, value: { ...kept.value, content: [...kept.value.content, ...images] } }
    } finally {
      running.calls -= 1
      running.active.delete(call)
      this.#touch(entry.key, running)
    }
  }
}

function listOf(resources: readonly RemoteResource[]): RemoteResult {
  const lines = resources
    .slice(0, resourcesShownMax)
    .map(({ uri, name, description }) => `${uri}  ${name}${description === '' ? '' : `: ${description}`}`)
  const rest = resources.length - lines.length
  const text = [...lines, ...(rest > 0 ? [`(${rest} more)`] : [])].join('\n')
  return { content: [{ type: 'text', text: text === '' ? '(there are none)' : text }], isError: false }
}

const formBounds = {
  fieldsMax: questionsMax,
  choicesMax: questionOptionsMax,
  charactersMax: questionCharactersMax,
}

/** Words in the order of its arguments; the last takes the rest. */
function argumentsOf({ arguments: named }: RemotePrompt, rest: string): Readonly<Record<string, string>> {
  const words = splitWords(rest)
  return Object.fromEntries(
    named.flatMap(({ name }, at) => {
      const value = (at === named.length - 1 ? words.slice(at) : words.slice(at, at + 1)).join(' ')
      return value === '' ? [] : [[name, value]]
    }),
  )
}

/** A program runs in a directory; an address is the same from everywhere. */
function entryOf(name: string, configuration: ToolServerConfiguration, directory: string): Entry {
  const place = configuration.type === 'local' ? directory : ''
  return { key: JSON.stringify([name, configuration, place]), name, configuration, directory }
}

/** Providers take letters, digits, `_` and `-` only, and not too many of them. */
function offeredName(server: string, tool: string): string {
  return `${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, toolNameCharactersMax)
}
