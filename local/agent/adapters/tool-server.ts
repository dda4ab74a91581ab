/** A tool server of the configuration: a program of this machine, or an address. The client is loaded when one is needed. */
import type {
  AuthProvider,
  Client,
  ContentBlock,
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
  Progress,
  ReadResourceResult,
  Transport,
} from '@modelcontextprotocol/client'
import type { ToolServerConfiguration } from '../contract/configuration.ts'
import type { ToolServerFault } from '../core/tool-server-fault.ts'
import { toolServerCallMsLongest } from '../limits.ts'
import {
  type FormOutcome,
  type PageOutcome,
  type RemoteContent,
  type RemoteResult,
  type RemoteTool,
  type ToolServerPort,
  ToolServerProblem,
} from '../runtime/tool-servers.ts'
import { boundedFetch, MessageTooLong } from './bounded-fetch.ts'
import { ChildFault, childTransport } from './child-transport.ts'
import { SignInNeeded } from './sign-in-client.ts'

export interface ToolServerOptions {
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  readonly version: string
  readonly startMsMax: number
  readonly callMsMax: number
  /** The longest message a server may send. */
  readonly messageBytesMax: number
  readonly onToolsChanged: () => void
  readonly onPromptsChanged: () => void
  /** What the server asks of the owner during a call. */
  readonly onForm: (message: string, schema: unknown) => Promise<FormOutcome>
  readonly onPage: (message: string, address: string) => Promise<PageOutcome>
  /** What the owner's sign-in gave, where the configuration names no credentials. */
  readonly auth?: AuthProvider
  /** The server wants more than that sign-in was granted. */
  readonly onWanted?: (scope: string | undefined) => void
}

/** The model reads what a tool says as text: the shape a server promised for it is not ours to judge. */
const unjudged: jsonSchemaValidator = {
  getValidator<T>() {
    return (input: unknown): JsonSchemaValidatorResult<T> => ({
      valid: true,
      data: input as T,
      errorMessage: undefined,
    })
  },
}

type Library = typeof import('@modelcontextprotocol/client')

/** Fails with a message that can be shown: it holds no header, address or answer of the server. */
export async function connectToolServer(
  configuration: ToolServerConfiguration,
  options: ToolServerOptions,
): Promise<ToolServerPort> {
  const library = await import('@modelcontextprotocol/client')
  try {
    const { client, close } = await open(library, configuration, options)
    return portOf(library, client, close, configuration.timeout ?? options.callMsMax, options)
  } catch (error) {
    throw problemOf(library, error, options)
  }
}

interface Opened {
  readonly client: Client
  readonly close: () => void
}

async function open(
  library: Library,
  configuration: ToolServerConfiguration,
  options: ToolServerOptions,
): Promise<Opened> {
  const until = AbortSignal.timeout(options.startMsMax)
  if (configuration.type === 'local') {
    const start = () =>
      childTransport({
        command: configuration.command,
        directory: options.directory,
        environment: { ...options.environment, ...configuration.environment },
        lineBytesMax: options.messageBytesMax,
      })
    const client = await connectOfEitherEra(library, start, options, until)
    return { client, close: () => void client.close() }
  }
  const url = new URL(configuration.url)
  const settings = {
    requestInit: { headers: { ...configuration.headers } },
    fetch: boundedFetch(options.messageBytesMax),
    onInsufficientScope: 'throw' as const,
    ...(options.auth === undefined ? {} : { authProvider: options.auth }),
  }
  let streaming: InstanceType<Library['StreamableHTTPClientTransport']>
  const stream = () => {
    streaming = new library.StreamableHTTPClientTransport(url, settings)
    return streaming
  }
  try {
    const client = await connectOfEitherEra(library, stream, options, until)
    // The server is told that the session ends; whether it listens does not matter.
    const leave = async () => {
      await streaming.terminateSession().catch(() => undefined)
      await client.close()
    }
    return { client, close: () => void leave() }
  } catch (error) {
    // Servers from before that transport refuse its first request in one of these ways.
    if (!(error instanceof library.SdkHttpError) || ![400, 404, 405].includes(error.status)) throw error
    const client = await connect(library, new library.SSEClientTransport(url, settings), options, until)
    return { client, close: () => void client.close() }
  }
}

