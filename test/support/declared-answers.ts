/** Answers of the gateway as its clients' packages declare them: every member, and none that is not declared. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeLiterals, type Literal } from './declared-types.ts'
import { framesOf } from './gateway-under-test.ts'

export interface SeenAnswer {
  /** Below the prefix, without a query. */
  readonly path: string
  readonly method: string
  readonly status: number
  readonly type: string
  readonly text: string
}

const declarationsOf = (name: string) =>
  JSON.stringify(path.join(path.dirname(fileURLToPath(import.meta.resolve(name))), 'index.js'))

const prelude = [
  `import type OpenAI from ${declarationsOf('openai')}`,
  `import type Anthropic from ${declarationsOf('@anthropic-ai/sdk')}`,
  // What the declarations leave to a client to read without a type.
  "type Ping = { type: 'ping' }",
  // Declared for whole answers; a piece that ends nothing has null.
  'type Unended = Omit<OpenAI.CompletionChoice, "finish_reason"> & { finish_reason: OpenAI.CompletionChoice["finish_reason"] | null }',
  'type CompletionPiece = Omit<OpenAI.Completion, "choices"> & { choices: Unended[] }',
  'type Listed = { object: "list"; data: (OpenAI.Model & Known)[] }',
  'type Known = Partial<Record<"context_window" | "max_output_tokens", number>> & { input_modalities?: string[]; pricing?: object }',
]

type Kind = { readonly whole: string; readonly piece?: string }

const kinds: readonly (readonly [method: string, path: RegExp, kind: Kind])[] = [
  ['POST', /^\/chat\/completions$/, { whole: 'OpenAI.ChatCompletion', piece: 'OpenAI.ChatCompletionChunk' }],
  ['POST', /^\/completions$/, { whole: 'OpenAI.Completion', piece: 'CompletionPiece' }],
  ['POST', /^\/responses$/, { whole: 'OpenAI.Responses.Response', piece: 'OpenAI.Responses.ResponseStreamEvent' }],
  ['POST', /^\/responses\/input_tokens$/, { whole: 'OpenAI.Responses.InputTokenCountResponse' }],
  ['GET', /^\/responses\/[^/]+$/, { whole: 'OpenAI.Responses.Response' }],
  ['POST', /^\/messages$/, { whole: 'Anthropic.Message', piece: 'Anthropic.RawMessageStreamEvent | Ping' }],
  ['POST', /^\/messages\/count_tokens$/, { whole: 'Anthropic.MessageTokensCount' }],
  ['POST', /^\/embeddings$/, { whole: 'OpenAI.CreateEmbeddingResponse' }],
  ['GET', /^\/models$/, { whole: 'Listed' }],
]

/** What differs from one answer to the next and is of one type: with it left out, few kinds of answers are left. */
const varying = new Set([
  'id',
  'text',
  'delta',
  'content',
  'arguments',
  'partial_json',
  'thinking',
  'item_id',
  'model',
  'call_id',
  'encrypted_content',
  'signature',
])

function shortened(name: string, value: unknown): unknown {
  if (name === 'embedding') return Array.isArray(value) ? value.slice(0, 1) : value
  return varying.has(name) && typeof value === 'string' ? '' : value
}

function literalsOf({ path: address, method, status, type, text }: SeenAnswer): readonly Literal[] {
  const isMessages = address.startsWith('/messages')
  const error = isMessages ? 'Anthropic.ErrorResponse' : '{ error: OpenAI.ErrorObject }'
  const kind = kinds.find(([one, route]) => one === method && route.test(address))?.[2]
  if (kind === undefined) return []
  const label = `${method} ${address} ${status}`
  const literal = (declared: string | undefined, value: unknown): readonly Literal[] =>
    declared === undefined ? [] : [{ type: declared, json: written(value), label: `${label} ${written(value)}` }]
  if (status >= 400) return literal(error, JSON.parse(text))
  if (!type.startsWith('text/event-stream')) return literal(kind.whole, JSON.parse(text))
  return framesOf(text).flatMap(({ data, event }) => {
    if (data === '[DONE]' || data === '') return []
    return literal(event === 'error' ? error : kind.piece, JSON.parse(data))
  })
}

/**
 * As the service writes it and not as it declares it are: a response's count and user, which are null while there are
 * none, its `store`, the citations of a text that has none, and the name in the event that ends arguments. The client computes the text of a response by itself, and declares
 * it with the other members.
 */
function written(value: unknown): string {
  return JSON.stringify(value, (name, inner) => {
    if (inner?.object === 'response') {
      const { usage, user, store: _, ...response } = inner
      return { ...response, ...(usage === null ? {} : { usage }), ...(user === null ? {} : { user }), output_text: '' }
    }
    if (inner?.type === 'text' && typeof inner.text === 'string') return { citations: null, ...inner }
    if (inner?.type === 'response.function_call_arguments.done') return { ...inner, name: undefined }
    return shortened(name, inner)
  })
}

/** What the compiler says against the answers; how many different ones there were, by their route. */
export function judgeSeenAnswers(answers: readonly SeenAnswer[]) {
  const different = new Map(answers.flatMap(literalsOf).map((literal) => [literal.type + literal.json, literal]))
  const faults = judgeLiterals(
    prelude,
    [...different.values()],
    ({ type, json }, name) => `export const ${name} = ${json} satisfies ${type}`,
  )
  return { judged: different.size, faults }
}
