import { type Clock, unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SiteFigureBook } from '../../adapters/d1/site-figures.ts'
import { localDay } from '../../core/local-day.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { canSignIn, type SignInOutcome, type SiteTarget } from '../../core/site.ts'
import type { SiteFault } from '../../core/site-fault.ts'
import type { OwnerLocaleReader } from '../../ports/settings.ts'
import type { SignInDay, SiteFleet, SiteSignIns } from '../../ports/sites.ts'

/** Signing in to sites, for the owner who asks for it and for the service's own daily work. */
export interface SiteSignIn extends SiteSignIns {
  send(target: SiteTarget): Promise<Result<SignInOutcome, SiteFault>>
  noteDone(siteId: number, day: string, outcome: SignInOutcome, attempts: number): Promise<SignInDay>
}

export function createSiteSignIn(deps: {
  readonly clock: Clock
  readonly figures: Pick<SiteFigureBook, 'noteProbe' | 'noteSignIn' | 'signIn'>
  readonly fleet: Pick<SiteFleet, 'signIn'>
  readonly locale: OwnerLocaleReader
}): SiteSignIn {
  const { clock, figures, fleet, locale } = deps

  async function noteDone(siteId: number, day: string, outcome: SignInOutcome, attempts: number): Promise<SignInDay> {
    const nowUnix = unixSeconds(clock)
    const signIn = { day, status: outcome.status, reason: outcome.reason, attempts, lastAttemptAtUnix: nowUnix }
    await figures.noteSignIn(siteId, signIn)
    await figures.noteProbe(siteId, 'ok', nowUnix, nowUnix)
    return signIn
  }

  return {
    send: (target) => fleet.signIn(target),
    noteDone,

    async signInNow({ record, target }) {
      const { timeZone } = await locale.read()
      const day = localDay(unixSeconds(clock), timeZone)
      const attempts = (await figures.signIn(record.id, day))?.attempts ?? 0
      if (!canSignIn(record.kind, record.profile)) {
        const reason: Reason = { kind: 'sign_in.not_offered' }
        const signIn: SignInDay = { day, status: 'unsupported', reason, attempts }
        return succeed(signIn)
      }
      const outcome = await fleet.signIn(target)
      // The day stays as it was, and no automatic attempt is used up.
      if (!outcome.ok) return failWith(outcome.failure)
      return succeed(await noteDone(record.id, day, outcome.value, attempts))
    },
  }
}