/** Most servers speak what begins with `initialize`; one that takes nothing but the later revision refuses that. */
async function connectOfEitherEra(
  library: Library,
  transport: () => Transport,
  options: ToolServerOptions,
  signal: AbortSignal,
): Promise<Client> {
  try {
    return await connect(library, transport(), options, signal)
  } catch (error) {
    const mayBeLater =
      error instanceof library.UnsupportedProtocolVersionError ||
      (error instanceof library.SdkHttpError && error.status === 400)
    if (!mayBeLater) throw error
    return await connect(library, transport(), options, signal, laterRevision).catch(() => {
      throw error
    })
  }
}

const laterRevision = '2026-07-28'

async function connect(
  library: Library,
  transport: Transport,
  options: ToolServerOptions,
  signal: AbortSignal,
  revision?: string,
): Promise<Client> {
  const client = new library.Client(
    { name: 'svc', version: options.version },
    {
      ...(revision === undefined ? {} : { versionNegotiation: { mode: { pin: revision } } }),
      jsonSchemaValidator: unjudged,
      capabilities: { elicitation: { form: {}, url: {} } },
      listChanged: {
        tools: { autoRefresh: false, onChanged: options.onToolsChanged },
        prompts: { autoRefresh: false, onChanged: options.onPromptsChanged },
      },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (!('requestedSchema' in params))
      return { action: 'url' in params ? await options.onPage(params.message, params.url) : 'decline' }
    const outcome = await options.onForm(params.message, params.requestedSchema)
    return outcome.action === 'accept' ? { ...outcome, content: { ...outcome.content } } : outcome
  })
  try {
    await client.connect(transport, { timeout: options.startMsMax, signal })
    return client
  } catch (error) {
    await client.close().catch(() => undefined)
    await transport.close().catch(() => undefined)
    throw error
  }
}

function portOf(
  library: Library,
  client: Client,
  close: () => void,
  callMsMax: number,
  options: ToolServerOptions,
): ToolServerPort {
  let isOpen = true
  client.onclose = () => {
    isOpen = false
  }
  // Streams that break are opened again by the client itself; a request that suffers from it fails on its own.
  client.onerror = () => undefined
  const shown = async <T>(work: Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      // The server has forgotten this session: a new one may work.
      if (error instanceof library.SdkHttpError && error.status === 404) isOpen = false
      throw problemOf(library, error, options)
    }
  }
  return {
    get isOpen() {
      return isOpen
    },
    async tools(): Promise<readonly RemoteTool[]> {
      const { tools } = await shown(client.listTools(undefined, { timeout: options.startMsMax }))
      return tools.map((tool) => ({
        name: tool.name,
        description: tool.description ?? '',
        parameters: tool.inputSchema,
      }))
    },
    async call(name, input, signal, onProgress, isAsking): Promise<RemoteResult> {
      const timer = callTimer(callMsMax, Math.max(callMsMax, toolServerCallMsLongest), isAsking)
      const request = () =>
        client.callTool(
          { name, arguments: { ...input } },
          {
            // The time that counts is ours, in which an owner who is asked something is not.
            timeout: formMsMax,
            onprogress: (progress) => {
              timer.moved()
              onProgress(describeProgress(progress))
            },
            signal: AbortSignal.any([signal, timer.signal]),
          },
        )
      const result = await shown(afterPages(library, request, options), signal).finally(timer.stop)
      return { content: result.content.map(toRemoteContent), isError: result.isError === true }
    },
    async prompts() {
      if (client.getServerCapabilities()?.prompts === undefined) return []
      const { prompts } = await shown(client.listPrompts(undefined, { timeout: options.startMsMax }))
      return prompts.map(({ name, description = '', arguments: given = [] }) => ({
        name,
        description,
        arguments: given.map((one) => ({ name: one.name, isRequired: one.required === true })),
      }))
    },
    async prompt(name, given) {
      const { messages } = await shown(client.getPrompt({ name, arguments: { ...given } }, { timeout: callMsMax }))
      return messages
        .map(({ role, content }) => {
          const said = toRemoteContent(content)
          const text = said.type === 'text' ? said.text : `(${said.mime})`
          return role === 'assistant' ? `You said:\n${text}` : text
        })
        .join('\n\n')
    },
    hasResources: client.getServerCapabilities()?.resources !== undefined,
    async resources(signal) {
      const { resources } = await shown(client.listResources(undefined, { timeout: callMsMax, signal }), signal)
      return resources.map(({ uri, name, description = '' }) => ({ uri, name, description }))
    },
    async resource(uri, signal): Promise<RemoteResult> {
      const { contents } = await shown(client.readResource({ uri }, { timeout: callMsMax, signal }), signal)
      return { content: contents.map(toResourceContent), isError: false }
    },
    close() {
      isOpen = false
      close()
    },
  }
}

