/** Signing in at a tool server: the owner's browser goes there and comes back, and what that gave is kept sealed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, describe, test } from 'vitest'
import { maySignInAsk } from '../../../local/agent/adapters/sign-in-guard.ts'
import type { AgentServerOptions } from '../../../local/agent/compose/options.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'
import { type EndpointOptions, startFakeToolEndpoint } from '../../support/fake-tool-endpoint.ts'
import { keptCode } from '../../support/kept-code.ts'
import { type AuthorizationOptions, startStandInAuthorization } from '../../support/stand-in-authorization.ts'

const done = { text: ['done'] }
const echo = { calls: [{ id: 'e', name: 'far_echo', input: { text: 'hello' } }] }

let server: TestServer
let endpoint: Awaited<ReturnType<typeof startFakeToolEndpoint>>
let authorization: Awaited<ReturnType<typeof startStandInAuthorization>>
let faults: string[]

async function start(
  options: Partial<AuthorizationOptions> = {},
  settings: Record<string, unknown> = {},
  more: Partial<EndpointOptions> = {},
): Promise<void> {
  authorization = await startStandInAuthorization({ resource: () => endpoint.url, ...options })
  endpoint = await startFakeToolEndpoint({
    transport: 'stream',
    authorization: (sent) => (authorization.accepts(sent) ? 'good' : 'none'),
    authorizationServers: [authorization.issuer],
    ...more,
  })
  faults = []
  const given: Partial<AgentServerOptions> = {
    toolServerRetryMs: 60_000,
    logger: { error: (event, fields) => faults.push(`${event} ${JSON.stringify(fields)} ${String(fields['cause'])}`) },
  }
  const far = { type: 'remote', url: endpoint.url, ...settings }
  server = await startTestServer({ config: { mcp: { far, shop: { type: 'local', command: ['false'] } } }, ...given })
}

afterEach(async () => {
  await server.close()
  await endpoint.close()
  await authorization.close()
})

const farOf = async () =>
  (await server.send('GET', '/api/mcp')).body.data.find(({ name }: { name: string }) => name === 'far')
const begin = async () => server.send('POST', '/api/mcp/far/sign-in')

/** As the owner's browser does: goes where it is sent, agrees, and follows back. */
async function browse(address: string): Promise<{ readonly back: string; readonly shown: string }> {
  const sent = await fetch(address, { redirect: 'manual' })
  const back = sent.headers.get('location') ?? ''
  if (back === '') throw new Error(`${sent.status} ${await sent.text()}`)
  return { back, shown: await (await fetch(back)).text() }
}

async function signIn(): Promise<string> {
  const begun = await begin()
  if (begun.status !== 200) throw new Error(begun.text)
  return (await browse(begun.body.data.address)).shown
}

