/** What a member watches, in Chromium against a stand-in server: the level, what has to be seeded, the history, free periods. */
import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions } from 'playwright-core'
import { describe, test } from 'vitest'
import type { WireSitePlan } from '../../workers/app/contract/site-plans.ts'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens, now } from '../support/console-screens.ts'

const gib = 1024 ** 3
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true } as const

describe.skipIf(chromiumPart.isMissing)(`what is watched at a site ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  const watched = {
    standing: {
      ...{ shown: 'Power User', known: true, level: 'Power User', pace_days: 14 },
      next: {
        name: 'Elite User',
        conditions: [
          { condition: 'days' as const, need: 56, have: 40.5, met: false, at: now + 16 * 86_400 },
          { condition: 'downloaded' as const, need: 120 * gib, have: 60 * gib, met: false },
          { condition: 'ratio' as const, need: 1.9, have: 5.26, met: true },
          { condition: 'seeding_points' as const, need: 80_000 },
        ],
      },
    },
    duties: {
      rule: { seed_hours: 72, ratio: 2 },
      items: [
        {
          ...{ torrent_id: '1', title: 'The Salt Road S02E06', size: 9 * gib, marked: true, downloader: 'nas-1' },
          ...{ state: 'seeding' as const, seeded: 66 * 3600, given: gib, ratio: 0.11, left: 6 * 3600 },
          ...{ free_at: now + 6 * 3600, looked_at: now - 60 },
        },
        {
          ...{ torrent_id: '2', title: 'Northern Passage S01', size: gib, marked: true, downloader: 'nas-2' },
          ...{ state: 'unknown' as const, seeded: 36 * 3600, left: 36 * 3600, looked_at: now - 86_400 },
        },
      ],
    },
    readFigures: {
      items: [
        { figure: 'uploaded' as const, value: 10 * gib, page: 'userdetails.php', row: '传输', label: '上传量' },
        { figure: 'bonus' as const, value: 7, page: 'index.php', row: 'info_block', doubt: 'places' as const },
        { figure: 'bonus_per_hour' as const },
      ],
      read_at: now - 60,
    },
    siteDays: [
      { day: '2026-11-01', uploaded: 10 * gib, ratio: 2 },
      { day: '2026-11-03', uploaded: 30 * gib, ratio: 2.5, bonus: 7.5 },
    ],
  }

  async function openSite(context: BrowserContextOptions = {}) {
    const opened = await open('#/sites/1', watched, context)
    await opened.page.getByRole('heading', { name: 'Level', exact: true }).waitFor()
    return opened
  }

  test('the next level, what is missing, and no date for what is not known', async ({ expect }) => {
    const { page } = await openSite()
    const level = page.locator('section', { has: page.getByRole('heading', { name: 'Level', exact: true }) })

    await expect.poll(() => level.innerText()).toContain('Power User')
    const said = await level.innerText()
    expect(said).toContain('next Elite User, no date: something is not told, or does not grow')
    expect(said).toMatch(/Member for\s+40 days\s+56 days\s+16 days/)
    expect(said).toMatch(/Downloaded, billed\s+60\.00\sGiB\s+120\.00\sGiB\s+60\.00\sGiB\s+no date/)
    expect(said).toMatch(/Ratio\s+5\.26\s+1\.90\s+—\s+met/)
    expect(said).toMatch(/Seeding points\s+not told\s+80,000\s+—\s+no date/)
    expect(said).toContain('the mean of the last 14 recorded days')
  })

  const plan: WireSitePlan = {
    ...{ id: 4, state: 'proposed', level: 'Elite User', planned_at: now + 12 * 86_400, at: now + 40 * 86_400 },
    conditions: [
      {
        ...{ condition: 'bonus', need: 9000, have: 3000, met: false, at: now + 40 * 86_400, per_day: 150 },
        ...{ pace_from: 'site', planned_at: now + 12 * 86_400, adds_per_day: 370 },
      },
      { condition: 'other' },
    ],
    steps: [
      {
        ...{ kind: 'seed', title: 'The Salt Road S02', size: 9 * gib, downloader: 'nas-1', info_hash: 'a'.repeat(40) },
        ...{ bonus_per_day: 120, state: 'waiting' },
      },
      {
        ...{ kind: 'push', title: 'Northern Passage S01', size: 2 * gib, torrent_id: '77', free_until: now + 86_400 },
        ...{ state: 'waiting' },
      },
    ],
    ...{ keeps: { count: 3, size: 30 * gib }, gaps: ['room'], unread: [], pace_days: 14 },
    ...{ read_at: now - 60, made_at: now },
  }

  test('a plan is simulated, says why and what is not known, and is carried out after one yes', async ({ expect }) => {
    const { page, standIn } = await openSite()
    standIn.state.simulated = plan
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Plan for the next level' }) })
    await section.getByRole('button', { name: 'Simulate a plan' }).click()

    await expect.poll(() => section.innerText()).toContain('Elite User in 12 days by seeding these 2')
    const said = await section.innerText()
    expect(said).toMatch(/Bonus\s+by what the site says an hour gives\s+3,000\s+9,000\s+150\s+370 more/)
    expect(said).toContain('The room on the disk, or at the site, is not told: nothing is downloaded.')
    expect(said).toContain('3 torrents of the site that are seeded already, 30.00\u00a0GiB, stay')
    await section.getByRole('button', { name: 'Why? The Salt Road S02' }).click()
    expect(await section.innerText()).toContain(
      'It lies whole in nas-1 and is not seeded: starting it costs nothing. It adds one torrent and 9.00\u00a0GiB to what is seeded, and 120 bonus a day',
    )
    expect(await axeFindings(page)).toEqual([])
    expect(standIn.received.get('carryOutSitePlan')).toBeUndefined()
    await section.getByRole('button', { name: 'Carry out: 2 torrents' }).click()
    await section.getByRole('button', { name: 'Stop the plan' }).waitFor()
    expect(standIn.received.get('carryOutSitePlan')).toHaveLength(1)
    await expect.poll(() => section.innerText()).toContain('Under way')
  })

  test('where each figure was read, what is doubtful and what is not told', async ({ expect }) => {
    const { page } = await openSite()
    const places = page.locator('section', { has: page.getByRole('heading', { name: 'Where each figure was read' }) })

    await expect.poll(() => places.locator('dd').count()).toBe(4)
    const said = await places.innerText()
    expect(said).toMatch(/10\.00\sGiB\s+userdetails\.php · 传输 · 上传量/)
    expect(said).toMatch(/7 index\.php · info_block\s+\S/)
    expect(await places.locator('[data-figure=bonus] .warn').count()).toBe(1)
    expect(await places.locator('[data-figure=bonus_per_hour]').innerText()).toMatch(/^—\s/)
    await page.getByRole('link', { name: /^Next: / }).click()
    await expect.poll(() => page.url()).not.toMatch(/sites\/1$/)
    await page.getByRole('link', { name: /^Previous: / }).click()
    await expect.poll(() => page.url()).toMatch(/sites\/1$/)
  })

  test('what has to be seeded, what was given, and when it is free', async ({ expect }) => {
    const { page } = await openSite()
    const duties = page.locator('section', { has: page.getByRole('heading', { name: 'H&R' }) })

    await expect.poll(() => duties.locator('tbody tr').count()).toBe(2)
    const said = await duties.innerText()
    expect(said).toContain('72 h or ratio 2.00')
    expect(said).toMatch(/The Salt Road S02E06[\s\S]*66 h\s+0\.11\s+Seeding/)
    expect(said).toMatch(/Northern Passage S01[\s\S]*36 h\s+—\s+Not known\s+36 h/)
  })

  test('the history as a picture, a table and a file', async ({ expect }) => {
    const { page } = await openSite()
    const history = page.locator('section', { has: page.getByRole('heading', { name: 'History' }) })

    await history.getByRole('img', { name: 'Uploaded: from 10 GiB to 30 GiB' }).waitFor()
    await history.getByRole('button', { name: 'Ratio' }).click()
    await history.getByRole('img', { name: 'Ratio: from 2 to 2.5' }).waitFor()
    await history.getByText('As a table').click()
    await expect.poll(() => history.locator('tbody tr').first().innerText()).toMatch(/2026-11-03\s+30\.00\sGiB/)
    const saving = page.waitForEvent('download')
    await history.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toMatch(/-history\.csv$/)
    expect(await readFile(await file.path(), 'utf8')).toContain(`2026-11-03,${30 * gib},,2.5,7.5,,,\r\n`)
    expect(await axeFindings(page)).toEqual([])
  })

  test('fits a telephone', async ({ expect }) => {
    const { page } = await openSite(phone)
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    // What is done most is within reach of a thumb, and covers nothing at the end of the page.
    const bar = page.getByRole('toolbar', { name: 'Actions' })
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const [top, last] = [await bar.boundingBox(), await page.getByRole('button', { name: /^Delete/ }).boundingBox()]
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(top?.y ?? 0)
    expect(await axeFindings(page)).toEqual([])
  })

  test('the setting of free periods is stored as it is chosen', async ({ expect }) => {
    const { page, standIn } = await open('#/settings')
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Free periods' }) })
    await section.getByLabel('When it cannot be complete in time').selectOption('pause')
    await section.getByLabel('When the site does not tell the end').selectOption('open')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByRole('status').waitFor()

    expect(standIn.received.get('changeFreeEndSettings')).toEqual([{ action: 'pause', unknown_end: 'open' }])
  })
})
