import { failWith, succeed } from '#shared/kernel/result.ts'
import { tellOwner } from '../../contract/messages.ts'
import { failure } from '../../core/failure.ts'
import { messagesPerHourMax } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

export function messageRoutes({ ownerMessages }: Pick<AppDeps, 'ownerMessages'>): BoundRoute[] {
  return [
    bind(tellOwner, async ({ body }) => {
      const told = await ownerMessages.tell({ title: body.title, text: body.text, link: body.link ?? '' })
      if (told.ok) return succeed({ body: { channels: told.value }, audited: { names: [body.title] } })
      const tooMany = failure('too_many', { kind: 'message.too_many', limit: messagesPerHourMax })
      return failWith({ ...tooMany, retryAfterSeconds: told.failure.retryAfterSeconds })
    }),
  ]
}
