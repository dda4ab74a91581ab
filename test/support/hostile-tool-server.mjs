// A tool server over standard input and output that misbehaves in the way its argument names.
import { createInterface } from 'node:readline'

const [how] = process.argv.slice(2)
const say = (message) => process.stdout.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
const rubbish = [
  'not a message',
  '{"jsonrpc":"2.0"',
  'null',
  '[]',
  '[{"jsonrpc":"2.0","id":1,"result":{}}]',
  '{}',
  '{"jsonrpc":"1.0","id":1,"result":{}}',
  '{"jsonrpc":"2.0","id":{"a":1},"result":{}}',
  '{"jsonrpc":"2.0","id":999,"result":{}}',
  '{"jsonrpc":"2.0","id":"x","error":"no"}',
  '{"jsonrpc":"2.0","id":7,"method":"roots/list"}',
  '{"jsonrpc":"2.0","id":8,"method":"sampling/createMessage","params":{"messages":[]}}',
  '{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":null}',
  '{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":7}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1e308,"progress":"much"}}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
  '{"jsonrpc":"2.0","method":"__proto__","params":{"__proto__":{"polluted":true}}}',
  '\u0000\u001b[2J\ufeff',
]
let lists = 0

function list(cursor) {
  lists += 1
  if (how === 'endless')
    return { tools: [{ name: `t${lists}`, inputSchema: { type: 'object' } }], nextCursor: `${lists}` }
  if (how === 'shapeless') return { tools: [{ name: 7 }, null, { inputSchema: 'none' }] }
  if (how === 'crowded') {
    const names = Array.from({ length: 300 }, (_unused, index) => `tool-${index}`)
    return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) }
  }
  if (how === 'dies-when-changed' && lists > 1) process.exit(1)
  const tools = [{ name: 'echo', inputSchema: { type: 'object' } }]
  return cursor === undefined ? { tools } : { tools: [] }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  // What it is answered is left alone: rubbish for that would never end.
  if (how === 'rubbish' && method !== undefined) for (const text of rubbish) say(text)
  if (method === 'initialize') {
    if (how === 'silent') continue
    const { protocolVersion } = params
    const capabilities = { tools: { listChanged: true } }
    say({
      jsonrpc: '2.0',
      id,
      result: { protocolVersion, capabilities, serverInfo: { name: 'hostile', version: '1' } },
    })
  } else if (method === 'tools/list') say({ jsonrpc: '2.0', id, result: list(params?.cursor) })
  else if (method === 'tools/call') {
    if (how === 'changes' || how === 'dies-when-changed') for (let count = 0; count < 500; count += 1) say(changed)
    const content =
      how === 'odd-content'
        ? [{ type: 'image', mimeType: 'image/png', data: '***' }, { type: 'text' }]
        : [{ type: 'text', text: `lists: ${lists}` }]
    say({ jsonrpc: '2.0', id, result: { content } })
  }
}
