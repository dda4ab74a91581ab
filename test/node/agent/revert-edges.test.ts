/** What can happen to files between a step and its revert: other hands, other encodings, other kinds, and very many. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, type ExpectStatic, onTestFinished, test } from 'vitest'
import { snapshotFileBytesMax, snapshotPatchBytesMax } from '../../../local/agent/limits.ts'
import { SnapshotStore } from '../../../local/agent/runtime/snapshot-store.ts'
import { killAgentProgram, startAgentProgram } from '../../support/agent-program.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

let server: TestServer

beforeEach(async () => {
  server = await startTestServer()
})

afterEach(async () => {
  await server.close()
})

const read = (name: string) => readFile(path.join(server.project, name), 'utf8').catch(() => undefined)

const post = (session: string, step: string, body?: unknown) =>
  server.send('POST', `/api/session/${session}/revert/${step}`, body)

/** A turn that runs one command; answers the id of its prompt. */
async function run(session: string, command: string): Promise<string> {
  server.model.script({ calls: [{ id: 'c', name: 'bash', input: { command } }] }, { text: ['done'] })
  const prompt = await server.prompt(session, command)
  await server.wait(session)
  return prompt.body.data.id
}

/** Runs a command in a turn of its own and stages the way back to before it. */
async function stageAfter(command: string) {
  const session = await server.createSession()
  const messageID = await run(session, command)
  const staged = await post(session, 'stage', { messageID })
  return { session, staged }
}

describe('what the owner did', () => {
  test('after a command that changed nothing stays', async ({ expect }) => {
    await server.write('mine.txt', 'before\n')
    const session = await server.createSession()
    const messageID = await run(session, 'true')
    await server.write('mine.txt', 'by hand\n')

    const staged = await post(session, 'stage', { messageID })

    expect(staged.body.data.files).toEqual([])
    expect(await read('mine.txt')).toBe('by hand\n')
  })

  test('after an interrupted command stays, and what the command did is taken back', async ({ expect }) => {
    await server.write('mine.txt', 'before\n')
    const session = await server.createSession()
    server.model.script({ calls: [{ id: 'c', name: 'bash', input: { command: 'echo x > made.txt; sleep 60' } }] })
    const first = await server.prompt(session, 'Go')
    await expect.poll(() => read('made.txt')).toBe('x\n')
    await server.send('POST', `/api/session/${session}/interrupt`)
    await server.write('mine.txt', 'by hand\n')
    await run(session, 'echo y > other.txt')

    const staged = await post(session, 'stage', { messageID: first.body.data.id })

    expect(staged.body.data.files.map((file: { path: string }) => file.path)).toEqual(['made.txt', 'other.txt'])
    expect(await read('made.txt')).toBeUndefined()
    expect(await read('mine.txt')).toBe('by hand\n')
  })
})

describe('files come back byte for byte', () => {
  test('whatever the project says of line ends, keywords and encodings', async ({ expect }) => {
    const texts = { 'a.txt': 'one\r\ntwo\r\n', 'b.txt': 'mixed\r\nends\n', 'c.txt': '$Id$ \r\n', 'd.txt': 'wide\r\n' }
    await server.write('.gitattributes', '* text=auto ident\nd.txt text working-tree-encoding=UTF-16LE\n')
    for (const [name, text] of Object.entries(texts)) await server.write(name, text)

    const { session, staged } = await stageAfter('for f in a b c d; do echo x > $f.txt; done')

    expect(staged.status, staged.text).toBe(200)
    for (const [name, text] of Object.entries(texts)) expect(await read(name), name).toBe(text)
    await post(session, 'clear')
    expect(await read('a.txt')).toBe('x\n')
  })

  test('when they hold anything at all', async ({ expect }) => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_unused, index) => index % 256))
    await writeFile(path.join(server.project, 'image.bin'), bytes)

    const { staged } = await stageAfter('printf "\\000\\001" > image.bin; printf "\\000" > new.bin')

    expect(staged.body.data.files).toMatchObject([
      { path: 'image.bin', status: 'modified', additions: 0, deletions: 0 },
      { path: 'new.bin', status: 'added' },
    ])
    expect(await readFile(path.join(server.project, 'image.bin'))).toEqual(bytes)
    expect(await read('new.bin')).toBeUndefined()
  })
})

describe('one kind of thing in the place of another', () => {
  test.for([
    ['a folder for a file', 'rm file; mkdir file; echo in > file/inside'],
    ['a file for a folder', 'rm -r folder; echo x > folder'],
    ['a link for a file', 'rm file; ln -s /etc/hostname file'],
    ['a file for a link', 'rm link; echo x > link'],
    ['another name', 'mv file named; mv folder moved'],
    ['a name with blanks, quotes and a line end', `mv file $'a "b"\\n\\t*?[c]'`],
    ['another mode', 'chmod +x file'],
  ] as const)('%s', async ([, command], { expect }) => {
    await server.write('file', 'a file\n')
    await server.write('folder/one', '1\n')
    await server.write('folder/two', '2\n')
    await symlink('file', path.join(server.project, 'link'))
    const before = await tree()

    const { session, staged } = await stageAfter(command)

    expect(staged.status, staged.text).toBe(200)
    expect(await tree()).toEqual(before)
    expect((await post(session, 'clear')).status).toBe(204)
    const after = await tree()
    expect(after).not.toEqual(before)
    expect((await post(session, 'stage', { messageID: staged.body.data.messageID })).status).toBe(200)
    expect(await tree()).toEqual(before)
  })
})

