/** Everything that agent server and viewer answer, asked by those who have no credential or somebody else's page. */
import { execFile } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { request as rawRequest } from 'node:http'
import path from 'node:path'
import { promisify } from 'node:util'
import { processesBelow } from '../support/process-host.ts'
import type { AttackGroup, AttackOutcome } from './attack.ts'
import { type DefaultTools, startDefaultTools } from './default-tools.ts'

const run = promisify(execFile)

interface Route {
  readonly tool: 'agent' | 'viewer'
  readonly method: string
  readonly target: string
}

type Headers = Readonly<Record<string, string>>

const guesses = ['', 'svc', 'password', 'admin', '123456', 'correct horse battery', '\u0000', 'x'.repeat(43)]

/** What callers without the credential come with. */
const strangers: Readonly<Record<string, Headers>> = {
  nothing: {},
  'a bearer token': { authorization: 'Bearer svc' },
  'an empty password': { authorization: `Basic ${btoa('svc:')}` },
  'a cookie': { cookie: 'svc_000000000000=MTI3LjAuMC4xOjQwOTYKOTk5OTk5OTk5OQ.x' },
  'headers of a proxy': { forwarded: 'for=127.0.0.1', 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
  'another method in a header': { 'x-http-method-override': 'OPTIONS', 'x-method-override': 'HEAD' },
}

/** What a page of somebody else makes a browser send, which knows the credential. */
function pages(host: string): Readonly<Record<string, Headers>> {
  return {
    'a foreign origin': { origin: 'http://evil.example' },
    'no origin at all': { origin: 'null' },
    'a name that was bound to this machine': { host: 'evil.example' },
    'the origin of another port': { origin: `http://${host.split(':')[0]}:1` },
  }
}

export const credentials: AttackGroup = {
  name: 'credentials',
  about: 'agent server and viewer as npm start leaves them, asked by everybody but their owner',
  async run({ isShort, log }) {
    const tools = await startDefaultTools()
    try {
      const before = await beforeAnybody(tools)
      const routes = await everyRoute(tools)
      log(`${routes.length} routes`)
      return [
        ...before,
        ...(await byRoute(tools, routes, isShort)),
        ...(await byGuesses(tools)),
        ...(await byAnotherUser(tools)),
        ...byFiles(tools),
      ]
    } finally {
      await tools.close()
    }
  },
}

/** Nothing that nobody has used may be there to be attacked. */
async function beforeAnybody(tools: DefaultTools): Promise<AttackOutcome[]> {
  const attack = 'a request without a credential starts a tool'
  for (const address of [tools.agent, tools.viewer]) await send(address, 'GET', '/api', {})
  const started = processesBelow(tools.pid).filter((pid) =>
    /svc\.mjs|viewer-behind-door/.test(file(`/proc/${pid}/cmdline`)),
  )
  return [started.length === 0 ? { attack, fate: 'stopped' } : { attack, fate: 'hole', detail: String(started) }]
}

async function everyRoute({ agent, viewer, credential }: DefaultTools): Promise<Route[]> {
  const document = JSON.parse(await (await fetch(`${agent}/openapi.json`, { headers: credential })).text())
  const ofAgent = Object.entries<Record<string, unknown>>(document.paths).flatMap(([target, methods]) =>
    Object.keys(methods).map(
      (method): Route => ({ tool: 'agent', method: method.toUpperCase(), target: filled(target) }),
    ),
  )
  const listed = JSON.parse(await (await fetch(`${viewer}/api`, { headers: credential })).text())
  const ofViewer = (listed.endpoints ?? listed).map(({ path: line }: { path: string }): Route => {
    const [method = '', target = ''] = line.split(' ')
    return { tool: 'viewer', method, target: filled(target) }
  })
  const beside = [
    '/',
    '/index.html',
    '/assets/index.js',
    '/favicon.ico',
    '/api/%2e%2e/api',
    '/API/stats',
    '//api/stats',
  ]
  const documents = [
    '/openapi.json',
    '/doc',
    '/api/doc',
    '/health',
    '/auth/browser?token=',
    '/auth/browser?token=a&token=b',
  ]
  return [
    ...ofAgent,
    ...ofViewer,
    ...beside.flatMap((target) => [
      { tool: 'agent' as const, method: 'GET', target },
      { tool: 'viewer' as const, method: 'GET', target },
    ]),
    ...documents.map((target) => ({ tool: 'agent' as const, method: 'GET', target })),
  ]
}

function filled(target: string): string {
  return target.replace(/\{[^}]*\}|<[^>]*>/g, 'x')
}

async function byRoute(tools: DefaultTools, routes: readonly Route[], isShort: boolean): Promise<AttackOutcome[]> {
  const outcomes: AttackOutcome[] = []
  for (const { tool, method, target } of routes) {
    const address = tools[tool]
    const { host } = new URL(address)
    const json: Headers = method === 'GET' ? {} : { 'content-type': 'application/json', 'x-viewer-ui': '1' }
    const tries = [
      ...Object.entries(strangers).map(
        ([who, headers]) => [`with ${who}`, { ...json, ...headers }, [401, 403, 404]] as const,
      ),
      ...Object.entries(pages(host)).map(
        ([who, headers]) => [`with ${who}`, { ...json, ...tools.credential, ...headers }, [403]] as const,
      ),
    ]
    for (const [who, headers, refusals] of isShort
      ? [tries[0], tries.at(-1)].filter((one) => one !== undefined)
      : tries) {
      const answer = await send(address, method, target, headers)
      // A path that the viewer's own boundary refuses is refused before anybody is asked who he is.
      const isRefused = refusals.some((status) => status === answer.status) && !answer.text.includes('"data"')
      outcomes.push({
        attack: `${tool} ${method} ${target} ${who}`,
        fate: isRefused ? 'stopped' : 'hole',
        ...(isRefused ? {} : { detail: `${answer.status} ${answer.text.slice(0, 80)}` }),
      })
    }
  }
  return outcomes
}

