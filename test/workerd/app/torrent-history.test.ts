/** What was done about one torrent, from the tables of pushes, feeds, brush tasks and the library. */
import { env } from 'cloudflare:workers'
import { beforeEach, test } from 'vitest'
import type { PushFacts } from '../../../workers/app/adapters/d1/push-records.ts'
import { createTorrentHistory } from '../../../workers/app/adapters/d1/torrent-history.ts'
import { consolePrefix } from '../../../workers/app/app.ts'
import { torrentEventsMax } from '../../../workers/app/limits.ts'
import { ownerSession, send } from '../../support/workerd/app-client.ts'
import { clock, db, records } from '../../support/workerd/told-sites.ts'

const hash = 'ab'.repeat(20)
const facts: PushFacts = {
  ...{
    site: 'shelf',
    torrentId: '7',
    title: 'Voyage',
    sizeBytes: 5,
    category: '',
    tags: '',
    free: false,
    hasHr: false,
  },
  ...{ source: 'filter_rule', downloaderId: 3, downloader: 'nas', infoHashes: [hash, 'cd'.repeat(20)] },
}
const run = (statement: string, ...values: unknown[]) =>
  env.DB.prepare(statement)
    .bind(...values)
    .run()

beforeEach(async () => {
  for (const table of ['push_records', 'feed_items', 'brush_torrents', 'media_history'])
    await run(`delete from ${table}`)
})

async function filled(): Promise<void> {
  const id = await records.begin(facts)
  await records.succeeded(id, facts, hash)
  await run(
    `insert into feed_items (feed_id, site, torrent_id, title, release_key, status, candidate, rule_name, clauses, found_at_unix, decided_at_unix)
     values (1, 'shelf', '7', 'Voyage', 'v', 'taken', '{}', 'Packs', '[{"asked":{"field":"per_day","op":"at_most","value":3},"state":"met"}]', 10, 20)`,
  )
  await run(
    `insert into brush_torrents (task_id, site, torrent_id, title, downloader_id, info_hash, status, size_bytes, taken_at_unix, last_upload_at_unix, reason, ended_at_unix, clauses)
     values (1, 'shelf', '7', 'Voyage', 3, ?, 'removed', 5, 30, 30, 'ratio', 40, '[{"asked":{"field":"seeders","op":"at_most","value":3},"found":2,"state":"met"}]')`,
    hash,
  )
  await run(
    `insert into media_history (media_type, tmdb_id, season, title, site, torrent_id, torrent_name, folded_text, size_bytes, quality, library, target_path, status, subscription_torrent_id, downloader_id, info_hashes, under_way, next_at_unix, begun_at_unix, created_at_unix, updated_at_unix)
     values ('movie', 5, 0, 'Voyage', 'shelf', '7', 'Voyage', 'voyage', 5, '{}', 'Films', '/films/Voyage', 'done', 1, 3, ?, 0, 0, 0, 0, 50)`,
    hash,
  )
}

test('is told newest first, with rule and clauses, and of no other torrent or downloader', async ({ expect }) => {
  await filled()
  const session = await ownerSession()
  const read = async (id: number, of: string) =>
    (await send('GET', `${consolePrefix}/torrents/${id}/${of}/history`, session)).body.items

  expect(await read(3, hash)).toEqual([
    { at: clock.now, kind: 'pushed', site: 'shelf', torrent_id: '7', source: 'filter_rule' },
    { at: 50, kind: 'organised', by: 'Films', path: '/films/Voyage' },
    { at: 40, kind: 'brush_removed', error: expect.any(String), reason: { kind: 'brush.removed', why: 'ratio' } },
    {
      ...{ at: 30, kind: 'brush_taken' },
      clauses: [{ asked: { field: 'seeders', op: 'at_most', value: 3 }, found: 2, state: 'met' }],
    },
    {
      ...{ at: 20, kind: 'found', site: 'shelf', torrent_id: '7', rule: 'Packs' },
      clauses: [{ asked: { field: 'per_day', op: 'at_most', value: 3 }, state: 'met' }],
    },
  ])
  for (const [id, of] of [
    [4, hash],
    [3, 'ef'.repeat(20)],
    [3, hash.slice(1)],
  ] as const)
    expect(await read(id, of)).toEqual([])
})

test('has a bound', async ({ expect }) => {
  for (let at = 0; at <= torrentEventsMax; at += 1) {
    const each = { ...facts, torrentId: String(at) }
    await records.failed(await records.begin(each), { kind: 'push.interrupted' })
  }

  expect((await createTorrentHistory(db).of(3, hash)).length).toBe(torrentEventsMax)
})
