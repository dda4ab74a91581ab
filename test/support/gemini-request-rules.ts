/** What requests to the Gemini stand-in may say; `gemini-stand-in.ts` names the source. */
import { createHmac } from 'node:crypto'
import { z } from 'zod'

const base64 = z.base64().min(1)
const blob = z.strictObject({ mimeType: z.string().regex(/^[a-z]+\/[\w.+-]+$/), data: base64 })
const functionCall = z.strictObject({
  id: z.string().optional(),
  name: z.string().regex(/^[A-Za-z_][\w.:-]{0,127}$/),
  args: z.record(z.string(), z.unknown()).optional(),
})
const functionResponse = z.strictObject({
  id: z.string().optional(),
  name: z.string().regex(/^[A-Za-z_][\w.:-]{0,127}$/),
  response: z.record(z.string(), z.unknown()),
  parts: z.array(z.strictObject({ inlineData: blob })).optional(),
})
const part = z
  .strictObject({
    text: z.string().optional(),
    thought: z.boolean().optional(),
    thoughtSignature: z.string().min(1).optional(),
    inlineData: blob.optional(),
    functionCall: functionCall.optional(),
    functionResponse: functionResponse.optional(),
  })
  .refine(
    ({ text, inlineData, functionCall: call, functionResponse: response }) =>
      [text, inlineData, call, response].filter((member) => member !== undefined).length === 1,
    'required oneof field "data" must have one initialized field',
  )
const content = z.strictObject({ role: z.enum(['user', 'model']).optional(), parts: z.array(part).min(1) })
export type GeminiContent = z.infer<typeof content>

/** What the declarations say is read of a JSON schema; everything else is refused, so that nobody relies on it. */
const keywords = new Set(
  '$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering'.split(
    ' ',
  ),
)

function schemaFault(schema: unknown, path: string): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return `${path} is no schema`
  const record: Record<string, unknown> = { ...schema }
  const unknown = Object.keys(record).find((name) => !keywords.has(name))
  if (unknown !== undefined) return `${path} has the unsupported keyword ${unknown}`
  const beside = Object.keys(record).find((name) => !name.startsWith('$'))
  if (record['$ref'] !== undefined && beside !== undefined) return `${path} has ${beside} beside $ref`
  const inner: [string, unknown][] = []
  for (const name of ['items', 'additionalProperties']) if (name in record) inner.push([name, record[name]])
  for (const name of ['anyOf', 'oneOf', 'prefixItems'])
    for (const [index, one] of ((record[name] ?? []) as unknown[]).entries()) inner.push([`${name}[${index}]`, one])
  for (const name of ['$defs', 'properties']) inner.push(...Object.entries(Object(record[name] ?? {})))
  for (const [name, one] of inner) {
    const fault = schemaFault(one, `${path}.${name}`)
    if (fault !== undefined) return fault
  }
  return undefined
}

const schema = z.unknown().superRefine((value, context) => {
  const fault = schemaFault(value, 'schema')
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})
const declaration = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][\w.:-]{0,127}$/),
  description: z.string().optional(),
  parametersJsonSchema: schema.optional(),
  // The subset of OpenAPI, which the gateway does not use.
  parameters: z.record(z.string(), z.unknown()).optional(),
})
const generationConfig = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.number().min(1).optional(),
  candidateCount: z.int().min(1).max(8).optional(),
  maxOutputTokens: z.int().min(1).max(65_536).optional(),
  stopSequences: z.array(z.string().min(1)).max(5).optional(),
  seed: z.int().optional(),
  responseMimeType: z.enum(['text/plain', 'application/json']).optional(),
  responseJsonSchema: schema.optional(),
  responseSchema: z.record(z.string(), z.unknown()).optional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: z.boolean().optional(),
      thinkingBudget: z.int().min(-1).max(32_768).optional(),
      thinkingLevel: z.enum(['MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'minimal', 'low', 'medium', 'high']).optional(),
    })
    .optional(),
})
const generateMembers = {
  contents: z.array(content).min(1, 'contents is not specified'),
  systemInstruction: z
    .strictObject({ role: z.string().optional(), parts: z.array(z.strictObject({ text: z.string() })).min(1) })
    .optional(),
  tools: z.array(z.strictObject({ functionDeclarations: z.array(declaration).min(1) })).optional(),
  toolConfig: z
    .strictObject({
      functionCallingConfig: z.strictObject({
        mode: z.enum(['AUTO', 'ANY', 'NONE', 'VALIDATED']),
        allowedFunctionNames: z.array(z.string()).optional(),
      }),
    })
    .optional(),
  generationConfig: generationConfig.optional(),
}
export const geminiGenerate = z.strictObject(generateMembers)
export const geminiCount = z.union([
  z.strictObject({ contents: generateMembers.contents }),
  z.strictObject({ generateContentRequest: z.strictObject({ model: z.string(), ...generateMembers }) }),
])
const embedMembers = {
  model: z.string().optional(),
  content: z.strictObject({
    role: z.literal('user').optional(),
    parts: z.array(z.strictObject({ text: z.string().min(1) })).min(1),
  }),
  taskType: z.string().optional(),
  title: z.string().optional(),
  outputDimensionality: z.int().min(1).max(3_072).optional(),
}
export const geminiEmbed = z.strictObject(embedMembers)
export const geminiBatch = z.strictObject({
  requests: z
    .array(z.strictObject({ ...embedMembers, model: z.string() }))
    .min(1)
    .max(100, 'at most 100 requests can be in one batch'),
})
export type GeminiGenerate = z.infer<typeof geminiGenerate>

