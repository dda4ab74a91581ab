/** The doors before agent server and viewer as `npm start` opens them: what is let in, by whom, and what it starts. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as rawRequest } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, test } from 'vitest'
import WebSocket from 'ws'
import { makeToolPassword, type ToolPassword } from '../../../local/doors/password.ts'
import { loopbackTools, openTool, type RunningTool, type ToolName } from '../../../local/loopback-tools.ts'
import { processesBelow } from '../../support/process-host.ts'
import { unwrap } from '../../support/unwrap.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const quietMs = 400
const run = promisify(execFile)

interface Doors {
  readonly dataFolder: string
  readonly password: ToolPassword | undefined
  readonly said: string[]
  at(name: ToolName): RunningTool
  close(): Promise<void>
}

async function openDoors(options: { hasAuth: boolean; quietMs?: number }): Promise<Doors> {
  const dataFolder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'doors-')))
  const password = options.hasAuth ? makeToolPassword(dataFolder, {}) : undefined
  const said: string[] = []
  const opened = new Map<ToolName, RunningTool>()
  for (const tool of loopbackTools) {
    const door = unwrap(
      await openTool(tool, {
        port: 0,
        isPortAsked: true,
        dataFolder,
        environment: { PATH: process.env['PATH'], HOME: dataFolder, XDG_CONFIG_HOME: dataFolder },
        password,
        isIndexKept: false,
        ...(options.quietMs === undefined ? {} : { quietMs: options.quietMs }),
        log: (line) => said.push(line),
      }),
    )
    opened.set(tool.name, door)
  }
  return {
    dataFolder,
    password,
    said,
    at(name) {
      const door = opened.get(name)
      if (door === undefined) throw new Error(name)
      return door
    },
    async close() {
      await Promise.all([...opened.values()].map((door) => door.close()))
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Programs of ours that run below this process. */
function toolsRunning(): string[] {
  return processesBelow(process.pid).flatMap((pid) => {
    const name = /(svc\.mjs|viewer-behind-door\.mjs)/.exec(commandOf(pid))?.[1]
    return name === undefined ? [] : [name]
  })
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const healthOf = { agent: '/api/health', viewer: '/api' } as const

describe('doors with a password', () => {
  let doors: Doors
  let basic = ''
  beforeAll(async () => {
    doors = await openDoors({ hasAuth: true })
    basic = `Basic ${Buffer.from(`svc:${doors.password?.password}`).toString('base64')}`
  })
  afterAll(() => doors.close())

  const ask = (name: ToolName, target: string, headers: Record<string, string> = {}, more: RequestInit = {}) =>
    fetch(`${doors.at(name).address}${target}`, { headers, redirect: 'manual', ...more })

  test('callers without the password are refused, and start nothing', async ({ expect }) => {
    const { address } = doors.at('agent')
    for (const [name, target, method] of [
      ['agent', '/health', 'GET'],
      ['agent', '/api/pty', 'POST'],
      ['agent', '/api/session', 'POST'],
      ['agent', '/auth/browser?token=x', 'GET'],
      ['viewer', '/', 'GET'],
      ['viewer', '/api/stats', 'GET'],
      ['viewer', '/assets/x.js', 'GET'],
      ['viewer', '/auth/browser?token=x', 'GET'],
    ] as const) {
      const guessed = { authorization: `Basic ${Buffer.from('svc:guessed').toString('base64')}` }
      const body = method === 'POST' ? { body: '{}' } : {}
      for (const headers of [{}, guessed, { authorization: 'Bearer x' }, { cookie: 'svc_x=y' }]) {
        const answer = await ask(name, target, { 'content-type': 'application/json', ...headers }, { method, ...body })
        expect([name, target, answer.status]).toEqual([name, target, 401])
        expect(answer.headers.get('www-authenticate')).toContain('Secure Area')
      }
    }
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/pty/x/connect?ticket=y`)
    const refused = await new Promise((resolve) => {
      socket.on('unexpected-response', (_request, answer) => resolve(answer.statusCode))
      socket.on('error', () => undefined)
    })
    expect(refused).toBe(401)
    expect(toolsRunning()).toEqual([])
  })

  test('other pages, names and origins are refused with the password too', async ({ expect }) => {
    for (const name of ['agent', 'viewer'] as const) {
      const { port } = new URL(doors.at(name).address)
      const host = `127.0.0.1:${port}`
      for (const headers of [{ host: 'evil.example' }, { host, origin: 'http://evil.example' }]) {
        const status = await new Promise((resolve) => {
          const path = healthOf[name]
          const sent = rawRequest({ host: '127.0.0.1', port, path, headers: { ...headers, authorization: basic } })
          sent.on('response', (answer) => resolve(answer.resume().statusCode)).end()
        })
        expect(status).toBe(403)
      }
    }
    expect(toolsRunning()).toEqual([])
  })

  test.runIf(process.geteuid?.() === 0)('another user of this machine gets no terminal', async ({ expect }) => {
    const { address } = doors.at('agent')
    const file = doors.password?.file ?? ''
    const script = `
      const { readFileSync } = require('node:fs')
      let password = 'none'
      try { password = readFileSync(${JSON.stringify(file)}, 'utf8').trim() } catch {}
      fetch('${address}/api/pty', { method: 'POST', body: '{"command":"id"}', headers: {
        'content-type': 'application/json', authorization: 'Basic ' + btoa('svc:' + password),
      } }).then((answer) => console.log(process.getuid(), password, answer.status))`
    const done = await run(process.execPath, ['-e', script], { uid: 65_534, gid: 65_534, cwd: '/', timeout: 20_000 })
    expect(done.stdout, done.stderr).toBe('65534 none 401\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(toolsRunning()).toEqual([])
  })

  test('the password opens both, which start then and not before', async ({ expect }) => {
    const agent = await ask('agent', '/api/health', { authorization: basic })
    expect([agent.status, await agent.text()]).toEqual([200, '{"healthy":true}'])
    expect(toolsRunning()).toEqual(['svc.mjs'])

    const viewer = await ask('viewer', '/api', { authorization: basic })
    expect([viewer.status, (await viewer.text()).includes('/api/stats')]).toEqual([200, true])
    expect(toolsRunning().sort()).toEqual(['svc.mjs', 'viewer-behind-door.mjs'])
    expect(viewer.headers.get('x-frame-options')).toBe('DENY')
  })

  test('the server behind the door of the agent is not open either, and its own password is not ours', async ({
    expect,
  }) => {
    const pid = processesBelow(process.pid).find((one) => commandOf(one).includes('svc.mjs')) ?? 0
    const listening = spawnSync('sh', ['-c', `cat /proc/${pid}/net/tcp; ls -l /proc/${pid}/fd`], { encoding: 'utf8' })
    const inodes = new Set([...listening.stdout.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode))
    const ports = listening.stdout.split('\n').flatMap((line) => {
      const [, place = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      return state === '0A' && inodes.has(inode) ? [Number.parseInt(place.split(':')[1] ?? '0', 16)] : []
    })
    expect(ports).toHaveLength(1)
    for (const headers of [{}, { authorization: basic }]) {
      expect((await fetch(`http://127.0.0.1:${ports[0]}/api/health`, { headers })).status).toBe(401)
    }
  })

  test.for(['agent', 'viewer'] as const)(
    'a browser signs in to the %s by its address, once',
    async (name, { expect }) => {
      const { signInAddress = '', address } = doors.at(name)
      expect(signInAddress.startsWith(`${address}/auth/browser?token=`)).toBe(true)

      const welcome = await fetch(signInAddress, { redirect: 'manual' })
      const cookie = welcome.headers.get('set-cookie') ?? ''

      expect([welcome.status, welcome.headers.get('location')]).toEqual([303, name === 'agent' ? '/health' : '/'])
      expect(cookie).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
      expect((await fetch(signInAddress, { redirect: 'manual' })).status).toBe(401)
      const kept = { cookie: cookie.split(';')[0] ?? '' }
      expect((await ask(name, healthOf[name], kept)).status).toBe(200)
      if (name === 'agent') {
        // A browser is led on to the page; programs that look at its health are led nowhere.
        const leads = (headers: Record<string, string>) =>
          new Promise((resolve) => {
            const sent = rawRequest(`${address}/health`, { headers })
            sent.on('response', (answer) => resolve(answer.resume().headers['refresh'])).end()
          })
        expect(await leads({ ...kept, 'sec-fetch-mode': 'navigate' })).toBe('0; url=/')
        expect(await leads(kept)).toBeUndefined()
      }
      const other = name === 'agent' ? 'viewer' : 'agent'
      expect((await ask(other, healthOf[other], kept)).status).toBe(401)
      const write = name === 'agent' ? '/api/session' : '/api/trails'
      const json = { ...kept, 'content-type': 'application/json', 'x-viewer-ui': '1' }
      const post = { method: 'POST', body: '{}' }
      expect((await ask(name, write, json, post)).status).toBe(403)
      const own = await ask(name, write, { ...json, origin: address }, post)
      expect(name === 'agent' ? own.status : [400, 503].includes(own.status)).toBe(name === 'agent' ? 200 : true)
    },
  )

  test('a terminal is used through the door, and streams come as they are made', async ({ expect }) => {
    const json = { authorization: basic, 'content-type': 'application/json' }
    const made = await ask('agent', '/api/pty', json, { method: 'POST', body: '{"command":"cat"}' })
    const { id } = JSON.parse(await made.text()).data
    const minted = await ask('agent', `/api/pty/${id}/connect-token`, json, { method: 'POST' })
    const { ticket } = JSON.parse(await minted.text()).data
    const address = doors.at('agent').address.replace('http', 'ws')
    const socket = new WebSocket(`${address}/api/pty/${id}/connect?ticket=${ticket}`, {
      headers: { authorization: basic },
    })
    let seen = ''
    socket.on('message', (data) => {
      seen += String(data)
    })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send('through the door\n')
    await expect.poll(() => seen).toContain('through the door')
    socket.terminate()
    expect((await ask('agent', `/api/pty/${id}`, json, { method: 'DELETE' })).status).toBe(204)

    const stream = await ask('agent', '/api/event', { authorization: basic })
    const reader = stream.body?.getReader()
    const piece = await reader?.read()
    expect(new TextDecoder().decode(piece?.value)).toContain('server.connected')
    await reader?.cancel()
  })

  test('a large body goes in, and a large file comes out, byte for byte', async ({ expect }) => {
    const session = await ask(
      'agent',
      '/api/session',
      { authorization: basic, 'content-type': 'application/json' },
      { method: 'POST', body: '{}' },
    )
    expect(session.status).toBe(200)
    const readme = await ask('agent', '/api/fs/read/package-lock.json', { authorization: basic })
    expect(Buffer.from(await readme.arrayBuffer()).equals(readFileSync(path.join(root, 'package-lock.json')))).toBe(
      true,
    )
    const tooLarge = JSON.stringify({ prompt: { text: 'x'.repeat(2_000_000) } })
    const { id } = JSON.parse(await session.text()).data
    const refused = await ask(
      'agent',
      `/api/session/${id}/prompt`,
      { authorization: basic, 'content-type': 'application/json' },
      { method: 'POST', body: tooLarge },
    )
    expect(refused.status).toBe(400)
  })
})

