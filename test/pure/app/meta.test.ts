import { describe, test } from 'vitest'
import type { RouteDeclaration } from '../../../workers/app/contract/route.ts'
import { appRouteDeclarations } from '../../../workers/app/contract/routes.ts'
import { featureGroups } from '../../../workers/app/core/vocabulary.ts'
import { metaRoutes } from '../../../workers/app/http/routes/meta.ts'

/** What `GET /meta` of a host lists that serves these. */
async function featuresOf(served: readonly RouteDeclaration[]): Promise<readonly string[]> {
  const [meta] = metaRoutes({ version: '0.0.0' }, served)
  const principal = { kind: 'session', id: 'session', scopes: ['app:read'] } as const
  const answer = await meta?.handle({ principal } as unknown as Parameters<typeof meta.handle>[0])
  return (answer as unknown as { value: { body: { features: string[] } } }).value.body.features
}

describe('GET /meta', () => {
  test('of a host with every endpoint lists every group', async ({ expect }) => {
    expect(await featuresOf(appRouteDeclarations)).toEqual(featureGroups)
  })

  test.for(featureGroups)(
    'of a host without the endpoints of %s lists the others and omits it',
    async (group, { expect }) => {
      const served = appRouteDeclarations.filter(({ feature }) => feature !== group)
      expect(served.length).toBeLessThan(appRouteDeclarations.length)
      expect(await featuresOf(served)).toEqual(featureGroups.filter((one) => one !== group))
    },
  )

  test('lists a group as long as one of its endpoints is there', async ({ expect }) => {
    const [first, ...others] = appRouteDeclarations.filter(({ feature }) => feature === 'templates')
    const served = appRouteDeclarations.filter((route) => !others.includes(route))
    expect([first?.feature, others.length > 0]).toEqual(['templates', true])
    expect(await featuresOf(served)).toContain('templates')
  })
})
