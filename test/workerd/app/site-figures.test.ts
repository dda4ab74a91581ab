/** Figures that a site does not tell, or that are not to be believed, on their way to rows, answers and sums. */
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeEach, describe, test } from 'vitest'
import { createSiteFigures } from '../../../workers/app/adapters/d1/site-figures.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { type SiteUser, userOf } from '../../../workers/app/core/site-figures.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { silent } from '../../support/workerd/told-sites.ts'

const figures = createSiteFigures(drizzle(env.DB), silent)
const place = { page: 'userdetails.php', row: 'transfers', label: 'uploaded' }
let siteId = 0
let day = ''
let nowUnix = 0

const session = await ownerSession()
const reader = (await makeToken(session, ['app:read'])).caller

beforeEach(async () => {
  await env.DB.prepare('delete from sites').run()
  for (const table of ['site_users', 'site_snapshots']) await env.DB.prepare(`delete from ${table}`).run()
  const added = await send('POST', `${consolePrefix}/sites`, session, {
    json: {
      name: 'ginkgo',
      display_name: '',
      kind: 'nexusphp',
      definition: '',
      address: 'http://127.0.0.1:9',
      cookie: 'c=1',
      enabled: true,
      auto_sign_in: false,
    },
  })
  siteId = added.body.id
  day = (await send('GET', `${appPrefix}/overview`, reader)).body.today.from
  nowUnix = Math.floor(Date.now() / 1000)
})

const note = (user: SiteUser, atUnix = nowUnix) => figures.noteReading(siteId, { user }, day, atUnix)
const shown = async () => (await send('GET', `${appPrefix}/sites`, reader)).body.items[0].user
const totals = async () => (await send('GET', `${appPrefix}/overview`, reader)).body.totals

test('what is not told is null in its row, named beside its zero, and in no sum', async ({ expect }) => {
  await note(userOf('walker', [['uploaded', 5000, place]]))

  const row = await env.DB.prepare('select * from site_users').first()
  expect(row).toMatchObject({ uploaded_bytes: 5000, downloaded_bytes: null, bonus: null, unread_messages: null })
  expect(JSON.parse(String(row?.['sources']))).toEqual({ uploaded: place })
  expect(await shown()).toEqual({
    username: 'walker',
    uploaded: 5000,
    downloaded: 0,
    ratio: 0,
    bonus: 0,
    seeding: 0,
    leeching: 0,
    unread_messages: 0,
    unknown: ['downloaded', 'ratio', 'bonus', 'seeding', 'leeching', 'unread_messages'],
    updated_at: nowUnix,
  })
  const { today } = (await send('GET', `${appPrefix}/overview`, reader)).body
  expect(today.sites).toEqual([
    { site: 'ginkgo', uploaded: 0, downloaded: 0, bonus: 0, unknown: ['uploaded', 'downloaded', 'bonus'] },
  ])
})

test('a jump is doubtful and in no sum, and believed when the next reading says it again', async ({ expect }) => {
  const jump = userOf('walker', [['bonus', 900_000, place]])
  await note(userOf('walker', [['bonus', 100, place]]))
  await note(jump, nowUnix + 1)

  expect(await shown()).toMatchObject({ bonus: 900_000, doubtful: [{ figure: 'bonus', rule: 'growth' }] })
  expect((await totals()).bonus).toBe(0)
  const kept = await env.DB.prepare('select bonus from site_snapshots').first('bonus')
  expect(kept).toBe(100)

  await note(jump, nowUnix + 2)
  expect(await shown()).not.toHaveProperty('doubtful')
  expect((await totals()).bonus).toBe(900_000)
})

