/** One flat list of rules; the last one that matches wins, and without a match the owner is asked. */
import type { PermissionEffect } from './vocabulary.ts'
import { coversCommand } from './wildcard.ts'

export interface PermissionRule {
  readonly action: string
  readonly resource: string
  readonly effect: PermissionEffect
  /** The owner said "always" to a suggestion, instead of writing the rule. */
  readonly isStored?: boolean
}

/** What is about to be done, one entry per file or command. */
export interface PermissionResource {
  readonly text: string
  /**
   * The text does not say everything that would happen, as in a shell line with substitutions. A rule for particular
   * texts cannot vouch for it: only a rule for everything allows it.
   */
  readonly isOpaque?: boolean
  /** Of the rules that were stored, only one of this very text vouches for it. */
  readonly isExact?: boolean
}

export function evaluatePermission(
  action: string,
  resources: readonly PermissionResource[],
  rules: readonly PermissionRule[],
): PermissionEffect {
  const effects = resources.map((resource) => effectOn(action, resource, rules))
  if (effects.includes('deny')) return 'deny'
  return effects.includes('ask') || effects.length === 0 ? 'ask' : 'allow'
}

function effectOn(action: string, resource: PermissionResource, rules: readonly PermissionRule[]): PermissionEffect {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index]
    if (rule === undefined || !coversCommand(rule.action, action)) continue
    if (rule.isStored === true && resource.isExact === true) {
      if (rule.resource === resource.text && !/[*?]/.test(resource.text)) return rule.effect
      continue
    }
    if (resource.isOpaque === true && rule.resource !== '*') {
      if (rule.effect === 'allow') continue
      return rule.effect === 'deny' && coversCommand(rule.resource, resource.text) ? 'deny' : 'ask'
    }
    if (coversCommand(rule.resource, resource.text)) return rule.effect
  }
  return 'ask'
}

/** Rules of the built-in agent that works on the project. Everything else builds on this list. */
export const defaultPermissions: readonly PermissionRule[] = [
  { action: '*', resource: '*', effect: 'allow' },
  { action: 'external_directory', resource: '*', effect: 'ask' },
  { action: 'doom_loop', resource: '*', effect: 'ask' },
  { action: 'bash_outside', resource: '*', effect: 'ask' },
  { action: 'sandbox_write', resource: '*', effect: 'ask' },
  { action: 'sandbox_network', resource: '*', effect: 'ask' },
  { action: 'read', resource: '*.env', effect: 'ask' },
  { action: 'read', resource: '*.env.*', effect: 'ask' },
  { action: 'read', resource: '*.env.example', effect: 'allow' },
]
