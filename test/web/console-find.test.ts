/** The box that finds anything, and what the address of the page brings with it. */
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

const box = (page: Page) => page.getByRole('dialog', { name: 'Find anything' })
const hashOf = (page: Page) => new URL(page.url()).hash

describe.skipIf(chromiumPart.isMissing)(`finding anything ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('Ctrl K opens it from any screen and from within a field, and Enter goes to what is marked', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { page, troubles } = await open('#/torrents')
    await page.locator('.bar-find input').click()
    await page.keyboard.press('Control+k')
    await box(page).waitFor()
    const options = box(page).getByRole('option')
    await options.getByText('Add a site').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.type('audit')
    await expect.poll(() => options.allInnerTexts()).toContain('Audit log')
    // The box keeps the focus; what is marked is told by it.
    const marked = await page.getByRole('combobox', { name: 'Find anything' }).getAttribute('aria-activedescendant')
    expect(await page.locator(`[id="${marked}"]`).getAttribute('aria-selected')).toBe('true')
    for (let step = 0; step < 20; step += 1) {
      if ((await box(page).locator('[aria-selected=true]').innerText()) === 'Audit log') break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.locator('table.log').waitFor()
    expect(hashOf(page)).toBe('#/log')
    expect(await box(page).count()).toBe(0)
    expect(troubles).toEqual([])
  })

  test('sites, torrents and subscriptions are found by their words, and the rest by a search', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { page, standIn } = await open('#/overview')
    await page.locator('.figures').waitFor()
    await page.keyboard.press('Control+k')
    await box(page).waitFor()
    await page.keyboard.type('salt road')
    const group = (name: string) => box(page).getByRole('group', { name }).getByRole('option')
    await expect.poll(async () => (await group('Torrents').allInnerTexts()).join()).toContain('The.Salt.Road')
    expect(await box(page).getByRole('status').innerText()).toMatch(/^\d+ results?$/)
    expect(await axeFindings(page)).toEqual([])
    await group('Actions').getByText('Search the sites for “salt road”').click()
    await expect.poll(() => hashOf(page)).toMatch(/^#\/search\?q=salt/)

    await page.keyboard.press('Control+k')
    await box(page).waitFor()
    const [site] = standIn.state.sites
    await page.keyboard.type(site?.name.slice(0, 4) ?? '')
    await group('Sites').first().click()
    await expect.poll(() => hashOf(page)).toMatch(/^#\/sites\/\d+$/)
  })

  test('what cannot be read is said, and the rest is found all the same', async ({ expect }) => {
    const { page } = await open('#/overview', {}, {}, (standIn) =>
      standIn.refusals.set('listConsoleSites', {
        status: 503,
        error: 'unavailable',
        reason: { kind: 'account.unauthorized' },
      }),
    )
    await page.getByRole('button', { name: 'Find' }).click()
    await box(page).getByText('Some could not be read.').waitFor()
    await page.keyboard.type('zzzz')
    await box(page).getByText('All torrents with “zzzz”').waitFor()
    expect(await box(page).getByRole('group').count()).toBe(1)
    await page.keyboard.press('Escape')
    await box(page).waitFor({ state: 'detached' })
  })

  test('an action is done in its place: another theme, another language', async ({ expect }) => {
    const { page } = await open('#/jobs')
    await page.locator('table.jobs').waitFor()
    await page.keyboard.press('Control+k')
    await box(page).getByText('Dark theme').click()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.keyboard.press('Control+k')
    await box(page).getByRole('option', { name: '中文' }).click()
    await page
      .getByRole('heading', { name: '作业' })
      .or(page.getByRole('heading', { level: 1 }))
      .first()
      .waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toMatch(/^zh/)
  })

  test('the keys are explained on every screen', async ({ expect }) => {
    const { page } = await open('#/jobs')
    await page.locator('table.jobs').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Find anything').waitFor()
    expect(await axeFindings(page)).toEqual([])
  })

  test('a magnet link in the address of the page waits in the form, and nothing is sent before the owner says so', async ({
    expect,
  }) => {
    const { page, standIn } = await open('#/overview')
    const magnet = `magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=Handed over`
    await page.goto(
      `${standIn.origin}/?add=${encodeURIComponent(magnet)}&add=${encodeURIComponent('https://a.example/b')}`,
    )
    const dialog = page.getByRole('dialog', { name: 'Add torrents' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('Magnet links, addresses').inputValue()).toBe(`${magnet}\nhttps://a.example/b`)
    expect(new URL(page.url()).search).toBe('')
    expect(standIn.received.get('addTorrent') ?? []).toEqual([])
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(hashOf(page)).toBe('#/torrents')
  })
})
