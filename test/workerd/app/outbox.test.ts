/** From what happens to what a channel takes: the service's own work with a clock the test moves, and channels on real sockets. */

import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createChannels } from '../../../workers/app/adapters/d1/channels.ts'
import { recordEvent } from '../../../workers/app/adapters/d1/events.ts'
import type { PushFacts } from '../../../workers/app/adapters/d1/push-records.ts'
import { channelRuntime } from '../../../workers/app/adapters/worker-runtime.ts'
import { templateEventOf } from '../../../workers/app/core/template-events.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { type EventType, eventTypes } from '../../../workers/app/core/vocabulary.ts'
import {
  chatMessageCharactersMax,
  deliveriesMax,
  deliveryRefusalsMax,
  deliveryRetrySeconds,
  deliverySeconds,
  downloaderRecheckSeconds,
  downloaderWatchSeconds,
  eventItemsMax,
  eventKeptSeconds,
  eventsPerRun,
  eventTextCharactersMax,
  jobLeaseSeconds,
  outboxEventsMax,
  reminderSeconds,
  taskFollowSeconds,
} from '../../../workers/app/limits.ts'
import type { ChannelChange } from '../../../workers/app/ports/messages.ts'
import { deliverEvents } from '../../../workers/app/services/messages/deliver-events.ts'
import { localeOf } from '../../support/locale-of.ts'
import { saying } from '../../support/said.ts'
import {
  addDownloader,
  addSite,
  broken,
  clock,
  db,
  delivering,
  type FakeFleet,
  fakeFleet,
  figures,
  idle,
  reminders as loginReminders,
  records,
  removeSites,
  restingOutbox,
  secrets,
  sentBy,
  sentThrough,
  settle,
  templates,
  unix,
  workWith,
} from '../../support/workerd/told-sites.ts'

const origin = inject('standInChannel')
const sending = { runtime: channelRuntime, pushKey: async () => undefined }
const channels = createChannels(db, {
  clock,
  locale: localeOf('Asia/Shanghai'),
  secrets,
  sending,
  wake: async () => undefined,
  botChanged: async () => undefined,
  botLeaves: async () => undefined,
})

interface Taken {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: of a webhook and of a bot
  readonly body: any
}

let place: string
let places = 0

beforeEach(async () => {
  clock.now = unix('2026-11-20T19:00:00Z')
  await removeSites()
  const tables = [
    'jobs',
    'channels',
    'notices',
    'deliveries',
    'message_templates',
    'downloader_watch',
    'push_records',
    'downloaders',
    'login_reminders',
  ]
  for (const table of tables) await env.DB.prepare(`delete from ${table}`).run()
  places += 1
  place = `news${places}`
})

async function taken(of = place, orders?: Readonly<Record<string, unknown>>): Promise<Taken[]> {
  const init = orders === undefined ? {} : { body: JSON.stringify(orders) }
  return (await fetch(`${origin}/control/${of}`, { method: 'POST', ...init })).json()
}

const texts = async (of = place) => (await taken(of)).map(({ body }) => `${body.title}\n${body.text}`)

async function addChannel(change: Partial<ChannelChange> = {}, of = place): Promise<number> {
  const added = await channels.add({
    name: of,
    kind: 'webhook',
    address: `${origin}/${of}/hook?key=1`,
    enabled: true,
    events: eventTypes,
    ...change,
  })
  if (!added.ok) throw new Error(JSON.stringify(added.failure))
  return added.value.id
}

const channel = async (id: number) => (await channels.list()).find((one) => one.id === id)
const run = (fleet: FakeFleet = fakeFleet()) => settle(workWith(fleet))

/** Something happened, of which the tests about delivery do not care what. */
async function happen(site: string, type: EventType = 'site.failed'): Promise<void> {
  await db.batch([...recordEvent(db, { type, facts: { site, reason: 'r', expired: false } }, clock.now)])
}

