/** A public client of the second kind, used as it is, against every route of this part that it has. */
import { createOpencodeClient as createClient } from '@opencode-ai/sdk/v2'
import { afterAll, describe, test } from 'vitest'
import { wireEvent, wireMessage, wireSession } from '../../../local/agent/contract/message.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { type GivenAnswer, judgeAnswers } from '../../support/declared-types.ts'
import { connectAddress } from '../../support/terminal-client.ts'

const prune = ['GET /api/session/prune', 'POST /api/session/prune']
/** Routes of the interface that this client knows nothing of. */
const notInClient = [
  'GET /health',
  'GET /openapi.json',
  'GET /doc',
  'GET /api/doc',
  'GET /api/mcp',
  'POST /api/mcp/{name}/sign-in',
  'DELETE /api/mcp/{name}/sign-in',
  'POST /api/mcp/{name}/sign-in/finish',
  'GET /api/schedule',
  'POST /api/schedule',
  'DELETE /api/schedule/{scheduleID}',
  'GET /api/fs/changed',
  'GET /api/sandbox',
  ...prune,
  'GET /api/session/said',
  'GET /api/session/{sessionID}/prompt',
  'DELETE /api/session/{sessionID}/prompt/{messageID}',
  'GET /api/session/{sessionID}/changes',
  'POST /api/session/{sessionID}/changes/revert',
  'GET /api/work-tree',
  'GET /api/session/{sessionID}/work-tree',
  'DELETE /api/session/{sessionID}/work-tree',
  'POST /api/session/{sessionID}/work-tree/merge',
  'GET /api/session/{sessionID}/background',
  'GET /api/session/{sessionID}/background/{commandID}',
  'DELETE /api/session/{sessionID}/background/{commandID}',
  'GET /api/memory',
  'DELETE /api/memory/{memoryID}',
  'GET /api/session/{sessionID}/memory-policy',
  'PUT /api/session/{sessionID}/memory-policy',
  'GET /api/session/{sessionID}/learning',
]
const given: GivenAnswer[] = []

const server = await startTestServer({ config: { permission: { bash: 'ask' } } })
const client = createClient({ baseUrl: server.address, directory: server.project, fetch: recordingFetch }).v2

afterAll(() => server.close())

/** Keeps every answer for the judgement at the end; streams and files are read by their tests alone. */
async function recordingFetch(...sent: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(...sent)
  const response = await fetch(request)
  const isText = response.headers.get('content-type')?.startsWith('text/') === true
  given.push({
    method: request.method,
    path: new URL(request.url).pathname,
    status: response.status,
    json: isText ? '' : await response.clone().text(),
  })
  return response
}

async function newSession(): Promise<string> {
  return (await client.session.create({}, { throwOnError: true })).data.data.id
}

/** The first pending request of a kind: the turn that asks runs on its own. */
async function firstPending<T>(list: () => Promise<readonly T[]>): Promise<T> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const [first] = await list()
    if (first !== undefined) return first
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error('no request came')
}

describe('process and catalogue', () => {
  test('health, location and every catalogue answer in the shape the client declares', async ({ expect }) => {
    const health = await client.health.get({ throwOnError: true })
    expect(health.data.healthy).toBe(true)
    const location = await client.location.get({}, { throwOnError: true })
    expect(location.data).toEqual({ directory: server.project, project: { id: 'global', directory: server.project } })

    const agents = await client.agent.list({}, { throwOnError: true })
    const [agent] = agents.data.data
    expect(agent).toMatchObject({ id: 'build', mode: 'primary', hidden: false, request: { headers: {}, body: {} } })
    expect(agent?.permissions[0]).toEqual({ action: '*', resource: '*', effect: 'allow' })
    const models = await client.model.list({}, { throwOnError: true })
    expect(models.data.data[0]).toMatchObject({
      id: 'one',
      providerID: 'fake',
      api: { type: 'aisdk' },
      capabilities: { tools: true, input: ['text'], output: ['text'] },
      variants: [],
      status: 'active',
      enabled: true,
      cost: [{ input: 1, output: 2, cache: { read: 0, write: 0 } }],
    })
    const commands = await client.command.list({}, { throwOnError: true })
    expect(commands.data.data.map((command) => command.name)).toEqual(['init', 'review'])
    const skills = await client.skill.list({}, { throwOnError: true })
    const references = await client.reference.list({}, { throwOnError: true })
    for (const { data } of [skills, references]) {
      expect(data).toEqual({ location: location.data, data: [] })
    }
  })

  test('references of both kinds are the ones the client declares', async ({ expect }) => {
    const references = { near: './docs', far: { repository: 'owner/name', branch: 'main', description: 'A library' } }
    const other = await startTestServer({ config: { references } })
    const { v2 } = createClient({ baseUrl: other.address, directory: other.project })
    const listed = await v2.reference.list({}, { throwOnError: true })
    const far = { type: 'git', repository: 'owner/name', branch: 'main', description: 'A library' }
    expect(listed.data.data.map((reference) => reference.source)).toEqual([
      { type: 'local', path: expect.stringMatching(/\/config\/docs$/) },
      far,
    ])
    await other.close()
  })

  test('providers and integrations, by list and by name', async ({ expect }) => {
    const providers = await client.provider.list({}, { throwOnError: true })
    expect(providers.data.data.map((provider) => provider.id)).toEqual(['fake'])
    const one = await client.provider.get({ providerID: 'fake' }, { throwOnError: true })
    expect(one.data.data).toMatchObject({ id: 'fake', api: { type: 'aisdk' }, request: { headers: {}, body: {} } })
    const missing = await client.provider.get({ providerID: 'nobody' })
    expect(missing.error).toMatchObject({ _tag: 'ProviderNotFoundError', providerID: 'nobody' })
    const integrations = await client.integration.list({}, { throwOnError: true })
    expect(integrations.data.data.length).toBeGreaterThan(5)
    const integration = await client.integration.get({ integrationID: 'openai' }, { throwOnError: true })
    expect(integration.data.data).toMatchObject({ id: 'openai', methods: [{ type: 'key' }, { type: 'env' }] })
  })
})

