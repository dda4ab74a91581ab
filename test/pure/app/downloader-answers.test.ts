/** What the drivers make of answers: recorded ones, foreign ones, damaged ones, too long ones and none. */

import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { DriverRuntime } from '../../../workers/app/adapters/downloaders/downloader-driver.ts'
import { createDriver } from '../../../workers/app/adapters/downloaders/live-downloader.ts'
import type { DownloaderFault } from '../../../workers/app/core/downloader-fault.ts'
import { inChinese } from '../../../workers/app/core/reason/chinese.ts'
import { downloaderReason } from '../../../workers/app/core/reason/of-fault.ts'
import type { DownloaderKind } from '../../../workers/app/core/vocabulary.ts'
import { downloaderKinds } from '../../../workers/app/core/vocabulary.ts'
import {
  foldersUpMax,
  qbittorrentSpaceLookMs,
  trackerLookMs,
  transmissionDeltaMs,
  transmissionResyncMs,
} from '../../../workers/app/limits.ts'
import { type RecordedCall, recorded } from '../../support/recorded-answers.ts'

const settings = (kind: DownloaderKind) => ({
  kind,
  baseUrl: 'http://downloader.test:8080',
  username: 'owner',
  password: 'the password',
})
const bounds = { callMs: 1000, operationMs: 2000, stalenessMs: 2000, answerBytesMax: 100_000 }

function runtimeThat(
  answer: (address: string, init: RequestInit) => Response | Promise<Response>,
  change: Partial<DriverRuntime> = {},
): DriverRuntime {
  return {
    bounds,
    nowMs: () => 0,
    wait: async () => {},
    fetch: async (address, init) => answer(address, init),
    ...change,
  }
}

const never = (): AbortSignal => new AbortController().signal

async function faultOf(kind: DownloaderKind, runtime: DriverRuntime): Promise<DownloaderFault | undefined> {
  const reading = await createDriver(settings(kind), runtime).read(never())
  return reading.ok ? undefined : reading.failure
}

const recordings = [
  ['qbittorrent', 'qbittorrent-4.5.2', '4.5.2'],
  ['qbittorrent', 'qbittorrent-5.1.0', '5.1.0'],
  ['transmission', 'transmission-3.00', '3.00'],
  ['transmission', 'transmission-4.1.0-beta.2', '4.1.0-beta.2'],
] as const

/** What a call is about, whatever order calls made at one time came in. */
function subjectOf(method: string | undefined, asked: string, sent: unknown): string {
  const remote = /"method":"([^"]+)"/.exec(typeof sent === 'string' ? sent : '')
  return `${method} ${asked} ${remote?.[1] ?? ''}`
}

/** Plays a recording back to a driver that asks what was asked when it was made; anything else is not there. */
function playback(calls: readonly RecordedCall[], change: (text: string) => string = (text) => text): DriverRuntime {
  const left = [...calls]
  return runtimeThat((address, init) => {
    const subject = subjectOf(init.method, address.replace('http://downloader.test:8080', ''), init.body)
    const index = left.findIndex((call) => subjectOf(call.method, call.path, call.sent) === subject)
    const [call] = index === -1 ? [] : left.splice(index, 1)
    if (call === undefined) return new Response('not recorded', { status: 404 })
    return new Response(change(call.answer), { status: call.status, headers: call.headers })
  })
}

describe.each(recordings)('a recorded %s (%s)', (kind, name, version) => {
  test('is understood: its list, what changed, its version and figures', async ({ expect }) => {
    const driver = createDriver(settings(kind), playback(recorded(name)))

    const first = await driver.read(never())
    const second = await driver.read(never())

    expect(first).toMatchObject({ ok: true, value: { changes: { kind: 'full' }, status: { version } } })
    const torrents = first.ok && first.value.changes.kind === 'full' ? first.value.changes.torrents : []
    expect(torrents.map(({ title }) => title).sort()).toEqual(['Sample With Data.bin', 'Sample Without Data.bin'])
    expect(torrents.map(({ state }) => state).sort()).toEqual(['downloading', 'seeding'])
    expect(first.ok && first.value.status.freeSpaceBytes).toBeGreaterThan(0)
    expect(second).toMatchObject({ ok: true, value: { changes: { kind: 'delta' } } })
  })

  test('never throws on an answer of its own that was damaged', async ({ expect }) => {
    const calls = recorded(name)
    const edits = fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        length: fc.integer({ min: 0, max: 40 }),
        insert: fc.oneof(
          fc.constantFrom('', '{', '}', '[', ']', '"', 'null', '-1', '1e999', 'true', '[]', '{}', '"__proto__":'),
          fc.string({ maxLength: 6 }),
        ),
      }),
      { minLength: 1, maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(edits, fc.nat({ max: 8 }), async (changes, spared) => {
        let seen = 0
        const damage = (text: string): string => {
          if (seen++ < spared) return text
          return changes.reduce((edited, { at, length, insert }) => {
            const start = Math.floor(at * edited.length)
            return edited.slice(0, start) + insert + edited.slice(start + length)
          }, text)
        }
        const driver = createDriver(settings(kind), playback(calls, damage))
        for (let round = 0; round < 3; round++) {
          const reading = await driver.read(never())
          if (!reading.ok) expect(inChinese(downloaderReason(reading.failure, kind))).toMatch(/[\u4e00-\u9fff]/)
        }
      }),
      { numRuns: 400 },
    )
  })
})

