import { disksToAsk, lessTaken } from '../../core/rules/disks-left.ts'
import { asksFor, type DiskLeft, type RulePlace } from '../../core/rules/filter-rule.ts'
import { ruleDisksMax } from '../../limits.ts'
import type { DownloaderFleet, DownloaderStore } from '../../ports/downloaders.ts'
import type { NamedRule, RuleDisks } from '../../ports/feeds.ts'

export function createRuleDisks({
  downloaders,
  fleet,
}: {
  readonly downloaders: Pick<DownloaderStore, 'targets'>
  readonly fleet: Pick<DownloaderFleet, 'space'>
}): RuleDisks {
  return async (rules) => {
    if (!rules.some(({ rule }) => asksFor('free_gib', rule))) return []
    const asked = disksToAsk(rules, await downloaders.targets(), ruleDisksMax)
    const told = await Promise.all(
      asked.map(async ({ downloader, isDefault, folder }): Promise<DiskLeft[]> => {
        const space = await fleet.space(downloader, folder)
        if (!space.ok || space.value.freeBytes === undefined) return []
        const leftBytes = Math.max(0, space.value.freeBytes - space.value.pendingBytes)
        return [{ downloaderId: downloader.id, isDefault, folder, leftBytes }]
      }),
    )
    return told.flat()
  }
}

/** Of one round: read once, when something has to be decided, and less by what the round itself takes. */
export class DisksOfRound {
  readonly #ruleDisks: RuleDisks
  readonly #rules: readonly NamedRule[]
  #disks: readonly DiskLeft[] | undefined

  constructor(ruleDisks: RuleDisks, rules: readonly NamedRule[]) {
    this.#ruleDisks = ruleDisks
    this.#rules = rules
  }

  async read(): Promise<void> {
    this.#disks ??= await this.#ruleDisks(this.#rules)
  }

  /** Undefined where no rule asks, or none told. */
  get left(): readonly DiskLeft[] | undefined {
    return this.#disks?.length === 0 ? undefined : this.#disks
  }

  take(place: RulePlace, sizeBytes: number): void {
    this.#disks = this.#disks && lessTaken(this.#disks, place, sizeBytes)
  }
}
