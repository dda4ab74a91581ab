/** Rows of the library's history, as what works on them knows them. */
import type { Holding, KnownQuality } from '../../core/media/organise-plan.ts'
import { spanOf } from '../../core/media/progress.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { readReason } from '../../core/reason/stored-reason.ts'
import type { HistoryStatus, LibraryMode, MediaType } from '../../core/vocabulary.ts'
import type { MediaRecord } from '../../ports/library.ts'
import type { mediaHistory } from './schema/library.ts'

type Row = typeof mediaHistory.$inferSelect

/** A torrent that is complete and on its way into the library. */
export interface MediaItem {
  readonly id: number
  readonly mediaType: MediaType
  readonly tmdbId: number
  /** 0 for a film. */
  readonly season: number
  readonly title: string
  readonly year?: number
  readonly site: string
  readonly torrentId: string
  readonly torrentName: string
  readonly sizeBytes: number
  readonly holding: Holding
  readonly episode: number | null
  readonly episodeEnd: number | null
  readonly subscriptionTorrentId: number
  readonly downloaderId: number
  readonly infoHashes: readonly string[]
  readonly attempts: number
  readonly askedAtUnix?: number
  readonly reason?: Reason
  readonly begunAtUnix: number
}

/** Something else that is known of the same film or season, or of the same torrent. */
export interface KnownRecord {
  readonly id: number
  readonly holding: Holding
  readonly subscriptionTorrentId: number
}

export interface MediaOutcome {
  readonly status: HistoryStatus
  readonly reason?: Reason
  readonly sizeBytes: number
  readonly library: string
  readonly mode: LibraryMode
  readonly targetPath: string
  /** What it takes the place of. */
  readonly replaced: readonly KnownRecord[]
}

/** As releases write it: `S02`, `S02E06`, `S02E06-E08`; empty for a film. */
export function partOf({ mediaType, season, episode, episodeEnd }: MediaItem): string {
  if (mediaType === 'movie') return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const first = episode === null ? '' : `E${two(episode)}`
  const last = episodeEnd === null || episodeEnd === episode ? '' : `-E${two(episodeEnd)}`
  return `S${two(season)}${first}${last}`
}

export function toItem(row: Row): MediaItem {
  const { id, mediaType, tmdbId, season, title, year, site, torrentId, torrentName, episode, episodeEnd } = row
  const reason = readReason(row.message)
  return {
    ...{ id, mediaType, tmdbId, season, title, site, torrentId, torrentName, episode, episodeEnd },
    ...(year === null ? {} : { year }),
    holding: { span: spanOf(episode, episodeEnd), quality: JSON.parse(row.quality) as KnownQuality },
    sizeBytes: row.sizeBytes,
    subscriptionTorrentId: row.subscriptionTorrentId,
    downloaderId: row.downloaderId,
    infoHashes: row.infoHashes.split(','),
    attempts: row.attempts,
    ...(row.askedAtUnix === null ? {} : { askedAtUnix: row.askedAtUnix }),
    ...(reason === undefined ? {} : { reason }),
    begunAtUnix: row.begunAtUnix,
  }
}

export function toRecord(row: Row): MediaRecord[] {
  const { id, mediaType, tmdbId, title, year, season, episode, episodeEnd, torrentName, status } = row
  if (status === null) return []
  const { library, targetPath, mode, sizeBytes, message, createdAtUnix } = row
  const reason = readReason(message)
  return [
    {
      ...{ id, mediaType, tmdbId, title, torrentName, library, targetPath, mode, sizeBytes, status },
      ...(reason === undefined ? {} : { reason }),
      createdAtUnix,
      ...(year === null ? {} : { year }),
      ...(mediaType === 'movie' ? {} : { season }),
      ...(episode === null ? {} : { episode }),
      ...(episodeEnd === null ? {} : { episodeEnd }),
    },
  ]
}
