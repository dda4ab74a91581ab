import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, test } from 'vitest'
import { createKeyCheckStore } from '../../../workers/app/adapters/d1/key-check.ts'
import { createSecretBox } from '../../../workers/app/adapters/secret-box.ts'

const key = (fill: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(fill)))
const box = (masterKey: string | undefined) => createSecretBox(masterKey, createKeyCheckStore(drizzle(env.DB)))

beforeEach(async () => {
  await env.DB.prepare('delete from key_check').run()
})

describe('sealed secrets', () => {
  test('open again under the same key, also in another isolate', async ({ expect }) => {
    const sealed = await box(key(1)).seal('密码 p@ss', 'downloader:1:password')

    expect(await box(key(1)).open(sealed, 'downloader:1:password')).toEqual({ ok: true, value: '密码 p@ss' })
    expect(sealed).not.toContain('p@ss')
  })

  test('are different each time', async ({ expect }) => {
    const secrets = box(key(1))

    expect(await secrets.seal('same', 'a')).not.toBe(await secrets.seal('same', 'a'))
  })

  test('do not open in another place', async ({ expect }) => {
    const secrets = box(key(1))
    const sealed = await secrets.seal('x', 'downloader:1:password')

    expect((await secrets.open(sealed, 'downloader:2:password')).ok).toBe(false)
  })

  test('do not open when any byte was changed', async ({ expect }) => {
    const secrets = box(key(1))
    const sealed = await secrets.seal('x', 'a')
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A'
      const damaged = sealed.slice(0, at) + other + sealed.slice(at + 1)
      const opened = await secrets.open(damaged, 'a')
      // The last character of a base64 text may hold unused bits, which carry nothing.
      if (opened.ok && at < sealed.length - 1) expect.fail(`byte ${at} is not protected`)
    }
  })
})

describe('the state of the master key', () => {
  test('is ready with the key that sealed first', async ({ expect }) => {
    expect(await box(key(1)).state()).toBe('ready')
    expect(await box(key(1)).state()).toBe('ready')
  })

  test('is changed with another key, and nothing is sealed under it', async ({ expect }) => {
    await box(key(1)).state()

    expect(await box(key(2)).state()).toBe('changed')
    await expect(box(key(2)).seal('x', 'a')).rejects.toThrow()
  })

  test.each([undefined, '', 'not base64!', btoa('short')])('is missing with %j', async (masterKey) => {
    if ((await box(masterKey).state()) !== 'missing') throw new Error('taken as a key')
  })

  test('a text of another key is told from no key', async ({ expect }) => {
    const sealed = await box(key(1)).seal('x', 'a')

    expect(await box(key(2)).open(sealed, 'a')).toEqual({ ok: false, failure: 'changed' })
    expect(await box(undefined).open(sealed, 'a')).toEqual({ ok: false, failure: 'missing' })
  })
})
