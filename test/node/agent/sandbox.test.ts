/** What a command of the model reaches in the configuration that everybody runs. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, type ExpectStatic, expect, test } from 'vitest'
import { openHostProxy } from '../../../local/agent/adapters/host-proxy.ts'
import { proxyConnectionsMax, sandboxHostsMax, sandboxPathsMax } from '../../../local/agent/limits.ts'
import { killAgentProgram, startAgentProgram } from '../../support/agent-program.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'
import type { ScriptedTurn } from '../../support/fake-model.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { requireReal } from '../../support/real-parts.ts'
import { writeSeatbelt } from '../../support/write-seatbelt.ts'

const bubblewrap = requireReal('bwrap')
const done: ScriptedTurn = { text: ['done'] }

let server: TestServer
let home: string

const startServer = (more: Parameters<typeof startTestServer>[0] = {}) =>
  startTestServer({
    ...more,
    environment: {
      PATH: process.env['PATH'] ?? '',
      HOME: '/nowhere',
      LANG: 'C.UTF-8',
      SOME_SERVICE_TOKEN: 'canary-of-the-environment',
      INNOCENT: 'canary-with-an-innocent-name',
      ...more.environment,
    },
  })

beforeEach(async () => {
  server = await startServer()
  home = path.dirname(server.project)
})

afterEach(() => server.close())

const shell = (command: string, more: Record<string, unknown> = {}): ScriptedTurn => ({
  calls: [{ id: 'c1', name: 'bash', input: { command, ...more } }],
})

async function ran(command: string, more: Record<string, unknown> = {}): Promise<string> {
  const [state] = await runTools(server, shell(command, more), done)
  return state ?? ''
}

test.skipIf(bubblewrap.isMissing)(
  `a commit is its owner’s, whose other settings of git stay out of sight ${bubblewrap.skipNote}`,
  async ({ expect }) => {
    const owner = await mkdtemp(path.join(tmpdir(), 'owner-'))
    await writeFile(
      path.join(owner, '.gitconfig'),
      '[user] name = "Lee \\"Quay\\" Adair" ; of the harbour\n\temail = lee@quay.example\n[url "https://canary@host.example/"]\n\tname = no\n\tinsteadOf = x:\n',
    )
    await server.close()
    server = await startServer({ environment: { HOME: owner } })
    const state = await ran(
      'git init -q "$TMPDIR/r" && cd "$TMPDIR/r" && echo a > a && git add a && git commit -qm one && git log --format="%an <%ae>" && cat ~/.gitconfig',
    )
    await rm(owner, { recursive: true, force: true })

    expect(state).toContain('Lee \\"Quay\\" Adair <lee@quay.example>')
    expect(state).not.toContain('canary')
  },
)

/** On macOS the same server works with another program: its stand-in carries the same boundary out here. */
describe.skipIf(bubblewrap.isMissing).for(['bubblewrap', 'a stand-in of seatbelt'])('in %s', (which) => {
  if (which !== 'bubblewrap') {
    let folder: string
    beforeEach(async () => {
      await server.close()
      folder = await mkdtemp(path.join(tmpdir(), 'seatbelt-'))
      server = await startServer({ sandbox: async () => ({ kind: 'seatbelt', program: await writeSeatbelt(folder) }) })
      home = path.dirname(server.project)
    })
    afterEach(() => rm(folder, { recursive: true, force: true }))
  }

  describe(`a command nobody was asked about ${bubblewrap.skipNote}`, () => {
    test('does not see the secrets of the server or of its owner', async ({ expect }) => {
      await mkdir(path.join(home, '.ssh'))
      await writeFile(path.join(home, '.ssh', 'id_ed25519'), 'canary-of-the-key')
      await writeFile(path.join(server.dataDir, 'secrets.json'), '{"masterKey":"canary-of-the-data-folder"}')
      await server.write('.env', 'PASSWORD=canary-of-the-project')
      const state = await ran(
        `cat ${server.dataDir}/secrets.json ${home}/.ssh/id_ed25519 ${home}/config/svc.json .env; env; cat /proc/*/environ; ls -a`,
      )

      expect(state).toContain('.env')
      expect(state).not.toContain('canary')
      expect(state).not.toContain('127.0.0.1')
    })

    test('changes nothing that would run later, and nothing outside of the project', async ({ expect }) => {
      await server.write('.git/hooks/pre-commit.sample', '')
      await server.write('.git/config', '[core]\n')
      await server.write('.github/workflows/ci.yml', 'on: push\n')
      await server.write('.mcp.json', '{}')
      await ran(
        `echo evil > .git/hooks/post-commit; echo evil >> .git/config; echo evil > .github/workflows/x.yml
       mv .github moved; mkdir -p .github/workflows; echo evil > .github/workflows/y.yml
       echo evil > .mcp.json; rm .mcp.json; mv .mcp.json y; echo evil > ${home}/planted; echo fine > made.txt`,
      )

      const at = (file: string) => readFile(path.join(server.project, file), 'utf8')
      expect(await at('made.txt')).toBe('fine\n')
      expect(await at('.git/config')).toBe('[core]\n')
      expect(await at('.mcp.json')).toBe('{}')
      expect(await at('.github/workflows/ci.yml')).toBe('on: push\n')
      for (const file of [
        '.git/hooks/post-commit',
        '.github/workflows/x.yml',
        '.github/workflows/y.yml',
        '../planted',
      ]) {
        await expect(at(file), file).rejects.toThrow('ENOENT')
      }
    })
  })

  describe(`what a command wants beyond the sandbox is asked for ${bubblewrap.skipNote}`, () => {
    async function begun(turn: ScriptedTurn): Promise<string> {
      server.model.script(turn, done)
      const session = await server.createSession()
      await server.prompt(session, 'Go')
      return session
    }

    async function asked(expect: ExpectStatic, session: string) {
      const list = async () => (await server.send('GET', `/api/session/${session}/permission`)).body.data
      await expect.poll(async () => (await list()).length, { timeout: 10_000 }).toBe(1)
      return (await list())[0]
    }

    async function outcomeOf(session: string): Promise<string> {
      await server.wait(session)
      return JSON.stringify((await server.messages(session)).at(1))
    }

    const reply = (session: string, request: { id: string }, body: Record<string, unknown>) =>
      server.send('POST', `/api/session/${session}/permission/${request.id}/reply`, body)

    test('a protected path by its name, which then may be written, but not what names programs there', async ({
      expect,
    }) => {
      await server.write('.git/config', '[core]\n')
      await server.write('.git/hooks/x.sample', '')
      const command =
        'echo one > .git/made; echo evil >> .git/config; echo evil > .git/hooks/post-commit; cat .git/made'
      const session = await begun(shell(command, { write: ['.git'] }))
      const request = await asked(expect, session)
      expect(request).toMatchObject({
        action: 'sandbox_write',
        resources: ['.git'],
        save: ['.git'],
        metadata: { command },
      })
      await reply(session, request, { reply: 'always' })

      expect(await outcomeOf(session)).toContain('one')
      expect(await readFile(path.join(server.project, '.git/config'), 'utf8')).toBe('[core]\n')
      await expect(readFile(path.join(server.project, '.git/hooks/post-commit'))).rejects.toThrow('ENOENT')
      const again = await ran('cat .git/made && rm .git/made', { write: ['.git'] })
      expect(again).toContain('(exit code 0)')
    })

    test('a file that is kept from being read, and a folder elsewhere', async ({ expect }) => {
      await server.write('.env', 'A=of-the-project')
      await mkdir(path.join(home, 'other'))
      await writeFile(path.join(home, 'other', 'note'), 'of-another-folder')
      const session = await begun(
        shell(`cat .env ${home}/other/note; touch ${home}/other/made`, { read: ['.env', `${home}/other`] }),
      )
      const first = await asked(expect, session)
      expect(first).toMatchObject({ action: 'read', resources: ['.env'], save: ['.env'] })
      await reply(session, first, { reply: 'once' })
      await expect.poll(async () => (await asked(expect, session)).action).toBe('external_directory')
      await reply(session, await asked(expect, session), { reply: 'once' })

      const outcome = await outcomeOf(session)
      expect(outcome).toContain('of-the-project')
      expect(outcome).toContain('of-another-folder')
      expect(outcome).toContain('Read-only file system')
    })

    test('a host by its name, and no other one is reached then', async ({ expect }) => {
      const site = createServer((request, response) => response.end(`reached ${request.url}`))
      const { port } = await listenOnLoopback(site)
      const get = (host: string) => `curl -s -m 5 http://${host}/x; echo`
      try {
        expect(await ran(`curl -s -m 5 --noproxy '*' http://127.0.0.1:${port}/x`)).not.toContain('reached')

        const host = `127.0.0.1:${port}`
        const session = await begun(
          shell(`${get(host)}; ${get('127.0.0.1:1')}; ${get('localhost')}`, { network: [host] }),
        )
        const request = await asked(expect, session)
        expect(request).toMatchObject({ action: 'sandbox_network', resources: [host], save: [host] })
        await reply(session, request, { reply: 'once' })
        const outcome = await outcomeOf(session)
        expect(outcome).toContain('reached /x')
        expect(outcome.split('is not among the hosts')).toHaveLength(3)
      } finally {
        site.close()
      }
    })

    test('to run outside of it, with the reason', async ({ expect }) => {
      const session = await begun(shell('echo $((1 + 1))', { outside: true }))
      const request = await asked(expect, session)
      expect(request).toMatchObject({
        action: 'bash_outside',
        resources: ['echo $((1 + 1))'],
        save: [],
        metadata: { outside: 'the model asks for it', outsideKind: 'asked' },
      })
      await reply(session, request, { reply: 'reject' })
      expect(await outcomeOf(session)).toContain('rejected')
    })
  })
})