describe('what is told', () => {
  test('a login reminder, in the owner’s words until they are taken back', async ({ expect }) => {
    await addChannel()
    const id = await addSite('lantern', { autoSignIn: false })
    const visitedAt = clock.now
    await figures.noteProbe(id, 'ok', visitedAt, visitedAt)
    const work = workWith(fakeFleet())
    await work.plan(id)
    await templates.save('login.reminder', {
      title: '快去 {{ site }}',
      text: '{{ days_remaining }} 天 {{ tier }} {{ date }} {{ time }}',
    })

    clock.now = visitedAt + 23 * 24 * 3600
    await settle(work)
    await templates.save('login.reminder', { title: '', text: '' })
    clock.now = visitedAt + 27 * 24 * 3600
    await settle(work)
    clock.now += reminderSeconds * 2
    await settle(work)

    expect(await texts()).toEqual([
      '快去 lantern\n7 天 7d 2026-12-14 03:00',
      'lantern 需要登录，还剩 3 天\n距离站点的保号期限还有 3 天。\n请在期限前登录一次。',
    ])
    expect((await taken())[0]).toMatchObject({
      path: `/${place}/hook?key=1`,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: { type: 'login.reminder', at: visitedAt + 23 * 24 * 3600, id: expect.any(Number) },
    })
  })

  test.for(eventTypes)(
    '%s, on every channel in the words that were saved, and every later one',
    async (type, { expect }) => {
      await addChannel()
      await addChannel({}, `${place}second`)
      await addChannel(
        { kind: 'bot', address: `${origin}/${place}chat/`, token: '12:AbC_-', chatId: '-1' },
        `${place}chat`,
      )
      const told = async () => [
        await texts(),
        await texts(`${place}second`),
        (await taken(`${place}chat`)).map(({ body }) => body.text),
      ]
      const happens = async () => {
        await db.batch([...recordEvent(db, { type, facts: {} }, clock.now)])
        await run()
        clock.now += 60
      }
      await happens()
      const before = await told()
      await templates.save(type, { title: 'T {{ event }}', text: 'B {{ service }}' })
      await happens()
      await happens()
      await templates.save(type, { title: '', text: '' })
      await happens()

      const name = templateEventOf(type).name
      for (const [at, all] of (await told()).entries()) {
        const words = at < 2 ? `T ${name}\nB Wharf` : `T ${name}\n\nB Wharf`
        expect(before[at]).toHaveLength(1)
        expect(before[at]).not.toContain(words)
        expect(all).toEqual([...(before[at] ?? []), words, words, ...(before[at] ?? [])])
      }
    },
  )

  test('what happened, to an owner who reads English: built-in words, reasons and the test message', async ({
    expect,
  }) => {
    const locale = localeOf('Asia/Shanghai', 'en')
    const id = await addChannel()
    const facts = { site: '站点（新）', reason: { kind: 'site.login_expired' } as const, expired: true }
    const own = { site: 'lantern', days_remaining: 3, tier: '3d', urgent: false }
    await db.batch([...recordEvent(db, { type: 'site.failed', facts }, clock.now)])
    await db.batch([...recordEvent(db, { type: 'login.reminder', facts: own }, clock.now)])
    await templates.save('login.reminder', { title: '', text: '我自己的话 {{ event }}' })
    await deliverEvents({ ...delivering, locale })

    expect(await texts()).toEqual([
      '站点（新） no longer accepts the login\nThe login has expired',
      'lantern needs a login, 3 days left\n我自己的话 Login reminder',
    ])
    const nobody = { wake: async () => undefined, botChanged: async () => undefined, botLeaves: async () => undefined }
    const english = createChannels(db, { clock, locale, secrets, sending, ...nobody })
    const change = { name: place, kind: 'webhook', enabled: true, events: [] } as const
    expect(await english.test(change, id)).toEqual(succeed({}))
    expect((await taken()).at(-1)?.body).toMatchObject({ title: 'Test message', type: 'test' })
  })

  test('a sign-in that failed for the day, and the day once every site has ended it', async ({ expect }) => {
    await addChannel()
    await templates.save('attendance.failed', { title: '', text: '{{ site }}: {{ reason }} ({{ attempts }})' })
    const fleet = fakeFleet()
    fleet.signs = [failWith(broken), failWith(broken), failWith(broken)]
    const work = workWith(fleet)
    await work.plan(await addSite('lantern', { displayName: 'Lantern 港' }))
    const late = await addSite('northgate')
    await work.plan(late)
    await env.DB.prepare("update jobs set due_at_unix = ? where subject_id = ? and name = 'sign_in'")
      .bind(unix('2026-11-21T01:30:00Z'), late)
      .run()
    for (const at of ['2026-11-21T00:00:00Z', '2026-11-21T00:10:00Z', '2026-11-21T00:40:00Z']) {
      clock.now = unix(at)
      await settle(work)
    }
    const before = await texts()
    clock.now = unix('2026-11-21T01:30:00Z')
    await settle(work)
    for (const hours of [1, 2, 3]) {
      clock.now += hours * 3600
      await settle(work)
    }

    expect(before).toEqual(['Lantern 港 签到失败\nLantern 港: 看不懂签到页面的内容，站点可能改版 (3)'])
    expect((await texts()).slice(1)).toEqual([
      '签到：1 个成功，1 个失败\nLantern 港　签到失败　看不懂签到页面的内容，站点可能改版\nnorthgate　签到成功　签到成功',
    ])
  })

  test('a site whose login expired, once until it changes', async ({ expect }) => {
    await addChannel()
    const fleet = fakeFleet()
    const id = await addSite('lantern', { autoSignIn: false })
    const work = workWith(fleet)
    await work.plan(id)
    for (const fault of [
      'login_expired',
      'login_expired',
      'timeout',
      'login_expired',
      'ok',
      'login_expired',
      'unreachable',
    ] as const) {
      fleet.reading = fault === 'ok' ? succeed({}) : failWith({ kind: fault })
      clock.now += 3600
      await work.runSoon({ scope: 'site', subjectId: id, name: 'statistics' })
      await settle(work)
    }

    expect(await texts()).toEqual([
      'lantern 登录已失效\n登录已失效，请更新 Cookie 或密钥',
      'lantern 登录已失效\n登录已失效，请更新 Cookie 或密钥',
      'lantern 登录已失效\n登录已失效，请更新 Cookie 或密钥',
      'lantern 无法读取\n无法连接站点',
    ])
  })

  test('a push that was made, completed, stopped, or cut off, each once', async ({ expect }) => {
    await addChannel()
    await addSite('lantern', { displayName: 'Lantern 港', autoSignIn: false })
    const downloaderId = await addDownloader('nas', { minFreeGib: 1 })
    const facts = (torrentId: string): PushFacts => ({
      site: 'lantern',
      torrentId,
      title: `Film ${torrentId}`,
      sizeBytes: 3 * 1024 ** 3,
      category: '',
      tags: '',
      free: false,
      hasHr: false,
      source: 'app_push',
      downloader: 'nas',
      downloaderId,
      infoHashes: [torrentId.repeat(40)],
    })
    const torrent = (torrentId: string, progressPercent: number) =>
      ({ infoHash: torrentId.repeat(40), progressPercent }) as Torrent
    await records.succeeded(await records.begin(facts('a')), facts('a'), 'a'.repeat(40))
    await records.failed(await records.begin(facts('b')), saying('下载器剩余空间不足'))
    await records.begin(facts('c'))
    await records.begin(facts('d'))
    const fleet = fakeFleet()
    fleet.torrents = succeed([torrent('a', 100), torrent('c', 5)])
    await env.DB.prepare("insert or replace into jobs (scope, name, due_at_unix) values ('service', 'tasks', ?)")
      .bind(clock.now)
      .run()
    const work = workWith(fleet)
    for (let look = 0; look < 6; look += 1) {
      await settle(work)
      clock.now += taskFollowSeconds
    }

    expect((await texts()).sort()).toEqual([
      '下载完成\nFilm a\nLantern 港　3.00 GiB　nas',
      '已推送到 nas\nFilm a\nLantern 港　3.00 GiB',
      '已推送到 nas\nFilm c\nLantern 港　3.00 GiB',
      '推送未完成：下载器剩余空间不足\nFilm b\nLantern 港　3.00 GiB　nas',
      '推送未完成：推送中断，下载器中没有这个种子\nFilm d\nLantern 港　3.00 GiB　nas',
    ])
  })

  test('a downloader that does not answer twice, and one whose disk runs full, each once', async ({ expect }) => {
    const gib = 1024 ** 3
    await addDownloader('nas', { minFreeGib: 10 })
    await addChannel()
    const fleet = fakeFleet()
    const work = workWith(fleet)
    const away = failWith({ kind: 'downloader.unreachable' } as const)
    const free = (freeSpaceBytes: number) => succeed({ ...idle, freeSpaceBytes })
    const seen: unknown[] = []
    for (const status of [
      away,
      free(20 * gib),
      away,
      away,
      away,
      free(10 * gib),
      free(9 * gib),
      away,
      free(10.5 * gib),
      free(11 * gib),
      free(9.9 * gib),
    ]) {
      fleet.status = status
      await settle(work)
      const [job] = (await work.runs()).filter((one) => one.name === 'downloaders')
      seen.push([(job?.dueAtUnix ?? 0) - clock.now, (await taken()).length])
      clock.now = job?.dueAtUnix ?? 0
    }

    expect(await texts()).toEqual([
      'nas 无法连接\n无法连接下载器',
      'nas 空间不足\n剩余 9.00 GiB，低于下限 10.00 GiB，新的推送会被拦下。',
      'nas 空间不足\n剩余 9.90 GiB，低于下限 10.00 GiB，新的推送会被拦下。',
    ])
    const [soon, later] = [downloaderRecheckSeconds, downloaderWatchSeconds]
    expect(seen).toEqual([
      [soon, 0],
      [later, 0],
      [soon, 0],
      [later, 1],
      [later, 1],
      [later, 1],
      [later, 2],
      [soon, 2],
      [later, 2],
      [later, 2],
      [later, 3],
    ])
  })

  test('nobody looks at downloaders, and nothing is written down, while no channel wants to know', async ({
    expect,
  }) => {
    await addChannel({ events: ['push.done'] })
    await addChannel({ name: 'off', enabled: false })
    const fleet = fakeFleet()
    fleet.status = failWith({ kind: 'downloader.unreachable' } as const)
    const work = workWith(fleet)
    await settle(work)
    await happen('a')
    await settle(work)

    expect(await work.runs()).toEqual([])
    expect((await env.DB.prepare('select * from notices').all()).results).toEqual([])
    expect(await taken()).toEqual([])
  })
})

