import type { Result } from '#shared/kernel/result.ts'
import type { NamedReason, Reason } from '../core/reason/reason.ts'
import type { PlanChoice, PlanGap, SimulatedPlan } from '../core/site-plan.ts'
import type { SitePlanState, SitePlanStepState } from '../core/vocabulary.ts'
import type { SiteEntry } from './sites.ts'

/** One torrent of a plan: what it is there for, and how far it is. */
export type SitePlanStep = PlanChoice & {
  /** By what the account's seeding gives now; left out where that is not told. */
  readonly bonusPerDay?: number
  readonly pointsPerDay?: number
  readonly state: SitePlanStepState
  readonly attempts: number
  readonly reason?: Reason
}

/** What stays as it was simulated. */
export interface SitePlanFacts extends Omit<SimulatedPlan, 'choices' | 'gaps' | 'atUnix' | 'plannedAtUnix'> {
  readonly atUnix?: number
  readonly plannedAtUnix?: number
  readonly gaps: readonly PlanGap[]
  /** Of the site and seeded already: it stays while the plan runs. */
  readonly kept: { readonly count: number; readonly bytes: number }
  /** Downloaders that could not be read, and the list of the site where it could not: what they have is not in it. */
  readonly unread: readonly NamedReason[]
  /** Days of history that the pace was taken from, and when the account was read. */
  readonly paceDays: number
  readonly readAtUnix: number
}

export interface SitePlan extends SitePlanFacts {
  readonly id: number
  readonly siteId: number
  readonly state: SitePlanState
  readonly steps: readonly SitePlanStep[]
  readonly madeAtUnix: number
  readonly begunAtUnix?: number
  readonly endedAtUnix?: number
}

/** Ways to the next level of a site, simulated first and carried out after one yes. */
export interface SitePlans {
  /** The running one, or else the newest that is still worth showing. */
  current(siteId: number): Promise<SitePlan | undefined>
  find(id: number): Promise<SitePlan | undefined>
  /** In place of one that waits for a yes. */
  make(site: SiteEntry): Promise<Result<SitePlan, Reason>>
  /** Exactly what was shown; a plan that runs already is left as it is. */
  carryOut(id: number): Promise<Result<SitePlan, Reason>>
  /** What is seeded goes on. */
  stop(id: number): Promise<Result<SitePlan, Reason>>
}
