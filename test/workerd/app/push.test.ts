/** Pushing torrents: the real Worker in workerd, with stand-in sites and a stand-in downloader on real sockets. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { taskSources } from '../../../workers/app/core/vocabulary.ts'
import {
  capacityFigureSeconds,
  pageSizeMax,
  pushCategoryCharactersMax,
  pushQueueMax,
  pushTagsCharactersMax,
  pushTitleCharactersMax,
  ruleWordsMax,
  savePathBytesMax,
  torrentBodyBytesMax,
  torrentIdCharactersMax,
} from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { type Answer, auditRows, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const origin = inject('standInSites')
const downloader = inject('standInDownloaders').push
const gib = 1024 ** 3
const roomy = { freeBytes: 78e9, adding: 'accept' } as const

let downloaderId: number
let skin: string
let skins = 0

const session = await ownerSession()
const whole = (await makeToken(session, ['app:read', 'app:write'])).caller

beforeEach(async () => {
  for (const table of ['downloaders', 'push_records', 'jobs']) await env.DB.prepare(`delete from ${table}`).run()
  for (const { id } of (await send('GET', `${consolePrefix}/sites`, session)).body.items)
    await send('DELETE', `${consolePrefix}/sites/${id}`, session)
  skins += 1
  skin = `push${skins}`
  await tell({ orders: roomy, empty: true })
  downloaderId = await addDownloader('first')
})

async function tell(change: Readonly<Record<string, unknown>>) {
  const response = await fetch(`${downloader.baseUrl}/control`, { method: 'POST', body: JSON.stringify(change) })
  return response.json<{ forms: Record<string, string>[]; torrents: Record<string, Record<string, unknown>> }>()
}

async function control(kind: string, change: Readonly<Record<string, unknown>> = {}) {
  const response = await fetch(`${origin}/control/${kind}/${skin}`, { method: 'POST', body: JSON.stringify(change) })
  return response.json<{ calls: string[]; held: number }>()
}

async function addDownloader(name: string, change: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const { baseUrl: address, ...signIn } = downloader
  const added = await send('POST', `${consolePrefix}/downloaders`, session, {
    json: { name, type: 'qbittorrent', address, ...signIn, enabled: true, default: false, ...change },
  })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  return Number(added.body.id)
}

function settings(kind: string, change: Readonly<Record<string, unknown>> = {}) {
  const credentials = { cookie: 'c_secure_pass=CanaryCookieOfTheSite9', api_key: 'CanaryApiKeyOfTheSite91' }
  return consoleSite('shelf', kind, `${origin}/${kind}/${skin}`, { ...credentials, ...change })
}

/** A site whose torrent files are this large, each its own. */
async function addSite(kind = 'gazelle', fileBytes = 1000, change: Readonly<Record<string, unknown>> = {}) {
  await control(kind, { fileBytes })
  const added = await send('POST', `${consolePrefix}/sites`, session, { json: settings(kind, change) })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  return Number(added.body.id)
}

