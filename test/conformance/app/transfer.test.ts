// @module-tag slow
/** Torrents move between real downloaders with their data in place, through a kill of the service. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const isMissing = qbittorrent.isMissing || transmission.isMissing
const waitMs = 120_000

describe.skipIf(isMissing)(
  `qBittorrent and Transmission ${qbittorrent.skipNote}${transmission.skipNote}`.trim(),
  () => {
    const folder = temporaryFolder()
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'wharf-empty-'))
    const torrents = [makeTorrent('One.2024.mkv', 200_000), makeTorrent('Two.2024.mkv', 300_000)]
    const lost = makeTorrent('Lost.2024.mkv', 100_000)
    let wharf: RunningWharf
    let owner: Readonly<Record<string, string>>
    let old: DownloaderUnderTest
    let other: DownloaderUnderTest
    const ids: number[] = []

    beforeAll(async () => {
      ;[wharf, old, other] = await Promise.all([
        startWharf(folder.path),
        startQbittorrent(qbittorrent.path),
        startTransmission(transmission.path),
      ])
      owner = await ownerOf(wharf)
      for (const { kind, settings } of [old, other]) {
        const { baseUrl: address, username, password } = settings
        const body = { name: kind, type: kind, address, username, password, enabled: true, default: false }
        ids.push((await wharf.request('POST', '/api/console/v1/downloaders', owner, body)).body.id)
      }
      for (const torrent of [...torrents, lost]) await old.add(torrent, { hasData: true, isPaused: false })
    }, waitMs)
    afterAll(async () => {
      await wharf?.stop()
      await Promise.all([old?.dispose(), other?.dispose()])
      rmSync(elsewhere, { recursive: true })
      folder.remove()
    })

    const titlesAt = async (at: 0 | 1, state = 'seeding'): Promise<string[]> =>
      (await wharf.request('GET', `/api/app/v1/torrents?downloader_id=${ids[at]}&state=${state}`, owner)).body.items
        .map(({ title }: { title: string }) => title)
        .toSorted()
    const shown = async (at: 0 | 1) =>
      (await wharf.request('GET', `/api/app/v1/torrents?downloader_id=${ids[at]}`, owner)).body.items
    const states = async (): Promise<Record<string, unknown>> => {
      const answer = await wharf.request('GET', '/api/console/v1/transfers', owner)
      if (answer.status !== 200) throw new Error(answer.text)
      const { items } = answer.body
      return Object.fromEntries(
        items.map((one: { title: string; state: string; reason?: { kind: string } }) => [
          one.title,
          one.reason === undefined ? one.state : [one.state, one.reason.kind],
        ]),
      )
    }
    const begin = (body: object) => wharf.request('POST', '/api/console/v1/transfers', owner, body)

    test(
      'move with their data in place, also through a kill; what is not found whole stays',
      async ({ expect }) => {
        const all = [...torrents, lost].map(({ name }) => name).toSorted()
        await expect.poll(() => titlesAt(0), { timeout: waitMs }).toEqual(all)
        const hashOf = new Map<string, string>(
          (await shown(0)).map(({ title, task_id }: { title: string; task_id: string }) => [title, task_id]),
        )
        const task_ids = torrents.map(({ name }) => hashOf.get(name))
        expect((await begin({ from: ids[0], to: ids[1], task_ids })).body).toEqual({ begun: 2 })
        await until(
          'a first step',
          async () => (Object.values(await states()).includes('waiting') ? undefined : true),
          waitMs,
        )
        await wharf.kill()
        wharf = await startWharf(folder.path)
        owner = await ownerOf(wharf)
        // Begun meanwhile, as the others wait for the lease of the run that was cut off.
        await begin({
          from: ids[0],
          to: ids[1],
          task_ids: [hashOf.get(lost.name)],
          folder: { from: old.savePath, to: elsewhere },
        })
        const ended = Object.fromEntries(torrents.map(({ name }): [string, unknown] => [name, 'done']))
        ended[lost.name] = ['failed', 'transfer.not_whole']
        await expect.poll(states, { timeout: waitMs, interval: 1000 }).toEqual(ended)
        await expect.poll(() => titlesAt(1), { timeout: waitMs }).toEqual(torrents.map(({ name }) => name).toSorted())
        expect(await titlesAt(0)).toEqual([lost.name])
        expect((await shown(1)).map(({ title }: { title: string }) => title)).not.toContain(lost.name)
        for (const { name } of torrents) expect(existsSync(path.join(old.savePath, name))).toBe(true)
        expect(new Set((await shown(1)).map((one: { save_path: string }) => one.save_path))).toEqual(
          new Set([old.savePath]),
        )
      },
      4 * waitMs,
    )
  },
)
