/** What is missing for an account's next level, and when it will be there as things go now. Nothing is guessed. */
import { daysSinceEpoch } from './civil-day.ts'
import { knownNumber, type SiteUser } from './site-figures.ts'

/** Amounts are bytes. */
interface LevelConditions {
  readonly days?: number | undefined
  readonly uploaded?: number | undefined
  readonly downloaded?: number | undefined
  readonly traffic?: number | undefined
  readonly ratio?: number | undefined
  readonly bonus?: number | undefined
  readonly seeding_points?: number | undefined
  readonly seeding?: number | undefined
  readonly seeding_size?: number | undefined
  readonly uploads?: number | undefined
  readonly snatched?: number | undefined
  readonly seeding_days?: number | undefined
  readonly average_seeding_days?: number | undefined
  readonly other?: true | undefined
}

export interface Level extends LevelConditions {
  readonly name: string
  readonly aka?: readonly string[] | undefined
  readonly group?: 'vip' | 'staff' | undefined
  readonly any_of?: readonly LevelConditions[] | undefined
}

export const levelConditions = [
  'days',
  'uploaded',
  'downloaded',
  'traffic',
  'ratio',
  'bonus',
  'seeding_points',
  'seeding',
  'seeding_size',
  'uploads',
  'snatched',
  'seeding_days',
  'average_seeding_days',
  'other',
] as const
type LevelCondition = (typeof levelConditions)[number]

/** A day of an account's history: what was known of it. */
export interface HistoryPoint {
  /** `YYYY-MM-DD`. */
  readonly day: string
  readonly uploaded?: number
  readonly downloaded?: number
  readonly bonus?: number
  readonly seeding_points?: number
  readonly seeding_size?: number
}

type Paced = 'uploaded' | 'downloaded' | 'bonus' | 'seeding_points' | 'seeding_size'
export type Pace = Readonly<Partial<Record<Paced, number>>>

export interface ConditionStanding {
  readonly condition: LevelCondition
  /** Left out where it is no amount. */
  readonly need?: number
  /** Left out where the account's page does not tell it, or is not to be believed. */
  readonly have?: number
  /** Undefined: nobody can say. */
  readonly isMet: boolean | undefined
  /** Of one that grows from day to day: by so much. */
  readonly perDay?: number
  /** Of one that is not met: when it will be. Left out where that is never, or not known. */
  readonly atUnix?: number
}

export interface LevelStanding {
  /** The level that the site shows, as the definition calls it; undefined where it knows none of that name. */
  readonly level?: Level
  /** Undefined on the highest level, and where nobody rises. */
  readonly next?: {
    readonly level: Level
    readonly conditions: readonly ConditionStanding[]
    /** One of these lists has to hold besides. */
    readonly anyOf: readonly (readonly ConditionStanding[])[]
    /** When all of it holds; undefined where any part of it is not known, or does not come nearer. */
    readonly atUnix?: number
  }
}

const daySeconds = 86_400
/** Further off a date says nothing. */
const daysAheadMax = 3650

/** Sites write their names with marks, and in two languages with one in brackets. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}+]/gu, '')
}

function namesIn(text: string): string[] {
  return [text, ...text.split(/[()（）[\]【】/|]/)].map(plain).filter((name) => name !== '')
}

/** By its whole name: a level's name is often part of the next one's. */
export function levelOf<One extends Level>(levels: readonly One[], shown: string | undefined): One | undefined {
  if (shown === undefined) return undefined
  for (const name of namesIn(shown)) {
    const exact = levels.filter((level) => [level.name, ...(level.aka ?? [])].some((one) => plain(one) === name))
    if (exact.length === 1) return exact[0]
  }
  for (const name of namesIn(shown)) {
    const partly = levels.filter((level) =>
      [level.name, ...(level.aka ?? [])].some((one) => namesIn(one).includes(name)),
    )
    if (partly.length === 1) return partly[0]
  }
  return undefined
}

function epochDay(day: string): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return daysSinceEpoch(year, month, date)
}

function daysBetween(from: string, to: string): number {
  return epochDay(to) - epochDay(from)
}

/** How many days a history reaches over. */
export function spanDays(history: readonly HistoryPoint[]): number {
  const [first, last] = [history[0], history.at(-1)]
  return first === undefined || last === undefined ? 0 : daysBetween(first.day, last.day)
}

/** Growth a day between the first and the last day on which the figure was known; one that shrank has no pace. */
export function paceOf(history: readonly HistoryPoint[]): Pace {
  const pace: Partial<Record<Paced, number>> = {}
  for (const figure of ['uploaded', 'downloaded', 'bonus', 'seeding_points', 'seeding_size'] as const) {
    const known = history.filter((point) => point[figure] !== undefined)
    const [first, last] = [known[0], known.at(-1)]
    const days = first === undefined || last === undefined ? 0 : daysBetween(first.day, last.day)
    const grown = (last?.[figure] ?? 0) - (first?.[figure] ?? 0)
    if (days > 0 && grown >= 0) pace[figure] = grown / days
  }
  return pace
}

