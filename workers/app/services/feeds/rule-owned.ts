import { takenKey } from '../../core/media/choose-releases.ts'
import { isOwned } from '../../core/media/owned-release.ts'
import { byName } from '../../core/media/try-profile.ts'
import { asksFor } from '../../core/rules/filter-rule.ts'
import type { RuleOwned } from '../../ports/feeds.ts'
import type { Subscriptions } from '../../ports/subscriptions.ts'

/** Of the titles only those are read that something is called by. */
export function createRuleOwned(subscriptions: Pick<Subscriptions, 'list' | 'read'>): RuleOwned {
  return async (rules, candidates) => {
    const owned = new Map<string, boolean>()
    if (rules.some(({ rule }) => asksFor('owned', rule))) {
      const named = byName(candidates)
      for (const { record } of await subscriptions.list({})) {
        const releases = named.of(record)
        const detail = releases.length === 0 ? undefined : await subscriptions.read(record.id)
        if (detail === undefined) continue
        for (const release of releases) {
          const is = isOwned(release, record, detail)
          if (is !== undefined) owned.set(takenKey(release), is)
        }
      }
    }
    return (one) => owned.get(takenKey(one))
  }
}
