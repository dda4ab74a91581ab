/** Takes what the owner's browser pushes: the cookies of sites that are set up here, and nothing else is kept of it. */
import { constantTimeEqual } from '#shared/http/constant-time-equal.ts'
import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { Attempts } from '../../adapters/d1/attempts.ts'
import { cookiesInPush, isBrowserName, type PushSeal, pushKey, renewalOf } from '../../core/cookie-push.ts'
import { type Cookie, headerFor } from '../../core/cookies.ts'
import { cookiesPushedMax, siteCredentialCharactersMax, siteUserAgentCharactersMax } from '../../limits.ts'
import type { Jobs } from '../../ports/jobs.ts'
import type { Identifiers } from '../../ports/runtime.ts'
import type { OwnerSettings } from '../../ports/settings.ts'
import type { CookieService, HeldCookie, SiteCookies } from '../../ports/site-cookies.ts'
import { type AuditDeps, writtenDown } from '../written-down.ts'

const bounds = { headerCharactersMax: siteCredentialCharactersMax }

export function createCookieService(
  deps: AuditDeps & {
    readonly identifiers: Identifiers
    readonly settings: OwnerSettings
    readonly cookies: SiteCookies
    readonly jobs: Pick<Jobs, 'subjectChanged'>
    readonly attempts: Pick<Attempts, 'take' | 'forget'>
    readonly digest: (text: string) => Uint8Array
    readonly open: (seal: PushSeal, encrypted: string, passphrase: string) => Promise<string | undefined>
  },
): CookieService {
  const { clock, settings, cookies } = deps

  async function isOurs(uuid: string): Promise<boolean> {
    const { value } = await settings.read('cookies')
    const [given, known] = [deps.digest(uuid), deps.digest(value.uuid)]
    return constantTimeEqual(given, known) && value.uuid !== ''
  }

  /** What of the push is another than what is stored, and opens the account still. */
  async function changesIn(pushed: readonly Cookie[]): Promise<(readonly [site: HeldCookie, cookie: string])[]> {
    return (await cookies.list()).flatMap((site) => {
      const header = headerFor(pushed, site.baseUrl, unixSeconds(clock), bounds)
      return header.ok && renewalOf(site.cookie, header.value) === 'renewed' ? [[site, header.value] as const] : []
    })
  }

  return {
    async state() {
      const [{ value }, last] = await Promise.all([settings.read('cookies'), settings.read('cookiesTaken')])
      return { ...value, ...last.value }
    },

    async start() {
      const [uuid, password] = [deps.identifiers.next(), deps.identifiers.secret()]
      const stored = await settings.write('cookies', { uuid }, pushKey(uuid, password))
      if (!stored.ok) return stored
      await settings.write('cookiesTaken', { atUnix: 0, sites: [] })
      return succeed({ uuid, password })
    },

    async stop() {
      await settings.write('cookies', { uuid: '' }, '')
    },

    knock: (from) => deps.attempts.take('cookies', from),

    async take(push, { from, browser, requestId }) {
      if (!(await isOurs(push.uuid))) return failWith('refused')
      const key = await settings.openSecret('cookies')
      if (!key.ok) return failWith('unavailable')
      const text = await deps.open(push.seal, push.encrypted, key.value)
      if (text === undefined) return failWith('refused')
      await deps.attempts.forget('cookies', from)
      const pushed = cookiesInPush(text, cookiesPushedMax)
      if (pushed === undefined) return failWith('unreadable')
      const changes = await changesIn(pushed.cookies)
      const renewed: string[] = []
      if (changes.length > 0) {
        const written = await writtenDown(
          deps,
          { channel: 'browser', user: 'browser', command: push.command, requestId },
          async () => {
            // The cookies were given to the browser that sends them.
            const isKnown = isBrowserName(browser) && browser.length <= siteUserAgentCharactersMax
            const userAgent = isKnown ? browser : undefined
            for (const [site, cookie] of changes) {
              if (!(await cookies.renew(site, { cookie, from: pushed.from, userAgent }))) continue
              renewed.push(site.name)
              await deps.jobs.subjectChanged('site', site.id)
            }
          },
          () => ({
            result: 'ok',
            status: 200,
            ...(renewed.length === 0 ? {} : { reason: { kind: 'cookie.renewed' as const, sites: renewed } }),
          }),
        )
        if (!written.ok) return failWith('unlogged')
      }
      await settings.write('cookiesTaken', { atUnix: unixSeconds(clock), sites: renewed })
      return succeed(renewed)
    },
  }
}
