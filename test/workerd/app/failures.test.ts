import { describe, test } from 'vitest'
import { wireErrorCode } from '../../../workers/app/contract/error.ts'
import { declareRoute } from '../../../workers/app/contract/route.ts'
import { failure } from '../../../workers/app/core/failure.ts'
import { quoted } from '../../../workers/app/core/reason/quote.ts'
import { failureCodes } from '../../../workers/app/core/vocabulary.ts'
import { bind } from '../../../workers/app/http/bind.ts'
import { renderFailure } from '../../../workers/app/http/render-failure.ts'
import { serveRoutes } from '../../../workers/app/http/serve-routes.ts'
import { messageCharactersMax } from '../../../workers/app/limits.ts'
import { saying } from '../../support/said.ts'

/** The codes of the interface document with their statuses; `busy` is two situations. */
const documented = [
  ['invalid_body', 400, 'invalid_body'],
  ['invalid_argument', 400, 'invalid_argument'],
  ['unauthorized', 401, 'unauthorized'],
  ['forbidden', 403, 'forbidden'],
  ['not_found', 404, 'not_found'],
  ['method_not_allowed', 405, 'method_not_allowed'],
  ['busy_conflict', 409, 'busy'],
  ['busy_slots', 503, 'busy'],
  ['rate_limited', 429, 'rate_limited'],
  ['internal', 500, 'internal'],
  ['search_failed', 502, 'search_failed'],
  ['download_failed', 502, 'download_failed'],
  ['attend_failed', 502, 'attend_failed'],
  ['upstream', 502, 'upstream'],
  ['unavailable', 503, 'unavailable'],
  ['assistant_disabled', 409, 'assistant_disabled'],
  ['decided', 409, 'decided'],
  ['too_many', 429, 'too_many'],
] as const

test.each(documented)('the code %s is written with status %i as %s', async (code, status, error) => {
  const answer = renderFailure(failure(code, saying('说明')))

  const body = await answer.json()
  if (
    answer.status !== status ||
    JSON.stringify(body) !== JSON.stringify({ error, message: '说明', reason: saying('说明') })
  )
    throw new Error(JSON.stringify(body))
})

test('every code has its row in the table', ({ expect }) => {
  expect(documented.map(([code]) => code).sort()).toEqual([...failureCodes].sort())
  expect(wireErrorCode('busy_slots')).toEqual({ status: 503, error: 'busy' })
})

describe('the text of a failure', () => {
  test('loses query strings and credentials', async ({ expect }) => {
    const answer = renderFailure(failure('upstream', quoted('无法访问 https://user:pw@site.example/dl?passkey=abc')))

    expect(await answer.json()).toMatchObject({ error: 'upstream', message: '无法访问 https://site.example/dl' })
  })

  test('is cut with a mark at its limit', async ({ expect }) => {
    const { message } = await renderFailure(failure('upstream', saying('长'.repeat(messageCharactersMax + 1)))).json<{
      message: string
    }>()

    expect([...message]).toHaveLength(messageCharactersMax)
    expect(message.endsWith('…')).toBe(true)
  })

  test('carries the seconds to wait as Retry-After', ({ expect }) => {
    expect(
      renderFailure({ ...failure('too_many', saying('稍后')), retryAfterSeconds: 4.2 }).headers.get('retry-after'),
    ).toBe('5')
  })
})

test('a bug answers internal without detail, and the log has it under the request id', async ({ expect }) => {
  const lines: Record<string, unknown>[] = []
  const log = (event: string, facts: Readonly<Record<string, unknown>> = {}) => void lines.push({ event, ...facts })
  const crash = bind(
    declareRoute('public', 'get', '/crash', {
      operationId: 'crash',
      summary: '',
      answers: {},
    }),
    async () => {
      throw new Error('the secret detail')
    },
  )
  const app = serveRoutes(
    {
      clock: { nowMs: () => 0 },
      identifiers: { next: () => 'request-1', secret: () => '' },
      logger: { info: log, error: log },
      background: { run: () => undefined },
      publicOrigins: [],
      basedAt: [],
      credentials: {
        byToken: async () => undefined,
        bySession: async () => undefined,
        byDevice: async () => undefined,
      },
      audit: { begin: async () => 0, finish: async () => undefined, page: async () => ({ items: [], total: 0 }) },
    },
    { prefix: '/api/app/v1', accepts: 'token_or_session', routes: [crash] },
  )

  const answer = await app.fetch(new Request('http://wharf.test/api/app/v1/crash'))

  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({ error: 'internal', message: '服务内部错误', reason: { kind: 'internal' } })
  expect(answer.headers.get('x-request-id')).toBe('request-1')
  expect(lines[0]).toMatchObject({ event: 'request_crashed', request_id: 'request-1' })
  expect(String(lines[0]?.['cause'])).toContain('the secret detail')
  expect(lines.slice(1)).toEqual([
    {
      event: 'request_failed',
      request_id: 'request-1',
      method: 'GET',
      route: '/api/app/v1/crash',
      status: 500,
      error: 'internal',
      message: '服务内部错误',
      ms: 0,
    },
  ])
})
