/** What keys of the gateway tell of providers, each in an object of its own. */
import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, test } from 'vitest'
import { objectKeyStore } from '../../workers/gateway/adapters/object-key-store.ts'
import {
  type CallRecord,
  noTokens,
  type ProviderStep,
  providerStepMs,
  providerStepsKept,
} from '../../workers/gateway/core/keys/call-record.ts'
import { masterGrant } from '../../workers/gateway/core/keys/key-record.ts'
import { calendarOf } from '../../workers/gateway/core/keys/moment.ts'

const midnightMs = Date.UTC(2026, 10, 28)
const midnight = midnightMs / providerStepMs
const store = objectKeyStore(env.GATEWAY_KEYS)
const fields = { name: 'Laptop', models: [], limits: {} }

type Ended = Partial<Pick<CallRecord, 'provider' | 'model' | 'outcome' | 'code' | 'firstMs'>>

/** Of a day by the clock of this zone. */
async function call(key: string, step: number, ended: Ended = {}, zone = 'UTC'): Promise<void> {
  const atMs = step * providerStepMs
  const record: CallRecord = {
    requestId: crypto.randomUUID(),
    atMs,
    route: 'chat',
    provider: 'north',
    model: 'small-1',
    outcome: 'answered',
    tokens: noTokens,
    isEstimated: false,
    costNano: 0,
    tookMs: 1,
    ...ended,
  }
  await store.settle(key, record, undefined, calendarOf(zone)(atMs))
}

const evict = (key: string) => evictDurableObject(env.GATEWAY_KEYS.get(env.GATEWAY_KEYS.idFromName(key)))

/** As whoever reads it adds them: `provider step answered failed`, in order. */
async function stepsFrom(first: number): Promise<string[]> {
  const sums = new Map<string, ProviderStep>()
  for (const part of await store.providerSteps(first)) {
    const name = `${part.provider} ${part.step - midnight}`
    const sum = sums.get(name) ?? { ...part, answered: 0, failed: 0 }
    sums.set(name, { ...sum, answered: sum.answered + part.answered, failed: sum.failed + part.failed })
  }
  return [...sums].map(([name, { answered, failed }]) => `${name} ${answered} ${failed}`).sort()
}

async function newKey(): Promise<string> {
  const id = crypto.randomUUID().slice(0, 12)
  await store.add(id, fields, { digest: 'digest', end: 'end' }, midnightMs)
  return id
}

describe('how calls of providers ended', () => {
  test('is added over keys, models and evictions within a step, and over the end of a day', async ({ expect }) => {
    const key = await newKey()
    const failed = { outcome: 'failed', code: 'upstream_error' } as const
    await call(masterGrant.id, midnight - 1)
    await call(key, midnight - 1, { model: 'large-1' })
    await evict(key)
    await call(key, midnight - 1, { model: 'large-1', ...failed })
    await call(key, midnight, failed)
    await evict(key)
    await evict(masterGrant.id)
    await call(key, midnight + 2, { provider: 'south', ...failed })
    await call(key, midnight + 2)
    await call(masterGrant.id, midnight + 3)

    expect(await stepsFrom(midnight - 1)).toEqual([
      'north -1 2 1',
      'north 0 0 1',
      'north 2 1 0',
      'north 3 1 0',
      'south 2 0 1',
    ])
    expect(await stepsFrom(midnight + 3)).toEqual(['north 3 1 0'])
    await store.forget(key)
    expect(await stepsFrom(midnight - 1)).toEqual(['north -1 1 0', 'north 3 1 0'])
  })

  test('says nothing of calls that were refused here, or left before anything came', async ({ expect }) => {
    const key = await newKey()
    const first = midnight + 100
    await call(key, first, { outcome: 'refused', code: 'insufficient_quota' })
    await call(key, first, { outcome: 'left' })
    expect(await stepsFrom(first)).toEqual([])
    await call(key, first, { outcome: 'left', firstMs: 20 })
    await call(key, first, { outcome: 'failed', code: 'bad_request' })
    expect(await stepsFrom(first)).toEqual(['north 100 2 0'])
  })

  test.for(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('is found by the days of %s', async (zone, { expect }) => {
    const key = await newKey()
    const first = midnight + (zone === 'Pacific/Kiritimati' ? 1_000 : 2_000)
    const all = Array.from({ length: 288 }, (_, index) => first + index)
    for (const step of all.filter((_, index) => index % providerStepsKept === 0)) {
      await call(key, step, {}, zone)
      expect(await stepsFrom(step - providerStepsKept + 1)).toEqual([`north ${step - midnight} 1 0`])
    }
  })

  test('is kept of as many steps as are told, in a text that grows no further', async ({ expect }) => {
    const key = await newKey()
    const first = midnight + 3_000
    for (let step = first; step < first + providerStepsKept + 6; step += 1) await call(key, step)
    const told = await stepsFrom(first)

    // The newest stands beside those that are over.
    expect(told).toHaveLength(providerStepsKept + 1)
    expect(told).toContain(`north ${3_000 + providerStepsKept + 5} 1 0`)
    expect(told).not.toContain(`north ${3_000 + 4} 1 0`)
  })

  test('begins a new step where a clock was set back', async ({ expect }) => {
    const key = await newKey()
    const first = midnight + 4_000
    for (const step of [first + 1, first, first + 1]) await call(key, step)

    expect(await stepsFrom(first)).toEqual(['north 4000 1 0', 'north 4001 2 0'])
  })
})
