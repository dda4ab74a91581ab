/** Every view of the viewer's page in Chromium, on the sources of five installed packages. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { href } from '../../local/viewer/web/model/address.ts'
import { formatTrail } from '../../local/viewer/web/model/reading-trail.ts'
import { axeFindings, chromiumPart, launchChromiumShell } from '../support/chromium.ts'
import { type RealProject, serveRealProject } from '../support/real-project.ts'
import { openScreen, type Screen } from '../support/viewer-screen.ts'

/** `openai` has more than 200,000 lines, `zod` the same names in hundreds of files. */
const packages = ['preact', 'ai', 'undici', 'zod', 'openai'] as const

interface Found {
  readonly id: string
  readonly file: string
  readonly name: string
}

/** An address of every view, by what is shown there. */
async function addressesOf(project: RealProject): Promise<(readonly [string, string])[]> {
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
    ['search for nothing', href('home', '', { q: 'kind:function nothing-is-called-so' })],
    ['a hub', href('symbol', hub.id)],
    ['a type', href('symbol', type.id)],
    ['a symbol that is gone', href('symbol', 'function:0')],
    ['a file', href('file', hub.file)],
    ['a file that is gone', href('file', 'no/such/file.ts')],
    ['a flow', href('flow', '', { from: callers.items[0].node.name, to: hub.name })],
    ['a flow that asks', href('flow')],
    ['the map', href('map')],
    ['entry points', href('entries')],
    ['dead code', href('dead')],
    ['routes', href('routes')],
    ['trails', href('trails')],
    ['a trail to save', href('trails', 'new', { trail: formatTrail([{ id: hub.id, dir: 'start' }]) })],
  ]
}

describe.skipIf(chromiumPart.isMissing)(`the viewer's page on real code ${chromiumPart.skipNote}`, () => {
  let browser: Browser
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

    async function visitAll(
      options: Parameters<typeof openScreen>[2],
      look: (title: string, screen: Screen) => Promise<void>,
    ): Promise<string[]> {
      const screen = await openScreen(browser, project.viewer.running.address, options)
      for (const [title, address] of addresses) {
        await screen.go(address)
        await look(title, screen)
      }
      const troubles = await screen.troubles()
      await screen.close()
      return troubles
    }

    test('every view stands without an error, and nothing moves once it is there', async ({ expect }) => {
      const moved: string[] = []
      const troubles = await visitAll({}, async (title, { page, shifts }) => {
        expect(await page.locator('h1').count(), title).toBe(1)
        expect((await page.locator('main').innerText()).trim(), title).not.toBe('')
        moved.push(...(await shifts()).map((shift) => `${title}: ${shift}`))
      })
      expect(troubles).toEqual([])
      expect(moved).toEqual([])
    })

    test('every view fits a phone in Chinese, and nothing moves there', async ({ expect }) => {
      const faults: string[] = []
      const troubles = await visitAll(
        { viewport: { width: 390, height: 844 }, locale: 'zh-CN', hasTouch: true, isMobile: true },
        async (title, { page, shifts }) => {
          const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
          if (over > 0) faults.push(`${title}: ${over} px too wide`)
          faults.push(...(await shifts()).map((shift) => `${title}: ${shift}`))
        },
      )
      expect(troubles).toEqual([])
      expect(faults).toEqual([])
    })
  })

  describe('for those who read with other means', () => {
    let project: RealProject
    beforeAll(async () => {
      project = await serveRealProject('preact')
    }, 300_000)
    afterAll(() => project?.dispose())

    test.for(['light', 'dark'] as const)(
      'every view is accessible in %s',
      { timeout: 300_000 },
      async (colorScheme, { expect }) => {
        const findings: string[] = []
        const screen = await openScreen(browser, project.viewer.running.address, { colorScheme })
        for (const [title, address] of await addressesOf(project)) {
          await screen.go(address)
          findings.push(...(await axeFindings(screen.page)).map((finding) => `${title}: ${finding}`))
        }
        await screen.close()
        expect(findings).toEqual([])
      },
    )
  })
})