/** One that thinks within a budget, one that thinks by levels and refuses unsigned calls, and one that embeds. */
export const geminiModels = { budget: 'gemini-2.5-flash', level: 'gemini-3.5-flash', embedding: 'gemini-embedding-001' }

/** What is wrong with a request beyond the shape of its members; undefined: nothing. */
export function geminiFaultOf(model: string, asked: GeminiGenerate): string | undefined {
  return turnFault(asked) ?? signatureFault(model, asked) ?? configFault(model, asked)
}

function callsOf({ parts }: GeminiContent) {
  return parts.filter((one) => one.functionCall !== undefined)
}

function responsesOf({ parts }: GeminiContent) {
  return parts.filter((one) => one.functionResponse !== undefined)
}

function turnFault({ contents }: GeminiGenerate): string | undefined {
  for (const [index, one] of contents.entries()) {
    const before = contents[index - 1]
    const expected = before === undefined || before.role !== 'model' ? 0 : callsOf(before).length
    const given = responsesOf(one).length
    if (given !== expected)
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    const names = before === undefined ? [] : callsOf(before).map((call) => call.functionCall?.name)
    const stray = responsesOf(one).find(({ functionResponse: response }) => !names.includes(response?.name ?? ''))
    if (stray !== undefined) return 'Please ensure that function response names are those of the function calls.'
    if (callsOf(one).length > 0 && (one.role !== 'model' || before === undefined || before.role === 'model'))
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
    const isLast = index === contents.length - 1
    if (isLast && callsOf(one).length > 0) return 'Please ensure that a function call is followed by its response.'
  }
  return undefined
}

/** In what follows the user's last words, the first call of each step has to be signed. */
function signatureFault(model: string, { contents }: GeminiGenerate): string | undefined {
  const lastWords = contents.findLastIndex((one) => one.role !== 'model' && responsesOf(one).length === 0)
  for (const [index, one] of contents.entries()) {
    for (const { thoughtSignature: signature } of one.parts)
      if (signature !== undefined && signature !== geminiSignature && signature !== 'skip_thought_signature_validator')
        return 'Corrupted thought signature.'
    const [first] = callsOf(one)
    if (
      model === geminiModels.level &&
      index > lastWords &&
      first !== undefined &&
      first.thoughtSignature === undefined
    )
      return `Function call is missing a thought_signature in functionCall parts. Additional data, function call ${first.functionCall?.name}, position ${index}.`
  }
  return undefined
}

function configFault(
  model: string,
  { generationConfig: config, tools, toolConfig }: GeminiGenerate,
): string | undefined {
  const { thinkingBudget, thinkingLevel } = config?.thinkingConfig ?? {}
  if (thinkingBudget !== undefined && thinkingLevel !== undefined)
    return 'You can only set only one of thinking budget and thinking level.'
  if (thinkingLevel !== undefined && model === geminiModels.budget)
    return 'Thinking level is not supported for this model.'
  const hasSchema = config?.responseJsonSchema !== undefined || config?.responseSchema !== undefined
  if (hasSchema && config?.responseMimeType !== 'application/json')
    return 'A response schema needs the response mime type application/json.'
  const names = tools?.flatMap((tool) => tool.functionDeclarations.map(({ name }) => name)) ?? []
  if (new Set(names).size < names.length) return 'Duplicate function declaration found.'
  const { mode, allowedFunctionNames: allowed } = toolConfig?.functionCallingConfig ?? {}
  if (allowed !== undefined && mode !== 'ANY' && mode !== 'VALIDATED')
    return 'Allowed function names need function calling mode ANY.'
  const stray = allowed?.find((name) => !names.includes(name))
  return stray === undefined ? undefined : `The function ${stray} is not declared.`
}

/** The one that the stand-in gives. */
export const geminiSignature = createHmac('sha256', 'of the stand-in').update('thought').digest('base64')
