/** A tool server of the configuration: a program of this machine, or an address. The client is loaded when one is needed. */
import type {
  Client,
  ContentBlock,
  JsonSchemaValidatorResult,
  jsonSchemaValidator,
  Progress,
  ReadResourceResult,
  Transport,
} from '@modelcontextprotocol/client'
import type { ToolServerConfiguration } from '../contract/configuration.ts'
import { toolServerCallMsLongest } from '../limits.ts'
import type { FormOutcome, RemoteContent, RemoteResult, RemoteTool, ToolServerPort } from '../runtime/tool-servers.ts'
import { childTransport } from './child-transport.ts'

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
    throw new Error(needsAuth(library, error, configuration) ?? describe(library, error), { cause: error })
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
    const transport = childTransport({
      command: configuration.command,
      directory: options.directory,
      environment: { ...options.environment, ...configuration.environment },
      lineBytesMax: options.messageBytesMax,
    })
    const client = await connect(library, transport, options, until)
    return { client, close: () => void client.close() }
  }
  const url = new URL(configuration.url)
  const settings = {
    requestInit: { headers: { ...configuration.headers } },
    fetch: boundedFetch(options.messageBytesMax),
  }
  const streaming = new library.StreamableHTTPClientTransport(url, settings)
  try {
    const client = await connect(library, streaming, options, until)
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

async function connect(
  library: Library,
  transport: Transport,
  options: ToolServerOptions,
  signal: AbortSignal,
): Promise<Client> {
  const client = new library.Client(
    { name: 'svc', version: options.version },
    {
      jsonSchemaValidator: unjudged,
      capabilities: { elicitation: { form: {} } },
      listChanged: {
        tools: { autoRefresh: false, onChanged: options.onToolsChanged },
        prompts: { autoRefresh: false, onChanged: options.onPromptsChanged },
      },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (!('requestedSchema' in params)) return { action: 'decline' as const }
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
      throw new Error(describe(library, error), { cause: error })
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
      const request = client.callTool(
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
      const result = await shown(request, signal).finally(timer.stop)
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

/** A server that wants a sign-in in a browser, where no credentials are configured: what the owner can do about it. */
function needsAuth(library: Library, error: unknown, configuration: ToolServerConfiguration): string | undefined {
  const isRefused =
    (error instanceof library.SdkHttpError && error.status === 401) ||
    (error instanceof library.SseError && error.code === 401)
  if (!isRefused || configuration.type !== 'remote') return undefined
  const hasCredentials = Object.keys(configuration.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
  return hasCredentials
    ? undefined
    : 'needs_auth: the tool server asks for a sign-in; put a token into its "headers", as { "Authorization": "Bearer …" }'
}

function describe(library: Library, error: unknown): string {
  if (error instanceof library.SdkHttpError || error instanceof library.SseError) {
    const status = error instanceof library.SdkHttpError ? error.status : error.code
    if (status === 401 || status === 403)
      return `The tool server refused the credentials (${status}); see its "headers"`
    return status === undefined ? 'The tool server cannot be reached' : `The tool server answered with status ${status}`
  }
  if (error instanceof library.SdkError) {
    if (error.code === library.SdkErrorCode.RequestTimeout) return 'The tool server took too long'
    if (error.code === library.SdkErrorCode.ConnectionClosed) return 'The tool server ended'
  }
  if (error instanceof library.ProtocolError) return `The tool server failed: ${error.message.slice(0, 1_000)}`
  if (error instanceof MessageTooLong) return 'The tool server sent a message that is too long'
  if (error instanceof TypeError) return 'The tool server cannot be reached'
  if (error instanceof DOMException) return 'The tool server took too long'
  return error instanceof Error ? error.message.slice(0, 1_000) : 'The tool server failed'
}

class MessageTooLong extends Error {
  override readonly name = 'MessageTooLong'
}

/** A message is a whole body, or one line of a stream of events. */
function boundedFetch(bytesMax: number) {
  return async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const lineEnd = isStream ? chunk.lastIndexOf(10) : -1
          bytes = lineEnd < 0 ? bytes + chunk.length : chunk.length - lineEnd
          if (bytes > bytesMax) controller.error(new MessageTooLong())
          else controller.enqueue(chunk)
        },
      }),
    )
    return new Response(counted, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }
}
