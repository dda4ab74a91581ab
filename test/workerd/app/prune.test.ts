/** What is past its time to be kept goes, also while nobody calls. */

import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { serviceJob } from '../../../workers/app/adapters/d1/job-list.ts'
import { auditSeconds, auditTrimRows, jobLeaseSeconds, pruneSeconds } from '../../../workers/app/limits.ts'
import { clock, fakeFleet, settle, unix, workWith } from '../../support/workerd/told-sites.ts'

const startUnix = unix('2026-11-20T19:00:00Z')
const work = () => workWith(fakeFleet())

beforeEach(async () => {
  clock.now = startUnix
  for (const table of ['jobs', 'audit_entries', 'sessions', 'pairing_code'])
    await env.DB.prepare(`delete from ${table}`).run()
})

async function audited(atUnix: number, many = 1): Promise<void> {
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
     insert into audit_entries (at_unix, channel, user, command, result, request_id)
     select ?2, 'token', 'u', 'POST /push', 'ok', 'r' from n`,
  )
    .bind(many, atUnix)
    .run()
}

const signedInUntil = (hash: string, expiresAtUnix: number) =>
  env.DB.prepare('insert into sessions values (?, 1, ?, 1)').bind(hash, expiresAtUnix).run()

const timesOf = async (table: string, column: string) =>
  (await env.DB.prepare(`select ${column} as at from ${table} order by 1`).all<{ at: number }>()).results.map(
    ({ at }) => at,
  )

describe('records that are kept for a time', () => {
  test('go when it is over, and not a second before', async ({ expect }) => {
    await audited(startUnix - auditSeconds + 100)
    await audited(startUnix)
    const first = startUnix + 100

    expect(await work().runDue()).toBe(first)
    clock.now = first - 1
    expect(await work().runDue()).toBe(first)
    expect(await timesOf('audit_entries', 'at_unix')).toHaveLength(2)
    clock.now = first
    await settle(work())

    expect(await timesOf('audit_entries', 'at_unix')).toEqual([startUnix])
    expect(await work().runs()).toMatchObject([
      { scope: 'service', name: 'prune', lastOk: true, dueAtUnix: startUnix + auditSeconds },
    ])
  })

  test('are sign-ins and pairing codes, too', async ({ expect }) => {
    await signedInUntil('over', startUnix)
    await signedInUntil('open', startUnix + 1)
    await env.DB.prepare("insert into pairing_code values (1, 'sealed', 'read', ?)").bind(startUnix).run()

    await settle(work())

    expect(await timesOf('sessions', 'expires_at_unix')).toEqual([startUnix + 1])
    expect(await timesOf('pairing_code', 'expires_at_unix')).toEqual([])
  })

  test('are removed so many at a time, until none is left', async ({ expect }) => {
    await audited(startUnix - auditSeconds, 2 * auditTrimRows + 1)
    const left: number[] = []
    for (let look = 0; look < 3; look += 1) {
      await env.DB.prepare("update jobs set lease_until_unix = 0 where name = 'prune'").run()
      await work().runDue()
      left.push((await timesOf('audit_entries', 'at_unix')).length)
    }

    expect(left.at(-1)).toBe(0)
    expect(await work().runs()).toEqual([])
  })

  test('are looked for once a day at the most', async ({ expect }) => {
    await audited(startUnix - auditSeconds)
    await audited(startUnix - auditSeconds + 60)

    await settle(work())

    expect(await work().runs()).toMatchObject([{ name: 'prune', dueAtUnix: startUnix + pruneSeconds }])
  })

  test('keep nobody awake while there are none', async ({ expect }) => {
    expect(await work().runDue()).toBeUndefined()
    expect(await work().runs()).toEqual([])
  })
})

test('a run that is cut off is made up for', async ({ expect }) => {
  await audited(startUnix - auditSeconds)
  const gone = new Promise<never>(() => undefined)
  let begun = 0
  const keeping = {
    nextAtUnix: async () => startUnix,
    prune: () => {
      begun += 1
      return gone
    },
  }
  void workWith(fakeFleet(), { keeping }).runDue()
  await expect.poll(() => begun, { timeout: 10_000 }).toBe(1)
  clock.now += jobLeaseSeconds
  await settle(work())

  expect(await timesOf('audit_entries', 'at_unix')).toEqual([])
  expect(await work().runSoon(serviceJob('prune'))).toBe(false)
})
