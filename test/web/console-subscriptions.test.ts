/** Subscriptions and quality profiles in Chromium, against a stand-in server. */

import { describe, test } from 'vitest'
import { wrongField } from '../../workers/app/core/failure.ts'
import { axeFindings, chromiumPart } from '../support/chromium.ts'
import { consoleScreens } from '../support/console-screens.ts'
import { saying } from '../support/said.ts'

describe.skipIf(chromiumPart.isMissing)(`subscriptions ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('are listed with what is missing, narrowed by state and words, and walked through with keys', async ({
    expect,
  }) => {
    const { page, troubles } = await open('#/subscriptions')
    const rows = page.locator('.sublist li')
    await rows.first().waitFor()
    expect(await rows.count()).toBe(11)
    expect(await rows.allInnerTexts()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/盐路[\s\S]*Following[\s\S]*Season 2[\s\S]*4 \/ 10[\s\S]*Missing episode 5/),
        expect.stringMatching(/远山来信[\s\S]*Film[\s\S]*0 \/ 1[\s\S]*Downloading/),
        expect.stringMatching(/灯塔守护者[\s\S]*Not out yet[\s\S]*—[\s\S]*Its episodes are not known yet/),
        expect.stringMatching(/The Long Inventory[\s\S]*Missing 7 episodes/),
      ]),
    )
    // The first of them stands beside the list.
    await page.getByRole('heading', { name: '盐路' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '潮汐之下' }).waitFor()
    expect(await page.evaluate('location.hash')).toBe('#/subscriptions/10')

    const states = page.getByRole('navigation', { name: 'State' }).filter({ visible: true })
    expect(await states.getByRole('link', { name: /^Paused/ }).innerText()).toMatch(/Paused\s*2/)
    await states.getByRole('link', { name: /^Paused/ }).click()
    await expect.poll(() => rows.locator('b').allInnerTexts()).toEqual(['静天气', 'The Long Inventory'])
    await page.keyboard.press('/')
    await page.keyboard.type('quiet')
    await expect.poll(() => rows.locator('b').allInnerTexts()).toEqual(['静天气'])
    expect(await page.evaluate('location.hash')).toBe('#/subscriptions?status=paused&q=quiet')
    await page.keyboard.type(' nothing')
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('link', { name: 'Clear the filters' }).click()
    await expect.poll(() => rows.count()).toBe(11)
    expect(troubles).toEqual([])
  })

  test('a watchlist is tried and added, and what it leaves open is decided', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/watchlists')
    await page.getByRole('button', { name: 'The Northern Passage 2021' }).click()
    await page.locator('.watched .tag').filter({ hasText: 'waits' }).waitFor()
    expect(standIn.received.get('chooseWatchlistTitle')).toEqual([{ media_type: 'movie', tmdb_id: 72 }])
    await page.getByRole('link', { name: 'Add watchlist' }).click()
    await page.getByText('Trakt', { exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Weekend')
    await page.getByLabel('Account', { exact: true }).fill('nobody')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('A client id is needed.').waitFor()
    await page.getByLabel('Client id').fill('0123456789')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('There is no such watchlist, or it is not public').waitFor()
    await page.getByLabel('Account', { exact: true }).fill('ada')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('31 on it. Of those looked up 1 would be subscribed and 1 asked about').waitFor()
    await page.getByLabel('Quality profile').selectOption('2')
    await page.getByLabel('Downloader').selectOption('2')
    await page.getByRole('button', { name: 'Add watchlist' }).click()
    await page.locator('.watchlists').getByText('Weekend').waitFor()
    expect(standIn.received.get('addWatchlist')).toEqual([
      {
        ...{ name: 'Weekend', enabled: true, kind: 'trakt', account: 'ada', list: '', key: '0123456789' },
        ...{ every_minutes: 360, first_look: 'new', profile_id: 2, downloader_id: 2, upgrade: false },
      },
    ])
    await page.locator('.watchlists').getByRole('link', { name: 'Weekend' }).click()
    await expect.poll(() => page.getByLabel('Downloader').inputValue()).toBe('2')
    expect(troubles).toEqual([])
  })

  test('one shows its episodes and torrents, and is paused, resumed, changed and deleted', { tags: 'slow' }, async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/subscriptions/11?status=active')
    const one = page.locator('.subdet')
    await one.locator('.eps').waitFor()
    expect(await one.locator('.ep.missing').innerText()).toMatch(/5\s*雾钟[\s\S]*Missing/)
    expect(await one.locator('.ep').last().innerText()).toMatch(/10\s*Not announced\s*No date\s*To come/)
    // The names of sites come by themselves.
    await one.getByText('Lantern').first().waitFor()
    expect(await one.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/QUAY[\s\S]*Lantern[\s\S]*Episode 6[\s\S]*8\.42[\s\S]*Downloading/),
      expect.stringMatching(/The torrent was removed from the downloader\.[\s\S]*Failed/),
      expect.stringMatching(/Done/),
      expect.stringMatching(/Replaced/),
      expect.stringMatching(/Episodes 1–3[\s\S]*Done/),
    ])
    expect(await one.locator('.sd-head').innerText()).toMatch(
      /Last searched .* · next .* · 1 torrent pushed: Episode 6; Cedar: The site answered too late/,
    )

    const gate = Promise.withResolvers<void>()
    standIn.gates.set('searchSubscription', gate.promise)
    await one.getByRole('button', { name: 'Search now' }).click()
    await one.getByRole('button', { name: 'Searching…' }).press('Enter')
    gate.resolve()
    await one.getByText('nothing suitable among 3 results: 2 another resolution, 1 too few seeders').waitFor()
    // The second press asked for nothing.
    expect(standIn.received.get('searchSubscription')).toEqual([{}])
    standIn.refusals.set('searchSubscription', {
      status: 409,
      error: 'busy',
      reason: { kind: 'subscription.busy' },
    })
    await one.getByRole('button', { name: 'Search now' }).click()
    await one.getByText('It is being searched for already.').waitFor()
    await one.getByRole('button', { name: 'Pause' }).click()
    await one.getByText('Not searched for while paused').waitFor()
    expect(await one.getByRole('button', { name: 'Search now' }).count()).toBe(0)
    // It has left the list of this state, and stays open.
    await expect.poll(() => page.locator('.sublist li').count()).toBe(4)
    await one.getByRole('button', { name: 'Resume' }).click()
    await one.getByRole('button', { name: 'Pause' }).waitFor()
    expect(standIn.received.get('setSubscriptionStatus')).toEqual([{ status: 'paused' }, { status: 'active' }])

    await one.getByRole('button', { name: 'Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Settings of 盐路' })
    await expect.poll(() => dialog.getByLabel('Quality profile').inputValue()).toBe('2')
    expect(await dialog.getByLabel('Quality profile').locator('option').allInnerTexts()).toEqual([
      'Default (默认)',
      '默认',
      'Best there is',
    ])
    await dialog.getByLabel('Quality profile').selectOption('0')
    await dialog.getByLabel('Downloader').selectOption('2')
    await dialog.getByLabel(/better release/).uncheck()
    expect(await axeFindings(page)).toEqual([])
    standIn.refusals.set('changeConsoleSubscription', {
      status: 400,
      error: 'invalid_argument',
      reason: wrongField('downloader_id', { kind: 'none', what: 'downloader' }).reason,
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This downloader does not exist any more.').waitFor()
    standIn.refusals.clear()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(standIn.received.get('changeConsoleSubscription')?.at(-1)).toEqual({
      profile_id: 0,
      downloader_id: 2,
      upgrade: false,
    })
    await expect.poll(() => one.getByText('Will upgrade').count()).toBe(0)

    await one.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete the subscription to 盐路?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(standIn.state.subscriptions).toHaveLength(11)
    await one.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete subscription' }).click()
    await page.getByRole('heading', { name: '潮汐之下' }).waitFor()
    expect(standIn.state.subscriptions).toHaveLength(10)
    expect(await page.evaluate('location.hash')).toBe('#/subscriptions?status=active')
    // What was refused is no trouble of the page.
    expect(troubles.filter((trouble) => !/400|409/.test(trouble))).toEqual([])
  })

  test('one that is gone says so, and one that could not be read is asked for again', async ({ expect }) => {
    const { page, standIn } = await open('#/subscriptions/999')
    await page.locator('.subdet').getByText('This subscription does not exist any more').waitFor()
    standIn.refusals.set('getSubscription', { status: 503, error: 'unavailable', reason: saying('数据库暂时不可用') })
    await page.locator('.sublist li a').nth(2).click()
    await page.locator('.subdet .note.bad').waitFor()
    standIn.refusals.clear()
    await page.locator('.subdet').getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { name: '北方航道' }).waitFor()
    expect(await page.locator('.subdet .note.bad').count()).toBe(0)
  })

  test('on a phone the list and one of it are screens of their own, in Chinese too', async ({ expect }) => {
    const { page } = await open(
      '#/subscriptions',
      {},
      { viewport: { width: 390, height: 844 }, locale: 'zh-CN', hasTouch: true },
    )
    await page.locator('.tabbar').getByRole('link', { name: '订阅' }).waitFor()
    await page.locator('.sublist li').first().waitFor()
    expect(await page.locator('.subdet').isVisible()).toBe(false)
    await page.getByRole('link', { name: /静天气/ }).tap()
    await page.getByRole('heading', { name: '静天气' }).waitFor()
    expect(await page.locator('.sublist').isVisible()).toBe(false)
    expect(await page.locator('.subdet').innerText()).toMatch(/暂停期间不搜索/)
    await page.getByRole('link', { name: '所有订阅' }).tap()
    await page.locator('.sublist').waitFor()
    await page.getByRole('link', { name: /盐路/ }).tap()
    const row = page.locator('table.subt tbody tr').first()
    await row.waitFor()
    const edge = '(at) => at.getBoundingClientRect().right'
    const size = row.locator('td.num', { hasText: 'GiB' })
    expect(await size.evaluate(edge)).toBe(await row.evaluate(edge))
  })
})

describe.skipIf(chromiumPart.isMissing)(`subscribing ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('a season is subscribed to where it was found, and a second one after it', { tags: 'slow' }, async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/explore?kind=tv', { subscriptions: [] })
    const card = page.locator('.title').filter({ hasText: '潮汐之下' })
    await card.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Subscribe' }).click()
    const dialog = page.getByRole('dialog', { name: 'Subscribe to 潮汐之下' })
    await dialog.getByLabel('Season').fill('201')
    await dialog.getByRole('button', { name: 'Subscribe' }).click()
    await dialog.getByText('A whole number from 1 to 200.').waitFor()
    expect(standIn.received.get('addConsoleSubscription')).toBeUndefined()
    await dialog.getByLabel('Season').fill('2')
    await dialog.getByLabel('Quality profile').selectOption('2')
    await dialog.getByLabel('Downloader').selectOption('2')
    await dialog.getByLabel(/better release/).check()
    standIn.refusals.set('addConsoleSubscription', {
      status: 502,
      error: 'upstream',
      reason: { kind: 'service.timeout', service: 'metadata' },
    })
    await dialog.getByRole('button', { name: 'Subscribe' }).click()
    await dialog.getByText('The metadata provider did not answer in time.').waitFor()
    standIn.refusals.clear()
    await dialog.getByRole('button', { name: 'Subscribe' }).click()
    await dialog.getByText('It is subscribed.').waitFor()
    expect(standIn.received.get('addConsoleSubscription')?.at(-1)).toEqual({
      media_type: 'tv',
      tmdb_id: 101,
      season: 2,
      profile_id: 2,
      downloader_id: 2,
      upgrade: true,
      source: 'explore',
    })
    await dialog.getByRole('button', { name: 'Close' }).click()
    await card.getByText('Subscribed').waitFor()

    await card.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Another season' }).click()
    await dialog.getByLabel('Season').fill('2')
    await dialog.getByRole('button', { name: 'Subscribe' }).click()
    await dialog.getByText('It is subscribed already.').waitFor()
    await dialog.getByLabel('Season').fill('')
    await dialog.getByRole('button', { name: 'Subscribe' }).click()
    await dialog.getByRole('link', { name: 'Open the subscription' }).click()
    await page.getByRole('heading', { name: '潮汐之下' }).waitFor()
    expect(await page.evaluate('location.hash')).toBe('#/subscriptions/2')
    expect(troubles.filter((trouble) => !/400|502/.test(trouble))).toEqual([])
  })

  test('a film that is subscribed leads to its subscription and is not offered again', async ({ expect }) => {
    const { page } = await open('#/explore', {
      titles: [
        { id: 106, media_type: 'movie', title: '闸门', in_library: false, subscribed: true, subscription_id: 5 },
      ],
    })
    await page.locator('.title').click()
    const dialog = page.getByRole('dialog', { name: '闸门' })
    expect(await dialog.getByRole('button', { name: 'Subscribe' }).count()).toBe(0)
    await dialog.getByRole('link', { name: 'Open the subscription' }).click()
    await page.getByRole('heading', { name: '闸门' }).waitFor()
  })
})

