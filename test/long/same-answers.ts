/** Whether two answers say the same, made by chance and by the clock aside. */
import { searchJitterSeconds } from '../../workers/app/limits.ts'
import type { Asked } from './kept-kinds.ts'

/** Unix seconds and milliseconds of our days. */
const timeMin = 1_000_000_000
/** Between two answers to the same call, at the most. */
const apartSecondsMax = 900
/** When something is looked for again is spread by chance, besides. */
const spreadSeconds = (place: string) => (place.endsWith('/next_search_at') ? searchJitterSeconds : 0)

/** The first place where they differ, and how. */
export function differenceOf(left: Asked, right: Asked): string | undefined {
  if (left.status !== right.status)
    return `${left.status} ${shown(left.body)} beside ${right.status} ${shown(right.body)}`
  return differing(left.body, right.body, '')
}

function differing(left: unknown, right: unknown, place: string): string | undefined {
  if (Object.is(left, right)) return undefined
  const difference = `${place}: ${shown(left)} beside ${shown(right)}`
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return difference
    return firstOf(left.map((value, at) => () => differing(value, right[at], `${place}/${at}`)))
  }
  if (isRecord(left) && isRecord(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)])
    return firstOf([...names].map((name) => () => differing(left[name], right[name], `${place}/${name}`)))
  }
  if (typeof left === 'number' && typeof right === 'number') {
    return place.endsWith('/duration_ms') || areTimes(left, right, spreadSeconds(place)) ? undefined : difference
  }
  if (typeof left !== 'string' || typeof right !== 'string') return difference
  const isSame =
    areByChance(left, right, place) ||
    areTimes(Date.parse(left), Date.parse(right)) ||
    withoutPorts(left) === withoutPorts(right)
  return isSame ? undefined : difference
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const found = look()
    if (found !== undefined) return found
  }
  return undefined
}

function areTimes(left: number, right: number, spread = 0): boolean {
  if (!(left >= timeMin && right >= timeMin)) return false
  const unit = left >= timeMin * 1000 ? 1000 : 1
  return Math.abs(left - right) <= (apartSecondsMax + spread) * unit
}

/** Each service has a stand-in of its own to talk to. */
function withoutPorts(text: string): string {
  return text.replaceAll(/(http:\/\/127\.0\.0\.1):\d+/g, '$1')
}

const namesOfChance = /\/(?:id|secret|secret_end|text|prefix)$/

/** Identifiers and secrets have a length of their kind, and nothing that a word of ours has not. */
function areByChance(left: string, right: string, place: string): boolean {
  const isMade = (text: string) => /^[\w-]{4,}$/.test(text)
  return namesOfChance.test(place) && left.length === right.length && isMade(left) && isMade(right)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 300) ?? 'nothing'
}
