/**
 * Looks on other sites for what the disks hold. What a site has of it is believed when its own file lists the very files, is
 * added paused beside them, checked by its downloader, and started only when all of it is there.
 */
import { unixSeconds } from '#shared/kernel/clock.ts'
import type { ReseedStore } from '../../adapters/d1/reseeds.ts'
import type { DownloaderTarget } from '../../core/downloader.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import { contentOf } from '../../core/reseed/same-content.ts'
import type { Torrent } from '../../core/torrent.ts'
import { reseedAsksPerLookMin, reseedBytesMin, reseedLookSeconds, reseedOpenLookSeconds } from '../../limits.ts'
import type { Reseeds } from '../../ports/reseeds.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import { allTorrentsOf } from '../downloaders/all-torrents.ts'
import { lookAtSite } from './look-at-site.ts'
import { hashesOfLook } from './piece-hashes.ts'
import type { Held, ReseedDeps } from './reseed-deps.ts'
import { takeOn } from './take-on.ts'

export async function isReseeding({ settings, store }: Pick<ReseedDeps, 'settings' | 'store'>): Promise<boolean> {
  return (await settings.read('reseed')).value.enabled || (await store.isAnyOpen())
}

export function createReseeds(deps: {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly store: ReseedStore
  readonly lookSoon: () => Promise<void>
}): Reseeds {
  return {
    settings: async () => (await deps.settings.read('reseed')).value,
    async change({ enabled, sites, asksPerDay }) {
      await deps.settings.write('reseed', { enabled, sites: [...sites], asksPerDay })
      await deps.lookSoon()
    },
    list: () => deps.store.list(),
    sites: () => deps.store.sites(),
  }
}

/** Takes on what is under way, and else asks each site. Gives back when to look again. */
export async function runReseed(
  deps: ReseedDeps,
): Promise<{ readonly dueAtUnix: number | undefined; readonly reason?: Reason }> {
  const { value } = await deps.settings.read('reseed')
  const targets = await deps.downloaders.targets()
  const errors: NamedReason[] = []
  for (const row of await deps.store.open()) await takeOn(deps, row, targets)
  if (value.enabled && !(await deps.store.isAnyOpen())) errors.push(...(await askSites(deps, value, targets)))
  const isOpen = await deps.store.isAnyOpen()
  const seconds = isOpen ? reseedOpenLookSeconds : reseedLookSeconds
  return {
    dueAtUnix: isOpen || value.enabled ? unixSeconds(deps.clock) + seconds : undefined,
    ...(errors.length === 0 ? {} : { reason: { kind: 'several', of: errors } }),
  }
}

async function askSites(
  deps: ReseedDeps,
  { sites, asksPerDay }: { readonly sites: readonly string[]; readonly asksPerDay: number },
  targets: readonly DownloaderTarget[],
): Promise<NamedReason[]> {
  const asked = await deps.store.asksToday()
  const leftOf = (name: string) => asksPerDay - (asked.get(name) ?? 0)
  const wanted = (await deps.sites.list()).filter(
    ({ record }) => record.enabled && sites.includes(record.name) && leftOf(record.name) >= reseedAsksPerLookMin,
  )
  if (wanted.length === 0) return []
  const errors: NamedReason[] = []
  const held: Held[] = []
  const contents = new Map<number, (infoHash: string) => string>()
  for (const target of targets) {
    const torrents = await allTorrentsOf(deps.fleet, target)
    if (!torrents.ok) {
      errors.push({ name: target.name, reason: torrents.failure })
      continue
    }
    const content = contentOf(await deps.store.sameContent(target.id))
    contents.set(target.id, content)
    const worth = torrents.value.filter(isWorthAsking)
    held.push(...worth.map((torrent) => ({ target, torrent, content: content(torrent.infoHash) })))
  }
  // The largest first: what gives most for one ask.
  held.sort((one, other) => other.torrent.sizeBytes - one.torrent.sizeBytes)
  const hashesOf = hashesOfLook(deps)
  for (const site of wanted) {
    const { name } = site.record
    const [first, ...others] = await notDone(deps, name, held, contents)
    if (first === undefined) continue
    const { asks, findings, files, reason } = await lookAtSite(deps, site, [first, ...others], {
      left: leftOf(name),
      hashesOf,
    })
    await deps.store.noteAsks(name, asks)
    await deps.store.note(findings)
    if (reason !== undefined) errors.push({ name, reason })
    for (const row of await deps.store.open())
      if (row.site === name) await takeOn(deps, row, targets, files.get(row.torrentId))
  }
  return errors
}

function isWorthAsking({ progressPercent, sizeBytes, state }: Torrent): boolean {
  return progressPercent >= 100 && sizeBytes >= reseedBytesMin && state !== 'error' && state !== 'checking'
}

/** Of each content one, where the site was not asked about any torrent of it and has brought none. */
async function notDone(
  { store }: ReseedDeps,
  site: string,
  held: readonly Held[],
  contents: ReadonlyMap<number, (infoHash: string) => string>,
): Promise<Held[]> {
  const done = new Map<number, Set<string>>()
  for (const [id, content] of contents) done.set(id, new Set([...(await store.done(site, id))].map(content)))
  return held.filter(({ target, content }) => {
    const ofTarget = done.get(target.id)
    if (ofTarget?.has(content) === true) return false
    ofTarget?.add(content)
    return true
  })
}
