import { exports } from 'cloudflare:workers'
import { test } from 'vitest'

const call = (path: string, init?: RequestInit) => exports.default.fetch(new Request(`http://wharf.test${path}`, init))

test('the gateway answers below its prefix with its own error shape', async ({ expect }) => {
  const answer = await call('/api/v1/nowhere')

  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error', code: 'not_found' } })
})

test('the gateway without a key answers health and nothing else', async ({ expect }) => {
  expect(await (await call('/api/v1/health')).text()).toBe('OK')
  expect((await call('/api/v1/models', { headers: { authorization: 'Bearer ' } })).status).toBe(503)
})

test('the App API answers below its own prefix and for every other path of the interfaces', async ({ expect }) => {
  expect(await (await call('/api/app/v1/nowhere')).json()).toMatchObject({ error: 'not_found' })
  expect(await (await call('/api/v10/health')).json()).toMatchObject({ error: 'not_found' })
})
