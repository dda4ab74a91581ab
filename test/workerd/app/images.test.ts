/** The provider's images end to end: slots for the whole service, kept for a day, shown as images and as nothing else. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { ProviderImages } from '../../../workers/app/adapters/catalogue/provider-images.ts'
import { appPrefix } from '../../../workers/app/app.ts'
import { imageSizes } from '../../../workers/app/core/vocabulary.ts'
import {
  imageBytesMax,
  imageSeconds,
  imageSlots,
  imageWaitingMax,
  keptImageBytesMax,
  keptImagesMax,
} from '../../../workers/app/limits.ts'
import type { CatalogueHost } from '../../../workers/app/objects/catalogue-object.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import {
  awayAddresses,
  canaryVisits,
  changeSetting,
  forgetSettings,
  ServiceUnderTest,
} from '../../support/workerd/service-under-test.ts'

const path = `${appPrefix}/images/tmdb`
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const base64 = (bytes: Uint8Array | string) => btoa(typeof bytes === 'string' ? bytes : String.fromCharCode(...bytes))

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller

beforeEach(forgetSettings)

/** Without a key: images ask for none. */
async function imageServer(change: Readonly<Record<string, unknown>> = {}): Promise<ServiceUnderTest> {
  const service = new ServiceUnderTest('images')
  await service.control(change)
  await changeSetting(session, 'metadata', { api_address: '', image_address: `${service.address}/t/p` })
  return service
}

const fetchImage = (file = 'poster.jpg', size = 'w342', headers: Readonly<Record<string, string>> = {}) =>
  send('GET', `${path}/${size}/${file}`, reader, { headers })

