/** Sessions in copies of a project: nothing reaches it but by the owner's merge, and nothing of the two is lost. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'vitest'
import { workTreesMax } from '../../../local/agent/limits.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { commitAll, git } from '../../support/git-in-test.ts'
import { hostileRepositories, plantRepository } from '../../support/hostile-repositories.ts'
import { requireReal } from '../../support/real-parts.ts'

const bubblewrap = requireReal('bwrap')
const letters = 'a\nb\nc\nd\ne\nf\ng\nh\n'

/** A project of one commit. */
async function project(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  more: Parameters<typeof startTestServer>[0] = {},
): Promise<TestServer> {
  const server = await startTestServer({ ...more, config: { permission: 'allow' } })
  onTestFinished(() => server.close())
  await server.write('letters.txt', letters)
  await server.write('sub/old.txt', 'old\n')
  await server.write('.gitignore', 'built/\n')
  commitAll(server.project)
  return server
}

interface Begun {
  readonly id: string
  readonly directory: string
}

async function begin(server: TestServer, more: Record<string, unknown> = {}): Promise<Begun> {
  const { status, text, body } = await server.send('POST', '/api/session', { worktree: true, ...more })
  if (status !== 200) throw new Error(text)
  return { id: body.data.id, directory: body.data.location.directory }
}

/** What the model does in a session; the outcome of each call. */
async function work(server: TestServer, session: string, calls: readonly (readonly [string, object])[]) {
  server.model.script(...calls.map(([name, input], at) => ({ calls: [{ id: `call_${at}`, name, input }] })), {
    text: ['done'],
  })
  await server.turn(session, 'Go')
  return (await server.messages(session)).flatMap((message) =>
    message.type === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool' ? [JSON.stringify(part.state)] : []))
      : [],
  )
}

const here = (server: TestServer, file: string): string => readFileSync(path.join(server.project, file), 'utf8')
const merge = (server: TestServer, id: string) => server.send('POST', `/api/session/${id}/work-tree/merge`)
const changesOf = async (server: TestServer, id: string) =>
  (await server.send('GET', `/api/session/${id}/work-tree`)).body.data.changes.map(
    ({ path: name, status }: { path: string; status: string }) => `${status} ${name}`,
  )
const trees = async (server: TestServer) => (await server.send('GET', '/api/work-tree')).body.data

const edit = (oldString: string, newString: string) =>
  [
    ['read', { path: 'letters.txt' }],
    ['edit', { path: 'letters.txt', oldString, newString }],
  ] as const

function database<T>(server: TestServer, work: (database: DatabaseSync) => T): T {
  const opened = new DatabaseSync(path.join(server.dataDir, 'agent.db'))
  try {
    return work(opened)
  } finally {
    opened.close()
  }
}

/** All that lies in the repository of a project, by name and content. */
function repositoryOf(server: TestServer): string {
  const files = readdirSync(path.join(server.project, '.git'), { recursive: true, withFileTypes: true })
  return files
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name))
    .sort()
    .map((full) => `${full} ${createHash('sha256').update(readFileSync(full)).digest('hex')}`)
    .join('\n')
}

