// @module-tag slow
/**
 * Every route of the document with sound, odd and broken parameters, queries and bodies: the status is one that the
 * document names, a failure has the shape of one, and nothing is ever the server's own mistake.
 */
import fc from 'fast-check'
import { afterAll, test } from 'vitest'
import { startTestServer } from '../../support/agent-server.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

interface Route {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const runsPerRoute = Number(process.env['WHARF_FUZZ_RUNS'] ?? '60')

const server = await startTestServer()
server.model.otherwise({ text: ['ok'] })
const session = await server.createSession()
const document: {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
} = (await server.send('GET', '/openapi.json')).body

afterAll(() => server.close())

const oddTexts = fc.oneof(
  fc.constantFrom('', '0', '1', '-1', '1e3', '1.5', '201', '9007199254740993', 'null', 'asc', 'desc', 'true', '[]'),
  fc.constantFrom('\0', '\u2028', '../../etc/passwd', '%00', "' OR 1=1 --", '__proto__', 'x'.repeat(2_000), '\uFEFF'),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed()),
)

function identifier(name: string): fc.Arbitrary<string> {
  const prefix =
    name === 'messageID'
      ? 'msg_'
      : name === 'requestID'
        ? 'per_'
        : name === 'sessionID'
          ? 'ses_'
          : name === 'ptyID'
            ? 'pty_'
            : ''
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(name === 'sessionID' ? session : `${prefix}x`) },
    fc.constantFrom(`${prefix}unknown`, `${prefix}${'y'.repeat(300)}`, 'que_x', 'fake', 'toString'),
    oddTexts.filter((text) => text !== ''),
  )
}

/** What a schema allows, with something else in the place of any part now and then. */
function generatorOf(schema: Schema | undefined, depth = 0): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text) as unknown),
    oddTexts,
  )
  if (schema === undefined || depth > 6) return odd
  return fc.oneof({ weight: 9, arbitrary: fitting(schema, depth) }, odd)
}

function fitting(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const name = schema.$ref?.split('/').at(-1)
  if (name !== undefined) return generatorOf(document.components?.schemas?.[name], depth + 1)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => generatorOf(choice, depth + 1)))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'object') {
    const entries = Object.entries(schema.properties ?? {}).map(([key, inner]) => [key, generatorOf(inner, depth + 1)])
    return fc.record(Object.fromEntries(entries) as Record<string, fc.Arbitrary<unknown>>, {
      requiredKeys: [...(schema.required ?? [])],
    })
  }
  if (type === 'array') return fc.array(generatorOf(schema.items, depth + 1), { maxLength: 3 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number') return fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, 1, -1))
  return fc.oneof(fc.constantFrom('build', 'fake', 'one', 'msg_x', session), oddTexts)
}

function requestOf({ operation }: Route) {
  const parameters = operation.parameters ?? []
  const texts = (place: string, text: (name: string) => fc.Arbitrary<string>, requiredKeys: string[] | undefined) => {
    const named = parameters.filter((parameter) => parameter.in === place).map(({ name }) => [name, text(name)])
    return fc.record(
      Object.fromEntries(named) as Record<string, fc.Arbitrary<string>>,
      requiredKeys && { requiredKeys },
    )
  }
  const schema = operation.requestBody?.content['application/json'].schema
  return fc.record({
    params: texts('path', identifier, undefined),
    // Nearly every odd text there is refused before anything else is looked at.
    query: fc.oneof(
      fc.constant({}),
      texts('query', () => oddTexts, []),
    ),
    body: schema === undefined ? fc.constantFrom(undefined, undefined, {}, [], 'x', null) : generatorOf(schema),
  })
}

/** A prompt that is taken in starts no turn: what a turn does is not the matter here. */
function withoutTurn(path: string, body: unknown): unknown {
  const isPrompt = path.endsWith('/prompt') && typeof body === 'object' && body !== null && !Array.isArray(body)
  return isPrompt ? { ...body, resume: false } : body
}

function routesOf(): Route[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

test('every route answers whatever it is sent as the document says', { timeout: 300_000 }, async ({ expect }) => {
  const routes = routesOf()
  expect(routes.length).toBeGreaterThan(30)
  const seen = new Map<string, Set<number>>()
  for (const route of routes) {
    const statuses = new Set<number>()
    seen.set(route.name, statuses)
    await fc.assert(
      fc.asyncProperty(requestOf(route), async ({ params, query, body }) => {
        const target = route.path.replaceAll(/\{(\*?\w+)\}/g, (_all, name: string) =>
          encodeURIComponent(params[name] ?? ''),
        )
        const search = new URLSearchParams(query).toString()
        const leave = new AbortController()
        const response = await fetch(`${server.address}${target}${search === '' ? '' : `?${search}`}`, {
          method: route.method,
          signal: leave.signal,
          ...(route.method === 'GET' || body === undefined
            ? {}
            : {
                body: JSON.stringify(withoutTurn(route.path, body)),
                headers: { 'content-type': 'application/json' },
              }),
        })
        statuses.add(response.status)
        const told = `${route.name} ${target}?${search} ${JSON.stringify(body)} -> ${response.status}`
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
        const text = isStream ? '' : await response.text()
        leave.abort()
        // A path part such as `..` or a byte of nothing never reaches a route: the boundary refuses it.
        const boundary = [400, 404]
        const documented = Object.keys(route.operation.responses).map(Number)
        expect([...documented, ...boundary], `${told} ${text}`).toContain(response.status)
        expect(response.status, `${told} ${text}`).not.toBe(500)
        if (response.status < 400) return
        const failure = JSON.parse(text) as {
          _tag?: string
          kind?: string
          error?: { code?: string; message?: string }
        }
        expect(failure._tag, told).toBeTypeOf('string')
        const isTaggedAlone = failure._tag === 'ProviderNotFoundError' || failure.kind === 'Query'
        if (failure.error !== undefined || !isTaggedAlone) {
          expect(failure.error, told).toEqual({ code: expect.any(String), message: expect.any(String) })
        }
      }),
      { numRuns: runsPerRoute },
    )
  }
  // A generator that never gets past the checks would prove little.
  const succeeded = [...seen].filter(([, statuses]) => [...statuses].some((status) => status < 300))
  expect(succeeded.length).toBeGreaterThan(routes.length / 2)
  expect((await server.send('GET', '/api/health')).status).toBe(200)
})
