// A tool server made with the official SDK, over standard input and output: asks its client's owner by a form, has prompts,
// notes what it was told to cancel, and has as many more tools as its argument says.
import { appendFileSync } from 'node:fs'
import { McpServer, UrlElicitationRequiredError } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'shop', version: '1' })
const text = (said) => ({ content: [{ type: 'text', text: said }] })
const note = (line) => process.env.SHOP_LOG !== undefined && appendFileSync(process.env.SHOP_LOG, `${line}\n`)

const form = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'Whom it is for', minLength: 2 },
    count: { type: 'integer', title: 'How many', minimum: 1, maximum: 9 },
    size: { type: 'string', title: 'Size', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
    gift: { type: 'boolean', title: 'A gift' },
    note: { type: 'string', title: 'Note' },
  },
  required: ['name', 'count', 'size', 'gift'],
}

server.registerTool('order', { description: 'Orders something', inputSchema: z.object({}) }, async (_input, ctx) => {
  const params = { mode: 'form', message: 'What shall it be?', requestedSchema: form }
  const result = await server.server.elicitInput(params, { timeout: 600_000, signal: ctx.mcpReq.signal })
  note(`order ${JSON.stringify(result)}`)
  return text(`ordered: ${JSON.stringify(result)}`)
})
const pageOf = (url) => ({ mode: 'url', message: 'Open it', url, elicitationId: 'e1' })
server.registerTool('page', { description: 'Wants a page opened', inputSchema: z.object({}) }, async () => {
  const params = pageOf(process.env.SHOP_PAGE ?? 'https://example.com/pay?order=1')
  return text(
    await server.server.elicitInput(params).then(
      ({ action }) => action,
      (error) => `refused: ${error.message}`,
    ),
  )
})
let refusals = 0
server.registerTool(
  'paid',
  { description: 'Refuses until its page was opened', inputSchema: z.object({}) },
  async () => {
    refusals += 1
    if (refusals % 2 === 1) throw new UrlElicitationRequiredError([pageOf('https://example.com/pay?order=2')])
    return text(`paid after ${refusals}`)
  },
)
server.registerTool(
  'wait',
  { description: 'Waits until it is cancelled', inputSchema: z.object({}) },
  async (_input, ctx) => {
    note('waits')
    await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve))
    note('cancelled')
    return text('never seen')
  },
)
server.registerTool('grow', { description: 'Adds a prompt and a tool', inputSchema: z.object({}) }, async () => {
  server.registerPrompt('late', { description: 'A late one' }, () => said('user', 'Late it is.'))
  server.registerTool('late', { description: 'A late one', inputSchema: z.object({}) }, async () => text('late'))
  return text('grown')
})

const said = (role, words) => ({ messages: [{ role, content: { type: 'text', text: words } }] })
server.registerPrompt(
  'review',
  {
    description: 'Reviews a file',
    argsSchema: z.object({ file: z.string(), focus: z.string().optional() }),
  },
  ({ file, focus }) => ({
    messages: [
      ...said('user', `Review ${file}, above all ${focus ?? 'everything'}.`).messages,
      ...said('assistant', 'I will.').messages,
    ],
  }),
)
server.registerPrompt('broken', { description: 'Fails' }, () => {
  throw new Error('this prompt is out of order')
})

const more = Number(process.argv[2] ?? 0)
for (let at = 0; at < more; at += 1) {
  const description = at === 7 ? 'Sends an electronic letter to a customer' : `Does thing number ${at}`
  const name = at === 7 ? 'send_mail' : `thing${at}`
  server.registerTool(name, { description, inputSchema: z.object({}) }, async () => text(`did ${name}`))
}
await server.connect(new StdioServerTransport())
