/**
 * Servers, channels, announcers and layouts are facts of https://github.com/autobrr/autobrr at
 * 489d8ddf9bb3c1c0e62b8c78f8535408f78131ca, `internal/indexer/definitions`; the lines in our own form are ours. Why some
 * sites are left out: decision 163.
 */
import type { SiteAnnounces } from '../../contract/site-announces.ts'
import announcesFile from '../../definitions/announces.json' with { type: 'json' }

/** Checked with `npm run check`, which names the line of a fault. */
const byDefinition = announcesFile as Readonly<Record<string, unknown>> as Readonly<Record<string, SiteAnnounces>>

export function siteAnnouncesOf(definition: string): SiteAnnounces | undefined {
  return Object.hasOwn(byDefinition, definition) ? byDefinition[definition] : undefined
}
