/** One suite for every site kind, against stand-ins in every skin and every state of disrepair. */
import { afterAll, describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteDriver, SiteRuntime } from '../../../workers/app/adapters/sites/site-driver.ts'
import type { SiteCredentials } from '../../../workers/app/core/site.ts'
import type { SiteKind } from '../../../workers/app/core/vocabulary.ts'
import { siteQueueMax, siteRedirectsMax } from '../../../workers/app/limits.ts'
import {
  type BrokenSkin,
  goodApiKey,
  goodCookie,
  standInFreeUntilUnix,
  standInTorrents,
  startStandInSites,
  torrentFile,
} from '../../support/stand-in-sites.ts'

const gib = 1024 ** 3
const nowMs = Math.floor(Date.now() / 1000) * 1000
const waits: number[] = []
const runtime: SiteRuntime = {
  bounds: { callMs: 2000, answerBytesMax: 4 * 1024 * 1024, queueMax: siteQueueMax },
  fetch: (address, init) => fetch(address, init),
  nowMs: () => nowMs,
  // Pauses are recorded, not waited for.
  wait: async (ms) => {
    waits.push(ms)
  },
}
const good: SiteCredentials = { cookie: goodCookie, apiKey: goodApiKey }

const sites = await startStandInSites()

afterAll(async () => {
  await sites.stop()
})

function driverOf(
  kind: SiteKind,
  skin: string,
  credentials = good,
  bounds: Partial<SiteRuntime['bounds']> = {},
): SiteDriver {
  return createSiteDriver(
    { kind, baseUrl: sites.address(kind, skin), credentials, profile: siteProfile(kind, {}) },
    { ...runtime, bounds: { ...runtime.bounds, ...bounds } },
  )
}

const signal = () => AbortSignal.timeout(8000)
const everything = { keyword: 'planet walk', categoryIds: [], freeOnly: false }

const skins: readonly (readonly [SiteKind, string])[] = [
  ['nexusphp', 'chinese'],
  ['nexusphp', 'english'],
  ['nexusphp', 'gbk'],
  ['mteam', 'ok'],
  ['mteam', 'numbers'],
  ['unit3d', 'ok'],
  ['unit3d', 'bytes'],
  ['gazelle', 'ok'],
  ['torznab', 'ok'],
]
const kinds = ['nexusphp', 'mteam', 'unit3d', 'gazelle', 'torznab'] as const

