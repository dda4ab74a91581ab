/** question, todowrite and skill. */
import { z } from '@hono/zod-openapi'
import { wireQuestionItem } from '../../contract/ask.ts'
import { questionCharactersMax, questionOptionsMax, questionsMax } from '../../limits.ts'
import type { DirectoryCatalogue } from '../catalogue.ts'
import { declareTool, type Tool, textOutput, toolProblem } from '../tool-port.ts'

export interface SessionToolDeps {
  readonly catalogue: Pick<DirectoryCatalogue, 'skills'>
  /** Tells followers what is to be done now. */
  readonly onTodos: (sessionId: string, directory: string, todos: readonly object[]) => void
}

const text = z.string().max(questionCharactersMax)
const questionInput = wireQuestionItem.extend({
  question: text.min(1),
  header: text.min(1),
  options: z.array(z.object({ label: text.min(1), description: text })).max(questionOptionsMax),
})

export function sessionTools({ catalogue, onTodos }: SessionToolDeps): Tool[] {
  return [
    declareTool({
      name: 'question',
      description: 'Asks the user one or more questions and waits for the answers. Only for what you cannot find out.',
      input: z.object({
        questions: z
          .array(questionInput)
          .min(1)
          .max(questionsMax)
          .refine(
            (questions) => questions.every(({ options, custom }) => options.length > 0 || custom !== false),
            'a question without options must take an answer of its own',
          )
          .refine(
            (questions) =>
              questions.every(({ options }) => new Set(options.map((option) => option.label)).size === options.length),
            'the labels of a question must differ',
          ),
      }),
      isReadOnly: true,
      async run(input, call) {
        const permitted = await call.permit({ action: 'question', resources: [{ text: '*' }], save: ['*'] })
        if (!permitted.ok) return permitted
        return { ok: false, failure: await call.question(input.questions) }
      },
    }),
    declareTool({
      name: 'todowrite',
      description: 'Replaces the list of what is to be done, for work with several steps.',
      input: z.object({
        todos: z
          .array(
            z.object({
              content: z.string().min(1).max(1_000),
              status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
              priority: z.enum(['high', 'medium', 'low']).optional(),
            }),
          )
          .max(200),
      }),
      isReadOnly: true,
      async run(input, call) {
        const permitted = await call.permit({ action: 'todowrite', resources: [{ text: '*' }], save: ['*'] })
        if (!permitted.ok) return permitted
        onTodos(call.sessionId, call.directory, input.todos)
        const open = input.todos.filter((todo) => todo.status === 'pending' || todo.status === 'in_progress').length
        return textOutput(`${input.todos.length} entries, ${open} open`, { todos: input.todos })
      },
    }),
    declareTool({
      name: 'skill',
      description: 'Reads the instructions of a skill by its name.',
      input: z.object({ name: z.string().min(1).max(64) }),
      isReadOnly: true,
      async run(input, call) {
        const permitted = await call.permit({ action: 'skill', resources: [{ text: input.name }], save: [input.name] })
        if (!permitted.ok) return permitted
        const skills = await catalogue.skills({ directory: call.directory })
        if (!skills.ok) return toolProblem(skills.failure.message)
        const named = skills.value.filter((skill) => skill.name === input.name)
        const [skill] = named
        if (skill === undefined) return toolProblem(`There is no skill named ${input.name}`)
        if (named.length > 1) {
          return toolProblem(
            `Several skills are named ${input.name}: ${named.map(({ location }) => location).join(', ')}`,
          )
        }
        return textOutput(`Skill ${skill.name} (${skill.location}):\n\n${skill.content}`, { name: skill.name })
      },
    }),
  ]
}
