/** What of a search that fails reaches whom: the same reasons on the wire, in messages and in the audit log. */

import { describe, test } from 'vitest'
import { failWith } from '../../../shared/kernel/result.ts'
import { search } from '../../../workers/app/contract/search.ts'
import { eventValues } from '../../../workers/app/core/event-values.ts'
import { inChinese } from '../../../workers/app/core/reason/chinese.ts'
import { inEnglish } from '../../../workers/app/core/reason/english.ts'
import type { Reason } from '../../../workers/app/core/reason/reason.ts'
import { sayFor } from '../../../workers/app/core/reason/say.ts'
import { readReason, storeReason } from '../../../workers/app/core/reason/stored-reason.ts'
import { templateEventOf } from '../../../workers/app/core/template-events.ts'
import type { BoundRoute } from '../../../workers/app/http/bind.ts'
import { renderFailure } from '../../../workers/app/http/render-failure.ts'
import { searchRoutes } from '../../../workers/app/http/routes/search.ts'
import { messageCharactersMax } from '../../../workers/app/limits.ts'
import type { AppDeps } from '../../../workers/app/ports.ts'

const hardNames = ['站点（新）', 'a；b', '（（', '））', 'c、d：e', 'f (g); h', '「站」', '[]{}|', '搜索失败：x（y）']

/** As many sites as that, each of which fails in its own way. */
function failing(count: number) {
  const names = Array.from({ length: count }, (_, at) => `${hardNames[at % hardNames.length]}${at}`)
  const sites = { list: async () => names.map((name) => ({ record: { name, enabled: true }, target: { name } })) }
  const siteFleet = {
    search: async ({ name }: { name: string }) =>
      failWith(name.endsWith('7') ? { kind: 'status', status: 503 } : { kind: 'timeout' }),
  }
  const [bound] = searchRoutes({
    sites: sites as unknown as AppDeps['sites'],
    siteFleet: siteFleet as unknown as AppDeps['siteFleet'],
    clock: { nowMs: () => 0 } as AppDeps['clock'],
  })
  if (bound?.route !== search) throw new Error('no search')
  return { names, bound }
}

async function askedOf({ handle }: BoundRoute): Promise<Response> {
  const answer = await handle({ body: { keyword: 'film' }, say: inChinese } as unknown as Parameters<typeof handle>[0])
  if (answer.ok) throw new Error('it did not fail')
  return renderFailure(answer.failure)
}

describe('a search that no site answers', () => {
  test.for([1, 25, 30, 100, 1000])('tells of each of %i sites, whatever they are called', async (count, { expect }) => {
    const { names, bound } = failing(count)
    const answer = await askedOf(bound)
    const { error, message, reason } = (await answer.json()) as { error: string; message: string; reason: Reason }

    expect([answer.status, error]).toEqual([502, 'search_failed'])
    expect([...message].length).toBeLessThanOrEqual(messageCharactersMax)
    expect(reason).toEqual({
      kind: 'search.failed',
      sites: names.map((site) => ({
        site,
        reason: site.endsWith('7') ? { kind: 'site.status', status: 503 } : { kind: 'site.timeout' },
      })),
    })
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
    const { message } = (await (await askedOf(failing(1000).bound)).json()) as { message: string }
    expect([...message]).toHaveLength(messageCharactersMax)
    expect(message).toMatch(/^搜索失败：站点响应超时（站点（新）0、a；b1/)
  })

  test('is told in English to who prefers it', async ({ expect }) => {
    const reason: Reason = { kind: 'search.failed', sites: [{ site: 'maple', reason: { kind: 'site.timeout' } }] }
    const answer = renderFailure({ code: 'search_failed', reason }, sayFor(new Headers({ 'accept-language': 'en-GB' })))
    expect(await answer.json()).toMatchObject({ message: 'The search failed: The site answered too late (maple)' })
  })
})
