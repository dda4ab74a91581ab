import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { changePassword, getConsoleState, setUp, signIn, signOut } from '../../contract/console.ts'
import { type Failure, failure } from '../../core/failure.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { secretAttemptsWindowSeconds, sessionSeconds } from '../../limits.ts'
import type { AppDeps } from '../../ports.ts'
import { sessionCookie, sessionCookieName } from '../authenticate.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { callerAddress } from '../caller-address.ts'

interface Visitor {
  readonly headers: Headers
  readonly isHttps: boolean
}

/** Set-up, sign-in and sign-out of the one owner. */
export function consoleAccountRoutes(
  deps: Pick<AppDeps, 'owner' | 'secrets' | 'credentials' | 'version'>,
): BoundRoute[] {
  return [
    bind(getConsoleState, async ({ headers, isHttps }) => {
      const cookie = sessionCookie(headers, isHttps)
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
      withSession(await deps.owner.setPassword(body.code, body.password, callerAddress(visitor.headers)), visitor, {
        wrong: { kind: 'account.setup_code_wrong' },
        no_code: { kind: 'account.no_setup_code' },
      }),
    ),
    bind(signIn, async ({ body, ...visitor }) =>
      withSession(await deps.owner.signIn(body.password, callerAddress(visitor.headers)), visitor, {
        wrong: { kind: 'account.password_wrong' },
        not_set_up: { kind: 'account.not_set_up' },
      }),
    ),
    bind(changePassword, async ({ body, ...visitor }) =>
      withSession(await deps.owner.changePassword(body.current, body.next, callerAddress(visitor.headers)), visitor, {
        wrong: { kind: 'account.current_password_wrong' },
      }),
    ),
    bind(signOut, async ({ headers, isHttps }) => {
      const cookie = sessionCookie(headers, isHttps)
      if (cookie !== undefined) await deps.owner.signOut(cookie)
      return succeed({ body: { ok: true as const }, headers: { 'set-cookie': setCookie('', 0, isHttps) } })
    }),
  ]
}

function withSession<Refusal extends string>(
  outcome: Result<{ readonly cookie: string }, Refusal | 'too_many_attempts'>,
  visitor: Visitor,
  reasons: Readonly<Record<Refusal, Reason>>,
): Result<{ body: { ok: true }; headers: Record<string, string> }, Failure> {
  if (outcome.ok) {
    return succeed({
      body: { ok: true as const },
      headers: { 'set-cookie': setCookie(outcome.value.cookie, sessionSeconds, visitor.isHttps) },
    })
  }
  if (outcome.failure === 'too_many_attempts') {
    return failWith({
      ...failure('too_many', { kind: 'account.too_many_attempts' }),
      retryAfterSeconds: secretAttemptsWindowSeconds,
    })
  }
  return failWith(failure('forbidden', reasons[outcome.failure as Refusal]))
}

function setCookie(value: string, maxAgeSeconds: number, isHttps: boolean): string {
  const name = isHttps ? sessionCookieName.secure : sessionCookieName.plain
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isHttps ? '; Secure' : ''}`
}