test.for([
  ['before', qbittorrentSpaceLookMs - 1, undefined],
  ['after', qbittorrentSpaceLookMs, 0],
] as const)('qBittorrent’s 0 bytes are no answer %s it has looked at its disk', async ([, atMs, bytes], { expect }) => {
  let nowMs = 0
  const full = (text: string) => text.replace(/"free_space_on_disk":\s?\d+/, '"free_space_on_disk":0')
  const driver = createDriver(settings('qbittorrent'), {
    ...playback(recorded('qbittorrent-4.5.2'), full),
    nowMs: () => nowMs,
  })
  const first = await driver.read(never())
  nowMs = atMs
  const second = await driver.read(never())

  expect(first.ok && first.value.status.freeSpaceBytes).toBe(undefined)
  expect(second.ok && second.value.status.freeSpaceBytes).toBe(bytes)
})

test('trackers are looked at a few at a time, first of those that get nothing, and news alone is a change', async ({
  expect,
}) => {
  let nowMs = 1_000_000
  const hashOf = (letter: string) => letter.repeat(40)
  const torrents = Object.fromEntries(
    [...'abcdef'].map((letter) => [
      hashOf(letter),
      { name: letter, state: letter === 'f' ? 'stalledDL' : 'stalledUP' },
    ]),
  )
  const looked: string[] = []
  const answers: Readonly<Record<string, () => Response>> = {
    '/api/v2/auth/login': () => new Response('Ok.'),
    '/api/v2/app/webapiVersion': () => new Response('2.8.19'),
    '/api/v2/app/version': () => new Response('v4.5.2'),
  }
  const runtime = runtimeThat(
    (address) => {
      const { pathname, searchParams } = new URL(address)
      if (pathname === '/api/v2/sync/maindata')
        return Response.json(
          searchParams.get('rid') === '0' ? { rid: 1, full_update: true, torrents, server_state: {} } : { rid: 2 },
        )
      if (pathname !== '/api/v2/torrents/trackers') return answers[pathname]?.() ?? new Response('', { status: 404 })
      looked.push(searchParams.get('hash')?.[0] ?? '')
      return Response.json([{ url: 'https://tracker.example/announce', status: 4, msg: 'unregistered' }])
    },
    { nowMs: () => nowMs },
  )
  const driver = createDriver(settings('qbittorrent'), runtime)
  const changed = async () => {
    const reading = await driver.read(never())
    if (!reading.ok) throw new Error(JSON.stringify(reading.failure))
    const { changes } = reading.value
    return (changes.kind === 'full' ? changes.torrents : changes.changed)
      .filter(({ condition }) => condition?.kind === 'tracker_error')
      .map(({ title }) => title)
      .sort()
      .join('')
  }
  const looks = () => looked.splice(0).sort().join('')

  expect([await changed(), looks()]).toEqual(['abcf', 'abcf'])
  expect([await changed(), looks()]).toEqual(['de', 'de'])
  expect([await changed(), looks()]).toEqual(['', ''])
  nowMs += trackerLookMs.stalled
  // It says what it said before.
  expect([await changed(), looks()]).toEqual(['', 'f'])
  nowMs += trackerLookMs.seeding
  expect([await changed(), looks()]).toEqual(['', 'abcf'])
  expect([await changed(), looks()]).toEqual(['', 'de'])
})

const page = '<!doctype html><title>Sign in</title><form action="/login?token=secret">'

