import { metricsType } from '#shared/http/metrics-text.ts'
import { failure } from '../../core/failure.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { KeyCheck, ModelDirectory } from '../../ports.ts'
import type { Budget } from '../budget.ts'
import { accompanied, type ExchangeContext, failureResponse, jsonResponse } from '../exchange.ts'

export interface OperatingDeps {
  readonly keys: KeyCheck
  readonly directory: ModelDirectory
  readonly metrics: Metrics
  readonly openStreams: Budget
}

/** Whether a request could be served now: a key is there, and the account lists a model. */
export function readiness(deps: OperatingDeps) {
  return async function readinessRoute(c: ExchangeContext): Promise<Response> {
    c.set('route', '/ready')
    if (!(await deps.keys.isConfigured()))
      return failureResponse(c, failure('not_configured', 'the gateway has no API key configured'))
    const { callable } = await deps.directory.current()
    return callable.size === 0
      ? failureResponse(c, failure('not_configured', 'the list of models could not be read yet'))
      : jsonResponse(c, { status: 'ready' })
  }
}

/** Of this process, or this isolate, since its start. */
export function metrics(deps: OperatingDeps) {
  return function metricsRoute(c: ExchangeContext): Response {
    const text = deps.metrics.text({ gateway_open_streams: deps.openStreams.held })
    return accompanied(c, text, 200, { 'content-type': metricsType })
  }
}
