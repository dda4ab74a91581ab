/** What the routes need of the world. */
import type { Clock } from '#shared/kernel/clock.ts'
import type { CompilerCheck } from '../indexer/core/compiler-check.ts'
import type { GraphReader } from '../indexer/core/graph-reader.ts'
import type { FileProof } from '../indexer/core/proofs.ts'
import type { FileRow } from '../indexer/core/rows.ts'
import type { Pages } from '../pages/pages.ts'
import type { Highlight } from './contract/wire.ts'
import type { Answer } from './core/failure.ts'
import type { LineHistory } from './core/line-history.ts'
import type { Change } from './core/reviewed-change.ts'
import type { StoredTrail } from './core/trail.ts'

export interface OpenedIndex {
  readonly reader: GraphReader
  /** Changes whenever another index is published. */
  readonly stamp: string
  readonly sizeBytes: number
  /** Remembers an answer for as long as this index is the published one, and compilers say the same about it. */
  remember<T>(key: string, make: () => T): { readonly value: T; readonly cached: boolean }
}

export interface IndexAccess {
  /** Opens the published index, answers from it, and lets it go. */
  use<T>(answer: (index: OpenedIndex) => T): Answer<T>
}

/** What lies on disk for a file of the index, judged against its record. */
export type SourceState =
  | { readonly kind: 'fresh'; readonly text: string }
  | { readonly kind: 'drifted'; readonly text: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'too-large'; readonly sizeBytes: number }

export interface SourceFiles {
  /** Root-relative path of what was asked for, or why it is refused. */
  gate(path: string): Answer<string>
  read(file: FileRow): Answer<SourceState>
  /** Whether a file differs from its record, read only when size or time say it might. */
  isDrifted(file: FileRow): boolean
  /** Texts of the project that are no source and may name some: templates, settings, data. */
  others(): Iterable<string>
  /** The list of who looks after which files; undefined where there is none. */
  owners(): string | undefined
}

export interface TextQuestion {
  readonly text: string
  readonly isRegex: boolean
  readonly isCaseKept: boolean
  readonly isWord: boolean
}

/** A line that matches, and where: counted in characters from the beginning of the line. */
export interface TextHit {
  readonly file: string
  readonly line: number
  readonly spans: readonly (readonly [from: number, to: number])[]
}

export interface TextHits {
  /** In the order of the files. */
  readonly hits: readonly TextHit[]
  /** There may be more: it was ended by the number of lines or by time. */
  readonly isCut: boolean
}

export interface TextSearch {
  /** Looks into these files and no others; each is a path of the index. */
  find(files: readonly string[], question: TextQuestion, limit: number, signal: AbortSignal): Promise<Answer<TextHits>>
}

export interface ProjectChanges {
  /** `BASE` against the work tree, `BASE..HEAD` or `BASE...HEAD`. */
  inRange(range: string): Answer<Change>
}

export interface LineHistories {
  /** Of a file as it lies there; undefined where git knows none, or takes too long. */
  of(file: FileRow): Promise<LineHistory | undefined>
}

export interface SyntaxClasses {
  /** Classes of a whole text, remembered by its content. */
  of(language: string, contentHash: string | undefined, text: string): Promise<Highlight>
}

export interface TrailFiles {
  readonly directory: string
  list(): { readonly trails: readonly StoredTrail[]; readonly skipped: number; readonly isBounded: boolean }
  save(trail: StoredTrail): void
  remove(id: string): boolean
  author(): string
}

export interface EventFeed {
  /** Undefined when there is no room for another listener. */
  subscribe(send: (frame: string) => void, end: () => void): { close(): void }
  /** What compilers say of the index is another now. */
  tellProofs(): void
  endAll(): void
  readonly isWatching: boolean
  readonly degraded: string | null
}

/** Checks by the compiler that go on while the viewer is used. */
export interface BackgroundProof {
  /** There may be another index: once it has been left alone, it is judged. */
  look(): void
  readonly isRunning: boolean
  close(): void
}

interface KeptProofs {
  readonly files: () => readonly FileProof[]
  /** What the compiler that comes along was asked; undefined where it never was. */
  readonly check: () => CompilerCheck | undefined
}

export interface ViewerDeps {
  readonly clock: Clock
  readonly projectRoot: string
  readonly isReadOnly: boolean
  readonly index: IndexAccess
  readonly sources: SourceFiles
  readonly text: TextSearch
  readonly changes: ProjectChanges
  readonly histories: LineHistories
  readonly proofs: () => KeptProofs
  /** Undefined where none are wanted. */
  readonly background: BackgroundProof | undefined
  readonly syntax: SyntaxClasses
  /** Loaded by the first question about trails: what checks them takes longer to load than the rest together. */
  readonly trails: () => Promise<TrailFiles>
  readonly events: EventFeed
  readonly pages: Pages
  readonly report: (message: string) => void
}
