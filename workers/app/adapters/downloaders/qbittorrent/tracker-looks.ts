import { type QbittorrentFields, refusalOf } from '../../../core/qbittorrent-torrent.ts'
import { trackerLookMs, trackerLooksPerRead } from '../../../limits.ts'
import { trackerList } from './shapes.ts'

/**
 * Looks at the trackers of a few torrents that get nothing, longest unseen first: before 5.2 the list does not say what
 * a tracker refused, and no version says in which words.
 */
export class TrackerLooks {
  /** Only of torrents that could have a word from their trackers. */
  readonly #looks = new Map<string, { readonly atMs: number; readonly words: string | undefined }>()

  /** What a torrent's trackers said when they were looked at. */
  wordsOf(infoHash: string): string | undefined {
    return this.#looks.get(infoHash)?.words
  }

  forget(infoHash: string): void {
    this.#looks.delete(infoHash)
  }

  keepOnly(isThere: (infoHash: string) => boolean): void {
    for (const infoHash of this.#looks.keys()) if (!isThere(infoHash)) this.#looks.delete(infoHash)
  }

  /** Those whose trackers say something else than before. `ask` gives the list of one torrent's, as it is answered. */
  async look(
    torrents: ReadonlyMap<string, QbittorrentFields>,
    nowMs: number,
    ask: (infoHash: string) => Promise<unknown>,
  ): Promise<ReadonlySet<string>> {
    const seen = await Promise.all(
      this.#due(torrents, nowMs).map(async (infoHash) => {
        const trackers = trackerList.safeParse(await ask(infoHash))
        const words = trackers.success ? refusalOf(trackers.data) : undefined
        const isNew = words !== this.wordsOf(infoHash)
        this.#looks.set(infoHash, { atMs: nowMs, words })
        return isNew ? [infoHash] : []
      }),
    )
    return new Set(seen.flat())
  }

  /** Those that get nothing first, then the longest unseen, in one pass: a list may have twenty thousand. */
  #due(torrents: ReadonlyMap<string, QbittorrentFields>, nowMs: number): string[] {
    const due: { readonly infoHash: string; readonly rank: number }[] = []
    for (const [infoHash, fields] of torrents) {
      const againMs = lookAgainMs(fields)
      const seen = this.#looks.get(infoHash)
      if (againMs === undefined) {
        if (seen !== undefined) this.#looks.delete(infoHash)
        continue
      }
      if (seen !== undefined && nowMs - seen.atMs < againMs) continue
      // Times are positive, so whatever gets nothing stands before whatever seeds.
      const rank = (seen?.atMs ?? 0) - (isStalled(fields) ? Number.MAX_SAFE_INTEGER : 0)
      const last = due.at(-1)
      if (due.length === trackerLooksPerRead && last !== undefined && rank >= last.rank) continue
      const place = due.findIndex((one) => rank < one.rank)
      due.splice(place === -1 ? due.length : place, 0, { infoHash, rank })
      if (due.length > trackerLooksPerRead) due.pop()
    }
    return due.map(({ infoHash }) => infoHash)
  }
}

function isStalled(fields: QbittorrentFields | undefined): boolean {
  return fields?.state === 'stalledDL' || fields?.has_tracker_error === true
}

/** After how long a torrent's trackers are looked at again. Undefined where nothing asks for it. */
function lookAgainMs(fields: QbittorrentFields): number | undefined {
  if (isStalled(fields)) return trackerLookMs.stalled
  // Who has the flag needs no look to know that all is well.
  return fields.state === 'stalledUP' && fields.has_tracker_error === undefined ? trackerLookMs.seeding : undefined
}
