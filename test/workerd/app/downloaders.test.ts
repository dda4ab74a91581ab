/** Torrents and downloaders in real workerd where no downloader answers; test/conformance has the ones that do. */
import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { downloaderKinds } from '../../../workers/app/core/vocabulary.ts'
import { auditRows, type Caller, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const hash = 'a'.repeat(40)
let session: Caller
let caller: Caller

beforeAll(async () => {
  session = await ownerSession()
  caller = (await makeToken(session, ['app:read', 'app:write'])).caller
})

beforeEach(async () => {
  await env.DB.prepare('delete from downloaders').run()
})

async function add(name: string, change: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const added = await send('POST', `${consolePrefix}/downloaders`, session, {
    json: {
      name,
      type: 'qbittorrent',
      address: 'http://127.0.0.1:1',
      username: 'admin',
      password: 'a password',
      enabled: true,
      default: false,
      ...change,
    },
  })
  return Number(added.body.id)
}

const act = (targets: readonly (readonly [number, string])[]) =>
  send('POST', `${appPrefix}/torrents/actions`, caller, {
    json: { action: 'pause', targets: targets.map(([downloader_id, task_id]) => ({ downloader_id, task_id })) },
  })

test('without a downloader both lists are empty', async ({ expect }) => {
  expect((await send('GET', `${appPrefix}/downloaders`, caller)).body).toEqual({ items: [] })
  expect((await send('GET', `${appPrefix}/torrents`, caller)).body).toEqual({
    items: [],
    total: 0,
    page: 1,
    page_size: 20,
    total_size: 0,
    counts: { states: {}, conditions: {} },
    failures: [],
  })
})

describe('a downloader that cannot be reached', () => {
  test.for([...downloaderKinds])('%s is shown with the reason, in every place', async (type, { expect }) => {
    const id = await add('out of reach', { type })

    const [downloaders, torrents, acted] = await Promise.all([
      send('GET', `${appPrefix}/downloaders`, caller),
      send('GET', `${appPrefix}/torrents`, caller),
      act([[id, hash]]),
    ])

    const error = '无法连接下载器'
    expect(downloaders.body.items).toMatchObject([{ id, reachable: false, error }])
    expect(torrents.body).toMatchObject({
      items: [],
      failures: [{ downloader_id: id, downloader: 'out of reach', error }],
    })
    expect(acted.status).toBe(200)
    expect(acted.body).toEqual({
      succeeded: 0,
      failed: 1,
      results: [
        {
          downloader_id: id,
          task_id: hash,
          success: false,
          message: error,
          reason: { kind: 'downloader.unreachable' },
        },
      ],
    })
    expect((await auditRows()).at(-1)).toMatchObject({ result: 'error:all_failed', status: 200 })
  })
})

test('a disabled downloader is in no list, and an action on it fails with a reason', async ({ expect }) => {
  const id = await add('switched off', { enabled: false })

  expect((await send('GET', `${appPrefix}/downloaders`, caller)).body.items).toEqual([])
  expect((await send('GET', `${appPrefix}/torrents?downloader_id=${id}`, caller)).body.failures).toEqual([])
  expect((await act([[id, hash]])).body.results).toEqual([
    {
      downloader_id: id,
      task_id: hash,
      success: false,
      message: '没有这个下载器，或它未启用',
      reason: { kind: 'none', what: 'downloader_on' },
    },
  ])
})

test('a password that cannot be opened is said to be that, and opens again once it is put right', async ({
  expect,
}) => {
  const id = await add('sealed elsewhere')
  const read = async () => (await send('GET', `${appPrefix}/downloaders`, caller)).body.items[0].error
  const { results } = await env.DB.prepare('select sealed_password from downloaders').all<{ sealed_password: string }>()

  await env.DB.prepare('update downloaders set sealed_password = ? where id = ?')
    .bind('v1.00000000.AAAA.AAAA', id)
    .run()
  const whileWrong = await read()
  await env.DB.prepare('update downloaders set sealed_password = ? where id = ?')
    .bind(results[0]?.sealed_password, id)
    .run()

  expect(whileWrong).toContain('主密钥已更换')
  expect(await read()).toBe('无法连接下载器')
})
