import { describe, test } from 'vitest'
import { type Holding, isHeldAlready, replaces } from '../../../workers/app/core/media/organise-plan.ts'
import { spanOf } from '../../../workers/app/core/media/progress.ts'

const order = { resolutions: ['1080p', '2160p'], sources: ['bluray', 'web'] } as const
const hold = (episode: number | null, episodeEnd: number | null, quality = {}): Holding => ({
  span: spanOf(episode, episodeEnd),
  quality,
})
const web = { resolution: '1080p', source: 'web' }
const bluray = { resolution: '1080p', source: 'bluray' }
const large = { resolution: '2160p', source: 'bluray' }

describe('what the library holds already', () => {
  test.for([
    ['nothing', hold(1, null), [], [1, 2], false],
    ['the same episode', hold(1, null), [hold(1, null)], [1, 2], true],
    ['another episode', hold(1, null), [hold(2, null)], [1, 2], false],
    ['a part of the span', hold(1, 2), [hold(2, null)], [1, 2], false],
    ['the span in parts', hold(1, 2), [hold(2, null), hold(1, null)], [1, 2], true],
    ['the season for an episode', hold(2, null), [hold(null, null)], [1, 2], true],
    ['the season in parts', hold(null, null), [hold(1, null), hold(2, 3)], [1, 2, 3], true],
    ['most of the season', hold(null, null), [hold(1, 2)], [1, 2, 3], false],
    ['an episode of a season nobody counts', hold(null, null), [hold(1, 99)], [], false],
    ['an episode that nobody lists', hold(9, null), [hold(9, null)], [1, 2], true],
    ['a film', hold(null, null), [hold(null, null)], [], true],
    [
      'one span of which one episode is worse',
      hold(1, 2, bluray),
      [hold(1, null, bluray), hold(2, null, web)],
      [1, 2],
      false,
    ],
    ['a better source', hold(1, null, web), [hold(1, null, bluray)], [1], true],
    ['a worse source', hold(1, null, bluray), [hold(1, null, web)], [1], false],
    ['a larger picture than the profile wants first', hold(1, null, web), [hold(1, null, large)], [1], false],
    ['words that mean nothing to the profile', hold(1, null, { source: 'hdtv' }), [hold(1, null)], [1], true],
  ] as const)('%s', ([, wanted, held, episodes, isHeld], { expect }) => {
    expect(isHeldAlready(wanted, held, episodes, order)).toBe(isHeld)
  })

  test('is as good as anything of its size where the profile has no order of sources', ({ expect }) => {
    const held = [hold(1, null, web)]

    expect(isHeldAlready(hold(1, null, bluray), held, [1], { ...order, sources: [] })).toBe(true)
  })
})

describe('what takes the place of what', () => {
  test.for([
    ['better and the same', hold(1, null, bluray), hold(1, null, web), true],
    ['better and more', hold(null, null, bluray), hold(1, null, web), true],
    ['better and less', hold(1, null, bluray), hold(1, 2, web), false],
    ['as good', hold(1, null, web), hold(1, null, web), false],
    ['worse', hold(1, null, web), hold(1, null, bluray), false],
  ] as const)('%s: %s', ([, wanted, other, isReplaced], { expect }) => {
    expect(replaces(wanted, other, order)).toBe(isReplaced)
  })
})
