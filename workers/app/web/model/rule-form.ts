/** The form of a filter rule: what is written in its boxes, and the rule that it makes. */
import type { RuleBody, WireCondition, WireRuleStart, WireStoredRule } from '../../contract/console-rules.ts'
import { ruleNumberMax } from '../../limits.ts'
import {
  type ConditionField,
  conditionDraftOf,
  newCondition,
  numberIn,
  type RuleFault,
  type RuleHeadDraft,
  readRuleHead,
  ruleHeadDraftOf,
  wordsIn,
} from './condition-form.ts'

type RuleAction = RuleBody['rule']['action']

/** What a filter rule may ask. */
export const filterFields: readonly (ConditionField & WireCondition['field'])[] = [
  'title',
  'site',
  'feed',
  'category',
  'tag',
  'promotion',
  'resolution',
  'source',
  'group',
  'size_gib',
  'seeders',
  'leechers',
  'age_minutes',
  'free_hours',
  'year',
  'free_gib',
  'hit_and_run',
  'leaked',
  'owned',
]

export interface RuleDraft extends RuleHeadDraft {
  readonly action: RuleAction
  readonly downloaderId: number
  readonly category: string
  readonly tags: string
  readonly savePath: string
  readonly paused: boolean
  readonly perDayGib: string
}

/** `start` is where a new one begins. */
export function ruleDraftOf(stored: WireStoredRule | undefined, start?: WireRuleStart): RuleDraft {
  if (stored === undefined)
    return {
      name: start?.name ?? '',
      enabled: true,
      action: 'take',
      conditions: start?.conditions.map(conditionDraftOf) ?? [newCondition(0, 'promotion')],
      downloaderId: 0,
      category: '',
      tags: '',
      savePath: '',
      paused: false,
      perDay: '',
      perDayGib: '',
    }
  const { action, target, per_day_gib_max: gib } = stored.rule
  return {
    ...ruleHeadDraftOf(stored),
    action,
    downloaderId: target.downloader_id,
    category: target.category,
    tags: target.tags.join(', '),
    savePath: target.save_path,
    paused: target.paused === true,
    perDayGib: gib === undefined ? '' : String(gib),
  }
}

/** The rule, and what is wrong with what was written: by box, lines of conditions by their key. */
export function readRule(draft: RuleDraft): { readonly body: RuleBody; readonly faults: ReadonlySet<RuleFault> } {
  const { name, conditions, perDay, faults: inHead } = readRuleHead(draft)
  const gib = draft.perDayGib.trim() === '' ? undefined : numberIn(draft.perDayGib)
  const faults = new Set(inHead)
  if (gib !== undefined && !(gib > 0 && gib <= ruleNumberMax)) faults.add('perDayGib')
  return {
    faults,
    body: {
      name,
      enabled: draft.enabled,
      rule: {
        action: draft.action,
        // The form offers the fields of filter rules alone.
        conditions: conditions as WireCondition[],
        target: {
          downloader_id: draft.downloaderId,
          category: draft.category.trim(),
          tags: wordsIn(draft.tags),
          save_path: draft.savePath.trim(),
          ...(draft.paused ? { paused: true } : {}),
        },
        ...perDay,
        ...(gib === undefined ? {} : { per_day_gib_max: gib }),
      },
    },
  }
}
