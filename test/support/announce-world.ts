/** A channel, a site, a real downloader and the running service, with one feed that hears the channel. */
import { consoleSite } from './console-site.ts'
import { until } from './daemon-process.ts'
import { announcer, ircChannel, ircPassword, startIrcServer } from './irc-server.ts'
import { startQbittorrent } from './qbittorrent-daemon.ts'
import { goodApiKey, startStandInSites } from './stand-in-sites.ts'
import { startWorker } from './worker-under-test.ts'

/** One piece, so that a real downloader takes the file. */
export const announcedBytes = 16 * 1024
export const announceLine = 'New: {title} | {category} | {size} | Free: {free} | {link}'

export async function startAnnounceWorld(parts: {
  readonly ngircd: string
  readonly openssl: string
  readonly qbittorrent: string
}) {
  const [irc, downloader, sites, worker] = await Promise.all([
    startIrcServer(parts),
    startQbittorrent(parts.qbittorrent),
    startStandInSites(),
    startWorker(),
  ])
  const site = sites.state('gazelle', 'main')
  site.fileBytes = announcedBytes
  await worker.addDownloader('nas-1', downloader.settings)
  const stored = consoleSite('shelf', 'gazelle', sites.address('gazelle', 'main'), {
    api_key: goodApiKey,
  })
  await worker.addSite(stored)
  const feed = {
    name: 'herald',
    enabled: true,
    site: 'shelf',
    address: `ircs://wharf:${ircPassword}@127.0.0.1:${irc.encryptedPort}`,
    every_minutes: 60,
    announces: {
      channel: ircChannel,
      announcers: [announcer],
      line: announceLine,
      sign_in: 'none',
      certificate: irc.certificate,
    },
  }
  let cookie = ''
  async function running(): Promise<readonly string[]> {
    const { baseUrl, username, password } = downloader.settings
    if (cookie === '') {
      const body = new URLSearchParams({ username, password })
      const signIn = await fetch(`${baseUrl}/api/v2/auth/login`, { method: 'POST', body })
      cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    }
    const answer = await fetch(`${baseUrl}/api/v2/torrents/info`, { headers: { cookie } })
    const torrents = (await answer.json()) as { readonly name: string; readonly state: string }[]
    return torrents.flatMap(({ name, state }) => (/^(?:downloading|stalledDL)$/.test(state) ? [name] : []))
  }

  return {
    irc,
    site,
    worker,
    feed,
    say: (id: number, change: { readonly free?: string; readonly nick?: string } = {}) =>
      irc.announce(
        `\x0303New\x0f: Harbour.Lights.S01E${id}.1080p-QUAY | TV | 16.00 KiB | Free: ${change.free ?? 'no'} | https://shelf.example/details.php?id=${id}&hit=1`,
        change.nick,
      ),
    /** Torrents that the downloader runs, as it says itself. */
    running,
    items: async () => (await worker.console('GET', '/feed-items')).body.items,
    /** Adds the feed, and waits until it is in the channel. */
    async join(change: object = {}): Promise<number> {
      const joined = await worker.console('POST', '/feeds', { ...feed, ...change })
      if (joined.status !== 200) throw new Error(joined.text)
      return Number(joined.body.id)
    },
    async reasonOf(id: number, kind: string | undefined): Promise<void> {
      await until(`the feed to say ${kind}`, async () => {
        const { items } = (await worker.console('GET', '/feeds')).body
        const found = items.find((one: { id: number }) => one.id === id)?.reason?.kind
        return found === kind ? true : undefined
      })
    },
    async dispose() {
      await worker.close()
      await Promise.all([irc.dispose(), downloader.dispose(), sites.stop()])
    },
  }
}
