/** Whatever a site answers, a driver ends with results of the right shape or one of its faults. Seeds are printed. */
import fc from 'fast-check'
import { afterAll, describe, test } from 'vitest'
import { createSiteDriver } from '../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import type { SiteRuntime } from '../../../workers/app/adapters/sites/site-driver.ts'
import { search } from '../../../workers/app/contract/search.ts'
import { toWireItem } from '../../../workers/app/contract/search-rows.ts'
import { inChinese } from '../../../workers/app/core/reason/chinese.ts'
import { siteReason } from '../../../workers/app/core/reason/of-fault.ts'
import type { SiteKind } from '../../../workers/app/core/vocabulary.ts'
import { siteTextCharactersMax } from '../../../workers/app/limits.ts'
import { canaryLinkKey, goodApiKey, goodCookie, startStandInSites } from '../../support/stand-in-sites.ts'

const runs = Number(process.env['WHARF_FUZZ_RUNS'] ?? '600')
/** Given by a long run, so that a failed one can be run again. */
const seed = process.env['WHARF_FUZZ_SEED']
const manyRuns = { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) }
const credentials = { cookie: goodCookie, apiKey: goodApiKey }
const query = { keyword: 'planet', categoryIds: [], freeOnly: false }

const sites = await startStandInSites()

afterAll(async () => {
  await sites.stop()
})

interface Recorded {
  readonly body: Buffer
  readonly headers: Headers
}

/** What the stand-in answers to each call of a visit, by path. */
async function record(kind: SiteKind, skin: string): Promise<Map<string, Recorded>> {
  const recorded = new Map<string, Recorded>()
  const driver = createSiteDriver(
    { kind, baseUrl: sites.address(kind, skin), credentials, profile: siteProfile(kind, { request_interval_ms: 0 }) },
    runtimeOf(async (address, init) => {
      const response = await fetch(address, init)
      const body = Buffer.from(await response.arrayBuffer())
      recorded.set(new URL(address).pathname, { body, headers: response.headers })
      return new Response(body, { headers: { 'content-type': response.headers.get('content-type') ?? '' } })
    }),
  )
  await driver.read(AbortSignal.timeout(5000))
  await driver.search(query, AbortSignal.timeout(5000))
  if (kind === 'nexusphp') await driver.signIn(AbortSignal.timeout(5000))
  return recorded
}

function runtimeOf(answer: SiteRuntime['fetch']): SiteRuntime {
  return {
    bounds: { callMs: 5000, answerBytesMax: 4 * 1024 * 1024, queueMax: 32 },
    fetch: answer,
    nowMs: () => 1_800_000_000_000,
    wait: async () => undefined,
  }
}

const pieces = fc.constantFrom(
  '<td>',
  '</tr>',
  '</table>',
  '<table class="torrents">',
  '<a href="details.php?id=',
  '"',
  '\u0000',
  '{"data":',
  '[[[[',
  'null',
  '-1',
  '1e999',
  '99999999999999999999',
  '<!--',
  '<![CDATA[',
  '&#x110000;',
  'TB',
  '2026-99-99 99:99:99',
  '<b>'.repeat(300),
)
const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 200 }),
  insert: fc.oneof(pieces, fc.string({ maxLength: 30 }), fc.constant('')),
  cut: fc.boolean(),
})

function mutate(
  body: Buffer,
  { at, length, insert, cut }: { at: number; length: number; insert: string; cut: boolean },
): Buffer {
  const position = Math.floor(at * body.length)
  return Buffer.concat([
    body.subarray(0, position),
    Buffer.from(insert),
    cut ? Buffer.alloc(0) : body.subarray(position + length),
  ])
}

const item = search.answers[200].shape.items.element

const cases: readonly (readonly [SiteKind, string])[] = [
  ['nexusphp', 'chinese'],
  ['nexusphp', 'english'],
  ['mteam', 'ok'],
  ['unit3d', 'ok'],
  ['gazelle', 'ok'],
  ['torznab', 'ok'],
]

