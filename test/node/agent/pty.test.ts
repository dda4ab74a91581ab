/** Terminals over the routes and their WebSocket, with real programs in them. */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, describe, test } from 'vitest'
import WebSocket from 'ws'
import {
  terminalArgumentCharactersMax,
  terminalArgumentsMax,
  terminalSideMax,
  terminalTitleCharactersMax,
  terminalVariablesMax,
} from '../../../local/agent/limits.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { until } from '../../support/process-host.ts'
import { rawRequest, sendRaw } from '../../support/raw-http.ts'
import {
  connectAddress,
  connectTerminal,
  createShell,
  createTerminal,
  mintTicket,
  processesOfSession,
  refusedUpgrade,
} from '../../support/terminal-client.ts'

let nowMs = Date.now()

const server = await startTestServer({ clock: { nowMs: () => nowMs } })

afterAll(() => server.close())

afterEach(async () => {
  const left = (await server.send('GET', '/api/pty')).body.data as { id: string }[]
  await Promise.all(left.map(({ id }) => server.send('DELETE', `/api/pty/${id}`)))
})

const read = async (id: string) => (await server.send('GET', `/api/pty/${id}`)).body.data

async function ended(id: string): Promise<void> {
  await until(async () => (await read(id)).status === 'exited')
}

describe('records', () => {
  test('a terminal is created, listed, read, renamed and removed', async ({ expect }) => {
    const created = await server.send('POST', '/api/pty', { command: 'cat', args: ['-u'], title: 'Notes' })
    const { location, data } = created.body
    expect(location).toEqual({ directory: server.project, project: { id: 'global', directory: server.project } })
    expect(data).toEqual({
      id: expect.stringMatching(/^pty_/),
      title: 'Notes',
      command: 'cat',
      args: ['-u'],
      cwd: server.project,
      status: 'running',
      pid: expect.any(Number),
    })
    const second = await createTerminal(server, { command: 'cat' })
    const listed = await server.send('GET', '/api/pty')
    expect(listed.body).toMatchObject({ location, data: [data, { id: second, title: `Terminal ${second.slice(-4)}` }] })
    expect((await server.send('GET', `/api/pty/${data.id}`)).body).toEqual({ location, data })

    const renamed = await server.send('PUT', `/api/pty/${data.id}`, { title: 'Logs' })
    expect(renamed.body).toEqual({ location, data: { ...data, title: 'Logs' } })
    expect((await server.send('DELETE', `/api/pty/${data.id}`)).status).toBe(204)
    expect(processesOfSession(data.pid)).toEqual([])
    expect((await server.send('GET', '/api/pty')).body.data.map(({ id }: { id: string }) => id)).toEqual([second])
  })

  test('without a body it is the login shell of the owner', async ({ expect }) => {
    const created = await server.send('POST', '/api/pty')
    expect(created.body.data).toMatchObject({ command: '/bin/sh', args: ['-l'], cwd: server.project })
  })

  test('it starts where it is told to, with variables of its own and none of the ones it must not have', async ({
    expect,
  }) => {
    await mkdir(path.join(server.project, 'inside'), { recursive: true })
    const line = 'pwd; echo "$GREETING $TERM"; tty >/dev/null && stty size; echo end'
    const id = await createShell(server, line, {
      cwd: 'inside',
      env: { GREETING: 'hello' },
      size: { rows: 7, cols: 90 },
    })
    const client = await connectTerminal(server, id)
    await client.shows(/end/)
    expect(client.text()).toBe(`${server.project}/inside\r\nhello xterm-256color\r\n7 90\r\nend\r\n`)
  })

  test('one that has ended keeps its code, and takes a title and a size without effect', async ({ expect }) => {
    const id = await createShell(server, 'exit 3')
    await ended(id)
    expect(await read(id)).toMatchObject({ status: 'exited', exitCode: 3 })
    const updated = await server.send('PUT', `/api/pty/${id}`, { title: 'Done', size: { rows: 10, cols: 10 } })
    expect(updated).toMatchObject({ status: 200, body: { data: { title: 'Done', status: 'exited', exitCode: 3 } } })
  })

  test('what a signal ended, and what could not be run, say so', async ({ expect }) => {
    const killed = await createShell(server, 'kill -9 $$')
    const missing = await createTerminal(server, { command: '/does/not/exist' })
    await Promise.all([ended(killed), ended(missing)])
    expect(await read(killed)).toMatchObject({ exitCode: 137 })
    expect((await read(missing)).exitCode).toBeGreaterThan(0)
    const client = await connectTerminal(server, missing)
    await client.shows(/No such file/)
  })

  test('a terminal of one directory is no terminal of another', async ({ expect }) => {
    const inside = path.join(server.project, 'inside')
    await mkdir(inside, { recursive: true })
    const id = await createTerminal(server, { command: 'cat' })
    const there = `?location[directory]=${encodeURIComponent(inside)}`

    expect((await server.send('GET', `/api/pty${there}`)).body.data).toEqual([])
    for (const [method, more] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/connect-token'],
      ['GET', '/connect'],
    ] as const) {
      const answer = await server.send(method, `/api/pty/${id}${more}${there}`, method === 'PUT' ? {} : undefined)
      expect(answer, `${method} ${more}`).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' }, _tag: 'PtyNotFoundError', ptyID: id },
      })
    }
    expect(await read(id)).toMatchObject({ status: 'running' })
  })

  test('whoever follows the process is told what becomes of terminals', async ({ expect }) => {
    let id = ''
    const seen = await server.events('/api/event', (events) => {
      if (events.length === 1 && id === '') {
        id = 'asked'
        void createShell(server, 'read line; exit 4').then(async (created) => {
          id = created
          await server.send('PUT', `/api/pty/${id}`, { title: 'Named' })
          const client = await connectTerminal(server, id)
          client.socket.send('\r')
          await client.closed
          await server.send('DELETE', `/api/pty/${id}`)
        })
      }
      return events.some(({ data }) => data.type === 'pty.deleted')
    })
    expect(seen.slice(1).map(({ data }) => [data.type, data.data])).toMatchObject([
      ['pty.created', { info: { id, status: 'running' } }],
      ['pty.updated', { info: { id, title: 'Named' } }],
      ['pty.exited', { id, exitCode: 4 }],
      ['pty.deleted', { id }],
    ])
  })
})

