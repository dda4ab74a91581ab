/** Whatever is sent, an answer is one the contract documents, and never a 5xx. Seeds are printed by a failure. */
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { appPrefix, consolePrefix } from '../../../workers/app/app.ts'
import { consoleRouteDeclarations } from '../../../workers/app/contract/console.ts'
import type { RouteDeclaration } from '../../../workers/app/contract/route.ts'
import { appRouteDeclarations } from '../../../workers/app/contract/routes.ts'
import { makeToken, ownerSession, send } from '../../support/workerd/app-client.ts'
import { setServices } from '../../support/workerd/service-under-test.ts'

/** Requests a route; `npm run test:long` raises it. */
const runs = Number(env.FUZZ_RUNS)
const seed = env.FUZZ_SEED === '' ? {} : { seed: Number(env.FUZZ_SEED) }

const session = await ownerSession()
const token = (await makeToken(session, ['app:read', 'app:write'])).caller
await setServices(session, 'fuzz')

/** Words the interfaces know, so that random bodies come near valid ones. */
const word = fc.constantFrom(
  'action',
  'targets',
  'downloader_id',
  'task_id',
  'pause',
  'delete_with_files',
  'all',
  'a|b',
  '*',
  'name',
  'type',
  'address',
  'username',
  'password',
  'enabled',
  'default',
  'scopes',
  'app:read',
  'lifetime',
  '30d',
  'qbittorrent',
  'media_type',
  'tmdb_id',
  'movie',
  'season',
  'status',
  'paused',
  '__proto__',
  'constructor',
  '',
  '0',
  '-1',
)
const leaf = fc.oneof(word, fc.string({ maxLength: 20 }), fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(word, fc.string({ maxLength: 8 })), tie('node'), { maxKeys: 5 }),
  ),
})).node
const body = fc.oneof(
  value.map((json) => JSON.stringify(json)),
  fc
    .record({
      action: fc.oneof(fc.constantFrom('pause', 'resume', 'delete'), leaf),
      targets: fc.array(
        fc.record({ downloader_id: fc.oneof(fc.nat(), leaf), task_id: fc.oneof(fc.constant('f'.repeat(40)), leaf) }),
        { maxLength: 3 },
      ),
    })
    .map((json) => JSON.stringify(json)),
  fc.string({ maxLength: 40 }),
)
const query = fc.array(
  fc.tuple(
    fc.constantFrom('page', 'page_size', 'state', 'q', 'sort', 'order', 'downloader_id', 'x'),
    fc.oneof(fc.integer().map(String), word, fc.string({ maxLength: 12 })),
  ),
  { maxLength: 4 },
)

/** Signing out or changing the password would end the very session the other runs use. */
const leavesSession = ({ operationId }: RouteDeclaration) =>
  !['signOut', 'setUp', 'signIn', 'changePassword'].includes(operationId)

const cases = [
  ...appRouteDeclarations.map((route) => ({
    name: `${route.method.toUpperCase()} ${route.path}`,
    prefix: appPrefix,
    route,
  })),
  ...consoleRouteDeclarations
    .filter(leavesSession)
    .map((route) => ({ name: `${route.method.toUpperCase()} ${route.path}`, prefix: consolePrefix, route })),
]

describe('any request', () => {
  test.each(cases)('to $name gets a documented answer', async ({ prefix, route }) => {
    await fc.assert(
      fc.asyncProperty(
        body,
        query,
        fc.oneof(fc.constant('1'), fc.string({ maxLength: 10 })),
        async (raw, pairs, id) => {
          const search = new URLSearchParams(pairs).toString()
          const path = `${prefix}${route.path.replace(/\{(?:id|site)\}/, encodeURIComponent(id === '' || id === '.' || id === '..' ? '1' : id))}`
          const caller = prefix === appPrefix ? token : session
          const answer = await send(
            route.method.toUpperCase(),
            `${path}${search === '' ? '' : `?${search}`}`,
            caller,
            route.method === 'get' ? {} : { raw },
          )
          if (answer.status >= 500) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
        },
      ),
      { numRuns: runs, ...seed },
    )
  })
})

test('a mutated token is refused in the same bytes as any other', async ({ expect }) => {
  const text = (token['authorization'] ?? '').slice('Bearer '.length)
  const answers = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('A', '_', '-', '9', 'é', ' '), async (at, letter) => {
      if (text[at] === letter || letter === 'é') return
      const answer = await send('GET', `${appPrefix}/meta`, {
        authorization: `Bearer ${text.slice(0, at)}${letter}${text.slice(at + 1)}`,
      })
      answers.add(`${answer.status} ${JSON.stringify(answer.body)}`)
    }),
    { numRuns: 100 },
  )

  expect([...answers]).toHaveLength(1)
  expect([...answers][0]).toMatch(/^401 /)
})
