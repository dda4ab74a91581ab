/** Asks the model that the owner set up, by chat completions, and reads its answer as it comes. */
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import type { ModelFault } from '../../core/assistant/model-fault.ts'
import { cutTo, redactWithHost } from '../../core/redact.ts'
import {
  callsPerStepMax,
  messageCharactersMax,
  modelAnswerBytesMax,
  modelEventCharactersMax,
  modelIdleMs,
  modelStepMs,
  modelTrialMs,
} from '../../limits.ts'
import type { ChatModel, ModelAnswer, ModelQuestion, ModelSettings } from '../../ports/assistant.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import { askModelService, type ModelServiceDeps, type SentToModel } from './ask-model-service.ts'
import { chatPiece, errorTextOf, type ToolCallPiece } from './chat-shapes.ts'
import { readModelList } from './model-list.ts'

export interface ChatModelDeps extends ModelServiceDeps {
  readonly settings: OwnerSettings
  readonly bounds: { readonly idleMs: number; readonly stepMs: number; readonly trialMs: number }
}

export const modelBounds = { idleMs: modelIdleMs, stepMs: modelStepMs, trialMs: modelTrialMs }

const chatPath = '/chat/completions'

/** The prompt of a trial names the tool, so that whatever can call one does. */
const trialTool = {
  name: 'wharf_check',
  description: 'Confirms that tools can be called.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
} as const

export function createChatModel(deps: ChatModelDeps): ChatModel {
  async function present(): Promise<Result<ModelSettings, ModelFault>> {
    const { value } = await deps.settings.read('assistant')
    if (!value.enabled || value.model === '') return failWith({ kind: 'disabled' })
    if (value.endpoint === 'own') return succeed({ address: undefined, model: value.model, apiKey: '' })
    const key = await deps.settings.openSecret('assistant')
    if (!key.ok) return failWith({ kind: 'secrets', state: key.failure })
    return succeed({ address: value.address, model: value.model, apiKey: key.value })
  }

  /** A connection that was kept may be closed by the other side in the very moment it is used again. */
  async function sendTwice(settings: ModelSettings, sent: SentToModel): Promise<Response | undefined> {
    try {
      return await askModelService(deps, settings, chatPath, sent)
    } catch (cause) {
      if (sent.signal.aborted) throw cause
      return askModelService(deps, settings, chatPath, sent)
    }
  }

  async function ask(
    settings: ModelSettings,
    { messages, tools, signal, onText, requestId }: ModelQuestion,
    limitMs: number,
  ): Promise<Result<ModelAnswer, ModelFault>> {
    // Timers of its own, that end with it: one that runs on would keep the conversation's object in memory.
    const over = new AbortController()
    const stepTimer = setTimeout(() => over.abort(), limitMs)
    let idleTimer = setTimeout(() => over.abort(), deps.bounds.idleMs)
    const alive = () => {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(() => over.abort(), deps.bounds.idleMs)
    }
    const limits = AbortSignal.any([signal, over.signal])
    const body = JSON.stringify({
      model: settings.model,
      stream: true,
      messages,
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    })
    try {
      const response = await sendTwice(settings, { body, signal: limits, requestId })
      if (response === undefined) return failWith({ kind: 'no_gateway' })
      alive()
      if (!response.ok) return failWith(await refusalOf(response, settings))
      const answer = await readAnswer(response, settings, onText, alive)
      const isOurs = limits.aborted && !answer.ok && answer.failure.kind === 'cut'
      return isOurs ? failWith({ kind: signal.aborted ? 'stopped' : 'timeout' }) : answer
    } catch {
      if (signal.aborted) return failWith({ kind: 'stopped' })
      return failWith({ kind: limits.aborted ? 'timeout' : 'unreachable' })
    } finally {
      clearTimeout(stepTimer)
      clearTimeout(idleTimer)
      // What the service still has to say is not waited for, nor paid for.
      over.abort()
    }
  }

  return {
    async answer(question) {
      const settings = await present()
      return settings.ok ? ask(settings.value, question, deps.bounds.stepMs) : settings
    },
    async tryOut(settings) {
      const answer = await ask(
        settings,
        {
          messages: [{ role: 'user', content: `call ${trialTool.name}` }],
          tools: [trialTool],
          signal: new AbortController().signal,
          onText: () => undefined,
        },
        deps.bounds.trialMs,
      )
      return answer.ok
        ? succeed({ callsTools: answer.value.toolCalls.some(({ name }) => name === trialTool.name) })
        : answer
    },
    models: (settings) => readModelList(deps, settings, deps.bounds.trialMs),
  }
}

