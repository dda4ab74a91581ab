/**
 * Looks on other sites for what the disks hold. What a site has of it is believed when its own file lists the very files, is
 * added paused beside them, checked by its downloader, and started only when all of it is there.
 */
import { unixSeconds } from '#shared/kernel/clock.ts'
import type { NamedReason, Reason } from '../../core/reason/reason.ts'
import { reseedLookSeconds, reseedOpenLookSeconds } from '../../limits.ts'
import { askSites } from './ask-sites.ts'
import type { ReseedDeps } from './reseed-deps.ts'
import { takeOn } from './take-on.ts'

export async function isReseeding({ settings, store }: Pick<ReseedDeps, 'settings' | 'store'>): Promise<boolean> {
  return (await settings.read('reseed')).value.enabled || (await store.isAnyOpen())
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
