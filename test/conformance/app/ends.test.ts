// @module-tag slow
/** Rules about ends on torrents of real downloaders: dry first, then stopped, removed and removed with their files. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { endLookSeconds } from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { type MadeTorrent, makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'
import { goodApiKey, type StandInSites, startStandInSites } from '../../support/stand-in-sites.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const waitMs = 120_000

describe.each([
  ['qBittorrent', qbittorrent, startQbittorrent],
  ['Transmission', transmission, startTransmission],
] as const)('%s', (name, real, start) => {
  describe.skipIf(real.isMissing)(`with torrents that came to their end ${real.skipNote}`.trim(), () => {
    const folder = temporaryFolder()
    const halted = makeTorrent(`Halted ${name}.mkv`)
    const left = makeTorrent(`Removed ${name}.mkv`)
    const erased = makeTorrent(`Erased ${name}.mkv`)
    const owed = makeTorrent(`Erased but owed ${name}.mkv`)
    const spared = makeTorrent(`Spared ${name}.mkv`)
    const all = [halted, left, erased, owed, spared]
    let wharf: RunningWharf
    let cookie: Readonly<Record<string, string>>
    let sites: StandInSites
    let downloader: DownloaderUnderTest

    async function ask(method: string, at: string, body?: unknown) {
      const answer = await wharf.request(method, at, { ...cookie, origin: wharf.origin }, body)
      if (answer.status !== 200) throw new Error(answer.text)
      return answer.body
    }
    const settle = (method: string, at: string, body?: unknown) => ask(method, `/api/console/v1${at}`, body)
    const shown = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await ask('GET', '/api/app/v1/torrents')).items.map((one: { info_hash: string; state: string }) => [
          one.info_hash,
          one.state,
        ]),
      )
    const ends = async () =>
      (await settle('GET', '/torrent-ends')).items
        .map(({ title, action, status }: Record<string, string>) => [title, action, status].join())
        .sort()
    const fileOf = ({ name: file }: MadeTorrent) => path.join(downloader.savePath, file)
    const addRule = (action: string, word: string) =>
      settle('POST', '/end-rules', {
        ...{ name: action, enabled: true },
        rule: { action, conditions: [{ field: 'title', op: 'has_all', value: [word] }] },
      })
    const due = [`${erased.name},remove_with_files,due`, `${halted.name},pause,due`, `${left.name},remove,due`].sort()

    beforeAll(async () => {
      ;[wharf, sites, downloader] = await Promise.all([startWharf(folder.path), startStandInSites(), start(real.path)])
      cookie = await ownerOf(wharf)
      const { kind, settings } = downloader
      const { baseUrl: address, username, password } = settings
      await settle('POST', '/downloaders', {
        ...{ name: 'nas-1', type: kind, address, username, password, enabled: true, default: true },
      })
      // A site that asks for five days of seeding, of every torrent.
      sites.state('unit3d', 'shelf').file = owed.file.toString('base64')
      const stored = consoleSite('shelf', 'unit3d', sites.address('unit3d', 'shelf'), { api_key: goodApiKey })
      await settle('POST', '/sites', { ...stored, definition: 'aither' })
      for (const torrent of [halted, left, erased, spared])
        await downloader.add(torrent, { hasData: true, isPaused: false })
      writeFileSync(fileOf(owed), owed.data)
      const found = await ask('POST', '/api/app/v1/search', { keyword: 'planet', sites: ['shelf'] })
      await ask('POST', '/api/app/v1/push', { site: 'shelf', torrent_id: found.items[0].torrent_id })
      await until(
        'all to seed',
        async () =>
          Object.values(await shown()).filter((state) => state === 'seeding').length === all.length ? true : undefined,
        waitMs,
      )
    }, 3 * waitMs)
    afterAll(async () => {
      await wharf?.stop()
      await Promise.all([downloader?.dispose(), sites?.stop()])
      folder.remove()
    })

    test('dry rules say what is due and end nothing', { timeout: 2 * waitMs }, async ({ expect }) => {
      await addRule('pause', 'Halted')
      await addRule('remove', 'Removed')
      await addRule('remove_with_files', 'Erased')
      await expect.poll(ends, { timeout: waitMs, interval: 500 }).toEqual(due)
      expect(Object.values(await shown())).toEqual(all.map(() => 'seeding'))
      expect(all.every((torrent) => existsSync(fileOf(torrent)))).toBe(true)
    })

    test('turned on they end what was due, and leave alone what still has to be seeded', {
      timeout: 3 * waitMs,
    }, async ({ expect }) => {
      await wharf.stop()
      passTime(wharf.dataFolder)
      wharf = await startWharf(folder.path)
      // At another port its cookie has another name.
      cookie = await ownerOf(wharf)
      await settle('PUT', '/end-mode', { mode: 'on' })

      await expect
        .poll(ends, { timeout: waitMs, interval: 500 })
        .toEqual(due.map((one) => one.replace(/due$/, 'ended')))
      await expect.poll(shown, { timeout: waitMs, interval: 500 }).toEqual({
        [halted.infoHash]: downloader.stoppedState,
        [owed.infoHash]: 'seeding',
        [spared.infoHash]: 'seeding',
      })
      await expect.poll(() => existsSync(fileOf(erased)), { timeout: waitMs }).toBe(false)
      expect([halted, left, owed, spared].map((torrent) => existsSync(fileOf(torrent)))).toEqual(Array(4).fill(true))

      const { items } = await settle('GET', '/audit')
      const told = items.filter(({ command }: { command: string }) => command === 'torrent-end')
      expect(
        told
          .map(({ result, reason }: { result: string; reason: { action: string } }) => [result, reason.action])
          .sort(),
      ).toEqual([
        ['ok', 'pause'],
        ['ok', 'remove'],
        ['ok', 'remove_with_files'],
      ])
    })
  })
})

/** What was due a moment ago was due at the look before, too. The service does not run. */
function passTime(dataFolder: string): void {
  let changed = 0
  for (const name of readdirSync(dataFolder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.sqlite')) continue
    const database = new DatabaseSync(path.join(dataFolder, name))
    if (database.prepare("select 1 from sqlite_master where name = 'torrent_ends'").get())
      changed += Number(
        database.prepare('update torrent_ends set due_since_unix = due_since_unix - ?').run(endLookSeconds).changes,
      )
    database.close()
  }
  if (changed === 0) throw new Error('nothing was due')
}
