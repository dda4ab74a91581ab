// @module-tag slow
/**
 * Feeds over a month of simulated time, and with `npm run test:long -- year` over a year of it: alarms come late, the
 * service dies at any statement, sites fail, promotions come and go. What it did is held against what was true then.
 */
import { env } from 'cloudflare:workers'
import { beforeEach, test } from 'vitest'
import { unixSeconds } from '#shared/kernel/clock.ts'
import {
  feedItemSeconds,
  feedItemsKeptMax,
  feedItemsTrimmed,
  feedMinutesMin,
  jobLeaseSeconds,
  pushRecordsMax,
} from '../../../workers/app/limits.ts'
import { seededRandom } from '../../long/seeded-random.ts'
import { unwrap } from '../../support/unwrap.ts'
import { brushWorld } from '../../support/workerd/told-brush.ts'
import { addRule, feeds } from '../../support/workerd/told-feeds.ts'
import { addSite, clock, removeSites, store, unix } from '../../support/workerd/told-sites.ts'
import {
  categoriesOfSite,
  isFreeAt,
  type PlannedItem,
  planItems,
  type WalkedFeeds,
  walkedFeeds,
} from '../../support/workerd/walked-feeds.ts'

const hour = 3600
const day = 24 * hour
const isLong = Number(env.FUZZ_RUNS) > 100
const scale = isLong
  ? { days: 365, sites: 8, feeds: 40, items: 60_000, slowMinutes: 1440, stepMinutes: 120, killed: 0.1 }
  : { days: 34, sites: 2, feeds: 6, items: 1000, slowMinutes: 720, stepMinutes: 60, killed: 0.2 }
const seed = Number(env.FUZZ_SEED || 20261126)
const perDayMax = 3
/** Days of what is there when a feed is first read. */
const before = 10
const waitForWork = 12 * 60 * 60_000

beforeEach(async () => {
  await removeSites()
  await brushWorld()
  await removeSites()
})

interface Walk {
  readonly world: WalkedFeeds
  readonly items: readonly PlannedItem[]
  /** What stood in each feed when it was first read, and when that was, by site and category. */
  readonly firstAt: ReadonlyMap<string, number>
  readonly alarms: number
  readonly kills: number
  readonly keptMost: number
}

async function count(table: string): Promise<number> {
  return (await env.DB.prepare(`select count(*) as n from ${table}`).first<number>('n')) ?? 0
}

async function walk(random: () => number): Promise<Walk> {
  const startUnix = unix('2026-01-15T00:00:00Z')
  clock.now = startUnix
  const sites = Array.from({ length: scale.sites }, (_, at) => `site${at}`)
  const plan = { sites, items: scale.items, startUnix: startUnix - before * day, days: scale.days + before, random }
  const items = planItems(plan)
  const world = walkedFeeds(plan, items)
  const places: string[] = []
  for (const site of sites) {
    const siteId = await addSite(site, { autoSignIn: false })
    for (let category = 0; category < categoriesOfSite && places.length < scale.feeds; category += 1) {
      const address = `https://${site}.example/${category}`
      const isSlow = category === categoriesOfSite - 1
      const everyMinutes = isSlow ? scale.slowMinutes : 480 + scale.stepMinutes * category
      unwrap(await feeds.add({ name: `${site} ${category}`, enabled: true, siteId, address, everyMinutes }))
      places.push(address)
    }
  }
  // What is large and billed is taken, a few a day; of everything else only what is free.
  await addRule('large', [{ field: 'size_gib', op: 'at_least', value: 30 }], {
    per_day_max: perDayMax,
    target: { downloader_id: 0, category: '', tags: ['large'], save_path: '', paused: false },
  })
  await addRule('free', [{ field: 'promotion', op: 'is_any', value: ['FREE', '2XFREE'] }], {
    target: { downloader_id: 0, category: '', tags: ['free'], save_path: '', paused: false },
  })

  const steps = () => (random() < scale.killed ? Math.floor(random() * 60) : Number.POSITIVE_INFINITY)
  let { work, life } = world.live(Number.POSITIVE_INFINITY)
  for (const { record } of await store.list()) await work.plan(record.id)
  let alarms = 0
  let kills = 0
  let keptMost = 0
  const endUnix = startUnix + scale.days * day
  while (clock.now < endUnix) {
    alarms += 1
    // Instances know only what is stored.
    ;({ work, life } = world.live(steps()))
    const next = await Promise.race([work.runDue(), life.end.then(() => 'killed' as const)])
    if (next === 'killed') {
      kills += 1
      // Whoever starts it again does so soon or much later; a lease has to run out first.
      clock.now += random() < 0.1 ? Math.floor(random() * 12 * hour) : jobLeaseSeconds + 1
      continue
    }
    if (alarms % 50 === 0) keptMost = Math.max(keptMost, await count('feed_items'))
    const late = random() < 0.02 ? Math.floor(random() * 6 * hour) : random() < 0.3 ? Math.floor(random() * 120) : 0
    clock.now = Math.max(clock.now + 1, next ?? clock.now + hour) + late
  }
  const firstAt = new Map([...world.asked].map(([address, times]) => [address, times[0] ?? 0]))
  return { world, items, firstAt, alarms, kills, keptMost }
}

