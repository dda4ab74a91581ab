// @module-tag slow
/** The list of very many torrents: few rows are drawn, and all of them are there for keys, screen readers and actions. */
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens, now } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'

const drawnMax = 90
const memoryBytesMax = 120 * 1024 * 1024

function manyTorrents(count: number) {
  const [one] = inventedLibrary(now).torrents ?? []
  if (one === undefined) throw new Error('an invented torrent')
  return Array.from({ length: count }, (_, at) => ({
    ...one,
    task_id: at.toString(16).padStart(40, '0'),
    title: `Voyage.${String(at).padStart(5, '0')}.1080p.WEB-DL`,
    added_at: now - at,
    state: at % 7 === 0 ? ('paused' as const) : ('seeding' as const),
  }))
}
const row = (page: Page, at: number) => page.getByRole('button', { name: `Voyage.${String(at).padStart(5, '0')}` })

describe.skipIf(chromiumPart.isMissing)(`very many torrents ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test.for([5_000, 20_000])(
    '%i are scrolled through with few rows drawn and little kept',
    async (count, { expect }) => {
      const { page, troubles } = await open('#/torrents', { torrents: manyTorrents(count), failures: [] })
      await row(page, 0).waitFor()
      await page.getByText(`${count.toLocaleString('en-GB')} torrents`).waitFor()
      const table = page.locator('table.torrents')
      expect(await table.getAttribute('aria-rowcount')).toBe(String(count + 1))
      const browser = await page.context().newCDPSession(page)
      await browser.send('Performance.enable')
      for (const part of [0.25, 0.5, 0.75, 1]) {
        const at = Math.min(count - 1, Math.floor(count * part))
        await page.evaluate(`(() => {
        const body = document.querySelector('table.torrents tbody')
        scrollTo(0, body.getBoundingClientRect().top + scrollY + ${at} * document.querySelector('tr[aria-rowindex="2"], tbody tr[aria-rowindex]').offsetHeight)
      })()`)
        await row(page, at).waitFor()
        expect(await row(page, at).evaluate((button) => button.closest('tr')?.getAttribute('aria-rowindex'))).toBe(
          String(at + 2),
        )
        expect(await table.locator('tbody tr').count()).toBeLessThan(drawnMax)
      }
      await browser.send('HeapProfiler.collectGarbage')
      const { metrics } = await browser.send('Performance.getMetrics')
      const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
      console.log(`${count} torrents: ${(used / 1024 / 1024).toFixed(1)} MiB of memory after scrolling to the end`)
      expect(used).toBeLessThan(memoryBytesMax)
      expect(await axeFindings(page)).toEqual([])
      expect(troubles).toEqual([])
    },
  )

  test('keys walk from row to row beyond what is drawn, and the one with the focus stays', async ({ expect }) => {
    const { page } = await open('#/torrents', { torrents: manyTorrents(500), failures: [] })
    await row(page, 0).waitFor()
    const focused = () => page.evaluate<string | null>(`document.activeElement.getAttribute('title')`)
    await page.keyboard.press('j')
    for (let step = 1; step <= 60; step += 1) {
      await page.keyboard.press(step % 2 === 0 ? 'j' : 'ArrowDown')
      await expect.poll(focused).toBe(`Voyage.${String(step).padStart(5, '0')}.1080p.WEB-DL`)
    }
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await row(page, 499).waitFor()
    expect(await focused()).toContain('Voyage.00060')
    await page.keyboard.press('ArrowUp')
    await expect.poll(focused).toContain('Voyage.00059')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
  })

  test('Ctrl A means all that match, Shift reaches over rows that are not drawn, and in a field it means the text', async ({
    expect,
  }) => {
    const { page } = await open('#/torrents', { torrents: manyTorrents(700), failures: [] })
    await row(page, 0).waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('700 selected').waitFor()
    expect(await page.getByLabel('Select all that match').isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByLabel('Select Voyage.00001').check()
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await row(page, 699).waitFor()
    await page.getByLabel('Select Voyage.00690').click({ modifiers: ['Shift'] })
    await page.getByText('690 selected').waitFor()
    await page.locator('.bar-find input').fill('00012')
    await page.getByText('1 torrent', { exact: true }).waitFor()
    await page.locator('.bar-find input').press('Control+a')
    await page.keyboard.press('Backspace')
    expect(await page.locator('.bar-find input').inputValue()).toBe('')
    await page.getByText('690 selected').waitFor()
  })

  test('what needs the owner stands by why it does, with what helps; groups beside the list narrow it', async ({
    expect,
  }) => {
    const torrents = manyTorrents(240).map((torrent, at) => ({
      ...torrent,
      tracker: at % 2 === 0 ? 'tracker.cedar.example' : 'open.reel.example',
      ...(at < 120 && at % 2 === 0
        ? { condition: 'tracker_error' as const, condition_said: 'passkey not known', state: 'downloading' as const }
        : {}),
    }))
    const { page, standIn } = await open('#/torrents', { torrents, failures: [] })
    const matters = page.getByRole('region', { name: 'Needs you' })
    await matters.getByText('“passkey not known”').waitFor()
    expect(await matters.getByRole('link', { name: 'Check the account' }).getAttribute('href')).toMatch(
      /^#\/sites\/\d+$/,
    )
    await matters.getByRole('button', { name: 'Reannounce 60' }).click()
    await expect
      .poll(() => standIn.received.get('beginTorrentRun')?.at(-1))
      .toMatchObject({
        ...{ deed: { kind: 'reannounce' }, condition: 'tracker_error', said: 'passkey not known', at_most: 60 },
        tracker: 'tracker.cedar.example',
      })
    await matters.getByRole('button', { name: 'Edit tracker' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('tracker.cedar.example')
    await dialog.getByRole('button', { name: 'Edit tracker' }).click()
    await dialog.getByText('begins with http').waitFor()
    await dialog.getByRole('textbox').fill('https://tracker.cedar.example/announce?passkey=new')
    await dialog.getByRole('button', { name: 'Edit tracker' }).click()
    await dialog.waitFor({ state: 'detached' })
    const told = standIn.received.get('changeTorrents')?.at(-1) as { change: object; targets: object[] }
    expect(told.change).toMatchObject({ kind: 'change_tracker', host: 'tracker.cedar.example' })
    expect(told.targets).toHaveLength(60)

    await page.keyboard.press('f')
    const groups = page.getByRole('complementary', { name: 'Filters' })
    await groups.getByRole('link', { name: 'open.reel.example 120' }).click()
    await page.getByText('120 torrents', { exact: true }).waitFor()
    await expect.poll(() => matters.count()).toBe(0)
    await page.getByRole('link', { name: 'Show all again' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await groups.getByRole('link', { name: 'open.reel.example 120' }).click()
    await page.getByText('240 torrents', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Needs you' }).click()
    await page.locator('.pager', { hasText: /^60 torrents$/ }).waitFor()
    await page.keyboard.press('f')
    await groups.waitFor({ state: 'detached' })
  })

  test('a row has a menu by the other button and by its key, which acts on all that is chosen', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents', { torrents: manyTorrents(30), failures: [] })
    await row(page, 3).click({ button: 'right' })
    const menu = page.getByRole('menu')
    await menu.waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Details')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await page.getByLabel('Select Voyage.00004').check()
    await row(page, 4).click({ button: 'right' })
    await menu.getByRole('menuitem', { name: 'Check the data again' }).click()
    await expect
      .poll(() => standIn.received.get('changeTorrents'))
      .toEqual([
        {
          change: { kind: 'recheck' },
          targets: [3, 4].map((at) => ({ downloader_id: 1, task_id: at.toString(16).padStart(40, '0') })),
        },
      ])
    await page.getByRole('button', { name: 'More' }).click()
    await menu.getByRole('menuitem', { name: 'Category and tags…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Category and tags of 2 torrents' })
    await dialog.getByLabel('Category').fill('kept')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change' }).click()
    await page.getByText('2 torrents put into another category.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => standIn.received.get('changeTorrents')?.length).toBe(3)
    expect(standIn.state.torrents.slice(3, 5).map(({ category }) => category)).toEqual(
      manyTorrents(5)
        .slice(3, 5)
        .map(({ category }) => category),
    )
  })

  test('columns, their order, the height of rows and filters with a name last in this browser', async ({ expect }) => {
    const { page } = await open('#/torrents?state=paused', { torrents: manyTorrents(30), failures: [] })
    await row(page, 0).waitFor()
    const heads = async () => (await page.locator('thead th').allInnerTexts()).map((text) => text.trim())
    expect((await heads()).slice(1, 4)).toEqual(['Title', 'State', 'Progress'])
    await page.getByRole('button', { name: 'View' }).click()
    const dialog = page.getByRole('dialog', { name: 'View of the list' })
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByLabel('One line').check()
    await dialog.getByRole('checkbox', { name: 'State' }).uncheck()
    await dialog.getByRole('button', { name: 'Move Size to the left' }).click()
    await dialog.getByLabel('Name for the present filter').fill('Held')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('link', { name: 'Held' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.evaluate(`location.hash = '#/torrents'`)
    await page.reload()
    await row(page, 1).waitFor()
    expect((await heads()).slice(1, 4)).toEqual(['Title', 'Size', 'Progress'])
    expect(await page.locator('table.torrents.dense').count()).toBe(1)
    await page.getByRole('button', { name: 'View' }).click()
    await dialog.getByRole('link', { name: 'Held' }).click()
    await page.getByText('5 torrents').waitFor()
    expect(new URL(page.url()).hash).toBe('#/torrents?state=paused')
  })
})
