import { metricsType } from '#shared/http/metrics-text.ts'
import { failure } from '../../core/failure.ts'
import { addedMetrics, type Metrics } from '../../core/metrics.ts'
import type { KeyCheck, ModelDirectory } from '../../ports.ts'
import { type ExchangeContext, failureResponse, jsonResponse, respond } from '../exchange.ts'
import type { Semaphore } from '../semaphore.ts'

export interface OperatingDeps {
  readonly keys: KeyCheck
  readonly directory: ModelDirectory
  readonly metrics: Metrics
  readonly openStreams: Semaphore
  /** What the other processes that serve this port have counted. */
  readonly metricsOfOthers: (() => Promise<readonly string[]>) | undefined
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

/** Of this process, or this isolate, since its start; where several processes serve one port, of all of them. */
export function metrics(deps: OperatingDeps) {
  return async function metricsRoute(c: ExchangeContext): Promise<Response> {
    const own = ownMetrics(deps)
    const others = (await deps.metricsOfOthers?.()) ?? []
    return respond(c, others.length === 0 ? own : addedMetrics([own, ...others]), 200, {
      'content-type': metricsType,
    })
  }
}

export function ownMetrics({ metrics: counted, openStreams }: Pick<OperatingDeps, 'metrics' | 'openStreams'>): string {
  return counted.text({ gateway_open_streams: openStreams.held })
}
