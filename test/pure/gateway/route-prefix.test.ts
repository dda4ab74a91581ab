import { describe, test } from 'vitest'
import { readRoutePrefix } from '../../../workers/gateway/settings.ts'

const reserved = ['/api/app', '/api/console']

describe('the route prefix', () => {
  test.each([
    [undefined, '/api/v1'],
    ['', '/api/v1'],
    ['/api/v1/', '/api/v1'],
    ['/models/v2', '/models/v2'],
    ['/api/apples', '/api/apples'],
  ])('%s is read as %s', (set, prefix) => {
    const outcome = readRoutePrefix({ API_ROUTE_PREFIX: set }, reserved)

    if (!outcome.ok || outcome.value !== prefix) throw new Error(JSON.stringify(outcome))
  })

  test.each(['/', '/api', '/api/app', '/api/app/v1', '/api/console/v2', 'api/v1', '/a b', '/a//b', '/%61pi'])(
    '%s is refused by the name of its setting',
    (set) => {
      const outcome = readRoutePrefix({ API_ROUTE_PREFIX: set }, reserved)

      if (outcome.ok || outcome.failure.setting !== 'API_ROUTE_PREFIX') throw new Error(JSON.stringify(outcome))
    },
  )
})
