/** Exploring the metadata provider end to end: the Worker, its catalogue object, and a stand-in provider. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { PacedProvider } from '../../../workers/app/adapters/catalogue/paced-provider.ts'
import { TitleLists } from '../../../workers/app/adapters/catalogue/title-lists.ts'
import { appPrefix, consolePrefix, createApp } from '../../../workers/app/app.ts'
import { composeApp, composeAppDeps } from '../../../workers/app/compose.ts'
import {
  explorePagesMax,
  exploreSeconds,
  keptTitlePagesMax,
  keywordCharactersMax,
  metadataAnswerBytesMax,
  overviewCharactersMax,
  searchTitlesSeconds,
  titleCharactersMax,
  titlesOfPageMax,
} from '../../../workers/app/limits.ts'
import type { CatalogueHost } from '../../../workers/app/objects/catalogue-object.ts'
import { makeToken, origin, ownerSession, send } from '../../support/workerd/app-client.ts'
import {
  awayAddresses,
  canaryKey,
  canaryToken,
  canaryVisits,
  changeSetting,
  forgetSettings,
  setProvider,
} from '../../support/workerd/service-under-test.ts'

const path = `${appPrefix}/explore`

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller

beforeEach(forgetSettings)

const provider = (change?: Readonly<Record<string, unknown>>, key?: string) =>
  setProvider(session, 'explore', change, key)

const ask = (query: string) => send('GET', `${path}?${query}`, reader)
const idsOf = (body: { items: { id: number }[] }) => body.items.map(({ id }) => id)

describe('the lists', () => {
  test('show films with what the provider knows, and nothing for what it does not', async ({ expect }) => {
    await provider()

    const { status, body } = await ask('kind=movie')

    expect(status).toBe(200)
    expect(body).toEqual({
      items: [
        {
          id: 11,
          media_type: 'movie',
          title: '星球漫步',
          original_title: 'Planet Walk',
          year: 2026,
          overview: '一个人在星球上走。',
          poster_path: '/planetWalk.jpg',
          vote_average: 7.25,
          in_library: false,
          subscribed: false,
        },
        {
          id: 12,
          media_type: 'movie',
          title: '静静的河',
          original_title: 'Quiet River',
          year: 2024,
          overview: 'Quiet River, told in English.',
          poster_path: '/quiet_river-2.png',
          vote_average: 7.25,
          in_library: false,
          subscribed: false,
        },
        {
          id: 13,
          media_type: 'movie',
          title: 'Bare Title',
          original_title: 'Bare Title',
          overview: 'Bare Title, told in English.',
          vote_average: 7.25,
          in_library: false,
          subscribed: false,
        },
      ],
      page: 1,
      total_pages: explorePagesMax,
    })
  })

  test.for([
    ['kind=movie', '/3/trending/movie/week?page=1'],
    ['kind=tv&list=trending&page=2', '/3/trending/tv/week?page=2'],
    ['kind=tv&list=popular&page=20', '/3/tv/popular?page=20'],
    ['kind=movie&list=popular&q=ignored', '/3/movie/popular?page=1'],
    ['kind=movie&list=search&q=%20a%26b%20', '/3/search/movie?query=a%26b&include_adult=false&page=1'],
    ['kind=tv&list=search&q=星', '/3/search/tv?query=%E6%98%9F&include_adult=false&page=1'],
  ] as const)('%s is asked as %s, in Chinese and then in English', async ([query, call], { expect }) => {
    const service = await provider()

    expect((await ask(query)).status).toBe(200)

    expect(await service.calls()).toEqual([
      `${call}&language=zh-CN&api_key=${canaryKey}`,
      `${call}&language=en-US&api_key=${canaryKey}`,
    ])
  })

  test('has series beside films, and pages that go on', async ({ expect }) => {
    await provider()

    const series = await ask('kind=tv')
    const later = await ask('kind=tv&page=3')

    expect(series.body.items[0]).toMatchObject({ media_type: 'tv', title: '星球漫步', original_title: 'Planet Walk' })
    expect(later.body).toMatchObject({ page: 3, total_pages: explorePagesMax })
    expect(idsOf(later.body)).toEqual([211, 212, 213])
  })

  test('a search has one page', async ({ expect }) => {
    await provider()

    expect((await ask('kind=movie&list=search&q=planet')).body).toMatchObject({ page: 1, total_pages: 1 })
    expect((await ask('kind=movie&list=search&q=planet&page=2')).body.error).toBe('invalid_argument')
  })

  test('shows an empty list as one page with nothing on it', async ({ expect }) => {
    await provider({ mode: 'empty' })

    expect((await ask('kind=movie&list=popular')).body).toEqual({ items: [], page: 1, total_pages: 1 })
  })

  test('is asked once by all who want the same, and not again soon after', async ({ expect }) => {
    const service = await provider()

    const answers = await Promise.all([ask('kind=movie'), ask('kind=movie'), ask('kind=movie&list=trending&page=1')])
    const again = await ask('kind=movie')

    for (const { body } of answers) expect(body).toEqual(again.body)
    expect(await service.calls()).toHaveLength(2)
  })

  test('cuts long texts, leaves out posters we would not fetch, and reads what it does not know', async ({
    expect,
  }) => {
    const whole = { id: 1, title: 't'.repeat(titleCharactersMax), overview: 'o'.repeat(overviewCharactersMax) }
    const cut = { id: 2, title: 't'.repeat(titleCharactersMax + 1), overview: 'o'.repeat(overviewCharactersMax + 1) }
    const posters = ['//evil.example/a.jpg', '/a.svg', '/../secret.jpg', 'a.jpg', '/a/b.jpg', '/a.jpg?x', '/ä.jpg', '']
    const results = [
      whole,
      cut,
      ...posters.map((poster_path, at) => ({ id: 10 + at, title: 'x', overview: 'x', poster_path, vote_average: 0 })),
      { id: 30, title: 'odd', overview: 'x', release_date: 'soon', surprise: {}, vote_average: null },
      { id: -1, title: 'no id' },
      { id: 31, title: '', name: '', overview: '' },
      'no title',
    ]
    await provider({ content: JSON.stringify({ results }) })

    const { items, total_pages } = (await ask('kind=movie')).body

    expect(total_pages).toBe(1)
    expect(items[0]).toMatchObject(whole)
    expect([items[1].title.length, items[1].overview.length]).toEqual([titleCharactersMax, overviewCharactersMax])
    expect(items.map((item: { poster_path?: string }) => item.poster_path).filter(Boolean)).toEqual([])
    expect(items.slice(2).every((item: object) => !('vote_average' in item) && !('year' in item))).toBe(true)
    expect(items.map(({ id }: { id: number }) => id)).toEqual([1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 30])
  })

  test('takes so many titles of a page and no more', async ({ expect }) => {
    const results = Array.from({ length: titlesOfPageMax + 1 }, (_, at) => ({ id: at + 1, title: 'x', overview: 'x' }))
    await provider({ content: JSON.stringify({ results }) })

    expect((await ask('kind=movie')).body.items).toHaveLength(titlesOfPageMax)
  })
})

describe('what the owner has', () => {
  test('is told of each title from where it is kept', async ({ expect }) => {
    await provider()
    const asked: unknown[] = []
    const app = createApp({
      ...composeAppDeps(env, { run: (work) => void work }),
      titleStandings: {
        of: async (mediaType, ids) => {
          asked.push([mediaType, ids])
          return new Map([
            [11, { inLibrary: true }],
            [12, { inLibrary: false, subscriptionId: 5 }],
          ])
        },
      },
    })

    const answer = await app.fetch(new Request(`${origin}${path}?kind=tv`, { headers: { ...reader } }))
    const { items } = await answer.json<{ items: Record<string, unknown>[] }>()

    expect(asked).toEqual([['tv', [11, 12, 13]]])
    expect(
      items.map(({ in_library, subscribed, subscription_id }) => [in_library, subscribed, subscription_id]),
    ).toEqual([
      [true, false, undefined],
      [false, true, 5],
      [false, false, undefined],
    ])
  })
})

describe('the key', () => {
  test('of the newer kind goes into a header and into no address', async ({ expect }) => {
    const service = await provider({}, canaryToken)

    expect((await ask('kind=movie')).status).toBe(200)

    const { calls, authorizations } = await service.control()
    expect(calls.join()).not.toContain('api_key')
    expect(authorizations).toEqual([`Bearer ${canaryToken}`, `Bearer ${canaryToken}`])
  })

  test('is needed: without one the answer is 400, and nobody is asked', async ({ expect }) => {
    const service = await provider({}, '')

    expect(await ask('kind=movie')).toMatchObject({
      status: 400,
      body: { error: 'invalid_argument', message: '还没有设置影视资料服务的密钥' },
    })
    expect(await service.calls()).toEqual([])
  })

  test('that cannot be opened any more is said to be lost', async ({ expect }) => {
    await provider()
    await env.DB.prepare("update settings set sealed = 'AAAA' where name = 'metadata'").run()

    const { status, body } = await ask('kind=movie')

    expect([status, body.error]).toEqual([503, 'unavailable'])
    expect(body.message).toContain('主密钥')
  })

  test('can be tried before it is stored, and the stored one at its own place only', async ({ expect }) => {
    const service = await provider()
    const api_address = `${service.address}/3`
    const tryKey = async (json: object) =>
      (await send('POST', `${consolePrefix}/settings/metadata/test`, session, { json })).body

    expect(await tryKey({ api_address })).toEqual({ works: true })
    expect(await tryKey({ api_address, api_key: canaryToken })).toEqual({ works: true })
    expect(await tryKey({ api_address, api_key: 'wrong' })).toEqual({
      works: false,
      error: '影视资料服务不接受这个密钥',
      reason: { kind: 'service.refused', service: 'metadata' },
    })
    expect(await tryKey({ api_address, api_key: '' })).toMatchObject({ works: false })
    expect(await tryKey({ api_address: `${service.address}/elsewhere`, api_key: canaryKey })).toMatchObject({
      works: false,
      error: '影视资料服务没有这个地址，请检查接口地址',
      reason: { kind: 'service.not_found', service: 'metadata' },
    })
    expect(await tryKey({ api_address: 'http://127.0.0.1:1', api_key: canaryKey })).toEqual({
      works: false,
      error: '无法连接影视资料服务',
      reason: { kind: 'service.unreachable', service: 'metadata' },
    })
    const calls = (await service.calls()).length
    expect((await tryKey({ api_address: 'http://127.0.0.1:1' })).error).toBe('invalid_argument')
    expect((await service.calls()).length).toBe(calls)
  })
})

describe('refusals', () => {
  test.for([
    ['no kind', 'list=popular'],
    ['an unknown kind', 'kind=book'],
    ['an unknown list', 'kind=tv&list=top'],
    ['page 0', 'kind=tv&page=0'],
    ['a page that is no number', 'kind=tv&page=one'],
    ['the page after the last', `kind=tv&list=trending&page=${explorePagesMax + 1}`],
    ['the page after the last of the popular', `kind=tv&list=popular&page=${explorePagesMax + 1}`],
    ['a search without words', 'kind=tv&list=search'],
    ['a search with blank words', 'kind=tv&list=search&q=%20'],
    ['words past their limit', `kind=tv&list=search&q=${'词'.repeat(keywordCharactersMax + 1)}`],
    ['two kinds', 'kind=tv&kind=movie'],
  ] as const)('%s is 400, and nobody is asked', async ([, query], { expect }) => {
    const service = await provider()

    expect(await ask(query)).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
    expect(await service.calls()).toEqual([])
  })

  test('the last page and the longest words are served', async ({ expect }) => {
    await provider()

    expect((await ask(`kind=tv&page=${explorePagesMax}`)).status).toBe(200)
    expect((await ask(`kind=tv&list=search&q=${'词'.repeat(keywordCharactersMax)}`)).status).toBe(200)
  })

  test.for([
    ['expired', 502, 'upstream', '不接受这个密钥'],
    ['missing', 502, 'upstream', '没有这个地址'],
    ['throttled', 429, 'rate_limited', '限制了访问频率'],
    ['down', 502, 'upstream', '意外的 HTTP 状态 503'],
    ['broken', 502, 'upstream', '不是预期的内容'],
    ['html', 502, 'upstream', '不是预期的内容'],
    ['huge', 502, 'upstream', '过大'],
    ['closing', 502, 'upstream', '无法连接'],
  ] as const)('a provider that is %s is %d %s', async ([mode, status, error, reason], { expect }) => {
    await provider({ mode })

    const answer = await ask('kind=movie')

    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(answer.body.message).toContain(reason)
    // The provider said for how long; nobody else is left alone by it.
    expect(answer.headers.get('retry-after')).toBe(mode === 'throttled' ? '7' : null)
  })

  test('a provider sends us nowhere', async ({ expect }) => {
    for (const [at, redirectTo] of awayAddresses.entries()) {
      await provider({ redirectTo: redirectTo.replace(/:(\d+)$/, ':$1/from-explore') })

      expect((await ask(`kind=movie&list=search&q=${at}`)).body.message, redirectTo).toContain('别的地址')
    }
    expect(await canaryVisits()).not.toContain('/from-explore')
  })
})

describe('a proxy', () => {
  test('is what the provider is asked through', async ({ expect }) => {
    const proxy = inject('standInProxy')
    const service = await provider()
    await changeSetting(session, 'proxy', { proxy: proxy.address })

    expect((await ask('kind=movie')).status).toBe(200)
    const { body } = await send('POST', `${consolePrefix}/settings/metadata/test`, session, {
      json: { api_address: `${service.address}/3` },
    })

    expect(body).toEqual({ works: true })
    const passed = await (await fetch(`http://${proxy.host}/calls`)).json<string[]>()
    expect(passed.filter((call) => call.includes(service.address))).toHaveLength((await service.calls()).length)
  })

  test('that lets nobody through is named, and never gone around', async ({ expect }) => {
    const service = await provider()
    await changeSetting(session, 'proxy', { proxy: `http://${inject('standInProxy').host}` })

    expect((await ask('kind=movie')).body).toMatchObject({ error: 'upstream', message: '代理拒绝了用户名或密码' })
    await changeSetting(session, 'proxy', { proxy: 'http://127.0.0.1:1' })
    expect((await ask('kind=movie')).body.message).toContain('无法连接代理')
    expect(await service.calls()).toEqual([])
  })

  test('that was stored on one’s own machine is not gone around at the edge', async ({ expect }) => {
    const service = await provider()
    await changeSetting(session, 'proxy', { proxy: inject('standInProxy').address })
    const { OUTGOING: _, OUTGOING_CODE: __, ...edge } = env

    const answer = await composeApp(edge, { run: (work) => void work }).fetch(
      new Request(`${origin}${consolePrefix}/settings/metadata/test`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...session },
        body: JSON.stringify({ api_address: `${service.address}/3` }),
      }),
    )

    expect(await answer.json()).toEqual({
      works: false,
      error: '代理只在自己的机器上运行时可用，请在设置中去掉代理',
      reason: { kind: 'service.proxy_unsupported', service: 'metadata' },
    })
    expect(await service.calls()).toEqual([])
  })
})

describe('what is kept', () => {
  const access = { apiUrl: 'https://api.example/3', key: 'k', proxy: undefined, language: 'zh' } as const
  const list = { mediaType: 'movie', list: 'popular', words: '', page: 1 } as const
  const search = { mediaType: 'movie', list: 'search', words: 'Salt', page: 1 } as const

  test.for([
    ['a list', list, exploreSeconds],
    ['a search', search, searchTitlesSeconds],
  ] as const)(
    '%s is good for its time, also after the object was evicted, and no longer',
    async ([, wish, seconds], { expect }) => {
      await inTitles(async ({ world, open }) => {
        const first = await open().read(access, wish)
        world.nowUnix += seconds - 1
        expect(await open().read(access, wish)).toEqual(first)
        expect(world.asked).toHaveLength(1)

        world.nowUnix += 1
        expect(await open().read(access, wish)).toEqual(first)
        expect(world.asked).toHaveLength(2)
      })
    },
  )

  test('is found again whatever the case of the words, and nothing of another place is', async ({ expect }) => {
    await inTitles(async ({ world, open }) => {
      const titles = open()
      await titles.read(access, search)
      await titles.read(access, { ...search, words: 'SALT' })
      expect(world.asked).toHaveLength(1)

      await titles.read({ ...access, apiUrl: 'https://other.example/3' }, search)
      expect(world.asked).toHaveLength(2)
    })
  })

  test('are so many pages, the newest', async ({ expect }) => {
    await inTitles(async ({ world, open, sql }) => {
      const titles = open()
      for (let at = 0; at <= keptTitlePagesMax; at += 1) {
        await titles.read(access, { ...search, words: `word ${at}` })
        world.nowUnix += 1
      }

      expect(sql.exec<{ n: number }>("select count(*) n from kept where kind = 'titles'").one().n).toBe(
        keptTitlePagesMax,
      )
      world.asked.length = 0
      await titles.read(access, { ...search, words: `word ${keptTitlePagesMax}` })
      expect(world.asked).toEqual([])
      await titles.read(access, { ...search, words: 'word 0' })
      expect(world.asked).toHaveLength(1)
    })
  })

  test('is no page that lacks its second language: it is shown, and asked for again', async ({ expect }) => {
    await inTitles(async ({ world, open }) => {
      const titles = open()
      world.results = [{ id: 1, title: '盐路', overview: '' }]
      world.failing = 'en-US'
      const lacking = await titles.read(access, list)
      world.failing = ''
      world.results = [{ id: 1, title: '盐路', overview: 'told' }]

      expect(lacking).toMatchObject({ ok: true, value: { titles: [{ title: '盐路', overview: '' }] } })
      expect(await titles.read(access, list)).toMatchObject({ ok: true, value: { titles: [{ overview: 'told' }] } })
    })
  })

  test('comes from an answer as long as its bound and not one byte longer', async ({ expect }) => {
    await inTitles(async ({ world, open }) => {
      const frame = new TextEncoder().encode(JSON.stringify({ results: world.results, padding: '' })).length
      world.padding = 'p'.repeat(metadataAnswerBytesMax - frame)
      expect((await open().read(access, list)).ok).toBe(true)

      world.padding += 'p'
      expect(await open().read(access, search)).toEqual({ ok: false, failure: { kind: 'too_large' } })
    })
  })
})

interface World {
  readonly asked: string[]
  nowUnix: number
  results: readonly object[]
  /** The language in which nothing is to be had. */
  failing: string
  padding: string
}

let objects = 0

/** `open` makes what a fresh object would make on the same storage. */
async function inTitles(
  run: (inside: { world: World; open: () => TitleLists; sql: SqlStorage }) => Promise<void>,
): Promise<void> {
  objects += 1
  const catalogues = env.CATALOGUE as DurableObjectNamespace<CatalogueHost>
  await runInDurableObject(catalogues.get(catalogues.idFromName(`titles-${objects}`)), async (_, { storage }) => {
    const results = [{ id: 1, title: '盐路', overview: 'told' }]
    const world: World = { asked: [], nowUnix: 1_795_000_000, results, failing: '', padding: '' }
    const open = () =>
      new TitleLists(
        storage.sql,
        new PacedProvider({
          nowMs: () => world.nowUnix * 1000,
          wait: () => Promise.resolve(),
          fetch: async (address) => {
            world.asked.push(address)
            if (world.failing !== '' && address.includes(world.failing)) return new Response(null, { status: 503 })
            return Response.json({ results: world.results, padding: world.padding })
          },
        }),
      )
    await run({ world, open, sql: storage.sql })
  })
}
