/**
 * Which sessions a pruning takes. A session goes with all the tasks below it or stays with them; one that is in use, or
 * was a moment ago, keeps its whole family.
 */

export interface PruneCandidate {
  readonly id: string
  readonly parentId: string | undefined
  readonly createdMs: number
  readonly updatedMs: number
  readonly newestSeq: number
  readonly isRunning: boolean
  /** Its files were taken back and can still be put forward again. */
  readonly hasStagedRevert: boolean
}

export interface PruneRules {
  readonly by: 'updated' | 'created'
  /** What is as old as this, or older. */
  readonly untilMs: number
  /** What changed after this is spared, unless undefined. */
  readonly recentMs: number | undefined
  readonly sessionsMax: number
}

export const pruneProtections = ['running', 'recent', 'revert_staged'] as const
type PruneProtection = (typeof pruneProtections)[number]

export interface PruneSelection {
  readonly selected: readonly PruneCandidate[]
  readonly excluded: readonly { readonly id: string; readonly reasons: readonly PruneProtection[] }[]
  /** There are more than are taken at once. */
  readonly isCut: boolean
}

export function selectForPruning(candidates: readonly PruneCandidate[], rules: PruneRules): PruneSelection {
  const families = [...familiesOf(candidates).values()]
    .map((members) => ({ members, ageMs: ageOf(members, rules.by) }))
    .filter(({ ageMs }) => ageMs <= rules.untilMs)
    .sort((left, right) => left.ageMs - right.ageMs)
  const selected: PruneCandidate[] = []
  const excluded: { id: string; reasons: PruneProtection[] }[] = []
  let isCut = false
  for (const { members } of families) {
    const reasons = protectionsOf(members, rules)
    if (reasons.length > 0) excluded.push(...members.map(({ id }) => ({ id, reasons })))
    else if (selected.length + members.length > rules.sessionsMax) isCut = true
    else selected.push(...members)
  }
  return { selected, excluded, isCut }
}

/** By the topmost session; one whose parent is gone is the topmost of what is left. */
function familiesOf(candidates: readonly PruneCandidate[]): Map<string, PruneCandidate[]> {
  const known = new Map(candidates.map((candidate) => [candidate.id, candidate]))
  function topOf(candidate: PruneCandidate): string {
    const parent = candidate.parentId === undefined ? undefined : known.get(candidate.parentId)
    return parent === undefined ? candidate.id : topOf(parent)
  }
  return Map.groupBy(candidates, topOf)
}

/** A family is as old as its newest change, or as its oldest session. */
function ageOf(members: readonly PruneCandidate[], by: PruneRules['by']): number {
  return by === 'updated'
    ? Math.max(...members.map(({ updatedMs }) => updatedMs))
    : Math.min(...members.map(({ createdMs }) => createdMs))
}

function protectionsOf(members: readonly PruneCandidate[], { recentMs }: PruneRules): PruneProtection[] {
  const holds: Record<PruneProtection, boolean> = {
    running: members.some(({ isRunning }) => isRunning),
    recent: recentMs !== undefined && members.some(({ updatedMs }) => updatedMs > recentMs),
    revert_staged: members.some(({ hasStagedRevert }) => hasStagedRevert),
  }
  return pruneProtections.filter((protection) => holds[protection])
}
