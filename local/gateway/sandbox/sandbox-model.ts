import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from '#shared/kernel/json-record.ts'
import { type ConverseCall, tokensOf } from './converse-call.ts'
import type { ModelCard } from './model-cards.ts'
import { embeddingAnswer, messageAnswer, metadataStep, reasoningSteps, textSteps } from './provider-shapes.ts'
import type { Answer, ProviderCall, Step } from './provider-wire.ts'
import { reasoningSignature } from './reasoning-signature.ts'

// No model and no service is behind these answers: what they say is invented here. Their form follows
// provider-shapes.ts: `ConverseResponse`, the events of its stream, `CountTokensResponse` and the bodies of embeddings
// (API 2023-09-30). Tokens are counted by characters, since the real count is not published.

/** Every answer begins with it, so that nobody takes the sandbox for a model. */
export const sandboxLabel = '[Wharf sandbox, not a model]'

/** A stream that can be watched. */
const wordPauseMs = 15

/** Answers a call of the runtime without a model: says back what it is told, calls the tool it is asked to call. */
export function sandboxAnswer(call: ProviderCall, card: ModelCard): Answer {
  if (call.operation === 'converse') return whole(reply(call.body, card))
  if (call.operation === 'converse-stream') return { steps: streamed(reply(call.body, card)) }
  if (call.operation === 'count-tokens') return { json: { inputTokens: countedTokens(call.body) } }
  return embeddingAnswer(card.id, call.body, wordVector)
}

interface Thought {
  readonly text: string
  readonly signature: string
}

interface Reply {
  /** What the answer is said to have been thought about first, where the call asks for thinking. */
  readonly thought: Thought | undefined
  readonly words: readonly string[]
  readonly tool?: { readonly name: string; readonly input: JsonRecord }
  readonly stopReason: string
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly totalTokens: number }
}

function reply(request: JsonRecord & ConverseCall, card: ModelCard): Reply {
  const said = saidLast(request)
  const thought = thoughtOf(request, card, said.text)
  const tool = toolCall(request, said)
  const schema = answerSchema(request)
  const text =
    tool === undefined && schema !== undefined
      ? JSON.stringify(exampleOf(schema, schema))
      : tool === undefined && isAskedForJson(request)
        ? JSON.stringify({ sandbox: said.answer })
        : `${sandboxLabel} ${tool === undefined ? said.answer : `Calling ${tool.name}.`}`
  const words = text.match(/\S+\s*/g) ?? []
  const most = numberOf(recordOf(request['inferenceConfig'])?.['maxTokens']) ?? Number.POSITIVE_INFINITY
  const inputTokens = tokensOf(request)
  const outputTokens = Math.min(words.length + wordCount(thought?.text ?? ''), most)
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  if (words.length > most) return { thought, words: words.slice(0, most), stopReason: 'max_tokens', usage }
  const told = { thought, words, usage }
  return tool === undefined ? { ...told, stopReason: 'end_turn' } : { ...told, tool, stopReason: 'tool_use' }
}

/** A model that is told to answer in JSON mostly does. */
function isAskedForJson(request: JsonRecord): boolean {
  return /\bone JSON object\b/.test(textsOf(listOf(request['system'])).at(-1) ?? '')
}

function thoughtOf(request: JsonRecord, card: ModelCard, said: string): Thought | undefined {
  const fields = recordOf(request['additionalModelRequestFields'])
  const type = recordOf(fields?.['thinking'] ?? fields?.['reasoning_config'])?.['type']
  if (type !== 'enabled' && type !== 'adaptive') return undefined
  const text = `${sandboxLabel} No model thought about: ${said}`
  return { text, signature: reasoningSignature(card.id, text) }
}

function countedTokens(body: JsonRecord): number {
  const input = recordOf(body['input']) ?? {}
  const converse = recordOf(input['converse'])
  return converse === undefined ? wordCount(JSON.stringify(input)) : tokensOf(converse)
}

function saidLast(request: JsonRecord): { readonly text: string; readonly answer: string; readonly isResult: boolean } {
  const content = listOf(recordOf(listOf(request['messages']).at(-1))?.['content']).filter(isRecord)
  const results = content.map((block) => block['toolResult']).filter(isRecord)
  if (results.length > 0) {
    const text = results.flatMap((result) => textsOf(listOf(result['content']))).join('\n')
    return { text, answer: `The tool answered: ${text}`, isResult: true }
  }
  const text = textsOf(content).join(' ')
  const images = content.filter((block) => block['image'] !== undefined).length
  const seen = images === 0 ? '' : ` (with ${images === 1 ? 'an image' : `${images} images`})`
  return { text, answer: `You said${seen}: ${text}`, isResult: false }
}

function textsOf(blocks: readonly unknown[]): string[] {
  return blocks.flatMap((block) => {
    const record = recordOf(block)
    return textOf(record?.['text']) ?? (record?.['json'] === undefined ? [] : JSON.stringify(record['json']))
  })
}