describe('files', () => {
  test('are listed, found and read as the client declares them', async ({ expect }) => {
    await server.write('docs/guide.md', '# Guide')
    const listed = await client.fs.list({ path: 'docs' }, { throwOnError: true })
    expect(listed.data.data).toEqual([{ path: 'docs/guide.md', type: 'file' }])
    const found = await client.fs.find({ query: 'guide', type: 'file', limit: '5' }, { throwOnError: true })
    expect(found.data.data).toEqual(listed.data.data)
    // The client knows the route and has no parameter for the path.
    const named = { url: '/api/fs/read/docs/guide.md', parseAs: 'text', throwOnError: true } as const
    const read = await client.fs.read({}, named)
    expect(read.data).toBe('# Guide')
    expect(read.response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  })
})

describe('sessions and turns', () => {
  test('a turn from creation to transcript, and the session in every list', async ({ expect }) => {
    server.model.script({ text: ['Hello'], reasoning: ['hm'] })
    const sessionID = await newSession()
    const admitted = await client.session.prompt({ sessionID, prompt: { text: 'Hi' } }, { throwOnError: true })
    expect(admitted.data.data).toMatchObject({ sessionID, delivery: 'steer', prompt: { text: 'Hi' }, admittedSeq: 1 })
    const waited = await client.session.wait({ sessionID }, { throwOnError: true })
    expect(waited.response.status).toBe(204)

    const messages = await client.session.messages({ sessionID, order: 'asc' }, { throwOnError: true })
    expect(messages.data.data.map((message) => message.type)).toEqual(['user', 'assistant'])
    for (const message of messages.data.data) expect(wireMessage.safeParse(message).error).toBeUndefined()
    const assistant = messages.data.data[1]
    expect(assistant?.type === 'assistant' ? assistant.content.map((part) => part.type) : []).toEqual([
      'reasoning',
      'text',
    ])
    const [first] = messages.data.data
    const one = await client.session.message({ sessionID, messageID: first?.id ?? '' }, { throwOnError: true })
    expect(one.data.data).toEqual(first)
    const context = await client.session.context({ sessionID }, { throwOnError: true })
    expect(context.data.data).toEqual(messages.data.data)
    const history = await client.session.history({ sessionID, limit: 100 }, { throwOnError: true })
    expect(history.data.hasMore).toBe(false)
    for (const event of history.data.data) expect(wireEvent.safeParse(event).error).toBeUndefined()
    expect(history.data.data[0]?.durable?.seq).toBe(1)

    const record = await client.session.get({ sessionID }, { throwOnError: true })
    expect(wireSession.safeParse(record.data.data).error).toBeUndefined()
    const listed = await client.session.list({}, { throwOnError: true })
    expect(listed.data.data.map((session) => session.id)).toContain(sessionID)
    expect((await client.session.active({ throwOnError: true })).data.data).toEqual({})
  })

  test('switching, interrupting, compacting and reverting answer without a body', async ({ expect }) => {
    server.model.script({ text: ['Hello'] }, { text: ['A summary'] })
    const sessionID = await newSession()
    const options = { throwOnError: true } as const
    const statuses = [
      await client.session.switchAgent({ sessionID, agent: 'plan' }, options),
      await client.session.switchModel({ sessionID, model: { id: 'one', providerID: 'fake' } }, options),
      await client.session.interrupt({ sessionID }, options),
      await client.session.prompt({ sessionID, prompt: { text: 'Hi' } }, options),
      await client.session.wait({ sessionID }, options),
      await client.session.compact({ sessionID }, options),
      await client.session.revert.clear({ sessionID }, options),
      await client.session.revert.commit({ sessionID }, options),
    ].map((answer) => answer.response.status)

    expect(statuses).toEqual([204, 204, 204, 200, 204, 204, 204, 204])
    const context = await client.session.context({ sessionID }, options)
    expect(context.data.data).toMatchObject([{ type: 'compaction', reason: 'manual', summary: 'A summary' }])
  })

  test('a staged revert is the one the client declares', async ({ expect }) => {
    server.model.script({ text: ['Hello'] })
    const sessionID = await newSession()
    const prompt = await client.session.prompt({ sessionID, prompt: { text: 'Hi' } }, { throwOnError: true })
    await client.session.wait({ sessionID }, { throwOnError: true })

    const staged = await client.session.revert.stage(
      { sessionID, messageID: prompt.data.data.id },
      { throwOnError: true },
    )

    expect(staged.data.data).toEqual({ messageID: prompt.data.data.id, diff: '', files: [] })
  })

  test('an unknown session is the error the client declares', async ({ expect }) => {
    const missing = await client.session.get({ sessionID: 'ses_missing' })
    expect(missing.error).toMatchObject({ _tag: 'SessionNotFoundError', sessionID: 'ses_missing' })
  })

  test('a prompt with a used id is the conflict the client declares', async ({ expect }) => {
    const sessionID = await newSession()
    await client.session.prompt({ sessionID, id: 'msg_twice', prompt: { text: 'a' }, resume: false })
    const conflict = await client.session.prompt({ sessionID, id: 'msg_twice', prompt: { text: 'b' }, resume: false })
    expect(conflict.error).toMatchObject({ _tag: 'ConflictError', resource: 'msg_twice' })
  })
})

describe('commands', () => {
  test('that the client lists are run by a prompt that names them', async ({ expect }) => {
    server.model.script({ text: ['Written'] })
    const sessionID = await newSession()
    const admitted = await client.session.prompt(
      { sessionID, prompt: { text: '/init briefly' } },
      { throwOnError: true },
    )
    await client.session.wait({ sessionID }, { throwOnError: true })

    expect(admitted.data.data.prompt.text).toMatch(/^Look at this project and write a short AGENTS\.md .* briefly$/s)
    const messages = await client.session.messages({ sessionID, order: 'asc' }, { throwOnError: true })
    expect(messages.data.data).toMatchObject([{ type: 'user' }, { type: 'assistant', finish: 'stop' }])
  })
})

describe('streams', () => {
  test('the client reads the process stream and a session stream', async ({ expect }) => {
    const stop = new AbortController()
    const process = await client.event.subscribe({ signal: stop.signal })
    const first = await process.stream.next()
    expect(first.value).toMatchObject({ type: 'server.connected' })

    const sessionID = await newSession()
    const session = await client.session.events({ sessionID }, { signal: stop.signal })
    const created = await session.stream.next()
    expect(created.value).toMatchObject({ type: 'session.created', durable: { aggregateID: sessionID, seq: 0 } })
    stop.abort()
  })
})

describe('permissions and questions', () => {
  test('a permission is listed, read and settled; saved rules are listed and revoked', async ({ expect }) => {
    server.model.script({ calls: [{ id: 'c1', name: 'bash', input: { command: 'echo hi' } }] }, { text: ['done'] })
    const sessionID = await newSession()
    await client.session.prompt({ sessionID, prompt: { text: 'Echo' } })
    const options = { throwOnError: true } as const
    const request = await firstPending(
      async () => (await client.session.permission.list({ sessionID }, options)).data.data,
    )

    const everywhere = await client.permission.request.list({}, options)
    expect(everywhere.data.data).toEqual([request])
    expect((await client.session.permission.get({ sessionID, requestID: request.id }, options)).data.data).toEqual(
      request,
    )
    const reply = { sessionID, requestID: request.id, reply: 'always' } as const
    expect((await client.session.permission.reply(reply, options)).response.status).toBe(204)
    const second = await client.session.permission.reply(reply)
    expect(second.error).toMatchObject({ _tag: 'PermissionNotFoundError', requestID: request.id })
    await client.session.wait({ sessionID })

    const saved = await client.permission.saved.list({}, options)
    expect(saved.data.data).toMatchObject([{ projectID: 'global', action: 'bash', resource: 'echo *' }])
    const removed = await client.permission.saved.remove({ id: saved.data.data[0]?.id ?? '' }, options)
    expect(removed.response.status).toBe(204)
    expect((await client.permission.saved.list({}, options)).data.data).toEqual([])
  })

  test('a question is listed, answered and rejected', async ({ expect }) => {
    const questions = [{ question: 'Which?', header: 'Pick', options: [{ label: 'A', description: 'a' }] }]
    const ask = { calls: [{ id: 'q1', name: 'question', input: { questions } }] }
    server.model.script(ask, { text: ['done'] }, ask)
    const sessionID = await newSession()
    const options = { throwOnError: true } as const
    const pending = () =>
      firstPending(async () => (await client.session.question.list({ sessionID }, options)).data.data)
    await client.session.prompt({ sessionID, prompt: { text: 'Ask' } })
    const request = await pending()
    expect((await client.question.request.list({}, options)).data.data).toEqual([request])
    const replied = await client.session.question.reply(
      { sessionID, requestID: request.id, questionV2Reply: { answers: [['A']] } },
      options,
    )
    expect(replied.response.status).toBe(204)
    await client.session.wait({ sessionID })

    await client.session.prompt({ sessionID, prompt: { text: 'Ask again' } })
    const second = await pending()
    const rejected = await client.session.question.reject({ sessionID, requestID: second.id }, options)
    expect(rejected.response.status).toBe(204)
  })
})

describe('terminals', () => {
  test('one is created, listed, read, resized, connected to and removed', async ({ expect }) => {
    const options = { throwOnError: true } as const
    const created = await client.pty.create({ command: 'cat', title: 'Notes' }, options)
    const { id: ptyID } = created.data.data
    expect(created.data.data).toMatchObject({ title: 'Notes', command: 'cat', status: 'running', cwd: server.project })
    expect((await client.pty.list({}, options)).data.data).toEqual([created.data.data])
    expect((await client.pty.get({ ptyID }, options)).data.data).toEqual(created.data.data)
    const update = { ptyID, title: 'Logs', size: { rows: 30, cols: 100 } }
    expect((await client.pty.update(update, options)).data.data).toEqual({ ...created.data.data, title: 'Logs' })

    const { ticket } = (await client.pty.connectToken({ ptyID }, options)).data.data
    const query = `&location[directory]=${encodeURIComponent(server.project)}`
    const socket = new WebSocket(connectAddress(server, ptyID, ticket, query))
    socket.onopen = () => socket.send('hello\r')
    await new Promise<void>((resolve, reject) => {
      let text = ''
      socket.onerror = reject
      socket.onmessage = ({ data }) => {
        text += typeof data === 'string' ? data : ''
        if (text.includes('hello\r\nhello\r\n')) resolve()
      }
    })
    const again = await client.pty.connect({ ptyID, ticket })
    expect(again.error).toMatchObject({ _tag: 'ForbiddenError' })

    expect((await client.pty.remove({ ptyID }, options)).response.status).toBe(204)
    expect((await client.pty.get({ ptyID })).error).toMatchObject({ _tag: 'PtyNotFoundError', ptyID })
  })
})

/**
 * Two differences are meant: pieces of text are stored here and only live there, and a list of sessions ends with a
 * cursor of null, as the client's own server answers.
 */
function withoutKnownDifferences(answer: GivenAnswer): GivenAnswer {
  const body = JSON.parse(answer.json)
  if (answer.path.endsWith('/history')) {
    body.data = body.data.filter((event: { type: string }) => !event.type.endsWith('.delta'))
  }
  if (answer.path === '/api/session' && answer.method === 'GET') {
    for (const end of ['previous', 'next']) if (body.cursor[end] === null) delete body.cursor[end]
  }
  return { ...answer, json: JSON.stringify(body) }
}

describe('all of it', () => {
  test('every operation of the document that the client has was called by it', async ({ expect }) => {
    const document = (await server.send('GET', '/openapi.json')).body as { paths: Record<string, object> }
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const called = (operation: string) => {
      const [method, path = ''] = operation.split(' ')
      const address = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '(?!active$)[^/]+').replace('{*path}', '.+')}$`)
      return given.some((answer) => answer.method === method && address.test(answer.path))
    }

    expect(operations.filter((operation) => !called(operation))).toEqual(notInClient)
  })

  test('every answer has the type that the client declares for it', ({ expect }) => {
    const answers = given.filter(({ json }) => json !== '').map(withoutKnownDifferences)
    const { judged, faults } = judgeAnswers(answers)

    expect(faults).toEqual([])
    expect(judged).toBe(answers.length)
    expect(judged).toBeGreaterThan(40)
    // The judge does judge: an answer that was changed does not pass.
    const [health] = answers.filter(({ path }) => path === '/api/health')
    if (health === undefined) throw new Error('health was not asked')
    expect(judgeAnswers([{ ...health, json: '{"healthy":"yes"}' }]).faults).toHaveLength(1)
  })
})