async function refusalOf(response: Response, settings: ModelSettings): Promise<ModelFault> {
  const { status } = response
  // What a service says of a key may quote it.
  if (status === 401 || status === 403) {
    await response.body?.cancel()
    return { kind: 'refused', status, detail: '' }
  }
  const text = await firstBytes(response)
  let said: string
  try {
    said = errorTextOf(JSON.parse(text))
  } catch {
    said = ''
  }
  return { kind: 'refused', status, detail: quote(said, settings) }
}

const refusalBytesMax = 16 * 1024

async function firstBytes(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > refusalBytesMax) break
  }
  return text
}

/** Addresses and keys are the owner's; this is read by others too. */
function quote(said: string, { apiKey }: ModelSettings): string {
  const text = apiKey === '' ? said : said.replaceAll(apiKey, '***')
  return cutTo(redactWithHost(text), messageCharactersMax)
}

async function readAnswer(
  response: Response,
  settings: ModelSettings,
  onText: (piece: string) => void,
  alive: () => void,
): Promise<Result<ModelAnswer, ModelFault>> {
  const answer = new AnswerInPieces(settings, onText)
  const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
  const events = new ServerSentDecoder(modelEventCharactersMax)
  const decoder = new TextDecoder()
  let whole = ''
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      alive()
      bytes += chunk.byteLength
      if (bytes > modelAnswerBytesMax) return failWith({ kind: 'too_large' })
      if (!isStream) {
        whole += decoder.decode(chunk, { stream: true })
        continue
      }
      const read = events.push(chunk)
      if (!read.ok) return failWith({ kind: 'too_large' })
      for (const { data } of read.value) {
        const fault = answer.accept(data)
        if (fault !== undefined) return failWith(fault)
        if (answer.isOver) return answer.result()
      }
    }
    const fault = isStream ? undefined : answer.accept(whole)
    return fault === undefined ? answer.result() : failWith(fault)
  } catch {
    return failWith({ kind: 'cut' })
  }
}

/** Puts an answer together from its pieces. */
class AnswerInPieces {
  readonly #settings: ModelSettings
  readonly #onText: (piece: string) => void
  readonly #calls: { id: string; name: string; arguments: string }[] = []
  readonly #placeOf = new Map<number, number>()
  #end: string | undefined
  #isDone = false
  #isRead = false

  constructor(settings: ModelSettings, onText: (piece: string) => void) {
    this.#settings = settings
    this.#onText = onText
  }

  /** The stream said that it is over; some services leave the connection open. */
  get isOver(): boolean {
    return this.#isDone
  }

  accept(data: string): ModelFault | undefined {
    if (data === '[DONE]') {
      this.#isDone = true
      return undefined
    }
    let json: unknown
    try {
      json = JSON.parse(data)
    } catch {
      return { kind: 'not_chat' }
    }
    const read = chatPiece.safeParse(json)
    if (!read.success) return { kind: 'not_chat' }
    if (read.data.error !== undefined && read.data.error !== null)
      return { kind: 'failed', detail: quote(errorTextOf(json), this.#settings) }
    const [choice] = read.data.choices ?? []
    if (choice === undefined) return undefined
    this.#isRead = true
    const said = choice.delta ?? choice.message
    if (typeof said?.content === 'string' && said.content !== '') this.#onText(said.content)
    for (const [at, piece] of (said?.tool_calls ?? []).entries()) this.#take(piece.index ?? at, piece)
    if (typeof choice.finish_reason === 'string') this.#end = choice.finish_reason
    return undefined
  }

  #take(index: number, piece: ToolCallPiece): void {
    let place = this.#placeOf.get(index)
    if (place === undefined) {
      if (this.#calls.length >= callsPerStepMax) return
      place = this.#calls.push({ id: '', name: '', arguments: '' }) - 1
      this.#placeOf.set(index, place)
    }
    const call = this.#calls[place]
    if (call === undefined) return
    call.id ||= piece.id ?? ''
    call.name ||= piece.function?.name ?? ''
    call.arguments += piece.function?.arguments ?? ''
  }

  result(): Result<ModelAnswer, ModelFault> {
    if (this.#end === 'content_filter') return failWith({ kind: 'filtered' })
    // Without a word about its end nobody knows whether the last tool call is whole.
    if (this.#end === undefined) return failWith({ kind: this.#isRead ? 'cut' : 'not_chat' })
    // Arguments that were cut off could mean something else than what was meant.
    return succeed({ toolCalls: this.#end === 'length' ? [] : this.#calls, isCut: this.#end === 'length' })
  }
}
