import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { describe, test } from 'vitest'
import { endAfterTest, makeDataFolder } from '../../support/data-folder.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import {
  processesBelow,
  runtimesOf,
  runtimeUnderTest,
  startBootstrap,
  startNpm,
  startProbe,
  startServe,
  until,
} from '../../support/process-host.ts'

const stopBoundMs = 2_000

// Many start the host twice, which takes seconds where the cores are shared.
describe('a start of the host', { timeout: 180_000 }, () => {
  test('keeps rows of the database and of objects over a stop and a second start', async ({ expect }) => {
    const folder = await makeDataFolder()
    const first = endAfterTest(startProbe(folder))
    const address = await first.ready()
    await fetch(`${address}/database?value=one`, { method: 'POST' })
    await fetch(`${address}/object?value=two`, { method: 'POST' })
    first.child.kill('SIGTERM')
    expect(await first.exit).toEqual({ code: 0, signal: null })
    expect(runtimesOf(folder)).toEqual([])

    const second = endAfterTest(startProbe(folder))
    const again = await second.ready()
    expect(await (await fetch(`${again}/database`)).json()).toEqual(['one'])
    expect(await (await fetch(`${again}/object`)).json()).toEqual(['two'])
  })

  test('serves the App API and a table of addresses that is gone after the end', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', '0']))
    const address = await host.ready()
    const answer = await fetch(`${address}/api/app/v1/meta`)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ error: 'unauthorized' })
    await until(() => host.stdout().includes('Ready in'))
    const table = JSON.parse(await readFile(path.join(folder, 'addresses.json'), 'utf8'))
    expect(table).toEqual({
      pid: host.pid,
      addresses: {
        console: `${address}/`,
        'app-api': `${address}/api/app/v1`,
        gateway: `${address}/api/v1`,
        agent: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        viewer: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      },
    })
    expect((await stat(path.join(folder, 'addresses.json'))).mode & 0o777).toBe(0o600)

    host.child.kill('SIGINT')
    const stopStarted = performance.now()
    expect(await host.exit).toEqual({ code: 0, signal: null })
    expect(performance.now() - stopStarted).toBeLessThan(stopBoundMs)
    expect(await readdir(folder)).not.toContain('addresses.json')
    expect(await readdir(folder)).not.toContain('host.lock')
    expect(runtimesOf(folder)).toEqual([])
  })

  test('lets pages of the origins that were named ask first, and of no other', async ({ expect }) => {
    const folder = await makeDataFolder()
    const named = ['https://panel.example', 'https://second.example:8443']
    const flags = named.flatMap((origin) => ['--api-origin', origin])
    const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', '0', ...flags]))
    const address = await host.ready()
    const allowed = async (origin: string) => {
      const headers = { origin, 'access-control-request-method': 'POST' }
      const answer = await fetch(`${address}/api/app/v1/search`, { method: 'OPTIONS', headers })
      return answer.headers.get('access-control-allow-origin')
    }
    expect(await Promise.all(named.map(allowed))).toEqual(named)
    expect(await allowed('https://other.example')).toBeNull()
  })

  test('is fast when there is nothing to make', async ({ expect }) => {
    const folder = await makeDataFolder()
    // What other tests kept is not seen.
    const env = { ...process.env, XDG_CACHE_HOME: await makeDataFolder() }
    const start = (data: string) => endAfterTest(startServe(['--workers', '--data', data, '--port', '0'], { env }))
    const first = start(folder)
    await first.ready()
    expect(first.stdout()).toContain('Bundling')
    first.child.kill('SIGTERM')
    await first.exit
    const started = performance.now()
    const second = start(folder)
    await second.ready()
    process.stdout.write(`second start: ready after ${Math.round(performance.now() - started)} ms\n`)
    const elsewhere = start(await makeDataFolder())
    await elsewhere.ready()
    expect(elsewhere.stdout()).not.toContain('Bundling')
    expect(second.stdout()).not.toContain('Bundling')
    expect(second.stdout()).not.toContain('migration')
  })

  test('through the bootstrap ends when the bootstrap is killed', { tags: 'slow' }, async ({ expect }) => {
    const folder = await makeDataFolder()
    const bootstrap = endAfterTest(startBootstrap(['--data', folder, '--port', '0']))
    await bootstrap.ready()
    expect(runtimesOf(folder)).toHaveLength(1)
    bootstrap.child.kill('SIGKILL')
    await until(() => runtimesOf(folder).length === 0)
    const next = endAfterTest(startBootstrap(['--data', folder, '--port', '0']))
    await next.ready()
    next.child.kill('SIGTERM')
    expect(await next.exit).toEqual({ code: 0, signal: null })
  })

  test.for(['SIGTERM', 'SIGKILL'] as const)('through npm ends when npm gets %s', async (signal, { expect }) => {
    const folder = await makeDataFolder()
    const npm = endAfterTest(startNpm(['--data', folder, '--port', '0']))
    await npm.ready()
    npm.child.kill(signal)
    const stopStarted = performance.now()
    await until(() => runtimesOf(folder).length === 0)
    await until(async () => !(await readdir(folder)).includes('host.lock'))
    expect(performance.now() - stopStarted).toBeLessThan(stopBoundMs)
  })

  test('refuses a port that is in use with one line, and leaves nothing behind', async ({ expect, onTestFinished }) => {
    const folder = await makeDataFolder()
    const blocker = net.createServer()
    const address = await listenOnLoopback(blocker)
    onTestFinished(() => void blocker.close())
    const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', String(address.port)]))
    expect(await host.exit).toEqual({ code: 1, signal: null })
    expect(host.stderr()).toBe(`Port ${address.port} is in use; choose another with --port (0 takes any free one)\n`)
    expect(await readdir(folder)).toEqual(['host.mutex'])
  })

  test('refuses a data folder with a file in the way', async ({ expect }) => {
    const folder = await makeDataFolder()
    await writeFile(path.join(folder, 'file'), '')
    const host = endAfterTest(startServe(['--workers', '--data', path.join(folder, 'file', 'data'), '--port', '0']))
    expect(await host.exit).toEqual({ code: 1, signal: null })
    expect(host.stderr()).toMatch(/^The data folder .+ cannot be written \(a file is in the way\); .+ --data\n$/)
  })

  test.skipIf(process.getuid?.() !== 0)(
    'refuses a data folder of someone else (skipped unless root)',
    async ({ expect }) => {
      const folder = await makeDataFolder()
      await mkdir(path.join(folder, 'closed'), { mode: 0o700 })
      const host = endAfterTest(
        startServe(['--workers', '--data', path.join(folder, 'closed'), '--port', '0'], { uid: 65_534 }),
      )
      expect(await host.exit).toEqual({ code: 1, signal: null })
      expect(host.stderr()).toMatch(/^The data folder .+ cannot be written \(permission denied\); .+\n$/)
    },
  )

  test('without the Worker starts the loopback tools alone', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = endAfterTest(startServe(['--data', folder]))
    await until(() => host.stdout().includes('Ready in'))
    const { addresses } = JSON.parse(await readFile(path.join(folder, 'addresses.json'), 'utf8'))

    expect(Object.keys(addresses)).not.toContain('console')
    const password = (await readFile(path.join(folder, 'tools.password'), 'utf8')).trim()
    const headers = { authorization: `Basic ${btoa(`svc:${password}`)}` }
    expect((await fetch(`${addresses.agent}/api/health`)).status).toBe(401)
    expect((await fetch(`${addresses.agent}/api/health`, { headers })).status).toBe(200)
    expect((await fetch(`${addresses.viewer}/api`)).status).toBe(401)
    expect((await fetch(`${addresses.viewer}/api`, { headers })).headers.get('content-type')).toContain('json')
    expect(host.stdout()).toMatch(/^ {2}agent +http:\/\/127\.0\.0\.1:\d+\/auth\/browser\?token=\S{43}$/m)
    expect(host.stdout()).toContain(`Programs: user svc, password kept in ${folder}/tools.password.`)
    expect(runtimesOf(folder)).toEqual([])

    host.child.kill('SIGINT')
    expect(await host.exit).toEqual({ code: 0, signal: null })
    await expect(fetch(`${addresses.agent}/api/health`)).rejects.toThrow()
  })

  test('builds the index of its folder once somebody opens the viewer, and not before', { tags: 'slow' }, async ({
    expect,
  }) => {
    const folder = await makeDataFolder()
    const project = path.join(folder, 'project')
    await mkdir(project)
    await writeFile(path.join(project, 'harbour.ts'), 'export function moor() {}\n')
    const host = endAfterTest(startServe(['--data', folder, '--keep-index'], { cwd: project }))
    await until(() => host.stdout().includes('Ready in'))
    const { addresses } = JSON.parse(await readFile(path.join(folder, 'addresses.json'), 'utf8'))
    const headers = {
      authorization: `Basic ${btoa(`svc:${(await readFile(`${folder}/tools.password`, 'utf8')).trim()}`)}`,
    }

    expect((await fetch(`${addresses.viewer}/`)).status).toBe(401)
    expect((await fetch(`${addresses.agent}/api/health`, { headers })).status).toBe(200)
    expect(await readdir(project)).toEqual(['harbour.ts'])

    expect((await fetch(`${addresses.viewer}/api`, { headers })).status).toBe(200)
    const stats = async () => (await fetch(`${addresses.viewer}/api/stats`, { headers })).text()
    await expect.poll(stats, { timeout: 90_000, interval: 200 }).toContain('"nodes"')
    expect((await readdir(project)).sort()).toEqual(['.indexer', 'harbour.ts'])
  })

  test('leaves out what it is told to, and says that open tools are open', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = endAfterTest(startServe(['--data', folder, '--without', 'viewer', '--no-auth']))
    await until(() => host.stdout().includes('Ready in'))
    const { addresses } = JSON.parse(await readFile(path.join(folder, 'addresses.json'), 'utf8'))

    expect(Object.keys(addresses)).toEqual(['agent'])
    expect(host.stdout()).toMatch(
      /^OPEN \(--no-auth\): every user of this machine may run commands as you, in the agent/m,
    )
    expect((await fetch(`${addresses.agent}/api/health`)).status).toBe(200)
    expect(await readdir(folder)).not.toContain('tools.password')
  })

  test.for([
    ['--unknown'],
    ['--without', 'gateway'],
    ['extra'],
    ['--port', '65536'],
    ['--port', '-1'],
    ['--port', '1e3'],
    ['--port', ''],
    ['--port'],
    ['--viewer-port', 'x'],
    ['--data', ' '],
    ['--allow-host', 'a b'],
    ['--allow-host', 'http://a'],
    ['--public-url', 'wharf.example'],
    ['--public-url', 'https://nas.example/api'],
    ['--public-url', 'https://nas.example/wharf', '--runtime', 'workerd'],
    ['--api-origin', 'panel.example'],
    ['--api-origin', 'https://panel.example/page'],
    ['--api-origin', '*'],
    ['--trusted-proxy', 'nginx'],
    ['--trusted-proxy', '0.0.0.0/0'],
  ])('refuses the arguments %j with one line and exit code 2', async (args, { expect }) => {
    const host = endAfterTest(startServe(['--workers', ...args]))
    expect(await host.exit).toEqual({ code: 2, signal: null })
    expect(host.stderr()).toMatch(/^[^\n]+\n$/)
    expect(host.stdout()).toBe('')
  })

  test('prints its usage', async ({ expect }) => {
    const host = endAfterTest(startServe(['--help']))
    expect(await host.exit).toEqual({ code: 0, signal: null })
    const flags = [
      '--data',
      '--port',
      '--agent-port',
      '--viewer-port',
      '--allow-host',
      '--public-url',
      '--trusted-proxy',
    ]
    for (const flag of [...flags, '--without', '--no-auth', '--new-setup-link']) {
      expect(host.stdout()).toContain(flag)
    }
  })

  test('shows no secret in the arguments or environment of any process', async ({ expect }) => {
    const folder = await makeDataFolder()
    const host = endAfterTest(startServe(['--workers', '--data', folder, '--port', '0']))
    await host.ready()
    const secrets: string[] = Object.values(JSON.parse(await readFile(path.join(folder, 'secrets.json'), 'utf8')))
    expect(secrets).toHaveLength(3)
    const processes = [host.pid, ...processesBelow(host.pid)]
    // The runtime and who watches it; the other one is the host itself.
    expect(processes.length).toBeGreaterThanOrEqual(runtimeUnderTest === 'node' ? 1 : 3)
    for (const pid of processes) {
      const shown = `${await readFile(`/proc/${pid}/environ`, 'utf8')}${await readFile(`/proc/${pid}/cmdline`, 'utf8')}`
      for (const secret of secrets) expect(shown).not.toContain(secret)
    }
  })
})
