import type { core, ZodType } from 'zod'
import { parseStrictJson } from '#shared/http/strict-json-body.ts'
import { isRecord, type JsonRecord } from '#shared/kernel/json-record.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { type Failure, failure } from '../core/failure.ts'
import { bodyDepthMax } from '../limits.ts'
import type { KeptBodies } from '../ports.ts'
import { BodyRecord } from './body-record.ts'
import { type ExchangeContext, failureResponse } from './exchange.ts'
import type { Semaphore } from './semaphore.ts'

export interface BodyRules {
  readonly bodyBytesMax: number
  /** Bytes of bodies held at once, over all requests. */
  readonly bodyBytes: Semaphore
  readonly kept: KeptBodies
}

/** Reads the JSON object of a request and hands it to `use`; its bytes count as held until that is done. */
export async function withBody(
  c: ExchangeContext,
  rules: BodyRules,
  use: (body: JsonRecord) => Promise<Response>,
): Promise<Response> {
  const declared = c.req.header('content-length')
  const length = declared !== undefined && /^\d{1,15}$/.test(declared) ? Number(declared) : rules.bodyBytesMax
  if (length > rules.bodyBytesMax) return failureResponse(c, tooLarge(rules))
  const release = rules.bodyBytes.tryAcquire(length, c.get('abort').signal)
  if (release === undefined) {
    const busy = failure('rate_limit_exceeded', 'the gateway holds too many request bodies', { retryAfterSeconds: 1 })
    return failureResponse(c, busy)
  }
  try {
    const body = await readBody(c, rules)
    return body.ok ? await use(body.value) : failureResponse(c, body.failure)
  } finally {
    release()
  }
}

async function readBody(c: ExchangeContext, rules: BodyRules): Promise<Result<JsonRecord, Failure>> {
  const bytes = await c.get('client').readBody(rules.bodyBytesMax)
  if (!bytes.ok) {
    switch (bytes.failure) {
      case 'cut':
        return failWith(failure('bad_request', 'the body was cut short'))
      case 'slow':
        return failWith(failure('request_timeout', 'the request was not complete in time'))
      case 'too_large':
        return failWith(tooLarge(rules))
    }
  }
  const [grant, requestId] = [c.get('grant'), c.get('requestId')]
  if (grant?.keepsBodies === true) {
    c.set('said', new BodyRecord(bytes.value, (bodies) => rules.kept.keep(grant.id, requestId, bodies)))
  }
  const read = parseStrictJson(bytes.value, bodyDepthMax)
  if (read.ok) {
    return isRecord(read.value)
      ? succeed(read.value)
      : failWith(failure('bad_request', 'the body must be a JSON object'))
  }
  switch (read.failure) {
    case 'empty':
      return failWith(failure('bad_request', 'the request has no body'))
    case 'not_json':
      return failWith(failure('bad_request', 'the body is not JSON'))
    case 'too_deep':
      return failWith(failure('bad_request', 'the body is nested too deeply'))
  }
}

function tooLarge(rules: BodyRules): Failure {
  return failure('request_too_large', `the body is larger than ${rules.bodyBytesMax / 1_048_576} MiB`)
}

/** Checks a body against its shape. The message names the first field at fault. */
export function parseBody<T>(schema: ZodType<T>, body: JsonRecord): Result<T, Failure> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return succeed(parsed.data)
  const [first] = parsed.error.issues
  const issue = first === undefined ? { path: [], message: 'invalid' } : issueOfMember(first)
  const param = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
  const name = param.replace(/^\./, '')
  const message = `${name === '' ? 'body' : name}: ${issue.message}`
  return failWith(failure('bad_request', message, name === '' ? {} : { param: name }))
}

/** What the schema library says of a value that fits no alternative, when the shape has no words for it. */
const wordlessFault = 'Invalid input'

type LocatedIssue = Pick<core.$ZodIssue, 'path' | 'message'>

/**
 * Of a value that fits no alternative, the fault of the one it came furthest with: that is what the client meant. Where
 * the shape says in its own words what it takes, those stay.
 */
function issueOfMember(issue: core.$ZodIssue): LocatedIssue {
  if (issue.code !== 'invalid_union' || issue.message !== wordlessFault) return issue
  const faults = issue.errors.flatMap((alternative) => alternative.slice(0, 1)).map(issueOfMember)
  const furthest = faults.toSorted((left, right) => right.path.length - left.path.length)[0]
  return furthest === undefined ? issue : { path: [...issue.path, ...furthest.path], message: furthest.message }
}
