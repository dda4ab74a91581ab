import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  fromQbittorrent,
  type QbittorrentFields,
  type QbittorrentTracker,
  qbittorrentState,
  refusalOf,
} from '../../../workers/app/core/qbittorrent-torrent.ts'
import type { Torrent } from '../../../workers/app/core/torrent.ts'
import { finiteRatio, percent, unixTime, wholeAmount } from '../../../workers/app/core/torrent-numbers.ts'
import {
  fromTransmission,
  type TransmissionFields,
  transmissionState,
} from '../../../workers/app/core/transmission-torrent.ts'
import { type TorrentState, torrentStates } from '../../../workers/app/core/vocabulary.ts'

const infoHash = 'a'.repeat(40)

describe('states of qBittorrent', () => {
  test.for<[string, TorrentState]>([
    ['downloading', 'downloading'],
    ['forcedDL', 'downloading'],
    ['metaDL', 'downloading'],
    ['forcedMetaDL', 'downloading'],
    ['stalledDL', 'downloading'],
    ['allocating', 'downloading'],
    ['uploading', 'seeding'],
    ['forcedUP', 'seeding'],
    ['stalledUP', 'seeding'],
    ['pausedDL', 'paused'],
    ['pausedUP', 'paused'],
    ['stoppedDL', 'stopped'],
    ['stoppedUP', 'stopped'],
    ['queuedDL', 'queued'],
    ['queuedUP', 'queued'],
    ['checkingDL', 'checking'],
    ['checkingUP', 'checking'],
    ['checkingResumeData', 'checking'],
    ['moving', 'checking'],
    ['error', 'error'],
    ['missingFiles', 'error'],
    ['unknown', 'error'],
    ['a state of a later version', 'error'],
    ['constructor', 'error'],
  ])('%s is shown as %s', ([name, state], { expect }) => {
    expect(qbittorrentState(name)).toBe(state)
  })
})

describe('conditions of qBittorrent', () => {
  test.for<[QbittorrentFields, string | undefined, Torrent['condition']]>([
    [{ state: 'downloading' }, undefined, undefined],
    [{ state: 'uploading' }, undefined, undefined],
    [{ state: 'stalledUP' }, undefined, undefined],
    [{ state: 'pausedDL' }, undefined, undefined],
    [{ state: 'a state of a later version' }, undefined, undefined],
    [{ state: 'constructor' }, undefined, undefined],
    [{ state: 'stalledDL' }, undefined, { kind: 'no_peers' }],
    [{ state: 'stalledDL', num_leechs: 1 }, undefined, { kind: 'stalled' }],
    [{ state: 'stalledDL', num_seeds: 1 }, undefined, { kind: 'stalled' }],
    [{ state: 'metaDL' }, undefined, { kind: 'metadata' }],
    [{ state: 'forcedMetaDL' }, undefined, { kind: 'metadata' }],
    [{ state: 'moving' }, undefined, { kind: 'moving' }],
    [{ state: 'missingFiles' }, 'said', { kind: 'missing_files' }],
    [{ state: 'error' }, undefined, { kind: 'local_error' }],
    [{ state: 'stalledDL' }, 'unregistered', { kind: 'tracker_error', said: 'unregistered' }],
    [{ state: 'stalledUP' }, '', { kind: 'tracker_error' }],
    [{ state: 'pausedUP' }, 'unregistered', undefined],
    [{ state: 'stoppedDL', has_tracker_error: true }, undefined, undefined],
    [{ state: 'queuedUP', has_tracker_error: true }, undefined, undefined],
    [{ state: 'uploading', has_tracker_error: true }, undefined, { kind: 'tracker_error' }],
    [{ state: 'stalledDL', has_tracker_error: false }, undefined, { kind: 'no_peers' }],
  ])('%j, of which trackers said %s', ([fields, words, condition], { expect }) => {
    expect(fromQbittorrent(infoHash, fields, words).condition).toEqual(condition)
  })

  const one = (status: number, msg = '', url = 'https://tracker.example/announce'): QbittorrentTracker => ({
    url,
    status,
    msg,
  })
  test.for<[string, readonly QbittorrentTracker[], string | undefined]>([
    ['no tracker', [], undefined],
    ['one that was not asked yet', [one(1)], undefined],
    ['one that is being asked', [one(3)], undefined],
    ['one that works', [one(2, 'a remark')], undefined],
    ['one that does not work', [one(4, 'not authorized')], 'not authorized'],
    ['one that refuses', [one(5, 'unregistered')], 'unregistered'],
    ['one that is not reached', [one(6)], ''],
    ['several, one of which works', [one(4, 'no'), one(2)], undefined],
    ['several, one of which has words', [one(6), one(5, 'banned')], 'banned'],
    ['DHT, which works, beside one that refuses', [one(2, '', '** [DHT] **'), one(4, 'no')], 'no'],
    ['DHT that is off', [one(4, 'private', '** [DHT] **')], undefined],
    ['words on two lines', [one(4, ' a\r\nb\u0000 ')], 'a b'],
    ['words with a key', [one(4, 'passkey=0123456789abcdef0123456789abcdef is wrong')], 'passkey=*** is wrong'],
    ['long words', [one(4, 'x y '.repeat(100))], 'x y '.repeat(50).trim()],
  ])('%s', ([, trackers, refusal], { expect }) => {
    const said = refusalOf(trackers)
    if (refusal !== undefined && refusal.length > 100) expect(said?.length).toBeLessThanOrEqual(200)
    else expect(said).toBe(refusal)
  })
})

