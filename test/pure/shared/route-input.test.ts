import { Hono } from 'hono'
import { describe, test } from 'vitest'
import { z } from 'zod'
import { callBound, type Declaration, type RouteCall, serveBound } from '../../../shared/http/bound-route.ts'
import { type InputDeclaration, type InputRules, readRouteInput } from '../../../shared/http/route-input.ts'
import { routerPattern, servedPaths } from '../../../shared/http/route-paths.ts'
import { type Result, succeed } from '../../../shared/kernel/result.ts'

const rules: InputRules<InputDeclaration, string> = {
  bodySchema: (route) => route.body,
  bodyBounds: () => ({ bytesMax: 20, depthMax: 2 }),
  mayOmitBody: (route) => route.body?.safeParse({}).success === true,
  emptyQueryValue: 'absent',
  refuseValue: (part, _, error) => `${part} ${error.issues[0]?.path.join('.')}`,
  refuseRepeated: (name) => `repeated ${name}`,
  refuseBody: (reason) => reason,
}
const text = z.string().min(2)
const route = { params: z.strictObject({ id: text }), query: z.strictObject({ q: text.optional() }) }
const withBody = { ...route, body: z.strictObject({ a: z.number() }) }
const optional = { body: z.strictObject({ a: z.number().optional() }) }

const get = (target: string) => new Request(`http://h.test${target}`)
const post = (body: string | ReadableStream | null, target = '/') =>
  new Request(`http://h.test${target}`, { method: 'POST', body, duplex: 'half' } as RequestInit)

describe('the input of a route', () => {
  test.for<[string, InputDeclaration, Request, Record<string, string>, unknown]>([
    ['path before query and body', withBody, post('no', '/?q=1'), { id: '1' }, 'params id'],
    ['query before body', withBody, post('no', '/?q=1'), { id: 'xx' }, 'query q'],
    ['a parameter given twice', route, get('/?q=aa&q=bb'), { id: 'xx' }, 'repeated q'],
    ['a body that is missing', withBody, post(null), { id: 'xx' }, 'empty'],
    ['a body that is no JSON', withBody, post('{'), { id: 'xx' }, 'not_json'],
    ['a body at its depth, of the wrong shape', withBody, post('{"a":[]}'), { id: 'xx' }, 'body a'],
    ['a body past its depth', withBody, post('{"a":[[1]]}'), { id: 'xx' }, 'too_deep'],
    ['a body at its bound, of the wrong shape', withBody, post(`{"b":${'1'.repeat(14)}}`), { id: 'xx' }, 'body a'],
    ['a body past its bound', withBody, post(`{"b":${'1'.repeat(15)}}`), { id: 'xx' }, 'too_large'],
  ])('is refused by its first fault: %s', async ([, declared, request, params, refusal], { expect }) => {
    expect(await readRouteInput(rules, declared, request, params)).toEqual({ ok: false, failure: refusal })
  })

  test('is what the schemas put out, with an empty parameter left out and the unknown ignored', async ({ expect }) => {
    const read = await readRouteInput(rules, withBody, post('{"a":1}', '/?q=&other=x'), { id: 'xx' })
    expect(read).toEqual({ ok: true, value: { params: { id: 'xx' }, query: {}, body: { a: 1 } } })
  })

  test('keeps an empty parameter where the family does, and no part of a fragment', ({ expect }) => {
    const kept = { ...rules, emptyQueryValue: 'kept' as const }
    const query = { query: z.strictObject({ q: z.string().optional() }) }
    expect(readRouteInput(kept, query, get('/?q='), {})).toMatchObject({ value: { query: { q: '' } } })
    expect(readRouteInput(kept, query, get('/?q=a#?q=b'), {})).toMatchObject({ value: { query: { q: 'a' } } })
  })

  test('is there at once where no body is waited for', ({ expect }) => {
    expect(readRouteInput(rules, route, get('/?q=aa'), { id: 'xx' })).not.toBeInstanceOf(Promise)
  })

  test('may be nothing where everything of a body is optional', async ({ expect }) => {
    expect(await readRouteInput(rules, optional, post(null), {})).toMatchObject({ ok: true, value: { body: {} } })
  })

  test('of a connection that breaks is refused, and throws nothing', async ({ expect }) => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    expect(await readRouteInput(rules, optional, post(broken), {})).toEqual({ ok: false, failure: 'broken_off' })
  })
})

test('a path stands once, with every method, and a written-out one before one with a parameter', ({ expect }) => {
  const routes = [
    { method: 'get', path: '/things/{id}' },
    { method: 'delete', path: '/things/{id}' },
    { method: 'post', path: '/things/all' },
  ]
  const paths = servedPaths(routes, '/api').map(({ pattern, methods }) => [pattern, methods.join()])
  expect(paths).toEqual([
    ['/api/things/all', 'POST'],
    ['/api/things/:id', 'GET,HEAD,DELETE'],
  ])
  expect(routerPattern('/files/{*name}')).toBe('/files/:*name{[\\s\\S]+}')
})

test('a fault while a refusal is written reaches the handler of faults of the whole', async ({ expect }) => {
  const app = new Hono()
  const fault = () => {
    throw new Error('no storage')
  }
  const serve = () => new Response('served')
  const routes = [{ route: { method: 'get', path: '/things' } }]
  serveBound(app, routes, { serve, refuseMethod: fault, refusePath: fault })
  app.onError(({ message }) => new Response(message, { status: 503 }))
  const answers = await Promise.all([
    app.request('/things'),
    app.request('/things', { method: 'PUT' }),
    app.request('/none'),
  ])
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['served', 'no storage', 'no storage'])
})

test('a call has the headers and the signal of its request once they are asked for, and keeps them with other input', ({
  expect,
}) => {
  let made = 0
  const headers = new Headers({ 'x-one': '1' })
  const { signal } = new AbortController()
  const request = {
    url: 'http://x/',
    method: 'GET',
    get headers() {
      made += 1
      return headers
    },
    get signal() {
      made += 1
      return signal
    },
  } as Request
  const whole: Declaration = { method: 'get', path: '/' }
  const called = (handle: (call: RouteCall<Declaration>) => Result<object, string>) =>
    callBound(rules, { route: whole, handle }, request, {}, { more: 'more' })

  expect(called((call) => succeed(Object.keys(call)))).toEqual({ ok: true, value: ['more', 'params', 'query', 'body'] })
  expect(called((call) => succeed({ ...call.withInput({ body: 'other' }) }))).toEqual({
    ok: true,
    value: { more: 'more', body: 'other' },
  })
  expect(made).toBe(0)
  const read = called((call) => {
    const other = call.withInput({ body: 'other' })
    return succeed([call.headers, other.headers, other.signal])
  })
  expect(read).toEqual({ ok: true, value: [headers, headers, signal] })
  expect(made).toBe(3)
})
