/** What providers beside the account's list, and what they embed. */

import { createServer } from 'node:http'
import { afterAll, describe, test } from 'vitest'
import type { CallObject } from '../../../workers/gateway/contract/admin.ts'
import type { ModelObject } from '../../../workers/gateway/contract/model-object.ts'
import { externalModelsMax, externalPagesMax, geminiTextsPerCall } from '../../../workers/gateway/limits.ts'
import { embeddingModel, startChatStandIn } from '../../support/chat-stand-in.ts'
import { type GatewayUnderTest, gatewayUnderTest } from '../../support/gateway-under-test.ts'
import { geminiModels } from '../../support/gemini-request-rules.ts'
import { startGeminiStandIn } from '../../support/gemini-stand-in.ts'
import { endServer, listenOnLoopback } from '../../support/loopback.ts'
import { messagesModels } from '../../support/messages-request-rules.ts'
import { startMessagesStandIn } from '../../support/messages-stand-in.ts'
import { openaiClient } from '../../support/openai-client.ts'

const north = await startChatStandIn(['small-1', 'org/large:2'])
const claude = await startMessagesStandIn()
const google = await startGeminiStandIn()
afterAll(() => Promise.all([north.close(), claude.close(), google.close()]))

function under(more: Record<string, string> = {}, others: object = {}, host = {}): Promise<GatewayUnderTest> {
  google.calls.length = 0
  const providers = {
    north: { address: north.url, key: north.key, prices: 'free' },
    claude: { dialect: 'messages', address: claude.url, key: claude.key, prices: 'anthropic' },
    google: { dialect: 'gemini', address: google.url, key: google.key, prices: 'gemini' },
    ...others,
  }
  return gatewayUnderTest({ PROVIDERS: JSON.stringify(providers), AWS_MAX_RETRY_ATTEMPTS: '1', ...more }, host)
}

