/**
 * Asks each site by the best way there is: by pieces where it takes that question, of the rest the service that knows
 * it, and by name where no service does.
 */
import type { DownloaderTarget } from '../../core/downloader.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { NamedReason } from '../../core/reason/reason.ts'
import { reseedAsksPerLookMin } from '../../limits.ts'
import type { SiteEntry } from '../../ports/sites.ts'
import { openService } from './ask-service.ts'
import { readHeld } from './held-torrents.ts'
import { compareThere, lookAtSite, type SiteLook } from './look-at-site.ts'
import { hashesOfLook } from './piece-hashes.ts'
import type { Held, ReseedDeps } from './reseed-deps.ts'
import { takeOn } from './take-on.ts'

export async function askSites(
  deps: ReseedDeps,
  { sites, asksPerDay }: { readonly sites: readonly string[]; readonly asksPerDay: number },
  targets: readonly DownloaderTarget[],
): Promise<readonly NamedReason[]> {
  const asked = new Map(await deps.store.asksToday())
  const leftOf = ({ record }: SiteEntry) => asksPerDay - (asked.get(record.name) ?? 0)
  const chosen = (await deps.sites.list()).filter(({ record }) => record.enabled && sites.includes(record.name))
  const open = chosen.filter((site) => leftOf(site) > 0)
  if (open.length === 0) return []
  const held = await readHeld(deps, targets)
  const errors = [...held.errors]

  async function takeIn({ record: { name } }: SiteEntry, { asks, findings, files, reason }: SiteLook): Promise<void> {
    asked.set(name, (asked.get(name) ?? 0) + asks)
    if (asks > 0) await deps.store.noteAsks(name, asks)
    await deps.store.note(findings)
    if (reason !== undefined) errors.push({ name, reason })
    for (const row of await deps.store.open())
      if (row.site === name) await takeOn(deps, row, targets, files.get(row.torrentId))
  }

  const service = await openService(deps, chosen)
  const hashesOf = hashesOfLook(deps)
  /** What a site is asked for by pieces is none of the service's business. */
  const isForService = new Map<string, (one: Held) => boolean>()
  for (const site of open) {
    const { name } = site.record
    const [first, ...others] = await held.undone(name)
    if (first === undefined) continue
    const may = await deps.siteFleet.mayFindByPieces(site.target)
    if (!may.ok) {
      errors.push({ name, reason: siteReason(may.failure) })
      continue
    }
    const takesPieces = may.value
    const isKnown = service?.sids.has(name) === true
    if (isKnown) isForService.set(name, takesPieces ? hashesOf.isWithout : () => true)
    const left = leftOf(site)
    if (left < reseedAsksPerLookMin) continue
    const look = await lookAtSite(deps, site, [first, ...others], { left, hashesOf, takesPieces, isKnown })
    if (isKnown && look.isWithoutPieces === true) isForService.set(name, () => true)
    await takeIn(site, look)
  }

  if (service !== undefined) {
    const wanted = new Map<Held, string[]>()
    for (const [name, isFor] of isForService)
      for (const one of (await held.undone(name)).filter(isFor)) wanted.set(one, [...(wanted.get(one) ?? []), name])
    await deps.store.note(await service.ask(wanted, held.isShown))
    const reason = service.reason()
    if (reason !== undefined) errors.push({ name: service.host, reason })
  }

  for (const site of open) {
    const told = await deps.store.told(site.record.name)
    const there = told.flatMap(({ torrentId, ...of }) => {
      const one = held.find(of)
      return one === undefined ? [] : [{ holders: [one], torrentId }]
    })
    const left = leftOf(site)
    if (there.length > 0 && left > 0)
      await takeIn(site, await compareThere(deps, site, 'service', { there, asks: 0, left }))
  }
  return errors
}
