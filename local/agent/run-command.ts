/** `svc run`: one prompt from a shell, its answer as text or as lines of JSON, and an end that a script can read. */
import { pathToFileURL } from 'node:url'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { showUnseen } from '#shared/pages/text-blocks.ts'
import type { AgentClient, ToldEvent } from './client/agent-client.ts'
import { type ChoiceFault, chooseSession, sayChoiceFault } from './client/choose-session.ts'
import { type Asked, type PromptBody, promptTurn } from './client/prompt-turn.ts'
import type { JsonObject, ModelRef } from './core/session/message.ts'
import { toolSubject } from './core/session/tool-subject.ts'

export const exitCodes = { done: 0, failed: 1, usage: 2, unanswered: 3, interrupted: 130 } as const

export interface RunOptions {
  readonly text: string
  readonly directory: string
  readonly format: 'text' | 'json'
  readonly session?: string | undefined
  readonly isContinued?: boolean | undefined
  readonly agent?: string | undefined
  /** `provider/model`, as the configuration names it. */
  readonly model?: string | undefined
  readonly files?: readonly string[] | undefined
  /** What is allowed although the rules would ask; `true` is everything. All else is refused: nobody is there to ask. */
  readonly allowed: ReadonlySet<string> | true
}

export interface RunOutput {
  /** The answer. */
  write(text: string): void
  /** What is not the answer. */
  note(line: string): void
}

const refusal = 'Nobody is there to be asked. Go on without it, or say what cannot be done.'

export async function runPrompt(
  client: AgentClient,
  options: RunOptions,
  output: RunOutput,
  interrupt: AbortSignal,
): Promise<number> {
  const chosen = await chooseModel(client, options)
  const session = chosen.ok ? await chooseSession(client, options) : chosen
  if (!chosen.ok || !session.ok) {
    const failed = chosen.ok ? session : chosen
    if (!failed.ok) output.note(sayChoiceFault(failed.failure))
    return exitCodes.usage
  }
  const record = session.value
  const run = new Run(client, options, output)
  const ended = await promptTurn(client, record, bodyOf(options, chosen.value), run, interrupt)
  return run.end(record.id, ended, interrupt.aborted)
}

function bodyOf({ text, files, agent }: RunOptions, model: ModelRef | undefined): PromptBody {
  const attached = (files ?? []).map((file) => ({ uri: pathToFileURL(file).href }))
  return {
    prompt: { text, ...(attached.length === 0 ? {} : { files: attached }) },
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
  }
}

class Run {
  readonly #client: AgentClient
  readonly #options: RunOptions
  readonly #output: RunOutput
  #unanswered = 0

  constructor(client: AgentClient, options: RunOptions, output: RunOutput) {
    this.#client = client
    this.#options = options
    this.#output = output
  }

  stored(event: ToldEvent): void {
    const { data } = event
    if (this.#options.format === 'json') this.#line(event)
    else if (event.type === 'session.next.text.delta') this.#output.write(showUnseen(String(data['delta'])))
    else if (event.type === 'session.next.text.ended')
      this.#output.write(String(data['text']).endsWith('\n') ? '' : '\n')
    else if (event.type === 'session.next.tool.called')
      this.#note(`${data['tool']} ${toolSubject(String(data['tool']), data['input'] as JsonObject)}`.trimEnd())
    else if (event.type === 'session.next.tool.failed') this.#note(`failed: ${messageOf(data['error'])}`)
    else if (event.type === 'session.next.retried') this.#note(`tried again: ${messageOf(data['error'])}`)
  }

  asked(asked: Asked): void {
    const { id, sessionID } = asked.request
    const path = `/api/session/${sessionID}/${asked.kind}/${id}`
    if (asked.kind === 'question') {
      this.#unanswered += 1
      this.#note(`asked, and nobody answered: ${asked.request.questions.map(({ question }) => question).join(' ')}`)
      void this.#client.ask('POST', `${path}/reject`)
      return
    }
    const { action, resources } = asked.request
    const { allowed } = this.#options
    const isAllowed = allowed === true || allowed.has(action)
    if (!isAllowed) {
      this.#unanswered += 1
      this.#note(`refused: ${action} ${resources.join(', ')} (--allow ${action} allows it)`)
    }
    void this.#client.ask(
      'POST',
      `${path}/reply`,
      isAllowed ? { reply: 'once' } : { reply: 'reject', message: refusal },
    )
  }

  end(sessionID: string, ended: Awaited<ReturnType<typeof promptTurn>>, isInterrupted: boolean): number {
    const problem = ended.ok
      ? ended.value === undefined
        ? 'The model gave no answer'
        : ended.value.error?.message
      : ended.failure.message
    const exitCode = this.#exitCode(ended, problem, isInterrupted)
    if (this.#options.format === 'json') {
      this.#line({
        type: 'run.ended',
        data: { sessionID, exitCode, ...(problem === undefined ? {} : { message: problem }) },
      })
    } else if (problem !== undefined) this.#note(problem)
    return exitCode
  }

  #exitCode(
    ended: Awaited<ReturnType<typeof promptTurn>>,
    problem: string | undefined,
    isInterrupted: boolean,
  ): number {
    if (isInterrupted) return exitCodes.interrupted
    // What the server does not take of a prompt, such as an agent that there is none of.
    if (!ended.ok && ended.failure.code === 'invalid_request') return exitCodes.usage
    if (this.#unanswered > 0) return exitCodes.unanswered
    return problem === undefined ? exitCodes.done : exitCodes.failed
  }

  #line(value: object): void {
    this.#output.write(`${JSON.stringify(value)}\n`)
  }

  #note(text: string): void {
    this.#output.note(showUnseen(text.replaceAll('\n', ' ')).slice(0, noteCharactersMax))
  }
}

const noteCharactersMax = 400

function messageOf(error: unknown): string {
  return String((error as { readonly message?: unknown } | undefined)?.message ?? '')
}

async function chooseModel(
  client: AgentClient,
  { model, directory }: RunOptions,
): Promise<Result<ModelRef | undefined, ChoiceFault>> {
  if (model === undefined) return succeed(undefined)
  const known = await client.ask<{ data: readonly ModelRef[] }>(
    'GET',
    `/api/model?${new URLSearchParams({ directory })}`,
  )
  if (!known.ok) return failWith({ kind: 'server', reason: known.failure.message })
  const found = known.value.data.find(({ providerID, id }) => `${providerID}/${id}` === model)
  if (found !== undefined) return succeed({ providerID: found.providerID, id: found.id })
  const names = known.value.data.map(({ providerID, id }) => `${providerID}/${id}`)
  return failWith({ kind: 'no_model', model, known: names.slice(0, 20) })
}