export function standingOf(levels: readonly Level[], user: SiteUser, pace: Pace, nowUnix: number): LevelStanding {
  const isLevelKnown = user.doubts?.some(({ figure }) => figure === 'level') !== true
  const level = isLevelKnown ? levelOf(levels, user.level) : undefined
  if (level === undefined) return {}
  const rising = levels.filter(({ group }) => group === undefined)
  const at = rising.indexOf(level)
  const next = at === -1 ? undefined : rising[at + 1]
  if (next === undefined) return { level }
  const judge = judgeWith(user, pace, nowUnix)
  const conditions = judge(next)
  const anyOf = (next.any_of ?? []).map(judge)
  const atUnix = laterOf([
    endOf(conditions, nowUnix),
    ...(anyOf.length === 0 ? [] : [soonestOf(anyOf.map((one) => endOf(one, nowUnix)))]),
  ])
  return { level, next: { level: next, conditions, anyOf, ...(atUnix === undefined ? {} : { atUnix }) } }
}

/** Undefined where one of them is not known. */
function laterOf(times: readonly (number | undefined)[]): number | undefined {
  return times.includes(undefined) ? undefined : Math.max(...times.map((time) => time ?? 0))
}

function soonestOf(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

function endOf(conditions: readonly ConditionStanding[], nowUnix: number): number | undefined {
  return laterOf([nowUnix, ...conditions.map(({ isMet, atUnix }) => (isMet === true ? nowUnix : atUnix))])
}

function judgeWith(user: SiteUser, pace: Pace, nowUnix: number): (wanted: LevelConditions) => ConditionStanding[] {
  const uploaded = knownNumber(user, 'uploaded')
  const downloaded = knownNumber(user, 'downloaded')
  const sum = (one: number | undefined, other: number | undefined) =>
    one === undefined || other === undefined ? undefined : one + other
  const perHour = knownNumber(user, 'bonus_per_hour')
  const have: Readonly<Partial<Record<LevelCondition, number | undefined>>> = {
    days: user.joinedAtUnix === undefined ? undefined : Math.max(0, nowUnix - user.joinedAtUnix) / daySeconds,
    uploaded,
    downloaded,
    traffic: sum(uploaded, downloaded),
    ratio: ratioOf(user),
    bonus: knownNumber(user, 'bonus'),
    seeding_points: user.seedingPoints,
    seeding: knownNumber(user, 'seeding'),
    seeding_size: knownNumber(user, 'seeding_size'),
  }
  const perDay: Readonly<Partial<Record<LevelCondition, number | undefined>>> = {
    days: 1,
    uploaded: pace.uploaded,
    downloaded: pace.downloaded,
    traffic: sum(pace.uploaded, pace.downloaded),
    bonus: pace.bonus ?? (perHour === undefined ? undefined : perHour * 24),
    seeding_points: pace.seeding_points,
    seeding_size: pace.seeding_size,
  }

  function daysTo(condition: LevelCondition, need: number, has: number): number | undefined {
    if (condition === 'ratio') return daysToRatio(need, uploaded, downloaded, pace)
    const growth = perDay[condition]
    return growth === undefined || growth <= 0 ? undefined : (need - has) / growth
  }

  return (wanted) =>
    levelConditions.flatMap((condition): ConditionStanding[] => {
      const need = wanted[condition]
      if (need === undefined) return []
      const has = have[condition]
      if (need === true) return [{ condition, isMet: undefined }]
      if (has === undefined) return [{ condition, need, isMet: undefined }]
      if (has >= need) return [{ condition, need, have: has, isMet: true }]
      const days = daysTo(condition, need, has)
      const growth = perDay[condition]
      const isNear = days !== undefined && days <= daysAheadMax
      return [
        {
          condition,
          need,
          have: has,
          isMet: false,
          ...(growth === undefined ? {} : { perDay: growth }),
          ...(isNear ? { atUnix: Math.ceil(nowUnix + days * daySeconds) } : {}),
        },
      ]
    })
}

/** An account that downloaded nothing has any ratio. */
function ratioOf(user: SiteUser): number | undefined {
  return knownNumber(user, 'downloaded') === 0 ? Number.MAX_SAFE_INTEGER : knownNumber(user, 'ratio')
}

function daysToRatio(
  need: number,
  uploaded: number | undefined,
  downloaded: number | undefined,
  pace: Pace,
): number | undefined {
  if (uploaded === undefined || downloaded === undefined) return undefined
  if (pace.uploaded === undefined || pace.downloaded === undefined) return undefined
  const gain = pace.uploaded - need * pace.downloaded
  return gain <= 0 ? undefined : (need * downloaded - uploaded) / gain
}
