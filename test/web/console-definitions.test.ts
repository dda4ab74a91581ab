/** A tracker definition that the owner brings, in Chromium on the real Worker: pasted, answered, tried, searched, changed, removed. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { stringify } from 'yaml'
import {
  axeFindings,
  chromiumPart,
  launchChromiumShell,
  openPage,
  policyViolations,
  type TestBrowser,
  type WatchedPage,
} from '../support/chromium.ts'
import { type OwnHost, setUpOwner, startOwnHost } from '../support/own-host.ts'
import { goodApiKey, type StandInSites, startStandInSites } from '../support/stand-in-sites.ts'

const patient = { timeout: 10_000 }

/** Of the stand-in that answers in JSON. */
const definition = (name: string) => ({
  id: 'harbour',
  name,
  description: 'An invented tracker',
  language: 'en-US',
  type: 'private',
  encoding: 'UTF-8',
  links: ['https://harbour.example/'],
  caps: { categorymappings: [{ id: 1, cat: 'Movies/HD', desc: 'Films' }], modes: { search: ['q'] } },
  settings: [
    { name: 'apikey', type: 'password', label: 'Key of the interface' },
    { name: 'free', type: 'checkbox', label: 'Free only', default: false },
  ],
  search: {
    paths: [{ path: 'api/torrents/filter', response: { type: 'json' } }],
    headers: { Authorization: ['Bearer {{ .Config.apikey }}'] },
    inputs: { name: '{{ .Keywords }}', $raw: '{{ if .Config.free }}free[]=100{{ else }}{{ end }}' },
    rows: { selector: 'data', attribute: 'attributes' },
    fields: {
      category: { text: 1 },
      title: { selector: 'name' },
      _id: { selector: '..id' },
      details: { text: 'torrents/{{ .Result._id }}' },
      download: { selector: 'download_link' },
      size: { selector: 'size' },
      seeders: { selector: 'seeders' },
      leechers: { selector: 'leechers' },
    },
  },
})

describe.skipIf(chromiumPart.isMissing)(`definitions that the owner brings ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  let host: OwnHost
  let sites: StandInSites
  let watched: WatchedPage

  beforeAll(async () => {
    host = await startOwnHost()
    ;[sites, browser] = await Promise.all([startStandInSites(), launchChromiumShell()])
    watched = await openPage(browser)
    const { page } = watched
    await setUpOwner(page, host.setupLink)
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await host?.close()
    await sites?.stop()
  })

  test('a wrong one is told with its line, and nothing is kept', async ({ expect }) => {
    const { page } = watched
    await page.goto(`${host.address}/#/sites/definitions`)
    await page.getByText('None yet').waitFor()
    await page.getByLabel('Definition (YAML)').fill(stringify(definition('Harbour')).replace('language:', 'languag:'))
    await page.getByRole('button', { name: 'Check and add' }).click()
    await page.getByText('Not added: YAML').waitFor()
    expect(await page.getByRole('list', { name: 'What is wrong' }).innerText()).toMatch(/line 4/i)
    await page.getByText('None yet').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('a right one is kept, answered, tried with a wrong and a right key, and added', async ({ expect }) => {
    const { page } = watched
    await page.getByLabel('Definition (YAML)').fill(stringify(definition('Harbour')))
    await page.getByRole('button', { name: 'Check and add' }).click()
    await page.getByText('Added: Harbour').waitFor()
    await page
      .locator('ul.choices')
      .getByRole('link', { name: /Harbour/ })
      .click()
    await page.getByLabel('Address', { exact: true }).fill(sites.address('unit3d', 'brought'))
    await page.getByLabel('Key of the interface').fill('wrong')
    await page.getByRole('button', { name: /^Test/ }).click()
    await page.getByText('The login has expired').first().waitFor()
    await page.getByLabel('Key of the interface').fill(goodApiKey)
    await page.getByRole('button', { name: /^Test/ }).click()
    await page.locator('.checks').getByText('The login has expired').waitFor({ state: 'detached' })
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Add site' }).click()
    await expect.poll(() => new URL(page.url()).hash, patient).toMatch(/^#\/sites(?:\/\d+)?$/)
    expect(await page.content()).not.toContain(goodApiKey)
  })

  test('is searched, and by another answer finds another list', async ({ expect }) => {
    const { page } = watched
    await page.goto(`${host.address}/#/search?q=planet`)
    await page.getByText('Planet.Walk.2026.1080p').first().waitFor()

    await page.goto(`${host.address}/#/sites/1/edit`)
    await page.getByText('Stored. Leave empty to keep it.').waitFor()
    expect(await page.getByLabel('Key of the interface').inputValue()).toBe('')
    await page.getByLabel('Free only').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => new URL(page.url()).hash, patient).not.toContain('edit')
    await page.goto(`${host.address}/#/sites/1/edit`)
    // At once, without a reload: the form is of what was just saved.
    await expect.poll(() => page.getByLabel('Free only').isChecked(), patient).toBe(true)
  })

  test('stays while a site is made from it, and goes after that', async ({ expect }) => {
    const { page } = watched
    await page.goto(`${host.address}/#/sites/definitions`)
    const remove = async () => {
      await page.getByRole('button', { name: 'Remove Harbour?' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    }
    await remove()
    await expect.poll(() => page.getByRole('alert').count(), patient).toBeGreaterThan(0)
    expect(await page.locator('ul.choices').innerText()).toContain('1 site')
    const answer = await page.evaluate<number>(
      `fetch('/api/console/v1/sites/1', { method: 'DELETE', headers: { 'x-wharf-console': '1' } }).then(({ status }) => status)`,
    )
    expect(answer).toBe(200)
    await page.reload()
    await remove()
    await page.getByText('None yet').waitFor()
    expect(await policyViolations(page)).toEqual([])
  })
})
