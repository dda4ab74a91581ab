/** The tools as the Model Context Protocol has them, whatever carries it. */
import { Server } from '@modelcontextprotocol/server'
import type { Senses } from './senses.ts'

const instructions =
  'Answers about the code of this project from its index: what a symbol is, who calls it, what a change of it reaches, which tests would tell. ' +
  'Certain and guessed are never in one list, and each row names file, line and the line itself. ' +
  'A symbol is named by its name, "Type.member", "path:line" or the path of a file.'

export function sensesServer(senses: Senses, version: string): Server {
  const server = new Server({ name: 'wharf-index', version }, { capabilities: { tools: {} }, instructions })
  server.setRequestHandler('tools/list', () => ({
    tools: senses.list.map(({ name, description, schema }) => ({
      name,
      description,
      inputSchema: { type: 'object' as const, ...schema },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { text, isError } = await senses.ask(params.name, params.arguments ?? {}, mcpReq.signal)
    return { content: [{ type: 'text' as const, text }], isError }
  })
  return server
}
