import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { NodeRow } from '../../indexer/core/rows.ts'
import type { TrailsAnswer } from '../contract/wire.ts'

export type ResolvedTrail = TrailsAnswer['trails'][number]
type ResolvedHop = ResolvedTrail['hops'][number]
export type HopDirection = ResolvedHop['dir']

/** A hop as it is stored: by name, kind and file; the id is only the fast way. */
interface StoredHop {
  readonly dir: HopDirection
  readonly name: string
  readonly qualifiedName: string
  readonly kind: string
  readonly file: string
  readonly line: number
  readonly id: string
}

export interface StoredTrail {
  readonly version: 1
  readonly id: string
  readonly name: string
  readonly note: string
  readonly author: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly hops: readonly StoredHop[]
}

export function resolveTrail(reader: GraphReader, trail: StoredTrail): ResolvedTrail {
  const hops = trail.hops.map((hop) => resolveHop(reader, hop))
  const run = longestRun(hops)
  const open = run === undefined ? [] : hops.slice(run.from, run.from + run.count)
  return {
    id: trail.id,
    name: trail.name,
    note: trail.note,
    author: trail.author,
    createdAt: trail.createdAt,
    updatedAt: trail.updatedAt,
    hops,
    resolved: hops.filter((one) => one.id !== null).length,
    intact: hops.every((one) => one.status === 'ok'),
    encoded:
      open.length === 0
        ? null
        : open
            .map((one, index) => `${index === 0 ? 's' : directionLetter(one.dir)}${encodeURIComponent(one.id ?? '')}`)
            .join(','),
    openFrom: (run?.from ?? 0) + 1,
    openCount: open.length,
    openId: open[0]?.id ?? null,
  }
}

function directionLetter(direction: HopDirection): string {
  return direction === 'start' ? 's' : direction === 'up' ? 'u' : 'd'
}

function longestRun(hops: readonly ResolvedHop[]): { from: number; count: number } | undefined {
  let best: { from: number; count: number } | undefined
  let from = 0
  for (let at = 0; at <= hops.length; at += 1) {
    if (at < hops.length && hops[at]?.id !== null) continue
    if (at > from && at - from > (best?.count ?? 0)) best = { from, count: at - from }
    from = at + 1
  }
  return best
}

function resolveHop(reader: GraphReader, hop: StoredHop): ResolvedHop {
  const saved = {
    dir: hop.dir,
    name: hop.name,
    qualifiedName: hop.qualifiedName,
    kind: hop.kind,
    savedFile: hop.file,
    savedLine: hop.line,
  }
  const answer = (status: ResolvedHop['status'], node: NodeRow | undefined, note: string | null): ResolvedHop => ({
    ...saved,
    status,
    id: node?.id ?? null,
    file: node === undefined ? null : reader.file(node.file).path,
    line: node?.line ?? null,
    note,
  })
  const byId = reader.nodeById(hop.id)
  if (byId !== undefined && byId.kind === hop.kind && byId.qualifiedName === hop.qualifiedName)
    return answer('ok', byId, null)
  const named = reader
    .nodesNamed(hop.name)
    .filter((one) => one.kind === hop.kind && one.qualifiedName === hop.qualifiedName)
  const here = named.filter((one) => reader.file(one.file).path === hop.file)
  if (here.length === 1) return answer('ok', here[0], null)
  const [only] = named
  if (only === undefined) return answer('missing', undefined, 'nothing of this name and kind is in the index now')
  if (named.length === 1) return answer('moved', only, `now in ${reader.file(only.file).path}`)
  return answer('ambiguous', here[0] ?? only, `${named.length} symbols have this name; this one is a guess`)
}

function slugOf(name: string, charsMax: number): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, charsMax)
    .replace(/-+$/, '')
  return slug === '' ? 'trail' : slug
}

export function isTrailId(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{0,79}$/.test(text)
}

/** The id a trail is saved under: its own when the exact name exists already, else the first free slug. */
export function trailIdFor(
  name: string,
  known: readonly { readonly id: string; readonly name: string }[],
  slugCharsMax: number,
): string {
  const same = known.find((one) => one.name === name)
  if (same !== undefined) return same.id
  const slug = slugOf(name, slugCharsMax)
  const used = new Set(known.map((one) => one.id))
  if (!used.has(slug)) return slug
  for (let copy = 2; ; copy += 1) if (!used.has(`${slug}-${copy}`)) return `${slug}-${copy}`
}
