/** Brush tasks over the interface: the real Worker and its scheduler, with a stand-in site and downloader on real sockets. */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect as expectHere, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import {
  brushActiveMax,
  brushDownloadingMax,
  brushHoursMax,
  brushHoursMin,
  brushMinutesMax,
  brushMinutesMin,
  brushNewPerRunMax,
  brushPeersMax,
  brushRatioMax,
  brushSizeGibMax,
  brushTaskNameCharactersMax,
  brushWordCharactersMax,
  brushWordsMax,
} from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const origin = inject('standInSites')
const downloader = inject('standInDownloaders').brush
const gib = 1024 ** 3
const scheduler = env.SCHEDULER.get(env.SCHEDULER.idFromName('scheduler'))

let downloaderId = 0
let skins = 0

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller
const whole = (await makeToken(session, ['app:read', 'app:write'])).caller

beforeEach(async () => {
  for (const table of ['downloaders', 'push_records', 'brush_tasks', 'brush_torrents', 'jobs', 'sites'])
    await env.DB.prepare(`delete from ${table}`).run()
  await tell({ orders: { freeBytes: 78e9, adding: 'accept' }, empty: true })
  const { baseUrl: address, ...signIn } = downloader
  const settings = { name: 'nas-1', type: 'qbittorrent', address, ...signIn, enabled: true, default: false }
  downloaderId = (await console('POST', '/downloaders', settings)).body.id
  skins += 1
  const skin = `brush${skins}`
  await fetch(`${origin}/control/nexusphp/${skin}`, { method: 'POST', body: JSON.stringify({ fileBytes: 4096 }) })
  const credentials = { cookie: 'c_secure_pass=CanaryCookieOfTheSite9' }
  await console('POST', '/sites', consoleSite('shelf', 'nexusphp', `${origin}/nexusphp/${skin}`, credentials))
})

async function tell(change: Readonly<Record<string, unknown>>) {
  const response = await fetch(`${downloader.baseUrl}/control`, { method: 'POST', body: JSON.stringify(change) })
  return response.json<{ changes: string[]; torrents: Record<string, Record<string, unknown>> }>()
}
const console = (method: string, path: string, json?: unknown) =>
  send(method, `${consolePrefix}${path}`, session, json === undefined ? {} : { json })
const tasks = async () => (await send('GET', `${appPrefix}/brush/tasks`, reader)).body

const pick = { free_only: true, refuse_hr: false, refused_words: [] }
const bounds = { active_max: 3, downloading_max: 3, active_gib_max: 50, new_per_run_max: 3 }
const removal = { free_over: false }
const body = {
  name: 'free ones',
  enabled: true,
  site: 'shelf',
  every_minutes: 30,
  rules: { pick, bounds, removal },
}
const add = async (change: object = {}) =>
  (await console('POST', '/brush-tasks', { ...body, ...change })).body.id as number

/** The scheduler works by itself; the tick is for what it left for later. The pause of 30 minutes begins when a run ends. */
async function hasRun(id: number): Promise<void> {
  const isOver = async () => {
    await runDurableObjectAlarm(scheduler)
    const task = (await console('GET', '/brush-tasks')).body.items.find((one: { id: number }) => one.id === id)
    return task.last_at !== undefined && task.due_at === task.last_at + 30 * 60
  }
  await expectHere.poll(isOver, { timeout: 15_000 }).toBe(true)
}

/** Runs until the downloader, which may be asked for what it said two seconds ago, shows what it was told. */
async function runsUntil(id: number, isSeen: (task: { downloading: number; active: number }) => boolean) {
  const look = async () => {
    await runAgain(id)
    return isSeen((await tasks())[0])
  }
  await expectHere.poll(look, { timeout: 20_000 }).toBe(true)
}

async function runAgain(id: number): Promise<void> {
  await console('POST', `/brush-tasks/${id}/run`)
  await hasRun(id)
}

