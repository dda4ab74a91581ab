/** Feeds and filter rules over the console: the real Worker and its scheduler, with a stand-in site and downloader on real sockets. */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect as expectHere, inject, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import {
  announceChannelCharactersMax,
  announceEnterCharactersMax,
  announceLineCharactersMax,
  announcersMax,
  feedAddressCharactersMax,
  feedMinutesMax,
  feedMinutesMin,
  feedNameCharactersMax,
  filterRuleNameCharactersMax,
  filterRulesMax,
  ruleConditionsMax,
  ruleNumberMax,
  rulePerDayMax,
  ruleWordCharactersMax,
  ruleWordsMax,
} from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { plantMedia } from '../../support/workerd/planted-media.ts'

const origin = inject('standInSites')
const downloader = inject('standInDownloaders').feeds
const scheduler = env.SCHEDULER.get(env.SCHEDULER.idFromName('scheduler'))
const passKey = 'CanaryLinkKeyOfTheSite47OfLength'

let skin = ''
let skins = 0

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller

beforeEach(async () => {
  for (const table of ['downloaders', 'push_records', 'feeds', 'feed_items', 'filter_rules', 'jobs', 'sites'])
    await env.DB.prepare(`delete from ${table}`).run()
  await tellDownloader({ orders: { freeBytes: 78e9, adding: 'accept' }, empty: true })
  const { baseUrl: address, ...signIn } = downloader
  const settings = { name: 'nas-1', type: 'qbittorrent', address, ...signIn, enabled: true, default: false }
  await console('POST', '/downloaders', settings)
  skins += 1
  skin = `feed${skins}`
  await tellSite({ fileBytes: 4096, feed: [102] })
  const credentials = { cookie: 'c_secure_pass=CanaryCookieOfTheSite9' }
  await console('POST', '/sites', consoleSite('shelf', 'nexusphp', `${origin}/nexusphp/${skin}`, credentials))
})

const tellDownloader = (change: object) =>
  fetch(`${downloader.baseUrl}/control`, { method: 'POST', body: JSON.stringify(change) })
const tellSite = (change: object) =>
  fetch(`${origin}/control/nexusphp/${skin}`, { method: 'POST', body: JSON.stringify(change) })
const console = (method: string, path: string, json?: unknown) =>
  send(method, `${consolePrefix}${path}`, session, json === undefined ? {} : { json })
const feedAddress = () => `${origin}/nexusphp/${skin}/torrentrss.php?rows=50&linktype=dl&passkey=${passKey}`
const body = () => ({ name: 'fresh', enabled: true, site: 'shelf', address: feedAddress(), every_minutes: 10 })
const small = { field: 'size_gib', op: 'at_most', value: 2 }
const rule = {
  name: 'small',
  enabled: true,
  rule: {
    action: 'take',
    conditions: [small],
    target: { downloader_id: 0, category: 'tv', tags: ['rss'], save_path: '' },
  },
}

/** The scheduler works by itself; the tick is for what it left for later. The pause begins when a look ends. */
async function hasLooked(id: number): Promise<void> {
  const isOver = async () => {
    await runDurableObjectAlarm(scheduler)
    const feed = (await console('GET', '/feeds')).body.items.find((one: { id: number }) => one.id === id)
    return feed.last_at !== undefined && feed.due_at >= feed.last_at + 600
  }
  await expectHere.poll(isOver, { timeout: 15_000 }).toBe(true)
}

async function lookAgain(id: number): Promise<void> {
  await console('POST', `/feeds/${id}/run`)
  await hasLooked(id)
}

async function addedFeed(): Promise<number> {
  const { id } = (await console('POST', '/feeds', body())).body
  await hasLooked(id)
  return id
}

const statuses = async () =>
  Object.fromEntries(
    (await console('GET', '/feed-items')).body.items.map((item: { torrent_id: string; status: string }) => [
      item.torrent_id,
      item.status,
    ]),
  )
const records = async () =>
  (await send('GET', `${appPrefix}/tasks`, reader)).body.items.map(
    ({ torrent_id, source, category, tags }: Record<string, unknown>) => [torrent_id, source, category, tags],
  )

