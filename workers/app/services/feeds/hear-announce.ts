import { type Announces, readAnnounce, type StoredAnnounces } from '../../core/feeds/announce.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { Reasons } from '../../core/reason/reasons.ts'
import { announceRunMs, feedTextCharactersMax } from '../../limits.ts'
import type { AnnounceService, AnnounceSource } from '../../ports/feeds.ts'
import type { SiteStore } from '../../ports/sites.ts'
import { type FeedDeps, runFeed } from './run-feeds.ts'

/** For the host that is in the channels: which they are, and what becomes of what is said there. */
export function createAnnounceService(deps: FeedDeps, sites: Pick<SiteStore, 'list'>): AnnounceService {
  const { store, clock } = deps
  return {
    async sources() {
      const sources: AnnounceSource[] = []
      for (const row of await store.channels()) {
        const opened = await store.addressOf(row)
        if (!('address' in opened)) continue
        const { protocol, hostname, port, username, password } = new URL(opened.address)
        const told = JSON.parse(row.announces) as StoredAnnounces
        const { channel, announcers, sign_in: signIn, certificate, sealed_enter: sealed } = told
        const enter = sealed === undefined ? undefined : await store.enterOf(row.id, sealed)
        const isEncrypted = protocol === 'ircs:'
        sources.push({
          feedId: row.id,
          channel,
          announcers,
          signIn,
          ...(certificate === undefined ? {} : { certificate }),
          ...(enter === undefined ? {} : { enter }),
          server: hostname.replace(/^\[|\]$/g, ''),
          port: port === '' ? (isEncrypted ? encryptedPort : plainPort) : Number(port),
          isEncrypted,
          nick: decodeURIComponent(username),
          password: decodeURIComponent(password),
        })
      }
      return sources
    },

    async hear(feedId, said) {
      const run = await store.beginNow(feedId)
      if (run === undefined || run.announces === '') return
      const entry = readAnnounce((JSON.parse(run.announces) as Announces).line, said, feedTextCharactersMax)
      const site = (await sites.list()).find(({ record }) => record.id === run.siteId)
      if (entry === undefined || site?.record.enabled !== true) return
      let faults = new Reasons()
      const untilMs = clock.nowMs() + announceRunMs
      let end = await runFeed(deps, run, site, untilMs, faults, entry)
      if (faults.some(isForList)) {
        // Where a file's address has a key of its own, the list tells it.
        faults = new Reasons()
        const again = await runFeed(deps, run, site, untilMs, faults)
        end = { ...again, foundNew: end.foundNew, digests: [...end.digests, ...again.digests] }
      }
      await store.finish(run, { ...end, reason: faults.asOne(), random: deps.random() })
    },

    state: (feedId, reason) => store.unheard(feedId, reason),
  }
}

function isForList(reason: Reason): boolean {
  return reason.kind === 'push.download' && reason.reason.kind === 'site.search_first'
}

const encryptedPort = 6697
const plainPort = 6667
