/** Rules where they stand, and why something was decided, beside the list that says so. */
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { axeFindings, chromiumPart, overBy } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const focusedName = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.innerText')
const far = 'Letters.from.Far.Hills.2022.2160p.WEB-DL-QUAY'

describe.skipIf(chromiumPart.isMissing)(`rules on the console ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('why something was left stands beside the list: how it was, each clause, and where each figure is from', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { page, troubles } = await open('#/feeds')
    const button = page.getByRole('button', { name: `Why? ${far}` })
    await button.focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Why?' })
    await panel.getByText('No rule fits. Nearest: Fresh and free · 1 of 5 not met').waitFor()
    const clauses = await panel.locator('.why li').allInnerTexts()
    expect(clauses.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'met: Promotion is one of FREE, 2XFREE here: FREE · told by the site’s list',
      'met: Free for, hours at least 12 here: 21 · told by the site’s list',
      'not met: Size, GiB at most 15 here: 15.42 · told by the site’s list',
      'met: There already (library, downloaders) is no no subscription, library, downloader or push knows this title · counts as met',
      'met: At most 4 in 24 hours here: 2 · by what was pushed',
    ])
    expect((await panel.locator('dl').innerText()).replace(/\s+/g, ' ')).toMatch(
      /^Size 15\.42 GiB Promotion Free until .* H&R no Seeders 4 Published .* Category Films$/,
    )
    await expect.poll(() => page.evaluate<string>('document.activeElement.ariaLabel')).toBe('Why?')
    expect(await axeFindings(page)).toEqual([])

    await panel.getByRole('button', { name: 'Why? of the next one' }).click()
    await panel.getByText('Salt.Road.S02E06').waitFor()
    await panel.getByRole('button', { name: 'Why? of the one before' }).click()
    await panel.getByText('1 of 5 not met').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => focusedName(page)).toBe(`Why? ${far}`)

    // It goes with its screen.
    await button.click()
    await panel.waitFor()
    await page.getByRole('link', { name: 'Ends of torrents' }).first().click()
    await page.getByRole('button', { name: /^Why\? Winter\.Garden/ }).waitFor()
    expect(await panel.count()).toBe(0)
    await page.getByRole('button', { name: /^Why\? Winter\.Garden/ }).click()
    await panel.getByText('Rule: Disk nearly full').waitFor()
    expect(troubles).toEqual([])
  })

  test('what was left is pushed all the same, once what it overrules was confirmed, and then says so', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/feeds')
    await page.getByRole('button', { name: `Why? ${far}` }).click()
    const panel = page.getByRole('complementary', { name: 'Why?' })
    await panel.getByText('The others').waitFor()
    const others = panel.locator('ul', { hasText: 'No screeners' })
    expect((await others.innerText()).replace(/\s+/g, ' ')).toBe(
      'No screeners Title has any of CAM, TS · not met · read from its name',
    )
    await panel.getByRole('button', { name: 'Push it anyway…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Push it anyway?' })
    await dialog.getByText('although no rule took it; “Fresh and free” came nearest').waitFor()
    expect((await dialog.locator('ul').first().innerText()).replace(/\s+/g, ' ')).toMatch(
      /^not met: Size, GiB at most 15/,
    )
    await dialog.getByText('A push to nas-1 now').waitFor()
    expect(await axeFindings(page)).toEqual([])
    // The least harmful first: Enter leaves it as it is.
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(standIn.received.get('pushFeedItem')).toBeUndefined()

    const item = standIn.state.feedItems.find(({ title }) => title === far)
    await panel.getByRole('button', { name: 'Push it anyway…' }).click()
    await dialog.getByRole('button', { name: 'Push it' }).click()
    await panel.getByText('Pushed to nas-1').waitFor()
    expect(standIn.received.get('pushFeedItem')).toMatchObject([{ decided_at: item?.decided_at, downloader_id: 0 }])
    await page.locator('.decided', { hasText: far }).getByText('Pushed by hand').waitFor()
    expect(await panel.getByRole('button', { name: 'Push it anyway…' }).count()).toBe(0)
    expect(await axeFindings(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  test('the nearest rule is widened where it stands, tried, and kept once that was seen', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/feeds')
    await page.getByRole('button', { name: `Why? ${far}` }).click()
    const panel = page.getByRole('complementary', { name: 'Why?' })
    await panel.getByRole('button', { name: 'Make it: Size, GiB at most 16' }).click()
    const rule = page.locator('.rules > li', { hasText: 'Fresh and free' })
    await rule.getByRole('button', { name: 'Size, GiB at most 16' }).waitFor()
    await page.getByRole('heading', { name: 'Dry run with your changes: 1 rule not saved' }).waitFor()
    const asked = standIn.received.get('tryRules') as { rules: { name: string; rule: { conditions: object[] } }[] }[]
    const tried = asked.at(-1)?.rules.find(({ name }) => name === 'Fresh and free')?.rule.conditions
    expect(tried).toContainEqual({ field: 'size_gib', op: 'at_most', value: 16 })
    expect(standIn.received.get('changeRule')).toBeUndefined()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(() => standIn.received.get('changeRule'))
      .toMatchObject([{ name: 'Fresh and free', rule: { conditions: tried } }])
    expect(troubles).toEqual([])
  })

  test('on a phone what a widened rule would do is in sight', async ({ expect }) => {
    const { page, troubles } = await open('#/feeds', {}, phone)
    await page.getByRole('button', { name: `Why? ${far}` }).click()
    await page.getByRole('button', { name: 'Make it: Size, GiB at most 16' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await overBy(page)).toBeLessThanOrEqual(0)
    const figures = page.getByRole('heading', { name: 'Dry run with your changes: 1 rule not saved' })
    await expect
      .poll(async () => {
        const { y = -1 } = (await figures.boundingBox()) ?? {}
        return y > 0 && y < 844
      })
      .toBe(true)
    expect(troubles).toEqual([])
  })

  test('what a gate stops is said, and may be tried again', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/feeds')
    for (const status of standIn.state.statuses) status.free_space = 1024 ** 3
    await page.getByRole('button', { name: `Why? ${far}` }).click()
    const panel = page.getByRole('complementary', { name: 'Why?' })
    await panel.getByRole('button', { name: 'Push it anyway…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Push it' }).click()
    await panel.getByText('Too little space').waitFor()
    await panel.getByRole('button', { name: 'Push it anyway…' }).waitFor()
    await page.locator('.decided', { hasText: far }).getByText('Left alone').waitFor()
    expect(troubles).toEqual([])
  })

  test('a rule begins with what is like a torrent that was found, with both bounds of a day', { tags: 'slow' }, async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/feeds')
    await page.getByRole('button', { name: `Why? ${far}` }).click()
    await page.getByRole('link', { name: 'Make a rule…' }).click()
    await page.getByLabel('Name').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Letters from Far Hills')
    await page.getByLabel('At most in 24 hours, GiB').fill('0')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByText('A number above 0, or empty.').waitFor()
    await page.getByLabel('At most in 24 hours, GiB').fill('40.5')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.locator('.rules > li', { hasText: 'Letters from Far Hills' }).waitFor()
    expect(standIn.received.get('addRule')).toMatchObject([
      {
        name: 'Letters from Far Hills',
        rule: {
          conditions: [
            { field: 'title', op: 'has_all', value: ['Letters', 'from', 'Far', 'Hills'] },
            { field: 'year', op: 'at_least', value: 2022 },
            { field: 'resolution', op: 'is_any', value: ['2160p'] },
            { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
            { field: 'size_gib', op: 'at_most', value: 16 },
          ],
          per_day_gib_max: 40.5,
        },
      },
    ])
    expect(troubles).toEqual([])
  })

  test('on a phone it is a sheet above the list, which gives the focus back', { tags: 'slow' }, async ({ expect }) => {
    const { page, troubles } = await open('#/feeds', {}, phone)
    const button = page.getByRole('button', { name: `Why? ${far}` })
    await button.tap()
    const sheet = page.getByRole('dialog', { name: 'Why?' })
    await sheet.getByText('Size, GiB at most 15').waitFor()
    expect(await overBy(page)).toBeLessThanOrEqual(0)
    expect(await axeFindings(page)).toEqual([])
    await sheet.getByRole('button', { name: 'Why? of the next one' }).tap()
    await sheet.getByText('Salt.Road.S02E06').waitFor()
    await sheet.getByRole('button', { name: 'Close' }).tap()
    await sheet.waitFor({ state: 'detached' })
    await expect.poll(() => focusedName(page)).toMatch(/^Why\? Salt\.Road/)
    expect(troubles).toEqual([])
  })

  test('a condition is changed in its place, tried with what it would have taken and billed, and kept or let go', {
    tags: 'slow',
  }, async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/feeds')
    const row = page.locator('.rules > li', { hasText: 'Fresh and free' })
    const chip = (text: string) => row.getByRole('button', { name: text })
    await chip('Size, GiB at most 15').focus()
    expect(await row.innerText()).toContain('30 taken in 30 days')
    expect(await page.locator('.rules > li').last().innerText()).toMatch(/Otherwise left alone\s+4,287 in 30 days/)
    await page.keyboard.press('Enter')
    const value = row.getByLabel('Value')
    await expect.poll(() => page.evaluate<string>('document.activeElement.value')).toBe('15')
    await page.keyboard.type('0x')
    // Escape leaves it as it was.
    await page.keyboard.press('Escape')
    await expect.poll(() => focusedName(page)).toBe('Size, GiB at most 15')
    expect(standIn.received.get('tryRules')).toBeUndefined()

    await page.keyboard.press('Enter')
    await value.fill('wide')
    await page.keyboard.press('Enter')
    await row.getByText('A number, or words apart by commas.').waitFor()
    await value.fill('16')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    const dry = page.locator('form.dry')
    await dry.getByText('Dry run with your changes: 1 rule not saved').waitFor()
    await row.getByText('31 would be taken (+1), 2 billed').waitFor()
    await expect.poll(() => focusedName(page)).toBe('Size, GiB at most 16')
    expect(standIn.received.get('tryRules')?.[0]).toMatchObject({
      rules: [{ id: 1 }, { id: 2, name: 'Fresh and free', rule: { per_day_max: 4 } }],
    })
    expect(standIn.received.get('changeRule')).toBeUndefined()
    expect(await axeFindings(page)).toEqual([])

    // What it would decide otherwise says why, by both.
    await dry.getByRole('button', { name: `Why? ${far}` }).click()
    const panel = page.getByRole('complementary', { name: 'Why?' })
    await panel.getByText('With the change: take').waitFor()
    await panel.getByText('As stored: leave alone').waitFor()
    await panel.getByText('Size, GiB at most 16').waitFor()

    // What is not kept is asked for before it is lost.
    await page.getByRole('link', { name: 'Torrents', exact: true }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await dry.getByRole('button', { name: 'Discard' }).click()
    await chip('Size, GiB at most 15').waitFor()
    expect(await dry.count()).toBe(0)

    await chip('Size, GiB at most 15').click()
    await value.fill('16')
    await page.keyboard.press('Enter')
    await row.getByRole('button', { name: 'Add a condition to Fresh and free' }).click()
    await row.getByLabel('What').selectOption('seeders')
    await value.fill('3')
    await page.keyboard.press('Enter')
    await chip('Seeders at least 3').waitFor()
    await chip('Free for, hours at least 12').click()
    await row.getByRole('button', { name: 'Remove condition 2' }).click()
    await page.keyboard.press('Control+s')
    await dry.waitFor({ state: 'detached' })
    expect(standIn.received.get('changeRule')).toEqual([
      expect.objectContaining({
        name: 'Fresh and free',
        rule: expect.objectContaining({
          conditions: [
            { field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] },
            { field: 'size_gib', op: 'at_most', value: 16 },
            { field: 'owned', op: 'is', value: false, or_unknown: true },
            { field: 'seeders', op: 'at_least', value: 3 },
          ],
          per_day_max: 4,
        }),
      }),
    ])
    await chip('Size, GiB at most 16').waitFor()
    expect(troubles).toEqual([])
  })
})
