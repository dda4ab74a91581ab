/**
 * Accounts and files of two programs, field by field; their lists are in `site-apis.test.ts`. UNIT3D: HDInnovations/UNIT3D
 * at 8b88f4c8 (`app/Http/Resources/UserResource.php`). Gazelle: WhatCD/Gazelle (`sections/ajax/{info,user,browse}.php`) and OPSnet/Gazelle at 71b45155
 * (`sections/ajax/{index,info,browse}.php`, `sections/torrents/download.php`). Names of fields are theirs.
 */
import { describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteCredentials } from '../../../workers/app/core/site.ts'
import { judgedUser } from '../../../workers/app/core/site-figures.ts'
import { siteRuntime } from '../../support/site-runtime.ts'

type Answers = (path: string, query: URLSearchParams, headers: Headers) => unknown

function siteOf(
  kind: 'unit3d' | 'gazelle',
  answers: Answers,
  credentials: SiteCredentials = { cookie: '', apiKey: 'k' },
) {
  return createSiteDriver(
    { kind, baseUrl: 'https://site.example', credentials, profile: siteProfile(kind, { request_interval_ms: 0 }) },
    siteRuntime(async (address, init) => {
      const { pathname, searchParams } = new URL(address)
      const told = answers(pathname.slice(1), searchParams, new Headers(init.headers))
      return told instanceof Response ? told : Response.json(told)
    }),
  )
}
const signal = () => AbortSignal.timeout(5000)

async function figuresOf(driver: ReturnType<typeof siteOf>) {
  const reading = await driver.read(signal())
  if (!reading.ok || reading.value.user === undefined) throw new Error(JSON.stringify(reading))
  const { sources: _, ...figures } = judgedUser(reading.value.user)
  return figures
}

describe('the account of UNIT3D', () => {
  const told = {
    username: 'walker',
    group: 'PowerUser',
    uploaded: '12.5 TiB',
    downloaded: '2.25 TiB',
    ratio: '5.56',
    buffer: '10.25 TiB',
    seeding: 42,
    leeching: 3,
    seedbonus: '345678.90',
    hit_and_runs: 1,
  }

  test('has all figures, and no number of messages, which the interface lacks', async ({ expect }) => {
    expect(await figuresOf(siteOf('unit3d', () => told))).toEqual({
      username: 'walker',
      level: 'PowerUser',
      uploadedBytes: 12.5 * 1024 ** 4,
      downloadedBytes: 2.25 * 1024 ** 4,
      ratio: 5.56,
      bonus: 345_678.9,
      seeding: 42,
      leeching: 3,
      hnrUnsatisfied: 1,
    })
  })

  test.for([
    ['a ratio without end', { ratio: '∞', downloaded: '0 B' }, 'ratio'],
    ['an amount in other words', { uploaded: 'plenty' }, 'uploadedBytes'],
    ['a bonus that is none', { seedbonus: null }, 'bonus'],
    // As a server writes it whose language has commas for points.
    ['a bonus that may be hundreds', { seedbonus: '345,67' }, 'bonus'],
    ['more than a number holds', { uploaded: '900.00 PiB' }, 'uploadedBytes'],
    ['no count of seeds', { seeding: undefined }, 'seeding'],
  ] as const)('with %s lacks that figure and keeps the others', async ([, other, figure], { expect }) => {
    const figures = await figuresOf(siteOf('unit3d', () => ({ ...told, ...other })))

    expect(figures).not.toHaveProperty(figure)
    expect(figures).toMatchObject({ level: 'PowerUser', leeching: 3, hnrUnsatisfied: 1 })
  })
})

const old = { uploaded: 5_368_709_120, downloaded: 1_073_741_824, ratio: 5, requiredratio: 0.6, class: 'Power User' }
const gazelle =
  (userstats: object): Answers =>
  (path, query) => {
    if (path !== 'ajax.php') return new Response('', { status: 404 })
    if (query.get('action') === 'index')
      return {
        status: 'success',
        response: {
          username: 'walker',
          id: 7,
          authkey: 'AuthKey',
          passkey: 'PassKey',
          notifications: { messages: 2, notifications: 9, newAnnouncement: false },
          userstats,
        },
      }
    return {
      status: 'success',
      response: {
        stats: { joinedDate: '2019-03-04 05:06:07', lastAccess: '2026-11-20 01:00:00' },
        community: { seeding: 42, leeching: 3 },
      },
    }
  }

describe('the account of Gazelle', () => {
  test('of the first fork has no bonus', async ({ expect }) => {
    expect(await figuresOf(siteOf('gazelle', gazelle(old)))).toEqual({
      username: 'walker',
      level: 'Power User',
      uploadedBytes: 5_368_709_120,
      downloadedBytes: 1_073_741_824,
      ratio: 5,
      seeding: 42,
      leeching: 3,
      unreadMessages: 2,
      joinedAtUnix: Date.UTC(2019, 2, 4, 5, 6, 7) / 1000,
    })
  })

  test('of the second has one, and what an hour brings', async ({ expect }) => {
    const figures = await figuresOf(
      siteOf('gazelle', gazelle({ ...old, bonusPoints: 1234, bonusPointsPerHour: 12.34 })),
    )

    expect(figures).toMatchObject({ bonus: 1234, bonusPerHour: 12.34 })
  })

  // The software tells what cannot be divided as 0 or -1.
  test.for([
    [0, 0, 0],
    [5_368_709_120, 0, -1],
  ] as const)('has no ratio of %i by %i, told as %i', async ([uploaded, downloaded, ratio], { expect }) => {
    const figures = await figuresOf(siteOf('gazelle', gazelle({ ...old, uploaded, downloaded, ratio })))

    expect(figures).not.toHaveProperty('ratio')
    expect(figures).not.toHaveProperty('doubts')
  })
})

describe('a torrent file of Gazelle', () => {
  const file = () => new Response('d4:infod4:name1:xee', { headers: { 'content-type': 'application/x-bittorrent' } })
  const answers: Answers = (path, query, headers) => {
    if (query.get('action') !== 'download') return gazelle(old)(path, query, headers)
    if (path === 'ajax.php')
      return headers.get('authorization') === null
        ? { status: 'failure', error: 'This page requires an api token' }
        : file()
    const isKeyed = query.get('authkey') === 'AuthKey' && query.get('torrent_pass') === 'PassKey'
    return isKeyed && query.get('id') === '5' ? file() : new Response('', { status: 403 })
  }

  test.for([
    ['a key', { cookie: '', apiKey: 'k' }],
    ['a cookie', { cookie: 'session=1', apiKey: '' }],
  ] as const)('is taken by who has %s', async ([, credentials], { expect }) => {
    expect((await siteOf('gazelle', answers, credentials).download('5', undefined, signal())).ok).toBe(true)
  })

  // It writes `1,234.56` and takes it for a number again, up to the comma.
  test.for([
    [1_073_741_824_000, 1_073_741_824, 1, 1000],
    [52_428_800_000 * 2, 50_000_000, 2, 2097.152],
    [1_073_740_000_000, 1_073_741_824, 999.99, 999.99],
  ] as const)('tells %i by %i, told as %d, as %d', async ([uploaded, downloaded, ratio, told], { expect }) => {
    const figures = await figuresOf(siteOf('gazelle', gazelle({ ...old, uploaded, downloaded, ratio })))

    expect(figures).toMatchObject({ ratio: told })
    expect(figures).not.toHaveProperty('doubts')
  })
})
