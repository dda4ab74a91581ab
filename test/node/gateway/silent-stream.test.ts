import OpenAI from 'openai'
import { test } from 'vitest'
import { textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { keepAliveMs } from '../../../workers/gateway/limits.ts'
import { gatewayUnderTest, sonnet, testKey } from '../../support/gateway-under-test.ts'

test('a comment is written to a stream that has been silent for its time, and clients pass over it', async ({
  expect,
}) => {
  const watching = new Set<() => void>()
  let nowMs = Date.now()
  await using under = await gatewayUnderTest(
    {},
    {
      clock: { nowMs: () => nowMs },
      timers: {
        watch(ms, task) {
          if (ms === keepAliveMs) watching.add(task)
          return () => watching.delete(task)
        },
      },
    },
  )
  const passed: string[] = []
  const opened = Promise.withResolvers<void>()
  const [beginning, rest] = [textSteps(['Hel', 'lo']).slice(0, 2), textSteps(['Hel', 'lo']).slice(2)]
  under.bedrock.next({ steps: [...beginning, { gate: opened.promise }, ...rest] })
  const client = new OpenAI({
    apiKey: testKey,
    baseURL: 'http://gateway.test/api/v1',
    async fetch(url, init) {
      const answer = await under.gateway.fetch(new Request(url, init))
      const reading = answer.body?.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, controller) {
            passed.push(new TextDecoder().decode(piece))
            controller.enqueue(piece)
          },
        }),
      )
      return new Response(reading ?? null, answer)
    },
  })
  const wait = (ms: number) => {
    nowMs += ms
    for (const look of watching) look()
  }
  const answer = client.chat.completions.stream({ model: sonnet, messages: [{ role: 'user', content: 'hi' }] })
  await expect.poll(() => passed.join('')).toContain('"Hel"')
  const spoken = passed.length
  wait(keepAliveMs - 1)
  wait(1)
  wait(keepAliveMs - 1)
  await expect.poll(() => passed.slice(spoken)).toEqual([': keep-alive\n\n'])
  opened.resolve()

  expect((await answer.finalChatCompletion()).choices[0]?.message.content).toBe('Hello')
  expect(watching.size).toBe(0)
})
