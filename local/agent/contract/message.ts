import { z } from '@hono/zod-openapi'
import type {
  AssistantMessage,
  MemoryPolicy,
  Message,
  ModelRef,
  Prompt,
  RevertState,
  SessionRecord,
} from '../core/session/message.ts'
import { deliveries, memoryGenerations, memorySources, stepFaultKinds } from '../core/vocabulary.ts'
import { promptFilesMax } from '../limits.ts'

/** Pins a schema to the type of the rules, so that neither moves alone. */
function of<T>() {
  return <S extends z.ZodType<T>>(schema: S): S => schema
}

export const wireModelRef = of<ModelRef>()(
  z.object({ id: z.string().min(1), providerID: z.string().min(1), variant: z.string().optional() }),
).openapi('ModelRef')

const wireTokens = z.object({
  input: z.number(),
  output: z.number(),
  reasoning: z.number(),
  cache: z.object({ read: z.number(), write: z.number() }),
})

export const wireLocationRef = z.object({ directory: z.string(), workspaceID: z.string().optional() })

const textSpan = z.object({ start: z.number(), end: z.number(), text: z.string() })
const agentMention = z.object({ name: z.string().min(1), source: textSpan.optional() })
const promptFile = z.object({
  uri: z.string(),
  mime: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  source: textSpan.optional(),
})

export const wirePrompt = of<Prompt>()(
  z.object({ text: z.string(), files: z.array(promptFile).optional(), agents: z.array(agentMention).optional() }),
).openapi('Prompt')

/** A file by its address, or an image inline. */
const promptFileInput = z.union([
  z.object({
    uri: z.string().min(1),
    mime: z.string().optional(),
    name: z.string().optional(),
    description: z.string().optional(),
    source: textSpan.optional(),
  }),
  z.object({
    data: z.string().min(1),
    mimeType: z.string().optional(),
    mime: z.string().optional(),
    filename: z.string().optional(),
  }),
])
export type PromptFileInput = z.output<typeof promptFileInput>

export const promptInput = z.object({
  text: z.string(),
  files: z.array(promptFileInput).max(promptFilesMax).optional(),
  agents: z.array(agentMention).max(promptFilesMax).optional(),
})

export const wireDelivery = z.enum(deliveries)

export const fileDiff = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted']),
  additions: z.number(),
  deletions: z.number(),
  patch: z.string(),
})

export const wireRevert = of<RevertState>()(
  z.object({
    messageID: z.string(),
    partID: z.string().optional(),
    snapshot: z.string().optional(),
    tree: z.string().optional(),
    diff: z.string().optional(),
    files: z.array(fileDiff).optional(),
  }),
).openapi('RevertState')

export const wireMemoryPolicy = of<MemoryPolicy>()(
  z.object({
    useMemories: z.boolean(),
    generation: z.enum(memoryGenerations),
    reason: z.string(),
    source: z.enum(memorySources),
    time: z.number(),
    revision: z.number().int(),
  }),
).openapi('MemoryPolicy')

export const wireSession = of<SessionRecord>()(
  z.looseObject({
    id: z.string(),
    parentID: z.string().optional(),
    projectID: z.string(),
    agent: z.string().optional(),
    model: wireModelRef.optional(),
    cost: z.number(),
    tokens: wireTokens,
    time: z.object({ created: z.number(), updated: z.number(), archived: z.number().optional() }),
    title: z.string(),
    location: wireLocationRef,
    subpath: z.string().optional(),
    revert: wireRevert.optional(),
    changes: z
      .object({
        files: z.number().int(),
        additions: z.number().int().optional(),
        deletions: z.number().int().optional(),
      })
      .optional()
      .openapi({ description: 'By its steps, as of the last one. Of very many files the lines are not counted.' }),
    memory: wireMemoryPolicy.optional(),
  }),
).openapi('Session')

const jsonObject = z.record(z.string(), z.unknown())
const sessionError = z.object({
  type: z.literal('unknown'),
  message: z.string(),
  reason: z.enum(['interrupted', 'uncertain', 'refused', 'provider', 'tool']).optional(),
  fault: z
    .object({
      kind: z.enum(stepFaultKinds),
      status: z.number().int().optional(),
      said: z.string().optional().openapi({ description: 'By the provider, or of the configuration.' }),
      bytes: z.number().int().optional(),
      model: z.string().optional(),
      variant: z.string().optional(),
      known: z.array(z.string()).optional(),
    })
    .optional()
    .openapi({ description: 'What `message` says, of a step that failed.' }),
})
const toolContent = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('file'), uri: z.string(), mime: z.string(), name: z.string().optional() }),
])
const ran = { input: jsonObject, structured: jsonObject, content: z.array(toolContent) }
const toolState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending'), input: z.string() }),
  z.object({ status: z.literal('running'), ...ran }),
  z.object({ status: z.literal('completed'), ...ran, outputPaths: z.array(z.string()).optional() }),
  z.object({ status: z.literal('error'), ...ran, error: sessionError }),
])
const assistantPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), id: z.string(), text: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    text: z.string(),
    provider: z.object({ metadata: jsonObject }).optional(),
    time: z.object({ created: z.number(), completed: z.number().optional() }).optional(),
  }),
  z.object({
    type: z.literal('tool'),
    id: z.string(),
    name: z.string(),
    provider: z.object({ executed: z.boolean(), metadata: jsonObject.optional() }).optional(),
    state: toolState,
    time: z.object({
      created: z.number(),
      ran: z.number().optional(),
      completed: z.number().optional(),
      pruned: z.number().optional(),
    }),
  }),
])

const common = {
  id: z.string(),
  metadata: jsonObject.optional(),
  time: z.object({ created: z.number(), completed: z.number().optional() }),
}

const assistantMessage = of<AssistantMessage>()(
  z.object({
    ...common,
    type: z.literal('assistant'),
    agent: z.string(),
    model: wireModelRef,
    content: z.array(assistantPart),
    snapshot: z
      .object({ start: z.string().optional(), end: z.string().optional(), files: z.array(z.string()).optional() })
      .optional(),
    finish: z.string().optional(),
    cost: z.number().optional(),
    tokens: wireTokens.optional(),
    error: sessionError.optional(),
  }),
)

export const wireMessage = of<Message>()(
  z.discriminatedUnion('type', [
    z.object({ ...common, type: z.literal('user'), ...wirePrompt.shape }),
    assistantMessage,
    z.object({
      ...common,
      type: z.literal('compaction'),
      reason: z.enum(['auto', 'manual']),
      summary: z.string(),
      recent: z.string(),
    }),
    z.object({ ...common, type: z.literal('synthetic'), sessionID: z.string(), text: z.string() }),
    z.object({ ...common, type: z.literal('system'), text: z.string() }),
    z.object({ ...common, type: z.literal('agent-switched'), agent: z.string() }),
    z.object({ ...common, type: z.literal('model-switched'), model: wireModelRef }),
  ]),
).openapi('Message')

/** One durable event, on the session stream and in the history. */
export const wireEvent = z
  .object({
    id: z.string(),
    type: z.string(),
    durable: z.object({ aggregateID: z.string(), seq: z.number().int().nonnegative(), version: z.number().int() }),
    data: jsonObject,
  })
  .openapi('SessionEvent')