describe('an image', () => {
  test('comes from the configured address, without a key, with what its bytes say it is', async ({ expect }) => {
    const service = await imageServer()

    const { status, headers, body } = await fetchImage()

    expect(status).toBe(200)
    expect([...body.slice(0, 8)]).toEqual([...png])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
    })
    expect(headers.get('location')).toBeNull()
    expect(imageSeconds).toBe(86_400)
    expect(await service.calls()).toEqual(['/t/p/w342/poster.jpg'])
  })

  test('has six widths', async ({ expect }) => {
    const service = await imageServer()

    for (const size of imageSizes) expect((await fetchImage('poster.jpg', size)).status, size).toBe(200)

    expect(await service.calls()).toEqual(imageSizes.map((size) => `/t/p/${size}/poster.jpg`))
    expect(imageSizes).toEqual(['w92', 'w154', 'w185', 'w342', 'w500', 'w780'])
  })

  test('is fetched once, and not sent again to who has it', async ({ expect }) => {
    const service = await imageServer()

    const first = await fetchImage()
    const etag = first.headers.get('etag') ?? ''
    const same = await fetchImage('poster.jpg', 'w342', { 'if-none-match': `"other", W/${etag}` })
    const other = await fetchImage('poster.jpg', 'w342', { 'if-none-match': '"other"' })

    expect([first.status, same.status, other.status]).toEqual([200, 304, 200])
    expect([same.headers.get('etag'), same.body.length]).toEqual([etag, 0])
    expect(same.headers.get('cache-control')).toBe('private, max-age=86400')
    expect(other.body).toEqual(first.body)
    expect(await service.calls()).toHaveLength(1)
  })

  test('is fetched through the proxy when one is set', async ({ expect }) => {
    const proxy = inject('standInProxy')
    const service = await imageServer()
    await changeSetting(session, 'proxy', { proxy: proxy.address })

    expect((await fetchImage()).status).toBe(200)
    const passed = await (await fetch(`http://${proxy.host}/calls`)).json<string[]>()
    expect(passed.filter((call) => call.includes(service.address))).toHaveLength(1)
    await changeSetting(session, 'proxy', { proxy: `http://${proxy.host}` })
    expect((await fetchImage('other.jpg')).body).toMatchObject({ error: 'upstream', message: '代理拒绝了用户名或密码' })
    expect(await service.calls()).toHaveLength(1)
  })

  test.for([
    ['that the provider does not have', { mode: 'ok' }, 'missing.jpg', 404, 'not_found', '没有这张图片'],
    ['from a server that is down', { mode: 'down' }, 'a.jpg', 502, 'upstream', '意外的 HTTP 状态 503'],
    ['from a server that limits', { mode: 'throttled' }, 'a.jpg', 502, 'upstream', '限制了访问频率'],
    ['that is cut', { mode: 'closing' }, 'a.jpg', 502, 'upstream', '无法连接'],
    ['that is too large', { mode: 'huge' }, 'a.jpg', 502, 'upstream', '过大'],
    ['that is a page', { mode: 'html' }, 'a.jpg', 502, 'upstream', '不是图片'],
    ['that is empty', { mode: 'empty' }, 'a.jpg', 502, 'upstream', '不是图片'],
    [
      'that is a drawing with a script',
      { content: base64('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>') },
      'a.jpg',
      502,
      'upstream',
      '不是图片',
    ],
    [
      'that is a page behind white space',
      { content: base64(' \n<!DOCTYPE html><script>1</script>') },
      'a.png',
      502,
      'upstream',
      '不是图片',
    ],
    ['that is a document', { content: base64('%PDF-1.7') }, 'a.webp', 502, 'upstream', '不是图片'],
    ['that is a film', { content: base64('RIFF....AVI ') }, 'a.webp', 502, 'upstream', '不是图片'],
  ] as const)('%s', async ([, change, file, status, error, reason], { expect }) => {
    await imageServer(change)

    const answer = await fetchImage(file)

    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(answer.body.message).toContain(reason)
  })

  test.for([
    ['image/gif', 'GIF89a/*<script>alert(1)</script>*/=1;'],
    ['image/jpeg', '\xff\xd8\xff<html><script>alert(1)</script>'],
    ['image/png', '\x89PNG\r\n\x1a\n<?php evil(); ?><script>alert(1)</script>'],
    ['image/webp', 'RIFF\x00\x00\x00\x00WEBP<script>alert(1)</script>'],
  ] as const)('that begins as %s and goes on as a page is shown as an image only', async ([type, text], { expect }) => {
    await imageServer({ content: base64(text) })

    const { status, headers } = await fetchImage()

    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect([headers.get('x-content-type-options'), headers.get('content-security-policy')]).toEqual([
      'nosniff',
      'sandbox',
    ])
  })

  test('goes nowhere that its server sends it', async ({ expect }) => {
    for (const redirectTo of awayAddresses) {
      await imageServer({ redirectTo: redirectTo.replace(/:(\d+)$/, ':$1/from-images') })

      expect((await fetchImage()).body.message, redirectTo).toContain('别的地址')
    }
    expect(await canaryVisits()).not.toContain('/from-images')
  })

  test.for([
    ['the original', 'original', 'poster.jpg'],
    ['a width that is not offered', 'w300', 'poster.jpg'],
    ['a drawing', 'w342', 'poster.svg'],
    ['no ending', 'w342', 'poster'],
    ['an ending in upper case', 'w342', 'poster.JPG'],
    ['a way up', 'w342', '..%2Fposter.jpg'],
    ['a way up with two dots', 'w342', '...jpg'],
    ['a way down', 'w342', 'a%2Fb.jpg'],
    ['another host', 'w342', '%2F%2Fevil.example%2Fa.jpg'],
    ['a query', 'w342', 'a.jpg%3Fx=.jpg'],
    ['an end of line', 'w342', 'a.jpg%0A'],
    ['a zero byte', 'w342', 'a%00.jpg'],
    ['a name that is too long', 'w342', `${'n'.repeat(129)}.jpg`],
  ] as const)('%s is 400, and nobody is asked', async ([, size, file], { expect }) => {
    const service = await imageServer()

    expect(await fetchImage(file, size)).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await service.calls()).toEqual([])
  })

  test('may have a name as long as its limit', async ({ expect }) => {
    await imageServer()

    expect((await fetchImage(`${'n'.repeat(128)}.webp`)).status).toBe(200)
  })

  test('may be as large as its limit', async ({ expect }) => {
    const bytes = new Uint8Array(imageBytesMax)
    bytes.set(png)
    await inImages(async ({ world, open }) => {
      world.bytes = bytes
      const read = await open().read('https://images.example/w780/a.png', undefined)
      world.bytes = new Uint8Array([...bytes.slice(0, 8), ...new Uint8Array(imageBytesMax - 7)])
      const past = await open().read('https://images.example/w780/b.png', undefined)

      expect(read.ok && read.value.bytes.byteLength).toBe(imageBytesMax)
      expect(past).toEqual({ ok: false, failure: { kind: 'too_large' } })
    })
  })
})

