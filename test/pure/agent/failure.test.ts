import { describe, test } from 'vitest'
import { failure } from '../../../local/agent/core/failure.ts'
import { renderFailure } from '../../../local/agent/http/render-failure.ts'

describe('a failure leaves as its status, the envelope and a tag and the kind beside it', () => {
  test.for([
    ['invalid_request', 400, 'InvalidRequestError'],
    ['invalid_event_request', 400, 'InvalidRequestError'],
    ['unauthorized', 401, 'UnauthorizedError'],
    ['forbidden', 403, 'ForbiddenError'],
    ['not_found', 404, 'NotFoundError'],
    ['method_not_allowed', 405, 'InvalidRequestError'],
    ['conflict', 409, 'ConflictError'],
    ['file_too_large', 413, 'InvalidRequestError'],
    ['backend_unavailable', 503, 'ServiceUnavailableError'],
    ['database_error', 500, 'UnknownError'],
    ['filesystem_error', 500, 'UnknownError'],
    ['event_stream_failed', 500, 'UnknownError'],
    ['internal', 500, 'UnknownError'],
  ] as const)('%s', async ([code, status, tag], { expect }) => {
    const response = renderFailure(failure(code, { kind: 'methods', names: 'GET' }))
    expect(response.status).toBe(status)
    const message = 'This path takes GET'
    expect(await response.json()).toEqual({
      error: { code, message },
      _tag: tag,
      message,
      why: { kind: 'methods', names: 'GET' },
    })
  })

  test('but for two, which have their tagged shape alone', async ({ expect }) => {
    const provider = renderFailure(failure('not_found', { kind: 'no_provider' }, { kind: 'provider', providerID: 'x' }))
    expect(await provider.json()).toEqual({
      _tag: 'ProviderNotFoundError',
      providerID: 'x',
      message: 'There is no such provider',
    })
    const key = renderFailure(
      failure('invalid_request', { kind: 'parameter_missing', name: 'query' }, { kind: 'missing_query', key: 'query' }),
    )
    expect(await key.json()).toEqual({
      _tag: 'InvalidRequestError',
      message: 'Missing key\n  at ["query"]',
      kind: 'Query',
    })
  })
})
