/** The console in Chromium against a stand-in server: the states a real server cannot be brought into at will. */

import { describe, test } from 'vitest'
import type { WireBrushLeftList } from '../../workers/app/contract/console-brush.ts'
import type { WireClause } from '../../workers/app/contract/console-rules.ts'
import { axeFindings, chromiumPart, policyViolations } from '../support/chromium.ts'
import { consoleScreens, everyScreen, installClock, now } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'
import { readCode } from '../support/read-code.ts'
import { saying } from '../support/said.ts'
import type { StandInConsole } from '../support/stand-in-console.ts'

/** The server has too many to tell by itself, so that the list is read in turns. */
function inTurns({ refusals }: StandInConsole): void {
  const reason = { kind: 'stream.too_many', limit: 16 } as const
  refusals.set('streamTorrents', { status: 429, error: 'busy_slots', reason })
}

describe.skipIf(chromiumPart.isMissing)(`the console's screens ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('a torrent list that misses a downloader says which and why, above the rows', async ({ expect }) => {
    const { page } = await open('#/torrents')
    const note = page.locator('.note.part')
    await note.waitFor()
    expect(await note.innerText()).toMatch(/Incomplete list\. nas-2 could not be read: It did not answer in time/)
    expect(await page.locator('.pager').innerText()).toBe('15 torrents, nas-2 not counted')
    expect(await page.locator('.bar').innerText()).toMatch(/22\.1\sMiB\/s/)
    expect(await page.locator('.free-space').first().innerText()).toMatch(/nas-1\s4\.82\sTiB/)
  })

  test('rows stay with their time when a refresh fails', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents', {}, {}, inTurns)
    await page.locator('table.torrents').waitFor()
    standIn.refusals.set('listTorrents', { status: 500, error: 'internal', reason: { kind: 'internal' } })
    const note = page.locator('.note.bad')
    await note.waitFor()
    expect(await note.innerText()).toMatch(/Not refreshed\. What is shown is of \d\d:\d\d\./)
    expect(await page.locator('tbody tr').count()).toBe(15)
  })

  test.for([
    ['#/jobs', 'listJobs', 'table.jobs tbody tr'],
    ['#/tasks', 'listTasks', 'table.tasks tbody tr'],
    ['#/feeds', 'listFeeds', '.feeds > li'],
    ['#/brush', 'listConsoleBrushTasks', '.brush > li'],
    ['#/subscriptions/11', 'getSubscription', 'table.subt tbody tr'],
    ['#/reseed', 'listReseeds', '.reseeds > li'],
    ['#/ends', 'listEnds', '.dls:not(.rules) > li'],
  ] as const)(
    '%s says of a site what it is called, and shows bars until that is read',
    async ([hash, list, rows], { expect }) => {
      const gate = Promise.withResolvers<void>()
      const { page, standIn } = await open(hash, {}, {}, ({ gates }) => gates.set('listConsoleSites', gate.promise))
      await expect.poll(() => standIn.received.has(list)).toBe(true)
      await page.locator('main .skeleton').first().waitFor()
      const named = async (names: readonly string[]) => {
        const told = (await page.locator(rows).allInnerTexts()).join('\n')
        return names.filter((name) => new RegExp(`(^|\\s)${name}(\\s|$)`, 'm').test(told))
      }
      const { sites } = standIn.state
      const seen: string[] = []
      // The rows are there to be drawn long before the names come.
      for (let look = 0; look < 20; look += 1) {
        seen.push(...(await named(sites.map(({ name }) => name))))
        await page.waitForTimeout(20)
      }
      gate.resolve()
      await expect.poll(() => named(sites.map(({ display_name }) => display_name))).not.toEqual([])
      expect([seen, await named(sites.map(({ name }) => name))]).toEqual([[], []])
    },
  )

  test('every list keeps what it has when it cannot be read again, and says of when that is', async ({ expect }) => {
    const { page, standIn } = await open('#/log')
    const rows = page.locator('table.log tbody tr')
    await rows.first().waitFor()
    const count = await rows.count()
    expect(count).toBeGreaterThan(0)
    standIn.refusals.set('listAudit', { status: 503, error: 'unavailable', reason: { kind: 'history_unreadable' } })
    const again = page.getByRole('button', { name: 'Retry' })
    await again.click()
    const note = page.locator('.note.bad[role=status]')
    await note.waitFor()
    expect(await note.innerText()).toMatch(/What is shown is of \d\d:\d\d\. The history of figures/)
    expect(await rows.count()).toBe(count)
    expect(await axeFindings(page)).toEqual([])
    standIn.refusals.clear()
    await again.first().click()
    await note.waitFor({ state: 'detached' })
  })

  test('an empty list of tokens or devices leads to its first row', async ({ expect }) => {
    for (const [hash, label] of [
      ['#/tokens', 'New token'],
      ['#/devices', 'New pairing code'],
    ] as const) {
      const { page } = await open(hash, { tokens: [], devices: [] })
      await page.locator('.empty').getByRole('button', { name: label }).click()
      await page.getByRole('dialog', { name: label }).waitFor()
      expect(await axeFindings(page)).toEqual([])
    }
  })

  test('each button of a row names it', async ({ expect }) => {
    const { page } = await open('#/downloaders')
    const row = page.locator('.dl').filter({ has: page.getByText('shelf', { exact: true }) })
    await row.waitFor()
    expect(
      await row.locator('.btn').evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label'))),
    ).toEqual(['Edit shelf', 'Turn off shelf', 'Make default shelf', 'Delete shelf'])
  })

  test('what holds torrents up is said in the row, counted above, and shown alone by its count', async ({ expect }) => {
    const { page } = await open('#/torrents')
    const rows = page.locator('tbody tr')
    await rows.first().waitFor()
    const held = page.getByRole('navigation', { name: 'What holds them up' })
    await expect.poll(() => held.innerText()).toMatch(/Files missing\s1\s+Tracker error\s1/)
    await held.getByRole('link', { name: 'Tracker error 1' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.innerText()).toContain('Tracker error')
    expect(new URL(page.url()).hash).toBe('#/torrents?condition=tracker_error')
    await page.getByRole('link', { name: 'All 15' }).waitFor()
    await rows.locator('.row-open').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('unregistered torrent').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'All 15' }).click()
    await expect.poll(() => rows.count()).toBe(15)
  })

  test('filter, search, sort and downloader choice are in the address and come back with Back', async ({ expect }) => {
    const { page } = await open('#/torrents')
    const rows = page.locator('tbody tr')
    await rows.first().waitFor()
    await page.getByRole('link', { name: 'All 15' }).waitFor()
    await page.getByRole('link', { name: 'Seeding 8' }).click()
    await page.locator('[aria-current]', { hasText: 'Seeding' }).waitFor()
    await page.getByRole('button', { name: 'Size' }).click()
    await expect.poll(() => page.locator('.row-open').first().getAttribute('title')).toMatch(/^Open Charts/)
    await page.locator('.bar-find input').fill('harbr')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    expect(new URL(page.url()).hash).toBe('#/torrents?state=seeding&q=harbr&sort=size')
    await page.locator('.bar-find input').fill('nothing like it')
    await page.locator('.empty').waitFor()
    expect(await page.locator('.empty').innerText()).toContain(
      'No torrent with state “Seeding”, “nothing like it” in its title.',
    )
    await page.getByRole('link', { name: 'Clear the filters' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(15)
    await page.locator('.dl-sel').selectOption({ label: 'shelf' })
    await expect.poll(() => page.locator('tbody tr').count()).toBe(6)
    await page.goBack()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(15)
  })

  test('what is said about a list waits for that list, and Back keeps the place', async ({ expect }) => {
    const [one] = inventedLibrary(now).torrents ?? []
    if (one === undefined) throw new Error('an invented torrent')
    const torrents = Array.from({ length: 301 }, (_, at) => ({
      ...one,
      task_id: `t${at}`,
      title: `Part ${at}`,
      added_at: now - at,
      state: at === 0 ? ('paused' as const) : ('seeding' as const),
    }))
    const { page, standIn } = await open('#/torrents', { torrents, failures: [] })
    await page.getByText('301 torrents').waitFor()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await page.getByRole('button', { name: 'Part 300' }).waitFor()
    const gate = Promise.withResolvers<void>()
    standIn.gates.set('listTorrents', gate.promise)
    await page.evaluate(`document.querySelector('.tabs a[href*="paused"]').click()`)
    await page.locator('table.torrents[aria-busy=true]').waitFor()
    expect(await page.locator('.tabs [aria-current]').innerText()).toBe('Paused')
    gate.resolve()
    await page.getByRole('link', { name: 'Paused 1' }).waitFor()
    await page.getByText('1 torrent', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Part 300' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/torrents')
  })

  test('pausing marks the row at once, and only what failed is reported', async ({ expect }) => {
    const gate = Promise.withResolvers<void>()
    const { page, standIn } = await open('#/torrents')
    const row = page.locator('tbody tr', { hasText: 'Copper.Season' })
    const ghost = page.locator('tbody tr', { hasText: 'Seven.Weirs' })
    await row.getByRole('checkbox').check()
    await ghost.getByRole('checkbox').check()
    standIn.gates.set('actOnTorrents', gate.promise)
    // Gone behind the page's back: the list still shows it.
    standIn.gates.set('listTorrents', gate.promise)
    standIn.state.torrents = standIn.state.torrents.filter((torrent) => !torrent.title.startsWith('Seven.Weirs'))
    await page.getByRole('button', { name: 'Pause' }).click()
    await row.getByText('Pausing').waitFor()
    gate.resolve()
    await row.getByText('Paused').waitFor()
    const note = page.getByRole('alert')
    expect(await note.innerText()).toContain('1 done, 1 failed.')
    expect(await note.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Seven\.Weirs.*: The downloader does not have this torrent$/),
    ])
  })

  test('deleting with files names count and size, starts at Cancel, and needs the second step', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents')
    for (const title of ['Copper.Season', 'Open Charts']) {
      await page.locator('tbody tr', { hasText: title }).getByRole('checkbox').check()
    }
    const opener = page.getByRole('button', { name: /^Delete with files/ })
    await opener.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: /^Delete 2 torrents and 166\.18\sGiB of files\?$/ }).waitFor()
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.textContent'), { timeout: 10_000 })
      .toBe('Cancel')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(standIn.received.get('actOnTorrents') ?? []).toEqual([])
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.textContent'), { timeout: 10_000 })
      .toContain('Delete')
    await opener.click()
    await dialog.getByRole('button', { name: 'Delete 2 with files' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(13)
    expect(standIn.received.get('actOnTorrents')).toHaveLength(1)
    expect(standIn.received.get('actOnTorrents')?.[0]).toMatchObject({ action: 'delete_with_files' })
  })

  test('rows are walked, chosen, opened and paused by keys alone', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents')
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    expect(await page.locator('tbody tr').first().getByRole('checkbox').isChecked()).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('/volume1/downloads/tv').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await page.locator('tbody tr').first().getByText('Paused').waitFor()
    expect(standIn.received.get('actOnTorrents')).toHaveLength(1)
    await page.keyboard.press('/')
    await page.keyboard.type('xjk?')
    expect(await page.locator('.bar-find input').inputValue()).toBe('xjk?')
  })

  test('single letters do nothing once they are switched off', async ({ expect }) => {
    const { page } = await open('#/settings')
    await page.getByLabel('Single-letter keys').uncheck()
    await page.reload()
    await page.evaluate(`location.hash = '#/torrents'`)
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('?')
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.locator('tbody input:checked').count()).toBe(0)
  })

  test('a lost session leads to signing in and back to the same place', { tags: 'slow' }, async ({ expect }) => {
    const { page, standIn } = await open('#/torrents?state=seeding')
    await page.locator('table.torrents').waitFor()
    standIn.state.isSignedIn = false
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Password').fill('wrong words here')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The password is wrong.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByLabel('Password').fill(standIn.state.password)
    await page.keyboard.press('Enter')
    await page.locator('table.torrents').waitFor()
    expect(new URL(page.url()).hash).toBe('#/torrents?state=seeding')
  })

  test('after too many tries the wait is told and the button rests', async ({ expect }) => {
    const { page } = await open('#/sign-in', { isSignedIn: false }, {}, (standIn) =>
      standIn.refusals.set('signIn', {
        status: 429,
        error: 'too_many',
        reason: { kind: 'account.too_many_attempts' },
        headers: { 'retry-after': '870' },
      }),
    )
    await page.getByLabel('Password').fill('whatever it was')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').innerText()).toContain('The next one is possible in 15 min.')
    expect(await page.getByRole('button', { name: 'Sign in' }).isDisabled()).toBe(true)
  })

  test('the set-up code leaves the address bar and history at once', async ({ expect }) => {
    const { page, standIn } = await open('#/setup?code=one-time-code', {
      isSetUp: false,
      isSignedIn: false,
      downloaders: [],
    })
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
    expect(page.url()).not.toContain('one-time-code')
    const [first, second] = [page.getByLabel('Password', { exact: true }), page.getByLabel('Password again')]
    await first.fill('short one')
    await second.fill('another')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('At least 10 characters.', { exact: true }).waitFor()
    await page.getByText('The two are not the same.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(standIn.received.get('setUp')).toBeUndefined()
    const here = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone')
    expect(await page.getByLabel('Time zone').inputValue()).toBe(here)
    await page.getByLabel('Time zone').selectOption('Europe/Berlin')
    await first.focus()
    await first.fill('harbour lanterns at four')
    await second.fill('harbour lanterns at four')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Add a downloader' }).waitFor()
    expect(standIn.received.get('setUp')).toEqual([
      { code: 'one-time-code', password: 'harbour lanterns at four', keep: [] },
    ])
    expect(standIn.received.get('changeLocaleSettings')).toEqual([{ time_zone: 'Europe/Berlin', language: 'en' }])
    await page.goBack()
    expect(page.url()).not.toContain('one-time-code')
  })

  test('a used link says so, and no link at all says where it is printed', async ({ expect }) => {
    const { page } = await open('#/setup?code=used-before', { isSetUp: false, isSignedIn: false })
    await page.getByLabel('Password', { exact: true }).fill('harbour lanterns at four')
    await page.getByLabel('Password again').fill('harbour lanterns at four')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').innerText()).toContain('This link was used before')
    await page.reload()
    await page.getByRole('heading', { name: 'Set-up needs its one-time link' }).waitFor()
  })

  test('a phone can keep the page as an app', async ({ expect }) => {
    const { page, standIn } = await open('#/overview')
    const browser = await page.context().newCDPSession(page)
    const { errors, data = '' } = await browser.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { icons, shortcuts } = JSON.parse(data) as Record<'icons' | 'shortcuts', { src: string; url: string }[]>
    expect((await browser.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
    for (const { src } of icons) {
      const icon = await fetch(`${standIn.origin}${src}`)
      expect([src, icon.headers.get('content-type')?.startsWith('text/html')]).toEqual([src, false])
    }
    for (const { url } of shortcuts) {
      await page.goto(`${standIn.origin}${url}`)
      await page.locator('main h1, header h1').first().waitFor()
    }
  })

  test('the tokens’ page tells other programs where to ask', async ({ expect }) => {
    const { page, standIn } = await open('#/tokens')
    const programs = page.locator('section', { has: page.getByRole('heading', { name: 'Other programs' }) })
    await programs.waitFor()
    const said = await programs.innerText()
    expect(said).toContain(`${standIn.origin}/torznab/name of the site`)
    expect(said).toContain(`${standIn.origin}/mcp`)
  })

  test('a token is shown once, copied, and revoked after a second step', async ({ expect }) => {
    const { page, standIn } = await open(
      '#/tokens',
      { tokens: [] },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    )
    await page.getByRole('button', { name: 'New token' }).first().click()
    const dialog = page.getByRole('dialog')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('A name is needed.').waitFor()
    const hasFocus = (label: string) =>
      dialog.getByLabel(label).evaluate((field) => field === field.ownerDocument.activeElement)
    await expect.poll(() => hasFocus('Name')).toBe(true)
    await dialog.getByLabel('Name', { exact: true }).fill('Nightly report')
    await dialog.getByLabel('See torrents').uncheck()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await expect.poll(() => hasFocus('See torrents')).toBe(true)
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByLabel('See torrents').check()
    await dialog.getByLabel('Operate').check()
    await dialog.getByRole('button', { name: 'No end' }).click()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Nightly report is ready.').waitFor()
    expect(standIn.received.get('createToken')).toEqual([
      { name: 'Nightly report', scopes: ['app:read', 'app:write'], lifetime: 'never' },
    ])
    const shown = await page.getByLabel('Token', { exact: true }).last().inputValue()
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('status').getByText('Copied', { exact: true }).waitFor({ state: 'attached' })
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(shown)
    expect(await axeFindings(page)).toEqual([])
    await page.reload()
    await page.locator('table.tokens').waitFor()
    expect(await page.content()).not.toContain(shown)
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.locator('.empty').waitFor()
    expect(standIn.state.tokens).toEqual([])
  })

  test('a device is paired by a code that is shown once, renamed, and removed after a second step', {
    tags: 'slow',
  }, async ({ expect }) => {
    const addresses = ['https://wharf.example', 'http://192.0.2.7:8787']
    const { page, standIn } = await open('#/devices', { devices: [], addresses })
    // A phone finds the page by either address.
    const code = page.locator('svg.qr')
    for (const address of addresses) {
      await page.getByText(`${address}/`).click()
      await page.getByRole('img', { name: `Code of ${address}/` }).waitFor()
      const drawn = (await code.locator('path').last().getAttribute('d')) ?? ''
      const size = Number((await code.getAttribute('viewBox'))?.split(' ').at(-1))
      expect(readCode(size, (x, y) => drawn.includes(`M${x} ${y}h`))).toBe(`${address}/`)
    }
    expect(await page.getByText('whoever is on this network may read along').count()).toBe(1)
    await page.getByRole('button', { name: 'New pairing code' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('See torrents, sites, tasks and states; search').waitFor()
    await dialog.getByRole('button', { name: 'Full control' }).click()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create code' }).click()
    await page.getByText('The code is ready: Full control.').waitFor()
    expect(standIn.received.get('makePairingCode')).toEqual([{ permission: 'full' }])
    const pairing = await page.getByLabel('Pairing code', { exact: true }).last().inputValue()
    expect(pairing).toMatch(/^(\w{4}-){3}\w{4}$/)
    expect(await axeFindings(page)).toEqual([])

    // As soon as a device has used the code, the page says which, and the code is gone.
    standIn.state.devices = [{ id: 'd1', name: 'Phone', permission: 'full', paired_at: standIn.state.nowUnix }]
    await page.getByText('Phone is paired.').waitFor()
    expect(await page.content()).not.toContain(pairing)
    expect(await axeFindings(page)).toEqual([])

    await page.getByRole('button', { name: 'Rename Phone' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill(' ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('A name is needed.').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('Pocket')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Remove Pocket' }).click()
    expect(standIn.received.get('renameDevice')).toEqual([{ name: 'Pocket' }])
    await page.getByRole('button', { name: 'Remove device' }).click()
    await page.locator('.empty').waitFor()
    expect(standIn.state.devices).toEqual([])
  })

  test('a stored password is never sent back, and stays when its box is left empty', async ({ expect }) => {
    const { page, standIn } = await open('#/downloaders/1')
    await page.getByText('Stored. Leave empty to keep it.').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('4.82 TiB').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('nas-one')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.dls').waitFor()
    expect(standIn.received.get('testDownloader')?.[0]).toMatchObject({ id: 1 })
    expect(standIn.received.get('testDownloader')?.[0]).not.toHaveProperty('password')
    expect(standIn.received.get('changeDownloader')?.[0]).toMatchObject({ name: 'nas-one' })
    expect(standIn.received.get('changeDownloader')?.[0]).not.toHaveProperty('password')
    await expect.poll(() => page.locator('.dls').innerText()).toContain('nas-one')
  })

  test('a failed connection test says why, and the downloader can be switched, made default and deleted', async ({
    expect,
  }) => {
    const { page, standIn } = await open('#/downloaders/new')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('An address like').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('attic')
    await page.getByLabel('Address', { exact: true }).fill('http://refused.example:8080')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('Wrong user name or password').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Add downloader' }).click()
    const row = page.locator('.dl', { hasText: 'attic' })
    await row.getByRole('button', { name: 'Make default' }).click()
    await row.getByText('default', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Turn off' }).click()
    await row.getByText('Not asked, because it is off').waitFor()
    await row.getByRole('button', { name: 'Delete attic' }).click()
    await page.getByRole('button', { name: 'Delete downloader' }).click()
    await row.waitFor({ state: 'detached' })
    expect(standIn.state.downloaders.map((one) => one.name)).toEqual(['nas-1', 'shelf', 'nas-2'])
  })

  test('a brush task is added, run, switched off and deleted, and says what it holds and why it failed', async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/brush/new')
    await page.locator('.su-form').waitFor()
    await page.getByLabel('Looks every … minutes').fill('4')
    await page.getByRole('button', { name: 'Add task' }).click()
    await page.getByText('A name is needed.').waitFor()
    await page.getByText('A whole number from 5 to 1,440.').waitFor()
    expect(standIn.received.get('addBrushTask')).toBeUndefined()
    await page.getByLabel('Name').fill('Fresh')
    await page.getByLabel('Looks every … minutes').fill('5')
    await page.getByLabel('Refused words').fill('CAM，TS')
    await page.getByRole('button', { name: 'Try on the last 30 days' }).click()
    await page.locator('.figures').getByText('Taken').waitFor()
    expect(standIn.received.get('tryBrushTask')).toMatchObject([
      { site: 'lantern', pick: { refused_words: ['CAM', 'TS'] } },
    ])
    await page.getByRole('button', { name: 'Add task' }).click()
    await page.locator('.brush').waitFor()
    expect(standIn.received.get('addBrushTask')).toMatchObject([
      { name: 'Fresh', every_minutes: 5, site: 'lantern', rules: { pick: { refused_words: ['CAM', 'TS'] } } },
    ])

    const first = page.locator('.brush > li', { hasText: 'Free and fresh' })
    expect(await first.innerText()).toMatch(/14 active, 2 downloading, 318\.40\sGiB/)
    await page.getByText('There is no downloader that is on.').waitFor()
    await page.getByRole('button', { name: 'Run now Free and fresh' }).click()
    await expect.poll(() => standIn.received.get('runBrushTask')?.length).toBe(1)
    await page.getByRole('button', { name: 'Turn off Fresh' }).click()
    await page.getByRole('button', { name: 'Turn on Fresh' }).waitFor()
    await page.getByRole('button', { name: 'Delete Fresh' }).click()
    await page.getByRole('button', { name: 'Delete task' }).click()
    await expect.poll(() => standIn.state.brushTasks.map(({ name }) => name)).not.toContain('Fresh')
    expect(troubles).toEqual([])
  })

  test('a brush task says what came of its last run, or that the first is under way', async ({ expect }) => {
    const [task] = inventedLibrary(now).brushTasks ?? []
    if (task === undefined) throw new Error('a task')
    const { last_at: _, ...begun } = task
    const quiet = { ...task, id: 7, name: 'Quiet', today: { uploaded: 0, downloaded: 0, added: 0, removed: 0 } }
    const brushTasks = [
      task,
      quiet,
      { ...begun, id: 8, name: 'Begun', has_begun: true },
      { ...begun, id: 9, name: 'New' },
    ]
    const { page } = await open('#/brush', { brushTasks })
    const said = (name: string) => page.locator('.brush > li', { hasText: name }).innerText()
    await page.locator('.brush').waitFor()
    expect(await said(task.name)).toMatch(/Last run without trouble(?!, nothing)/)
    expect(await said(quiet.name)).toContain('Last run without trouble, nothing taken today')
    expect(await said('Begun')).toContain('The first run is under way')
    expect(await said('New')).toContain('Not run yet')
  })

  test('a brush task says what its last look did not take, and why', async ({ expect }) => {
    const clause = (state: 'met' | 'unmet', found: string): WireClause => ({
      asked: { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
      state,
      found,
    })
    const brushLeft: WireBrushLeftList = {
      items: [
        {
          torrent_id: '1',
          title: 'Salt.Road.Large',
          size: 90 * 1024 ** 3,
          why: 'size',
          clauses: [clause('met', 'FREE')],
        },
        { torrent_id: '2', title: 'Salt.Road.Billed', why: 'rules', clauses: [clause('unmet', 'NONE')] },
      ],
      looked: { at: now - 60, seen: 40, known: 38, full: false },
    }
    const { page, standIn } = await open('#/brush/1', { brushLeft })
    const left = page.locator('.sec', { hasText: 'Not taken at the last look' })
    await left.getByText('40 in the list, 38 of them had or tried before').waitFor()
    expect(await left.locator('.decided').allInnerTexts()).toEqual([
      expect.stringMatching(/Too large for the room left[\s\S]*Salt\.Road\.Large[\s\S]*90\.00\sGiB/),
      expect.stringMatching(/Not wanted[\s\S]*Salt\.Road\.Billed/),
    ])
    await left.getByRole('button', { name: 'Why? Salt.Road.Billed' }).click()
    const panel = page.getByRole('complementary', { name: 'Why?' })
    await panel.getByText('No rule fits. Nearest: what this task chooses').waitFor()
    await panel.getByText('here: NONE').waitFor()
    expect(await axeFindings(page)).toEqual([])
    standIn.state.brushLeft = { items: [], looked: { at: now, seen: 0, known: 0, full: true } }
    await page.reload()
    await left.getByText('There was no place left, so it did not look for new ones').waitFor()
  })

  test('on the first day of all sites nothing is said of growth', async ({ expect }) => {
    const { today } = inventedLibrary(now)
    if (today === undefined) throw new Error('a day')
    const unknown: ('uploaded' | 'downloaded' | 'bonus')[] = ['uploaded', 'downloaded', 'bonus']
    const nothing = { uploaded: 0, downloaded: 0, bonus: 0 }
    const sites = today.sites.map((one) => ({ ...one, ...nothing, unknown }))
    const { page } = await open('#/overview', { today: { ...today, ...nothing, sites } })
    await page.locator('.figures').waitFor()
    expect(await page.locator('.figures').innerText()).not.toContain('+0')
    await page.getByText('today not known').first().waitFor()
    await page.getByText('This is the first day: growth is counted from tomorrow on.').first().waitFor()
    expect(await page.getByText('No traffic was counted today.').count()).toBe(0)
  })

  test('a feed is added, read, switched off and removed, and says why something was left', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/feeds/new')
    await page.locator('.su-form').waitFor()
    await page.getByLabel('Look every, minutes').fill('4')
    await page.getByRole('button', { name: 'Add feed' }).click()
    await page.getByText('A name is needed.').waitFor()
    await page.getByText('A whole number from 5 to 1440.').waitFor()
    expect(standIn.received.get('addFeed')).toBeUndefined()
    await page.getByLabel('Name').fill('All of it')
    await page.getByLabel('Look every, minutes').fill('5')
    await page.getByLabel('RSS address').fill('https://lantern.example/rss?passkey=invented')
    await page.getByRole('button', { name: 'Add feed' }).click()
    await page.locator('.feeds').waitFor()
    expect(standIn.received.get('addFeed')).toEqual([
      {
        name: 'All of it',
        site: 'lantern',
        every_minutes: 5,
        enabled: true,
        address: 'https://lantern.example/rss?passkey=invented',
      },
    ])

    await page.getByRole('button', { name: 'Look now Lantern all' }).click()
    await expect.poll(() => standIn.received.get('runFeed')?.length).toBe(1)
    await page.getByRole('button', { name: 'Why? Letters.from.Far.Hills.2022.2160p.WEB-DL-QUAY' }).click()
    const why = page.getByRole('complementary', { name: 'Why?' })
    await why.getByText('No rule fits. Nearest: Fresh and free').waitFor()
    await expect.poll(() => why.innerText()).toMatch(/Size, GiB at most 15.*here: 15\.42/s)
    await page.getByRole('button', { name: 'Turn off All of it' }).click()
    await page.getByRole('button', { name: 'Turn on All of it' }).waitFor()
    // What is stored of the address is kept.
    expect(standIn.received.get('changeFeed')?.[0]).not.toHaveProperty('address')
    await page.getByRole('button', { name: 'Remove All of it' }).click()
    await page.getByRole('button', { name: 'Remove feed' }).click()
    await expect.poll(() => standIn.state.feeds.map(({ name }) => name)).not.toContain('All of it')
    expect(troubles).toEqual([])
  })

  test('a rule is made of conditions, tried before it is kept, and takes its place in the order', async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/rules/new')
    await page.locator('.conditions').waitFor()
    await page.getByLabel('Name').fill('Small shows')
    await page.getByRole('button', { name: 'Add a condition' }).click()
    const second = page.locator('.condition').nth(1)
    await second.getByLabel('What').selectOption('size_gib')
    await second.getByLabel('How').selectOption('at_most')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByText('A number, or words apart by commas.').waitFor()
    await second.getByLabel('Value').fill('2.5')
    await second.getByLabel('also when not told').check()
    await page.getByLabel('Tags, apart by commas').fill('rss, shows')
    await page.getByRole('button', { name: 'Try on the last 30 days' }).click()
    await expect
      .poll(() => page.locator('.figures .fig').first().innerText())
      .toMatch(/^Taken\s+31\s+30 with the stored rules$/)
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.locator('.rules').waitFor()
    const rule = {
      action: 'take',
      conditions: [
        { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
        { field: 'size_gib', op: 'at_most', value: 2.5, or_unknown: true },
      ],
      target: { downloader_id: 0, category: '', tags: ['rss', 'shows'], save_path: '' },
    }
    expect(standIn.received.get('addRule')).toEqual([{ name: 'Small shows', enabled: true, rule }])
    await page.getByRole('button', { name: 'Ask Small shows earlier' }).click()
    await expect
      .poll(() => standIn.state.rules.map(({ name }) => name))
      .toEqual(['No screeners', 'Small shows', 'Fresh and free'])

    const row = (name: string) => page.locator('.rules > li', { hasText: name })
    await expect.poll(() => row('Small shows').innerText()).toMatch(/^2\b/)
    expect(await row('Small shows').innerText()).toContain('→ The default one · rss · shows')
    expect(await row('No screeners').innerText()).not.toContain('→')
    await row('Fresh and free').dragTo(row('No screeners'))
    await expect
      .poll(() => standIn.state.rules.map(({ name }) => name))
      .toEqual(['Fresh and free', 'No screeners', 'Small shows'])
    expect(troubles).toEqual([])
  })

  test('ends of torrents are shown with why, tried, kept in order, and carried out once it is turned on', async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/ends')
    await page.locator('.rules').waitFor()
    await page.getByRole('button', { name: 'Why? Winter.Garden.S02.1080p.WEB-DL-QUAY' }).click()
    await expect
      .poll(() => page.locator('.why').innerText())
      .toMatch(/Disk nearly full.*Left on the disk, GiB at most 200.*here: 61\.5.*Seeding duty/s)
    await page.getByRole('radio', { name: 'End what is due' }).check()
    await expect.poll(() => standIn.state.endMode).toBe('on')
    await page.getByRole('button', { name: 'Ask Gone from its site earlier' }).click()
    await expect.poll(() => standIn.state.endRules.map(({ id }) => id)).toEqual([2, 1])

    await page.getByRole('link', { name: 'Add a rule' }).first().click()
    await page.getByLabel('Name').fill('Seeded long')
    const lines = page.locator('.condition')
    await lines.nth(0).getByLabel('Value').fill('1.5')
    await lines.nth(1).getByLabel('What').selectOption('seeding_hours')
    await lines.nth(1).getByLabel('Value').fill('240')
    await page.getByRole('button', { name: 'Try on what is there' }).click()
    await page.getByText('1 would end, and free 3.00 GiB.').waitFor()
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByText('Seeded long').waitFor()
    expect(standIn.received.get('addEndRule')).toEqual([
      {
        ...{ name: 'Seeded long', enabled: true },
        rule: {
          action: 'remove_with_files',
          conditions: [
            { field: 'ratio', op: 'at_least', value: 1.5 },
            { field: 'seeding_hours', op: 'at_least', value: 240 },
          ],
        },
      },
    ])
    expect(troubles).toEqual([])
  })

  test('torrents of one downloader move to another, and what moves is followed and stopped', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/torrents')
    await page.locator('tbody input[type=checkbox]').first().check()
    await page.locator('.selbar button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'Move to another downloader' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Folder as this one calls it').fill('/downloads')
    await dialog.getByRole('button', { name: 'Move to another downloader' }).click()
    await dialog.getByText('Both names of the folder are needed, or none.').waitFor()
    await dialog.getByLabel('The same folder as the other one calls it').fill('/data')
    await dialog.getByRole('button', { name: 'Move to another downloader' }).click()
    await page.locator('.transfers').waitFor()
    expect(standIn.received.get('beginTransfers')).toMatchObject([{ folder: { from: '/downloads', to: '/data' } }])
    await page.getByText('found 0 % of it in its folder').waitFor()
    await page.getByRole('button', { name: 'Stop Harbour.Lights.2021.1080p.BluRay-QUAY' }).click()
    await page.getByText('Stopping').waitFor()
    expect(troubles).toEqual([])
  })

  test('reseeding is set up by site and bound, and shows what it found', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/reseed')
    await page.locator('.reseeds').waitFor()
    await page.getByText('What the site has of it has other files').waitFor()
    await page.getByLabel('Asks of a site in 24 hours').fill('1')
    const [save, saveService] = [0, 1].map((at) => page.getByRole('button', { name: 'Save' }).nth(at))
    await save?.click()
    await page.getByText('A whole number from 2 to 500.').waitFor()
    await page.getByLabel('Asks of a site in 24 hours').fill('20')
    await page.getByLabel('Look for it').uncheck()
    await save?.click()
    await expect
      .poll(() => standIn.received.get('changeReseed'))
      .toEqual([{ enabled: false, sites: ['lantern'], asks_per_day: 20 }])

    await page.getByText('by pieces ·').first().waitFor()
    await page.getByText('It learns the info hash of what your disks hold').waitFor()
    await page.getByText('The reseed service says: 访问频率过快').waitFor()
    await page.getByLabel('Token').fill(' IYUU1Tabc ')
    await saveService?.click()
    await page.getByText('Stored. Leave empty to keep it.').waitFor()
    await page.getByLabel('Forget what is stored').check()
    await saveService?.click()
    await expect
      .poll(() => standIn.received.get('changeReseedService'))
      .toEqual([
        { address: '', token: 'IYUU1Tabc' },
        { address: '', token: '' },
      ])
    expect(troubles).toEqual([])
  })

  test('a lost or changed master key is said on every screen with what to do', async ({ expect }) => {
    for (const [secrets, words, wayOut] of [
      ['missing', 'The master key is missing.', 'Put the old key back and start Wharf again.'],
      ['changed', 'The master key has changed.', 'go on with this one and enter or pair each of them again'],
    ] as const) {
      const { page } = await open('#/log', { secrets })
      await page.getByText(words).waitFor()
      expect(await page.locator('.banner').innerText()).toContain(wayOut)
    }
  })

  test('the language follows the browser, is switched by hand and stays switched', async ({ expect }) => {
    const { page } = await open('#/settings', {}, { locale: 'zh-CN' })
    await page.getByRole('heading', { name: '设置' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.reload()
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  })

  test('the list is read again while it is visible, and rests while it is not', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents', {}, {}, (served, opened) => {
      inTurns(served)
      return installClock(opened)
    })
    await page.locator('table.torrents').waitFor()
    const readings = () => standIn.received.get('listTorrents')?.length ?? 0
    const first = readings()
    await page.clock.runFor(5000)
    await expect.poll(readings).toBeGreaterThan(first)
    const turn = (hidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await turn(true)
    // A reading that was under way when the page was hidden is counted before this answer comes.
    await page.evaluate(`fetch('/theme.js').then((answer) => answer.text())`)
    const resting = readings()
    await page.clock.runFor(60_000)
    expect(readings()).toBe(resting)
    await turn(false)
    await expect.poll(readings).toBe(resting + 1)
  })

  test('the password is changed with the present one, and a wrong one says so', async ({ expect }) => {
    const { page, standIn } = await open('#/settings')
    const [current, next, again] = [
      page.getByLabel('Current password'),
      page.getByLabel('New password', { exact: true }),
      page.getByLabel('New password again'),
    ]
    await current.fill('not the password')
    await next.fill('nine char')
    await again.fill('nine char')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('At least 10 characters.', { exact: true }).waitFor()
    expect(standIn.received.get('changePassword')).toBeUndefined()
    await next.fill('ten chars!')
    await again.fill('ten chars!')
    await page.keyboard.press('Enter')
    await page.getByText('The current password is wrong.').waitFor()
    await current.fill(standIn.state.password)
    await page.keyboard.press('Enter')
    await page.getByText('The password is changed.').waitFor()
    expect(standIn.state.password).toBe('ten chars!')
    expect(await current.inputValue()).toBe('')
    expect(await axeFindings(page)).toEqual([])
  })

  test('the chosen theme stands before the first paint of the next visit', async ({ expect }) => {
    const { page } = await open('#/settings')
    await page.getByRole('button', { name: 'Dark' }).click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })

  test('whatever a name holds, it is text', { tags: 'slow' }, async ({ expect }) => {
    const payloads = [
      `<img src=x onerror="alert('torrent')">`,
      `<script>alert(1)</script>`,
      `"><svg/onload=alert(2)>`,
      `javascript:alert(3)`,
      '{{constructor.constructor("alert(4)")()}}',
      '<style>*{display:none}</style>',
      '\u202Egpj.exe',
    ]
    const library = inventedLibrary(now)
    const hostile = payloads.join(' ')
    const { page, troubles } = await open('#/torrents', {
      torrents: (library.torrents ?? []).slice(0, payloads.length).map((torrent, at) => ({
        ...torrent,
        title: payloads[at] ?? '',
        downloader: hostile,
        category: hostile,
        tags: payloads.join(','),
        save_path: hostile,
      })),
      statuses: (library.statuses ?? []).map((status) => ({
        ...status,
        name: hostile,
        error: hostile,
        version: hostile,
      })),
      downloaders: (library.downloaders ?? []).map((one) => ({ ...one, name: hostile, address: hostile })),
      failures: [{ downloader_id: 3, downloader: hostile, error: hostile, reason: saying(hostile) }],
      tokens: (library.tokens ?? []).map((token) => ({ ...token, name: hostile })),
      devices: (library.devices ?? []).map((device) => ({ ...device, name: hostile })),
      audit: (library.audit ?? []).map((entry) => ({ ...entry, command: hostile, user: hostile, result: hostile })),
    })
    await page.locator('tbody tr').first().waitFor()
    const names = await page.locator('.row-open').all()
    const titles = await Promise.all(names.map((name) => name.getAttribute('title')))
    expect(titles.toSorted()).toEqual(payloads.toSorted())
    await page.locator('.row-open').first().click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    for (const [hash, ready] of everyScreen) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      await page.locator(ready).first().waitFor()
    }
    expect(await page.locator('main img, main script, main style').count()).toBe(0)
    expect(await policyViolations(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  test('the rail stays while screens change, and the focus goes on to the heading', async ({ expect }) => {
    const { page, troubles } = await open('#/tokens')
    await page.locator('table.tokens').waitFor()
    const rail = await page.locator('.rail').elementHandle()
    await page.locator('.rail a', { hasText: 'Devices' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('table.devices').waitFor()
    const focused = () =>
      page.evaluate<string>(`document.activeElement.tagName + ' ' + document.activeElement.innerText`)
    await expect.poll(focused, { timeout: 10_000 }).toBe('H1 Devices')
    expect(await page.locator('.rail a[aria-current=page]').innerText()).toBe('Devices')
    expect(await rail?.evaluate((node) => node.isConnected)).toBe(true)
    expect(troubles).toEqual([])
  })

  test('the skip link leads to the content and keeps the screen', async ({ expect }) => {
    const { page } = await open('#/tokens')
    await page.locator('table.tokens').waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate<string>('document.activeElement.className'), { timeout: 10_000 }).toBe('skip')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate<string>('document.activeElement.id'), { timeout: 10_000 }).toBe('main')
    expect(new URL(page.url()).hash).toBe('#/tokens')
  })
})
