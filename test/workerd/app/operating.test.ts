/** What monitors ask. The host behind `OWN_HOST` is there on one's own machine only; its own tests start one. */
import { env, exports } from 'cloudflare:workers'
import { describe, test } from 'vitest'
import { metricsType } from '../../../shared/http/metrics-text.ts'
import { createApp } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import type { MachineReport } from '../../../workers/app/core/operating/machine.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'

const ask = (path: string, init?: RequestInit) => exports.default.fetch(new Request(`http://wharf.test${path}`, init))

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller
const writer = (await makeToken(session, ['app:write'])).caller

const whole: MachineReport = {
  runtime: 'node',
  startedAtUnix: 1000,
  addresses: ['http://192.0.2.7:8787'],
  backups: { count: 0, bytes: 0 },
  migrations: { applied: 3, missing: [] },
  disk: { freeBytes: 10, totalBytes: 20 },
  databases: { mainBytes: 1, objectBytes: 2, objects: 4 },
  residentBytes: 5,
  problems: [],
}

/** The App on a host that says this of itself. */
function appOn(report: () => Promise<MachineReport>, areMetricsOpen = false) {
  const deps = composeAppDeps(env, { run: () => undefined })
  return createApp({ ...deps, machine: { ...deps.machine, report } }, { traffic: () => [], areMetricsOpen })
}

const readiness = async (report: () => Promise<MachineReport>) => {
  const answer = await appOn(report).fetch(new Request('http://wharf.test/readyz'))
  return { status: answer.status, body: await answer.json() }
}

describe('/healthz', () => {
  test('says that the service lives, to anybody', async ({ expect }) => {
    const answer = await ask('/healthz')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(await answer.json()).toMatchObject({ status: 'ok' })
  })

  test.each(['POST', 'PUT', 'DELETE'])('%s is refused', async (method) => {
    const answer = await ask('/healthz', { method })
    if (answer.status !== 405 || answer.headers.get('allow') !== 'GET, HEAD') throw new Error(String(answer.status))
    await answer.body?.cancel()
  })
})

describe('each of them', () => {
  test.each(['/healthz', '/readyz', '/metrics'])(
    '%s has a request id: the caller’s, or one of its own',
    async (path) => {
      const idOf = async (init?: RequestInit) => {
        const answer = await ask(path, init)
        await answer.body?.cancel()
        return answer.headers.get('x-request-id')
      }
      const ids = [await idOf({ headers: { 'x-request-id': 'probe-7' } }), await idOf(), await idOf({ method: 'POST' })]
      if (ids[0] !== 'probe-7' || ids[1] === null || ids[2] === null || ids[1] === ids[2]) throw new Error(ids.join())
    },
  )
})

describe('/readyz', () => {
  test('asks the database alone where the platform has the machine', async ({ expect }) => {
    const answer = await ask('/readyz')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ ready: true, checks: { database: { ok: true } } })
  })

  test('is ready on a machine that is well', async ({ expect }) => {
    expect(await readiness(async () => whole)).toEqual({
      status: 200,
      body: { ready: true, checks: { database: { ok: true }, migrations: { ok: true }, disk: { ok: true } } },
    })
  })

  test('says what is wrong, and names no path of the machine', async ({ expect }) => {
    const path = '/secret/place'
    const full = await readiness(async () => ({ ...whole, problems: [{ kind: 'machine.disk_full', path }] }))
    expect(full).toMatchObject({ status: 503, body: { ready: false, checks: { disk: { ok: false } } } })
    expect(JSON.stringify(full)).toContain('full')
    const damaged = await readiness(async () => ({ ...whole, problems: [{ kind: 'machine.database_damaged', path }] }))
    expect(damaged).toMatchObject({ status: 503, body: { ready: false, checks: { database: { ok: false } } } })
    const migrations = { applied: 2, missing: ['0099_next.sql'] }
    const older = await readiness(async () => ({ ...whole, migrations }))
    expect(older).toMatchObject({ status: 503, body: { checks: { migrations: { ok: false } } } })
    expect(JSON.stringify(older)).toContain('0099_next.sql')
    expect(JSON.stringify([full, damaged, older])).not.toContain(path)
  })

  test('serves on where the owner is only to be told of something', async ({ expect }) => {
    const low = { kind: 'machine.disk_low', path: '/data', left: 1 } as const
    const late = { kind: 'machine.clock_behind', now: 1, seen: 2 } as const
    expect(await readiness(async () => ({ ...whole, problems: [low, late] }))).toMatchObject({ status: 200 })
  })

  test('is not ready when the host does not say how it is', async ({ expect }) => {
    expect(await readiness(() => Promise.reject(new Error('gone')))).toMatchObject({
      status: 503,
      body: { ready: false },
    })
  })
})

