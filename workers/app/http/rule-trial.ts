/** What rules would have done beside what the stored ones would: of filters and of brush tasks alike. */
import type { RuleTrial, WireCandidate, WireClause, WireDryRunFigures } from '../contract/console-rules.ts'
import type { DryRun, PastCandidate } from '../core/rules/dry-run.ts'
import type { Candidate } from '../core/rules/filter-rule.ts'
import type { Verdict } from '../core/rules/judge.ts'
import { dryRunChangesShown } from '../limits.ts'

type NamedRun = DryRun & {
  /** Left out where what decides has no name. */
  readonly rules?: readonly { readonly id: number; readonly name: string }[]
}

const nothing = { taken: 0, billed: 0, bytes: 0 }

export function trialBetween(past: readonly PastCandidate[], stored: NamedRun, tried: NamedRun): RuleTrial {
  const isStored = new Set(stored.rules?.map(({ id }) => id))
  const shareOf = ({ byRule }: DryRun, id: number) => {
    const { taken, billed, bytes } = byRule.get(id) ?? nothing
    return { taken, billed, size: bytes }
  }
  const changed = past.flatMap(({ candidate, atUnix }, at) => {
    const [before, after] = [stored.verdicts[at], tried.verdicts[at]]
    if ((before?.act ?? 'leave') === (after?.act ?? 'leave')) return []
    return [{ candidate, atUnix, before, after }]
  })
  return {
    judged: past.length,
    stored: figuresOf(stored),
    tried: figuresOf(tried),
    rules: (tried.rules ?? []).map(({ id, name }) => ({
      id,
      name,
      ...(isStored.has(id) ? { stored: shareOf(stored, id) } : {}),
      tried: shareOf(tried, id),
    })),
    changed: changed
      .reverse()
      .slice(0, dryRunChangesShown)
      .map(({ candidate, atUnix, before, after }) => ({
        ...toWireCandidate(candidate),
        feed: candidate.feed,
        at: atUnix,
        stored: toWireVerdict(before, stored),
        tried: toWireVerdict(after, tried),
      })),
  }
}

function toWireVerdict(verdict: Verdict | undefined, { rules }: NamedRun): RuleTrial['changed'][number]['tried'] {
  return {
    act: verdict?.act ?? 'leave',
    rule: rules?.find(({ id }) => id === verdict?.ruleId)?.name ?? '',
    clauses: structuredClone(verdict?.clauses ?? []) as WireClause[],
  }
}

function figuresOf({ taken, billed, bytes, unsized, left, busiest }: DryRun): WireDryRunFigures {
  const most = busiest && { until: busiest.untilUnix, taken: busiest.count, size: busiest.bytes }
  return { taken, billed, size: bytes, unsized, left, busiest: most }
}

export function toWireCandidate(candidate: Candidate): WireCandidate {
  const { site, torrentId, title, subtitle, sizeBytes, seeders, leechers, uploadedAtUnix, category } = candidate
  const { tags, promotion, freeUntilUnix, hasHr, isListed } = candidate
  return {
    ...{ site, torrent_id: torrentId, title, subtitle, seeders, leechers, category },
    size: sizeBytes,
    uploaded_at: uploadedAtUnix,
    tags: tags && [...tags],
    discount: promotion,
    free_until: freeUntilUnix,
    has_hr: hasHr,
    listed: isListed === true ? true : undefined,
  }
}
