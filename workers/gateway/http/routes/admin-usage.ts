import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { BodiesObject } from '../../contract/admin.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { callsListedMax } from '../../limits.ts'
import { callObject, namesOf, usageCsv, usageObject } from '../admin-objects.ts'
import { type ExchangeContext, failureResponse, jsonResponse, respond } from '../exchange.ts'
import type { AdminDeps } from './admin-keys.ts'

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** By key, model, provider and day: `from` and `to` are days, this month without them; `format=csv` for a table. */
export function usage(deps: AdminDeps) {
  return async function usageRoute(c: ExchangeContext): Promise<Response> {
    const now = deps.calendar(deps.clock.nowMs())
    const from = dayIn(c, 'from', `${now.day.slice(0, 7)}-01`)
    if (!from.ok) return failureResponse(c, from.failure)
    const to = dayIn(c, 'to', now.day)
    if (!to.ok) return failureResponse(c, to.failure)
    const [rows, keys] = await Promise.all([deps.keyStore.usage(from.value, to.value), deps.keyStore.keys(now)])
    const nameOf = namesOf(keys)
    const data = rows.map((row) => usageObject(row, nameOf))
    if (queryOf(c).get('format') !== 'csv') {
      return jsonResponse(c, { object: 'list', from: from.value, to: to.value, today: now.day, data })
    }
    return respond(c, usageCsv(data), 200, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="usage-${from.value}-${to.value}.csv"`,
    })
  }
}

/** The newest calls of all keys, or of the one that `key` names: names, numbers and times. */
export function calls(deps: AdminDeps) {
  return async function callsRoute(c: ExchangeContext): Promise<Response> {
    const asked = queryOf(c).get('limit') ?? '50'
    const limit = /^\d{1,4}$/.test(asked) ? Number(asked) : 0
    if (limit < 1 || limit > callsListedMax) {
      return failureResponse(
        c,
        failure('bad_request', `limit must be a number from 1 to ${callsListedMax}`, { param: 'limit' }),
      )
    }
    const [listed, keys] = await Promise.all([
      deps.keyStore.calls(limit, queryOf(c).get('key') ?? undefined),
      deps.keyStore.keys(deps.calendar(deps.clock.nowMs())),
    ])
    const nameOf = namesOf(keys)
    return jsonResponse(c, { object: 'list', data: listed.map((call) => callObject(call, nameOf)) })
  }
}

/** What the request `request` of the key `key` said, and its answer. */
export function bodies(deps: AdminDeps) {
  return async function bodiesRoute(c: ExchangeContext): Promise<Response> {
    const query = queryOf(c)
    const said = await deps.bodyRules.kept.read(query.get('key') ?? '', query.get('request') ?? '')
    if (said === undefined) return failureResponse(c, failure('not_found', 'nothing is kept of such a request'))
    const { status, request, answer, isCut } = said
    const told: BodiesObject = { object: 'gateway.bodies', status, request, answer, is_cut: isCut }
    return jsonResponse(c, told)
  }
}

function queryOf(c: ExchangeContext): URLSearchParams {
  return new URL(c.req.url).searchParams
}

function dayIn(c: ExchangeContext, name: string, otherwise: string): Result<string, Failure> {
  const said = queryOf(c).get(name) ?? otherwise
  return dayPattern.test(said)
    ? succeed(said)
    : failWith(failure('bad_request', `${name} must be a day such as 2026-01-31`, { param: name }))
}
