/** The console's screens about sites in Chromium against a stand-in server: what they ask for, and what they say. */

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import type { WireStoredRule } from '../../workers/app/contract/console-rules.ts'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens, installClock, now } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'
import { labelled } from '../support/invented-sites.ts'
import { withReason } from '../support/said.ts'
import type { StandInConsole } from '../support/stand-in-console.ts'

/** A screen that is drawn anew on a busy machine takes longer than the usual second. */
const patient = { timeout: 10_000 }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true } as const

describe.skipIf(chromiumPart.isMissing)(`the console's screens about sites ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  const calls = (standIn: StandInConsole, operation: string) => standIn.received.get(operation) ?? []
  const hashOf = (page: Page) => new URL(page.url()).hash

  describe('the overview', () => {
    test('shows totals with today, and says it when today is not known', async ({ expect }) => {
      const { page } = await open('#/overview')
      const strip = page.locator('.figures')
      await strip.waitFor()
      expect(await strip.innerText()).toMatch(/Uploaded\s+49\.02\sTiB\s+\+312\.4\sGiB today/)
      expect(await strip.innerText()).toMatch(/Downloaded, billed\s+7\.67\sTiB\s+\+8\.2\sGiB today/)

      const failed = await open('#/overview', {
        today: {
          from: '',
          to: '',
          uploaded: 0,
          downloaded: 0,
          bonus: 0,
          sites: [],
          ...withReason('error', { kind: 'history_unreadable' }),
        },
      })
      await failed.page.getByText('Today could not be computed.').waitFor()
      expect(await failed.page.locator('.figures').innerText()).not.toContain('+0')
      expect(await failed.page.locator('.figures').getByText('today not known').count()).toBe(3)
      expect(await axeFindings(failed.page)).toEqual([])
    })

    test('lists what waits, the gravest first, and signing in there takes it away', async ({ expect }) => {
      const { page, standIn } = await open('#/overview', {}, {}, (one) => {
        for (const job of one.state.jobs) if (job.site === 'lantern') Object.assign(job, { last_ok: true })
        const lantern = one.state.liveSites.find((site) => site.name === 'lantern')
        if (lantern !== undefined) Object.assign(lantern.login, { tier: 'none', days_remaining: 28 })
      })
      const waiting = page.locator('.needs > li')
      await waiting.first().waitFor()
      expect(await waiting.locator('.t').allInnerTexts()).toEqual([
        'Quarry cannot be read',
        'Downloader nas-2 cannot be reached',
        expect.stringContaining('6 days left'),
        'Sign-in failed on Lantern',
      ])
      expect(await waiting.first().innerText()).toContain('The login has expired. Sign in on the site in a browser')
      await page.getByRole('button', { name: 'Sign in now: Lantern' }).click()
      await page.getByText('Sign-in failed on Lantern').waitFor({ state: 'detached' })
      expect(calls(standIn, 'attendSite')).toEqual([{}])
    })

    test('a failed sign-in says why, in the language of the page', async ({ expect }) => {
      const { page } = await open('#/overview', {}, {}, (one) =>
        one.refusals.set('attendSite', {
          status: 502,
          error: 'attend_failed',
          reason: { kind: 'sign_in.failed', reason: { kind: 'site.timeout' } },
        }),
      )
      await page.getByRole('button', { name: 'Sign in now: Ginkgo 银杏' }).click()
      expect(await page.getByRole('alert').innerText()).toContain(
        'Sign-in failed on Ginkgo 银杏. The site answered too late.',
      )
    })

    test('growth is walked by keys, told in words, and there as a table', async ({ expect }) => {
      const { page, standIn } = await open('#/overview')
      const slider = page.getByRole('slider', { name: 'Walk over the bars' })
      await slider.focus()
      const told = page.locator('.told')
      await expect.poll(() => told.innerText(), patient).toMatch(/\+312\.4\sGiB up/)
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => told.innerText(), patient).toMatch(/\+228\.0\sGiB up/)
      expect(await slider.getAttribute('aria-valuetext')).toBe(await told.innerText())
      await page.keyboard.press('Home')
      await expect.poll(() => told.innerText(), patient).toMatch(/\+211\.0\sGiB up/)
      expect(await page.locator('svg.plot title').textContent()).toMatch(
        /^Uploaded over 30 days\. Highest: 512\.00\sGiB/,
      )
      await page.getByText('As a table').click()
      expect(await page.locator('.as-table tbody tr').count()).toBe(30)

      await page.getByRole('button', { name: '90 days' }).click()
      await expect.poll(() => page.locator('.as-table tbody tr').count(), patient).toBe(30)
      await page.getByText('3 days a bar').waitFor()
      expect(calls(standIn, 'listSiteHistory')).toHaveLength(2)
      await page.getByRole('button', { name: 'Bonus' }).click()
      await expect.poll(() => page.locator('svg.plot title').textContent(), patient).toMatch(/^Bonus over 90 days/)
      expect(await axeFindings(page)).toEqual([])
    })
  })

  describe('the list of sites', () => {
    test('order, filter and words are in the address and come back with Back', async ({ expect }) => {
      const { page } = await open('#/sites')
      const names = () => page.locator('table.sites td.name b').allInnerTexts()
      await page.locator('table.sites').waitFor()
      await expect.poll(names, patient).toHaveLength(9)
      expect((await names())[0]).toBe('Lantern')
      await page.getByRole('button', { name: 'Ratio' }).click()
      await expect.poll(async () => (await names())[0], patient).toBe('Cedar')
      await page.getByRole('link', { name: /^Needs you/ }).click()
      await expect.poll(names, patient).toEqual(['Lantern', 'Ginkgo 银杏', 'Quarry'])
      await page.locator('.bar-find input').fill('quar')
      await expect.poll(names, patient).toEqual(['Quarry'])
      expect(hashOf(page)).toBe('#/sites?show=attention&q=quar&sort=ratio')
      await page.locator('.bar-find input').fill('none such')
      await page.getByRole('link', { name: 'Clear the filters' }).click()
      await expect.poll(names, patient).toHaveLength(9)
      await page.goBack()
      await page.locator('.empty').waitFor()
    })

    test('a site is turned off and on in its row, with everything else as it was', async ({ expect }) => {
      const { page, standIn } = await open('#/sites')
      const before = standIn.state.sites.find((site) => site.name === 'ginkgo')
      await page.getByRole('button', { name: 'Turn off Ginkgo 银杏' }).click()
      await page.getByRole('button', { name: 'Turn on Ginkgo 银杏' }).waitFor()
      expect(standIn.state.sites.find((site) => site.name === 'ginkgo')).toEqual({ ...before, enabled: false })
      expect(calls(standIn, 'changeSite')[0]).not.toHaveProperty('cookie')
    })

    test('says it when figures cannot be read, and shows the sites all the same', async ({ expect }) => {
      const { page } = await open('#/sites', { userError: { kind: 'figures_unreadable' } })
      await page.getByText('The figures of the sites could not be read.').waitFor()
      expect(await page.locator('table.sites tbody tr').count()).toBe(9)
      expect(await axeFindings(page)).toEqual([])
    })
  })

  describe('adding a site', () => {
    test('starts from a definition that is searched for, and is tried before it is stored', async ({ expect }) => {
      const { page, standIn } = await open('#/sites/new')
      await page.locator('main').getByLabel('Find a definition').fill('nexus')
      await expect.poll(() => page.locator('.choices').first().locator('li').count(), patient).toBe(5)
      await page.getByRole('link', { name: /^NexusPHP site NexusPHP/ }).click()
      await page.getByLabel('Name', { exact: true }).fill('Ginkgo Grove')
      expect(await page.getByLabel('Short name').inputValue()).toBe('ginkgo-grove')
      await page.getByLabel('Address').fill('https://refused.example')
      await page.getByLabel('Cookie').fill('c_secure_pass=PlantedCookie77')
      await page.getByRole('button', { name: 'Test site' }).click()
      const report = page.locator('.checks')
      await report.getByText('It does not work').waitFor()
      expect(await report.innerText()).toContain('The login has expired. Sign in on the site in a browser')
      expect(await axeFindings(page)).toEqual([])
      await page.getByLabel('Address').fill('https://grove.example')
      await page.getByRole('button', { name: 'Test again' }).click()
      await report.getByText('It works').waitFor()
      expect(calls(standIn, 'addSite')).toEqual([])

      await page.getByRole('button', { name: 'Add site' }).click()
      await page.getByRole('heading', { name: 'Ginkgo Grove' }).waitFor()
      expect(calls(standIn, 'addSite')).toEqual([
        expect.objectContaining({
          name: 'ginkgo-grove',
          definition: 'nexusphp',
          kind: 'nexusphp',
          cookie: 'c_secure_pass=PlantedCookie77',
          enabled: true,
          auto_sign_in: true,
        }),
      ])
      expect(await page.content()).not.toContain('PlantedCookie77')
      await page.getByRole('link', { name: 'Replace cookie…' }).waitFor()
    })

    test('what its owner says of its words, pages, headers and cookies is tried as it is typed', async ({ expect }) => {
      const { page, standIn } = await open('#/sites/new?definition=nexusphp')
      await page.getByLabel('Name', { exact: true }).fill('Grove')
      await page.getByLabel('Address').fill('https://grove.example')
      const pasted = '# Netscape HTTP Cookie File\ngrove.example\tFALSE\t/\tTRUE\t0\tc_secure_pass\tPlantedCookie79'
      await page.getByLabel('Cookie').fill(pasted)
      await page.getByText('Limits and overrides').click()
      await page.getByLabel('Browser (User-Agent)').fill('Mozilla/5.0 (of the owner)')
      await page.getByLabel('More headers').fill('no header')
      await page.getByLabel('Further hosts').fill('https://old.grove.example/index.php, kp.grove.example')
      await page.getByText('Words of the site').click()
      await page.getByLabel('Bonus', { exact: true }).fill('贝壳, shells')
      await page.getByText('Pages of the site').click()
      await page.getByLabel('Account', { exact: true }).fill('/u.php')
      await page.getByRole('button', { name: 'Test site' }).click()
      await page.getByText('A name, a colon and a value are needed in each line, each name once.').waitFor()
      expect(calls(standIn, 'testSite')).toEqual([])
      await page.getByLabel('More headers').fill('Accept-Language: zh-CN\nDNT: 1')
      await page.getByRole('button', { name: 'Test site' }).click()
      await page.locator('.checks').getByText('It works').waitFor()

      expect(calls(standIn, 'testSite')).toEqual([
        expect.objectContaining({
          cookie: pasted,
          overrides: {
            user_agent: 'Mozilla/5.0 (of the owner)',
            labels: { bonus: ['贝壳', 'shells'] },
            paths: { user: 'u.php' },
            headers: { 'Accept-Language': 'zh-CN', DNT: '1' },
            hosts: ['old.grove.example', 'kp.grove.example'],
          },
        }),
      ])
      expect(await axeFindings(page)).toEqual([])
    })

    test('a link that is followed while the filter waits for more letters leads where it says', async ({ expect }) => {
      const { page } = await open('#/sites/new')
      // The pause after a letter ends in the moment between the new address and the word of it.
      await page.evaluate(`(() => {
        const start = globalThis.setTimeout
        globalThis.paused = []
        globalThis.setTimeout = (task, ms, ...rest) => (ms === 250 ? paused.push(task) : start(task, ms, ...rest))
      })()`)
      await page.locator('main').getByLabel('Find a definition').fill('nexus')
      const due = await page.evaluate(`(() => {
        location.hash = '#/sites/new?definition=nexusphp'
        return paused.map((task) => task()).length
      })()`)
      await page.getByLabel('Name', { exact: true }).waitFor()

      expect(due).toBe(1)
      expect(new URL(page.url()).hash).toBe('#/sites/new?definition=nexusphp')
    })

    test('what cannot be sent is said at its box, and what the server refuses below', async ({ expect }) => {
      const { page, standIn } = await open('#/sites/new?kind=gazelle')
      await page.getByRole('button', { name: 'Add site' }).click()
      await page.getByText('An address like https://tracker.example is needed.').waitFor()
      const hasFocus = (label: string) =>
        page.getByLabel(label).evaluate((field) => field === field.ownerDocument.activeElement)
      await expect.poll(() => hasFocus('Short name')).toBe(true)
      await page.getByLabel('Short name').fill('Lantern')
      await page.getByLabel('Address').fill('lantern.example')
      const limits = page.getByText('Limits and overrides')
      await limits.click()
      await page.getByLabel('Inactivity limit, days').fill('3651')
      await page.getByLabel('Other overrides, JSON').fill('{')
      await page.getByRole('button', { name: 'Add site' }).click()
      await expect.poll(() => hasFocus('Inactivity limit, days')).toBe(true)
      await page.getByText('A whole number from 1 to 3650.').waitFor()
      await page.getByText('A JSON object in braces is needed.').waitFor()
      expect(calls(standIn, 'addSite')).toEqual([])
      expect(await axeFindings(page)).toEqual([])
      await page.getByLabel('Inactivity limit, days').fill('45')
      await page.getByLabel('Other overrides, JSON').fill('{"categories": {"music": ["1"]}}')
      await page.getByLabel('API key').fill('key')
      await page.getByRole('button', { name: 'Add site' }).click()
      expect(await page.getByRole('alert').innerText()).toContain('Another site has this name.')
      await page.getByLabel('Short name').fill('lantern-2')
      await page.getByRole('button', { name: 'Add site' }).click()
      await page.locator('.kv').first().waitFor()
      expect(standIn.state.sites.at(-1)).toMatchObject({
        name: 'lantern-2',
        inactivity_days: 45,
        overrides: { categories: { music: ['1'] } },
        has_api_key: true,
        has_cookie: false,
      })
    })

    test('what was typed is asked for before it is lost, and the field that the server refuses is opened', async ({
      expect,
    }) => {
      const { page, standIn } = await open('#/sites/2/edit')
      const question = page.getByRole('dialog')
      await page.getByLabel('Cookie').fill('c_secure_pass=PlantedCookie78')
      await page.locator('a.back').click()
      await question.getByText('Leave without saving?').waitFor()
      await question.getByRole('button', { name: 'Cancel' }).click()
      expect(hashOf(page)).toBe('#/sites/2/edit')

      standIn.refusals.set('changeSite', {
        status: 400,
        error: 'invalid_argument',
        reason: { kind: 'field.wrong', field: 'overrides.user_agent', part: 'field' },
      })
      await page.getByRole('button', { name: 'Save' }).click()
      const browser = page.getByLabel('Browser', { exact: false })
      await expect.poll(() => browser.getAttribute('aria-invalid')).toBe('true')
      await expect.poll(() => browser.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true)
      expect(await page.getByLabel('Cookie').inputValue()).toBe('c_secure_pass=PlantedCookie78')
      expect(await axeFindings(page)).toEqual([])

      await page.goBack()
      await question.getByRole('button', { name: 'Leave' }).click()
      await expect.poll(() => hashOf(page)).not.toContain('edit')
    })

    test('a proxy is checked, stored, shown by its host alone, kept by an empty box and taken away by a tick', {
      tags: 'slow',
    }, async ({ expect }) => {
      const { page, standIn } = await open('#/sites/2/edit')
      const saved = async () => {
        await page.getByRole('button', { name: 'Save' }).click()
        await page.locator('.kv').first().waitFor()
        return standIn.state.sites.find(({ id }) => id === 2)?.proxy_host
      }
      const edit = async () => {
        await page.goto(page.url().replace(/#.*$/, '#/sites/2/edit'))
        await page.getByText('Limits and overrides').click()
      }
      await page.getByText('Limits and overrides').click()
      await page.getByText('Works on your own machine only', { exact: false }).waitFor()
      await page.getByLabel('Proxy').fill('socks5://127.0.0.1:1080')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('An address like http://127.0.0.1:7890 is needed.').waitFor()
      expect(calls(standIn, 'changeSite')).toEqual([])
      await page.getByLabel('Proxy').fill('http://walker:secret@127.0.0.1:7890')
      expect(await saved()).toBe('127.0.0.1:7890')

      await edit()
      await page.getByText('Requests go through 127.0.0.1:7890.', { exact: false }).waitFor()
      expect(await page.getByLabel('Proxy', { exact: true }).inputValue()).toBe('')
      expect(await axeFindings(page)).toEqual([])
      expect(await saved()).toBe('127.0.0.1:7890')

      await edit()
      await page.getByLabel('Without a proxy from now on').check()
      expect(await saved()).toBeUndefined()
    })

    test('a stored cookie is never sent back, and stays when its box is left empty', async ({ expect }) => {
      const { page, standIn } = await open('#/sites/2/edit')
      await page.getByText('Stored. Leave empty to keep it.').waitFor()
      expect(await page.getByLabel('Cookie').inputValue()).toBe('')
      await page.getByRole('button', { name: 'Test site' }).click()
      await page.getByText('It works').waitFor()
      const told = (figure: string) => page.locator(`[data-figure=${figure}]`).innerText()
      expect(await told('uploaded')).toMatch(/5\.00\sTiB userdetails\.php · Transfers · Uploaded/)
      expect(await told('ratio')).toContain('Doubtful: it does not follow from the other figures')
      expect(await told('bonus')).toContain('The site does not tell it')
      expect(await axeFindings(page)).toEqual([])
      expect(calls(standIn, 'testSite')[0]).toMatchObject({ id: 2 })
      expect(calls(standIn, 'testSite')[0]).not.toHaveProperty('cookie')
      await page.getByLabel('Name', { exact: true }).fill('Ginkgo')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { name: 'Ginkgo', exact: true }).waitFor()
      expect(standIn.state.sites[1]).toMatchObject({ has_cookie: true, display_name: 'Ginkgo' })
    })
  })

  describe('one site', () => {
    test('says what fails and leads to where it is mended', async ({ expect }) => {
      const { page } = await open('#/sites/8')
      const note = page.locator('.note.bad')
      await note.waitFor()
      expect(await note.innerText()).toContain('Quarry cannot be read. The login has expired.')
      // Nothing is told of today, so the rate begins the line.
      expect(await page.locator('.figures').getByText('per hour').innerText()).toBe('2.9 per hour')
      await note.getByRole('link', { name: 'Update login' }).click()
      await page.getByLabel('Cookie').waitFor()
      expect(hashOf(page)).toBe('#/sites/8/edit')
    })

    test('is signed in to, read again, turned off and deleted', async ({ expect }) => {
      const { page, standIn } = await open('#/sites/1')
      await page.getByRole('button', { name: 'Sign in now' }).click()
      await page.locator('.kv').getByText('Signed').waitFor()
      await page.getByRole('button', { name: 'Read figures now' }).click()
      await page.locator('.site-jobs').getByText('Running').waitFor()
      expect(calls(standIn, 'runJob')).toEqual([{ site: 'lantern', job: 'statistics' }])
      await page.getByRole('button', { name: 'Turn off' }).click()
      await page.getByText('This site is off').waitFor()
      expect(await page.getByRole('button', { name: 'Sign in now' }).count()).toBe(0)
      await page.getByRole('button', { name: /^Delete/ }).click()
      const dialog = page.getByRole('dialog', { name: 'Delete Lantern?' })
      await dialog.waitFor()
      await expect.poll(() => page.evaluate<string>('document.activeElement.textContent'), patient).toBe('Cancel')
      expect(await axeFindings(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Delete site' }).click()
      await page.locator('table.sites').waitFor()
      expect(standIn.state.sites.map((site) => site.name)).not.toContain('lantern')
    })

    test('gives pages for a report, which are looked at before they are saved', async ({ expect }) => {
      const { page, standIn } = await open('#/sites/1')
      const section = page.locator('.sec').filter({ has: page.getByRole('heading', { name: 'Send a fixture' }) })
      await section.getByRole('button', { name: 'Make the pages' }).click()
      await section.getByText('Look through them before you send them.').waitFor()
      expect(await section.locator('.rows li').allInnerTexts()).toEqual([
        expect.stringMatching(/^Cookie, keys, your name\s*3$/),
        expect.stringMatching(/^Names and words\s*0$/),
        expect.stringMatching(/^Numbers\s*1,204$/),
        ...['Times', 'Links', 'Scripts'].map((word) => expect.stringContaining(word)),
      ])
      await section.getByText('userdetails.php').click()
      expect(await section.getByLabel('userdetails.php').inputValue()).toBe('<td>上传量</td><td>7.89 TB</td>')
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        section.getByRole('button', { name: 'Save the file' }).click(),
      ])
      expect(saved.suggestedFilename()).toBe('nexusphp-fixture.json')
      expect(JSON.parse(await readFile(await saved.path(), 'utf8'))).toEqual({
        format: 'wharf-fixture-1',
        kind: 'nexusphp',
        pages: [{ page: 'userdetails.php', text: '<td>上传量</td><td>7.89 TB</td>' }],
      })
      expect(calls(standIn, 'makeSiteFixture')).toHaveLength(1)
      expect(await axeFindings(page)).toEqual([])
    })

    test('one that does not exist any more says so', async ({ expect }) => {
      const { page } = await open('#/sites/99')
      await page.getByText('This site does not exist any more.').waitFor()
      expect(await axeFindings(page)).toEqual([])
    })
  })

  describe('searching', () => {
    const titles = async (page: Page) =>
      Promise.all((await page.locator('table.results .row-open').all()).map((one) => one.getAttribute('title')))

    test('asks every site once, counts by site, and names the one that did not answer', async ({ expect }) => {
      const { page, standIn } = await open('#/search')
      await page.getByText('Nothing searched yet').waitFor()
      expect(calls(standIn, 'streamSearch')).toEqual([])
      await page.keyboard.press('/')
      await page.keyboard.type('Salt')
      await page.keyboard.press('Enter')
      await page.locator('table.results').waitFor()
      expect(await page.locator('.sec > header').first().innerText()).toMatch(/8 from 7 sites in 4\.1 s/)
      expect(await page.getByRole('button', { name: 'Lantern 2' }).count()).toBe(1)
      const note = page.locator('.note.part')
      expect(await note.innerText()).toContain('Quarry: The login has expired.')
      await note.getByRole('link', { name: 'Update login' }).waitFor()
      expect(calls(standIn, 'streamSearch')).toEqual([{ keyword: 'Salt' }])
      expect(hashOf(page)).toBe('#/search?q=Salt')
      await note.getByRole('button', { name: 'Retry' }).click()
      await expect.poll(() => calls(standIn, 'streamSearch').length, patient).toBe(2)
      // Only who did not answer is asked once more, and what the others said stays.
      expect(calls(standIn, 'streamSearch').at(-1)).toEqual({ keyword: 'Salt', sites: ['quarry'] })
      expect(await titles(page)).toHaveLength(8)
    })

    test('shows the rows of each site as it answers, and who is still asked', async ({ expect }) => {
      const late = Promise.withResolvers<void>()
      const { page, standIn } = await open('#/search?q=Salt', {}, {}, (one) => {
        one.gates.set('streamSearch lantern', late.promise)
        one.gates.set('streamSearch quarry', late.promise)
      })
      await expect.poll(async () => (await titles(page)).length, patient).toBe(6)
      await page.getByText('6 so far, still asking Lantern, Quarry').waitFor()
      expect(await page.locator('.opt.late').allInnerTexts()).toEqual(['Lantern', 'Quarry'])
      expect(await axeFindings(page)).toEqual([])
      // What is chosen meanwhile stays chosen, and leaving the page ends no search.
      await page.locator('table.results tbody').getByRole('checkbox').first().check()
      late.resolve()
      await page.getByText('8 from 7 sites in 4.1 s').waitFor()
      await page.getByText('Quarry: The login has expired.').waitFor()
      await page.getByRole('button', { name: 'Push 1' }).waitFor()
      await page.getByRole('link', { name: 'Torrents' }).first().click()
      await page.locator('table.torrents').waitFor()
      await page.goBack()
      await expect.poll(async () => (await titles(page)).length, patient).toBe(8)
      expect(calls(standIn, 'streamSearch')).toHaveLength(1)
    })

    test('tells quality apart, sorts by it, and leads to the torrent where its site shows it', async ({ expect }) => {
      const { page } = await open('#/search?q=Salt')
      await page.locator('table.results').waitFor()
      await page.getByText('8 from 7 sites').waitFor()
      const cells = page.locator('table.results td.quality')
      expect(await cells.first().innerText()).toMatch(/^2160p\s*Web H\.265$/)
      await page.getByRole('button', { name: 'Quality' }).click()
      await page.getByRole('button', { name: 'Quality' }).click()
      await expect.poll(async () => (await cells.first().innerText()).slice(0, 5), patient).toBe('1080p')
      const link = page.locator('table.results td.site a').first()
      expect(await link.getAttribute('href')).toMatch(/^https:\/\/tracker\.example\/.+[0-9]$/)
      expect(await link.getAttribute('rel')).toBe('noreferrer')
    })

    test('says of an offer that no site tells that it is not known', async ({ expect }) => {
      const { page } = await open('#/search?q=Salt', {}, {}, (one) => {
        const untold = { discount: undefined, discount_end: undefined, discount_end_at: undefined, free: false }
        one.state.found = one.state.found.map((item) => ({ ...item, ...untold, unknown: ['discount'] }))
      })
      await page.getByText('8 from 7 sites').waitFor()
      const offers = page.locator('table.results td.disc')
      expect(new Set(await offers.allInnerTexts())).toEqual(new Set(['Not known']))
      await page.locator('table.results .row-open').first().click()
      const panel = page.getByRole('complementary', { name: 'Push to a downloader' })
      expect(await panel.locator('.kv').first().innerText()).toMatch(/Offer\s+Not known/)
    })

    test('narrows and sorts what is there without asking again, and says when it has to', async ({ expect }) => {
      const { page, standIn } = await open('#/search?q=Salt&min=10&free=1')
      await page.locator('table.results').waitFor()
      await expect.poll(async () => (await titles(page)).length, patient).toBe(3)
      await page.getByRole('button', { name: /^Lantern/ }).click()
      await expect.poll(async () => (await titles(page)).length, patient).toBe(1)
      await page.getByRole('button', { name: /^All sites/ }).click()
      await page.getByRole('button', { name: 'Size' }).click()
      await expect.poll(async () => (await titles(page))[0], patient).toContain('S01.1080p.BluRay')
      await page.getByRole('button', { name: 'Size' }).click()
      await expect.poll(async () => (await titles(page))[0], patient).toContain('S02E06.The.Long.Ebb')
      expect(calls(standIn, 'streamSearch')).toHaveLength(1)

      await page.getByLabel('Free only').uncheck()
      await page.getByText('The filters ask for more than was searched.').waitFor()
      await page.getByRole('button', { name: 'Search again' }).click()
      await expect.poll(async () => (await titles(page)).length, patient).toBe(7)
      expect(calls(standIn, 'streamSearch').at(-1)).toEqual({ keyword: 'Salt', min_seeders: 10 })
      expect(hashOf(page)).toBe('#/search?q=Salt&min=10&sort=size&order=asc')
      await page.getByLabel('Seeders, at least').fill('500')
      await page.getByLabel('Seeders, at least').blur()
      await page.getByText('The filters hide all 7 results.').waitFor()
    })

    test('a reload and Back keep what was searched for', async ({ expect }) => {
      const { page } = await open('#/search?q=Salt&sites=lantern')
      await page.locator('table.results').waitFor()
      await expect.poll(async () => (await titles(page)).length, patient).toBe(2)
      await page.reload()
      await page.locator('table.results').waitFor()
      expect(await titles(page)).toHaveLength(2)
      await page.locator('[data-search]').first().fill('Score')
      await page.getByRole('button', { name: /^Search/ }).click()
      await page.getByText('Nothing was found').waitFor()
      await page.goBack()
      await expect.poll(async () => (await titles(page)).length, patient).toBe(2)
      expect(await page.locator('[data-search]').first().inputValue()).toBe('Salt')
    })

    test('who comes back to what was found asks no site again, until it is asked for', async ({ expect }) => {
      const { page, standIn } = await open('#/search?q=Salt&sites=lantern')
      const searches = () => standIn.received.get('streamSearch')?.length ?? 0
      await expect.poll(async () => (await titles(page)).length, patient).toBe(2)
      await page.getByRole('link', { name: 'Torrents' }).first().click()
      await page.locator('table.torrents').waitFor()
      await page.goBack()
      await expect.poll(async () => (await titles(page)).length, patient).toBe(2)
      expect(searches()).toBe(1)
      await installClock(page, Date.now() + 60_000)
      await page.getByRole('link', { name: 'Torrents' }).first().click()
      await page.locator('table.torrents').waitFor()
      await page.goBack()
      await page.getByText(/^As of /).waitFor()
      expect(searches()).toBe(1)
      await page.getByRole('button', { name: 'Search again' }).click()
      await expect.poll(searches, patient).toBe(2)
      await page
        .getByRole('button', { name: /^Search\b/ })
        .first()
        .click()
      await expect.poll(searches, patient).toBe(3)
    })

    test('thousands of results come in pages', { tags: 'slow' }, async ({ expect }) => {
      const [one] = inventedLibrary(now).found ?? []
      if (one === undefined) throw new Error('a result')
      const found = Array.from({ length: 3001 }, (_, at) => ({ ...one, torrent_id: String(at), title: `Salt ${at}` }))
      const { page } = await open('#/search?q=Salt', { found })
      await page.getByText('1–50 of 3,001').waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('51–100 of 3,001').waitFor()
      expect(await page.locator('table.results tbody tr').count()).toBe(50)
      expect(hashOf(page)).toBe('#/search?q=Salt&page=2')
    })

    test('while sites are asked it says so, and a failure says why', async () => {
      const gate = Promise.withResolvers<void>()
      const { page, standIn } = await open('#/search?q=Salt', {}, {}, (one) =>
        one.gates.set('streamSearch', gate.promise),
      )
      await page.getByText('Asking 8 sites').waitFor()
      standIn.state.searchErrors = standIn.state.sites.map(({ name }) => ({
        site: name,
        reason: { kind: 'site.timeout' },
      }))
      gate.resolve()
      await page.getByText('Lantern: The site answered too late.').waitFor()
      await page.getByText('No site answered. The reasons stand above.').waitFor()
      standIn.state.searchErrors = []
      standIn.refusals.set('streamSearch', { status: 500, error: 'internal', reason: { kind: 'internal' } })
      await page.getByRole('button', { name: 'Retry' }).click()
      await page.getByText('The search failed.').waitFor()
      standIn.refusals.clear()
      await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
      await page.locator('table.results').waitFor()
    })

    test('one may search before the sites are read', async ({ expect }) => {
      const gate = Promise.withResolvers<void>()
      const { page, standIn } = await open('#/search', {}, {}, (one) => one.gates.set('listConsoleSites', gate.promise))
      await page.getByText('Nothing searched yet').waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('Salt')
      await page.keyboard.press('Enter')
      await page.locator('table.results').waitFor()
      expect(calls(standIn, 'streamSearch')).toEqual([{ keyword: 'Salt' }])
      gate.resolve()
      await page.getByRole('button', { name: 'Lantern 2' }).waitFor()
    })

    test('without a site that can be searched it leads to adding one', async ({ expect }) => {
      const { page } = await open('#/search', { sites: [] })
      await page.getByText('No site can be searched yet').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Add site' }).click()
      expect(hashOf(page)).toBe('#/sites/new')
    })
  })

  describe('pushing', () => {
    const rowOf = (page: Page, title: string) => page.locator('table.results tbody tr', { hasText: title })

    test('goes beside the results, by keys alone, and tells what became of it', async ({ expect }) => {
      const { page, standIn } = await open('#/search?q=Salt')
      await page.locator('table.results').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      const panel = page.getByRole('complementary', { name: 'Push to a downloader' })
      await panel.getByText('nas-1 (default), 4.82').waitFor({ state: 'attached' })
      expect(await axeFindings(page)).toEqual([])
      // What the downloader's torrents have already is offered.
      for (const label of ['Category', 'Tags', 'Folder']) {
        const list = await panel.getByLabel(label).getAttribute('list')
        await expect.poll(() => page.locator(`datalist[id="${list}"] option`).count(), patient).toBeGreaterThan(0)
      }
      await panel.getByLabel('Category').fill('tv')
      await panel.getByLabel('Tags').fill('salt')
      await panel.getByLabel('Folder').fill('/volume1/tv')
      await page.keyboard.press('Control+Enter')
      await panel.getByText('Pushed to nas-1').waitFor()
      expect(calls(standIn, 'pushTorrent')).toEqual([
        {
          site: 'lantern',
          torrent_id: '7000',
          title: 'The.Salt.Road.S02E06.The.Long.Ebb.2160p.WEB-DL.DDP5.1.H.265-QUAY',
          downloader_id: 1,
          category: 'tv',
          tags: 'salt',
          save_path: '/volume1/tv',
        },
      ])
      await rowOf(page, 'The.Long.Ebb').locator('.tag', { hasText: 'Pushed' }).waitFor()
      await panel.getByRole('button', { name: /^Push/ }).click()
      await panel.getByText('Skipped: nas-1 has it already').waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.className'), { timeout: 10_000 })
        .toBe('row-open')
    })

    test('says why a result would be taken or not, and what a push of it would meet, when asked', async ({
      expect,
    }) => {
      const rule: WireStoredRule = {
        ...{ id: 1, name: 'Small ones', enabled: true, taken: 0, taken_today: 0, size_today: 0 },
        rule: {
          action: 'take',
          conditions: [
            { field: 'title', op: 'has_all', value: ['salt'] },
            { field: 'size_gib', op: 'at_most', value: 0.5 },
          ],
          target: { downloader_id: 0, category: '', tags: [], save_path: '' },
        },
      }
      const { page, standIn } = await open('#/search?q=Salt', { rules: [rule] })
      await page.locator('table.results').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      const panel = page.getByRole('complementary', { name: 'Push to a downloader' })
      const why = panel.getByRole('button', { name: /^Why\? The\.Salt\.Road/ })
      await why.waitFor()
      expect(calls(standIn, 'explainPush')).toEqual([])

      await why.press('Enter')
      await panel.getByText('A feed would leave it alone.').waitFor()
      await panel.getByText('No rule fits. Nearest: Small ones').waitFor()
      await panel.getByText(/^here: \d.* · told by the site’s list/).waitFor()
      await panel.getByText('A push to nas-1 now').waitFor()
      await panel.getByText('Not there already · only the torrent file tells').waitFor()
      await panel.getByText('Seeding capacity of the site · no limit is set').waitFor()
      await panel.getByText(/Free space · 4\.82\sTiB left beside what is unfinished, 1\.00\sGiB kept free/).waitFor()
      expect(await axeFindings(page)).toEqual([])
      // Asked before the downloaders are known, it is asked again with the one that is chosen.
      const asked = calls(standIn, 'explainPush').at(-1)
      expect(asked).toMatchObject({
        site: 'lantern',
        torrent_id: '7000',
        downloader_id: 1,
        discount: expect.any(String),
      })
      // Another downloader has another answer; another folder is asked about anew.
      await panel.locator('select').selectOption({ label: 'shelf, 1.06\u00a0TiB free' })
      await panel.getByText('A push to shelf now').waitFor()
      await panel.getByLabel('Folder').fill('/volume1/tv')
      await panel.getByText('A push to shelf now').waitFor({ state: 'detached' })
      await panel.getByRole('button', { name: /^Push/ }).first().click()
      await panel.getByText('Pushed to shelf').waitFor()
      await why.click()
      await panel.getByText('Not there already · The downloader has this torrent already').waitFor()
      expect(calls(standIn, 'explainPush').at(-1)).toMatchObject({ downloader_id: 2, save_path: '/volume1/tv' })
    })

    test('several are pushed one after another, and each says why it was not', async ({ expect }) => {
      const { page, standIn } = await open('#/search?q=Salt')
      await page.locator('table.results').waitFor()
      for (const title of ['Original Score', 'S01.COMPLETE', 'Behind.the.Water'])
        await rowOf(page, title).getByRole('checkbox').check()
      // Gone from its site since it was found.
      standIn.state.found = standIn.state.found.filter((item) => !item.title.includes('Behind'))
      await page.getByRole('button', { name: 'Push 3' }).click()
      const panel = page.getByRole('complementary', { name: 'Push to a downloader' })
      await panel.locator('select').selectOption({ label: 'shelf, 1.06\u00a0TiB free' })
      await panel.getByRole('button', { name: /^Push 3/ }).click()
      await panel.getByText('Pushed to shelf').waitFor()
      await panel.getByText('Not pushed: Too little space: 1085.44 GiB are left').waitFor()
      await panel
        .getByText('The torrent file could not be fetched from the site. The site did not answer with a torrent file.')
        .waitFor()
      expect(calls(standIn, 'pushTorrent')).toHaveLength(3)
      expect(await axeFindings(page)).toEqual([])
    })

    test('on a phone it is a dialog that gives focus back', { tags: 'slow' }, async ({ expect }) => {
      const { page } = await open('#/search?q=Salt', {}, phone)
      await page.locator('table.results .row-open').first().click()
      const dialog = page.getByRole('dialog', { name: 'Push to a downloader' })
      await dialog.getByRole('button', { name: 'Push', exact: true }).click()
      await dialog.getByText('Pushed to nas-1').waitFor()
      expect(await axeFindings(page)).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.className'), { timeout: 10_000 })
        .toBe('row-open')
    })

    test('without a downloader it leads to adding one', async ({ expect }) => {
      const { page } = await open('#/search?q=Salt', { statuses: [] })
      await page.locator('table.results .row-open').first().click()
      await page.getByText('There is no downloader in use to push to.').waitFor()
      expect(await page.getByRole('complementary').getByRole('link', { name: 'Add downloader' }).count()).toBe(1)
    })
  })

  describe('tasks and jobs', () => {
    test('pushes are filtered by site, words and state, and opened', async ({ expect }) => {
      const { page, standIn } = await open('#/tasks')
      const rows = page.locator('table.tasks tbody tr')
      await rows.first().waitFor()
      await expect.poll(() => rows.count(), patient).toBe(5)
      await rows.first().getByText('41.0').waitFor()
      await rows.nth(2).getByText('Too little space: 2.50 GiB are left').waitFor()
      await page.getByRole('button', { name: 'Pushed only' }).click()
      await expect.poll(() => rows.count(), patient).toBe(4)
      await page.getByLabel('Site', { exact: true }).selectOption({ label: 'Cedar' })
      await expect.poll(() => rows.count(), patient).toBe(1)
      expect(hashOf(page)).toBe('#/tasks?site=cedar&pushed=1')
      await rows.first().getByRole('button').click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.innerText()).toMatch(/shelf/)
      expect(await axeFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.locator('.bar-find input').fill('nothing like it')
      await page.getByRole('link', { name: 'Clear the filters' }).click()
      await expect.poll(() => rows.count(), patient).toBe(5)
      standIn.state.tasks = standIn.state.tasks.map((task) => ({
        ...task,
        progress: 100,
        completed: true,
        pushed: true,
      }))
      await expect.poll(() => rows.first().innerText(), { timeout: 15_000 }).toContain('Done')
    })

    test('a job tells its last run, its next one and why it failed, and runs now', async ({ expect }) => {
      const { page, standIn } = await open('#/jobs', {}, {}, ({ state }) => {
        const last = {
          last_ok: false,
          ...withReason('last_error', { kind: 'service.unreachable', service: 'metadata' }),
          last_finished_at: 1_795_000_000,
        }
        state.jobs.push(labelled({ job: 'titles', due_at: 1_900_000_000, running: false, ...last }))
      })
      const rows = page.locator('table.jobs tbody tr')
      await rows.first().waitFor()
      await expect.poll(() => rows.count(), patient).toBe(24)
      await page.getByRole('link', { name: /^Failed/ }).click()
      await expect.poll(() => rows.count(), patient).toBe(4)
      expect(await rows.filter({ hasText: 'Subscribed titles' }).innerText()).toContain('cannot be reached')
      expect(hashOf(page)).toBe('#/jobs?show=failed')
      const failed = page.locator('table.jobs tbody tr', { hasText: 'Quarry' })
      expect(await failed.innerText()).toContain('The login has expired.')
      await failed.getByRole('button', { name: 'Run now: Figures, Quarry' }).click()
      await failed.waitFor({ state: 'detached' })
      expect(calls(standIn, 'runJob')).toEqual([{ job: 'statistics', site: 'quarry' }])
      await page.getByRole('link', { name: /^All/ }).click()
      await page.getByRole('button', { name: 'Run now: Login reminders, All sites' }).click()
      await expect.poll(() => calls(standIn, 'runJob').at(-1), patient).toEqual({ job: 'reminders' })
    })
  })

  describe('the shell', () => {
    test('on a phone every screen is reached, those without a tab behind More', async ({ expect }) => {
      const { page } = await open('#/overview', {}, phone)
      await page.locator('.figures').waitFor()
      await page.locator('.tabbar').getByRole('link', { name: 'More' }).click()
      await page.locator('.more').waitFor()
      for (const name of ['Tasks', 'Downloaders', 'Jobs', 'API tokens', 'Audit log', 'Settings'])
        expect(await page.locator('.more').getByRole('link', { name }).count()).toBe(1)
      await page.locator('.more').getByRole('link', { name: 'Jobs' }).click()
      await page.locator('table.jobs').waitFor()
      expect(await page.locator('.tabbar [aria-current]').innerText()).toBe('More')
    })

    test('a screen whose file is gone says so and offers to begin afresh', { tags: 'slow' }, async ({ expect }) => {
      const { page, standIn } = await open('#/settings', {}, {}, () => {})
      await page.locator('.kv.settings').first().waitFor()
      await page.route('**/assets/jobs-*.js', (route) => route.abort())
      await page.goto(`${standIn.origin}/#/jobs`)
      await page.reload()
      await page.getByText('This could not be loaded.').waitFor()
      await page.unroute('**/assets/jobs-*.js')
      await page.getByRole('button', { name: 'Retry' }).click()
      await page.locator('table.jobs').waitFor()
      expect(await axeFindings(page)).toEqual([])
    })

    test('a language that was not asked for is not fetched', async ({ expect }) => {
      const asked: string[] = []
      const { page } = await open('#/torrents', {}, {}, (_standIn, opened) =>
        opened.on('request', (request) => asked.push(request.url())),
      )
      await page.locator('table.torrents').waitFor()
      expect(asked.some((url) => url.includes('/english-rest-'))).toBe(true)
      expect(asked.some((url) => url.includes('/chinese-'))).toBe(false)
    })
  })
})
