import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  type GroupOutcome,
  groupTargets,
  isSettled,
  resultsInOrder,
  unknownDownloader,
  unknownTorrent,
} from '../../../workers/app/core/torrent-action-plan.ts'
import { type TorrentAction, type TorrentState, torrentActions } from '../../../workers/app/core/vocabulary.ts'

const one = '1'.repeat(40)
const two = '2'.repeat(40)
const long = 'ab'.repeat(32)

test('targets are grouped by downloader, each hash once, in the order they were named', ({ expect }) => {
  const groups = groupTargets([
    { downloaderId: 2, taskId: two },
    { downloaderId: 1, taskId: one },
    { downloaderId: 2, taskId: one },
    { downloaderId: 2, taskId: two },
    { downloaderId: 1, taskId: long },
  ])

  expect([...groups]).toEqual([
    [2, [two, one]],
    [1, [one, long]],
  ])
})

describe('a task id that a downloader could read as more than one torrent', () => {
  test.for([
    'all',
    '*',
    '.',
    ' ',
    `${one}|${two}`,
    `${one},${two}`,
    `${one}\n`,
    ` ${one}`,
    one.slice(1),
    `${one}0`,
    one.toUpperCase().replace(/1/g, 'A'),
    'recently-active',
    '0',
    '-1',
  ])('%j never reaches one', (taskId, { expect }) => {
    const targets = [{ downloaderId: 1, taskId }]

    expect(groupTargets(targets).size).toBe(0)
    expect(resultsInOrder(targets, new Map())).toEqual([
      { downloaderId: 1, taskId, success: false, reason: unknownTorrent },
    ])
  })
})

test('of any text, only info hashes reach a downloader', ({ expect }) => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-fA-F]{38,66}$/), fc.constantFrom(one, two, long, 'all'))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), (taskIds) => {
      const targets = taskIds.map((taskId) => ({ downloaderId: 1, taskId }))
      for (const [, hashes] of groupTargets(targets)) {
        expect(hashes.length).toBeGreaterThan(0)
        for (const hash of hashes) expect(hash).toMatch(/^([0-9a-f]{40}|[0-9a-f]{64})$/)
      }
    }),
    { numRuns: 2000 },
  )
})

test('every target gets its result, in the order of the request', ({ expect }) => {
  const targets = [
    { downloaderId: 1, taskId: two },
    { downloaderId: 9, taskId: one },
    { downloaderId: 1, taskId: 'all' },
    { downloaderId: 1, taskId: one },
    { downloaderId: 2, taskId: one },
    { downloaderId: 1, taskId: two },
  ]
  const groups = new Map<number, GroupOutcome>([
    [
      1,
      {
        kind: 'outcomes',
        outcomes: [
          { infoHash: two, success: true },
          { infoHash: one, success: false, reason: unknownTorrent },
        ],
      },
    ],
    [2, { kind: 'refused', reason: { kind: 'downloader.unreachable' } }],
  ])

  expect(resultsInOrder(targets, groups)).toEqual([
    { downloaderId: 1, taskId: two, success: true },
    { downloaderId: 9, taskId: one, success: false, reason: unknownDownloader },
    { downloaderId: 1, taskId: 'all', success: false, reason: unknownTorrent },
    { downloaderId: 1, taskId: one, success: false, reason: unknownTorrent },
    { downloaderId: 2, taskId: one, success: false, reason: { kind: 'downloader.unreachable' } },
    { downloaderId: 1, taskId: two, success: true },
  ])
})

describe('an action shows when', () => {
  const settledBy: Record<TorrentAction, readonly (TorrentState | undefined)[]> = {
    pause: ['paused', 'stopped', 'error', undefined],
    resume: ['downloading', 'seeding', 'queued', 'checking', 'error', undefined],
    delete: [undefined],
    delete_with_files: [undefined],
  }
  const all = ['downloading', 'seeding', 'paused', 'stopped', 'queued', 'checking', 'error', undefined] as const
  test.for([...torrentActions])('%s left its mark', (action, { expect }) => {
    expect(all.filter((state) => isSettled(action, state))).toEqual(
      all.filter((state) => settledBy[action].includes(state)),
    )
  })
})
