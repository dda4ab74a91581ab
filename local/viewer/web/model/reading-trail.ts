/** The way a reader took, as it stands in the address: `s<id>,d<id>,u<id>`, each id percent-encoded. */
import type { SavedTrailHop } from '../../contract/wire.ts'
import { href } from './address.ts'

type Direction = SavedTrailHop['dir']
export interface Step {
  readonly id: string
  readonly dir: Direction
}

/** The server takes this many hops; a longer way loses its beginning. */
export const stepsMax = 64

const letters: Readonly<Record<Direction, string>> = { start: 's', down: 'd', up: 'u' }
const directions: Readonly<Record<string, Direction>> = { s: 'start', d: 'down', u: 'up' }

export function parseTrail(text: string | null): Step[] {
  const steps: Step[] = []
  for (const part of (text ?? '').split(',').slice(0, stepsMax)) {
    const dir = directions[part.slice(0, 1)]
    try {
      const id = decodeURIComponent(part.slice(1))
      if (dir !== undefined && id !== '') steps.push({ id, dir: steps.length === 0 ? 'start' : dir })
    } catch {
      // A broken step of a mistyped address: the rest of the way still stands.
    }
  }
  return steps
}

export function formatTrail(steps: readonly Step[]): string {
  return steps.map(({ id, dir }) => letters[dir] + encodeURIComponent(id)).join(',')
}

/** A hop as the server takes it, in parameters of their own. */
export function hopParameter({ id, dir }: Step): string {
  return letters[dir] + id
}

/** The way as far as `focus`, which is its own beginning when it is not on it. */
export function trailTo(steps: readonly Step[], focus: string): Step[] {
  const at = steps.findLastIndex((step) => step.id === focus)
  return at === -1 ? [{ id: focus, dir: 'start' }] : steps.slice(0, at + 1)
}

/** One step on from `focus`: what lay behind it on an earlier way is dropped, as a browser's history does. */
export function stepFrom(steps: readonly Step[], focus: string, next: Step): Step[] {
  if (next.dir === 'start') return [next]
  const way = [...trailTo(steps, focus), next].slice(-stepsMax)
  return way.map((step, at) => (at === 0 ? { ...step, dir: 'start' } : step))
}

/** A way of one step says nothing that the symbol's own address does not. */
export function symbolHref(steps: readonly Step[], focus: string, line?: number): string {
  return href('symbol', focus, { trail: steps.length > 1 ? formatTrail(steps) : undefined, line })
}