/** A tool is called when the request forces it, or when the user writes `call NAME` or `call NAME {"…":…}`. */
function toolCall(request: JsonRecord, said: ReturnType<typeof saidLast>): Reply['tool'] {
  const config = recordOf(request['toolConfig'])
  const specs = listOf(config?.['tools'])
    .map((tool) => recordOf(tool)?.['toolSpec'])
    .filter(isRecord)
  const asked = said.isResult ? null : /^call ([A-Za-z0-9_-]+)\s*(\{.*\})?\s*$/s.exec(said.text)
  const choice = recordOf(config?.['toolChoice'])
  const forced =
    textOf(recordOf(choice?.['tool'])?.['name']) ??
    (choice?.['any'] === undefined ? undefined : textOf(specs[0]?.['name']))
  const name = forced ?? asked?.[1]
  const spec = specs.find((candidate) => candidate['name'] === name)
  if (name === undefined || spec === undefined) return undefined
  const given = asked?.[1] === name && asked[2] !== undefined ? parsedRecord(asked[2]) : undefined
  const schema = recordOf(recordOf(spec['inputSchema'])?.['json']) ?? {}
  return { name, input: given ?? recordOf(exampleOf(schema, schema)) ?? {} }
}

function answerSchema(request: JsonRecord): JsonRecord | undefined {
  const structure = recordOf(recordOf(recordOf(request['outputConfig'])?.['textFormat'])?.['structure'])
  const schema = textOf(recordOf(structure?.['jsonSchema'])?.['schema'])
  return schema === undefined ? undefined : parsedRecord(schema)
}

function parsedRecord(text: string): JsonRecord | undefined {
  try {
    return recordOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

const exampleDepthMax = 16

/** The plainest value a schema allows: what is required, the first of what may be chosen. */
function exampleOf(schema: JsonRecord, root: JsonRecord, depth = 0): unknown {
  if (depth > exampleDepthMax) return null
  const next = (inner: unknown) => exampleOf(recordOf(inner) ?? {}, root, depth + 1)
  const reference = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(textOf(schema['$ref']) ?? '')?.[1]
  if (reference !== undefined) return next(recordOf(root['$defs'] ?? root['definitions'])?.[reference])
  if ('const' in schema) return schema['const']
  const [first] = [...listOf(schema['enum'])]
  if (first !== undefined) return first
  const [option] = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]
  if (option !== undefined) return next(option)
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type']
  if (type === 'string') return 'sandbox'
  if (type === 'number' || type === 'integer') return numberOf(schema['minimum']) ?? 0
  if (type === 'boolean') return false
  if (type === 'null') return null
  if (type === 'array') return Array.from({ length: numberOf(schema['minItems']) ?? 0 }, () => next(schema['items']))
  const properties = recordOf(schema['properties']) ?? {}
  const required = listOf(schema['required']).filter((name): name is string => typeof name === 'string')
  return Object.fromEntries(required.map((name) => [name, next(properties[name])]))
}

function whole({ thought, words, tool, stopReason, usage }: Reply): Answer {
  const reasoning = thought === undefined ? [] : [{ reasoningContent: { reasoningText: thought } }]
  const toolUse = tool === undefined ? [] : [{ toolUse: { toolUseId: newToolUseId(), ...tool } }]
  return messageAnswer([...reasoning, { text: words.join('') }, ...toolUse], stopReason, usage)
}

function streamed({ thought, words, tool, stopReason, usage }: Reply): readonly Step[] {
  const textBlock = thought === undefined ? 0 : 1
  const [start, ...spoken] = textSteps(words, stopReason, usage, textBlock).flatMap((step): readonly Step[] =>
    'event' in step && step.event === 'contentBlockDelta' ? [step, { pauseMs: wordPauseMs }] : [step],
  )
  if (start === undefined) return []
  const text = [start, ...(thought === undefined ? [] : reasoningSteps(thought.text, thought.signature)), ...spoken]
  if (tool === undefined) return text
  const contentBlockIndex = textBlock + 1
  const toolUse = { toolUseId: newToolUseId(), name: tool.name }
  return [
    ...text.slice(0, -2),
    { event: 'contentBlockStart', payload: { contentBlockIndex, start: { toolUse } } },
    {
      event: 'contentBlockDelta',
      payload: { contentBlockIndex, delta: { toolUse: { input: JSON.stringify(tool.input) } } },
    },
    { event: 'contentBlockStop', payload: { contentBlockIndex } },
    { event: 'messageStop', payload: { stopReason } },
    metadataStep(usage),
  ]
}

function newToolUseId(): string {
  return `tooluse_${crypto.randomUUID().replaceAll('-', '')}`
}

function wordCount(text: string): number {
  return text.match(/\w+/g)?.length ?? 0
}

/** A unit vector of the text's words: texts that share words lie close together, which is enough to try a search. */
function wordVector(text: string, size: number): readonly number[] {
  const vector = new Array<number>(size).fill(0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    let place = 0
    for (const sign of word) place = (place * 31 + (sign.codePointAt(0) ?? 0)) % size
    vector[place] = (vector[place] ?? 0) + 1
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}