describe('conditions of Transmission', () => {
  test.for<[Partial<TransmissionFields>, Torrent['condition']]>([
    [{ status: 4, rateDownload: 5, peersConnected: 2 }, undefined],
    [{ status: 4, rateDownload: 0, peersConnected: 2 }, { kind: 'stalled' }],
    [{ status: 4, peersConnected: 0 }, { kind: 'no_peers' }],
    [{ status: 4, rateDownload: 0 }, undefined],
    [{ status: 4, metadataPercentComplete: 0.5, peersConnected: 0 }, { kind: 'metadata' }],
    [{ status: 0, metadataPercentComplete: 0.5, peersConnected: 0 }, undefined],
    [{ status: 0, error: 2, errorString: 'Unregistered torrent' }, undefined],
    [{ status: 5, error: 1, errorString: 'slow down' }, undefined],
    [{ status: 6, rateDownload: 0, peersConnected: 0 }, undefined],
    [
      { status: 6, error: 2, errorString: 'Unregistered torrent' },
      { kind: 'tracker_error', said: 'Unregistered torrent' },
    ],
    [
      { status: 4, error: 1, errorString: 'slow down' },
      { kind: 'tracker_warning', said: 'slow down' },
    ],
    [
      { status: 0, error: 3, errorString: 'No data found!' },
      { kind: 'local_error', said: 'No data found!' },
    ],
    [{ status: 4, error: 2, errorString: ' ' }, { kind: 'tracker_error' }],
    [{ status: 4, error: 2 }, { kind: 'tracker_error' }],
  ])('%j', ([fields, condition], { expect }) => {
    expect(fromTransmission({ ...transmissionFields, error: 0, ...fields }).condition).toEqual(condition)
  })
})

describe('states of Transmission', () => {
  test.for<[number, number, TorrentState]>([
    [0, 0, 'stopped'],
    [1, 0, 'checking'],
    [2, 0, 'checking'],
    [3, 0, 'queued'],
    [4, 0, 'downloading'],
    [5, 0, 'queued'],
    [6, 0, 'seeding'],
    [7, 0, 'error'],
    [-1, 0, 'error'],
    [6, 1, 'seeding'],
    [4, 2, 'downloading'],
    [0, 3, 'error'],
    [6, 3, 'error'],
  ])('status %i with error %i is shown as %s', ([status, error, state], { expect }) => {
    expect(transmissionState(status, error)).toBe(state)
  })
})

