/** tool_search: of many tools of tool servers, those that the model is told of when it looks for them. */
import { z } from '@hono/zod-openapi'
import type { Message } from '../../core/session/message.ts'
import { searchTools } from '../../core/tool-search.ts'
import { toolsFoundMax } from '../../limits.ts'
import { declareTool, type Tool, textOutput } from '../tool-port.ts'

const toolSearchName = 'tool_search'

export function toolSearch(tools: readonly Tool[]): Tool {
  const servers = [...new Set(tools.map(({ name }) => name.split('_')[0]))].join(', ')
  return declareTool({
    name: toolSearchName,
    description: `Finds tools by words. There are ${tools.length} more than you are told of, of ${servers}; those that are found can be called from the next step on.`,
    input: z.object({ query: z.string().min(1).max(500).describe('Words for what you want to do') }),
    // Says how many there are, so it is not the same for every session.
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 500, description: 'Words for what you want to do' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    isReadOnly: true,
    isForeign: true,
    async run({ query }) {
      const found = searchTools(tools, query, toolsFoundMax)
      const lines = found.map(({ name, description }) => `${name}: ${description}`)
      return textOutput(lines.length === 0 ? 'No tool is found by these words' : lines.join('\n'), {
        tools: found.map(({ name }) => name),
      })
    },
  })
}

/** What was found in what the model still has before it. */
export function foundTools(context: readonly Message[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const message of context) {
    if (message.type !== 'assistant') continue
    for (const part of message.content) {
      if (part.type !== 'tool' || part.name !== toolSearchName || part.state.status !== 'completed') continue
      const names = part.state.structured['tools']
      if (Array.isArray(names)) for (const name of names) found.add(String(name))
    }
  }
  return found
}