describe('a feed', () => {
  test('brings what is free as free_download, and what a rule wants as filter_rule', async ({ expect }) => {
    const id = await addedFeed()
    expect(await statuses()).toEqual({ 102: 'seen' })

    await tellSite({ feed: [101, 102] })
    await lookAgain(id)
    expect(await statuses()).toEqual({ 101: 'taken', 102: 'seen' })
    expect(await records()).toEqual([['101', 'free_download', undefined, undefined]])

    await console('POST', '/rules', rule)
    await tellSite({ feed: [101, 102, 103] })
    await lookAgain(id)
    expect(await statuses()).toEqual({ 101: 'taken', 102: 'seen', 103: 'taken' })
    expect(await records()).toContainEqual(['103', 'filter_rule', 'tv', 'rss'])
    const [item] = (await console('GET', '/feed-items?status=taken')).body.items
    expect(item).toMatchObject({
      torrent_id: '103',
      title: 'Quiet.River.S01',
      subtitle: '静静的河',
      discount: 'NONE',
      rule: 'small',
      clauses: [{ asked: small, state: 'met', found: 1 }],
    })
  })

  test('stops at the gates that a push by hand stops at, and says so', async ({ expect }) => {
    const id = await addedFeed()
    await tellDownloader({ orders: { freeBytes: 0, adding: 'accept' } })
    await tellSite({ feed: [101, 102] })
    await lookAgain(id)
    const [item] = (await console('GET', '/feed-items?status=waiting')).body.items
    expect(item).toMatchObject({ torrent_id: '101', error: expect.stringContaining('剩余空间') })
    const [feed] = (await console('GET', '/feeds')).body.items
    expect(feed.last_error).toContain('剩余空间')
  })

  test('tells a script with a token why, in the words that it tells the console', async ({ expect }) => {
    const id = await addedFeed()
    await console('POST', '/rules', { ...rule, rule: { ...rule.rule, conditions: [{ ...small, value: 0.5 }] } })
    await tellSite({ feed: [101, 102, 103] })
    await lookAgain(id)
    const shown = (await console('GET', '/feed-items?status=left')).body
    expect(shown.items.map((one: { rule: string }) => one.rule)).toEqual(['small', 'small'])
    const read = (path: string, token = reader) => send('GET', `${appPrefix}${path}`, token)
    expect((await read('/decisions?status=left')).body).toEqual(shown)
    expect(
      (await read(`/decisions?before=${shown.items[1].id}`)).body.items.map((one: { status: string }) => one.status),
    ).toEqual(['seen'])
    expect((await read('/removals')).body).toEqual((await console('GET', '/torrent-ends')).body)

    const [downloader] = (await read('/downloaders')).body.items
    const events = `/torrents/${downloader.id}/${'0a'.repeat(20)}/history`
    expect(await read(events)).toMatchObject({ status: 200, body: { items: [] } })
    expect((await read('/torrents/99/abc/history')).status).toBe(404)
    const refused = ['/decisions?status=lost', '/decisions?before=0', '/torrents/0/abc/history'].map(
      async (path) => (await read(path)).status,
    )
    expect(await Promise.all(refused)).toEqual([400, 400, 400])
    for (const path of ['/decisions', '/removals', '/torrents/1/abc/history'])
      expect((await read(path, {})).status).toBe(401)
  })

  test('is overruled by hand: through the gates, once, and the log says what was overruled', async ({ expect }) => {
    const id = await addedFeed()
    await console('POST', '/rules', {
      ...rule,
      name: 'none',
      rule: { ...rule.rule, conditions: [{ ...small, value: 0.5 }] },
    })
    await console('POST', '/rules', { ...rule, name: 'only Sunday', enabled: false })
    await tellSite({ feed: [101, 102, 103] })
    await lookAgain(id)
    const itemOf = async (torrentId: string) =>
      (await console('GET', '/feed-items')).body.items.find(
        (one: { torrent_id: string }) => one.torrent_id === torrentId,
      )
    const left = await itemOf('103')
    expect(left).toMatchObject({ status: 'left', rule: 'none' })
    expect((await console('GET', `/feed-items/${left.id}/others`)).body).toEqual({
      items: [
        {
          id: expect.any(Number),
          name: 'only Sunday',
          enabled: false,
          action: 'take',
          lacking: 0,
        },
      ],
      target: { downloader_id: 0, category: 'tv', tags: ['rss'], save_path: '' },
      wider: {
        id: expect.any(Number),
        conditions: [{ ...small, value: 1 }],
        changed: [{ was: { ...small, value: 0.5 }, now: { ...small, value: 1 } }],
      },
    })
    const push = (change: object = {}) =>
      console('POST', `/feed-items/${left.id}/push`, {
        decided_at: left.decided_at,
        category: 'tv',
        tags: 'rss',
        ...change,
      })

    // A gate that is shut for a push by hand is shut for this one too.
    await tellDownloader({ orders: { freeBytes: 1e9 } })
    expect((await push()).body).toMatchObject({ success: false, reason: { kind: 'push.space_low' } })
    expect(await itemOf('103')).toMatchObject({ status: 'left' })
    await tellDownloader({ orders: { freeBytes: 78e9 } })
    // Not what somebody saw who looked at another decision.
    const other = await push({ decided_at: left.decided_at - 1 })
    expect([other.status, other.body.reason]).toEqual([409, { kind: 'push.decided_anew' }])
    expect((await console('POST', '/feed-items/9999999/push', { decided_at: 1 })).status).toBe(404)
    expect((await push({ mood: 'good' })).status).toBe(400)

    expect((await push()).body).toMatchObject({ success: true, skipped: false, downloader: 'nas-1' })
    expect(await records()).toContainEqual(['103', 'manual_push', 'tv', 'rss'])
    expect(await itemOf('103')).toMatchObject({ status: 'overruled', rule: 'none', clauses: left.clauses })
    // It is not the rule that took it.
    expect((await console('GET', '/rules')).body.items[0]).toMatchObject({ taken: 0, taken_today: 0, size_today: 0 })
    expect((await push()).status).toBe(409)
    const logged = async () =>
      (await console('GET', '/audit')).body.items.find(
        (one: { command: string; result: string }) =>
          one.command.endsWith('/feed-items/{id}/push') && one.result === 'ok',
      )
    await expect.poll(logged).toMatchObject({
      about: { names: [left.title] },
      reason: { kind: 'push.overruled', rule: 'none', decided: 'left' },
    })
    // It is known by now, whatever the rules would say.
    await lookAgain(id)
    expect(await itemOf('103')).toMatchObject({ status: 'overruled' })
  })

  test('with a wrong key says that the sign-in is over', async ({ expect }) => {
    const address = feedAddress().replace(passKey, 'wrong')
    const { id } = (await console('POST', '/feeds', { ...body(), address })).body
    await hasLooked(id)
    const [feed] = (await console('GET', '/feeds')).body.items
    expect(feed.reason).toEqual({ kind: 'site.login_expired' })
  })

  test('learns its address from the site, and is read by it', async ({ expect }) => {
    const { address: _, ...learned } = { ...body(), learn: true }
    const added = await console('POST', '/feeds', learned)
    expect(added).toMatchObject({ status: 200, body: { host: new URL(origin).host } })
    expect(JSON.stringify(added.body)).not.toContain(passKey)
    await hasLooked(added.body.id)
    expect(await statuses()).toEqual({ 102: 'seen' })
    expect((await console('GET', '/feeds')).body.items).toMatchObject([
      { id: added.body.id, host: new URL(origin).host },
    ])

    await env.DB.prepare('delete from feeds').run()
    const wrong = { ...learned, learn: undefined, address: feedAddress().replace(passKey, 'old') }
    const { id } = (await console('POST', '/feeds', wrong)).body
    await hasLooked(id)
    expect((await console('PUT', `/feeds/${id}`, learned)).status).toBe(200)
    await lookAgain(id)
    expect((await console('GET', '/feeds')).body.items[0]).not.toHaveProperty('reason')
  })

  test.for([
    ['nexusphp', 'feedless', { cookie: 'c_secure_pass=CanaryCookieOfTheSite9' }, { kind: 'site.no_feed' }],
    ['nexusphp', 'expired', { cookie: 'c_secure_pass=CanaryCookieOfTheSite9' }, { kind: 'site.login_expired' }],
    ['gazelle', 'keyed', { api_key: 'CanaryApiKeyOfTheSite10' }, { kind: 'site.cookie_needed' }],
    ['unit3d', 'keyed', { api_key: 'CanaryApiKeyOfTheSite10' }, { kind: 'site.no_feed' }],
    ['torznab', 'keyed', { api_key: 'CanaryApiKeyOfTheSite10' }, { kind: 'site.no_feed' }],
  ] as const)(
    'of a %s site (%s) that tells no address is not stored',
    async ([kind, name, credentials, rule], { expect }) => {
      const site = consoleSite('other', kind, `${origin}/${kind}/${name}`, credentials)
      expect((await console('POST', '/sites', site)).status).toBe(200)
      const { address: _, ...learned } = { ...body(), site: 'other', learn: true }
      expect(await console('POST', '/feeds', learned)).toMatchObject({
        status: 400,
        body: { reason: { kind: 'field.wrong', field: 'learn', rule } },
      })
      expect((await console('GET', '/feeds')).body.items).toEqual([])
    },
  )

  test('is not asked for where an address is given too', async ({ expect }) => {
    expect(await console('POST', '/feeds', { ...body(), learn: true })).toMatchObject({
      status: 400,
      body: { reason: { field: 'learn', rule: { kind: 'rule.one_of' } } },
    })
  })

  test('shows the host of its address and nothing else of it, anywhere', async ({ expect }) => {
    const added = await console('POST', '/feeds', { ...body(), enabled: false })
    const id = await console('PUT', `/feeds/${added.body.id}`, { ...body() }).then((answer) => answer.body.id)
    await hasLooked(id)
    await tellSite({ feed: [101, 102] })
    await lookAgain(id)
    const answers = [added]
    for (const path of ['/feeds', '/feed-items', '/rules', '/jobs', '/audit']) answers.push(await console('GET', path))
    for (const path of ['/tasks', '/overview', '/torrents', '/sites'])
      answers.push(await send('GET', `${appPrefix}${path}`, reader))
    const refused = { ...body(), address: `ftp://x.example/?passkey=${passKey}`, name: 'other' }
    answers.push(await console('POST', '/feeds', refused))

    expect(added.body).toMatchObject({ host: new URL(origin).host, site: 'shelf', found: 0, taken: 0 })
    expect(JSON.stringify(answers.map((answer) => answer.body))).not.toContain(passKey)
  })

  test('is changed without its address being typed again, switched off, and removed', async ({ expect }) => {
    const id = await addedFeed()
    const { address: _, ...kept } = body()
    const changed = await console('PUT', `/feeds/${id}`, { ...kept, name: 'other', enabled: false })
    expect(changed.body).toMatchObject({ name: 'other', enabled: false, host: new URL(origin).host })
    expect((await console('POST', `/feeds/${id}/run`)).status).toBe(404)
    expect((await console('PUT', `/feeds/${id}`, { ...kept, address: '' })).body).toMatchObject({ host: '' })
    expect((await console('DELETE', `/feeds/${id}`)).body).toEqual({ ok: true })
    expect((await console('GET', '/feeds')).body.items).toEqual([])
    expect(await statuses()).toEqual({})
  })

  const longest = 'https://a.example/'.padEnd(feedAddressCharactersMax, 'a')
  test.for<[string, object]>([
    ['its longest name', { name: 'n'.repeat(feedNameCharactersMax) }],
    ['the shortest pause', { every_minutes: feedMinutesMin }],
    ['the longest pause', { every_minutes: feedMinutesMax }],
    ['no address', { address: '' }],
    ['its longest address', { address: longest }],
  ])('takes %s', async ([, change], { expect }) => {
    expect((await console('POST', '/feeds', { ...body(), enabled: false, ...change })).status).toBe(200)
  })

  test.for<[string, string, object]>([
    ['no name', 'name', { name: ' ' }],
    ['too long a name', 'name', { name: 'n'.repeat(feedNameCharactersMax + 1) }],
    ['a name that is taken', 'name', { name: 'taken' }],
    ['an unknown site', 'site', { site: 'nowhere' }],
    ['too short a pause', 'every_minutes', { every_minutes: feedMinutesMin - 1 }],
    ['too long a pause', 'every_minutes', { every_minutes: feedMinutesMax + 1 }],
    ['no whole address', 'address', { address: 'a.example/rss' }],
    ['another scheme', 'address', { address: 'file:///etc/passwd' }],
    ['a password in the address', 'address', { address: 'https://a:b@a.example/' }],
    ['too long an address', 'address', { address: `${longest}a` }],
  ])('refuses %s, and nothing changes', async ([, field, change], { expect }) => {
    await console('POST', '/feeds', { ...body(), name: 'taken', enabled: false })
    const { id } = (await console('POST', '/feeds', { ...body(), name: 'mine', enabled: false })).body
    const before = (await console('GET', '/feeds')).body
    for (const [method, path] of [
      ['POST', '/feeds'],
      ['PUT', `/feeds/${id}`],
    ] as const) {
      const { status, body: refused } = await console(method, path, { ...body(), ...change })
      expect([status, refused.error], refused.message).toEqual([400, 'invalid_argument'])
      expect(refused.message).toContain(field)
    }
    expect((await console('GET', '/feeds')).body).toEqual(before)
  })

  test.for([
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/run'],
  ] as const)('that does not exist is not found: %s %s', async ([method, path], { expect }) => {
    const answer = await console(method, `/feeds/9999999${path}`, method === 'PUT' ? body() : undefined)
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
  })
})

