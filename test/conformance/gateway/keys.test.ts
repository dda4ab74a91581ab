/** Keys on every host: the same rules over a Durable Object each, and over one database. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { parseNetwork } from '#shared/network/ip-address.ts'
import type { BodiesObject, CallObject, KeyObject, UsageObject } from '../../../workers/gateway/contract/admin.ts'
import { type FakeBedrock, startFakeBedrock } from '../../support/fake-bedrock.ts'
import { type GatewayHostUnderTest, gatewayHosts } from '../../support/gateway-hosts.ts'
import { environmentFor, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { startOwnHost } from '../../support/own-host.ts'

describe.each(gatewayHosts)('keys on %s', (_, start) => {
  let bedrock: FakeBedrock
  let host: GatewayHostUnderTest
  beforeAll(async () => {
    bedrock = await startFakeBedrock()
    host = await start(bedrock)
  })
  afterAll(async () => {
    await host.close()
    await bedrock.close()
  })

  const asOwner = async <T>(path: string, method = 'GET', body?: object): Promise<T> => {
    const answer = await fetch(`${host.url}/admin${path}`, {
      method,
      headers: { authorization: `Bearer ${testKey}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.json() as Promise<T>
  }
  const make = (body: object) => asOwner<KeyObject & { secret: string }>('/keys', 'POST', body)
  const ask = async (secret: string, more: object = {}) => {
    const answer = await fetch(`${host.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: sonnet, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }], ...more }),
    })
    await answer.text()
    return answer.status
  }

  test('a key asks, is charged, is revoked and removed', async ({ expect }) => {
    const key = await make({ name: '书房', budget_month_usd: 5, requests_per_minute: 1_000 })
    const statuses = [await ask(key.secret), await ask(key.secret, { stream: true }), await ask(testKey)]
    const now = await asOwner<KeyObject>(`/keys/${key.id}`)
    const { data } = await asOwner<{ data: UsageObject[] }>('/usage')
    await asOwner(`/keys/${key.id}`, 'DELETE')
    const after = await ask(key.secret)
    await asOwner(`/keys/${key.id}`, 'DELETE')
    const list = await asOwner<{ data: KeyObject[]; is_durable: boolean }>('/keys')

    expect(statuses).toEqual([200, 200, 200])
    expect(now.used).toMatchObject({ requests_this_minute: 2, calls_under_way: 0, reserved_usd: 0 })
    expect(now.used.month_usd).toBeGreaterThan(0)
    expect(data.find((row) => row.key === key.id)).toMatchObject({ key_name: '书房', model: sonnet, requests: 2 })
    expect(after).toBe(401)
    expect(await ask(key.secret)).toBe(401)
    expect(list.data.map(({ id }) => id)).not.toContain(key.id)
  })

  test('a key has a new secret, beside which the old one opens until it is ended', async ({ expect }) => {
    const key = await make({ name: 'renewed' })
    const renewed = await asOwner<KeyObject & { secret: string }>(`/keys/${key.id}/secret`, 'POST')
    const beside = [await ask(key.secret), await ask(renewed.secret)]
    const ended = await asOwner<KeyObject>(`/keys/${key.id}/secret`, 'DELETE')

    expect(beside).toEqual([200, 200])
    expect(ended.old_secret_until).toBeNull()
    expect([await ask(key.secret), await ask(renewed.secret)]).toEqual([401, 200])
  })

  test('the key of the settings is charged too', async ({ expect }) => {
    await ask(testKey)

    await expect
      .poll(async () => (await asOwner<{ data: UsageObject[] }>('/usage')).data.find((row) => row.key === 'master'), {
        timeout: 10_000,
      })
      .toMatchObject({ key_name: 'API_KEY', model: sonnet, tokens: { input: expect.any(Number) } })
  })

  test('an answer is kept for the key that it was given to, and goes with it', async ({ expect }) => {
    const [mine, other] = [await make({ name: 'mine' }), await make({ name: 'other' })]
    const respond = async (secret: string, more: object) => {
      const answer = await fetch(`${host.url}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify({ model: sonnet, input: 'my name is Ada', ...more }),
      })
      const text = await answer.text()
      return { status: answer.status, id: /"(resp_\w+)"/.exec(text)?.[1] ?? '' }
    }
    const shown = async (secret: string, path: string) =>
      (await fetch(`${host.url}/responses/${path}`, { headers: { authorization: `Bearer ${secret}` } })).status
    const first = await respond(mine.secret, { stream: true })
    const second = await respond(mine.secret, { previous_response_id: first.id })
    const stranger = await respond(other.secret, { previous_response_id: first.id })

    expect([first.status, second.status, stranger.status]).toEqual([200, 200, 400])
    expect([await shown(mine.secret, second.id), await shown(mine.secret, `${second.id}/input_items`)]).toEqual([
      200, 200,
    ])
    expect([await shown(other.secret, second.id), await shown(testKey, second.id)]).toEqual([404, 404])
    for (const { id } of [mine, other]) {
      await asOwner(`/keys/${id}`, 'DELETE')
      await asOwner(`/keys/${id}`, 'DELETE')
    }
  })

  test('what is said is kept for a key that says so, shown to its owner, and gone when that is turned off', async ({
    expect,
  }) => {
    const callsOf = async (id: string) => (await asOwner<{ data: CallObject[] }>(`/requests?key=${id}`)).data
    const saidBy = (id: string, call: CallObject | undefined) =>
      asOwner<BodiesObject & { error?: object }>(`/bodies?key=${id}&request=${call?.request_id}`)
    const [key, other] = [await make({ name: 'said', keep_bodies: true }), await make({ name: 'unsaid' })]
    const content = 'the answer — 答案?'
    await ask(key.secret, { messages: [{ role: 'user', content }] })
    await ask(key.secret, { stream: true })
    await ask(other.secret)
    await expect
      .poll(async () => (await callsOf(key.id)).map(({ has_body }) => has_body), { timeout: 10_000 })
      .toEqual([true, true])
    const [streamed, whole] = await callsOf(key.id)
    const [unsaid] = await callsOf(other.id)
    const [saidWhole, saidInStream] = [await saidBy(key.id, whole), await saidBy(key.id, streamed)]
    await asOwner(`/keys/${key.id}`, 'POST', { keep_bodies: false })
    await ask(key.secret)
    await expect.poll(async () => (await callsOf(key.id)).length, { timeout: 10_000 }).toBe(3)

    expect(key.keeps_bodies_until).toBeGreaterThan(Date.now() / 1_000 + 6 * 24 * 3_600)
    expect(JSON.parse(saidWhole.request)).toMatchObject({ messages: [{ content }] })
    expect(JSON.parse(saidWhole.answer)).toMatchObject({ object: 'chat.completion' })
    expect([saidWhole.status, saidWhole.is_cut]).toEqual([200, false])
    expect(saidInStream.answer).toMatch(/^data: [\s\S]*data: \[DONE\]\n\n$/)
    expect([unsaid?.has_body, (await callsOf(key.id)).some(({ has_body }) => has_body)]).toEqual([false, false])
    // Nor is what one key said another's.
    for (const gone of [await saidBy(key.id, whole), await saidBy(other.id, streamed)]) {
      expect(gone.error).toBeDefined()
    }
  })

  test('requests at once never exceed a budget', async ({ expect }) => {
    const budget = 0.02
    const key = await make({ name: 'budget', budget_day_usd: budget })
    const statuses = await Promise.all(Array.from({ length: 100 }, () => ask(key.secret)))
    const { used } = await asOwner<KeyObject>(`/keys/${key.id}`)

    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    expect(used.day_usd).toBeGreaterThan(0)
    expect(used.day_usd).toBeLessThanOrEqual(budget)
    expect(used).toMatchObject({ reserved_usd: 0, calls_under_way: 0 })
  })
})

test('behind a proxy of the owner’s, a key on the Worker opens for the addresses on its list', async ({ expect }) => {
  const bedrock = await startFakeBedrock()
  const proxy = parseNetwork('127.0.0.0/8')
  const host = await startOwnHost(environmentFor(bedrock), undefined, {
    trustedProxies: proxy === undefined ? [] : [proxy],
  })
  const made = await fetch(`${host.address}/api/v1/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${testKey}` },
    body: JSON.stringify({ name: 'office', addresses: ['203.0.113.0/24'] }),
  })
  const { secret } = (await made.json()) as { readonly secret: string }
  const statuses: number[] = []
  for (const told of [
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-for': '198.51.100.7' },
    { 'cf-connecting-ip': '203.0.113.7' },
  ]) {
    const answer = await fetch(`${host.address}/api/v1/models`, {
      headers: { authorization: `Bearer ${secret}`, ...told },
    })
    await answer.text()
    statuses.push(answer.status)
  }
  await host.close()
  await bedrock.close()

  expect(statuses).toEqual([200, 403, 403])
})
