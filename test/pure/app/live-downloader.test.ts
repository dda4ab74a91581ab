import { describe, test, vi } from 'vitest'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type {
  DownloaderDriver,
  DownloaderReading,
  DriverRuntime,
} from '../../../workers/app/adapters/downloaders/downloader-driver.ts'
import { LiveDownloader } from '../../../workers/app/adapters/downloaders/live-downloader.ts'
import type { TorrentQuery, TorrentUpload } from '../../../workers/app/core/downloader.ts'
import type { DownloaderFault } from '../../../workers/app/core/downloader-fault.ts'
import { fromQbittorrent } from '../../../workers/app/core/qbittorrent-torrent.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import type { TorrentChange } from '../../../workers/app/core/torrent-details.ts'
import type { TorrentAction } from '../../../workers/app/core/vocabulary.ts'
import {
  actionSettleMs,
  actionSettlePollMs,
  credentialRetryMs,
  downloaderStalenessMs,
  freeSpaceSettleMs,
  glanceMs,
  lastKnownMs,
  unseenUploadMs,
} from '../../../workers/app/limits.ts'

const hash = 'a'.repeat(40)
const other = 'b'.repeat(40)
const query: TorrentQuery = { sort: 'title', order: 'asc' }
const status = {
  version: '1',
  uploadBytesPerSecond: 0,
  downloadBytesPerSecond: 0,
  uploadedBytes: 0,
  downloadedBytes: 0,
}

type Outcome = Result<DownloaderReading, DownloaderFault>

/** A downloader whose every answer waits until the test lets it go, and whose clock only the test moves. */
class HeldDriver implements DownloaderDriver {
  readonly states = new Map<string, string>([[hash, 'downloading']])
  readonly acted: (readonly [TorrentAction, readonly string[]])[] = []
  /** What an action does; a test may make it late or nothing. */
  effect: (action: TorrentAction, hashes: readonly string[]) => void = () => {}
  readonly added: string[] = []
  /** What adding does; a test may make it late or nothing. */
  takeUp: (upload: TorrentUpload) => Result<void, DownloaderFault> = ({ infoHashes: [infoHash], sizeBytes }) => {
    this.states.set(infoHash, 'downloading')
    this.sizes.set(infoHash, sizeBytes ?? 0)
    return succeed(undefined)
  }
  readonly sizes = new Map<string, number>()
  /** Only some downloaders know it. */
  freeSpaceIn?: (folder: string) => Promise<number | undefined>
  freeSpaceBytes: number | undefined
  /** Where its torrents are, and what being told to move them does. */
  folder = '/downloads'
  readonly moves: string[] = []
  carry: (folder: string) => void = (folder) => {
    this.folder = folder
  }
  fault: DownloaderFault | undefined
  actFault: DownloaderFault | undefined
  isHeld = false
  reads = 0
  mostAtOnce = 0
  #atOnce = 0
  readonly #held: (() => void)[] = []

  release(): void {
    this.#held.shift()?.()
  }

  async read(): Promise<Outcome> {
    this.reads++
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce)
    const torrents = [...this.states].map(([infoHash, state]) =>
      fromQbittorrent(infoHash, { name: infoHash, state, size: this.sizes.get(infoHash), save_path: this.folder }),
    )
    const { fault } = this
    if (this.isHeld) await new Promise<void>((resolve) => this.#held.push(resolve))
    this.#atOnce--
    const { freeSpaceBytes } = this
    const told = freeSpaceBytes === undefined ? status : { ...status, freeSpaceBytes }
    return fault === undefined ? succeed({ changes: { kind: 'full', torrents }, status: told }) : failWith(fault)
  }

  async act(action: TorrentAction, hashes: readonly string[]): Promise<Result<void, DownloaderFault>> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce)
    this.acted.push([action, hashes])
    this.effect(action, hashes)
    this.#atOnce--
    return this.actFault === undefined ? succeed(undefined) : failWith(this.actFault)
  }

  async add(upload: TorrentUpload): Promise<Result<void, DownloaderFault>> {
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce)
    this.added.push(upload.infoHashes[0])
    const accepted = this.takeUp(upload)
    this.#atOnce--
    return accepted
  }

  details(): never {
    throw new Error('no test here asks for details')
  }

  async change(change: TorrentChange, torrents: readonly Torrent[]): Promise<Result<void, DownloaderFault>> {
    if (change.kind !== 'move') throw new Error('no test here changes anything else')
    this.moves.push(...torrents.map(({ infoHash }) => infoHash))
    if (this.actFault !== undefined) return failWith(this.actFault)
    this.carry(change.folder)
    return succeed(undefined)
  }
}

