import { unixSeconds } from '#shared/kernel/clock.ts'
import { succeed } from '#shared/kernel/result.ts'
import type { WireClause } from '../../contract/console-rules.ts'
import { explainPush, type PushWhyBody, type WirePushGate } from '../../contract/push-why.ts'
import type { PushGate } from '../../core/push-plan.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Say } from '../../core/reason/say.ts'
import { noneTaken } from '../../core/rules/day-bound.ts'
import type { Candidate } from '../../core/rules/filter-rule.ts'
import { judge, prepareRules } from '../../core/rules/judge.ts'
import { Subject } from '../../core/rules/subject.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { endsOf } from '../taken-up.ts'

export function pushWhyRoutes(
  deps: Pick<AppDeps, 'sites' | 'downloaders' | 'ruleDisks' | 'ruleOwned' | 'filterRules' | 'pushForesight' | 'clock'>,
): BoundRoute[] {
  return [
    bind(explainPush, async ({ body, say }) => {
      const ends = await endsOf(deps, body)
      if (!ends.ok) return ends
      const { site, downloader } = ends.value
      const [rules, foreseen] = await Promise.all([
        deps.filterRules.list(),
        deps.pushForesight.foresee(site.target, downloader, {
          torrentId: body.torrent_id,
          infoHash: body.info_hash,
          sizeBytes: body.size,
          savePath: body.save_path ?? '',
        }),
      ])
      const asked = rules.filter(({ enabled }) => enabled)
      const told = candidateOf(site.record.name, body)
      const [disks, ownedOf] = await Promise.all([deps.ruleDisks(asked), deps.ruleOwned(asked, [told])])
      const ruleOf = (id: number | undefined) => asked.find((rule) => rule.id === id)
      const { act, ruleId, clauses } = judge(
        new Subject({ ...told, ...ownedOf(told), disks }, unixSeconds(deps.clock)),
        prepareRules(asked),
        { mayWait: false, takenToday: (id) => ruleOf(id)?.takenToday ?? noneTaken },
      )
      const gates: readonly PushGate[] = foreseen.ok
        ? foreseen.value
        : [{ gate: 'site', state: 'shut', reason: siteReason(foreseen.failure) }]
      return succeed({
        body: {
          act,
          rule: ruleOf(ruleId)?.name ?? '',
          clauses: structuredClone(clauses) as WireClause[],
          downloader_id: downloader.id,
          downloader: downloader.name,
          gates: gates.map((gate) => toWireGate(gate, say)),
        },
      })
    }),
  ]
}

/** No feed brought it. */
function candidateOf(site: string, body: PushWhyBody): Candidate {
  return {
    site,
    feed: '',
    torrentId: body.torrent_id,
    title: body.title,
    subtitle: body.subtitle ?? '',
    sizeBytes: body.size,
    seeders: body.seeders,
    leechers: body.leechers,
    uploadedAtUnix: body.uploaded_at,
    category: body.category,
    tags: body.tags,
    promotion: body.discount,
    freeUntilUnix: body.discount_end_at,
    hasHr: body.has_hr,
  }
}

function toWireGate({ gate, state, reason, capacity, space }: PushGate, say: Say): WirePushGate {
  return {
    gate,
    state,
    ...(reason === undefined ? {} : explained(say, reason)),
    ...(capacity === undefined ? {} : { seeding: capacity.seedingBytes, limit: capacity.capacityBytes }),
    ...(space?.freeBytes === undefined ? {} : { left: space.freeBytes - space.pendingBytes, kept: space.minFreeBytes }),
  }
}
