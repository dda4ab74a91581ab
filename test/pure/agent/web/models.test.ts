/** What the agent's page makes of messages, patches and addresses. */
import { createTwoFilesPatch } from 'diff'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import type { ToolPart } from '../../../../local/agent/core/session/message.ts'
import { parseRoute, searchHref, sessionHref } from '../../../../local/agent/web/model/address.ts'
import { momentOf } from '../../../../local/agent/web/model/amounts.ts'
import { acceptedMax, countsOf, readPatch, withMark } from '../../../../local/agent/web/model/patch.ts'
import { piecesOf } from '../../../../local/agent/web/model/text-pieces.ts'
import { factsOf, headAndTail } from '../../../../local/agent/web/model/tool-facts.ts'
import { cachedShare, costsWithTasks, projectsOf, queueOf } from '../../../../local/agent/web/model/transcript.ts'

describe('an address', () => {
  test.for([
    ['', { view: 'home', search: '' }],
    ['#/?q=a%20b', { view: 'home', search: 'a b' }],
    ['#/new', { view: 'new' }],
    ['#/s/ses_1', { view: 'session', id: 'ses_1', panel: undefined }],
    ['#/s/ses_1/changes', { view: 'session', id: 'ses_1', panel: 'changes' }],
    ['#/s/ses_1/other', { view: 'session', id: 'ses_1', panel: undefined }],
    ['#/s/../api', { view: 'home', search: '' }],
    ['#/s/ses_1%2f..', { view: 'home', search: '' }],
  ] as const)('%s names one place', ([hash, route], { expect }) => {
    expect(parseRoute(hash)).toEqual(route)
  })

  test('that is written is the one that is read', ({ expect }) => {
    expect(parseRoute(sessionHref('ses_1', 'terminal'))).toEqual({ view: 'session', id: 'ses_1', panel: 'terminal' })
    fc.assert(
      fc.property(fc.string(), (search) => {
        expect(parseRoute(searchHref(search))).toEqual({ view: 'home', search })
      }),
    )
  })
})

test('five hundred accepted hunks are remembered; one more takes the place of the oldest', ({ expect }) => {
  const names = Array.from({ length: acceptedMax }, (_unused, at) => `mark ${at}`)
  const full = names.reduce((marks, name) => withMark(marks, name, true), new Set<string>() as ReadonlySet<string>)
  expect([...full]).toEqual(names)
  expect([...withMark(full, 'one more', true)]).toEqual([...names.slice(1), 'one more'])
  expect([...withMark(full, 'mark 7', false)]).toEqual(names.filter((name) => name !== 'mark 7'))
})

describe('a patch', () => {
  test('is read as the lines that make the one text out of the other', ({ expect }) => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '@@', '+x', '-y', ''), { maxLength: 40 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = readPatch(createTwoFilesPatch('f', 'f', before, after, undefined, undefined, { context: 1_000 }))
        const lines = hunks.flatMap((hunk) => hunk.lines)
        if (before === after) {
          expect(lines).toEqual([])
          return
        }
        const told = (kind: string) =>
          lines
            .filter((line) => line.kind !== kind)
            .map((line) => `${line.text}\n`)
            .join('')
        expect(told('added')).toBe(before)
        expect(told('deleted')).toBe(after)
        expect(lines.filter(({ kind }) => kind !== 'deleted').map((line) => line.after)).toEqual(
          after
            .split('\n')
            .slice(0, -1)
            .map((_, at) => at + 1),
        )
      }),
    )
  })

  test('of git says the place of each part, and its counts', ({ expect }) => {
    const hunks = readPatch(
      'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -3,2 +3,3 @@ function go() {\n same\n-old\n+new\n+more\n@@ -9 +10 @@\n-a\n+b\n\\ No newline at end of file\n',
    )
    expect(hunks.map(({ place, added, deleted }) => [place, added, deleted])).toEqual([
      ['function go() {', 2, 1],
      ['', 1, 1],
    ])
    expect(countsOf(hunks)).toEqual({ added: 3, deleted: 2 })
    expect(hunks[1]?.lines.map(({ before, after }) => [before, after])).toEqual([
      [9, undefined],
      [undefined, 10],
    ])
  })
})

const completed = (name: string, input: object, structured: object): ToolPart =>
  ({
    type: 'tool',
    id: 'call',
    name,
    state: { status: 'completed', input, structured, content: [{ type: 'text', text: 'out' }] },
    time: { created: 0 },
  }) as unknown as ToolPart

describe('a tool call', () => {
  test.for([
    ['read', { path: 'a.ts' }, { lines: 3 }, { kind: 'read', subject: 'a.ts', lines: 3 }],
    ['grep', { pattern: 'x+', path: 'src' }, { matches: 2 }, { subject: 'x+  src', matches: 2 }],
    ['bash', { command: 'one\ntwo' }, { exit: 2 }, { subject: 'one', exit: 2 }],
    ['apply_patch', { patchText: '*** Update File: a\n*** Add File: b\n' }, {}, { subject: 'a, b' }],
    ['task', { description: 'Look', agent: 'explore' }, { sessionID: 'ses_2' }, { subject: 'Look', child: 'ses_2' }],
    ['tickets_find', { id: 'T-1' }, {}, { kind: undefined, subject: 'T-1' }],
    ['edit', { path: 'a' }, { diff: '@@ -1 +1 @@\n-a\n+b\n' }, { added: 1, deleted: 1 }],
  ] as const)('of %s says what it is about', ([name, input, structured, facts], { expect }) => {
    expect(factsOf(completed(name, input, structured))).toMatchObject({ ...facts, output: 'out' })
  })
})

