/** The documents that others make clients from, by the rules of those who lint them; and that each rule finds its fault. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { parse } from 'yaml'
import { startTestServer, type TestServer } from '../../support/agent-server.ts'
import { type OpenApiDocument, openApiFaults } from '../../support/openapi-faults.ts'

const root = path.resolve(import.meta.dirname, '../../..')

describe('the document', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  test('of the agent server has no fault, and says who may come in', async ({ expect }) => {
    const document: OpenApiDocument = (await server.send('GET', '/openapi.json')).body
    expect(openApiFaults(document)).toEqual([])
    expect(document.security).toEqual([{ password: [] }, { browser: [] }, {}])
  })

  test('of the App API has none either', ({ expect }) => {
    const written = readFileSync(path.join(root, 'workers/app/contract/app-api-v1.yaml'), 'utf8')
    expect(openApiFaults(parse(written))).toEqual([])
  })
})

describe('a rule of documents', () => {
  const operation = {
    operationId: 'readShip',
    summary: 'One ship',
    parameters: [{ in: 'path', name: 'id' }],
    responses: { 200: { description: 'It' }, 404: { description: 'None' } },
  }
  const sound: OpenApiDocument = {
    info: { license: { name: 'MIT' }, description: 'Ships' },
    servers: [{ url: '/' }],
    security: [{ password: [] }],
    components: { securitySchemes: { password: {} } },
    paths: { '/ships/{id}': { get: operation } },
  }
  const withOperation = (changed: object): OpenApiDocument => ({
    ...sound,
    paths: { '/ships/{id}': { get: { ...operation, ...changed } } },
  })
  const { security: _security, ...open } = sound

  test('finds nothing in a sound one', ({ expect }) => {
    expect(openApiFaults(sound)).toEqual([])
  })

  test.for<[OpenApiDocument, string]>([
    [{ ...sound, servers: [] }, 'no servers'],
    [{ ...sound, info: { description: 'Ships' } }, 'no licence'],
    [{ ...sound, info: { license: {} } }, 'no description'],
    [open, 'get /ships/{id}: nothing says who may'],
    [{ ...sound, components: {} }, 'get /ships/{id}: no entrance password'],
    [withOperation({ operationId: undefined }), 'get /ships/{id}: no operationId'],
    [withOperation({ summary: '' }), 'get /ships/{id}: no summary'],
    [withOperation({ parameters: [] }), 'get /ships/{id}: parts id and parameters '],
    [withOperation({ parameters: [{ in: 'path', name: 'ship' }] }), 'get /ships/{id}: parts id and parameters ship'],
    [
      withOperation({ responses: { 404: { description: 'None' } } }),
      'get /ships/{id}: no answer that is none of a failure',
    ],
    [withOperation({ responses: { 200: { description: 'It' } } }), 'get /ships/{id}: no refusal'],
    [withOperation({ responses: { ...operation.responses, 200: {} } }), 'get /ships/{id}: 200 is not described'],
    [
      {
        ...sound,
        paths: {
          ...sound.paths,
          '/ships/{name}': { get: { ...operation, operationId: 'other', parameters: [{ in: 'path', name: 'name' }] } },
        },
      },
      '/ships/{name} is the same as /ships/{id}',
    ],
    [
      {
        ...sound,
        paths: { ...sound.paths, '/fleet/': { get: { ...operation, operationId: 'other', parameters: [] } } },
      },
      '/fleet/ is no path',
    ],
    [
      { ...sound, paths: { ...sound.paths, '/fleet': { get: { ...operation, parameters: [] } } } },
      'get /fleet: operationId of get /ships/{id}',
    ],
  ])('%#: %s', ([document, fault], { expect }) => {
    expect(openApiFaults(document)).toEqual([fault])
  })
})
