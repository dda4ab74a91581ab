import { test } from 'vitest'
import { LanguageModels } from '../../../local/agent/adapters/language-model.ts'
import { languageModelsMax } from '../../../local/agent/limits.ts'
import type { ModelEndpoint } from '../../../local/agent/runtime/model-port.ts'

function endpoint(id: string, apiKey = 'one'): ModelEndpoint {
  return {
    ref: { providerID: 'fake', id },
    package: '@ai-sdk/openai-compatible',
    url: 'http://127.0.0.1:1/v1',
    apiKey,
    headers: {},
    outputTokensMax: undefined,
    mediaTypes: undefined,
    options: {},
    quietMsMax: undefined,
  }
}

test('as many models as turns run are kept ready, and one more begins anew', async ({ expect }) => {
  const models = new LanguageModels(fetch)
  const first = await models.of(endpoint('0'))
  for (let index = 1; index < languageModelsMax; index += 1) await models.of(endpoint(String(index)))
  expect(await models.of(endpoint('0'))).toBe(first)
  await models.of(endpoint('one more'))
  expect(await models.of(endpoint('0'))).not.toBe(first)
})

test('a model that is spoken to with another key is another one', async ({ expect }) => {
  const models = new LanguageModels(fetch)
  expect(await models.of(endpoint('0', 'two'))).not.toBe(await models.of(endpoint('0')))
})
