import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  adoptMasterKey,
  changePassword,
  getConsoleState,
  setUp,
  signIn,
  signOut,
  signOutEverywhere,
  type WireEndedEntrances,
} from '../../contract/console.ts'
import { type Failure, failure } from '../../core/failure.ts'
import { passkeyPlace } from '../../core/passkey-place.ts'
import { secretAttemptsWindowSeconds } from '../../limits.ts'
import type { AppDeps, EndedAccess } from '../../ports.ts'
import { sessionCookie } from '../authenticate.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { callerAddress } from '../caller-address.ts'
import { noSessionHeaders, sessionHeaders } from '../session-cookie.ts'

interface Visitor {
  readonly headers: Headers
  readonly isHttps: boolean
}

/** Set-up, sign-in and sign-out of the one owner. */
export function consoleAccountRoutes(
  deps: Pick<AppDeps, 'owner' | 'passkeys' | 'secrets' | 'lostSecrets' | 'adoptKey' | 'credentials' | 'version'> &
    EndingDeps,
): BoundRoute[] {
  return [
    bind(getConsoleState, async ({ headers, isHttps, origin }) => {
      const cookie = sessionCookie(headers, isHttps)
      const signedIn = cookie !== undefined && (await deps.credentials.bySession(cookie)) !== undefined
      const { done, codeWaits } = await deps.owner.setUp()
      const place = passkeyPlace(origin)
      return succeed({
        body: {
          signed_in: signedIn,
          set_up: done,
          setup_code_waits: codeWaits,
          passkeys: place !== undefined && (await deps.passkeys.worksAt(place.host)),
          ...(signedIn ? { secrets: await deps.secrets.state(), lost: await deps.lostSecrets() } : {}),
          version: deps.version,
        },
      })
    }),
    bind(setUp, async ({ body, ...visitor }) => {
      const next = { password: body.password, keep: body.keep ?? [] }
      const outcome = await deps.owner.setPassword(body.code, next, callerAddress(visitor.headers))
      return withEnded(deps, outcome, visitor, {
        wrong: '设置链接不对或已经用过',
        no_code: '没有可用的设置链接',
      })
    }),
    bind(signIn, async ({ body, ...visitor }) =>
      withSession(await deps.owner.signIn(body.password, callerAddress(visitor.headers)), visitor, {
        wrong: '密码不对',
        not_set_up: '还没有设置密码，请先打开设置链接',
      }),
    ),
    bind(changePassword, async ({ body, ...visitor }) => {
      const next = { password: body.next, keep: body.keep ?? [] }
      const outcome = await deps.owner.changePassword(body.current, next, callerAddress(visitor.headers))
      return withEnded(deps, outcome, visitor, { wrong: '当前密码不对' })
    }),
    bind(signOutEverywhere, async ({ body, isHttps }) => {
      const ended = await deps.owner.signOutEverywhere(body.ends)
      tidyUp(deps, ended)
      const counts = { sessions: ended.sessions, tokens: ended.tokens.length, devices: ended.devices.length }
      const headers = body.ends.includes('sessions') ? noSessionHeaders(isHttps) : undefined
      return succeed({ body: { ok: true as const, ended: counts }, ...(headers === undefined ? {} : { headers }) })
    }),
    bind(adoptMasterKey, async () =>
      (await deps.adoptKey())
        ? succeed({ body: { ok: true as const } })
        : failWith(failure('unavailable', '没有主密钥')),
    ),
    bind(signOut, async ({ headers, isHttps }) => {
      const cookie = sessionCookie(headers, isHttps)
      if (cookie !== undefined) await deps.owner.signOut(cookie)
      return succeed({ body: { ok: true as const }, headers: noSessionHeaders(isHttps) })
    }),
  ]
}

type EndingDeps = Pick<AppDeps, 'assistant' | 'background' | 'logger' | 'tunnel'>

/** What it was told is told to nobody any more, and what it asked for is not worked on. */
function tidyUp(deps: EndingDeps, { tokens, devices }: EndedAccess): void {
  const ending = [
    ...tokens.map((id) => deps.assistant.removeAll(`token:${id}`)),
    ...devices.flatMap((id) => [deps.assistant.removeAll(`device:${id}`), deps.tunnel.close(id)]),
  ]
  for (const one of ending)
    deps.background.run(one.catch((cause) => deps.logger.error('ended_access_not_cleared', { cause })))
}

function withEnded<Reason extends string>(
  deps: EndingDeps,
  outcome: Result<{ readonly cookie: string; readonly ended: EndedAccess }, Reason | 'too_many_attempts'>,
  visitor: Visitor,
  messages: Readonly<Record<Reason, string>>,
): Result<{ body: { ok: true; ended: WireEndedEntrances }; headers: Record<string, string> }, Failure> {
  if (!outcome.ok) return failWith(refusalOf(outcome.failure, messages))
  const { cookie, ended } = outcome.value
  tidyUp(deps, ended)
  const counts = { tokens: ended.tokens.length, devices: ended.devices.length, passkeys: ended.passkeys }
  return succeed({ body: { ok: true as const, ended: counts }, headers: sessionHeaders(cookie, visitor.isHttps) })
}

function withSession<Reason extends string>(
  outcome: Result<{ readonly cookie: string }, Reason | 'too_many_attempts'>,
  visitor: Visitor,
  messages: Readonly<Record<Reason, string>>,
): Result<{ body: { ok: true }; headers: Record<string, string> }, Failure> {
  if (!outcome.ok) return failWith(refusalOf(outcome.failure, messages))
  return succeed({ body: { ok: true as const }, headers: sessionHeaders(outcome.value.cookie, visitor.isHttps) })
}

function refusalOf<Reason extends string>(
  reason: Reason | 'too_many_attempts',
  messages: Readonly<Record<Reason, string>>,
): Failure {
  return reason === 'too_many_attempts'
    ? { ...failure('too_many', '尝试次数过多，请稍后再试'), retryAfterSeconds: secretAttemptsWindowSeconds }
    : failure('forbidden', messages[reason])
}
