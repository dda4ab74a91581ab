/** What one browser keeps of the list of torrents, and what takes an action back. */
import { describe, test } from 'vitest'
import type { WireTorrent } from '../../../../workers/app/contract/torrents.ts'
import { afterDeed, undoOf } from '../../../../workers/app/web/model/torrent-undo.ts'
import {
  movedColumn,
  readFilters,
  readView,
  savedFiltersMax,
  usualView,
  withColumn,
  withFilter,
} from '../../../../workers/app/web/model/torrent-view.ts'
import { inventedLibrary } from '../../../support/invented-library.ts'

describe('the view', () => {
  test.for([
    [null, usualView],
    ['no JSON', usualView],
    ['{"rows":"one","columns":["size","size","gone","title","eta"]}', { rows: 'one', columns: ['size', 'eta'] }],
    ['{"rows":"three","columns":"size"}', { rows: 'two', columns: [] }],
  ] as const)('%s is read as far as it is known', ([text, view], { expect }) => {
    expect(readView(text)).toEqual(view)
    expect(readView(JSON.stringify(view))).toEqual(view)
  })

  test('a column comes, goes and moves, and the ends hold', ({ expect }) => {
    const view = { rows: 'two', columns: ['size', 'eta'] } as const
    expect(withColumn(view, 'ratio', true).columns).toEqual(['size', 'eta', 'ratio'])
    expect(withColumn(view, 'size', false).columns).toEqual(['eta'])
    expect(movedColumn(view, 'eta', -1).columns).toEqual(['eta', 'size'])
    expect(movedColumn(view, 'eta', 1)).toBe(view)
    expect(movedColumn(view, 'ratio', 1)).toBe(view)
  })

  test('a filter is kept by its name, and the oldest goes when there are too many', ({ expect }) => {
    const many = Array.from({ length: savedFiltersMax }, (_, at) => ({ name: `f${at}`, hash: '#/torrents' }))
    expect(
      withFilter(many, 'f0', '#/torrents?q=a')
        .map(({ name }) => name)
        .at(-1),
    ).toBe('f0')
    expect(withFilter(many, 'f0', '#/torrents?q=a')).toHaveLength(savedFiltersMax)
    expect(withFilter(many, 'new', '#/torrents')).toHaveLength(savedFiltersMax)
    expect(withFilter(many, 'new', '#/torrents')[0]?.name).toBe('f1')
  })

  test('an address of something else is no filter', ({ expect }) => {
    const good = { name: 'Seeding', hash: '#/torrents?state=seeding' }
    const bad = [
      { name: 'x', hash: 'https://a.example' },
      { name: '', hash: '#/torrents' },
      { name: 'y', hash: '#/torrentsx' },
      null,
      3,
    ]
    expect(readFilters(JSON.stringify([good, ...bad]))).toEqual([good])
    expect(readFilters('{}')).toEqual([])
    expect(readFilters(null)).toEqual([])
  })
})

describe('taking back', () => {
  const [one] = inventedLibrary(1_800_000_000).torrents ?? []
  const torrent = (task_id: string, more: Partial<WireTorrent>): WireTorrent => ({
    ...(one as WireTorrent),
    task_id,
    ...more,
  })
  const seeding = torrent('a', { state: 'seeding', progress: 100, category: 'tv', tags: 'x' })
  const paused = torrent('b', { state: 'paused', category: 'films', tags: 'x' })
  const plain = torrent('c', { state: 'stopped', category: '', tags: '' })
  const all = [seeding, paused, plain]

  test.for([
    ['pause', [['resume', ['a']]]],
    ['resume', [['pause', ['b', 'c']]]],
    ['delete', []],
    ['delete_with_files', []],
    [{ kind: 'recheck' }, []],
    [
      { kind: 'category', category: 'films' },
      [
        [{ kind: 'category', category: 'tv' }, ['a']],
        [{ kind: 'category', category: '' }, ['c']],
      ],
    ],
    [
      { kind: 'tags', tags: 'y' },
      [
        [{ kind: 'tags', tags: 'x' }, ['a', 'b']],
        [{ kind: 'tags', tags: '' }, ['c']],
      ],
    ],
  ] as const)('%j is taken back for those that it changed', ([deed, steps], { expect }) => {
    expect(undoOf(deed, all).map((step) => [step.deed, step.torrents.map(({ task_id }) => task_id)])).toEqual(steps)
  })

  test.for(['pause', { kind: 'category', category: 'films' }, { kind: 'tags', tags: 'y' }] as const)(
    'done and taken back, %j leaves them as they were',
    (deed, { expect }) => {
      const names = (list: readonly WireTorrent[]) =>
        list.map(({ task_id, state, category, tags }) => [task_id, state, category, tags])
      let now = all.map((one) => afterDeed(deed, one))
      for (const step of undoOf(deed, all)) {
        const touched = new Set(step.torrents.map(({ task_id }) => task_id))
        now = now.map((one) => (touched.has(one.task_id) ? afterDeed(step.deed, one) : one))
      }
      const held = (list: readonly WireTorrent[]) =>
        list.map((one) => (one.state === 'stopped' ? { ...one, state: 'paused' as const } : one))
      expect(names(held(now))).toEqual(names(held(all)))
    },
  )
})
