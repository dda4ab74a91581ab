/** Whose change made each line, over real repositories. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { test, vi } from 'vitest'
import { createLineHistories } from '../../../local/viewer/adapters/line-histories.ts'
import { blameAnswer } from '../../../local/viewer/contract/answers.ts'
import { blameBytesMax, blameFilesKept, blameLinesMax, blameMsMax } from '../../../local/viewer/limits.ts'
import { commitAll, git } from '../../support/git-in-test.ts'
import { indexedInTest, projectInTest, servedInTest } from '../../support/viewer-in-test.ts'

const file = 'src/a.ts'

test('each line has who made it and when, and what is in no commit is said to be', async ({ expect }) => {
  const project = projectInTest({ [file]: 'export const a = 1\nexport const b = 2\n' })
  const { root } = project.place
  commitAll(root)
  project.write(file, 'export const a = 1\nexport const b = 3\n')
  git(root, '-c', 'user.name=Second', 'commit', '-q', '-a', '-m', 'Mend b', '--date', '2026-03-04T05:06:07Z')
  project.write(file, 'export const a = 1\nexport const b = 3\nexport const c = 4\n')
  await project.sync()
  const viewer = await servedInTest(project.place)

  const { status, body } = await viewer.get(`/api/blame?file=${file}`)

  expect(status).toBe(200)
  expect(blameAnswer.parse(body)).toMatchObject({ file, drift: false, known: true })
  expect(
    body.parts.map(({ from, to, commit }: { from: number; to: number; commit: number }) => {
      const { id, name, subject } = body.commits[commit]
      return [from, to, id === null ? null : name, subject]
    }),
  ).toEqual([
    [1, 1, 'A', 'begin'],
    [2, 2, expect.any(String), 'Mend b'],
    [3, 3, null, ''],
  ])
  expect(body.commits.find((one: { subject: string }) => one.subject === 'Mend b').at).toBe(
    Date.UTC(2026, 2, 4, 5, 6, 7),
  )
  expect(JSON.stringify(body)).not.toContain('example.invalid')
})

test('nothing is said of a file outside of any history, nor of lines that are no more what was indexed', async ({
  expect,
}) => {
  const apart = await indexedInTest({ [file]: 'export {}\n' })
  const viewer = await servedInTest(apart.place)
  const nothing = { known: false, commits: [], parts: [] }
  expect((await viewer.get(`/api/blame?file=${file}`)).body).toMatchObject({ ...nothing, drift: false })

  commitAll(apart.place.root)
  apart.write('src/new.ts', 'export {}\n')
  await apart.sync()
  expect((await viewer.get('/api/blame?file=src/new.ts')).body).toMatchObject({ ...nothing, drift: false })
  expect((await viewer.get(`/api/blame?file=${file}`)).body).toMatchObject({ known: true })

  apart.write(file, 'export const other = 1\n')
  expect((await viewer.get(`/api/blame?file=${file}`)).body).toMatchObject({ ...nothing, drift: true })
})

test.for([
  ['', 400, 'file is missing'],
  ['?file=../x.ts', 403, ''],
  ['?file=src/none.ts', 404, 'the index has no file'],
  [`?file=${file}&file=${file}`, 400, 'given once'],
] as const)('a question like %j is refused', async ([query, status, words], { expect }) => {
  const project = await indexedInTest({ [file]: 'export {}\n' })
  const viewer = await servedInTest(project.place)

  const reply = await viewer.get(`/api/blame${query}`)

  expect(reply.status).toBe(status)
  expect(reply.body.error).toContain(words)
})

test('lines of a file are told up to their bound', async ({ expect }) => {
  const project = projectInTest({ 'most.ts': '\n'.repeat(blameLinesMax), 'more.ts': '\n'.repeat(blameLinesMax + 1) })
  commitAll(project.place.root)
  await project.sync()
  const viewer = await servedInTest(project.place)

  expect((await viewer.get('/api/blame?file=most.ts')).body).toMatchObject({
    known: true,
    parts: [{ from: 1, to: blameLinesMax }],
  })
  expect((await viewer.get('/api/blame?file=more.ts')).status).toBe(400)
})

test('git is asked once for a text at a commit, one file after another, and as many are kept as may be', {
  tags: 'slow',
}, async ({ expect }) => {
  const names = Array.from({ length: blameFilesKept + 1 }, (_, at) => `f${at}.ts`)
  const project = projectInTest(Object.fromEntries(names.map((name) => [name, 'export {}\n'])))
  const { root } = project.place
  commitAll(root)
  // Git itself, with a note of each file it is asked about.
  const tools = path.join(root, '.tools')
  mkdirSync(tools)
  const notes = path.join(tools, 'notes')
  writeFileSync(notes, '')
  const at = git(root, '--exec-path')
  writeFileSync(
    path.join(tools, 'git'),
    `#!/bin/sh\ncase "$*" in *blame*) echo begin >> ${notes};; esac\n${at}/git "$@"\ncode=$?\ncase "$*" in *blame*) echo end >> ${notes};; esac\nexit $code\n`,
  )
  chmodSync(path.join(tools, 'git'), 0o755)
  const histories = createLineHistories(root, tools)
  const of = (name: string) => histories.of({ path: name, hash: 'same' } as never)
  const asked = (): number =>
    readFileSync(notes, 'utf8')
      .split('\n')
      .filter((line) => line === 'begin').length

  expect((await of('f0.ts'))?.commits).toMatchObject([{ name: 'A' }])
  await of('f0.ts')
  expect(asked()).toBe(1)

  await Promise.all(names.slice(0, blameFilesKept).map(of))
  await of('f0.ts')
  expect(asked()).toBe(blameFilesKept)
  expect(readFileSync(notes, 'utf8')).toBe('begin\nend\n'.repeat(blameFilesKept))

  await of(names.at(-1) ?? '')
  await of('f0.ts')
  expect(asked()).toBe(blameFilesKept + 2)

  git(root, 'commit', '-q', '--allow-empty', '-m', 'more')
  await of('f0.ts')
  expect(asked()).toBe(blameFilesKept + 3)
})

/** A repository whose git says what `answer`, a line of shell, says of each line. */
function answering(answer: (tools: string) => string) {
  const project = projectInTest({ [file]: 'export {}\n' })
  const { root } = project.place
  commitAll(root)
  const tools = path.join(root, '.tools')
  mkdirSync(tools)
  const own = path.join(git(root, '--exec-path'), 'git')
  writeFileSync(
    path.join(tools, 'git'),
    `#!/bin/sh\nPATH=/usr/bin:/bin\ncase "$*" in *blame*) ${answer(tools)};; *) exec ${own} "$@";; esac\n`,
  )
  chmodSync(path.join(tools, 'git'), 0o755)
  const histories = createLineHistories(root, tools)
  return { tools, history: () => histories.of({ path: file, hash: 'same' } as never) }
}