describe.each(skins)('%s in the skin %s', (kind, skin) => {
  test('finds torrents with their figures', async ({ expect }) => {
    const found = await driverOf(kind, skin).search(everything, signal())

    if (!found.ok) throw new Error(JSON.stringify(found))
    const [first, second] = standInTorrents
    expect(found.value.map(({ torrentId }) => torrentId)).toEqual([String(first?.id), String(second?.id)])
    expect(found.value[0]).toMatchObject({
      title: first?.title,
      sizeBytes: 4.5 * gib,
      seeders: 120,
      leechers: 7,
      uploadedAtUnix: Date.UTC(2026, 10, 20, 2) / 1000,
      discount: 'FREE',
    })
    expect(found.value[1]).toMatchObject({ sizeBytes: 20 * gib, seeders: 3, leechers: 0, discount: 'NONE' })
    if (skin !== 'english') expect(found.value[0]).toMatchObject({ snatched: 310 })
    if (kind === 'nexusphp') {
      expect(found.value[0]).toMatchObject({
        subtitle: '星球漫步',
        tags: ['官方'],
        hasHr: true,
        discountEndAtUnix: standInFreeUntilUnix,
      })
      expect(found.value[1]?.hasHr).toBe(false)
    }
  })

  test('finds nothing where there is nothing', async ({ expect }) => {
    const found = await driverOf(kind, skin).search({ ...everything, keyword: 'no such thing' }, signal())

    expect(found).toEqual({ ok: true, value: [] })
  })

  test('lists its newest where no word is asked for', async ({ expect }) => {
    const found = await driverOf(kind, skin).search({ ...everything, keyword: '' }, signal())

    if (!found.ok) throw new Error(JSON.stringify(found))
    expect(found.value.map(({ torrentId }) => torrentId)).toEqual(standInTorrents.map(({ id }) => String(id)))
  })

  test('asks for free torrents only', async ({ expect }) => {
    const found = await driverOf(kind, skin).search({ ...everything, freeOnly: true }, signal())

    if (!found.ok) throw new Error(JSON.stringify(found))
    // A feed has no such filter; what it finds besides is left out later.
    expect(found.value.filter(({ discount }) => discount === 'FREE')).toHaveLength(1)
    expect(found.value).toHaveLength(kind === 'torznab' ? 2 : 1)
  })

  test('reads the account', async ({ expect }) => {
    const reading = await driverOf(kind, skin).read(signal())

    if (!reading.ok) throw new Error(JSON.stringify(reading))
    if (kind === 'torznab') return expect(reading.value).toEqual({})
    expect(reading.value.user).toMatchObject({
      username: 'walker',
      ratio: 5,
      seeding: 42,
      leeching: 3,
      ...(kind === 'gazelle' ? {} : { bonus: 1234.5 }),
      ...(kind === 'unit3d' ? {} : { unreadMessages: 2 }),
      ...(kind === 'nexusphp' || kind === 'mteam' ? { seedingSizeBytes: 2.5 * 1024 ** 4, bonusPerHour: 34.567 } : {}),
      ...(kind === 'nexusphp' || kind === 'unit3d' ? { hnrUnsatisfied: 1 } : {}),
    })
    // Pages for people round to thousandths of the unit.
    const { uploadedBytes = 0, downloadedBytes = 0 } = reading.value.user ?? {}
    expect(Math.abs(uploadedBytes / (5000 * gib) - 1)).toBeLessThan(0.001)
    expect(Math.abs(downloadedBytes / (1000 * gib) - 1)).toBeLessThan(0.001)
  })

  test('knows when the owner was last there, or says nothing', async ({ expect }) => {
    const reading = await driverOf(kind, skin).read(signal())

    // By the site's own clock, six and a half of them.
    const sixDaysAgo = Date.now() / 1000 - 6.5 * 86_400
    const known = {
      nexusphp: nowMs / 1000,
      mteam: expect.closeTo(sixDaysAgo, -3),
      gazelle: expect.closeTo(sixDaysAgo, -3),
      unit3d: undefined,
      torznab: undefined,
      cardigann: undefined,
    }
    expect(reading.ok && reading.value.lastActiveAtUnix).toEqual(known[kind])
  })

  test('proves the credentials with one call', async ({ expect }) => {
    expect((await driverOf(kind, skin).probe(signal())).ok).toBe(true)
  })

  test('fetches the torrent file that a search found', async ({ expect }) => {
    const driver = driverOf(kind, skin)
    const found = await driver.search(everything, signal())
    const first = found.ok ? found.value[0] : undefined

    const fetched = await driver.download(first?.torrentId ?? '', first?.downloadKey, signal())

    expect(fetched.ok && Buffer.from(fetched.value).equals(torrentFile)).toBe(true)
  })

  test('tells a wrong credential from everything else', async ({ expect }) => {
    const driver = driverOf(kind, skin, { cookie: 'c_secure_pass=wrong', apiKey: 'wrong' })

    for (const outcome of [
      await driver.probe(signal()),
      await driver.read(signal()),
      await driver.search(everything, signal()),
    ]) {
      expect(outcome).toEqual({ ok: false, failure: { kind: 'login_expired' } })
    }
  })
})

const faults: Readonly<Record<BrokenSkin, readonly string[]>> = {
  expired: ['login_expired'],
  challenge: ['challenge'],
  throttled: ['rate_limited'],
  huge: ['too_large'],
  half: ['broken'],
  other: ['broken'],
  away: ['redirected'],
  closing: ['unreachable'],
}