describe('the WebSocket', () => {
  test('shows what was shown before, says where live output begins, and takes what is typed', async ({ expect }) => {
    const id = await createShell(server, 'echo before; read line; echo "got $line"; exit 0')
    const first = await connectTerminal(server, id)
    await first.shows(/before\r\n/)
    const second = await connectTerminal(server, id)
    await until(() => second.controls.length === 1)
    expect(second.text()).toBe('before\r\n')
    expect(second.controls).toEqual([{ cursor: 'before\r\n'.length }])

    first.socket.send('one')
    second.socket.send(Buffer.from(' two\r'))
    expect(await Promise.all([first.closed, second.closed])).toEqual([1000, 1000])
    for (const client of [first, second]) expect(client.text()).toBe('before\r\none two\r\ngot one two\r\n')
    expect(await read(id)).toMatchObject({ status: 'exited', exitCode: 0 })
  })

  test.for([
    ['', 'abcdefgh', 8],
    ['&cursor=0', 'abcdefgh', 8],
    ['&cursor=5', 'fgh', 8],
    ['&cursor=8', '', 8],
    ['&cursor=900', '', 8],
    ['&cursor=-1', '', 8],
  ] as const)('with %o it shows %o', async ([query, text, cursor], { expect }) => {
    const id = await createShell(server, 'printf abcdefgh')
    await ended(id)
    const client = await connectTerminal(server, id, query)
    expect(await client.closed).toBe(1000)
    expect(client.text()).toBe(text)
    expect(client.controls).toEqual([{ cursor }])
  })

  test('a character that lies on two pieces of output arrives whole', async ({ expect }) => {
    const id = await createShell(server, String.raw`stty -echo; printf 'ready\303'; read line; printf '\266'`)
    const client = await connectTerminal(server, id)
    await client.shows(/ready/)
    client.socket.send('\r')
    expect(await client.closed).toBe(1000)
    expect(client.text()).toBe('readyö')
  })

  test('a program sees the new size, and that it changed', async ({ expect }) => {
    const id = await createShell(server, 'trap "stty size" WINCH; echo ready; while :; do sleep 0.05; done')
    const client = await connectTerminal(server, id)
    await client.shows(/ready/)
    const answer = await server.send('PUT', `/api/pty/${id}`, { size: { rows: 41, cols: 123 } })
    expect(answer.status).toBe(200)
    await client.shows(/41 123/)
  })

  test('who leaves ends nothing', async ({ expect }) => {
    const id = await createShell(server, 'read line; exit 0')
    const client = await connectTerminal(server, id)
    client.socket.terminate()
    await client.closed
    expect(await read(id)).toMatchObject({ status: 'running' })
    const again = await connectTerminal(server, id)
    again.socket.send('\r')
    expect(await again.closed).toBe(1000)
  })

  test('removing a terminal closes its connections', async ({ expect }) => {
    const id = await createTerminal(server, { command: 'cat' })
    const client = await connectTerminal(server, id)
    await server.send('DELETE', `/api/pty/${id}`)
    expect(await client.closed).toBe(1000)
  })
})