test('a session works in a copy of the project as it is now, and what it did is there after the merge', async (context) => {
  const { expect } = context
  const server = await project(context)
  await server.write('letters.txt', `${letters}mine\n`)
  await server.write('untracked.txt', 'mine\n')
  await server.write('built/out.txt', 'out\n')
  await rm(path.join(server.project, 'sub/old.txt'))
  const before = repositoryOf(server)
  const session = await begin(server)

  expect(session.directory.startsWith(`${server.dataDir}/work-tree/`)).toBe(true)
  expect(path.basename(session.directory)).toBe(path.basename(server.project))
  expect(readFileSync(path.join(session.directory, 'letters.txt'), 'utf8')).toBe(`${letters}mine\n`)
  expect(readFileSync(path.join(session.directory, 'untracked.txt'), 'utf8')).toBe('mine\n')
  expect(existsSync(path.join(session.directory, 'sub/old.txt'))).toBe(false)
  expect(existsSync(path.join(session.directory, 'built'))).toBe(false)
  expect(await changesOf(server, session.id)).toEqual([])
  const [tree, ...others] = await trees(server)
  expect(others).toEqual([])
  expect(tree).toMatchObject({ sessionID: session.id, directory: session.directory, project: server.project })
  expect(tree.branch).toMatch(/^agent\/[0-9a-f]{12}$/)
  expect(tree.commit).toBe(git(server.project, 'rev-parse', 'HEAD'))

  await work(server, session.id, [...edit('b\n', 'B\n'), ['write', { path: 'new/file.txt', content: 'new\n' }]])
  expect(JSON.stringify(server.model.asked.at(-1)?.messages[0])).toContain(`on branch ${tree.branch}`)
  expect(here(server, 'letters.txt')).toBe(`${letters}mine\n`)
  expect(await changesOf(server, session.id)).toEqual(['modified letters.txt', 'added new/file.txt'])
  // Meanwhile, elsewhere in the same file.
  await server.write('letters.txt', `${letters}mine\nlater\n`.replace('f\n', 'F\n'))

  expect(await merge(server, session.id)).toMatchObject({ status: 204 })
  expect(here(server, 'letters.txt')).toBe(`${letters}mine\nlater\n`.replace('f\n', 'F\n').replace('b\n', 'B\n'))
  expect(here(server, 'new/file.txt')).toBe('new\n')
  expect(await changesOf(server, session.id)).toEqual([])
  expect(repositoryOf(server)).toBe(before)

  // It goes on from there.
  await work(server, session.id, [['write', { path: 'new/file.txt', content: 'newer\n' }]])
  expect(await merge(server, session.id)).toMatchObject({ status: 204 })
  expect(here(server, 'new/file.txt')).toBe('newer\n')
})

test('where both changed the same lines nothing is merged, and what would be is shown', async (context) => {
  const { expect } = context
  const server = await project(context)
  const session = await begin(server)
  await work(server, session.id, [...edit('c\n', 'agent\n'), ['write', { path: 'new.txt', content: 'new\n' }]])
  await server.write('letters.txt', letters.replace('c\n', 'owner\n'))
  const refused = await merge(server, session.id)
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  expect(refused.text).toContain('Changed in the project in the same place: letters.txt')
  expect(refused.text).toContain('+agent')
  expect(here(server, 'letters.txt')).toBe(letters.replace('c\n', 'owner\n'))
  expect(existsSync(path.join(server.project, 'new.txt'))).toBe(false)
  expect(await trees(server)).toHaveLength(1)
})

test('one that is thrown away is gone with its files, and its session can be read and not be driven', async (context) => {
  const { expect } = context
  const server = await project(context)
  const session = await begin(server)
  await work(server, session.id, edit('a\n', 'gone\n'))
  expect(await server.send('DELETE', `/api/session/${session.id}/work-tree`)).toMatchObject({ status: 204 })
  expect(existsSync(session.directory)).toBe(false)
  expect(readdirSync(path.join(server.dataDir, 'work-tree'))).toEqual([])
  expect(here(server, 'letters.txt')).toBe(letters)
  expect(await trees(server)).toEqual([])
  expect(await server.messages(session.id)).not.toEqual([])
  expect(await server.prompt(session.id, 'More')).toMatchObject({ status: 409 })
  expect(await merge(server, session.id)).toMatchObject({ status: 404 })
  expect(await server.send('GET', `/api/session/${session.id}/work-tree`)).toMatchObject({ status: 404 })
})