function setUp(): { driver: HeldDriver; live: LiveDownloader; clock: { nowMs: number } } {
  const clock = { nowMs: 1_000_000 }
  const driver = new HeldDriver()
  const runtime: DriverRuntime = {
    bounds: { callMs: 1000, operationMs: 2000, stalenessMs: downloaderStalenessMs, answerBytesMax: 1000 },
    fetch: () => Promise.reject(new Error('a held driver asks nobody')),
    nowMs: () => clock.nowMs,
    async wait(ms) {
      clock.nowMs += ms
    },
  }
  return { driver, live: new LiveDownloader('qbittorrent', driver, runtime), clock }
}

/** Lets everything that can go on go on. */
async function turn(): Promise<void> {
  for (let round = 0; round < 20; round++) await Promise.resolve()
}

const shown = async (live: LiveDownloader): Promise<unknown> => {
  const selected = await live.select(query, { from: 0, count: 10 })
  return selected.ok ? selected.value.torrents.map(({ state }) => state) : selected.failure
}

describe('freshness', () => {
  test('what was read serves until it is as old as the bound, and not longer', async ({ expect }) => {
    const { driver, live, clock } = setUp()

    await shown(live)
    clock.nowMs += downloaderStalenessMs - 1
    await shown(live)
    const readsBefore = driver.reads
    clock.nowMs += 1
    await shown(live)

    expect([readsBefore, driver.reads]).toEqual([1, 2])
  })

  test('a clock that was set back does not keep an old state alive', async ({ expect }) => {
    const { driver, live, clock } = setUp()

    await shown(live)
    clock.nowMs -= 3_600_000
    await shown(live)

    expect(driver.reads).toBe(2)
  })

  test('readers at one time share one read', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.isHeld = true

    const readings = Promise.all([shown(live), shown(live), live.status(), shown(live)])
    await turn()
    driver.release()

    expect(await readings).toEqual([['downloading'], ['downloading'], { ok: true, value: status }, ['downloading']])
    expect(driver.reads).toBe(1)
  })

  test('age counts from when the read began, not from when its answer came', async ({ expect }) => {
    const { driver, live, clock } = setUp()
    driver.isHeld = true

    const first = shown(live)
    await turn()
    clock.nowMs += downloaderStalenessMs
    driver.release()
    await first
    driver.isHeld = false
    await shown(live)

    expect(driver.reads).toBe(2)
  })
})

