/** The list that is followed: what changed is told, nothing else, and the page makes the same list of it. */
import { describe, test } from 'vitest'
import type { WireTorrent } from '../../../workers/app/contract/torrents.ts'
import { changesOf, type Row } from '../../../workers/app/core/row-changes.ts'
import { followTorrents } from '../../../workers/app/http/follow-torrents.ts'
import type { TorrentList } from '../../../workers/app/http/torrent-list.ts'
import { torrentStreamEveryMs, torrentStreamMs, torrentStreamQuietMs } from '../../../workers/app/limits.ts'
import { type LiveState, nothingLive, takeLiveEvent, withChanges } from '../../../workers/app/web/model/live-list.ts'
import { seededRandom } from '../../long/seeded-random.ts'

const keyOf = (row: Row) => String(row['task_id'])

describe('changes of rows', () => {
  test('are none where nothing changed, and only the fields that did', ({ expect }) => {
    const before = [
      { task_id: 'a', state: 'seeding', tags: 'x' },
      { task_id: 'b', state: 'paused' },
    ]
    expect(changesOf(before, structuredClone(before), keyOf)).toBeUndefined()
    expect(changesOf(before, [{ task_id: 'a', state: 'paused' }, before[1] as Row], keyOf)).toEqual({
      length: 2,
      rows: [{ at: 0, was: 0, state: 'paused', tags: null }],
    })
    expect(changesOf(before, [before[1] as Row], keyOf)).toEqual({ length: 1, rows: [{ at: 0, was: 1 }] })
  })

  test('make the list of now from that of before, whatever happened to it', ({ expect }) => {
    const random = seededRandom(84)
    const below = (count: number) => Math.floor(random() * count)
    let rows: Row[] = []
    for (let step = 0; step < 300; step += 1) {
      const next = rows.filter(() => below(10) > 0).map((row) => (below(3) === 0 ? { ...row, speed: below(3) } : row))
      while (below(3) > 0)
        next.splice(below(next.length + 1), 0, {
          task_id: `${step}-${next.length}`,
          ...(below(2) ? { tags: 't' } : {}),
        })
      if (below(4) === 0) next.reverse()
      const changes = changesOf(rows, next, keyOf)
      expect(changes === undefined ? rows : withChanges(rows, JSON.parse(JSON.stringify(changes)))).toEqual(next)
      rows = next
    }
    expect(rows.length).toBeGreaterThan(3)
  })
})

describe('a stream', () => {
  const rowOf = (at: number): WireTorrent => ({
    ...{
      downloader_id: 1,
      downloader: 'nas-1',
      task_id: `${at}`,
      info_hash: `${at}`,
      title: `Voyage ${at}`,
      progress: 100,
    },
    ...{ size: 5, state: 'seeding', ratio: 1, seeds: 0, peers: 0, upload_speed: 0, download_speed: 0, eta: -1 },
    ...{ added_at: 1, completed_at: 1 },
  })
  const listOf = (count: number): TorrentList => ({
    items: Array.from({ length: count }, (_, at) => rowOf(at)),
    ...{ total: 5000, total_size: 25_000, counts: { states: { seeding: 5000 }, conditions: {} }, failures: [] },
  })

  const none = { trackers: [], categories: [], tags: [], folders: [], matters: [], failures: [] }
  const noGroups = { ...none, downloaders: [{ downloader_id: 1, downloader: 'nas-1', total: 5000 }] }

  function follow(lists: (tick: number) => TorrentList) {
    let nowMs = 0
    let tick = 0
    const left = new AbortController()
    const events = followTorrents({
      readList: async () => lists(tick++),
      readDownloaders: async () => [],
      readGroups: async () => noGroups,
      from: 40,
      nowMs: () => nowMs,
      wait: async (ms) => {
        nowMs += ms
      },
      left: left.signal,
    })
    return { events, left, nowMs: () => nowMs }
  }

  test('tells a part whole, then what changed, and the page shows the same', async ({ expect }) => {
    const changed = { ...listOf(3), total: 4999, items: [rowOf(2), { ...rowOf(0), upload_speed: 7 }, rowOf(9)] }
    const { events, left } = follow((tick) => (tick < 2 ? listOf(3) : changed))
    let state: LiveState = nothingLive
    const told: string[] = []
    for await (const text of events) {
      for (const [, name = '', data = ''] of text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)) {
        told.push(name)
        state = takeLiveEvent(state, name, data)
      }
      if (told.includes('change')) left.abort()
    }

    expect(told).toEqual(['list', 'downloaders', 'groups', 'change'])
    expect(state).toEqual({ list: { from: 40, ...changed }, downloaders: [], groups: noGroups })
  })

  test('says next to nothing of 5,000 that stand still, and ends after its time', async ({ expect }) => {
    const { events, nowMs } = follow(() => listOf(200))
    let bytes = 0
    let first = 0
    for await (const text of events) {
      if (text.includes('event: list')) first = text.length
      else bytes += text.length
    }

    console.log(
      `a part of 200 rows: ${first} bytes once, then ${(bytes / (torrentStreamMs / 1000)).toFixed(2)} bytes a second`,
    )
    expect(nowMs()).toBe(torrentStreamMs)
    expect(bytes).toBeLessThanOrEqual(20 + 4 * Math.ceil(torrentStreamMs / torrentStreamQuietMs))
    expect(torrentStreamQuietMs).toBeGreaterThan(torrentStreamEveryMs)
  })
})
