/** The way to the next level and the history of one site, from what was read of it. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { addDays, localDay } from '../../../workers/app/core/local-day.ts'
import { figureNames } from '../../../workers/app/core/site-figures.ts'
import { snapshotDays } from '../../../workers/app/limits.ts'
import { consoleSite } from '../../support/console-site.ts'
import { ownerSession, send } from '../../support/workerd/app-client.ts'

const gib = 1024 ** 3
const nowUnix = Math.floor(Date.now() / 1000)
const today = localDay(nowUnix, 'Asia/Shanghai')
let siteId = 0

const session = await ownerSession()

beforeEach(async () => {
  for (const table of ['sites', 'site_users', 'site_snapshots', 'jobs'])
    await env.DB.prepare(`delete from ${table}`).run()
  // A definition whose levels are known; nothing listens at the address.
  const body = consoleSite('shelf', 'nexusphp', 'http://127.0.0.1:9', { definition: '1ptba', enabled: false })
  const added = await send('POST', `${consolePrefix}/sites`, session, { json: body })
  if (added.status !== 200) throw new Error(JSON.stringify(added.body))
  siteId = Number(added.body.id)
})

const get = (path: string) => send('GET', `${appPrefix}/sites/shelf/${path}`, session)

async function hasRead(change: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const row = {
    ...{ site_id: siteId, username: 'walker', level: 'User', uploaded_bytes: 100 * gib, downloaded_bytes: 40 * gib },
    ...{ ratio: 2.5, seeding_points: 39_000, joined_at_unix: nowUnix - 30 * 86_400, fetched_at_unix: nowUnix },
    ...change,
  }
  await env.DB.prepare(
    `insert into site_users (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
  )
    .bind(...Object.values(row))
    .run()
}

async function hadOn(day: string, figures: Readonly<Record<string, number>>): Promise<void> {
  const row = { site_id: siteId, day, ...figures }
  await env.DB.prepare(
    `insert into site_snapshots (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
  )
    .bind(...Object.values(row))
    .run()
}

describe('GET /sites/{site}/level', () => {
  test('says what is missing for the next level, and when it will be there', async ({ expect }) => {
    await hasRead()
    await hadOn(addDays(today, -10), { downloaded_bytes: 30 * gib, seeding_points: 38_000 })
    await hadOn(today, { downloaded_bytes: 40 * gib, seeding_points: 39_000 })

    const { status, body } = await get('level')

    expect(status).toBe(200)
    expect(body).toMatchObject({ shown: 'User', known: true, level: 'User', pace_days: 10 })
    expect(body.next).toEqual({
      name: 'Power User',
      conditions: [
        { condition: 'days', need: 35, have: expect.closeTo(30, 1), met: false, at: expect.any(Number) },
        { condition: 'downloaded', need: 50 * gib, have: 40 * gib, met: false, at: expect.any(Number) },
        { condition: 'ratio', need: 1.3, have: 2.5, met: true },
        { condition: 'seeding_points', need: 40_000, have: 39_000, met: false, at: expect.any(Number) },
      ],
      at: expect.any(Number),
    })
    expect((body.next.at - nowUnix) / 86_400).toBeCloseTo(10, 1)
  })

  test('has no date where a figure is absent, and no number for it', async ({ expect }) => {
    await hasRead({ joined_at_unix: null, seeding_points: null })

    const { body } = await get('level')

    expect(body.next).not.toHaveProperty('at')
    expect(body.next.conditions).toContainEqual({ condition: 'seeding_points', need: 40_000 })
    expect(body.next.conditions).toContainEqual({ condition: 'days', need: 35 })
  })

  test.for([
    ['a level of another name', { level: 'Emperor' }, { shown: 'Emperor', known: true, pace_days: 0 }],
    ['no level', { level: null }, { known: true, pace_days: 0 }],
  ] as const)('says no more than it knows: %s', async ([_, change, expected], { expect }) => {
    await hasRead(change)
    expect((await get('level')).body).toEqual(expected)
  })

  test('says no more than it knows: nothing read yet, and a site of no definition', async ({ expect }) => {
    expect((await get('level')).body).toEqual({ known: true, pace_days: 0 })
    await env.DB.prepare("update sites set definition = ''").run()
    await hasRead()
    expect((await get('level')).body).toEqual({ shown: 'User', known: false, pace_days: 0 })
  })

  test('is not there for a site that is not', async ({ expect }) => {
    const answer = await send('GET', `${appPrefix}/sites/nowhere/level`, session)
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
  })
})

describe('GET /sites/{site}/figures', () => {
  test('has every figure with its place, and none before the account was read', async ({ expect }) => {
    expect((await get('figures')).body).toEqual({ items: [] })
    const place = { page: 'userdetails.php', row: '传输', label: '上传量' }
    await hasRead({
      sources: JSON.stringify({ uploaded: place }),
      doubts: JSON.stringify([{ figure: 'uploaded', rule: 'places' }]),
    })
    const { body } = await get('figures')

    expect(body.read_at).toBe(nowUnix)
    expect(body.items).toHaveLength(figureNames.length)
    expect(body.items).toContainEqual({ figure: 'uploaded', value: 100 * gib, ...place, doubt: 'places' })
    expect(body.items).toContainEqual({ figure: 'bonus' })
    expect((await send('GET', `${appPrefix}/sites/nowhere/figures`, session)).status).toBe(404)
  })
})

describe('GET /sites/{site}/history', () => {
  test('has what was known of each day, the oldest first', async ({ expect }) => {
    await hadOn(addDays(today, -40), { uploaded_bytes: 1 })
    await hadOn(addDays(today, -2), { uploaded_bytes: 5, ratio: 1.5 })
    await hadOn(today, { downloaded_bytes: 7, bonus: 2.5, seeding: 3, seeding_size_bytes: 9, seeding_points: 4 })

    expect((await get('history')).body.items).toEqual([
      { day: addDays(today, -2), uploaded: 5, ratio: 1.5 },
      { day: today, downloaded: 7, bonus: 2.5, seeding: 3, seeding_size: 9, seeding_points: 4 },
    ])
    expect((await get('history?days=365')).body.items).toHaveLength(3)
    expect((await get('history?days=1')).body.items).toHaveLength(1)
  })

  test.for(['0', String(snapshotDays + 1), 'x'])('is not told of %s days', async (days, { expect }) => {
    expect((await get(`history?days=${days}`)).status).toBe(400)
  })

  test('is told of as many days as are kept, and not of a site that is not there', async ({ expect }) => {
    expect((await get(`history?days=${snapshotDays}`)).status).toBe(200)
    expect((await send('GET', `${appPrefix}/sites/nowhere/history`, session)).status).toBe(404)
  })
})
