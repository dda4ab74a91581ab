/** The client that the package brings: its types hold a program to what the service takes, and its calls carry it. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { generateClient } from '../../../scripts/client/generate.ts'
import { appRouteDeclarations } from '../../../workers/app/contract/routes.ts'
import { settingRouteDeclarations } from '../../../workers/app/contract/settings-api.ts'
import { temporaryFolder } from '../../support/running-wharf.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const place = temporaryFolder()
const folder = place.path

beforeAll(() => generateClient(folder))
afterAll(() => place.remove())

const right = `
import { createClient, WharfError } from './index.mjs'
const wharf = createClient({ address: 'https://wharf.example', token: 't' })
const { items } = await wharf.search({ body: { keyword: 'salt', free_only: true } })
const seeders: number | undefined = items[0]?.seeders
await wharf.attendSite({ params: { site: 'alpha' } })
const meta = await wharf.getMeta()
const scopes: ('app:read' | 'app:write')[] = meta.principal.scopes
const { items: changes } = await wharf.applyConfiguration({ query: { dry_run: '1' }, body: { sites: [] } })
const change: 'add' | 'change' | 'take_over' | 'release' | undefined = changes[0]?.change
const icon: Blob = await wharf.getFavicon({ params: { site: 'alpha' } })
try { await wharf.listChannels() } catch (error) { if (error instanceof WharfError) console.log(error.status, error.code) }
console.log(seeders, scopes, change, icon)
`

const wrongs = [
  ['a field that there is none of', `search({ body: { keyword: 'x', colour: 1 } })`],
  ['a field that is missing', `search({ body: {} })`],
  ['a word that is none', `explore({ query: { kind: 'film' } })`],
  ['no body at all', `applyConfiguration({})`],
  ['a call that there is none of', `removeToken({})`],
] as const

test('a right program compiles, and each wrong one does not', ({ expect }) => {
  writeFileSync(path.join(folder, 'right.mts'), right)
  for (const [at, [, call]] of wrongs.entries())
    writeFileSync(
      path.join(folder, `wrong-${at}.mts`),
      `import { createClient } from './index.mjs'\nawait createClient({ address: '', token: '' }).${call}\n`,
    )
  const files = ['right.mts', ...wrongs.map((_, at) => `wrong-${at}.mts`)].map((name) => path.join(folder, name))
  const flags = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--module', 'nodenext', '--target', 'es2022']
  const { stdout } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/typescript-native/bin/tsc'),
      ...flags,
      '--lib',
      'es2022,dom',
      '--types',
      '',
      ...files,
    ],
    { cwd: folder, encoding: 'utf8' },
  )
  const faulty = new Set([...stdout.matchAll(/^([\w-]+\.mts)\(/gm)].map(([, file]) => file))
  expect([...faulty].sort(), stdout).toEqual(wrongs.map((_, at) => `wrong-${at}.mts`))
})

describe('a call', () => {
  async function clientThatAsks(answer: () => Response) {
    const asked: { url: string; method: string; headers: Record<string, string>; body?: string }[] = []
    const { createClient } = await import(pathToFileURL(path.join(folder, 'index.mjs')).href)
    const client = createClient({
      address: 'https://wharf.example/base/',
      token: 'secret',
      async fetch(url: URL, init: (typeof asked)[number]) {
        asked.push({ ...init, url: url.href })
        return answer()
      },
    })
    return { asked, client }
  }

  test('there is one of for every operation of App API and settings', async ({ expect }) => {
    const { client } = await clientThatAsks(() => Response.json({}))
    const wanted = [...appRouteDeclarations, ...settingRouteDeclarations].map(({ operationId }) => operationId)
    expect(Object.keys(client).sort()).toEqual(wanted.sort())
  })

  test('sends what it is given, and what it needs to be let in', async ({ expect }) => {
    const { asked, client } = await clientThatAsks(() => Response.json({ ok: true }))
    expect(await client.changeSite({ params: { id: 'a/b' }, body: { name: 'x' } })).toEqual({ ok: true })
    await client.explore({ query: { kind: 'movie', q: 'a b', page: undefined } })
    expect(asked).toMatchObject([
      {
        url: 'https://wharf.example/base/api/settings/v1/sites/a%2Fb',
        method: 'PUT',
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        body: '{"name":"x"}',
      },
      { url: 'https://wharf.example/base/api/app/v1/explore?kind=movie&q=a+b', method: 'GET' },
    ])
  })

  test('throws what was refused, also where something else than the service refuses', async ({ expect }) => {
    const refusal = { error: 'forbidden', message: 'No', reason: { kind: 'from_file' } }
    const { client } = await clientThatAsks(() => Response.json(refusal, { status: 403 }))
    await expect(client.getMeta()).rejects.toMatchObject({ status: 403, code: 'forbidden', reason: refusal.reason })
    const { client: behind } = await clientThatAsks(() => new Response('<html>', { status: 502 }))
    await expect(behind.getMeta()).rejects.toMatchObject({ status: 502, code: '', message: 'The service answered 502' })
  })
})
