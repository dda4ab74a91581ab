import type { Clock } from '#shared/kernel/clock.ts'
import type { JsonRecord } from '#shared/kernel/json-record.ts'
import { changeKeyBody, makeKeyBody } from '../../contract/admin.ts'
import { failure } from '../../core/failure.ts'
import { type KeyFields, secretOf } from '../../core/keys/key-record.ts'
import type { Moment } from '../../core/keys/moment.ts'
import { keysMax, oldSecretMs } from '../../limits.ts'
import type { Digests, KeyStatus, KeyStore, Random, ResponseStore } from '../../ports.ts'
import { fieldsWith, keyObject } from '../admin-objects.ts'
import { type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'
import { type BodyRules, parseBody, withBody } from '../request-body.ts'

export interface AdminDeps {
  readonly keyStore: KeyStore
  readonly responseStore: ResponseStore
  readonly calendar: (ms: number) => Moment
  readonly clock: Clock
  readonly random: Random
  readonly digests: Digests
  readonly bodyRules: BodyRules
}

const noFields: KeyFields = { name: '', models: [], limits: {} }

export function listKeys(deps: AdminDeps) {
  return async function listKeysRoute(c: ExchangeContext): Promise<Response> {
    const keys = await deps.keyStore.keys(deps.calendar(deps.clock.nowMs()))
    return jsonResponse(c, { object: 'list', data: keys.map(keyObject), is_durable: deps.keyStore.isDurable })
  }
}

export function makeKey(deps: AdminDeps) {
  return function makeKeyRoute(c: ExchangeContext): Promise<Response> {
    return withBody(c, deps.bodyRules, async (body) => {
      const read = parseBody(makeKeyBody, body)
      if (!read.ok) return failureResponse(c, read.failure)
      const nowMs = deps.clock.nowMs()
      const fields = fieldsWith(read.value, noFields, nowMs)
      const id = deps.random.hex(6)
      const secret = await newSecret(deps, id)
      if (!(await deps.keyStore.add(id, fields, secret.kept, nowMs))) {
        return failureResponse(c, failure('bad_request', `there are ${keysMax} keys; remove one that is revoked`))
      }
      return answerWith(c, deps, id, secret.text)
    })
  }
}

export function oneKey(deps: AdminDeps) {
  return (c: ExchangeContext): Promise<Response> =>
    withKey(c, deps, async ({ record }) => answerWith(c, deps, record.id))
}

export function changeKey(deps: AdminDeps) {
  return (c: ExchangeContext): Promise<Response> =>
    withKey(c, deps, ({ record }) =>
      withBody(c, deps.bodyRules, async (body: JsonRecord) => {
        const read = parseBody(changeKeyBody, body)
        if (!read.ok) return failureResponse(c, read.failure)
        await deps.keyStore.change(record.id, fieldsWith(read.value, record, deps.clock.nowMs()))
        return answerWith(c, deps, record.id)
      }),
    )
}

/** A key that opens is revoked; one that is revoked goes, with what is written of it. */
export function removeKey(deps: AdminDeps) {
  return (c: ExchangeContext): Promise<Response> =>
    withKey(c, deps, async ({ record: { id, revokedMs } }) => {
      if (revokedMs === undefined) {
        await deps.keyStore.revoke(id, deps.clock.nowMs())
        return answerWith(c, deps, id)
      }
      await deps.keyStore.forget(id)
      await deps.responseStore.forget(id)
      return jsonResponse(c, { id, object: 'gateway.key', deleted: true })
    })
}

export function renewSecret(deps: AdminDeps) {
  return (c: ExchangeContext): Promise<Response> =>
    withKey(c, deps, async ({ record: { id, revokedMs } }) => {
      if (revokedMs !== undefined) return failureResponse(c, failure('bad_request', 'the key is revoked'))
      const secret = await newSecret(deps, id)
      await deps.keyStore.renew(id, secret.kept, deps.clock.nowMs() + oldSecretMs)
      return answerWith(c, deps, id, secret.text)
    })
}

/** Whoever has the old secret, a thief perhaps, is refused from the next request on. */
export function endOldSecret(deps: AdminDeps) {
  return (c: ExchangeContext): Promise<Response> =>
    withKey(c, deps, async ({ record: { id } }) => {
      await deps.keyStore.endOldSecret(id)
      return answerWith(c, deps, id)
    })
}

async function newSecret({ random, digests }: AdminDeps, id: string) {
  const text = secretOf(id, random.hex(24))
  return { text, kept: { digest: await digests.sha256Hex(text), end: text.slice(-4) } }
}

async function withKey(
  c: ExchangeContext,
  deps: AdminDeps,
  use: (key: KeyStatus) => Promise<Response>,
): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const key = await deps.keyStore.key(id, deps.calendar(deps.clock.nowMs()))
  return key === undefined ? failureResponse(c, failure('not_found', 'there is no such key')) : use(key)
}

/** The key as it stands, and its secret where it is new: that is not told again. */
async function answerWith(c: ExchangeContext, deps: AdminDeps, id: string, secret?: string): Promise<Response> {
  const key = await deps.keyStore.key(id, deps.calendar(deps.clock.nowMs()))
  if (key === undefined) return failureResponse(c, failure('not_found', 'there is no such key'))
  return jsonResponse(c, { ...keyObject(key), ...(secret === undefined ? {} : { secret }) })
}
