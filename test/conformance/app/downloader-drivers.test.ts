/** One suite for every kind of downloader there is: real daemons where the machine has them, stand-ins for the rest. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { succeed } from '#shared/kernel/result.ts'
import type { DriverRuntime } from '../../../workers/app/adapters/downloaders/downloader-driver.ts'
import { createDriver, LiveDownloader } from '../../../workers/app/adapters/downloaders/live-downloader.ts'
import type { TorrentQuery, TorrentUpload } from '../../../workers/app/core/downloader.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import type { TorrentChange } from '../../../workers/app/core/torrent-details.ts'
import { readTorrentFile } from '../../../workers/app/core/torrent-file.ts'
import { downloaderKinds } from '../../../workers/app/core/vocabulary.ts'
import { infoHashesOf } from '../../../workers/app/services/pushes/info-hashes.ts'
import { until } from '../../support/daemon-process.ts'
import { startDeluge } from '../../support/deluge-daemon.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { type MadeTorrent, makeFolderTorrent, makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent, usualRefreshMs } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { startRtorrent } from '../../support/rtorrent-daemon.ts'
import { startStandInQbittorrent, startStandInTransmission } from '../../support/stand-in-downloaders.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'
import { unwrap } from '../../support/unwrap.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const deluged = requireReal('deluged')
const delugeWeb = requireReal('deluge-web')
const deluge = {
  isMissing: deluged.isMissing || delugeWeb.isMissing,
  skipNote: deluged.skipNote || delugeWeb.skipNote,
  start: (hasLabels?: boolean) => startDeluge({ deluged: deluged.path, delugeWeb: delugeWeb.path }, hasLabels),
}
const rtorrentProgram = requireReal('rtorrent')
const nginx = requireReal('nginx')
const rtorrent = {
  isMissing: rtorrentProgram.isMissing || nginx.isMissing,
  skipNote: rtorrentProgram.skipNote || nginx.skipNote,
  start: () => startRtorrent({ rtorrent: rtorrentProgram.path, nginx: nginx.path }),
}

/** A list may be read anew soon, so that the suite can run against many. Calls have the time they have in use. */
const bounds = { callMs: 8000, operationMs: 15_000, stalenessMs: 300, answerBytesMax: 1024 * 1024 }
/** For what never answers. */
const hastyBounds = { ...bounds, callMs: 500 }
const runtime: DriverRuntime = {
  bounds,
  fetch: (address, init) => fetch(address, init),
  nowMs: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
const newestFirst: TorrentQuery = { sort: 'added_at', order: 'desc' }
const unknownHash = 'f'.repeat(40)

interface Case {
  readonly name: string
  readonly isMissing: boolean
  start(): Promise<DownloaderUnderTest>
}

/** What downloaders make of files they are sent, beyond what stand-ins copy. */
const realCases = [
  { name: 'qBittorrent', ...qbittorrent, start: () => startQbittorrent(qbittorrent.path, usualRefreshMs) },
  { name: 'Transmission', ...transmission, start: () => startTransmission(transmission.path) },
  { name: 'Deluge', ...deluge, start: () => deluge.start() },
  { name: 'rTorrent', ...rtorrent },
]

describe.each(realCases)('a pushed file on a real $name', ({ isMissing, start }) => {
  let downloader: DownloaderUnderTest
  let live: LiveDownloader
  beforeAll(async () => {
    if (isMissing) return
    downloader = await start()
    live = new LiveDownloader(downloader.kind, createDriver(downloader.settings, runtime), runtime)
  })
  afterAll(async () => {
    if (!isMissing) await downloader.dispose()
  })

  const read = async (torrent: MadeTorrent) => {
    const file = unwrap(
      readTorrentFile(torrent.file, { bytesMax: 1e6, depthMax: 32, filesMax: 10, nameCharactersMax: 99 }),
    )
    return { ...file, hashes: await infoHashesOf(file) }
  }

  test.skipIf(isMissing).for(['v1', 'hybrid', 'v2'] as const)(
    'of format %s is shown under a hash we look for, is found again, and goes by it',
    async (format, { expect }) => {
      // Transmission takes files with a part of version 2 from 4.0 on, rTorrent none without a part of version 1; what
      // they do not take they refuse, and say so.
      const isUnread =
        (downloader.kind === 'transmission' && format !== 'v1') || (downloader.kind === 'rtorrent' && format === 'v2')
      const torrent = makeTorrent(`Format ${format}.bin`, 40_000, { format })
      const { hashes, sizeBytes } = await read(torrent)
      const upload = { content: torrent.file, infoHashes: hashes, sizeBytes, category: '', tags: [], savePath: '' }

      const added = await live.add(upload, 0)
      if (isUnread && added.kind === 'refused') {
        expect([added.mayHaveArrived, added.reason]).toEqual([false, { kind: 'push.version_unread' }])
        return
      }
      if (added.kind !== 'added') throw new Error(JSON.stringify(added))
      const again = await live.add(upload, 0)
      const found = await live.find([added.infoHash])
      const exported = await live.exportFile(added.infoHash)
      if (downloader.kind === 'transmission' || downloader.kind === 'deluge')
        expect(exported).toEqual({ ok: false, failure: { kind: 'unsupported', skill: 'export' } })
      else {
        const given = exported.ok && exported.value !== undefined ? Buffer.from(exported.value) : Buffer.alloc(0)
        expect((await read({ ...torrent, file: given })).hashes).toEqual(hashes)
      }
      expect(await live.exportFile(unknownHash)).toEqual({ ok: true, value: undefined })

      expect(hashes).toContain(added.infoHash)
      expect(again).toEqual({ kind: 'present', infoHash: added.infoHash })
      expect(found.ok && found.value.map(({ title }) => title)).toEqual([torrent.name])
    },
  )

  test.skipIf(isMissing)('that is none to the daemon is refused, and nothing is left behind', async ({ expect }) => {
    const outcome = await live.add(
      {
        content: Buffer.from('d4:infod4:name1:aee'),
        infoHashes: ['a'.repeat(40)],
        sizeBytes: 1,
        category: '',
        tags: [],
        savePath: '',
      },
      0,
    )

    expect(outcome).toMatchObject({ kind: 'refused', mayHaveArrived: false })
  })
})

const cases: Case[] = [
  {
    name: `the installed qBittorrent ${qbittorrent.skipNote}`,
    isMissing: qbittorrent.isMissing,
    start: () => startQbittorrent(qbittorrent.path, usualRefreshMs),
  },
  {
    name: `the installed Transmission ${transmission.skipNote}`,
    isMissing: transmission.isMissing,
    start: () => startTransmission(transmission.path),
  },
  { name: `the installed Deluge ${deluge.skipNote}`, ...deluge, start: () => deluge.start() },
  { name: `the installed rTorrent ${rtorrent.skipNote}`, ...rtorrent },
  { name: 'a stand-in for qBittorrent 5.1', isMissing: false, start: () => startStandInQbittorrent('5.1') },
  { name: 'a stand-in for qBittorrent 5.2', isMissing: false, start: () => startStandInQbittorrent('5.2') },
  {
    name: 'a stand-in for qBittorrent 5.2 with an API key',
    isMissing: false,
    start: () => startStandInQbittorrent('5.2 API key'),
  },
  {
    name: 'a stand-in for the legacy dialect of Transmission',
    isMissing: false,
    start: () => startStandInTransmission('legacy'),
  },
  {
    name: 'a stand-in for the JSON-RPC dialect of Transmission',
    isMissing: false,
    start: () => startStandInTransmission('json_rpc'),
  },
]

function behavesAsOne({ isMissing, start }: Case): void {
  let downloader: DownloaderUnderTest
  const connect = (
    change: Partial<DownloaderUnderTest['settings']> = {},
    runtimeChange: Partial<Pick<DriverRuntime, 'bounds' | 'nowMs'>> = {},
  ) => {
    const own = { ...runtime, ...runtimeChange }
    return new LiveDownloader(downloader.kind, createDriver({ ...downloader.settings, ...change }, own), own)
  }

  async function torrentsOf(live: LiveDownloader): Promise<Map<string, Torrent>> {
    const selected = await live.select(newestFirst, { from: 0, count: 100 })
    if (!selected.ok) throw new Error(JSON.stringify(selected.failure))
    return new Map(selected.value.torrents.map((torrent) => [torrent.infoHash, torrent]))
  }

  const shownAs = (live: LiveDownloader, { infoHash }: MadeTorrent, state: Torrent['state'] | undefined) =>
    until(`the state ${state}`, async () =>
      (await torrentsOf(live)).get(infoHash)?.state === state ? true : undefined,
    )

  async function added(name: string, hasData: boolean, live: LiveDownloader, isPaused = false): Promise<MadeTorrent> {
    const torrent = makeTorrent(name)
    await downloader.add(torrent, { hasData, isPaused })
    await shownAs(live, torrent, isPaused ? downloader.stoppedState : hasData ? 'seeding' : 'downloading')
    return torrent
  }

  let usualTags: string
  beforeAll(async () => {
    if (isMissing) return
    downloader = await start()
    usualTags = downloader.hasTags ? 'one,two' : ''
  })
  afterAll(async () => {
    if (!isMissing) await downloader.dispose()
  })

  test.skipIf(isMissing)('lists what it holds, in the units of the interface', async ({ expect }) => {
    const live = connect()
    const complete = await added('完整的 Sample.bin', true, live)
    const waiting = await added('Waiting Sample.bin', false, live)

    const torrents = await torrentsOf(live)

    const now = Date.now() / 1000
    expect(torrents.get(complete.infoHash)).toMatchObject({
      title: '完整的 Sample.bin',
      progressPercent: 100,
      sizeBytes: 40_000,
      state: 'seeding',
      ratio: 0,
      seeds: 0,
      peers: 0,
      uploadedBytes: 0,
      downloadedBytes: 0,
      etaSeconds: -1,
      category: 'films',
      tags: usualTags,
      savePath: downloader.savePath,
      tracker: '127.0.0.1:9',
    })
    expect(torrents.get(waiting.infoHash)).toMatchObject({
      progressPercent: 0,
      state: 'downloading',
      etaSeconds: -1,
      completedAtUnix: 0,
    })
    expect(torrents.get(complete.infoHash)?.completedAtUnix).toBeGreaterThan(1_600_000_000)
    expect(torrents.get(complete.infoHash)?.addedAtUnix).toBeLessThanOrEqual(now + 1)
  })

  test.skipIf(isMissing)('tells its version, speeds, totals and free space', async ({ expect }) => {
    const status = await connect().status()

    expect(status).toMatchObject({ ok: true, value: { version: expect.stringMatching(/^\d+\.\d+/) } })
    expect(status.ok && status.value.freeSpaceBytes).toBeGreaterThan(1_000_000)
  })

  test.skipIf(isMissing)('pauses and resumes so that the next read shows it', async ({ expect }) => {
    const live = connect()
    const torrent = await added('Pause And Resume.bin', false, live)

    const paused = await live.act('pause', [torrent.infoHash])
    const afterPause = (await torrentsOf(live)).get(torrent.infoHash)?.state
    const resumed = await live.act('resume', [torrent.infoHash])
    const afterResume = (await torrentsOf(live)).get(torrent.infoHash)?.state

    expect(paused).toEqual({
      ok: true,
      value: [{ infoHash: torrent.infoHash, title: expect.any(String), success: true }],
    })
    expect(afterPause).toBe(downloader.stoppedState)
    expect(resumed).toEqual({
      ok: true,
      value: [{ infoHash: torrent.infoHash, title: expect.any(String), success: true }],
    })
    expect(afterResume).toBe('downloading')
  })

  test.skipIf(isMissing)('deletes a torrent and keeps its data', async ({ expect }) => {
    const live = connect()
    const torrent = await added('Keep Data.bin', true, live)

    const deleted = await live.act('delete', [torrent.infoHash])

    expect(deleted).toMatchObject({ ok: true, value: [{ success: true }] })
    expect((await torrentsOf(live)).has(torrent.infoHash)).toBe(false)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(existsSync(path.join(downloader.savePath, 'Keep Data.bin'))).toBe(true)
  })

  test.skipIf(isMissing)('deletes a torrent with its data', async ({ expect }) => {
    const live = connect()
    const torrent = await added('Drop Data.bin', true, live)

    const deleted = await live.act('delete_with_files', [torrent.infoHash])

    expect(deleted).toMatchObject({ ok: true, value: [{ success: true }] })
    expect((await torrentsOf(live)).has(torrent.infoHash)).toBe(false)
    const gone = await until('the file to go', async () =>
      existsSync(path.join(downloader.savePath, 'Drop Data.bin')) ? undefined : true,
    )
    expect(gone).toBe(true)
  })

  test.skipIf(isMissing)(
    'reports a hash it does not hold as failed and leaves the others alone',
    async ({ expect }) => {
      const live = connect()
      const torrent = await added('Bystander.bin', true, live)
      const before = [...(await torrentsOf(live)).keys()].sort()

      const acted = await live.act('delete_with_files', [unknownHash])
      const both = await live.act('pause', [unknownHash, torrent.infoHash])

      expect(acted).toMatchObject({ ok: true, value: [{ infoHash: unknownHash, success: false }] })
      expect(both).toMatchObject({
        ok: true,
        value: [
          { infoHash: unknownHash, success: false },
          { infoHash: torrent.infoHash, title: expect.any(String), success: true },
        ],
      })
      expect([...(await torrentsOf(live)).keys()].sort()).toEqual(before)
      expect(existsSync(path.join(downloader.savePath, 'Bystander.bin'))).toBe(true)
    },
  )

  test.skipIf(isMissing)('an action on nothing touches nothing', async ({ expect }) => {
    const live = connect()
    const before = await torrentsOf(live)

    const acted = await live.act('delete_with_files', [])

    expect(acted).toEqual({ ok: true, value: [] })
    expect([...(await torrentsOf(live)).keys()].sort()).toEqual([...before.keys()].sort())
  })

  test.skipIf(isMissing)('shows what another client did within the bound on staleness', async ({ expect }) => {
    let nowMs = Date.now()
    const live = connect({}, { nowMs: () => nowMs })
    /** Each look comes when the one before is as old as the bound. */
    const shownLater = ({ infoHash }: MadeTorrent, state: Torrent['state'] | undefined) =>
      until(`the state ${state}`, async () => {
        nowMs += bounds.stalenessMs
        return (await torrentsOf(live)).get(infoHash)?.state === state ? true : undefined
      })
    const removed = makeTorrent('Removed Elsewhere.bin')
    const paused = makeTorrent('Paused Elsewhere.bin')
    for (const torrent of [removed, paused]) {
      await downloader.add(torrent, { hasData: false, isPaused: false })
      await shownLater(torrent, 'downloading')
    }
    nowMs += bounds.stalenessMs
    await torrentsOf(live)

    await downloader.removeElsewhere(removed.infoHash)
    await downloader.pauseElsewhere(paused.infoHash)
    nowMs += bounds.stalenessMs - 1
    const justBefore = await torrentsOf(live)
    await shownLater(removed, undefined)
    await shownLater(paused, downloader.stoppedState)

    expect(justBefore.get(removed.infoHash)?.state).toBe('downloading')
    expect(justBefore.get(paused.infoHash)?.state).toBe('downloading')
  })

  test.skipIf(isMissing)('a wrong password is said to be one', async ({ expect }) => {
    const status = await connect({ password: 'not the password' }).status()

    expect(status).toEqual({ ok: false, failure: { kind: 'credentials' } })
  })

  test.skipIf(isMissing)(
    'goes on after a restart, whatever the daemon forgot',
    { tags: 'slow' },
    async ({ expect }) => {
      const live = connect()
      const torrent = await added('Survivor.bin', true, live)
      const before = [...(await torrentsOf(live)).keys()].sort()

      await downloader.restart()
      const acted = await until('the action to work again', async () => {
        const outcome = await live.act('pause', [torrent.infoHash])
        return outcome.ok && outcome.value[0]?.success === true ? outcome : undefined
      })

      expect(acted.ok).toBe(true)
      expect([...(await torrentsOf(live)).keys()].sort()).toEqual(before)
      expect((await torrentsOf(live)).get(torrent.infoHash)?.state).toBe(downloader.stoppedState)
    },
  )

  const upload = (torrent: MadeTorrent, change: Partial<TorrentUpload> = {}): TorrentUpload => ({
    content: torrent.file,
    infoHashes: [torrent.infoHash, torrent.v2Hash],
    sizeBytes: torrent.data.length,
    category: 'films',
    tags: ['one', 'two'],
    savePath: '',
    ...change,
  })

  test.skipIf(isMissing)('takes up a torrent file, under its category, its tags and its folder', async ({ expect }) => {
    const live = connect()
    const plain = makeTorrent('推送的 Film.bin')
    const elsewhere = makeTorrent('Pushed Elsewhere.bin')
    const folder = path.join(downloader.savePath, 'else where')

    const first = await live.add(upload(plain), 0)
    const second = await live.add(upload(elsewhere, { category: '', tags: [], savePath: folder }), 0)

    expect(first).toEqual({ kind: 'added', infoHash: plain.infoHash })
    expect(second).toEqual({ kind: 'added', infoHash: elsewhere.infoHash })
    // Shown at once, and soon with everything that was asked for.
    expect((await torrentsOf(live)).get(plain.infoHash)).toMatchObject({ title: '推送的 Film.bin' })
    await until('labels to show', async () => {
      const torrent = (await torrentsOf(live)).get(plain.infoHash)
      return torrent?.category === 'films' && torrent.tags === usualTags ? true : undefined
    })
    await shownAs(live, plain, 'downloading')
    const torrent = (await torrentsOf(live)).get(elsewhere.infoHash)
    expect(torrent).toMatchObject({ category: '', tags: '' })
    expect(torrent?.savePath.replace(/\/$/, '')).toBe(folder)
  })

  test.skipIf(isMissing)(
    'takes up a magnet link, running or paused, and says that metadata is missing',
    async ({ expect }) => {
      const live = connect()
      for (const [name, isPaused] of [
        ['Linked Film', false],
        ['Linked And Paused', true],
      ] as const) {
        const { infoHash } = makeTorrent(name)
        // rTorrent takes no link that leads nowhere, with its own network of peers off.
        const hosts = downloader.kind === 'rtorrent' ? ['127.0.0.1:9'] : []
        const way = hosts.map((host) => `&tr=${encodeURIComponent(`http://${host}/announce`)}`).join('')
        const content = `magnet:?xt=urn:btih:${infoHash}&dn=${encodeURIComponent(name)}${way}`
        const link = {
          content,
          infoHashes: [infoHash] as const,
          sizeBytes: undefined,
          category: 'films',
          tags: [],
          savePath: '',
        }
        expect(await live.add({ ...link, isPaused }, 0)).toEqual({ kind: 'added', infoHash })
        expect(await live.add(link, 0)).toEqual({ kind: 'present', infoHash })
        const shown = await until('the link to be shown as one', async () => {
          const torrent = (await torrentsOf(live)).get(infoHash)
          return torrent?.condition?.kind === 'metadata' || torrent?.state === downloader.stoppedState
            ? torrent
            : undefined
        })
        expect(shown.title).toBe(name)
        expect(shown.progressPercent).toBe(0)
        const details = await live.details(infoHash)
        expect(details).toMatchObject({ ok: true, value: { files: [], peers: [] } })
        expect(details.ok && details.value?.trackers.map(({ host }) => host)).toEqual(hosts)
        // Some daemons let only a few load at a time.
        await live.act('delete', [infoHash])
      }
    },
  )

  test.skipIf(isMissing)('one that is added paused waits, its files are chosen, and it goes on', async ({ expect }) => {
    const live = connect()
    const files = [
      ['Season/One.mkv', 30_000],
      ['Season/Two.mkv', 20_000],
      ['readme.txt', 100],
    ] as const
    const torrent = makeFolderTorrent('Chosen Show', files)
    const added = await live.add(upload(torrent, { isPaused: true }), 0)
    expect(added).toEqual({ kind: 'added', infoHash: torrent.infoHash })
    await shownAs(live, torrent, downloader.stoppedState)

    const before = await live.details(torrent.infoHash)
    expect(before.ok && before.value?.files).toEqual(
      files.map(([one, sizeBytes], index) => ({
        index,
        path: `Chosen Show/${one}`,
        sizeBytes,
        progressPercent: 0,
        priority: 'normal',
      })),
    )
    const chosen = await live.change({ kind: 'files', indexes: [1, 2], priority: 'skip' }, [torrent.infoHash])
    const urgent = await live.change({ kind: 'files', indexes: [0], priority: 'high' }, [torrent.infoHash])
    expect([chosen, urgent]).toEqual(
      Array(2).fill(succeed([{ infoHash: torrent.infoHash, title: expect.any(String), success: true }])),
    )
    await until('the choice to show', async () => {
      const details = await live.details(torrent.infoHash)
      const priorities = details.ok ? details.value?.files.map(({ priority }) => priority) : []
      return priorities?.join() === 'high,skip,skip' ? true : undefined
    })
    await live.act('resume', [torrent.infoHash])
    await shownAs(live, torrent, 'downloading')
    await live.act('delete', [torrent.infoHash])
  })

  test.skipIf(isMissing)('changes category, tags and limits, and takes them away again', async ({ expect }) => {
    const live = connect()
    const torrent = await added('Relabelled.bin', true, live)
    const other = await added('Left Alone.bin', true, live)
    const isLabelled = (category: string, tags: string) =>
      until(`${category} and ${tags}`, async () => {
        const one = (await torrentsOf(live)).get(torrent.infoHash)
        return one?.category === category && one.tags.split(',').sort().join() === tags ? true : undefined
      })
    const one = succeed([{ infoHash: torrent.infoHash, title: expect.any(String), success: true }])

    expect(await live.change({ kind: 'category', category: 'series' }, [torrent.infoHash])).toEqual(one)
    await isLabelled('series', usualTags)
    // A second time it is there already.
    expect(await live.change({ kind: 'category', category: 'series' }, [torrent.infoHash])).toEqual(one)
    const tagged = await live.change({ kind: 'tags', tags: ['kept', '中字'] }, [torrent.infoHash])
    if (downloader.hasTags) {
      expect(tagged).toEqual(one)
      await isLabelled('series', 'kept,中字')
      expect(await live.change({ kind: 'tags', tags: [] }, [torrent.infoHash])).toEqual(one)
    } else expect(tagged).toEqual({ ok: false, failure: { kind: 'unsupported', skill: 'tags' } })
    await isLabelled('series', '')
    expect(await live.change({ kind: 'category', category: '' }, [torrent.infoHash])).toEqual(one)
    await isLabelled('', '')
    expect((await torrentsOf(live)).get(other.infoHash)).toMatchObject({ category: 'films', tags: usualTags })

    if (!downloader.hasLimits) {
      const limited = await live.change({ kind: 'limits', upload: 50_000, download: 0 }, [torrent.infoHash])
      expect(limited).toEqual({ ok: false, failure: { kind: 'unsupported', skill: 'limits' } })
      return
    }
    for (const [upload, download] of [
      [50_000, 120_000],
      [0, 1000],
      [0, 0],
    ] as const) {
      expect(await live.change({ kind: 'limits', upload, download }, [torrent.infoHash])).toEqual(one)
      await until('the limits', async () => {
        const details = await live.details(torrent.infoHash)
        const limits = details.ok ? [details.value?.uploadLimit, details.value?.downloadLimit] : []
        return limits[0] === upload && limits[1] === download ? true : undefined
      })
    }
  })

  test.skipIf(isMissing)(
    'checks data again and asks its trackers, and knows the torrents it does not have',
    async ({ expect }) => {
      const live = connect()
      const torrent = await added('Checked Again.bin', true, live)
      const outcomes = [
        { infoHash: unknownHash, success: false, reason: { kind: 'none', what: 'torrent' } },
        { infoHash: torrent.infoHash, title: expect.any(String), success: true },
      ]
      for (const kind of ['recheck', 'reannounce'] as const)
        expect(await live.change({ kind }, [unknownHash, torrent.infoHash])).toEqual(succeed(outcomes))
      expect(await live.change({ kind: 'recheck' }, [unknownHash])).toEqual(succeed([outcomes[0]]))
      expect(await live.details(unknownHash)).toEqual(succeed(undefined))
      const place = await live.change({ kind: 'queue', place: 'top' }, [torrent.infoHash])
      // qBittorrent has no order while its queue is off, rTorrent none at all.
      const none = downloader.kind === 'rtorrent' ? { kind: 'unsupported', skill: 'queue' } : { kind: 'rejected' }
      if (!place.ok) expect(place.failure).toEqual(none)
    },
  )

  test.skipIf(isMissing)(
    'says of each further change that it did it, or that its program cannot',
    async ({ expect }) => {
      const live = connect()
      const torrent = makeFolderTorrent('Renamed Show', [
        ['one.mkv', 30_000],
        ['two.mkv', 20_000],
      ])
      expect(await live.add(upload(torrent, { isPaused: true }), 0)).toMatchObject({ kind: 'added' })
      const told = async () => {
        const [details, torrents] = [await live.details(torrent.infoHash), await torrentsOf(live)]
        return { details: details.ok ? details.value : undefined, torrent: torrents.get(torrent.infoHash) }
      }
      const shows = (what: string, look: (now: Awaited<ReturnType<typeof told>>) => boolean) =>
        until(what, async () => (look(await told()) ? true : undefined))
      const other = 'http://127.0.0.1:10/announce'
      const hosts = (now: Awaited<ReturnType<typeof told>>) => now.details?.trackers.map(({ host }) => host).join()
      const changes: readonly (readonly [TorrentChange, (now: Awaited<ReturnType<typeof told>>) => boolean])[] = [
        [{ kind: 'add_tracker', address: other }, (now) => hosts(now) === '127.0.0.1:9,127.0.0.1:10'],
        [
          { kind: 'change_tracker', host: '127.0.0.1:10', address: 'http://127.0.0.1:11/announce' },
          (now) => hosts(now) === '127.0.0.1:9,127.0.0.1:11',
        ],
        [{ kind: 'remove_tracker', host: '127.0.0.1:11' }, (now) => hosts(now) === '127.0.0.1:9'],
        [
          { kind: 'rename_file', index: 1, path: 'Renamed Show/2.mkv' },
          (now) => now.details?.files[1]?.path === 'Renamed Show/2.mkv',
        ],
        [{ kind: 'sequential', on: true }, (now) => now.details?.sequential === true],
        [{ kind: 'sequential', on: true }, (now) => now.details?.sequential === true],
        [{ kind: 'sequential', on: false }, (now) => now.details?.sequential === false],
        [{ kind: 'first_last', on: true }, (now) => now.details?.firstLast !== false],
        [{ kind: 'rename', name: '改名 Show' }, (now) => now.torrent?.title === '改名 Show'],
      ]
      const cannot = new Set<string>()
      for (const [change, isShown] of changes) {
        const outcome = await live.change(change, [torrent.infoHash])
        if (!outcome.ok) {
          expect(outcome.failure, change.kind).toEqual({ kind: 'unsupported', skill: change.kind })
          cannot.add(change.kind)
        } else await shows(change.kind, isShown)
      }
      expect([...cannot]).toEqual(downloader.cannot)
      if (!downloader.cannot.includes('remove_tracker')) {
        const nobody = await live.change({ kind: 'remove_tracker', host: 'nobody.example' }, [torrent.infoHash])
        expect(nobody).toEqual({ ok: false, failure: { kind: 'rejected' } })
      }
      const seed = await added('Given First.bin', true, live)
      const given = await live.change({ kind: 'super_seeding', on: true }, [seed.infoHash])
      if (!given.ok) expect(given.failure).toEqual({ kind: 'unsupported', skill: 'super_seeding' })
      else
        await until('super-seeding', async () => {
          const details = await live.details(seed.infoHash)
          return details.ok && details.value?.superSeeding === true ? true : undefined
        })
      const pieces = await live.details(seed.infoHash)
      expect(pieces.ok && pieces.value?.pieceMap).toEqual([100, 100, 100])
    },
  )

  test.skipIf(isMissing)('a torrent that is there is not added again, whoever added it', async ({ expect }) => {
    const live = connect()
    const torrent = await added('Here Already.bin', false, live)
    const before = (await torrentsOf(live)).size

    const again = await live.add(upload(torrent), 0)
    const both = await Promise.all([live.add(upload(torrent), 0), live.add(upload(torrent), 0)])

    expect([again, ...both]).toEqual(Array(3).fill({ kind: 'present', infoHash: torrent.infoHash }))
    expect((await torrentsOf(live)).size).toBe(before)
  })

  test.skipIf(isMissing)('one that does not fit is not sent', async ({ expect }) => {
    const live = connect()
    let free = 0
    // Right after its start it says that nothing is free.
    const knownFree = async () => {
      const status = await live.status()
      free = status.ok ? (status.value.freeSpaceBytes ?? 0) : 0
      return free
    }
    await expect.poll(knownFree).toBeGreaterThan(0)
    const torrent = makeTorrent('Too Large.bin')

    const stopped = await live.add(upload(torrent, { sizeBytes: 2 * free }), 1024)

    expect(stopped).toMatchObject({ kind: 'stopped', reason: { kind: expect.stringMatching(/space/) } })
    expect((await torrentsOf(live)).has(torrent.infoHash)).toBe(false)
  })

  test.skipIf(isMissing)(
    'takes a torrent to another folder, seeds on from there, and does it once',
    async ({ expect }) => {
      const live = connect()
      const torrent = await added('Moved Film.bin', true, live)
      const folder = path.join(downloader.savePath, 'library', '某部 Film (2024)')

      const moved = await live.move([unknownHash, torrent.infoHash], folder)
      const again = await live.move([torrent.infoHash], `${folder}/`)
      const unknown = await live.move([unknownHash], folder)

      for (const outcome of [moved, again])
        expect(outcome).toMatchObject({ ok: true, value: { kind: 'moved', torrent: { infoHash: torrent.infoHash } } })
      expect(unknown).toEqual({ ok: true, value: { kind: 'gone' } })
      await shownAs(live, torrent, 'seeding')
      const shown = (await torrentsOf(live)).get(torrent.infoHash)
      expect(shown?.savePath.replace(/\/$/, '')).toBe(folder)
      expect(shown?.progressPercent).toBe(100)
      await until('the file to be there', async () => (existsSync(path.join(folder, torrent.name)) ? true : undefined))
      expect(existsSync(path.join(downloader.savePath, torrent.name))).toBe(false)
    },
  )

  test.skipIf(isMissing)('never says it moved what cannot go there, and leaves the files', async ({ expect }) => {
    const live = connect()
    const torrent = await added('Stays.bin', true, live)

    const outcome = await live.move([torrent.infoHash], path.join(downloader.savePath, 'Stays.bin', 'below a file'))

    // The one says so at once; the other one takes the order and leaves it at that.
    if (outcome.ok) expect(outcome.value.kind).toBe('moving')
    else expect(outcome.failure).toEqual({ kind: 'rejected' })
    expect(existsSync(path.join(downloader.savePath, 'Stays.bin'))).toBe(true)
    expect((await torrentsOf(live)).get(torrent.infoHash)?.savePath.replace(/\/$/, '')).toBe(downloader.savePath)
  })

  test.skipIf(isMissing)(
    'a stopped daemon is a failure, and its old list says from when it is',
    { tags: 'slow' },
    async ({ expect }) => {
      const live = connect()
      expect((await live.select(newestFirst, { from: 0, count: 1 })).ok).toBe(true)

      await downloader.stop('SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, bounds.stalenessMs))
      const whileDown = await live.select(newestFirst, { from: 0, count: 1 })
      const acted = await live.act('pause', [unknownHash])
      await downloader.restart()

      expect(whileDown).toMatchObject({
        ok: true,
        value: { late: { atUnix: expect.any(Number), reason: { kind: 'downloader.unreachable' } } },
      })
      expect(acted).toEqual({ ok: false, failure: { kind: 'unreachable' } })
      expect((await live.select(newestFirst, { from: 0, count: 1 })).ok).toBe(true)
    },
  )

  test.skipIf(isMissing)('a hanging daemon costs its time limit and no more', async ({ expect }) => {
    const live = connect({}, { bounds: hastyBounds })
    downloader.freeze()
    const startedAtMs = Date.now()

    const readings = await Promise.all([live.select(newestFirst, { from: 0, count: 1 }), live.status()])

    downloader.thaw()
    expect(readings).toEqual([
      { ok: false, failure: { kind: 'timeout' } },
      { ok: false, failure: { kind: 'timeout' } },
    ])
    // By the limit of one call, not by the longer one of an operation: room for a busy machine.
    expect(Date.now() - startedAtMs).toBeLessThan(bounds.operationMs)
  })
}

// Beside one another, each by one test at a time: most of it is waiting.
describe.concurrent.each(cases.map((one) => [one.name.trim(), one] as const))('%s', (_, one) => {
  describe('in turn', { concurrent: false }, () => behavesAsOne(one))
})

describe.skipIf(deluge.isMissing)(`Deluge without its Label plugin ${deluge.skipNote}`, () => {
  test('takes up what has a category, and says what keeps it from having one', { tags: 'slow' }, async ({ expect }) => {
    const downloader = await deluge.start(false)
    try {
      const live = new LiveDownloader('deluge', createDriver(downloader.settings, runtime), runtime)
      const torrent = makeTorrent('Without A Label.bin')
      const place = { category: 'films', tags: [], savePath: '' }
      const upload = { content: torrent.file, infoHashes: [torrent.infoHash] as const, sizeBytes: 40_000, ...place }
      expect(await live.add(upload, 0)).toEqual({ kind: 'added', infoHash: torrent.infoHash })
      const label = (category: string) => live.change({ kind: 'category', category }, [torrent.infoHash])
      expect(await label('films')).toEqual({ ok: false, failure: { kind: 'labels_off' } })
      expect(await label('影片')).toEqual({ ok: false, failure: { kind: 'label_letters' } })
    } finally {
      await downloader.dispose()
    }
  })
})

describe.skipIf(qbittorrent.isMissing || transmission.isMissing)('a program of another kind at the address', () => {
  const open: DownloaderUnderTest[] = []
  afterAll(async () => {
    for (const downloader of open) await downloader.dispose()
  })

  test('is recognised, whichever way round', async ({ expect }) => {
    open.push(await startQbittorrent(qbittorrent.path, usualRefreshMs), await startTransmission(transmission.path))
    if (!deluge.isMissing) open.push(await deluge.start())

    for (const downloader of open) {
      for (const kind of downloaderKinds) {
        if (kind === downloader.kind) continue
        const live = new LiveDownloader(kind, createDriver({ ...downloader.settings, kind }, runtime), runtime)
        // Transmission asks for a password wherever it is asked, and sends elsewhere whoever has it.
        const asksFirst = downloader.kind === 'transmission' && kind !== 'qbittorrent'
        const status = await live.status()
        expect(status.ok ? '' : status.failure.kind, `${kind} at ${downloader.kind}`).toMatch(
          asksFirst ? /^(credentials|status)$/ : /^not_this_kind$/,
        )
      }
    }
  })
})
