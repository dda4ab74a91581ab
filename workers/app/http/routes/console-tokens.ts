import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { createToken, listTokens, revokeToken, type WireToken } from '../../contract/console.ts'
import { failure } from '../../core/failure.ts'
import type { TokenLifetime } from '../../core/vocabulary.ts'
import { apiTokensMax } from '../../limits.ts'
import type { ApiToken } from '../../ports/account.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { removeNamed } from '../remove-named.ts'

const daySeconds = 24 * 3600
const secondsOf: Readonly<Record<TokenLifetime, number | undefined>> = {
  '30d': 30 * daySeconds,
  '90d': 90 * daySeconds,
  '1y': 365 * daySeconds,
  never: undefined,
}

export function consoleTokenRoutes(
  deps: Pick<AppDeps, 'apiTokens' | 'assistant' | 'background' | 'clock' | 'logger'>,
): BoundRoute[] {
  return [
    bind(listTokens, async () => succeed({ body: { items: (await deps.apiTokens.list()).map(toWireToken) } })),
    bind(createToken, async ({ body }) => {
      const lifetimeSeconds = secondsOf[body.lifetime]
      const created = await deps.apiTokens.create({
        name: body.name,
        scopes: body.scopes,
        ...(lifetimeSeconds === undefined ? {} : { expiresAtUnix: unixSeconds(deps.clock) + lifetimeSeconds }),
      })
      if (!created.ok)
        return failWith(failure('invalid_argument', { kind: 'too_many', what: 'token', limit: apiTokensMax }))
      return succeed({ body: { token: toWireToken(created.value.token), text: created.value.text } })
    }),
    bind(revokeToken, async ({ params }) => {
      const { apiTokens: tokens } = deps
      const store = { list: () => tokens.list(), remove: (id: string) => tokens.revoke(id) }
      const revoked = await removeNamed(store, params.id, failure('not_found', { kind: 'none', what: 'token' }))
      if (!revoked.ok) return revoked
      // What it was told is told to nobody any more, and what it asked for is not worked on.
      deps.background.run(
        deps.assistant
          .removeAll(`token:${params.id}`)
          .catch((cause) => deps.logger.error('conversations_not_removed', { cause })),
      )
      return revoked
    }),
  ]
}

function toWireToken(token: ApiToken): WireToken {
  return {
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    created_at: token.createdAtUnix,
    ...(token.expiresAtUnix === undefined ? {} : { expires_at: token.expiresAtUnix }),
    ...(token.lastUsedAtUnix === undefined ? {} : { last_used_at: token.lastUsedAtUnix }),
  }
}
