/** From a first start to paused and deleted torrents on real downloaders, and through crashes, all over HTTP. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder, tokenOf } from '../../support/running-wharf.ts'
import { startTransmission } from '../../support/transmission-daemon.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const transmission = requireReal('transmission-daemon')
const isMissing = qbittorrent.isMissing || transmission.isMissing

type Headers = Readonly<Record<string, string>>

describe.skipIf(isMissing)(
  `real downloaders through the service ${qbittorrent.skipNote}${transmission.skipNote}`.trim(),
  () => {
    const folder = temporaryFolder()
    let wharf: RunningWharf
    let owner: Headers
    let phone: Headers
    let downloaders: DownloaderUnderTest[] = []
    const ids: number[] = []

    beforeAll(async () => {
      const [running, ...started] = await Promise.all([
        startWharf(folder.path),
        startQbittorrent(qbittorrent.path),
        startTransmission(transmission.path),
      ])
      wharf = running
      downloaders = started
      owner = await ownerOf(wharf)
      phone = await tokenOf(wharf, owner, ['app:read', 'app:write'])
      for (const { kind, settings } of downloaders) {
        const { baseUrl: address, username, password } = settings
        const tried = await wharf.request('POST', '/api/console/v1/downloaders/test', owner, {
          type: kind,
          address,
          username,
          password,
        })
        if (!tried.body.reachable) throw new Error(JSON.stringify(tried.body))
        const added = await wharf.request('POST', '/api/console/v1/downloaders', owner, {
          name: kind,
          type: kind,
          address,
          username,
          password,
          enabled: true,
          default: kind === 'transmission',
        })
        ids.push(added.body.id)
      }
    })
    afterAll(async () => {
      await wharf?.stop()
      await Promise.all(downloaders.map((downloader) => downloader.dispose()))
      folder.remove()
    })

    const list = (query = '') => wharf.request('GET', `/api/app/v1/torrents${query}`, phone)
    const act = (action: string, targets: unknown[]) =>
      wharf.request('POST', '/api/app/v1/torrents/actions', phone, { action, targets })

    test('both are listed with their figures, without address and user', async ({ expect }) => {
      const { body } = await wharf.request('GET', '/api/app/v1/downloaders', phone)

      expect(body.items).toMatchObject([
        {
          id: ids[0],
          name: 'qbittorrent',
          type: 'qbittorrent',
          default: false,
          reachable: true,
          version: expect.stringMatching(/\d/),
        },
        {
          id: ids[1],
          name: 'transmission',
          type: 'transmission',
          default: true,
          reachable: true,
          version: expect.stringMatching(/\d/),
        },
      ])
      for (const { settings } of downloaders) {
        expect(JSON.stringify(body)).not.toContain(new URL(settings.baseUrl).port)
        expect(JSON.stringify(body)).not.toContain(settings.password)
      }
    })

    test('torrents of both come in one list that is filtered, sorted, paged and acted on', async ({ expect }) => {
      const complete = downloaders.map((_, at) => makeTorrent(`Alpha Complete ${at}.bin`))
      const waiting = downloaders.map((_, at) => makeTorrent(`Beta Waiting ${at}.bin`, 50_000))
      for (const [at, downloader] of downloaders.entries()) {
        await downloader.add(complete[at] ?? makeTorrent('x'), { hasData: true, isPaused: false })
        await downloader.add(waiting[at] ?? makeTorrent('x'), { hasData: false, isPaused: false })
      }
      await until('all four torrents', async () =>
        (await list('?state=seeding')).body.total === 2 && (await list('?state=downloading')).body.total === 2
          ? true
          : undefined,
      )

      const alpha = await list('?q=ALPHA&sort=title&order=asc')
      const largest = await list('?sort=size&page_size=1')
      const last = await list('?sort=size&page_size=3&page=2')
      const one = await list(`?downloader_id=${ids[0]}`)

      expect(alpha.body).toMatchObject({
        total: 2,
        failures: [],
        items: [{ title: 'Alpha Complete 0.bin' }, { title: 'Alpha Complete 1.bin' }],
      })
      expect(largest.body).toMatchObject({ total: 4, page: 1, page_size: 1, items: [{ size: 50_000 }] })
      expect(last.body.items).toHaveLength(1)
      expect(one.body.items.map(({ downloader_id }: { downloader_id: number }) => downloader_id)).toEqual([
        ids[0],
        ids[0],
      ])

      const targets = waiting.map(({ infoHash }, at) => ({ downloader_id: ids[at], task_id: infoHash }))
      const paused = await act('pause', targets)
      const states = (await list('?q=beta&sort=title&order=asc')).body.items.map(
        ({ state }: { state: string }) => state,
      )
      expect(paused.body).toMatchObject({ succeeded: 2, failed: 0 })
      expect(states).toEqual(downloaders.map(({ stoppedState }) => stoppedState))

      const resumed = await act('resume', targets)
      expect(resumed.body).toMatchObject({ succeeded: 2, failed: 0 })
      expect((await list('?q=beta')).body.items.map(({ state }: { state: string }) => state)).toEqual([
        'downloading',
        'downloading',
      ])

      const mixed = await act('delete_with_files', [
        { downloader_id: ids[0], task_id: complete[0]?.infoHash },
        { downloader_id: ids[1], task_id: 'f'.repeat(40) },
        { downloader_id: 999, task_id: complete[1]?.infoHash },
      ])
      expect(mixed.status).toBe(200)
      expect(mixed.body).toMatchObject({
        succeeded: 1,
        failed: 2,
        results: [{ success: true }, { success: false }, { success: false }],
      })
      expect(existsSync(path.join(downloaders[0]?.savePath ?? '', 'Alpha Complete 0.bin'))).toBe(false)
      expect((await list()).body.total).toBe(3)

      const { items } = (await wharf.request('GET', '/api/console/v1/audit', owner)).body
      expect(items.map(({ result }: { result: string }) => result).slice(0, 3)).toEqual(['error:partial', 'ok', 'ok'])
    })

    test.each(['all', 'a|b', '*', '.', `${'0'.repeat(40)}|${'1'.repeat(40)}`, `${'A'.repeat(40)}`])(
      'the task id %s reaches no downloader and touches nothing',
      async (task) => {
        const before = (await list()).body.items.map(({ info_hash }: { info_hash: string }) => info_hash)

        const { body } = await act(
          'delete_with_files',
          ids.map((downloader_id) => ({ downloader_id, task_id: task })),
        )

        if (body.failed !== 2) throw new Error(JSON.stringify(body))
        const after = (await list()).body.items.map(({ info_hash }: { info_hash: string }) => info_hash)
        if (JSON.stringify(after) !== JSON.stringify(before)) throw new Error('something is gone')
      },
    )

    test('a downloader that stops answering is named, with its rows as they were, and the other is still served', async ({
      expect,
    }) => {
      downloaders[0]?.freeze()
      // What was read a moment ago may still be shown; after that the silence is noticed.
      const body = await until(
        'the silence to be noticed',
        async () => {
          const answer = (await list()).body
          return answer.failures.length > 0 ? answer : undefined
        },
        40_000,
      )
      downloaders[0]?.thaw()

      expect(body.failures).toMatchObject([
        {
          ...{ downloader_id: ids[0], downloader: 'qbittorrent' },
          error: expect.stringMatching(/\p{Script=Han}/u),
          last_answer_at: expect.any(Number),
        },
      ])
      const shown = body.items.map(({ downloader_id }: { downloader_id: number }) => downloader_id)
      expect(new Set(shown)).toEqual(new Set(ids))
      await until('it to be back', async () => ((await list()).body.failures.length === 0 ? true : undefined))
    })

    test('a wrong password is told from a wrong address, in words that name neither', async ({ expect }) => {
      for (const { kind, settings } of downloaders) {
        const body = { type: kind, address: settings.baseUrl, username: settings.username }
        const wrong = await wharf.request('POST', '/api/console/v1/downloaders/test', owner, {
          ...body,
          password: 'wrong-password-1',
        })
        const closed = await wharf.request('POST', '/api/console/v1/downloaders/test', owner, {
          ...body,
          address: 'http://127.0.0.1:1',
          password: 'x',
        })

        expect(wrong.body.reachable).toBe(false)
        expect(closed.body.reachable).toBe(false)
        expect(wrong.body.error).not.toBe(closed.body.error)
        expect(wrong.body.error + closed.body.error).not.toMatch(/127\.0\.0\.1|wrong-password/)
      }
    })

    test('a restart of Transmission, which numbers its torrents anew, changes no task id', async ({ expect }) => {
      const ofTransmission = async () =>
        (await list(`?downloader_id=${ids[1]}&sort=title`)).body.items.map(
          ({ task_id }: { task_id: string }) => task_id,
        )
      const before = await ofTransmission()

      await downloaders[1]?.restart()

      await until('it to be back', async () => ((await list()).body.failures.length === 0 ? true : undefined))
      expect(await ofTransmission()).toEqual(before)
    })

    test('no planted secret is in the log, in the rows of the database or in any file but the one for secrets', ({
      expect,
    }) => {
      const secrets: Record<string, string> = JSON.parse(readFileSync(path.join(folder.path, 'secrets.json'), 'utf8'))
      const planted = [
        ...downloaders.map(({ settings }) => settings.password),
        secrets['MASTER_KEY'] ?? '',
        (phone['authorization'] ?? '').slice(-43),
        (owner['cookie'] ?? '').split('=')[1] ?? '',
      ]
      expect(planted.every((secret) => secret.length >= 8)).toBe(true)

      const texts = [
        wharf.said(),
        ...filesBelow(folder.path)
          .filter((file) => path.basename(file) !== 'secrets.json')
          .map((file) => readFileSync(file, 'latin1')),
      ]
      for (const secret of planted) expect(texts.filter((text) => text.includes(secret))).toEqual([])
    })
  },
)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
}

/** Two writers in four rounds stay below the limit of downloaders. */
const writesPerWriter = 6

