/** symbol, callers, impact, flow, tests_for and dead: what the index of the project knows of its code. */
import { z } from '@hono/zod-openapi'
import type { CodeSenses } from '../code-senses.ts'
import { declareTool, type Tool, textOutput, toolProblem } from '../tool-port.ts'
import { permitTarget, resolveTarget } from './tool-files.ts'

const symbolName = z.string().min(1).max(500)
const named = {
  symbol: symbolName.describe('Name ("render", "Shelf.total"), "path:line", or the path of a file'),
  file: symbolName.optional().describe('Only a symbol of this file or folder'),
}

const questions: Readonly<Record<string, { readonly about: string; readonly asks: z.ZodRawShape }>> = {
  symbol: {
    about:
      'One symbol as the code index knows it: place, signature, documentation, types above and below, members, how often it is used, source.',
    asks: named,
  },
  callers: {
    about:
      'Who calls a symbol, each with file, line and the line; certain callers and possible ones apart. Ask before changing what others use.',
    asks: named,
  },
  impact: {
    about: 'Everything that reaches a symbol within some steps, the nearest first, then what a guess would add.',
    asks: { ...named, hops: z.number().int().min(1).max(10).optional().describe('Steps followed; 3 if not said') },
  },
  flow: {
    about:
      'How one symbol comes to another: the shortest chains of certain calls with the line of each, or where the way goes on at run time.',
    asks: {
      from: symbolName.describe('Where the way begins: a name, or "path:line"'),
      to: symbolName.describe('Where it ends, likewise'),
    },
  },
  tests_for: {
    about:
      'Test files from which a way leads to a symbol or a file; those that surely reach it and those that may apart.',
    asks: named,
  },
  dead: {
    about:
      'What nothing uses in a file, a folder or the project; then, each under its doubt, what perhaps is used. Ask before removing code.',
    asks: {
      path: symbolName.optional().describe('Only this file or folder; the whole project if not said'),
      exported: z.boolean().optional().describe('Judge exports too, as if nothing outside the project used them'),
      kinds: z
        .string()
        .min(1)
        .max(400)
        .optional()
        .describe('Kinds of symbols with commas, such as "function,constant"'),
    },
  },
}

/** Only offered where the folder of the session has an index, or may be given one. */
export const indexToolNames: ReadonlySet<string> = new Set(Object.keys(questions))

export function indexTools(senses: CodeSenses): Tool[] {
  return Object.entries(questions).map(([name, { about, asks }]) =>
    declareTool({
      name,
      description: about,
      input: z.object(asks),
      isReadOnly: true,
      async run(input, call) {
        // It shows lines of files anywhere in the folder, as a search does.
        const permitted = await permitTarget(call, 'grep', await resolveTarget(call.directory, '.'))
        if (!permitted.ok) return permitted
        const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
        const mayShow = (path: string): boolean => call.isAllowed('read', path)
        const { text, isError } = await senses.ask(call.directory, name, given, mayShow, call.signal)
        return isError ? toolProblem(text) : textOutput(text)
      },
    }),
  )
}
