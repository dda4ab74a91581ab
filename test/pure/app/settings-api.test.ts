/** The description of the settings for scripts. */
import { test } from 'vitest'
import { buildOpenApi, settingsApi } from '../../../workers/app/contract/openapi.ts'
import { settingRouteDeclarations } from '../../../workers/app/contract/settings-api.ts'

const document = buildOpenApi(settingRouteDeclarations, '0', [], settingsApi)

test('the settings are described in English, for a token alone', ({ expect }) => {
  const text = JSON.stringify(document)
  expect(text).not.toMatch(/\p{Script=Han}/u)
  expect(document).toMatchObject({ servers: [{ url: '/api/settings/v1' }], security: [{ token: [] }] })
  expect(Object.keys(document.paths ?? {})).toEqual(
    expect.arrayContaining(['/sites', '/channels/test', '/configuration']),
  )
})

test('what reads a secret is nowhere in an answer', ({ expect }) => {
  const answers = settingRouteDeclarations.map(({ operationId }) => {
    const operation = Object.values(document.paths ?? {})
      .flatMap((methods) => Object.values(methods as Record<string, { operationId?: string; responses?: object }>))
      .find((one) => one.operationId === operationId)
    return JSON.stringify(operation?.responses ?? {})
  })
  for (const answer of answers)
    expect(answer).not.toMatch(/"(?:password|cookie|api_key|token|signing_key|header_value|proxy|answers)":/)
})