test('a channel is refused where the host hears none, and a line that says too little everywhere', async ({
  expect,
}) => {
  const announces = {
    channel: '#announce',
    announcers: ['Herald'],
    line: 'New: {title} | {link}',
    sign_in: 'sasl',
  }
  const add = (change: object) =>
    console('POST', '/feeds', {
      ...body(),
      address: 'ircs://reader:secret@irc.example',
      announces: { ...announces, ...change },
    })
  expect((await add({})).body.reason).toMatchObject({ field: 'announces', rule: { kind: 'announce.own_machine' } })
  const enter = (length: number) => 'Herald enter '.padEnd(length, 'k')
  const entering = (text: string) =>
    console('POST', '/feeds', { ...body(), address: 'ircs://reader:secret@irc.example', announces, enter: text })
  expect((await entering(enter(announceEnterCharactersMax))).body.reason).toMatchObject({ field: 'announces' })
  for (const wrong of [
    enter(announceEnterCharactersMax + 1),
    'Herald',
    '#announce hello',
    'Herald,Crier hello',
    'Herald enter {key}',
    'Herald enter\r\nQUIT',
  ])
    expect((await entering(wrong)).body.reason).toMatchObject({ field: 'enter' })
  expect((await add({ line: '{title}' })).body.reason).toMatchObject({ rule: { kind: 'rule.one_of' } })
  for (const change of [
    { channel: 'announce' },
    { channel: '#a b' },
    { channel: `#${'a'.repeat(announceChannelCharactersMax)}` },
    { announcers: [] },
    { announcers: Array.from({ length: announcersMax + 1 }, (_, at) => `h${at}`) },
    { line: `{title} {id}${'x'.repeat(announceLineCharactersMax)}` },
    { sign_in: 'magic' },
    { certificate: 'ab' },
  ])
    expect((await add(change)).status).toBe(400)
  expect((await console('GET', '/feeds')).body.items).toEqual([])
})

