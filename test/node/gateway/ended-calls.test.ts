import { test } from 'vitest'
import { textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import type { Answer } from '../../../local/gateway/sandbox/provider-wire.ts'
import { gatewayUnderTest, sonnet } from '../../support/gateway-under-test.ts'

const silence = { gate: new Promise(() => {}) }
const beginning = textSteps(['Hel', 'lo']).slice(0, 2)
const noFrame = { bytes: new Uint8Array(100) }

/** How a stream of the provider ends badly, and for two of them goes on to say something all the same. */
const endings: readonly (readonly [string, Answer])[] = [
  ['an exception comes first', { steps: [{ exception: 'validationException', message: 'no' }, silence] }],
  [
    'an exception comes later',
    { steps: [...beginning, { exception: 'modelStreamErrorException', message: 'no' }, silence] },
  ],
  ['what comes first is no frame', { steps: [noFrame, silence] }],
  ['what comes later is no frame', { steps: [...beginning, noFrame, silence] }],
  ['the connection is cut', { steps: [...beginning, { cut: true }] }],
  ['the output is malformed', { steps: [...textSteps(['x'], 'malformed_tool_use').slice(0, -1), silence] }],
  ['nothing ends badly', { steps: textSteps(['Hello']) }],
]

async function watchedGateway() {
  const watches = new Set<object>()
  const watch = (_: number, task: () => void) => {
    const one = { task }
    watches.add(one)
    return () => watches.delete(one)
  }
  return { watches, under: await gatewayUnderTest({ AWS_MAX_RETRY_ATTEMPTS: '1' }, { timers: { watch } }) }
}

const request = { json: { model: sonnet, stream: true, messages: [{ role: 'user', content: 'hi' }] } }

test.for(endings)('nothing is left of a call to the provider when %s', async ([_, answer], { expect }) => {
  const { watches, under } = await watchedGateway()
  await using _under = under
  under.bedrock.next(answer)
  await (await under.call('/chat/completions', request)).text()

  await expect.poll(() => under.bedrock.openCalls()).toBe(0)
  await expect.poll(() => watches.size).toBe(0)
})

test('nothing is left of a call to the provider when the client stops reading and leaves', async ({ expect }) => {
  const { watches, under } = await watchedGateway()
  await using _under = under
  under.bedrock.next({ steps: [...beginning, silence] })
  const reader = (await under.call('/chat/completions', request)).body?.getReader()
  await reader?.read()
  await reader?.cancel()

  await expect.poll(() => under.bedrock.openCalls()).toBe(0)
  await expect.poll(() => watches.size).toBe(0)
})
