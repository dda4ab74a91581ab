import type { DownloaderSettings } from '../../workers/app/core/downloader.ts'
import type { DownloaderKind, DownloaderSkill, TorrentState } from '../../workers/app/core/vocabulary.ts'
import type { MadeTorrent } from './make-torrent.ts'

/** A downloader that a test owns, real or standing in, with the few things a test does to it behind the service's back. */
export interface DownloaderUnderTest {
  readonly kind: DownloaderKind
  readonly settings: DownloaderSettings
  readonly savePath: string
  /** What this one calls a torrent that was paused. */
  readonly stoppedState: TorrentState
  /** Whether it knows tags beside a category. */
  readonly hasTags: boolean
  /** Whether one torrent can have limits of its own. */
  readonly hasLimits: boolean
  /** Of the further changes of the suite, those its program does not know. */
  readonly cannot: readonly DownloaderSkill[]
  add(torrent: MadeTorrent, options: { readonly hasData: boolean; readonly isPaused: boolean }): Promise<void>
  removeElsewhere(infoHash: string): Promise<void>
  pauseElsewhere(infoHash: string): Promise<void>
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>
  restart(): Promise<void>
  freeze(): void
  thaw(): void
  dispose(): Promise<void>
}
