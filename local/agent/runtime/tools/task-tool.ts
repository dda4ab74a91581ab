/** task: a piece of work in a session of its own, done by another agent. Its last words are the outcome. */
import { z } from '@hono/zod-openapi'
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import type { Result } from '#shared/kernel/result.ts'
import { declareTool, type Tool, textOutput, toolProblem } from '../tool-port.ts'

const sentences = {
  no_agent: ({ agent }: { agent: string }) => `There is no agent ${agent} for tasks`,
  not_started: 'The task did not start',
  /** `reason`: why none could be made. */
  no_work_tree: ({ reason }: { reason: string }) => `The task got no work tree: ${reason}`,
  /** `reason`: the session of the task. */
  failed: ({ reason }: { reason: string }) => reason,
}
const sayTaskFault = sayBy(sentences)

export type RunTask = (task: {
  readonly parentId: string
  readonly agent: string
  readonly description: string
  readonly prompt: string
  readonly inWorkTree: boolean
  readonly signal: AbortSignal
}) => Promise<Result<TaskOutcome, FaultOf<typeof sentences>>>

interface TaskOutcome {
  readonly sessionId: string
  readonly text: string
  /** What was changed where only the owner brings it into the project. */
  readonly workTree?: { readonly branch: string; readonly paths: readonly string[] }
}

export function taskTool(runTask: RunTask): Tool {
  return declareTool({
    name: 'task',
    description:
      'Hands a piece of work to another agent with its own context and answers what it reports. agent: general for work with several steps, explore for searching.',
    input: z.object({
      description: z.string().min(1).max(200).describe('A few words'),
      prompt: z.string().min(1).max(100_000).describe('Everything the other agent needs to know'),
      agent: z.string().min(1).max(100).optional(),
      worktree: z
        .boolean()
        .optional()
        .describe('Work in a copy of the repository, so that several tasks can edit at once; only the user merges it'),
    }),
    isReadOnly: false,
    // Each has a session of its own.
    runsBeside: () => true,
    async run(input, call) {
      const agent = input.agent ?? 'general'
      const permitted = await call.permit({ action: 'task', resources: [{ text: agent }], save: [agent] })
      if (!permitted.ok) return permitted
      const done = await runTask({
        parentId: call.sessionId,
        agent,
        description: input.description,
        prompt: input.prompt,
        inWorkTree: input.worktree === true,
        signal: call.signal,
      })
      call.signal.throwIfAborted()
      return done.ok
        ? textOutput(`${done.value.text}${sayWorkTree(done.value.workTree)}`, { sessionID: done.value.sessionId })
        : toolProblem(sayTaskFault(done.failure))
    },
  })
}

const pathsSaid = 20

function sayWorkTree(tree: TaskOutcome['workTree']): string {
  if (tree === undefined) return ''
  if (tree.paths.length === 0) return '\n\nIt changed no file in its work tree.'
  const named = tree.paths.slice(0, pathsSaid).join(', ')
  const more = tree.paths.length > pathsSaid ? ` and ${tree.paths.length - pathsSaid} more` : ''
  return `\n\nIn its work tree (branch ${tree.branch}) it changed ${named}${more}. The project has none of it until the user merges it.`
}
