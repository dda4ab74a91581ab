import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, test } from 'vitest'
import { createAuditLog } from '../../../workers/app/adapters/d1/audit-log.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { auditRowsMax, auditSeconds } from '../../../workers/app/limits.ts'
import { auditRows, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { withoutAuditLog } from '../../support/workerd/without-audit-log.ts'

const actions = `${appPrefix}/torrents/actions`
const target = { downloader_id: 999, task_id: 'a'.repeat(40) }

const tried = { type: 'qbittorrent', address: 'http://127.0.0.1:1', username: '', password: 'p' }
const downloader = {
  name: 'Attic',
  type: 'qbittorrent',
  address: 'http://127.0.0.1:1',
  username: '',
  password: 'p',
  enabled: true,
  default: false,
}

const session = await ownerSession()
const token = await makeToken(session, ['app:read', 'app:write'])

beforeEach(async () => {
  await env.DB.prepare('delete from audit_entries').run()
})

async function finishedRows() {
  const deadlineMs = Date.now() + 10_000
  for (;;) {
    const rows = await auditRows()
    if (rows.every(({ result }) => result !== 'started') || Date.now() > deadlineMs) return rows
  }
}

describe('the audit log', () => {
  test('names channel, user and route pattern, never what was sent', async ({ expect }) => {
    await send('POST', actions, token.caller, { json: { action: 'pause', targets: [target] } })

    expect(await finishedRows()).toEqual([
      {
        channel: 'api_token',
        user: `token:${token.id}`,
        command: `POST ${actions}`,
        result: 'error:all_failed',
        status: 200,
      },
    ])
  })

  test('records a call refused for its body as an error', async ({ expect }) => {
    await send('POST', actions, token.caller, { json: { action: 'explode', targets: [target] } })

    expect(await finishedRows()).toMatchObject([{ result: 'error', status: 400 }])
  })

  test('does not record reading, nor what the owner only tries out', async ({ expect }) => {
    await send('GET', `${appPrefix}/meta`, token.caller)
    await send('GET', `${consolePrefix}/downloaders`, session)
    await send('POST', `${consolePrefix}/downloaders/test`, session, { json: tried })

    expect(await auditRows()).toEqual([])
  })

  test('has what the owner changes and removes, by its name', async ({ expect }) => {
    const { body: added } = await send('POST', `${consolePrefix}/downloaders`, session, { json: downloader })
    await send('DELETE', `${consolePrefix}/downloaders/${added.id}`, session)
    await send('DELETE', `${consolePrefix}/downloaders/${added.id}`, session)
    await send('POST', actions, session, { json: { action: 'delete_with_files', targets: [target] } })
    await finishedRows()

    const { body } = await send('GET', `${consolePrefix}/audit`, session)
    const owner = { channel: 'session', user: 'session' }
    const place = `${consolePrefix}/downloaders`
    expect(body.items).toMatchObject([
      {
        ...owner,
        command: `POST ${actions}`,
        result: 'error:all_failed',
        about: { deed: 'delete_with_files', names: [], more: 1 },
      },
      { ...owner, command: `DELETE ${place}/{id}`, result: 'error', status: 404 },
      { ...owner, command: `DELETE ${place}/{id}`, result: 'ok', about: { names: ['Attic'], more: 0 } },
      { ...owner, command: `POST ${place}`, result: 'ok', about: { names: ['Attic'], more: 0 } },
    ])
    expect(body.items[1]).not.toHaveProperty('about')
  })

  test('does not keep the owner from making room where it cannot be written', async ({ expect }) => {
    const answer = await withoutAuditLog(() =>
      send('POST', actions, session, { json: { action: 'delete_with_files', targets: [target] } }),
    )

    expect(answer).toMatchObject({ status: 200, body: { failed: 1 } })
  })

  test('comes first: when it cannot be written the call answers 503 and nothing happens', async ({ expect }) => {
    const answer = await withoutAuditLog(() =>
      send('POST', actions, token.caller, { json: { action: 'pause', targets: [target] } }),
    )

    expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } })
  })

  test('is read by the owner, newest first, in pages', async ({ expect }) => {
    for (let call = 0; call < 3; call += 1)
      await send('POST', actions, token.caller, { json: { action: 'pause', targets: [target] } })

    const first = (await send('GET', `${consolePrefix}/audit?page_size=2`, session)).body
    const second = (await send('GET', `${consolePrefix}/audit?page_size=2&page=2`, session)).body

    expect(first).toMatchObject({ total: 3, page: 1, page_size: 2 })
    const ids = [...first.items, ...second.items].map(({ id }: { id: number }) => id)
    expect(ids).toEqual([...ids].sort((left, right) => right - left))
    expect(ids).toHaveLength(3)
  })

  test('drops entries past their age', async ({ expect }) => {
    const nowMs = Date.now()
    const log = (at: number) => createAuditLog(drizzle(env.DB), { nowMs: () => at })
    await log(nowMs - (auditSeconds + 10) * 1000).begin({
      channel: 'api_token',
      user: 'token:old',
      command: 'POST /x',
      requestId: 'r',
    })
    const kept = log(nowMs)
    // Every hundredth entry also trims.
    for (let written = 0; written < 100; written += 1)
      await kept.begin({ channel: 'api_token', user: 'token:new', command: 'POST /x', requestId: 'r' })

    expect((await auditRows()).filter(({ user }) => user === 'token:old')).toEqual([])
  })

  test('keeps as many entries as are allowed, and drops the oldest past that', async ({ expect }) => {
    const insert = (id: number) =>
      env.DB.prepare(
        "insert into audit_entries (id, at_unix, channel, user, command, result, request_id) values (?, ?, 'api_token', 'token:count', 'POST /x', 'ok', 'r')",
      )
        .bind(id, Math.floor(Date.now() / 1000))
        .run()
    // Ids only grow: an entry that is as many ids older than the newest is the first one too many.
    const newest = 10 * auditRowsMax
    for (const id of [newest - auditRowsMax, newest - auditRowsMax + 1, newest - 1]) await insert(id)

    const written = await createAuditLog(drizzle(env.DB), { nowMs: () => Date.now() }).begin({
      channel: 'api_token',
      user: 'token:count',
      command: 'POST /x',
      requestId: 'r',
    })

    expect(written).toBe(newest)
    expect(
      (await env.DB.prepare("select id from audit_entries where user = 'token:count' order by id").all()).results,
    ).toEqual([{ id: newest - auditRowsMax + 1 }, { id: newest - 1 }, { id: newest }])
  })
})
