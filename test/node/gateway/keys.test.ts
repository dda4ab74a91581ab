/** Keys of people and programs: what they may do, what they may spend, and what is written down of it. */
import { describe, test } from 'vitest'
import type { ModelFacts } from '#shared/models/price-list.ts'
import { messageAnswer, textSteps } from '../../../local/gateway/sandbox/provider-shapes.ts'
import type { KeyObject, UsageObject } from '../../../workers/gateway/contract/admin.ts'
import { costMaxNano } from '../../../workers/gateway/core/keys/call-cost.ts'
import { callEstimate } from '../../../workers/gateway/core/keys/call-estimate.ts'
import { keyAddressesMax, oldSecretMs } from '../../../workers/gateway/limits.ts'
import { fakeBearer } from '../../support/fake-bedrock.ts'
import { type GatewayUnderTest, gatewayUnderTest, opus, sonnet, testKey } from '../../support/gateway-under-test.ts'

type MadeKey = KeyObject & { readonly secret: string }

async function makeKey(under: GatewayUnderTest, body: Record<string, unknown> = {}): Promise<MadeKey> {
  const answer = await under.call('/admin/keys', { json: { name: 'Laptop', ...body } })
  return (await answer.json()) as MadeKey
}

const question = { model: sonnet, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }

function ask(under: GatewayUnderTest, secret: string, more: Record<string, unknown> = {}): Promise<Response> {
  return under.call('/chat/completions', {
    json: { ...question, ...more },
    // What is to come is held beforehand, where a length is not told, all of the bound.
    headers: { authorization: `Bearer ${secret}`, 'content-length': '1000' },
  })
}

/** With a clock of its own, and a credential that does not go by the time. */
function underClock(nowMs: () => number, environment: Record<string, string> = {}): Promise<GatewayUnderTest> {
  return gatewayUnderTest(
    { AWS_BEARER_TOKEN_BEDROCK: fakeBearer, ...environment },
    { clock: { nowMs } },
    { authentication: 'bearer' },
  )
}

async function codeOf(answer: Response): Promise<unknown> {
  return ((await answer.json()) as { error?: { code?: unknown } }).error?.code
}

async function keyNow(under: GatewayUnderTest, id: string): Promise<KeyObject> {
  return (await (await under.call(`/admin/keys/${id}`)).json()) as KeyObject
}

async function usageOf(under: GatewayUnderTest): Promise<readonly UsageObject[]> {
  return ((await (await under.call('/admin/usage')).json()) as { data: UsageObject[] }).data
}

