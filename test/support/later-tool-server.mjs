// A tool server made with the official SDK that takes nothing but the revision 2026-07-28: over standard input and output,
// or, with the argument `http`, at an address that it prints.
import { createServer } from 'node:http'
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const answer = z.object({ name: z.string() })

function make() {
  const server = new McpServer({ name: 'later', version: '1' })
  const text = (said) => ({ content: [{ type: 'text', text: said }] })
  server.registerTool('greet', { description: 'Greets somebody', inputSchema: z.object({}) }, async (_input, ctx) => {
    const accepted = acceptedContent(ctx.mcpReq.inputResponses, 'who', answer)
    if (accepted !== undefined) return text(`hello ${accepted.name}`)
    return inputRequired({
      inputRequests: { who: inputRequired.elicit({ message: 'Who is it?', requestedSchema: answer }) },
    })
  })
  return server
}

if (process.argv[2] !== 'http') serveStdio(make, { legacy: 'reject' })
else {
  const handler = createMcpHandler(make, { legacy: 'reject' })
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, headers } = request
    const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
    const answered = await handler.fetch(
      new Request(new URL(request.url, 'http://127.0.0.1'), { method, headers, ...body }),
    )
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.flushHeaders()
    for await (const chunk of answered.body ?? []) response.write(chunk)
    response.end()
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`))
}
