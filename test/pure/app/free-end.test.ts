import { describe, test } from 'vitest'
import {
  endOfFree,
  freeStanding,
  judgeFreeEnd,
  type RunningTorrent,
  secondsToFinish,
} from '../../../workers/app/core/free-end.ts'
import { freeEndLeadSeconds, freeEndWarnSeconds } from '../../../workers/app/limits.ts'

const spans = { warnSeconds: freeEndWarnSeconds, leadSeconds: freeEndLeadSeconds }

const now = 1_800_000_000
const mib = 1024 ** 2

/** Half of 1,000 MiB are left. */
const running: RunningTorrent = {
  state: 'downloading',
  sizeBytes: 1000 * mib,
  progressPercent: 50,
  downloadBytesPerSecond: mib,
}
const stalled = { ...running, downloadBytesPerSecond: 0 }
const over = (why: string) => ({ isOver: true, why })
const slow = { isOver: false, why: 'too_slow' }

describe('when a free period ends', () => {
  test.for([
    ['told', now + 9, 'ending', now + 9],
    ['told, and what is not told is open', now + 9, 'open', now + 9],
    ['not told', undefined, 'ending', now],
    ['not told, and that is open', undefined, 'open', Number.POSITIVE_INFINITY],
  ] as const)('is known where it is %s', ([_, endAtUnix, unknown, expected], { expect }) => {
    expect(endOfFree(endAtUnix, unknown, now)).toBe(expected)
  })
})

describe('the estimate', () => {
  test.for([
    ['what is left by the speed', running, 500],
    ['never, without speed', stalled, Number.POSITIVE_INFINITY],
    ['never, without a size', { ...running, sizeBytes: 0 }, Number.POSITIVE_INFINITY],
    ['at once, of what is complete', { ...running, progressPercent: 100 }, 0],
  ] as const)('is %s', ([_, torrent, seconds], { expect }) => {
    expect(secondsToFinish(torrent)).toBe(seconds)
  })
})

describe('a look', () => {
  test.for([
    ['one that is done in time', running, now + 500, 'ending', undefined],
    ['one that is done a second too late', running, now + 499, 'ending', slow],
    ['one that stands still, long before', stalled, now + freeEndWarnSeconds + 1, 'ending', undefined],
    ['one that stands still, when it is time to say so', stalled, now + freeEndWarnSeconds, 'ending', slow],
    ['one just before the end is near', stalled, now + freeEndLeadSeconds + 1, 'ending', slow],
    ['one whose end is near', stalled, now + freeEndLeadSeconds, 'ending', over('over')],
    ['one whose end is near, done before it', { ...running, progressPercent: 99 }, now + 10, 'ending', undefined],
    ['one past its end', running, now - 1, 'ending', over('over')],
    ['one whose end nobody tells', running, undefined, 'ending', over('unknown')],
    ['one whose end nobody tells, where that is open', stalled, undefined, 'open', undefined],
    ['one in a queue', { ...stalled, state: 'queued' }, now, 'ending', over('over')],
    ['one that is checked', { ...stalled, state: 'checking' }, now, 'ending', over('over')],
    ['one that is paused', { ...stalled, state: 'paused' }, now, 'ending', undefined],
    ['one that was stopped', { ...stalled, state: 'stopped' }, now, 'ending', undefined],
    ['one in trouble', { ...stalled, state: 'error' }, now, 'ending', undefined],
    ['one that is complete', { ...running, state: 'seeding', progressPercent: 100 }, now, 'ending', undefined],
  ] as const)('at %s', ([_, torrent, endAtUnix, unknown, expected], { expect }) => {
    expect(judgeFreeEnd(torrent, { endAtUnix, unknown }, now, spans)).toEqual(expected)
  })
})

describe('how one stands', () => {
  const warned = (endAtUnix: number) => ({ actsAtUnix: Math.max(now, endAtUnix - freeEndWarnSeconds) })
  test.for([
    ['in time', running, now + 500, 'ending', { outlook: 'in_time', needsSeconds: 500 }],
    [
      'too slow by a second',
      running,
      now + 499,
      'ending',
      { outlook: 'too_slow', needsSeconds: 500, billedBytes: mib, ...warned(now + 499) },
    ],
    [
      'still, long before the end',
      stalled,
      now + 86_400,
      'ending',
      { outlook: 'too_slow', billedBytes: 500 * mib, ...warned(now + 86_400) },
    ],
    [
      'beyond the end',
      running,
      now - 60,
      'ending',
      { outlook: 'over', needsSeconds: 500, billedBytes: 500 * mib, actsAtUnix: now },
    ],
    [
      'with an end that nobody tells',
      running,
      undefined,
      'ending',
      { outlook: 'untold', needsSeconds: 500, billedBytes: 500 * mib, actsAtUnix: now },
    ],
    ['without an end', running, undefined, 'open', { outlook: 'endless', needsSeconds: 500 }],
    ['paused', { ...running, state: 'paused' }, now + 9, 'ending', { outlook: 'held' }],
    ['not shown', undefined, now + 9, 'ending', { outlook: 'unknown' }],
  ] as const)('%s', ([_, torrent, endAtUnix, unknown, expected], { expect }) => {
    expect(freeStanding(torrent, { endAtUnix, unknown }, now, { ...spans, action: 'warn' })).toEqual(expected)
  })

  test('it is acted on as the owner settled: not at all, or just before the end', ({ expect }) => {
    const acts = (action: 'off' | 'pause') =>
      freeStanding(stalled, { endAtUnix: now + 7200, unknown: 'ending' }, now, { ...spans, action }).actsAtUnix
    expect([acts('off'), acts('pause')]).toEqual([undefined, now + 7200 - freeEndLeadSeconds])
  })
})
