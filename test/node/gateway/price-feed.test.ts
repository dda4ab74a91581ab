/** Prices and limits that a running gateway reads from a feed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'vitest'
import type { ModelObject } from '../../../workers/gateway/contract/model-object.ts'
import { priceFeedBytesMax, priceFeedRefreshMs, priceFeedRetryMs } from '../../../workers/gateway/limits.ts'
import { fakeBearer } from '../../support/fake-bedrock.ts'
import { gatewayUnderTest, opus, sonnet } from '../../support/gateway-under-test.ts'

/** In the form of the public feed, as its document of 2026-07-02 has it. */
function feedOf(input: number): string {
  const model = {
    id: sonnet,
    cost: { input, output: 4, cache_read: 0.5, context_over_200k: { input: 9, output: 10 } },
    limit: { context: 123_000, output: 4_000 },
    modalities: { input: ['text', 'image'], output: ['text'] },
  }
  const none = { models: {} }
  return JSON.stringify({
    'amazon-bedrock': { models: { [sonnet]: model } },
    anthropic: none,
    openai: none,
    google: none,
  })
}

/** A gateway that was told of a feed, whose answers are these in turn, and whose clock is moved. */
async function underFeed(...answers: readonly (readonly [status: number, body: string])[]) {
  let asked = 0
  const server = createServer((_, response) => {
    const [status, body] = answers[asked] ?? [500, '']
    asked += 1
    response.writeHead(status).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  let offsetMs = 0
  const under = await gatewayUnderTest(
    {
      AWS_BEARER_TOKEN_BEDROCK: fakeBearer,
      PRICES_FEED: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`,
    },
    { clock: { nowMs: () => Date.now() + offsetMs } },
    { authentication: 'bearer' },
  )
  return {
    under,
    asked: () => asked,
    pass(ms: number) {
      offsetMs += ms
    },
    async model(id = sonnet): Promise<ModelObject> {
      return (await (await under.call(`/models/${encodeURIComponent(id)}`)).json()) as ModelObject
    },
    async [Symbol.asyncDispose]() {
      await under[Symbol.asyncDispose]()
      server.close()
    },
  }
}

describe('a feed of prices', () => {
  test('is read once a day, and what it does not list stays', async ({ expect }) => {
    await using feed = await underFeed([200, feedOf(1.5)], [200, feedOf(2.5)])
    const before = await feed.model()
    await expect.poll(async () => (await feed.model()).pricing?.per_million_tokens.input).toBe(1.5)
    const after = await feed.model()
    const other = await feed.model(opus)
    feed.pass(priceFeedRefreshMs - 60_000)
    await feed.model()
    const within = feed.asked()
    feed.pass(120_000)
    await expect.poll(async () => (await feed.model()).pricing?.per_million_tokens.input).toBe(2.5)

    expect(before.pricing?.per_million_tokens.input).toBe(3)
    expect(after).toMatchObject({
      context_window: 123_000,
      max_output_tokens: 4_000,
      input_modalities: ['text', 'image'],
      pricing: { dated: new Date().toISOString().slice(0, 10), per_million_tokens: { output: 4, cache_read: 0.5 } },
    })
    expect(other.pricing?.per_million_tokens).toMatchObject({ input: 5, output: 25 })
    expect([within, feed.asked()]).toEqual([1, 2])
  })

  test.for([
    ['answers with an error', [503, feedOf(1.5)], { status: 503 }],
    ['is no JSON', [200, 'nonsense'], { message: 'the feed has no amazon-bedrock' }],
    ['lacks a provider', [200, '{"amazon-bedrock": {"models": {}}}'], { message: 'the feed has no anthropic' }],
    ['has a price that is none', [200, feedOf(-1)], { message: `the feed bedrock.${sonnet} has a price that is none` }],
    ['is too large', [200, feedOf(1.5).padEnd(priceFeedBytesMax + 1)], { message: 'the feed is too large' }],
  ] as const)('that %s leaves the list as it is, and is tried again', async ([, answer, told], { expect }) => {
    await using feed = await underFeed(answer, [200, feedOf(1.5).padEnd(priceFeedBytesMax)])
    await feed.model()
    await expect.poll(() => feed.under.logs.find(({ event }) => event === 'prices-unread')).toMatchObject(told)
    const kept = await feed.model()
    feed.pass(priceFeedRetryMs)
    await expect.poll(async () => (await feed.model()).pricing?.per_million_tokens.input).toBe(1.5)

    expect(kept.pricing?.per_million_tokens.input).toBe(3)
    expect(feed.asked()).toBe(2)
  })
})
