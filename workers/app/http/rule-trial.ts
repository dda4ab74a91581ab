/** What rules would have done beside what the stored ones would: of filters and of brush tasks alike. */
import type { RuleTrial, WireDryRunFigures } from '../contract/console-rules.ts'
import type { DryRun, PastCandidate } from '../core/rules/dry-run.ts'
import { dryRunChangesShown } from '../limits.ts'

export function trialBetween(past: readonly PastCandidate[], stored: DryRun, tried: DryRun): RuleTrial {
  const changed = past.flatMap(({ candidate }, at) => {
    const acts = { stored: stored.verdicts[at]?.act ?? 'leave', tried: tried.verdicts[at]?.act ?? 'leave' }
    return acts.stored === acts.tried ? [] : [{ site: candidate.site, title: candidate.title, ...acts }]
  })
  return {
    judged: past.length,
    stored: figuresOf(stored),
    tried: figuresOf(tried),
    changed: changed.reverse().slice(0, dryRunChangesShown),
  }
}

function figuresOf({ taken, billed, bytes, unsized }: DryRun): WireDryRunFigures {
  return { taken, billed, size: bytes, unsized }
}