async function listed(gateway: GatewayUnderTest, headers = {}): Promise<readonly ModelObject[]> {
  const { data } = (await (await gateway.call('/models', { headers })).json()) as { data: ModelObject[] }
  return data.filter(({ id }) => /^(?:north|claude|google|many|wrong|endless|locked)\//.test(id))
}

/** A list of the chat dialect with what the test says. */
async function listing(answer: (asked: string) => { readonly status?: number; readonly body: unknown }) {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    const { status = 200, body } = answer(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  const address = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    asked: () => asked,
    [Symbol.asyncDispose]: () => endServer(server),
  }
}

describe('models of providers beside the account’s', () => {
  test('are listed with what is known of them, page by page', async ({ expect }) => {
    await using gateway = await under()
    const models = await listed(gateway)
    const one = await gateway.call(`/models/${encodeURIComponent('north/org/large:2')}`)

    expect(models.map(({ id }) => id).sort()).toEqual(
      [
        ...['north/small-1', 'north/org/large:2'],
        ...Object.values(messagesModels).map((id) => `claude/${id}`),
        ...Object.values(geminiModels).map((id) => `google/${id}`),
      ].sort(),
    )
    expect(await one.json()).toEqual({
      id: 'north/org/large:2',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'north',
      context_window: 32_768,
      pricing: {
        currency: 'USD',
        dated: expect.any(String),
        per_million_tokens: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
      },
    })
    expect(models.find(({ id }) => id === `claude/${messagesModels.adaptive}`)).toMatchObject({
      owned_by: 'claude',
      context_window: 200_000,
      max_output_tokens: 128_000,
      input_modalities: ['text', 'image', 'pdf'],
      pricing: { per_million_tokens: { input: 5, output: 25 } },
    })
    expect(models.find(({ id }) => id === `google/${geminiModels.level}`)).toMatchObject({
      context_window: 1_048_576,
      max_output_tokens: 65_536,
      pricing: { per_million_tokens: { input: 1.5 } },
    })
  })

  test('are narrowed as all are, by the owner and by a key', async ({ expect }) => {
    await using gateway = await under({ ALLOWED_MODELS: 'gemini-3,small' })
    const made = await gateway.call('/admin/keys', { json: { name: 'x', models: ['north/*'] } })
    const { secret } = (await made.json()) as { secret: string }
    const ids = (models: readonly ModelObject[]) => models.map(({ id }) => id).sort()

    expect(ids(await listed(gateway))).toEqual([`google/${geminiModels.level}`, 'north/small-1'])
    expect(ids(await listed(gateway, { authorization: `Bearer ${secret}` }))).toEqual(['north/small-1'])
    expect((await gateway.call('/models/claude%2Fclaude-opus-4-8')).status).toBe(400)
  })

  test('that cannot be read leave the others listed, and are tried again', async ({ expect }) => {
    let offsetMs = 0
    let status = 500
    await using broken = await listing(() => ({ status, body: { object: 'list', data: [{ id: 'back' }] } }))
    const others = { wrong: { address: broken.url }, locked: { address: north.url, key: 'wrong' } }
    const host = { clock: { nowMs: () => Date.now() + offsetMs } }
    await using gateway = await under({}, others, host)
    const first = await listed(gateway)
    status = 200
    const soon = await listed(gateway)
    const asked = broken.asked()
    offsetMs = 30_001

    expect([first.length, soon.length, asked]).toEqual([7, 7, 1])
    await expect
      .poll(async () => (await listed(gateway)).map(({ id }) => id), { timeout: 10_000 })
      .toContain('wrong/back')
    const warned = gateway.logs.filter(({ event }) => event === 'models-unread')
    expect(warned.map(({ provider }) => provider)).toEqual(expect.arrayContaining(['wrong', 'locked']))
    expect(JSON.stringify(warned)).not.toContain('"wrong-')
  })

  test('keep their old list while a newer one cannot be read', async ({ expect }) => {
    let offsetMs = 0
    let status = 200
    await using list = await listing(() => ({ status, body: { data: [{ id: 'old' }, { id: 'not a name' }, {}, 3] } }))
    const host = { clock: { nowMs: () => Date.now() + offsetMs } }
    await using gateway = await under({}, { many: { address: list.url } }, host)
    const ids = async () => (await listed(gateway)).map(({ id }) => id).filter((id) => id.startsWith('many/'))
    const first = await ids()
    status = 503
    offsetMs = 3_600_001
    const second = await ids()
    await expect.poll(() => list.asked(), { timeout: 10_000 }).toBe(2)

    expect([first, second, await ids()]).toEqual([['many/old'], ['many/old'], ['many/old']])
  })

  test.for([
    [externalModelsMax, externalModelsMax],
    [externalModelsMax + 1, externalModelsMax],
  ] as const)('of %i one provider lists, %i are kept', async ([given, kept], { expect }) => {
    const data = Array.from({ length: given }, (_, index) => ({ id: `m-${index}` }))
    await using list = await listing(() => ({ body: { data } }))
    await using gateway = await under({}, { many: { address: list.url } })

    expect((await listed(gateway)).filter(({ id }) => id.startsWith('many/'))).toHaveLength(kept)
  })

  test('are read for so many pages and no more', async ({ expect }) => {
    let page = 0
    await using list = await listing(() => {
      page += 1
      return { body: { data: [{ id: `m-${page}`, type: 'model' }], has_more: true, last_id: `m-${page}` } }
    })
    await using gateway = await under({}, { endless: { dialect: 'messages', address: list.url } })

    expect((await listed(gateway)).filter(({ id }) => id.startsWith('endless/'))).toHaveLength(externalPagesMax)
    expect(list.asked()).toBe(externalPagesMax)
  })
})

describe('embeddings of providers beside the account’s', () => {
  test('come from the chat dialect in the order of the texts, and are written down', async ({ expect }) => {
    await using gateway = await under()
    const model = `north/${embeddingModel}`
    const answer = await openaiClient(gateway).embeddings.create({ model, input: ['a', 'bcd'], dimensions: 2 })
    const { data } = (await (await gateway.call('/admin/requests')).json()) as { data: CallObject[] }

    expect(answer).toMatchObject({ model, usage: { prompt_tokens: 7 } })
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([
      [1, 1.125],
      [3, 3.125],
    ])
    expect(data).toMatchObject([
      { provider: 'north', model: embeddingModel, outcome: 'answered', tokens: { input: 7 } },
    ])
  })

  test.for([
    [geminiTextsPerCall, 1],
    [geminiTextsPerCall + 1, 2],
  ] as const)('of %i texts come from Gemini in %i calls', async ([texts, calls], { expect }) => {
    await using gateway = await under()
    const model = `google/${geminiModels.embedding}`
    const input = Array.from({ length: texts }, (_, index) => 'x'.repeat(1 + (index % 7)))
    const answer = await openaiClient(gateway).embeddings.create({
      model,
      input,
      dimensions: 2,
      encoding_format: 'float',
    })

    expect(answer.data.map(({ embedding }) => (embedding[0] ?? 0) * 8_192)).toEqual(input.map((text) => text.length))
    expect(google.calls).toHaveLength(calls)
  })

  test.for([
    ['a provider that embeds nothing', `claude/${messagesModels.budget}`, 400],
    ['a model that embeds nothing', `google/${geminiModels.level}`, 400],
    ['a model that is none', 'north/small-1', 400],
    ['a name that is none', 'google/a/b', 400],
    ['a provider that is none', 'nobody/small-1', 400],
  ] as const)('are refused for %s', async ([, model, status], { expect }) => {
    await using gateway = await under()

    expect((await gateway.call('/embeddings', { json: { model, input: 'a' } })).status).toBe(status)
  })

  test('are refused to a key that may not use the model', async ({ expect }) => {
    await using gateway = await under()
    const made = await gateway.call('/admin/keys', { json: { name: 'x', models: ['claude/*'] } })
    const { secret } = (await made.json()) as { secret: string }
    const headers = { authorization: `Bearer ${secret}` }

    expect(
      (await gateway.call('/embeddings', { headers, json: { model: `north/${embeddingModel}`, input: 'a' } })).status,
    ).toBe(403)
  })
})
