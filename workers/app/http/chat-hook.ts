/** Takes what a chat platform sends. Whoever does not know the secret learns nothing, not even whether there is such a bot. */
import { Hono } from 'hono'
import { readStrictJson } from '#shared/http/strict-json-body.ts'
import { chatHookHeader, chatHookPrefix } from '../contract/chat-hook.ts'
import { failure } from '../core/failure.ts'
import { sayFor } from '../core/reason/say.ts'
import { bodyDepthMax, chatHookBytesMax } from '../limits.ts'
import type { AppDeps } from '../ports.ts'
import { unauthorized } from './authenticate.ts'
import { type Framed, frameAnswers } from './frame-answers.ts'
import { renderFailure } from './render-failure.ts'

const path = `${chatHookPrefix}/:channel{[1-9][0-9]{0,14}}`

export function serveChatHook(
  deps: Pick<AppDeps, 'clock' | 'identifiers' | 'logger' | 'chats' | 'chatHook'>,
): Hono<Framed> {
  const app = new Hono<Framed>()
  frameAnswers(app, deps)

  app.post(path, async (c) => {
    const { headers, body } = c.req.raw
    const say = sayFor(headers)
    const channelId = Number(c.req.param('channel'))
    const secret = headers.get(chatHookHeader)
    // Asked before the object, which would come into being by being asked.
    const isHeard = secret !== null && (await deps.chats.read(channelId))?.way === 'webhook'
    if (!isHeard) return renderFailure(unauthorized, say)
    const update = await readStrictJson(body, { bytesMax: chatHookBytesMax, depthMax: bodyDepthMax, rest: 'left' })
    if (!update.ok)
      return renderFailure(
        failure(
          'invalid_body',
          update.failure === 'too_large'
            ? { kind: 'body.too_large', limit: chatHookBytesMax }
            : { kind: 'body.not_json' },
        ),
        say,
      )
    switch (await deps.chatHook.hear(channelId, secret, update.value)) {
      case 'taken':
        return c.json({ ok: true })
      case 'refused':
        return renderFailure(unauthorized, say)
      case 'later':
        return renderFailure({ ...failure('unavailable', { kind: 'internal' }), retryAfterSeconds: 30 }, say)
    }
  })
  app.all(path, (c) =>
    renderFailure(failure('method_not_allowed', { kind: 'method', allowed: ['POST'] }), sayFor(c.req.raw.headers), {
      allow: 'POST',
    }),
  )
  app.notFound((c) => renderFailure(failure('not_found', { kind: 'none', what: 'address' }), sayFor(c.req.raw.headers)))
  return app
}
