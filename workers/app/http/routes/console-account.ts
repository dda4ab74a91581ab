import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { changePassword, getConsoleState, setUp, signIn, signOut } from '../../contract/console.ts'
import { knownBrowser } from '../../core/doors.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { knownBrowserSeconds, sessionSeconds } from '../../limits.ts'
import type { AppDeps, TooManyAttempts } from '../../ports.ts'
import { type CookieSite, readCookie, writeCookie } from '../authenticate.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { callerAddress } from '../caller-address.ts'

interface Visitor {
  readonly headers: Headers
  readonly site: CookieSite
}

/** Set-up, sign-in and sign-out of the one owner. */
export function consoleAccountRoutes(
  deps: Pick<AppDeps, 'owner' | 'knownBrowsers' | 'secrets' | 'credentials' | 'version'>,
): BoundRoute[] {
  async function knownName({ headers, site }: Visitor): Promise<string | undefined> {
    const mark = readCookie('browser', headers, site)
    return mark === undefined ? undefined : deps.knownBrowsers.nameOf(mark)
  }

  /** By what the visitor's attempts are counted. */
  async function from(visitor: Visitor): Promise<string> {
    const name = await knownName(visitor)
    return name === undefined ? callerAddress(visitor.headers) : knownBrowser(name)
  }

  /** A browser that is known already keeps its mark, and what was counted under it. */
  async function markOf(visitor: Visitor): Promise<string[]> {
    const mark = (await knownName(visitor)) === undefined ? await deps.knownBrowsers.mark() : undefined
    return mark === undefined ? [] : [writeCookie('browser', mark, knownBrowserSeconds, visitor.site)]
  }

  async function withSession<Reason extends string>(
    outcome: Result<{ readonly cookie: string }, Reason | TooManyAttempts>,
    visitor: Visitor,
    messages: Readonly<Record<Reason, string>>,
  ): Promise<Result<{ body: { ok: true }; cookies: string[] }, Failure>> {
    if (outcome.ok) {
      const session = writeCookie('session', outcome.value.cookie, sessionSeconds, visitor.site)
      return succeed({ body: { ok: true as const }, cookies: [session, ...(await markOf(visitor))] })
    }
    const reason = outcome.failure
    if (typeof reason === 'object') {
      const { retryAfterSeconds } = reason
      return failWith({ ...failure('too_many', '尝试次数过多，请稍后再试'), retryAfterSeconds })
    }
    return failWith(failure('forbidden', messages[reason]))
  }

  return [
    bind(getConsoleState, async ({ headers, site }) => {
      const cookie = readCookie('session', headers, site)
      const signedIn = cookie !== undefined && (await deps.credentials.bySession(cookie)) !== undefined
      const { done, codeWaits } = await deps.owner.setUp()
      return succeed({
        body: {
          signed_in: signedIn,
          set_up: done,
          setup_code_waits: codeWaits,
          ...(signedIn ? { secrets: await deps.secrets.state() } : {}),
          version: deps.version,
        },
      })
    }),
    bind(setUp, async ({ body, ...visitor }) =>
      withSession(await deps.owner.setPassword(body.code, body.password, await from(visitor)), visitor, {
        wrong: '设置链接不对或已经用过',
        no_code: '没有可用的设置链接',
      }),
    ),
    bind(signIn, async ({ body, ...visitor }) =>
      withSession(await deps.owner.signIn(body.password, await from(visitor)), visitor, {
        wrong: '密码不对',
        not_set_up: '还没有设置密码，请先打开设置链接',
      }),
    ),
    bind(changePassword, async ({ body, ...visitor }) =>
      withSession(await deps.owner.changePassword(body.current, body.next, await from(visitor)), visitor, {
        wrong: '当前密码不对',
      }),
    ),
    bind(signOut, async ({ headers, site }) => {
      const cookie = readCookie('session', headers, site)
      if (cookie !== undefined) await deps.owner.signOut(cookie)
      return succeed({ body: { ok: true as const }, cookies: [writeCookie('session', '', 0, site)] })
    }),
  ]
}
