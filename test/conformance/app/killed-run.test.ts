// @module-tag slow
/** An action on all that match and the live list, through a kill -9 of the real process, with a real downloader. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { ServerSentDecoder } from '#shared/sse/server-sent-decode.ts'
import { torrentRunBatchSize } from '../../../workers/app/limits.ts'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { type HeldDownloader, holdable } from '../../support/held-downloader.ts'
import { makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'
import { unwrap } from '../../support/unwrap.ts'

const qbittorrent = requireReal('qbittorrent-nox')
/** Two whole batches and a part of one. */
const count = 2 * torrentRunBatchSize + 20
const waitMs = 60_000

describe.skipIf(qbittorrent.isMissing)(`killed in the middle of a run ${qbittorrent.skipNote}`.trim(), () => {
  const folder = temporaryFolder()
  let wharf: RunningWharf
  let qb: DownloaderUnderTest
  let way: HeldDownloader
  let owner: Record<string, string>

  beforeAll(async () => {
    const starts = await Promise.all([startWharf(folder.path), startQbittorrent(qbittorrent.path)])
    wharf = starts[0]
    qb = starts[1]
    way = await holdable(qb.settings.baseUrl)
    owner = await ownerOf(wharf)
    const { kind: type, username, password } = qb.settings
    const downloader = { name: 'qb', type, address: way.address, username, password, enabled: true, default: true }
    const added = await wharf.request('POST', '/api/console/v1/downloaders', owner, downloader)
    if (added.status !== 200) throw new Error(added.text)
    await addAll(qb)
    await until('every torrent', async () => ((await held('')) === count ? true : undefined), waitMs)
  }, 3 * waitMs)
  afterAll(async () => {
    await wharf?.stop()
    await Promise.all([way?.stop(), qb?.dispose()])
    folder.remove()
  })

  const app = (method: string, path: string, body?: unknown) => wharf.request(method, `/api/app/v1${path}`, owner, body)
  async function held(query: string): Promise<number> {
    const { status, body, text } = await app('GET', `/torrents?limit=1${query}`)
    if (status !== 200) throw new Error(text)
    return body.total
  }

  /** What the live list says, event by event, until its connection ends. */
  function follow() {
    const said: { readonly event: string; readonly data: Record<string, unknown> }[] = []
    const leaving = new AbortController()
    async function listen(): Promise<'cut' | 'over'> {
      try {
        const answer = await fetch(`${wharf.origin}/api/console/v1/torrents/events?from=0&count=50`, {
          headers: owner,
          signal: leaving.signal,
        })
        const decoder = new ServerSentDecoder(1024 * 1024)
        for await (const piece of answer.body ?? [])
          for (const { event = '', data } of unwrap(decoder.push(piece))) said.push({ event, data: JSON.parse(data) })
        return 'over'
      } catch {
        return 'cut'
      }
    }
    return { said, ended: listen(), leave: () => leaving.abort() }
  }

  test(
    'what was acknowledged is done, the rest is done after it, and the list is told whole and then by what changes',
    async ({ expect }) => {
      const before = follow()
      await until('the list', async () => before.said.find(({ event }) => event === 'list'), waitMs)
      const carriedOut = way.holdAfter(/\/torrents\/(stop|pause)$/, 1)
      const begun = await app('POST', '/torrent-runs', { deed: { kind: 'pause' }, at_most: count })
      expect(begun.body).toMatchObject({ status: 'running', total: count })
      const path = `/torrent-runs/${begun.body.id}`
      await carriedOut
      const acknowledged = (await app('GET', path)).body.succeeded
      await wharf.kill()
      way.letGo()

      expect(acknowledged).toBe(torrentRunBatchSize)
      expect(await before.ended).toBe('cut')

      wharf = await startWharf(folder.path)
      owner = await ownerOf(wharf)
      expect(await held('&state=paused')).toBeGreaterThanOrEqual(acknowledged)
      const after = follow()
      const over = await until(
        'the end of the run',
        async () => {
          const { body } = await app('GET', path)
          return body.status === 'running' ? undefined : body
        },
        // The work that was cut off is taken up again when its lease is over.
        3 * waitMs,
      )
      expect(over).toMatchObject({ status: 'done', total: count, succeeded: count, failed: 0, failures: [] })
      expect(await held('&state=paused')).toBe(count)
      const names = () => after.said.map(({ event }) => event).filter((event) => event !== 'groups')
      await until('the list', async () => (names().includes('list') ? true : undefined), waitMs)
      expect(names().filter((event) => event === 'list')).toHaveLength(1)

      // The way back is known, too, and the list hears of it by difference.
      const told = after.said.length
      const back = await app('POST', `${path}/undo`, {})
      expect(back.body).toMatchObject({ total: count })
      await until(
        'a change',
        async () => after.said.slice(told).find(({ event, data }) => event === 'change' && 'items' in data),
        waitMs,
      )
      await until('nothing paused', async () => ((await held('&state=paused')) === 0 ? true : undefined), waitMs)
      expect(names().filter((event) => event === 'list')).toHaveLength(1)
      after.leave()
      await after.ended
    },
    6 * waitMs,
  )
})

/** In one call: a sign-in is made slow on purpose. */
async function addAll({ settings: { baseUrl, username, password } }: DownloaderUnderTest): Promise<void> {
  const api = `${baseUrl}/api/v2`
  const signIn = await fetch(`${api}/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  })
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const form = new FormData()
  for (let at = 0; at < count; at += 1)
    form.append('torrents', new Blob([new Uint8Array(makeTorrent(`Voyage ${at}`, 100).file)]), `${at}.torrent`)
  const answer = await fetch(`${api}/torrents/add`, { method: 'POST', headers: { cookie }, body: form })
  if (!answer.ok) throw new Error(await answer.text())
}