describe('where there is no sandbox', () => {
  beforeEach(async () => {
    await server.close()
    server = await startTestServer({ config: { sandbox: { enabled: false } } })
  })

  test('every command is asked for, and the question says why', async ({ expect }) => {
    server.model.script(shell('touch made'), done)
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    const list = async () => (await server.send('GET', `/api/session/${session}/permission`)).body.data
    await expect.poll(async () => (await list()).length).toBe(1)

    expect(await list()).toMatchObject([
      {
        action: 'bash_outside',
        resources: ['touch made'],
        save: ['touch made'],
        metadata: { command: 'touch made', outside: 'no sandbox: the configuration turns it off' },
      },
    ])
    await expect(readFile(path.join(server.project, 'made'))).rejects.toThrow('ENOENT')
  })
})

describe.skipIf(bubblewrap.isMissing)(`on a machine without bubblewrap ${bubblewrap.skipNote}`, () => {
  test('the server as people start it asks each time, says why, and after "always" for that text alone', async ({
    expect,
    onTestFinished,
  }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'without-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await mkdir(path.join(folder, 'project'))
    await mkdir(path.join(folder, 'config/svc'), { recursive: true })
    const provider = { fake: { baseURL: server.model.url, models: { one: { context: 100_000, output: 4_000 } } } }
    await writeFile(path.join(folder, 'config/svc/svc.json'), JSON.stringify({ model: 'fake/one', provider }))
    // The whole machine, but for that program: no path that could be set keeps the server from the system's own.
    const without = ['--die-with-parent', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', bubblewrap.path]
    const program = await startAgentProgram(folder, {}, [bubblewrap.path, ...without, '--'])
    onTestFinished(() => killAgentProgram(program))
    const send = async (method: string, target: string, body?: unknown) => {
      const answer = await fetch(`${program.address}${target}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return answer.status === 204 ? undefined : ((await answer.json()) as { data: unknown }).data
    }
    const pending = (session: string) => send('GET', `/api/session/${session}/permission`)
    const begin = async (...turns: ScriptedTurn[]) => {
      server.model.script(...turns)
      const { id } = (await send('POST', '/api/session', {})) as { id: string }
      await send('POST', `/api/session/${id}/prompt`, { prompt: { text: 'Go' } })
      return id
    }
    const reason = 'no sandbox here: bubblewrap is not installed (apt-get install --no-install-recommends bubblewrap)'
    const question = (command: string, parts: readonly string[]) => ({
      action: 'bash_outside',
      resources: parts,
      save: parts,
      metadata: { command, outside: reason },
    })

    const first = await begin(shell('touch made'), done)
    await expect.poll(() => pending(first), { timeout: 20_000 }).toMatchObject([question('touch made', ['touch made'])])
    const [{ id }] = (await pending(first)) as [{ id: string }]
    expect(await readdir(path.join(folder, 'project'))).toEqual([])
    await send('POST', `/api/session/${first}/permission/${id}/reply`, { reply: 'always' })
    await send('POST', `/api/session/${first}/wait`)
    expect(await readdir(path.join(folder, 'project'))).toEqual(['made'])

    const second = await begin(shell('touch made; touch more'), done)
    await expect
      .poll(() => pending(second), { timeout: 20_000 })
      .toMatchObject([question('touch made; touch more', ['touch made', 'touch more'])])
    expect(await readdir(path.join(folder, 'project'))).toEqual(['made'])
  })
})

describe.skipIf(bubblewrap.isMissing)(`what one command may ask for ${bubblewrap.skipNote}`, () => {
  const many = (count: number, name: (at: number) => string) => Array.from({ length: count }, (_, at) => name(at))

  test.for([
    ['read', many(sandboxPathsMax, (at) => `file-${at}`), true],
    ['read', many(sandboxPathsMax + 1, (at) => `file-${at}`), false],
    ['write', many(sandboxPathsMax, (at) => `file-${at}`), true],
    ['write', many(sandboxPathsMax + 1, (at) => `file-${at}`), false],
    ['network', many(sandboxHostsMax, (at) => `host-${at}.example`), true],
    ['network', many(sandboxHostsMax + 1, (at) => `host-${at}.example`), false],
  ] as const)('%s of %j: %j', async ([kind, names, isTaken], { expect }) => {
    await server.close()
    server = await startTestServer({ config: { permission: { sandbox_network: 'allow' } } })
    const state = await ran('echo it-$((40 + 2))', { [kind]: names })

    if (isTaken) expect(state).toContain('it-42')
    else expect(state).not.toContain('it-42')
  })

  test('a proxy holds as many connections as it may, and no more', async ({ expect, onTestFinished }) => {
    const proxy = await openHostProxy(['example.org'])
    const sockets: Socket[] = []
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      await proxy.close()
    })
    const answerOf = (socket: Socket) =>
      new Promise<string>((resolve) => {
        socket.once('data', (bytes) => resolve(String(bytes).split('\r\n')[0] ?? ''))
        socket.once('close', () => resolve('closed'))
        socket.on('error', () => undefined)
        socket.write('GET http://elsewhere.example/ HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n')
      })
    const open = async () => {
      const socket = connect(proxy.socketPath)
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    }
    while (sockets.length < proxyConnectionsMax) await open()

    expect(await answerOf(await open())).toBe('closed')
    expect(await answerOf(sockets[0] as Socket)).toBe('HTTP/1.1 403 Forbidden')
    // Its place is free again.
    await expect.poll(async () => answerOf(await open()), { timeout: 10_000 }).toBe('HTTP/1.1 403 Forbidden')
  })

  test.for([
    { way: 'a tunnel', line: (at: string) => `CONNECT ${at}` },
    { way: 'a plain request', line: (at: string) => `GET http://${at}/` },
  ])('$way to a host that takes no connection is given up', async ({ line }, { expect, onTestFinished }) => {
    const host = await startDeafHost()
    const proxy = await openHostProxy([host.at], 200)
    const client = connect(proxy.socketPath)
    onTestFinished(async () => {
      client.destroy()
      await proxy.close()
      host.close()
    })
    client.write(`${line(host.at)} HTTP/1.1\r\nHost: ${host.at}\r\n\r\n`)
    const [bytes] = (await once(client, 'data')) as [Buffer]
    expect(String(bytes)).toMatch(/^HTTP\/1\.1 504 /)
  })
})

/** A program that listens and was stopped: its few places for connections are filled, and who comes next gets no word. */
async function startDeafHost(): Promise<{ readonly at: string; close(): void }> {
  const program = `require('node:net').createServer().listen(0, '127.0.0.1', 1, function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGSTOP')
  const places = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1').on('error', () => undefined))
  await expect.poll(() => places.filter((one) => one.connecting).length).toBeLessThan(places.length)
  return {
    at: `127.0.0.1:${Number(port)}`,
    close() {
      for (const place of places) place.destroy()
      child.kill('SIGKILL')
    },
  }
}

test('what would run later is put aside where a command makes it', async ({ expect }) => {
  if (bubblewrap.isMissing) return
  const state = await ran(
    'mkdir .claude; echo evil > .claude/settings.json; echo evil > .mcp.json; git init -q . ; ls -A',
  )

  const names = await readdir(server.project)
  expect(names.filter((name) => !name.includes('.held-back-'))).toEqual([])
  expect(names).toHaveLength(3)
  expect(state).toContain('.mcp.json is protected: it was put aside as .mcp.json.held-back-')
})
