/** The short form of the attacks on the doors of the App API; `npm run attack` runs the whole of them. */
import { describe, test } from 'vitest'
import { floodAttacks } from '../../attack/floods.ts'
import { proxyAttacks } from '../../attack/proxy.ts'

describe('attacks on the doors', () => {
  test.for([proxyAttacks, floodAttacks])('$name: none gets anywhere', async (group, { expect }) => {
    const outcomes = await group.run({ isShort: true, log: () => undefined })

    expect(outcomes.length).toBeGreaterThan(5)
    expect(outcomes.filter(({ fate }) => fate === 'hole')).toEqual([])
  })
})
