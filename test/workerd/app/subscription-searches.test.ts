/** Searches for subscriptions from due to done, with a clock that the test moves. */

import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { planJob, serviceJob } from '../../../workers/app/adapters/d1/job-list.ts'
import type { PushFailure } from '../../../workers/app/core/push-fault.ts'
import {
  picksMax,
  searchesPerTick,
  searchJitterSeconds,
  searchLeaseSeconds,
  searchRetrySeconds,
  searchSeconds,
  searchTickMs,
  subscriptionTorrentSeconds,
} from '../../../workers/app/limits.ts'
import type { PushOutcome } from '../../../workers/app/ports/pushes.ts'
import { said, saying } from '../../support/said.ts'
import { unwrap } from '../../support/unwrap.ts'
import {
  hashOf,
  hit,
  noteLost,
  noteProgress,
  organised,
  profiles,
  searchesIn,
  shown,
  subscribeTo,
  subscriptions,
  type ToldWorld,
  toldWorld,
} from '../../support/workerd/told-searches.ts'
import {
  addSite,
  clock,
  db,
  downloaders,
  fakeFleet,
  organisedBy,
  records,
  removeSites,
  settle,
  unix,
  workWith,
} from '../../support/workerd/told-sites.ts'

const start = unix('2026-11-22T02:00:00Z')
let world: ToldWorld

beforeEach(async () => {
  clock.now = start
  await removeSites()
  const tables = ['subscriptions', 'subscription_episodes', 'subscription_torrents', 'quality_profiles', 'push_records']
  for (const table of [...tables, 'media_history', 'downloaders', 'jobs', 'channels', 'notices'])
    await env.DB.prepare(`delete from ${table}`).run()
  world = toldWorld()
  await addSite('lantern', { displayName: 'Lantern' })
  await addDownloader('nas-1', true)
  await env.DB.prepare(
    `insert into channels (name, kind, place, sealed_secrets, enabled, events, created_at_unix, updated_at_unix)
     values ('phone', 'webhook', '', '', 1, ',subscription.pushed,subscription.downloaded,', 0, 0)`,
  ).run()
})

async function addDownloader(name: string, isDefault: boolean): Promise<number> {
  const settings = { kind: 'qbittorrent', baseUrl: 'http://127.0.0.1:1', username: '', password: '' } as const
  const added = unwrap(await downloaders.add({ name, ...settings, enabled: true, isDefault }))
  return added.id
}

const read = async (id: number) => {
  const detail = await subscriptions.read(id)
  if (detail === undefined) throw new Error('there is no such subscription')
  return detail
}
const statuses = async (id: number) =>
  (await read(id)).torrents.map(({ torrentId, status }) => `${torrentId} ${status}`)
const notices = async () => {
  const { results } = await env.DB.prepare('select type, facts from notices order by id').all<{
    type: string
    facts: string
  }>()
  return results.map(({ type, facts }) => ({ type, ...JSON.parse(facts) }))
}
const has = (keyword: string, ...hits: ReturnType<typeof hit>[]) => world.shelves.set(keyword, hits)
const film = 'The Salt Road 2026'
const season = 'The Salt Road S02'
const single = (number: number, more = '1080p.WEB-DL') =>
  hit(String(100 + number), `The.Salt.Road.S02E${String(number).padStart(2, '0')}.${more}`)