describe('/metrics', () => {
  test.each([
    ['no credential', {}, 401],
    ['a token that may not read', 'writer', 403],
    ['a token that may read', 'reader', 200],
    ['the owner’s session', 'session', 200],
  ] as const)('with %s answers as it should', async (_, who, status) => {
    const headers = who === 'writer' ? writer : who === 'reader' ? reader : who === 'session' ? session : {}
    const answer = await ask('/metrics', { headers })
    if (answer.status !== status) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer.body?.cancel()
  })

  test('needs no credential where the owner opened it', async ({ expect }) => {
    const answer = await appOn(async () => whole, true).fetch(new Request('http://wharf.test/metrics'))
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('wharf_disk_free_bytes 10\n')
  })

  test('tells sites, jobs, queues and what was served, and nothing that is sealed', async ({ expect }) => {
    await env.DB.prepare(
      `insert into sites (name, display_name, kind, base_url, sealed_credentials, inactivity_days, remind_before_days,
         created_at_unix, updated_at_unix, last_probe_at_unix, last_probe_status)
       values ('quay "one"', 'Quay', 'nexusphp', 'https://quay.example', 'sealed-planted', 30, 7, 10, 10, 20, 'timeout')`,
    ).run()
    const { id } =
      (await env.DB.prepare(`select id from sites where name = 'quay "one"'`).first<{ id: number }>()) ?? {}
    await env.DB.batch([
      env.DB.prepare(`insert into site_users (site_id, username, fetched_at_unix) values (?, 'me', 15)`).bind(id ?? 0),
      env.DB.prepare(
        `insert into jobs (scope, subject_id, name, due_at_unix, last_ok) values ('site', ?, 'statistics', 30, 0)`,
      ).bind(id ?? 0),
      env.DB.prepare(
        `insert into deliveries (notice_id, channel_id, type, title, text, at_unix, due_at_unix)
         values (1, 1, 'push_failed', 'a', 'b', 1, 1)`,
      ),
    ])
    await send('GET', '/api/app/v1/meta', reader)

    const answer = await ask('/metrics', { headers: reader })
    const text = await answer.text()

    expect(answer.headers.get('content-type')).toBe(metricsType)
    const labelled = '{site="quay \\"one\\""}'
    expect(text).toContain(`wharf_site_figures_timestamp_seconds${labelled} 15\n`)
    expect(text).toContain(`wharf_site_probe_timestamp_seconds${labelled} 20\n`)
    expect(text).toContain(`wharf_site_up${labelled} 0\n`)
    expect(text).toContain('wharf_jobs_failed{job="statistics"} 1\n')
    expect(text).toContain('wharf_jobs_overdue{job="statistics"} 1\n')
    expect(text).toContain('wharf_queue_length{queue="deliveries"} 1\n')
    expect(text).toMatch(/wharf_requests_total\{route="app",status="2xx"\} [1-9]/)
    expect(text).toMatch(/wharf_request_seconds_bucket\{route="app",le="\+Inf"\} [1-9]/)
    expect(text).not.toContain('sealed-planted')
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(
        /^(# (HELP|TYPE) wharf_\w+ .+|wharf_\w+(\{\w+="(\\.|[^"\\])*"(,\w+="(\\.|[^"\\])*")*\})? [\d.e+-]+)$/,
      )
  })
})

describe('the console’s health', () => {
  test('says at the edge that there is no machine of one’s own', async ({ expect }) => {
    expect((await send('GET', '/api/console/v1/health', session)).body).toEqual({
      own_machine: false,
      addresses: [],
      problems: [],
    })
  })

  test('says what is wrong with the machine, with the place', async ({ expect }) => {
    const app = appOn(async () => ({ ...whole, problems: [{ kind: 'machine.disk_full', path: '/data' }] }))
    const answer = await app.fetch(new Request('http://wharf.test/api/console/v1/health', { headers: session }))
    const body: { problems: { message: string }[] } = await answer.json()
    expect(body).toMatchObject({
      own_machine: true,
      addresses: ['http://192.0.2.7:8787'],
      problems: [{ reason: { kind: 'machine.disk_full', path: '/data' } }],
    })
    expect(body.problems[0]?.message).toContain('/data')
  })
})
