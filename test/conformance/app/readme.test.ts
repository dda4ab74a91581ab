/** What the README tells a newcomer to type, typed. */
import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { sandboxLabel } from '../../../local/gateway/sandbox/sandbox-model.ts'
import { until } from '../../support/daemon-process.ts'
import { ownerPassword, temporaryFolder } from '../../support/running-wharf.ts'

/** Where the README says each part is, and its name in the table of addresses. */
const documentedOrigins = {
  'app-api': 'http://127.0.0.1:8787',
  agent: 'http://127.0.0.1:4096',
  viewer: 'http://127.0.0.1:4747',
} as const
const readme = readFileSync('README.md', 'utf8')
/** How a reader gets the credential of the tools. */
const passwordLine = /^export SVC_PASSWORD=.*$/m.exec(readme)?.[0] ?? ''
const requests = [...readme.matchAll(/^curl .*$/gm)].map(([line]) => line)

/** Beside the loop, which meanwhile hears of connections that the other side closed. */
async function typed(command: string, args: readonly string[], options: SpawnOptionsWithoutStdio = {}) {
  const child = spawn(command, args, options)
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (piece) => {
    stdout += piece
  })
  child.stderr.on('data', (piece) => {
    stderr += piece
  })
  const [status] = await once(child, 'close')
  return { status, stdout, stderr }
}