/** The service reads a new site by itself, as soon as it can. */
async function readOnce(siteId: number): Promise<void> {
  const fetched = () =>
    env.DB.prepare('select fetched_at_unix as at from site_users where site_id = ?').bind(siteId).first<number>('at')
  for (let round = 0; (await fetched()) === null; round += 1) {
    if (round === 200) throw new Error('the figures of the new site were not read')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const push = (change: Readonly<Record<string, unknown>> = {}, caller = whole): Promise<Answer> =>
  send('POST', `${appPrefix}/push`, caller, { json: { site: 'shelf', torrent_id: '101', ...change } })
const search = () => send('POST', `${appPrefix}/search`, whole, { json: { keyword: 'planet' } })
const tasks = async (query = '') => (await send('GET', `${appPrefix}/tasks${query}`, whole)).body
const lastAudit = async () => (await auditRows()).at(-1)
const sentForms = async () => {
  const { forms } = await tell({})
  return forms
}

describe('POST /push', () => {
  test('brings a torrent that was found into the downloader, and writes down what the search said', async ({
    expect,
  }) => {
    await addSite('nexusphp')
    await search()
    const before = Math.floor(Date.now() / 1000)

    const { status, body } = await push({ category: 'films', tags: 'one, two,one', save_path: '/data/films' })

    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toEqual({
      success: true,
      skipped: false,
      info_hash: expect.stringMatching(/^[0-9a-f]{40}$/),
      downloader_id: downloaderId,
      downloader: 'first',
    })
    expect((await sentForms()).at(-1)).toEqual({
      hash: body.info_hash,
      category: 'films',
      tags: 'one,two',
      savepath: '/data/films',
      autoTMM: 'false',
      stopped: 'false',
    })
    const { items, ...page } = await tasks()
    expect(page).toEqual({ total: 1, page: 1, page_size: 20 })
    expect(items).toEqual([
      {
        id: expect.any(Number),
        site: 'shelf',
        torrent_id: '101',
        title: `${skin}.101.bin`,
        size: 4.5 * gib,
        category: 'films',
        tags: 'one,two',
        free: true,
        free_level: 'FREE',
        free_end: 'known',
        free_end_at: inject('standInFreeUntilUnix'),
        has_hr: true,
        pushed: true,
        pushed_at: expect.any(Number),
        downloader: 'first',
        progress: 0,
        completed: false,
        source: 'app_push',
        created_at: expect.any(Number),
      },
    ])
    expect(items[0].pushed_at).toBeGreaterThanOrEqual(before)
    expect(await lastAudit()).toMatchObject({ command: 'POST /api/app/v1/push', result: 'ok', status: 200 })
  })

  test('stays in the downloader and among the tasks when the subscription it was for is deleted', async ({
    expect,
  }) => {
    await addSite()
    const { body } = await push()
    await env.DB.batch(
      [
        `insert into subscriptions (id, media_type, tmdb_id, season, title, original_title, folded_title, search_title,
           total_episodes, status, upgrade, source, refreshed_at_unix, created_at_unix)
         values (1, 'movie', 1, 0, 't', '', 't', 't', 0, 'active', 0, 'app', 1, 1)`,
        `insert into subscription_torrents (subscription_id, site, torrent_id, title, size_bytes, status, created_at_unix,
           updated_at_unix) values (1, 'shelf', '101', 't', 1, 'downloading', 1, 1)`,
      ].map((text) => env.DB.prepare(text)),
    )

    expect((await send('DELETE', `${appPrefix}/subscriptions/1`, whole)).body).toEqual({ ok: true })

    const { items } = (await send('GET', `${appPrefix}/torrents`, whole)).body
    expect(items).toMatchObject([{ task_id: body.info_hash }])
    expect((await tasks()).items).toMatchObject([{ site: 'shelf', torrent_id: '101', pushed: true }])
  })

  test.for(['nexusphp', 'mteam', 'unit3d', 'gazelle', 'torznab'] as const)(
    'works with the files of %s',
    async (kind, { expect }) => {
      await addSite(kind)
      const found = (await search()).body.items.find(({ torrent_id }: { torrent_id: string }) => torrent_id === '101')
      expect(found).toBeDefined()

      const { body } = await push()

      expect(body.success, JSON.stringify(body)).toBe(true)
      const [task] = (await tasks()).items
      expect(task).toMatchObject({ pushed: true, size: found.size, has_hr: found.has_hr, free: found.free })
    },
  )

  test('without a search before goes by the file alone', async ({ expect }) => {
    await addSite('gazelle', 12_345)

    await push()

    const [task] = (await tasks()).items
    expect(task).toMatchObject({ title: `${skin}.101.bin`, size: 12_345, free: false, has_hr: false, pushed: true })
    expect(task).not.toHaveProperty('free_level')
    expect(task).not.toHaveProperty('free_end_at')
  })

  test('half a price is no free download, and its end not the end of one', async ({ expect }) => {
    await addSite('mteam')
    await search()

    await push({ torrent_id: '102' })

    const [task] = (await tasks()).items
    expect(task).toMatchObject({ free: false, has_hr: false, size: 20 * gib })
    expect(task).not.toHaveProperty('free_end_at')
  })

  test('names the record as asked', async ({ expect }) => {
    await addSite()

    await push({ title: '  我的标题  ' })

    expect((await tasks()).items[0].title).toBe('我的标题')
  })

  test('from the owner’s own page is a manual one', async ({ expect }) => {
    await addSite()

    await push({}, session)

    expect((await tasks()).items[0].source).toBe('manual_push')
  })

  test('of a torrent the downloader has is skipped, and adds no record', async ({ expect }) => {
    await addSite()
    const first = await push()

    const again = await push()
    await env.DB.prepare('delete from push_records').run()
    const elsewhere = await push()

    const skipped = {
      success: true,
      skipped: true,
      message: expect.stringMatching(/\p{Script=Han}/u),
      reason: { kind: 'push.there_already' },
      info_hash: first.body.info_hash,
      downloader_id: downloaderId,
      downloader: 'first',
    }
    expect([again.body, elsewhere.body]).toEqual([skipped, skipped])
    expect((await tasks()).total).toBe(0)
    expect(await lastAudit()).toMatchObject({ result: 'ok' })
    // A gate is not asked about what is there already.
    await tell({ orders: { freeBytes: 0 } })
    expect((await push()).body.skipped).toBe(true)
  })

  test('ten at once of one torrent add one, and one record', async ({ expect }) => {
    await addSite()

    const answers = await Promise.all(Array.from({ length: 10 }, () => push()))

    expect(answers.map(({ body }) => [body.success, body.skipped]).sort()).toEqual([
      [true, false],
      ...Array(9).fill([true, true]),
    ])
    expect((await tasks()).total).toBe(1)
    const hash = answers[0]?.body.info_hash
    expect((await sentForms()).filter((form) => form['hash'] === hash)).toHaveLength(1)
  })

  test('that cannot be written down is not sent', async ({ expect }) => {
    await addSite()
    const before = (await sentForms()).length
    await env.DB.prepare('alter table push_records rename to push_records_away').run()

    const { status, body } = await push()
    await env.DB.prepare('alter table push_records_away rename to push_records').run()

    expect([status, body.error]).toEqual([500, 'internal'])
    expect((await sentForms()).length).toBe(before)
    expect((await push()).body.success).toBe(true)
  })

  test('is busy when as many as may wait are at its site, and the others are served', { tags: 'slow' }, async ({
    expect,
  }) => {
    await addSite()
    await control('gazelle', { hold: true })

    const sent = Array.from({ length: pushQueueMax + 1 }, (_, index) => push({ torrent_id: `q${index}` }))
    const first = await Promise.race(sent)
    await control('gazelle', { hold: false })
    const answers = await Promise.all(sent)

    expect([first.status, first.body.error]).toEqual([409, 'busy'])
    expect(answers.filter(({ body }) => body.success === true)).toHaveLength(pushQueueMax)
  })

  test('again, after the torrent was removed, goes on in the same record', async ({ expect }) => {
    await addSite()
    const { body } = await push()
    const [before] = (await tasks()).items
    await tell({ torrents: { [body.info_hash]: null } })
    // What a list shows is at most two seconds old.
    await expect.poll(async () => (await push()).body.skipped, { timeout: 10_000, interval: 300 }).toBe(false)

    const { items, total } = await tasks()
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({ id: before.id, pushed: true, progress: 0 })
  })

  test('goes to the default downloader, to the first where there is none, and to the one that is named', async ({
    expect,
  }) => {
    await addSite()
    const second = await addDownloader('second', { default: true })

    const answers = [
      await push({ torrent_id: '1' }),
      await push({ torrent_id: '2', downloader_id: 0 }),
      await push({ torrent_id: '3', downloader_id: downloaderId }),
    ]
    await env.DB.prepare('update downloaders set is_default = 0').run()
    answers.push(await push({ torrent_id: '4' }))

    expect(answers.map(({ body }) => [body.downloader_id, body.downloader])).toEqual([
      [second, 'second'],
      [second, 'second'],
      [downloaderId, 'first'],
      [downloaderId, 'first'],
    ])
  })

  test('says that a downloader does not take it, and keeps the record open for another try', async ({ expect }) => {
    await addSite()
    await tell({ orders: { adding: 'refuse' } })

    const { status, body } = await push()

    expect([status, body.success, body.skipped]).toEqual([200, false, false])
    expect(body.message).toBe('下载器不接受这个种子文件：文件有误，或它的版本不支持这种格式')
    expect((await tasks()).items[0]).toMatchObject({ pushed: false, error: body.message })
    expect((await tasks('?pushed=1')).total).toBe(0)
    expect(await lastAudit()).toMatchObject({ result: 'error:refused', status: 200 })
    await tell({ orders: roomy })
    expect((await push()).body.success).toBe(true)
    expect((await tasks()).items[0]).not.toHaveProperty('error')
  })

  test('says that a downloader cannot be reached', async ({ expect }) => {
    await addSite()
    const away = await addDownloader('away', { address: 'http://127.0.0.1:1' })

    const { status, body } = await push({ downloader_id: away })

    expect([status, body.success, body.message]).toEqual([200, false, '无法连接下载器'])
    expect(await lastAudit()).toMatchObject({ result: 'error:refused' })
  })

  test('is not called a success before the downloader shows the torrent', async ({ expect }) => {
    await addSite()
    await tell({ orders: { adding: 'hide' } })

    const { body } = await push()

    expect(body).toMatchObject({ success: false, skipped: false })
    expect((await tasks()).items[0]).toMatchObject({ pushed: false })
  })

  test('of a torrent whose link came with a search needs that search, and forgets it with the site’s settings', async ({
    expect,
  }) => {
    const id = await addSite('unit3d')
    const without = await push()
    await search()
    const { cookie: _, api_key: __, ...others } = settings('unit3d')
    await send('PUT', `${consolePrefix}/sites/${id}`, session, { json: others })
    const changed = await push()
    await search()
    const remembered = await push()

    expect([without, changed, remembered].map(({ status }) => status)).toEqual([502, 502, 200])
    const reason = '下载种子文件失败：站点返回了意外的 HTTP 状态 404'
    for (const { body } of [without, changed]) expect(body).toMatchObject({ error: 'download_failed', message: reason })
  })
})

describe('POST /push refuses', () => {
  const at = (field: string, length: number, fill = 'x') => ({ [field]: fill.repeat(length) })

  test.for([
    ['an unknown site', { site: 'nowhere' }, 404, 'not_found'],
    ['a site that is switched off', { site: 'off' }, 404, 'not_found'],
    ['no site', { site: undefined }, 400, 'invalid_argument'],
    ['an empty site', { site: '' }, 400, 'invalid_argument'],
    ['no torrent', { torrent_id: undefined }, 400, 'invalid_argument'],
    ['an empty torrent', { torrent_id: '' }, 400, 'invalid_argument'],
    ['a torrent that is a path', { torrent_id: '../1' }, 400, 'invalid_argument'],
    ['a torrent that is a way up', { torrent_id: '..' }, 400, 'invalid_argument'],
    ['a torrent with a query', { torrent_id: '1&passkey=x' }, 400, 'invalid_argument'],
    ['a torrent in another script', { torrent_id: '种子' }, 400, 'invalid_argument'],
    ['a torrent that is a number', { torrent_id: 101 }, 400, 'invalid_body'],
    ['a torrent past its limit', at('torrent_id', torrentIdCharactersMax + 1), 400, 'invalid_argument'],
    ['an unknown downloader', { downloader_id: 4711 }, 400, 'invalid_argument'],
    ['a negative downloader', { downloader_id: -1 }, 400, 'invalid_argument'],
    ['a downloader by name', { downloader_id: 'first' }, 400, 'invalid_body'],
    ['a title past its limit', at('title', pushTitleCharactersMax + 1, '题'), 400, 'invalid_argument'],
    ['a category past its limit', at('category', pushCategoryCharactersMax + 1), 400, 'invalid_argument'],
    ['tags past their limit', at('tags', pushTagsCharactersMax + 1), 400, 'invalid_argument'],
    ['a folder past its limit', at('save_path', savePathBytesMax + 1), 400, 'invalid_argument'],
    ['a folder past its limit in bytes', at('save_path', 400, '夹'), 400, 'invalid_argument'],
    ['a line break in a category', { category: 'a\nb' }, 400, 'invalid_argument'],
    ['a null byte in a folder', { save_path: 'a\u0000b' }, 400, 'invalid_argument'],
    ['tags as a list', { tags: ['one'] }, 400, 'invalid_body'],
    ['a field that nobody knows', { url: 'http://127.0.0.1/x' }, 400, 'invalid_body'],
  ] as const)('a push with %s', async ([, change, status, error], { expect }) => {
    await readOnce(await addSite())
    await addSite('gazelle', 1000, { name: 'off', enabled: false })
    const { calls } = await control('gazelle')

    const answer = await push(change)

    expect([answer.status, answer.body.error]).toEqual([status, error])
    if (status === 400) expect(answer.body.message).toMatch(new RegExp(`字段[ ：]${Object.keys(change)[0]}`))
    expect((await control('gazelle')).calls.filter((call) => !calls.includes(call))).toEqual([])
    expect((await tasks()).total).toBe(0)
  })

  test('nothing at exactly its limits', async ({ expect }) => {
    await addSite()

    const answer = await push({
      ...at('torrent_id', torrentIdCharactersMax, '1'),
      ...at('title', pushTitleCharactersMax, '题'),
      ...at('category', pushCategoryCharactersMax),
      ...at('tags', pushTagsCharactersMax),
      ...at('save_path', savePathBytesMax),
    })

    expect(answer.body.success, JSON.stringify(answer.body)).toBe(true)
  })

  test('a downloader that is switched off, and everything where there is none', async ({ expect }) => {
    await addSite()
    const off = await addDownloader('off', { enabled: false })

    const named = await push({ downloader_id: off })
    await env.DB.prepare('delete from downloaders').run()
    const none = await push()

    expect([named.status, named.body.error]).toEqual([400, 'invalid_argument'])
    expect([none.status, none.body.error]).toEqual([400, 'invalid_argument'])
  })

  test.for(['expired', 'challenge', 'throttled', 'huge', 'other', 'away', 'closing'])(
    'with download_failed when the site is %s, without a word to the downloader',
    async (broken, { expect }) => {
      skin = broken
      const before = (await sentForms()).length
      await addSite()

      const { status, body } = await push()

      expect([status, body.error]).toEqual([502, 'download_failed'])
      expect((await sentForms()).length).toBe(before)
      expect((await tasks()).total).toBe(0)
      expect(await lastAudit()).toMatchObject({ result: 'error', status: 502 })
    },
  )

  test.for([
    ['half a file', 'd8:announce21:http://127.0.0.1:1/an4:infod6:lengthi5e'],
    ['a dictionary that is no torrent', 'd4:infodee'],
    ['ever deeper lists', `d4:info${'l'.repeat(5000)}`],
  ] as const)('with download_failed %s', async ([, file], { expect }) => {
    await addSite()
    await control('gazelle', { file: btoa(file) })

    const { status, body } = await push()

    expect([status, body.error]).toEqual([502, 'download_failed'])
    expect((await tasks()).total).toBe(0)
  })
})

describe('gates of a push', () => {
  const stopped = async (answer: Answer, expect: (value: unknown) => { toMatchObject(shape: object): void }) => {
    expect(answer).toMatchObject({ status: 200, body: { success: false, skipped: false } })
    expect((await tasks()).items[0]).toMatchObject({ pushed: false, error: answer.body.message })
    expect(await lastAudit()).toMatchObject({ result: 'error:stopped', status: 200 })
    return String(answer.body.message)
  }

  test('space that must stay free stops it, and is the downloader’s own setting', async ({ expect }) => {
    await addSite('gazelle', 3 * gib)
    await tell({ orders: { freeBytes: 5 * gib } })
    const careful = await addDownloader('careful', { min_free_gib: 2 })
    const more = await addDownloader('more careful', { min_free_gib: 3 })

    expect(await stopped(await push({ downloader_id: more }), expect)).toContain('剩余空间不足')
    expect((await push({ downloader_id: careful })).body.success).toBe(true)
  })

  test('space that cannot be read stops it', async ({ expect }) => {
    await addSite()
    await tell({ orders: { freeBytes: -1 } })

    expect(await stopped(await push(), expect)).toContain('无法读取')
  })

  test('what the site says about the size counts where it is more than the file says', async ({ expect }) => {
    await addSite('nexusphp', 1000)
    await search()
    await tell({ orders: { freeBytes: 5 * gib } })

    expect(await stopped(await push(), expect)).toContain('剩余空间不足')
  })

  test('ten pushes at once never leave less than must stay free', async ({ expect }) => {
    await addSite('gazelle', gib)
    await tell({ orders: { freeBytes: 5.5 * gib } })

    const answers = await Promise.all(Array.from({ length: 10 }, (_, id) => push({ torrent_id: String(id) })))

    // One of them must stay free, and the stand-in writes nothing: what is promised is what counts.
    expect(answers.filter(({ body }) => body.success)).toHaveLength(4)
    expect((await tasks('?pushed=1')).total).toBe(4)
    expect((await tasks()).total).toBe(10)
  })

  test('ten pushes at once from two sites never leave less than must stay free', async ({ expect }) => {
    await addSite('gazelle', gib)
    skin = `${skin}other`
    await addSite('gazelle', gib, { name: 'other' })
    await tell({ orders: { freeBytes: 5.5 * gib } })

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, id) =>
        push({ site: id % 2 === 0 ? 'shelf' : 'other', torrent_id: String(500 + id) }),
      ),
    )

    expect(answers.filter(({ body }) => body.success)).toHaveLength(4)
    expect(Object.keys((await tell({})).torrents)).toHaveLength(4)
  })

  test('seeding capacity of the site stops it, counting what the site shows and what was pushed since', async ({
    expect,
  }) => {
    await control('nexusphp', { seedingBytes: 7 * gib })
    await addSite('nexusphp', 1000, { capacity_gib: 12 })
    await search()
    // 7 are seeded, 4.5 are pushed: another gigabyte does not fit.
    expect((await push()).body.success).toBe(true)

    const second = await push({ torrent_id: '102' })

    expect(await stopped(second, expect)).toContain('做种容量')
  })

  test('ten pushes at once never exceed the capacity', async ({ expect }) => {
    await control('mteam', { seedingBytes: 6.5 * gib })
    await addSite('mteam', gib, { capacity_gib: 10 })

    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => push({ torrent_id: `c${index}` })))

    expect(answers.filter(({ body }) => body.success)).toHaveLength(3)
    expect(answers.filter(({ body }) => String(body.message).includes('做种容量'))).toHaveLength(7)
  })

  test.each([
    ['the figure as last fetched counts for its time', capacityFigureSeconds - 60, false],
    ['it is read anew after that', capacityFigureSeconds + 1, true],
  ])('of the capacity, %s', async (_, ageSeconds, isReadAnew) => {
    await control('nexusphp', { seedingBytes: 7 * gib })
    const siteId = await addSite('nexusphp', 1000, { capacity_gib: 8 })
    await search()
    await readOnce(siteId)
    await env.DB.prepare('update site_users set fetched_at_unix = unixepoch() - ? where site_id = ?')
      .bind(ageSeconds, siteId)
      .run()
    await control('nexusphp', { seedingBytes: 1 * gib })

    const { body } = await push()

    if (body.success !== isReadAnew) throw new Error(JSON.stringify(body))
  })

  test('a capacity that cannot be judged stops it', async ({ expect }) => {
    await addSite('torznab', 1000, { capacity_gib: 12 })
    await search()

    expect(await stopped(await push(), expect)).toContain('无法读取站点的做种体积')
  })
})

