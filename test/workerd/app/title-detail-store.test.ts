/** Details of single titles as the catalogue object keeps them. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, test } from 'vitest'
import { PacedProvider } from '../../../workers/app/adapters/catalogue/paced-provider.ts'
import { TitleDetailStore } from '../../../workers/app/adapters/catalogue/title-detail-store.ts'
import type { TitleDetailQuery } from '../../../workers/app/core/media/title-details.ts'
import { exploreSeconds, keptDetailsMax, seasonMax, titleCharactersMax } from '../../../workers/app/limits.ts'
import type { CatalogueHost } from '../../../workers/app/objects/catalogue-object.ts'

const access = { apiUrl: 'https://api.example/3', key: 'k', proxy: undefined, language: 'zh' } as const
const film: TitleDetailQuery = { mediaType: 'movie', tmdbId: 1, season: 0, today: '2026-11-22' }
const series: TitleDetailQuery = { ...film, mediaType: 'tv' }

interface World {
  readonly asked: string[]
  nowUnix: number
  answer: (path: string, language: string) => unknown
}

let objects = 0

/** `open` makes what a fresh object would make on the same storage. */
async function inStore(
  run: (world: World, open: () => TitleDetailStore, sql: SqlStorage) => Promise<void>,
): Promise<void> {
  objects += 1
  const catalogues = env.CATALOGUE as DurableObjectNamespace<CatalogueHost>
  await runInDurableObject(catalogues.get(catalogues.idFromName(`details-${objects}`)), async (_, { storage }) => {
    const world: World = { asked: [], nowUnix: 1_795_000_000, answer: (_path, language) => ({ title: language }) }
    const open = () =>
      new TitleDetailStore(
        storage.sql,
        new PacedProvider({
          nowMs: () => world.nowUnix * 1000,
          wait: () => Promise.resolve(),
          fetch: async (address) => {
            const { pathname, searchParams } = new URL(address)
            world.asked.push(`${pathname} ${searchParams.get('language')}`)
            const body = world.answer(pathname, searchParams.get('language') ?? '')
            return body === undefined ? new Response(null, { status: 503 }) : Response.json(body)
          },
        }),
      )
    await run(world, open, storage.sql)
  })
}

