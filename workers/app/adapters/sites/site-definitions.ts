import type { SiteDefinition, SiteOverrides } from '../../contract/site-definition.ts'
import type { SiteProfile } from '../../core/site.ts'
import type { SiteKind } from '../../core/vocabulary.ts'
import namedFile from '../../definitions/named-sites.json' with { type: 'json' }
import definitionFile from '../../definitions/sites.json' with { type: 'json' }
import { siteIntervalMsDefault } from '../../limits.ts'

/**
 * What stands for many sites, then the certain ones. The files are checked with `npm run check`, which names the line of
 * a fault, and not here: that took a third of what the script takes to start.
 */
export const readyDefinitions = [...definitionFile, ...namedFile] as readonly SiteDefinition[]

/** Sites of these kinds write their times in Beijing time; the others in UTC. */
const utcOffsetByKind: Readonly<Record<SiteKind, number>> = {
  nexusphp: 480,
  mteam: 480,
  unit3d: 0,
  gazelle: 0,
  torznab: 0,
  cardigann: 0,
}

export function siteProfile(kind: SiteKind, ...layers: readonly SiteOverrides[]): SiteProfile {
  let profile: SiteProfile = {
    utcOffsetMinutes: utcOffsetByKind[kind],
    requestIntervalMs: siteIntervalMsDefault,
    categories: {},
    paths: {},
    selectors: {},
    labels: {},
    hosts: [],
    headers: {},
    signsIn: true,
    searches: true,
  }
  for (const layer of layers) {
    const userAgent = layer.user_agent ?? profile.userAgent
    const choices = layer.choices ?? profile.choices
    profile = {
      utcOffsetMinutes: layer.utc_offset_minutes ?? profile.utcOffsetMinutes,
      requestIntervalMs: layer.request_interval_ms ?? profile.requestIntervalMs,
      categories: { ...profile.categories, ...layer.categories },
      paths: { ...profile.paths, ...defined(layer.paths) },
      selectors: { ...profile.selectors, ...defined(layer.selectors) },
      labels: { ...profile.labels, ...defined(layer.labels) },
      hosts: layer.hosts ?? profile.hosts,
      headers: { ...profile.headers, ...lowerNames(layer.headers) },
      signsIn: layer.signs_in ?? profile.signsIn,
      searches: layer.searches ?? profile.searches,
      ...(userAgent === undefined ? {} : { userAgent }),
      ...(choices === undefined ? {} : { choices }),
    }
  }
  return profile
}

function lowerNames(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function defined<Value>(values: Readonly<Record<string, Value | undefined>> | undefined): Record<string, Value> {
  const present: Record<string, Value> = {}
  for (const [name, value] of Object.entries(values ?? {})) if (value !== undefined) present[name] = value
  return present
}
