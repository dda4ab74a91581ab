/** The interface as paired chats have it: the same routes, judgement and audit log as for every other caller. */
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { Principal } from '../core/principal.ts'
import { isReason } from '../core/reason/stored-reason.ts'
import type { ChatApp } from '../ports/chats.ts'

/** Stands for this service in addresses that nobody resolves. */
const nowhere = 'http://chat.invalid'

export function createChatApp(
  prefix: string,
  serve: (request: Request, caller: Principal) => Response | Promise<Response>,
): ChatApp {
  return {
    async ask<T>(caller: Principal, method: 'GET' | 'POST', path: string, body?: unknown) {
      const sent =
        body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const response = await serve(new Request(`${nowhere}${prefix}${path}`, { method, ...sent }), caller)
      const answer: unknown = await response.json()
      if (response.ok) return succeed(answer as T)
      const reason = (answer as { readonly reason?: unknown }).reason
      return failWith(isReason(reason) ? reason : ({ kind: 'internal' } as const))
    },
  }
}
