/** What was spent holds on the service's own host: against a thousand at once, and against its sudden death. */
import { Agent } from 'undici'
import { afterAll, beforeAll, test } from 'vitest'
import { clientConnectionsMax } from '../../../local/workerd/limits.ts'
import type { ModelFacts } from '../../../shared/models/price-list.ts'
import type { KeyObject, UsageObject } from '../../../workers/gateway/contract/admin.ts'
import { costMaxNano } from '../../../workers/gateway/core/keys/call-cost.ts'
import { callEstimate } from '../../../workers/gateway/core/keys/call-estimate.ts'
import { type FakeBedrock, startFakeBedrock } from '../../support/fake-bedrock.ts'
import { environmentFor, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'

const folder = temporaryFolder()
let bedrock: FakeBedrock
let wharf: RunningWharf
const variables = () => environmentFor(bedrock)
beforeAll(async () => {
  bedrock = await startFakeBedrock()
  wharf = await startWharf(folder.path, [], variables())
}, 120_000)
afterAll(async () => {
  await crowd.destroy()
  await wharf?.stop()
  await bedrock?.close()
  folder.remove()
})

const asOwner = async <T>(path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${wharf.origin}/api/v1/admin${path}`, {
    headers: { authorization: `Bearer ${testKey}` },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return answer.json() as Promise<T>
}
const make = (body: object) => asOwner<KeyObject & { secret: string }>('/keys', body)
/** As many connections as the host takes; what is asked beyond them waits for one. */
const crowd = new Agent({ connections: clientConnectionsMax - 12 })
const ask = async (secret: string) => {
  const { statusCode, body } = await crowd.request({
    origin: wharf.origin,
    path: '/api/v1/chat/completions',
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: sonnet, max_tokens: 50, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await body.text()
  return statusCode
}

/** Of this model in the table of prices. */
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

test('a thousand at once never exceed a budget of a hundred, and a hundred are answered', async ({ expect }) => {
  await ask(testKey)
  const { inputTokensMax, outputTokensMax } = callEstimate(bedrock.calls.at(-1)?.body, 50, facts)
  const budget = (100 * costMaxNano(facts, inputTokensMax, outputTokensMax)) / 1e9
  const key = await make({ name: 'crowd', budget_month_usd: budget })
  const statuses = await Promise.all(Array.from({ length: 1_000 }, () => ask(key.secret)))
  const { used } = await asOwner<KeyObject>(`/keys/${key.id}`)

  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(100)
  expect(used.month_usd).toBeGreaterThan(0)
  expect(used.month_usd).toBeLessThanOrEqual(budget)
  expect(used).toMatchObject({ reserved_usd: 0, calls_under_way: 0 })
}, 240_000)

test('a host that is killed forgets no answer that a client has', async ({ expect }) => {
  const key = await make({ name: 'survivor', budget_day_usd: 100 })
  let answered = 0
  let sent = 0
  const askOnAndOn = async () => {
    for (;;) {
      sent += 1
      if ((await ask(key.secret)) === 200) answered += 1
    }
  }
  const clients = [1, 2, 3, 4].map(() => askOnAndOn().catch(() => {}))
  await expect.poll(() => answered, { timeout: 60_000 }).toBeGreaterThan(60)
  await wharf.kill()
  await Promise.all(clients)
  wharf = await startWharf(folder.path, [], variables())
  const { data } = await asOwner<{ data: UsageObject[] }>('/usage')
  const written = data.filter((row) => row.key === key.id).reduce((sum, row) => sum + row.requests, 0)

  expect(written).toBeGreaterThanOrEqual(answered)
  expect(written).toBeLessThanOrEqual(sent)
  expect(await ask(key.secret)).toBe(200)
}, 240_000)