describe('the slots', () => {
  test('are four for the whole service: the others wait in line, and who finds it full is told when to come again', async ({
    expect,
  }) => {
    const service = await imageServer({ hold: true })
    const all = Array.from({ length: imageSlots + imageWaitingMax + 20 }, (_, at) => fetchImage(`wait${at}.jpg`))
    const refused = await Promise.any(
      all.map(async (one) => ((await one).status === 503 ? one : Promise.reject(new Error('it was served')))),
    )
    await expect.poll(async () => (await service.control()).held).toBe(imageSlots)
    const { calls } = await service.control()
    await service.control({ hold: false })
    const statuses = (await Promise.all(all)).map(({ status }) => status)

    expect(refused.body.error).toBe('busy')
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(calls).toHaveLength(imageSlots)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect((await service.control()).mostOpen).toBe(imageSlots)
  })

  test('an image that several want is fetched once', async ({ expect }) => {
    const service = await imageServer({ hold: true })
    const others = Array.from({ length: imageSlots - 1 }, (_, at) => fetchImage(`other${at}.jpg`))
    const same = Array.from({ length: imageSlots + 1 }, () => fetchImage('same.jpg'))
    await expect.poll(async () => (await service.control()).held).toBe(imageSlots)
    await service.control({ hold: false })

    expect((await Promise.all([...others, ...same])).every(({ status }) => status === 200)).toBe(true)
    expect((await service.calls()).filter((call) => call.endsWith('same.jpg'))).toHaveLength(1)
  })
})

describe('what is kept', () => {
  const address = 'https://images.example/t/p/w342/a.png'

  test('is good for a day, also after the object was evicted, and no longer', async ({ expect }) => {
    await inImages(async ({ world, open }) => {
      const first = await open().read(address, undefined)
      world.nowUnix += imageSeconds - 1
      expect(await open().read(address, undefined)).toEqual(first)
      expect(world.asked).toHaveLength(1)

      world.nowUnix += 1
      expect((await open().read(address, undefined)).ok).toBe(true)
      expect(world.asked).toHaveLength(2)
    })
  })

  test('is an image up to its bound and not one byte more', async ({ expect }) => {
    await inImages(async ({ world, open }) => {
      for (const [bytes, asked] of [
        [keptImageBytesMax, 1],
        [keptImageBytesMax + 1, 2],
      ] as const) {
        world.asked.length = 0
        world.bytes = new Uint8Array(bytes)
        world.bytes.set(png)
        await open().read(`${address}?${bytes}`, undefined)
        await open().read(`${address}?${bytes}`, undefined)
        expect(world.asked, String(bytes)).toHaveLength(asked)
      }
    })
  })

  test('are so many images, the newest, and of another address none', async ({ expect }) => {
    await inImages(async ({ world, open, sql }) => {
      const images = open()
      for (let at = 0; at <= keptImagesMax; at += 1) {
        await images.read(`${address}?${at}`, undefined)
        world.nowUnix += 1
      }
      const rows = () => sql.exec<{ n: number }>("select count(*) n from kept where kind = 'images'").one().n

      expect(rows()).toBe(keptImagesMax)
      world.asked.length = 0
      await images.read(`${address}?${keptImagesMax}`, undefined)
      expect(world.asked).toEqual([])
      await images.read(`${address}?0`, undefined)
      expect(world.asked).toEqual([`${address}?0`])
      world.nowUnix += imageSeconds
      await images.read(`${address}?new`, undefined)
      expect(rows()).toBe(1)
    })
  })
})

interface World {
  readonly asked: string[]
  nowUnix: number
  bytes: Uint8Array<ArrayBuffer>
}

let objects = 0

/** `open` makes what a fresh object would make on the same storage. */
async function inImages(
  run: (inside: { world: World; open: () => ProviderImages; sql: SqlStorage }) => Promise<void>,
): Promise<void> {
  objects += 1
  const catalogues = env.CATALOGUE as DurableObjectNamespace<CatalogueHost>
  await runInDurableObject(catalogues.get(catalogues.idFromName(`images-${objects}`)), async (_, { storage }) => {
    const world: World = { asked: [], nowUnix: 1_795_000_000, bytes: png }
    const open = () =>
      new ProviderImages(storage.sql, {
        nowMs: () => world.nowUnix * 1000,
        wait: () => new Promise(() => undefined),
        fetch: async (address) => {
          world.asked.push(address)
          return new Response(world.bytes)
        },
      })
    await run({ world, open, sql: storage.sql })
  })
}
