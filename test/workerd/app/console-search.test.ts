/** The console's search through the real Worker: rows come as sites answer, whatever the others do. */
import { env, exports } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { consoleSite } from '../../support/console-site.ts'
import { origin as here, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const sites = inject('standInSites')
const goodCookie = 'c_secure_pass=CanaryCookieOfTheSite9'
const goodApiKey = 'CanaryApiKeyOfTheSite91'

let skins = 0

const session = await ownerSession()
beforeEach(async () => {
  await env.DB.prepare('delete from sites').run()
})

async function add(name: string, kind: string, skin?: string): Promise<string> {
  skins += 1
  const place = skin ?? `events${skins}`
  const credential = kind === 'nexusphp' ? { cookie: goodCookie } : { api_key: goodApiKey }
  const added = await send('POST', `${consolePrefix}/sites`, session, {
    json: consoleSite(name, kind, `${sites}/${kind}/${place}`, credential),
  })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  return place
}

async function control(kind: string, skin: string, change: object): Promise<{ held: number }> {
  const response = await fetch(`${sites}/control/${kind}/${skin}`, { method: 'POST', body: JSON.stringify(change) })
  return response.json()
}

interface Told {
  readonly event: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: each test looks into the event that it expects
  readonly data: any
}

/** Opens the events of a search; `next` waits for one more. */
async function follow(json: object) {
  const response = await exports.default.fetch(
    new Request(`${here}${consolePrefix}/search/events`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    }),
  )
  const reader = response.body?.getReader()
  if (!response.ok || reader === undefined) throw new Error(`${response.status}`)
  const decoder = new ServerSentDecoder(1_000_000)
  const waiting: Told[] = []
  async function next(): Promise<Told | undefined> {
    while (waiting.length === 0) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done || value === undefined) return undefined
      const read = decoder.push(value)
      if (!read.ok) throw new Error(read.failure)
      waiting.push(...read.value.map(({ event, data }) => ({ event, data: JSON.parse(data) })))
    }
    return waiting.shift()
  }
  async function rest(): Promise<Told[]> {
    const all: Told[] = []
    for (let one = await next(); one !== undefined; one = await next()) all.push(one)
    return all
  }
  return { response, next, rest, leave: () => reader.cancel() }
}

describe('a search that is followed', () => {
  test('tells the rows of each site as it answers: one that is slow costs the others nothing', async ({ expect }) => {
    const slow = await add('slow', 'nexusphp')
    await add('quick', 'unit3d')
    await control('nexusphp', slow, { hold: true })

    const search = await follow({ keyword: 'planet' })

    expect(search.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await search.next()).toEqual({ event: 'asked', data: { sites: ['slow', 'quick'] } })
    const first = await search.next()
    expect([first?.event, first?.data.site, first?.data.total]).toEqual(['found', 'quick', 2])
    await control('nexusphp', slow, { hold: false })
    const [second, last, ...more] = await search.rest()
    expect([second?.event, second?.data.site]).toEqual(['found', 'slow'])
    expect(last).toEqual({ event: 'done', data: { duration_ms: expect.any(Number) } })
    expect(more).toEqual([])
  })

  test('tells what the documented search tells, and what the console shows beside it', async ({ expect }) => {
    await add('lantern', 'nexusphp')
    const { caller } = await makeToken(session, ['app:read'])
    const documented = await send('POST', `${appPrefix}/search`, caller, { json: { keyword: 'planet' } })

    const [, found] = await (await follow({ keyword: 'planet' })).rest()

    expect(
      found?.data.items.map(({ quality: _, page: __, ...item }: object & { quality: 0; page: 0 }) => item),
    ).toEqual(documented.body.items)
    expect(JSON.stringify(documented.body)).not.toContain('quality')
    const one = found?.data.items.find(({ torrent_id }: { torrent_id: string }) => torrent_id === '102')
    expect(one.quality).toEqual({ resolution: '2160p' })
    expect(one.page).toMatch(/\/nexusphp\/events[0-9]+\/details\.php\?id=102$/)
    expect(JSON.stringify(found)).not.toContain('Canary')
  })

  test('a site that fails is named with its reason, and so is each of them when all fail', async ({ expect }) => {
    await add('shut', 'nexusphp', 'expired')
    await add('broken', 'unit3d', 'other')

    const events = await (await follow({ keyword: 'planet', sites: ['shut', 'broken'] })).rest()

    expect(events.map(({ event }) => event)).toEqual(['asked', 'failed', 'failed', 'done'])
    const reasons = Object.fromEntries(events.slice(1, 3).map(({ data }) => [data.site, data.reason.kind]))
    expect(reasons).toEqual({ shut: 'site.login_expired', broken: expect.stringMatching(/^site\./) })
  })

  test('asks the named sites only, with the filters of the documented search', async ({ expect }) => {
    await add('one', 'unit3d')
    await add('two', 'unit3d')

    const events = await (await follow({ keyword: 'planet', sites: ['two'], min_seeders: 100 })).rest()

    expect(events[0]?.data.sites).toEqual(['two'])
    expect(events[1]?.data.items.map(({ seeders }: { seeders: number }) => seeders)).toEqual([120])
  })

  test('whoever leaves before the end is told nothing more, and the next search is whole', async ({ expect }) => {
    const slow = await add('slow', 'nexusphp')
    await control('nexusphp', slow, { hold: true })
    const left = await follow({ keyword: 'planet' })
    await left.next()
    await left.leave()
    await control('nexusphp', slow, { hold: false })

    const events = await (await follow({ keyword: 'planet' })).rest()

    expect(events.map(({ event }) => event)).toEqual(['asked', 'found', 'done'])
  })
})