describe('POST /push/why', () => {
  const plain = { site: 'shelf', torrent_id: '101', title: 'A.Planet.2024.1080p.WEB-DL-QUAY' }
  const why = async (change: Readonly<Record<string, unknown>> = {}, caller = whole) =>
    send('POST', `${appPrefix}/push/why`, caller, { json: { ...plain, ...change } })
  const gateOf = ({ body }: Answer, name: string) =>
    body.gates.find(({ gate }: { readonly gate: string }) => gate === name)
  const addRule = (name: string, action: string, conditions: readonly object[], more: object = {}) =>
    send('POST', `${consolePrefix}/rules`, session, {
      json: {
        name,
        enabled: true,
        rule: { action, conditions, target: { downloader_id: 0, category: '', tags: [], save_path: '' }, ...more },
      },
    })
  const traces = async () => [(await tasks()).total, (await sentForms()).length, (await auditRows()).length]

  beforeEach(async () => {
    await env.DB.prepare('delete from filter_rules').run()
  })

  test('asks what the disk has left that a rule would write to', async ({ expect }) => {
    await addSite()
    await tell({ orders: { freeBytes: 5 * gib } })
    const asked = (value: number) => ({ field: 'free_gib', op: 'at_least', value })
    await addRule('Roomier', 'take', [asked(5.01)])
    const tight = await why()
    await addRule('Roomy', 'take', [asked(5)])
    const roomy = await why()
    expect(tight.body).toMatchObject({ act: 'leave', clauses: [{ asked: asked(5.01), state: 'unmet', found: 5 }] })
    expect(roomy.body).toMatchObject({ act: 'take', clauses: [{ asked: asked(5), state: 'met', found: 5 }] })
  })

  test('judges a result by the rules in their order, and says each clause with what was found', async ({ expect }) => {
    await addSite()
    await addRule('No cams', 'skip', [{ field: 'source', op: 'is_any', value: ['cam'] }])
    await addRule(
      'Planets',
      'take',
      [
        { field: 'title', op: 'has_all', value: ['planet'] },
        { field: 'size_gib', op: 'at_most', value: 10 },
      ],
      { per_day_max: 3 },
    )
    const before = await traces()

    const fits = await why({ size: 5 * gib })
    const large = await why({ size: 11 * gib })
    const untold = await why()

    expect(fits).toMatchObject({
      status: 200,
      body: { act: 'take', rule: 'Planets', downloader_id: downloaderId, downloader: 'first' },
    })
    expect(fits.body.clauses).toEqual([
      { asked: { field: 'title', op: 'has_all', value: ['planet'] }, state: 'met', from: 'name' },
      { asked: { field: 'size_gib', op: 'at_most', value: 10 }, state: 'met', found: 5, from: 'list' },
      { asked: { field: 'per_day', op: 'at_most', value: 3 }, state: 'met', found: 0, from: 'pushes' },
    ])
    expect([large.body.act, large.body.rule, large.body.clauses[1]]).toEqual(['leave', 'No cams', undefined])
    expect(untold.body).toMatchObject({ act: 'leave' })
    expect(await traces()).toEqual(before)
  })

  test('without rules goes by what is free', async ({ expect }) => {
    await addSite()

    const answers = await Promise.all([why({ discount: 'FREE' }), why({ discount: 'PERCENT_50' }), why()])

    expect(answers.map(({ body }) => [body.act, body.rule, body.clauses[0].state])).toEqual([
      ['take', '', 'met'],
      ['leave', '', 'unmet'],
      ['leave', '', 'unknown'],
    ])
  })

  test('says of each gate what a push would meet, and the push meets it', async ({ expect }) => {
    await addSite('gazelle', 3 * gib)
    await tell({ orders: { freeBytes: 5 * gib } })
    const careful = await addDownloader('careful', { min_free_gib: 2 })
    const more = await addDownloader('more careful', { min_free_gib: 3 })
    const size = 3 * gib

    const [fits, stops] = await Promise.all([why({ size, downloader_id: careful }), why({ size, downloader_id: more })])

    expect(fits.body.gates).toEqual([
      { gate: 'present', state: 'unknown' },
      { gate: 'capacity', state: 'open' },
      { gate: 'space', state: 'open', left: 5 * gib, kept: 2 * gib },
    ])
    const said = gateOf(stops, 'space')
    expect(said).toEqual({
      gate: 'space',
      state: 'shut',
      error: expect.stringContaining('剩余空间不足'),
      reason: { kind: 'push.space_too_little', left: 5 * gib, size, kept: 3 * gib },
      left: 5 * gib,
      kept: 3 * gib,
    })
    expect((await push({ downloader_id: more })).body.reason).toEqual(said.reason)
    expect((await push({ downloader_id: careful })).body.success).toBe(true)
  })

  test('counts the seeding capacity as a push does, and what was pushed since', async ({ expect }) => {
    await control('nexusphp', { seedingBytes: 7 * gib })
    await addSite('nexusphp', 1000, { capacity_gib: 12 })
    await search()
    const before = gateOf(await why(), 'capacity')
    await push()

    const after = gateOf(await why({ torrent_id: '102' }), 'capacity')

    // The size is what the search found, though the result tells none.
    expect(before).toEqual({ gate: 'capacity', state: 'open', seeding: 7 * gib, limit: 12 * gib })
    expect(after).toMatchObject({ state: 'shut', seeding: 11.5 * gib, limit: 12 * gib })
    expect((await push({ torrent_id: '102' })).body.reason).toEqual(after.reason)
  })

  test('knows what is there by the hash that the site tells, or by what was pushed before', async ({ expect }) => {
    await addSite()
    const hash = (await push()).body.info_hash

    const pushed = await why()
    const told = await why({ torrent_id: '9', info_hash: hash.toUpperCase() })
    const other = await why({ torrent_id: '9', info_hash: 'a'.repeat(40) })

    const there = { gate: 'present', state: 'shut', reason: { kind: 'push.there_already' } }
    expect([pushed, told].map((one) => gateOf(one, 'present'))).toMatchObject([there, there])
    expect(gateOf(other, 'present')).toEqual({ gate: 'present', state: 'open' })
  })

  test('says that the downloader, or the site’s credentials, stop it', async ({ expect }) => {
    await addSite()
    const away = await addDownloader('away', { address: 'http://127.0.0.1:1' })

    const unreachable = await why({ downloader_id: away })

    const stop = { state: 'shut', reason: { kind: 'downloader.unreachable' } }
    expect(['present', 'space'].map((gate) => gateOf(unreachable, gate))).toMatchObject([stop, stop])
    await env.DB.prepare(`update sites set sealed_credentials = 'lost', revision = revision + 1`).run()
    expect((await why()).body.gates).toMatchObject([
      { gate: 'site', state: 'shut', reason: { kind: expect.any(String) } },
    ])
  })

  test('needs the permission to read, and no more', async ({ expect }) => {
    await addSite()
    const reader = (await makeToken(session, ['app:read'])).caller

    expect((await why({}, reader)).status).toBe(200)
  })

  test.for([
    ['a title at its limit', { title: '题'.repeat(pushTitleCharactersMax) }, 200],
    ['a title past its limit', { title: '题'.repeat(pushTitleCharactersMax + 1) }, 400],
    ['a subtitle past its limit', { subtitle: 'x'.repeat(pushTitleCharactersMax + 1) }, 400],
    ['as many tags as there may be', { tags: Array(ruleWordsMax).fill('x') }, 200],
    ['one tag more', { tags: Array(ruleWordsMax + 1).fill('x') }, 400],
    ['a tag past its limit', { tags: ['x'.repeat(pushCategoryCharactersMax + 1)] }, 400],
    ['no title', { title: undefined }, 400],
    ['a hash that is none', { info_hash: 'x'.repeat(40) }, 400],
    ['a negative size', { size: -1 }, 400],
    ['an unknown downloader', { downloader_id: 4711 }, 400],
    ['a field that nobody knows', { url: 'http://127.0.0.1/x' }, 400],
    ['an unknown site', { site: 'nowhere' }, 404],
    ['a site that is switched off', { site: 'off' }, 404],
  ] as const)('%s is answered as it should', async ([, change, status], { expect }) => {
    await addSite()
    await addSite('gazelle', 1000, { name: 'off', enabled: false })

    expect((await why(change)).status).toBe(status)
  })
})

