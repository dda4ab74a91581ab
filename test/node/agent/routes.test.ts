import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { startTestServer } from '../../support/agent-server.ts'

const server = await startTestServer()

afterAll(() => server.close())

const unknownSession = 'ses_000000000000unknownunknown'

describe('process routes', () => {
  test('health is text at one address and JSON at the other', async ({ expect }) => {
    const text = await server.send('GET', '/health')
    expect(text).toMatchObject({ status: 200, text: 'ok\n' })
    expect(text.headers.get('content-type')).toContain('text/plain')
    expect((await server.send('GET', '/api/health')).body).toEqual({ healthy: true })
  })

  test('the location is the active directory and its project, or the one that is named', async ({ expect }) => {
    const active = await server.send('GET', '/api/location')
    expect(active.body).toEqual({ directory: server.project, project: { id: 'global', directory: server.project } })

    const inside = path.join(server.project, 'inside dir')
    await mkdir(inside)
    const byQuery = await server.send('GET', `/api/location?location[directory]=${encodeURIComponent(inside)}`)
    const byHeader = await server.send('GET', '/api/location', undefined, {
      'x-some-directory': encodeURIComponent(inside),
    })
    expect(byQuery.body.directory).toBe(inside)
    expect(byHeader.body.directory).toBe(inside)
  })

  test.for(['relative', '/does/not/exist', '%00'])('a location %s is refused', async (directory, { expect }) => {
    const answer = await server.send('GET', `/api/location?directory=${directory}`)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })

  test('the document is the same at its three addresses and lists what is served, with the version', async ({
    expect,
  }) => {
    const texts = await Promise.all(['/openapi.json', '/doc', '/api/doc'].map((target) => server.send('GET', target)))
    expect(new Set(texts.map((answer) => answer.text)).size).toBe(1)
    const document = texts[0]?.body
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe('0.0.0-test')
    expect(document.paths['/api/session/{sessionID}/event'].get).toBeDefined()
    expect(document.paths['/event']).toBeUndefined()
  })

  test('every operation of the document is answered by a handler, and every handler is in the document', async ({
    expect,
  }) => {
    const document = (await server.send('GET', '/openapi.json')).body
    for (const [template, operations] of Object.entries<Record<string, unknown>>(document.paths)) {
      const target = template
        .replace('{sessionID}', unknownSession)
        .replace('{messageID}', 'msg_unknown')
        .replace('{requestID}', template.includes('question') ? 'que_unknown' : 'per_unknown')
        .replace('{id}', 'psv_unknown')
        .replace('{ptyID}', 'pty_unknown')
        .replace(/\{\*?\w+\}/, 'unknown')
      const methods = Object.keys(operations).map((method) => method.toUpperCase())
      for (const method of methods) {
        if (target === '/api/event') continue
        const answer = await server.send(method, target, method === 'GET' || method === 'DELETE' ? undefined : {})
        const isRouteMissing = answer.status === 405 || answer.body?.message === 'There is no such route'
        expect(isRouteMissing, `${method} ${target}: ${answer.text}`).toBe(false)
      }
      const other = ['PUT', 'DELETE', 'POST'].find((method) => !methods.includes(method)) ?? 'PATCH'
      const refused = await server.send(other, target)
      expect(refused.status, `${other} ${target}`).toBe(405)
      expect(refused.headers.get('allow')).toContain(methods[0])
      expect(refused.body.error.code).toBe('method_not_allowed')
    }
  })

  test('the document has every resource, and names path parameters as the interface does', async ({ expect }) => {
    const { paths } = (await server.send('GET', '/openapi.json')).body
    const catalogues = ['agent', 'command', 'skill', 'reference', 'model', 'provider', 'integration']
    const resources = ['session', 'permission/request', 'question/request', 'pty', ...catalogues]
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(resources.map((name) => `/api/${name}`)))
    const parameters = Object.keys(paths).flatMap((template) => template.match(/\{\w+\}/g) ?? [])
    const named = ['{sessionID}', '{requestID}', '{providerID}', '{integrationID}', '{ptyID}']
    expect([...new Set(parameters)]).toEqual(expect.arrayContaining(named))
  })

  test('the document has every resource of the interface, and names the parts of its paths as the interface does', async ({
    expect,
  }) => {
    const templates = Object.keys((await server.send('GET', '/openapi.json')).body.paths)
    const catalogs = ['agent', 'command', 'skill', 'reference', 'model']
    const records = ['session/{sessionID}', 'pty/{ptyID}', 'provider/{providerID}', 'integration/{integrationID}']
    const asks = ['permission', 'question'].map((kind) => `session/{sessionID}/${kind}/{requestID}/reply`)
    const resources = [...catalogs, ...records, ...asks, 'permission/request', 'question/request', 'fs/read/{*path}']
    expect(templates).toEqual(expect.arrayContaining(resources.map((resource) => `/api/${resource}`)))

    const names = new Set(templates.flatMap((template) => template.match(/(?<=\{)[^}]+/g) ?? []))
    // The last of them are on routes that a public client has beyond the interface.
    const known = [
      '*path',
      'integrationID',
      'providerID',
      'ptyID',
      'requestID',
      'sessionID',
      'id',
      'messageID',
      'commandID',
      'name',
      'memoryID',
      'scheduleID',
    ]
    expect([...names].sort()).toEqual(known.sort())
  })

  test('the document names every code of a failure', async ({ expect }) => {
    const { components } = (await server.send('GET', '/openapi.json')).body
    expect(components.schemas.Error.properties.error.properties.code.enum).toEqual([
      'invalid_request',
      'invalid_event_request',
      'unauthorized',
      'forbidden',
      'not_found',
      'method_not_allowed',
      'conflict',
      'file_too_large',
      'backend_unavailable',
      'database_error',
      'filesystem_error',
      'event_stream_failed',
      'internal',
    ])
  })

  test('every body of the document is described, and the bodyless writes have none', async ({ expect }) => {
    const document = (await server.send('GET', '/openapi.json')).body
    const bodyless: string[] = []
    for (const [template, operations] of Object.entries<
      Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>
    >(document.paths)) {
      for (const method of ['post', 'put']) {
        const operation = operations[method]
        if (operation === undefined) continue
        const schema = operation.requestBody?.content['application/json']?.schema
        if (operation.requestBody === undefined) bodyless.push(template.split('/').slice(4).join('/'))
        else expect(Object.keys(schema ?? {}).length, template).toBeGreaterThan(0)
      }
    }
    expect(bodyless.sort()).toEqual([
      'compact',
      'connect-token',
      'interrupt',
      'question/{requestID}/reject',
      'revert/clear',
      'revert/commit',
      'sign-in',
      'wait',
      'work-tree/merge',
    ])
  })

  test.for(['/event', '/api/unknown', '/', '/api/session/ses_x/unknown'])(
    '%s is no route',
    async (target, { expect }) => {
      expect(await server.send('GET', target)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
    },
  )
})

