import { quotedLine } from './redact.ts'
import type { Torrent } from './torrent.ts'
import { trackerHost } from './torrent-details.ts'
import { finiteRatio, percent, unixTime, wholeAmount } from './torrent-numbers.ts'
import { trackerWordsCharactersMax } from './tracker.ts'
import type { TorrentState } from './vocabulary.ts'

/** What is read of a torrent of rTorrent, after the commands that tell it. */
export interface RtorrentFields {
  readonly hash: string
  readonly name: string
  readonly sizeBytes: number
  readonly completedBytes: number
  readonly leftBytes: number
  readonly state: number
  readonly isActive: number
  readonly hashing: number
  readonly isHashChecking: number
  readonly chunksHashed: number
  readonly sizeChunks: number
  readonly complete: number
  readonly isPartiallyDone: number
  /** Per mille. */
  readonly ratio: number
  readonly upRate: number
  readonly downRate: number
  readonly upTotal: number
  readonly downTotal: number
  readonly peersComplete: number
  readonly peersAccounted: number
  readonly peersConnected: number
  readonly message: string
  /** Labels, as its pages write them: percent-encoded, with commas between. */
  readonly custom1: string
  readonly addTime: string
  /** The name of a magnet link; a torrent without metadata has none of its own. */
  readonly linkName: string
  readonly loadDate: number
  readonly finishedAt: number
  readonly directory: string
  readonly isMultiFile: number
  readonly isMeta: number
  /** Addresses. Its DHT is listed among them. */
  readonly trackers: readonly string[]
}

/** It writes what its trackers said as `Tracker: [words]`. */
const trackerWord = /^Tracker: \[?(.*?)\]?$/s

function stateOf(fields: RtorrentFields, isLocalError: boolean): TorrentState {
  if (fields.hashing !== 0 || fields.isHashChecking !== 0) return 'checking'
  if (isLocalError) return 'error'
  if (fields.state === 0) return 'stopped'
  if (fields.isActive === 0) return 'paused'
  return fields.complete !== 0 || fields.isPartiallyDone !== 0 ? 'seeding' : 'downloading'
}

export function fromRtorrent(fields: RtorrentFields): Torrent {
  const trackerSaid = trackerWord.exec(fields.message)?.[1]
  const isLocalError = fields.message !== '' && trackerSaid === undefined
  const state = stateOf(fields, isLocalError)
  const condition = conditionOf(fields, state, trackerSaid)
  const [category = '', ...tags] = labelsIn(fields.custom1)
  const addedAt = unixTime(Number(fields.addTime)) || unixTime(fields.loadDate)
  const tracker = fields.trackers.find((address) => !address.startsWith('dht:'))
  const isWhole = fields.complete !== 0 && fields.isMeta === 0
  return {
    infoHash: fields.hash.toLowerCase(),
    title: fields.isMeta !== 0 && fields.linkName !== '' ? decodedLabel(fields.linkName) : fields.name,
    progressPercent:
      fields.isMeta !== 0
        ? 0
        : state === 'checking'
          ? percent(fields.chunksHashed / fields.sizeChunks)
          : percent(fields.completedBytes / fields.sizeBytes),
    sizeBytes: fields.isMeta !== 0 ? 0 : wholeAmount(fields.sizeBytes),
    state,
    ...(condition === undefined ? {} : { condition }),
    ratio: finiteRatio(fields.ratio / 1000),
    seeds: wholeAmount(fields.peersComplete),
    peers: wholeAmount(fields.peersAccounted),
    uploadBytesPerSecond: wholeAmount(fields.upRate),
    downloadBytesPerSecond: wholeAmount(fields.downRate),
    uploadedBytes: wholeAmount(fields.upTotal),
    downloadedBytes: wholeAmount(fields.downTotal),
    etaSeconds: state === 'downloading' && fields.downRate > 0 ? Math.ceil(fields.leftBytes / fields.downRate) : -1,
    addedAtUnix: addedAt,
    // Data that was there already is complete without a date of its own: it was when it was added.
    completedAtUnix: isWhole ? unixTime(fields.finishedAt) || addedAt : 0,
    category,
    tags: tags.filter((tag) => tag !== '').join(','),
    savePath: fields.isMultiFile === 0 ? fields.directory : folderAbove(fields.directory),
    ...(tracker === undefined ? {} : { tracker: trackerHost(tracker) }),
  }
}

function conditionOf(
  fields: RtorrentFields,
  state: TorrentState,
  trackerSaid: string | undefined,
): Torrent['condition'] {
  const words = (text: string) => {
    const said = quotedLine(text, trackerWordsCharactersMax)
    return said === '' ? {} : { said }
  }
  if (state === 'error') return { kind: 'local_error', ...words(fields.message) }
  // What a tracker said to one that has stopped is not what holds it up.
  if (state !== 'downloading' && state !== 'seeding') return undefined
  if (fields.isMeta !== 0) return { kind: 'metadata' }
  if (trackerSaid !== undefined) return { kind: 'tracker_error', ...words(trackerSaid) }
  if (state !== 'downloading') return undefined
  if (fields.peersConnected === 0) return { kind: 'no_peers' }
  return fields.downRate === 0 ? { kind: 'stalled' } : undefined
}

/** The folder a torrent of several files lies in is its own; it was put above it. */
export function folderAbove(folder: string): string {
  const end = folder.replace(/\/{1,8}$/, '').lastIndexOf('/')
  return end <= 0 ? '/' : folder.slice(0, end)
}

/** The first one stands for the category, and is empty where there is none beside tags. */
export function labelsIn(custom1: string): string[] {
  return custom1 === '' ? [] : custom1.split(',').map((label) => decodedLabel(label.trim()))
}

export function labelsAs(category: string, tags: readonly string[]): string {
  const others = [...new Set(tags)].filter((tag) => tag !== '' && tag !== category)
  return [category, ...others].map(encodeURIComponent).join(',')
}

function decodedLabel(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Written by somebody who does not encode.
    return text
  }
}