describe('estimated seconds left', () => {
  test.for<[string, number, number]>([
    ['downloading', 120, 120],
    ['downloading', 0, 0],
    ['downloading', 8_639_999, 8_639_999],
    ['downloading', 8_640_000, -1],
    ['downloading', 9_000_000, -1],
    ['downloading', -1, -1],
    ['uploading', 120, -1],
    ['pausedDL', 120, -1],
    ['checkingDL', 120, -1],
  ])('of a qBittorrent torrent that is %s with eta %i are %i', ([state, eta, seconds], { expect }) => {
    expect(fromQbittorrent(infoHash, { state, eta }).etaSeconds).toBe(seconds)
  })

  test.for<[number, number, number]>([
    [4, 120, 120],
    [4, 0, 0],
    [4, -1, -1],
    [4, -2, -1],
    [6, 120, -1],
    [0, 120, -1],
    [3, 120, -1],
  ])('of a Transmission torrent in status %i with eta %i are %i', ([status, eta, seconds], { expect }) => {
    expect(fromTransmission({ ...transmissionFields, status, eta }).etaSeconds).toBe(seconds)
  })
})

const transmissionFields: TransmissionFields = {
  hash: infoHash,
  name: 'A title',
  percentDone: 0.5,
  recheckProgress: 0.25,
  sizeWhenDone: 1000,
  leftUntilDone: 500,
  status: 4,
  uploadRatio: 1.5,
  uploadedEver: 3000,
  downloadedEver: 500,
  rateUpload: 10,
  rateDownload: 20,
  eta: 60,
  addedDate: 1_700_000_000,
  doneDate: 0,
  downloadDir: '/downloads',
  labels: ['films', 'one', 'two'],
  error: 0,
  peersSendingToUs: 3,
  peersGettingFromUs: 5,
}

test('a Transmission torrent is brought to the units of the interface', ({ expect }) => {
  expect(fromTransmission(transmissionFields)).toEqual({
    infoHash,
    title: 'A title',
    progressPercent: 50,
    sizeBytes: 1000,
    state: 'downloading',
    ratio: 1.5,
    seeds: 3,
    peers: 5,
    uploadBytesPerSecond: 10,
    downloadBytesPerSecond: 20,
    uploadedBytes: 3000,
    downloadedBytes: 500,
    etaSeconds: 60,
    addedAtUnix: 1_700_000_000,
    completedAtUnix: 0,
    category: 'films',
    tags: 'one,two',
    savePath: '/downloads',
  })
})

test('a qBittorrent torrent is brought to the units of the interface', ({ expect }) => {
  const torrent = fromQbittorrent(infoHash, {
    name: 'A title',
    progress: 0.5,
    size: 1000,
    state: 'downloading',
    ratio: 1.5,
    num_seeds: 3,
    num_leechs: 5,
    upspeed: 10,
    dlspeed: 20,
    uploaded: 3000,
    downloaded: 500,
    eta: 60,
    added_on: 1_700_000_000,
    completion_on: -1,
    category: 'films',
    tags: 'one, two',
    save_path: '/downloads',
  })

  expect(torrent).toEqual({ ...fromTransmission(transmissionFields) })
})

describe('the time of completion', () => {
  test.for<[string, number, number]>([
    ['4.5 writes 0', 0, 0],
    ['5.x writes -1', -1, 0],
    ['older ones write an unsigned -1', 4_294_967_295, 0],
    ['a completed one has its time', 1_700_000_000, 1_700_000_000],
  ])('of qBittorrent: %s', ([, completion_on, expected], { expect }) => {
    expect(fromQbittorrent(infoHash, { completion_on }).completedAtUnix).toBe(expected)
  })

  test.for<[string, Partial<TransmissionFields>, number]>([
    ['not done', {}, 0],
    ['done', { doneDate: 1_700_000_100, percentDone: 1, leftUntilDone: 0 }, 1_700_000_100],
    ['data that was already there', { percentDone: 1, leftUntilDone: 0, status: 6 }, 1_700_000_000],
    ['still being checked', { percentDone: 1, leftUntilDone: 0, status: 2 }, 0],
    ['without its metadata', { percentDone: 1, leftUntilDone: 0, sizeWhenDone: 0 }, 0],
  ])('of Transmission: %s', ([, change, expected], { expect }) => {
    expect(fromTransmission({ ...transmissionFields, ...change }).completedAtUnix).toBe(expected)
  })
})

