/**
 * The service as an indexer, over the network: it adds itself as one of its own sites, by the protocol of which it speaks
 * both sides, and finds through it what it finds directly.
 */
import { afterAll, beforeAll, test } from 'vitest'
import { consoleSite } from '../../support/console-site.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'
import { goodCookie, type StandInSites, startStandInSites, torrentFile } from '../../support/stand-in-sites.ts'

const folder = temporaryFolder()
let sites: StandInSites
let wharf: RunningWharf
let owner: Readonly<Record<string, string>>
let key = ''

beforeAll(async () => {
  sites = await startStandInSites()
  wharf = await startWharf(folder.path)
  owner = await ownerOf(wharf)
  const lantern = consoleSite('lantern', 'nexusphp', sites.address('nexusphp', 'torznab'), { cookie: goodCookie })
  await wharf.request('POST', '/api/console/v1/sites', owner, lantern)
  const made = await wharf.request('POST', '/api/console/v1/tokens', owner, {
    name: 'program',
    scopes: ['app:read', 'app:write'],
    lifetime: '30d',
  })
  key = made.body.text
})
afterAll(async () => {
  await wharf?.stop()
  await sites?.stop()
  folder.remove()
})

const indexer = (apiKey: string, site = 'lantern') => ({
  kind: 'torznab',
  definition: '',
  address: `${wharf.origin}/torznab/${site}`,
  api_key: apiKey,
  overrides: { request_interval_ms: 0 },
})

test('an indexer is what the service itself makes of it', async ({ expect }) => {
  const works = await wharf.request('POST', '/api/console/v1/sites/test', owner, indexer(key))
  expect(works.body).toMatchObject({ works: true })
  const refused = await wharf.request('POST', '/api/console/v1/sites/test', owner, indexer(`${key}x`))
  expect(refused.body).toMatchObject({ works: false, reason: { kind: 'site.login_expired' } })

  const { kind, definition, address, api_key, overrides } = indexer(key)
  const added = await wharf.request(
    'POST',
    '/api/console/v1/sites',
    owner,
    consoleSite('through', kind, address, { definition, api_key, overrides }),
  )
  expect(added.status).toBe(200)
  const search = (name: string) =>
    wharf.request('POST', '/api/app/v1/search', owner, { keyword: 'planet', sites: [name] })
  const [direct, through] = [await search('lantern'), await search('through')]
  expect(through.body.errors).toEqual([])
  const told = (answer: typeof direct) =>
    answer.body.items.map((item: Record<string, unknown>) => {
      const { title, size, seeders, leechers, snatched, uploaded_at: at, free, discount } = item
      return { title, size, seeders, leechers, snatched, at, free, discount }
    })
  expect(told(through)).toEqual(told(direct))
  expect(direct.body.items).toHaveLength(2)
})

test('the file behind a link is the site’s, and neither log nor output tells the key', async ({ expect }) => {
  const feed = await (await fetch(`${wharf.origin}/torznab/api?t=search&q=planet&apikey=${key}`)).text()
  const link = /<link>([^<]+lantern\/file[^<]+)<\/link>/.exec(feed)?.[1]?.replaceAll('&amp;', '&')
  const file = await fetch(link ?? '')
  expect(file.headers.get('content-type')).toBe('application/x-bittorrent')
  expect(Buffer.from(await file.arrayBuffer())).toEqual(torrentFile)
  expect(wharf.said()).not.toContain(key)
  const log = await wharf.request('GET', '/api/console/v1/audit', owner)
  expect(log.text).toContain('GET /torznab/lantern/file')
  expect(log.text).not.toContain(key)
})
