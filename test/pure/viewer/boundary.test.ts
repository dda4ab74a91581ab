import { describe, test } from 'vitest'
import { type RequestFacts, refuse } from '../../../local/viewer/http/boundary.ts'

const bodyBytesMax = 65_536
const plain: RequestFacts = {
  method: 'GET',
  target: '/api/stats',
  hosts: ['127.0.0.1:4747'],
  origins: [],
  contentType: undefined,
  contentLength: undefined,
  hasBody: false,
  marker: undefined,
  port: 4747,
}
const write: RequestFacts = {
  ...plain,
  method: 'POST',
  target: '/api/trails',
  contentType: 'application/json',
  contentLength: '10',
  hasBody: true,
  marker: '1',
}

describe('what is let through', () => {
  test.each<[string, Partial<RequestFacts>]>([
    ['GET', {}],
    ['HEAD', { method: 'HEAD' }],
    ['localhost', { hosts: ['localhost:4747'] }],
    ['LOCALHOST', { hosts: ['LOCALHOST:4747'] }],
    ['[::1]', { hosts: ['[::1]:4747'] }],
    ['a Host without a port on port 80', { hosts: ['localhost'], port: 80 }],
    ['its own Origin', { origins: ['http://127.0.0.1:4747'] }],
    ['its own Origin by another of its names', { origins: ['http://localhost:4747'] }],
    ['three dots in a path', { target: '/api/file/.../x' }],
    ['a percent sign in a name', { target: '/api/file/100%25.ts' }],
    ['dots after the question mark', { target: '/api/source?file=../../etc/passwd' }],
  ])('%s is let through', (_name, change) => {
    const refusal = refuse({ ...plain, ...change }, bodyBytesMax)
    if (refusal !== undefined) throw new Error(refusal.message)
  })

  test.each<[string, Partial<RequestFacts>]>([
    ['a write with its marker and JSON', {}],
    ['a charset beside the type', { contentType: 'application/json; charset=utf-8' }],
    ['a body of exactly the bound', { contentLength: '65536' }],
    [
      'a DELETE without a body and without a type',
      { method: 'DELETE', contentType: undefined, contentLength: undefined, hasBody: false },
    ],
  ])('%s is taken', (_name, change) => {
    const refusal = refuse({ ...write, ...change }, bodyBytesMax)
    if (refusal !== undefined) throw new Error(refusal.message)
  })
})

