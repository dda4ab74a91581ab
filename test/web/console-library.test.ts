/** The library in Chromium, against a stand-in server. */
import { describe, test } from 'vitest'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

describe.skipIf(chromiumPart.isMissing)(`the library ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('folders are added, made the default, changed and deleted after a question', { tags: 'slow' }, async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/library', { libraries: [] })
    await page.getByText('No folder yet').waitFor()
    await page.locator('.bar').getByRole('link', { name: 'Add folder' }).click()
    await page.getByRole('button', { name: 'Add folder' }).click()
    await page.getByText('A name is needed.').waitFor()
    await page.getByText('An absolute folder is needed').waitFor()
    // The first of its kind is the default anyway.
    expect(await page.getByText('What is complete goes here').count()).toBe(0)
    await page.getByLabel('Name').fill('Films')
    await page.getByRole('combobox', { name: 'Folder' }).fill('/mnt/films')
    await page.getByRole('button', { name: 'Add folder' }).click()
    await page.locator('.dl', { hasText: '/mnt/films' }).waitFor()

    await page.goto(`${standIn.origin}/#/library/new`)
    // A kind without a folder is meant first.
    expect(await page.getByRole('radio', { name: 'Series', exact: true }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Films', exact: true }).check()
    await page.getByRole('radio', { name: 'Left where they are' }).check()
    await page.getByLabel('Name').fill('Cold')
    await page.getByRole('combobox', { name: 'Folder' }).fill('/cold')
    await page.getByRole('button', { name: 'Add folder' }).click()
    await page.locator('.dl', { hasText: '/cold' }).getByRole('button', { name: 'Make default' }).click()
    await expect.poll(() => standIn.state.libraries.map((one) => one.default)).toEqual([false, true])
    expect(standIn.received.get('addLibrary')).toEqual([
      { name: 'Films', media_type: 'movie', path: '/mnt/films', mode: 'move', default: true },
      { name: 'Cold', media_type: 'movie', path: '/cold', mode: 'keep', default: false },
    ])

    standIn.refusals.set('changeLibrary', {
      status: 400,
      error: 'invalid_argument',
      reason: { kind: 'name_taken', what: 'library' },
    })
    await page.getByRole('link', { name: 'Edit Cold' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another library has this name.').waitFor()
    await page.getByRole('link', { name: 'Library', exact: true }).last().click()
    await page.getByRole('button', { name: 'Delete Cold' }).click()
    await page.locator('dialog .btn.danger').click()
    await expect.poll(() => page.locator('.dl').count()).toBe(1)
    expect(standIn.state.libraries.map(({ name }) => name)).toEqual(['Films'])
    expect(troubles.filter((one) => !one.includes('400'))).toEqual([])
  })

  test('a folder of the configuration file says so, and offers nothing', async ({ expect }) => {
    const { page, standIn } = await open('#/library', {
      libraries: [
        { id: 1, name: 'Films', media_type: 'movie', path: '/mnt/films', mode: 'move', default: true, from_file: true },
        { id: 2, name: 'Series', media_type: 'tv', path: '/mnt/tv', mode: 'move', default: true },
      ],
    })
    const row = page.locator('.dl', { hasText: '/mnt/films' })
    await row.getByText('Declared by the configuration file; change it there').waitFor()
    expect(await row.locator('a, button').count()).toBe(0)
    expect(await page.locator('.dl', { hasText: '/mnt/tv' }).locator('a, button').count()).toBe(2)
    for (const [width, scheme] of [
      [390, 'light'],
      [1280, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 800 })
      if (process.env['PICTURES'] !== undefined)
        await page.screenshot({ path: `${process.env['PICTURES']}/of-file-${width}.png` })
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
    await page.goto(`${standIn.origin}/#/library/1`)
    await page.getByText('Declared by the configuration file').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
  })

  test('a form with something typed asks before it is left, and says what the server refuses at the field', async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/library/new')
    await page.getByLabel('Name').fill('Films')
    const back = page.locator('a.back')
    const question = page.getByRole('dialog')
    await back.click()
    await question.getByText('Leave without saving?').waitFor()
    expect(page.url()).toContain('#/library/new')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => question.count()).toBe(0)
    expect(await page.getByLabel('Name').inputValue()).toBe('Films')

    standIn.refusals.set('addLibrary', {
      status: 400,
      error: 'invalid_argument',
      reason: { kind: 'field.wrong', field: 'path', part: 'field' },
    })
    const folder = page.getByRole('combobox', { name: 'Folder' })
    await folder.fill('/mnt/films')
    await page.getByRole('button', { name: 'Add folder' }).click()
    await expect.poll(() => folder.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.hint.bad').innerText()).toContain('path is not right')

    await page.goBack()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect.poll(() => page.url()).not.toContain('library/new')
    // What was not changed is left without a question.
    await page.goto(`${standIn.origin}/#/library/new`)
    await back.click()
    await expect.poll(() => page.url()).not.toContain('library/new')
    expect(await question.count()).toBe(0)
    expect(troubles.filter((one) => !one.includes('400'))).toEqual([])
  })

  test('the history is filtered, told in full, and what failed is organised again', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/library')
    const rows = page.locator('table.media tbody tr')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(8)
    expect(await rows.first().innerText()).toContain('S02E06')
    await page.getByRole('link', { name: 'Failed', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(2)
    expect(page.url()).toContain('status=failed')
    expect(await rows.first().innerText()).toContain('The downloader did not move the files.')
    expect(await rows.last().innerText()).toContain('It refused the request')
    await page.getByRole('searchbox').fill('copper')
    await expect.poll(() => rows.count()).toBe(1)

    await rows.getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Organise again' }).click()
    await dialog.getByText('It is being organised again.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Organise again' }).count()).toBe(0)
    expect(standIn.received.get('organiseAgain')).toEqual([{}])
    await dialog.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('searchbox').fill('nothing of that name')
    await page.getByText('Nothing like that').waitFor()
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect.poll(() => rows.count()).toBe(8)
    expect(troubles).toEqual([])
  })
})