describe('the connect token', () => {
  test('is good for one connection to one terminal, for a minute', async ({ expect }) => {
    const [one, other] = [
      await createTerminal(server, { command: 'cat' }),
      await createTerminal(server, { command: 'cat' }),
    ]
    const minted = await server.send('POST', `/api/pty/${one}/connect-token`)
    expect(minted.body).toMatchObject({
      location: { directory: server.project },
      data: { ticket: expect.stringMatching(/^[0-9a-f-]{36}$/), expires_in: 60 },
    })
    const refused = { status: 403, text: expect.stringContaining('"code":"forbidden"') }
    const { ticket } = minted.body.data

    expect(await refusedUpgrade(connectAddress(server, other, ticket))).toMatchObject(refused)
    const used = await mintTicket(server, one)
    const client = await connectTerminal(server, one)
    expect(await refusedUpgrade(connectAddress(server, one, 'rubbish'))).toMatchObject(refused)
    expect(await refusedUpgrade(connectAddress(server, one, '').replace('?ticket=', ''))).toMatchObject(refused)
    nowMs += 60_000
    expect(await refusedUpgrade(connectAddress(server, one, used))).toMatchObject(refused)
    client.socket.terminate()
  })

  test('is used up by the first connection', async ({ expect }) => {
    const id = await createTerminal(server, { command: 'cat' })
    const client = await connectTerminal(server, id)
    const { url } = client.socket
    expect(await refusedUpgrade(url)).toMatchObject({ status: 403, text: expect.stringContaining('"forbidden"') })
    client.socket.terminate()
  })

  test('is not used up by a request that is no WebSocket, and one millisecond before its end it is good', async ({
    expect,
  }) => {
    const id = await createTerminal(server, { command: 'cat' })
    const ticket = await mintTicket(server, id)
    const plain = await server.send('GET', `/api/pty/${id}/connect?ticket=${ticket}`)
    expect(plain).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
    nowMs += 59_999
    const socket = new WebSocket(connectAddress(server, id, ticket))
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.terminate()
  })

  test.for(['http://evil.example', 'http://127.0.0.1:1', 'null'])(
    'from a page of %s neither a token nor a connection is given',
    async (origin, { expect }) => {
      const id = await createTerminal(server, { command: 'cat' })
      const minted = await server.send('POST', `/api/pty/${id}/connect-token`, undefined, { origin })
      expect(minted).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
      const address = connectAddress(server, id, await mintTicket(server, id))
      expect(await refusedUpgrade(address, { origin })).toMatchObject({ status: 403 })
      expect((await refusedUpgrade(address, { origin })).text).toContain('another origin')
    },
  )

  test('a connection under a foreign name is refused', async ({ expect }) => {
    const id = await createTerminal(server, { command: 'cat' })
    const address = connectAddress(server, id, await mintTicket(server, id))
    expect(await refusedUpgrade(address, { host: 'evil.example' })).toMatchObject({ status: 403 })
  })

  test('does not replace the credentials of the server', async ({ expect }) => {
    const guarded = await startTestServer({ credentials: { username: 'svc', password: 'secret-of-the-server' } })
    const authorization = `Basic ${btoa('svc:secret-of-the-server')}`
    const created = await guarded.send('POST', '/api/pty', { command: 'cat' }, { authorization })
    const { id } = created.body.data
    const minted = await guarded.send('POST', `/api/pty/${id}/connect-token`, undefined, { authorization })
    const address = connectAddress(guarded, id, minted.body.data.ticket)

    const refused = await refusedUpgrade(address)
    expect(refused).toMatchObject({ status: 401, text: expect.stringContaining('"unauthorized"') })
    expect(refused.headers['www-authenticate']).toBe('Basic realm="Secure Area"')
    const socket = new WebSocket(address, { headers: { authorization } })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.terminate()
    await guarded.close()
  })
})

