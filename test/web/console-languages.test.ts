// @module-tag slow
/**
 * Every screen in Chromium in both languages, full and empty: nothing on it is of the other language but what is data. The
 * same walks see that each fits a small screen, and in Chinese that it is accessible there.
 */

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../workers/app/core/template-event.ts'
import { templateEvents } from '../../workers/app/core/template-events.ts'
import { parseRoute, type Route } from '../../workers/app/web/model/hash-route.ts'
import { axeFindings, chromiumPart, overBy } from '../support/chromium.ts'
import { consoleScreens, everyScreen, follow } from '../support/console-screens.ts'
import { ourEnglish, textsOn } from '../support/page-texts.ts'
import { noAssistant } from '../support/stand-in-assistant.ts'
import { noReseeds, type StandInConsole, type StandInState } from '../support/stand-in-console.ts'

const nothing: Partial<StandInState> = {
  torrents: [],
  failures: [],
  downloaders: [],
  statuses: [],
  sites: [],
  liveSites: [],
  jobs: [],
  subscriptions: [],
  tasks: [],
  assistant: noAssistant,
  brushTasks: [],
  feeds: [],
  rules: [],
  endRules: [],
  transfers: [],
  reseed: noReseeds,
  ends: [],
  feedItems: [],
  mediaHistory: [],
  channels: [],
  tokens: [],
  devices: [],
  audit: [],
  backups: [],
}
const lists = [
  '#/overview',
  '#/sites',
  '#/subscriptions',
  '#/tasks',
  '#/brush',
  '#/feeds',
  '#/jobs',
  '#/library',
  '#/assistant',
  '#/torrents',
  '#/downloaders',
  '#/channels',
  '#/tokens',
  '#/devices',
  '#/log',
  '#/backups',
  '#/sites/definitions',
] as const

/** What there is before somebody is signed in. */
const outside = [
  ['#/sign-in', '.sign-in form', {}],
  ['#/setup?code=one-time-code', 'input[type=password]', { isSetUp: false }],
  ['#/setup', '.setup h1', { isSetUp: false }],
] as const

/** All names; the compiler knows when one is missing. Those of the gateway are walked on the real Worker. */
const screenNames: Readonly<Record<Exclude<Route['name'], 'gateway'>, true>> = {
  ...{ setup: true, welcome: true, 'sign-in': true, overview: true, torrents: true, torrent: true, search: true },
  ...{ explore: true, tasks: true, jobs: true, tokens: true, devices: true, log: true, backups: true, settings: true },
  ...{ more: true, library: true, subscriptions: true, brush: true, downloaders: true, channels: true, profiles: true },
  ...{ watchlists: true, feeds: true, rules: true, ends: true, transfers: true, reseed: true, templates: true },
  ...{ sites: true, assistant: true },
}

/** A walk does what were two, each with the time of one test. */
const walkMs = 240_000

const desk = { width: 1440, height: 900 }

/** Each language is offered in its own words. */
const alwaysChinese = new Set(['中文'])
/** Keys of the keyboard, marks and folders in the names of releases, and a filter as a model wrote it. */
const alwaysEnglish = new Set([
  'Ctrl K',
  'Ctrl S',
  'CAM, TS',
  'Sample',
  'paused',
  ...templateEvents.flatMap(({ vars }) => namesOf(vars)),
])