describe('catalogue routes', () => {
  test.for(['agent', 'command', 'skill', 'reference', 'model', 'provider', 'integration'])(
    '%s carries its location and a list',
    async (name, { expect }) => {
      const answer = await server.send('GET', `/api/${name}`)
      expect(answer).toMatchObject({ status: 200, body: { location: { directory: server.project } } })
      expect(Array.isArray(answer.body.data)).toBe(true)
    },
  )

  test('the built-in agents come first and in order', async ({ expect }) => {
    const agents = (await server.send('GET', '/api/agent')).body.data
    expect(agents.map((agent: { id: string }) => agent.id)).toEqual([
      'build',
      'plan',
      'general',
      'explore',
      'compaction',
      'title',
      'summary',
    ])
    expect(agents.filter((agent: { hidden: boolean }) => agent.hidden)).toHaveLength(3)
  })

  test('a configured provider, its models and its integration are there; a key never is', async ({ expect }) => {
    await server.restart({ environment: { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: 'sk-canary-4711' } })
    const providers = await server.send('GET', '/api/provider')
    const models = await server.send('GET', '/api/model')
    const integrations = await server.send('GET', '/api/integration')

    expect(providers.body.data.map((provider: { id: string }) => provider.id)).toEqual(['fake', 'openai'])
    expect(models.body.data).toContainEqual(
      expect.objectContaining({ id: 'one', providerID: 'fake', limit: { context: 100_000, output: 4_000 } }),
    )
    expect(integrations.body.data.find((entry: { id: string }) => entry.id === 'openai').connections).toEqual([
      { type: 'env', name: 'OPENAI_API_KEY' },
    ])
    for (const answer of [providers, models, integrations]) expect(answer.text).not.toContain('canary')
  })

  test('one provider, and the tagged body of one that is missing', async ({ expect }) => {
    expect((await server.send('GET', '/api/provider/fake')).body.data).toMatchObject({ id: 'fake' })
    const missing = await server.send('GET', '/api/provider/nobody')
    expect(missing.status).toBe(404)
    expect(missing.body).toEqual({
      _tag: 'ProviderNotFoundError',
      providerID: 'nobody',
      message: 'There is no such provider',
    })
  })

  test('one integration, and null for an unknown one', async ({ expect }) => {
    expect((await server.send('GET', '/api/integration/openai')).body.data).toMatchObject({ id: 'openai' })
    expect(await server.send('GET', '/api/integration/nobody')).toMatchObject({ status: 200, body: { data: null } })
  })

  test('agents, commands and skills of the project are found', async ({ expect }) => {
    await server.write('.svc/agent/tester.md', '---\ndescription: Tests things\nmode: primary\n---\nYou test.')
    await server.write('.svc/command/ship.md', '---\ndescription: Ships\n---\nShip $ARGUMENTS')
    await server.write(
      '.agents/skills/brew-tea/SKILL.md',
      '---\nname: brew-tea\ndescription: Brews tea\n---\nBoil water.',
    )
    await server.restart()

    const agents = (await server.send('GET', '/api/agent')).body.data
    expect(agents.at(-1)).toMatchObject({ id: 'tester', system: 'You test.', description: 'Tests things' })
    const commands = (await server.send('GET', '/api/command')).body.data
    expect(commands.map((command: { name: string }) => command.name)).toEqual(['init', 'review', 'ship'])
    const skills = (await server.send('GET', '/api/skill')).body.data
    expect(skills).toMatchObject([{ name: 'brew-tea', description: 'Brews tea', content: 'Boil water.' }])
  })
})

