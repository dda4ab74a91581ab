import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readyDefinitions, siteProfile } from '../../../workers/app/adapters/sites/site-definitions.ts'
import { siteRulesOf } from '../../../workers/app/adapters/sites/site-rules.ts'
import { type SiteDefinition, siteDefinitions } from '../../../workers/app/contract/site-definition.ts'
import rules from '../../../workers/app/definitions/site-rules.json' with { type: 'json' }

const named = readyDefinitions.filter(({ address }) => address !== undefined)

describe('the sites that are known by name', () => {
  test('are many, each there once, reached by https', ({ expect }) => {
    const hosts = named.map(({ address = '' }) => new URL(address).host)

    expect(named.length).toBeGreaterThan(140)
    expect(new Set(hosts).size).toBe(hosts.length)
    expect(named.filter(({ address }) => !address?.startsWith('https://'))).toEqual([])
    expect(named.filter(({ address = '' }) => new URL(address).pathname.endsWith('//'))).toEqual([])
  })

  test('are as their schema has them, which nothing holds them against when the service starts', ({ expect }) => {
    expect(siteDefinitions.parse(readyDefinitions)).toEqual(readyDefinitions)
  })

  test.each(['README.md', 'README.zh.md'])('are as many as %s says', (name) => {
    const text = readFileSync(path.resolve(import.meta.dirname, '../../..', name), 'utf8')

    expect(text).toMatch(new RegExp(`\\b${named.length}(?: of them known by name| 个已知名)`))
  })

  /** What is known of them, facet by facet: a line that is lost with its neighbour is missed here. */
  test.each<[facet: string, known: number, of: (definition: SiteDefinition) => unknown]>([
    ['categories', 187, ({ overrides }) => overrides?.categories],
    ['levels', 147, ({ id }) => siteRulesOf(id).levels],
    ['what has to be seeded', 120, ({ id }) => siteRulesOf(id).hit_and_run],
    ['a word of its own for the bonus', 25, ({ overrides }) => overrides?.labels?.bonus],
    ['a way of its own to sign in, or none', 35, ({ overrides }) => overrides?.paths?.sign_in ?? overrides?.signs_in],
  ])('%s: known of %i', (_facet, known, of) => {
    const found = named.filter((definition) => of(definition) !== undefined).length
    if (found !== known) throw new Error(String(found))
  })

  test('have no rules that belong to nobody', ({ expect }) => {
    const ids = new Set(readyDefinitions.map(({ id }) => id))
    expect(Object.keys(rules).filter((id) => !ids.has(id))).toEqual([])
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
