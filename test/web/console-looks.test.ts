// @module-tag slow
/** Every screen in Chromium: in both themes, at every width, and while its matter loads, lacks or fails. */

import { describe, test } from 'vitest'
import {
  axeFindings,
  chromiumPart,
  misplacedBoxes,
  overBy,
  policyViolations,
  rulesOfColour,
} from '../support/chromium.ts'
import { consoleScreens, everyScreen, follow } from '../support/console-screens.ts'
import { noGateway } from '../support/invented-gateway.ts'
import { noAssistant } from '../support/stand-in-assistant.ts'
import { noReseeds, type StandInState } from '../support/stand-in-console.ts'

/** All screens, on a machine whose cores are shared. */
const walkMs = 480_000

/** Comes with the first paint that shows something. */
const contentfulPaint = `new Promise((painted) =>
  new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) painted()
  }).observe({ type: 'paint', buffered: true }))`

const unreadable = { status: 503, error: 'unavailable', reason: { kind: 'history_unreadable' } } as const

describe.skipIf(chromiumPart.isMissing)(`the looks of the console's screens ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  /**
   * The rules of colour alone where nothing but the colours changes. What is light on a phone is asked of all rules by the
   * walk in Chinese: `console-languages.test.ts`.
   */
  const looks = [
    { colorScheme: 'light', width: 1440, rules: undefined },
    { colorScheme: 'dark', width: 1440, rules: rulesOfColour },
    { colorScheme: 'dark', width: 390, rules: rulesOfColour },
  ] as const

  test(
    'every one is accessible, fits and breaks no policy, light and dark, on a desktop and on a phone',
    async ({ expect }) => {
      const { page, troubles } = await open('#/more', {}, { viewport: { width: 1440, height: 844 } })
      const findings: string[] = []
      for (const [hash, ready] of everyScreen) {
        await follow(page, hash, ready)
        const headings = await page.locator('h1').count()
        if (headings !== 1) findings.push(`${hash}: ${headings} headings`)
        for (const { colorScheme, width, rules } of looks) {
          const look = `${hash}, ${colorScheme} at ${width} px`
          await page.setViewportSize({ width, height: 844 })
          await page.emulateMedia({ colorScheme })
          findings.push(...(await axeFindings(page, rules)).map((finding) => `${look}: ${finding}`))
          const over = await overBy(page)
          if (over > 0) findings.push(`${look}: ${over} px too wide`)
          findings.push(...(await misplacedBoxes(page)).map((box) => `${look}: ${box}`))
        }
        // What is on the screen already is laid out anew: opening it again for each width would show nothing more.
        if (hash === '#/torrents') await page.locator('tbody input[type=checkbox]').first().check()
        for (const width of [901, 1024, 1181, 1920]) {
          await page.setViewportSize({ width, height: 800 })
          const over = await overBy(page)
          if (over > 0) findings.push(`${hash}, ${width} px: ${over} px too wide`)
        }
      }
      expect(findings).toEqual([])
      expect(await policyViolations(page)).toEqual([])
      expect(troubles).toEqual([])
    },
    walkMs,
  )

  test('a frame is painted before there is any script, and the first screen takes its place', async ({ expect }) => {
    for (const width of [1440, 390]) {
      const { page } = await open('#/more', {}, { viewport: { width, height: 844 } }, (_, visited) =>
        visited.route('**/assets/index-*.js', async (asked) => {
          await visited.evaluate(contentfulPaint)
          await asked.continue()
        }),
      )
      await page.locator('.more').waitFor()
      expect(await page.locator('#frame').count()).toBe(0)
    }
  })

  test('quotation marks of English are as wide as in English, where a Chinese face is all there is', async ({
    expect,
  }) => {
    const { page } = await open('#/more')
    await page.locator('.more').waitFor()
    const ofLetters = await page.evaluate<number>(`(() => {
      const said = document.body.appendChild(document.createElement('span'))
      said.style.fontFamily = "'Noto Sans CJK SC', sans-serif"
      said.textContent = '\u201c'
      return said.getBoundingClientRect().width / parseFloat(getComputedStyle(said).fontSize)
    })()`)
    expect(ofLetters).toBeLessThan(0.7)
  })

  describe('the four states of a list', () => {
    const lists: readonly (readonly [hash: string, operation: string, ready: string, none: Partial<StandInState>])[] = [
      ['#/torrents', 'listTorrents', 'table.torrents', { torrents: [], failures: [] }],
      ['#/downloaders', 'listConsoleDownloaders', '.dls', { downloaders: [], statuses: [] }],
      ['#/overview', 'getOverview', '.figures', { sites: [], liveSites: [], jobs: [] }],
      ['#/sites', 'listConsoleSites', 'table.sites', { sites: [], liveSites: [], jobs: [] }],
      ['#/subscriptions', 'listSubscriptions', '.sublist ul', { subscriptions: [] }],
      ['#/tasks', 'listTasks', 'table.tasks', { tasks: [] }],
      ['#/assistant', 'listConversations', '.convs:has(ul)', { assistant: noAssistant }],
      ['#/brush', 'listConsoleBrushTasks', '.brush', { brushTasks: [] }],
      ['#/feeds', 'listFeeds', '.feeds', { feeds: [], rules: [], feedItems: [] }],
      ['#/reseed', 'listReseeds', '.reseeds', { reseed: noReseeds }],
      ['#/transfers', 'listTransfers', '.transfers', { transfers: [] }],
      ['#/ends', 'listEndRules', '.rules', { endRules: [], ends: [] }],
      ['#/jobs', 'listJobs', 'table.jobs', { jobs: [] }],
      ['#/library', 'listMediaHistory', 'table.media', { mediaHistory: [] }],
      ['#/channels', 'listChannels', '.channels', { channels: [] }],
      ['#/tokens', 'listTokens', 'table.tokens', { tokens: [] }],
      ['#/devices', 'listDevices', 'table.devices', { devices: [] }],
      ['#/log', 'listAudit', 'table.log', { audit: [] }],
      ['#/backups', 'listBackups', 'table.backups', { backups: [] }],
      ['#/gateway', 'listGatewayKeys', 'table.gkeys', { gateway: noGateway }],
      ['#/gateway/routes', 'getGatewayRouting', '.rtd', { gateway: noGateway }],
    ]

    test('each shows bars while it loads, then its rows', async ({ expect }) => {
      const { page, standIn } = await open('#/more')
      for (const [hash, operation, ready] of lists) {
        const gate = Promise.withResolvers<void>()
        standIn.gates.set(operation, gate.promise)
        await follow(page, hash, '.skeleton[aria-busy=true]')
        expect(await page.locator(ready).count(), hash).toBe(0)
        standIn.gates.delete(operation)
        gate.resolve()
        await page.locator(ready).waitFor()
        // Other parts of the screen ask for themselves and may come later.
        await expect.poll(() => page.locator('.skeleton').count(), { message: hash }).toBe(0)
      }
    })

    test('each says what would be there when it is empty', async ({ expect }) => {
      // An overview without sites says what to do first: `console-first-steps.test.ts`.
      const withEmptiness = lists.filter(([hash]) => hash !== '#/overview')
      const nothing: Partial<StandInState> = Object.assign({}, ...withEmptiness.map(([, , , none]) => none))
      const { page } = await open('#/more', nothing)
      for (const [hash] of withEmptiness) {
        await follow(page, hash, '.empty b')
        expect(await page.locator('.empty b').first().innerText(), hash).toMatch(/yet$/)
        expect(await axeFindings(page), hash).toEqual([])
      }
    })

    test('each says why it failed, and loads when asked again', async ({ expect }) => {
      const { page, standIn } = await open('#/more')
      for (const [hash, operation, ready] of lists) {
        standIn.refusals.set(operation, unreadable)
        await follow(page, hash, '.note.bad')
        const note = page.locator('.note.bad').first()
        expect(await note.innerText(), hash).toContain('The history of figures cannot be read at the moment.')
        expect(await note.locator('[lang=zh-CN]').count(), hash).toBe(0)
        expect(await axeFindings(page), hash).toEqual([])
        standIn.refusals.clear()
        await note.getByRole('button', { name: 'Retry' }).click()
        await page.locator(ready).waitFor()
      }
    })

    test('what failed is said whole: not before its sentence is there, and in fewer words where that cannot be had', async ({
      expect,
    }) => {
      const sentences = Promise.withResolvers<boolean>()
      const { page, troubles } = await open('#/overview', {}, {}, async (one, visited) => {
        one.refusals.set('getOverview', unreadable)
        await visited.route('**/assets/english-rest-*', async (asked) =>
          (await sentences.promise) ? asked.continue() : asked.abort(),
        )
      })
      const asked = page.waitForRequest('**/assets/english-rest-*')
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      await asked
      const note = page.locator('.note.bad')
      expect(await note.count()).toBe(0)
      sentences.resolve(false)
      await note.waitFor()
      expect(await note.innerText()).toMatch(/^This could not be loaded\. This does not work at the moment\.\s/)
      expect(troubles).toEqual([])
    })
  })
})
