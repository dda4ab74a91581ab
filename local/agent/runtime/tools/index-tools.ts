/** symbol, callers, impact and tests_for: what the index of the project knows of its code. */
import { z } from '@hono/zod-openapi'
import type { CodeSenses } from '../code-senses.ts'
import { declareTool, type Tool, textOutput, toolProblem } from '../tool-port.ts'
import { permitTarget, resolveTarget } from './tool-files.ts'

const named = {
  symbol: z.string().min(1).max(500).describe('Name ("render", "Shelf.total"), "path:line", or the path of a file'),
  file: z.string().min(1).max(500).optional().describe('Only a symbol of this file or folder'),
}
const withHops = {
  ...named,
  hops: z.number().int().min(1).max(10).optional().describe('Steps followed; 3 if not said'),
}

const about = {
  symbol:
    'One symbol as the code index knows it: place, signature, documentation, types above and below, members, how often it is used, source.',
  callers:
    'Who calls a symbol, each with file, line and the line; certain callers and possible ones apart. Ask before changing what others use.',
  impact: 'Everything that reaches a symbol within some steps, the nearest first, then what a guess would add.',
  tests_for:
    'Test files from which a way leads to a symbol or a file; those that surely reach it and those that may apart.',
} as const

/** Only offered where the folder of the session has an index. */
export const indexToolNames: ReadonlySet<string> = new Set(Object.keys(about))

export function indexTools(senses: CodeSenses): Tool[] {
  return (Object.keys(about) as (keyof typeof about)[]).map((name) =>
    declareTool({
      name,
      description: about[name],
      input: z.object(name === 'impact' ? withHops : named),
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