describe('details', () => {
  test('are good for hours, also after the object was evicted, and no longer', async ({ expect }) => {
    await inStore(async (world, open) => {
      const first = await open().read(access, film)
      expect(first).toMatchObject({ ok: true, value: { title: 'zh-CN', searchTitle: 'en-US' } })
      world.nowUnix += exploreSeconds - 1
      expect(await open().read(access, film)).toEqual(first)
      expect(world.asked).toEqual(['/3/movie/1 zh-CN', '/3/movie/1 en-US'])

      world.nowUnix += 1
      expect(await open().read(access, film)).toEqual(first)
      expect(world.asked).toHaveLength(4)
    })
  })

  test('come in the language of the owner, and keep the English name to search by', async ({ expect }) => {
    await inStore(async (world, open) => {
      const chinese = await open().read(access, film)
      const english = await open().read({ ...access, language: 'en' }, film)

      expect(english).toMatchObject({ ok: true, value: { title: 'en-US', searchTitle: 'en-US' } })
      expect(world.asked.slice(2)).toEqual(['/3/movie/1 en-US', '/3/movie/1 zh-CN'])
      expect(await open().read(access, film)).toEqual(chinese)
      expect(await open().read({ ...access, language: 'en' }, film)).toEqual(english)
      expect(world.asked).toHaveLength(4)
    })
  })

  test('are asked once by all who want the same, and again for another place', async ({ expect }) => {
    await inStore(async (world, open) => {
      const store = open()
      await Promise.all([store.read(access, film), store.read(access, film)])
      expect(world.asked).toHaveLength(2)

      await store.read({ ...access, apiUrl: 'https://other.example/3' }, film)
      expect(world.asked).toHaveLength(4)
    })
  })

  test('are of so many titles, the newest', async ({ expect }) => {
    await inStore(async (world, open, sql) => {
      const store = open()
      for (let tmdbId = 0; tmdbId <= keptDetailsMax; tmdbId += 1) {
        await store.read(access, { ...film, tmdbId })
        world.nowUnix += 1
      }

      const { n } = sql.exec<{ n: number }>("select count(*) n from kept where kind = 'details'").one()
      expect(n).toBe(keptDetailsMax)
      world.asked.length = 0
      await store.read(access, { ...film, tmdbId: keptDetailsMax })
      expect(world.asked).toEqual([])
      await store.read(access, { ...film, tmdbId: 0 })
      expect(world.asked).toHaveLength(2)
    })
  })

  test.for([
    ['a film', film, 'en-US /3/movie/1'],
    ['a series', series, 'en-US /3/tv/1'],
    ['a season', series, 'en-US /3/tv/1/season/1'],
  ] as const)(
    'of %s that lack their second language are given, and asked for again',
    async ([, wish, failing], { expect }) => {
      await inStore(async (world, open) => {
        const whole = (path: string) =>
          path.endsWith('/season/1')
            ? { episodes: [{ episode_number: 1, name: '' }] }
            : { title: 't', name: 't', seasons: [{ season_number: 1 }] }
        world.answer = (path, language) => (`${language} ${path}` === failing ? undefined : whole(path))
        expect(await open().read(access, wish)).toMatchObject({ ok: true, value: { title: 't' } })
        world.answer = whole
        world.asked.length = 0

        expect(await open().read(access, wish)).toMatchObject({ ok: true })
        expect(world.asked).toContain(failing.split(' ').reverse().join(' '))
        world.asked.length = 0
        await open().read(access, wish)
        expect(world.asked).toEqual([])
      })
    },
  )

  test('of the latest season are asked for anew when the day changes, of a named one they are not', async ({
    expect,
  }) => {
    await inStore(async (world, open) => {
      world.answer = (path) =>
        path.includes('/season/')
          ? { episodes: [{ episode_number: 1, name: path }] }
          : {
              name: 't',
              seasons: ['2026-01-01', '2026-11-23'].map((air_date, at) => ({ season_number: at + 1, air_date })),
            }
      const season = async (wish: TitleDetailQuery) => {
        const read = await open().read(access, wish)
        return read.ok ? read.value.season : read.failure.kind
      }

      expect(await season(series)).toBe(1)
      expect(await season({ ...series, today: '2026-11-23' })).toBe(2)
      expect(await season({ ...series, season: 1 })).toBe(1)
      world.asked.length = 0
      expect(await season({ ...series, season: 1, today: '2026-11-23' })).toBe(1)
      expect(world.asked).toEqual([])
    })
  })

  test('are cut, and hold no season or poster that we would not ask for', async ({ expect }) => {
    await inStore(async (world, open) => {
      const name = 'n'.repeat(titleCharactersMax)
      world.answer = (path) =>
        path.includes('/season/')
          ? { episodes: [] }
          : {
              name: `${name}n`,
              original_name: name,
              first_air_date: '2026-13-01',
              poster_path: '//evil.example/a.jpg',
              seasons: [seasonMax, seasonMax + 1].map((season_number) => ({ season_number, episode_count: -1 })),
            }

      expect(await open().read(access, { ...series, season: seasonMax })).toEqual({
        ok: true,
        value: {
          mediaType: 'tv',
          tmdbId: 1,
          season: seasonMax,
          title: `${name.slice(1)}…`,
          originalTitle: name,
          searchTitle: `${name.slice(1)}…`,
          totalEpisodes: 0,
          episodes: [],
        },
      })
      const beyond = await open().read(access, { ...series, season: seasonMax + 1 })
      expect(beyond).toEqual({ ok: false, failure: { kind: 'not_found' } })
    })
  })

  test.for([
    ['nothing that names it', {}],
    ['no object', []],
    ['blank names', { title: ' ', original_title: '' }],
  ] as const)('are broken when the provider sends %s', async ([, body], { expect }) => {
    await inStore(async (world, open) => {
      world.answer = () => body
      expect(await open().read(access, film)).toEqual({ ok: false, failure: { kind: 'broken' } })
    })
  })
})