describe('a search for a subscription', () => {
  test('asks every site for a film, pushes the best, and says what came of it', async ({ expect }) => {
    await addSite('northgate')
    await addSite('off', { enabled: false })
    has(
      film,
      hit('1', 'The.Salt.Road.2026.720p.WEB-DL'),
      hit('2', 'The.Salt.Road.2026.1080p.WEB-DL', { discount: 'FREE' }),
    )
    const id = await subscribeTo('film')

    const { dueAtUnix } = await searchesIn(world).runDue()

    expect(world.searched).toEqual([`lantern ${film}`, `northgate ${film}`])
    expect(world.orders).toEqual([
      {
        torrentId: '2',
        source: 'subscription',
        title: 'The.Salt.Road.2026.1080p.WEB-DL',
        category: '',
        tags: [],
        savePath: '',
        unknownEnd: 'ending',
      },
    ])
    const { record, torrents, progress } = await read(id)
    expect(record).toMatchObject({
      status: 'active',
      reason: { kind: 'subscription.told', pushes: [{}], refused: [{ why: 'not_wanted', count: 3 }], sites: [] },
      lastSearchAtUnix: start,
      nextSearchAtUnix: start + searchSeconds,
    })
    expect(dueAtUnix).toBe(start + searchSeconds)
    expect(torrents).toMatchObject([{ site: 'lantern', torrentId: '2', status: 'downloading', complete: false }])
    expect(progress).toMatchObject({ downloading: 1, missing: [] })
    expect((await records.page({ pushedOnly: true }, 1, 10)).items).toMatchObject([{ source: 'subscription' }])
    expect(await notices()).toEqual([
      {
        type: 'subscription.pushed',
        subscription: { kind: 'news.title', title: '盐路', season: 0 },
        covers: { kind: 'news.covers' },
        site: 'Lantern',
        title: 'The.Salt.Road.2026.1080p.WEB-DL',
        size: 4 * 1024 ** 3,
        downloader: 'nas-1',
      },
    ])
  })

  test('asks by the local name only where the other one brought nothing', async ({ expect }) => {
    has('盐路', hit('1', '盐路.2026.1080p.WEB-DL'))
    await subscribeTo('film')

    await searchesIn(world).runDue()

    expect(world.searched).toEqual([`lantern ${film}`, 'lantern 盐路'])
    expect(world.pushed).toEqual(['1'])
  })

  test('goes by the profile of the subscription and its downloader', async ({ expect }) => {
    const other = await addDownloader('nas-2', false)
    const [usual] = await profiles.list()
    if (usual === undefined) throw new Error('there is no profile')
    const { id: _, ...rules } = usual
    const strict = unwrap(
      await profiles.add({
        ...rules,
        ...{
          name: 'strict',
          isDefault: false,
          resolutions: ['2160p'],
          minSeeders: 3,
          freeOnly: true,
          sites: ['lantern'],
        },
      }),
    )
    await addSite('northgate')
    // Of the third one nobody tells until when it is free: it counts as ending now.
    const discountEndAtUnix = clock.now + 24 * 3600
    has(
      film,
      hit('1', 'The.Salt.Road.2026.1080p', { discount: 'FREE', discountEndAtUnix }),
      hit('2', 'The.Salt.Road.2026.2160p', { discount: 'FREE', discountEndAtUnix }),
      hit('3', 'The.Salt.Road.2026.2160p.WEB-DL', { discount: 'FREE' }),
    )
    const id = await subscribeTo('film', { profileId: strict.id, downloaderId: other })

    await searchesIn(world).runDue()

    expect(world.wishes).toEqual([{ keyword: film, freeOnly: true, minSeeders: 3 }])
    expect(world.pushed).toEqual(['2'])
    expect((await records.page({ pushedOnly: true }, 1, 10)).items).toMatchObject([{ downloader: 'nas-2' }])
    expect(await statuses(id)).toEqual(['2 downloading'])
  })

  test('takes what is missing of a season, so many at once at most, and the rest the next time', async ({ expect }) => {
    const count = picksMax + 2
    has(season, ...Array.from({ length: count }, (_, at) => single(at + 1)))
    // One more is announced: a season that goes on has no pack.
    const id = await subscribeTo(count, { announced: count + 1 })

    await searchesIn(world).runDue()
    expect(world.pushed).toHaveLength(picksMax)
    expect((await read(id)).progress).toMatchObject({ aired: count, downloading: picksMax })
    clock.now += searchSeconds
    await searchesIn(world).runDue()

    expect(new Set(world.pushed).size).toBe(count)
    expect((await read(id)).progress).toMatchObject({ downloading: count, missing: [] })
    expect(said((await read(id)).record.reason)).toMatch(/^推送了 2 个种子：第 \d+ 集、第 \d+ 集$/)
    clock.now += searchSeconds
    await searchesIn(world).runDue()
    expect(said((await read(id)).record.reason)).toBe('目前没有要找的内容')
  })

  test('says why it took nothing, and which sites could not be asked', async ({ expect }) => {
    await addSite('northgate')
    has(film, hit('1', 'The.Salt.Road.2026.480p'), hit('2', 'The.Other.Road.2026.1080p'))
    const id = await subscribeTo('film')
    world.away.add('northgate')

    await searchesIn(world).runDue()

    const message = said((await read(id)).record.reason)
    expect(message).toContain('2 个结果中：')
    expect(message).toContain('1 个分辨率不符')
    expect(message).toContain('1 个不是这部作品或这一季')
    expect(message).toContain('northgate：站点响应超时')
  })

  test('comes again after twelve hours, spread by half an hour at most, and not before', async ({ expect }) => {
    const id = await subscribeTo('film')
    world.random = 0.999_999
    await searchesIn(world).runDue()
    const next = (await read(id)).record.nextSearchAtUnix ?? 0
    expect(next).toBe(start + searchSeconds + searchJitterSeconds - 1)
    world.searched.length = 0

    clock.now = next - 1
    await searchesIn(world).runDue()
    expect(world.searched).toEqual([])
    clock.now = next
    await searchesIn(world).runDue()
    expect(world.searched).not.toEqual([])
  })

  test('is one of a bounded number a tick, what waits longest first', async ({ expect }) => {
    const ids: number[] = []
    for (let at = 0; at <= searchesPerTick; at += 1) ids.push(await subscribeTo('film', { tmdbId: 100 + at }))
    await env.DB.prepare('update subscriptions set next_search_at_unix = next_search_at_unix - id').run()

    expect((await searchesIn(world).runDue()).dueAtUnix).toBeLessThanOrEqual(clock.now)
    const searched = async () => {
      const records = await Promise.all(ids.map(async (id) => (await read(id)).record.lastSearchAtUnix))
      return records.map((at) => at !== undefined)
    }
    expect(await searched()).toEqual([false, ...ids.slice(1).map(() => true)])
    await searchesIn(world).runDue()
    expect(await searched()).toEqual(ids.map(() => true))
  })

  test('begins no more in a tick that has taken too long', async ({ expect }) => {
    await subscribeTo('film')
    await subscribeTo('film', { tmdbId: 12 })
    world.beforeAnswer = async () => {
      clock.now += searchTickMs / 1000 / 2
    }
    await searchesIn(world).runDue()
    expect(world.searched).toHaveLength(2)
  })
})

