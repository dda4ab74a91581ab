/** What becomes of writes whose caller leaves, or that a kill -9 cuts off, with a real downloader and a slow site. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { consoleSite } from '../../support/console-site.ts'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder, tokenOf } from '../../support/running-wharf.ts'
import { goodCookie, type StandInSites, startStandInSites } from '../../support/stand-in-sites.ts'

const qbittorrent = requireReal('qbittorrent-nox')

describe.skipIf(qbittorrent.isMissing)(`cut off in its middle ${qbittorrent.skipNote}`.trim(), () => {
  const folder = temporaryFolder()
  let wharf: RunningWharf
  let sites: StandInSites
  let qb: DownloaderUnderTest
  let owner: Record<string, string>
  let phone: Record<string, string>

  beforeAll(async () => {
    const starts = await Promise.all([startWharf(folder.path), startStandInSites(), startQbittorrent(qbittorrent.path)])
    wharf = starts[0]
    sites = starts[1]
    qb = starts[2]
    owner = await ownerOf(wharf)
    phone = await tokenOf(wharf, owner, ['app:read', 'app:write'])
    const { kind: type, baseUrl: address, username, password } = qb.settings
    const downloader = { name: 'qb', type, address, username, password, enabled: true, default: true }
    await store('/downloaders', downloader)
    for (const name of ['shelf', 'bench']) {
      sites.state('nexusphp', name).fileBytes = 1000
      const address = sites.address('nexusphp', name)
      await store('/sites', consoleSite(name, 'nexusphp', address, { cookie: goodCookie }))
    }
    await until('the first figures, after which the sites are left alone', async () =>
      (await app('GET', '/sites')).body.items.every((site: { user?: unknown }) => site.user) ? true : undefined,
    )
    await search()
  })
  afterAll(async () => {
    qb?.thaw()
    await wharf?.stop()
    await Promise.all([qb?.dispose(), sites?.stop()])
    folder.remove()
  })

  async function store(path: string, body: unknown): Promise<void> {
    const { status, text } = await wharf.request('POST', `/api/console/v1${path}`, owner, body)
    if (status !== 200) throw new Error(text)
  }
  const app = (method: string, path: string, body?: unknown) => wharf.request(method, `/api/app/v1${path}`, phone, body)
  /** What it finds can be pushed for an hour. */
  const search = () => app('POST', '/search', { keyword: 'planet' })
  const lastAudit = async () => (await wharf.request('GET', '/api/console/v1/audit', owner)).body.items[0]

  /** Calls, waits until the site was asked for something, and hangs up before it answers. */
  async function callAndLeave(path: string, body: unknown, skin: string): Promise<void> {
    const site = sites.state('nexusphp', skin)
    site.hold = true
    const leaving = new AbortController()
    const left = fetch(`${wharf.origin}/api/app/v1${path}`, {
      method: 'POST',
      headers: { ...phone, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    }).catch(() => undefined)
    await until('the site to be asked', async () => (site.held.length > 0 ? true : undefined))
    leaving.abort()
    await left
    // A round trip: the service has seen by then that the other caller is gone.
    await app('GET', '/meta')
    site.hold = false
    for (const release of site.held.splice(0)) release()
  }
  const outcome = () =>
    until('the end to be written down', async () => {
      const entry = await lastAudit()
      return entry.result === 'started' ? undefined : entry
    })

  test('a sign-in counts although its caller left', async ({ expect }) => {
    await callAndLeave('/sites/shelf/attend', {}, 'shelf')

    expect(await outcome()).toMatchObject({ command: expect.stringContaining('/attend'), result: 'ok', status: 200 })
    const [site] = (await app('GET', '/sites')).body.items
    expect(site).toMatchObject({ name: 'shelf', attendance: { status: 'signed' } })
  })

  test('a push ends although its caller left, and the audit log says how', async ({ expect }) => {
    await callAndLeave('/push', { site: 'shelf', torrent_id: '101' }, 'shelf')

    expect(await outcome()).toMatchObject({ command: expect.stringContaining('/push'), result: 'ok', status: 200 })
    expect((await app('GET', '/tasks?site=shelf')).body.items).toMatchObject([{ torrent_id: '101', pushed: true }])
  })

  test('a push that a kill -9 cuts off stands as not pushed, and goes on in the same record', async ({ expect }) => {
    const order = { site: 'bench', torrent_id: '101' }
    const rows = async () => (await app('GET', '/tasks?site=bench')).body.items
    // Read a moment ago: the push need not ask for what is there before it writes its record.
    await app('GET', '/torrents')
    qb.freeze()
    const cut = app('POST', '/push', order).catch(() => undefined)
    const begun = await until('the record', async () => (await rows())[0], 30_000)
    await wharf.kill()
    await cut
    wharf = await startWharf(folder.path)
    owner = { ...owner, origin: wharf.origin }
    const kept = await rows()
    // Only now: the old runtime outlives its host by a moment, and would go on.
    qb.thaw()
    await search()

    expect(begun).toMatchObject({ pushed: false })
    expect(kept).toMatchObject([{ id: begun.id, pushed: false }])
    expect((await app('POST', '/push', order)).body).toMatchObject({ success: true })
    expect(await rows()).toMatchObject([{ id: begun.id, pushed: true }])
    expect((await app('POST', '/push', order)).body).toMatchObject({ success: true, skipped: true })
  })
})
