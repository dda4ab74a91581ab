import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import { parse } from 'yaml'
import { listDownloaders } from '../../../workers/app/contract/downloaders.ts'
import { operationExamples } from '../../../workers/app/contract/examples/all.ts'
import { buildOpenApi } from '../../../workers/app/contract/openapi.ts'
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

interface Documented {
  readonly operationId: string
  readonly tags?: string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: { name: string; in: string; example?: unknown }[]
  readonly requestBody?: { content: Record<string, { example?: unknown }> }
  readonly responses: Record<string, { content?: Record<string, { example?: unknown }> }>
}

const operations = Object.values<Record<string, Documented>>(document.paths).flatMap((methods) =>
  Object.values(methods),
)

const english = /^[\x20-\x7e\u2018\u2019\u201c\u201d\u2026]+$/

/** What a stranger would miss of an operation. */
function missingOf(operation: Documented, tags: readonly string[]): string[] {
  const [tag, ...others] = operation.tags ?? []
  const answers = Object.entries(operation.responses).filter(([status]) => Number(status) < 400)
  const bodies = [operation.requestBody, ...answers.map(([, answer]) => answer)].flatMap((each) =>
    each?.content?.['application/json'] === undefined ? [] : [each.content['application/json']],
  )
  return [
    ...(tag !== undefined && others.length === 0 && tags.includes(tag) ? [] : ['tag']),
    ...(english.test(operation.summary ?? '') ? [] : ['summary']),
    ...(english.test(operation.description ?? '') && operation.description !== operation.summary
      ? []
      : ['description']),
    ...((operation.parameters ?? []).every(({ in: place, example }) => place !== 'path' || example !== undefined)
      ? []
      : ['parameter example']),
    ...(bodies.every(({ example }) => example !== undefined) ? [] : ['example']),
  ]
}

const tagsOf = (one: { tags?: { name: string; description?: string }[] }) => (one.tags ?? []).map(({ name }) => name)

test('every operation has a tag, a summary, a description and examples, in English', ({ expect }) => {
  expect(
    operations.flatMap((operation) =>
      missingOf(operation, tagsOf(document)).map((what) => `${operation.operationId}: ${what}`),
    ),
  ).toEqual([])
  expect(document.tags.filter(({ description }: { description?: string }) => !english.test(description ?? ''))).toEqual(
    [],
  )
  expect(tagsOf(document).filter((tag) => !operations.some(({ tags }) => tags?.includes(tag)))).toEqual([])
})

test('an operation without them is noticed', ({ expect }) => {
  const {
    tag: _tag,
    feature: _feature,
    description: _description,
    ...bare
  } = { tag: 'sites', ...listDownloaders } as const
  const built = buildOpenApi([{ ...bare, summary: '下载器' }], '0') as unknown as {
    paths: Record<string, Record<string, Documented>>
    tags?: { name: string }[]
  }
  const [operation] = Object.values(built.paths).flatMap((methods) => Object.values(methods))

  expect(missingOf(operation as Documented, tagsOf(built))).toEqual(['tag', 'summary', 'description', 'example'])
})

test.for(operationExamples.map((example) => [example.operationId, example] as const))(
  'the examples of %s are what it takes and answers',
  ([operationId, example], { expect }) => {
    const route = appRouteDeclarations.find((declared) => declared.operationId === operationId)
    for (const part of ['params', 'query', 'body'] as const) {
      const { [part]: given } = example
      if (given !== undefined) expect([part, route?.[part]?.safeParse(given).error]).toEqual([part, undefined])
    }
    for (const [status, answer] of Object.entries(example.answers)) {
      const schema = route?.answers[Number(status)]
      if (schema === undefined || typeof schema === 'string')
        throw new Error(`${operationId} answers no ${status} in JSON`)
      // A field that the schema does not know is dropped on the way: then the two differ.
      expect(schema.parse(answer)).toEqual(answer)
    }
  },
)

test('the document says nothing in Chinese but what is shown as an answer', ({ expect }) => {
  const texts: string[] = []
  const walk = (value: unknown, key: string): void => {
    if (key === 'example') return
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) walk(inner, name)
  }
  walk(document, '')

  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter((text) => /\p{Script=Han}/u.test(text))).toEqual([])
})
