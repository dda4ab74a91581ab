/** The tools over standard input and output, by the Model Context Protocol, until whoever asks is gone. */

import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { messageBytesMax } from './limits.ts'
import type { Senses } from './senses.ts'

const instructions =
  'Answers about the code of this project from its index: what a symbol is, who calls it, what a change of it reaches, which tests would tell. ' +
  'Certain and guessed are never in one list, and each row names file, line and the line itself. ' +
  'A symbol is named by its name, "Type.member", "path:line" or the path of a file.'

export interface SensesConnection {
  readonly input: Readable
  readonly output: Writable
  readonly version: string
  readonly signal: AbortSignal
  readonly report: (message: string) => void
}

export async function serveSenses(senses: Senses, connection: SensesConnection): Promise<void> {
  const { input, output, signal, report } = connection
  const handle = serveStdio(() => serverFor(senses, connection.version), {
    transport: new StdioServerTransport(input, output, { maxBufferSize: messageBytesMax }),
    // Nothing changes about these tools while someone is connected.
    maxSubscriptions: 0,
    onerror: (cause) => report(cause.message),
  })
  try {
    await finished(input, { writable: false, signal })
  } catch (error) {
    if (!signal.aborted) report(String(error))
  }
  await handle.close()
}

function serverFor(senses: Senses, version: string): Server {
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
