// @module-tag slow
/** The screens as those have them who hear them: roles, names and states, one file a screen. */
import type { Request } from 'playwright-core'
import { describe, type ExpectStatic, test } from 'vitest'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens, everyScreen, installClock } from '../support/console-screens.ts'
import { inventedLibrary } from '../support/invented-library.ts'
import type { StandInState } from '../support/stand-in-console.ts'

const nowUnix = Date.UTC(2026, 10, 21, 14, 6) / 1000

const library = inventedLibrary(nowUnix)

interface Heard {
  readonly name: string
  readonly hash: string
  readonly ready: string
  readonly state?: Partial<StandInState>
  /** The screen without its frame, unless another part is said. */
  readonly part?: string
}

/** Beside the screens as they usually are. */
const alsoSo: readonly Heard[] = [
  {
    name: 'feeds-1-in-a-channel',
    hash: '#/feeds/1',
    state: {
      feeds: (library.feeds ?? []).slice(0, 1).map((feed) => ({
        ...feed,
        host: 'irc.lantern.example:6697',
        announces: { channel: '#fresh', announcers: ['Herald'], line: '{title} {link}', sign_in: 'nickserv' },
      })),
    },
    ready: '.su-form',
  },
  // What is wrong with the machine is said in the frame, which is heard nowhere else.
  {
    name: 'frame-with-problems',
    hash: '#/more',
    state: {
      problems: [{ message: '', reason: { kind: 'machine.disk_low', path: '/srv/wharf', left: 3 * 1024 ** 2 } }],
    },
    ready: '.banner',
    part: 'body',
  },
]

/** What the screen's file is called. */
const nameOf = (hash: string) =>
  hash
    .slice(2)
    .replace(/\/\d+\/[0-9a-f]{40}\?part=/, '-')
    .replace(/[^\w]+/g, '-')

/** All screens, on a machine whose cores are shared. */
const walkMs = 240_000

describe.skipIf(chromiumPart.isMissing)(`the console as it is heard ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  /** Opens the page at a time that stands still, and gives what hears its screens. */
  async function listen(hash: string, state: Partial<StandInState> = {}) {
    let underWay = 0
    const count = (change: number) => (request: Request) => {
      if (!request.url().includes('/events')) underWay += change
    }
    const { page, standIn, troubles } = await open(
      hash,
      { ...library, ...state },
      { timezoneId: 'UTC' },
      async (_, before) => {
        before.on('request', count(1)).on('requestfinished', count(-1)).on('requestfailed', count(-1))
        await installClock(before, nowUnix * 1000)
        // What is left of a time is heard as it was at the start, however long the hearing takes.
        await before.clock.setFixedTime(nowUnix * 1000)
      },
    )
    const hear = async (expect: ExpectStatic, name: string, part = 'main') => {
      await expect.poll(() => page.locator('main [aria-busy=true]').count(), { message: name }).toBe(0)
      let tree = ''
      // What fields offer comes after the screen stands.
      await expect
        .poll(
          async () => {
            const before = tree
            tree = await page.locator(part).ariaSnapshot()
            return underWay === 0 && tree === before
          },
          { message: name },
        )
        .toBe(true)
      await expect
        .soft(`${tree.replaceAll(standIn.origin, 'http://wharf.example')}\n`, name)
        .toMatchFileSnapshot(`../fixtures/console-trees/${name}.yml`)
    }
    return { page, hear, troubles }
  }

  test('every screen, when its address is opened', { timeout: walkMs }, async ({ expect }) => {
    const { page, hear, troubles } = await listen('#/more')
    for (const [hash, ready] of everyScreen) {
      await page.evaluate(`history.replaceState(null, '', ${JSON.stringify(hash)})`)
      // Nothing of the screen before is left, but what the browser compiled.
      await page.reload()
      await page.locator(ready).first().waitFor()
      await hear(expect, nameOf(hash))
    }
    expect(troubles).toEqual([])
  })

  test.for(alsoSo)('$name', async ({ name, hash, ready, state, part }, { expect }) => {
    const { page, hear } = await listen(hash, state)
    await page.locator(ready).first().waitFor()
    await hear(expect, name, part)
  })
})
