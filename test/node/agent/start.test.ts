import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'vitest'
import { startAgentServer } from '../../../local/agent/compose.ts'
import { startTestServer } from '../../support/agent-server.ts'
import { gate, startFakeModel } from '../../support/fake-model.ts'
import { freePort } from '../../support/free-port.ts'
import { keptCode } from '../../support/kept-code.ts'
import { processesWith } from '../../support/process-search.ts'

const svc = path.resolve(import.meta.dirname, '../../../local/svc.mjs')
const shim = path.resolve(import.meta.dirname, '../../../bin/svc.mjs')
const children: ChildProcess[] = []
let base: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-')))
  await mkdir(path.join(base, 'project'))
})

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await rm(base, { recursive: true, force: true })
})

/** Makes a program say, when it listens, which files it has loaded by then. */
const tellingLoaded = `--import data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const write = process.stdout.write
  process.stdout.write = function (text, ...more) {
    if (String(text).includes('listening on')) process.stderr.write(loaded.map((url) => 'loaded ' + url + '\\n').join(''))
    return write.call(this, text, ...more)
  }`)}`

/** Makes a program take the Node that runs it for an older one. What it starts itself is not fooled. */
const olderNode = `--import data:text/javascript,${encodeURIComponent(`
  const real = process
  delete real.env.NODE_OPTIONS
  const told = { versions: { ...real.versions, node: '20.19.0' }, execve: undefined }
  globalThis.process = new Proxy(real, {
    get: (_, key) => key in told ? told[key] : typeof real[key] === 'function' ? real[key].bind(real) : real[key],
  })`)}`

interface Started {
  readonly child: ChildProcess
  readonly address: string
  readonly output: string
}

function run(args: readonly string[], environment: Record<string, string | undefined> = {}, script = svc) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: path.join(base, 'project'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: base,
      XDG_CONFIG_HOME: path.join(base, 'config'),
      SVC_DATA_DIR: path.join(base, 'data'),
      ...keptCode,
      ...environment,
    },
  })
  children.push(child)
  let output = ''
  let problem = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    problem += chunk.toString('utf8')
  })
  return { child, output: () => output, problem: () => problem }
}

async function started(
  args: readonly string[],
  environment: Record<string, string> = {},
  script = svc,
): Promise<Started> {
  const { child, output, problem } = run(args, environment, script)
  for (;;) {
    const address = /listening on (http:\/\/\S+)\n/.exec(output())?.[1]
    if (address !== undefined) return { child, address, output: output() }
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${problem()}`)
    await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')])
  }
}

async function refused(args: readonly string[], environment: Record<string, string> = {}) {
  const { child, problem } = run(args, environment)
  const [code] = await once(child, 'close')
  return { code, problem: problem() }
}

async function config(values: unknown): Promise<void> {
  await mkdir(path.join(base, 'config', 'svc'), { recursive: true })
  await writeFile(
    path.join(base, 'config', 'svc', 'svc.jsonc'),
    typeof values === 'string' ? values : JSON.stringify(values),
  )
}

