/** The index as tools for agents over a port, by the protocol's official client against a real process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, onTestFinished, test } from 'vitest'
import { messageBytesMax, sensesTokenCharsMin } from '../../../local/viewer/limits.ts'
import { indexedInTest } from '../../support/viewer-in-test.ts'

const entry = path.join(import.meta.dirname, '../../../local/indexer.ts')
const sources = {
  'src/price.ts': 'export function price(count: number) {\n  return count * 2\n}\n',
  'src/order.ts': "import { price } from './price.ts'\nexport function order() {\n  return price(1)\n}\n",
}

interface Served {
  readonly child: ChildProcess
  readonly address: URL
  readonly token: string
  readonly said: string
}

async function served(environment: Record<string, string> = {}): Promise<Served> {
  const project = await indexedInTest(sources)
  const child = spawn(process.execPath, [entry, 'mcp', project.place.root, '--http', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (lines.length === 3) break
  }
  const said = lines.join('\n')
  const token = environment['VIEWER_MCP_TOKEN'] ?? /Bearer (\S+)/.exec(said)?.[1] ?? ''
  return { child, address: new URL(/http:\S+/.exec(said)?.[0] ?? ''), token, said }
}

async function connected({ address, token }: Served, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  )
  onTestFinished(() => client.close())
  return client
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** The raw request: what clients send by themselves is left out. */
function raw({ address, token }: Served, asked: Asked): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', headers = {}, body = '' } = asked
    const sent = request(
      address,
      {
        ...{ method, path: asked.path ?? '/mcp', agent: false },
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      async (answer) => {
        let text = ''
        for await (const part of answer.setEncoding('utf8')) text += part
        resolve({ status: answer.statusCode ?? 0, head: JSON.stringify(answer.headers), body: text })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

describe.each(['auto', 'legacy'] as const)('a client that speaks by "%s"', (mode) => {
  test('is answered with lines of source, certain and possible apart, within its budget', async ({ expect }) => {
    const client = await connected(await served(), mode)
    const { tools } = await client.listTools()
    const ask = async (budget: number): Promise<string> => {
      const answer = await client.callTool({ name: 'callers', arguments: { symbol: 'price', budget } })
      return (answer.content as { text: string }[])[0]?.text ?? ''
    }

    expect(tools).toHaveLength(12)
    expect(await ask(2000)).toMatch(
      /Certain callers \(1\)\n\s*src\/order.ts:3 {2}function order {2}\| return price\(1\)/,
    )
    expect(await ask(200)).toContain('Cut to fit 200 tokens')
    expect(Buffer.byteLength(await ask(200))).toBeLessThanOrEqual(600)
    await expect(client.callTool({ name: 'write', arguments: {} })).resolves.toMatchObject({ isError: true })
  })
})

test('who has no token, another name or another origin is refused, and learns nothing', async ({ expect }) => {
  const server = await served()
  const port = server.address.port
  const refused: readonly (readonly [string, Asked, number])[] = [
    ['no token', { headers: { authorization: '' } }, 401],
    ['another token', { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }, 401],
    ['the token without its word', { headers: { authorization: server.token } }, 401],
    ['another name', { headers: { host: `evil.example:${port}` } }, 403],
    ['another port', { headers: { host: '127.0.0.1:1' } }, 403],
    ['a page elsewhere', { headers: { origin: 'https://evil.example' } }, 403],
    ['a page without an origin', { headers: { origin: 'null' } }, 403],
    ['another path', { path: '/' }, 404],
    ['a path with a question', { path: '/mcp?token=1' }, 404],
  ]
  for (const [what, asked, status] of refused) {
    const answer = await raw(server, { body: listTools, ...asked })
    expect(answer.status, what).toBe(status)
    expect(answer.body, what).not.toContain('callers')
    expect(answer.head + answer.body, what).not.toContain(server.token)
    expect(answer.head, what).toContain('nosniff')
  }

  expect((await raw(server, { body: listTools })).body).toContain('callers')
  const own = { origin: `http://127.0.0.1:${port}`, host: `localhost:${port}` }
  expect((await raw(server, { body: listTools, headers: own })).status).toBe(200)
  expect((await raw(server, { method: 'GET' })).status).toBe(405)
})

test('a question may have so many bytes, and not one more', async ({ expect }) => {
  const server = await served()
  const of = (bytes: number): string => listTools + ' '.repeat(bytes - listTools.length)

  expect((await raw(server, { body: of(messageBytesMax) })).status).toBe(200)
  expect((await raw(server, { body: of(messageBytesMax + 1) })).status).toBe(413)
})

test('a token of the owner is used and not printed, and one that is short is refused', async ({ expect }) => {
  const token = 'a'.repeat(sensesTokenCharsMin)
  const server = await served({ VIEWER_MCP_TOKEN: token })

  expect(server.said).not.toContain(token)
  expect((await raw(server, { body: listTools })).status).toBe(200)

  const child = spawn(process.execPath, [entry, 'mcp', '--http'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, VIEWER_MCP_TOKEN: token.slice(1) },
  })
  let said = ''
  for await (const part of child.stderr.setEncoding('utf8')) said += part
  expect(said).toContain(`at least ${sensesTokenCharsMin}`)
  expect(said).not.toContain(token.slice(1))
})

test('it ends when it is told to, and listens on this machine alone', async ({ expect }) => {
  const server = await served()

  expect(server.address.hostname).toBe('127.0.0.1')
  server.child.kill('SIGTERM')
  expect(await once(server.child, 'exit')).toEqual([0, null])
})