test('two tasks of one step edit the same file, each in a copy, and the model is told which files changed', async (context) => {
  const { expect } = context
  const server = await project(context)
  const parent = await server.createSession()
  const task = (id: string) => ({ id, name: 'task', input: { description: id, prompt: `Do ${id}`, worktree: true } })
  server.model.otherwise(({ messages }) => {
    const text = JSON.stringify(messages)
    if (text.includes('begin both'))
      return text.includes('branch agent/') ? { text: ['all done'] } : { calls: [task('one'), task('two')] }
    const own = text.includes('Do one') ? 'one' : 'two'
    if (text.includes('Changed letters.txt')) return { text: [`report of ${own}`] }
    const name = text.includes('call_read') ? 'edit' : 'read'
    const input =
      name === 'read' ? { path: 'letters.txt' } : { path: 'letters.txt', oldString: 'd\n', newString: `${own}\n` }
    return { calls: [{ id: `call_${name}`, name, input }] }
  })
  await server.turn(parent, 'begin both')
  const outcomes = JSON.stringify(await server.messages(parent))
  for (const own of ['one', 'two']) expect(outcomes).toContain(`report of ${own}\\n\\nIn its work tree (branch agent/`)
  expect(outcomes).toContain('it changed letters.txt. The project has none of it until the user merges it.')
  expect(here(server, 'letters.txt')).toBe(letters)
  const made = await trees(server)
  expect(made).toHaveLength(2)
  expect(await merge(server, made[0].sessionID)).toMatchObject({ status: 204 })
  expect(here(server, 'letters.txt')).toMatch(/^a\nb\nc\n(?:one|two)\ne/)
  expect(await merge(server, made[1].sessionID)).toMatchObject({ status: 409 })
})

test.skipIf(bubblewrap.isMissing)(
  'commands write into the copy alone, and have the history of the project',
  async (context) => {
    const { expect } = context
    // A sandbox has a /dev of its own, and the folders of other tests lie there.
    const dataDir = realpathSync(mkdtempSync(path.join(tmpdir(), 'agent-data-')))
    context.onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const server = await project(context, { dataDir })
    const session = await begin(server)
    const [log, write, reach] = await work(server, session.id, [
      ['bash', { command: 'git log --format=%s && git status --short && git branch --show-current' }],
      ['bash', { command: 'echo shell > shell.txt && pwd' }],
      [
        'bash',
        { command: `echo out > ${server.project}/out.txt; ls ${path.dirname(path.dirname(session.directory))}` },
      ],
    ])
    expect(log).toMatch(/begin\\nagent\/[0-9a-f]{12}/)
    expect(write).toContain(session.directory)
    expect(reach).not.toContain('"status":"completed","exit":0')
    expect(existsSync(path.join(server.project, 'out.txt'))).toBe(false)
    expect(readFileSync(path.join(session.directory, 'shell.txt'), 'utf8')).toBe('shell\n')
    expect(await changesOf(server, session.id)).toEqual(['added shell.txt'])
  },
)

test('its files are listed and read as those of any project', async (context) => {
  const { expect } = context
  const server = await project(context)
  const { directory } = await begin(server, { location: { directory: path.join(server.project, 'sub') } })
  expect(path.basename(directory)).toBe('sub')
  const query = `directory=${encodeURIComponent(directory)}`
  expect(await server.send('GET', `/api/fs/list?path=.&${query}`)).toMatchObject({ status: 200 })
  expect((await server.send('GET', `/api/fs/read/old.txt?${query}`)).text).toBe('old\n')
})

