/** Chat completions as services write them, read tolerantly: what is not needed is not looked at. */
import { z } from 'zod'

const toolCallPiece = z.object({
  index: z.number().int().nonnegative().optional(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
})
export type ToolCallPiece = z.infer<typeof toolCallPiece>

const message = z.object({ content: z.string().nullish(), tool_calls: z.array(toolCallPiece).nullish() })

/** One event of a stream, or a whole answer of a service that does not stream. */
export const chatPiece = z.object({
  choices: z
    .array(z.object({ delta: message.nullish(), message: message.nullish(), finish_reason: z.string().nullish() }))
    .optional(),
  error: z.union([z.string(), z.object({ message: z.string().nullish() })]).nullish(),
})

const listed = z.array(z.object({ id: z.unknown() }))

/** The list of models: most services put it under `data`, some send nothing around it. */
export const modelListShape = z.union([listed, z.object({ data: listed }).transform(({ data }) => data)])

/** What a service says when it refuses. */
export function errorTextOf(value: unknown): string {
  const read = chatPiece.safeParse(value)
  const error = read.success ? read.data.error : undefined
  if (error === undefined || error === null) return ''
  return typeof error === 'string' ? error : (error.message ?? '')
}
