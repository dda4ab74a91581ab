import { env, exports } from 'cloudflare:workers'
import { parse } from 'smol-toml'
import { test } from 'vitest'
import configuration from '../../wrangler.toml'

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

/** Flags are workerd's. */
const hasFlags = 'Cloudflare' in globalThis

test.skipIf(!hasFlags)('what is tested has the flags and variables that are shipped', ({ expect }) => {
  const { compatibility_flags: flags, vars } = parse(configuration) as {
    compatibility_flags: string[]
    vars: Record<string, string>
  }
  const isOn = (globalThis as unknown as { Cloudflare: { compatibilityFlags: Record<string, boolean> } }).Cloudflare
  expect(flags).toContain('enable_request_signal')
  for (const flag of flags) expect(isOn.compatibilityFlags, flag).toHaveProperty(flag, true)
  expect(env).toMatchObject(vars)
})