describe('what is not the program that was configured', () => {
  test.for<[string, () => Response, DownloaderFault]>([
    ['a sign-in page served with 200', () => new Response(page), { kind: 'not_this_kind' }],
    ['an empty answer', () => new Response(''), { kind: 'not_this_kind' }],
    ['JSON of somebody else', () => Response.json({ status: 'fine' }), { kind: 'not_this_kind' }],
    ['a missing page', () => new Response(page, { status: 404 }), { kind: 'not_this_kind' }],
    ['a method it does not know', () => new Response(page, { status: 405 }), { kind: 'not_this_kind' }],
    ['a server that only reads', () => new Response(page, { status: 501 }), { kind: 'not_this_kind' }],
    [
      'a redirect, which is not followed',
      () => new Response(null, { status: 302, headers: { location: 'http://elsewhere.test/' } }),
      { kind: 'status', status: 302 },
    ],
    ['a proxy whose daemon is gone', () => new Response(page, { status: 502 }), { kind: 'status', status: 502 }],
  ])('%s', async ([, answer, fault], { expect }) => {
    for (const kind of downloaderKinds) {
      // rTorrent is always behind a web server, which says so when it is gone.
      const isGone = kind === 'rtorrent' && fault.kind === 'status' && fault.status === 502
      expect(await faultOf(kind, runtimeThat(answer)), kind).toEqual(isGone ? { kind: 'unreachable' } : fault)
    }
  })

  test('a list that turns into a sign-in page is a failure and not an empty list', async ({ expect }) => {
    const calls = recorded('qbittorrent-5.1.0').map((call) =>
      call.path.includes('maindata') ? { ...call, answer: page } : call,
    )

    expect(await faultOf('qbittorrent', playback(calls))).toEqual({ kind: 'not_this_kind' })
  })
})

describe('a network that fails', () => {
  const failing = (error: Error) => runtimeThat(() => Promise.reject(error))
  test.for<[string, Error, DownloaderFault]>([
    [
      'a closed port',
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      { kind: 'unreachable' },
    ],
    ['a lost connection', new Error('Network connection lost.'), { kind: 'unreachable' }],
    ['an unknown name', new Error('DNS lookup failed.'), { kind: 'unreachable' }],
    [
      'a certificate of its own',
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      }),
      { kind: 'certificate' },
    ],
    [
      'a certificate the runtime does not trust',
      new Error("TLS peer's certificate is not trusted; reason = unable to get local issuer certificate"),
      { kind: 'certificate' },
    ],
  ])('%s', async ([, error, fault], { expect }) => {
    for (const kind of downloaderKinds) expect(await faultOf(kind, failing(error))).toEqual(fault)
  })

  test('an error the runtime does not explain is one of the certificate only on a secure address', async ({
    expect,
  }) => {
    const unexplained = failing(new Error('internal error; reference = 0123456789abcdef'))
    for (const [scheme, fault] of [
      ['https', 'certificate'],
      ['http', 'unreachable'],
    ]) {
      const driver = createDriver({ ...settings('transmission'), baseUrl: `${scheme}://downloader.test` }, unexplained)
      expect(await driver.read(never())).toEqual({ ok: false, failure: { kind: fault } })
    }
  })

  test('an answer that never comes, or never ends, costs the time limit', async ({ expect }) => {
    const quick = { bounds: { ...bounds, callMs: 50 } }
    const silent = runtimeThat(
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      quick,
    )
    const dripping = runtimeThat(() => {
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 10))
          controller.enqueue(new Uint8Array([32]))
        },
      })
      return new Response(body)
    }, quick)

    for (const kind of downloaderKinds) {
      expect(await faultOf(kind, silent)).toEqual({ kind: 'timeout' })
      expect(await faultOf(kind, dripping)).toEqual({ kind: 'timeout' })
    }
  })
})

test('an answer as long as allowed is read, one byte more is refused', async ({ expect }) => {
  const calls = recorded('qbittorrent-5.1.0')
  const longest = Math.max(...calls.slice(0, 4).map(({ answer }) => new TextEncoder().encode(answer).length))
  const within = (answerBytesMax: number) => ({ ...playback(calls), bounds: { ...bounds, answerBytesMax } })

  expect(await faultOf('qbittorrent', within(longest))).toBeUndefined()
  expect(await faultOf('qbittorrent', within(longest - 1))).toEqual({ kind: 'too_large' })
})

