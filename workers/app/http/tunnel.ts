/** The outer side of the tunnel: four addresses that take and give bytes. Who calls is known by what opens them. */
import { Hono } from 'hono'
import { readBytes } from '#shared/http/strict-json-body.ts'
import type { Result } from '#shared/kernel/result.ts'
import { tunnelPrefix } from '../contract/tunnel.ts'
import { failure } from '../core/failure.ts'
import { type Say, sayFor } from '../core/reason/say.ts'
import { envelopeBytesMax, handshakeBytesMax } from '../limits.ts'
import type { TunnelRefusal } from '../ports/tunnel.ts'
import type { AppDeps } from '../ports.ts'
import { callerAddress } from './caller-address.ts'
import { type Framed, frameAnswers } from './frame-answers.ts'
import { renderFailure } from './render-failure.ts'

interface Way {
  readonly path: string
  readonly bytesMax: number
  readonly take: (message: Uint8Array, from: string) => Promise<Result<Uint8Array, TunnelRefusal>>
}

export function serveTunnel(deps: Pick<AppDeps, 'clock' | 'identifiers' | 'logger' | 'tunnel'>): Hono<Framed> {
  const { tunnel } = deps
  const ways: readonly Way[] = [
    { path: '/pair/key', bytesMax: handshakeBytesMax, take: tunnel.introduce },
    { path: '/pair', bytesMax: handshakeBytesMax, take: tunnel.pair },
    { path: '/session', bytesMax: handshakeBytesMax, take: tunnel.shakeHands },
    { path: '/request', bytesMax: envelopeBytesMax, take: tunnel.carry },
  ]
  const app = new Hono<Framed>()
  frameAnswers(app, deps)
  for (const { path, bytesMax, take } of ways) {
    app.post(`${tunnelPrefix}${path}`, async (c) => {
      const say = sayFor(c.req.raw.headers)
      const message = await readBytes(c.req.raw.body, bytesMax, 'left')
      if (!message.ok) return renderFailure(failure('invalid_body', { kind: 'tunnel.body', limit: bytesMax }), say)
      const taken = await take(message.value, callerAddress(c.req.raw.headers))
      return taken.ok
        ? new Response(Uint8Array.from(taken.value), { headers: { 'content-type': 'application/octet-stream' } })
        : refuse(taken.failure, say)
    })
    app.all(`${tunnelPrefix}${path}`, (c) =>
      renderFailure(failure('method_not_allowed', { kind: 'method', allowed: ['POST'] }), sayFor(c.req.raw.headers), {
        allow: 'POST',
      }),
    )
  }
  app.notFound((c) => renderFailure(failure('not_found', { kind: 'none', what: 'address' }), sayFor(c.req.raw.headers)))
  return app
}

function refuse(refusal: TunnelRefusal, say: Say): Response {
  if (typeof refusal === 'object') {
    const { retryAfterSeconds } = refusal
    return renderFailure({ ...failure('too_many', { kind: 'account.too_many_attempts' }), retryAfterSeconds }, say)
  }
  switch (refusal) {
    case 'unavailable':
      return renderFailure(failure('unavailable', { kind: 'device.unreadable' }), say)
    case 'refused':
      // The same for whatever is wrong: nothing is told to who guesses, and a device knows what to do.
      return renderFailure(failure('unauthorized', { kind: 'device.refused' }), say)
  }
}
