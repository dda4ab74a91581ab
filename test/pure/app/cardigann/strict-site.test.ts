/** Brought definitions against a site that is as strict as theirs are: signing in, searching, fetching, and each way to fail. */
import { describe, test } from 'vitest'
import { checkDefinition } from '../../../../workers/app/adapters/sites/cardigann/definition-service.ts'
import { createSiteDriver } from '../../../../workers/app/adapters/sites/create-driver.ts'
import { siteProfile } from '../../../../workers/app/adapters/sites/site-definitions.ts'
import { signInRetryMs } from '../../../../workers/app/limits.ts'
import {
  htmlDefinition,
  jsonDefinition,
  StandInTracker,
  textOfTracker,
  trackerAnswers,
  trackerHash,
  trackerOrigin,
  trackerRows,
  trackerTorrent,
} from '../../../support/stand-in-tracker.ts'

const signal = () => AbortSignal.timeout(30_000)
const query = (keyword: string, categoryIds: readonly string[] = []) => ({ keyword, categoryIds, freeOnly: false })

function driverOf(
  tracker: StandInTracker,
  definition: Readonly<Record<string, unknown>>,
  answers: Readonly<Record<string, string>> = trackerAnswers,
  nowMs: () => number = () => Date.now(),
) {
  const checked = checkDefinition(textOfTracker(definition))
  if (!checked.ok) throw new Error(JSON.stringify(checked.failure))
  return createSiteDriver(
    {
      kind: 'cardigann',
      baseUrl: trackerOrigin,
      credentials: { cookie: '', apiKey: '', answers },
      profile: siteProfile('cardigann', { request_interval_ms: 0 }),
      definition: JSON.stringify(checked.value.tree),
    },
    {
      bounds: { callMs: 20_000, answerBytesMax: 4 * 1024 * 1024, queueMax: 32 },
      fetch: (address, init) => tracker.answer(new Request(address, { ...init, signal: null })),
      nowMs,
      wait: async () => {},
    },
  )
}

const failure = (kind: string, more: object = {}) => ({ ok: false, failure: { kind, ...more } })

