/** The screens as those have them who hear them: roles, names and states, one file a screen. */
import { describe, test } from 'vitest'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens, everyScreen, installClock } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'
import type { StandInState } from '../support/stand-in-console.ts'

const nowUnix = Date.UTC(2026, 10, 21, 14, 6) / 1000

const library = inventedLibrary(nowUnix)
const [torrent] = library.torrents ?? []
const torrentHash = `#/torrents/${torrent?.downloader_id}/${torrent?.task_id}`

const screens: readonly (readonly [string, string, Partial<StandInState>?])[] = [
  ['torrents', '#/torrents'],
  ['torrent files', `${torrentHash}?part=files`],
  ['torrent trackers', `${torrentHash}?part=trackers`],
  [
    'channel feed',
    '#/feeds/1',
    {
      feeds: (library.feeds ?? []).slice(0, 1).map((feed) => ({
        ...feed,
        host: 'irc.lantern.example:6697',
        announces: { channel: '#fresh', announcers: ['Herald'], line: '{title} {link}', sign_in: 'nickserv' },
      })),
    },
  ],
  ['rules', '#/feeds'],
  ['rule', '#/rules/1'],
  ['feed', '#/feeds/1'],
  ['ends', '#/ends'],
  ['reseeding', '#/reseed'],
  ['transfers', '#/transfers'],
  ['history', '#/tasks'],
  ['backups', '#/backups'],
  ['site', '#/sites/2'],
  ['log', '#/log'],
]

describe.skipIf(chromiumPart.isMissing)(`the console as it is heard ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test.for(screens)('%s', async ([name, hash, state = {}], { expect }) => {
    const ready = everyScreen.find(([one]) => one === hash)?.[1] ?? 'h1'
    const { page } = await open(hash, { ...library, ...state }, { timezoneId: 'UTC' }, (_, before) =>
      installClock(before, nowUnix * 1000),
    )
    await page.locator(ready).first().waitFor()
    await expect.poll(() => page.locator('main [aria-busy=true]').count()).toBe(0)
    const tree = await page.locator('main').ariaSnapshot()
    await expect(`${tree}\n`).toMatchFileSnapshot(`../fixtures/console-trees/${name.replaceAll(' ', '-')}.yml`)
  })
})