/** Every text in what the stand-in has, without the names of its fields. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Map) return [...value.entries()].flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

describe.skipIf(chromiumPart.isMissing)(`the languages of the console ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  /** Texts of the screens, each with where it is. */
  async function walk(
    page: Page,
    screens: readonly (readonly [hash: string, ready: string])[],
    look: (hash: string) => Promise<void> = async () => undefined,
  ): Promise<(readonly [string, string])[]> {
    const seen: (readonly [string, string])[] = []
    for (const [hash, ready] of screens) {
      await follow(page, hash, ready)
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 10_000 }).toBe(0)
      for (const text of await textsOn(page)) seen.push([hash, text])
      await look(hash)
    }
    return seen
  }

  const full = [...everyScreen, ['#/sites/definitions', 'h1']] as const
  const empty = lists.map((hash) => [hash, 'h1'] as const)
  const servedInEnglish = { localeSettings: { time_zone: 'UTC', chosen: true, language: 'en' } } as const

  function chineseOfOurs(standIn: StandInConsole, seen: readonly (readonly [string, string])[]) {
    const data = textsIn(standIn.state).join('\n')
    return seen.filter(([, text]) =>
      (text.match(/\p{Script=Han}+/gu) ?? []).some((run) => !alwaysChinese.has(run) && !data.includes(run)),
    )
  }

  function englishOfOurs(standIn: StandInConsole, seen: readonly (readonly [string, string])[]) {
    const values = new Set([...textsIn(standIn.state), ...alwaysEnglish])
    const data = [...values].join('\n')
    return seen.filter(
      ([, text]) =>
        !values.has(text) &&
        !/\p{Script=Han}/u.test(text) &&
        /[A-Za-z]{2}/.test(text) &&
        (ourEnglish.has(text) || (/^[A-Za-z’',.:;()–-]+(?: [A-Za-z’',.:;()–-]+)+$/.test(text) && !data.includes(text))),
    )
  }

  test(
    'no full screen in English has a Chinese word of ours, or scrolls sideways under a finger at 320 or 768 px',
    async () => {
      const { page, standIn } = await open('#/torrents', servedInEnglish, { locale: 'en-GB', hasTouch: true })
      const wide: string[] = []
      const seen = await walk(page, full, async (hash) => {
        if (hash === '#/torrents') await page.locator('tbody input[type=checkbox]').first().check()
        for (const width of [768, 320]) {
          await page.setViewportSize({ width, height: 800 })
          const over = await overBy(page)
          if (over > 0) wide.push(`${hash} at ${width} px by ${over} px`)
        }
        await page.setViewportSize(desk)
      })
      expect(chineseOfOurs(standIn, seen)).toEqual([])
      expect(wide).toEqual([])
    },
    walkMs,
  )

  test(
    'no full screen in Chinese has an English sentence of ours, and each is accessible and fits a phone',
    async () => {
      const { page, standIn } = await open('#/torrents', {}, { locale: 'zh-CN', hasTouch: true })
      const findings: string[] = []
      const seen = await walk(page, full, async (hash) => {
        await page.setViewportSize({ width: 390, height: 844 })
        findings.push(...(await axeFindings(page)).map((finding) => `${hash} ${finding}`))
        const over = await overBy(page)
        if (over > 0) findings.push(`${hash} is too wide by ${over} px`)
        await page.setViewportSize(desk)
      })
      expect(englishOfOurs(standIn, seen)).toEqual([])
      expect(findings).toEqual([])
    },
    walkMs,
  )

  test('no empty screen in English has a Chinese word of ours', async () => {
    const { page, standIn } = await open('#/torrents', { ...nothing, ...servedInEnglish }, { locale: 'en-GB' })
    expect(chineseOfOurs(standIn, await walk(page, empty))).toEqual([])
  })

  test('no empty screen in Chinese has an English sentence of ours', async () => {
    const { page, standIn } = await open('#/torrents', nothing, { locale: 'zh-CN' })
    expect(englishOfOurs(standIn, await walk(page, empty))).toEqual([])
  })

  test('no screen before the sign-in has a word of the other language', async () => {
    for (const [hash, ready, state] of outside) {
      for (const [locale, ofTheOther] of [['en-GB', chineseOfOurs] as const, ['zh-CN', englishOfOurs] as const]) {
        const { page, standIn } = await open(hash, { isSignedIn: false, ...state }, { locale })
        await page.locator(ready).first().waitFor()
        const seen = (await textsOn(page)).map((text) => [hash, text] as const)
        expect(seen.length).toBeGreaterThan(3)
        expect(ofTheOther(standIn, seen)).toEqual([])
      }
    }
  })

  test('every screen there is is walked', () => {
    const walked = [...full, ...outside].map(([hash]) => parseRoute(hash).name)
    expect(Object.keys(screenNames).filter((name) => !walked.some((one) => one === name))).toEqual([])
  })

  test('the language of the service is chosen in Settings, apart from that of the page', async () => {
    const { page, standIn } = await open('#/settings', {}, { locale: 'en-GB' })
    await page.getByLabel('Language of the service').selectOption({ label: 'English' })
    await page
      .locator('form', { has: page.getByLabel('Language of the service') })
      .getByRole('button', { name: 'Save' })
      .click()
    await expect
      .poll(() => standIn.received.get('changeLocaleSettings'), { timeout: 10_000 })
      .toEqual([{ time_zone: 'Asia/Shanghai', language: 'en' }])
    // The form asks before it is left until its answer has come.
    await page.waitForLoadState('networkidle')
    await page.goto(`${standIn.origin}/#/templates/assistant.stopped`)
    await page.getByText('Stopped.', { exact: true }).first().waitFor()
  })
})