describe('a search that cannot be made', () => {
  const troubles: readonly (readonly [string, string, () => unknown])[] = [
    ['no site is on', '没有可以搜索的站点', () => removeSites()],
    ['no site answers', '搜索失败：站点响应超时（Lantern）', () => world.away.add('lantern')],
    ['there is no downloader', '没有已启用的下载器', () => env.DB.prepare('delete from downloaders').run()],
    [
      'the downloader is away',
      'nas-1：无法连接下载器',
      () => {
        world.status = failWith({ kind: 'downloader.unreachable' })
      },
    ],
  ]
  test.for(troubles)('since %s is made up for soon', async ([_, message, arrange], { expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
    await arrange()
    const id = await subscribeTo('film')

    await searchesIn(world).runDue()

    const { record, torrents } = await read(id)
    expect(record.nextSearchAtUnix).toBe(start + searchRetrySeconds)
    expect(said(record.reason)).toBe(message)
    expect(record.lastSearchAtUnix).toBeUndefined()
    expect([world.pushed, torrents]).toEqual([[], []])
  })

  test('for a fault of our own is told as one, and tried again soon', async ({ expect }) => {
    const id = await subscribeTo('film')
    world.beforeAnswer = () => Promise.reject(new Error('planted'))

    expect((await searchesIn(world).runDue()).reason).toEqual({ kind: 'internal' })
    expect((await read(id)).record).toMatchObject({
      reason: { kind: 'internal' },
      nextSearchAtUnix: start + searchRetrySeconds,
    })
  })
})

describe('a push', () => {
  const infoHash = hashOf('1')
  const failing: readonly (readonly [string, PushOutcome | PushFailure, string, readonly string[]])[] = [
    ['stopped for want of room', { kind: 'stopped', infoHash, reason: saying('空间不足') }, '空间不足', []],
    ['refused by the downloader', { kind: 'refused', infoHash, reason: saying('文件有误') }, '文件有误', ['1 failed']],
    ['behind others', { kind: 'busy' }, '站点正在推送其他种子', []],
    ['cut off', { kind: 'interrupted' }, '推送被中断', ['1 downloading']],
    [
      'without a file',
      { kind: 'download', fault: { kind: 'broken', part: 'torrent' } },
      '返回的不是种子文件',
      ['1 failed'],
    ],
    ['whose site is away', { kind: 'download', fault: { kind: 'timeout' } }, '站点响应超时', []],
  ]
  test.for(failing)('%s is told, and taken again where it may succeed', async ([_, end, reason, left], { expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
    world.ends.push('infoHash' in end ? succeed(end) : failWith(end))
    const id = await subscribeTo('film')

    await searchesIn(world).runDue()
    expect(await statuses(id)).toEqual(left)
    expect(said((await read(id)).record.reason)).toContain(`未能推送：${reason}`)
    clock.now += searchSeconds
    await searchesIn(world).runDue()

    const isTakenAgain = !left.includes('1 failed')
    expect(world.pushed).toEqual(isTakenAgain ? ['1', '1'] : ['1'])
    expect(await statuses(id)).toEqual(isTakenAgain ? ['1 downloading'] : ['1 failed'])
  })

  test('of what the downloader has already is followed from then on', async ({ expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
    world.ends.push(succeed({ kind: 'skipped', infoHash }))
    world.torrents = [shown('1', 40)]
    const id = await subscribeTo('film')

    await searchesIn(world).runDue()
    expect((await records.page({ pushedOnly: true }, 1, 10)).items).toMatchObject([{ progressPercent: 40 }])
    await noteProgress('1', 100)
    await searchesIn(world).settle()

    expect((await read(id)).torrents).toMatchObject([{ status: 'downloading', complete: true }])
  })

  test('is not taken for done by what an older push of the same torrent left behind', async ({ expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
    const older = {
      site: 'lantern',
      torrentId: '1',
      title: '',
      sizeBytes: 1,
      category: '',
      tags: '',
      free: false,
      hasHr: false,
    }
    const facts = {
      ...older,
      source: 'app_push',
      downloader: 'nas-1',
      downloaderId: 1,
      infoHashes: [infoHash],
    } as const
    await records.succeeded(await records.begin(facts), facts, infoHash)
    await noteProgress('1', 100)
    clock.now += 60
    const id = await subscribeTo('film')
    world.beforePush = () => searchesIn(world).settle()

    await searchesIn(world).runDue()

    expect(await statuses(id)).toEqual(['1 downloading'])
    await searchesIn(world).settle()
    expect(await statuses(id)).toEqual(['1 downloading'])
  })
})

describe('searches of the same subscription', () => {
  test('exclude one another, and one that is due runs once however often it is started', async ({ expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
    const id = await subscribeTo('film')
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    world.beforeAnswer = () => {
      begun.resolve()
      return gate.promise
    }
    const first = searchesIn(world).searchNow(id)
    await begun.promise

    expect(await searchesIn(world).searchNow(id)).toEqual(failWith('busy'))
    await Promise.all([searchesIn(world).runDue(), searchesIn(world).runDue()])
    gate.resolve()

    expect(await first).toEqual(succeed({ kind: 'subscription.told', pushes: [{}], refused: [], sites: [] }))
    expect([world.searched.length, world.pushed]).toEqual([1, ['1']])
    expect(await searchesIn(world).searchNow(id)).toEqual(succeed({ kind: 'subscription.nothing_wanted' }))
  })

  test('are refused for what is not active, or not there', async ({ expect }) => {
    const id = await subscribeTo('film')
    expect(await searchesIn(world).searchNow(id + 1)).toEqual(failWith('not_found'))
    for (const status of ['paused', 'pending', 'done']) {
      await env.DB.prepare('update subscriptions set status = ?').bind(status).run()
      expect(await searchesIn(world).searchNow(id), status).toEqual(failWith('not_active'))
    }
    await searchesIn(world).runDue()
    expect(world.searched).toEqual([])
  })

  test.for(['paused', 'deleted'] as const)('end where the subscription is %s meanwhile', async (how, { expect }) => {
    has(season, single(1), single(2))
    const id = await subscribeTo(2, { announced: 3 })
    world.beforePush = async () => {
      if (how === 'paused') await subscriptions.setStatus(id, 'paused')
      else await subscriptions.remove(id)
    }

    await searchesIn(world).runDue()

    expect(world.pushed).toHaveLength(1)
    const left = await subscriptions.read(id)
    if (how === 'deleted') expect(left).toBeUndefined()
    else expect(left?.record).toMatchObject({ status: 'paused' })
    expect(left?.record.nextSearchAtUnix).toBeUndefined()
  })

  test('that were planned anew meanwhile stay planned', async ({ expect }) => {
    const id = await subscribeTo('film')
    world.beforeAnswer = async () => {
      clock.now += 5
      await subscriptions.setStatus(id, 'active')
    }
    await searchesIn(world).runDue()
    expect((await read(id)).record.nextSearchAtUnix).toBe(clock.now)
  })

  test('that were cut off before their push go on once their lease is over, and push once', async ({ expect }) => {
    has(season, single(1), single(2))
    const id = await subscribeTo(2, { announced: 3 })
    const isAtPush = Promise.withResolvers<void>()
    world.beforePush = async () => {
      if (world.pushed.length === 2) isAtPush.resolve()
    }
    world.ends.push(undefined, 'never')
    void searchesIn(world).runDue()
    await isAtPush.promise
    expect(await statuses(id)).toEqual(['102 downloading', '101 downloading'])
    // From here on only what is stored is known.
    const later = { ...toldWorld(), shelves: world.shelves }

    clock.now += searchLeaseSeconds - 1
    await searchesIn(later).runDue()
    expect(later.searched).toEqual([])
    // Each push renewed it.
    clock.now += 1 + picksMax
    const { dueAtUnix } = await searchesIn(later).runDue()

    expect(later.pushed).toEqual(['102'])
    expect(dueAtUnix).toBe(clock.now + searchSeconds)
    expect((await statuses(id)).toSorted()).toEqual(['101 downloading', '102 downloading'])
  })
})

describe('what was pushed for a subscription', () => {
  const push = async (what: 'film' | number, change: Parameters<typeof subscribeTo>[1] = {}) => {
    const id = await subscribeTo(what, change)
    await searchesIn(world).runDue()
    return id
  }
  /** What is complete comes into the library, and is seen there. */
  const arrive = async () => {
    await searchesIn(world).settle()
    await organised()
    await searchesIn(world).settle()
  }

  test('is done once it is complete, told once, and ends the search for a film', async ({ expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
    const id = await push('film')
    await noteProgress('1', 99)
    await searchesIn(world).settle()
    expect(await statuses(id)).toEqual(['1 downloading'])
    await noteProgress('1', 100)

    await Promise.all([searchesIn(world).settle(), searchesIn(world).settle()])
    expect((await read(id)).torrents).toMatchObject([{ status: 'downloading', complete: true }])
    await organised()
    await searchesIn(world).settle()

    const { record, torrents, progress } = await read(id)
    expect(torrents).toMatchObject([{ status: 'done', complete: true }])
    expect(progress).toMatchObject({ inLibrary: 1, missing: [] })
    expect(record).toMatchObject({ status: 'done', reason: { kind: 'subscription.all_there' } })
    expect(record.nextSearchAtUnix).toBeUndefined()
    expect(await notices()).toMatchObject([
      { type: 'subscription.pushed' },
      {
        type: 'subscription.downloaded',
        subscription: { kind: 'news.title', title: '盐路', season: 0 },
        covers: { kind: 'news.covers' },
        site: 'Lantern',
        downloader: 'nas-1',
      },
    ])
  })

  test('leaves a season active until all that was announced is there', async ({ expect }) => {
    has(season, single(1), single(2), single(3))
    const id = await push(2, { announced: 3 })
    await noteProgress('101', 100)
    await noteProgress('102', 100)
    await arrive()
    expect((await read(id)).record.status).toBe('active')

    await env.DB.prepare(`insert into subscription_episodes values (?, 3, '', '2026-11-12')`).bind(id).run()
    clock.now += searchSeconds
    await searchesIn(world).runDue()
    await noteProgress('103', 100)
    await arrive()
    expect((await read(id)).record.status).toBe('done')
    expect(await notices()).toContainEqual(
      expect.objectContaining({
        type: 'subscription.downloaded',
        ...{
          subscription: { kind: 'news.title', title: '盐路', season: 2 },
          covers: { kind: 'news.covers', covers: { from: 3, to: 3 } },
        },
      }),
    )
  })

  test('failed where its push did, and the next best is taken instead', async ({ expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'), hit('2', 'The.Salt.Road.2026.720p.WEB-DL'))
    const id = await push('film')
    await noteLost('1', { kind: 'torrent_removed' })

    await searchesIn(world).settle()

    expect((await read(id)).torrents).toMatchObject([{ status: 'failed', reason: { kind: 'torrent_removed' } }])
    expect((await read(id)).progress.missing).toEqual([1])
    clock.now += searchSeconds
    await searchesIn(world).runDue()
    expect(await statuses(id)).toEqual(['2 downloading', '1 failed'])
  })

  test('has failed where it is complete and in no library after seven days, and not before', async ({ expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
    const id = await push('film')
    await noteProgress('1', 100)

    clock.now = start + subscriptionTorrentSeconds - 1
    await searchesIn(world).settle()
    expect(await statuses(id)).toEqual(['1 downloading'])
    clock.now += 1
    await searchesIn(world).settle()
    expect((await read(id)).torrents).toMatchObject([
      { status: 'failed', reason: { kind: 'subscription.never_organised' } },
    ])
  })

  test('has failed where it is not complete after seven days, and not before', async ({ expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
    const id = await push('film')

    clock.now = start + subscriptionTorrentSeconds - 1
    await searchesIn(world).settle()
    expect(await statuses(id)).toEqual(['1 downloading'])
    clock.now += 1
    await searchesIn(world).settle()
    expect(await statuses(id)).toEqual(['1 failed'])
    expect((await read(id)).progress.missing).toEqual([1])
  })

  test('is replaced by what is better, where that is wanted, up to the best', async ({ expect }) => {
    has(film, hit('1', 'The.Salt.Road.2026.720p.WEB-DL'))
    const id = await push('film', { upgrade: true })
    await noteProgress('1', 100)
    await arrive()
    expect((await read(id)).record.status).toBe('active')
    has(film, hit('2', 'The.Salt.Road.2026.720p.BluRay'), hit('3', 'The.Salt.Road.2026.1080p.WEB-DL'))
    clock.now += searchSeconds
    await searchesIn(world).runDue()
    expect(await statuses(id)).toEqual(['3 downloading', '1 done'])

    // It is on its way: nothing is looked for.
    clock.now += searchSeconds
    await searchesIn(world).runDue()
    expect(said((await read(id)).record.reason)).toBe('目前没有要找的内容')
    await noteProgress('3', 100)
    await arrive()

    expect(await statuses(id)).toEqual(['3 done', '1 replaced'])
    expect((await read(id)).record.status).toBe('done')
  })
})

test('the scheduler searches when the next subscription is due, beside its other work', async ({ expect }) => {
  has(film, hit('1', 'The.Salt.Road.2026.1080p.WEB-DL'))
  const fleet = fakeFleet()
  const work = () => workWith(fleet, { searches: searchesIn(world), organising: organisedBy(organised) })
  const job = async () => (await work().runs()).find(({ name }) => name === 'subscriptions')
  await settle(work())
  expect(await job()).toBeUndefined()
  const id = await subscribeTo('film')

  await settle(work())

  expect(await statuses(id)).toEqual(['1 downloading'])
  expect(await job()).toMatchObject({ scope: 'service', dueAtUnix: start + searchSeconds, lastOk: true })
  // Asked for by the owner, it is due at once.
  await subscriptions.setStatus(id, 'active')
  clock.now += 10
  await settle(work())
  expect((await job())?.dueAtUnix).toBe(clock.now + searchSeconds)
  // Once the look at the downloader finds it complete, there is nothing to search for any more.
  fleet.torrents = succeed([shown('1', 100)])
  await planJob(db, serviceJob('tasks'), clock.now)
  await settle(work())
  expect(await statuses(id)).toEqual(['1 done'])
  expect((await read(id)).record.status).toBe('done')
  clock.now += searchSeconds
  await settle(work())
  expect(await job()).toBeUndefined()
})
