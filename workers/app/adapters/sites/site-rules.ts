import type { SiteRules } from '../../contract/site-rules.ts'
import rulesFile from '../../definitions/site-rules.json' with { type: 'json' }

/** Checked with `npm run check`, which names the line of a fault; parsing all of it here would cost each start. */
const byDefinition = rulesFile as Readonly<Record<string, SiteRules>>

/** Empty for a site of no definition, and where nothing is known of it. */
export function siteRulesOf(definition: string): SiteRules {
  return Object.hasOwn(byDefinition, definition) ? (byDefinition[definition] ?? {}) : {}
}