test('a repository within the project, even an empty one, has its files taken back with the others', async ({
  expect,
}) => {
  for (const inner of ['empty', 'inner', 'inner/deeper']) {
    execFileSync('git', ['init', '-q', path.join(server.project, inner)])
  }
  await server.write('a.txt', 'one\n')
  await server.write('inner/.gitignore', 'ignored\n')
  await server.write('inner/b.txt', 'one\n')
  await server.write('inner/deeper/c.txt', 'one\n')

  const { session, staged } = await stageAfter(
    'for f in a.txt inner/b.txt inner/deeper/c.txt inner/ignored inner/new; do echo two > $f; done',
  )

  const paths = staged.body.data.files.map((file: { path: string }) => file.path)
  expect(paths).toEqual(['a.txt', 'inner/b.txt', 'inner/deeper/c.txt', 'inner/new'])
  for (const name of ['a.txt', 'inner/b.txt', 'inner/deeper/c.txt']) expect(await read(name)).toBe('one\n')
  expect(await read('inner/new')).toBeUndefined()
  expect(await read('inner/ignored')).toBe('two\n')
  await post(session, 'clear')
  expect(await read('inner/new')).toBe('two\n')
})

test('a file of exactly the size that is kept comes back, one byte more is left as it is', async ({ expect }) => {
  for (const [name, more] of [
    ['film.bin', 0],
    ['longer.bin', 1],
  ] as const) {
    await writeFile(path.join(server.project, name), Buffer.alloc(snapshotFileBytesMax + more, 7))
  }

  const { staged } = await stageAfter('rm film.bin longer.bin')

  expect(staged.body.data.files).toMatchObject([{ path: 'film.bin', status: 'deleted' }])
  expect((await stat(path.join(server.project, 'film.bin'))).size).toBe(snapshotFileBytesMax)
  await expect(stat(path.join(server.project, 'longer.bin'))).rejects.toThrow('ENOENT')
})

test('a patch of more than is shown is left out, and so is what follows when all together are too long', async ({
  expect,
}) => {
  const line = `${'x'.repeat(99)}\n`
  const lines = (bytes: number) => line.repeat(Math.ceil(bytes / line.length))
  await server.write('a-long.txt', lines(snapshotPatchBytesMax + 1_000))
  for (let index = 0; index < 6; index += 1) await server.write(`b-${index}.txt`, lines(snapshotPatchBytesMax * 0.8))
  await server.write('z.txt', 'last\n')

  const { staged } = await stageAfter('rm *.txt')

  const files = staged.body.data.files as { path: string; deletions: number; patch: string }[]
  expect(files.map((file) => file.path)).toEqual([
    'a-long.txt',
    ...[0, 1, 2, 3, 4, 5].map((n) => `b-${n}.txt`),
    'z.txt',
  ])
  expect(files.every((file) => file.deletions > 0)).toBe(true)
  expect(files.map((file) => file.patch !== '')).toEqual([false, true, true, true, false, false, false, false])
  expect(await read('z.txt')).toBe('last\n')
})

test('very many files come back, and go again', { tags: 'slow' }, async ({ expect }) => {
  const names = Array.from(
    { length: 3_000 },
    (_unused, index) => `a/rather/long/folder/name/for/a/file/number-${index}`,
  )
  await server.write('keep.txt', 'kept\n')

  const { session, staged } = await stageAfter(
    'mkdir -p a/rather/long/folder/name/for/a/file; cd a/rather/long/folder/name/for/a/file; for i in $(seq 0 2999); do echo $i > number-$i; done',
  )

  expect(staged.status, staged.text.slice(0, 500)).toBe(200)
  expect(staged.body.data.files).toHaveLength(names.length)
  expect(await read(names[7] ?? '')).toBeUndefined()
  expect((await post(session, 'clear')).status).toBe(204)
  expect(await read(names[7] ?? '')).toBe('7\n')
  expect(await read(names[2_999] ?? '')).toBe('2999\n')
})