describe('the ratio', () => {
  test.for<[number, number, number, number]>([
    [1.23456, 0, 1000, 1.235],
    [-1, 0, 1000, 0],
    [-2, 2500, 1000, 2.5],
    [-2, 2500, 0, 0],
    [1e300, 0, 1000, 1_000_000_000],
  ])(
    'of Transmission %d with %i uploaded of %i is %d',
    ([uploadRatio, uploadedEver, sizeWhenDone, ratio], { expect }) => {
      expect(fromTransmission({ ...transmissionFields, uploadRatio, uploadedEver, sizeWhenDone }).ratio).toBe(ratio)
    },
  )

  test('of qBittorrent beyond its bound, written -1, is that bound', ({ expect }) => {
    expect(fromQbittorrent(infoHash, { ratio: -1 }).ratio).toBe(9999)
  })
})

test('a torrent being checked shows how far the check is', ({ expect }) => {
  expect(fromTransmission({ ...transmissionFields, status: 2 }).progressPercent).toBe(25)
})

describe('progress in percent', () => {
  test.for<[number | undefined, number]>([
    [undefined, 0],
    [-0.1, 0],
    [0, 0],
    [0.12345, 12.34],
    [0.99999, 99.99],
    [1, 100],
    [1.01, 100],
    [Number.NaN, 0],
  ])('%d is %d', ([share, expected], { expect }) => {
    expect(percent(share)).toBe(expected)
  })
})

test('whatever numbers a downloader sends, what is shown fits the interface', ({ expect }) => {
  const odd = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(-1, -2, 8_640_000, 2 ** 53, 1e300, Number.NaN))
  fc.assert(
    fc.property(fc.array(odd, { minLength: 16, maxLength: 16 }), fc.string(), (numbers, text) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0, m = 0, n = 0] = numbers
      const fields: QbittorrentFields = {
        state: text,
        progress: a,
        size: b,
        ratio: c,
        num_seeds: d,
        num_leechs: e,
        upspeed: f,
        dlspeed: g,
        uploaded: e,
        downloaded: f,
        eta: h,
        added_on: i,
        completion_on: j,
        tags: text,
      }
      const shown = [
        fromQbittorrent(infoHash, fields),
        fromTransmission({
          ...transmissionFields,
          percentDone: a,
          recheckProgress: b,
          sizeWhenDone: c,
          uploadRatio: d,
          uploadedEver: e,
          downloadedEver: d,
          eta: f,
          addedDate: g,
          doneDate: h,
          rateUpload: i,
          rateDownload: j,
          peersSendingToUs: k,
          peersGettingFromUs: l,
          status: m % 8,
          error: n,
          labels: [text],
        }),
      ]
      for (const torrent of shown) {
        expect(torrentStates).toContain(torrent.state)
        expect(torrent.progressPercent).toBeGreaterThanOrEqual(0)
        expect(torrent.progressPercent).toBeLessThanOrEqual(100)
        expect(Number.isFinite(torrent.ratio) && torrent.ratio >= 0).toBe(true)
        expect(Number.isSafeInteger(torrent.etaSeconds) && torrent.etaSeconds >= -1).toBe(true)
        for (const amount of [
          torrent.sizeBytes,
          torrent.seeds,
          torrent.peers,
          torrent.uploadBytesPerSecond,
          torrent.downloadBytesPerSecond,
          torrent.uploadedBytes,
          torrent.downloadedBytes,
          torrent.addedAtUnix,
          torrent.completedAtUnix,
        ]) {
          expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true)
        }
      }
    }),
    { numRuns: 2000 },
  )
})

test('amounts are whole, times fit their clock and ratios are finite', ({ expect }) => {
  expect([undefined, -5, 0, 1.9, 2 ** 60].map(wholeAmount)).toEqual([0, 0, 0, 1, Number.MAX_SAFE_INTEGER])
  expect([2 ** 31 - 1, 2 ** 31].map(unixTime)).toEqual([2 ** 31 - 1, 0])
  expect([Number.POSITIVE_INFINITY, Number.NaN, -3, 0.0004, 0.0006].map(finiteRatio)).toEqual([0, 0, 0, 0, 0.001])
})
