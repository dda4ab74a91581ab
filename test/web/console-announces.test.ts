/** The form of a channel in Chromium: what is known of a site's is filled in, and stays the owner's to change. */
import { describe, test } from 'vitest'
import type { FeedBody } from '../../workers/app/contract/console-feeds.ts'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens, now } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'

const line = 'New ~ {title} ~ {size} ~ {link}'
const announces: FeedBody['announces'] & object = {
  channel: '#fresh',
  announcers: ['Herald', 'Crier'],
  line,
  sign_in: 'nickserv',
}
const sites = (inventedLibrary(now).sites ?? []).map((site) =>
  site.name === 'lantern'
    ? {
        ...site,
        announces: {
          ...announces,
          server: 'ircs://irc.lantern.example:6697',
          enter: 'Herald enter #fresh {user} {key}',
        },
      }
    : site,
)

describe.skipIf(chromiumPart.isMissing)(`the form of a channel ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test('is filled in from what is known of the site, changed, kept, and switched off as what it is', async ({
    expect,
  }) => {
    const { page, standIn, troubles } = await open('#/feeds/new', { sites })
    const fill = page.getByRole('button', { name: 'Fill in what is known of Lantern' })
    await page.getByLabel('Name').fill('Fresh')
    expect(await fill.count()).toBe(0)
    await page.getByLabel('Where it comes from').selectOption({ value: 'channel' })
    await page.getByLabel('Site', { exact: true }).selectOption({ value: 'tidepool' })
    await page.getByLabel('Channel', { exact: true }).waitFor()
    expect(await fill.count()).toBe(0)
    await page.getByLabel('Site', { exact: true }).selectOption({ value: 'lantern' })
    await fill.click()
    expect(await page.getByLabel('Server of the channel').inputValue()).toBe('ircs://irc.lantern.example:6697')
    expect(await page.getByLabel('Channel', { exact: true }).inputValue()).toBe('#fresh')
    expect(await page.getByLabel('How a line is written').inputValue()).toBe(line)
    expect(await page.getByLabel('What the password is for').inputValue()).toBe('nickserv')
    const enter = page.getByLabel('Command that opens the channel')
    expect(await enter.inputValue()).toBe('Herald enter #fresh {user} {key}')
    await enter.fill('Herald enter #fresh walker invented')
    await page.getByLabel('Who is believed, apart by commas').fill('Herald')
    const server = 'ircs://reader1:invented@irc.lantern.example:6697'
    await page.getByLabel('Server of the channel').fill(server)
    await page.getByRole('button', { name: 'Add feed' }).click()
    await page.locator('.feeds').waitFor()
    const stored = { ...announces, announcers: ['Herald'] }
    expect(standIn.received.get('addFeed')).toEqual([
      {
        name: 'Fresh',
        site: 'lantern',
        every_minutes: 10,
        enabled: true,
        address: server,
        enter: 'Herald enter #fresh walker invented',
        announces: stored,
      },
    ])

    await page.getByRole('button', { name: 'Turn off Fresh', exact: true }).click()
    await page.getByRole('button', { name: 'Turn on Fresh', exact: true }).waitFor()
    const fresh = standIn.state.feeds.find(({ name }) => name === 'Fresh')
    expect(fresh).toMatchObject({ enabled: false, host: 'irc.lantern.example:6697', enters: true, announces: stored })

    // Filled in once more, it keeps the name and the password at the same server.
    await page.evaluate(`location.hash = '#/feeds/${fresh?.id}'`)
    await fill.click()
    expect(await page.getByLabel('Server of the channel').inputValue()).toBe('')
    expect(await enter.inputValue()).toBe('')
    expect(await page.getByLabel('Who is believed, apart by commas').inputValue()).toBe('Herald, Crier')
    expect(troubles).toEqual([])
  })

  test('gives way to a feed that the site itself tells, which is asked for and not typed', async ({ expect }) => {
    const { page, standIn, troubles } = await open('#/feeds/new', { sites })
    await page.getByLabel('Name').fill('Told')
    await page.getByLabel('Site', { exact: true }).selectOption({ value: 'lantern' })
    await page.getByLabel('Where it comes from').selectOption({ label: 'A feed whose address the site is asked for' })
    expect(await page.getByLabel(/Address|Server of the channel/).count()).toBe(0)
    await page.getByRole('button', { name: 'Add feed' }).click()
    await page.locator('.feeds').waitFor()
    const told = { name: 'Told', site: 'lantern', every_minutes: 10, enabled: true }
    expect(standIn.received.get('addFeed')).toEqual([{ ...told, learn: true }])

    // Another key at the site: it is asked once more, and nothing but that is said of the address.
    const { id } = standIn.state.feeds.find(({ name }) => name === 'Told') ?? { id: 0 }
    await page.evaluate(`location.hash = '#/feeds/${id}'`)
    await page.getByLabel('Where it comes from').selectOption({ value: 'learn' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.feeds').waitFor()
    expect(standIn.received.get('changeFeed')).toEqual([{ ...told, learn: true }])
    expect(troubles).toEqual([])
  })
})
