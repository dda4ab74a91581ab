/** The screens as those have them who hear them: roles, names and states, one file a screen. */
import { describe, test } from 'vitest'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens, everyScreen, installClock } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'

const nowUnix = Date.UTC(2026, 10, 21, 14, 6) / 1000

const screens = [
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
] as const

describe.skipIf(chromiumPart.isMissing)(`the console as it is heard ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test.for(screens)('%s', async ([name, hash], { expect }) => {
    const ready = everyScreen.find(([one]) => one === hash)?.[1] ?? 'h1'
    const { page } = await open(hash, inventedLibrary(nowUnix), { timezoneId: 'UTC' }, (_, before) =>
      installClock(before, nowUnix * 1000),
    )
    await page.locator(ready).first().waitFor()
    await expect.poll(() => page.locator('main [aria-busy=true]').count()).toBe(0)
    const tree = await page.locator('main').ariaSnapshot()
    await expect(`${tree}\n`).toMatchFileSnapshot(`../fixtures/console-trees/${name}.yml`)
  })
})
