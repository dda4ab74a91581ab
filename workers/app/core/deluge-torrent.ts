import { quotedLine } from './redact.ts'
import type { Torrent } from './torrent.ts'
import { finiteRatio, percent, unixTime, wholeAmount } from './torrent-numbers.ts'
import { trackerWordsCharactersMax } from './tracker.ts'
import type { TorrentState } from './vocabulary.ts'

/** What is read of a torrent of Deluge, under its own names. */
export interface DelugeFields {
  readonly name: string
  readonly state: string
  readonly message: string
  /** 0 to 100. */
  readonly progress: number
  readonly total_wanted: number
  readonly num_files: number
  readonly ratio: number
  readonly num_seeds: number
  readonly num_peers: number
  readonly upload_payload_rate: number
  readonly download_payload_rate: number
  readonly total_uploaded: number
  readonly all_time_download: number
  readonly eta: number
  readonly time_added: number
  readonly completed_time: number
  readonly seeding_time: number
  readonly is_finished: boolean
  readonly tracker_status: string
  readonly save_path: string
  /** Of the Label plugin; left out while it is off. */
  readonly label?: string | undefined
}

const stateByName: Readonly<Record<string, TorrentState>> = {
  Allocating: 'checking',
  Checking: 'checking',
  // Its files are in hand, as while they are checked.
  Moving: 'checking',
  Downloading: 'downloading',
  Seeding: 'seeding',
  Paused: 'paused',
  Queued: 'queued',
  Error: 'error',
}

/** It writes `Error: ` and `Warning: ` before what a tracker said. */
const trackerWord = /^(Error|Warning): (.*)$/s

/** What the tracker that was asked last said, if it was no answer. */
export function trackerWordOf(status: string): { readonly isError: boolean; readonly said: string } | undefined {
  const [, kind, words] = trackerWord.exec(status) ?? []
  return kind === undefined
    ? undefined
    : { isError: kind === 'Error', said: quotedLine(words ?? '', trackerWordsCharactersMax) }
}

function conditionOf(fields: DelugeFields, state: TorrentState): Torrent['condition'] {
  if (fields.state === 'Moving') return { kind: 'moving' }
  if (state === 'error') {
    const said = quotedLine(fields.message, trackerWordsCharactersMax)
    return { kind: 'local_error', ...(said === '' || said === 'OK' ? {} : { said }) }
  }
  // What a tracker said to one that has stopped is not what holds it up.
  if (state !== 'downloading' && state !== 'seeding') return undefined
  // Until its metadata has come it has no files.
  if (fields.num_files === 0 && state === 'downloading') return { kind: 'metadata' }
  const word = trackerWordOf(fields.tracker_status)
  if (word !== undefined)
    return {
      kind: word.isError ? 'tracker_error' : 'tracker_warning',
      ...(word.said === '' ? {} : { said: word.said }),
    }
  if (state !== 'downloading') return undefined
  if (wholeAmount(fields.num_seeds) + wholeAmount(fields.num_peers) === 0) return { kind: 'no_peers' }
  return fields.download_payload_rate === 0 ? { kind: 'stalled' } : undefined
}

/** `tracker` is its host, empty where none is known. */
export function fromDeluge(infoHash: string, fields: DelugeFields, tracker = ''): Torrent {
  const state = stateByName[fields.state] ?? 'error'
  const condition = conditionOf(fields, state)
  return {
    infoHash,
    title: fields.name,
    progressPercent: percent(fields.progress / 100),
    sizeBytes: wholeAmount(fields.total_wanted),
    state,
    ...(condition === undefined ? {} : { condition }),
    // -1 stands for one that never loaded anything.
    ratio: finiteRatio(fields.ratio),
    seeds: wholeAmount(fields.num_seeds),
    peers: wholeAmount(fields.num_peers),
    uploadBytesPerSecond: wholeAmount(fields.upload_payload_rate),
    downloadBytesPerSecond: wholeAmount(fields.download_payload_rate),
    uploadedBytes: wholeAmount(fields.total_uploaded),
    downloadedBytes: wholeAmount(fields.all_time_download),
    etaSeconds: state === 'downloading' && fields.eta > 0 ? wholeAmount(fields.eta) : -1,
    addedAtUnix: unixTime(fields.time_added),
    // Data that was there already is complete without a date of its own: it was when it was added.
    completedAtUnix: unixTime(fields.completed_time) || (isWhole(fields) ? unixTime(fields.time_added) : 0),
    seedingSeconds: wholeAmount(fields.seeding_time),
    category: fields.label ?? '',
    tags: '',
    savePath: fields.save_path,
    ...(tracker === '' ? {} : { tracker }),
  }
}

function isWhole(fields: DelugeFields): boolean {
  return fields.is_finished && fields.progress >= 100 && fields.total_wanted > 0 && fields.state !== 'Checking'
}
