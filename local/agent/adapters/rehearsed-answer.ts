/** A provider that answers within the process: what reads its answers is compiled, and made, by the first that is read. */
import { inLaterPass } from '../runtime/loop-share.ts'
import type { ModelRequest } from '../runtime/model-port.ts'

export const rehearsedRequest: ModelRequest = {
  endpoint: {
    ref: { providerID: 'rehearsal', id: 'none' },
    package: '@ai-sdk/openai-compatible',
    url: 'http://rehearsal.invalid',
    apiKey: undefined,
    headers: {},
    outputTokensMax: undefined,
    mediaTypes: undefined,
    options: {},
    quietMsMax: undefined,
  },
  system: 'Rehearse.',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }],
}

const call = { index: 0, id: 'call_0', type: 'function', function: { name: 'read', arguments: '{}' } }
const pieces = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }] },
  { choices: [{ index: 0, delta: { tool_calls: [call] } }] },
  {
    choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  },
]

/** Text and a call, each piece in a pass of the loop of its own. */
export async function answerRehearsal(): Promise<Response> {
  const lines = [...pieces.map((piece) => JSON.stringify(piece)), '[DONE]'].map((text) => `data: ${text}\n\n`)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await inLaterPass()
        const line = lines.shift()
        if (line === undefined) controller.close()
        else controller.enqueue(encoder.encode(line))
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
