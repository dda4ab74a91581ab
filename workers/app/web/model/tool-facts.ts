/** What the page says in short of a tool's call and of its result. */
import { showUnseen } from '#shared/pages/text-blocks.ts'

const briefMax = 160

/** A value as one reads it: words as they are, everything else as JSON. */
export function valueText(value: unknown): string {
  return showUnseen(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

/** Of a list of things only how many there are. */
function brief(value: unknown): string {
  return Array.isArray(value) && value.some((one) => typeof one === 'object') ? `[${value.length}]` : valueText(value)
}

export function briefArguments(given: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(given)
    .map(([name, value]) => `${showUnseen(name)} = ${brief(value)}`)
    .join(', ')
  return said.length <= briefMax ? said : `${said.slice(0, briefMax).toWellFormed()}…`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON with a line for each value; what is none, as it is. */
export function resultText(result: string): string {
  const value = parsed(result)
  return showUnseen(typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : result)
}

/** How many entries a result lists; undefined where it is no list. */
export function resultCount(result: string): number | undefined {
  const value = parsed(result)
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'object' || value === null) return undefined
  const { total, items } = value as { total?: unknown; items?: unknown }
  return typeof total === 'number' ? total : Array.isArray(items) ? items.length : undefined
}

/** `4:12`; nothing is left once the time is up. A clock that is wrong here never shows more than the whole time. */
export function waitLeft(expiresAt: string, createdAt: string, nowMs: number): string | undefined {
  const end = Date.parse(expiresAt)
  const seconds = Math.ceil(Math.min(end - nowMs, end - Date.parse(createdAt)) / 1000)
  if (!(seconds > 0)) return undefined
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export type DayGroup = 'today' | 'yesterday' | 'earlier'

/** By the days of this browser's zone. */
export function dayGroup(atMs: number, nowMs: number): DayGroup {
  const midnight = new Date(nowMs)
  midnight.setHours(0, 0, 0, 0)
  if (atMs >= midnight.getTime()) return 'today'
  midnight.setDate(midnight.getDate() - 1)
  return atMs >= midnight.getTime() ? 'yesterday' : 'earlier'
}
