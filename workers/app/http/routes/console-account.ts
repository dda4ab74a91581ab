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
import type { Reason } from '../../core/reason/reason.ts'
import type { EndedAccess, TooManyAttempts } from '../../ports/account.ts'
import type { AppDeps } from '../../ports.ts'
import { readCookie, writeCookie } from '../authenticate.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { createBrowserMarks, type Visitor } from '../browser-marks.ts'

/** Set-up, sign-in and sign-out of the one owner. */
export function consoleAccountRoutes(
  deps: Pick<
    AppDeps,
    | 'basedAt'
    | 'owner'
    | 'knownBrowsers'
    | 'passkeys'
    | 'secrets'
    | 'lostSecrets'
    | 'adoptKey'
    | 'credentials'
    | 'version'
  > &
    EndingDeps,
): BoundRoute[] {
  const browsers = createBrowserMarks(deps)

  async function withEnded<Refusal extends string>(
    outcome: Result<{ readonly cookie: string; readonly ended: EndedAccess }, Refusal | TooManyAttempts>,
    visitor: Visitor,
    reasons: Readonly<Record<Refusal, Reason>>,
  ): Promise<Result<{ body: { ok: true; ended: WireEndedEntrances }; cookies: string[] }, Failure>> {
    if (!outcome.ok) return failWith(refusalOf(outcome.failure, reasons))
    const { cookie, ended } = outcome.value
    tidyUp(deps, ended)
    const counts = { tokens: ended.tokens.length, devices: ended.devices.length, passkeys: ended.passkeys }
    return succeed({ body: { ok: true as const, ended: counts }, cookies: await browsers.signedIn(cookie, visitor) })
  }

  return [
    bind(getConsoleState, async ({ headers, url, origin }) => {
      const cookie = readCookie('session', { headers, url }, deps)
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
    bind(setUp, async (visitor) => {
      const { body } = visitor
      const next = { password: body.password, keep: body.keep ?? [] }
      return withEnded(await deps.owner.setPassword(body.code, next, await browsers.nameFor(visitor)), visitor, {
        wrong: { kind: 'account.setup_code_wrong' },
        no_code: { kind: 'account.no_setup_code' },
      })
    }),
    bind(signIn, async (visitor) => {
      const { body } = visitor
      const signedIn = await deps.owner.signIn(body.password, await browsers.nameFor(visitor))
      if (!signedIn.ok) return failWith(refusalOf(signedIn.failure, signInRefusals))
      return succeed({
        body: { ok: true as const },
        cookies: await browsers.signedIn(signedIn.value.cookie, visitor),
      })
    }),
    bind(changePassword, async (visitor) => {
      const { body } = visitor
      const next = { password: body.next, keep: body.keep ?? [] }
      const outcome = await deps.owner.changePassword(body.current, next, await browsers.nameFor(visitor))
      return withEnded(outcome, visitor, { wrong: { kind: 'account.current_password_wrong' } })
    }),
    bind(signOutEverywhere, async ({ body, url }) => {
      const ended = await deps.owner.signOutEverywhere(body.ends)
      tidyUp(deps, ended)
      const counts = { sessions: ended.sessions, tokens: ended.tokens.length, devices: ended.devices.length }
      const cookies = body.ends.includes('sessions') ? [writeCookie('session', '', 0, url, deps)] : []
      return succeed({ body: { ok: true as const, ended: counts }, cookies })
    }),
    bind(adoptMasterKey, async () =>
      (await deps.adoptKey())
        ? succeed({ body: { ok: true as const } })
        : failWith(failure('unavailable', { kind: 'account.no_master_key' })),
    ),
    bind(signOut, async ({ headers, url }) => {
      const cookie = readCookie('session', { headers, url }, deps)
      if (cookie !== undefined) await deps.owner.signOut(cookie)
      return succeed({ body: { ok: true as const }, cookies: [writeCookie('session', '', 0, url, deps)] })
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

const signInRefusals = {
  wrong: { kind: 'account.password_wrong' },
  not_set_up: { kind: 'account.not_set_up' },
} as const

function refusalOf<Refusal extends string>(
  refusal: Refusal | TooManyAttempts,
  reasons: Readonly<Record<Refusal, Reason>>,
): Failure {
  return typeof refusal === 'object'
    ? {
        ...failure('too_many', { kind: 'account.too_many_attempts' }),
        retryAfterSeconds: refusal.retryAfterSeconds,
      }
    : failure('forbidden', reasons[refusal])
}
