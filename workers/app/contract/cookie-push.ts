/** What the extension in the owner's browser sends: a protocol of others, so what it says beyond this is let be. */
import * as z from '#shared/schema/deferred.ts'
import { pushSeals } from '../core/cookie-push.ts'
import { cookiePushBytesMax, pushNameCharactersMax } from '../limits.ts'

/** What is typed into the extension is the service's address and this. */
export const cookiePushPrefix = '/api/cookies'

export const cookiePushBody = z.object({
  uuid: z.string().min(1).max(pushNameCharactersMax),
  /** Base64. */
  encrypted: z.string().min(1).max(cookiePushBytesMax),
  crypto_type: z.enum(pushSeals).default('legacy'),
})

/** The word the extension looks for. */
export const cookiePushDone = { action: 'done' } as const
