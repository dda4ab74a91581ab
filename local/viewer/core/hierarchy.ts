import type { GraphReader } from '../../indexer/core/graph-reader.ts'
import type { EdgeRow, NodeRow } from '../../indexer/core/rows.ts'
import { typeKinds } from '../../indexer/core/vocabulary.ts'
import type { NodeAnswer } from '../contract/wire.ts'
import { children, listOf, nodeRef } from './graph-shapes.ts'

const upLevelsMax = 8
const downLevelsMax = 6
const downNodesMax = 400
const ancestorsShown = 24
const descendantsShown = 240
/** Direct implementers from which on a type is called polymorphic. */
const polymorphicFrom = 8

export type Hierarchy = NonNullable<NodeAnswer['hierarchy']>
type HierarchyNode = Hierarchy['ancestors']['items'][number]
export type Override = NonNullable<NodeAnswer['members']['items'][number]['overrides']>

function isHeritage(edge: EdgeRow): edge is EdgeRow & { kind: 'extends' | 'implements' } {
  return edge.kind === 'extends' || edge.kind === 'implements'
}

/** Null for what is no type, and for a type without relatives. */
export function hierarchyOf(reader: GraphReader, node: NodeRow): Hierarchy | null {
  if (!typeKinds.has(node.kind)) return null
  const up = walk(reader, node, 'up', upLevelsMax, downNodesMax)
  const down = walk(reader, node, 'down', downLevelsMax, downNodesMax)
  if (up.found.length === 0 && down.found.length === 0) return null
  const direct = reader.incoming(node.n).filter(isHeritage)
  const implementers = new Set(direct.filter((one) => one.kind === 'implements').map((one) => one.source)).size
  return {
    ancestors: listOf(up.found, ancestorsShown),
    descendants: listOf(down.found, descendantsShown),
    direct: new Set(direct.map((one) => one.source)).size,
    implementers,
    bounded: up.isBounded || down.isBounded,
    polymorphic: implementers >= polymorphicFrom,
  }
}

function walk(
  reader: GraphReader,
  start: NodeRow,
  way: 'up' | 'down',
  levelsMax: number,
  nodesMax: number,
): { found: HierarchyNode[]; isBounded: boolean } {
  const found: HierarchyNode[] = []
  const seen = new Set([start.n])
  let isBounded = false
  let level = [start]
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: NodeRow[] = []
    for (const from of level) {
      const edges = (way === 'up' ? reader.outgoing(from.n) : reader.incoming(from.n)).filter(isHeritage)
      for (const edge of edges) {
        const other = way === 'up' ? edge.target : edge.source
        if (seen.has(other)) continue
        if (depth > levelsMax || found.length >= nodesMax) {
          isBounded = true
          continue
        }
        seen.add(other)
        const row = reader.node(other)
        const hidden = way === 'down' && depth === levelsMax ? reader.incoming(other).filter(isHeritage).length : 0
        found.push({
          ...nodeRef(reader, row),
          depth,
          parentId: from.id,
          relation: edge.kind,
          synthesized: false,
          hiddenSubtypes: hidden,
        })
        next.push(row)
      }
    }
    level = next
  }
  return { found, isBounded }
}

/** The nearest ancestor that declares a member of the same name. */
export function overriddenBy(reader: GraphReader, owner: NodeRow, name: string): Override | undefined {
  const seen = new Set([owner.n])
  let level = [owner]
  for (let depth = 1; depth <= upLevelsMax && level.length > 0; depth += 1) {
    const next: NodeRow[] = []
    for (const from of level) {
      for (const edge of reader.outgoing(from.n).filter(isHeritage)) {
        if (seen.has(edge.target)) continue
        seen.add(edge.target)
        const base = reader.node(edge.target)
        const member = children(reader, base).find((one) => one.name === name)
        if (member !== undefined)
          return { baseId: member.id, baseTypeId: base.id, baseTypeName: base.name, relation: edge.kind }
        next.push(base)
      }
    }
    level = next
  }
  return undefined
}
