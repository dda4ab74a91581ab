import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  carryOutSitePlan,
  makeSitePlan,
  readSitePlan,
  stopSitePlan,
  type WirePlanCondition,
  type WirePlanStep,
  type WireSitePlan,
} from '../../contract/site-plans.ts'
import { type Failure, failure } from '../../core/failure.ts'
import type { Reason } from '../../core/reason/reason.ts'
import type { Say } from '../../core/reason/say.ts'
import type { PlannedCondition } from '../../core/site-plan.ts'
import type { SitePlan, SitePlanStep } from '../../ports/site-plans.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { toWireCondition } from './site-watch.ts'

const noSite = failure('not_found', { kind: 'none', what: 'site' })
const noPlan = failure('not_found', { kind: 'none', what: 'site_plan' })

export function sitePlanRoutes({ sites, sitePlans }: Pick<AppDeps, 'sites' | 'sitePlans'>): BoundRoute[] {
  /** A plan is found below its own site only. */
  async function ownPlan(params: {
    readonly site: string
    readonly plan_id: number
  }): Promise<Result<SitePlan, Failure>> {
    const [entry, plan] = await Promise.all([sites.find(params.site), sitePlans.find(params.plan_id)])
    if (entry === undefined) return failWith(noSite)
    return plan?.siteId === entry.record.id ? succeed(plan) : failWith(noPlan)
  }
  const told = (outcome: Result<SitePlan, Reason>, say: Say): Result<{ readonly body: WireSitePlan }, Failure> =>
    outcome.ok
      ? succeed({ body: toWire(outcome.value, say) })
      : failWith(outcome.failure.kind === 'none' ? noPlan : failure('busy_conflict', outcome.failure))

  return [
    bind(readSitePlan, async ({ params, say }) => {
      const entry = await sites.find(params.site)
      if (entry === undefined) return failWith(noSite)
      const plan = await sitePlans.current(entry.record.id)
      return succeed({ body: plan === undefined ? {} : { plan: toWire(plan, say) } })
    }),
    bind(makeSitePlan, async ({ params, say }) => {
      const entry = await sites.find(params.site)
      if (entry === undefined) return failWith(noSite)
      const made = await sitePlans.make(entry)
      return succeed({ body: made.ok ? { plan: toWire(made.value, say) } : explained(say, made.failure) })
    }),
    bind(carryOutSitePlan, async ({ params, say }) => {
      const plan = await ownPlan(params)
      return plan.ok ? told(await sitePlans.carryOut(plan.value.id), say) : plan
    }),
    bind(stopSitePlan, async ({ params, say }) => {
      const plan = await ownPlan(params)
      return plan.ok ? told(await sitePlans.stop(plan.value.id), say) : plan
    }),
  ]
}

function toWire(plan: SitePlan, say: Say): WireSitePlan {
  return {
    ...{ id: plan.id, state: plan.state, level: plan.level },
    ...(plan.atUnix === undefined ? {} : { at: plan.atUnix }),
    ...(plan.plannedAtUnix === undefined ? {} : { planned_at: plan.plannedAtUnix }),
    conditions: plan.conditions.map(toWirePlanned),
    ...(plan.anyOf.length === 0 ? {} : { any_of: plan.anyOf.map((list) => list.map(toWirePlanned)) }),
    steps: plan.steps.map((step) => toWireStep(step, say)),
    keeps: { count: plan.kept.count, size: plan.kept.bytes },
    gaps: [...plan.gaps],
    unread: plan.unread.map(({ name, reason }) => ({ name, ...explained(say, reason) })),
    ...{ pace_days: plan.paceDays, read_at: plan.readAtUnix, made_at: plan.madeAtUnix },
    ...(plan.begunAtUnix === undefined ? {} : { begun_at: plan.begunAtUnix }),
    ...(plan.endedAtUnix === undefined ? {} : { ended_at: plan.endedAtUnix }),
  }
}

function toWirePlanned(one: PlannedCondition): WirePlanCondition {
  const { perDay, paceFrom, plannedAtUnix, adds, addsPerDay } = one
  return {
    ...toWireCondition(one),
    ...(perDay === undefined ? {} : { per_day: perDay }),
    ...(paceFrom === undefined ? {} : { pace_from: paceFrom }),
    ...(plannedAtUnix === undefined ? {} : { planned_at: plannedAtUnix }),
    ...(adds === undefined ? {} : { adds }),
    ...(addsPerDay === undefined ? {} : { adds_per_day: addsPerDay }),
  }
}

function toWireStep(step: SitePlanStep, say: Say): WirePlanStep {
  const { kind, title, sizeBytes, bonusPerDay, pointsPerDay, state, reason } = step
  return {
    ...{ kind, title, size: sizeBytes, state },
    ...(step.kind === 'seed'
      ? { downloader: step.downloader, info_hash: step.infoHash }
      : {
          torrent_id: step.torrentId,
          ...(step.freeUntilUnix === undefined ? {} : { free_until: step.freeUntilUnix }),
        }),
    ...(bonusPerDay === undefined ? {} : { bonus_per_day: bonusPerDay }),
    ...(pointsPerDay === undefined ? {} : { points_per_day: pointsPerDay }),
    ...(reason === undefined ? {} : explained(say, reason)),
  }
}