describe('refusals', () => {
  const text = (length: number) => 'x'.repeat(length)
  const variables = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_unused, index) => [`V${index}`, '']))

  test.for([
    ['an unknown field', { commando: 'cat' }],
    ['an empty command', { command: '' }],
    ['a byte of nothing', { command: 'cat', args: ['a\0b'] }],
    ['a directory that is not there', { cwd: '/does/not/exist' }],
    ['a title that is too long', { title: text(terminalTitleCharactersMax + 1) }],
    ['too many arguments', { args: Array.from({ length: terminalArgumentsMax + 1 }, () => 'x') }],
    ['an argument that is too long', { args: [text(terminalArgumentCharactersMax + 1)] }],
    ['a variable without a name', { env: { '': 'x' } }],
    ['a variable that is none', { env: { 'A=B': 'x' } }],
    ['too many variables', { env: variables(terminalVariablesMax + 1) }],
    ['no height', { size: { rows: 0, cols: 80 } }],
    ['half a column', { size: { rows: 24, cols: 80.5 } }],
    ['too much width', { size: { rows: 24, cols: terminalSideMax + 1 } }],
    ['half a size', { size: { rows: 24 } }],
  ] as const)('%s', async ([, body], { expect }) => {
    expect(await server.send('POST', '/api/pty', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request' } },
    })
    expect((await server.send('GET', '/api/pty')).body.data).toEqual([])
  })

  test('what lies at the bounds is taken', async ({ expect }) => {
    const id = await createTerminal(server, {
      command: 'true',
      title: text(terminalTitleCharactersMax),
      args: Array.from({ length: terminalArgumentsMax }, (_unused, index) =>
        index === 0 ? text(terminalArgumentCharactersMax) : 'x',
      ),
      env: variables(terminalVariablesMax),
      size: { rows: 1, cols: terminalSideMax },
    })
    await ended(id)
    expect(await read(id)).toMatchObject({ exitCode: 0 })
  })

  test.for([
    ['GET', '/api/pty/pty_unknown', undefined, 404],
    ['PUT', '/api/pty/pty_unknown', {}, 404],
    ['DELETE', '/api/pty/pty_unknown', undefined, 404],
    ['POST', '/api/pty/pty_unknown/connect-token', undefined, 404],
    ['GET', '/api/pty/pty_unknown/connect?ticket=x', undefined, 404],
    ['GET', '/api/pty/ses_1', undefined, 400],
    ['GET', '/api/pty/pty_unknown/connect?cursor=-2', undefined, 400],
    ['GET', '/api/pty/pty_unknown/connect?cursor=1.5', undefined, 400],
    ['POST', '/api/pty/pty_unknown/connect-token', { a: 1 }, 400],
    ['PUT', '/api/pty/pty_unknown', { size: 5 }, 400],
  ] as const)('%s %s with %o is answered %i', async ([method, target, body, status], { expect }) => {
    const answer = await server.send(method, target, body)
    expect(answer.status, answer.text).toBe(status)
    expect(answer.body.error.code).toBe(status === 404 ? 'not_found' : 'invalid_request')
  })

  test('a request that offers another protocol, or asks for a socket elsewhere, is answered as it is', async ({
    expect,
  }) => {
    const answered = async (line: string, protocol: string) => {
      const lines = [
        `Host: 127.0.0.1:${server.port}`,
        'Connection: Upgrade',
        `Upgrade: ${protocol}`,
        'Content-Length: 0',
      ]
      return (await sendRaw(server.port, rawRequest(line, lines))).text
    }
    expect(await answered('GET /api/health', 'h2c')).toContain('{"healthy":true}')
    expect(await answered('GET /api/health', 'websocket')).toContain('{"healthy":true}')
    expect(await answered('POST /api/pty/pty_x/connect', 'websocket')).toContain('"method_not_allowed"')
    expect(await answered('GET /api/pty/pty_x/connect', 'h2c')).toContain('"not_found"')
    for (const target of ['//', '/%', '/api/pty//connect', '/api/pty/%00/connect', '/api/pty/pty_x/connect?%', '/?']) {
      expect(await answered(`GET ${target}`, 'websocket'), target).toMatch(/^HTTP\/1\.1 40[034] .*"error"/s)
    }
    expect((await server.send('GET', '/api/health')).status).toBe(200)
  })
})
