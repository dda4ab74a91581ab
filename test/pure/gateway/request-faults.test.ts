import { test } from 'vitest'
import { chatRequest } from '../../../workers/gateway/contract/chat-request.ts'
import { completionsRequest } from '../../../workers/gateway/contract/completions-request.ts'
import { parseBody } from '../../../workers/gateway/http/request-body.ts'

const says = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const parts = ['text', 'sound'].map((type) => ({ type, text: 'x' }))
const choice = { ...says('x'), tool_choice: { type: 'function', function: {} } }

test.for([
  ['a part of no known type', says(parts), 'messages[0].content[1].type'],
  ['an image without address', says([{ type: 'image_url', image_url: {} }]), 'messages[0].content[0].image_url.url'],
  ['content that is neither text nor parts', says(7), 'messages[0].content'],
  ['a message without content', { messages: [{ role: 'user' }] }, 'messages[0].content'],
  ['a tool choice without name', choice, 'tool_choice.function.name'],
  ['a stop that is no list of texts', { ...says('x'), stop: ['a', 1] }, 'stop[1]'],
] as const)('names the innermost field at fault: %s', ([_what, body, param], { expect }) => {
  const message = expect.stringMatching(/: (Invalid input: expected|Invalid input|Invalid discriminator)/)
  expect(parseBody(chatRequest, body)).toMatchObject({ failure: { message, param } })
})

test('keeps the words of a shape that says what it takes', ({ expect }) => {
  const message = 'prompt: must be a text or a list of texts'
  expect(parseBody(completionsRequest, { prompt: [1, 2] })).toMatchObject({ failure: { message, param: 'prompt' } })
})
