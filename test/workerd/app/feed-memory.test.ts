/** What feeds remember, and what they do not go by any more: the real database and scheduler, and a manual clock. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, test } from 'vitest'
import { failWith } from '#shared/kernel/result.ts'
import { feedItemSeconds, feedPushesPerRunMax, feedRelistSeconds } from '../../../workers/app/limits.ts'
import { hit } from '../../support/workerd/told-brush.ts'
import { addFeed, addRule, entry, type FeedWorld, feedWorld, statuses } from '../../support/workerd/told-feeds.ts'
import { clock, removeSites, settle, unix } from '../../support/workerd/told-sites.ts'

let world: FeedWorld
const day = 24 * 3600

beforeEach(async () => {
  clock.now = unix('2026-11-20T19:00:00Z')
  await removeSites()
  world = await feedWorld()
})

async function look(): Promise<void> {
  await settle(world.readFeeds())
}

/** A look every day, as long as nothing else is said. */
async function lookForDays(days: number): Promise<void> {
  for (let passed = 0; passed < days; passed += 1) {
    clock.now += day
    await look()
  }
}

describe('what a feed still shows', () => {
  test('is not new again after a month, whatever was decided about it', async ({ expect }) => {
    world.entries = [entry(1)]
    await addFeed(world)
    await look()
    world.entries = [entry(2), entry(1)]
    world.newest = [hit(2, { discount: 'NONE' })]
    await lookForDays(1)
    expect(await statuses()).toEqual({ 1: 'seen', 2: 'left' })

    // Both are free now: they were decided about, and it stays at that.
    world.newest = [hit(1), hit(2)]
    await lookForDays(2 * (feedItemSeconds / day))
    expect([await statuses(), world.pushes]).toEqual([{ 1: 'seen', 2: 'left' }, []])

    world.entries = [entry(3)]
    world.newest = [hit(3)]
    await lookForDays(feedItemSeconds / day + 1)
    expect(Object.keys(await statuses())).not.toContain('1')
    expect(world.pushes).toEqual(['3'])
  })

  test('is told by it once a day, though it has not changed', async ({ expect }) => {
    world.entries = [entry(1)]
    await addFeed(world)
    await look()
    clock.now += feedRelistSeconds - 1
    await look()
    expect(world.places.at(-1)?.etag).toBe('"a"')
    await addFeed(world, { name: 'other', everyMinutes: 24 * 60 })
    await look()
    clock.now += feedRelistSeconds
    await look()
    expect(world.places.at(-1)?.etag).toBe('')
  })

  test.for([
    ['a day less than a month', feedItemSeconds - feedRelistSeconds - 1, ['1', '2']],
    ['almost as long as items are remembered', feedItemSeconds - feedRelistSeconds, []],
  ] as const)('is only noted when it told nothing for %s', async ([, silentSeconds, pushes], { expect }) => {
    await addFeed(world)
    await look()
    world.answer = failWith({ kind: 'timeout' })
    clock.now += silentSeconds - 3600
    await look()
    world.answer = undefined
    world.entries = [entry(2), entry(1)]
    world.newest = [hit(1), hit(2)]
    clock.now += 3600
    await env.DB.prepare('update feeds set due_at_unix = ?').bind(clock.now).run()
    await env.DB.prepare('update jobs set due_at_unix = ?').bind(clock.now).run()
    await look()
    expect(world.pushes).toEqual(pushes)
    if (pushes.length === 0) expect(await statuses()).toEqual({ 1: 'seen', 2: 'seen' })
  })
})

describe('what was taken and not pushed yet', () => {
  test('is judged again by the next look, and left when it is billed by then', async ({ expect }) => {
    await addFeed(world)
    await look()
    const ids = Array.from({ length: feedPushesPerRunMax + 2 }, (_, at) => at + 1)
    world.entries = ids.map((id) => entry(id)).reverse()
    world.newest = ids.map((id) => hit(id))
    clock.now += 600
    await look()
    expect(world.pushes).toHaveLength(feedPushesPerRunMax)

    const [billed, free] = ids.slice(feedPushesPerRunMax).map(String)
    world.newest = [hit(Number(billed), { discount: 'NONE' }), hit(Number(free))]
    clock.now += 660
    await look()
    expect(world.pushes.slice(feedPushesPerRunMax)).toEqual([free])
    expect((await statuses())[billed ?? '']).toBe('left')
  })

  test('and was free without a certain end, waits until the site’s list says so again', async ({ expect }) => {
    await addFeed(world)
    await look()
    world.entries = [entry(2), entry(1)]
    const untilMonday = { discountEndAtUnix: clock.now + 5 * day }
    const open = hit(1)
    const { discountEndAtUnix: _, ...endless } = open
    world.newest = [endless, hit(2, untilMonday)]
    world.midPush = async () => failWith({ kind: 'busy' })
    clock.now += 600
    await look()
    expect(await statuses()).toEqual({ 1: 'waiting', 2: 'waiting' })

    world.pushes.length = 0
    world.midPush = async () => undefined
    world.newest = [hit(9)]
    clock.now += 660
    await look()
    expect([world.pushes, await statuses()]).toEqual([['2'], { 1: 'waiting', 2: 'taken' }])

    world.newest = [endless]
    clock.now += 660
    await look()
    expect(world.pushes).toEqual(['2', '1'])
  })

  test('is pushed by a rule that does not go by its price', async ({ expect }) => {
    await addRule('any', [{ field: 'title', op: 'has_any', value: ['torrent'] }])
    await addFeed(world)
    await look()
    world.entries = [entry(1)]
    world.newest = [hit(1)]
    world.midPush = async () => failWith({ kind: 'busy' })
    clock.now += 600
    await look()
    world.midPush = async () => undefined
    world.newest = []
    clock.now += 660
    await look()
    expect(await statuses()).toEqual({ 1: 'taken' })
  })
})
