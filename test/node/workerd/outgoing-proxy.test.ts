/** The host's outgoing side on real sockets: what passes a proxy, and the whole service on it. */
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { forwardThroughProxy } from '../../../local/workerd/outgoing-proxy.ts'
import { outgoingHeaders } from '../../../workers/app/core/site-proxy.ts'
import { torrentFileBytesMax } from '../../../workers/app/limits.ts'
import { makeCertificate } from '../../support/own-certificate.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerOf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'
import { proxyPassword, startStandInProxy } from '../../support/stand-in-proxy.ts'
import { goodApiKey, type StandInSites, startStandInSites } from '../../support/stand-in-sites.ts'

const code = 'code of this start'
const openssl = requireReal('openssl')

async function listen(server: http.Server | https.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const seen: http.IncomingHttpHeaders[] = []

const proxy = await startStandInProxy()
const site = http.createServer((request, response) => {
  seen.push(request.headers)
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
  const bytes = Buffer.alloc(Number(searchParams.get('bytes') ?? 5), 'a')
  if (pathname === '/gzip')
    return void response
      .writeHead(200, { 'content-encoding': 'gzip', 'set-cookie': ['a=1', 'b=2'] })
      .end(gzipSync(bytes))
  if (pathname === '/moved') return void response.writeHead(302, { location: 'http://elsewhere.invalid/' }).end()
  if (pathname === '/nothing') return void response.writeHead(204, { 'content-encoding': 'gzip' }).end()
  if (pathname === '/cut') return void response.write(bytes, () => response.destroy())
  request.pipe(response.writeHead(200, { 'content-type': 'text/plain' }))
  if (request.method === 'GET') response.end(bytes)
})
const siteHost = await listen(site)

afterAll(async () => {
  await proxy.stop()
  site.close()
})

const pass = forwardThroughProxy(code, Response)
function ask(address: string, init: RequestInit = {}) {
  const headers = { ...init.headers, [outgoingHeaders.proxy]: proxy.address, [outgoingHeaders.code]: code }
  return pass(new Request(address, { ...init, headers }))
}

describe('what passes a proxy', () => {
  test('reaches the site with its own headers and body, and with nothing of ours', async ({ expect }) => {
    const answer = await ask(`http://${siteHost}/echo`, {
      method: 'POST',
      body: 'page=1',
      headers: { cookie: 'c=1', 'user-agent': 'reader', 'mf-custom': 'x' },
    })

    expect([answer.status, await answer.text()]).toEqual([200, 'page=1'])
    expect(seen.at(-1)).toMatchObject({ cookie: 'c=1', 'user-agent': 'reader', host: siteHost })
    const names = Object.keys(seen.at(-1) ?? {})
    expect(names.filter((name) => /^(?:x-wharf|mf-|cf-|proxy-|sec-)/.test(name))).toEqual([])
  })

  test('comes back unpacked, with every cookie, and with redirects left to the script', async ({ expect }) => {
    const packed = await ask(`http://${siteHost}/gzip`)
    const moved = await ask(`http://${siteHost}/moved`)
    const nothing = await ask(`http://${siteHost}/nothing`)

    expect(await packed.text()).toBe('aaaaa')
    expect(packed.headers.get('content-encoding')).toBeNull()
    expect(packed.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://elsewhere.invalid/'])
    expect(nothing.status).toBe(204)
  })

  test.for([
    ['/plain', torrentFileBytesMax, null],
    ['/plain', torrentFileBytesMax + 1, 'too_large'],
    ['/gzip', torrentFileBytesMax, null],
    ['/gzip', torrentFileBytesMax + 1, 'too_large'],
  ] as const)('is held to its bound, packed or not: %s of %i bytes', async ([page, bytes, fault], { expect }) => {
    const answer = await ask(`http://${siteHost}${page}?bytes=${bytes}`)

    expect(answer.headers.get(outgoingHeaders.fault)).toBe(fault)
    if (fault === null) expect((await answer.arrayBuffer()).byteLength).toBe(bytes)
  })

  test('is a fault when it is cut, never a whole answer', async ({ expect }) => {
    const answer = await ask(`http://${siteHost}/cut`)

    expect([answer.status, answer.headers.get(outgoingHeaders.fault)]).toEqual([502, 'proxy_unreachable'])
    expect(await answer.text()).toBe('')
  })
})

describe.skipIf(openssl.isMissing)(`a site with https behind a proxy ${openssl.skipNote}`.trim(), () => {
  const folder = temporaryFolder()
  let sites: StandInSites
  let front: https.Server
  let address: string
  let certificate: string

  beforeAll(async () => {
    const made = makeCertificate(openssl.path, folder.path, '127.0.0.1')
    certificate = made.certificate
    sites = await startStandInSites()
    front = https.createServer(
      { key: readFileSync(made.key), cert: readFileSync(made.certificate) },
      (request, response) => {
        const onward = http.request(
          `${sites.origin}${request.url}`,
          { method: request.method, headers: request.headers },
          (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
        )
        onward.on('error', () => response.destroy())
        request.pipe(onward)
      },
    )
    address = `https://${await listen(front)}`
  })

  afterAll(async () => {
    front?.close()
    await sites?.stop()
    folder.remove()
  })

  test('is asked for a certificate that is trusted', async ({ expect }) => {
    const answer = await ask(`${address}/unit3d/ok/`)

    expect(answer.headers.get(outgoingHeaders.fault)).toBe('certificate')
    expect(proxy.calls).toContain(`CONNECT ${new URL(address).host}`)
  })

  test('works through the whole service, which keeps the password of the proxy to itself', async ({ expect }) => {
    const data = temporaryFolder()
    const own = await startStandInProxy()
    const wharf = await startWharf(data.path, [], { NODE_EXTRA_CA_CERTS: certificate })
    try {
      const owner = await ownerOf(wharf)
      const trial = {
        kind: 'unit3d',
        definition: '',
        address: `${address}/unit3d/ok`,
        api_key: goodApiKey,
        proxy: own.address,
      }
      const tryOut = (change: object) =>
        wharf.request('POST', '/api/console/v1/sites/test', owner, { ...trial, ...change })
      const works = await tryOut({})
      const refused = await tryOut({ proxy: own.address.replace('walker', 'stranger') })
      const added = await wharf.request('POST', '/api/console/v1/sites', owner, {
        ...trial,
        name: 'far',
        display_name: '',
        enabled: true,
        auto_sign_in: false,
      })
      const { proxy: _, ...kept } = trial
      await own.stop()
      const away = await wharf.request('POST', '/api/console/v1/sites/test', owner, { ...kept, id: added.body.id })

      expect(works.body).toMatchObject({ works: true })
      expect(new Set(own.calls)).toEqual(new Set([`CONNECT ${new URL(address).host}`]))
      expect(refused.body).toEqual({
        works: false,
        error: '代理拒绝了用户名或密码',
        reason: { kind: 'site.proxy_refused' },
      })
      expect(added.body.proxy_host).toBe(own.host)
      expect(away.body).toMatchObject({ works: false, error: '无法连接站点的代理，请检查代理地址' })
      // A database that is open has files that come and go.
      await wharf.stop()
      const texts = [wharf.said(), ...[works, refused, added, away].map(({ text }) => text), ...filesBelow(data.path)]
      const secrets = [proxyPassword, encodeURIComponent(proxyPassword)]
      expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([])
    } finally {
      await wharf.stop()
      await own.stop()
      data.remove()
    }
  })
})

/** Everything the service wrote, as text. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
}
