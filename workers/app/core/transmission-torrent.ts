import { quotedLine } from './redact.ts'
import type { Torrent } from './torrent.ts'
import { finiteRatio, percent, unixTime, wholeAmount } from './torrent-numbers.ts'
import { trackerWordsCharactersMax } from './tracker.ts'
import type { TorrentState } from './vocabulary.ts'

/** What is read of a torrent, whatever the dialect calls it. */
export interface TransmissionFields {
  readonly hash: string
  readonly name: string
  readonly percentDone: number
  readonly recheckProgress: number
  readonly sizeWhenDone: number
  readonly leftUntilDone: number
  readonly status: number
  readonly uploadRatio: number
  readonly uploadedEver: number
  readonly downloadedEver: number
  readonly rateUpload: number
  readonly rateDownload: number
  readonly eta: number
  readonly addedDate: number
  readonly doneDate: number
  readonly secondsSeeding?: number | undefined
  readonly downloadDir: string
  readonly labels: readonly string[]
  readonly error: number
  readonly errorString?: string | undefined
  readonly metadataPercentComplete?: number | undefined
  readonly peersConnected?: number | undefined
  /** Peers that send to us, and peers that get from us. */
  readonly peersSendingToUs: number
  readonly peersGettingFromUs: number
}

const stateByStatus: readonly TorrentState[] = [
  'stopped',
  'checking',
  'checking',
  'queued',
  'downloading',
  'queued',
  'seeding',
]
/** Of `error`: trouble on its machine; with a tracker's a torrent goes on. */
const localError = 3
const trackerError = 2
const trackerWarning = 1
/** Of `status`. */
const checking = 2
const downloading = 4
const seeding = 6

function conditionOf(fields: TransmissionFields): Torrent['condition'] {
  const said = quotedLine(fields.errorString ?? '', trackerWordsCharactersMax)
  const words = said === '' ? {} : { said }
  if (fields.error === localError) return { kind: 'local_error', ...words }
  // What a tracker said to one that has stopped is not what holds it up.
  if (fields.status !== downloading && fields.status !== seeding) return undefined
  if (fields.error === trackerError) return { kind: 'tracker_error', ...words }
  if (fields.error === trackerWarning) return { kind: 'tracker_warning', ...words }
  if (fields.status !== downloading) return undefined
  if (fields.metadataPercentComplete !== undefined && fields.metadataPercentComplete < 1) return { kind: 'metadata' }
  if (fields.peersConnected === 0) return { kind: 'no_peers' }
  return fields.rateDownload === 0 && fields.peersConnected !== undefined ? { kind: 'stalled' } : undefined
}

export function transmissionState(status: number, error: number): TorrentState {
  if (error === localError) return 'error'
  return stateByStatus[status] ?? 'error'
}

/** `tracker` is its host, empty where none is known. */
export function fromTransmission(fields: TransmissionFields, tracker = ''): Torrent {
  const state = transmissionState(fields.status, fields.error)
  const condition = conditionOf(fields)
  const [category, ...tags] = fields.labels.map((label) => label.trim()).filter((label) => label !== '')
  return {
    infoHash: fields.hash,
    title: fields.name,
    progressPercent: percent(fields.status === checking ? fields.recheckProgress : fields.percentDone),
    sizeBytes: wholeAmount(fields.sizeWhenDone),
    state,
    ...(condition === undefined ? {} : { condition }),
    ratio: ratioOf(fields),
    seeds: wholeAmount(fields.peersSendingToUs),
    peers: wholeAmount(fields.peersGettingFromUs),
    uploadBytesPerSecond: wholeAmount(fields.rateUpload),
    downloadBytesPerSecond: wholeAmount(fields.rateDownload),
    uploadedBytes: wholeAmount(fields.uploadedEver),
    downloadedBytes: wholeAmount(fields.downloadedEver),
    etaSeconds: state === 'downloading' && fields.eta >= 0 ? wholeAmount(fields.eta) : -1,
    addedAtUnix: unixTime(fields.addedDate),
    completedAtUnix: completedAt(fields),
    ...(fields.secondsSeeding === undefined ? {} : { seedingSeconds: wholeAmount(fields.secondsSeeding) }),
    category: category ?? '',
    tags: tags.join(','),
    savePath: fields.downloadDir,
    ...(tracker === '' ? {} : { tracker }),
  }
}

/** -1 means that nothing was transferred; -2 that nothing was downloaded: then the torrent's own size is the measure. */
function ratioOf(fields: TransmissionFields): number {
  if (fields.uploadRatio !== -2) return finiteRatio(fields.uploadRatio)
  return fields.sizeWhenDone > 0 ? finiteRatio(fields.uploadedEver / fields.sizeWhenDone) : 0
}

/** Data that was already there is complete without a date of its own: it was complete when it was added. */
function completedAt(fields: TransmissionFields): number {
  const done = unixTime(fields.doneDate)
  if (done > 0) return done
  const isComplete = fields.leftUntilDone === 0 && fields.percentDone >= 1 && fields.sizeWhenDone > 0
  return isComplete && fields.status !== 1 && fields.status !== checking ? unixTime(fields.addedDate) : 0
}
