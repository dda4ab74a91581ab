/** How far a torrent is that has to be seeded for a time, or to a ratio. */

import { siteAbilities } from './site.ts'
import type { SiteKind } from './vocabulary.ts'

/** Where lists mark what has to be seeded, nothing else has to be; elsewhere the rule is for every torrent. */
export function isAskedOfAll(kind: SiteKind): boolean {
  return !siteAbilities[kind].hitAndRun
}

export interface SeedingRule {
  readonly seed_hours?: number | undefined
  /** Uploaded by size: with it nothing has to be seeded longer. */
  readonly ratio?: number | undefined
}

/** What is known of one, as it was when its downloader was last seen. */
export interface Given {
  readonly sizeBytes: number
  readonly isComplete: boolean
  readonly seededSeconds: number | undefined
  readonly givenBytes: number | undefined
  readonly isSeeding: boolean
  /** Its downloader answered, and does not have it. */
  readonly isMissing: boolean
  readonly givenAtUnix: number | undefined
}

/** `unknown`: no downloader told yet, or the site does not say what it asks. */
export const seedingStates = ['free', 'seeding', 'standing', 'missing', 'downloading', 'unknown'] as const
type SeedingState = (typeof seedingStates)[number]

export interface SeedingStanding {
  readonly state: SeedingState
  readonly ratio?: number
  /** By the time alone, which is sure; a ratio may be there sooner. */
  readonly leftSeconds?: number
  /** Only while it is seeding. */
  readonly freeAtUnix?: number
}

const hourSeconds = 3600

export function seedingStanding(given: Given, rule: SeedingRule | undefined, isFresh: boolean): SeedingStanding {
  const { sizeBytes, isComplete, seededSeconds, givenBytes, isSeeding, isMissing, givenAtUnix } = given
  const ratio = givenBytes === undefined || sizeBytes <= 0 ? undefined : givenBytes / sizeBytes
  const told = ratio === undefined ? {} : { ratio }
  const elsewhere = isMissing ? 'missing' : 'unknown'
  if (!isComplete) return { state: isMissing ? 'missing' : 'downloading', ...told }
  if (seededSeconds === undefined || rule === undefined) return { state: elsewhere, ...told }
  const needed = rule.seed_hours === undefined ? undefined : rule.seed_hours * hourSeconds
  const isTimeReached = needed !== undefined && seededSeconds >= needed
  const isRatioReached = rule.ratio !== undefined && ratio !== undefined && ratio >= rule.ratio
  if (isTimeReached || isRatioReached) return { state: 'free', ...told }
  const left = needed === undefined ? {} : { leftSeconds: needed - seededSeconds }
  // What a downloader that is away does just now nobody knows: what it had given stays given.
  if (isMissing || !isFresh) return { state: elsewhere, ...told, ...left }
  if (!isSeeding) return { state: 'standing', ...told, ...left }
  const at =
    left.leftSeconds === undefined || givenAtUnix === undefined ? {} : { freeAtUnix: givenAtUnix + left.leftSeconds }
  return { state: 'seeding', ...told, ...left, ...at }
}
