/** Torrents of Deluge and rTorrent, brought to the units of the interface. */

import { describe, test } from 'vitest'
import { SeenTorrents } from '../../../workers/app/adapters/downloaders/seen-torrents.ts'
import { type DelugeFields, fromDeluge } from '../../../workers/app/core/deluge-torrent.ts'
import { fromRtorrent, labelsAs, labelsIn, type RtorrentFields } from '../../../workers/app/core/rtorrent-torrent.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import {
  availabilityOf,
  isPathInside,
  pieceMapOf,
  pieceMapSharesMax,
} from '../../../workers/app/core/torrent-details.ts'
import { isTrackerAddress } from '../../../workers/app/core/tracker.ts'
import { documentedDownloaderTypes, documentedType, downloaderKinds } from '../../../workers/app/core/vocabulary.ts'

const hash = 'a'.repeat(40)
/** As Deluge 2.0.3 tells one that loads. */
const deluge: DelugeFields = {
  name: 'Harbour.Lights.S01',
  state: 'Downloading',
  message: 'OK',
  progress: 43.21,
  total_wanted: 1000,
  num_files: 2,
  ratio: 0.5,
  num_seeds: 3,
  num_peers: 4,
  upload_payload_rate: 10,
  download_payload_rate: 20,
  total_uploaded: 300,
  all_time_download: 600,
  eta: 12,
  time_added: 1_700_000_000,
  completed_time: 0,
  seeding_time: 0,
  is_finished: false,
  tracker_status: 'Announce OK',
  save_path: '/downloads',
  label: 'films',
}
/** As rTorrent 0.9.8 tells one that loads. */
const rtorrent: RtorrentFields = {
  hash: hash.toUpperCase(),
  name: 'Harbour.Lights.S01',
  sizeBytes: 1000,
  completedBytes: 432,
  leftBytes: 568,
  state: 1,
  isActive: 1,
  hashing: 0,
  isHashChecking: 0,
  chunksHashed: 0,
  sizeChunks: 10,
  complete: 0,
  isPartiallyDone: 0,
  ratio: 500,
  upRate: 10,
  downRate: 20,
  upTotal: 300,
  downTotal: 600,
  peersComplete: 3,
  peersAccounted: 4,
  peersConnected: 7,
  message: '',
  custom1: 'films,%E4%B8%AD%E5%AD%97',
  addTime: '1700000000',
  linkName: '',
  loadDate: 1_700_000_500,
  finishedAt: 0,
  directory: '/downloads/Harbour.Lights.S01',
  isMultiFile: 1,
  isMeta: 0,
  trackers: ['dht://', 'udp://tracker.example.org:6969/announce'],
}

test('both are brought to the units of the interface', ({ expect }) => {
  const same = {
    infoHash: hash,
    title: 'Harbour.Lights.S01',
    sizeBytes: 1000,
    state: 'downloading',
    ratio: 0.5,
    seeds: 3,
    peers: 4,
    uploadBytesPerSecond: 10,
    downloadBytesPerSecond: 20,
    uploadedBytes: 300,
    downloadedBytes: 600,
    addedAtUnix: 1_700_000_000,
    completedAtUnix: 0,
    category: 'films',
    savePath: '/downloads',
  }
  expect(fromDeluge(hash, deluge)).toEqual({
    ...same,
    progressPercent: 43.21,
    etaSeconds: 12,
    tags: '',
    seedingSeconds: 0,
  })
  expect(fromRtorrent(rtorrent)).toEqual({
    ...same,
    tracker: 'tracker.example.org:6969',
    progressPercent: 43.2,
    etaSeconds: 29,
    tags: '中字',
  })
})

describe('the state of a torrent of Deluge', () => {
  test.for<[string, Partial<DelugeFields>, Torrent['state'], Torrent['condition']]>([
    ['seeds', { state: 'Seeding' }, 'seeding', undefined],
    ['waits for its turn', { state: 'Queued' }, 'queued', undefined],
    ['was paused, whatever its tracker said', { state: 'Paused', tracker_status: 'Error: no' }, 'paused', undefined],
    ['is moved', { state: 'Moving' }, 'checking', { kind: 'moving' }],
    ['is checked', { state: 'Checking' }, 'checking', undefined],
    ['failed', { state: 'Error', message: 'No space' }, 'error', { kind: 'local_error', said: 'No space' }],
    ['is in a state it got later', { state: 'Dreaming' }, 'error', { kind: 'local_error' }],
    ['is refused', { tracker_status: 'Error: not yours' }, 'downloading', { kind: 'tracker_error', said: 'not yours' }],
    ['is warned', { tracker_status: 'Warning: slow' }, 'downloading', { kind: 'tracker_warning', said: 'slow' }],
    ['has no metadata', { num_files: 0 }, 'downloading', { kind: 'metadata' }],
    ['is alone', { num_seeds: 0, num_peers: 0 }, 'downloading', { kind: 'no_peers' }],
    ['gets nothing', { download_payload_rate: 0 }, 'downloading', { kind: 'stalled' }],
  ])('that %s', ([, change, state, condition], { expect }) => {
    const torrent = fromDeluge(hash, { ...deluge, ...change })
    expect([torrent.state, torrent.condition]).toEqual([state, condition])
  })
})

