import { describe, test } from 'vitest'
import { readyDefinitions, siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'

const named = readyDefinitions.filter(({ address }) => address !== undefined)

describe('the sites that are known by name', () => {
  test('are many, each there once, reached by https', ({ expect }) => {
    const hosts = named.map(({ address = '' }) => new URL(address).host)

    expect(named.length).toBeGreaterThan(140)
    expect(new Set(hosts).size).toBe(hosts.length)
    expect(named.filter(({ address }) => !address?.startsWith('https://'))).toEqual([])
    expect(named.filter(({ address = '' }) => new URL(address).pathname.endsWith('//'))).toEqual([])
  })

  test.each(named.map((definition) => [definition.id, definition] as const))(
    '%s makes a profile',
    (_id, definition) => {
      const { kind, overrides = {} } = definition
      const profile = siteProfile(kind, overrides)

      for (const ids of Object.values(profile.categories)) {
        if (new Set(ids).size !== ids.length) throw new Error(`${definition.id} names a category twice`)
      }
    },
  )
})
