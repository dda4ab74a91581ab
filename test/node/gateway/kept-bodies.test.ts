/** What requests and answers say, kept for a key: how much of it, for how long, and that a disk does not tell it. */
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { parseJson } from '#shared/kernel/json-record.ts'
import { messageAnswer } from '../../../local/gateway/sandbox/provider-shapes.ts'
import { openStorage } from '../../../local/gateway/storage.ts'
import type { BodiesObject, CallObject, KeyObject } from '../../../workers/gateway/contract/admin.ts'
import { BodyRecord } from '../../../workers/gateway/http/body-record.ts'
import {
  bodiesKeptCharactersMax,
  bodiesKeptMax,
  bodiesKeptMs,
  bodyCharactersKeptMax,
  keepBodiesMs,
} from '../../../workers/gateway/limits.ts'
import type { BodySink, SaidBodies } from '../../../workers/gateway/ports.ts'
import { fakeBearer } from '../../support/fake-bedrock.ts'
import { type GatewayUnderTest, gatewayUnderTest, sonnet, testKey } from '../../support/gateway-under-test.ts'
import { temporaryFolder } from '../../support/running-wharf.ts'
import { unwrap } from '../../support/unwrap.ts'

const startMs = Date.UTC(2026, 10, 2)
let nowMs = startMs
let under: GatewayUnderTest
let key: KeyObject & { readonly secret: string }

const json = async <T>(answer: Promise<Response>) => (await (await answer).json()) as T
const change = (body: object) => json<KeyObject>(under.call(`/admin/keys/${key.id}`, { json: body }))
const calls = async () =>
  (await json<{ data: CallObject[] }>(under.call(`/admin/requests?limit=200&key=${key.id}`))).data
const said = async (id: string) => {
  const answer = await under.call(`/admin/bodies?key=${key.id}&request=${id}`)
  return answer.status === 200 ? ((await answer.json()) as BodiesObject) : answer.status
}
const ask = async (id: string, content = 'hi', more: object = {}) => {
  const answer = await under.call('/chat/completions', {
    json: { model: sonnet, max_tokens: 50, messages: [{ role: 'user', content }], ...more },
    headers: { authorization: `Bearer ${key.secret}`, 'x-request-id': id },
  })
  await answer.text()
  return answer.status
}
/** Sealing is done when the answer is already out. */
const kept = async (id: string) => {
  for (
    let turn = 0;
    turn < 200 && !(await calls()).some((call) => call.request_id === id && call.has_body);
    turn += 1
  ) {
    await new Promise(setImmediate)
  }
  return said(id)
}

beforeEach(async () => {
  nowMs = startMs
  under = await gatewayUnderTest(
    { AWS_BEARER_TOKEN_BEDROCK: fakeBearer },
    { clock: { nowMs: () => nowMs } },
    { authentication: 'bearer' },
  )
  key = await json(under.call('/admin/keys', { json: { name: 'said', keep_bodies: true } }))
})
afterEach(() => under[Symbol.asyncDispose]())

