/** What the disks have left that rules would write to, as far as a rule asks. */
import { chooseDownloader } from '../push-plan.ts'
import { asksFor, type Candidate, type DiskLeft, type FilterRule, type RulePlace } from './filter-rule.ts'

/** Of one downloader for one folder. */
export interface DiskToAsk<One> {
  readonly downloader: One
  readonly isDefault: boolean
  readonly folder: string
}

/** Each once, by the order of the rules, and no more than `most`. A downloader that is not there is not asked. */
export function disksToAsk<One extends { readonly id: number; readonly isDefault: boolean }>(
  rules: readonly { readonly rule: Pick<FilterRule, 'conditions' | 'target'> }[],
  enabled: readonly One[],
  most: number,
): DiskToAsk<One>[] {
  const usual = chooseDownloader(enabled, 0)
  const found = new Map<string, DiskToAsk<One>>()
  for (const { rule } of rules) {
    if (!asksFor('free_gib', rule)) continue
    const chosen = chooseDownloader(enabled, rule.target.downloader_id)
    if (!chosen.ok) continue
    const folder = rule.target.save_path
    const isDefault = usual.ok && usual.value.id === chosen.value.id
    found.set(`${chosen.value.id} ${folder}`, { downloader: chosen.value, isDefault, folder })
  }
  return [...found.values()].slice(0, most)
}

/** Undefined where nobody told. */
export function leftAt(disks: Candidate['disks'], { downloader_id, save_path }: RulePlace): number | undefined {
  return disks?.find(
    ({ downloaderId, isDefault, folder }) =>
      folder === save_path && (downloader_id === 0 ? isDefault : downloaderId === downloader_id),
  )?.leftBytes
}

/** Folders of one downloader may lie on one disk, so what is taken counts for each of them. */
export function lessTaken(disks: readonly DiskLeft[], place: RulePlace, sizeBytes: number): DiskLeft[] {
  const isMeant = ({ downloaderId, isDefault }: DiskLeft) =>
    place.downloader_id === 0 ? isDefault : downloaderId === place.downloader_id
  return disks.map((disk) => (isMeant(disk) ? { ...disk, leftBytes: Math.max(0, disk.leftBytes - sizeBytes) } : disk))
}
