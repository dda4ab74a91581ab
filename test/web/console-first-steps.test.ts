/** The overview of the first day: what to do next, in order, and what stands already. */
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

const firstDay = { sites: [], liveSites: [], jobs: [], libraries: [], metadataKey: '' }

describe.skipIf(chromiumPart.isMissing)(`the first day ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('begins with a downloader, and leads from step to step', async ({ expect }) => {
    const { page, standIn } = await open('#/overview', { ...firstDay, downloaders: [], statuses: [] })
    await page.getByText('0 of 4 done').waitFor()
    expect(await axeFindings(page)).toEqual([])
    const next = page.locator('.first-steps a.btn.primary')
    expect(await next.innerText()).toBe('Add downloader')
    expect(await page.getByRole('link', { name: 'themoviedb.org/settings/api' }).getAttribute('rel')).toContain(
      'noreferrer',
    )
    await next.click()
    await page.getByRole('heading', { name: 'Add a downloader' }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/downloaders/new')
    expect(standIn.received.get('addDownloader') ?? []).toEqual([])
  })

  test('shows the downloaders while there is no site, and the step that is left', async ({ expect }) => {
    const { page, troubles } = await open('#/overview', { ...firstDay, metadataKey: 'stored' })
    await page.getByText('2 of 4 done').waitFor()
    const shown = page.locator('section', { has: page.getByRole('heading', { name: 'Downloaders' }) })
    expect(await shown.innerText()).toMatch(/nas-1[\s\S]*MiB\/s up[\s\S]*4\.82\sTiB free/)
    expect(await shown.innerText()).toContain('It did not answer in time')
    expect(await page.locator('.first-steps a.btn.primary').innerText()).toBe('Add site')
    expect(await page.getByRole('link', { name: 'Enter the key' }).count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    expect(troubles).toEqual([])
  })
})
