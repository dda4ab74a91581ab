/**
 * What a site sees of the service on its owner's machine: the owner's browser, with the cookies that it pushes, and nothing
 * of the platform.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, test } from 'vitest'
import { browserCookie, pushText, sealPush } from '../../support/cookie-pushes.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'

const folder = temporaryFolder()
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const seen: { readonly path: string; readonly headers: Readonly<Record<string, string>> }[] = []
const site = createServer((request, response) => {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  seen.push({
    path: request.url ?? '',
    headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name])])),
  })
  response.writeHead(404).end()
})
let wharf: RunningWharf
let owner: Readonly<Record<string, string>>

beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  wharf = await startWharf(folder.path)
  owner = await ownerOf(wharf)
})
afterAll(async () => {
  await wharf?.stop()
  site.close()
  folder.remove()
})

test('a site is sent what its owner chose, the cookie, and what no request can do without', async ({ expect }) => {
  const place = {
    kind: 'nexusphp',
    definition: '',
    address: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    cookie: 'c=1',
    overrides: { user_agent: browser, headers: { 'Accept-Language': 'zh-CN,zh;q=0.9', DNT: '1' } },
  }
  const tried = await wharf.request('POST', '/api/console/v1/sites/test', owner, place)
  expect(tried.body).toMatchObject({ works: false })
  const added = await wharf.request('POST', '/api/console/v1/sites', owner, {
    ...place,
    name: 'lantern',
    display_name: '',
    enabled: true,
    auto_sign_in: false,
  })
  expect(added.status).toBe(200)
  await wharf.request('POST', '/api/app/v1/search', owner, { keyword: 'planet' })
  await wharf.request('GET', '/api/app/v1/favicon/lantern', owner)

  expect(seen.map(({ path }) => path.replace(/\?.*/, ''))).toEqual(
    expect.arrayContaining(['/index.php', '/torrents.php', '/favicon.ico']),
  )
  for (const { path, headers } of seen) {
    const { host: _, connection: __, 'accept-encoding': ___, ...said } = headers
    const cookie = /\.php/.test(path) ? { cookie: 'c=1' } : {}
    expect(said).toEqual({
      'user-agent': browser,
      accept: '*/*',
      'accept-language': 'zh-CN,zh;q=0.9',
      dnt: '1',
      ...cookie,
    })
  }
})

test('a browser that pushes its cookies is the one that the site sees from then on', async ({ expect }) => {
  const pushing = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0'
  const { body: known } = await wharf.request('POST', '/api/console/v1/settings/cookies', owner, {})
  const push = (password: string, value: string) =>
    fetch(`${wharf.origin}${known.path}/update`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'user-agent': pushing,
        origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
      },
      body: gzipSync(
        JSON.stringify({
          uuid: known.uuid,
          encrypted: sealPush(known.uuid, password, pushText([browserCookie('c', value, '127.0.0.1')])),
          crypto_type: 'legacy',
        }),
      ),
    })

  expect((await push('wrong', 'stolen')).status).toBe(401)
  const done = await push(known.password, 'pushed')
  expect([done.status, await done.json()]).toEqual([200, { action: 'done' }])
  seen.length = 0
  await wharf.request('POST', '/api/app/v1/search', owner, { keyword: 'planet' })

  expect(seen.map(({ headers }) => [headers['cookie'], headers['user-agent']])).toContainEqual(['c=pushed', pushing])
  expect(seen.map(({ headers }) => headers['cookie'])).not.toContain('c=stolen')
})