describe('a rule', () => {
  const named = (name: string) => ({ ...rule, name })
  const names = async () => (await console('GET', '/rules')).body.items.map(({ name }: { name: string }) => name)

  test('is added at the end, changed, ordered and removed', async ({ expect }) => {
    const ids: number[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await console('POST', '/rules', named(name))).body.id)
    const [a, b, c] = ids
    expect(await names()).toEqual(['a', 'b', 'c'])
    expect((await console('POST', '/rules/order', { ids: [c, a, b] })).body).toEqual({ ok: true })
    expect(await names()).toEqual(['c', 'a', 'b'])
    for (const wrong of [[a, b], [a, b, c, c], [a, a, b], [a, b, 9_999_999], []])
      expect((await console('POST', '/rules/order', { ids: wrong })).status).toBe(400)
    expect(await names()).toEqual(['c', 'a', 'b'])
    const changed = await console('PUT', `/rules/${b}`, { ...named('b'), enabled: false })
    expect(changed.body).toMatchObject({ ...named('b'), enabled: false, taken: 0, taken_today: 0 })
    expect((await console('DELETE', `/rules/${c}`)).body).toEqual({ ok: true })
    expect(await names()).toEqual(['a', 'b'])
    for (const method of ['PUT', 'DELETE'])
      expect((await console(method, '/rules/9999999', method === 'PUT' ? named('x') : undefined)).status).toBe(404)
  })

  test('begins with what is like a torrent that was found', async ({ expect }) => {
    const started = await console('POST', '/rules/like', {
      title: 'Harbour.Lights.S02E03.1080p.WEB-DL-QUAY',
      size: 1.2 * 2 ** 30,
    })
    expect([started.status, started.body]).toEqual([400, expect.anything()])
    const like = { title: 'Harbour.Lights.S02E03.1080p.WEB-DL-QUAY', size: 2 ** 30 + 1, discount: 'FREE' }
    const { name, conditions } = (await console('POST', '/rules/like', like)).body
    expect(conditions).toContainEqual({ field: 'size_gib', op: 'at_most', value: 2 })
    // As it stands it can be kept.
    expect((await console('POST', '/rules', { ...rule, name, rule: { ...rule.rule, conditions } })).status).toBe(200)
  })

  test('is tried on what turned up before it is kept', async ({ expect }) => {
    const id = await addedFeed()
    await tellSite({ feed: [101, 102, 103] })
    await lookAgain(id)
    const tried = await console('POST', '/rules/try', { rules: [{ id: 0, name: 'small', rule: rule.rule }] })
    const title = 'Quiet.River.S01'
    expect(tried.body).toMatchObject({
      judged: 2,
      stored: { taken: 1, billed: 0, size: 4.5 * 1024 ** 3, unsized: 0, left: 1 },
      tried: { taken: 1, billed: 1, size: 1024 ** 3, unsized: 0, left: 1 },
      rules: [{ id: 0, name: 'small', tried: { taken: 1, billed: 1, size: 1024 ** 3 } }],
    })
    expect(tried.body.rules[0]).not.toHaveProperty('stored')
    expect(tried.body.changed).toHaveLength(2)
    const changed = tried.body.changed.find((one: { title: string }) => one.title === title)
    expect(changed).toMatchObject({
      ...{ site: 'shelf', feed: 'fresh', size: 1024 ** 3, discount: 'NONE', listed: true, at: expect.any(Number) },
      stored: { act: 'leave', rule: '', clauses: [{ state: 'unmet', found: 'NONE', from: 'list' }] },
      tried: { act: 'take', rule: 'small', clauses: [{ asked: small, state: 'met', found: 1, from: 'list' }] },
    })
    expect(await names()).toEqual([])
    // One of the two was free, and taken without a rule; no rule wanted the other.
    expect((await console('GET', '/rules')).body).toEqual({ items: [], left: 1 })

    // The choice of a brush task is tried on the same, as far as it is of its site.
    const pick = { free_only: true, unknown_end: 'open', refuse_hr: false, refused_words: [] }
    const brushed = await console('POST', '/brush-tasks/try', { site: 'shelf', pick })
    expect(brushed.body).toMatchObject({
      judged: 2,
      stored: { taken: 0, billed: 0, size: 0, unsized: 0 },
      tried: { taken: 1, billed: 0, size: 4.5 * 1024 ** 3, unsized: 0 },
      rules: [],
      changed: [{ site: 'shelf', stored: { act: 'leave', clauses: [] }, tried: { act: 'take' } }],
    })
    expect((await console('POST', '/brush-tasks/try', { site: 'nowhere', pick })).status).toBe(400)
  })

  test('that newly asks what is there already is tried by what is there now, beside what each brought itself', async ({
    expect,
  }) => {
    const id = await addedFeed()
    await tellSite({ feed: [101, 102, 103] })
    await lookAgain(id)
    const asked = { field: 'owned', op: 'is', value: false, or_unknown: true }
    const tried = async () => {
      const rules = [{ id: 0, name: 'new', rule: { ...rule.rule, conditions: [asked] } }]
      const { body: told } = await console('POST', '/rules/try', { rules })
      const river = told.changed.find(({ title }: { title: string }) => title === 'Quiet.River.S01')
      return { taken: told.tried.taken, river: river?.tried.clauses }
    }
    // The one that was taken is in the downloader by now, and was not when it was decided.
    expect(await tried()).toEqual({ taken: 2, river: [{ asked, state: 'met', lack: 'unheard', now: true }] })
    await plantMedia([
      { media_type: 'tv', season: 1, title: 'Quiet River', torrent_name: 'Quiet.River.S01.1080p.WEB-DL-QUAY' },
    ])
    expect(await tried()).toEqual({ taken: 1 })
    const { id: kept } = (await console('POST', '/rules', { ...rule, rule: { ...rule.rule, conditions: [small] } }))
      .body
    const { body: told } = await console('POST', '/rules/try', {
      rules: [{ id: kept, name: 'small', rule: { ...rule.rule, conditions: [small, asked] } }],
    })
    expect(told.changed).toMatchObject([
      {
        title: 'Quiet.River.S01',
        tried: { clauses: [{}, { asked, state: 'unmet', found: true, from: 'library', now: true }] },
      },
    ])
    await env.DB.prepare('delete from media_history').run()
  })

  test('stands in a text of all rules, which takes their place only when it is right and wanted', async ({
    expect,
  }) => {
    const { id } = (await console('POST', '/rules', rule)).body
    await console('POST', '/rules', { ...rule, name: 'second', enabled: false })
    const { text } = (await console('GET', '/rules-text')).body
    expect(text).toContain('- name: small\n  action: take\n  conditions:\n    - field: size_gib')
    const put = async (changed: string, keep = true) =>
      (await console('PUT', '/rules-text', { text: changed, keep })).body
    // As it stands, it changes nothing.
    const before = (await console('GET', '/rules')).body
    expect(await put(text)).toMatchObject({ kept: true, faults: [], trial: { judged: 0 } })
    expect((await console('GET', '/rules')).body).toEqual(before)

    const third = '- name: third\n  action: skip\n  conditions:\n    - {field: title, op: matches, value: ["-QUAY$"]}\n'
    const moved = `${third}${text.slice(0, text.indexOf('- name: second'))}`
    expect(await put(moved, false)).toMatchObject({ kept: false, faults: [], trial: { judged: 0 } })
    expect(await names()).toEqual(['small', 'second'])
    expect(await put(moved)).toMatchObject({ kept: true })
    expect(await names()).toEqual(['third', 'small'])
    const [, kept] = (await console('GET', '/rules')).body.items
    expect(kept).toMatchObject({ id, rule: rule.rule })
  })

  test.for<[string, string, object]>([
    ['what is no YAML', '- name: [', { rule: 'yaml', line: 1 }],
    ['a field that is not known', '- name: a\n  action: skip\n  mood: good\n', { rule: 'unknown_field', line: 3 }],
    [
      'a pattern that looks around',
      '- name: a\n  action: skip\n  conditions:\n    - field: title\n      op: matches\n      value: ["(?=a)"]\n',
      { rule: 'value' },
    ],
    [
      'a name for the second time',
      '- &a {name: a, action: skip, conditions: [{field: seeders, op: at_most, value: 1}]}\n- *a\n',
      { rule: 'value', path: '1.name', line: 2 },
    ],
    [
      'a downloader that is not there',
      '- name: a\n  action: take\n  conditions: [{field: seeders, op: at_most, value: 1}]\n  target:\n    downloader_id: 99\n',
      { rule: 'value', path: '0.target.downloader_id' },
    ],
    [
      'one rule too many',
      Array.from(
        { length: filterRulesMax + 1 },
        (_, at) => `- {name: r${at}, action: skip, conditions: [{field: seeders, op: at_most, value: 1}]}\n`,
      ).join(''),
      { rule: 'too_many' },
    ],
  ])('is not taken from a text with %s', async ([, text, reason], { expect }) => {
    await console('POST', '/rules', rule)
    const { body: told } = await console('PUT', '/rules-text', { text, keep: true })
    expect(told.kept).toBe(false)
    expect(told.faults.map((fault: { reason: object }) => fault.reason)).toContainEqual(expect.objectContaining(reason))
    expect(await names()).toEqual(['small'])
  })

  const withConditions = (...conditions: object[]) => ({ rule: { ...rule.rule, conditions } })
  const withWords = (value: readonly unknown[]) => withConditions({ field: 'title', op: 'has_any', value })
  const many = <T>(count: number, one: T) => Array.from({ length: count }, () => one)
  test.for<[string, object]>([
    ['its longest name', { name: 'n'.repeat(filterRuleNameCharactersMax) }],
    ['its most conditions', withConditions(...many(ruleConditionsMax, small))],
    ['its largest number', withConditions({ ...small, value: ruleNumberMax })],
    ['its most and longest words', withWords(many(ruleWordsMax, 'w'.repeat(ruleWordCharactersMax)))],
    ['the largest bound of a day', { rule: { ...rule.rule, per_day_max: rulePerDayMax } }],
    ['the most GiB of a day', { rule: { ...rule.rule, per_day_gib_max: ruleNumberMax } }],
    ['a part of a GiB in a day', { rule: { ...rule.rule, per_day_gib_max: 0.5 } }],
    [
      'what counts where nobody tells',
      withConditions({ field: 'hit_and_run', op: 'is', value: false, or_unknown: true }),
    ],
  ])('takes %s', async ([, change], { expect }) => {
    const wanted = { ...rule, ...change }
    const { status, body: told } = await console('POST', '/rules', wanted)
    expect([status, told]).toMatchObject([200, wanted])
  })

  test.for<[string, object]>([
    ['no name', { name: ' ' }],
    ['too long a name', { name: 'n'.repeat(filterRuleNameCharactersMax + 1) }],
    ['a name that is taken', { name: 'taken' }],
    ['no condition', withConditions()],
    ['too many', withConditions(...many(ruleConditionsMax + 1, small))],
    ['an unknown field', withConditions({ ...small, field: 'mood' })],
    ['an operator of another field', withConditions({ field: 'size_gib', op: 'is_any', value: ['1'] })],
    ['a pattern that is none', withConditions({ field: 'title', op: 'matches', value: ['(a'] })],
    ['a number below none', withConditions({ ...small, value: -1 })],
    ['too large a number', withConditions({ ...small, value: ruleNumberMax + 1 })],
    ['no words', withWords([])],
    ['an empty word', withWords([' '])],
    ['too many words', withWords(many(ruleWordsMax + 1, 'w'))],
    ['too long a word', withWords(['w'.repeat(ruleWordCharactersMax + 1)])],
    ['no bound of a day', { rule: { ...rule.rule, per_day_max: 0 } }],
    ['no GiB of a day', { rule: { ...rule.rule, per_day_gib_max: 0 } }],
    ['too many GiB of a day', { rule: { ...rule.rule, per_day_gib_max: ruleNumberMax + 1 } }],
    ['too large a bound of a day', { rule: { ...rule.rule, per_day_max: rulePerDayMax + 1 } }],
    ['a tag with a comma', { rule: { ...rule.rule, target: { ...rule.rule.target, tags: ['a,b'] } } }],
    ['an unknown downloader', { rule: { ...rule.rule, target: { ...rule.rule.target, downloader_id: 9_999_999 } } }],
  ])('refuses %s, and nothing changes', async ([, change], { expect }) => {
    await console('POST', '/rules', { ...rule, name: 'taken' })
    const { id } = (await console('POST', '/rules', { ...rule, name: 'mine' })).body
    const before = (await console('GET', '/rules')).body
    for (const [method, path] of [
      ['POST', '/rules'],
      ['PUT', `/rules/${id}`],
    ] as const) {
      const { status, body: refused } = await console(method, path, { ...rule, ...change })
      expect([status, refused.error]).toEqual([400, expect.stringMatching(/^invalid_(?:argument|body)$/)])
    }
    expect((await console('GET', '/rules')).body).toEqual(before)
  })
})