describe('what the owner says of a doubtful figure', () => {
  const poured = userOf('walker', [['bonus', 900_000, place]])
  const say = (json: object) => send('POST', `${consolePrefix}/sites/${siteId}/figures`, session, { json })
  const told = async () => {
    const { items } = (await send('GET', `${appPrefix}/sites/ginkgo/figures`, reader)).body
    return items.find((one: { figure: string }) => one.figure === 'bonus')
  }
  const snapshot = () => env.DB.prepare('select bonus from site_snapshots').first('bonus')

  beforeEach(async () => {
    await note(userOf('walker', [['bonus', 100, place]]))
    await note(poured, nowUnix + 1)
  })

  test('is right: known at once, in sums and in the history, and said to be from the owner', async ({ expect }) => {
    expect(await told()).toEqual({ figure: 'bonus', value: 900_000, ...place, doubt: 'growth', before: 100 })
    expect((await say({ figure: 'bonus', value: 900_000, is: 'right' })).status).toBe(200)

    expect(await told()).toEqual({
      ...{ figure: 'bonus', value: 900_000, ...place },
      ...{ read: 900_000, said_at: expect.any(Number) },
    })
    expect((await totals()).bonus).toBe(900_000)
    expect(await snapshot()).toBe(900_000)
    expect(await shown()).not.toHaveProperty('doubtful')
  })

  test('what was known before is kept until the page says something else', async ({ expect }) => {
    expect((await say({ figure: 'bonus', value: 900_000, is: 'before' })).status).toBe(200)
    expect(await told()).toMatchObject({ value: 100, read: 900_000 })
    expect((await totals()).bonus).toBe(100)

    // A jump is believed at its second reading; what the owner kept is not overruled by it.
    await note(poured, nowUnix + 2)
    await note(poured, nowUnix + 3)
    expect(await told()).toMatchObject({ value: 100, read: 900_000, said_at: expect.any(Number) })
    expect([await snapshot(), (await totals()).bonus]).toEqual([100, 100])

    await note(userOf('walker', [['bonus', 120, place]]), nowUnix + 4)
    expect(await told()).toEqual({ figure: 'bonus', value: 120, ...place })
  })

  test('of a doubt that each reading has again holds as long as the page says the same', async ({ expect }) => {
    const differs = userOf('walker', [['bonus', 110, place]], [{ figure: 'bonus', rule: 'places' }])
    await note(differs, nowUnix + 2)
    // What was known before the first of both doubts is what may be kept.
    expect(await told()).toMatchObject({ value: 110, doubt: 'places', before: 100 })
    await say({ figure: 'bonus', value: 110, is: 'right' })
    await note(differs, nowUnix + 3)
    expect(await told()).not.toHaveProperty('doubt')

    await note(userOf('walker', [['bonus', 111, place]], [{ figure: 'bonus', rule: 'places' }]), nowUnix + 4)
    expect(await told()).toEqual({ figure: 'bonus', value: 111, ...place, doubt: 'places', before: 110 })
    // Of another account nothing was said.
    await note(userOf('runner', [['bonus', 110, place]], [{ figure: 'bonus', rule: 'places' }]), nowUnix + 5)
    expect(await told()).toEqual({ figure: 'bonus', value: 110, ...place, doubt: 'places' })
  })

  test.for([
    ['another value than the one that is there', { figure: 'bonus', value: 100, is: 'right' }, 404],
    ['a figure that is not doubtful', { figure: 'uploaded', value: 5, is: 'right' }, 404],
    ['a level', { figure: 'level', value: 5, is: 'right' }, 404],
    ['no number', { figure: 'bonus', value: '900000', is: 'right' }, 400],
    ['something else', { figure: 'bonus', value: 900_000, is: 'wrong' }, 400],
  ] as const)('is refused of %s', async ([_, json, status], { expect }) => {
    expect((await say(json)).status).toBe(status)
    expect(await told()).toMatchObject({ doubt: 'growth' })
  })

  test('is refused where nothing was known before, and of a site that is not there', async ({ expect }) => {
    await note(userOf('other', [['bonus', 5, place]], [{ figure: 'bonus', rule: 'sum' }]), nowUnix + 2)
    expect((await say({ figure: 'bonus', value: 5, is: 'before' })).status).toBe(404)
    const path = `${consolePrefix}/sites/${siteId + 1}/figures`
    const answer = await send('POST', path, session, { json: { figure: 'bonus', value: 5, is: 'right' } })
    expect(answer.status).toBe(404)
  })
})

test('what was known earlier in the day stays in its history', async ({ expect }) => {
  await note(userOf('walker', [['uploaded', 5000, place]]))
  await note(userOf('walker', [['bonus', 7, place]]), nowUnix + 1)

  expect(await env.DB.prepare('select uploaded_bytes, bonus from site_snapshots').first()).toEqual({
    uploaded_bytes: 5000,
    bonus: 7,
  })
})
