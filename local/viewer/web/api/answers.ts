/** The server's answers as types; the schemas themselves stay on the server. */
import type { z } from 'zod'
import type {
  deadCodeAnswer,
  entryPointsAnswer,
  fileAnswer,
  fileCodeAnswer,
  flowAnswer,
  gapsAnswer,
  mapAnswer,
  nodeAnswer,
  nodesAnswer,
  routesAnswer,
  searchAnswer,
  sourceAnswer,
  statsAnswer,
  trailsAnswer,
} from '../../contract/answers.ts'
import type { edge, highlight, nodeRef, relation } from '../../contract/shapes.ts'

export type NodeRef = z.infer<typeof nodeRef>
export type Edge = z.infer<typeof edge>
export type Relation = z.infer<typeof relation>
export type Highlight = z.infer<typeof highlight>
export type NodeKind = NodeRef['kind']

export type StatsAnswer = z.infer<typeof statsAnswer>
export type SearchAnswer = z.infer<typeof searchAnswer>
export type NodeAnswer = z.infer<typeof nodeAnswer>
export type NodesAnswer = z.infer<typeof nodesAnswer>
export type SourceAnswer = z.infer<typeof sourceAnswer>
export type FileAnswer = z.infer<typeof fileAnswer>
export type FileCodeAnswer = z.infer<typeof fileCodeAnswer>
export type RoutesAnswer = z.infer<typeof routesAnswer>
export type EntryPointsAnswer = z.infer<typeof entryPointsAnswer>
export type GapsAnswer = z.infer<typeof gapsAnswer>
export type MapAnswer = z.infer<typeof mapAnswer>
export type DeadCodeAnswer = z.infer<typeof deadCodeAnswer>
export type FlowAnswer = z.infer<typeof flowAnswer>
export type TrailsAnswer = z.infer<typeof trailsAnswer>
export type SavedTrail = TrailsAnswer['trails'][number]
export type SavedTrailHop = SavedTrail['hops'][number]