describe('session routes', () => {
  test.for([
    ['GET', ''],
    ['GET', '/context'],
    ['GET', '/history'],
    ['GET', '/message'],
    ['GET', '/message/msg_a'],
    ['GET', '/event'],
    ['GET', '/permission'],
    ['GET', '/question'],
    ['POST', '/agent', { agent: 'build' }],
    ['POST', '/model', { model: { id: 'one', providerID: 'fake' } }],
    ['POST', '/prompt', { prompt: { text: 'x' } }],
    ['POST', '/compact'],
    ['POST', '/wait'],
    ['POST', '/interrupt'],
    ['POST', '/revert/stage', { messageID: 'msg_a' }],
    ['POST', '/revert/clear'],
    ['POST', '/revert/commit'],
    ['POST', '/permission/per_a/reply', { reply: 'once' }],
    ['POST', '/question/que_a/reply', { answers: [] }],
    ['POST', '/question/que_a/reject'],
  ] as const)('%s %s of an unknown session is not found', async ([method, tail, body], { expect }) => {
    const answer = await server.send(method, `/api/session/${unknownSession}${tail}`, body)
    expect(answer, answer.text).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' }, _tag: 'SessionNotFoundError', sessionID: unknownSession },
    })
  })

  test('a session is created once, whatever the retries', async ({ expect }) => {
    const first = await server.send('POST', '/api/session', { id: 'ses_mine', agent: 'plan' })
    const again = await server.send('POST', '/api/session', { id: 'ses_mine' })

    expect(first.body.data).toMatchObject({
      id: 'ses_mine',
      agent: 'plan',
      cost: 0,
      tokens: { input: 0, output: 0 },
      location: { directory: server.project },
      projectID: 'global',
      projectId: 'global',
    })
    expect(again.body).toEqual(first.body)
    const listed = (await server.send('GET', '/api/session')).body.data
    expect(listed.filter((session: { id: string }) => session.id === 'ses_mine')).toHaveLength(1)
  })

  test.for([
    ['an unknown agent', { agent: 'nobody' }],
    ['an agent that only works for others', { agent: 'explore' }],
    ['an id of another kind', { id: 'msg_x' }],
    ['a model without a provider', { model: { id: 'x' } }],
    ['a missing directory', { location: { directory: '/does/not/exist' } }],
    ['a list', []],
    ['a text', 'x'],
  ] as const)('%s does not make a session', async ([, body], { expect }) => {
    const before = (await server.send('GET', '/api/session')).body.data.length
    const refused = await server.send('POST', '/api/session', body)
    expect(refused, refused.text).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    expect((await server.send('GET', '/api/session')).body.data).toHaveLength(before)
  })

  test('switching agent and model is stored at once and seen in the transcript', async ({ expect }) => {
    const session = await server.createSession()
    const model = { id: 'two', providerID: 'fake' }

    expect((await server.send('POST', `/api/session/${session}/agent`, { agent: 'plan' })).status).toBe(204)
    expect((await server.send('POST', `/api/session/${session}/model`, { model })).status).toBe(204)
    const unknown = await server.send('POST', `/api/session/${session}/agent`, { agent: 'nobody' })

    expect(unknown.status).toBe(400)
    expect((await server.send('GET', `/api/session/${session}`)).body.data).toMatchObject({ agent: 'plan', model })
    expect(await server.messages(session)).toMatchObject([
      { type: 'agent-switched', agent: 'plan' },
      { type: 'model-switched', model },
    ])
  })

  test('pages of sessions follow one another in both directions without gap or double', async ({ expect }) => {
    const ids = []
    for (let index = 0; index < 7; index += 1) ids.push(await server.createSession())
    const all = (await server.send('GET', '/api/session?limit=200')).body.data.map((row: { id: string }) => row.id)
    expect(all.slice(0, 7)).toEqual(ids.reverse())

    const seen: string[] = []
    const cursors: string[] = []
    let target = '/api/session?limit=3'
    for (;;) {
      const page = (await server.send('GET', target)).body
      seen.push(...page.data.map((row: { id: string }) => row.id))
      if (page.cursor.next === null) {
        expect(page.cursor.previous).not.toBeNull()
        target = `/api/session?limit=3&cursor=${page.cursor.previous}`
        break
      }
      cursors.push(page.cursor.next)
      target = `/api/session?limit=3&cursor=${page.cursor.next}`
    }
    expect(seen).toEqual(all)
    const lastPageSize = all.length % 3 === 0 ? 3 : all.length % 3
    const back = (await server.send('GET', target)).body.data.map((row: { id: string }) => row.id)
    expect(back).toEqual(all.slice(all.length - lastPageSize - 3, all.length - lastPageSize))
  })

  test.for([
    'limit=0',
    'limit=201',
    'limit=1.5',
    'limit=-1',
    'limit=',
    'limit=ten',
    'limit=5&limit=6',
    'order=up',
    'cursor=!!!',
    'cursor=e30',
    'subpath=x',
    'directory=/a&project=b',
  ])('a list of sessions with %s is refused', async (query, { expect }) => {
    const refused = await server.send('GET', `/api/session?${query}`)
    expect(refused, refused.text).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })

  test.for(['limit=1', 'limit=200'])('a list of sessions with %s is answered', async (query, { expect }) => {
    expect((await server.send('GET', `/api/session?${query}`)).status).toBe(200)
  })

  test.for([
    ['history', 'limit=0'],
    ['history', 'limit=101'],
    ['history', 'after=-1'],
    ['history', 'after=x'],
    ['message', 'limit=0'],
    ['message', 'limit=201'],
    ['message', 'cursor=rubbish'],
  ] as const)('%s with %s is refused', async ([route, query], { expect }) => {
    const session = await server.createSession()
    const refused = await server.send('GET', `/api/session/${session}/${route}?${query}`)
    expect(refused, refused.text).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })

  test('a body that is not JSON, empty, too deep or of a bodyless route is refused', async ({ expect }) => {
    const session = await server.createSession()
    const post = (target: string, body: string) =>
      fetch(`${server.address}${target}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    for (const body of ['', '{', 'nope', `${'['.repeat(129)}${']'.repeat(129)}`]) {
      const refused = await post(`/api/session/${session}/prompt`, body)
      expect(refused.status, body.slice(0, 20)).toBe(400)
    }
    expect((await post(`/api/session/${session}/interrupt`, '{"a":1}')).status).toBe(400)
    expect((await post(`/api/session/${session}/interrupt`, '{}')).status).toBe(204)
    expect((await post(`/api/session/${session}/interrupt`, '')).status).toBe(204)
  })

  test('a prompt of exactly 1 MiB is admitted, one byte more is not', async ({ expect }) => {
    const session = await server.createSession()
    const at = await server.prompt(session, 'x'.repeat(1024 * 1024), { resume: false })
    const past = await server.prompt(session, 'x'.repeat(1024 * 1024 + 1), { resume: false })

    expect(at.status).toBe(200)
    expect(past).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  })

  test('files of a prompt are checked: addresses, inline images and what they claim to be', async ({ expect }) => {
    const session = await server.createSession()
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]).toString('base64')
    await writeFile(path.join(server.project, 'read me.md'), '# hi')
    const file = `file://${server.project}/read%20me.md`
    const send = (files: unknown[]) =>
      server.send('POST', `/api/session/${session}/prompt`, { prompt: { text: 'x', files }, resume: false })

    const taken = await send([{ uri: file }, { data: png, mimeType: 'image/png', filename: 'dot.png' }])
    expect(taken.body.data.prompt.files).toMatchObject([
      { uri: file, mime: 'text/markdown' },
      { uri: `data:image/png;base64,${png}`, mime: 'image/png', name: 'dot.png' },
    ])
    for (const bad of [
      { uri: 'https://evil.example/x' },
      { uri: 'file:///does/not/exist' },
      { data: png, mimeType: 'image/jpeg' },
      { data: Buffer.from('text').toString('base64') },
      { data: '!!' },
      { uri: 'data:image/png;base64,AAAA' },
      { uri: `data:image/jpeg;base64,${png}` },
      { uri: `data:image/png,${png}` },
      { uri: 'data:image/svg+xml;base64,PHN2Zy8+' },
      { uri: `data:text/plain;base64,${png}`, mime: 'image/webp' },
    ]) {
      expect((await send([bad])).status, JSON.stringify(bad)).toBe(400)
    }
  })
})