test('an agent server that nobody uses ends, but not under a terminal that runs, and is there again when asked', {
  tags: 'slow',
}, async ({ expect, onTestFinished }) => {
  const doors = await openDoors({ hasAuth: false, quietMs })
  onTestFinished(() => doors.close())
  const { address } = doors.at('agent')
  const headers = { 'content-type': 'application/json' }
  const made = await fetch(`${address}/api/pty`, { method: 'POST', headers, body: '{"command":"cat"}' })
  const { id } = JSON.parse(await made.text()).data
  await new Promise((resolve) => setTimeout(resolve, 4 * quietMs))
  expect(toolsRunning()).toEqual(['svc.mjs'])

  expect((await fetch(`${address}/api/pty/${id}`, { method: 'DELETE' })).status).toBe(204)

  await expect.poll(toolsRunning).toEqual([])
  expect((await fetch(`${address}/health`)).status).toBe(200)
  expect((await fetch(`${doors.at('viewer').address}/api`)).status).toBe(200)
  await expect.poll(toolsRunning).toEqual([])
})

test('a tool that cannot start is said to be unavailable, and why is in the log', async ({
  expect,
  onTestFinished,
}) => {
  const doors = await openDoors({ hasAuth: false })
  onTestFinished(() => doors.close())
  mkdirSync(path.join(doors.dataFolder, 'agent'))
  writeFileSync(
    path.join(doors.dataFolder, 'agent', 'agent.db'),
    'no database at all, but long enough to be read as one',
  )

  const answer = await fetch(`${doors.at('agent').address}/health`)

  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('backend_unavailable')
  expect(doors.said.at(-1)).toMatch(/^The agent did not start: ./)
})

test('the password is new with each start, unless the owner set one', ({ expect, onTestFinished }) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'doors-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'tools.password')
  writeFileSync(file, 'of an earlier start', { mode: 0o644 })
  const first = makeToolPassword(folder, {})
  const second = makeToolPassword(folder, { SVC_SERVER_USERNAME: 'me' })
  expect(first.password).toMatch(/^[\w-]{43}$/)
  expect(second.password).not.toBe(first.password)
  expect(second.username).toBe('me')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${second.password}\n`, 0o600])

  expect(makeToolPassword(folder, { SVC_SERVER_PASSWORD: 'own' })).toEqual({
    username: 'svc',
    password: 'own',
    file: undefined,
  })
  expect(() => readFileSync(file)).toThrow('ENOENT')
})
