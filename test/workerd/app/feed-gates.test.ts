/** A push by hand and one by a feed, side by side: the real Worker, with a stand-in site and downloader on real sockets. */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect as expectHere, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { taskSources } from '../../../workers/app/core/vocabulary.ts'
import { consoleSite } from '../../support/console-site.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const origin = inject('standInSites')
const downloader = inject('standInDownloaders')['feed-gates']
const scheduler = env.SCHEDULER.get(env.SCHEDULER.idFromName('scheduler'))
const gib = 1024 ** 3
/** As the site shows the torrent. */
const size = 4.5 * gib

let skin = ''
let skins = 0

const session = await ownerSession()
const operator = (await makeToken(session, ['app:read', 'app:write'])).caller

beforeEach(async () => {
  for (const table of ['downloaders', 'push_records', 'feeds', 'feed_items', 'filter_rules', 'jobs', 'sites'])
    await env.DB.prepare(`delete from ${table}`).run()
})

const order = (address: string, change: object) => fetch(address, { method: 'POST', body: JSON.stringify(change) })
const tellDownloader = (change: object) => order(`${downloader.baseUrl}/control`, change)
const tellSite = (change: object) => order(`${origin}/control/nexusphp/${skin}`, change)
const console = (method: string, path: string, json?: unknown) =>
  send(method, `${consolePrefix}${path}`, session, json === undefined ? {} : { json })
const app = (method: string, path: string, json?: unknown) =>
  send(method, `${appPrefix}${path}`, operator, json === undefined ? {} : { json })

/** A site of its own, and an empty downloader with so much room, of which 2 GiB are to stay. */
async function begin(freeBytes: number, seedingBytes = 0, capacity_gib = 0): Promise<void> {
  skins += 1
  skin = `gates${skins}`
  for (const table of ['downloaders', 'push_records', 'sites']) await env.DB.prepare(`delete from ${table}`).run()
  await tellDownloader({ orders: { freeBytes, adding: 'accept' }, empty: true })
  const { baseUrl: address, ...signIn } = downloader
  await console('POST', '/downloaders', {
    name: 'nas-1',
    type: 'qbittorrent',
    address,
    ...signIn,
    enabled: true,
    default: false,
    min_free_gib: 2,
  })
  await tellSite({ fileBytes: 4096, feed: [102], seedingBytes })
  const settings = { cookie: 'c_secure_pass=CanaryCookieOfTheSite9', capacity_gib }
  await console('POST', '/sites', consoleSite('shelf', 'nexusphp', `${origin}/nexusphp/${skin}`, settings))
}

async function looked(id: number): Promise<void> {
  const isOver = async () => {
    await runDurableObjectAlarm(scheduler)
    const feed = (await console('GET', '/feeds')).body.items.find((one: { id: number }) => one.id === id)
    return feed.last_at !== undefined && feed.due_at >= feed.last_at + 600
  }
  await expectHere.poll(isOver, { timeout: 15_000 }).toBe(true)
}

async function addFeed(): Promise<number> {
  const address = `${origin}/nexusphp/${skin}/torrentrss.php?passkey=CanaryLinkKeyOfTheSite47OfLength`
  const { id } = (
    await console('POST', '/feeds', { name: skin, enabled: true, site: 'shelf', address, every_minutes: 10 })
  ).body
  await looked(id)
  return id
}

/** What came of the torrent: nothing for a push, otherwise the reason. */
async function byHand(): Promise<unknown> {
  await app('POST', '/search', { keyword: 'planet' })
  const { body } = await app('POST', '/push', { site: 'shelf', torrent_id: '101' })
  return body.success ? 'pushed' : body.reason
}

async function byFeed(): Promise<unknown> {
  const id = await addFeed()
  await tellSite({ feed: [101, 102] })
  await console('POST', `/feeds/${id}/run`)
  await looked(id)
  const item = (await console('GET', '/feed-items')).body.items.find(
    (one: { torrent_id: string }) => one.torrent_id === '101',
  )
  await console('DELETE', `/feeds/${id}`)
  return item.status === 'taken' ? 'pushed' : item.reason
}

describe('a push by hand and one by a feed', () => {
  test('stop at the same space: exactly enough is enough, and a byte less is not, in the same words', {
    timeout: 120_000,
    tags: 'slow',
  }, async ({ expect }) => {
    for (const way of [byHand, byFeed]) {
      await begin(size + 2 * gib)
      expect(await way(), way.name).toBe('pushed')
    }
    const told: unknown[] = []
    for (const way of [byHand, byFeed]) {
      await begin(size + 2 * gib - 1)
      told.push(await way())
    }
    const reason = { kind: 'push.space_too_little', left: size + 2 * gib - 1, size, kept: 2 * gib }
    expect(told).toEqual([reason, reason])
    for (const way of [byHand, byFeed]) {
      await begin(-1)
      expect(await way(), way.name).toEqual({ kind: 'push.space_unread' })
    }
  })

  test('stop at the same seeding capacity: a full one is full, in the same words', async ({ expect }) => {
    for (const way of [byHand, byFeed]) {
      await begin(78e9, 7.5 * gib, 12)
      expect(await way(), way.name).toBe('pushed')
    }
    const told: unknown[] = []
    for (const way of [byHand, byFeed]) {
      // The least that the site can show more.
      await begin(78e9, 7.51 * gib, 12)
      told.push(await way())
    }
    expect(told[0]).toMatchObject({ kind: 'push.capacity_full', size, limit: 12 * gib })
    expect(told[1]).toEqual(told[0])
  }, 120_000)
})

describe('every task that a feed brings', () => {
  const take = (name: string, value: number) => ({
    name,
    enabled: true,
    rule: {
      action: 'take',
      conditions: [{ field: 'size_gib', op: 'at_most', value }],
      target: { downloader_id: 0, category: '', tags: [], save_path: '' },
    },
  })

  test.for<[string, object[], Record<string, string>]>([
    ['no rule', [], { 101: 'free_download' }],
    ['a rule that takes what is free', [take('large', 10)], { 101: 'filter_rule', 103: 'filter_rule' }],
    ['a rule that takes what is billed', [take('small', 2)], { 103: 'filter_rule' }],
    ['a rule that is switched off', [{ ...take('off', 10), enabled: false }], { 101: 'free_download' }],
  ])('with %s is free_download or filter_rule', async ([, rules, expected], { expect }) => {
    await begin(78e9)
    const id = await addFeed()
    for (const rule of rules) expect((await console('POST', '/rules', rule)).status).toBe(200)
    await tellSite({ feed: [101, 102, 103] })
    await console('POST', `/feeds/${id}/run`)
    await looked(id)
    const { items } = (await app('GET', '/tasks')).body
    expect(
      Object.fromEntries(
        items.map(({ torrent_id, source }: { torrent_id: string; source: string }) => [torrent_id, source]),
      ),
    ).toEqual(expected)
    expect(taskSources).toEqual(expect.arrayContaining(Object.values(expected)))
  })
})
