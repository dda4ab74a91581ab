/** The update check end to end, and its list of releases against a clock that the test moves. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, inject, test } from 'vitest'
import { ReleaseList } from '../../../workers/app/adapters/catalogue/release-list.ts'
import { appPrefix } from '../../../workers/app/app.ts'
import {
  changelogCharactersMax,
  newReleasesMax,
  releaseListsMax,
  releaseNameCharactersMax,
  releaseRetryMs,
  releaseSeconds,
  releasesMax,
} from '../../../workers/app/limits.ts'
import type { CatalogueHost } from '../../../workers/app/objects/catalogue-object.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import {
  awayAddresses,
  canaryVisits,
  changeSetting,
  forgetSettings,
  ServiceUnderTest,
} from '../../support/workerd/service-under-test.ts'

const path = `${appPrefix}/updates`

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller

beforeEach(forgetSettings)

async function releaseHost(change: Readonly<Record<string, unknown>> = {}): Promise<ServiceUnderTest> {
  const host = new ServiceUnderTest('updates')
  await host.control(change)
  await changeSetting(session, 'updates', { repository: 'owner/wharf', api_address: host.address })
  return host
}

const check = (query = '') => send('GET', `${path}${query}`, reader)
const versions = (body: { new_releases: { version: string }[] }) => body.new_releases.map(({ version }) => version)

describe('the update check', () => {
  test('tells the newest releases, drafts and what is no version left out', async ({ expect }) => {
    const host = await releaseHost()

    const { status, body } = await check()

    expect(status).toBe(200)
    expect(body).toMatchObject({ current_version: '0.1.0', has_update: true, has_more_releases: true })
    expect(body.checked_at).toBeGreaterThan(1_700_000_000)
    expect(versions(body)).toEqual(['v9.1.0', 'v9.0.1', 'v9.0.0'])
    expect(body.new_releases).toHaveLength(newReleasesMax)
    expect(body.new_releases[0]).toEqual({
      version: 'v9.1.0',
      name: 'Release v9.1.0',
      published_at: Date.parse('2026-11-20T10:00:00Z') / 1000,
      url: 'https://releases.example/v9.1.0',
      changelog: 'What is new in v9.1.0',
    })
    expect(await host.calls()).toEqual([`/repos/owner/wharf/releases?per_page=${releasesMax}`])
  })

  test('counts previews only when they are asked for, and marks them', async ({ expect }) => {
    await releaseHost()

    const { body } = await check('?include_prerelease=1')

    expect(versions(body)).toEqual(['v9.2.0-beta.1', 'v9.1.0', 'v9.0.1'])
    expect(body.new_releases.map(({ prerelease }: { prerelease?: true }) => prerelease)).toEqual([
      true,
      undefined,
      undefined,
    ])
  })

  test('asks the list once for both ways to read it', async ({ expect }) => {
    const host = await releaseHost()

    const answers = await Promise.all([check(), check('?include_prerelease=1'), check()])
    const again = await check()

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(again.body).toEqual(answers[0]?.body)
    expect(await host.calls()).toHaveLength(1)
  })

  test('has nothing to tell when nothing is newer', async ({ expect }) => {
    await releaseHost({ content: JSON.stringify([{ tag_name: 'v0.1.0' }, { tag_name: 'v0.1.0-rc.1' }]) })
    expect((await check('?include_prerelease=1')).body).toMatchObject({ has_update: false, new_releases: [] })

    await releaseHost({ mode: 'empty' })
    expect((await check()).body).toMatchObject({ has_update: false, new_releases: [] })
  })

  test('cuts long texts, offers no link that is no web address, and reads what it does not know', async ({
    expect,
  }) => {
    const releases = [
      { tag_name: 'v9.0.3', name: 'n'.repeat(releaseNameCharactersMax), body: 'c'.repeat(changelogCharactersMax) },
      {
        tag_name: 'v9.0.2',
        name: 'n'.repeat(releaseNameCharactersMax + 1),
        body: 'c'.repeat(changelogCharactersMax + 1),
        html_url: 'javascript:alert(1)',
        surprise: {},
      },
      { tag_name: 'v9.0.1', name: null, body: null, html_url: 'https://u:p@a.example', published_at: 'never' },
      'no release',
    ]
    await releaseHost({ content: JSON.stringify(releases) })

    const { body } = await check()

    const [whole, cut, bare] = body.new_releases
    expect([whole.name.length, whole.changelog.length]).toEqual([releaseNameCharactersMax, changelogCharactersMax])
    expect([cut.name.length, cut.changelog.length]).toEqual([releaseNameCharactersMax, changelogCharactersMax])
    expect([cut.name.at(-1), cut.changelog.at(-1), cut.url]).toEqual(['…', '…', ''])
    expect(bare).toEqual({ version: 'v9.0.1', name: 'v9.0.1', changelog: '', url: '', published_at: 0 })
  })

  test('says what runs while no list is set, and that nothing was looked at', async ({ expect }) => {
    for (const query of ['', '?include_prerelease=1']) {
      const { status, body } = await check(query)
      expect(status).toBe(200)
      expect(body).toEqual({
        current_version: '0.1.0',
        has_update: false,
        checked_at: 0,
        unchecked: 'not_set_up',
        new_releases: [],
      })
    }

    await releaseHost()
    expect((await check()).body).not.toHaveProperty('unchecked')
    await changeSetting(session, 'updates', { repository: '', api_address: '' })
    expect((await check()).body).toMatchObject({ unchecked: 'not_set_up', has_update: false, new_releases: [] })
  })

  test.for([
    ['expired', '拒绝了这个请求'],
    ['missing', '没有找到这个仓库'],
    ['throttled', '限制了访问频率'],
    ['down', '意外的 HTTP 状态 503'],
    ['broken', '不是预期的内容'],
    ['html', '不是预期的内容'],
    ['huge', '过大'],
    ['closing', '无法连接'],
  ] as const)(
    'answers 502 upstream without an earlier result when the list is %s',
    async ([mode, reason], { expect }) => {
      await releaseHost({ mode })

      const { status, body } = await check()

      expect(status).toBe(502)
      expect(body.error).toBe('upstream')
      expect(body.message).toContain(reason)
    },
  )

  test('goes nowhere that the list sends it, but within its own origin', async ({ expect }) => {
    for (const redirectTo of awayAddresses) {
      await releaseHost({ redirectTo: redirectTo.replace(/:(\d+)$/, ':$1/away') })
      expect((await check()).body.message, redirectTo).toContain('别的地址')
    }
    expect(await canaryVisits()).not.toContain('/away')

    const moved = new ServiceUnderTest('updates')
    await releaseHost({ redirectTo: `${moved.address}/repos/other/wharf/releases` })
    expect((await check()).status).toBe(200)
    const round = await releaseHost()
    await round.control({ redirectTo: `${round.address}/repos/owner/wharf/releases` })
    expect((await check()).body.message).toContain('别的地址')
    expect(await round.calls()).toHaveLength(4)
  })

  test('takes 1 and nothing else for include_prerelease', async ({ expect }) => {
    await releaseHost()

    for (const value of ['0', 'true', '2', '1&include_prerelease=1'])
      expect((await check(`?include_prerelease=${value}`)).body.error, value).toBe('invalid_argument')
    expect((await check('?include_prerelease=')).status).toBe(200)
  })

  test('goes through the proxy when one is set', async ({ expect }) => {
    const proxy = inject('standInProxy')
    const host = await releaseHost()
    await changeSetting(session, 'proxy', { proxy: proxy.address })

    expect((await check()).status).toBe(200)
    const passed = await (await fetch(`http://${proxy.host}/calls`)).json<string[]>()
    expect(passed.filter((call) => call.includes(`${host.address}/repos/`))).toHaveLength(1)
  })
})

describe('the list of releases', () => {
  const start = 1_795_000_000
  const listed = [{ tag_name: 'v9.0.0' }]
  let objects = 0

  /** `open` makes what a fresh object would make on the same storage. */
  async function inObject(
    run: (
      world: { asked: string[]; now: number; answer: Response | undefined },
      open: () => ReleaseList,
    ) => Promise<void>,
  ) {
    objects += 1
    const catalogues = env.CATALOGUE as DurableObjectNamespace<CatalogueHost>
    await runInDurableObject(catalogues.get(catalogues.idFromName(`releases-${objects}`)), async (_, { storage }) => {
      const world = { asked: [] as string[], now: start, answer: Response.json(listed) as Response | undefined }
      const open = () =>
        new ReleaseList(storage.sql, {
          nowMs: () => world.now * 1000,
          wait: () => Promise.resolve(),
          fetch: async (address) => {
            world.asked.push(address)
            if (world.answer === undefined) throw new Error('Network connection lost')
            return world.answer.clone()
          },
        })
      await run(world, open)
    })
  }

  const list = 'https://api.example/repos/a/b/releases'

  test('is good for a day, also after the object was evicted, and then asked again', async ({ expect }) => {
    await inObject(async (world, open) => {
      const first = await open().read(list, undefined)
      world.now = start + releaseSeconds - 1
      expect(await open().read(list, undefined)).toEqual(first)
      expect(world.asked).toHaveLength(1)

      world.now = start + releaseSeconds
      expect(await open().read(list, undefined)).toMatchObject({ ok: true, value: { checkedAtUnix: world.now } })
      expect(world.asked).toHaveLength(2)
    })
  })

  test('stays good beyond its day while it cannot be read, and is tried again after a while', async ({ expect }) => {
    await inObject(async (world, open) => {
      const releases = open()
      const first = await releases.read(list, undefined)
      world.answer = undefined
      world.now = start + releaseSeconds

      expect(await releases.read(list, undefined)).toEqual(first)
      world.now += releaseRetryMs / 1000 - 1
      expect(await releases.read(list, undefined)).toEqual(first)
      expect(world.asked).toHaveLength(2)

      world.now += 1
      world.answer = Response.json([{ tag_name: 'v10.0.0' }])
      expect(await releases.read(list, undefined)).toMatchObject({
        ok: true,
        value: { releases: [{ version: 'v10.0.0' }] },
      })
    })
  })

  test('says why while it was never read, without asking each time', async ({ expect }) => {
    await inObject(async (world, open) => {
      const releases = open()
      world.answer = undefined

      expect(await releases.read(list, undefined)).toEqual({ ok: false, failure: { kind: 'unreachable' } })
      expect(await releases.read(list, undefined)).toEqual({ ok: false, failure: { kind: 'unreachable' } })
      expect(world.asked).toHaveLength(1)
    })
  })

  test('of another address is another list', async ({ expect }) => {
    await inObject(async (world, open) => {
      const releases = open()
      await releases.read(list, undefined)
      world.answer = undefined

      expect((await releases.read(`${list}2`, undefined)).ok).toBe(false)
      expect((await releases.read(list, undefined)).ok).toBe(true)
    })
  })

  test('is kept for so many addresses, the newest', async ({ expect }) => {
    await inObject(async (world, open) => {
      const releases = open()
      for (let at = 0; at <= releaseListsMax; at += 1) {
        await releases.read(`${list}${at}`, undefined)
        world.now += 1
      }
      world.asked.length = 0
      await releases.read(`${list}1`, undefined)
      expect(world.asked).toEqual([])
      await releases.read(`${list}0`, undefined)
      expect(world.asked).toHaveLength(1)
    })
  })

  test('is read up to its bound', async ({ expect }) => {
    await inObject(async (world, open) => {
      world.answer = Response.json(Array.from({ length: releasesMax + 1 }, (_, at) => ({ tag_name: `v9.0.${at}` })))

      const read = await open().read(list, undefined)

      expect(read.ok && read.value.releases).toHaveLength(releasesMax)
    })
  })
})