describe('a channel', () => {
  test('gets what it asked for, and no more', async ({ expect }) => {
    await addChannel({ events: ['push.stopped'] })
    await addChannel({ events: ['site.failed', 'push.stopped'] }, `${place}b`)
    await happen('a')
    await run()

    expect([(await taken()).length, (await taken(`${place}b`)).length]).toEqual([0, 1])
  })

  test('of a chat gets one text, cut to what a chat takes', async ({ expect }) => {
    await addChannel({ kind: 'bot', address: `${origin}/${place}/`, token: '12:AbC_-', chatId: '-1001' })
    await templates.save('site.failed', { title: '{{ site }}', text: '{{ reason }}' })
    await happen('a')
    await run()
    const wide = '字'.repeat(chatMessageCharactersMax)
    for (const text of [wide.slice(3), wide.slice(2)]) {
      await templates.save('site.failed', { title: '{{ site }}', text })
      await happen('a')
      await run()
    }

    const [first, ...long] = await taken()
    expect(first).toMatchObject({
      path: `/${place}/bot12:AbC_-/sendMessage`,
      body: { chat_id: '-1001', text: 'a\n\nr' },
    })
    expect(long.map(({ body }) => [[...body.text].length, body.text.endsWith('…')])).toEqual([
      [chatMessageCharactersMax, false],
      [chatMessageCharactersMax, true],
    ])
  })

  test('that is down gets it later, with growing pauses, in order, and keeps no other one waiting', async ({
    expect,
  }) => {
    const id = await addChannel()
    await addChannel({}, `${place}b`)
    await taken(place, { status: 500 })
    await happen('first')
    const work = workWith(fakeFleet())
    await settle(work)
    await happen('second')
    await settle(work)
    const others = (await taken(`${place}b`)).length
    const failing = await channel(id)
    const pauses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const [job] = (await work.runs()).filter((one) => one.name === 'notices')
      pauses.push((job?.dueAtUnix ?? 0) - clock.now)
      clock.now = job?.dueAtUnix ?? 0
      await settle(work)
    }
    const attempts = (await taken()).length
    await taken(place, {})
    clock.now += 3600
    await settle(work)

    expect(others).toBe(2)
    expect(failing).toMatchObject({ lastOk: false, lastReason: { kind: 'channel.status', status: 500 }, waiting: 2 })
    expect(pauses).toEqual([...deliveryRetrySeconds, deliveryRetrySeconds.at(-1)])
    expect(attempts).toBe(7)
    expect((await taken()).slice(7).map(({ body }) => body.title)).toEqual(['first 无法读取', 'second 无法读取'])
    expect(new Set((await taken()).slice(0, 8).map(({ body }) => body.id)).size).toBe(1)
    expect(await channel(id)).toMatchObject({ lastOk: true, waiting: 0, lost: 0 })
    expect((await work.runs()).filter(({ name }) => name === 'notices')).toEqual([])
  })

  test('that is down costs the work that has the news nothing', async ({ expect }) => {
    await addChannel()
    await taken(place, { silent: true })
    const fleet = fakeFleet()
    const id = await addSite('lantern')
    fleet.reading = failWith({ kind: 'login_expired' })
    const slow = { ...channelRuntime, bounds: { ...channelRuntime.bounds, callMs: 200 } }
    const hanging = { ...delivering, send: sentThrough(slow) }
    const work = workWith(fleet, {
      outbox: sentBy(hanging),
    })
    await work.plan(id)
    await work.runSoon({ scope: 'site', subjectId: id, name: 'statistics' })
    await settle(work)
    await settle(work)

    expect(await work.runs()).toContainEqual(
      expect.objectContaining({
        subjectId: id,
        name: 'statistics',
        isRunning: false,
        lastReason: { kind: 'site.login_expired' },
      }),
    )
    expect(await work.runs()).toContainEqual(
      expect.objectContaining({
        name: 'notices',
        lastOk: false,
        lastReason: { kind: 'several', of: [{ name: place, reason: { kind: 'channel.timeout' } }] },
      }),
    )
  })

  test.for([
    ['401', { status: 401 }, { kind: 'channel.credentials' }],
    ['404', { status: 404 }, { kind: 'channel.not_found' }],
    ['429', { status: 429 }, { kind: 'channel.rate_limited' }],
    ['302', { status: 302, location: 'http://127.0.0.1:1/' }, { kind: 'channel.redirected' }],
    ['503 with a secret', { status: 503, answer: 'token=S3cr3tCanary' }, { kind: 'channel.status', status: 503 }],
    ['too much', { answer: 'x'.repeat(70_000) }, { kind: 'channel.too_large' }],
  ] as const)('that answers %s is tried again, and its reason is told', async ([, orders, reason], { expect }) => {
    const id = await addChannel()
    await taken(place, orders)
    await happen('a')
    await run()

    expect(await channel(id)).toMatchObject({ lastOk: false, lastReason: reason, waiting: 1 })
  })

  test('that is a chat is believed only when it says so', async ({ expect }) => {
    const id = await addChannel({ kind: 'bot', address: `${origin}/${place}`, token: '1:a', chatId: '1' })
    await taken(place, { answer: '<html>welcome</html>' })
    await happen('a')
    await run()

    expect(await channel(id)).toMatchObject({ lastReason: { kind: 'channel.not_a_bot' }, waiting: 1 })
  })

  test('that refuses a message itself keeps those behind it waiting for a few attempts only', async ({ expect }) => {
    const id = await addChannel()
    await taken(place, { status: 400 })
    await happen('refused')
    await happen('waits')
    const work = workWith(fakeFleet())
    const seen: unknown[] = []
    for (let attempt = 1; attempt <= deliveryRefusalsMax; attempt += 1) {
      await work.runDue()
      seen.push((await channel(id))?.waiting)
      if (attempt === deliveryRefusalsMax) await taken(place, {})
      clock.now += 3600
    }
    await settle(work)

    expect(seen).toEqual([...Array(deliveryRefusalsMax - 1).fill(2), 1])
    expect((await texts()).at(-1)).toContain('waits')
    expect(await channel(id)).toMatchObject({ lastOk: true, waiting: 0, lost: 1 })
  })

  test('that is switched off waits, and gets what is still news when it is on again', async ({ expect }) => {
    const id = await addChannel()
    await taken(place, { status: 500 })
    await happen('a')
    await run()
    await channels.update(id, { name: place, kind: 'webhook', enabled: false, events: eventTypes })
    await taken(place, {})
    clock.now += 7200
    const work = workWith(fakeFleet())
    await settle(work)
    const off = [(await taken()).length, (await work.runs()).length]
    await channels.update(id, { name: place, kind: 'webhook', enabled: true, events: eventTypes })
    await settle(work)

    expect(off).toEqual([1, 0])
    expect((await taken()).length).toBe(2)
  })

  test('whose key is gone says so, and nothing is sent', async ({ expect }) => {
    const id = await addChannel()
    await env.DB.prepare("update channels set sealed_secrets = 'v1.other.AAAA.AAAA'").run()
    await happen('a')
    await run()

    expect(await channel(id)).toMatchObject({
      lastReason: { kind: 'channel.secrets', state: 'changed' },
      waiting: 1,
    })
    expect(await taken()).toEqual([])
  })
})