describe('what is said', () => {
  test('is kept up to its bound, and cut off one character later', async ({ expect }) => {
    const around = JSON.stringify({ model: sonnet, max_tokens: 50, messages: [{ role: 'user', content: '' }] }).length
    under.bedrock.next(messageAnswer([{ text: 'short' }]), messageAnswer([{ text: 'short' }]))
    await ask('whole', 'x'.repeat(bodyCharactersKeptMax - around))
    await ask('cut', 'x'.repeat(bodyCharactersKeptMax - around + 1))
    under.bedrock.next(messageAnswer([{ text: 'y'.repeat(bodyCharactersKeptMax) }]))
    await ask('long answer')
    const [whole, cut, answer] = [await kept('whole'), await kept('cut'), await kept('long answer')]

    expect([whole, cut, answer]).toMatchObject([{ is_cut: false }, { is_cut: true }, { is_cut: true }])
    expect((whole as BodiesObject).request).toHaveLength(bodyCharactersKeptMax)
    expect((cut as BodiesObject).request).toHaveLength(bodyCharactersKeptMax)
    expect((answer as BodiesObject).answer).toHaveLength(bodyCharactersKeptMax)
  })

  test('is kept for a day and not a moment longer', async ({ expect }) => {
    await ask('old')
    await kept('old')
    nowMs = startMs + bodiesKeptMs - 1
    const inTime = await said('old')
    nowMs = startMs + bodiesKeptMs

    expect([inTime, await said('old')]).toEqual([expect.objectContaining({ status: 200 }), 404])
  })

  test('is of the newest requests', async ({ expect }) => {
    const { keyStore } = under.storage
    const moment = { ms: nowMs, day: '2026-11-02', dayEndsMs: 0, monthEndsMs: 0 }
    const there = (id: string) => keyStore.body(key.id, id, moment)
    for (let count = 0; count <= bodiesKeptMax; count += 1) await keyStore.keepBody(key.id, `r${count}`, 'x', moment)
    const byCount = [await there('r0'), await there('r1'), await there(`r${bodiesKeptMax}`)]
    const half = 'x'.repeat(bodiesKeptCharactersMax / 2)
    for (const id of ['a', 'b']) await keyStore.keepBody(key.id, id, half, moment)
    const bySize = [await there('r5'), (await there('a'))?.length, (await there('b'))?.length]
    await keyStore.keepBody(key.id, 'c', 'x', moment)

    expect(byCount).toEqual([undefined, 'x', 'x'])
    expect(bySize).toEqual([undefined, half.length, half.length])
    expect([await there('a'), (await there('b'))?.length, await there('c')]).toEqual([undefined, half.length, 'x'])
  })

  test('is kept of what the provider refused, and not of what was not asked', async ({ expect }) => {
    under.bedrock.next({ status: 400, error: 'ValidationException', message: 'not like this' })
    const refused = await ask('refused')
    await ask('unread', 'hi', { max_tokens: 'many' })
    const told = await kept('refused')

    expect([refused, told]).toEqual([400, expect.objectContaining({ status: 400 })])
    expect((told as BodiesObject).answer).toContain('not like this')
    // Nothing was asked, and there is no call to show it with.
    expect(await said('unread')).toBe(404)
  })

  test('is what a client had when it left, once', ({ expect }) => {
    const bodies: SaidBodies[] = []
    const record = new BodyRecord(Buffer.from('{"stream":true}'), (one) => bodies.push(one))
    record.called()
    const pieces: unknown[] = []
    let sink: BodySink | undefined
    const keepSink = (given: BodySink) => {
      sink = given
    }
    const body = record.passed({ start: keepSink, pull: async () => {}, cancel: () => {} }, 200)
    if (body === null || typeof body === 'string') throw new Error('the answer is no stream any more')
    body.start({ enqueue: (piece) => pieces.push(piece), close: () => {}, hasRoom: () => true })
    const [before, after] = [Buffer.from('data: 答案').subarray(0, 8), Buffer.from('data: 答案').subarray(8)]
    for (const piece of ['head ', before, after]) sink?.enqueue(piece)
    body.cancel()
    body.cancel()

    expect(pieces).toEqual(['head ', before, after])
    expect(bodies).toEqual([{ status: 200, request: '{"stream":true}', answer: 'head data: 答案', isCut: false }])
  })

  test('is nobody else’s: not another key’s, not without the key of the settings', async ({ expect }) => {
    await ask('mine')
    await kept('mine')
    const other = await json<{ id: string }>(under.call('/admin/keys', { json: { name: 'other', keep_bodies: true } }))
    const path = `/admin/bodies?key=${key.id}&request=mine`

    expect((await under.call(path, { headers: { authorization: `Bearer ${key.secret}` } })).status).toBe(403)
    expect((await under.call(`/admin/bodies?key=${other.id}&request=mine`)).status).toBe(404)
  })
})

test('keeping turns itself off, is not prolonged by other changes, and goes with the key', async ({ expect }) => {
  await ask('first')
  await kept('first')
  nowMs = startMs + keepBodiesMs - 1
  const later = await change({ name: 'renamed', keep_bodies: true })
  await ask('last')
  const last = await kept('last')
  nowMs = startMs + keepBodiesMs
  await ask('after')
  const again = await change({ keep_bodies: true })
  for (let count = 0; count < 2; count += 1) await under.call(`/admin/keys/${key.id}`, { method: 'DELETE' })

  expect(later.keeps_bodies_until).toBe(key.keeps_bodies_until)
  expect([last, await said('after'), await said('last')]).toEqual([expect.objectContaining({ status: 200 }), 404, 404])
  expect(again.keeps_bodies_until).toBe((startMs + 2 * keepBodiesMs) / 1_000)
})

test('a disk tells nothing of it, and another key of the settings does not open it', async ({ expect }) => {
  const folder = temporaryFolder()
  const secret = 'the word that nobody may read'
  const asked = async (apiKey: string, use: (one: GatewayUnderTest) => Promise<void>) => {
    const storage = unwrap(openStorage(folder.path))
    await using one = await gatewayUnderTest({ API_KEY: apiKey }, storage)
    await use(one)
    storage.close()
  }
  const headers = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` })
  let target = ''
  await asked(testKey, async (one) => {
    const made = await json<KeyObject & { secret: string }>(
      one.call('/admin/keys', { json: { name: 'said', keep_bodies: true } }),
    )
    target = `/admin/bodies?key=${made.id}&request=r`
    const question = { model: sonnet, messages: [{ role: 'user', content: secret }] }
    await (
      await one.call('/chat/completions', { json: question, headers: { ...headers(made.secret), 'x-request-id': 'r' } })
    ).text()
    await expect.poll(async () => (await one.call(target)).status).toBe(200)
  })
  const database = new DatabaseSync(`${folder.path}/gateway-keys.sqlite`)
  const [row] = database.prepare('SELECT * FROM body').all()
  database.close()
  const other = `${testKey}-another`
  const statuses: number[] = []
  await asked(other, async (one) => {
    statuses.push((await one.call(target, { headers: headers(other) })).status)
  })
  await asked(testKey, async (one) => {
    statuses.push((await one.call(target)).status)
  })
  folder.remove()

  expect(parseJson(String(row?.['sealed']))).toBeUndefined()
  expect(Buffer.from(String(row?.['sealed']), 'base64').includes(secret)).toBe(false)
  expect(statuses).toEqual([404, 200])
})