test('no list waits for one that keeps still, and who decides by it does', async ({ expect, onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { driver, live, clock } = setUp()
  await shown(live)
  clock.nowMs += downloaderStalenessMs
  driver.isHeld = true
  const passed = async (ms: number) => {
    clock.nowMs += ms
    await vi.advanceTimersByTimeAsync(ms)
  }
  const first = shown(live)
  await passed(glanceMs.known)
  expect(await first).toEqual(['downloading'])

  const there = { list: false, shown: false, decided: false }
  const noted = (name: keyof typeof there) => () => {
    there[name] = true
  }
  const list = shown(live).then(noted('list'))
  const figures = live.shownStatus().then(noted('shown'))
  const decided = live.status().then(noted('decided'))
  await passed(0)
  expect(there).toEqual({ list: true, shown: true, decided: false })
  await Promise.all([list, figures])

  // A new read is no more waited for than the one before.
  driver.fault = { kind: 'timeout' }
  driver.release()
  await decided
  const next = shown(live)
  await passed(0)
  expect(await next).toEqual(['downloading'])

  // It goes on, and is shown once it answers.
  driver.fault = undefined
  driver.states.set(hash, 'stalledUP')
  driver.isHeld = false
  driver.release()
  await passed(downloaderStalenessMs)
  expect(await shown(live)).toEqual(['seeding'])
})

describe('a failed read', () => {
  test.for([
    [{ kind: 'unreachable' }, 0, true],
    [{ kind: 'timeout' }, lastKnownMs - downloaderStalenessMs - 1, true],
    [{ kind: 'timeout' }, lastKnownMs - downloaderStalenessMs, false],
    [{ kind: 'credentials' }, 0, false],
  ] as const)(
    'for %o, %i ms on, lists what was known with its time: %s',
    async ([fault, laterMs, isKnown], { expect }) => {
      const { driver, live, clock } = setUp()
      await shown(live)
      const atUnix = Math.floor(clock.nowMs / 1000)

      clock.nowMs += downloaderStalenessMs + laterMs
      driver.fault = fault
      const list = await live.select({ sort: 'added_at', order: 'desc' }, { from: 0, count: 9 })
      const others = [await live.status(), await live.find(['a'.repeat(40)]), await live.matching({})]
      driver.fault = undefined

      if (isKnown)
        expect(list).toMatchObject({
          ok: true,
          value: { total: 1, late: { atUnix, reason: { kind: `downloader.${fault.kind}` } } },
        })
      else expect(list).toEqual({ ok: false, failure: fault })
      // What is acted on is never taken for what it was.
      expect(others).toEqual(others.map(() => ({ ok: false, failure: fault })))
      clock.nowMs += credentialRetryMs[0] ?? 0
      expect(await shown(live)).toEqual(['downloading'])
    },
  )

  test('for a refused password is not repeated before its wait is over', async ({ expect }) => {
    const { driver, live, clock } = setUp()
    driver.fault = { kind: 'credentials' }

    let tries = 0
    for (const waitMs of [...credentialRetryMs, credentialRetryMs.at(-1) ?? 0]) {
      expect(await shown(live)).toEqual({ kind: 'credentials' })
      expect(driver.reads).toBe(++tries)
      clock.nowMs += waitMs - 1
      expect(await shown(live)).toEqual({ kind: 'credentials' })
      expect(driver.reads).toBe(tries)
      clock.nowMs += 1
    }
    driver.fault = undefined

    expect(await shown(live)).toEqual(['downloading'])
  })
})

describe('an action', () => {
  test('is seen by a read that begins after it, even while an older read is under way', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.effect = () => driver.states.set(hash, 'stoppedDL')
    driver.isHeld = true

    const before = shown(live)
    await turn()
    const acting = live.act('pause', [hash])
    await turn()
    driver.isHeld = false
    driver.release()
    const acted = await acting
    const after = shown(live)

    expect(await before).toEqual(['downloading'])
    expect(acted).toEqual({ ok: true, value: [{ infoHash: hash, title: expect.any(String), success: true }] })
    expect(await after).toEqual(['stopped'])
    expect(driver.mostAtOnce).toBe(1)
  })

  test('on a hash that is not there never reaches the downloader', async ({ expect }) => {
    const { driver, live } = setUp()

    const acted = await live.act('delete_with_files', [other])

    expect(acted).toMatchObject({ ok: true, value: [{ infoHash: other, success: false }] })
    expect(driver.acted).toEqual([])
  })

  test('names only the hashes that are there, and answers for each', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.effect = (_, hashes) => {
      for (const one of hashes) driver.states.delete(one)
    }

    const acted = await live.act('delete', [other, hash])

    expect(driver.acted).toEqual([['delete', [hash]]])
    expect(acted).toMatchObject({
      ok: true,
      value: [
        { infoHash: other, success: false },
        { infoHash: hash, title: expect.any(String), success: true },
      ],
    })
    expect(await shown(live)).toEqual([])
  })

  test('looks at the downloader first, however fresh the last read is', async ({ expect }) => {
    const { driver, live } = setUp()
    await shown(live)
    driver.states.delete(hash)

    const acted = await live.act('pause', [hash])

    expect(acted).toMatchObject({ ok: true, value: [{ success: false }] })
  })

  test('waits for a late effect, and answers that it was accepted when it stays out', async ({ expect }) => {
    const { live, clock } = setUp()
    const startedAtMs = clock.nowMs

    const acted = await live.act('pause', [hash])

    expect(acted).toMatchObject({ ok: true, value: [{ success: true, reason: { kind: 'accepted_not_settled' } }] })
    expect(clock.nowMs - startedAtMs).toBeGreaterThanOrEqual(actionSettleMs)
    expect(clock.nowMs - startedAtMs).toBeLessThan(actionSettleMs + 1000)
  })

  test('that the downloader refuses is a failure, and the next read asks anew', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.actFault = { kind: 'status', status: 500 }

    const acted = await live.act('pause', [hash])
    const reads = driver.reads
    await shown(live)

    expect(acted).toEqual({ ok: false, failure: { kind: 'status', status: 500 } })
    expect(driver.reads).toBe(reads + 1)
  })
})

