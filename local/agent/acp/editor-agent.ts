/**
 * The agent as editors know it, by the Agent Client Protocol. Sessions are the server's own: one begun in an editor is on
 * the page, and the other way round. Commands stay in the sandbox, so an editor's own terminals are not used for them:
 * what a command says while it runs is shown in its call.
 */
import {
  type AgentApp,
  type AgentContext,
  agent,
  methods,
  type NewSessionResponse,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
  type SessionConfigOption,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import type { Result } from '#shared/kernel/result.ts'
import type { AgentClient, ClientFailure, ToldEvent } from '../client/agent-client.ts'
import { type Asked, promptTurn } from '../client/prompt-turn.ts'
import type { SessionEvent } from '../core/session/event.ts'
import type { AssistantMessage, Message, ModelRef, SessionRecord } from '../core/session/message.ts'
import { askEditor } from './ask-editor.ts'
import { promptOf } from './prompt-blocks.ts'
import { callId, replayOf, textContent, updatesOf } from './updates.ts'

interface ListedAgent {
  readonly id: string
  readonly description?: string
  readonly mode: string
  readonly hidden: boolean
}

interface ListedModel extends ModelRef {
  readonly name: string
  readonly limit: { readonly context: number }
}

interface Data<T> {
  readonly data: T
}

const modelOption = 'model'
const nameOfModel = ({ providerID, id }: ModelRef): string => `${providerID}/${id}`

export function editorAgent(client: AgentClient, version: string): AgentApp {
  const turns = new Map<string, AbortController>()
  const app = agent({ name: 'wharf' })

  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    return orThrow(await client.ask<T>(method, path, body))
  }

  async function recordOf(id: string): Promise<SessionRecord> {
    const found = await client.ask<Data<SessionRecord>>('GET', `/api/session/${encodeURIComponent(id)}`)
    if (found.ok) return found.value.data
    throw ['not_found', 'invalid_request'].includes(found.failure.code)
      ? RequestError.sessionNotFound(id)
      : problem(found.failure)
  }

  /** Agents to work with, and models, as the editor's pickers show them. */
  async function choicesOf({
    agent: current,
    model,
    location,
  }: SessionRecord): Promise<Omit<NewSessionResponse, 'sessionId'>> {
    const at = new URLSearchParams({ directory: location.directory })
    const [agents, models] = await Promise.all([
      ask<Data<readonly ListedAgent[]>>('GET', `/api/agent?${at}`),
      ask<Data<readonly ListedModel[]>>('GET', `/api/model?${at}`),
    ])
    const primary = agents.data.filter(({ mode, hidden }) => mode !== 'subagent' && !hidden)
    return {
      modes: {
        currentModeId: current ?? primary[0]?.id ?? 'build',
        availableModes: primary.map(({ id, description }) => ({
          id,
          name: id,
          ...(description === undefined ? {} : { description }),
        })),
      },
      configOptions: modelOptions(models.data, model),
    }
  }

  async function tellCommands(context: AgentContext, { id, location }: SessionRecord): Promise<void> {
    const at = new URLSearchParams({ directory: location.directory })
    const { data } = await ask<Data<readonly { name: string; description?: string }[]>>('GET', `/api/command?${at}`)
    await tell(context, id, {
      sessionUpdate: 'available_commands_update',
      availableCommands: data.map(({ name, description = '' }) => ({
        name,
        description,
        input: { hint: 'arguments' },
      })),
    })
  }

  /** After the answer: an editor knows the session only then. */
  function soon(context: AgentContext, record: SessionRecord): void {
    setImmediate(() => void tellCommands(context, record).catch(() => undefined))
  }

  app.onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'wharf', title: 'Wharf', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {} },
    },
    authMethods: [],
  }))

  app.onRequest(methods.agent.session.new, async ({ params, client: context }) => {
    const location = { directory: params.cwd }
    const { data: record } = await ask<Data<SessionRecord>>('POST', '/api/session', { location })
    soon(context, record)
    return { sessionId: record.id, ...(await choicesOf(record)) }
  })

  app.onRequest(methods.agent.session.load, async ({ params, client: context }) => {
    const record = await recordOf(params.sessionId)
    for (const message of await messagesOf(client, record.id)) {
      for (const update of replayOf(message, record.location.directory)) await tell(context, record.id, update)
    }
    soon(context, record)
    return choicesOf(record)
  })

  app.onRequest(methods.agent.session.resume, async ({ params, client: context }) => {
    const record = await recordOf(params.sessionId)
    soon(context, record)
    return choicesOf(record)
  })

  app.onRequest(methods.agent.session.list, async ({ params }) => {
    const { cwd, cursor } = params
    const query = new URLSearchParams({
      ...(cursor == null ? {} : { cursor }),
      ...(cwd == null || cursor != null ? {} : { directory: cwd }),
    })
    const page = await ask<Data<readonly SessionRecord[]> & { cursor: { next: string | null } }>(
      'GET',
      `/api/session?${query}`,
    )
    return {
      // The tasks of a session are shown in it.
      sessions: page.data
        .filter(({ parentID }) => parentID === undefined)
        .map(({ id, location, title, time }) => ({
          sessionId: id,
          cwd: location.directory,
          title,
          updatedAt: new Date(time.updated).toISOString(),
        })),
      nextCursor: page.cursor.next,
    }
  })

  app.onRequest(methods.agent.session.close, async ({ params }) => {
    turns.get(params.sessionId)?.abort()
    return {}
  })

  app.onRequest(methods.agent.session.setMode, async ({ params }) => {
    await recordOf(params.sessionId)
    await ask('POST', `/api/session/${params.sessionId}/agent`, { agent: params.modeId })
    return {}
  })

  app.onRequest(methods.agent.session.setConfigOption, async ({ params }) => {
    const { location } = await recordOf(params.sessionId)
    const at = new URLSearchParams({ directory: location.directory })
    const { data: models } = await ask<Data<readonly ListedModel[]>>('GET', `/api/model?${at}`)
    const chosen = models.find((model) => params.configId === modelOption && nameOfModel(model) === params.value)
    if (chosen === undefined)
      throw RequestError.invalidParams(undefined, `there is no ${params.configId} ${params.value}`)
    const model = { providerID: chosen.providerID, id: chosen.id }
    await ask('POST', `/api/session/${params.sessionId}/model`, { model })
    return { configOptions: modelOptions(models, model) }
  })

  app.onRequest(methods.agent.session.prompt, async ({ params, client: context }) => {
    const { sessionId } = params
    const record = await recordOf(sessionId)
    if (turns.has(sessionId))
      throw RequestError.invalidRequest(undefined, 'a prompt of this session is being worked on')
    const interrupt = new AbortController()
    turns.set(sessionId, interrupt)
    try {
      const turn = new EditorTurn(client, context, record)
      const ended = await promptTurn(client, record, { prompt: promptOf(params.prompt) }, turn, interrupt.signal)
      await turn.end()
      if (interrupt.signal.aborted) return { stopReason: 'cancelled' }
      return stopOf(orThrow(ended))
    } finally {
      turns.delete(sessionId)
    }
  })

  app.onNotification(methods.agent.session.cancel, ({ params }) => {
    turns.get(params.sessionId)?.abort()
  })

  // An editor that is gone answers nothing: what it had begun ends with it.
  app.onConnect((connection) => {
    void connection.closed.then(() => {
      for (const turn of turns.values()) turn.abort()
    })
  })
  return app
}

