import { test } from 'vitest'
import { gatewayVariables } from '../../../local/workerd/gateway-variables.ts'
import { readSettings } from '../../../workers/gateway/settings.ts'

test('the gateway is handed its own settings, of which an empty one is none', ({ expect }) => {
  const environment = {
    API_KEY: '',
    APP_API_KEY: ' ',
    APP_DEFAULT_MODEL: 'a-model',
    AWS_REGION: 'eu-west-1',
    AWS_PROFILE: undefined,
    HOME: '/home/owner',
    WHARF_API_KEY: 'of a client',
  }

  expect(gatewayVariables(environment)).toEqual({ APP_DEFAULT_MODEL: 'a-model', AWS_REGION: 'eu-west-1' })
})

/** The listener's and the store's of a gateway that stands alone: this host has its own. */
const ofStandingAlone = ['DATA_DIR', 'MAX_CLIENT_CONNECTIONS']

test('every setting that the gateway reads is handed on, but those of a gateway that stands alone', ({ expect }) => {
  const asked = new Set<string>()
  const watched = new Proxy({} as Record<string, string>, {
    get(_, name) {
      asked.add(String(name).replace(/^APP_/, ''))
      return undefined
    },
  })
  readSettings(watched)
  const environment = Object.fromEntries([...asked].map((name) => [name, 'x']))
  const left = Object.keys(environment).filter((name) => gatewayVariables(environment)[name] === undefined)
  expect(left.sort()).toEqual(ofStandingAlone)
})
