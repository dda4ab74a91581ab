/** What an owner says of one site beyond its address: how it is asked, what it calls its figures, where its pages are. */
import type { WireSiteUsual } from '../../contract/console-sites.ts'
import type { SiteOverrides } from '../../contract/site-definition.ts'
import { siteHostPattern } from '../../core/vocabulary.ts'
import { siteHostCharactersMax, siteHostsMax } from '../../limits.ts'

export type LabelName = keyof NonNullable<SiteOverrides['labels']>
export type PathName = keyof NonNullable<SiteOverrides['paths']>

/** In the order of the form. */
export const labelNames: readonly LabelName[] = [
  'transfer',
  'uploaded',
  'downloaded',
  'ratio',
  'level',
  'bonus',
  'bonus_per_hour',
  'hit_and_run',
  'last_active',
  'total_size',
  'new_messages',
]
export const pathNames: readonly PathName[] = [
  'home',
  'user',
  'seeding',
  'bonus',
  'search',
  'torrent',
  'sign_in',
  'download',
  'pieces',
]

/** As they are typed: words and hosts with commas between, an address below the site's own, and headers a line each. */
export interface OverrideDraft {
  readonly labels: Readonly<Record<LabelName, string>>
  readonly paths: Readonly<Record<PathName, string>>
  readonly headers: string
  readonly hosts: string
}

function filled<Name extends string>(names: readonly Name[], textOf: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textOf(name)])) as Record<Name, string>
}

export function overrideDraft({ labels, paths, headers, hosts }: SiteOverrides = {}): OverrideDraft {
  return {
    labels: filled(labelNames, (name) => labels?.[name]?.join(', ') ?? ''),
    paths: filled(pathNames, (name) => paths?.[name] ?? ''),
    headers: Object.entries(headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    hosts: hosts?.join(', ') ?? '',
  }
}

/** Undefined for what is no header; which names may be used is for the server to say. */
export function readHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, name, value] = /^([^\s:]+)[ \t]*:(.*)$/.exec(line.trim()) ?? []
    if (name === undefined || value === undefined || Object.hasOwn(headers, name)) return undefined
    headers[name] = value.trim()
  }
  return headers
}

function wordsIn(text: string): string[] {
  return text
    .split(/[,，、\n]/)
    .map((word) => word.trim().replace(/\s*[:：]$/, ''))
    .filter((word) => word !== '')
}

/** Undefined for what is no host or more of them than the server takes. Of an address that is pasted its host is meant. */
export function readHosts(text: string): string[] | undefined {
  const hosts = text
    .split(/[\s,，、]+/)
    .map((one) =>
      one
        .toLowerCase()
        .replace(/^https?:\/\//, '')
        .replace(/\/.*$/, ''),
    )
    .filter((one) => one !== '')
  const areHosts = hosts.every((one) => siteHostPattern.test(one) && one.length <= siteHostCharactersMax)
  return areHosts && hosts.length <= siteHostsMax ? [...new Set(hosts)] : undefined
}

/** Only what says something: an empty field is the usual. */
export function readOverrides(draft: OverrideDraft): SiteOverrides {
  const labels = labelNames.flatMap((name) => {
    const words = wordsIn(draft.labels[name])
    return words.length === 0 ? [] : [[name, words] as const]
  })
  const paths = pathNames.flatMap((name) => {
    const path = draft.paths[name].trim().replace(/^\/+/, '')
    return path === '' ? [] : [[name, path] as const]
  })
  const headers = readHeaders(draft.headers) ?? {}
  const hosts = readHosts(draft.hosts) ?? []
  return {
    ...(labels.length === 0 ? {} : { labels: Object.fromEntries(labels) }),
    ...(paths.length === 0 ? {} : { paths: Object.fromEntries(paths) }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(hosts.length === 0 ? {} : { hosts }),
  }
}

/** One thing that the owner says of a site, beside what stands without it. */
export interface OneOverride {
  readonly part: keyof SiteOverrides
  /** Within a part that has several. */
  readonly name?: string
  readonly own: string
  /** Empty for what the kind itself has. */
  readonly usual: string
}

const listed = ['labels', 'paths', 'headers', 'selectors', 'categories'] as const

/** What differs from the definition, in the order of the form. */
export function overridesOf(own: SiteOverrides, usual: WireSiteUsual | undefined): OneOverride[] {
  const found: OneOverride[] = []
  const single = (part: 'request_interval_ms' | 'utc_offset_minutes' | 'user_agent') => {
    const value = own[part]
    if (value !== undefined && value !== usual?.[part])
      found.push({ part, own: String(value), usual: String(usual?.[part] ?? '') })
  }
  single('user_agent')
  single('request_interval_ms')
  single('utc_offset_minutes')
  for (const part of listed) {
    for (const [name, value] of Object.entries(own[part] ?? {})) {
      const before = usual?.[part][part === 'headers' ? name.toLowerCase() : name]
      if (value !== undefined && textOf(value) !== textOf(before))
        found.push({ part, name, own: textOf(value), usual: textOf(before) })
    }
  }
  for (const [name, value] of Object.entries(own.choices ?? {}))
    found.push({ part: 'choices', name, own: value, usual: '' })
  if (own.hosts !== undefined && textOf(own.hosts) !== textOf(usual?.hosts))
    found.push({ part: 'hosts', own: textOf(own.hosts), usual: textOf(usual?.hosts) })
  for (const part of ['signs_in', 'searches'] as const) {
    const value = own[part]
    if (value !== undefined) found.push({ part, own: String(value), usual: '' })
  }
  return found
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(', ') ?? '')
}

/** All that the owner says but this one. */
export function withoutOverride(own: SiteOverrides, { part, name }: OneOverride): SiteOverrides {
  const { [part]: gone, ...rest } = own
  if (name === undefined || typeof gone !== 'object') return rest
  const left = Object.entries(gone).filter(([one]) => one !== name)
  return left.length === 0 ? rest : { ...rest, [part]: Object.fromEntries(left) }
}