describe('a crash while files are taken back', () => {
  /** A git that does what it is told, and once takes down who is named where that was the last thing to do. */
  async function killedAtCheckout(who: string) {
    const base = path.dirname(server.project)
    await server.write('a.txt', 'one\n')
    const session = await server.createSession()
    const messageID = await run(session, 'echo two > a.txt; echo new > new.txt')
    await server.suspend()
    const git = execFileSync('bash', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    const programs = path.join(base, 'programs')
    await mkdir(programs)
    const once = `mv "${programs}/armed" "${programs}/used" 2>/dev/null && kill -KILL ${who}`
    const script = `#!/bin/bash\n"${git}" "$@"; code=$?\ncase " $* " in *" checkout-index "*) ${once};; esac\nexit $code\n`
    await writeFile(path.join(programs, 'git'), script, { mode: 0o755 })
    const program = await startAgentProgram(base, { PATH: `${programs}:${process.env['PATH']}` })
    onTestFinished(() => killAgentProgram(program))
    await writeFile(path.join(programs, 'armed'), String(program.child.pid))
    const staged = (await fetch(`${program.address}/api/session/${session}/revert/stage`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messageID }),
    }).catch((error: unknown) => error)) as Response | Error
    return { session, messageID, program, staged }
  }

  async function isAsItWas(expect: ExpectStatic, { session, messageID }: Awaited<ReturnType<typeof killedAtCheckout>>) {
    expect(await read('a.txt')).toBe('two\n')
    expect(await read('new.txt')).toBe('new\n')
    expect((await server.send('GET', `/api/session/${session}`)).body.data.revert).toBeUndefined()
    expect((await post(session, 'stage', { messageID })).body.data.files).toHaveLength(2)
    expect(await read('a.txt')).toBe('one\n')
  }

  test('leaves them as they were before, and nothing staged', async ({ expect }) => {
    const killed = await killedAtCheckout('$(cat "$(dirname "$0")/used")')
    expect(killed.staged).toMatchObject({ message: 'fetch failed' })
    await killAgentProgram(killed.program)
    expect(await read('a.txt')).toBe('one\n')

    await server.restart()

    await isAsItWas(expect, killed)
  })

  test('of what starts programs leaves them so too, and the request says that it failed', async ({ expect }) => {
    const killed = await killedAtCheckout('$PPID')
    expect(killed.staged).toMatchObject({ status: 500 })
    expect(await read('a.txt')).toBe('two\n')
    await killAgentProgram(killed.program)

    await server.restart()

    await isAsItWas(expect, killed)
  })
})

test('an interrupt does not wait for the first look at a folder', async ({ expect }) => {
  await server.close()
  const hold = path.join(await mkdtemp(path.join(tmpdir(), 'slow-git-')), 'hold')
  const script = `#!/bin/bash\ncase " $* " in *" write-tree "*) : > "${hold}"; while [ -e "${hold}" ]; do sleep 0.02; done;; esac\nPATH=${process.env['PATH']} exec git "$@"\n`
  await writeFile(path.join(path.dirname(hold), 'git'), script, { mode: 0o755 })
  server = await startTestServer({
    environment: { PATH: `${path.dirname(hold)}:${process.env['PATH']}`, HOME: path.dirname(hold) },
  })
  const session = await server.createSession()
  server.model.script({ calls: [{ id: 'c', name: 'bash', input: { command: 'echo ran > ran.txt' } }] })
  await server.prompt(session, 'Go')
  await expect
    .poll(() =>
      stat(hold)
        .then(() => true)
        .catch(() => false),
    )
    .toBe(true)

  expect((await server.send('POST', `/api/session/${session}/interrupt`)).status).toBe(204)

  await rm(path.dirname(hold), { recursive: true })
  expect((await server.messages(session)).at(-1)).toMatchObject({ error: { reason: 'interrupted' } })
  expect(await read('ran.txt')).toBeUndefined()
})

/** Every path below the project with its kind, mode and content. */
async function tree(): Promise<string[]> {
  const found = execFileSync('find', ['.', '-printf', '%P|%y|%m|%l\\0'], { cwd: server.project, encoding: 'utf8' })
  const lines = found
    .split('\0')
    .filter((line) => line !== '' && !line.startsWith('|'))
    .sort()
  return Promise.all(
    lines.map(async (line) => {
      const [name = '', kind] = line.split('|')
      return kind === 'f' ? `${line}|${await read(name)}` : line.replace(/\|d\|.*/, '|d')
    }),
  )
}

test('a look at the files that nobody waits for any more ends when the server stops', async ({ expect }) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'slow-git-'))
  const marker = path.join(folder, 'begun')
  const slow = `#!/bin/sh\ncase "$*" in *' init '*) exit 0 ;; esac\necho $$ > '${marker}'\nexec sleep 60\n`
  await writeFile(path.join(folder, 'git'), slow, { mode: 0o755 })
  const snapshots = new SnapshotStore(path.join(folder, 'snapshot'), `${folder}:${process.env['PATH'] ?? ''}`)
  const outcome = snapshots.capture(server.project).then(
    () => 'captured',
    () => 'given up',
  )
  await expect.poll(() => readFile(marker, 'utf8').catch(() => '')).not.toBe('')

  const pid = Number(await readFile(marker, 'utf8'))

  await snapshots.close()

  expect(await outcome).toBe('given up')
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  await rm(folder, { recursive: true })
})
