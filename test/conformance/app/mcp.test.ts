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

async function connected(token: string, versions: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode: versions } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${wharf.origin}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
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
