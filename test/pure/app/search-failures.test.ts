/** What of a search that fails reaches whom: the same reasons on the wire, in messages and in the audit log. */

import { describe, test } from 'vitest'
import { eventValues } from '../../../workers/app/core/event-values.ts'
import { inChinese } from '../../../workers/app/core/reason/chinese.ts'
import { inEnglish } from '../../../workers/app/core/reason/english.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import { sayFor } from '../../../workers/app/core/reason/say.ts'
import { readReason, storeReason } from '../../../workers/app/core/reason/stored-reason.ts'
import { templateEventOf } from '../../../workers/app/core/template-events.ts'
import { renderFailure } from '../../../workers/app/http/render-failure.ts'
import { messageCharactersMax } from '../../../workers/app/limits.ts'
import { failingSearch } from '../../support/failing-search.ts'

describe('a search that no site answers', () => {
  test.for([1, 25, 30, 100, 1000])('tells of each of %i sites, whatever they are called', async (count, { expect }) => {
    const { ask, names, reason: wanted } = failingSearch(count)
    const answer = await ask()
    const { error, message, reason } = (await answer.json()) as { error: string; message: string; reason: Reason }

    expect([answer.status, error]).toEqual([502, 'search_failed'])
    expect([...message].length).toBeLessThanOrEqual(messageCharactersMax)
    expect(reason).toEqual(wanted)
    // The audit log and D1 keep this text.
    expect(readReason(storeReason(reason))).toEqual(reason)
    for (const say of [inChinese, inEnglish]) {
      const said = say(reason)
      const values = eventValues(
        templateEventOf('brush.failed'),
        { task: 'fresh', site: 'x', reason: JSON.parse(storeReason(reason)) as Reason, failures: 3 },
        { atUnix: 1_795_000_000, timeZone: 'UTC' },
        { textCharactersMax: 1_000_000, itemsMax: 10 },
        say,
      )
      expect(values['reason']).toBe(said)
      for (const name of names) expect(said).toContain(name)
    }
  })

  test('is refused with words that fit their bound and begin with the reason', async ({ expect }) => {
    const { message } = (await (await failingSearch(1000).ask()).json()) as { message: string }
    expect([...message]).toHaveLength(messageCharactersMax)
    expect(message).toMatch(/^搜索失败：站点响应超时（站点（新）0、a；b1/)
  })

  test('is told in English to who prefers it', async ({ expect }) => {
    const reason: Reason = { kind: 'search.failed', sites: [{ site: 'maple', reason: { kind: 'site.timeout' } }] }
    const answer = renderFailure({ code: 'search_failed', reason }, sayFor(new Headers({ 'accept-language': 'en-GB' })))
    expect(await answer.json()).toMatchObject({ message: 'The search failed: The site answered too late (maple)' })
  })
})