describe('killed while it writes', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())

  test('after a kill -9 everything that was acknowledged is there', { timeout: 180_000 }, async ({ expect }) => {
    const acknowledged: string[] = []
    for (let round = 0; round < 4; round += 1) {
      const wharf = await startWharf(folder.path)
      const owner = await ownerOf(wharf)
      let isDying = false
      const write = async (writer: number) => {
        for (let wrote = 0; !isDying && wrote < writesPerWriter; wrote += 1) {
          const name = `r${round}w${writer}n${wrote}`
          const made = await wharf
            .request('POST', '/api/console/v1/downloaders', owner, {
              name,
              type: 'qbittorrent',
              address: 'http://127.0.0.1:1',
              username: '',
              enabled: false,
              default: false,
            })
            .catch(() => undefined)
          if (made === undefined) return
          if (made.status !== 200) return
          acknowledged.push(name)
        }
      }
      const writers = [write(0), write(1)]
      await until('some writes', async () =>
        acknowledged.filter((name) => name.startsWith(`r${round}`)).length > round ? true : undefined,
      )
      await wharf.kill()
      isDying = true
      await Promise.all(writers)
    }

    const wharf = await startWharf(folder.path)
    const owner = await ownerOf(wharf)
    const { items } = (await wharf.request('GET', '/api/console/v1/downloaders', owner)).body
    const names = items.map(({ name }: { name: string }) => name)
    expect(await wharf.stop()).toBe(0)

    expect(acknowledged.length).toBeGreaterThanOrEqual(4)
    expect(names).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(names).size).toBe(names.length)
  })
})