describe('what cannot have one is told why', () => {
  test('a folder in no repository, one without a commit, and one more than there may be', async (context) => {
    const { expect } = context
    const server = await startTestServer({ config: { permission: 'allow' } })
    context.onTestFinished(() => server.close())
    const ask = () => server.send('POST', '/api/session', { worktree: true })
    expect(await ask()).toMatchObject({ status: 400, text: expect.stringContaining('git repository') })
    git(server.project, 'init', '-q')
    expect(await ask()).toMatchObject({ status: 400, text: expect.stringContaining('no commit yet') })
    await server.write('a.txt', 'a\n')
    commitAll(server.project)
    database(server, (opened) => {
      const insert = opened.prepare(
        "INSERT INTO work_tree VALUES ('ses_x' || ?, 'x' || ?, '/x', '/x', 'b', 'c', 't', 1, NULL, NULL, NULL)",
      )
      for (let at = 1; at < workTreesMax; at += 1) insert.run(at, at)
    })
    expect(await ask()).toMatchObject({ status: 200 })
    expect(await ask()).toMatchObject({ status: 409 })
    expect((await server.send('GET', '/api/session')).body.data).toHaveLength(1)
  })
})

test('it goes with its session, and a folder that no session knows at the next start', async (context) => {
  const { expect } = context
  const server = await project(context)
  const session = await begin(server)
  const other = await begin(server)
  const { digest, artifacts } = (await server.send('GET', '/api/session/prune?olderThan=0&includeRecent=true')).body
    .data
  expect(artifacts.items).toContainEqual(
    expect.objectContaining({ kind: 'work_tree', path: path.dirname(session.directory) }),
  )
  const body = { olderThan: 0, includeRecent: true, action: 'delete', apply: true, digest }
  expect(await server.send('POST', '/api/session/prune', body)).toMatchObject({ status: 200 })
  expect(existsSync(session.directory) || existsSync(other.directory)).toBe(false)
  expect(await trees(server)).toEqual([])

  const left = await begin(server)
  await server.suspend()
  database(server, (opened) => opened.exec('DELETE FROM work_tree'))
  await server.restart()
  expect(existsSync(left.directory)).toBe(false)
})

test('a merge that a crash cut short is taken back at the next start', async (context) => {
  const { expect } = context
  const server = await project(context)
  const session = await begin(server)
  await work(server, session.id, edit('h\n', 'H\n'))
  const name = createHash('sha256').update(server.project).digest('hex').slice(0, 24)
  const store = path.join(server.dataDir, 'snapshot', name)
  const before = execFileSync('git', ['--git-dir', store, 'write-tree'], { encoding: 'utf8' }).trim()
  expect(await merge(server, session.id)).toMatchObject({ status: 204 })
  expect(here(server, 'letters.txt')).toContain('H\n')
  await server.suspend()
  database(server, (opened) =>
    opened.prepare('UPDATE work_tree SET merging_tree = ?, merging_paths = ?').run(before, '["letters.txt"]'),
  )
  await server.restart()
  expect(here(server, 'letters.txt')).toBe(letters)
  await server.suspend()
  await writeFile(path.join(server.project, 'letters.txt'), 'mine\n')
  await server.restart()
  expect(here(server, 'letters.txt')).toBe('mine\n')
})

test('nothing that a repository names is run when one is made, looked at, merged or thrown away', {
  tags: 'slow',
}, async (context) => {
  const { expect } = context
  const server = await project(context)
  const room = mkdtempSync(path.join(tmpdir(), 'planted-'))
  context.onTestFinished(() => rmSync(room, { recursive: true, force: true }))
  let made = 0
  for (const kind of hostileRepositories) {
    if (kind.needs === 'root' && process.geteuid?.() !== 0) continue
    const { folder, canary } = plantRepository(kind, room)
    const created = await server.send('POST', '/api/session', { worktree: true, location: { directory: folder } })
    if (created.status === 200) {
      made += 1
      const { id, location } = created.body.data
      await writeFile(path.join(location.directory, 'new.txt'), 'new\n')
      expect((await server.send('GET', `/api/session/${id}/work-tree`)).status).toBe(200)
      await merge(server, id)
      expect(await server.send('DELETE', `/api/session/${id}/work-tree`)).toMatchObject({ status: 204 })
    }
    expect(existsSync(canary), kind.name).toBe(false)
  }
  expect(made).toBeGreaterThan(hostileRepositories.length / 2)
})
