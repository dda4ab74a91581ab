/**
 * A way to a site's next level: what of the site to seed beside what is seeded, and when the level will be there with it. It is
 * the judge of levels (`site-levels.ts`) asked about the account as it would be. Nothing is guessed: what is not told adds nothing.
 */
import { gibBytes } from './gib-bytes.ts'
import { knownNumber, type SiteUser } from './site-figures.ts'
import {
  type ConditionStanding,
  type HistoryPoint,
  type Level,
  type LevelStanding,
  type Pace,
  paceOf,
  standingOf,
} from './site-levels.ts'

/** A torrent of the site that a downloader holds whole and does not seed. */
export interface SeedChoice {
  readonly kind: 'seed'
  readonly downloaderId: number
  readonly downloader: string
  readonly infoHash: string
  readonly title: string
  readonly sizeBytes: number
}

/** One that the site gives away for free. */
export interface PushChoice {
  readonly kind: 'push'
  readonly torrentId: string
  readonly title: string
  readonly sizeBytes: number
  readonly freeUntilUnix?: number
}

export type PlanChoice = SeedChoice | PushChoice

/** What more seeding changes. All else comes with the days. */
const moved: ReadonlySet<string> = new Set(['seeding', 'seeding_size', 'bonus', 'seeding_points'])

/** Why something that would help counts for nothing: a figure of the account, or the room for what is new. */
export const planGaps = ['bonus_per_hour', 'seeding_size', 'seeding_points', 'room'] as const
export type PlanGap = (typeof planGaps)[number]

/** Where the growth of a day comes from: the calendar, the account's own history, or what the site says of an hour. */
export const paceSources = ['calendar', 'history', 'site'] as const
type PaceSource = (typeof paceSources)[number]

export interface PlannedCondition extends ConditionStanding {
  /** Of what grows from day to day. */
  readonly paceFrom?: PaceSource
  /** When it is met with the plan. */
  readonly plannedAtUnix?: number
  /** What the plan adds to each day, or at once to what there is. */
  readonly addsPerDay?: number
  readonly adds?: number
}

export interface SimulatedPlan {
  readonly level: string
  readonly conditions: readonly PlannedCondition[]
  readonly anyOf: readonly (readonly PlannedCondition[])[]
  /** As things go now, and with the plan. Undefined where something is not known or does not come nearer. */
  readonly atUnix: number | undefined
  readonly plannedAtUnix: number | undefined
  readonly choices: readonly PlanChoice[]
  readonly gaps: readonly PlanGap[]
}

interface PlanInput {
  readonly levels: readonly Level[]
  readonly user: SiteUser
  readonly history: readonly HistoryPoint[]
  readonly nowUnix: number
  readonly held: readonly SeedChoice[]
  readonly offered: readonly PushChoice[]
  /** For what is new; undefined where nobody tells. */
  readonly roomBytes: number | undefined
  readonly choicesMax: number
}

const daySeconds = 86_400
/** Undefined where the account's level is not known, or none follows. */
export function simulatePlan(input: PlanInput): SimulatedPlan | undefined {
  const { levels, user, nowUnix } = input
  const pace = paceOf(input.history)
  const now = standingOf(levels, user, pace, nowUnix).next
  if (now === undefined) return undefined
  const open = [now.conditions, ...now.anyOf].flat().filter(({ isMet }) => isMet !== true)
  const wanted = new Set(open.map(({ condition }) => condition).filter((one) => moved.has(one)))
  const sorted = wanted.size === 0 ? [] : inOrder(input, [...wanted].join() === 'seeding')
  // What is seeded from now on the site counts from tomorrow: until then everything goes as before.
  const tomorrow = dayLater(user, pace)
  const after = (choices: readonly PlanChoice[]): NonNullable<LevelStanding['next']> =>
    choices.length === 0
      ? now
      : (standingOf(levels, withSeeded(tomorrow, choices), fasterPace(user, pace, choices), nowUnix + daySeconds)
          .next ?? now)
  const all = rank(after(sorted))
  let count = 0
  // The fewest that do as much as all of them.
  while (count < sorted.length && isLater(rank(after(sorted.slice(0, count))), all)) count += 1
  const choices = sorted.slice(0, count)
  const then = after(choices)
  const bytes = bytesOf(choices)
  const planned = (one: ConditionStanding, other: ConditionStanding | undefined): PlannedCondition => {
    const adds = addsTo(one.condition, user, pace, choices.length, bytes)
    return {
      ...one,
      ...(one.perDay === undefined ? {} : { paceFrom: sourceOf(one.condition, pace) }),
      ...(one.isMet === true || other === undefined ? {} : plannedAt(other, nowUnix, choices.length > 0)),
      ...(one.isMet === true || adds === undefined ? {} : adds),
    }
  }
  return {
    level: now.level.name,
    conditions: now.conditions.map((one, at) => planned(one, then.conditions[at])),
    anyOf: now.anyOf.map((list, which) => list.map((one, at) => planned(one, then.anyOf[which]?.[at]))),
    atUnix: now.atUnix,
    plannedAtUnix: then.atUnix,
    choices,
    gaps: gapsOf(input, pace, wanted),
  }
}

