/** Text search over HTTP: what is found and where, and that nothing is read which the index does not name. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { textLinesMax, textLinesPerFileMax, textQueryCharsMax } from '../../../local/viewer/limits.ts'
import { createProject, serve, type TestProject, type TestViewer } from '../../support/viewer-server.ts'

let project: TestProject
let viewer: TestViewer

const many = (count: number): string =>
  Array.from({ length: count }, (_, at) => `export const row${at} = 'plenty'\n`).join('')

beforeAll(async () => {
  project = createProject({
    'src/open.ts': `export class Door {
  open(name: string) {
    if (name === '') throw new Error('the door (front) is locked')
    return name
  }
}
// 门是锁着的 and the door is locked, 😀 the door
`,
    'src/wide.ts': `export const wide = '${'x'.repeat(4000)}needle${'y'.repeat(4000)}'\n`,
    'src/many.ts': many(textLinesPerFileMax + 1),
    'src/just.ts': `${many(textLinesPerFileMax).replaceAll('plenty', 'enough')}`,
    'src/-rf.ts': "export const dashed = 'needle'\n",
    'src/gone.ts': "export const gone = 'ghost'\n",
    'src/out.ts': "export const out = 'inside'\n",
    'src/later.ts': "export const later = 'before'\n",
    'test/door.test.ts': "import { Door } from '../src/open.ts'\nnew Door().open('the door')\n",
    'secret/.env.ts': 'export const hidden = 1\n',
    'ignored/notes.ts': "export const note = 'ghost of the ignored'\n",
    '.gitignore': 'ignored/\n',
    'notes.txt': 'ghost in no source\n',
  })
  execFileSync('git', ['init', '-q', project.place.root])
  await project.sync(true)
  viewer = await serve(project.place)
})

afterAll(async () => {
  await viewer.running.close()
  project.dispose()
})

const find = (query: Record<string, string>) => viewer.get(`/api/text?${new URLSearchParams(query)}`)

test('lines are found by text, with the symbol they are of and the characters that match', async ({ expect }) => {
  const { body } = await find({ q: 'The Door' })
  expect(body.files.map((one: { file: string }) => one.file)).toEqual(['src/open.ts', 'test/door.test.ts'])
  const [open, door] = body.files
  expect(open).toMatchObject({ test: false, drift: false, truncated: false, language: 'typescript' })
  expect(open.lines[0]).toMatchObject({ line: 3, symbol: { kind: 'method', name: 'Door::open' } })
  expect(open.lines[1]).toMatchObject({ line: 7, symbol: null })
  for (const one of [...open.lines, ...door.lines])
    for (const [from, to] of one.spans) expect(one.text.slice(from, to).toLowerCase()).toBe('the door')
  expect(open.lines[1].spans).toHaveLength(2)
  expect(body).toMatchObject({ shown: { files: 2, lines: 3 }, truncated: false })
})

test.for<[string, Record<string, string>, string[]]>([
  ['signs of a pattern mean themselves', { q: '(front)' }, ['src/open.ts:3']],
  ['a pattern is one when asked', { q: 'lock(s|ed)\\b', regex: '1' }, ['src/open.ts:3', 'src/open.ts:7']],
  ['case is kept when asked', { q: 'door', case: '1', path: 'src' }, ['src/open.ts:3', 'src/open.ts:7']],
  ['capitals are others then', { q: 'The door', case: '1' }, []],
  ['words are whole when asked', { q: 'lock', word: '1' }, []],
  ['other scripts are text', { q: '锁着' }, ['src/open.ts:7']],
  ['a path narrows', { q: 'the door', path: 'TEST/' }, ['test/door.test.ts:2']],
  ['a name like an option is a file', { q: 'needle', path: '-rf' }, ['src/-rf.ts:1']],
  ['a text like an option is a text', { q: '--files' }, []],
  ['nothing ignored and no file that is no source is read', { q: 'ghost' }, ['src/gone.ts:1']],
])('%s', async ([, query, places], { expect }) => {
  const { body, status } = await find(query)
  expect(status).toBe(200)
  expect(
    body.files.flatMap((one: { file: string; lines: { line: number }[] }) =>
      one.lines.map(({ line }) => `${one.file}:${line}`),
    ),
  ).toEqual(places)
})

test('of a long line the part around the match is shown', async ({ expect }) => {
  const { body } = await find({ q: 'needle', path: 'wide' })
  const [line] = body.files[0].lines
  expect(line.text.length).toBe(300)
  expect(line.spans.map(([from, to]: [number, number]) => line.text.slice(from, to))).toEqual(['needle'])
})

test('one file shows so many lines and no more, and an answer as many as were asked for', async ({ expect }) => {
  const just = (await find({ q: 'enough' })).body
  expect(just).toMatchObject({ shown: { lines: textLinesPerFileMax }, truncated: false })
  const over = (await find({ q: 'plenty' })).body
  expect(over).toMatchObject({ shown: { lines: textLinesPerFileMax }, truncated: true, files: [{ truncated: true }] })
  const few = (await find({ q: 'const', limit: '5' })).body
  expect(few).toMatchObject({ shown: { lines: 5 }, truncated: true })
  expect((await find({ q: 'enough', limit: String(textLinesPerFileMax) })).body.truncated).toBe(false)
})

test.for<[string, Record<string, string>, string]>([
  ['nothing to look for', {}, 'q is missing'],
  ['an empty text', { q: '' }, 'q is missing'],
  ['a text over two lines', { q: 'a\nb' }, 'within one line'],
  ['a text that is too long', { q: 'a'.repeat(textQueryCharsMax + 1) }, `at most ${textQueryCharsMax} characters`],
  ['what is no pattern', { q: '(', regex: '1' }, 'this is no regular expression: unclosed group'],
  ['a pattern that looks around', { q: '(?=a)', regex: '1' }, 'this is no regular expression'],
  ['a pattern that would be enormous', { q: '((a{1000}){1000}){1000}', regex: '1' }, 'this is no regular expression'],
  ['a limit out of range', { q: 'a', limit: String(textLinesMax + 1) }, 'limit must be'],
  ['a flag that is neither', { q: 'a', regex: 'yes' }, 'regex'],
])('%s is refused', async ([, query, message], { expect }) => {
  const reply = await find(query)
  expect(reply.status).toBe(400)
  expect(reply.body.error).toContain(message)
})

test('the longest text there may be is looked for', async ({ expect }) => {
  expect((await find({ q: 'a'.repeat(textQueryCharsMax) })).status).toBe(200)
})

test('what changed since is shown as it is, what is gone is not, and no link leads out', async ({
  expect,
  onTestFinished,
}) => {
  const { root } = project.place
  const outside = mkdtempSync(path.join(os.tmpdir(), 'wharf-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true }))
  writeFileSync(path.join(outside, 'secret.ts'), "export const secret = 'outside of it'\n")
  unlinkSync(path.join(root, 'src/out.ts'))
  symlinkSync(path.join(outside, 'secret.ts'), path.join(root, 'src/out.ts'))
  expect((await find({ q: 'outside of it' })).body).toMatchObject({ files: [], truncated: false })

  project.write('src/later.ts', "\n\nexport const later = 'afterwards'\n")
  const [later] = (await find({ q: 'afterwards' })).body.files
  expect(later).toMatchObject({ file: 'src/later.ts', drift: true, lines: [{ line: 3, symbol: null }] })

  project.remove('src/gone.ts')
  expect((await find({ q: 'ghost' })).body.files).toEqual([])
})
