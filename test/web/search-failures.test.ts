// @module-tag slow
/** The same reasons for every site of a search that failed: on the wire, on the page, in a message and in the audit log. */
import { describe, test } from 'vitest'
import { eventValues } from '../../workers/app/core/event-values.ts'
import { inChinese } from '../../workers/app/core/reason/chinese.ts'
import { inEnglish } from '../../workers/app/core/reason/english.ts'
import type { Reason } from '../../workers/app/core/reason/reason.ts'
import { readReason, storeReason } from '../../workers/app/core/reason/stored-reason.ts'
import { templateEventOf } from '../../workers/app/core/template-events.ts'
import { chromiumPart } from '../support/chromium.ts'
import { consoleScreens, now } from '../support/console-screens.ts'
import { failingSearch } from '../support/failing-search.ts'

const counts = [30, 100, 1000]
const readers = [
  { locale: 'zh-CN', say: inChinese },
  { locale: 'en-GB', say: inEnglish },
]
const cases = counts.flatMap((count) => readers.map((reader) => ({ count, ...reader })))

const timedOut: Reason = { kind: 'site.timeout' }
const isDown: Reason = { kind: 'site.status', status: 503 }

/** The name itself, and not the beginning of another one. */
const holds = (text: string, name: string) => text.split(name).some((rest, at) => at > 0 && !/^[0-9]/.test(rest))

describe.skipIf(chromiumPart.isMissing)(`a search that no site answers ${chromiumPart.skipNote}`, () => {
  const open = consoleScreens()

  test.for(cases)('names each of $count sites with its reason to a reader of $locale', async (reader, { expect }) => {
    const { count, locale, say } = reader
    const { ask, events, names } = failingSearch(count)
    const told = await events()
    const answer = await ask()
    const wire = (await answer.json()) as { error: string; reason: Reason }
    const sayings = (name: string) => say(name.endsWith('7') ? isDown : timedOut)
    const missingIn = (text: string) => names.filter((name) => !holds(text, name))
    if (wire.reason.kind !== 'search.failed') throw new Error(wire.reason.kind)

    expect(wire.reason.sites.map(({ site, reason }) => [site, say(reason)])).toEqual(
      names.map((name) => [name, sayings(name)]),
    )

    const values = eventValues(
      templateEventOf('brush.failed'),
      { task: 'fresh', site: 'x', reason: wire.reason, failures: 3 },
      { atUnix: now, timeZone: 'UTC' },
      { textCharactersMax: 1_000_000, itemsMax: 10 },
      say,
    )
    expect(missingIn(String(values['reason']))).toEqual([])

    const kept = readReason(storeReason(wire.reason))
    if (kept === undefined) throw new Error('the audit log keeps nothing')
    expect(kept).toEqual(wire.reason)

    const entry = {
      id: 1,
      at: now,
      channel: 'app',
      user: 'phone',
      command: 'POST /search',
      result: 'error',
      status: 502,
    }
    const { page, standIn, troubles } = await open('#/search?q=Salt', {}, { locale }, async (one, opened) => {
      await opened.route('**/search/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: told }))
      one.state.audit = [{ ...entry, latency_ms: 12, reason: kept }]
    })
    // One line a site: whatever it is called, its name stands before its own reason.
    const lines = page
      .locator('main')
      .getByText(say(timedOut))
      .or(page.locator('main').getByText(say(isDown)))
    await expect.poll(() => lines.count(), { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
    const shown = await page.locator('main').innerText()
    const text = shown.split('\n').map((line) => line.trim())
    expect(names.filter((name) => !text.some((line) => holds(line, name) && line.includes(sayings(name))))).toEqual([])

    await page.goto(`${standIn.origin}/#/log`)
    await page.locator('table.log').waitFor()
    const logged = await page.locator('table.log').innerText()
    expect(missingIn(logged)).toEqual([])
    for (const reason of [timedOut, isDown]) expect(logged).toContain(say(reason))
    await page.unroute('**/search/events')
    expect(troubles).toEqual([])
  })
})