function sourceOf(condition: ConditionStanding['condition'], pace: Pace): PaceSource {
  if (condition === 'days') return 'calendar'
  return condition === 'bonus' && pace.bonus === undefined ? 'site' : 'history'
}

function plannedAt(
  { isMet, atUnix }: ConditionStanding,
  nowUnix: number,
  isChanged: boolean,
): { readonly plannedAtUnix?: number } {
  if (isMet === true) return { plannedAtUnix: nowUnix + (isChanged ? daySeconds : 0) }
  return atUnix === undefined ? {} : { plannedAtUnix: atUnix }
}

/** What lies there already comes first: it costs nothing. Of equals the largest, or the smallest where they are only counted. */
function inOrder({ held, offered, roomBytes, choicesMax }: PlanInput, isCounted: boolean): PlanChoice[] {
  const bySize = (one: PlanChoice, other: PlanChoice) =>
    isCounted ? one.sizeBytes - other.sizeBytes : other.sizeBytes - one.sizeBytes
  let room = roomBytes ?? 0
  const fitting = [...offered].sort(bySize).filter(({ sizeBytes }) => {
    if (sizeBytes > room) return false
    room -= sizeBytes
    return true
  })
  return [...[...held].sort(bySize), ...fitting].slice(0, choicesMax)
}

