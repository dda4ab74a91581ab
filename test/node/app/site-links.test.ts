/** Addresses that a site chooses lead nowhere but to the site: a listener beside it stays silent, however it is spelled. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteDriver, SiteRuntime } from '../../../workers/app/adapters/sites/site-driver.ts'
import { fetchIcon } from '../../../workers/app/adapters/sites/site-icon.ts'
import type { SiteKind } from '../../../workers/app/core/vocabulary.ts'
import { iconBytesMax, siteQueueMax } from '../../../workers/app/limits.ts'
import { iconFile } from '../../support/stand-in-sites.ts'

const runtime: SiteRuntime = {
  bounds: { callMs: 2000, answerBytesMax: 4 * 1024 * 1024, queueMax: siteQueueMax },
  fetch: (address, init) => fetch(address, init),
  nowMs: () => Date.now(),
  wait: async () => undefined,
}
const signal = () => AbortSignal.timeout(8000)

let answerAs: (request: IncomingMessage, response: ServerResponse) => void
let heard = 0

function listening(server: Server, host: string): Promise<Server> {
  return new Promise((resolve) => server.listen(0, host, () => resolve(server)))
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

const site = await listening(
  createServer((request, response) => answerAs(request, response)),
  '127.0.0.1',
)
const canary = await listening(
  createServer((_, response) => {
    response.end(iconFile)
  }),
  '::',
)
canary.on('connection', () => {
  heard += 1
})
beforeEach(() => {
  heard = 0
})
afterAll(async () => {
  for (const server of [site, canary]) {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }
})

const siteOf = (kind: SiteKind) => ({
  kind,
  baseUrl: `http://127.0.0.1:${portOf(site)}`,
  profile: siteProfile(kind, { request_interval_ms: 0 }),
})
function driverOf(kind: SiteKind, more: Partial<SiteRuntime['bounds']> = {}): SiteDriver {
  const credentials = { cookie: 'a=CanaryCookie', apiKey: 'CanaryKey' }
  return createSiteDriver({ ...siteOf(kind), credentials }, { ...runtime, bounds: { ...runtime.bounds, ...more } })
}

/** `@` stands for the canary's port. */
const spellings = [
  'http://127.0.0.1:@/x',
  'http://2130706433:@/x',
  'http://0x7f.1:@/x',
  'http://0177.0.0.1:@/x',
  'http://①②⑦.0.0.1:@/x',
  'http://0.0.0.0:@/x',
  'http://[::1]:@/x',
  'http://[::ffff:127.0.0.1]:@/x',
  'http://localhost:@/x',
  'http://LOCALHOST.:@/x',
  '//127.0.0.1:@/x',
  '\\\\127.0.0.1:@\\x',
  'ht\ttp://127.0.0.1:@/x',
  'http://127.0.0.1@127.0.0.1:@/x',
  'https:127.0.0.1:@/x',
] as const

const ways: Readonly<Record<string, (link: string) => Promise<{ readonly ok: boolean } | undefined>>> = {
  'a redirect': (link) => {
    // A header carries no control characters and no letters beyond Latin.
    const location = encodeURI(link).replaceAll('%5C', '\\')
    answerAs = (_, response) => response.writeHead(302, { location }).end()
    return driverOf('unit3d').probe(signal())
  },
  'the link of a search result': (link) => {
    answerAs = (_, response) => response.end('d4:infoe')
    return driverOf('unit3d').download('1', link, signal())
  },
  'the link of a feed': (link) => {
    answerAs = (_, response) => response.end('d4:infoe')
    return driverOf('torznab').download('1', link, signal())
  },
  'a one-time link': (link) => {
    answerAs = (_, response) => response.end(JSON.stringify({ code: '0', message: 'SUCCESS', data: link }))
    return driverOf('mteam').download('1', undefined, signal())
  },
  'the icon its page names': async (link) => {
    answerAs = (_, response) => response.end(`<html><head><link rel="icon" href="${link}"></head></html>`)
    const icon = await fetchIcon({ ...siteOf('nexusphp'), ...iconTarget }, undefined, runtime, signal())
    return icon === undefined ? undefined : { ok: true }
  },
}
const iconTarget = { id: 1, name: 'site', revision: 1, capacityGib: 0, sealedCredentials: '' }

describe.each(Object.keys(ways))('%s', (way) => {
  test.for(spellings)('is not followed to %j', async (spelling, { expect }) => {
    const outcome = await ways[way]?.(spelling.replace(/@(?=[/\\])/, String(portOf(canary))))

    expect(outcome?.ok ?? false).toBe(false)
    expect(heard).toBe(0)
  })
})

test('the listener would have heard it', async ({ expect }) => {
  for (const host of ['127.0.0.1', '[::1]', 'localhost', '2130706433'])
    await (await fetch(`http://${host}:${portOf(canary)}/x`)).arrayBuffer()

  expect(heard).toBeGreaterThan(0)
})

describe('what a site sends', () => {
  test('byte by byte without an end is given up in time', async ({ expect }) => {
    const dripping = new Set<NodeJS.Timeout>()
    answerAs = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 20)
      dripping.add(drip)
      response.on('close', () => clearInterval(drip))
    }
    const outcome = await driverOf('unit3d', { callMs: 300 }).probe(signal())
    for (const drip of dripping) clearInterval(drip)

    expect(outcome).toEqual({ ok: false, failure: { kind: 'timeout' } })
  })

  test('as an icon is taken up to its bound and not beyond', async ({ expect }) => {
    const iconOf = (bytes: number) => {
      answerAs = ({ url }, response) =>
        response.end(url === '/favicon.ico' ? Buffer.concat([iconFile, Buffer.alloc(bytes - iconFile.length)]) : '')
      return fetchIcon({ ...siteOf('nexusphp'), ...iconTarget }, undefined, runtime, signal())
    }

    expect((await iconOf(iconBytesMax))?.bytes.length).toBe(iconBytesMax)
    expect(await iconOf(iconBytesMax + 1)).toBeUndefined()
  })
})
