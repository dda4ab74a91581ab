import { failWith, succeed } from '#shared/kernel/result.ts'
import { getCookiePush, startCookiePush, stopCookiePush, type WireCookiePush } from '../../contract/console-cookies.ts'
import { cookiePushPrefix } from '../../contract/cookie-push.ts'
import { failure } from '../../core/failure.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const cannotSeal = failure('unavailable', { kind: 'cannot_seal', what: 'key' })

export function consoleCookieRoutes({ cookieService }: Pick<AppDeps, 'cookieService'>): BoundRoute[] {
  async function present(): Promise<WireCookiePush> {
    const { uuid, atUnix, sites } = await cookieService.state()
    return {
      enabled: uuid !== '',
      path: cookiePushPrefix,
      ...(uuid === '' ? {} : { uuid }),
      taken_at: atUnix,
      renewed: [...sites],
    }
  }

  return [
    bind(getCookiePush, async () => succeed({ body: await present() })),
    bind(startCookiePush, async () => {
      const started = await cookieService.start()
      return started.ok ? succeed({ body: { ...(await present()), ...started.value } }) : failWith(cannotSeal)
    }),
    bind(stopCookiePush, async () => {
      await cookieService.stop()
      return succeed({ body: await present() })
    }),
  ]
}
