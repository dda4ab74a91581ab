// @module-tag slow
/** A chat whose answer is cut off by a kill -9 of the real process, with a real downloader and a stand-in of the platform. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { until } from '../../support/daemon-process.ts'
import type { DownloaderUnderTest } from '../../support/downloader-under-test.ts'
import { type HeldDownloader, holdable } from '../../support/held-downloader.ts'
import { makeTorrent } from '../../support/make-torrent.ts'
import { startQbittorrent } from '../../support/qbittorrent-daemon.ts'
import { requireReal } from '../../support/real-parts.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'
import { type StandInBot, startStandInBot } from '../../support/stand-in-bot.ts'

const qbittorrent = requireReal('qbittorrent-nox')
const token = '61:TokenOfTheKilledBot'
const waitMs = 60_000

interface Platform {
  readonly sent: readonly {
    readonly text: string
    readonly message: number
    readonly buttons: readonly (readonly { readonly data: string }[])[]
  }[]
  readonly waiting: number
}

describe.skipIf(qbittorrent.isMissing)(`a chat that is cut off ${qbittorrent.skipNote}`.trim(), () => {
  const folder = temporaryFolder()
  let wharf: RunningWharf
  let qb: DownloaderUnderTest
  let way: HeldDownloader
  let bot: StandInBot
  let owner: Record<string, string>

  beforeAll(async () => {
    const starts = await Promise.all([startWharf(folder.path), startQbittorrent(qbittorrent.path), startStandInBot()])
    wharf = starts[0]
    qb = starts[1]
    bot = starts[2]
    way = await holdable(qb.settings.baseUrl)
    owner = await ownerOf(wharf)
    const { kind: type, username, password } = qb.settings
    const downloader = { name: 'qb', type, address: way.address, username, password, enabled: true, default: true }
    await ask('POST', '/downloaders', downloader)
    await qb.add(makeTorrent('Voyage', 100), { hasData: false, isPaused: false })
  }, 2 * waitMs)
  afterAll(async () => {
    await wharf?.stop()
    await Promise.all([way?.stop(), qb?.dispose(), bot?.stop()])
    folder.remove()
  })

  async function ask(method: string, path: string, json: unknown) {
    const { status, text, body } = await wharf.request(method, `/api/console/v1${path}`, owner, json)
    if (status !== 200) throw new Error(text)
    return body
  }
  async function platform(orders: object = {}): Promise<Platform> {
    const address = `${bot.origin}/control/${encodeURIComponent(token)}`
    const answer = await fetch(address, { method: 'POST', body: JSON.stringify(orders) })
    return (await answer.json()) as Platform
  }
  const write = (text: string) => platform({ say: { chat: 501, text } })
  const said = (count: number) =>
    until(
      `${count} messages`,
      async () => {
        const { sent } = await platform()
        return sent.length >= count ? sent : undefined
      },
      3 * waitMs,
    )

  test(
    'answers what was taken before the kill once, and goes on with what is written after it',
    async ({ expect }) => {
      const channel = {
        name: 'bot',
        type: 'bot',
        address: bot.origin,
        chat_id: '501',
        token,
        enabled: true,
        events: ['push.done'],
      }
      const { id } = await ask('POST', '/channels', channel)
      await ask('PUT', `/channels/${id}/chat`, { way: 'poll', commands: ['torrents', 'pause'] })
      const { code } = await ask('POST', `/channels/${id}/chat/code`, { permission: 'full' })
      await write(`/pair ${code}`)
      await said(1)

      await write('/pause voyage')
      const [, question] = await said(2)
      const [button] = question?.buttons.flat() ?? []
      // The downloader does it, and the answer is on its way when the process dies.
      const carriedOut = way.holdAfter(/\/torrents\/(stop|pause)$/, 0)
      await platform({ press: { chat: 501, data: button?.data, message: question?.message } })
      await carriedOut
      // The platform was not told that it was taken, and sends it again.
      const { sent, waiting } = await platform()
      expect([sent.length, waiting]).toEqual([2, 1])
      await wharf.kill()
      way.letGo()
      wharf = await startWharf(folder.path)
      owner = await ownerOf(wharf)

      const [, , answer] = await said(3)
      // What was under way is not done twice, and nobody knows whether it was done: that is what is said.
      expect(answer?.text).toContain('结果未知，没有重复执行')
      await write('/torrents')
      const [, , , list, ...more] = await said(4)
      expect(list?.text).toContain('Voyage')
      expect(more).toEqual([])
      const { body } = await wharf.request('GET', '/api/app/v1/torrents', owner)
      expect(body.items).toMatchObject([{ state: 'paused' }])
    },
    5 * waitMs,
  )
})
