/**
 * What providers of the common chat interface refuse in a conversation: the rules of OpenAI's chat completions (members as
 * `openai` 7.59.0 declares them in `resources/chat/completions/completions.d.ts`, and what its declarations say of them).
 */
import { z } from 'zod'
import type { AskedRequest } from '../fake-model.ts'

const call = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), arguments: z.string() }),
})
const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.looseObject({ type: z.literal('image_url') }),
])
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string().min(1) }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string().min(1), z.array(part).min(1)]) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    tool_calls: z.array(call).min(1).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
])

export function conversationFault({ messages }: AskedRequest): string | undefined {
  let open: string[] = []
  for (const [at, sent] of messages.entries()) {
    const read = message.safeParse(sent)
    if (!read.success) return `message ${at}: ${read.error.issues[0]?.path.join('.')} ${read.error.issues[0]?.message}`
    const { data } = read
    if (data.role === 'tool') {
      if (!open.includes(data.tool_call_id)) return `message ${at} answers no call of the message before`
      open = open.filter((id) => id !== data.tool_call_id)
      continue
    }
    if (open.length > 0) return `message ${at}: calls ${open.join()} have no answer`
    if (data.role !== 'assistant') continue
    open = (data.tool_calls ?? []).map(({ id }) => id)
    if (new Set(open).size < open.length) return `message ${at} has two calls of one id`
    if (open.length === 0 && (data.content ?? '') === '') return `message ${at} says nothing`
    const broken = data.tool_calls?.find((one) => !isObject(one.function.arguments))
    if (broken !== undefined) return `message ${at}: the arguments of ${broken.id} are no JSON object`
  }
  return open.length > 0 ? `calls ${open.join()} have no answer` : undefined
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
