import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, test } from 'vitest'
import type { AgentServerOptions } from '../../../local/agent/compose/options.ts'
import { runTools, startTestServer, type TestServer } from '../../support/agent-server.ts'
import type { ScriptedTurn } from '../../support/fake-model.ts'
import { type EndpointOptions, startFakeToolEndpoint } from '../../support/fake-tool-endpoint.ts'
import { listenOnLoopback } from '../../support/loopback.ts'

/** A machine that does other things as well may take its time. */
const soon = { timeout: 20_000 }

const key = 'Bearer canary-0816'
const done: ScriptedTurn = { text: ['done'] }
const call = (tool: string, input: unknown = {}, id = tool): ScriptedTurn => ({
  calls: [{ id, name: `far_${tool}`, input }],
})

let server: TestServer
let endpoint: Awaited<ReturnType<typeof startFakeToolEndpoint>>

afterEach(async () => {
  await server.close()
  await endpoint.close()
})

async function start(
  options: EndpointOptions,
  more: Record<string, unknown> = {},
  given: Partial<AgentServerOptions> = {},
): Promise<string[]> {
  endpoint = await startFakeToolEndpoint(options)
  const faults: string[] = []
  server = await startTestServer({
    config: { mcp: { far: { type: 'remote', url: endpoint.url, ...more } } },
    logger: { error: (event, fields) => faults.push(`${event} ${JSON.stringify(fields)} ${String(fields['cause'])}`) },
    ...given,
  })
  return faults
}

const run = (...turns: ScriptedTurn[]) => runTools(server, ...turns)

const offered = () => server.model.asked.at(-1)?.tools?.map((tool) => tool.function.name) ?? []

