// @module-tag slow
/** Every view of the viewer's page in Chromium, on the sources of five installed packages. */
import { afterAll, beforeAll, describe, test } from 'vitest'
import { href } from '../../local/viewer/web/model/address.ts'
import { formatTrail } from '../../local/viewer/web/model/reading-trail.ts'
import { axeFindings, chromiumPart, launchChromiumShell, rulesOfColour, type TestBrowser } from '../support/chromium.ts'
import { type RealProject, serveRealProject } from '../support/real-project.ts'
import { openScreen } from '../support/viewer-screen.ts'

/** `openai` has more than 200,000 lines, `zod` the same names in hundreds of files. */
const packages = ['preact', 'ai', 'undici', 'zod', 'openai'] as const

interface Found {
  readonly id: string
  readonly file: string
  readonly name: string
}

type Addresses = readonly (readonly [string, string])[]

/** Views that show the same whatever the code: seen once. */
const sameEverywhere: Addresses = [
  ['search for nothing', href('home', '', { q: 'kind:function nothing-is-called-so' })],
  ['a symbol that is gone', href('symbol', 'function:0')],
  ['a file that is gone', href('file', 'no/such/file.ts')],
  ['a flow that asks', href('flow')],
  ['trails', href('trails')],
]

/** An address of every view, by what is shown there. */
async function addressesOf(project: RealProject): Promise<Addresses> {
  const first = async (query: string): Promise<Found> => {
    const { body } = await project.viewer.get(`/api/search?q=${encodeURIComponent(query)}&limit=1`)
    return body.results.items[0]
  }
  const { body: entries } = await project.viewer.get('/api/entrypoints')
  const [hub] = entries.hubs.items as Found[]
  if (hub === undefined) throw new Error(`${project.name} has no hubs`)
  const type = await first('kind:class')
  const { incoming: callers } = (await project.viewer.get(`/api/node/${encodeURIComponent(hub.id)}`)).body
  return [
    ['home', '#/'],
    ['search', href('home', '', { q: 'create' })],
    ['a hub', href('symbol', hub.id)],
    ['a type', href('symbol', type.id)],
    ['a file', href('file', hub.file)],
    ['a flow', href('flow', '', { from: callers.items[0].node.name, to: hub.name })],
    ['the map', href('map')],
    ['entry points', href('entries')],
    ['dead code', href('dead')],
    ['routes', href('routes')],
    ['a trail to save', href('trails', 'new', { trail: formatTrail([{ id: hub.id, dir: 'start' }]) })],
    ...(project.name === packages[0] ? sameEverywhere : []),
  ]
}

/** Controls and rows a finger would miss; words within text, code and a line of facts are links of their own kind. */
const smallTargets = `[...document.querySelectorAll('main :is(button, a[data-row], .btn, .opt, .input, summary)')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.closest('.code, p, .facts, [inert]') === null)
  .map((one) => {
    const box = one.getBoundingClientRect()
    const after = getComputedStyle(one, '::after')
    const more = after.position === 'absolute' ? -2 * parseFloat(after.top) : 0
    return { height: Math.round(box.height + more), name: one.className + ' ' + one.textContent.trim().slice(0, 30) }
  })
  .filter(({ height }) => height > 0 && height < 44)
  .map(({ height, name }) => name + ' is ' + height + ' px high')`

describe.skipIf(chromiumPart.isMissing)(`the viewer's page on real code ${chromiumPart.skipNote}`, () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await launchChromiumShell()
  })
  afterAll(() => browser.close())

  describe.each(packages)('%s', (name) => {
    let project: RealProject
    let addresses: readonly (readonly [string, string])[]

    beforeAll(async () => {
      project = await serveRealProject(name)
      addresses = await addressesOf(project)
    }, 300_000)
    afterAll(() => project?.dispose())

    test('every view stands without an error, and nothing moves once it is there', async ({ expect }) => {
      const screen = await openScreen(browser, project.viewer.running.address)
      const moved: string[] = []
      for (const [title, address] of addresses) {
        await screen.go(address)
        expect(await screen.page.locator('h1').count(), title).toBe(1)
        expect((await screen.page.locator('main').innerText()).trim(), title).not.toBe('')
        moved.push(...(await screen.shifts()).map((shift) => `${title}: ${shift}`))
      }
      expect(await screen.troubles()).toEqual([])
      expect(moved).toEqual([])
      await screen.close()
    })

    test('every view fits a phone in Chinese and a finger, and nothing moves there', async ({ expect }) => {
      const screen = await openScreen(browser, project.viewer.running.address, {
        viewport: { width: 390, height: 844 },
        locale: 'zh-CN',
        hasTouch: true,
        isMobile: true,
      })
      const faults: string[] = []
      await screen.go('#/')
      for (const [title, address] of addresses) {
        await screen.follow(address)
        const over = await screen.page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        if (over > 0) faults.push(`${title}: ${over} px too wide`)
        faults.push(...(await screen.page.evaluate<string[]>(smallTargets)).map((one) => `${title}: ${one}`))
        // The bar's title has another place on the first page, and takes it when the view changes.
        const shifts = (await screen.shifts()).filter((shift) => !shift.includes(' bar-title from '))
        faults.push(...shifts.map((shift) => `${title}: ${shift}`))
      }
      expect(await screen.troubles()).toEqual([])
      expect(faults).toEqual([])
      await screen.close()
    })

    if (name !== packages[0]) return

    test('every view is accessible, in light and in dark', async ({ expect }) => {
      const screen = await openScreen(browser, project.viewer.running.address)
      const findings: string[] = []
      await screen.go('#/')
      for (const [title, address] of addresses) {
        await screen.follow(address)
        for (const [colorScheme, rules] of [
          ['light', undefined],
          ['dark', rulesOfColour],
        ] as const) {
          await screen.page.emulateMedia({ colorScheme })
          const found = await axeFindings(screen.page, rules)
          findings.push(...found.map((finding) => `${title}, ${colorScheme}: ${finding}`))
        }
      }
      expect(findings).toEqual([])
      await screen.close()
    })
  })
})
