/** What the owner settles for the service as a whole, as it is stored: one shape a matter, with a value for every field. */
import * as z from '#shared/schema/deferred.ts'
import {
  assistantEndpoints,
  type DeclaredKind,
  declaredKinds,
  endModes,
  freeEndActions,
  type OwnerLanguage,
  ownerLanguages,
  unknownEnds,
} from '../core/vocabulary.ts'
import { reseedAsksDefault } from '../limits.ts'

export const settingShapes = {
  /** By which clock days begin, empty for the deployment's; and in which language the owner is spoken to, empty for Chinese. */
  locale: z.object({ timeZone: z.string().default(''), language: z.enum(['', ...ownerLanguages]).default('') }),
  /** What is done about a torrent whose free period ends before it is complete. */
  freeEnd: z.object({
    action: z.enum(freeEndActions).default('warn'),
    unknownEnd: z.enum(unknownEnds).default('ending'),
  }),
  /** Whether rules about the ends of torrents only say what they would do. */
  ends: z.object({ mode: z.enum(endModes).default('dry') }),
  /** Sites on which what the disks hold is looked for, by name, and how often each may be asked in 24 hours. */
  reseed: z.object({
    enabled: z.boolean().default(false),
    sites: z.array(z.string()).default([]),
    asksPerDay: z.int().default(reseedAsksDefault),
  }),
  /** The service that knows by info hash what other sites have; empty for its usual address. Its secret is the token. */
  reseedService: z.object({ address: z.string().default('') }),
  /** What is known of it by now. */
  reseedServiceSeen: z.object({
    /** Its numbers of sites, by their hosts. */
    sites: z.record(z.string(), z.int()).default({}),
    sitesAtUnix: z.int().default(0),
    /** What it calls the sites that it was told of, and which. */
    sidSha1: z.string().default(''),
    told: z.array(z.int()).default([]),
    toldAtUnix: z.int().default(0),
    askedAtUnix: z.int().default(0),
    /** It is left alone until then, as it said so. */
    restsUntilUnix: z.int().default(0),
    reason: z.string().default(''),
  }),
  /** Where the metadata provider is asked; empty for its usual addresses. Its secret is the key. */
  metadata: z.object({ apiUrl: z.string().default(''), imageUrl: z.string().default('') }),
  /** Whose releases are looked at, as `owner/name`; empty for nobody's. */
  updates: z.object({ repository: z.string().default(''), apiUrl: z.string().default('') }),
  /** Under which name the owner's browser pushes cookies; empty while it may not. Its secret is what a push opens with. */
  cookies: z.object({ uuid: z.string().default('') }),
  /** The last push that was taken, and the sites that it renewed. */
  cookiesTaken: z.object({ atUnix: z.int().default(0), sites: z.array(z.string()).default([]) }),
  /** Names of what a file declares, by kind: read-only on the page. Its secret is what was applied, to tell a change by. */
  declared: z.object(
    Object.fromEntries(declaredKinds.map((kind) => [kind, z.array(z.string()).default([])])) as Record<
      DeclaredKind,
      z.ZodDefault<z.ZodArray<z.ZodString>>
    >,
  ),
  /** By which key push services of browsers know this service; empty before the first use. Its secret is the private half. */
  webPush: z.object({ publicKey: z.string().default('') }),
  /** Of the proxy to services on the internet, what may be shown of it; empty for none. Its secret is the whole address. */
  proxy: z.object({ host: z.string().default('') }),
  /** Who answers for the assistant; an address only where the endpoint is one. Its secret is the key for there. */
  assistant: z.object({
    enabled: z.boolean().default(false),
    endpoint: z.enum(assistantEndpoints).default('own'),
    address: z.string().default(''),
    model: z.string().default(''),
  }),
} as const

export type SettingName = keyof typeof settingShapes
export type SettingValue<N extends SettingName> = z.output<(typeof settingShapes)[N]>

/** Chinese until the owner chooses. */
export function ownerLanguageOf({ language }: SettingValue<'locale'>): OwnerLanguage {
  return language === '' ? 'zh' : language
}
