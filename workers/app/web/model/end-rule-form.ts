/** The form of a rule about the ends of torrents: what is written in its boxes, and the rule that it makes. */
import type { EndRuleBody, WireStoredEndRule } from '../../contract/console-ends.ts'
import { newCondition, type RuleFault, type RuleHeadDraft, readRuleHead, ruleHeadDraftOf } from './condition-form.ts'

type EndCondition = EndRuleBody['rule']['conditions'][number]

/** What such a rule may ask, the most usual first. */
export const endFields: readonly EndCondition['field'][] = [
  'ratio',
  'seeding_hours',
  'duty_done',
  'free_gib',
  'unregistered',
  'bonus_per_gib',
  'complete',
  'added_hours',
  'uploaded_gib',
  'peers',
  'size_gib',
  'site',
  'downloader',
  'category',
  'tag',
  'state',
  'title',
  'hit_and_run',
  'resolution',
  'source',
  'group',
  'year',
]

export interface EndRuleDraft extends RuleHeadDraft {
  readonly action: EndRuleBody['rule']['action']
}

export function endRuleDraftOf(stored: WireStoredEndRule | undefined): EndRuleDraft {
  if (stored === undefined)
    return {
      name: '',
      enabled: true,
      action: 'remove_with_files',
      conditions: [newCondition(0, 'ratio'), newCondition(1, 'duty_done')],
      perDay: '',
    }
  return { ...ruleHeadDraftOf(stored), action: stored.rule.action }
}

export function readEndRule(draft: EndRuleDraft): {
  readonly body: EndRuleBody
  readonly faults: ReadonlySet<RuleFault>
} {
  const { name, conditions, perDay, faults } = readRuleHead(draft)
  return {
    faults,
    body: {
      name,
      enabled: draft.enabled,
      // The form offers the fields of these rules alone.
      rule: { action: draft.action, conditions: conditions as EndCondition[], ...perDay },
    },
  }
}