describe('GET /brush/tasks', () => {
  test('answers an array with every field of every task', async ({ expect }) => {
    expect(await tasks()).toEqual([])
    await add({ enabled: false })
    await add({ name: 'second', enabled: false, downloader_id: downloaderId })
    await env.DB.prepare('update sites set enabled = 0').run()

    const figures = { uploaded: 0, downloaded: 0, added: 0, removed: 0 }
    const task = {
      id: expect.any(Number),
      name: 'free ones',
      enabled: false,
      site: 'shelf',
      site_enabled: false,
      downloader: 'nas-1',
      active: 0,
      downloading: 0,
      active_size: 0,
      today: figures,
      total: figures,
    }
    expect(await tasks()).toEqual([task, { ...task, name: 'second' }])
  })

  test('shows what a task took, what it moves, and what it removed', async ({ expect }) => {
    const id = await add({ rules: { pick, bounds, removal: { free_over: false, uploaded_gib: 2 } } })
    await hasRun(id)
    const [taken] = await tasks()
    const hash = Object.keys((await tell({})).torrents)[0] ?? ''
    await tell({ torrents: { [hash]: { uploaded: gib, downloaded: 4096, progress: 1, state: 'uploading' } } })
    await runsUntil(id, ({ downloading }) => downloading === 0)
    const [seeding] = await tasks()
    await tell({ torrents: { [hash]: { uploaded: 3 * gib } } })
    await runsUntil(id, ({ active }) => active === 0)
    const [over] = await tasks()
    const { items } = (await console('GET', `/brush-tasks/${id}/torrents`)).body

    // The only free one of three, in the size the site says, and then in its own.
    expect(taken).toMatchObject({ active: 1, downloading: 1, active_size: 4.5 * gib, site_enabled: true })
    expect(taken.total).toEqual({ uploaded: 0, downloaded: 0, added: 1, removed: 0 })
    expect(seeding).toMatchObject({ active: 1, downloading: 0, active_size: 4096 })
    expect(seeding.today).toEqual({ uploaded: gib, downloaded: 4096, added: 1, removed: 0 })
    expect(over).toMatchObject({ active: 0, downloading: 0, active_size: 0 })
    expect(over.total).toEqual({ uploaded: 3 * gib, downloaded: 4096, added: 1, removed: 1 })
    expect(items).toMatchObject([{ torrent_id: '101', status: 'removed', reason: 'uploaded', uploaded: 3 * gib }])
    // Why it was taken and why it went, each with what was found.
    expect(items[0].removal).toEqual({ asked: expect.any(Number), found: 3 })
    expect(items[0].clauses).toContainEqual({
      asked: { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
      state: 'met',
      found: 'FREE',
      from: 'list',
    })
    // What it did not take has its reasons, too.
    const left = (await console('GET', `/brush-tasks/${id}/left`)).body
    expect(left.looked).toMatchObject({ at: expect.any(Number), full: false, known: 1 })
    expect(left.items).toHaveLength(left.looked.seen - 1)
    expect(left.items[0]).toMatchObject({ torrent_id: expect.any(String), why: 'rules', size: expect.any(Number) })
    expect(left.items[0].clauses.some(({ state }: { readonly state: string }) => state !== 'met')).toBe(true)
    expect((await console('GET', '/brush-tasks/4711/left')).status).toBe(404)
    const { changes, torrents } = await tell({})
    expect([changes.at(-1), torrents]).toEqual([`torrents/delete ${hash} true`, {}])
    const [record] = (await send('GET', `${appPrefix}/tasks`, reader)).body.items
    expect(record).toMatchObject({ source: 'brush', category: 'brush', tags: 'free ones', torrent_id: '101' })
  })

  test('leaves to a person what that person pushes too', async ({ expect }) => {
    const id = await add({ rules: { pick, bounds, removal: { free_over: false, uploaded_gib: 2 } } })
    await hasRun(id)
    const hash = Object.keys((await tell({})).torrents)[0] ?? ''
    const pushed = await send('POST', `${appPrefix}/push`, whole, { json: { site: 'shelf', torrent_id: '101' } })
    await tell({ torrents: { [hash]: { uploaded: 3 * gib } } })
    await runAgain(id)

    expect(pushed.body).toMatchObject({ success: true, skipped: true })
    expect(Object.keys((await tell({})).torrents)).toEqual([hash])
    const [record] = (await send('GET', `${appPrefix}/tasks`, reader)).body.items
    expect(record.source).toBe('app_push')
    expect((await tasks())[0]).toMatchObject({ active: 0, total: { added: 1, removed: 0 } })
  })
})

describe('a task', () => {
  test('is added, changed, run, listed and removed; what it took stays', async ({ expect }) => {
    const added = await console('POST', '/brush-tasks', body)
    const { id } = added.body
    await hasRun(id)
    const changed = await console('PUT', `/brush-tasks/${id}`, {
      ...body,
      name: 'other',
      enabled: false,
      downloader_id: downloaderId,
    })
    const off = await console('POST', `/brush-tasks/${id}/run`)
    const { items } = (await console('GET', '/brush-tasks')).body
    const removed = await console('DELETE', `/brush-tasks/${id}`)

    expect(added.body).toMatchObject({ ...body, id, downloader_id: 0, downloader: 'nas-1', due_at: expect.any(Number) })
    expect(changed.body).toMatchObject({ name: 'other', enabled: false, downloader_id: downloaderId, active: 1 })
    expect(off.status).toBe(404)
    expect(items).toMatchObject([{ id, name: 'other', rules: body.rules, last_at: expect.any(Number) }])
    expect(removed.body).toEqual({ ok: true })
    expect(await tasks()).toEqual([])
    expect(Object.keys((await tell({})).torrents)).toHaveLength(1)
  })

  test('shows why its last run failed, also among the jobs, which can be run again', async ({ expect }) => {
    await tell({ orders: { freeBytes: 0, adding: 'accept' } })
    const id = await add()
    await hasRun(id)

    const [task] = (await console('GET', '/brush-tasks')).body.items
    expect(task).toMatchObject({ id, active: 0, last_error: expect.stringContaining('剩余空间') })
    const jobs = async () =>
      (await console('GET', '/jobs')).body.items.filter(({ job }: { job: string }) => job === 'brush')
    expect(await jobs()).toMatchObject([{ site: 'shelf', last_ok: false, last_error: task.last_error }])
    await tell({ orders: { freeBytes: 78e9, adding: 'accept' } })
    expect((await console('POST', '/jobs/run', { job: 'brush', site: 'shelf' })).status).toBe(200)
    await hasRun(id)
    expect(await jobs()).toMatchObject([{ last_ok: true }])
    expect((await tasks())[0]).toMatchObject({ active: 1 })
  })

  const hours = (value: number) => ({ pick: { ...pick, free_hours_min: value, age_hours_max: value } })
  const removing = (value: number) => ({ seeding_hours: value, idle_hours: value, incomplete_hours: value })
  test.for<[string, object]>([
    ['its longest name', { name: 'n'.repeat(brushTaskNameCharactersMax) }],
    ['the shortest pause', { every_minutes: brushMinutesMin }],
    ['the longest pause', { every_minutes: brushMinutesMax }],
    ['the default downloader', { downloader_id: 0 }],
    [
      'its largest bounds',
      {
        bounds: {
          active_max: brushActiveMax,
          downloading_max: brushDownloadingMax,
          active_gib_max: brushSizeGibMax,
          new_per_run_max: brushNewPerRunMax,
        },
      },
    ],
    ['its longest times', { ...hours(brushHoursMax), removal: { ...removal, ...removing(brushHoursMax) } }],
    ['its shortest times', { ...hours(brushHoursMin), removal: { ...removal, ...removing(brushHoursMin) } }],
    [
      'its largest numbers',
      {
        pick: { ...pick, seeders_max: brushPeersMax, leechers_min: brushPeersMax, size_gib_min: 1, size_gib_max: 1 },
        removal: { ...removal, ratio: brushRatioMax, uploaded_gib: brushSizeGibMax },
      },
    ],
    [
      'its most and longest words',
      {
        pick: {
          ...pick,
          refused_words: Array.from({ length: brushWordsMax }, () => 'w'.repeat(brushWordCharactersMax)),
        },
      },
    ],
  ])('takes %s', async ([, change], { expect }) => {
    const { status, body: told } = await console('POST', '/brush-tasks', wanted(change))

    expect([status, told]).toMatchObject([200, wanted(change)])
  })

  const past: readonly [string, string, object][] = [
    ['no name', 'name', { name: ' ' }],
    ['too long a name', 'name', { name: 'n'.repeat(brushTaskNameCharactersMax + 1) }],
    ['a name that is taken', 'name', { name: 'taken' }],
    ['an unknown site', 'site', { site: 'nowhere' }],
    ['an unknown downloader', 'downloader_id', { downloader_id: 9_999_999 }],
    ['too short a pause', 'every_minutes', { every_minutes: brushMinutesMin - 1 }],
    ['too long a pause', 'every_minutes', { every_minutes: brushMinutesMax + 1 }],
    ['no active ones', 'active_max', { bounds: { ...bounds, active_max: 0 } }],
    ['too many active ones', 'active_max', { bounds: { ...bounds, active_max: brushActiveMax + 1 } }],
    ['too many downloading', 'downloading_max', { bounds: { ...bounds, downloading_max: brushDownloadingMax + 1 } }],
    ['too much in all', 'active_gib_max', { bounds: { ...bounds, active_gib_max: brushSizeGibMax + 1 } }],
    ['too many at once', 'new_per_run_max', { bounds: { ...bounds, new_per_run_max: brushNewPerRunMax + 1 } }],
    ['too long free', 'free_hours_min', hours(brushHoursMax + 1)],
    ['too short an age', 'age_hours_max', { pick: { ...pick, age_hours_max: 0 } }],
    ['sizes the wrong way round', 'size_gib_max', { pick: { ...pick, size_gib_min: 2, size_gib_max: 1 } }],
    ['too many seeders', 'seeders_max', { pick: { ...pick, seeders_max: brushPeersMax + 1 } }],
    ['fewer than none who want it', 'leechers_min', { pick: { ...pick, leechers_min: -1 } }],
    [
      'too many words',
      'refused_words',
      { pick: { ...pick, refused_words: Array.from({ length: brushWordsMax + 1 }, () => 'w') } },
    ],
    ['an empty word', 'refused_words', { pick: { ...pick, refused_words: [' '] } }],
    [
      'too long a word',
      'refused_words',
      { pick: { ...pick, refused_words: ['w'.repeat(brushWordCharactersMax + 1)] } },
    ],
    ['too long a seeding', 'seeding_hours', { removal: { ...removal, seeding_hours: brushHoursMax + 1 } }],
    ['too short an idling', 'idle_hours', { removal: { ...removal, idle_hours: 0 } }],
    ['too short a download', 'incomplete_hours', { removal: { ...removal, incomplete_hours: brushHoursMin / 2 } }],
    ['too great a ratio', 'ratio', { removal: { ...removal, ratio: brushRatioMax + 1 } }],
    ['no upload', 'uploaded_gib', { removal: { ...removal, uploaded_gib: 0 } }],
  ]
  test('is refused with the field that is wrong, and nothing changes', async ({ expect }) => {
    const id = await add({ name: 'taken', enabled: false })
    const other = await add({ name: 'other', enabled: false })
    const before = (await console('GET', '/brush-tasks')).body

    for (const [what, field, change] of past) {
      for (const [method, path] of [
        ['POST', '/brush-tasks'],
        ['PUT', `/brush-tasks/${other}`],
      ] as const) {
        const { status, body: refused } = await console(method, path, wanted(change))
        expect([what, status, refused.error], refused.message).toEqual([what, 400, 'invalid_argument'])
        expect(refused.message).toContain(field)
      }
    }
    const strange = await console('POST', '/brush-tasks', {
      ...body,
      rules: { ...body.rules, pick: { ...pick, more: 1 } },
    })
    expect([strange.status, strange.body.error]).toEqual([400, 'invalid_body'])
    expect((await console('GET', '/brush-tasks')).body).toEqual(before)
    expect(id).toBeLessThan(other)
  })

  test.for([
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/run'],
    ['GET', '/torrents'],
  ] as const)('that does not exist is not found: %s %s', async ([method, path], { expect }) => {
    const answer = await console(method, `/brush-tasks/9999999${path}`, method === 'PUT' ? body : undefined)

    expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
  })
})

/** A body with another part of the rules, or another setting. */
function wanted(change: object) {
  const {
    pick: otherPick,
    bounds: otherBounds,
    removal: otherRemoval,
    ...settings
  } = change as Partial<typeof body.rules>
  const rules = { pick: otherPick ?? pick, bounds: otherBounds ?? bounds, removal: otherRemoval ?? removal }
  return { ...body, ...settings, rules }
}