describe('a strict site by a brought definition', () => {
  test('signs in by its form, reads every page, and asks nothing that the site does not know', async ({ expect }) => {
    const tracker = new StandInTracker()
    const driver = driverOf(tracker, htmlDefinition)
    expect(await driver.probe(signal())).toEqual({ ok: true, value: {} })
    const found = await driver.search(query(''), signal())
    if (!found.ok) throw new Error(JSON.stringify(found.failure))
    expect(found.value).toMatchObject(
      trackerRows.map(({ id, title, category, bytes, isFree }) => ({
        torrentId: String(id),
        title,
        category: category === 11 ? 'Films' : 'Series',
        sizeBytes: bytes,
        seeders: id,
        leechers: 3,
        discount: isFree ? 'FREE' : 'NONE',
      })),
    )
    expect(tracker.refused).toEqual([])
  })

  test.for([
    ['тихая гавань', [], [41, 42]],
    ['гавань', ['11'], [41, 43]],
    ['& "прилив"', [], [42]],
    ['нигде', [], []],
    // What the character set lacks is asked as a question mark, and found nowhere.
    ['港口', [], []],
  ] as const)(
    'finds what is asked in the character set of the site: %s %j',
    async ([words, categories, ids], { expect }) => {
      const tracker = new StandInTracker()
      const found = await driverOf(tracker, htmlDefinition).search(query(words, categories), signal())
      expect(found.ok && found.value.map(({ torrentId }) => Number(torrentId))).toEqual(ids)
      expect(tracker.refused).toEqual([])
    },
  )

  test('fetches the file behind the page and the thanks that the site asks for', async ({ expect }) => {
    const tracker = new StandInTracker()
    const driver = driverOf(tracker, htmlDefinition)
    const found = await driver.search(query('прилив'), signal())
    const bytes = await driver.download('42', found.ok ? found.value[0]?.downloadKey : undefined, signal())
    expect(bytes).toEqual({ ok: true, value: trackerTorrent })
    expect(tracker.asked).toContain('POST /thanks.php')
    expect(tracker.refused).toEqual([])
  })

  test('signs in anew where the session ended, once', async ({ expect }) => {
    const tracker = new StandInTracker()
    const driver = driverOf(tracker, htmlDefinition)
    await driver.search(query(''), signal())
    tracker.endSessions()
    expect((await driver.search(query(''), signal())).ok).toBe(true)
    expect(tracker.asked.filter((one) => one === 'POST /takelogin.php')).toHaveLength(2)
    expect(tracker.refused).toEqual([])
  })

  test('reads a list in JSON by a key, and has no file where there is only a hash', async ({ expect }) => {
    const tracker = new StandInTracker()
    const driver = driverOf(tracker, jsonDefinition)
    const found = await driver.search(query(''), signal())
    if (!found.ok) throw new Error(JSON.stringify(found.failure))
    expect(
      found.value.map(({ title, sizeBytes, seeders, discount }) => ({ title, sizeBytes, seeders, discount })),
    ).toEqual(
      trackerRows.map(({ id, title, bytes, isFree }) => ({
        title,
        sizeBytes: bytes,
        seeders: id,
        discount: isFree ? 'FREE' : 'NONE',
      })),
    )
    const key = found.value[0]?.downloadKey ?? ''
    expect(key.toLowerCase()).toContain(trackerHash(41))
    expect(await driver.download(found.value[0]?.torrentId ?? '', key, signal())).toEqual(failure('unsupported'))
    expect(await driver.search(query('нигде'), signal())).toEqual({ ok: true, value: [] })
    expect(tracker.refused).toEqual([])
  })

  test.for([
    ['a wrong password', htmlDefinition, { ...trackerAnswers, password: 'x' }, 'as usual', failure('sign_in_refused')],
    ['no answer', htmlDefinition, {}, 'as usual', failure('sign_in_refused')],
    ['an account that stays closed', htmlDefinition, trackerAnswers, 'closed account', failure('sign_in_refused')],
    ['a wrong key', jsonDefinition, { apikey: 'x' }, 'as usual', failure('login_expired')],
    [
      'a form with 200 for a list in JSON',
      jsonDefinition,
      trackerAnswers,
      'login page with 200',
      failure('login_expired'),
    ],
    ['another page', htmlDefinition, trackerAnswers, 'changed page', failure('broken', { part: 'list' })],
    ['another list in JSON', jsonDefinition, trackerAnswers, 'changed page', failure('broken', { part: 'list' })],
  ] as const)('%s has its own reason', async ([, definition, answers, mood, expected], { expect }) => {
    const tracker = new StandInTracker()
    tracker.mood = mood
    const driver = driverOf(tracker, definition, answers)
    expect(await driver.search(query(''), signal())).toEqual(expected)
    expect(await driver.probe(signal())).toEqual(expected)
  })

  test('a password that was refused is not sent again before its time', async ({ expect }) => {
    const tracker = new StandInTracker()
    let nowMs = 1_000_000
    const driver = driverOf(tracker, htmlDefinition, { ...trackerAnswers, password: 'x' }, () => nowMs)
    const sent = () => tracker.asked.filter((one) => one === 'POST /takelogin.php').length
    for (const [at, waitMs] of signInRetryMs.entries()) {
      for (let round = 0; round < 3; round += 1)
        expect(await driver.search(query(''), signal())).toEqual(failure('sign_in_refused'))
      expect(sent()).toBe(at + 1)
      nowMs += waitMs - 1
      expect(await driver.search(query(''), signal())).toEqual(failure('sign_in_refused'))
      expect(sent()).toBe(at + 1)
      nowMs += 1
    }
    await driver.search(query(''), signal())
    expect(sent()).toBe(signInRetryMs.length + 1)
  })

  test('a form with 200 in the place of a list is an ended session, which opens again', async ({ expect }) => {
    const tracker = new StandInTracker()
    const driver = driverOf(tracker, htmlDefinition)
    await driver.search(query(''), signal())
    tracker.mood = 'login page with 200'
    tracker.endSessions()
    expect((await driver.search(query(''), signal())).ok).toBe(true)
    tracker.mood = 'closed account'
    expect(await driver.search(query(''), signal())).toEqual(failure('sign_in_refused'))
  })

  test('a page without the link to the file says so', async ({ expect }) => {
    const tracker = new StandInTracker()
    tracker.mood = 'no file'
    const bytes = await driverOf(tracker, htmlDefinition).download('41', `${trackerOrigin}/details.php?id=41`, signal())
    expect(bytes).toEqual(failure('broken', { part: 'torrent' }))
  })
})
