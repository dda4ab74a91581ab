/** Figures that a site does not tell, or that are not to be believed, on their way to rows, answers and sums. */
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { beforeAll, beforeEach, test } from 'vitest'
import { createSiteFigures } from '../../../workers/app/adapters/d1/site-figures.ts'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { type SiteUser, userOf } from '../../../workers/app/core/site-figures.ts'
import { type Caller, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { silent } from '../../support/workerd/told-sites.ts'

const figures = createSiteFigures(drizzle(env.DB), silent)
const place = { page: 'userdetails.php', row: 'transfers', label: 'uploaded' }
let session: Caller
let reader: Caller
let siteId = 0
let day = ''
let nowUnix = 0

beforeAll(async () => {
  session = await ownerSession()
  reader = (await makeToken(session, ['app:read'])).caller
})

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

test('what was known earlier in the day stays in its history', async ({ expect }) => {
  await note(userOf('walker', [['uploaded', 5000, place]]))
  await note(userOf('walker', [['bonus', 7, place]]), nowUnix + 1)

  expect(await env.DB.prepare('select uploaded_bytes, bonus from site_snapshots').first()).toEqual({
    uploaded_bytes: 5000,
    bonus: 7,
  })
})