describe('signing in to qBittorrent', () => {
  const login = (response: () => Response) =>
    runtimeThat((address) =>
      address.endsWith('/auth/login') ? response() : new Response('Forbidden', { status: 403 }),
    )
  test.for<[string, () => Response, DownloaderFault]>([
    ['a wrong password up to 5.1', () => new Response('Fails.'), { kind: 'credentials' }],
    ['a wrong password from 5.2', () => new Response(null, { status: 401 }), { kind: 'credentials' }],
    ['a banned address', () => new Response('Your IP address has been banned', { status: 403 }), { kind: 'banned' }],
    [
      'a proxy that wants its own password',
      () => new Response(null, { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }),
      { kind: 'not_this_kind' },
    ],
  ])('%s', async ([, response, fault], { expect }) => {
    expect(await faultOf('qbittorrent', login(response))).toEqual(fault)
  })

  test('an expired sign-in is renewed once, and the list is read whole again', async ({ expect }) => {
    let cookie = 0
    const asked: string[] = []
    const runtime = runtimeThat((address, init) => {
      const name = address.split('/api/v2/')[1] ?? ''
      asked.push(name)
      if (name === 'auth/login')
        return new Response(null, { status: 204, headers: { 'set-cookie': `QBT_SID_8080=a=${++cookie}; path=/` } })
      if (new Headers(init.headers).get('cookie') !== `QBT_SID_8080=a=${cookie}`)
        return new Response('', { status: 403 })
      if (name === 'app/webapiVersion') return new Response('2.14.1')
      if (name === 'app/version') return new Response('v5.2.0')
      return Response.json({ rid: 1, full_update: true, torrents: { ['a'.repeat(40)]: { name: 'One' } } })
    })
    const driver = createDriver(settings('qbittorrent'), runtime)
    await driver.read(never())
    cookie = 41

    const reading = await driver.read(never())

    expect(reading).toMatchObject({ ok: true, value: { changes: { kind: 'full' } } })
    expect(asked.filter((name) => name === 'auth/login')).toHaveLength(2)
  })

  test('an API key goes with every call and nothing is signed in', async ({ expect }) => {
    const asked: (string | null)[] = []
    const runtime = runtimeThat((address, init) => {
      const name = address.split('/api/v2/')[1] ?? ''
      asked.push(`${name.split('?')[0]} ${new Headers(init.headers).get('authorization')}`)
      if (name === 'app/webapiVersion') return new Response('2.14.1')
      if (name === 'app/version') return new Response('v5.2.0')
      return Response.json({ rid: 1, full_update: true })
    })

    const reading = await createDriver({ ...settings('qbittorrent'), username: '', password: 'qbt_key' }, runtime).read(
      never(),
    )

    expect(reading.ok).toBe(true)
    expect(asked).toEqual([
      'app/webapiVersion Bearer qbt_key',
      'app/version Bearer qbt_key',
      'sync/maindata Bearer qbt_key',
    ])
  })
})

describe('reading qBittorrent in parts', () => {
  const hash = 'a'.repeat(40)
  const other = 'b'.repeat(40)

  function answering(...lists: readonly unknown[]): { runtime: DriverRuntime; asked: string[] } {
    const asked: string[] = []
    const runtime = runtimeThat((address) => {
      const name = address.split('/api/v2/')[1] ?? ''
      if (name === 'auth/login') return new Response('Ok.', { headers: { 'set-cookie': 'SID=one; path=/' } })
      if (name === 'app/webapiVersion') return new Response('2.8.19')
      if (name === 'app/version') return new Response('v4.5.2')
      asked.push(name)
      return Response.json(lists[asked.length - 1])
    })
    return { runtime, asked }
  }

  test('fields that did not change stay, and each read goes on from the one before', async ({ expect }) => {
    const { runtime, asked } = answering(
      { rid: 5, full_update: true, torrents: { [hash]: { name: 'One', state: 'uploading', size: 7 } } },
      { rid: 6, torrents: { [hash]: { state: 'pausedUP' } }, server_state: { up_info_speed: 3 } },
    )
    const driver = createDriver(settings('qbittorrent'), runtime)
    await driver.read(never())

    const second = await driver.read(never())

    expect(second).toMatchObject({
      ok: true,
      value: {
        changes: {
          kind: 'delta',
          changed: [{ infoHash: hash, title: 'One', state: 'paused', sizeBytes: 7 }],
          removed: [],
        },
        status: { uploadBytesPerSecond: 3 },
      },
    })
    expect(asked).toEqual(['sync/maindata?rid=0', 'sync/maindata?rid=5'])
  })

  test('a torrent removed and added again between two reads keeps its new fields', async ({ expect }) => {
    const { runtime } = answering(
      { rid: 1, full_update: true, torrents: { [hash]: { name: 'Old', category: 'films' } } },
      { rid: 2, torrents: { [hash]: { name: 'New' } }, torrents_removed: [hash] },
      { rid: 3, torrents: { [hash]: { size: 9 } } },
    )
    const driver = createDriver(settings('qbittorrent'), runtime)
    await driver.read(never())
    await driver.read(never())

    const third = await driver.read(never())

    expect(third).toMatchObject({ value: { changes: { changed: [{ title: 'New', category: '', sizeBytes: 9 }] } } })
  })

  test('a part of a torrent that was never seen whole makes everything be read again', async ({ expect }) => {
    const { runtime, asked } = answering(
      { rid: 1, full_update: true, torrents: { [hash]: { name: 'One' } } },
      { rid: 2, torrents: { [other]: { state: 'uploading' } } },
      { rid: 3, full_update: true, torrents: { [hash]: { name: 'One' }, [other]: { name: 'Other' } } },
    )
    const driver = createDriver(settings('qbittorrent'), runtime)
    await driver.read(never())

    const second = await driver.read(never())

    expect(second).toMatchObject({
      value: { changes: { kind: 'full', torrents: [{ title: 'One' }, { title: 'Other' }] } },
    })
    expect(asked.at(-1)).toBe('sync/maindata?rid=0')
  })
})