async function byGuesses(tools: DefaultTools): Promise<AttackOutcome[]> {
  const outcomes: AttackOutcome[] = []
  for (const tool of ['agent', 'viewer'] as const) {
    for (const guess of guesses) {
      const authorization = `Basic ${Buffer.from(`svc:${guess}`).toString('base64')}`
      const { status } = await send(tools[tool], 'GET', '/api', { authorization })
      outcomes.push({
        attack: `${tool}: the password ${JSON.stringify(guess.slice(0, 12))}`,
        fate: status === 401 ? 'stopped' : 'hole',
        detail: String(status),
      })
    }
  }
  return outcomes
}

/** As far as a user of this machine gets who is not the owner. */
async function byAnotherUser(tools: DefaultTools): Promise<AttackOutcome[]> {
  const attacks = [
    `const { readFileSync } = require('node:fs'); readFileSync('${tools.dataFolder}/tools.password')`,
    `const { readFileSync } = require('node:fs'); readFileSync('${tools.dataFolder}/addresses.json')`,
    `const { readdirSync } = require('node:fs'); readdirSync('${tools.dataFolder}/agent')`,
    `const { readFileSync } = require('node:fs'); readFileSync('/proc/${tools.pid}/environ')`,
    `fetch('${tools.agent}/api/pty', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"command":"id"}' }).then((a) => { if (!a.ok) process.exit(1) })`,
    ...listeningBelow(tools.pid).map(
      (port) => `fetch('http://127.0.0.1:${port}/api/pty').then((a) => { if (a.status === 401) process.exit(1) })`,
    ),
    `const { readdirSync } = require('node:fs'); const { connect } = require('node:net')
     for (const name of readdirSync('/tmp').filter((one) => one.startsWith('wharf-'))) readdirSync('/tmp/' + name)
     process.exit(1)`,
  ]
  const outcomes: AttackOutcome[] = []
  for (const script of attacks) {
    const attack = `another user: ${script.replaceAll(tools.room, '').replaceAll(/\s+/g, ' ').slice(0, 110)}`
    if (process.geteuid?.() !== 0) {
      outcomes.push({ attack, fate: 'skipped', detail: 'needs root, to be another user' })
      continue
    }
    const nobody = { uid: 65_534, gid: 65_534, cwd: '/', timeout: 20_000 }
    const got = await run(process.execPath, ['-e', script], nobody).then(
      () => true,
      () => false,
    )
    outcomes.push({ attack, fate: got ? 'hole' : 'stopped' })
  }
  return outcomes
}

/** Ports of the programs below a process, as the kernel lists them. */
function listeningBelow(pid: number): number[] {
  return processesBelow(pid).flatMap((one) => {
    const inodes = new Set(
      names(`/proc/${one}/fd`).map((name) => /^socket:\[(\d+)\]$/.exec(link(`/proc/${one}/fd/${name}`))?.[1]),
    )
    return file(`/proc/${one}/net/tcp`)
      .split('\n')
      .flatMap((line) => {
        const [, place = '', , state, , , , , , inode] = line.trim().split(/\s+/)
        return state === '0A' && inodes.has(inode) ? [Number.parseInt(place.split(':')[1] ?? '0', 16)] : []
      })
  })
}

/** Neither a file that others may read nor a process that shows it may hold the credential. */
function byFiles(tools: DefaultTools): AttackOutcome[] {
  const password = atob(tools.credential['authorization']?.slice('Basic '.length) ?? '').slice('svc:'.length)
  const open = readdirSync(tools.dataFolder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(tools.dataFolder, name))
    .filter((name) => !lstatSync(name).isSymbolicLink() && (lstatSync(name).mode & 0o007) !== 0)
  const isFolderOpen = (lstatSync(tools.dataFolder).mode & 0o007) !== 0
  const shown = [tools.pid, ...processesBelow(tools.pid)].filter((pid) =>
    ['cmdline', 'environ'].some((name) => file(`/proc/${pid}/${name}`).includes(password)),
  )
  return [
    {
      attack: 'the data folder is open to other users',
      fate: isFolderOpen && open.length > 0 ? 'hole' : 'stopped',
      ...(isFolderOpen ? { detail: open.slice(0, 3).join(', ') } : {}),
    },
    {
      attack: 'the password stands in the arguments or the environment of a process',
      fate: shown.length > 0 ? 'hole' : 'stopped',
    },
    { attack: 'the password is printed', fate: tools.said.includes(password) ? 'hole' : 'stopped' },
  ]
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** As sent: fetch would tidy the path and refuse some headers. */
function send(address: string, method: string, target: string, headers: Headers): Promise<Answer> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    const request = rawRequest({ hostname, port, method, path: target, headers, timeout: 20_000 }, (answer) => {
      let text = ''
      answer.on('data', (piece) => {
        text += piece
      })
      answer.on('close', () => resolve({ status: answer.statusCode ?? 0, text }))
      // A stream that was opened is enough to know.
      if (answer.headers['content-type']?.includes('event-stream')) answer.destroy()
    })
    request.on('error', (error) => resolve({ status: 0, text: error.message }))
    request.end(method === 'GET' || method === 'DELETE' ? undefined : '{}')
  })
}

function file(name: string): string {
  try {
    return readFileSync(name, 'latin1')
  } catch {
    return ''
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function link(name: string): string {
  try {
    return readlinkSync(name)
  } catch {
    return ''
  }
}
