/** What the disks hold that is worth asking other sites for, the largest first, as it gives most for one ask. */
import type { DownloaderTarget } from '../../core/downloader.ts'
import type { NamedReason } from '../../core/reason/reason.ts'
import { contentOf } from '../../core/reseed/same-content.ts'
import type { Torrent } from '../../core/torrent.ts'
import { reseedBytesMin } from '../../limits.ts'
import { allTorrentsOf } from '../downloaders/all-torrents.ts'
import type { Held, ReseedDeps } from './reseed-deps.ts'

export interface HeldTorrents {
  /** Downloaders that could not be read. */
  readonly errors: readonly NamedReason[]
  /** Of each content one, where the site was not asked about any torrent of it and has brought none. */
  undone(site: string): Promise<Held[]>
  find(of: { readonly downloaderId: number; readonly infoHash: string }): Held | undefined
  /** Whether the downloader of it shows a torrent of that info hash as well. */
  isShown(beside: Held, infoHash: string): boolean
}

export async function readHeld(deps: ReseedDeps, targets: readonly DownloaderTarget[]): Promise<HeldTorrents> {
  const errors: NamedReason[] = []
  const held: Held[] = []
  const shown = new Map<number, ReadonlySet<string>>()
  const contents = new Map<number, (infoHash: string) => string>()
  for (const target of targets) {
    const torrents = await allTorrentsOf(deps.fleet, target)
    if (!torrents.ok) {
      errors.push({ name: target.name, reason: torrents.failure })
      continue
    }
    const content = contentOf(await deps.store.sameContent(target.id))
    contents.set(target.id, content)
    shown.set(target.id, new Set(torrents.value.map(({ infoHash }) => infoHash)))
    const worth = torrents.value.filter(isWorthAsking)
    held.push(...worth.map((torrent) => ({ target, torrent, content: content(torrent.infoHash) })))
  }
  held.sort((one, other) => other.torrent.sizeBytes - one.torrent.sizeBytes)
  return {
    errors,
    find: ({ downloaderId, infoHash }) =>
      held.find(({ target, torrent }) => target.id === downloaderId && torrent.infoHash === infoHash),
    isShown: ({ target }, infoHash) => shown.get(target.id)?.has(infoHash) === true,
    async undone(site) {
      const done = new Map<number, Set<string>>()
      for (const [id, content] of contents) done.set(id, new Set([...(await deps.store.done(site, id))].map(content)))
      return held.filter(({ target, content }) => {
        const ofTarget = done.get(target.id)
        if (ofTarget?.has(content) === true) return false
        ofTarget?.add(content)
        return true
      })
    },
  }
}

function isWorthAsking({ progressPercent, sizeBytes, state }: Torrent): boolean {
  return progressPercent >= 100 && sizeBytes >= reseedBytesMin && state !== 'error' && state !== 'checking'
}
