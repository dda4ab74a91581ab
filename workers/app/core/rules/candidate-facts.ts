/** What a candidate is known to have, by the fields that rules ask for. Undefined is what nobody told, and never a number. */

import { gibBytes } from '../gib-bytes.ts'
import { isFree } from '../site.ts'
import type { Discount } from '../vocabulary.ts'
import { leftAt } from './disks-left.ts'
import type { FactSource, FlagCondition, HeldFacts, NumberCondition, RuleCondition, RulePlace } from './filter-rule.ts'
import type { Subject } from './subject.ts'

const minuteSeconds = 60
const hourSeconds = 3600

type Read<Found> = (subject: Subject) => Found | undefined

/** `place` is where the rule that asks would have it written. */
type ReadNumber = (subject: Subject, place: RulePlace) => number | undefined

export const numberReaders: Readonly<Record<NumberCondition['field'], ReadNumber>> = {
  size_gib: ({ candidate }) => inGib(candidate.sizeBytes),
  seeders: ({ candidate }) => candidate.seeders,
  leechers: ({ candidate }) => candidate.leechers,
  age_minutes: ({ candidate, nowUnix }) => since(candidate.uploadedAtUnix, nowUnix, minuteSeconds),
  free_hours: freeHours,
  year: ({ release }) => release.year,
  ratio: ({ held }) => held?.ratio,
  seeding_hours: ({ held }) => seedingHours(held),
  added_hours: ({ held, nowUnix }) => since(held?.addedAtUnix, nowUnix, hourSeconds),
  uploaded_gib: ({ held }) => inGib(held?.uploadedBytes),
  peers: ({ held }) => held?.peers,
  free_gib: ({ candidate, held }, place) => inGib(held === undefined ? leftAt(candidate.disks, place) : held.freeBytes),
  bonus_per_gib: ({ held }) => held?.bonusPerGib,
}

export const flagReaders: Readonly<Record<FlagCondition['field'], Read<boolean>>> = {
  hit_and_run: ({ candidate }) => candidate.hasHr,
  leaked: ({ release }) => release.isLeaked,
  owned: ({ candidate }) => candidate.isOwned,
  complete: ({ held }) => held?.isComplete,
  unregistered: ({ held }) => held?.isUnregistered,
  duty_done: ({ held }) => held?.isDutyDone,
}

/** A list may be older than the end of what it calls free. */
export function promotionOf({ candidate: { promotion, freeUntilUnix }, nowUnix }: Subject): Discount | undefined {
  const isOver = promotion !== undefined && freeUntilUnix !== undefined && freeUntilUnix <= nowUnix
  return isOver ? 'NONE' : promotion
}

/** None for one that is billed; unknown for a free one whose end nobody told. */
function freeHours({ candidate: { promotion, freeUntilUnix }, nowUnix }: Subject): number | undefined {
  if (promotion === undefined) return undefined
  if (!isFree(promotion)) return 0
  return freeUntilUnix === undefined ? undefined : Math.max(0, freeUntilUnix - nowUnix) / hourSeconds
}

function since(unix: number | undefined, nowUnix: number, unitSeconds: number): number | undefined {
  return unix === undefined ? undefined : Math.max(0, nowUnix - unix) / unitSeconds
}

function inGib(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / gibBytes
}

function seedingHours(held: HeldFacts | undefined): number | undefined {
  return held?.seedingSeconds === undefined ? undefined : held.seedingSeconds / hourSeconds
}

/** Of what is found without a feed or a list both are the site itself. */
function told({ candidate: { feed, isListed } }: Subject): FactSource {
  return isListed === true || feed === '' ? 'list' : 'feed'
}

/** Where a fact that is there was read. */
export function sourceOf(field: RuleCondition['field'], subject: Subject): FactSource | undefined {
  switch (field) {
    case 'site':
    case 'feed':
      return undefined
    case 'title':
    case 'resolution':
    case 'source':
    case 'group':
    case 'year':
    case 'leaked':
      return 'name'
    case 'owned':
      return subject.candidate.ownedFrom
    case 'free_gib':
      return 'downloader'
    case 'unregistered':
      return 'tracker'
    case 'duty_done':
    case 'bonus_per_gib':
      return 'site'
    default:
      return subject.held === undefined ? told(subject) : 'downloader'
  }
}
