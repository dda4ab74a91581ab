/** The outer side of the tunnel: four addresses that take and give bytes. Who calls is known by what opens them. */
import { Hono } from 'hono'
import { readBytes } from '#shared/http/strict-json-body.ts'
import type { Result } from '#shared/kernel/result.ts'
import { tunnelPrefix } from '../contract/tunnel.ts'
import { failure } from '../core/failure.ts'
import { envelopeBytesMax, handshakeBytesMax } from '../limits.ts'
import type { AppDeps, TunnelRefusal } from '../ports.ts'
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
      const message = await readBytes(c.req.raw.body, bytesMax, 'left')
      if (!message.ok) return renderFailure(failure('invalid_body', `内容超过 ${bytesMax} 字节`))
      const taken = await take(message.value, callerAddress(c.req.raw.headers))
      return taken.ok
        ? new Response(Uint8Array.from(taken.value), { headers: { 'content-type': 'application/octet-stream' } })
        : refuse(taken.failure)
    })
    app.all(`${tunnelPrefix}${path}`, () =>
      renderFailure(failure('method_not_allowed', '这个地址只接受 POST'), { allow: 'POST' }),
    )
  }
  app.notFound(() => renderFailure(failure('not_found', '没有这个地址')))
  return app
}

function refuse(refusal: TunnelRefusal): Response {
  if (typeof refusal === 'object') {
    const { retryAfterSeconds } = refusal
    return renderFailure({ ...failure('too_many', '尝试次数过多，请稍后再试'), retryAfterSeconds })
  }
  switch (refusal) {
    case 'unavailable':
      return renderFailure(failure('unavailable', '暂时无法核对设备'))
    case 'refused':
      // The same for whatever is wrong: nothing is told to who guesses, and a device knows what to do.
      return renderFailure(failure('unauthorized', '不接受这个请求，请重新建立会话'))
  }
}
