import { test } from 'vitest'
import { appPrefix } from '../../../workers/app/app.ts'
import { featureGroups } from '../../../workers/app/core/vocabulary.ts'
import { requestIdCharactersMax } from '../../../workers/app/limits.ts'
import { ownerSession, send } from '../../support/workerd/app-client.ts'

const session = await ownerSession()

/** One endpoint of each group; the group is listed exactly when it is served. */
const probes = {
  overview: ['GET', '/overview'],
  sites: ['GET', '/sites'],
  torrents: ['GET', '/torrents'],
  downloaders: ['GET', '/downloaders'],
  tasks: ['GET', '/tasks'],
  search: ['POST', '/search'],
  push: ['POST', '/push'],
  attendance: ['POST', '/sites/x/attend'],
  brush: ['GET', '/brush/tasks'],
  media: ['GET', '/media/history'],
  subscriptions: ['GET', '/subscriptions'],
  updates: ['GET', '/updates'],
  assistant: ['GET', '/assistant/status'],
  templates: ['GET', '/templates'],
} as const

test.each(featureGroups)('/meta lists %s exactly when its endpoints are served', async (group) => {
  const meta = await send('GET', `${appPrefix}/meta`, session)
  const [method, path] = probes[group]

  // Without a credential a served path answers 401 and an unknown one 404.
  const { status } = await send(method, `${appPrefix}${path}`)

  if (meta.body.features.includes(group) !== (status === 401)) throw new Error(`${group}: ${status}`)
})

test('/meta names the service, its version and the level of the interface', async ({ expect }) => {
  const { body } = await send('GET', `${appPrefix}/meta`, session)

  expect(body).toMatchObject({ name: 'wharf', version: expect.stringMatching(/^\d+\.\d+\.\d+$/), remote_api_level: 1 })
})

test('every answer is JSON, kept by nobody, and carries a request id', async ({ expect }) => {
  const answer = await send('GET', `${appPrefix}/meta`, session)

  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{12}$/)
})

test.each([
  ['a printable one is echoed', 'trace-1', 'trace-1'],
  [
    'a long one is cut with a mark',
    'a'.repeat(requestIdCharactersMax + 1),
    `${'a'.repeat(requestIdCharactersMax - 1)}~`,
  ],
])('of a request id sent by the caller, %s', async (_, sent, echoed) => {
  const answer = await send('GET', `${appPrefix}/meta`, session, { headers: { 'x-request-id': sent } })

  if (answer.headers.get('x-request-id') !== echoed) throw new Error(String(answer.headers.get('x-request-id')))
})

test.each([
  ['page', '0'],
  ['page', '-1'],
  ['page', '1.5'],
  ['page', 'one'],
  ['page', '1e2'],
  ['page_size', '0'],
  ['page_size', '201'],
  ['page_size', 'many'],
  ['state', 'flying'],
  ['sort', 'colour'],
  ['order', 'up'],
  ['downloader_id', '0'],
  ['downloader_id', 'x'],
  ['q', 'k'.repeat(101)],
])('the parameter %s=%s is refused by name', async (name, value) => {
  const answer = await send('GET', `${appPrefix}/torrents?${name}=${value}`, session)

  if (answer.status !== 400 || answer.body.error !== 'invalid_argument' || !answer.body.message.includes(name)) {
    throw new Error(JSON.stringify(answer))
  }
})

test.each(['page=1&page=2', 'state=paused&state=stopped'])('a parameter given twice is refused: %s', async (query) => {
  const answer = await send('GET', `${appPrefix}/torrents?${query}`, session)

  if (answer.status !== 400 || answer.body.error !== 'invalid_argument') throw new Error(JSON.stringify(answer))
})

test.each([
  'page_size=200',
  'page_size=1',
  'q=',
  `q=${'k'.repeat(100)}`,
  `q=${'%E9%95%BF'.repeat(100)}`,
  'state=',
  'unknown=1',
])('the query %s is taken', async (query) => {
  const answer = await send('GET', `${appPrefix}/torrents?${query}`, session)

  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
})
