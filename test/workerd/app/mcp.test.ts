/** The way in for agents of others, where the Worker runs: who may, what is refused, and what is written down. */
import { env, exports } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { consolePrefix } from '../../../workers/app/app.ts'
import { bodyBytesMax } from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import {
  auditRows,
  type Caller,
  origin as here,
  type MadeToken,
  makeToken,
  ownerSession,
  send,
} from '../../support/workerd/app-client.ts'

const session = await ownerSession()
const reader = await makeToken(session, ['app:read'])
const writer = await makeToken(session, ['app:write'])
const whole = await makeToken(session, ['app:read', 'app:write'])
beforeEach(async () => {
  await env.DB.prepare('delete from audit_entries').run()
})

async function post(body: string, headers: Caller) {
  const response = await exports.default.fetch(
    new Request(`${here}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
        ...headers,
      },
      body,
    }),
  )
  const text = await response.text()
  // The older revision answers as a stream of one event.
  const json = /^data: (.+)$/m.exec(text)?.[1] ?? text
  return { status: response.status, headers: response.headers, body: json === '' ? undefined : JSON.parse(json) }
}
const ask = (method: string, params: object, caller: Caller) =>
  post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), caller)

describe('who may', () => {
  test.for([
    ['nobody', () => ({}), 401],
    ['a wrong token', () => ({ authorization: 'Bearer wharf_nothing' }), 401],
    ['a signed-in browser', () => session, 401],
    ['a token that may only operate', () => writer.caller, 403],
    ['a token that may read', () => reader.caller, 200],
  ] as const)('%s', async ([, caller, status], { expect }) => {
    const answer = await ask('tools/list', {}, caller())
    expect(answer.status).toBe(status)
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
  })

  test('a revoked token is refused as an unknown one is', async ({ expect }) => {
    const gone = await makeToken(session, ['app:read'])
    await exports.default.fetch(
      new Request(`${here}/api/console/v1/tokens/${gone.id}`, { method: 'DELETE', headers: session }),
    )
    expect((await ask('tools/list', {}, gone.caller)).status).toBe(401)
  })
})

describe('what is refused', () => {
  test.for([
    ['no JSON', '{', 400],
    ['another kind of message', '{"jsonrpc":"1.0"}', 400],
    [
      'more than the bound',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_":"${'x'.repeat(bodyBytesMax)}"}}`,
      413,
    ],
  ] as const)('%s', async ([, body, status], { expect }) => {
    expect((await post(body, reader.caller)).status).toBe(status)
  })

  test('an unknown method, tool and argument, each in the words of the protocol', async ({ expect }) => {
    expect((await ask('resources/list', {}, reader.caller)).body.error.code).toBe(-32601)
    const unknown = await ask('tools/call', { name: 'drop_everything', arguments: {} }, whole.caller)
    expect(unknown.body.result.isError).toBe(true)
    const wrong = await ask('tools/call', { name: 'list_tasks', arguments: { page: 'first' } }, reader.caller)
    expect(wrong.body.result).toMatchObject({ isError: true })
    expect(wrong.body.result.content[0].text).toContain('page')
  })
})