function bytesOf(choices: readonly PlanChoice[]): number {
  return choices.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** The account when a day has gone by as the days before it did. */
function dayLater(user: SiteUser, pace: Pace): SiteUser {
  const grown = (value: number | undefined, growth: number | undefined) =>
    value === undefined ? undefined : value + (growth ?? 0)
  const uploadedBytes = grown(user.uploadedBytes, pace.uploaded)
  const downloadedBytes = grown(user.downloadedBytes, pace.downloaded)
  const hasBoth = knownNumber(user, 'uploaded') !== undefined && knownNumber(user, 'downloaded') !== undefined
  const isMoving = pace.uploaded !== undefined && pace.downloaded !== undefined
  const ratio = hasBoth && isMoving && downloadedBytes ? { ratio: (uploadedBytes ?? 0) / downloadedBytes } : {}
  const bonus = grown(user.bonus, bonusPace(user, pace))
  const seedingPoints = grown(user.seedingPoints, pace.seeding_points)
  const seedingSizeBytes = grown(user.seedingSizeBytes, pace.seeding_size)
  return {
    ...user,
    ...(uploadedBytes === undefined ? {} : { uploadedBytes }),
    ...(downloadedBytes === undefined ? {} : { downloadedBytes }),
    ...(bonus === undefined ? {} : { bonus }),
    ...(seedingPoints === undefined ? {} : { seedingPoints }),
    ...(seedingSizeBytes === undefined ? {} : { seedingSizeBytes }),
    ...ratio,
  }
}

function withSeeded(user: SiteUser, choices: readonly PlanChoice[]): SiteUser {
  const { seeding, seedingSizeBytes } = user
  return {
    ...user,
    ...(seeding === undefined ? {} : { seeding: seeding + choices.length }),
    ...(seedingSizeBytes === undefined ? {} : { seedingSizeBytes: seedingSizeBytes + bytesOf(choices) }),
  }
}

/** What was earned a day, or what the site says that an hour gives. */
function bonusPace(user: SiteUser, pace: Pace): number | undefined {
  const perHour = knownNumber(user, 'bonus_per_hour')
  return pace.bonus ?? (perHour === undefined ? undefined : perHour * 24)
}

/** As much more a day as what is seeded gives now, by its size. Undefined where one of the figures is not told. */
function dailyGain(perDay: number | undefined, user: SiteUser, bytes: number): number | undefined {
  const seeded = knownNumber(user, 'seeding_size')
  return perDay === undefined || !seeded ? undefined : (perDay / seeded) * bytes
}

function gainsOf(user: SiteUser, pace: Pace, bytes: number) {
  const perHour = knownNumber(user, 'bonus_per_hour')
  return {
    bonus: dailyGain(perHour === undefined ? undefined : perHour * 24, user, bytes),
    seeding_points: dailyGain(pace.seeding_points, user, bytes),
  }
}

function fasterPace(user: SiteUser, pace: Pace, choices: readonly PlanChoice[]): Pace {
  const gains = gainsOf(user, pace, bytesOf(choices))
  const bonus = bonusPace(user, pace)
  return {
    ...pace,
    ...(bonus === undefined ? {} : { bonus: bonus + (gains.bonus ?? 0) }),
    ...(pace.seeding_points === undefined ? {} : { seeding_points: pace.seeding_points + (gains.seeding_points ?? 0) }),
  }
}

function addsTo(
  condition: ConditionStanding['condition'],
  user: SiteUser,
  pace: Pace,
  count: number,
  bytes: number,
): Pick<PlannedCondition, 'adds' | 'addsPerDay'> | undefined {
  if (count === 0) return undefined
  if (condition === 'seeding') return { adds: count }
  if (condition === 'seeding_size') return { adds: bytes }
  if (condition !== 'bonus' && condition !== 'seeding_points') return undefined
  const addsPerDay = gainsOf(user, pace, bytes)[condition]
  return addsPerDay === undefined ? undefined : { addsPerDay }
}

/** How many conditions have no date, and the latest of those that have one: what a plan brings nearer. */
function rank({ conditions, anyOf, atUnix }: NonNullable<LevelStanding['next']>): readonly [number, number] {
  if (atUnix !== undefined) return [0, atUnix]
  const open = [conditions, ...anyOf].flat().filter(({ isMet }) => isMet !== true)
  const dated = open.flatMap((one) => (one.atUnix === undefined ? [] : [one.atUnix]))
  return [open.length - dated.length, Math.max(0, ...dated)]
}

function isLater(one: readonly [number, number], other: readonly [number, number]): boolean {
  return one[0] > other[0] || (one[0] === other[0] && one[1] > other[1])
}

function gapsOf({ user, offered, roomBytes }: PlanInput, pace: Pace, wanted: ReadonlySet<string>): PlanGap[] {
  const asksForGain = wanted.has('bonus') || wanted.has('seeding_points')
  const lacks: readonly (readonly [PlanGap, boolean])[] = [
    ['bonus_per_hour', wanted.has('bonus') && knownNumber(user, 'bonus_per_hour') === undefined],
    ['seeding_size', (asksForGain || wanted.has('seeding_size')) && !knownNumber(user, 'seeding_size')],
    ['seeding_points', wanted.has('seeding_points') && pace.seeding_points === undefined],
    ['room', wanted.size > 0 && offered.length > 0 && roomBytes === undefined],
  ]
  return lacks.flatMap(([gap, isLacking]) => (isLacking ? [gap] : []))
}

/** What one choice is in the plan for: shown beside it. */
export function worthOf(
  { sizeBytes }: PlanChoice,
  user: SiteUser,
  history: readonly HistoryPoint[],
): { readonly bonusPerDay?: number; readonly pointsPerDay?: number } {
  const gains = gainsOf(user, paceOf(history), sizeBytes)
  return {
    ...(gains.bonus === undefined ? {} : { bonusPerDay: gains.bonus }),
    ...(gains.seeding_points === undefined ? {} : { pointsPerDay: gains.seeding_points }),
  }
}

/** Of what is left of a disk and of what may be seeded at the site, the less. */
export function roomFor(
  freeBytes: number | undefined,
  keptBytes: number,
  capacityGib: number,
  user: SiteUser,
): number | undefined {
  if (freeBytes === undefined) return undefined
  const onDisk = Math.max(0, freeBytes - keptBytes)
  if (capacityGib === 0) return onDisk
  const seeded = knownNumber(user, 'seeding_size')
  return seeded === undefined ? undefined : Math.min(onDisk, Math.max(0, capacityGib * gibBytes - seeded))
}
