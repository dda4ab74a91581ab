/** The same battery for every declared route, derived from the declarations: a new route is in it at once. */
import { env } from 'cloudflare:workers'
import { describe, test } from 'vitest'
import { appPrefix, appRoutes, consolePrefix, consoleRoutes } from '../../../workers/app/app.ts'
import { composeAppDeps } from '../../../workers/app/compose.ts'
import { consoleRouteDeclarations } from '../../../workers/app/contract/console.ts'
import { emptyBody, type RouteDeclaration } from '../../../workers/app/contract/route.ts'
import { appRouteDeclarations } from '../../../workers/app/contract/routes.ts'
import { bodyBytesMax, bodyDepthMax } from '../../../workers/app/limits.ts'
import { auditRows, type Caller, makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { makeDevice } from '../../support/workerd/devices.ts'
import { neededQueries, setServices } from '../../support/workerd/service-under-test.ts'

interface Row {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly command: string
  readonly route: RouteDeclaration
}

function rows(prefix: string, routes: readonly RouteDeclaration[]): Row[] {
  return routes.map((route) => {
    const method = route.method.toUpperCase()
    return {
      name: `${method} ${route.path}`,
      method,
      path: `${prefix}${route.path.replace(/\{[a-z_]+\}/g, '1')}${neededQueries[route.operationId] ?? ''}`,
      command: `${method} ${prefix}${route.path}`,
      route,
    }
  })
}

const appRows = rows(appPrefix, appRouteDeclarations)
const consoleRows = rows(consolePrefix, consoleRouteDeclarations)
const guardedConsoleRows = consoleRows.filter(({ route }) => route.permission === 'session')
const allGuarded = [...appRows, ...guardedConsoleRows]

const session = await ownerSession()
await setServices(session, 'every-route')
const both = (await makeToken(session, ['app:read', 'app:write'])).caller
const reader = await makeToken(session, ['app:read'])
const readOnly = reader.caller
const readOnlyId = reader.id
const writeOnly = (await makeToken(session, ['app:write'])).caller
const gone = await makeToken(session, ['app:read', 'app:write'])
await send('DELETE', `${consolePrefix}/tokens/${gone.id}`, session)
const revoked = gone.caller
const old = await makeToken(session, ['app:read', 'app:write'])
await env.DB.prepare('update api_tokens set expires_at_unix = 1000 where id = ?').bind(old.id).run()
const fullDevice = await makeDevice(session, 'full')
const readDevice = await makeDevice(session, 'read')
const expired = old.caller

test('the served routes are exactly the declared ones', ({ expect }) => {
  const deps = composeAppDeps(env, { run: () => undefined })

  expect(appRoutes(deps).map(({ route }) => route.operationId)).toEqual(
    appRouteDeclarations.map(({ operationId }) => operationId),
  )
  expect(
    consoleRoutes(deps)
      .map(({ route }) => route.operationId)
      .sort(),
  ).toEqual(consoleRouteDeclarations.map(({ operationId }) => operationId).sort())
})

describe('what belongs to the owner’s page', () => {
  const served = new Set(appRows.map(({ method, path }) => `${method} ${path}`))
  const ownersOnly = [
    ...consoleRows.map(({ method, route }) => [method, `${appPrefix}${route.path.replace(/\{[a-z_]+\}/g, '1')}`]),
    ['GET', `${appPrefix}/settings`],
    ['PUT', `${appPrefix}/settings`],
    ['GET', `${appPrefix}/notifications`],
    ['GET', `${appPrefix}/notification-channels`],
    ['POST', `${appPrefix}/notification-channels`],
    ['GET', `${appPrefix}/../../console/v1/settings`.replace('/../..', '%2F..%2F..')],
  ].filter(([method, path]) => !served.has(`${method} ${path}`))

  test.each(ownersOnly)('%s %s is no App endpoint, whatever the token may do', async (method = '', path = '') => {
    const answer = await send(method, path, both, method === 'GET' ? {} : { json: {} })

    if (answer.status !== 404 && answer.status !== 405) throw new Error(JSON.stringify(answer))
  })
})

/** What is made, and what is begun and goes on after the answer. */
const otherSuccesses: Readonly<Record<string, string>> = { createConversation: '201,202', sendMessage: '202' }

test.each(appRows)('$name has one success, and it is 200', ({ route }) => {
  const successes = Object.keys(route.answers).filter((status) => status.startsWith('2'))

  if (successes.join() !== (otherSuccesses[route.operationId] ?? '200')) throw new Error(successes.join())
})

describe('without a valid credential', () => {
  const { text: unknownId } = { text: `wharf_unknownunknown_${'A'.repeat(43)}` }

  test.each(allGuarded)('$name answers the same 401 whatever is wrong with it', async ({ method, path }) => {
    const wrongSecret = (both['authorization'] ?? '').replace(/.{4}$/, 'AAAA')
    const attempts: Caller[] = [
      {},
      { authorization: 'Bearer' },
      { authorization: `Bearer ${unknownId}` },
      { authorization: wrongSecret },
      { authorization: `Basic ${btoa('admin:admin')}` },
      { cookie: 'wharf_session=AAAA' },
      revoked,
      expired,
    ]

    const answers = await Promise.all(attempts.map((caller) => send(method, path, caller)))

    for (const answer of answers) {
      if (answer.status !== 401 || answer.body.error !== 'unauthorized') throw new Error(JSON.stringify(answer))
    }
    if (new Set(answers.map(({ body }) => JSON.stringify(body))).size !== 1) throw new Error('the answers differ')
  })

  test('a token in the query string is no credential', async ({ expect }) => {
    const token = (both['authorization'] ?? '').slice('Bearer '.length)

    expect((await send('GET', `${appPrefix}/meta?token=${token}&access_token=${token}`)).status).toBe(401)
  })

  test.each(appRows)('$name judges the credential before method and body', async ({ path }) => {
    const answer = await send('PATCH', path, {}, { raw: '{' })

    if (answer.status !== 401) throw new Error(JSON.stringify(answer))
  })
})

describe('with a token', () => {
  test.each(guardedConsoleRows)('$name of the console answers 401', async ({ method, path }) => {
    const answer = await send(method, path, both)

    if (answer.status !== 401) throw new Error(JSON.stringify(answer))
  })

  test.each(appRows.filter(({ route }) => route.permission === 'operate'))(
    '$name refuses a read token and records it',
    async ({ method, path, command }) => {
      const answer = await send(method, path, readOnly, { json: {} })

      if (answer.status !== 403 || answer.body.error !== 'forbidden') throw new Error(JSON.stringify(answer))
      const recorded = (await auditRows()).filter(
        (row) => row.command === command && row.user === `token:${readOnlyId}`,
      )
      if (
        recorded.length !== 1 ||
        recorded[0]?.result !== 'error' ||
        recorded[0].status !== 403 ||
        recorded[0].channel !== 'api_token'
      ) {
        throw new Error(JSON.stringify(recorded))
      }
    },
  )

  test.each(appRows.filter(({ route }) => route.permission === 'read'))(
    '$name refuses a write-only token: Read does not follow from Operate',
    async ({ method, path }) => {
      const answer = await send(method, path, writeOnly)

      if (answer.status !== 403 || answer.body.error !== 'forbidden') throw new Error(JSON.stringify(answer))
    },
  )
})

describe('with a paired device', () => {
  const reading = appRows.filter(({ route }) => route.permission === 'read')
  const operating = appRows.filter(({ route }) => route.permission === 'operate')

  test.each([
    ...reading.flatMap((row) => [
      { ...row, who: 'read' },
      { ...row, who: 'full' },
    ]),
    ...operating.map((row) => ({ ...row, who: 'full' })),
  ])('$name answers a device with $who permission as it answers a token', async ({ method, path, who, command }) => {
    const device = who === 'full' ? fullDevice : readDevice
    for (const sent of method === 'GET' ? [{}] : [{ json: {} }, { raw: '{"surprise":1}' }, { raw: '{' }]) {
      const [got, wanted] = [await send(method, path, device, sent), await send(method, path, both, sent)]
      if (got.status !== wanted.status || got.body.error !== wanted.body.error || got.status === 403)
        throw new Error(JSON.stringify([got, wanted]))
    }
    const recorded = (await auditRows()).filter((row) => row.command === command && row.user === `device:${device.id}`)
    const isWritten = recorded.length > 0 && recorded.every(({ channel }) => channel === 'remote_device')
    if (isWritten !== operating.some((row) => row.command === command)) throw new Error(JSON.stringify(recorded))
  })

  test.each(operating)(
    '$name refuses a device with read permission and records it',
    async ({ method, path, command }) => {
      const answer = await send(method, path, readDevice, { json: {} })

      if (answer.status !== 403 || answer.body.error !== 'forbidden') throw new Error(JSON.stringify(answer))
      const recorded = (await auditRows()).filter(
        (row) => row.command === command && row.user === `device:${readDevice.id}`,
      )
      const [row] = recorded
      if (recorded.length !== 1 || row?.result !== 'error' || row.status !== 403 || row.channel !== 'remote_device')
        throw new Error(JSON.stringify(recorded))
    },
  )

  test.each(consoleRows)('$name of the console does not exist there', async ({ method, path }) => {
    const answer = await send(method, path, fullDevice, method === 'GET' ? {} : { json: {} })

    if (answer.status !== 404 || answer.body.error !== 'not_found') throw new Error(JSON.stringify(answer))
  })

  test.each([
    '/',
    '/index.html',
    '/api/v1/models',
    '/api/tunnel/v1/request',
    `${appPrefix}/nope`,
    appPrefix,
    `${appPrefix}/../../console/v1/tokens`,
    `${appPrefix}/%2e%2e/%2e%2e/console/v1/tokens`,
    `//wharf.test${consolePrefix}/tokens`,
  ])('%s does not exist there, as any unknown path', async (path) => {
    const [answer, unknown] = [await send('GET', path, fullDevice), await send('GET', '/api/nowhere', fullDevice)]

    if (answer.status !== 404 || answer.body.error !== 'not_found') throw new Error(JSON.stringify(answer))
    if (JSON.stringify(answer.body) !== JSON.stringify(unknown.body)) throw new Error('the answers differ')
  })

  test.each(appRows)('a path of $name names what it accepts when asked otherwise', async ({ path, method }) => {
    const answer = await send('PATCH', path, readDevice)

    if (answer.status !== 405 || !(answer.headers.get('allow') ?? '').split(', ').includes(method))
      throw new Error(JSON.stringify([answer, [...answer.headers]]))
  })
})

describe('the method', () => {
  test.each(allGuarded)('a path of $name names what it accepts when asked otherwise', async ({ path, method }) => {
    const answer = await send('PATCH', path, session)

    if (answer.status !== 405 || answer.body.error !== 'method_not_allowed') throw new Error(JSON.stringify(answer))
    if (!(answer.headers.get('allow') ?? '').split(', ').includes(method))
      throw new Error(String(answer.headers.get('allow')))
  })

  test.each(appRows.filter(({ method }) => method === 'GET'))(
    'HEAD is GET without its body: $name',
    async ({ path }) => {
      const answer = await send('HEAD', path, both)
      const got = await send('GET', path, both)

      if (answer.status !== got.status || answer.body !== '') throw new Error(JSON.stringify(answer))
      if (got.status !== 200 && !path.includes('/1')) throw new Error(JSON.stringify(got))
    },
  )
})

describe('the body', () => {
  const withBody = [...appRows, ...consoleRows].filter(({ route }) => route.body !== undefined)
  const required = withBody.filter(({ route }) => route.body !== emptyBody)
  const bodyless = withBody.filter(({ route }) => route.body === emptyBody)

  const malformed: readonly [string, string][] = [
    ['an unknown field', '{"surprise":1}'],
    ['anything after the value', '{} {}'],
    ['no JSON', 'action=pause'],
    ['half a value', '{"action":'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['nesting past the bound', `${'['.repeat(bodyDepthMax + 1)}${']'.repeat(bodyDepthMax + 1)}`],
    ['one byte over 1 MiB', `{"x":"${'a'.repeat(bodyBytesMax - 7)}"}`],
  ]

  test.each(
    required.flatMap((row) =>
      [...malformed, ['nothing', ''] as [string, string]].map(([what, raw]) => ({ ...row, what, raw })),
    ),
  )('$name refuses $what as invalid_body', async ({ method, path, raw }) => {
    const answer = await send(method, path, session, { raw })

    if (answer.status !== 400 || answer.body.error !== 'invalid_body') throw new Error(JSON.stringify(answer))
  })

  test.each(bodyless.flatMap((row) => malformed.map(([what, raw]) => ({ ...row, what, raw }))))(
    '$name takes no body: $what',
    async ({ method, path, raw }) => {
      const answer = await send(method, path, session, { raw })

      if (answer.status !== 400 || answer.body.error !== 'invalid_body') throw new Error(JSON.stringify(answer))
    },
  )

  test('a body of exactly 1 MiB is read', async ({ expect }) => {
    const raw = `{"action":"pause","targets":[]${' '.repeat(bodyBytesMax - 31)}}`

    const answer = await send('POST', `${appPrefix}/torrents/actions`, session, { raw })

    expect(raw.length).toBe(bodyBytesMax)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_argument' } })
  })

  test('a refused body changes nothing', async ({ expect }) => {
    const before = await send('GET', `${consolePrefix}/tokens`, session)

    await send('POST', `${consolePrefix}/tokens`, session, {
      json: { name: 'x', scopes: ['app:read'], lifetime: '30d', surprise: 1 },
    })

    expect((await send('GET', `${consolePrefix}/tokens`, session)).body).toEqual(before.body)
  })
})

describe('unknown paths', () => {
  test.each([
    `${appPrefix}/nope`,
    `${appPrefix}`,
    `${appPrefix}/`,
    `${appPrefix}/meta/`,
    '/api/app/v2/meta',
    '/api/nowhere',
    '/api/app/v1/nowhere/1',
  ])('%s answers 404 with and without a token', async (path) => {
    for (const caller of [{}, both, session]) {
      const answer = await send('GET', path, caller)
      if (answer.status !== 404 || answer.body.error !== 'not_found') throw new Error(JSON.stringify(answer))
    }
  })

  test('below the console 404 is for the signed-in owner only', async ({ expect }) => {
    expect((await send('GET', `${consolePrefix}/nope`)).status).toBe(401)
    expect((await send('GET', `${consolePrefix}/nope`, both)).status).toBe(401)
    expect((await send('GET', `${consolePrefix}/nope`, session)).status).toBe(404)
  })
})
