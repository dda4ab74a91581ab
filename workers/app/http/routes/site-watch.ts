import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import type { HitAndRunRule } from '../../contract/site-rules.ts'
import {
  getSiteHistory,
  getSiteStanding,
  listSeedingDuties,
  listSiteFigures,
  type WireLevelCondition,
  type WireSeedingDuty,
} from '../../contract/site-watch.ts'
import { failure } from '../../core/failure.ts'
import { isAskedOfAll, seedingStanding } from '../../core/hit-and-run.ts'
import { addDays, localDay } from '../../core/local-day.ts'
import { triedFigures } from '../../core/site-figures.ts'
import { type ConditionStanding, type LevelStanding, paceOf, spanDays, standingOf } from '../../core/site-levels.ts'
import { hitAndRunLookSeconds, levelPaceDays } from '../../limits.ts'
import type { HitAndRunRecord } from '../../ports/pushes.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'

const noSite = failure('not_found', { kind: 'none', what: 'site' })

export function siteWatchRoutes(
  deps: Pick<AppDeps, 'sites' | 'siteFigures' | 'siteRulesOf' | 'hitAndRuns' | 'clock' | 'locale'>,
): BoundRoute[] {
  async function historyOf(siteId: number, days: number) {
    const { timeZone } = await deps.locale.read()
    const today = localDay(unixSeconds(deps.clock), timeZone)
    return deps.siteFigures.historyOf(siteId, addDays(today, 1 - days))
  }

  return [
    bind(getSiteStanding, async ({ params }) => {
      const entry = await deps.sites.find(params.site)
      if (entry === undefined) return failWith(noSite)
      const { id, definition } = entry.record
      const levels = deps.siteRulesOf(definition).levels ?? []
      const [users, history] = await Promise.all([deps.siteFigures.users(), historyOf(id, levelPaceDays + 1)])
      const user = users.ok ? users.value.get(id) : undefined
      const standing = user === undefined ? {} : standingOf(levels, user, paceOf(history), unixSeconds(deps.clock))
      return succeed({
        body: {
          ...(user?.level === undefined ? {} : { shown: user.level }),
          known: levels.length > 0,
          ...toWireStanding(standing),
          pace_days: spanDays(history),
        },
      })
    }),
    bind(listSiteFigures, async ({ params }) => {
      const entry = await deps.sites.find(params.site)
      if (entry === undefined) return failWith(noSite)
      const users = await deps.siteFigures.users()
      const user = users.ok ? users.value.get(entry.record.id) : undefined
      return succeed({
        body: user === undefined ? { items: [] } : { items: triedFigures(user), read_at: user.fetchedAtUnix },
      })
    }),
    bind(getSiteHistory, async ({ params, query }) => {
      const entry = await deps.sites.find(params.site)
      if (entry === undefined) return failWith(noSite)
      return succeed({ body: { items: await historyOf(entry.record.id, query.days) } })
    }),
    bind(listSeedingDuties, async ({ params }) => {
      const entry = await deps.sites.find(params.site)
      if (entry === undefined) return failWith(noSite)
      const { name, kind, definition } = entry.record
      const rule = deps.siteRulesOf(definition).hit_and_run
      const records = await deps.hitAndRuns.ofSite(name, rule !== undefined && isAskedOfAll(kind))
      const freshFrom = unixSeconds(deps.clock) - 2 * hitAndRunLookSeconds
      return succeed({
        body: {
          ...(rule === undefined ? {} : { rule }),
          items: records.map((record) => toWireDuty(record, rule, (record.givenAtUnix ?? 0) >= freshFrom)),
        },
      })
    }),
  ]
}

function toWireStanding({ level, next }: LevelStanding) {
  return {
    ...(level === undefined ? {} : { level: level.name }),
    ...(next === undefined
      ? {}
      : {
          next: {
            name: next.level.name,
            conditions: next.conditions.map(toWireCondition),
            ...(next.anyOf.length === 0 ? {} : { any_of: next.anyOf.map((one) => one.map(toWireCondition)) }),
            ...(next.atUnix === undefined ? {} : { at: next.atUnix }),
          },
        }),
  }
}

export function toWireCondition({ condition, need, have, isMet, atUnix }: ConditionStanding): WireLevelCondition {
  return {
    condition,
    ...(need === undefined ? {} : { need }),
    // Of an account that downloaded nothing the ratio has no number.
    ...(have === undefined || (condition === 'ratio' && have === Number.MAX_SAFE_INTEGER) ? {} : { have }),
    ...(isMet === undefined ? {} : { met: isMet }),
    ...(atUnix === undefined ? {} : { at: atUnix }),
  }
}

function toWireDuty(record: HitAndRunRecord, rule: HitAndRunRule | undefined, isFresh: boolean): WireSeedingDuty {
  const { torrentId, title, sizeBytes, isMarked, downloader, downloaderId, infoHashes } = record
  const { seededSeconds, givenBytes, givenAtUnix } = record
  const { state, ratio, leftSeconds, freeAtUnix } = seedingStanding(record, rule, isFresh)
  return {
    ...{ torrent_id: torrentId, title, size: sizeBytes, marked: isMarked, downloader, state },
    ...{ downloader_id: downloaderId, task_id: infoHashes[0] ?? '' },
    ...(seededSeconds === undefined ? {} : { seeded: seededSeconds }),
    ...(givenBytes === undefined ? {} : { given: givenBytes }),
    ...(ratio === undefined ? {} : { ratio }),
    ...(leftSeconds === undefined ? {} : { left: Math.ceil(leftSeconds) }),
    ...(freeAtUnix === undefined ? {} : { free_at: Math.ceil(freeAtUnix) }),
    ...(givenAtUnix === undefined ? {} : { looked_at: givenAtUnix }),
  }
}
