// @module-tag slow
/**
 * Weeks of the service's own work, walked through by a clock: alarms come late, twice, or not for hours, instances go in
 * the middle of a run, sites fail, and the zone changes its clock on the way.
 */

import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { overviewRoutes } from '../../../workers/app/http/routes/overview.ts'
import { jobLeaseSeconds, statisticsSeconds } from '../../../workers/app/limits.ts'
import type { SiteFleet } from '../../../workers/app/ports/sites.ts'
import { seededRandom } from '../../long/seeded-random.ts'
import { localeOf } from '../../support/locale-of.ts'
import {
  addSite,
  broken,
  clock,
  fakeFleet,
  figures,
  removeSites,
  silent,
  store,
  unix,
  user,
  workWith,
} from '../../support/workerd/told-sites.ts'

const hour = 3600
/** Twelve reads a site, two looks and a sign-in with its retries, and a look at reminders an hour: far below one a minute. */
const alarmsPerDayMax = 80

interface Event {
  readonly site: string
  readonly atUnix: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** By the wall clock of the zone, without the code under test. */
function wallClock(unixSeconds: number, timeZone: string): { day: string; hour: number } {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(timeZone, format)
  const text = format.format(unixSeconds * 1000)
  return { day: text.slice(0, 10), hour: Number(text.slice(11, 13)) }
}

/** About the night that has no midnight; `npm run test:long` walks through weeks before it and after it. */
const [cairoDays, cairoStart] =
  Number(env.FUZZ_RUNS) > 100 ? ([40, '2026-04-04T12:00:00Z'] as const) : ([10, '2026-04-19T12:00:00Z'] as const)

beforeEach(async () => {
  await removeSites()
  await env.DB.prepare('delete from jobs').run()
})

describe('weeks of days', () => {
  // Cairo's clock leaps over midnight itself: 24 April has none. Berlin repeats an hour on 25 October.
  test.for([
    ['Africa/Cairo', cairoDays, cairoStart, ['a'], 12],
    ['Europe/Berlin', 6, '2026-10-22T12:00:00Z', ['a', 'b'], 11],
  ] as const)(
    'in %s bring one sign-in and one snapshot a day for %i days, and lose or double no job',
    // Seconds on a quiet machine, and many times that beside other work: it waits for its database most of the time.
    { timeout: 600_000 },
    async ([timeZone, days, start, names, seed], { expect }) => {
      const random = seededRandom(seed)
      const chance = (share: number) => random() < share
      const startUnix = unix(start)
      const endUnix = startUnix + days * 24 * hour
      clock.now = startUnix
      const signIns: Event[] = []
      const readings: (Event & { readonly uploaded: number; readonly bonus: number })[] = []
      /** Moments at which the service could work. */
      const awake: number[] = []
      const gone = new Promise<never>(() => undefined)
      const fleet = fakeFleet()
      /** Of an instance that goes in the middle of a call nothing comes back. */
      const portOf = (isGoing: boolean): SiteFleet => ({
        ...fleet.port,
        read: async ({ name }) => {
          if (isGoing) return gone
          if (chance(0.1)) return failWith({ kind: 'unreachable' })
          const uploaded = Math.floor((clock.now - startUnix) / 60)
          // Spent now and then: it goes down, which is no change of minus so much.
          const bonus = Math.floor(random() * 1000)
          readings.push({ site: name, atUnix: clock.now, uploaded, bonus })
          return succeed({ user: { ...user, uploadedBytes: uploaded, bonus } })
        },
        signIn: async ({ name }) => {
          if (isGoing) return gone
          if (chance(0.2)) return failWith(broken)
          signIns.push({ site: name, atUnix: clock.now })
          return succeed({ status: 'signed', reason: { kind: 'sign_in.done' } })
        },
      })
      const workNow = (isGoing = false) =>
        workWith({ ...fleet, port: portOf(isGoing) }, { locale: localeOf(timeZone), random })
      for (const name of names) await workNow().plan(await addSite(name))
      const expectedJobs = (await workNow().runs()).map(({ subjectId, name }) => `${subjectId} ${name}`)
      const [today] = overviewRoutes({
        sites: store,
        siteFigures: figures,
        clock,
        locale: localeOf(timeZone),
        logger: silent,
      })

      let alarms = 0
      let looked = 0
      while (clock.now < endUnix) {
        alarms += 1
        awake.push(clock.now)
        let next: number | undefined
        if (chance(0.03)) {
          // It never comes back from its site. The next alarm was set before it began; the lease ends meanwhile.
          void workNow(true).runDue()
          await settledRows()
          next = clock.now + jobLeaseSeconds
        } else if (chance(0.1)) {
          const both = await Promise.all([workNow().runDue(), workNow().runDue()])
          next = Math.min(...both.map((one) => one ?? Number.POSITIVE_INFINITY))
        } else next = await workNow().runDue()

        if (alarms % 5 === 0)
          expect((await workNow().runs()).map(({ subjectId, name }) => `${subjectId} ${name}`)).toEqual(expectedJobs)
        if (chance(0.1)) {
          looked += 1
          // biome-ignore lint/suspicious/noExplicitAny: the answer of one route, judged by its fields below
          const answer = (await today?.handle({} as any)) as any
          expect(answer.value.body.today).toEqual(todayOf(names, readings, clock.now, timeZone))
        }
        // In the morning late by minutes, else by up to three hours; some nights and days the machine is off.
        const isMorning = [7, 8, 9, 10, 11].includes(wallClock(clock.now, timeZone).hour)
        const late = chance(0.01) ? random() * 20 * hour : random() * (isMorning ? hour / 3 : 3 * hour)
        clock.now = Math.ceil(Math.max(next ?? 0, clock.now + 1) + late)
      }

      const dayOf = ({ atUnix }: { atUnix: number }) => wallClock(atUnix, timeZone).day
      expect(alarms).toBeLessThan(days * alarmsPerDayMax)
      expect(looked).toBeGreaterThan(days / 4)
      for (const site of names) {
        const signedDays = signIns.filter((one) => one.site === site).map(dayOf)
        expect(new Set(signedDays).size, 'no day has two').toBe(signedDays.length)
        const { results } = await env.DB.prepare(
          "select day, status from site_sign_ins where site_id = (select id from sites where name = ?) and status in ('signed', 'failed')",
        )
          .bind(site)
          .all<{ day: string; status: string }>()
        expect(results.filter(({ status }) => status === 'signed').map(({ day }) => day)).toEqual(signedDays)
        // Awake again an hour and more after it was awake in or after the window: time for three attempts.
        const possible = [...Map.groupBy(awake, (at) => wallClock(at, timeZone).day)]
          .filter(([, moments]) => {
            const first = moments.find((at) => wallClock(at, timeZone).hour >= 10)
            return first !== undefined && moments.filter((at) => at > first + hour).length > 3
          })
          .map(([day]) => day)
        const settled = new Set(results.map(({ day }) => day))
        expect(possible.filter((day) => !settled.has(day))).toEqual([])
      }
      expect(signIns.filter(({ atUnix }) => wallClock(atUnix, timeZone).hour < 8)).toEqual([])
      for (const site of names) {
        const { results } = await env.DB.prepare(
          'select day, uploaded_bytes as uploaded from site_snapshots where site_id = (select id from sites where name = ?) order by day',
        )
          .bind(site)
          .all<{ day: string; uploaded: number }>()
        const last = new Map(readings.filter((one) => one.site === site).map((one) => [dayOf(one), one.uploaded]))
        expect(results).toEqual([...last].map(([day, uploaded]) => ({ day, uploaded })))
      }
      // Whenever it could, it read: no gap but those in which the machine was off or the site did not answer.
      expect(readings.length).toBeGreaterThan((days * 24 * hour * names.length) / statisticsSeconds / 4)
    },
  )
})

/** Until the run that will not come back has taken its leases. */
async function settledRows(): Promise<void> {
  for (let look = 0; look < 4; look += 1) await store.list()
}

/** Today's change of each site, counted from the readings themselves. */
function todayOf(
  names: readonly string[],
  readings: readonly (Event & { readonly uploaded: number; readonly bonus: number })[],
  nowUnix: number,
  timeZone: string,
) {
  const { day } = wallClock(nowUnix, timeZone)
  const sites = names.flatMap((site) => {
    const own = readings.filter((one) => one.site === site)
    const ofToday = own.filter((one) => wallClock(one.atUnix, timeZone).day === day)
    const newest = ofToday.at(-1)
    if (newest === undefined) return []
    const earlier = own.filter((one) => wallClock(one.atUnix, timeZone).day < day).at(-1)
    const before = earlier ?? newest
    return [
      {
        site,
        uploaded: Math.max(0, newest.uploaded - before.uploaded),
        downloaded: 0,
        bonus: Math.max(0, newest.bonus - before.bonus),
        // Of a first day there is nothing to count from.
        ...(earlier === undefined ? { unknown: ['uploaded', 'downloaded', 'bonus'] } : {}),
      },
    ]
  })
  const sum = (figure: 'uploaded' | 'bonus') => sites.reduce((total, one) => total + one[figure], 0)
  return { from: day, to: day, uploaded: sum('uploaded'), downloaded: 0, bonus: sum('bonus'), sites }
}