describe('an account whose site lets downloads off', () => {
  test.each(['moved', 'moved-english'])('has what is billed, not what was moved (%s)', async (skin) => {
    const reading = await driverOf('nexusphp', skin).read(signal())

    const user = reading.ok ? reading.value.user : undefined
    const uploadedGib = Math.round((user?.uploadedBytes ?? 0) / gib)
    if (user?.downloadedBytes !== 1000 * gib || uploadedGib !== 5000) throw new Error(JSON.stringify(reading))
  })
})

describe.each(kinds)('a site of the kind %s', (kind) => {
  test.each(Object.entries(faults))('that is %s is told apart, in every operation', async (skin, expected) => {
    const driver = driverOf(kind, skin)
    for (const outcome of [
      await driver.probe(signal()),
      await driver.read(signal()),
      await driver.search(everything, signal()),
    ]) {
      if (outcome.ok || !expected.includes(outcome.failure.kind)) throw new Error(JSON.stringify(outcome))
    }
  })

  test('that does not answer is given up in time', async ({ expect }) => {
    const state = sites.state(kind, 'slow')
    state.hold = true
    const outcome = await driverOf(kind, 'slow', good, { callMs: 150 }).probe(signal())
    state.hold = false
    for (const release of state.held.splice(0)) release()

    expect(outcome).toEqual({ ok: false, failure: { kind: 'timeout' } })
  })

  test('never hands on a page in place of a torrent file', async ({ expect }) => {
    const outcome = await driverOf(kind, 'other').download('101', undefined, signal())

    expect(outcome.ok).toBe(false)
  })
})

describe('signing in', () => {
  test('is told from having signed in already', async ({ expect }) => {
    sites.state('nexusphp', 'chinese').signIns = 0
    const driver = driverOf('nexusphp', 'chinese')

    expect(await driver.signIn(signal())).toEqual({
      ok: true,
      value: { status: 'signed', reason: { kind: 'sign_in.done' } },
    })
    expect(await driver.signIn(signal())).toMatchObject({ ok: true, value: { status: 'already' } })
  })

  test('works in English and in another encoding', async ({ expect }) => {
    for (const skin of ['english', 'gbk']) {
      const driver = driverOf('nexusphp', skin)
      expect(await driver.signIn(signal())).toMatchObject({ ok: true, value: { status: 'signed' } })
      expect(await driver.signIn(signal())).toMatchObject({ ok: true, value: { status: 'already' } })
    }
  })

  test('is unsupported where a person has to read a picture', async ({ expect }) => {
    expect(await driverOf('nexusphp', 'captcha').signIn(signal())).toMatchObject({
      ok: true,
      value: { status: 'unsupported' },
    })
  })

  test('fails on a page that says neither', async ({ expect }) => {
    sites.state('nexusphp', 'failing').failures = 1

    expect(await driverOf('nexusphp', 'failing').signIn(signal())).toEqual({
      ok: false,
      failure: { kind: 'broken', part: 'sign_in' },
    })
  })

  test.each(kinds.filter((kind) => kind !== 'nexusphp'))('does not exist for %s', async (kind) => {
    const outcome = await driverOf(kind, 'ok').signIn(signal())
    if (outcome.ok || outcome.failure.kind !== 'unsupported') throw new Error(JSON.stringify(outcome))
  })
})