describe('a site that answers anything', () => {
  test.each(cases)('%s (%s): the driver ends with the right shape or a fault', async (kind, skin) => {
    const recorded = await record(kind, skin)
    if (recorded.size === 0) throw new Error('nothing was recorded')
    await fc.assert(
      fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 4 }), async (mutations) => {
        const driver = createSiteDriver(
          {
            kind,
            baseUrl: sites.address(kind, skin),
            credentials,
            profile: siteProfile(kind, { request_interval_ms: 0 }),
          },
          runtimeOf(async (address) => {
            const known = recorded.get(new URL(address).pathname)
            const body = mutations.reduce(mutate, known?.body ?? Buffer.alloc(0))
            return new Response(new Uint8Array(body), {
              headers: { 'content-type': known?.headers.get('content-type') ?? 'text/html' },
            })
          }),
        )
        const reading = await driver.read(AbortSignal.timeout(5000))
        if (reading.ok) {
          for (const [name, value] of Object.entries(reading.value.user ?? {})) {
            if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${name} is ${value}`)
          }
        } else inChinese(siteReason(reading.failure))
        const found = await driver.search(query, AbortSignal.timeout(5000))
        if (!found.ok) inChinese(siteReason(found.failure))
        for (const hit of found.ok ? found.value : []) {
          const wire = item.parse(toWireItem('x', hit))
          if ([...wire.title].length > siteTextCharactersMax) throw new Error('a title past its limit')
          if (wire.size < 0 || wire.seeders < 0 || wire.leechers < 0) throw new Error(JSON.stringify(wire))
        }
        const signedIn = await driver.signIn(AbortSignal.timeout(5000))
        if (!signedIn.ok) inChinese(siteReason(signedIn.failure))
      }),
      manyRuns,
    )
  })

  test.each(cases)('%s (%s): no key of a link is in a result, as long as the list is whole', async (kind, skin) => {
    const driver = createSiteDriver(
      { kind, baseUrl: sites.address(kind, skin), credentials, profile: siteProfile(kind, { request_interval_ms: 0 }) },
      runtimeOf((address, init) => fetch(address, init)),
    )
    const found = await driver.search(query, AbortSignal.timeout(5000))

    if (!found.ok || found.value.length === 0) throw new Error(JSON.stringify(found))
    const text = JSON.stringify(found.value.map((hit) => toWireItem('x', hit)))
    if (text.includes(canaryLinkKey) || /https?:/.test(text)) throw new Error(text)
  })

  test.each([
    ['nesting without end', `<html>${'<div>'.repeat(200_000)}`],
    ['a table in a table in a table', `<html>${'<table class="torrents"><tr><td>'.repeat(20_000)}</html>`],
    ['one tag of a megabyte', `<html><a href="${'x'.repeat(1024 * 1024)}"></html>`],
    ['a page of spaces', `<html>${' '.repeat(1024 * 1024)}</html>`],
    ['a page of digits', `<html><table class="torrents"><tr><td>${'9'.repeat(1024 * 1024)}</td></tr></table></html>`],
    ['a page of open quotes', `<html>${'<input type="'.repeat(50_000)}</html>`],
  ])('%s is read within a moment', { timeout: 30_000 }, async (_, body) => {
    const driver = createSiteDriver(
      {
        kind: 'nexusphp',
        baseUrl: 'http://a.invalid',
        credentials,
        profile: siteProfile('nexusphp', { request_interval_ms: 0 }),
      },
      runtimeOf(async () => new Response(body, { headers: { 'content-type': 'text/html' } })),
    )
    const outcomes = [
      await driver.probe(AbortSignal.timeout(5000)),
      await driver.search(query, AbortSignal.timeout(5000)),
      await driver.signIn(AbortSignal.timeout(5000)),
    ]

    if (outcomes.some(({ ok }) => ok)) throw new Error(JSON.stringify(outcomes))
  })
})