describe('a tool server that asks for a sign-in', { timeout: 60_000 }, () => {
  test('says so on its list, and is used at once after the browser came back', async ({ expect }) => {
    await start()
    // The library that speaks to it is loaded by the first who asks.
    const told = { status: 'needs_auth', signedIn: false, takesSignIn: true, type: 'remote' }
    await expect.poll(farOf, { timeout: 30_000 }).toMatchObject(told)
    expect(await signIn()).toContain('Signed in.')

    expect(await farOf()).toMatchObject({ status: 'ready', signedIn: true, tools: 5 })
    const [echoed] = await runTools(server, echo, done)
    expect(echoed).toMatch(/^completed .*echo: hello/)
  })

  test('is asked with the resource, a challenge and the scope that it named', async ({ expect }) => {
    await start({ scopes: ['mcp:read', 'offline_access'] }, {}, { scope: 'mcp:read' })
    const { address } = (await begin()).body.data
    const asked = new URL(address).searchParams
    expect(asked.get('resource')).toBe(endpoint.url)
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('scope')).toBe('mcp:read offline_access')
    expect(asked.get('redirect_uri')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/signed-in$/)
    expect(asked.get('state')).toMatch(/^[\w-]{32}$/)
  })

  test('keeps the sign-in over a restart, sealed, and nothing of it is logged or shown', async ({ expect }) => {
    await start()
    await signIn()
    await server.restart()
    expect(await farOf()).toMatchObject({ status: 'ready', signedIn: true })

    const folder = path.join(server.dataDir, 'sign-ins')
    const stored = await Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), 'latin1')))
    const secrets = authorization.tokens()
    expect(stored).toHaveLength(2)
    for (const secret of secrets) {
      expect(stored.join()).not.toContain(secret)
      expect(faults.join()).not.toContain(secret)
      expect((await server.send('GET', '/api/mcp')).text).not.toContain(secret)
    }
  })

  test('has its token renewed when it is refused, once for all calls that meet it', async ({ expect }) => {
    await start()
    await signIn()
    const call = (id: string) => ({ id, name: 'far_echo', input: { text: id } })
    await runTools(server, echo, done)
    authorization.expire()
    const outcomes = await runTools(server, { calls: [call('a'), call('b'), call('c')] }, done)
    expect(outcomes.map((one) => one.split(' ')[0])).toEqual(['completed', 'completed', 'completed'])
    expect(authorization.asked.filter((one) => one === 'POST /token')).toHaveLength(2)
    expect(authorization.clients()).toBe(1)
  })

  test('whose renewal is refused needs a sign-in again; one that cannot be reached is only told', async ({
    expect,
  }) => {
    await start()
    await signIn()
    await runTools(server, echo, done)
    authorization.expire()
    authorization.setDown(true)
    const [unreached] = await runTools(server, echo, done)
    expect(unreached).toMatch(/^error .*cannot be reached/)
    authorization.setDown(false)
    expect((await runTools(server, echo, done))[0]).toMatch(/^completed/)

    authorization.revokeAll()
    const [refused] = await runTools(server, echo, done)
    expect(refused).toMatch(/^error .*needs_auth/)
    expect(await farOf()).toMatchObject({ signedIn: false })
  })

  test('that wants more than was granted is signed in at again for both', async ({ expect }) => {
    let isNarrow = false
    await start(
      {},
      { oauth: { scope: 'read' } },
      {
        scope: 'write',
        authorization: (sent) => (!authorization.accepts(sent) ? 'none' : isNarrow ? 'narrow' : 'good'),
      },
    )
    await signIn()
    await runTools(server, echo, done)
    isNarrow = true
    const [refused] = await runTools(server, echo, done)
    expect(refused).toMatch(/^error .*needs_auth: the tool server asks for more than was granted/)
    isNarrow = false
    await signIn()
    expect(authorization.scopesAsked).toEqual(['read write', 'read write'])
    expect((await runTools(server, echo, done))[0]).toMatch(/^completed/)
  })

  test('is forgotten on demand, and what it gave is taken back', async ({ expect }) => {
    await start()
    await signIn()
    expect(authorization.tokens()).toHaveLength(2)
    expect((await server.send('DELETE', '/api/mcp/far/sign-in')).status).toBe(204)
    expect(authorization.tokens()).toEqual([])
    expect(await farOf()).toMatchObject({ status: 'needs_auth', signedIn: false })
  })

  test('can be signed in at from another machine, by the address at which the browser ended', async ({ expect }) => {
    await start()
    const { address } = (await begin()).body.data
    const back = (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? ''
    const finish = (text: string) => server.send('POST', '/api/mcp/far/sign-in/finish', { address: text })
    expect((await finish(back.replace(/state=[^&]+/, 'state=other'))).body.error.code).toBe('invalid_request')
    expect((await finish(back)).status).toBe(204)
    expect(await farOf()).toMatchObject({ status: 'ready' })
    expect((await finish(back)).body.error.code).toBe('conflict')
  })

  test('that takes no programs it does not know is told which one this is', async ({ expect }) => {
    await start({ knownClient: 'wharf-here' })
    expect((await begin()).body.error.message).toContain('register one there, and name it in "oauth"')
    await server.close()
    await endpoint.close()
    await authorization.close()

    await start({ knownClient: 'wharf-here' }, { oauth: { client_id: 'wharf-here' } })
    expect(await signIn()).toContain('Signed in.')
    expect(await farOf()).toMatchObject({ status: 'ready' })
  })
})

describe('besides the tool server a sign-in asks', () => {
  const addresses: Readonly<Record<string, string>> = {
    'tools.example': '8.8.8.8',
    'login.example': '1.1.1.1',
    'inside.example': '10.0.0.7',
    'tools.inside': '10.0.0.8',
  }
  const resolve = async (name: string) => [addresses[name] ?? '127.0.0.1']
  const mayAsk = (url: string, at: string) => maySignInAsk(new URL(url), new URL(at), resolve)

  test.for([
    ['https://login.example/a', 'https://tools.example/mcp', true],
    ['http://login.example/a', 'https://tools.example/mcp', false],
    ['https://inside.example/a', 'https://tools.example/mcp', false],
    ['https://169.254.169.254/a', 'https://tools.example/mcp', false],
    ['https://[::1]/a', 'https://tools.example/mcp', false],
    ['http://127.0.0.1:8080/a', 'https://tools.example/mcp', false],
    ['https://inside.example/a', 'https://tools.inside/mcp', true],
    ['http://inside.example/a', 'https://tools.inside/mcp', false],
    ['http://127.0.0.1:8080/a', 'https://tools.inside/mcp', false],
    ['http://127.0.0.1:8080/a', 'http://localhost:9090/mcp', true],
    ['file:///etc/passwd', 'http://localhost:9090/mcp', false],
    ['https://tools.example/a', 'https://tools.example/mcp', true],
  ] as const)('%s of %s: %s', async ([url, at, isAsked], { expect }) => {
    expect(await mayAsk(url, at)).toBe(isAsked)
  })
})

