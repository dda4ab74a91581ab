/** Every screen in Chromium in both languages, full and empty: nothing on it is of the other language but what is data. */

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { namesOf } from '../../workers/app/core/template-event.ts'
import { templateEvents } from '../../workers/app/core/template-events.ts'
import { chinese } from '../../workers/app/web/locales/chinese.ts'
import { english } from '../../workers/app/web/locales/english.ts'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens, everyScreen } from '../support/console-screens.ts'
import { noAssistant } from '../support/stand-in-assistant.ts'
import type { StandInState } from '../support/stand-in-console.ts'

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
  reseed: { enabled: false, sites: [], asks_per_day: 50, items: [] },
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

/** Each language is offered in its own words. */
const alwaysChinese = new Set(['中文'])
/** Keys of the keyboard, marks in the names of releases, and a filter as a model wrote it. */
const alwaysEnglish = new Set([
  'Ctrl K',
  'Ctrl S',
  'CAM, TS',
  'paused',
  ...templateEvents.flatMap(({ vars }) => namesOf(vars)),
])

/** What somebody reads or hears, text by text. */
const textsOn = `(() => {
  const found = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      const parent = node.parentElement
      if (parent !== null && !parent.closest('script, style, noscript')) found.add(node.data.trim())
      continue
    }
    for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
      const value = node.getAttribute(name)
      if (value !== null) found.add(value.trim())
    }
  }
  found.add(document.title)
  return [...found].filter((text) => text !== '')
})()`

/** Every text in what the stand-in has, without the names of its fields. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (value instanceof Map) return [...value.entries()].flatMap(textsIn)
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function leaves(words: unknown, path = ''): (readonly [string, string])[] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words !== 'object' || words === null) return []
  return Object.entries(words).flatMap(([key, value]) => leaves(value, `${path}.${key}`))
}

const inChinese = new Map(leaves(chinese))
/** Sentences and words of ours that the other language says otherwise. */
const ourEnglish = new Set(leaves(english).flatMap(([path, text]) => (inChinese.get(path) === text ? [] : [text])))

describe.skipIf(chromiumPart.isMissing)(`the languages of the console ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  async function walk(page: Page, screens: readonly string[], isFull: boolean): Promise<(readonly [string, string])[]> {
    const seen: (readonly [string, string])[] = []
    for (const hash of screens) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
      // Nothing of the screen before is left.
      await page.reload()
      const ready = everyScreen.find(([one]) => one === hash)?.[1]
      await page
        .locator(isFull ? (ready ?? 'h1') : 'h1')
        .first()
        .waitFor()
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 10_000 }).toBe(0)
      for (const text of (await page.evaluate(textsOn)) as string[]) seen.push([hash, text])
    }
    return seen
  }

  const walks = [
    [
      'full',
      [...everyScreen.map(([hash]) => hash), '#/sites/definitions'] as readonly string[],
      {} as Partial<StandInState>,
    ],
    ['empty', lists as readonly string[], nothing],
  ] as const

  test.for(walks)('no %s screen in English has a Chinese word of ours', async ([_, screens, state]) => {
    const { page, standIn } = await open(
      '#/torrents',
      { ...state, localeSettings: { time_zone: 'UTC', chosen: true, language: 'en' } },
      { locale: 'en-GB' },
    )
    const data = textsIn(standIn.state).join('\n')
    const left = (await walk(page, screens, state !== nothing)).filter(([, text]) =>
      (text.match(/\p{Script=Han}+/gu) ?? []).some((run) => !alwaysChinese.has(run) && !data.includes(run)),
    )
    expect(left).toEqual([])
  })

  test.for(walks)('no %s screen in Chinese has an English sentence of ours', async ([_, screens, state]) => {
    const { page, standIn } = await open('#/torrents', state, { locale: 'zh-CN' })
    const values = new Set([...textsIn(standIn.state), ...alwaysEnglish])
    const data = [...values].join('\n')
    const left = (await walk(page, screens, state !== nothing)).filter(
      ([, text]) =>
        !values.has(text) &&
        !/\p{Script=Han}/u.test(text) &&
        /[A-Za-z]{2}/.test(text) &&
        (ourEnglish.has(text) || (/^[A-Za-z’',.:;()–-]+(?: [A-Za-z’',.:;()–-]+)+$/.test(text) && !data.includes(text))),
    )
    expect(left).toEqual([])
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
