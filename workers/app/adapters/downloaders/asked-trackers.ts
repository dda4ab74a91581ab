import type { Result } from '#shared/kernel/result.ts'
import type { DownloaderFault } from '../../core/downloader-fault.ts'
import { trackerHost } from '../../core/torrent-details.ts'
import { askedTrackersMs } from '../../limits.ts'

/**
 * The tracker of each torrent, for programs in whose lists trackers are the longest part: asked for once, and again after
 * a while, because they are changed elsewhere too.
 */
export class AskedTrackers {
  #known = new Map<string, { readonly host: string; readonly atMs: number }>()

  /** Empty where there is none, or where it is not known yet. */
  of(infoHash: string): string {
    return this.#known.get(infoHash)?.host ?? ''
  }

  forget(infoHashes: readonly string[]): void {
    for (const infoHash of infoHashes) this.#known.delete(infoHash)
  }

  /**
   * `ask` gives the first address of each. What fails is asked again with the next read, and the list goes without. With
   * `areAll` there are no others any more.
   */
  async learn(
    infoHashes: readonly string[],
    areAll: boolean,
    nowMs: number,
    ask: (missing: readonly string[]) => Promise<Result<ReadonlyMap<string, string>, DownloaderFault>>,
  ): Promise<void> {
    if (areAll) {
      const there = new Set(infoHashes)
      this.#known = new Map([...this.#known].filter(([infoHash]) => there.has(infoHash)))
    }
    const missing = infoHashes.filter((infoHash) => {
      const known = this.#known.get(infoHash)
      return known === undefined || nowMs - known.atMs >= askedTrackersMs
    })
    if (missing.length === 0) return
    const told = await ask(missing)
    if (!told.ok) return
    for (const infoHash of missing) {
      const address = told.value.get(infoHash) ?? ''
      this.#known.set(infoHash, { host: address === '' ? '' : trackerHost(address), atMs: nowMs })
    }
  }
}
