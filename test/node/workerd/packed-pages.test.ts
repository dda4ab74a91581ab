/** The pages as a browser on the same network gets them: packed where it takes that, the same under both runtimes. */
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { describe, test } from 'vitest'
import { takesGzip } from '../../../local/workerd/packing.ts'
import { runtimeKinds } from '../../../local/workerd/runtime-kind.ts'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { startServe } from '../../support/process-host.ts'
import { slowIf } from '../../support/slow.ts'

/** As it comes over the wire: `fetch` would unpack it. */
function get(address: string, headers: Readonly<Record<string, string>>, method = 'GET') {
  return new Promise<{ status: number; headers: Readonly<Record<string, unknown>>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(address, { method, headers }, (answer) => {
        const pieces: Buffer[] = []
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.once('error', reject)
        answer.once('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) }),
        )
      })
      sent.once('error', reject)
      sent.end()
    },
  )
}

describe('who takes packed answers', () => {
  test.for([
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, GZIP;q=0.2', true],
    ['*', true],
    ['x-gzip', true],
    ['gzip;q=0', false],
    ['*, gzip;q=0', false],
    ['br', false],
    ['identity', false],
    ['', false],
    [null, false],
  ] as const)('%s: %s', ([accepted, isTaken], { expect }) => {
    expect(takesGzip(accepted)).toBe(isTaken)
  })
})

for (const runtime of runtimeKinds) {
  test(`under ${runtime}`, { timeout: 120_000, ...slowIf(runtime === 'workerd') }, async ({ expect }) => {
    const folder = await makeDataFolder()
    const alone = ['--without', 'agent,viewer', '--no-sandbox']
    const host = endAfterTest(
      startServe(['--workers', '--data', folder, '--port', '0', '--runtime', runtime, ...alone]),
    )
    const address = await host.ready()
    const script = /assets\/index-[\w-]+\.js/.exec(String((await get(address, {})).body))?.[0] ?? ''
    const place = `${address}/${script}`

    const plain = await get(place, {})
    expect(plain.headers['content-encoding']).toBeUndefined()
    const packed = await get(place, { 'accept-encoding': 'gzip, br' })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    expect(packed.body.length).toBeLessThan(plain.body.length / 2)
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
    expect(packed.headers['content-security-policy']).toBe(plain.headers['content-security-policy'])

    const again = await get(place, { 'accept-encoding': 'gzip', 'if-none-match': String(packed.headers['etag']) })
    expect([again.status, again.body.length]).toEqual([304, 0])
    const head = await get(place, { 'accept-encoding': 'gzip' }, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const [file, type] of [
      ['manifest.webmanifest', 'application/manifest+json'],
      ['icon-192.png', 'image/png'],
      ['icon.svg', 'image/svg+xml'],
    ])
      expect((await get(`${address}/${file}`, {})).headers['content-type']).toBe(type)
    const answer = await get(`${address}/api/app/v1/meta`, { 'accept-encoding': 'gzip' })
    expect(answer.headers['content-encoding']).toBeUndefined()
  })
}
