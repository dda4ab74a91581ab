import {
  isRecord,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  textOf,
} from '../../../workers/gateway/core/json-record.ts'
import {
  embeddingAnswer,
  foundationModels,
  messageAnswer,
  metadataStep,
  textSteps,
  unknownOperation,
} from './provider-shapes.ts'
import type { Answer, ProviderCall, Step } from './provider-wire.ts'

/** Every answer begins with it, so that nobody takes the sandbox for a model. */
export const sandboxLabel = '[Wharf sandbox, not a model]'

/** A stream that can be watched. */
const wordPauseMs = 15

const modelIds: ReadonlySet<unknown> = new Set(foundationModels.map((model) => recordOf(model)?.['modelId']))

/** As the provider refuses a name it does not know: a client with a mistyped one learns it here already. */
const unknownModel: Answer = {
  status: 400,
  error: 'ValidationException',
  message: 'The sandbox has no model of this name.',
}

/** Answers a call of the runtime without a model: says back what it is told, calls the tool it is asked to call. */
export function sandboxAnswer(call: ProviderCall): Answer {
  if (!modelIds.has(call.modelId)) return unknownModel
  if (call.operation === 'converse') return whole(reply(call.body))
  if (call.operation === 'converse-stream') return { steps: streamed(reply(call.body)) }
  if (call.operation === 'invoke') return embeddingAnswer(call.modelId, call.body, wordVector)
  return unknownOperation
}

interface Reply {
  readonly words: readonly string[]
  readonly tool?: { readonly name: string; readonly input: JsonRecord }
  readonly stopReason: string
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly totalTokens: number }
}

function reply(request: JsonRecord): Reply {
  const said = saidLast(request)
  const tool = toolCall(request, said)
  const schema = answerSchema(request)
  const text =
    tool === undefined && schema !== undefined
      ? JSON.stringify(exampleOf(schema, schema))
      : `${sandboxLabel} ${tool === undefined ? said.answer : `Calling ${tool.name}.`}`
  const words = text.match(/\S+\s*/g) ?? []
  const most = numberOf(recordOf(request['inferenceConfig'])?.['maxTokens']) ?? Number.POSITIVE_INFINITY
  const inputTokens = wordCount(JSON.stringify(request['messages'] ?? ''))
  const outputTokens = Math.min(words.length, most)
  const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens }
  if (words.length > most) return { words: words.slice(0, most), stopReason: 'max_tokens', usage }
  return tool === undefined ? { words, stopReason: 'end_turn', usage } : { words, tool, stopReason: 'tool_use', usage }
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

function whole({ words, tool, stopReason, usage }: Reply): Answer {
  const toolUse = tool === undefined ? [] : [{ toolUse: { toolUseId: newToolUseId(), ...tool } }]
  return messageAnswer([{ text: words.join('') }, ...toolUse], stopReason, usage)
}

function streamed({ words, tool, stopReason, usage }: Reply): readonly Step[] {
  const text = textSteps(words, stopReason, usage).flatMap((step) =>
    'event' in step && step.event === 'contentBlockDelta' ? [step, { pauseMs: wordPauseMs }] : [step],
  )
  if (tool === undefined) return text
  const contentBlockIndex = 1
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