describe('a key', () => {
  test('opens every dialect, and its secret is told once', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under)
    const asBearer = await ask(under, key.secret)
    const asHeader = await under.call('/messages', {
      json: question,
      headers: { authorization: '', 'x-api-key': key.secret },
    })
    const listed = await (await under.call('/admin/keys')).text()

    expect([asBearer.status, asHeader.status]).toEqual([200, 200])
    expect(key.secret).toMatch(/^wgk_[0-9a-f]{12}_[0-9a-f]{48}$/)
    expect(listed).toContain(key.secret.slice(-4))
    expect(listed).not.toContain(key.secret)
    expect(listed).not.toContain(key.secret.slice(-48))
  })

  test.for([
    ['none at all', () => '', 401, 'unauthorized'],
    [
      'another secret of its id',
      (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('0') ? 1 : 0}`,
      401,
      'unauthorized',
    ],
    ['an id that nobody has', (secret: string) => `wgk_000000000000_${secret.slice(-48)}`, 401, 'unauthorized'],
  ] as const)('%s is refused', async ([, presented, status, code], { expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await ask(under, presented((await makeKey(under)).secret))

    expect(answer.status).toBe(status)
    expect(await codeOf(answer)).toBe(code)
  })

  test('is refused at once when it was revoked, and what it spent stays until it is removed', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under)
    const before = await ask(under, key.secret)
    const revoked = await under.call(`/admin/keys/${key.id}`, { method: 'DELETE' })
    const after = await ask(under, key.secret)
    const kept = await usageOf(under)
    const removed = await under.call(`/admin/keys/${key.id}`, { method: 'DELETE' })

    expect([before.status, after.status]).toEqual([200, 401])
    expect(await revoked.json()).toMatchObject({ id: key.id, revoked_at: expect.any(Number) })
    expect(kept.find((row) => row.model === sonnet)).toMatchObject({ key: key.id, requests: 1 })
    expect(kept.find((row) => row.model === '')).toMatchObject({ key: key.id, refused: 1 })
    expect(await removed.json()).toMatchObject({ deleted: true })
    expect(await usageOf(under)).toEqual([])
    expect((await ask(under, key.secret)).status).toBe(401)
  })

  test('ends when it expires', async ({ expect }) => {
    let nowMs = Date.UTC(2026, 0, 5)
    await using under = await underClock(() => nowMs)
    const key = await makeKey(under, { expires_at: nowMs / 1_000 + 60 })
    nowMs += 59_999
    const last = await ask(under, key.secret)
    nowMs += 1
    const past = await ask(under, key.secret)

    expect([last.status, past.status]).toEqual([200, 401])
  })

  test('takes a new secret, and the old one ends an hour later', async ({ expect }) => {
    let nowMs = Date.UTC(2026, 0, 5)
    await using under = await underClock(() => nowMs)
    const key = await makeKey(under)
    const renewed = (await (await under.call(`/admin/keys/${key.id}/secret`, { method: 'POST' })).json()) as MadeKey
    nowMs += oldSecretMs - 1
    const both = [await ask(under, key.secret), await ask(under, renewed.secret)]
    nowMs += 1
    const later = [await ask(under, key.secret), await ask(under, renewed.secret)]

    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(later.map(({ status }) => status)).toEqual([401, 200])
  })

  test('takes a new secret, and the old one ends at once where its owner says so', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under)
    const renewed = (await (await under.call(`/admin/keys/${key.id}/secret`, { method: 'POST' })).json()) as MadeKey
    const ended = await under.call(`/admin/keys/${key.id}/secret`, { method: 'DELETE' })
    const told = (await ended.json()) as KeyObject
    const asked = [await ask(under, key.secret), await ask(under, renewed.secret)]
    const again = await under.call(`/admin/keys/${key.id}/secret`, { method: 'DELETE' })
    const none = await under.call('/admin/keys/0123456789ab/secret', { method: 'DELETE' })

    expect(renewed.old_secret_until).not.toBeNull()
    expect(told.old_secret_until).toBeNull()
    expect(told).not.toHaveProperty('secret')
    expect(asked.map(({ status }) => status)).toEqual([401, 200])
    expect([ended.status, again.status, none.status]).toEqual([200, 200, 404])
  })

  test('opens for the addresses on its list, and its owner sees who came from elsewhere', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under, { addresses: ['203.0.113.0/24', ' 2001:db8::/32 '] })
    const from = (caller?: string) =>
      under.call('/chat/completions', {
        json: question,
        headers: {
          authorization: `Bearer ${key.secret}`,
          ...(caller === undefined ? {} : { 'cf-connecting-ip': caller }),
        },
      })
    const answers = [await from('203.0.113.9'), await from('2001:db8::1'), await from('198.51.100.1'), await from()]
    const calls = (await (await under.call('/admin/requests')).json()) as { data: { code: string | null }[] }
    await under.call(`/admin/keys/${key.id}`, { json: { addresses: [] } })

    expect(key.addresses).toEqual(['203.0.113.0/24', '2001:db8::/32'])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403])
    expect(await codeOf(answers[2] as Response)).toBe('forbidden')
    expect(calls.data.map(({ code }) => code)).toEqual(['address', 'address', null, null])
    expect((await from()).status).toBe(200)
  })

  test.for([
    ['an address that is none', ['203.0.113.256']],
    ['a network of everybody', ['0.0.0.0/0']],
    ['a network without a length', ['10.0.0.0/']],
    ['one more than a key may have', Array.from({ length: keyAddressesMax + 1 }, (_, last) => `10.0.0.${last}`)],
  ] as const)('does not take %s', async ([, addresses], { expect }) => {
    await using under = await gatewayUnderTest()
    const all = Array.from({ length: keyAddressesMax }, (_, last) => `10.0.0.${last}`)
    const refused = await under.call('/admin/keys', { json: { name: 'Laptop', addresses } })

    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('addresses')
    expect((await makeKey(under, { addresses: all })).addresses).toEqual(all)
  })

  test('reaches the models on its list, by every name of theirs, and sees no other', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under, { models: ['us.anthropic.claude-sonnet-*', 'cohere.embed-english-v3'] })
    const mine = await ask(under, key.secret, { model: 'claude-sonnet-4-5' })
    const other = await ask(under, key.secret, { model: opus })
    const headers = { authorization: `Bearer ${key.secret}` }
    const embedded = await under.call('/embeddings', {
      json: { model: 'amazon.titan-embed-text-v2:0', input: 'x' },
      headers,
    })
    const list = (await (await under.call('/models', { headers })).json()) as { data: { id: string }[] }
    const hidden = await under.call(`/models/${opus}`, { headers })

    expect(mine.status).toBe(200)
    expect([other.status, embedded.status, hidden.status]).toEqual([403, 403, 400])
    expect(await codeOf(other)).toBe('forbidden')
    expect(list.data.map(({ id }) => id)).toContain(sonnet)
    expect(list.data.map(({ id }) => id)).not.toContain(opus)
  })

  test.for([
    ['/admin/keys', 'GET'],
    ['/admin/keys', 'POST'],
    ['/admin/usage', 'GET'],
    ['/admin/requests', 'GET'],
    ['/admin/routing', 'GET'],
    ['/admin/providers/north/rest', 'DELETE'],
    ['/admin/keys/0123456789ab', 'DELETE'],
    ['/admin/keys/0123456789ab/secret', 'DELETE'],
    ['/admin/keys/0123456789ab/secret', 'POST'],
  ] as const)('does not open %s by %s', async ([path, method], { expect }) => {
    await using under = await gatewayUnderTest()
    const { secret } = await makeKey(under)
    const answer = await under.call(path, { method, headers: { authorization: `Bearer ${secret}` } })

    expect(answer.status).toBe(403)
  })
})

describe('the limits of a key', () => {
  test('let so many requests of a minute through, and the next in the next minute', async ({ expect }) => {
    let nowMs = Date.UTC(2026, 0, 5, 12, 0, 30)
    await using under = await underClock(() => nowMs)
    const key = await makeKey(under, { requests_per_minute: 2 })
    const answers = [await ask(under, key.secret), await ask(under, key.secret), await ask(under, key.secret)]
    nowMs += 30_000
    const next = await ask(under, key.secret)

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[2]?.headers.get('retry-after')).toBe('30')
    expect(next.status).toBe(200)
  })

  test('let through what fits into the tokens of a minute, and nothing that may not', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under, { tokens_per_minute: 2_000 })
    const fits = await ask(under, key.secret)
    const not = await ask(under, key.secret, { max_tokens: 2_000 })

    expect([fits.status, not.status]).toEqual([200, 429])
    expect(await codeOf(not)).toBe('rate_limit_exceeded')
    expect((await keyNow(under, key.id)).used.tokens_this_minute).toBeGreaterThan(0)
  })

  test('refuse a model without a price to a key with a budget', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under, { budget_day_usd: 1 })
    const answer = await under.call('/embeddings', {
      json: { model: 'amazon.nova-2-multimodal-embeddings-v1:0', input: 'x' },
      headers: { authorization: `Bearer ${key.secret}` },
    })

    expect(answer.status).toBe(403)
    expect(under.bedrock.callsOf('invoke')).toEqual([])
  })

  test('say what a budget has left, and open again on the next day of the owner’s clock', async ({ expect }) => {
    // 23:30 of the fourth in UTC is half past seven of the fifth in Shanghai.
    let nowMs = Date.UTC(2026, 0, 4, 23, 30)
    await using under = await underClock(() => nowMs, { TIME_ZONE: 'Asia/Shanghai' })
    const key = await makeKey(under, { budget_day_usd: 0.01 })
    under.bedrock.next(
      messageAnswer([{ text: 'x' }], 'end_turn', { inputTokens: 3_000, outputTokens: 50, totalTokens: 3_050 }),
    )
    const first = await ask(under, key.secret)
    const second = await ask(under, key.secret)
    const used = (await keyNow(under, key.id)).used
    nowMs += 16.5 * 3_600_000
    const tomorrow = await ask(under, key.secret)

    expect([first.status, second.status, tomorrow.status]).toEqual([200, 429, 200])
    expect(await codeOf(second)).toBe('insufficient_quota')
    expect(second.headers.get('retry-after')).toBe(String(16.5 * 3_600))
    expect(second.headers.get('x-should-retry')).toBe('false')
    expect(used).toMatchObject({ day_usd: 0.00975, month_usd: 0.00975, reserved_usd: 0, calls_under_way: 0 })
  })

  test('a thousand requests at once never exceed a budget, and none is refused too early', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const facts: ModelFacts = {
      inputNano: 3_000,
      outputNano: 15_000,
      cacheReadNano: 300,
      cacheWriteNano: 3_750,
      above200k: undefined,
      contextTokens: 200_000,
      outputTokensMax: 64_000,
      takes: [],
    }
    await ask(under, testKey)
    const { inputTokensMax, outputTokensMax } = callEstimate(under.bedrock.calls.at(-1)?.body, 50, facts)
    const reserved = costMaxNano(facts, inputTokensMax, outputTokensMax) / 1e9
    const budget = 25 * reserved
    const key = await makeKey(under, { budget_month_usd: budget })
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask(under, key.secret)))
    const together = answers.filter(({ status }) => status === 200).length
    const afterwards = (await keyNow(under, key.id)).used
    let more = 0
    while ((await ask(under, key.secret, { max_tokens: 50 })).status === 200 && more < 20_000) more += 1
    const { used } = await keyNow(under, key.id)

    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true)
    expect(together).toBeGreaterThanOrEqual(25)
    expect(afterwards.month_usd).toBeLessThanOrEqual(budget)
    expect(used.month_usd).toBeLessThanOrEqual(budget)
    expect(budget - used.month_usd).toBeLessThan(reserved)
    expect(used).toMatchObject({ reserved_usd: 0, calls_under_way: 0 })
  }, 240_000)
})

describe('what is written down', () => {
  test('is tokens by kind, cost, and no word of what was said', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under)
    under.bedrock.next(
      messageAnswer([{ text: 'a secret answer' }], 'end_turn', {
        inputTokens: 100,
        outputTokens: 20,
        totalTokens: 620,
        cacheReadInputTokens: 300,
        cacheWriteInputTokens: 200,
      }),
    )
    await ask(under, key.secret, { messages: [{ role: 'user', content: 'a secret question' }] })
    await ask(under, testKey)
    const rows = await usageOf(under)
    const requests = await (await under.call('/admin/requests')).text()

    expect(rows.find((row) => row.key === key.id)).toMatchObject({
      key_name: 'Laptop',
      provider: 'bedrock',
      model: sonnet,
      requests: 1,
      failed: 0,
      tokens: { input: 100, cache_read: 300, cache_write: 200, output: 20, reasoning: 0 },
      // 100 × 3 + 300 × 0.3 + 200 × 3.75 + 20 × 15 dollars a million.
      cost_usd: 0.00144,
    })
    expect(rows.find((row) => row.key === 'master')).toMatchObject({ key_name: 'API_KEY', requests: 1 })
    expect(JSON.parse(requests).data).toHaveLength(2)
    expect(requests).not.toContain('secret')
  })

  test('is the time to the first piece of a streamed answer', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const answer = await ask(under, testKey, { stream: true })
    await answer.text()
    const [row] = await usageOf(under)

    expect(row?.requests).toBe(1)
    expect(row?.first_token.counts.reduce((sum, count) => sum + count, 0)).toBe(1)
    expect(row?.tokens.output).toBeGreaterThan(0)
  })

  test('is what had come when the client left', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const leave = new AbortController()
    under.bedrock.next({ steps: [...textSteps(['word ']).slice(0, 2), { gate: new Promise(() => {}) }] })
    const answer = await under.call('/chat/completions', {
      json: { ...question, stream: true },
      signal: leave.signal,
    })
    await answer.body?.getReader().read()
    leave.abort()

    await expect
      .poll(async () => ((await (await under.call('/admin/requests')).json()) as { data: unknown[] }).data, {
        timeout: 10_000,
      })
      .toMatchObject([{ outcome: 'left', is_estimated: true }])
  })

  test('is a refusal of the provider', async ({ expect }) => {
    await using under = await gatewayUnderTest({ AWS_MAX_RETRY_ATTEMPTS: '1' })
    under.bedrock.callsLeft = 0
    const answer = await ask(under, testKey)
    const [row] = await usageOf(under)

    expect(answer.status).toBe(429)
    expect(row).toMatchObject({ requests: 0, failed: 1, cost_usd: 0 })
  })

  test('comes as a table, in which no name is a formula', async ({ expect }) => {
    await using under = await gatewayUnderTest()
    const key = await makeKey(under, { name: '=1+1, "so"' })
    await ask(under, key.secret)
    const answer = await under.call('/admin/usage?format=csv')
    const [head, line] = (await answer.text()).split('\r\n')

    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect(head).toMatch(/^day,key,key_name,provider,model,requests/)
    expect(line).toContain(`,${key.id},"'=1+1, ""so""",bedrock,${sonnet},1,0,0,`)
  })

  test.for([
    '/admin/usage?from=yesterday',
    '/admin/usage?to=2026-1-1',
    '/admin/requests?limit=0',
    '/admin/requests?limit=201',
  ])('%s is refused', async (path, { expect }) => {
    await using under = await gatewayUnderTest()

    expect((await under.call(path)).status).toBe(400)
    expect((await under.call('/admin/requests?limit=200')).status).toBe(200)
  })
})

test.for([
  ['no name', { name: undefined }],
  ['an empty name', { name: ' ' }],
  ['a name that is too long', { name: 'x'.repeat(101) }],
  ['a member that is none', { owner: 'me' }],
  ['a budget of nothing', { budget_day_usd: 0 }],
  ['a budget that is too large', { budget_day_usd: 1_000_001 }],
  ['part of a request', { requests_per_minute: 1.5 }],
  ['too many models', { models: Array.from({ length: 51 }, (_, index) => `model-${index}`) }],
] as const)('%s makes no key', async ([, body], { expect }) => {
  await using under = await gatewayUnderTest()
  const answer = await under.call('/admin/keys', { json: { name: 'Laptop', ...body } })

  expect(answer.status).toBe(400)
  expect(await (await under.call('/admin/keys')).json()).toMatchObject({ data: [] })
})

test('what is changed of a key is changed, and null takes a limit away', async ({ expect }) => {
  await using under = await gatewayUnderTest()
  const key = await makeKey(under, { name: 'x'.repeat(100), requests_per_minute: 5, budget_day_usd: 1_000_000 })
  const changed = await under.call(`/admin/keys/${key.id}`, { json: { budget_day_usd: null, models: [sonnet] } })

  expect(await changed.json()).toMatchObject({ requests_per_minute: 5, budget_day_usd: null, models: [sonnet] })
})