describe('the state of a torrent of rTorrent', () => {
  test.for<[string, Partial<RtorrentFields>, Torrent['state'], Torrent['condition']]>([
    ['seeds', { complete: 1 }, 'seeding', undefined],
    ['has all that is wanted', { isPartiallyDone: 1 }, 'seeding', undefined],
    ['was stopped, whatever its tracker said', { state: 0, message: 'Tracker: [no]' }, 'stopped', undefined],
    ['was paused', { isActive: 0 }, 'paused', undefined],
    ['is checked', { hashing: 1, chunksHashed: 5 }, 'checking', undefined],
    ['failed', { message: 'No space' }, 'error', { kind: 'local_error', said: 'No space' }],
    ['is refused', { message: 'Tracker: [Failure]' }, 'downloading', { kind: 'tracker_error', said: 'Failure' }],
    ['has no metadata', { isMeta: 1, message: 'Tracker: [no]' }, 'downloading', { kind: 'metadata' }],
    ['is alone', { peersConnected: 0 }, 'downloading', { kind: 'no_peers' }],
    ['gets nothing', { downRate: 0 }, 'downloading', { kind: 'stalled' }],
  ])('that %s', ([, change, state, condition], { expect }) => {
    const torrent = fromRtorrent({ ...rtorrent, ...change })
    expect([torrent.state, torrent.condition]).toEqual([state, condition])
  })
})

test('what was there already was complete when it was added', ({ expect }) => {
  const whole = { complete: 1, completedBytes: 1000, leftBytes: 0 }
  expect(fromRtorrent({ ...rtorrent, ...whole }).completedAtUnix).toBe(1_700_000_000)
  expect(fromRtorrent({ ...rtorrent, ...whole, finishedAt: 1_700_000_900 }).completedAtUnix).toBe(1_700_000_900)
  const seeding = { ...deluge, state: 'Seeding', progress: 100, is_finished: true }
  expect(fromDeluge(hash, seeding).completedAtUnix).toBe(1_700_000_000)
})

test('labels are written as pages of rTorrent read them, and read whoever wrote them', ({ expect }) => {
  expect(labelsAs('films', ['中字', 'a,b', ''])).toBe('films,%E4%B8%AD%E5%AD%97,a%2Cb')
  expect(labelsIn(labelsAs('', ['one']))).toEqual(['', 'one'])
  expect(labelsIn('100%,two')).toEqual(['100%', 'two'])
  expect(labelsIn('')).toEqual([])
})

test('of a list that is told whole only what is new counts as changed', ({ expect }) => {
  const seen = new SeenTorrents()
  const [one, two] = [fromDeluge(hash, deluge), fromDeluge('b'.repeat(40), deluge)]
  expect(seen.takeOver([one, two]).kind).toBe('full')
  expect(seen.takeOver([one, two])).toEqual({ kind: 'delta', changed: [], removed: [] })
  const later = { ...one, progressPercent: 50 }
  expect(seen.takeOver([later])).toEqual({ kind: 'delta', changed: [later], removed: ['b'.repeat(40)] })
  seen.forget()
  expect(seen.takeOver([later]).kind).toBe('full')
})

test('a client that knows two types reads every downloader', ({ expect }) => {
  expect(downloaderKinds.map(documentedType)).toEqual(['qbittorrent', ...Array(3).fill('transmission')])
  for (const kind of downloaderKinds) expect(documentedDownloaderTypes).toContain(documentedType(kind))
})

test('a map of pieces has as many shares as a line shows, and no more than there are pieces', ({ expect }) => {
  expect(pieceMapOf(3, (index) => index < 2)).toEqual([100, 100, 0])
  expect(pieceMapOf(pieceMapSharesMax, () => true)).toHaveLength(pieceMapSharesMax)
  const half = pieceMapOf(pieceMapSharesMax * 2, (index) => index % 2 === 0)
  expect([half.length, ...new Set(half)]).toEqual([pieceMapSharesMax, 50])
  expect(pieceMapOf(pieceMapSharesMax + 1, () => true)).toHaveLength(pieceMapSharesMax)
  expect(pieceMapOf(0, () => true)).toEqual([])
})

test('availability is that of the rarest piece, and the share of those there once more', ({ expect }) => {
  expect(availabilityOf([2, 3, 2, 3])).toEqual({ availability: 2.5 })
  expect(availabilityOf([0, 0])).toEqual({ availability: 0 })
  expect(availabilityOf([])).toEqual({})
})

test.for<[string, boolean]>([
  ['Show/one.mkv', true],
  ['一.mkv', true],
  ['', false],
  ['/etc/passwd', false],
  ['Show/../../one', false],
  ['Show/./one', false],
  ['Show//one', false],
  ['Show\\..\\one', false],
])('a path %j is inside a torrent: %s', ([path, isInside], { expect }) => {
  expect(isPathInside(path)).toBe(isInside)
})

test.for<[string, boolean]>([
  ['https://tracker.example/announce?key=1', true],
  ['udp://tracker.example:6969', true],
  ['wss://tracker.example/', true],
  ['file:///etc/passwd', false],
  ['tracker.example/announce', false],
  ['http://tracker.example/a http://other.example', false],
  ['http://', false],
])('%j is an address of a tracker: %s', ([address, isOne], { expect }) => {
  expect(isTrackerAddress(address)).toBe(isOne)
})