describe.skipIf(chromiumPart.isMissing)(`quality profiles ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('one is made, put in order by keys, made the default and deleted', { tags: 'slow' }, async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/subscriptions')
    await page.getByRole('link', { name: 'Quality profiles' }).click()
    const rows = page.locator('.profiles > li')
    await rows.first().waitFor()
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/默认\s*default\s*1080p › 2160p › 720p · any source/),
      expect.stringMatching(/Remux › Blu-ray › Web · 2–60 GiB · from 3 seeders · no hit and run · 2 words · 1 site/),
    ])
    expect(await page.getByRole('button', { name: 'Delete 默认' }).count()).toBe(0)

    await page.getByRole('link', { name: 'New profile' }).click()
    await page.getByRole('button', { name: 'Add profile' }).click()
    await page.getByText('A name is needed.').waitFor()
    await page.getByLabel('Name').fill('Best there is')
    const first = page.locator('.ranked').first().locator('li')
    const focused = () => page.evaluate<string | null>('document.activeElement.ariaLabel')
    await page.getByRole('button', { name: 'Prefer 2160p more' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => first.allInnerTexts()).toEqual(['1\n2160p', '2\n1080p', '3\n720p'])
    // At its end the way back has the focus.
    await expect.poll(focused).toBe('Prefer 2160p less')
    expect(await page.locator('fieldset [role=status]').first().innerText()).toBe('2160p is number 1 of 3')
    await page.getByRole('button', { name: 'Leave out 720p' }).click()
    await expect.poll(focused).toBe('Take 720p')
    await page.getByRole('button', { name: 'Take Web' }).click()
    await page.getByLabel('At least, GiB').fill('9')
    await page.getByLabel('At most, GiB').fill('2')
    await page.getByRole('button', { name: 'Add profile' }).click()
    await page.getByText('Less than the least.').waitFor()
    await page.getByLabel('At most, GiB').fill('20.5')
    await page.getByLabel('Words a release must have').fill('HDR\n')
    await page.getByLabel('Free downloads only').check()
    await page.getByLabel('Lantern').check()
    await page.getByRole('button', { name: 'Add profile' }).click()
    await page.getByText('Another quality profile has this name.').waitFor()
    await page.getByLabel('Name').fill('Sharp')
    await page.getByRole('button', { name: 'Add profile' }).click()
    await rows.nth(2).waitFor()
    expect(standIn.received.get('addQualityProfile')?.at(-1)).toEqual({
      name: 'Sharp',
      default: false,
      resolutions: ['2160p', '1080p'],
      sources: ['web'],
      required_words: ['HDR'],
      refused_words: [],
      min_gib: 9,
      max_gib: 20.5,
      min_seeders: 0,
      free_only: true,
      refuse_hr: false,
      sites: ['lantern'],
    })

    await page.getByRole('button', { name: 'Make default Sharp' }).click()
    await page.getByRole('button', { name: 'Delete 默认' }).click()
    await page.getByRole('button', { name: 'Delete profile' }).click()
    await expect.poll(() => rows.locator('b').allInnerTexts()).toEqual(['Best there is', 'Sharp'])
    expect(standIn.state.profiles.map((one) => [one.name, one.default])).toEqual([
      ['Best there is', false],
      ['Sharp', true],
    ])
    expect(troubles.filter((trouble) => !trouble.includes('400'))).toEqual([])
  })

  test('a changed one shows what it would have chosen before it is stored', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/profiles/2')
    const gib = 1024 ** 3
    standIn.state.profileTrial = {
      ...{ judged: 812, subscriptions: 4, compared: 2 },
      ...{ stored: { chosen: 3, size: 12 * gib }, tried: { chosen: 2, size: 31 * gib } },
      changed: [
        {
          ...{ id: 11, title: '盐路', season: 2 },
          stored: [{ site: 'lantern', title: 'The.Salt.Road.S02E06.1080p', size: 4 * gib, against: 'resolution' }],
          tried: [],
        },
      ],
    }
    await page.getByLabel('Words a release must have').fill('HDR')
    await page.getByRole('button', { name: 'Try on the last 30 days' }).click()
    await page.getByText('Of 812 torrents of the last 30 days, for 2 of the 4 subscriptions that use it').waitFor()
    await page.getByText('Releases chosen: 3 as it is, 2 with this profile').waitFor()
    await page.getByText(/lantern · 4\.00\sGiB · another resolution/).waitFor()
    expect(await page.getByRole('link', { name: '盐路' }).getAttribute('href')).toBe('#/subscriptions/11')
    expect(await axeFindings(page)).toEqual([])
    expect(standIn.received.get('tryQualityProfile')).toMatchObject([{ id: 2, profile: { required_words: ['HDR'] } }])
    expect(standIn.received.get('changeQualityProfile')).toBeUndefined()
    standIn.state.profileTrial = { ...standIn.state.profileTrial, subscriptions: 0, compared: 0, changed: [] }
    await page.getByRole('button', { name: 'Try on the last 30 days' }).click()
    await page.getByText('No subscription uses this profile yet').waitFor()
    expect(troubles).toEqual([])
  })
})