describe('after a crash', () => {
  /** An instance that goes: nothing it began comes back. */
  const gone = () => new Promise<never>(() => undefined)

  test('between the event and its messages nothing is lost', async ({ expect }) => {
    await addChannel()
    await happen('a')
    const going = workWith(fakeFleet(), { downloaders: { watch: gone }, outbox: { ...restingOutbox, deliver: gone } })
    void going.runDue()
    await expect.poll(async () => (await going.runs()).filter(({ isRunning }) => isRunning).length).toBe(2)
    clock.now += jobLeaseSeconds
    await run()

    expect((await taken()).length).toBe(1)
  })

  test('between two messages each is sent, and between sending and noting it comes twice under one number', async ({
    expect,
  }) => {
    await addChannel()
    await happen('first')
    await happen('second')
    let calls = 0
    const runtime = {
      ...channelRuntime,
      fetch: async (address: string, init: RequestInit) => {
        const response = await fetch(address, init)
        calls += 1
        return calls === 2 ? gone() : response
      },
    }
    void deliverEvents({ ...delivering, send: sentThrough(runtime) })
    await expect.poll(() => calls).toBe(2)
    await run()

    expect((await taken()).map(({ body }) => body.title)).toEqual([
      'first 无法读取',
      'second 无法读取',
      'second 无法读取',
    ])
    const ids = (await taken()).map(({ body }) => body.id)
    expect(ids[1]).toBe(ids[2])
    expect(ids[0]).not.toBe(ids[1])
  })

  test('between telling and noting what was told is not told twice', async ({ expect }) => {
    await addChannel()
    const fleet = fakeFleet()
    const id = await addSite('lantern', { autoSignIn: false })
    fleet.reading = failWith({ kind: 'login_expired' })
    const going = workWith(fleet, {
      figures: { ...figures, noteProbe: gone },
      downloaders: { watch: gone },
      outbox: { ...restingOutbox, deliver: gone },
    })
    await going.plan(id)
    void going.runDue()
    await expect
      .poll(async () => (await env.DB.prepare('select count(*) as n from notices').first<{ n: number }>())?.n)
      .toBe(1)
    clock.now += jobLeaseSeconds
    const work = workWith(fleet)
    await settle(work)
    await settle(work)

    expect(await work.runs()).toContainEqual(expect.objectContaining({ name: 'statistics', lastOk: false }))
    expect((await texts()).length).toBe(1)
  })

  test('a reminder and its news are there both, or neither', async ({ expect }) => {
    await addChannel()
    const id = await addSite('lantern', { autoSignIn: false })
    await figures.noteProbe(id, 'ok', clock.now - 25 * 24 * 3600, clock.now)
    await env.DB.prepare("create trigger full before insert on notices begin select raise(abort, 'full'); end").run()
    const reminders = workWith(fakeFleet())
    await reminders.plan(id)
    clock.now += reminderSeconds
    await settle(reminders)
    const without = await loginReminders.list()
    await env.DB.prepare('drop trigger full').run()
    clock.now += 2 * reminderSeconds
    await settle(reminders)

    expect(without).toEqual([])
    expect(await loginReminders.list()).toMatchObject([{ siteId: id }])
    expect((await texts()).length).toBe(1)
  })
})