const said = (subject: string): string =>
  `${'a'.repeat(40)} 1 1 1\nauthor A\nauthor-time 1\nsummary ${subject}\nfilename ${file}\n`

test.for([
  { of: 'as much as it may say', chars: blameBytesMax, isKnown: true },
  { of: 'one byte more', chars: blameBytesMax + 1, isKnown: false },
])('what git says of a file is read up to its bound: $of', async ({ chars, isKnown }, { expect }) => {
  const { tools, history } = answering((folder) => `exec cat ${folder}/said`)
  writeFileSync(path.join(tools, 'said'), said('x'.repeat(chars - said('').length)))

  expect((await history())?.parts).toEqual(isKnown ? [{ from: 1, to: 1, commit: 0 }] : undefined)
})

test.for([
  { of: 'within its time', ms: blameMsMax - 1, isKnown: true },
  { of: 'at the end of it', ms: blameMsMax, isKnown: false },
])('git may take so long for a file: $of', async ({ ms, isKnown }, { expect, onTestFinished }) => {
  const { tools, history } = answering(
    (folder) => `touch ${folder}/begun; while [ ! -e ${folder}/go ]; do sleep 0.05; done; exec cat ${folder}/said`,
  )
  writeFileSync(path.join(tools, 'said'), said('x'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())

  const found = history()
  while (!existsSync(path.join(tools, 'begun'))) await setImmediate()
  vi.advanceTimersByTime(ms)
  writeFileSync(path.join(tools, 'go'), '')

  expect((await found)?.commits).toEqual(isKnown ? [expect.objectContaining({ name: 'A', subject: 'x' })] : undefined)
})
