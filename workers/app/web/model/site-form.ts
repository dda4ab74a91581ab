/** What stands in the form of a site, and what is sent of it. */
import type { WireOwnDefinition } from '../../contract/console-definitions.ts'
import type { SiteBody, TestSiteBody, WireConsoleSite } from '../../contract/console-sites.ts'
import type { SiteOverrides } from '../../contract/site-definition.ts'
import { siteKinds } from '../../core/vocabulary.ts'
import { capacityGibMax, inactivityDaysMax, siteIntervalMsMax, utcOffsetMinutesMax } from '../../limits.ts'
import { type OverrideDraft, overrideDraft, readHeaders, readHosts, readOverrides } from './site-overrides.ts'

export const siteNamePattern = /^[a-z0-9][a-z0-9._-]{0,63}$/

export type SiteKind = WireConsoleSite['kind']
/** Those that are chosen by their kind; sites of the owner's own definitions are chosen by the definition. */
export const chosenKinds = siteKinds.filter((kind) => kind !== 'cardigann')

export type CredentialKind = WireConsoleSite['credential']
export const credentialOfKind: Readonly<Record<SiteKind, CredentialKind>> = {
  nexusphp: 'cookie',
  mteam: 'api_key',
  unit3d: 'api_key',
  gazelle: 'either',
  torznab: 'api_key',
  cardigann: 'none',
}

/** Everything as it is typed. */
export interface SiteDraft extends OverrideDraft {
  readonly displayName: string
  readonly name: string
  readonly kind: SiteKind
  readonly definition: string
  readonly address: string
  readonly cookie: string
  readonly apiKey: string
  readonly proxy: string
  /** The stored one goes. */
  readonly noProxy: boolean
  readonly enabled: boolean
  readonly autoSignIn: boolean
  readonly inactivityDays: string
  readonly remindBeforeDays: string
  readonly capacityGib: string
  /** Of the overrides: milliseconds between two calls, minutes of the site's clock from UTC, its browser, and all else as JSON. */
  readonly intervalMs: string
  readonly utcOffset: string
  readonly userAgent: string
  readonly others: string
  /** To what a definition of the owner's asks for: secrets, of which an empty one stays as it is stored. */
  readonly answers: Readonly<Record<string, string>>
  /** The same, of what may be shown. */
  readonly choices: Readonly<Record<string, string>>
}

export interface DefinitionChoice {
  readonly id: string
  readonly name: string
  readonly kind: SiteKind
  readonly address?: string | undefined
  readonly inactivity_days?: number | undefined
  readonly sign_in: boolean
}

/** A name for addresses from a name for people. Names without a letter of the alphabet give none. */
export function suggestedName(displayName: string): string {
  return displayName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
}

/** `browser` is what the page's browser calls itself: the cookie that is pasted was most likely given to it. */
export function newDraft(choice: DefinitionChoice | SiteKind, browser = ''): SiteDraft {
  const own = typeof choice === 'string'
  const kind = own ? choice : choice.kind
  // A definition with an address is one certain site; one without stands for many.
  const isOneSite = !own && choice.address !== undefined
  return {
    displayName: isOneSite ? choice.name : '',
    name: isOneSite ? choice.id : '',
    kind,
    definition: own ? '' : choice.id,
    address: own ? '' : (choice.address ?? ''),
    cookie: '',
    apiKey: '',
    proxy: '',
    noProxy: false,
    enabled: true,
    autoSignIn: own ? choice === 'nexusphp' : choice.sign_in,
    inactivityDays: own || choice.inactivity_days === undefined ? '' : String(choice.inactivity_days),
    remindBeforeDays: '',
    capacityGib: '',
    intervalMs: '',
    utcOffset: '',
    userAgent: credentialOfKind[kind] === 'cookie' ? browser : '',
    ...overrideDraft(),
    others: '',
    answers: {},
    choices: {},
  }
}

/** A site by a definition of the owner's. */
export function ownDraft(own: WireOwnDefinition, browser = ''): SiteDraft {
  return {
    ...newDraft('cardigann', browser),
    displayName: own.name,
    name: suggestedName(own.id),
    definition: own.id,
    address: own.links[0] ?? '',
    autoSignIn: false,
    userAgent: own.login === 'none' ? '' : browser,
  }
}

export function draftOf(site: WireConsoleSite): SiteDraft {
  const { request_interval_ms, utc_offset_minutes, user_agent, labels, paths, headers, hosts, choices, ...others } =
    site.overrides
  return {
    displayName: site.display_name,
    name: site.name,
    kind: site.kind,
    definition: site.definition,
    address: site.address,
    cookie: '',
    apiKey: '',
    proxy: '',
    noProxy: false,
    enabled: site.enabled,
    autoSignIn: site.auto_sign_in,
    inactivityDays: String(site.inactivity_days),
    remindBeforeDays: String(site.remind_before_days),
    capacityGib: site.capacity_gib === 0 ? '' : String(site.capacity_gib),
    intervalMs: request_interval_ms === undefined ? '' : String(request_interval_ms),
    utcOffset: utc_offset_minutes === undefined ? '' : String(utc_offset_minutes),
    userAgent: user_agent ?? '',
    ...overrideDraft({ labels, paths, headers, hosts }),
    others: Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2),
    answers: {},
    choices: choices ?? {},
  }
}

export type DraftField =
  | 'name'
  | 'address'
  | 'proxy'
  | 'inactivityDays'
  | 'remindBeforeDays'
  | 'capacityGib'
  | 'intervalMs'
  | 'utcOffset'
  | 'userAgent'
  | 'headers'
  | 'hosts'
  | 'others'

