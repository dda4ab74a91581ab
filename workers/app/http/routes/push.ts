import { failWith, succeed } from '#shared/kernel/result.ts'
import { pushTorrent } from '../../contract/push.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { pushFailure } from '../push-failure.ts'
import { endsOf, placeIn, takenUpReply } from '../taken-up.ts'

export function pushRoutes(deps: Pick<AppDeps, 'sites' | 'downloaders' | 'pushService'>): BoundRoute[] {
  return [
    bind(pushTorrent, async ({ body, principal, say }) => {
      const ends = await endsOf(deps, body)
      if (!ends.ok) return ends
      const { site, downloader } = ends.value
      const pushed = await deps.pushService.push(site.target, downloader, {
        torrentId: body.torrent_id,
        // The console's own page calls as the signed-in owner; everybody else calls the interface.
        source: principal.kind === 'session' ? 'manual_push' : 'app_push',
        title: body.title ?? '',
        ...placeIn(body),
      })
      if (!pushed.ok) return failWith(pushFailure(pushed.failure))
      return succeed(takenUpReply(pushed.value, downloader, { info_hash: pushed.value.infoHash }, say))
    }),
  ]
}
