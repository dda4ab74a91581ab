/** A search as far as its sites have answered. Pure: what each event makes of what was there. */
import type { SearchEvents, WireFoundTorrent } from '../../contract/console-search.ts'
import type { ApiFailure } from './failure-words.ts'
import type { SearchForm } from './search-query.ts'

export interface SearchProgress {
  readonly asked: SearchForm
  /** When it began, Unix seconds. */
  readonly at: number
  readonly items: readonly WireFoundTorrent[]
  /** How much each site that answered has found. */
  readonly counts: Readonly<Record<string, number>>
  readonly errors: readonly SearchEvents['failed'][]
  /** Sites that are asked and did not answer yet. Undefined before they are known. */
  readonly waiting: readonly string[] | undefined
  readonly isOver: boolean
  readonly durationMs: number
  /** Why it broke off, or was not begun. */
  readonly failure: ApiFailure | undefined
}

export function beginSearch(asked: SearchForm, at: number): SearchProgress {
  return {
    asked,
    at,
    items: [],
    counts: {},
    errors: [],
    waiting: undefined,
    isOver: false,
    durationMs: 0,
    failure: undefined,
  }
}

/** What the server sends of each name; it is our own server, and its events are held to this by a test. */
export function takeSearchEvent(now: SearchProgress, name: string | undefined, text: string): SearchProgress {
  const told: unknown = JSON.parse(text)
  switch (name) {
    case 'asked':
      return { ...now, waiting: (told as SearchEvents['asked']).sites }
    case 'found': {
      const { site, total, items } = told as SearchEvents['found']
      return { ...answered(now, site), items: [...now.items, ...items], counts: { ...now.counts, [site]: total } }
    }
    case 'failed': {
      const failed = told as SearchEvents['failed']
      return { ...answered(now, failed.site), errors: [...now.errors, failed] }
    }
    case 'done':
      return { ...now, durationMs: (told as SearchEvents['done']).duration_ms }
    default:
      return now
  }
}

function answered(now: SearchProgress, site: string): SearchProgress {
  return { ...now, waiting: now.waiting?.filter((one) => one !== site) }
}

/** The sites that have not told what they have; undefined for all of them. */
export function missingSites({ counts, errors, waiting = [] }: SearchProgress): readonly string[] | undefined {
  if (Object.keys(counts).length === 0) return undefined
  return [...errors.map(({ site }) => site), ...waiting]
}

export function foundTotal({ counts }: SearchProgress): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