function isWhole(text: string, min: number, max: number): boolean {
  const trimmed = text.trim()
  return trimmed === '' || (/^-?[0-9]{1,9}$/.test(trimmed) && Number(trimmed) >= min && Number(trimmed) <= max)
}

function isProxy(text: string): boolean {
  return text === '' || (/^https?:\/\/[^\s/?#]+\/?$/i.test(text) && URL.canParse(text))
}

function readOthers(text: string): SiteOverrides | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    // What the fields may be is for the server to say: it knows the site's kind.
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SiteOverrides) : undefined
  } catch {
    return undefined
  }
}

/** Fields whose content cannot be sent. Those of the server's own knowledge are refused by the server. */
export function faultyFields(draft: SiteDraft): ReadonlySet<DraftField> {
  const faulty = new Set<DraftField>()
  if (!siteNamePattern.test(draft.name)) faulty.add('name')
  if (!/^(?:https?:\/\/)?(?!https?:)[^/\s:]/i.test(draft.address.trim()) || /\s/.test(draft.address.trim()))
    faulty.add('address')
  if (!isProxy(draft.proxy.trim())) faulty.add('proxy')
  if (!isWhole(draft.inactivityDays, 1, inactivityDaysMax)) faulty.add('inactivityDays')
  if (!isWhole(draft.remindBeforeDays, 0, inactivityDaysMax)) faulty.add('remindBeforeDays')
  if (!isWhole(draft.capacityGib, 0, capacityGibMax)) faulty.add('capacityGib')
  if (!isWhole(draft.intervalMs, 0, siteIntervalMsMax)) faulty.add('intervalMs')
  if (!isWhole(draft.utcOffset, -utcOffsetMinutesMax, utcOffsetMinutesMax)) faulty.add('utcOffset')
  if (!/^[\x20-\x7e]*$/.test(draft.userAgent.trim())) faulty.add('userAgent')
  if (readHeaders(draft.headers) === undefined) faulty.add('headers')
  if (readHosts(draft.hosts) === undefined) faulty.add('hosts')
  if (readOthers(draft.others) === undefined) faulty.add('others')
  return faulty
}

function numberPart<K extends string>(key: K, text: string): { [Key in K]?: number } {
  return text.trim() === '' ? {} : ({ [key]: Number(text.trim()) } as { [Key in K]?: number })
}

function overridesOf(draft: SiteDraft): SiteOverrides {
  return {
    ...readOthers(draft.others),
    ...readOverrides(draft),
    ...numberPart('request_interval_ms', draft.intervalMs),
    ...numberPart('utc_offset_minutes', draft.utcOffset),
    ...(draft.userAgent.trim() === '' ? {} : { user_agent: draft.userAgent.trim() }),
    ...(Object.keys(draft.choices).length === 0 ? {} : { choices: { ...draft.choices } }),
  }
}

/** What is stored is write-only: an empty box means that it stays. Only what the site's kind takes is sent. */
function credentialsOf(
  draft: SiteDraft,
  credential: CredentialKind,
): { cookie?: string; api_key?: string; proxy?: string; answers?: Record<string, string> } {
  const proxy = draft.proxy.trim()
  const answers = Object.entries(draft.answers).filter(([, answer]) => answer !== '')
  return {
    ...(proxy !== '' ? { proxy } : draft.noProxy ? { proxy: '' } : {}),
    ...(draft.cookie.trim() === '' || credential === 'api_key' ? {} : { cookie: draft.cookie.trim() }),
    ...(answers.length === 0 ? {} : { answers: Object.fromEntries(answers) }),
    ...(draft.apiKey.trim() === '' || credential === 'cookie' || credential === 'none'
      ? {}
      : { api_key: draft.apiKey.trim() }),
  }
}

export function testBodyOf(draft: SiteDraft, credential: CredentialKind, id: number | undefined): TestSiteBody {
  return {
    kind: draft.kind,
    definition: draft.definition,
    address: draft.address.trim(),
    overrides: overridesOf(draft),
    ...credentialsOf(draft, credential),
    ...(id === undefined ? {} : { id }),
  }
}

export function siteBodyOf(draft: SiteDraft, credential: CredentialKind): SiteBody {
  return {
    name: draft.name,
    display_name: draft.displayName.trim(),
    kind: draft.kind,
    definition: draft.definition,
    address: draft.address.trim(),
    overrides: overridesOf(draft),
    ...credentialsOf(draft, credential),
    enabled: draft.enabled,
    auto_sign_in: draft.autoSignIn,
    ...numberPart('inactivity_days', draft.inactivityDays),
    ...numberPart('remind_before_days', draft.remindBeforeDays),
    ...numberPart('capacity_gib', draft.capacityGib),
  }
}

/** A stored site with some of it changed. */
export function changedSite(site: WireConsoleSite, change: Partial<Pick<SiteBody, 'enabled' | 'overrides'>>): SiteBody {
  return { ...siteBodyOf(draftOf(site), site.credential), ...change }
}

/** What a definition is called in the page's language. */
export function definitionName(
  one: { readonly name: string; readonly name_en?: string | undefined },
  language: 'zh' | 'en',
): string {
  return language === 'en' ? (one.name_en ?? one.name) : one.name
}

export function findDefinitions<
  T extends {
    readonly id: string
    readonly name: string
    readonly name_en?: string | undefined
    readonly kind: string
    readonly address?: string | undefined
  },
>(all: readonly T[], words: string): T[] {
  const wanted = words.trim().toLowerCase().split(/\s+/)
  return all.filter((one) => {
    const text = [one.id, one.name, one.name_en, one.kind, one.address].join(' ').toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
