/** The console's endpoints for cookies that the owner's browser pushes by itself. */
import * as z from '#shared/schema/deferred.ts'
import { cookiePushPrefix } from './cookie-push.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'

const wireCookiePush = z.object({
  enabled: z.boolean(),
  /** Below the service's own address: what the extension is given as its server. */
  path: z.literal(cookiePushPrefix),
  /** Left out while it is off. The password is never shown again. */
  uuid: z.string().optional(),
  /** When the last push was taken, 0 for never, and the sites that it renewed. */
  taken_at: z.int(),
  renewed: z.array(z.string()),
})
export type WireCookiePush = z.infer<typeof wireCookiePush>

export const getCookiePush = declareRoute('session', 'get', '/settings/cookies', {
  operationId: 'getCookiePush',
  summary: '浏览器推送 Cookie 的设置',
  answers: { 200: wireCookiePush },
})

/** What was known before is of no use any more. */
export const startCookiePush = declareRoute('session', 'post', '/settings/cookies', {
  operationId: 'startCookiePush',
  summary: '开启推送，或换新的密码',
  body: emptyBody,
  answers: { 200: wireCookiePush.extend({ uuid: z.string(), password: z.string() }) },
})

export const stopCookiePush = declareRoute('session', 'delete', '/settings/cookies', {
  operationId: 'stopCookiePush',
  summary: '关闭推送',
  body: emptyBody,
  answers: { 200: wireCookiePush },
})

export const consoleCookieDeclarations: readonly RouteDeclaration[] = [getCookiePush, startCookiePush, stopCookiePush]