describe('svc serve', () => {
  test('without flags it listens on 127.0.0.1 and a port of the system, and prints the address', async ({ expect }) => {
    const { address, output } = await started(['serve'])

    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(output).toContain('No password is set')
    expect(await (await fetch(`${address}/health`)).text()).toBe('ok\n')
    const location = (await (await fetch(`${address}/api/location`)).json()) as { directory: string }
    expect(location.directory).toBe(path.join(base, 'project'))
  })

  test('the shim of the package starts it as well', async ({ expect }) => {
    const { address } = await started(['serve'], {}, shim)

    expect((await fetch(`${address}/health`)).status).toBe(200)
  })

  test('the shim runs on an older Node as well, and passes on what ends it', async ({ expect }) => {
    const { child, address } = await started(['serve'], { NODE_OPTIONS: olderNode }, shim)
    expect((await fetch(`${address}/health`)).status).toBe(200)

    child.kill('SIGTERM')
    await once(child, 'exit')

    await expect(fetch(`${address}/health`)).rejects.toThrow()
  })

  test.for(['svc', 'indexer'])(
    'without a Node that is new enough, %s says in one line what is missing',
    async (name, { expect }) => {
      for (const file of [
        'bin/svc.mjs',
        'bin/indexer.mjs',
        'bin/installation.mjs',
        'bin/kept-folder.mjs',
        'bin/run-program.mjs',
        'package.json',
        'scripts/lean-process.mjs',
        'scripts/packages.mjs',
        'scripts/pinned-node.mjs',
      ]) {
        await mkdir(path.dirname(path.join(base, 'alone', file)), { recursive: true })
        await copyFile(path.resolve(import.meta.dirname, '../../..', file), path.join(base, 'alone', file))
      }
      const { child, problem } = run(
        ['serve'],
        { NODE_OPTIONS: olderNode },
        path.join(base, 'alone', 'bin', `${name}.mjs`),
      )
      const [code] = await once(child, 'close')

      expect(code).toBe(1)
      expect(problem()).toBe(
        `wharf runs its code on Node 24 or newer: this is 20.19.0, and the package node-${process.platform}-${process.arch} is not installed or does not run here; install Node 24 and start again\n`,
      )
    },
  )

  test('what only a turn, a terminal or a price needs is loaded after it listens', async ({ expect }) => {
    const { problem, output } = run(['serve'], { NODE_OPTIONS: tellingLoaded })
    await expect.poll(output, { timeout: 30_000 }).toContain('listening on')

    const loaded = problem().match(/^loaded .*$/gm) ?? []
    expect(loaded.some((line) => line.endsWith('/local/agent/compose/agent-parts.ts'))).toBe(true)
    expect(
      loaded.filter((line) => /\/compose\/(?:turns|tools)\.ts$|\/node_modules\/(?:ws|@ai-sdk|smol-toml)\//.test(line)),
    ).toEqual([])
  })

  test('a second start finds what the first compiled, and compiles nothing', { tags: 'slow' }, async ({ expect }) => {
    const traced = { NODE_COMPILE_CACHE: undefined, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
    const compiled = async () => {
      const { child, output, problem } = run(['serve'], traced)
      // What is loaded once it listens is there as well: both starts are ended at the same place.
      await expect
        .poll(() => `${output()}${problem()}`, { timeout: 30_000 })
        .toMatch(/listening on[\s\S]*transpile cache for .*\/compose\/turns\.ts/)
      child.kill('SIGTERM')
      await once(child, 'close')
      const lines = `${output()}${problem()}`.split('\n')
      return {
        fromText: lines.filter((line) => line.includes('no transpile cache for')).length,
        found: lines.filter((line) => /retrieving transpile cache for .*\/local\/svc\.ts\.\.\.success/.test(line))
          .length,
      }
    }

    const first = await compiled()
    expect(first.fromText).toBeGreaterThan(10)
    expect(first.found).toBe(0)
    expect(await compiled()).toEqual({ fromText: 0, found: 1 })
  })

  test('flags say where it listens', async ({ expect }) => {
    const port = await freePort()
    const { address } = await started(['serve', '--hostname', 'localhost', '--port', String(port)])

    expect(address).toBe(`http://localhost:${port}`)
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  })

  test('without flags the configuration says it, and a flag wins', async ({ expect }) => {
    const [configured, flagged] = [await freePort(), await freePort()]
    await config(`{ // where it listens\n "server": { "hostname": "localhost", "port": ${configured}, }, }`)

    expect((await started(['serve'])).address).toBe(`http://localhost:${configured}`)
    const other = await started(['serve', '--port', String(flagged), '--data', path.join(base, 'other')])
    expect(other.address).toBe(`http://localhost:${flagged}`)
  })

  test('a password opens other addresses; the user name is svc only when none is given', async ({ expect }) => {
    const { address } = await started(['serve', '--hostname', '0.0.0.0'], { SVC_SERVER_PASSWORD: 'sesame' })
    const target = address.replace('0.0.0.0', '127.0.0.1')
    const get = (name: string) =>
      fetch(`${target}/health`, { headers: { authorization: `Basic ${btoa(`${name}:sesame`)}` } })

    expect((await fetch(`${target}/health`)).status).toBe(401)
    expect((await get('svc')).status).toBe(200)
    const named = await started(['serve', '--data', path.join(base, 'other')], {
      SVC_SERVER_PASSWORD: 'sesame',
      SVC_SERVER_USERNAME: '',
    })
    const withName = (name: string) =>
      fetch(`${named.address}/health`, { headers: { authorization: `Basic ${btoa(`${name}:sesame`)}` } })
    expect((await withName('svc')).status).toBe(401)
    expect((await withName('')).status).toBe(200)
  })

  test.for([
    ['0.0.0.0', {}],
    ['::', {}],
    ['0.0.0.0', { SVC_SERVER_PASSWORD: '' }],
  ] as const)(
    '%s without a password is refused, and the variable is named (%o)',
    async ([hostname, environment], { expect }) => {
      const { code, problem } = await refused(['serve', '--hostname', hostname], { ...environment })

      expect(code).toBe(1)
      expect(problem).toContain('SVC_SERVER_PASSWORD')
      expect(problem.trim().split('\n')).toHaveLength(1)
    },
  )

  test.for([
    [['serve', '--port', 'http']],
    [['serve', '--port', '65536']],
    [['serve', '--port', '-1']],
    [['serve', '--unknown']],
    [['sreve']],
    [[]],
  ] as const)('%o is refused with code 2', async ([args], { expect }) => {
    expect((await refused(args)).code).toBe(2)
  })

  test.for([{}, { SVC_SERVER_PASSWORD: 'sesame' }])(
    'a data folder that cannot be written is told in one line (%o)',
    async (environment, { expect }) => {
      const folder = path.join(base, 'file', 'data')
      await writeFile(path.join(base, 'file'), '')
      const { code, problem } = await refused(['serve', '--data', folder], environment)

      expect(code).toBe(1)
      expect(problem).toBe(`The data folder ${folder} cannot be written\n`)
    },
  )

  test.for([[], ['generate'], ['serve', 'again'], ['--browser'], ['trust', 'this']] as const)(
    'svc %o is no command: the usage is told and nothing starts',
    async (args, { expect }) => {
      const { child, output, problem } = run(args)
      expect(await once(child, 'exit')).toEqual([2, null])
      expect(output()).toBe('')
      expect(problem()).not.toBe('')
    },
  )

  test('a port in use is told in one line', async ({ expect }) => {
    const first = await started(['serve'])
    const port = new URL(first.address).port
    const { code, problem } = await refused(['serve', '--port', port, '--data', path.join(base, 'other')])

    expect(code).toBe(1)
    expect(problem).toBe(`Port ${port} is in use\n`)
  })

  test.for([
    ['{\n "server": {\n  "prot": 1\n }\n}', ':3: server.prot: unknown key'],
    ['{\n "server": { "port": 99999 }\n}', ':2: server.port'],
    ['{\n "model": \n}', ':3: '],
  ] as const)('a mistake in the configuration names file and line: %o', async ([text, part], { expect }) => {
    await config(text)
    const { code, problem } = await refused(['serve'])

    expect(code).toBe(1)
    expect(problem).toContain(`${path.join(base, 'config', 'svc', 'svc.jsonc')}${part}`)
  })

  test('a project cannot move the listener off this machine, nor name an address or a key', async ({ expect }) => {
    const model = await startFakeModel()
    await writeFile(
      path.join(base, 'project', 'svc.json'),
      JSON.stringify({
        server: { hostname: '0.0.0.0' },
        model: 'evil/x',
        provider: { evil: { baseURL: model.url } },
        permission: 'allow',
      }),
    )
    const { address } = await started(['serve'])

    expect(address).toContain('127.0.0.1')
    const providers = (await (await fetch(`${address}/api/provider`)).json()) as { data: { id: string }[] }
    expect(providers.data).toEqual([])
    await model.close()
  })

  test('it ends on SIGTERM although a client keeps a stream open', async ({ expect }) => {
    const { child, address } = await started(['serve'])
    const response = await fetch(`${address}/api/event`)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')

    expect(code).toBe(0)
    await response.body?.cancel().catch(() => undefined)
  })

  test('its data is for its owner only', async ({ expect }) => {
    await started(['serve'])

    expect((await stat(path.join(base, 'data'))).mode & 0o777).toBe(0o700)
    expect((await stat(path.join(base, 'data', 'agent.db'))).mode & 0o777).toBe(0o600)
  })

  test('with --browser-auth it prints one address that signs a browser in, and the token is written nowhere else', async ({
    expect,
  }) => {
    const { child, problem } = run(['serve', '--browser-auth'])
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8')
    })
    const printed = () => /(http:\/\/127\.0\.0\.1:\d+)\/auth\/browser\?token=(\S+)\n/.exec(output)
    await expect.poll(printed).not.toBeNull()
    const [entrance = '', address = '', token = ''] = printed() ?? []
    expect(output).not.toContain('No password is set')
    expect((await fetch(`${address}/health`)).status).toBe(401)

    const query = `?token=${token}`
    const opened = await fetch(entrance.trim(), { redirect: 'manual' })
    expect(opened.status).toBe(303)
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    for (const target of [
      `/auth/browser${query}`,
      `/auth/browser${query}&token=x`,
      `/api/session${query}`,
      `/x${query}`,
    ]) {
      await fetch(`${address}${target}`)
      await fetch(`${address}${target}`, { headers: { cookie } })
    }
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(output.split(token)).toHaveLength(2)
    expect(problem()).not.toContain(token)
    const files = await readdir(path.join(base, 'data'), { recursive: true, withFileTypes: true })
    const kept = files.filter((file) => file.isFile()).map((file) => path.join(file.parentPath, file.name))
    expect(kept.length).toBeGreaterThan(1)
    for (const file of kept) expect((await readFile(file)).includes(token), file).toBe(false)
  })

  test.for([{}, { SVC_SERVER_PASSWORD: 'sesame' }])(
    'with --browser-auth an address that is not loopback is refused (%o)',
    async (environment, { expect }) => {
      const { code, problem } = await refused(['serve', '--browser-auth', '--hostname', '0.0.0.0'], environment)
      expect(code).toBe(1)
      expect(problem).toBe(
        '0.0.0.0 resolves to 0.0.0.0, which is not a loopback address; --browser-auth is for loopback addresses alone\n',
      )
    },
  )

  test('a command of the model finds the password nowhere', async ({ expect }) => {
    const canary = 'canary-password-8125'
    const model = await startFakeModel()
    await config({
      model: 'fake/one',
      permission: 'allow',
      sandbox: { environment: ['INHERITED'] },
      provider: { fake: { baseURL: model.url } },
    })
    const hunt =
      'env; for p in /proc/[0-9]*; do tr "\\0" "\\n" < $p/environ; tr "\\0" " " < $p/cmdline; done 2>/dev/null; cat "$HOME"/data/* 2>/dev/null'
    // The pattern does not match its own text, which is in the command lines that are searched.
    const command = `(${hunt}) | grep -a -o "canary-pass[w]ord-[a-z0-9]*" | sort -u; echo searched`
    model.script({ calls: [{ id: 'c1', name: 'bash', input: { command } }] }, { text: ['done'] })
    const { address } = await started(['serve'], {
      SVC_SERVER_PASSWORD: canary,
      SVC_SERVER_USERNAME: 'canary-password-name',
      INHERITED: 'canary-password-inherited',
    })
    const headers = {
      authorization: `Basic ${btoa(`canary-password-name:${canary}`)}`,
      'content-type': 'application/json',
    }
    const post = (target: string, body: unknown) =>
      fetch(`${address}${target}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { data } = (await (await post('/api/session', {})).json()) as { data: { id: string } }
    await post(`/api/session/${data.id}/prompt`, { prompt: { text: 'SearchRun' } })
    await post(`/api/session/${data.id}/wait`, {})

    const result = JSON.stringify(model.asked[1]?.messages.at(-1))
    expect(result).toContain('searched')
    // The hunt finds what is there to be found: another variable is handed on, since the configuration names it.
    expect(result).toContain('canary-password-inherited')
    expect(result).not.toContain(canary)
    expect(result).not.toContain('canary-password-name')
    const left = (await readdir(path.join(base, 'data'))).filter((name) => name.startsWith('start-'))
    expect(left).toEqual([])
    await model.close()
  }, 30_000)
})

test('killed while a command runs: the command ends, its call is uncertain and never run again, what waited goes on', async ({
  expect,
}) => {
  const model = await startFakeModel()
  await config({ model: 'fake/one', permission: 'allow', provider: { fake: { baseURL: model.url } } })
  model.script({ calls: [{ id: 'c1', name: 'bash', input: { command: 'echo run >> runs; sleep 600.404' } }] })
  const runs = () => readFile(path.join(base, 'project', 'runs'), 'utf8').catch(() => '')
  const post = async (address: string, target: string, body: unknown) => {
    const response = await fetch(`${address}${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const first = await started(['serve'])
  const session = JSON.parse((await post(first.address, '/api/session', {})).text).data.id as string
  await post(first.address, `/api/session/${session}/prompt`, { prompt: { text: 'Sleep' } })
  await expect.poll(runs, { timeout: 10_000 }).not.toBe('')
  await post(first.address, `/api/session/${session}/prompt`, { prompt: { text: 'Later' }, delivery: 'queue' })
  const exited = once(first.child, 'exit')
  first.child.kill('SIGKILL')
  await exited

  await expect.poll(() => processesWith('sleep 600.404'), { timeout: 10_000 }).toEqual([])
  const hold = gate()
  model.script({ text: ['one'], hold: hold.wait }, { text: ['two'] })
  const second = await started(['serve'])
  const active = async () => JSON.stringify(await (await fetch(`${second.address}/api/session/active`)).json())
  expect(await active()).toContain(session)
  hold.open()
  await post(second.address, `/api/session/${session}/wait`, {})
  expect(await active()).not.toContain(session)
  const messages = async () =>
    ((await (await fetch(`${second.address}/api/session/${session}/message?order=asc`)).json()) as { data: unknown[] })
      .data
  expect(await messages()).toMatchObject([
    { type: 'user', text: 'Sleep' },
    {
      type: 'assistant',
      error: { reason: 'interrupted' },
      content: [{ name: 'bash', state: { status: 'error', error: { reason: 'uncertain' } } }],
    },
    { type: 'user', text: 'Later' },
    { type: 'assistant', content: [{ text: 'one' }] },
  ])
  expect(model.asked).toHaveLength(2)

  await post(second.address, `/api/session/${session}/prompt`, { prompt: { text: 'Now' } })
  await post(second.address, `/api/session/${session}/wait`, {})
  const texts = ((await messages()) as { type: string; text?: string }[])
    .filter(({ type }) => type === 'user')
    .map(({ text }) => text)
  expect(texts).toEqual(['Sleep', 'Later', 'Now'])
  expect(JSON.stringify(model.asked[1]?.messages)).toContain('whether it took effect is not known')
  expect((await runs()).trim().split('\n')).toHaveLength(1)
  await model.close()
}, 60_000)

describe('the loopback rule', () => {
  test.for([
    [['127.0.0.1', '::1'], true],
    [['127.0.0.1', '192.0.2.7'], false],
    [['::1', '2001:db8::7'], false],
    [['192.0.2.7'], false],
    [[], false],
  ] as const)(
    'a name that resolves to %o may be bound without a password: %s',
    async ([addresses, isAllowed], { expect }) => {
      const start = startAgentServer({
        hostname: 'named.example',
        port: 0,
        dataDir: path.join(base, 'data'),
        directory: base,
        version: '0',
        credentials: undefined,
        places: { userFolder: base, extraFile: undefined },
        environment: {},
        resolveHost: async () => addresses,
      })

      if (isAllowed) await (await start).close()
      else await expect(start).rejects.toThrow(/named\.example resolves to/)
    },
  )
})

test('a second server of the same folder leaves alone what the first one runs', async ({ expect }) => {
  const hold = gate()
  const first = await startTestServer()
  first.model.script({ text: ['half'], hold: hold.wait })
  const session = await first.createSession()
  await first.prompt(session, 'Go on')
  await first.events(`/api/session/${session}/event`, (seen) =>
    seen.some((event) => event.data.type === 'session.next.text.delta'),
  )
  await first.prompt(session, 'Later', { delivery: 'queue', resume: false })

  const second = await startTestServer({ dataDir: first.dataDir, resumeAtStart: true })
  const seen = (await second.messages(session)).at(-1)
  expect(seen).toMatchObject({ type: 'assistant', content: [{ text: 'half' }] })
  expect(seen?.type === 'assistant' ? seen.time.completed : 0).toBeUndefined()
  await second.close()
  first.model.script({ text: ['next'] })
  hold.open()
  await first.wait(session)

  expect((await first.messages(session)).flatMap((one) => (one.type === 'assistant' ? [one.finish] : []))).toEqual([
    'stop',
    'stop',
  ])
  await first.close()
})

test('a restart drives accepted prompts once and in order, and leaves those that were not to resume', async ({
  expect,
}) => {
  const hold = gate()
  const server = await startTestServer()
  server.model.script({ text: ['never'], hold: hold.wait })
  const session = await server.createSession()
  const quiet = await server.createSession()
  await server.prompt(session, 'Begun')
  await expect.poll(() => server.model.asked.length, { timeout: 10_000 }).toBe(1)
  for (const text of ['One', 'Two']) await server.prompt(session, text, { delivery: 'queue' })
  await server.prompt(quiet, 'Quietly', { resume: false })

  server.model.otherwise({ text: ['ok'] })
  await server.restart({ resumeAtStart: false })
  hold.open()
  await server.wait(session)
  expect(server.model.asked).toHaveLength(1)

  await server.restart({ resumeAtStart: true })
  await server.wait(session)
  await server.wait(quiet)
  expect(server.model.asked).toHaveLength(3)
  const texts = (await server.messages(session)).flatMap((one) => (one.type === 'user' ? [one.text] : []))
  expect(texts).toEqual(['Begun', 'One', 'Two'])
  expect(await server.messages(quiet)).toEqual([])
  await server.close()
})