describe('the README', () => {
  const folder = temporaryFolder()
  let said = ''
  let origin = ''
  let addresses: Readonly<Record<string, string>> = {}
  let token = ''
  let cookie = ''
  let gatewayKey = ''
  let tools: Readonly<Record<string, string>> = {}
  const service = spawn(
    'npm',
    ['start', '--', '--data', folder.path, '--port', '0', '--agent-port', '0', '--viewer-port', '0'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  )

  const post = (path: string, body: unknown) =>
    fetch(`${origin}/api/console/v1${path}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', ...(cookie === '' ? {} : { cookie }) },
      body: JSON.stringify(body),
    })

  beforeAll(async () => {
    for (const stream of [service.stdout, service.stderr]) {
      stream.on('data', (piece) => {
        said += piece
      })
    }
    await until('npm start to be ready', async () => (said.includes('Ready in') ? true : undefined), 90_000)
    addresses = JSON.parse(readFileSync(path.join(folder.path, 'addresses.json'), 'utf8')).addresses
    origin = new URL(addresses['app-api'] ?? '').origin
    const code = /setup\?code=([\w-]+)/.exec(said)?.[1]
    const signedIn = await post('/setup', { code, password: ownerPassword })
    cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const made = await post('/tokens', { name: 'readme', scopes: ['app:read', 'app:write'], lifetime: '30d' })
    token = JSON.parse(await made.text()).text
    const password = readFileSync(path.join(folder.path, 'tools.password'), 'utf8').trim()
    tools = { authorization: `Basic ${btoa(`svc:${password}`)}` }
    gatewayKey = /^Key of the model gateway.*\n {2}(\S+)$/m.exec(said)?.[1] ?? ''
  }, 120_000)
  afterAll(async () => {
    // The whole group, as Ctrl+C in a terminal does.
    if (service.exitCode === null && service.pid !== undefined) {
      process.kill(-service.pid, 'SIGINT')
      await once(service, 'exit')
    }
    folder.remove()
  })

  test('has a first request for each interface that is there', ({ expect }) => {
    for (const place of ['8787/api/app/v1/', '8787/api/v1/', '4096/', '4747/']) {
      expect(requests.some((line) => line.includes(place))).toBe(true)
    }
  })

  test('the agent server has the gateway as its provider, with the key that was made for it', async ({ expect }) => {
    const kept = (file: string) => JSON.parse(readFileSync(path.join(folder.path, file), 'utf8'))
    const answer = await fetch(`${addresses['agent']}/api/provider/wharf`, { headers: tools })
    expect(JSON.parse(await answer.text()).data.api.url).toBe(addresses['gateway'])
    expect(kept('agent/credentials.json').wharf.key).toBe(kept('secrets.json').API_KEY)
    expect(statSync(path.join(folder.path, 'agent/credentials.json')).mode & 0o777).toBe(0o600)
  })

  test('the source of this folder has an index to read soon after the viewer is opened', async ({ expect }) => {
    const stats = await until(
      'the index of the source',
      async () => {
        const answer = await fetch(`${addresses['viewer']}/api/stats`, { headers: tools })
        return answer.ok ? answer.text() : undefined
      },
      // It is built beside everything else, and gives way to it.
      240_000,
    )

    expect(JSON.parse(stats)).toMatchObject({ graph: { files: expect.toSatisfy((count) => count > 100) } })
  }, 300_000)

  test('a project gets its index by the command that stands there', async ({ expect }) => {
    const project = temporaryFolder()
    try {
      writeFileSync(path.join(project.path, 'greet.ts'), 'export const greet = () => greet\n')
      const { stdout } = await typed('node', ['bin/indexer.mjs', 'init', project.path])

      expect(stdout).toMatch(/^1 files, 1 lines, /m)
      expect(existsSync(path.join(project.path, '.indexer', 'index.db'))).toBe(true)
    } finally {
      project.remove()
    }
  })

  test('a device is paired, and asks through the tunnel, by the commands that stand there', async ({ expect }) => {
    const keptIn = path.join(folder.path, 'device.json')
    const device = (...args: string[]) => typed('node', ['scripts/device.mjs', ...args, '--file', keptIn])
    const { code } = JSON.parse(await (await post('/devices/code', { permission: 'read' })).text())

    expect((await device('pair', origin, code)).stdout).toMatch(/^Paired as command line \(\S{12}\) with app:read\n$/)
    const asked = await device('get', '/meta')
    expect(JSON.parse(asked.stdout).principal).toEqual({
      kind: 'remote_device',
      name: 'command line',
      scopes: ['app:read'],
    })
    expect(statSync(keptIn).mode & 0o777).toBe(0o600)
    const body = JSON.stringify({ action: 'pause', targets: [{ downloader_id: 1, task_id: 'a'.repeat(40) }] })
    const refused = await device('post', '/torrents/actions', body)
    expect([refused.status, JSON.parse(refused.stdout).error, refused.stderr]).toEqual([1, 'forbidden', '403\n'])
    expect(await device('pair', origin, code)).toMatchObject({ status: 1, stderr: expect.stringMatching(/^401 /) })
    expect((await device('post')).status).toBe(2)
  })

  test.each(requests)('%s works when pasted', async (line) => {
    let command = `${passwordLine.replace('.data/', `${folder.path}/`)}; ${line}`
    for (const [name, documented] of Object.entries(documentedOrigins)) {
      command = command.replaceAll(documented, new URL(addresses[name] ?? '').origin)
    }
    const { stdout, status } = await typed('bash', ['-c', `${command} -w '\\n%{http_code}'`], {
      env: { ...process.env, WHARF_TOKEN: token, WHARF_API_KEY: gatewayKey },
    })

    if (status !== 0 || !/\n20[0-9]$/.test(stdout.trimEnd())) throw new Error(`${status}: ${stdout}`)
  })

  test('the agent server answers through the gateway out of the box, and the sandbox says what it is', async ({
    expect,
  }) => {
    const agent = `${addresses['agent']}/api/session`
    const post = async (address: string, body?: unknown) => {
      const headers = { ...tools, 'content-type': 'application/json' }
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
      return answer.text()
    }
    const session = `${agent}/${JSON.parse(await post(agent, {})).data.id}`
    await post(`${session}/prompt`, { prompt: { text: 'Are you there?' } })
    await post(`${session}/wait`)
    const messages = await (await fetch(`${session}/message`, { headers: tools })).text()

    expect(said).toContain('SANDBOX: no credentials of a model provider are set')
    expect(messages).toContain(`${sandboxLabel} You said: Are you there?`)
  })

  test('npm start prints the addresses of what it started', ({ expect }) => {
    for (const name of ['console', 'app-api', 'gateway', 'agent', 'viewer']) {
      expect(said).toMatch(new RegExp(`^  ${name} +http://127\\.0\\.0\\.1:\\d+`, 'm'))
    }
  })
})
