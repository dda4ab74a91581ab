/** Agents of others, by the protocol's official client: what a token sees of the tools, and what it does through them. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { consoleSite } from '../../support/console-site.ts'
import { ownerOf, type RunningWharf, startWharf, temporaryFolder } from '../../support/running-wharf.ts'
import { goodCookie, type StandInSites, startStandInSites } from '../../support/stand-in-sites.ts'

const folder = temporaryFolder()
let sites: StandInSites
let wharf: RunningWharf
let owner: Readonly<Record<string, string>>

beforeAll(async () => {
  sites = await startStandInSites()
  wharf = await startWharf(folder.path)
  owner = await ownerOf(wharf)
  const lantern = consoleSite('lantern', 'nexusphp', sites.address('nexusphp', 'mcp'), { cookie: goodCookie })
  await wharf.request('POST', '/api/console/v1/sites', owner, lantern)
})
afterAll(async () => {
  await wharf?.stop()
  await sites?.stop()
  folder.remove()
})

async function tokenWith(scopes: readonly string[]): Promise<string> {
  const made = await wharf.request('POST', '/api/console/v1/tokens', owner, { name: 'agent', scopes, lifetime: '30d' })
  return made.body.text
}

/** `answers`: of whoever sits at the client, to what they are asked; left out where nobody can be. */
async function connected(
  token: string,
  versions: 'auto' | 'legacy',
  answers?: (message: string) => 'accept' | 'decline' | 'cancel',
): Promise<Client> {
  const client = new Client(
    { name: 'tester', version: '1' },
    {
      versionNegotiation: { mode: versions },
      ...(answers === undefined ? {} : { capabilities: { elicitation: { form: {} } } }),
    },
  )
  if (answers !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const action = answers(params.message)
      return action === 'accept' ? { action, content: {} } : { action }
    })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${wharf.origin}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}`, 'accept-language': 'en' } },
    }),
  )
  return client
}

describe.each(['auto', 'legacy'] as const)('a client that speaks by "%s"', (versions) => {
  test('reads with a token that may read, and finds no tool that changes anything', async ({ expect }) => {
    const client = await connected(await tokenWith(['app:read']), versions)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search_torrents', 'list_tasks', 'get_site_userinfo']),
    )
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
    const found = await client.callTool({ name: 'search_torrents', arguments: { keyword: 'planet' } })
    expect(found.isError).not.toBe(true)
    expect(JSON.stringify(found.content)).toContain('Planet.Walk.2026.1080p')
    const refused = await client.callTool({ name: 'push_torrent', arguments: { site: 'lantern', torrent_id: '101' } })
    expect(refused.isError).toBe(true)
    const wrong = await client.callTool({ name: 'search_torrents', arguments: { keyword: 7 } })
    expect(wrong.isError).toBe(true)
    await client.close()
  })

  test('changes with a token that may operate, and that is written down', async ({ expect }) => {
    const client = await connected(await tokenWith(['app:read', 'app:write']), versions)
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'push_torrent')?.annotations?.readOnlyHint).toBe(false)
    const nothing = { targets: [{ downloader_id: 99, task_id: 'a'.repeat(40) }] }
    const paused = await client.callTool({ name: 'pause_torrent', arguments: nothing })
    expect(paused.isError).toBe(true)
    const log = await wharf.request('GET', '/api/console/v1/audit', owner)
    expect(log.body.items[0]).toMatchObject({ command: 'POST /mcp pause_torrent', result: 'error' })
    await client.close()
  })
})

describe('a client whose program can ask somebody', () => {
  const push = { name: 'push_torrent', arguments: { site: 'lantern', torrent_id: '101' } }
  const audited = async () => (await wharf.request('GET', '/api/console/v1/audit', owner)).body.items
  const pushes = async () =>
    (await audited()).filter((one: { command: string }) => one.command === 'POST /mcp push_torrent').length

  beforeAll(async () => {
    const nas = { name: 'nas', type: 'qbittorrent', address: 'http://127.0.0.1:1', username: 'a', password: 'b' }
    await wharf.request('POST', '/api/console/v1/downloaders', owner, { ...nas, enabled: true, default: true })
  })

  test('changes something after a yes to what exactly it is, and nothing after any other answer', async ({
    expect,
  }) => {
    const asked: string[] = []
    let answer: 'accept' | 'decline' | 'cancel' = 'decline'
    const client = await connected(await tokenWith(['app:read', 'app:write']), 'auto', (message) => {
      asked.push(message)
      return answer
    })
    const before = await pushes()
    for (answer of ['decline', 'cancel'] as const) {
      const refused = await client.callTool(push)
      expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('did not agree') }] })
    }
    expect(await pushes()).toBe(before)

    answer = 'accept'
    await client.callTool(push)
    expect(await pushes()).toBe(before + 1)
    expect(asked).toHaveLength(3)
    expect(new Set(asked)).toHaveLength(1)
    for (const name of ['101', 'lantern', 'nas']) expect(asked[0]).toContain(name)

    // What reads asks nobody, and neither does what would be refused anyway.
    await client.callTool({ name: 'search_torrents', arguments: { keyword: 'planet' } })
    await client.callTool({ name: 'push_torrent', arguments: { site: 'nowhere', torrent_id: '101' } })
    expect(asked).toHaveLength(3)
    await client.close()
  })

  test('is not asked for a token that may only read: a yes makes it no more', async ({ expect }) => {
    const asked: string[] = []
    const client = await connected(await tokenWith(['app:read']), 'auto', (message) => {
      asked.push(message)
      return 'accept'
    })
    expect((await client.callTool(push)).isError).toBe(true)
    expect(asked).toEqual([])
    const [refused] = await audited()
    expect(refused).toMatchObject({ command: 'POST /mcp push_torrent', result: 'error' })
    await client.close()
  })

  test('is not asked by the older revision, where the scope is what allows it', async ({ expect }) => {
    const asked: string[] = []
    const client = await connected(await tokenWith(['app:read', 'app:write']), 'legacy', (message) => {
      asked.push(message)
      return 'accept'
    })
    const before = await pushes()
    await client.callTool(push)
    expect(asked).toEqual([])
    expect(await pushes()).toBe(before + 1)
    await client.close()
  })
})

test('without a token that may read, nobody gets further than the door', async ({ expect }) => {
  await expect(connected('wharf_nothing', 'auto')).rejects.toThrow(/401|[Uu]nauthorized/)
  const writer = await tokenWith(['app:write'])
  await expect(connected(writer, 'auto')).rejects.toThrow()
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const answers = await Promise.all([
    wharf.request('POST', '/mcp', owner, body),
    wharf.request('POST', '/mcp', { authorization: `Bearer ${writer}` }, body),
    wharf.request('GET', '/mcp', owner),
  ])
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 405])
})