const gib = 1024 ** 3

function uploadOf(infoHash: string, change: Partial<TorrentUpload> = {}): TorrentUpload {
  const content = new Uint8Array()
  return { content, infoHashes: [infoHash], sizeBytes: gib, category: '', tags: [], savePath: '', ...change }
}

const hashes = Array.from({ length: 10 }, (_, index) => index.toString(16).repeat(40).slice(0, 40))

describe('adding torrents', () => {
  test('ten at once never go below the space that must stay free', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.freeSpaceBytes = 5 * gib

    const outcomes = await Promise.all(hashes.map((infoHash) => live.add(uploadOf(infoHash), 2 * gib)))

    expect(outcomes.map(({ kind }) => kind)).toEqual([...Array(3).fill('added'), ...Array(7).fill('stopped')])
    expect(driver.added).toEqual(hashes.slice(0, 3))
    expect(driver.mostAtOnce).toBe(1)
  })

  test('counts what was sent and does not show yet, until it shows or is given up', async ({ expect }) => {
    const { driver, live, clock } = setUp()
    driver.freeSpaceBytes = 5 * gib
    const [first = '', second = '', third = ''] = hashes
    driver.takeUp = () => succeed(undefined)

    const unseen = await live.add(uploadOf(first, { sizeBytes: 3 * gib }), 2 * gib)
    const besides = await live.add(uploadOf(second), 2 * gib)
    clock.nowMs += unseenUploadMs
    const later = await live.add(uploadOf(third), 2 * gib)

    expect(unseen).toMatchObject({ kind: 'refused', mayHaveArrived: true })
    expect(besides.kind).toBe('stopped')
    expect(later.kind).toBe('refused')
    expect(driver.added).toEqual([first, third])
  })

  test('counts what incomplete torrents will still write', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.freeSpaceBytes = 5 * gib
    driver.sizes.set(hash, 3 * gib)

    expect((await live.add(uploadOf(hashes[0] ?? ''), 2 * gib)).kind).toBe('stopped')
    expect((await live.add(uploadOf(hashes[0] ?? ''), gib)).kind).toBe('added')
  })

  test('goes by the space of the folder it is saved in, where the downloader can tell', async ({ expect }) => {
    const { driver, live } = setUp()
    const [first = '', second = '', third = '', fourth = ''] = hashes
    driver.freeSpaceBytes = 5 * gib
    const add = async (infoHash: string, savePath: string) =>
      (await live.add(uploadOf(infoHash, { savePath, sizeBytes: gib }), gib)).kind
    const withoutKnowing = await add(first, '/small')
    const asked: string[] = []
    const spaces: Record<string, number | undefined> = { '/small': gib, '/large': 9 * gib }
    driver.freeSpaceIn = async (folder) => {
      asked.push(folder)
      return spaces[folder]
    }

    expect(withoutKnowing).toBe('added')
    expect(await add(second, '/small')).toBe('stopped')
    expect(await add(second, '/unreadable')).toBe('stopped')
    expect(await add(second, '/large')).toBe('added')
    expect(await add(third, '')).toBe('added')
    driver.freeSpaceBytes = gib
    expect(await add(fourth, '/large')).toBe('added')
    expect(asked).toEqual(['/small', '/unreadable', '/large', '/large'])
  })

  test('stops when the free space cannot be read, after waiting for it', async ({ expect }) => {
    const { driver, live, clock } = setUp()
    const startedMs = clock.nowMs

    expect(await live.add(uploadOf(hashes[0] ?? ''), 0)).toMatchObject({
      kind: 'stopped',
      reason: { kind: 'push.space_unread' },
    })
    expect(driver.added).toEqual([])
    expect(clock.nowMs - startedMs).toBeGreaterThanOrEqual(freeSpaceSettleMs)
    expect(clock.nowMs - startedMs).toBeLessThan(freeSpaceSettleMs + actionSettlePollMs)
  })

  test('waits for a downloader that does not know its free space yet', async ({ expect }) => {
    const { driver, live } = setUp()
    Object.defineProperty(driver, 'freeSpaceBytes', { get: () => (driver.reads < 4 ? undefined : 5 * gib) })

    expect(await live.add(uploadOf(hashes[0] ?? ''), 0)).toMatchObject({ kind: 'added' })
  })

  test('one that shows late is waited for; one that never does is not called added', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.freeSpaceBytes = 5 * gib
    const [first = '', second = ''] = hashes
    driver.takeUp = () => {
      const reads = driver.reads
      const read = driver.read.bind(driver)
      driver.read = () => {
        if (driver.reads === reads + 3) driver.states.set(first, 'downloading')
        return read()
      }
      return succeed(undefined)
    }
    expect(await live.add(uploadOf(first), 0)).toEqual({ kind: 'added', infoHash: first })

    driver.takeUp = () => succeed(undefined)
    expect(await live.add(uploadOf(second), 0)).toMatchObject({ kind: 'refused', mayHaveArrived: true })
  })

  test.for([
    ['rejected', true, 'present'],
    ['rejected', false, 'refused'],
    ['timeout', true, 'added'],
  ] as const)(
    'a downloader that answers %s while the torrent shows %s: %s',
    async ([kind, shows, outcome], { expect }) => {
      const { driver, live } = setUp()
      driver.freeSpaceBytes = 5 * gib
      const [first = ''] = hashes
      driver.takeUp = () => {
        if (shows) driver.states.set(first, 'downloading')
        return failWith({ kind })
      }

      expect((await live.add(uploadOf(first), 0)).kind).toBe(outcome)
    },
  )

  test('one whose answer never came may have arrived, and one that was refused has not', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.freeSpaceBytes = 5 * gib
    driver.takeUp = () => failWith({ kind: 'timeout' })
    const lost = await live.add(uploadOf(hashes[0] ?? ''), 0)
    driver.takeUp = () => failWith({ kind: 'rejected' })
    const refused = await live.add(uploadOf(hashes[1] ?? ''), 0)

    expect(lost).toMatchObject({ kind: 'refused', reason: { kind: 'downloader.timeout' }, mayHaveArrived: true })
    expect(refused).toMatchObject({ kind: 'refused', mayHaveArrived: false })
  })
})

