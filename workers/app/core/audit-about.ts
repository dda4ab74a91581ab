import type { ProposedAction } from './assistant/proposed-action.ts'

/** What an act was about, as the audit log keeps it. */
export interface AuditAbout {
  /** What was done, where the route alone does not say it: `delete_with_files`, `move`. */
  readonly deed?: string
  /** Of what it was done to; the first ones, each cut to a bound. */
  readonly names: readonly string[]
  /** How many there are beyond those. */
  readonly more: number
}

export interface SaidAbout {
  readonly deed?: string
  readonly names: readonly string[]
  /** How many it was done to, where not all are named. */
  readonly count?: number
}

export interface AboutBounds {
  readonly namesMax: number
  readonly nameCharactersMax: number
}

/** Undefined where there is nothing to say. */
export function auditAbout({ deed, names, count }: SaidAbout, bounds: AboutBounds): AuditAbout | undefined {
  const told = names.filter((name) => name !== '')
  const kept = told.slice(0, bounds.namesMax).map((name) => [...name].slice(0, bounds.nameCharactersMax).join(''))
  const more = Math.max(count ?? 0, told.length) - kept.length
  if (deed === undefined && kept.length === 0 && more === 0) return undefined
  return { ...(deed === undefined ? {} : { deed }), names: kept, more }
}

/** What the assistant asks for, or did: its command is the tool's name, its targets are what was shown. */
export function aboutProposed(proposed: ProposedAction | undefined, bounds: AboutBounds): AuditAbout | undefined {
  if (proposed === undefined) return undefined
  const named = proposed.targets.map((target) => {
    if ('plan_id' in target) return `${target.site}: ${target.level}`
    return 'torrent_id' in target ? (target.title ?? `${target.site} ${target.torrent_id}`) : target.title
  })
  return auditAbout({ names: named }, bounds)
}
