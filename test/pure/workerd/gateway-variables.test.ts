import { test } from 'vitest'
import { gatewayVariables } from '../../../local/workerd/gateway-variables.ts'

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
