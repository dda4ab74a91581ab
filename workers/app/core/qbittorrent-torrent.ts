import { quotedLine } from './redact.ts'
import type { Torrent } from './torrent.ts'
import { trackerHost } from './torrent-details.ts'
import { finiteRatio, percent, unixTime, wholeAmount } from './torrent-numbers.ts'
import { trackerWordsCharactersMax } from './tracker.ts'
import type { TorrentCondition, TorrentState } from './vocabulary.ts'

/** What is read of a torrent in qBittorrent's own words; it sends only what changed. */
export interface QbittorrentFields {
  readonly name?: string | undefined
  readonly progress?: number | undefined
  readonly size?: number | undefined
  readonly state?: string | undefined
  readonly ratio?: number | undefined
  readonly num_seeds?: number | undefined
  readonly num_leechs?: number | undefined
  readonly upspeed?: number | undefined
  readonly dlspeed?: number | undefined
  readonly uploaded?: number | undefined
  readonly downloaded?: number | undefined
  readonly eta?: number | undefined
  readonly added_on?: number | undefined
  readonly completion_on?: number | undefined
  readonly seeding_time?: number | undefined
  readonly category?: string | undefined
  readonly tags?: string | undefined
  readonly save_path?: string | undefined
  /** The address of the one that works; from 5.1 on else of the first. */
  readonly tracker?: string | undefined
  /** From 5.2 on. */
  readonly has_tracker_error?: boolean | undefined
}

const stateByName: Readonly<Record<string, TorrentState>> = {
  downloading: 'downloading',
  forcedDL: 'downloading',
  metaDL: 'downloading',
  forcedMetaDL: 'downloading',
  stalledDL: 'downloading',
  allocating: 'downloading',
  uploading: 'seeding',
  forcedUP: 'seeding',
  stalledUP: 'seeding',
  pausedDL: 'paused',
  pausedUP: 'paused',
  stoppedDL: 'stopped',
  stoppedUP: 'stopped',
  queuedDL: 'queued',
  queuedUP: 'queued',
  checkingDL: 'checking',
  checkingUP: 'checking',
  checkingResumeData: 'checking',
  moving: 'checking',
  error: 'error',
  missingFiles: 'error',
  unknown: 'error',
}

/** A state this version does not know is shown as an error rather than as something healthy. */
export function qbittorrentState(name: string | undefined): TorrentState {
  return name !== undefined && Object.hasOwn(stateByName, name) ? (stateByName[name] ?? 'error') : 'error'
}

const conditionByName: Readonly<Record<string, TorrentCondition>> = {
  metaDL: 'metadata',
  forcedMetaDL: 'metadata',
  moving: 'moving',
  error: 'local_error',
  missingFiles: 'missing_files',
}

/** A torrent's tracker as qBittorrent tells of it. */
export interface QbittorrentTracker {
  readonly url: string
  readonly status: number
  readonly msg: string
}

const working = 2
/** From not working over refused to not reached; 3 is one that is being asked. */
export const trackerFaults: ReadonlySet<number> = new Set([4, 5, 6])

/** DHT and its like are listed among them, by a name in place of an address. */
export function isTracker({ url }: Pick<QbittorrentTracker, 'url'>): boolean {
  return /^[a-z]{2,5}:/i.test(url)
}

/** What the trackers said, when none works and one of them refuses; `''` when it said nothing. */
export function refusalOf(trackers: readonly QbittorrentTracker[]): string | undefined {
  const asked = trackers.filter(isTracker)
  const refusing = asked.filter(({ status }) => trackerFaults.has(status))
  if (refusing.length === 0 || asked.some(({ status }) => status === working)) return undefined
  return quotedLine((refusing.find(({ msg }) => msg.trim() !== '') ?? { msg: '' }).msg, trackerWordsCharactersMax)
}

/** `trackerWords` is what the torrent's trackers said when all of them refused it. */
function conditionOf(
  state: TorrentState,
  fields: QbittorrentFields,
  trackerWords: string | undefined,
): Torrent['condition'] {
  const name = fields.state ?? ''
  const named = Object.hasOwn(conditionByName, name) ? conditionByName[name] : undefined
  if (named !== undefined) return { kind: named }
  // What a tracker said to one that has stopped is not what holds it up.
  if (state !== 'downloading' && state !== 'seeding') return undefined
  if (trackerWords !== undefined)
    return { kind: 'tracker_error', ...(trackerWords === '' ? {} : { said: trackerWords }) }
  if (fields.has_tracker_error === true) return { kind: 'tracker_error' }
  if (name !== 'stalledDL') return undefined
  return { kind: wholeAmount(fields.num_seeds) + wholeAmount(fields.num_leechs) === 0 ? 'no_peers' : 'stalled' }
}

/** qBittorrent's way to say that it cannot tell. */
const etaUnknownSeconds = 8_640_000
/** It writes -1 for any ratio beyond this one. */
const ratioMax = 9999

/** `knownTracker` is the host of a tracker of it, for while none works. */
export function fromQbittorrent(
  infoHash: string,
  fields: QbittorrentFields,
  trackerWords?: string,
  knownTracker?: string,
): Torrent {
  const state = qbittorrentState(fields.state)
  const condition = conditionOf(state, fields, trackerWords)
  const tracker = fields.tracker === undefined || fields.tracker === '' ? knownTracker : trackerHost(fields.tracker)
  return {
    infoHash,
    title: fields.name ?? '',
    progressPercent: percent(fields.progress),
    sizeBytes: wholeAmount(fields.size),
    state,
    ...(condition === undefined ? {} : { condition }),
    ratio: finiteRatio(fields.ratio === -1 ? ratioMax : (fields.ratio ?? 0)),
    seeds: wholeAmount(fields.num_seeds),
    peers: wholeAmount(fields.num_leechs),
    uploadBytesPerSecond: wholeAmount(fields.upspeed),
    downloadBytesPerSecond: wholeAmount(fields.dlspeed),
    uploadedBytes: wholeAmount(fields.uploaded),
    downloadedBytes: wholeAmount(fields.downloaded),
    etaSeconds: etaSeconds(state, fields.eta),
    addedAtUnix: unixTime(fields.added_on),
    completedAtUnix: unixTime(fields.completion_on),
    ...(fields.seeding_time === undefined ? {} : { seedingSeconds: wholeAmount(fields.seeding_time) }),
    category: fields.category ?? '',
    tags: joinTags((fields.tags ?? '').split(',')),
    savePath: fields.save_path ?? '',
    ...(tracker === undefined ? {} : { tracker }),
  }
}

/** Only a running download has an end to estimate; for the others qBittorrent counts down to a share limit. */
function etaSeconds(state: TorrentState, eta: number | undefined): number {
  if (state !== 'downloading' || eta === undefined || eta < 0 || eta >= etaUnknownSeconds) return -1
  return Math.trunc(eta)
}

function joinTags(tags: readonly string[]): string {
  return tags
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
    .join(',')
}
