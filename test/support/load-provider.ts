// A provider for load runs: answers with recorded bytes and checks nothing, so that the gateway is what is measured.
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { eventFrame } from '../../local/gateway/sandbox/frames.ts'

const chunkCount = 200
const pacedMs = 5

const answer = JSON.stringify({
  output: { message: { role: 'assistant', content: [{ text: 'A short answer of the model.' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 12, outputTokens: 8, totalTokens: 20 },
  metrics: { latencyMs: 1 },
})
const chatAnswer = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: 'near',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'A short answer of the model.' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 },
})
const first = eventFrame('messageStart', { role: 'assistant', p: 'abcdefgh' })
const chunk = eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: ' word' }, p: 'abcdefghijklm' })
const last = Buffer.concat([
  eventFrame('contentBlockStop', { contentBlockIndex: 0 }),
  eventFrame('messageStop', { stopReason: 'end_turn' }),
  eventFrame('metadata', {
    usage: { inputTokens: 12, outputTokens: 200, totalTokens: 212 },
    metrics: { latencyMs: 1 },
  }),
])
const whole = Buffer.concat([first, ...Array.from({ length: chunkCount }, () => chunk), last])

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const path = request.url ?? ''
    if (!path.endsWith('/converse-stream')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(path.endsWith('/converse') ? answer : path.endsWith('/chat/completions') ? chatAnswer : '{}')
      return
    }
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    if (path.includes('paced')) void pace()
    else response.end(whole)
  })
  const pace = async () => {
    response.write(first)
    for (let sent = 0; sent < chunkCount && !response.destroyed; sent += 1) {
      response.write(chunk)
      await wait(pacedMs)
    }
    response.end(last)
  }
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
