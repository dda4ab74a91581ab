/** What a member watches, in Chromium against a stand-in server: the level, what has to be seeded, the history, free periods. */
import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from 'playwright-core'
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
          ...{ free_at: now + 6 * 3600, looked_at: now - 60, downloader_id: 1, task_id: 'a'.repeat(40) },
        },
        {
          ...{ torrent_id: '2', title: 'Northern Passage S01', size: gib, marked: true, downloader: 'nas-2' },
          ...{ state: 'unknown' as const, seeded: 36 * 3600, left: 36 * 3600, looked_at: now - 86_400 },
          ...{ downloader_id: 2, task_id: 'b'.repeat(40) },
        },
        ...(['missing', 'standing', 'free'] as const).map((state, at) => ({
          ...{ torrent_id: `${3 + at}`, title: `Far Lanes S0${at}`, size: gib, marked: true, downloader: 'nas-1' },
          ...{ state, seeded: 3600, looked_at: now - 60, downloader_id: 1, task_id: `${at}`.repeat(40) },
        })),
      ],
    },
    readFigures: {
      items: [
        { figure: 'uploaded' as const, value: 10 * gib, page: 'userdetails.php', row: '传输', label: '上传量' },
        {
          figure: 'bonus' as const,
          value: 7,
          page: 'index.php',
          row: 'info_block',
          doubt: 'places' as const,
          before: 402_115,
        },
        { figure: 'bonus_per_hour' as const },
      ],
      read_at: now - 60,
    },
    promotions: {
      action: 'pause' as const,
      items: [
        {
          ...{ torrent_id: '1', title: 'Visitors to Salt Town S01', downloader: 'nas-1', discount: 'FREE' as const },
          ...{ ends_at: now + 52 * 60, outlook: 'too_slow' as const, needs: 6000, billed: 3 * gib },
          acts_at: now + 50 * 60,
        },
        {
          ...{ torrent_id: '2', title: '灯塔守护者', downloader: 'nas-1', discount: '2XFREE' as const },
          ...{ ends_at: now + 2 * 86_400, outlook: 'in_time' as const, needs: 1380 },
        },
        {
          ...{ torrent_id: '3', title: 'Far Lanes S01', downloader: 'nas-2', discount: 'FREE' as const },
          ...{ outlook: 'untold' as const, billed: gib, ending: 'warned' as const },
        },
      ],
      silent: ['nas-2'],
    },
    siteDays: [
      { day: '2026-11-01', uploaded: 10 * gib, downloaded: gib, ratio: 2 },
      { day: '2026-11-03', uploaded: 30 * gib, downloaded: 4 * gib, ratio: 2.5, bonus: 7.5 },
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

  test('the level and the history follow the figures that are read while the page is open', async ({ expect }) => {
    const none = { ...watched, standing: { known: false, pace_days: 0 }, siteDays: [] }
    const { page, standIn } = await open('#/sites/1', none)
    await page.getByText('The site has not told a level.').waitFor()
    await page.getByText('No growth was recorded yet.').waitFor()
    Object.assign(standIn.state, { standing: watched.standing, siteDays: watched.siteDays })
    Object.assign(standIn.state.liveSites.find(({ name }) => name === 'lantern')?.user ?? {}, { updated_at: now + 5 })
    await page.getByRole('button', { name: 'Read figures now' }).click()

    await page.getByText('next Elite User').waitFor({ timeout: 20_000 })
    expect(standIn.received.get('runJob')).toEqual([{ site: 'lantern', job: 'statistics' }])
    await page.getByText('The site has not told a level.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
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
    expect(await page.getByRole('complementary', { name: 'Why?' }).innerText()).toContain(
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
    const others = page.getByRole('navigation', { name: 'Other sites' })
    expect(await others.innerText()).toBe('1 of 9')
    expect(await others.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: /^Next: / }).click()
    await expect.poll(() => page.url()).not.toMatch(/sites\/1$/)
    await page.getByRole('link', { name: /^Previous: / }).click()
    await expect.poll(() => page.url()).toMatch(/sites\/1$/)
  })

  test('what has to be seeded, what was given, and when it is free', async ({ expect }) => {
    const { page } = await openSite()
    const duties = page.locator('section', { has: page.getByRole('heading', { name: 'H&R' }) })

    await expect.poll(() => duties.locator('tbody tr').count()).toBe(4)
    const said = await duties.innerText()
    expect(said).toContain('72 h or ratio 2.00')
    expect(said).toMatch(/The Salt Road S02E06[\s\S]*66 h\s+0\.11\s+Seeding/)
    expect(said).toMatch(/Northern Passage S01[\s\S]*36 h\s+—\s+Not known\s+36 h/)
    expect(said).toMatch(/Far Lanes S00[\s\S]*No downloader has it\s+Find it/)
    const missing = duties.getByRole('link', { name: 'Find it' })
    expect(await missing.getAttribute('href')).toMatch(/^#\/search\?q=Far\+Lanes\+S00&sites=[a-z0-9._-]+$/)
    await duties.getByRole('button', { name: '1 settled' }).click()
    await expect.poll(() => duties.locator('tbody').innerText()).toMatch(/^Far Lanes S02[\s\S]*Free/)
    expect(await axeFindings(page)).toEqual([])
  })

  test('what is settled alone leaves nothing to be seeded', async ({ expect }) => {
    const { page, standIn } = await openSite()
    const { duties: before } = standIn.state
    standIn.state.duties = { ...before, items: before.items.filter(({ state }) => state === 'free') }
    await page.reload()
    const duties = page.locator('section', { has: page.getByRole('heading', { name: 'H&R' }) })

    await duties.getByText('Nothing that was pushed from here has to be seeded.').waitFor()
    expect(await duties.locator('table').count()).toBe(0)
    await duties.getByRole('button', { name: '1 settled' }).click()
    await expect.poll(() => duties.locator('tbody tr').count()).toBe(1)
  })

  test('what a downloader holds and does not seed is resumed from the ledger', async ({ expect }) => {
    const { page, standIn } = await openSite()
    const duties = page.locator('section', { has: page.getByRole('heading', { name: 'H&R' }) })
    await duties.getByRole('button', { name: 'Resume' }).click()

    await expect
      .poll(() => standIn.received.get('actOnTorrents'))
      .toEqual([{ action: 'resume', targets: [{ downloader_id: 1, task_id: '1'.repeat(40) }] }])
    // The stand-in knows no such torrent, and says so; it stands where the button was.
    await expect.poll(() => duties.innerText()).toMatch(/Far Lanes S01[\s\S]*Not seeding\s+\S.*torrent/)
  })

  test('a doubtful figure is right, or what it was before, once its owner says so', { tags: 'slow' }, async ({
    expect,
  }) => {
    const { page, standIn } = await openSite()
    const places = page.locator('section', { has: page.getByRole('heading', { name: 'Where each figure was read' }) })
    const bonus = places.locator('[data-figure=bonus]')
    await bonus.getByRole('button', { name: 'Keep 402,115' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await bonus.getByRole('button', { name: 'It is right' }).click()
    await expect.poll(() => standIn.received.get('saySiteFigure')).toEqual([{ figure: 'bonus', value: 7, is: 'right' }])
    await expect.poll(() => bonus.innerText()).toMatch(/Settled by you on \S/)

    standIn.state.readFigures = watched.readFigures
    await page.reload()
    // The same stands at the head of the page.
    await page.locator('.figures.prov').getByRole('button', { name: 'Keep 402,115' }).click()
    await expect.poll(() => bonus.innerText()).toMatch(/402,115[\s\S]*Settled by you on .*; the page says 7$/)
  })

  test('the history as a picture, a table and a file', { tags: 'slow' }, async ({ expect }) => {
    const { page } = await openSite()
    const history = page.locator('section', { has: page.getByRole('heading', { name: 'History' }) })

    await history.getByRole('img', { name: 'Uploaded +20 GiB, Downloaded +3 GiB' }).waitFor()
    await history.getByRole('button', { name: 'Ratio' }).click()
    await history.getByRole('img', { name: 'Ratio: from 2 to 2.5' }).waitFor()
    await history.getByText('As a table').click()
    await expect.poll(() => history.locator('tbody tr').first().innerText()).toMatch(/2026-11-03\s+30\.00\sGiB/)
    const saving = page.waitForEvent('download')
    await history.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await saving
    expect(file.suggestedFilename()).toMatch(/-history\.csv$/)
    expect(await readFile(await file.path(), 'utf8')).toContain(`2026-11-03,${30 * gib},${4 * gib},2.5,7.5,,,\r\n`)
    expect(await axeFindings(page)).toEqual([])
  })

  test('fits a telephone', { tags: 'slow' }, async ({ expect }) => {
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

  test('what is taken as free, whether it will be complete in time, and what is done about it', async ({ expect }) => {
    const { page, standIn } = await openSite()
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Promotions that end' }) })

    await expect.poll(() => section.locator('.promo > li').count()).toBe(3)
    const [slow, quick, untold] = await section.locator('.promo > li').allInnerTexts()
    // With the day before it where midnight lies between.
    expect(slow).toMatch(/Visitors to Salt Town S01, Free ends [^\n]{0,30}\d\d:\d\d/)
    expect(slow).toMatch(/nas-1 · Needs 1 h 40 min, has 5[12] min: about 3\.00\sGiB would be billed/)
    expect(slow).toMatch(/paused at [^\n]{0,30}\d\d:\d\d/)
    expect(quick).toMatch(/Free, 2× up ends[\s\S]*Done in about 23 min, before it ends$/)
    expect(untold).toContain('no end told')
    expect(untold).toContain('so it counts as over: about 1.00\u00a0GiB would be billed')
    expect(await section.innerText()).toContain('Could not be asked: nas-2.')

    await section.getByText('When it cannot be complete in time').first().click()
    await section.getByLabel('When it cannot be complete in time').selectOption('off')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('When it cannot be complete in time: Nothing').waitFor()
    expect(standIn.received.get('changeFreeEndSettings')).toEqual([{ action: 'off', unknown_end: 'ending' }])
    expect(await axeFindings(page)).toEqual([])
  })

  describe('who the site sees', () => {
    const sectionOf = (page: Page, name: string) =>
      page.locator('section', { has: page.getByRole('heading', { name, exact: true }) })

    test('how the cookie came, its browser, what is added, and where to replace it', async ({ expect }) => {
      const { page } = await open('#/sites/2', watched, {}, ({ state }) => {
        Object.assign(state.sites[1] ?? {}, { cookie_from: 'extension', cookie_at: now - 41 * 86_400 })
        Object.assign(state.sites[1]?.overrides ?? {}, { user_agent: 'Mozilla/5.0 (X11) Browser/1' })
        state.cookiePush = { uuid: 'u', takenAt: now, renewed: [] }
      })
      const identity = sectionOf(page, 'Identity')
      // What is usual for sites of its kind is asked for by itself, and comes last or first.
      await expect.poll(() => identity.innerText()).toContain('None but yours: this machine adds nothing')
      await expect.poll(() => identity.innerText()).toMatch(/Renewed\s+By the browser, whenever it has another one/)
      const said = await identity.innerText()
      expect(said).toMatch(/Cookie\s+41 days old, worked at \d/)
      expect(said).toContain('Pushed by Wharf’s own extension on')
      expect(said).toMatch(/Mozilla\/5\.0 \(X11\) Browser\/1\s+The browser’s that sent the cookie/)
      expect(said).toMatch(/Pace\s+At most one request in 2 s/)
      await identity.getByRole('link', { name: 'Replace cookie…' }).click()
      await expect.poll(() => page.locator('textarea.veiled:focus').count()).toBe(1)
      const unpaused = await open('#/sites/2', watched, {}, ({ state }) => {
        Object.assign(state.sites[1]?.overrides ?? {}, { request_interval_ms: 0 })
      })
      await expect
        .poll(() => sectionOf(unpaused.page, 'Identity').innerText())
        .toMatch(/Pace\s+No pause between requests/)
    })

    test('an override is tried away before it is taken back', async ({ expect }) => {
      const { page, standIn } = await open('#/sites/2', watched)
      const overrides = sectionOf(page, 'Overrides')
      await expect.poll(() => overrides.locator('li').count()).toBe(2)
      const said = () => overrides.innerText()
      await expect.poll(said).toMatch(/Pause between requests, ms: 2000\s+without it: 1000/)
      expect(await said()).toMatch(/Page, List of torrents: browse\.php\s+without it: as all sites of this kind/)
      await overrides.getByRole('button', { name: 'Take back: Page, List of torrents' }).click()
      await overrides.getByText('It works without it.').waitFor()
      expect(standIn.received.get('testSite')).toMatchObject([{ id: 2, overrides: { request_interval_ms: 2000 } }])
      expect(standIn.received.get('changeSite')).toBeUndefined()
      expect(await axeFindings(page)).toEqual([])
      await overrides.getByRole('button', { name: 'Take it back' }).click()
      await expect.poll(() => overrides.locator('li').count()).toBe(1)
      expect(standIn.state.sites[1]?.overrides).toEqual({ request_interval_ms: 2000 })

      await overrides.getByRole('link', { name: 'Add…' }).click()
      await page.getByLabel('Browser (User-Agent)').waitFor()
    })

    test('what is asked otherwise is tried before it is kept; what fails is kept when that is said again', async ({
      expect,
    }) => {
      const { page, standIn } = await open('#/sites/2/edit?show=overrides', watched)
      const agent = page.getByLabel('Browser (User-Agent)')
      await agent.fill('Mozilla/5.0 (X11) Browser/2')
      await page.getByLabel('Address').fill('https://refused.example')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('It does not work').waitFor()
      expect(standIn.received.get('testSite')).toHaveLength(1)
      expect(standIn.received.get('changeSite')).toBeUndefined()
      await page.getByRole('button', { name: 'Save it anyway' }).waitFor()

      await page.getByLabel('Address').fill('https://ginkgo.example')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(() => standIn.received.get('changeSite')).toHaveLength(1)
      expect(standIn.received.get('testSite')).toHaveLength(2)
      expect(standIn.state.sites[1]?.overrides).toMatchObject({ user_agent: 'Mozilla/5.0 (X11) Browser/2' })
    })

    test('what unread messages are about, once that is asked for', async ({ expect }) => {
      const { page } = await open('#/sites/2', watched)
      await page.getByRole('button', { name: 'Show what about' }).click()
      await page.getByText('邀请码已发放').waitFor()
      expect(await axeFindings(page)).toEqual([])
    })

    test('letters do what the buttons say', async ({ expect }) => {
      const { page, standIn } = await open('#/sites/2', watched)
      await page.getByRole('button', { name: 'Sign in now' }).waitFor()
      await page.keyboard.press('s')
      await expect.poll(() => standIn.received.get('attendSite')).toHaveLength(1)
      await page.keyboard.press('e')
      await expect.poll(() => page.url()).toMatch(/sites\/2\/edit$/)
    })
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
