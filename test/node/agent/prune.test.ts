/** Archiving and deleting old sessions: what a preview shows is what happens, and nothing else does. */
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { pruneDaysMax, pruneRecentMs } from '../../../local/agent/limits.ts'
import { sessionTables } from '../../../local/agent/runtime/session-store.ts'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'

const dayMs = 24 * 60 * 60 * 1000
let server: TestServer
let nowMs = Date.now()
/** What the server wrote into its log: nothing, but where a test expects it. */
const faults: string[] = []

beforeEach(async () => {
  await start({ permission: 'allow' })
})

afterEach(async ({ expect }) => {
  await server.close()
  expect(faults.splice(0)).toEqual([])
})

async function start(config: Record<string, unknown>): Promise<void> {
  const logger = { error: (event: string) => faults.push(event) }
  server = await startTestServer({ clock: { nowMs: () => nowMs }, logger, config })
}

const pass = (days: number) => {
  nowMs += days * dayMs
}

async function preview(query = 'olderThan=7') {
  const answer = await server.send('GET', `/api/session/prune?${query}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body.data
}

const apply = (body: Record<string, unknown>) => server.send('POST', '/api/session/prune', { apply: true, ...body })

/** Previews and applies the same. */
async function prune(action: 'archive' | 'delete', more: Record<string, unknown> = {}) {
  const { digest } = await preview()
  return apply({ olderThan: 7, action, digest, ...more })
}

const sessionIds = async () =>
  (await server.send('GET', '/api/session?limit=200')).body.data.map(({ id }: { id: string }) => id).sort()

/** A session with a turn that wrote a file and kept a long output. */
async function workedSession(text = 'Work'): Promise<string> {
  server.model.script(
    {
      calls: [
        { id: 'c1', name: 'write', input: { path: `${text}.txt`, content: text } },
        { id: 'c2', name: 'bash', input: { command: 'seq 1 100000' } },
      ],
    },
    { text: ['Done'] },
  )
  const session = await server.firstTurn(text)
  return session
}

/** Everything that is stored, but for the counters of the engine. */
function everything(): unknown {
  const database = new DatabaseSync(path.join(server.dataDir, 'agent.db'), { readOnly: true })
  try {
    return sessionTables.map(({ table }) => database.prepare(`SELECT * FROM ${table}`).all())
  } finally {
    database.close()
  }
}

const kept = (folder: string) => readdir(path.join(server.dataDir, folder)).catch(() => [])

describe('a preview', () => {
  test('shows what is that old with what it weighs, and changes nothing', async ({ expect }) => {
    const old = await workedSession()
    pass(8)
    const young = await server.createSession()
    const before = everything()
    const report = await preview()

    expect(report).toMatchObject({
      action: 'preview',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      selected_session_ids: [old],
      excluded: [],
      changed_sessions: 0,
      warnings: [],
      derived: { permission_rules: 0, notes: 0, removed: false },
    })
    expect(report.database.total_rows).toBeGreaterThan(10)
    expect(report.database.total_bytes).toBeGreaterThan(1_000)
    expect(report.database.tokens.input).toBeGreaterThan(0)
    const rows = (table: string) => report.database.tables.find((one: { table: string }) => one.table === table).rows
    expect([rows('session'), rows('session_input'), rows('step_snapshot')]).toEqual([1, 1, 1])
    expect(report.artifacts.items).toMatchObject([{ kind: 'tool_output', removed: false }])
    expect(report.artifacts.total_bytes).toBeGreaterThan(100_000)
    expect(everything()).toEqual(before)
    expect(await sessionIds()).toEqual([old, young].sort())
    expect(await kept('tool-output')).toHaveLength(1)
  })

  test('takes what it understands, and refuses the rest', async ({ expect }) => {
    for (const [query, status] of [
      [`olderThan=${pruneDaysMax}`, 200],
      [`olderThan=${pruneDaysMax + 1}`, 400],
      ['olderThan=0', 200],
      ['olderThan=-1', 400],
      ['olderThan=1.5', 400],
      ['olderThan=', 400],
      ['olderThan=7&by=title', 400],
      ['olderThan=7&allProjects=yes', 400],
      ['olderThan=7&allProjects=true&project=global', 400],
      ['olderThan=7&project=/does/not/exist', 400],
      ['olderThan=7&allProjects=true&by=created&includeRecent=true', 200],
    ] as const) {
      expect((await server.send('GET', `/api/session/prune?${query}`)).status, query).toBe(status)
    }
  })

  test('without the age is refused with the tagged body of a missing key', async ({ expect }) => {
    const refused = await server.send('GET', '/api/session/prune')
    expect(refused).toMatchObject({ status: 400 })
    expect(refused.body).toEqual({
      _tag: 'InvalidRequestError',
      message: 'Missing key\n  at ["olderThan"]',
      kind: 'Query',
    })
  })

  test('spares what runs, what changed within the hour and what has a staged revert', async ({ expect }) => {
    const staged = await workedSession('Staged')
    const [first] = await server.messages(staged)
    await server.send('POST', `/api/session/${staged}/revert/stage`, { messageID: first?.id })
    server.model.script({ calls: [{ id: 'q', name: 'question', input: { questions } }] })
    const running = await server.createSession()
    await server.prompt(running, 'Ask')
    await server.events(`/api/session/${running}/event`, (seen) =>
      seen.some(({ data }) => data.type === 'question.v2.asked'),
    )
    pass(8)
    const recent = await server.createSession()
    nowMs += pruneRecentMs - 1

    const { selected_session_ids, excluded } = await preview('olderThan=0')
    expect(selected_session_ids).toEqual([])
    const reasons = Object.fromEntries(
      excluded.map((one: { session_id: string; reasons: string[] }) => [one.session_id, one.reasons]),
    )
    expect(reasons).toEqual({ [staged]: ['revert_staged'], [running]: ['running'], [recent]: ['recent'] })
    expect((await preview('olderThan=0&includeRecent=true')).selected_session_ids).toEqual([recent])
    nowMs += 1
    expect((await preview('olderThan=0')).selected_session_ids).toEqual([recent])
    await server.send('POST', `/api/session/${running}/interrupt`)
  })

  test('is about this folder, another one, or all of them', async ({ expect }) => {
    const inside = path.join(server.project, 'inside')
    await mkdir(inside)
    const here = await server.createSession()
    const there = (await server.send('POST', '/api/session', { location: { directory: inside } })).body.data.id
    pass(8)
    const selected = async (query: string) =>
      (await preview(`olderThan=7&${query}`)).selected_session_ids.sort() as string[]

    expect(await selected('')).toEqual([here])
    expect(await selected(`project=${encodeURIComponent(inside)}`)).toEqual([there])
    expect(await selected(`location[directory]=${encodeURIComponent(inside)}`)).toEqual([there])
    expect(await selected('allProjects=true')).toEqual([here, there].sort())
    expect(await selected('project=global')).toEqual([here, there].sort())
    expect(await selected('project=another')).toEqual([])
  })
})

const questions = [{ question: 'Which?', header: 'Pick', options: [{ label: 'A', description: 'a' }] }]

describe('archiving', () => {
  test('puts the selected sessions away, keeps all of them, and a prompt brings one back', async ({ expect }) => {
    const old = await workedSession()
    pass(8)
    const young = await server.createSession()
    const messages = await server.messages(old)
    const done = await prune('archive')

    expect(done.body.data).toMatchObject({
      action: { archive: { at_ms: nowMs } },
      selected_session_ids: [old],
      changed_sessions: 1,
    })
    const record = async (id: string) => (await server.send('GET', `/api/session/${id}`)).body.data
    expect((await record(old)).time).toMatchObject({ archived: nowMs, updated: nowMs - 8 * dayMs })
    expect((await record(young)).time.archived).toBeUndefined()
    expect(await server.messages(old)).toEqual(messages)
    expect(await kept('tool-output')).toHaveLength(1)
    expect((await prune('archive')).body.data.changed_sessions).toBe(0)

    await server.restart()
    expect((await record(old)).time.archived).toBe(nowMs)
    server.model.script({ text: ['Back'] })
    await server.turn(old, 'Go on')
    expect((await record(old)).time.archived).toBeUndefined()
  })
})

describe('deleting', () => {
  test('takes the selected sessions with all that is stored of them, and nothing of another', async ({ expect }) => {
    const canary = 'canary-of-a-deleted-session'
    const old = await workedSession(canary)
    const task = { description: 'Part', prompt: canary, subagent_type: 'general' }
    server.model.script(
      { calls: [{ id: 't', name: 'task', input: task }] },
      { text: ['Part done'] },
      { text: ['Done'] },
    )
    await server.turn(old, 'Hand over')
    const family = await sessionIds()
    expect(family).toHaveLength(2)
    pass(8)
    const young = await workedSession('Young')
    const lives = await server.messages(young)

    const done = await prune('delete')
    expect(done.body.data).toMatchObject({ action: 'delete', changed_sessions: 2, warnings: [] })
    expect([...done.body.data.selected_session_ids].sort()).toEqual(family)
    expect(await sessionIds()).toEqual([young])
    expect((await server.send('GET', `/api/session/${old}`)).body._tag).toBe('SessionNotFoundError')
    expect((await server.send('GET', `/api/session/${old}/event`)).status).toBe(404)
    expect((await server.prompt(old, 'Again')).status).toBe(404)
    expect(await server.messages(young)).toEqual(lives)
    // The other session works in the same directory and still needs its snapshots.
    expect(done.body.data.artifacts.items).toMatchObject([{ kind: 'tool_output', removed: true }])
    expect(await kept('tool-output')).toHaveLength(1)
    expect(await kept('snapshot')).toHaveLength(1)
    const [first] = lives
    const reverted = await server.send('POST', `/api/session/${young}/revert/stage`, { messageID: first?.id })
    expect(reverted.body.data.files).toMatchObject([{ path: 'Young.txt' }])

    await server.suspend()
    for (const name of await readdir(server.dataDir)) {
      if (name.startsWith('agent.db')) {
        expect((await readFile(path.join(server.dataDir, name))).includes(canary), name).toBe(false)
      }
    }
  })

  test('of the last session of a directory takes its snapshots too', async ({ expect }) => {
    await workedSession()
    pass(8)
    const done = await prune('delete')
    expect(done.body.data.artifacts.items).toMatchObject([
      { kind: 'tool_output', removed: true },
      { kind: 'snapshot_store', removed: true },
    ])
    expect([await kept('tool-output'), await kept('snapshot')]).toEqual([[], []])
    const again = await workedSession('Again')
    expect(await server.messages(again)).toMatchObject([{}, { finish: 'tool-calls' }, { finish: 'stop' }])
  })

  test('ends the streams of the sessions, and tells who follows the process', async ({ expect }) => {
    const old = await server.createSession()
    const followed = server.events(`/api/session/${old}/event`, () => false)
    let asked: Promise<unknown> | undefined
    pass(8)
    const seen = await server.events('/api/event', (events) => {
      if (events.length === 1) asked ??= prune('delete')
      return events.some(({ data }) => data.type === 'session.deleted')
    })
    expect(seen.at(-1)?.data).toMatchObject({ data: { sessionID: old, info: { id: old } } })
    expect(await followed).toHaveLength(1)
    await asked
  })

  test.for([
    ['keep', 1],
    ['remove', 0],
    [undefined, 1],
  ] as const)(
    'with the choice %s of what was learned leaves %i rules and as many notes',
    async ([derived, left], { expect }) => {
      await server.close()
      await start({ permission: { bash: 'ask' } })
      const calls = [
        { id: 'n', name: 'remember', input: { text: 'A lasting note' } },
        { id: 'c', name: 'bash', input: { command: 'echo hi' } },
      ]
      server.model.script({ calls }, { text: ['done'] })
      const session = await server.createSession()
      await server.prompt(session, 'Echo')
      const [asked] = (
        await server.events(`/api/session/${session}/event`, (seen) =>
          seen.some(({ data }) => data.type === 'permission.v2.asked'),
        )
      ).slice(-1)
      await server.send('POST', `/api/session/${session}/permission/${asked?.data.data.id}/reply`, { reply: 'always' })
      await server.wait(session)
      pass(8)
      expect((await preview()).derived).toEqual({ permission_rules: 1, notes: 1, removed: false })

      const done = await prune('delete', derived === undefined ? {} : { derived })
      expect(done.body.data.derived).toEqual({ permission_rules: 1, notes: 1, removed: derived === 'remove' })
      expect((await server.send('GET', '/api/permission/saved')).body.data).toHaveLength(left)
      server.model.script({ text: ['done'] })
      const later = await server.firstTurn('Go on')
      const given = (await server.send('GET', `/api/session/${later}/learning`)).body.data.retrieval
      expect(given?.selectedIds ?? []).toHaveLength(left)
      expect(JSON.stringify(server.model.asked.at(-1)).includes('A lasting note')).toBe(left === 1)
    },
  )
})

describe('nothing is changed', () => {
  test('without confirmation, preview, age or sense', async ({ expect }) => {
    await server.createSession()
    pass(8)
    const { digest } = await preview()
    const before = everything()
    for (const [what, change] of [
      ['without a confirmation', { apply: undefined }],
      ['with a confirmation that is none', { apply: false }],
      ['with a word for it', { apply: 'true' }],
      ['without a preview', { digest: undefined }],
      ['with a digest that is none', { digest: 'x' }],
      ['without saying what is to be done', { action: undefined }],
      ['with another action', { action: 'forget' }],
      ['without an age', { olderThan: undefined }],
      ['with a negative age', { olderThan: -1 }],
      ['with a part of a day', { olderThan: 0.5 }],
      ['with an unknown field', { force: true }],
      ['with two scopes', { project: 'global', allProjects: true }],
      ['with a choice of delete for archive', { action: 'archive', derived: 'remove' }],
    ] as const) {
      const refused = await apply({ olderThan: 7, action: 'delete', digest, ...change })
      expect(refused, what).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    }
    expect(everything()).toEqual(before)
  })

  test.for(['archive', 'delete'])(
    'by %s when the selection is not what the preview showed',
    async (action, { expect }) => {
      const [one, other] = [await server.createSession(), await server.createSession()]
      pass(8)
      const { digest, selected_session_ids } = await preview()
      expect(selected_session_ids.sort()).toEqual([one, other].sort())
      const younger = await preview('olderThan=9')
      await server.prompt(other, 'Not so old after all', { resume: false })
      const before = everything()
      for (const stale of [digest, younger.digest]) {
        const refused = await apply({ olderThan: 7, action, digest: stale })
        expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
      }
      expect(everything()).toEqual(before)
    },
  )

  test('of a session that begins between preview and mutation', async ({ expect }) => {
    const old = await server.createSession()
    pass(8)
    const { digest } = await preview('olderThan=0')
    const begun = await workedSession('Begun')
    const messages = await server.messages(begun)
    const done = await apply({ olderThan: 0, action: 'delete', digest })
    expect(done.body.data.selected_session_ids).toEqual([old])
    expect(await sessionIds()).toEqual([begun])
    expect(await server.messages(begun)).toEqual(messages)

    const all = await preview('olderThan=0&includeRecent=true')
    const late = await server.createSession()
    const refused = await apply({ olderThan: 0, includeRecent: true, action: 'delete', digest: all.digest })
    expect(refused.status).toBe(409)
    expect(await sessionIds()).toEqual([begun, late].sort())
  })

  test('when it fails half way', async ({ expect }) => {
    await workedSession('One')
    await workedSession('Two')
    pass(8)
    const { digest } = await preview()
    const database = new DatabaseSync(path.join(server.dataDir, 'agent.db'))
    database.exec("CREATE TRIGGER planted BEFORE DELETE ON session_input BEGIN SELECT RAISE(ABORT, 'planted'); END")
    const before = everything()
    const failed = await apply({ olderThan: 7, action: 'delete', digest })
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'database_error' } } })
    expect(faults.splice(0)).toEqual(['request_failed'])
    expect(everything()).toEqual(before)
    expect(await kept('tool-output')).toHaveLength(2)
    database.exec('DROP TRIGGER planted')
    database.close()
    expect((await apply({ olderThan: 7, action: 'delete', digest })).body.data.changed_sessions).toBe(2)
  })
})

describe('links', () => {
  test('a folder that became a link is not followed, and the next start removes what was left', async ({ expect }) => {
    await workedSession()
    pass(8)
    const outside = path.join(server.project, '..', 'outside')
    for (const folder of ['tool-output', 'snapshot']) {
      const real = path.join(server.dataDir, folder)
      await mkdir(path.join(outside, folder), { recursive: true })
      for (const name of await readdir(real)) await writeFile(path.join(outside, folder, name), 'not ours')
      await rename(real, `${real}.aside`)
      await symlink(path.join(outside, folder), real)
    }
    const done = await prune('delete')
    expect(done.body.data).toMatchObject({
      changed_sessions: 1,
      artifacts: { items: [{ removed: false }, { removed: false }] },
    })
    expect(done.body.data.warnings).toHaveLength(2)
    expect(done.body.data.notes).toEqual(Array(2).fill({ kind: 'left', path: expect.any(String) }))
    expect(faults.splice(0)).toEqual(['prune_failed', 'prune_failed'])
    for (const folder of ['tool-output', 'snapshot']) {
      for (const name of await readdir(path.join(outside, folder))) {
        expect(await readFile(path.join(outside, folder, name), 'utf8')).toBe('not ours')
      }
      expect(await readdir(path.join(outside, folder))).toHaveLength(1)
      const real = path.join(server.dataDir, folder)
      await rm(real)
      await rename(`${real}.aside`, real)
    }

    await server.restart()
    expect([await kept('tool-output'), await kept('snapshot')]).toEqual([[], []])
  })

  test('links in the folders are removed as links, and nothing that they lead to', async ({ expect }) => {
    await workedSession()
    pass(8)
    const outside = path.join(server.dataDir, '..', 'outside')
    await mkdir(outside)
    await writeFile(path.join(outside, 'file'), 'not ours')
    const [output = ''] = await kept('tool-output')
    const [store = ''] = await kept('snapshot')
    await rm(path.join(server.dataDir, 'tool-output', output))
    await symlink(path.join(outside, 'file'), path.join(server.dataDir, 'tool-output', output))
    await symlink(outside, path.join(server.dataDir, 'snapshot', store, 'farm'))
    await symlink('/', path.join(server.dataDir, 'snapshot', store, 'root'))

    expect((await prune('delete')).body.data.warnings).toEqual([])
    expect([await kept('tool-output'), await kept('snapshot')]).toEqual([[], []])
    expect(await readFile(path.join(outside, 'file'), 'utf8')).toBe('not ours')
  })

  test('what a log names elsewhere is left alone', async ({ expect }) => {
    const session = await workedSession()
    const victim = path.join(server.project, 'prt_victim.txt')
    await writeFile(victim, 'not ours')
    await server.suspend()
    const database = new DatabaseSync(path.join(server.dataDir, 'agent.db'))
    const paths = [
      victim,
      path.join(server.dataDir, 'tool-output', '..', 'agent.db'),
      path.join(server.dataDir, 'agent.db'),
    ]
    database
      .prepare(
        "UPDATE event SET data = json_set(data, '$.outputPaths', json(?)) WHERE type = 'session.next.tool.success'",
      )
      .run(JSON.stringify(paths))
    database.close()
    await server.restart()
    pass(8)
    const done = await prune('delete')
    expect(done.body.data.selected_session_ids).toEqual([session])
    expect(done.body.data.artifacts.items).toMatchObject([{ kind: 'snapshot_store' }])
    expect(await readFile(victim, 'utf8')).toBe('not ours')
    expect(await sessionIds()).toEqual([])
  })
})

test('every table with rows of a session is one that pruning knows', ({ expect }) => {
  const database = new DatabaseSync(path.join(server.dataDir, 'agent.db'), { readOnly: true })
  const columns = database
    .prepare(
      `SELECT t.name AS "table", c.name AS key FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND c.name IN ('session_id', 'aggregate_id', 'owner_id') ORDER BY 1`,
    )
    .all()
    .map((row) => `${row['table']}.${row['key']}`)
  database.close()
  // Rules and notes outlive the session they come from, unless that is asked for.
  const known = sessionTables.filter(({ table }) => table !== 'session').map(({ table, key }) => `${table}.${key}`)
  expect(columns).toEqual([...known, 'saved_permission.session_id', 'memory.session_id'].sort())
})