/**
 * How long a call may say nothing, and how long it may take in all. One that says how far it is has not failed, but is not
 * waited for for ever; the time in which the owner is asked something is his.
 */
function callTimer(quietMsMax: number, wholeMsMax: number, isAsking: () => boolean) {
  const over = new AbortController()
  let quietMs = 0
  let wholeMs = 0
  const stepMs = Math.min(1_000, quietMsMax)
  const timer = setInterval(() => {
    if (isAsking()) return
    quietMs += stepMs
    wholeMs += stepMs
    if (quietMs >= quietMsMax || wholeMs >= wholeMsMax) over.abort(new DOMException('too long', 'TimeoutError'))
  }, stepMs)
  return {
    signal: over.signal,
    moved: () => {
      quietMs = 0
    },
    stop: () => clearInterval(timer),
  }
}

/** An owner may answer on the next day. */
const formMsMax = 24 * 60 * 60 * 1000

function describeProgress({ progress, total, message }: Progress): string {
  const amount = total === undefined ? String(progress) : `${progress} of ${total}`
  return message === undefined ? amount : `${amount}: ${message}`
}

function toResourceContent(content: ReadResourceResult['contents'][number]): RemoteContent {
  if ('text' in content) return { type: 'text', text: content.text }
  const { mimeType = 'application/octet-stream', blob, uri } = content
  return mimeType.startsWith('image/')
    ? { type: 'image', mime: mimeType, data: blob }
    : { type: 'text', text: `(${uri}, ${mimeType})` }
}

function toRemoteContent(block: ContentBlock): RemoteContent {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
      return { type: 'image', mime: block.mimeType, data: block.data }
    case 'resource':
      return { type: 'text', text: 'text' in block.resource ? block.resource.text : `(${block.resource.uri})` }
    case 'resource_link':
      return { type: 'text', text: `(${block.uri})` }
    default:
      return { type: 'text', text: `(${block.type})` }
  }
}

/**
 * A call that is refused until the owner has been at pages is made again once he says that he has. A refusal of the same
 * kind after that is the answer.
 */
async function afterPages<T>(library: Library, request: () => Promise<T>, options: ToolServerOptions): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof library.UrlElicitationRequiredError) || error.elicitations.length === 0) throw error
    for (const { message, url } of error.elicitations.slice(0, pagesMax))
      if ((await options.onPage(message, url)) !== 'accept') throw error
    return await request()
  }
}

/** Of one refusal. */
const pagesMax = 3

/** What failed, with words that can be shown; a sign-in that is wanted is told from the rest. */
function problemOf(library: Library, error: unknown, { auth, onWanted }: ToolServerOptions): ToolServerProblem {
  const isScope = error instanceof library.InsufficientScopeError
  if (isScope) onWanted?.(error.requiredScope)
  const isRefused =
    (error instanceof library.SdkHttpError && error.status === 401) ||
    (error instanceof library.SseError && error.code === 401)
  const needsSignIn = auth !== undefined && (error instanceof SignInNeeded || isScope || isRefused)
  const fault = !needsSignIn ? faultOf(library, error) : ({ kind: isScope ? 'asks_more' : 'asks_sign_in' } as const)
  return new ToolServerProblem(fault, { cause: error })
}

function faultOf(library: Library, error: unknown): ToolServerFault {
  if (error instanceof library.SdkHttpError || error instanceof library.SseError) {
    const status = error instanceof library.SdkHttpError ? error.status : error.code
    if (status === undefined) return { kind: 'unreachable' }
    return { kind: status === 401 || status === 403 ? 'credentials' : 'status', status }
  }
  if (error instanceof library.SdkError) {
    if (error.code === library.SdkErrorCode.RequestTimeout) return { kind: 'late' }
    if (error.code === library.SdkErrorCode.ConnectionClosed) return { kind: 'ended' }
  }
  if (error instanceof library.UrlElicitationRequiredError) return { kind: 'page' }
  if (error instanceof library.ProtocolError) return { kind: 'refused', said: shortened(error) }
  if (error instanceof MessageTooLong) return { kind: 'message_too_long' }
  if (error instanceof ChildFault) return { kind: error.kind }
  if (error instanceof TypeError) return { kind: 'unreachable' }
  if (error instanceof DOMException) return { kind: 'late' }
  return { kind: 'other', said: error instanceof Error ? shortened(error) : 'The tool server failed' }
}

function shortened({ message }: Error): string {
  return message.slice(0, saidCharactersMax)
}

const saidCharactersMax = 1_000