describe('a long output', () => {
  const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n')
  test.for([
    [5, 0],
    [6, 0],
    [10, 0],
    [11, 6],
    [100, 95],
  ] as const)('of %i lines leaves %i out between its beginning and its end', ([count, left], { expect }) => {
    const shown = headAndTail(lines(count), 2, 3)
    expect(shown.left).toBe(left)
    if (left === 0) expect(shown.head).toBe(lines(count))
    else expect(shown.tail.split('\n')).toEqual([count - 3, count - 2, count - 1].map((at) => `line ${at}`))
  })
})

describe('a long text', () => {
  test('is cut into pieces that are the text again, and never within code', ({ expect }) => {
    const paragraph = 'word '.repeat(300)
    const code = `\`\`\`\n${'line\n\n'.repeat(1_500)}\`\`\`\n`
    const text = [paragraph, paragraph, paragraph, paragraph, code, paragraph, paragraph, paragraph, paragraph].join(
      '\n\n',
    )
    const pieces = piecesOf(text)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe(text)
    expect(pieces.filter((piece) => (piece.match(/^```/gm)?.length ?? 0) % 2 === 1)).toEqual([])
  })

  test('that grows leaves its finished pieces as they are', ({ expect }) => {
    const text = `${'word '.repeat(200)}\n\n`.repeat(30)
    const early = piecesOf(text.slice(0, 20_000))
    expect(piecesOf(text).slice(0, early.length - 1)).toEqual(early.slice(0, -1))
  })
})

describe('the queue', () => {
  const admitted = (id: string) => ({
    id: '',
    type: 'session.next.prompt.admitted',
    data: { messageID: id, prompt: { text: id }, delivery: 'queue' },
  })
  const prompted = (id: string) => ({ id: '', type: 'session.next.prompted', data: { messageID: id } })
  test('is what was accepted and not taken in, in its order', ({ expect }) => {
    const known = queueOf([admitted('a'), admitted('b'), prompted('a'), admitted('c')])
    expect(known.map(({ id }) => id)).toEqual(['b', 'c'])
    const told = { id: '', type: 'session.next.synthetic', data: { messageID: 'c' } }
    expect(queueOf([told], known).map(({ id }) => id)).toEqual(['b'])
    const withdrawn = { id: '', type: 'session.next.prompt.withdrawn', data: { messageID: 'b' } }
    expect(queueOf([withdrawn], known).map(({ id }) => id)).toEqual(['c'])
    expect(queueOf([prompted('b')], known).map(({ id }) => id)).toEqual(['c'])
    expect(queueOf([], known)).toBe(known)
    const prompt = { text: 'd', files: [{ uri: 'data:image/png;base64,', mime: 'image/png' }] }
    const withPicture = { ...admitted('d'), data: { messageID: 'd', prompt, delivery: 'queue' } }
    expect(queueOf([withPicture], known).map(({ files }) => files)).toEqual([0, 0, 1])
  })
})

test('projects are the folders of sessions that people began', ({ expect }) => {
  const session = (id: string, directory: string, parentID?: string) =>
    ({ id, location: { directory }, parentID }) as never
  const projects = projectsOf([
    session('a', '/x/one'),
    session('b', '/y'),
    session('c', '/x/one', 'a'),
    session('d', '/x/one'),
  ])
  expect(projects.map(({ name, sessions }) => [name, sessions.map(({ id }) => id)])).toEqual([
    ['one', ['a', 'd']],
    ['y', ['b']],
  ])
})

test('a session costs what the tasks below it cost as well', ({ expect }) => {
  const session = (id: string, cost: number, parentID?: string) => ({ id, cost, parentID }) as never
  const costs = costsWithTasks([session('c', 4, 'b'), session('b', 2, 'a'), session('a', 1), session('d', 8, 'gone')])
  expect(Object.fromEntries(costs)).toEqual({ a: 7, b: 6, c: 4, d: 8 })
})

test('the share of the cache is of what was sent', ({ expect }) => {
  expect(cachedShare({ input: 5, output: 9, reasoning: 0, cache: { read: 10, write: 5 } })).toBe(0.5)
  expect(cachedShare({ input: 0, output: 9, reasoning: 0, cache: { read: 0, write: 0 } })).toBeUndefined()
})

test.for([
  [0, 'now'],
  [59, 'now'],
  [60, 'minutes'],
  [3_599, 'minutes'],
  [3_600, 'today'],
  [40 * 24 * 3_600, 'day'],
  [400 * 24 * 3_600, 'date'],
] as const)('a moment %i s ago is told as %s', ([ago, kind], { expect }) => {
  const now = new Date(2026, 10, 24, 12).getTime()
  expect(momentOf(now - ago * 1_000, now).kind).toBe(kind)
})
