/** The answers as types, for who makes them and who reads them; the schemas themselves stay where answers are checked. */
import type { z } from 'zod'
import type * as answers from './answers.ts'
import type * as shapes from './shapes.ts'

type Frozen<T> = { readonly [K in keyof T]: Frozen<T[K]> }
type Wire<T extends z.ZodType> = Frozen<z.output<T>>
/** What a route adds to what follows from the index. */
type Added = 'index' | 'timing' | 'drift'

export type NodeRef = Wire<typeof shapes.nodeRef>
export type NodeKind = NodeRef['kind']
export type NodeDetail = Wire<typeof shapes.nodeDetail>
export type Edge = Wire<typeof shapes.edge>
export type Relation = Wire<typeof shapes.relation>
export type Highlight = Wire<typeof shapes.highlight>

export type StatsAnswer = Wire<typeof answers.statsAnswer>
export type SearchAnswer = Wire<typeof answers.searchAnswer>
export type NodesAnswer = Wire<typeof answers.nodesAnswer>
export type RoutesAnswer = Wire<typeof answers.routesAnswer>
export type ScreensAnswer = Wire<typeof answers.screensAnswer>
export type SourceAnswer = Wire<typeof answers.sourceAnswer>
export type TrailsAnswer = Wire<typeof answers.trailsAnswer>
export type SavedTrail = TrailsAnswer['trails'][number]
export type SavedTrailHop = SavedTrail['hops'][number]
export type NodeAnswer = Wire<typeof answers.nodeAnswer>
export type FileAnswer = Wire<typeof answers.fileAnswer>
export type FileCodeAnswer = Wire<typeof answers.fileCodeAnswer>
export type EntryPointsAnswer = Wire<typeof answers.entryPointsAnswer>
export type GapsAnswer = Wire<typeof answers.gapsAnswer>
export type TreeAnswer = Wire<typeof answers.treeAnswer>
export type AccuracyAnswer = Wire<typeof answers.accuracyAnswer>
export type HandlersAnswer = Wire<typeof answers.handlersAnswer>
export type ReviewAnswer = Wire<typeof answers.reviewAnswer>
export type MapAnswer = Wire<typeof answers.mapAnswer>
export type DeadCodeAnswer = Wire<typeof answers.deadCodeAnswer>
export type BlameAnswer = Wire<typeof answers.blameAnswer>
export type TextAnswer = Wire<typeof answers.textAnswer>
export type FlowAnswer = Wire<typeof answers.flowAnswer>

/** An answer as the index alone gives it. */
export type OfIndex<A> = Omit<A, Added>
