/** grep and glob, by ripgrep: it knows the ignore rules and does not follow links. */
import { stat } from 'node:fs/promises'
import { z } from '@hono/zod-openapi'
import type { Found } from '../../../ripgrep/run-ripgrep.ts'
import { globResultsMax, grepMatchesMax, readLineCharactersMax } from '../../limits.ts'
import { runRipgrep } from '../ripgrep.ts'
import { declareTool, type Tool, type ToolCall, textOutput, toolProblem } from '../tool-port.ts'
import { permitTarget, resolveTarget } from './tool-files.ts'

export function searchTools(): Tool[] {
  return [
    declareTool({
      name: 'grep',
      description: 'Searches file contents with a regular expression. Answers path, line and text of each match.',
      input: z.object({
        pattern: z.string().min(1).max(10_000),
        path: z.string().min(1).optional(),
        include: z.string().min(1).optional().describe('Only files whose name matches this glob'),
        limit: z.number().int().min(1).max(grepMatchesMax).optional(),
      }),
      isReadOnly: true,
      async run(input, call) {
        const target = await resolveTarget(call.directory, input.path ?? '.')
        const permitted = await permitTarget(call, 'grep', target)
        if (!permitted.ok) return permitted
        // No glob keeps a file back that is named itself: searching it is reading it.
        const isFile = await stat(target.full).then(
          (facts) => facts.isFile(),
          () => false,
        )
        const readable = isFile ? await permitTarget(call, 'read', target) : permitted
        if (!readable.ok) return readable
        const limit = input.limit ?? grepMatchesMax
        const shown = new ReadableMatches(call, isFile ? target.full : undefined)
        const found = await runRipgrep(
          [
            '--line-number',
            '--no-heading',
            '--with-filename',
            '--null',
            '--color=never',
            '--sort=path',
            '--max-columns',
            String(readLineCharactersMax),
            '--hidden',
            ...(input.include === undefined ? [] : [`--glob=${input.include}`]),
            // The last glob that matches a name wins.
            '--glob=!.git',
            `--regexp=${input.pattern}`,
            '--',
            target.full,
          ],
          call.directory,
          { limit, signal: call.signal, take: shown.take },
        )
        if (found.problem !== undefined) return toolProblem(found.problem)
        return textOutput(`${describe(found, call.directory, 'No match')}${shown.note}`, {
          matches: found.lines.length,
          truncated: found.isCut,
        })
      },
    }),
    declareTool({
      name: 'glob',
      description: 'Finds files by a glob pattern, such as src/**/*.ts.',
      input: z.object({
        pattern: z.string().min(1).max(1_000),
        path: z.string().min(1).optional(),
        limit: z.number().int().min(1).max(globResultsMax).optional(),
      }),
      isReadOnly: true,
      async run(input, call) {
        const target = await resolveTarget(call.directory, input.path ?? '.')
        const permitted = await permitTarget(call, 'glob', target)
        if (!permitted.ok) return permitted
        const found = await runRipgrep(
          [
            '--files',
            '--hidden',
            '--sort=path',
            '--color=never',
            `--glob=${input.pattern}`,
            '--glob=!.git',
            '--',
            target.full,
          ],
          target.full,
          { limit: input.limit ?? globResultsMax, signal: call.signal },
        )
        if (found.problem !== undefined) return toolProblem(found.problem)
        return textOutput(describe(found, call.directory, 'No file'), {
          count: found.lines.length,
          truncated: found.isCut,
        })
      },
    }),
  ]
}

/** What may not be read without asking is not shown by a search either. */
class ReadableMatches {
  readonly #leftOut = new Set<string>()
  readonly #call: ToolCall
  /** A file that may be read because the owner was asked for it. */
  readonly #permitted: string | undefined

  constructor(call: ToolCall, permitted: string | undefined) {
    this.#call = call
    this.#permitted = permitted
  }

  get note(): string {
    const count = this.#leftOut.size
    if (count === 0) return ''
    return `\n(${count} ${count === 1 ? 'file' : 'files'} left out that may not be read without asking)`
  }

  /** The match as it is shown, of a line that begins with the path and a byte of nothing. */
  readonly take = (line: string): string | undefined => {
    const end = line.indexOf('\0')
    const file = line.slice(0, end)
    if (this.#leftOut.has(file)) return undefined
    const shown = file.startsWith(`${this.#call.directory}/`) ? file.slice(this.#call.directory.length + 1) : file
    if (file === this.#permitted || this.#call.isAllowed('read', shown)) return `${file}:${line.slice(end + 1)}`
    this.#leftOut.add(file)
    return undefined
  }
}

function describe(found: Found, directory: string, nothing: string): string {
  if (found.lines.length === 0) return nothing
  const lines = found.lines.map((line) => (line.startsWith(`${directory}/`) ? line.slice(directory.length + 1) : line))
  return found.isCut ? [...lines, '(more were found; narrow the search)'].join('\n') : lines.join('\n')
}