describe('the door to a site', () => {
  test('keeps the pause between two calls', async ({ expect }) => {
    waits.length = 0

    await driverOf('mteam', 'ok').read(signal())

    // Four calls, three pauses; the clock stands still, so each is whole.
    expect(waits).toEqual([1000, 1000, 1000])
  })

  test('lets one call in at a time', async ({ expect }) => {
    const state = sites.state('unit3d', 'queue')
    state.calls = []
    state.hold = true
    const driver = driverOf('unit3d', 'queue')
    const both = [driver.probe(signal()), driver.probe(signal())]
    await expect.poll(() => state.held.length).toBe(1)

    expect(state.calls).toEqual(['GET api/user'])
    state.hold = false
    for (const release of state.held.splice(0)) release()
    expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, true])
    expect(state.calls).toHaveLength(2)
  })

  test('does not keep a visit that is over, nor send its call', async ({ expect }) => {
    const state = sites.state('unit3d', 'behind')
    state.hold = true
    const driver = driverOf('unit3d', 'behind')
    const first = driver.probe(signal())
    await expect.poll(() => state.held.length).toBe(1)

    const second = await driver.probe(AbortSignal.timeout(50))
    state.hold = false
    for (const release of state.held.splice(0)) release()

    expect(second).toEqual({ ok: false, failure: { kind: 'timeout' } })
    expect((await first).ok).toBe(true)
    expect((await driver.probe(signal())).ok).toBe(true)
    expect(state.calls).toHaveLength(2)
  })

  test('is busy beyond its queue', async ({ expect }) => {
    const state = sites.state('unit3d', 'full')
    state.hold = true
    const driver = driverOf('unit3d', 'full', good, { queueMax: 2 })
    const waiting = [driver.probe(signal()), driver.probe(signal())]

    expect(await driver.probe(signal())).toEqual({ ok: false, failure: { kind: 'busy' } })
    await expect.poll(() => state.held.length).toBe(1)
    state.hold = false
    for (const release of state.held.splice(0)) release()
    expect((await Promise.all(waiting)).map(({ ok }) => ok)).toEqual([true, true])
  })

  test('answers of exactly the bound are read, one byte more is too much', async ({ expect }) => {
    const body = '<html></html>'.padStart(1024, ' ')
    const answering = (bytesMax: number) =>
      createSiteDriver(
        { kind: 'nexusphp', baseUrl: 'http://a.invalid', credentials: good, profile: siteProfile('nexusphp', {}) },
        { ...runtime, bounds: { ...runtime.bounds, answerBytesMax: bytesMax }, fetch: async () => new Response(body) },
      ).probe(signal())

    expect(await answering(1024)).toMatchObject({ failure: { kind: 'broken' } })
    expect(await answering(1023)).toEqual({ ok: false, failure: { kind: 'too_large' } })
  })

  test.each([
    ['another host', 'http://b.invalid/x'],
    ['another port', 'http://a.invalid:81/x'],
    ['a user in the address', 'http://u:p@a.invalid/x'],
    ['another scheme', 'ftp://a.invalid/x'],
    ['the metadata service', 'http://169.254.169.254/latest'],
    ['nothing readable', 'http://'],
  ])('does not follow a redirect to %s, and sends it nothing', async (_, location) => {
    const asked: string[] = []
    const outcome = await createSiteDriver(
      { kind: 'unit3d', baseUrl: 'http://a.invalid', credentials: good, profile: siteProfile('unit3d', {}) },
      {
        ...runtime,
        fetch: async (address) => {
          asked.push(address)
          return new Response(null, { status: 302, headers: { location } })
        },
      },
    ).probe(signal())

    if (outcome.ok || outcome.failure.kind !== 'redirected' || asked.length !== 1) {
      throw new Error(JSON.stringify({ outcome, asked }))
    }
  })

  test('follows redirects on the site, and to its https, up to the bound', async ({ expect }) => {
    const through = (hops: number) => {
      let left = hops
      return createSiteDriver(
        { kind: 'unit3d', baseUrl: 'http://a.invalid', credentials: good, profile: siteProfile('unit3d', {}) },
        {
          ...runtime,
          fetch: async () => {
            left -= 1
            return left < 0
              ? Response.json({ username: 'walker' })
              : new Response(null, { status: 301, headers: { location: 'https://a.invalid/api/user' } })
          },
        },
      ).probe(signal())
    }

    expect((await through(siteRedirectsMax)).ok || (await through(siteRedirectsMax))).toBe(true)
    expect(await through(siteRedirectsMax + 1)).toEqual({ ok: false, failure: { kind: 'redirected' } })
  })

  test('https is never given up', async ({ expect }) => {
    const outcome = await createSiteDriver(
      { kind: 'unit3d', baseUrl: 'https://a.invalid', credentials: good, profile: siteProfile('unit3d', {}) },
      {
        ...runtime,
        fetch: async () => new Response(null, { status: 302, headers: { location: 'http://a.invalid/api/user' } }),
      },
    ).probe(signal())

    expect(outcome).toEqual({ ok: false, failure: { kind: 'redirected' } })
  })
})