describe('a tool server at an address', () => {
  test.for(['stream', 'json', 'old'] as const)(
    'that answers by %s is offered and called, with the configured headers',
    async (transport, { expect }) => {
      const faults = await start({ transport, authorization: key }, { headers: { Authorization: key } })
      const [echoed] = await run(call('echo', { text: 'hello' }), done)

      expect(faults).toEqual([])
      expect(offered()).toEqual(expect.arrayContaining(['far_echo', 'far_hang', 'far_odd_name_x']))
      expect(echoed).toMatch(/^completed .*echo: hello/)
    },
  )

  test('whose tool has a name of its own is called by that name', async ({ expect }) => {
    await start({ transport: 'stream' })
    const [outcome] = await run(call('odd_name_x'), done)
    expect(outcome).toMatch(/^completed .*echo: odd\.name\/x/)
    expect(endpoint.calls).toEqual(['odd.name/x'])
  })

  test('that answers with an image has it kept beside its text', async ({ expect }) => {
    await start({ transport: 'stream' })
    const [outcome = ''] = await run(call('picture'), done)
    const uri = /"uri":"([^"]+)"/.exec(outcome)?.[1] ?? ''
    expect(outcome).toContain('"mime":"image/png"')
    expect((await readFile(fileURLToPath(uri))).subarray(1, 4).toString()).toBe('PNG')
  })

  test('is one connection for every session, left when nobody uses it, and there again on demand', async ({
    expect,
  }) => {
    await start({ transport: 'stream' })
    await run(call('echo', { text: 'one' }), done)
    await run(call('echo', { text: 'two' }), done)
    expect(endpoint.opened()).toBe(1)

    // How often it is left within a turn depends on how long the model takes.
    await server.restart({ toolServerIdleMs: 50 })
    await run(call('echo', { text: 'three' }), done)
    await expect.poll(() => endpoint.open() + endpoint.listening(), soon).toBe(0)
    const opened = endpoint.opened()
    const [fourth] = await run(call('echo', { text: 'four' }), done)
    expect(fourth).toMatch(/^completed/)
    expect(endpoint.opened()).toBeGreaterThan(opened)
  })

  test('that forgot the session fails one call, and the next one has a new session', async ({ expect }) => {
    await start({ transport: 'stream' })
    await run(call('echo'), done)
    endpoint.forgetSessions()
    const [lost, found] = await run(call('echo', {}, 'lost'), call('echo', {}, 'found'), done)

    expect(lost).toMatch(/^error .*The tool server answered with status 404/)
    expect(found).toMatch(/^completed/)
    expect(endpoint.opened()).toBe(2)
  })

  test('that says its tools changed is asked for them, and clients are told', async ({ expect }) => {
    await start({ transport: 'stream' })
    await run(done)
    await expect.poll(() => endpoint.listening(), soon).toBe(1)
    const told = server.events('/api/event', (seen) => {
      if (seen.length === 1) endpoint.setTools(['fresh'])
      return seen.some(({ data }) => data.type === 'mcp.tools.changed')
    })

    expect((await told).at(-1)?.data).toMatchObject({ type: 'mcp.tools.changed', data: { server: 'far' } })
    await run(done)
    expect(offered()).toContain('far_fresh')
    expect(offered()).not.toContain('far_echo')
  })

  test('is not waited for longer than its time, nor after an interrupt', async ({ expect }) => {
    await start({ transport: 'stream' }, { timeout: 100 })
    const [outcome] = await run(call('hang'), done)
    expect(outcome).toMatch(/^error .*The tool server took too long/)
    await server.close()
    await endpoint.close()

    await start({ transport: 'stream' })
    server.model.script(call('hang'))
    const session = await server.createSession()
    await server.prompt(session, 'Go')
    await expect.poll(() => endpoint.hanging(), soon).toBe(1)
    expect((await server.send('POST', `/api/session/${session}/interrupt`)).status).toBe(204)
    expect((await server.messages(session)).at(-1)).toMatchObject({ error: { reason: 'interrupted' } })
  })

  test('that sends more than a message may hold fails that call', async ({ expect }) => {
    await start({ transport: 'json' })
    const [flood, echoed] = await run(call('flood'), call('echo', { text: 'still' }), done)
    expect(flood).toMatch(/^error .*too long/)
    expect(echoed).toMatch(/^completed .*still/)
  })

  test('that refuses the credentials is told to log and model by name, and left in peace for a while', async ({
    expect,
  }) => {
    const faults = await start({ transport: 'stream', authorization: key }, { headers: { Authorization: 'wrong' } })
    await run(done)
    await run(done)

    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain('The tool server refused the credentials (401); see its "headers"')
    expect(faults[0]).not.toContain('canary')
    expect(JSON.stringify(server.model.asked.at(-1)?.messages[0])).toContain(
      'Tool servers that cannot be used now:\\n- far: The tool server refused the credentials (401)',
    )
    expect(endpoint.requests).toHaveLength(1)
    expect((await server.send('GET', '/api/mcp')).body.data[0]).toMatchObject({
      status: 'failed',
      message: 'The tool server refused the credentials (401); see its "headers"',
      fault: { kind: 'credentials', status: 401 },
    })
  })

  test.for(['stream', 'old'] as const)(
    'that asks for a sign-in says so to log and model, with what to do (%s)',
    async (transport, { expect }) => {
      const faults = await start({ transport, authorization: key }, { headers: { 'X-Team': 'plum' } })
      await run(done)

      const told = 'needs_auth: the tool server asks for a sign-in; sign in on the page'
      expect(faults).toHaveLength(1)
      expect(faults[0]).toContain(told)
      expect(JSON.stringify(server.model.asked.at(-1)?.messages[0])).toContain(`- far: ${told}`)
      expect(endpoint.requests.map((request) => request.path)).toEqual([new URL(endpoint.url).pathname])
    },
  )

  test('that is not there, or is turned off, costs the turn nothing', async ({ expect }) => {
    const faults = await start({ transport: 'stream' })
    await endpoint.close()
    await run(done)
    expect(faults[0]).toContain('The tool server cannot be reached')
    await server.close()

    await start({ transport: 'stream' }, { enabled: false })
    await run(done)
    expect(endpoint.requests).toEqual([])
    expect(offered().some((name) => name.startsWith('far_'))).toBe(false)
  })

  test('that redirects elsewhere is not followed with the headers', async ({ expect }) => {
    const other = await startFakeToolEndpoint({ transport: 'stream' })
    const door = createServer((_request, response) => response.writeHead(307, { location: other.url }).end())
    const address = await listenOnLoopback(door)
    const faults = await start(
      { transport: 'stream' },
      { url: `http://127.0.0.1:${address.port}/mcp`, headers: { 'x-key': 'canary' } },
    )
    await run(done)

    expect(faults).toHaveLength(1)
    expect(other.requests).toEqual([])
    door.close()
    await other.close()
  })
})
