/** Torrents and downloaders in real workerd where no downloader answers; test/conformance has the ones that do. */
import { env, exports } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { downloaderKinds } from '../../../workers/app/core/vocabulary.ts'
import { torrentStreamsMax } from '../../../workers/app/limits.ts'
import { auditRows, makeToken, origin, ownerSession, send } from '../../support/workerd/app-client.ts'

const hash = 'a'.repeat(40)

const session = await ownerSession()
const caller = (await makeToken(session, ['app:read', 'app:write'])).caller

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

describe('the list as events', () => {
  const at = `${origin}${consolePrefix}/torrents/events?from=0&count=50`
  const open = () => exports.default.fetch(new Request(at, { headers: session }))
  async function firstEvents(answer: Response): Promise<string> {
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (reader !== undefined && !text.includes('event: downloaders')) text += (await reader.read()).value ?? ''
    await reader?.cancel()
    return text
  }

  test('begins with a part of it whole and the downloaders', async ({ expect }) => {
    const id = await add('out of reach')
    const answer = await open()

    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const [, list = ''] = /event: list\ndata: (.*)\n/.exec(await firstEvents(answer)) ?? []
    expect(JSON.parse(list)).toMatchObject({
      ...{ from: 0, items: [], total: 0 },
      failures: [{ downloader_id: id, error: '无法连接下载器' }],
    })
  })

  test.for(['', '?from=0', '?from=0&count=201', '?from=0&count=0', '?from=-1&count=5'])(
    '%s is refused',
    async (query, { expect }) => {
      expect((await send('GET', `${consolePrefix}/torrents/events${query}`, session)).status).toBe(400)
    },
  )

  test('so many are told at once, and who leaves makes room', async ({ expect }) => {
    const answers: Response[] = []
    for (let count = 0; count < torrentStreamsMax; count += 1) answers.push(await open())
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))

    const refused = await open()
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: 'busy', reason: { kind: 'stream.too_many' } })
    await answers.pop()?.body?.cancel()
    const next = await open()
    expect(next.status).toBe(200)
    for (const { body } of [...answers, next]) await body?.cancel()
  })
})