describe('a sign-in is refused', { timeout: 60_000 }, () => {
  test('by an owner who says no on its page, in its words', async ({ expect }) => {
    await start({ denies: true })
    expect(await signIn()).toContain('The sign-in was refused: The owner said no')
    expect(await farOf()).toMatchObject({ signedIn: false })
  })

  test('when another server answers than the one that was asked', async ({ expect }) => {
    await start({ answersAs: 'https://other.example' })
    expect(await signIn()).toContain('not the address to which this sign-in leads back')
    expect(authorization.asked).not.toContain('POST /token')
  })

  test('when its state is not that of the sign-in, when it is used twice, and under another name', async ({
    expect,
  }) => {
    await start()
    const { address } = (await begin()).body.data
    const back = new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '')
    const altered = new URL(back)
    altered.searchParams.set('state', 'x'.repeat(32))
    expect(await (await fetch(altered)).text()).toContain('not the address')
    const doubled = new URL(back)
    doubled.searchParams.append('state', back.searchParams.get('state') ?? '')
    expect(await (await fetch(doubled)).text()).toContain('not the address')
    const named = new URL(back)
    named.hostname = 'localhost'
    expect((await fetch(named).catch(() => ({ status: 404 }))).status).toBe(404)

    expect(await (await fetch(back)).text()).toContain('Signed in.')
    await expect(fetch(back)).rejects.toThrow()
  })

  test('when it would send the code over a connection that others read', async ({ expect }) => {
    await start({ tokenEndpoint: 'http://169.254.169.254/token' })
    const { address } = (await begin()).body.data
    expect((await browse(address)).shown).toContain('169.254.169.254, which is not asked')
    expect(await farOf()).toMatchObject({ signedIn: false })
  })

  test.for([
    ['nobody', 404, 'There is no tool server of that name'],
    ['shop', 409, 'it has no sign-in'],
  ] as const)('at %s', async ([name, status, words], { expect }) => {
    await start()
    const answer = await server.send('POST', `/api/mcp/${name}/sign-in`)
    expect(answer.status).toBe(status)
    expect(answer.body.error.message).toContain(words)
  })

  test('where the configuration has credentials, and where none is asked for', async ({ expect }) => {
    await start({}, { headers: { authorization: 'Bearer x' } })
    expect((await begin()).body.error.message).toContain('in "headers"')
    expect((await farOf()).takesSignIn).toBe(false)
    await server.close()
    await endpoint.close()
    await authorization.close()

    await start({}, {}, { authorization: () => 'good' })
    expect((await begin()).body.error).toMatchObject({
      code: 'conflict',
      message: 'The tool server asks for no sign-in',
    })
  })
})

describe('in a shell', { timeout: 120_000 }, () => {
  const svc = path.resolve(import.meta.dirname, '../../../local/svc.mjs')
  let base: string

  /** As a shell starts it; resolves with what it said once it has ended. */
  async function run(args: readonly string[], onLine: (line: string, child: ChildProcess) => void = () => undefined) {
    const child = spawn(process.execPath, [svc, ...args, '--data', path.join(base, 'data')], {
      cwd: path.join(base, 'project'),
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: base,
        XDG_CONFIG_HOME: path.join(base, 'config'),
        SVC_BROWSER: 'none',
        ...keptCode,
      },
    })
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      onLine(line, child)
    }
    if (child.exitCode === null) await once(child, 'exit')
    return { code: child.exitCode, lines }
  }

  test('svc mcp login waits for the browser, logout forgets, and svc doctor says who needs one', {
    tags: 'slow',
  }, async ({ expect, onTestFinished }) => {
    await start()
    base = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-mcp-')))
    onTestFinished(() => rm(base, { recursive: true, force: true }))
    await mkdir(path.join(base, 'project'))
    await mkdir(path.join(base, 'config/svc'), { recursive: true })
    const settings = { mcp: { far: { type: 'remote', url: endpoint.url } } }
    await writeFile(path.join(base, 'config/svc/svc.json'), JSON.stringify(settings))

    const before = await run(['doctor'])
    expect(before.lines).toContain('tool server far: asks for a sign-in: svc mcp login far')
    expect(before.code).toBe(1)

    const login = await run(['mcp', 'login', 'far'], (line) => {
      if (line.startsWith('http')) void browse(line)
    })
    expect(login.lines.at(-1)).toBe('Signed in at far.')
    expect(login.code).toBe(0)
    expect((await run(['mcp'])).lines).toEqual(['far: 5 tools, signed in'])
    expect((await run(['doctor'])).lines).toContain('tool server far: 5 tools')

    expect((await run(['mcp', 'logout', 'far'])).code).toBe(0)
    const pasted = await run(['mcp', 'login', 'far'], (line, child) => {
      if (!line.startsWith('http')) return
      fetch(line, { redirect: 'manual' }).then(
        ({ headers }) => child.stdin?.write(`${headers.get('location')}\n`),
        () => child.kill(),
      )
    })
    expect(pasted.lines.at(-1)).toBe('Signed in at far.')
    expect((await run(['mcp', 'login', 'nobody'])).lines).toEqual(['There is no tool server of that name'])
  })
})
