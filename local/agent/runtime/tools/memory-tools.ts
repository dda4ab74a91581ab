/** remember and forget: notes about the project for later sessions. */
import { z } from '@hono/zod-openapi'
import { oneLine } from '../../core/memory.ts'
import { memoryNoteCharactersMax } from '../../limits.ts'
import { type Memories, sayNoteFault } from '../memories.ts'
import { declareTool, type Tool, textOutput, toolProblem } from '../tool-port.ts'

/** Only offered where the policy of the session lets it write notes. */
export const memoryToolNames: ReadonlySet<string> = new Set(['remember', 'forget'])

export function memoryTools(memories: Pick<Memories, 'learn' | 'forget'>): Tool[] {
  return [
    declareTool({
      name: 'remember',
      description:
        'Keeps one short fact about this project for later sessions: a decision, a trap, a wish of the user. Not what the files say, and never a secret.',
      input: z.object({
        text: z
          .string()
          .max(memoryNoteCharactersMax)
          .transform(oneLine)
          .refine((text) => text !== '', 'must say something'),
      }),
      // Made when the model is first told of it, from the text before it is put on one line.
      parameters: {
        type: 'object',
        properties: { text: { type: 'string', minLength: 1, maxLength: memoryNoteCharactersMax } },
        required: ['text'],
        additionalProperties: false,
      },
      isReadOnly: true,
      async run({ text }, call) {
        const permitted = await call.permit({ action: 'remember', resources: [{ text: '*' }], save: ['*'] })
        if (!permitted.ok) return permitted
        const learned = memories.learn(call.sessionId, text, { messageID: call.messageId, callID: call.callId })
        return learned.ok
          ? textOutput(`Kept as ${learned.value}`, { id: learned.value })
          : toolProblem(sayNoteFault(learned.failure))
      },
    }),
    declareTool({
      name: 'forget',
      description: 'Drops a note that is wrong or no longer of use, by its id.',
      input: z.object({ id: z.string().min(1).max(100) }),
      isReadOnly: true,
      async run({ id }, call) {
        const permitted = await call.permit({ action: 'forget', resources: [{ text: '*' }], save: ['*'] })
        if (!permitted.ok) return permitted
        const forgotten = memories.forget(call.sessionId, id)
        return forgotten.ok ? textOutput(`Forgot ${id}`) : toolProblem(sayNoteFault(forgotten.failure))
      },
    }),
  ]
}
