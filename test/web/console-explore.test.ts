/** Exploring titles, the settings of services and the note about updates, in Chromium against a stand-in server. */
import { describe, test } from 'vitest'
import { metadataKeyPage, usualMetadataAddresses } from '../../workers/app/core/vocabulary.ts'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

describe.skipIf(chromiumPart.isMissing)(`exploring ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('goes through lists and pages, and back', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/explore')
    await page.locator('.posters').waitFor()
    expect(await page.locator('.posters > li').count()).toBe(standIn.state.titles.length)
    await expect
      .poll(() => page.evaluate<number>('document.querySelector(".posters img").naturalWidth'))
      .toBeGreaterThan(0)

    await page.getByRole('link', { name: 'Series' }).click()
    await page.getByRole('link', { name: 'Popular' }).click()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('Page 2 of 20').waitFor()
    expect(await page.evaluate('location.hash')).toBe('#/explore?kind=tv&list=popular&page=2')
    await page.goBack()
    await page.getByText('Page 1 of 20').waitFor()
    expect(troubles).toEqual([])
  })

  test('searches, tells of a title what is known, and leads on to the sites', async ({ expect }) => {
    const { page } = await open('#/explore')
    await page.getByRole('searchbox').fill('salt road')
    await page.getByRole('searchbox').press('Enter')
    await expect.poll(() => page.locator('.posters > li').count()).toBe(1)
    await page.locator('.title').click()
    const dialog = page.getByRole('dialog', { name: '盐路' })
    await dialog.getByText('一支商队').waitFor()
    await dialog.getByRole('link', { name: 'Search the sites' }).click()
    await page.getByRole('heading', { name: 'Search', exact: true }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('The Salt Road 2026')
  })

  test('says what it needs while there is no key, and where to put it', async ({ expect }) => {
    const { page } = await open('#/explore', { metadataKey: '' })
    await page.getByText('No key of The Movie Database yet').waitFor()
    const keyLink = page.getByRole('link', { name: 'themoviedb.org/settings/api' })
    expect(await keyLink.getAttribute('href')).toBe(metadataKeyPage)
    await page.getByRole('link', { name: 'Enter the key' }).click()
    await page.getByLabel('Key or token').waitFor()
    expect(await page.getByRole('heading', { name: 'Metadata provider' }).isVisible()).toBe(true)
    const form = page.locator('#services')
    expect(await form.getByRole('link').getAttribute('href')).toBe(metadataKeyPage)
    for (const usual of Object.values(usualMetadataAddresses)) expect(await form.innerText()).toContain(usual)
  })

  test('says in its own words why the provider failed, and asks again', async ({ expect }) => {
    const { page, standIn } = await open('#/explore', {}, {}, (one) =>
      one.refusals.set('explore', {
        status: 429,
        error: 'rate_limited',
        reason: { kind: 'service.rate_limited', service: 'metadata' },
      }),
    )
    const note = page.locator('.note.bad')
    await note.waitFor()
    expect(await note.innerText()).toContain('The metadata provider limits how often it is asked.')
    expect(await note.innerText()).not.toMatch(/\p{Script=Han}/u)
    standIn.refusals.clear()
    await note.getByRole('button', { name: 'Retry' }).click()
    await page.locator('.posters').waitFor()
  })

  test('shows a letter where a poster is missing or cannot be had', async ({ expect }) => {
    const title = { id: 1, media_type: 'movie', title: '盐路', in_library: true, subscribed: false } as const
    const { page } = await open('#/explore', {
      titles: [title, { ...title, id: 2, title: 'Sluice', poster_path: '/missing.jpg' }],
    })
    await expect.poll(() => page.locator('.poster.none').allInnerTexts()).toEqual(['盐', 'S'])
    expect(await page.locator('.posters .tag').first().innerText()).toBe('In the library')
  })
})

describe.skipIf(chromiumPart.isMissing)(`the settings of services ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('a key is tried, stored, kept and removed, and never shown', async ({ expect }) => {
    const { page, standIn } = await open('#/settings', { metadataKey: '' })
    const section = page.locator('#services')
    const key = section.getByLabel('Key or token')
    await key.fill('wrong')
    await section.getByRole('button', { name: 'Try the key' }).click()
    await section.getByText('The metadata provider does not accept the key.').waitFor()
    await key.fill('right')
    await section.getByRole('button', { name: 'Try the key' }).click()
    await section.getByText('The provider takes the key').waitFor()
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('Stored. Leave empty to keep it.').waitFor()
    expect(await key.inputValue()).toBe('')

    await section.getByLabel('Address of the images').fill('https://images.example')
    await section.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => standIn.state.metadataAddresses.image_address).toBe('https://images.example')
    expect(standIn.state.metadataKey).toBe('right')
    await section.getByLabel('Forget what is stored').check()
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('Either kind of key').waitFor()
    expect(standIn.state.metadataKey).toBe('')
  })

  test('a proxy shows its host only, and can be taken out', async ({ expect }) => {
    const { page } = await open('#/settings')
    const section = page.locator('.sec').filter({ has: page.getByRole('heading', { name: 'Proxy to services' }) })
    await section.getByLabel('Address of the proxy').fill('http://walker:secret@127.0.0.1:7890')
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('It is 127.0.0.1:7890 now.').waitFor()
    expect(await section.innerHTML()).not.toContain('secret')
    await section.getByRole('button', { name: 'Use no proxy' }).click()
    await section.getByText('None is set.').waitFor()
  })

  test('of several forms each asks for itself before what was typed is lost', async ({ expect }) => {
    const { page, standIn } = await open('#/settings')
    const question = page.getByRole('dialog')
    const section = (title: string) => page.locator('.sec').filter({ has: page.getByRole('heading', { name: title }) })
    const isAskedByBrowser = () =>
      page.evaluate<boolean>(`!dispatchEvent(new Event('beforeunload', { cancelable: true }))`)
    const away = () => page.getByRole('link', { name: 'Explore' }).click()
    await section('Updates').getByLabel('Repository').fill('owner/other')
    await section('Proxy to services').getByLabel('Address of the proxy').fill('http://127.0.0.1:7890')
    await section('Updates').getByRole('button', { name: 'Save' }).click()
    await section('Updates').getByText('Saved').waitFor()
    expect(standIn.state.updateSettings.repository).toBe('owner/other')
    await expect.poll(isAskedByBrowser).toBe(true)
    await away()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await section('Proxy to services').getByLabel('Address of the proxy').inputValue()).toContain('7890')

    await section('Proxy to services').getByRole('button', { name: 'Save' }).click()
    await section('Proxy to services').getByText('It is 127.0.0.1:7890 now.').waitFor()
    await expect.poll(isAskedByBrowser).toBe(false)
    await away()
    await page.locator('.posters').waitFor()
    expect(await question.count()).toBe(0)
  })

  test('cookies are taken from the browser once its extension has the password', async ({ expect }) => {
    const { page, standIn } = await open('#/settings')
    const section = page
      .locator('.sec')
      .filter({ has: page.getByRole('heading', { name: 'Cookies from the browser' }) })
    await section.getByRole('button', { name: 'Take cookies' }).click()
    await expect
      .poll(() => section.getByLabel('Password of the extension').getByRole('textbox').inputValue())
      .toBe('PlantedPushPassword71')
    await section.getByText(`${new URL(page.url()).origin}/api/cookies`).waitFor()
    await section.getByText('uuid-of-the-stand-in').waitFor()
    await section.getByText('No push has come yet.').waitFor()
    await section.getByRole('button', { name: 'It is in the extension' }).click()
    await expect.poll(() => section.innerHTML()).not.toContain('PlantedPushPassword71')

    standIn.state.cookiePush = { uuid: 'u', takenAt: standIn.state.nowUnix - 60, renewed: ['lantern', 'maple'] }
    await page.reload()
    await section.getByText('It renewed lantern, maple.').waitFor()
    await section.getByRole('button', { name: 'Take none' }).click()
    await section.getByRole('button', { name: 'Take cookies' }).waitFor()
    expect(standIn.received.get('stopCookiePush')).toHaveLength(1)
  })

  test('with a repository the check says at once how it went', async ({ expect }) => {
    const { page, standIn } = await open('#/settings', {
      updateSettings: { repository: '', api_address: '' },
      newReleases: [],
    })
    const section = page.locator('.sec').filter({ has: page.getByRole('heading', { name: 'Updates' }) })
    await section.getByLabel('Repository').fill('owner/wharf')
    expect(standIn.received.get('getUpdates')).toBeUndefined()
    await section.getByRole('button', { name: 'Save' }).click()
    await section.getByText('0.1.0 is the newest.').waitFor()

    standIn.refusals.set('getUpdates', {
      status: 502,
      error: 'upstream',
      reason: { kind: 'service.unreachable', service: 'releases' },
    })
    await section.getByLabel('Repository').fill('owner/other')
    await section.getByRole('button', { name: 'Save' }).click()
    await section
      .getByText('The list of releases cannot be reached. Check the address, and whether it needs a proxy.')
      .waitFor()
  })
})

describe.skipIf(chromiumPart.isMissing)(`the note about updates ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('tells of a newer version where the owner looks first', async ({ expect }) => {
    const { page } = await open('#/overview')
    const note = page.locator('.note').filter({ hasText: 'v0.2.0 is out.' })
    await note.waitFor()
    expect(await note.getByRole('link', { name: 'What is new' }).getAttribute('href')).toBe(
      'https://releases.example/v0.2.0',
    )
  })

  test('asks nobody while no list is named', async ({ expect }) => {
    const { page, standIn } = await open('#/overview', { updateSettings: { repository: '', api_address: '' } })
    await page.locator('.figures').waitFor()
    await expect.poll(() => standIn.received.get('getUpdateSettings')?.length).toBe(1)
    // The page has asked for something later than the note would have.
    await page.getByRole('link', { name: 'Explore' }).click()
    await page.locator('.posters').waitFor()
    expect(standIn.received.get('getUpdates')).toBeUndefined()
  })
})