describe('the bounds', () => {
  test('what nobody took for a day is no news any more', async ({ expect }) => {
    const id = await addChannel()
    await taken(place, { status: 500 })
    await happen('a')
    const work = workWith(fakeFleet())
    await settle(work)
    const start = clock.now
    const seen: unknown[] = []
    for (const age of [deliverySeconds, deliverySeconds + 1]) {
      clock.now = start + age
      await deliverEvents(delivering)
      seen.push([(await channel(id))?.waiting, (await channel(id))?.lost])
    }

    expect(seen).toEqual([
      [1, 0],
      [0, 1],
    ])
  })

  test('of what waits for one channel the oldest goes for the newest', async ({ expect }) => {
    const id = await addChannel()
    const other = await addChannel({}, `${place}b`)
    await taken(place, { status: 500 })
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
       insert into deliveries (notice_id, channel_id, type, title, text, at_unix, due_at_unix)
       select -i, ?2, 'site.failed', i, '', ?3, ?3 + 9 from n`,
    )
      .bind(deliveriesMax, id, clock.now)
      .run()
    await deliverEvents(delivering)
    const full = await channel(id)
    await happen('one more')
    await deliverEvents(delivering)

    expect(full).toMatchObject({ waiting: deliveriesMax, lost: 0 })
    expect(await channel(id)).toMatchObject({ waiting: deliveriesMax, lost: 1 })
    const [oldest] = (await env.DB.prepare('select title from deliveries order by id limit 1').all()).results
    expect(oldest).toEqual({ title: '2' })
    expect(await channel(other)).toMatchObject({ waiting: 0, lost: 0 })
  })

  test('more events than one run takes are all told', async ({ expect }) => {
    await addChannel()
    for (let count = 0; count <= eventsPerRun; count += 1) await happen(`s${count}`)
    const first = await deliverEvents(delivering)
    const afterFirst = (await taken()).length
    await run()

    expect(first.dueAtUnix).toBe(clock.now)
    expect(afterFirst).toBe(eventsPerRun)
    expect((await taken()).length).toBe(eventsPerRun + 1)
  })

  test('what was told is forgotten by age and by number, and never before it was passed on', async ({ expect }) => {
    await addChannel()
    const rows: readonly (readonly [id: number, at: number, spread: number | null])[] = [
      [1, clock.now - eventKeptSeconds - 1, clock.now],
      [2, clock.now - eventKeptSeconds, clock.now],
      [3, clock.now - eventKeptSeconds - 1, null],
    ]
    for (const [id, at, spread] of rows)
      await env.DB.prepare("insert into notices values (?, 'site.failed', null, '{}', ?, ?)").bind(id, at, spread).run()
    await deliverEvents(delivering)
    const ids = async () =>
      (await env.DB.prepare('select id from notices order by id').all()).results.map((row) => row['id'])
    const byAge = await ids()
    await env.DB.prepare("insert into notices values (?, 'site.failed', null, '{}', ?, null)")
      .bind(outboxEventsMax + 2, clock.now)
      .run()
    await deliverEvents(delivering)

    expect(byAge).toEqual([2])
    expect(await ids()).toEqual([outboxEventsMax + 2])
  })

  test('texts and lists of an event are cut, and what reads as a credential is masked', async ({ expect }) => {
    await addChannel()
    await templates.save('attendance.summary', { title: '', text: '{{ items.size }} {{ items.first.message }}' })
    const item = {
      site: 's',
      status_text: '',
      message: 'passkey=S3cr3tCanary 字'.padEnd(eventTextCharactersMax + 40, '字'),
    }
    await db.batch([
      ...recordEvent(
        db,
        {
          type: 'attendance.summary',
          facts: { total: 1, done: 1, failed: 0, items: Array.from({ length: eventItemsMax + 1 }, () => item) },
        },
        clock.now,
      ),
    ])
    await run()

    const [text = ''] = (await taken()).map(({ body }) => body.text as string)
    expect(text.startsWith(`${eventItemsMax} passkey=*** 字`)).toBe(true)
    expect([...text].length).toBe(eventTextCharactersMax + `${eventItemsMax} `.length)
    expect(text.endsWith('…')).toBe(true)
  })

  test('a template that fails with what happened gives way to the built-in text', async ({ expect }) => {
    await addChannel()
    await env.DB.prepare("insert into message_templates values ('site.failed', 'x', '{{ site', 1)").run()
    await happen('a')
    await run()

    expect(await texts()).toEqual(['a 无法读取\nr'])
  })
})