describe('a yes to a question', () => {
  const capabilities = 'io.modelcontextprotocol/clientCapabilities'
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'tester', version: '1' },
    [capabilities]: { elicitation: {} },
  }
  const push = (id: string) => ({ name: 'push_torrent', arguments: { site: 'ledge', torrent_id: id } })
  const accepted = { confirm: { action: 'accept', content: {} } }
  let other: MadeToken

  async function call(params: object, caller: Caller, meta: object = envelope) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: meta } }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'push_torrent' }
    return (await post(JSON.stringify(body), { ...headers, ...caller })).body.result
  }
  const changes = async () => (await auditRows()).length

  beforeAll(async () => {
    other = await makeToken(session, ['app:read', 'app:write'])
    const store = (path: string, json: unknown) => send('POST', `${consolePrefix}${path}`, session, { json })
    const nas = { name: 'asked-nas', type: 'qbittorrent', address: 'http://127.0.0.1:1', username: 'a', password: 'b' }
    await store('/downloaders', { ...nas, enabled: true, default: true })
    await store('/sites', consoleSite('ledge', 'nexusphp', 'http://127.0.0.1:1', { cookie: 'c_secure_pass=none' }))
  })

  test('counts once it was asked for, for the very call, and of the very token', async ({ expect }) => {
    const first = await call(push('101'), whole.caller)
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { confirm: { method: 'elicitation/create', params: { message: expect.stringContaining('101') } } },
    })
    const answered = { requestState: first.requestState, inputResponses: accepted }
    const asksAgain = { resultType: 'input_required' }
    expect(first.requestState).not.toContain('101')
    expect(await call({ ...push('101'), inputResponses: accepted }, whole.caller)).toMatchObject(asksAgain)
    expect(await call({ ...push('102'), ...answered }, whole.caller)).toMatchObject(asksAgain)
    expect(await call({ ...push('101'), ...answered }, other.caller)).toMatchObject(asksAgain)
    const forged = { ...answered, requestState: `${first.requestState.slice(0, -4)}AAAA` }
    expect(await call({ ...push('101'), ...forged }, whole.caller)).toMatchObject(asksAgain)
    expect(await changes()).toBe(0)
    const isDone = await call({ ...push('101'), ...answered }, whole.caller)
    expect(isDone).toMatchObject({ content: [{ type: 'text' }] })
    expect(await changes()).toBe(1)
  })

  test.for([
    ['said no word of it', {}, 'done'],
    ['leads to pages alone', { elicitation: { url: {} } }, 'done'],
    ['has forms', { elicitation: { form: {} } }, 'asked'],
    ['has both', { elicitation: { form: {}, url: {} } }, 'asked'],
  ] as const)('is asked for by a program that %s: %j', async ([, said, outcome], { expect }) => {
    const result = await call(push('101'), whole.caller, { ...envelope, [capabilities]: said })
    expect('inputRequests' in result ? 'asked' : 'done').toBe(outcome)
    expect(await changes()).toBe(outcome === 'done' ? 1 : 0)
  })
})

describe('what is written down', () => {
  test('each call that changes something, and none that reads', async ({ expect }) => {
    await ask('tools/call', { name: 'list_tasks', arguments: {} }, whole.caller)
    expect(await auditRows()).toEqual([])
    const targets = [{ downloader_id: 99, task_id: 'a'.repeat(40) }]
    await ask('tools/call', { name: 'pause_torrent', arguments: { targets } }, whole.caller)
    expect(await auditRows()).toMatchObject([
      { user: `token:${whole.id}`, command: 'POST /mcp pause_torrent', result: 'error' },
    ])
  })

  test('what it was done to stands there by name', async ({ expect }) => {
    const store = async (path: string, json: unknown) =>
      expect((await send('POST', `${consolePrefix}${path}`, session, { json })).status).toBe(200)
    const downloader = { name: 'nas', type: 'qbittorrent', address: 'http://127.0.0.1:1', username: 'a', password: 'b' }
    await store('/downloaders', { ...downloader, enabled: true, default: true })
    await store('/sites', consoleSite('shelf', 'nexusphp', 'http://127.0.0.1:1', { cookie: 'c_secure_pass=none' }))
    await env.DB.prepare('delete from audit_entries').run()
    await ask('tools/call', { name: 'push_torrent', arguments: { site: 'shelf', torrent_id: '101' } }, whole.caller)
    const { results } = await env.DB.prepare('select command, about from audit_entries').all()
    expect(results).toEqual([
      { command: 'POST /mcp push_torrent', about: expect.stringContaining('"names":["shelf 101"]') },
    ])
  })

  test('a call for which the token lacks the scope is not there, and changes nothing', async ({ expect }) => {
    const targets = [{ downloader_id: 99, task_id: 'a'.repeat(40) }]
    const refused = await ask('tools/call', { name: 'pause_torrent', arguments: { targets } }, reader.caller)
    expect(refused.body.result.isError).toBe(true)
  })
})