test(
  `${scale.feeds} feeds over ${scale.days} days take nothing twice, nothing billed that was to be free, and stay in their bounds`,
  async ({ expect }) => {
    const { world, items, firstAt, alarms, kills, keptMost } = await walk(seededRandom(seed))
    const addressOf = ({ site, category }: PlannedItem) => `https://${site}.example/${category}`
    const free = world.pushed.filter(({ tags }) => tags.includes('free'))
    const billed = free.filter(({ item, atUnix }) => !isFreeAt(item, atUnix))
    const early = world.pushed.filter(({ item }) => item.atUnix <= (firstAt.get(addressOf(item)) ?? 0))
    const large = world.pushed.filter(({ tags }) => tags.includes('large')).map(({ atUnix }) => atUnix)
    const crowded = large.filter((at) => large.filter((one) => one > at - day && one <= at).length > perDayMax)
    const pauses = [...world.asked.values()].flatMap((times) => times.slice(1).map((at, n) => at - (times[n] ?? 0)))
    const ids = world.pushed.map(({ item }) => item.id)
    // Free for a day and more, known to be, and in a feed all the while: nothing keeps it from being taken.
    const due = items.filter(
      (item) =>
        item.atUnix > (firstAt.get(addressOf(item)) ?? Number.POSITIVE_INFINITY) &&
        item.freeFromUnix === item.atUnix &&
        item.freeUntilUnix - item.freeFromUnix > 36 * hour &&
        item.freeUntilUnix < clock.now,
    )
    const titles = new Set(world.pushed.map(({ item }) => item.title))
    const missed = due.filter(({ title }) => !titles.has(title))
    const figures = {
      seed,
      alarms,
      kills,
      feedsRead: pauses.length,
      feedsFailed: world.failed,
      listsRead: world.listed,
      pushed: world.pushed.length,
      free: free.length,
      large: large.length,
      due: due.length,
      missed: missed.length,
      keptMost,
    }
    console.info(`walked: ${JSON.stringify(figures)}`)

    expect([new Set(ids).size, world.twice]).toEqual([ids.length, []])
    expect(billed.map(({ item, atUnix }) => [item, atUnix])).toEqual([])
    expect(early.map(({ item }) => item)).toEqual([])
    expect(crowded).toEqual([])
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(feedMinutesMin * 60)
    expect(keptMost).toBeLessThanOrEqual(feedItemsKeptMax + feedItemsTrimmed)
    expect(await count('push_records')).toBeLessThanOrEqual(pushRecordsMax)
    expect(world.pushed.length).toBeGreaterThan(scale.items / 20)
    expect(kills).toBeGreaterThan(scale.days / 2)
    expect(missed.length).toBeLessThanOrEqual(due.length / 20)
    expect(unixSeconds(clock)).toBeGreaterThan(feedItemSeconds)
  },
  waitForWork,
)
