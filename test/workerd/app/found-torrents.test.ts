/** What searches found, in a real object's storage. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { test } from 'vitest'
import { createKeyCheckStore } from '../../../workers/app/adapters/d1/key-check.ts'
import { FoundTorrents } from '../../../workers/app/adapters/found-torrents.ts'
import { createSecretBox } from '../../../workers/app/adapters/secret-box.ts'
import type { SearchHit } from '../../../workers/app/core/site.ts'
import { foundSeconds, foundTorrentsMax } from '../../../workers/app/limits.ts'
import type { SiteHost } from '../../../workers/app/objects/site-object.ts'

const now = 1_795_000_000
const key = 'CanaryLinkKeyOfTheSite47OfLength'

const hit = (torrentId: string, change: Partial<SearchHit> = {}): SearchHit => ({
  torrentId,
  title: 'Film',
  sizeBytes: 1,
  seeders: 1,
  leechers: 0,
  tags: [],
  discount: 'NONE',
  hasHr: false,
  downloadKey: `passkey=${key}`,
  ...change,
})

let objects = 0
type Open = (settings?: { revision?: number; masterKey?: string }) => FoundTorrents

async function keep(found: FoundTorrents, hits: readonly SearchHit[], nowUnix: number): Promise<void> {
  found.note(hits, nowUnix)
  await found.settle()
}

/** `open` makes what a fresh object would make on the same storage. */
function inObject(run: (open: Open, sql: SqlStorage) => Promise<void>): Promise<void> {
  objects += 1
  const sites = env.SITES as DurableObjectNamespace<SiteHost>
  return runInDurableObject(sites.get(sites.idFromName(`found-${objects}`)), async (_, { storage }) => {
    const open: Open = ({ revision = 1, masterKey = env.MASTER_KEY ?? '' } = {}) =>
      new FoundTorrents(storage, createSecretBox(masterKey, createKeyCheckStore(drizzle(env.DB))), { id: 7, revision })
    await run(open, storage.sql)
  })
}

test('what was found is there for an hour, also after the object was evicted, and no longer', async ({ expect }) => {
  await inObject(async (open) => {
    const facts = { discount: 'FREE', discountEndAtUnix: now + 9, hasHr: true, sizeBytes: 5 } as const
    await keep(open(), [hit('1', facts)], now)

    const fresh = open()
    expect(await fresh.find('1', now + foundSeconds - 1)).toEqual({
      torrentId: '1',
      downloadKey: `passkey=${key}`,
      ...facts,
    })
    expect(await fresh.find('1', now + foundSeconds)).toBeUndefined()
    expect(await fresh.find('2', now)).toBeUndefined()
  })
})

test('the newest of them are kept, up to the limit', async ({ expect }) => {
  await inObject(async (open) => {
    const found = open()
    await keep(found, [hit('first'), hit('second')], now)
    // Found once more: it counts as new.
    await keep(found, [hit('first', { sizeBytes: 2 })], now + 1)
    const others = Array.from({ length: foundTorrentsMax - 2 }, (_, index) => hit(`n${index}`))
    for (let start = 0; start < others.length; start += 500)
      await keep(found, others.slice(start, start + 500), now + 2)

    expect(await found.find('second', now + 3)).toBeDefined()
    await keep(found, [hit('one more')], now + 3)
    for (const each of [found, open()]) {
      expect(await each.find('second', now + 3)).toBeUndefined()
      expect(await each.find('first', now + 3)).toMatchObject({ sizeBytes: 2 })
      expect(await each.find('one more', now + 3)).toBeDefined()
      expect(await each.find('n0', now + 3)).toBeDefined()
    }
  })
})

test('links rest sealed, and old ones go', async ({ expect }) => {
  await inObject(async (open, sql) => {
    const found = open()
    await keep(found, [hit('1')], now)
    const text = JSON.stringify(sql.exec('select * from found').toArray())
    expect(text).not.toContain(key)
    expect(text).not.toContain(btoa(key).slice(0, 20))

    await keep(found, [hit('2')], now + foundSeconds)
    expect(sql.exec('select count(*) as n from found').one()).toEqual({ n: 1 })
  })
})

test('with other settings of the site, or another master key, nothing is known', async ({ expect }) => {
  await inObject(async (open, sql) => {
    await keep(open(), [hit('1')], now)

    const otherKey = btoa('another-master-key-32-bytes-long')
    expect(await open({ masterKey: otherKey }).find('1', now)).toBeUndefined()
    expect(await open({ revision: 2 }).find('1', now)).toBeUndefined()
    expect(sql.exec('select count(*) as n from found').one()).toEqual({ n: 0 })
  })
})
