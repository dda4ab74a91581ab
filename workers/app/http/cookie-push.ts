/** Where the owner's browser pushes cookies: one address of the protocol, and none that gives anything back. */
import { Hono } from 'hono'
import { parseStrictJson, readBytes } from '#shared/http/strict-json-body.ts'
import { cookiePushBody, cookiePushDone, cookiePushPrefix } from '../contract/cookie-push.ts'
import { type Failure, failure } from '../core/failure.ts'
import { sayFor } from '../core/reason/say.ts'
import { bodyDepthMax, cookiePushBytesMax, cookiePushPackedBytesMax } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { callerAddress } from './caller-address.ts'
import { type Framed, frameAnswers } from './frame-answers.ts'
import { renderFailure } from './render-failure.ts'

const path = `${cookiePushPrefix}/update`

export function serveCookiePush(
  deps: Pick<AppDeps, 'clock' | 'identifiers' | 'logger' | 'cookieService'>,
): Hono<Framed> {
  const app = new Hono<Framed>()
  frameAnswers(app, deps)

  app.post(path, async (c) => {
    const { headers, body } = c.req.raw
    const refuse = (refusal: Failure) => renderFailure(refusal, sayFor(headers))
    const from = callerAddress(headers)
    const retryAfterSeconds = await deps.cookieService.knock(from)
    if (retryAfterSeconds > 0)
      return refuse({ ...failure('too_many', { kind: 'account.too_many_attempts' }), retryAfterSeconds })
    const packed = await readBytes(body, cookiePushPackedBytesMax, 'left')
    const bytes = packed.ok ? await unpacked(packed.value) : undefined
    if (bytes === undefined) return refuse(tooLarge)
    const json = parseStrictJson(bytes, bodyDepthMax)
    const pushed = cookiePushBody.safeParse(json.ok ? json.value : undefined)
    if (!pushed.success) return refuse(unreadable)
    const { uuid, encrypted, crypto_type: seal } = pushed.data
    const push = { uuid, encrypted, seal, command: `POST ${path}` }
    const browser = headers.get('user-agent') ?? ''
    const taken = await deps.cookieService.take(push, { from, browser, requestId: c.get('requestId') })
    return taken.ok ? c.json(cookiePushDone) : refuse(refusals[taken.failure])
  })
  app.all(path, (c) =>
    renderFailure(failure('method_not_allowed', { kind: 'method', allowed: ['POST'] }), sayFor(c.req.raw.headers), {
      allow: 'POST',
    }),
  )
  app.notFound((c) => renderFailure(failure('not_found', { kind: 'none', what: 'address' }), sayFor(c.req.raw.headers)))
  return app
}

const tooLarge = failure('invalid_body', { kind: 'body.too_large', limit: cookiePushBytesMax })
const unreadable = failure('invalid_body', { kind: 'cookie.no_push' })
const refusals = {
  // The same while it is off, for a wrong name and for a wrong password.
  refused: failure('unauthorized', { kind: 'cookie.push_refused' }),
  unreadable,
  unavailable: failure('unavailable', { kind: 'cookie.push_sealed' }),
  unlogged: failure('unavailable', { kind: 'audit_unavailable' }),
} as const

/** The extension packs what it sends. Told by the first two bytes: some hosts unpack it before it gets here. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const stream = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'))
  try {
    const whole = await readBytes(stream, cookiePushBytesMax)
    return whole.ok ? whole.value : undefined
  } catch {
    return new Uint8Array()
  }
}
