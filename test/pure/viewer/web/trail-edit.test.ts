/** A trail while it is edited, and as Markdown. */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { SavedTrail } from '../../../../local/viewer/contract/wire.ts'
import {
  editSaved,
  editSteps,
  moveHop,
  noteHop,
  readNotes,
  removeHop,
  stepsOf,
  trailMarkdown,
  writeNotes,
} from '../../../../local/viewer/web/model/trail-edit.ts'

const hops = editSteps(
  [
    { id: 'a', dir: 'start' },
    { id: 'b', dir: 'down' },
    { id: 'c', dir: 'up' },
  ],
  (id) => id.toUpperCase(),
)
const written = (list: typeof hops): string =>
  stepsOf(list)
    .map((one) => `${one.dir} ${one.id}`)
    .join(', ')

describe('order', () => {
  test('hops that stay beside the one they came from keep their direction; others become jumps', ({ expect }) => {
    expect(written(hops)).toBe('start a, down b, up c')
    expect(written(moveHop(hops, 2, 1))).toBe('start a, start c, start b')
    expect(written(moveHop(moveHop(hops, 2, 1), 1, 2))).toBe('start a, down b, up c')
    expect(written(moveHop(hops, 0, 2))).toBe('start b, up c, start a')
    expect(written(removeHop(hops, 1))).toBe('start a, start c')
  })

  test.for([
    [0, -1],
    [2, 3],
    [7, 0],
  ] as const)('moving %i to %i changes nothing', ([from, to], { expect }) => {
    expect(moveHop(hops, from, to)).toEqual(hops)
  })

  test('a note moves with its hop', ({ expect }) => {
    expect(moveHop(noteHop(hops, 0, 'why'), 0, 2).map((one) => one.note)).toEqual(['', '', 'why'])
  })
})

describe('notes', () => {
  test('of hops are lines of the trail’s note', ({ expect }) => {
    expect(writeNotes('How a lease is taken.', ['', 'the lease\nis taken', ''])).toBe(
      'How a lease is taken.\n[2] the lease is taken',
    )
    expect(readNotes('How.\n[2] the lease\n[9] no such hop', 3)).toEqual({
      general: 'How.\n[9] no such hop',
      ofHops: ['', 'the lease', ''],
    })
  })

  test('are read as they were written', ({ expect }) => {
    const line = fc.string({ maxLength: 20 }).map((text) => text.replace(/\s+/g, ' ').trim())
    fc.assert(
      fc.property(
        fc.oneof(line, fc.constant('[1] looks like one')),
        fc.array(line, { minLength: 1, maxLength: 64 }),
        (general, ofHops) => {
          const read = readNotes(writeNotes(general, ofHops), ofHops.length)
          expect(read.ofHops).toEqual(ofHops)
          expect(read.general).toBe(general)
        },
      ),
    )
  })
})

const saved: SavedTrail = {
  id: 'lease',
  name: 'How a *lease* is taken',
  note: 'Read slowly.\n[1] begins <here>',
  author: 'Mo',
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
  hops: [
    {
      dir: 'start',
      name: 'start',
      qualifiedName: 'Worker::start',
      kind: 'method',
      savedFile: 'a.ts',
      savedLine: 4,
      status: 'ok',
      id: 'm1',
      file: 'a.ts',
      line: 9,
      note: null,
    },
    {
      dir: 'down',
      name: 'run',
      qualifiedName: 'run',
      kind: 'function',
      savedFile: 'b.ts',
      savedLine: 1,
      status: 'moved',
      id: 'f1',
      file: 'lib/b.ts',
      line: 2,
      note: 'now in lib/b.ts',
    },
    {
      dir: 'up',
      name: 'gone',
      qualifiedName: 'gone',
      kind: 'function',
      savedFile: 'c.ts',
      savedLine: 8,
      status: 'missing',
      id: null,
      file: null,
      line: null,
      note: 'not there',
    },
  ],
  resolved: 2,
  intact: false,
  encoded: 'sm1,df1',
  openFrom: 1,
  openCount: 2,
  openId: 'm1',
}

test('a saved trail is edited without the hops that are gone, and says how many', ({ expect }) => {
  const edited = editSaved(saved)
  expect(edited).toMatchObject({ note: 'Read slowly.', lost: 1 })
  expect(edited.hops.map((one) => [one.id, one.note])).toEqual([
    ['m1', 'begins <here>'],
    ['f1', ''],
  ])
  expect(stepsOf(edited.hops).map((one) => one.dir)).toEqual(['start', 'down'])
})

test('Markdown has every hop with its place, its notes and what became of it, and no markup of the project', ({
  expect,
}) => {
  const text = trailMarkdown(saved, {
    by: (author, date) => `By ${author}, ${date}`,
    status: { ok: 'ok', moved: 'moved', ambiguous: 'guess', missing: 'gone' },
    movedFrom: (place) => `was ${place}`,
    directions: { start: 'jump', down: 'calls', up: 'called by' },
  })
  expect(text).toBe(`# How a \\*lease\\* is taken

By Mo, 2026-11-02

Read slowly.

1. \`Worker::start\` (method), \`a.ts:9\`; was a.ts:4

   begins \\<here\\>

2. \`run\` (function), \`lib/b.ts:2\`; calls; moved; was b.ts:1
3. \`gone\` (function), \`c.ts:8\`; called by; gone
`)
})

test('a name with backquotes stays code', ({ expect }) => {
  const [hop] = saved.hops
  if (hop === undefined) throw new Error('the trail has hops')
  const text = trailMarkdown(
    { ...saved, hops: [{ ...hop, qualifiedName: 'a`b``c' }] },
    {
      by: () => '',
      status: { ok: '', moved: '', ambiguous: '', missing: '' },
      movedFrom: () => '',
      directions: { start: '', down: '', up: '' },
    },
  )
  expect(text).toContain('1. ``` a`b``c ```')
})
