import type { Result } from '#shared/kernel/result.ts'
import type { PushSeal } from '../core/cookie-push.ts'
import type { CookieOrigin } from '../core/vocabulary.ts'

/** A site that is opened by a cookie, with the one that is stored; empty for none. */
export interface HeldCookie {
  readonly id: number
  readonly name: string
  readonly baseUrl: string
  readonly revision: number
  readonly cookie: string
}

export interface SiteCookies {
  /** Those whose credentials can be opened, disabled sites too. */
  list(): Promise<HeldCookie[]>
  /** False when the site was changed since it was listed. */
  renew(site: Pick<HeldCookie, 'id' | 'revision'>, pushed: PushedCookie): Promise<boolean>
}

interface PushedCookie {
  readonly cookie: string
  readonly from: CookieOrigin
  /** The browser's name, where there is one, is stored with it. */
  readonly userAgent: string | undefined
}

interface CookiePush {
  readonly uuid: string
  /** Base64. */
  readonly encrypted: string
  readonly seal: PushSeal
  /** As the audit log calls it. */
  readonly command: string
}

/** Cookies that the owner's browser pushes by itself. */
export interface CookieService {
  /** `uuid` is empty while nothing is taken; `atUnix` is 0 while nothing was. */
  state(): Promise<{ readonly uuid: string; readonly atUnix: number; readonly sites: readonly string[] }>
  /** Begins anew, with a name and a password of its own; what was known before is of no use any more. */
  start(): Promise<Result<{ readonly uuid: string; readonly password: string }, 'secrets'>>
  stop(): Promise<void>
  /** Counts a push before it is read. 0 when it may be made, otherwise the seconds after which another one may. */
  knock(from: string): Promise<number>
  /** The names of the sites it renewed. */
  take(
    push: CookiePush,
    caller: { readonly from: string; readonly browser: string; readonly requestId: string },
  ): Promise<Result<string[], 'refused' | 'unreadable' | 'unavailable' | 'unlogged'>>
}
