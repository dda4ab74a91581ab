/** What of one site downloads because it is free: how each stands with the end of that, as its downloader shows it now. */
import { unixSeconds } from '#shared/kernel/clock.ts'
import { freeStanding } from '../../core/free-end.ts'
import type { Torrent } from '../../core/torrent.ts'
import type { FreeStandings } from '../../ports/pushes.ts'
import { type FreeEndDeps, freeEndSpans } from './watch-free-ends.ts'

export async function freeStandings(
  deps: Pick<FreeEndDeps, 'clock' | 'settings' | 'store' | 'downloaders' | 'fleet'>,
  site: string,
): Promise<FreeStandings> {
  const [{ value: setting }, pushes, targets] = await Promise.all([
    deps.settings.read('freeEnd'),
    deps.store.ofSite(site),
    deps.downloaders.targets(),
  ])
  const shown = new Map<string, Torrent>()
  const silent: string[] = []
  await Promise.all(
    [...Map.groupBy(pushes, ({ downloaderId }) => downloaderId)].map(async ([downloaderId, some]) => {
      const target = targets.find(({ id }) => id === downloaderId)
      const hashes = some.flatMap(({ infoHashes }) => infoHashes)
      const found = target === undefined ? undefined : await deps.fleet.find(target, hashes)
      if (found?.ok !== true) silent.push(target?.name ?? some[0]?.downloader ?? '')
      else for (const torrent of found.value) shown.set(torrent.infoHash, torrent)
    }),
  )
  const nowUnix = unixSeconds(deps.clock)
  return {
    action: setting.action,
    silent,
    items: pushes.map((push) => {
      const torrent = push.infoHashes.map((infoHash) => shown.get(infoHash)).find((one) => one !== undefined)
      const { torrentId, title, downloader, discount, endAtUnix, ending } = push
      const free = { endAtUnix, unknown: push.unknownEnd ?? setting.unknownEnd }
      // What was done is done once: whoever starts a paused one again wants it whatever it costs.
      const isDone = ending === 'paused' || (ending === 'warned' && setting.action === 'warn')
      const { actsAtUnix, ...standing } = freeStanding(torrent, free, nowUnix, {
        ...freeEndSpans,
        action: setting.action,
      })
      return {
        ...{ torrentId, title, downloader, discount },
        ...standing,
        ...(endAtUnix === undefined ? {} : { endAtUnix }),
        ...(ending === undefined ? {} : { ending }),
        ...(isDone || actsAtUnix === undefined ? {} : { actsAtUnix }),
      }
    }),
  }
}
