import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { parse } from 'yaml'
import { appRouteDeclarations } from '../../../workers/app/contract/routes.ts'

const document = parse(readFileSync('workers/app/contract/app-api-v1.yaml', 'utf8'))

test('app-api-v1.yaml is an OpenAPI 3.0 description labelled a 1.0 preview', ({ expect }) => {
  expect(document.openapi).toMatch(/^3\.0\./)
  expect(document.info).toMatchObject({ title: 'Wharf App API', version: expect.stringMatching(/^1\.0\.\d+-preview$/) })
  expect(document.servers).toEqual([{ url: '/api/app/v1' }])
})

test('it describes exactly the declared endpoints, each with its permission and failures', ({ expect }) => {
  const described = Object.entries<Record<string, { operationId: string; 'x-permission': string; responses: object }>>(
    document.paths,
  ).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))

  expect(described.map(({ operation }) => operation.operationId).sort()).toEqual(
    appRouteDeclarations.map(({ operationId }) => operationId).sort(),
  )
  for (const { path, method, operation } of described) {
    const route = appRouteDeclarations.find((declared) => declared.path === path && declared.method === method)
    expect(operation['x-permission']).toBe(route?.permission)
    const successes = Object.keys(route?.answers ?? {})
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...successes, '401', '403', '500']))
    expect(successes.length).toBeGreaterThan(0)
  }
})

test('a refused field is written down: request bodies take no further properties', ({ expect }) => {
  const bodies = Object.values<Record<string, { requestBody?: { content: Record<string, { schema: object }> } }>>(
    document.paths,
  )
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody }) => (requestBody === undefined ? [] : [requestBody.content['application/json']?.schema]))

  expect(bodies.length).toBeGreaterThan(0)
  for (const schema of bodies) expect(schema).toMatchObject({ additionalProperties: false })
})

test('an endpoint about one named thing says that there may be none of that name', ({ expect }) => {
  const named = Object.entries<Record<string, { responses: object }>>(document.paths).filter(([path]) =>
    path.includes('{'),
  )

  expect(named.length).toBeGreaterThan(0)
  for (const [path, methods] of named)
    for (const { responses } of Object.values(methods))
      expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(['404'])])
})
