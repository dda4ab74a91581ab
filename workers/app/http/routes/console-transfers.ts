import { failWith, succeed } from '#shared/kernel/result.ts'
import { beginTransfers, listTransfers, stopTransfer } from '../../contract/console-transfers.ts'
import { failure, wrongField } from '../../core/failure.ts'
import { transfersOpenMax } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'

export function consoleTransferRoutes({
  transfers,
  downloaders,
  fleet,
}: Pick<AppDeps, 'transfers' | 'downloaders' | 'fleet'>): BoundRoute[] {
  return [
    bind(listTransfers, async ({ say }) =>
      succeed({
        body: {
          items: (await transfers.list()).map(({ reason, ...one }) => ({
            id: one.id,
            from: one.from,
            to: one.to,
            info_hash: one.infoHash,
            title: one.title,
            size: one.sizeBytes,
            state: one.state,
            stopping: one.isStopped && one.state !== 'failed' && one.state !== 'done',
            created_at: one.createdAtUnix,
            since: one.sinceUnix,
            ...(reason === undefined ? {} : explained(say, reason)),
          })),
        },
      }),
    ),
    bind(beginTransfers, async ({ body }) => {
      const targets = await downloaders.targets()
      const from = targets.find(({ id }) => id === body.from)
      if (from === undefined) return failWith(wrongField('from', { kind: 'none', what: 'downloader_on' }))
      const isOther = body.to !== body.from && targets.some(({ id }) => id === body.to)
      if (!isOther) return failWith(wrongField('to', { kind: 'none', what: 'downloader_on' }))
      const found = await fleet.find(from, body.task_ids)
      if (!found.ok) return failWith(failure('upstream', found.failure))
      const begun = await transfers.begin({
        fromId: body.from,
        toId: body.to,
        folder: body.folder ?? { from: '', to: '' },
        torrents: found.value.map(({ infoHash, title, sizeBytes }) => ({ infoHash, title, sizeBytes })),
      })
      return begun === undefined
        ? failWith(failure('invalid_argument', { kind: 'too_many', what: 'torrent', limit: transfersOpenMax }))
        : succeed({ body: { begun } })
    }),
    bind(stopTransfer, async ({ params }) =>
      (await transfers.stop(params.id))
        ? succeed({ body: { ok: true as const } })
        : failWith(failure('not_found', { kind: 'none', what: 'torrent' })),
    ),
  ]
}