describe('what is refused', () => {
  test.each<[string, Partial<RequestFacts>, number]>([
    ['PUT', { method: 'PUT' }, 405],
    ['OPTIONS', { method: 'OPTIONS' }, 405],
    ['TRACE', { method: 'TRACE' }, 405],
    ['PATCH', { method: 'PATCH' }, 405],
    ['no Host', { hosts: [] }, 403],
    ['two Hosts', { hosts: ['127.0.0.1:4747', '127.0.0.1:4747'] }, 403],
    ['a foreign Host', { hosts: ['evil.example:4747'] }, 403],
    ['a Host that only starts like ours', { hosts: ['localhost.evil.example:4747'] }, 403],
    ['an empty Host', { hosts: [''] }, 403],
    ['another loopback address', { hosts: ['127.0.0.2:4747'] }, 403],
    ['the any-address', { hosts: ['0.0.0.0:4747'] }, 403],
    ['a trailing dot', { hosts: ['localhost.:4747'] }, 403],
    ['a bare ::1', { hosts: ['::1'] }, 403],
    ['another port', { hosts: ['127.0.0.1:4748'] }, 403],
    ['no port', { hosts: ['127.0.0.1'] }, 403],
    ['user info in the Host', { hosts: ['x@localhost:4747'] }, 403],
    ['Origin null', { origins: ['null'] }, 403],
    ['a foreign Origin', { origins: ['http://evil.example'] }, 403],
    ['an Origin on another port', { origins: ['http://127.0.0.1:3000'] }, 403],
    ['an https Origin', { origins: ['https://127.0.0.1:4747'] }, 403],
    ['an extension as Origin', { origins: ['chrome-extension://abc'] }, 403],
    ['an empty Origin', { origins: [''] }, 403],
    ['an Origin with a path', { origins: ['http://127.0.0.1:4747/x'] }, 403],
    ['a parent segment', { target: '/api/../x' }, 404],
    ['an encoded parent segment', { target: '/api/%2e%2e/x' }, 404],
    ['a half encoded one', { target: '/api/.%2E/x' }, 404],
    ['a doubly encoded one', { target: '/api/%252e%252e/x' }, 404],
    ['a triply encoded one', { target: '/api/%25252e%25252e/x' }, 404],
    ['an encoded slash around it', { target: '/api/a%2f..%2fb' }, 404],
    ['one at the end', { target: '/api/file/..' }, 404],
    ['a backslash', { target: '/api/a\\b' }, 404],
    ['an encoded backslash', { target: '/api/a%5cb' }, 404],
    ['a zero byte', { target: '/api/a%00b' }, 404],
    ['an encoded newline', { target: '/api/a%0ab' }, 404],
    ['a delete byte', { target: '/api/a%7fb' }, 404],
    ['a malformed escape', { target: '/api/%zz' }, 404],
    ['a cut escape', { target: '/api/%2' }, 404],
    ['an escape that is no UTF-8', { target: '/api/%ff' }, 404],
    ['an address instead of a path', { target: 'http://127.0.0.1:4747/api/stats' }, 404],
    ['a star', { target: '*' }, 404],
  ])('%s is refused', (_name, change, status) => {
    const refusal = refuse({ ...plain, ...change }, bodyBytesMax)
    if (refusal?.status !== status) throw new Error(`${refusal?.status} instead of ${status}`)
  })

  test.each<[string, Partial<RequestFacts>, number]>([
    ['a write outside the API', { target: '/x' }, 405],
    ['a write without its marker', { marker: undefined }, 403],
    ['a write with another marker', { marker: 'true' }, 403],
    ['a write with two markers folded', { marker: '1, 1' }, 403],
    ['a write of plain text', { contentType: 'text/plain' }, 403],
    ['a write of a form', { contentType: 'application/x-www-form-urlencoded' }, 403],
    ['a write whose type only starts like JSON', { contentType: 'application/json-seq' }, 403],
    ['a POST without a type', { contentType: undefined }, 403],
    ['a DELETE with a body and no type', { method: 'DELETE', contentType: undefined }, 403],
    ['a body one byte over the bound', { contentLength: '65537' }, 400],
  ])('%s is refused', (_name, change, status) => {
    const refusal = refuse({ ...write, ...change }, bodyBytesMax)
    if (refusal?.status !== status) throw new Error(`${refusal?.status} instead of ${status}`)
  })
})

test('refusals come in their order: method, Host, Origin, place, marker, type, path, size', ({ expect }) => {
  const worst: RequestFacts = {
    method: 'PUT',
    target: '/../x',
    hosts: ['evil.example'],
    origins: ['null'],
    contentType: 'text/plain',
    contentLength: '999999',
    hasBody: true,
    marker: undefined,
    port: 4747,
  }
  const steps: [Partial<RequestFacts>, number][] = [
    [{}, 405],
    [{ method: 'POST' }, 403],
    [{ hosts: ['localhost:4747'] }, 403],
    [{ origins: [] }, 405],
    [{ target: '/api/../x' }, 403],
    [{ marker: '1' }, 403],
    [{ contentType: 'application/json' }, 404],
    [{ target: '/api/trails' }, 400],
    [{ contentLength: '5' }, 0],
  ]
  let facts = worst
  const seen = steps.map(([change]) => {
    facts = { ...facts, ...change }
    return refuse(facts, bodyBytesMax)
  })
  expect(seen.map((one) => one?.status ?? 0)).toEqual(steps.map(([, status]) => status))
  expect(new Set(seen.flatMap((one) => (one === undefined ? [] : [one.message]))).size).toBe(8)
})

test('refusals under /api are JSON and others are text', ({ expect }) => {
  expect(refuse({ ...plain, hosts: [] }, bodyBytesMax)?.isJson).toBe(true)
  expect(refuse({ ...plain, hosts: [], target: '/' }, bodyBytesMax)?.isJson).toBe(false)
  expect(refuse({ ...plain, hosts: [], target: '/apix' }, bodyBytesMax)?.isJson).toBe(false)
})
