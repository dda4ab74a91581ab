/** The ten most usual tasks with the keyboard alone: whatever is reached is reached by Tab or by a key that `?` lists. */
import type { Page } from 'playwright-core'
import { describe, test } from 'vitest'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'

const patient = { timeout: 10_000 }
/** Presses of Tab until something is reached: more than any screen here has places. */
const placesMax = 150

/** What a screen reader calls the element that has the focus, or nearly so. */
const focusedName = `(() => {
  const one = document.activeElement
  if (one === null || one === document.body) return ''
  const label = one.getAttribute('aria-label') ?? [...(one.labels ?? [])].map((each) => each.innerText).join(' ')
  return (label || one.innerText || one.value || '').trim().replace(/\\s+/g, ' ')
})()`

/** Goes on by Tab until the focus is on what is called so. */
async function reach(page: Page, name: RegExp, role?: string): Promise<void> {
  for (let presses = 0; presses < placesMax; presses += 1) {
    await page.keyboard.press('Tab')
    if (!name.test(await page.evaluate<string>(focusedName))) continue
    if (role === undefined || (await page.evaluate<string>('document.activeElement.localName')) === role) return
  }
  throw new Error(`${name} is not reached by ${placesMax} presses of Tab`)
}

async function press(page: Page, name: RegExp, role = 'button'): Promise<void> {
  await reach(page, name, role)
  await page.keyboard.press('Enter')
}

async function fill(page: Page, name: RegExp, text: string): Promise<void> {
  await reach(page, name)
  await page.keyboard.type(text)
}

describe.skipIf(chromiumPart.isMissing)(`by the keyboard alone ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('a magnet link is added', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents')
    await page.locator('table.torrents').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('dialog').waitFor()
    const magnet = `magnet:?xt=urn:btih:${'ab'.repeat(20)}&dn=Quiet.River`
    await fill(page, /^Magnet links/, magnet)
    await press(page, /^Add( 1)?$/)
    await expect.poll(() => standIn.received.get('addTorrent'), patient).toMatchObject([{ magnet }])
    await page.getByText(/^Added to /).waitFor()
  })

  test('torrents are found by words', async ({ expect }) => {
    const { page } = await open('#/torrents')
    await page.locator('table.torrents').waitFor()
    const before = await page.locator('table.torrents tbody tr').count()
    await page.keyboard.press('/')
    await page.keyboard.type('salt road')
    await expect.poll(() => page.locator('table.torrents tbody tr').count(), patient).toBeLessThan(before)
    expect(await page.locator('table.torrents tbody').innerText()).toMatch(/Salt.Road/)
  })

  test('several are paused at once', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents')
    await page.locator('table.torrents').waitFor()
    for (const key of ['j', 'x', 'j', 'x', 'p']) await page.keyboard.press(key)
    const sent = () => standIn.received.get('actOnTorrents') as { action: string; targets: unknown[] }[] | undefined
    await expect
      .poll(() => sent()?.map(({ action, targets }) => [action, targets.length]), patient)
      .toEqual([['pause', 2]])
  })

  test('one gets another category', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents')
    await page.locator('table.torrents').waitFor()
    for (const key of ['j', 'x']) await page.keyboard.press(key)
    await press(page, /^More/)
    for (let steps = 0; steps < 20; steps += 1) {
      if (/^Category and tags/.test(await page.evaluate<string>(focusedName))) break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await reach(page, /^Category/)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('shelf')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => JSON.stringify(standIn.received.get('changeTorrents') ?? []), patient)
      .toContain('"category":"shelf"')
  })

  test('one gets a limit', async ({ expect }) => {
    const { page, standIn } = await open('#/torrents')
    await page.locator('table.torrents').waitFor()
    for (const key of ['j', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    await press(page, /^Change$/)
    await reach(page, /^Upload limit/)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('500')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => JSON.stringify(standIn.received.get('changeTorrents') ?? []), patient)
      .toContain(String(500 * 1024))
  })

  test('something is searched for and pushed', async ({ expect }) => {
    const { page, standIn } = await open('#/search')
    await page.getByText('Nothing searched yet').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('Salt')
    await page.keyboard.press('Enter')
    await page.getByText('8 from 7 sites').waitFor()
    // The words keep the focus: what was found is further on.
    await press(page, /The\.Salt\.Road/)
    await page.getByRole('complementary', { name: 'Push to a downloader' }).waitFor()
    await page.getByText('nas-1 (default), 4.82').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+Enter')
    await page.getByText('Pushed to nas-1').waitFor()
    expect(standIn.received.get('pushTorrent')).toHaveLength(1)
  })

  test('a brush task is made', { tags: 'slow' }, async ({ expect }) => {
    const { page, standIn } = await open('#/brush')
    await page.locator('.brush').waitFor()
    await press(page, /^Add task$/, 'a')
    await page.locator('.su-form').waitFor()
    await fill(page, /^Name$/, 'Fresh')
    await press(page, /^Add task$/)
    await expect.poll(() => standIn.received.get('addBrushTask'), patient).toMatchObject([{ name: 'Fresh' }])
  })

  test('a site is added', async ({ expect }) => {
    const { page, standIn } = await open('#/sites/new?kind=unit3d')
    await page.locator('.su-form').waitFor()
    await fill(page, /^Name$/, 'Fern')
    await fill(page, /^Address$/, 'https://fern.example')
    await fill(page, /^API key$/, 'a-key-of-a-site')
    await press(page, /^Add site$/)
    await expect
      .poll(() => standIn.received.get('addSite'), patient)
      .toMatchObject([{ display_name: 'Fern', address: 'https://fern.example', api_key: 'a-key-of-a-site' }])
  })

  test('why something failed is read', async ({ expect }) => {
    const { page } = await open('#/jobs')
    await page.locator('table.jobs').waitFor()
    await press(page, /^Failed/, 'a')
    // The list of everything holds a failed one as well: only the first of it says that the filter took hold.
    const first = page.locator('table.jobs tbody tr').first()
    await expect.poll(() => first.innerText(), patient).toMatch(/Failed/)
    expect(await first.innerText()).toMatch(/[a-z]{3,}\./)
  })

  test('one signs out', async ({ expect }) => {
    const { page, standIn } = await open('#/overview')
    await page.locator('.figures').waitFor()
    await press(page, /^Sign out$/)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(standIn.state.isSignedIn).toBe(false)
  })
})
