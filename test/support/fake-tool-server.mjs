// A tool server over standard input and output: says its process id, echoes, fails on request, has resources.
import { createInterface } from 'node:readline'

const tools = [
  {
    name: 'echo',
    description: 'Echoes',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
  { name: 'pid', description: 'Says its process id', inputSchema: { type: 'object' } },
  { name: 'fail', description: 'Fails', inputSchema: { type: 'object' } },
  { name: 'hang', description: 'Never answers', inputSchema: { type: 'object' } },
  { name: 'crawl', description: 'Says how far it is, and ends', inputSchema: { type: 'object' } },
  { name: 'die', description: 'Ends', inputSchema: { type: 'object' } },
]
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'fake', version: '1' },
  }),
  'tools/list': ({ cursor }) =>
    cursor === undefined ? { tools: tools.slice(0, 2), nextCursor: 'more' } : { tools: tools.slice(2) },
  'resources/list': () => ({
    resources: [
      { uri: 'notes://one', name: 'one', description: 'The first note' },
      { uri: 'notes://picture', name: 'picture' },
    ],
  }),
  'resources/read': ({ uri }) =>
    uri === 'notes://one'
      ? { contents: [{ uri, mimeType: 'text/plain', text: 'the word is plum' }] }
      : { contents: [{ uri, mimeType: 'application/zip', blob: 'AAAA' }] },
  'tools/call': ({ name, arguments: input, _meta }) => {
    if (name === 'crawl') {
      const params = { progressToken: _meta?.progressToken, progress: 1, total: 2, message: 'half of it' }
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })}\n`)
      return new Promise((resolve) => {
        setTimeout(resolve, 100, { content: [{ type: 'text', text: 'all of it' }] })
      })
    }
    if (name === 'hang') return undefined
    if (name === 'die') process.exit(1)
    const text = name === 'echo' ? `echo: ${input.text}` : name === 'pid' ? `pid ${process.pid}` : 'it failed'
    return { content: [{ type: 'text', text }], ...(name === 'fail' ? { isError: true } : {}) }
  },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const result = await answers[method]?.(params ?? {})
  if (id !== undefined && result !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