/** Tells an editor of one turn, in order, and puts to it what is asked. */
class EditorTurn {
  readonly #client: AgentClient
  readonly #context: AgentContext
  readonly #record: SessionRecord
  /** What is asked and not answered yet. */
  readonly #open = new Map<string, AbortController>()
  #sent: Promise<void> = Promise.resolve()

  constructor(client: AgentClient, context: AgentContext, record: SessionRecord) {
    this.#client = client
    this.#context = context
    this.#record = record
  }

  stored({ type, data }: ToldEvent): Promise<void> {
    for (const update of updatesOf({ type, data } as unknown as SessionEvent, this.#record.location.directory))
      this.#tell(update)
    return this.#sent
  }

  told({ type, data }: ToldEvent): void {
    // What a task says while it runs is in a call that the editor does not know.
    if (data['sessionID'] !== this.#record.id) return
    if (type === 'session.tool.progress') {
      this.#tell({
        sessionUpdate: 'tool_call_update',
        toolCallId: callId(String(data['assistantMessageID']), String(data['callID'])),
        content: [textContent(String(data['output']))],
      })
    }
  }

  asked(asked: Asked): void {
    const settled = new AbortController()
    this.#open.set(asked.request.id, settled)
    const editor = {
      context: this.#context,
      sessionId: this.#record.id,
      directory: this.#record.location.directory,
      settled: settled.signal,
    }
    // After what came before it: the call that it is about.
    void this.#sent.then(() => askEditor(this.#client, editor, asked)).finally(() => this.settled(asked.request.id))
  }

  settled(requestID: string): void {
    this.#open.get(requestID)?.abort()
    this.#open.delete(requestID)
  }

  /** Title and costs, once they are known. */
  async end(): Promise<void> {
    for (const id of [...this.#open.keys()]) this.settled(id)
    const found = await this.#client.ask<Data<SessionRecord>>('GET', `/api/session/${this.#record.id}`)
    if (found.ok && found.value.data.title !== this.#record.title)
      this.#tell({ sessionUpdate: 'session_info_update', title: found.value.data.title })
    await this.#sent
  }

  #tell(update: SessionUpdate): void {
    this.#sent = this.#sent.then(() => tell(this.#context, this.#record.id, update)).catch(() => undefined)
  }
}

function tell(context: AgentContext, sessionId: string, update: SessionUpdate): Promise<void> {
  return context.notify(methods.client.session.update, { sessionId, update })
}

function stopOf(last: AssistantMessage | undefined): PromptResponse {
  if (last?.error !== undefined) throw RequestError.internalError(undefined, last.error.message)
  if (last?.finish === 'length') return { stopReason: 'max_tokens' }
  return { stopReason: last?.finish === 'content-filter' ? 'refusal' : 'end_turn' }
}

function modelOptions(models: readonly ListedModel[], current: ModelRef | undefined): SessionConfigOption[] {
  const [first] = models
  if (first === undefined) return []
  const options = models.map((model) => ({ value: nameOfModel(model), name: model.name }))
  const currentValue = nameOfModel(current ?? first)
  return [{ type: 'select', id: modelOption, name: 'Model', category: 'model', currentValue, options }]
}

async function messagesOf(client: AgentClient, id: string): Promise<Message[]> {
  const found: Message[] = []
  let query = 'order=asc&limit=100'
  for (;;) {
    const page = orThrow(
      await client.ask<Data<readonly Message[]> & { cursor: { next?: string } }>(
        'GET',
        `/api/session/${id}/message?${query}`,
      ),
    )
    found.push(...page.data)
    if (page.cursor.next === undefined) return found
    query = `limit=100&cursor=${page.cursor.next}`
  }
}

function orThrow<T>(answer: Result<T, ClientFailure>): T {
  if (answer.ok) return answer.value
  throw problem(answer.failure)
}

function problem({ code, message }: ClientFailure): RequestError {
  return code === 'invalid_request'
    ? RequestError.invalidParams(undefined, message)
    : RequestError.internalError(undefined, message)
}