describe('reading Transmission', () => {
  function counting(): { runtime: DriverRuntime; asked: unknown[]; clock: { nowMs: number; torrentCount: number } } {
    const clock = { nowMs: 0, torrentCount: 0 }
    const asked: unknown[] = []
    const runtime = runtimeThat(
      (_, init) => {
        if (!new Headers(init.headers).has('x-transmission-session-id'))
          return new Response('', { status: 409, headers: { 'x-transmission-session-id': 'one' } })
        const call = JSON.parse(String(init.body)) as { method: string; arguments: { ids?: unknown } }
        if (call.method === 'torrent-get') asked.push(call.arguments.ids ?? 'everything')
        const answers: Record<string, unknown> = {
          'torrent-get': { torrents: [] },
          'session-get': { version: '3.00 (x)', 'download-dir': '/d' },
          'session-stats': {
            uploadSpeed: 1,
            downloadSpeed: 2,
            torrentCount: clock.torrentCount,
            'cumulative-stats': { uploadedBytes: 3, downloadedBytes: 4 },
          },
          'free-space': { 'size-bytes': -1 },
        }
        return Response.json({ result: 'success', arguments: answers[call.method] })
      },
      { nowMs: () => clock.nowMs },
    )
    return { runtime, asked, clock }
  }

  test('asks for what changed, and for everything at least once a minute or after a pause', async ({ expect }) => {
    const { runtime, asked, clock } = counting()
    const driver = createDriver(settings('transmission'), runtime)

    for (const atMs of [
      0,
      1000,
      transmissionDeltaMs,
      transmissionResyncMs,
      transmissionResyncMs + transmissionDeltaMs,
    ]) {
      clock.nowMs = atMs
      await driver.read(never())
    }

    expect(asked).toEqual(['everything', 'recently-active', 'recently-active', 'everything', 'everything'])
  })

  test('asks for everything when it knows another number of torrents than the daemon has', async ({ expect }) => {
    const { runtime, asked, clock } = counting()
    const driver = createDriver(settings('transmission'), runtime)
    await driver.read(never())

    clock.torrentCount = 3
    const reading = await driver.read(never())

    expect(asked).toEqual(['everything', 'recently-active', 'everything'])
    expect(reading).toMatchObject({ ok: true, value: { changes: { kind: 'full' } } })
  })

  test('a folder that cannot be read leaves the free space out', async ({ expect }) => {
    const reading = await createDriver(settings('transmission'), counting().runtime).read(never())

    expect(reading.ok && reading.value.status).toEqual({
      version: '3.00',
      uploadBytesPerSecond: 1,
      downloadBytesPerSecond: 2,
      uploadedBytes: 3,
      downloadedBytes: 4,
    })
  })

  test.for<[number, DownloaderFault]>([
    [401, { kind: 'credentials' }],
    [403, { kind: 'banned' }],
    [421, { kind: 'host_refused' }],
    [400, { kind: 'not_this_kind' }],
    [500, { kind: 'status', status: 500 }],
  ])('status %i is told apart', async ([status, fault], { expect }) => {
    expect(
      await faultOf(
        'transmission',
        runtimeThat(() => new Response('', { status })),
      ),
    ).toEqual(fault)
  })

  test('a handshake that never ends is given up', async ({ expect }) => {
    let calls = 0
    const runtime = runtimeThat(() => {
      calls++
      return new Response('', { status: 409, headers: { 'x-transmission-session-id': `session ${calls}` } })
    })

    expect(await faultOf('transmission', runtime)).toEqual({ kind: 'not_this_kind' })
    expect(calls).toBeLessThan(5)
  })

  test.each([
    ['the folder itself', '/m/films', ['/m/films'], 7],
    ['the folder itself, written with a slash', '/m/films/', ['/m/films'], 7],
    ['the nearest folder that is there', '/m/films/new/2026', ['/m/films/new/2026', '/m/films/new', '/m/films'], 7],
    ['the root at last', '/x/y', ['/x/y', '/x', '/'], 3],
    ['the root by itself', '/', ['/'], 3],
    ['no folder at all', 'x', ['x'], undefined],
    [
      'folders up to the bound and not one more',
      `/m/films${'/a'.repeat(foldersUpMax)}`,
      Array.from({ length: foldersUpMax + 1 }, (_, up) => `/m/films${'/a'.repeat(foldersUpMax - up)}`),
      7,
    ],
    [
      'not the one past the bound',
      `/m/films${'/a'.repeat(foldersUpMax + 1)}`,
      Array.from({ length: foldersUpMax + 1 }, (_, up) => `/m/films${'/a'.repeat(foldersUpMax + 1 - up)}`),
      undefined,
    ],
  ])('free space of a folder: %s is asked for', async (_, folder, places, bytes) => {
    const asked: unknown[] = []
    const runtime = runtimeThat((_, init) => {
      if (!new Headers(init.headers).has('x-transmission-session-id'))
        return new Response('', { status: 409, headers: { 'x-transmission-session-id': 'one' } })
      const call = JSON.parse(String(init.body)) as { arguments: { path: string } }
      const { path } = call.arguments
      asked.push(path)
      const free: Record<string, number> = { '/m/films': 7, '/': 3 }
      const found = free[path]
      return Response.json(
        found === undefined
          ? { result: 'No such file or directory', arguments: { path, 'size-bytes': -1 } }
          : { result: 'success', arguments: { path, 'size-bytes': found } },
      )
    })
    const driver = createDriver(settings('transmission'), runtime)
    const told = await driver.freeSpaceIn?.(folder, AbortSignal.timeout(1000))

    if (told !== bytes || JSON.stringify(asked) !== JSON.stringify(places))
      throw new Error(JSON.stringify({ told, asked }))
  })

  test('a refusal in either dialect is one', async ({ expect }) => {
    for (const [version, refusal] of [
      ['', { result: 'method name not recognized', arguments: {} }],
      ['6.0.0', { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 1 }],
    ] as const) {
      const headers: Record<string, string> = { 'x-transmission-session-id': 'one' }
      if (version !== '') headers['x-transmission-rpc-version'] = version
      const runtime = runtimeThat((_, init) =>
        new Headers(init.headers).has('x-transmission-session-id')
          ? Response.json(refusal)
          : new Response('', { status: 409, headers }),
      )
      expect(await faultOf('transmission', runtime)).toEqual({ kind: 'rejected' })
    }
  })
})

test('every fault has its own text, in Chinese, and none tells where the downloader is', ({ expect }) => {
  const faults: DownloaderFault[] = [
    { kind: 'credentials' },
    { kind: 'banned' },
    { kind: 'host_refused' },
    { kind: 'unreachable' },
    { kind: 'timeout' },
    { kind: 'certificate' },
    { kind: 'not_this_kind' },
    { kind: 'too_large' },
    { kind: 'rejected' },
    { kind: 'unsupported', skill: 'tags' },
    { kind: 'labels_off' },
    { kind: 'label_letters' },
    { kind: 'no_daemon' },
    { kind: 'status', status: 502 },
    { kind: 'secrets', state: 'missing' },
    { kind: 'secrets', state: 'changed' },
    { kind: 'interrupted' },
  ]
  for (const kind of downloaderKinds) {
    const texts = faults.map((fault) => inChinese(downloaderReason(fault, kind)))
    expect(new Set(texts).size).toBe(faults.length)
    for (const text of texts) expect(text).toMatch(/^[^:/@?=]*[\u4e00-\u9fff][^:/@?=]*$/)
  }
})