describe('moving a torrent', () => {
  const folder = '/library/A Film (2024)'
  const absent = 'b'.repeat(40)
  const kindOf = async (live: LiveDownloader, hashes: readonly string[] = [hash]) => {
    const moved = await live.move(hashes, folder)
    return moved.ok ? moved.value.kind : moved.failure
  }

  test('is asked for once, and not at all where it is there or not known', async ({ expect }) => {
    const { driver, live } = setUp()

    const kinds = [await kindOf(live, [absent]), await kindOf(live, [absent, hash]), await kindOf(live)]

    expect(kinds).toEqual(['gone', 'moved', 'moved'])
    expect(driver.moves).toEqual([hash])
  })

  test('that takes long is not asked for again while the files are on their way', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.carry = () => driver.states.set(hash, 'moving')

    const early = [await kindOf(live), await kindOf(live)]
    driver.folder = `${folder}/`
    const stillMoving = await kindOf(live)
    driver.states.set(hash, 'uploading')

    expect([...early, stillMoving, await kindOf(live)]).toEqual(['moving', 'moving', 'moving', 'moved'])
    expect(driver.moves).toEqual([hash])
  })

  test('that is refused is a failure', async ({ expect }) => {
    const { driver, live } = setUp()
    driver.actFault = { kind: 'rejected' }

    expect(await kindOf(live)).toEqual({ kind: 'rejected' })
  })
})