describe('GET /tasks', () => {
  const insert = (count: number) =>
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       insert into push_records (site, torrent_id, title, folded_title, size_bytes, source, downloader_id, downloader, info_hashes, pushed, created_at_unix)
       select case i % 3 when 0 then 'a' else 'b' end, i, 'Éclair ' || i, 'éclair ' || i, i, 'app_push', 1, 'gone', '', i % 2, i from n`,
    )
      .bind(count)
      .run()

  test('pages through records, newest first', async ({ expect }) => {
    await insert(130)

    const pages = await Promise.all([1, 2, 3].map((page) => tasks(`?page=${page}&page_size=50`)))
    const all = pages.flatMap(({ items }) => items.map(({ torrent_id }: { torrent_id: string }) => Number(torrent_id)))

    expect(all).toEqual(Array.from({ length: 130 }, (_, index) => 130 - index))
    expect(pages.map(({ total, page, page_size }) => [total, page, page_size])).toEqual([
      [130, 1, 50],
      [130, 2, 50],
      [130, 3, 50],
    ])
    expect((await tasks()).items).toHaveLength(20)
    expect((await tasks(`?page_size=${pageSizeMax}`)).items).toHaveLength(100)
    expect((await tasks('?page=9')).items).toEqual([])
  })

  test('keeps those of a site, with a word in the title in any case, and those that were pushed', async ({
    expect,
  }) => {
    await insert(30)
    const ids = async (query: string) =>
      (await tasks(query)).items.map(({ torrent_id }: { torrent_id: string }) => Number(torrent_id))

    expect(await ids('?site=a')).toEqual([30, 27, 24, 21, 18, 15, 12, 9, 6, 3])
    expect(await ids(`?q=${encodeURIComponent('ÉCLAIR 2')}`)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 2])
    expect(await ids('?q=%25')).toEqual([])
    expect(await ids('?pushed=1&site=a')).toEqual([27, 21, 15, 9, 3])
    expect(await ids('?site=nowhere')).toEqual([])
  })

  test('says where a record came from, in the words of the interface', async ({ expect }) => {
    await insert(taskSources.length)
    for (const [index, source] of taskSources.entries())
      await env.DB.prepare('update push_records set source = ? where torrent_id = ?')
        .bind(source, String(index + 1))
        .run()

    expect((await tasks()).items.map(({ source }: { source: string }) => source).reverse()).toEqual([
      'free_download',
      'filter_rule',
      'manual_push',
      'app_push',
      'brush',
      'subscription',
      'transfer',
      'reseed',
    ])
  })

  test('shows a downloader under the name it has now', async ({ expect }) => {
    await insert(1)
    await env.DB.prepare('update push_records set downloader_id = ?').bind(downloaderId).run()

    expect((await tasks()).items[0].downloader).toBe('first')
    await send('DELETE', `${consolePrefix}/downloaders/${downloaderId}`, session)
    expect((await tasks()).items[0].downloader).toBe('gone')
  })

  test.for(['page_size=101', 'page_size=0', 'page=0', 'page=x', 'pushed=0', 'pushed=true', `q=${'x'.repeat(101)}`])(
    'refuses the query %s',
    async (query, { expect }) => {
      const { status, body } = await send('GET', `${appPrefix}/tasks?${query}`, whole)

      expect([status, body.error]).toEqual([400, 'invalid_argument'])
    },
  )
})

describe('POST /torrents', () => {
  const link = `magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=Linked`
  const add = (json: object) => send('POST', `${appPrefix}/torrents`, whole, { json })

  test('takes a file as large as is read, and not a byte more', async ({ expect }) => {
    const most = torrentBodyBytesMax - JSON.stringify({ file: '' }).length
    const atMost = await add({ file: 'A'.repeat(most) })
    expect([atMost.status, atMost.body.error]).toEqual([400, 'invalid_argument'])
    expect(await add({ file: 'A'.repeat(most + 1) })).toMatchObject({
      status: 400,
      body: { error: 'invalid_body', reason: { kind: 'body.too_large', limit: torrentBodyBytesMax } },
    })
  })

  test('brings a link in with every field whole, the last of the form too', async ({ expect }) => {
    const added = await add({ magnet: link, category: 'films', tags: 'one', paused: true })
    expect(added.body).toMatchObject({
      success: true,
      info_hash: 'ab'.repeat(20),
      title: 'Linked',
      downloader: 'first',
    })
    expect((await sentForms()).at(-1)).toEqual({
      hash: 'ab'.repeat(20),
      urls: link,
      category: 'films',
      tags: 'one',
      stopped: 'false',
      stopCondition: 'MetadataReceived',
    })
    expect(await lastAudit()).toMatchObject({ command: 'POST /api/app/v1/torrents', result: 'ok' })
  })

  test('stops before a full disk, and says so without an error status', async ({ expect }) => {
    await tell({ orders: { freeBytes: 1000, adding: 'accept' } })
    const { status, body } = await add({ magnet: link })
    expect([status, body.success, body.reason.kind]).toEqual([200, false, 'push.space_low'])
    expect(await lastAudit()).toMatchObject({ result: 'error:stopped' })
  })

  test('is not for a token that only reads', async ({ expect }) => {
    const { caller } = await makeToken(session, ['app:read'])
    for (const path of ['/torrents', '/torrents/changes'])
      expect((await send('POST', `${appPrefix}${path}`, caller, { json: {} })).status).toBe(403)
  })
})
