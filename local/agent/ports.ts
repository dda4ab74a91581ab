/** What the routes need of the rest, by need. */
import type { Clock } from '#shared/kernel/clock.ts'
import type { Result } from '#shared/kernel/result.ts'
import type { Pages } from '../pages/pages.ts'
import type {
  WireAgent,
  WireCommand,
  WireIntegration,
  WireModel,
  WireProvider,
  WireReference,
  WireSkill,
} from './contract/catalogue.ts'
import type { PromptFileInput } from './contract/message.ts'
import type { WirePruneReport } from './contract/prune.ts'
import type { WireSandbox } from './contract/sandbox.ts'
import type { WireSchedule } from './contract/schedule.ts'
import type { WireToolServer } from './contract/tool-server.ts'
import type { WireWorkTree } from './contract/work-tree.ts'
import type { ChangedFile } from './core/changed-files.ts'
import type { Failure } from './core/failure.ts'
import type { Found } from './core/file.ts'
import type { PolicyChange } from './core/memory.ts'
import type { Refusal } from './core/refusal.ts'
import type { RuleText } from './core/rule-file.ts'
import type { PermissionRequest, QuestionRequest } from './core/session/event.ts'
import type {
  AgentMention,
  FileDiff,
  LocationRef,
  MemoryPolicy,
  ModelRef,
  Prompt,
  RevertState,
} from './core/session/message.ts'
import type { Said } from './core/session/said.ts'
import type { TerminalSize } from './core/terminal.ts'
import type { BackgroundStatus, Delivery, EntryType, PermissionReply, TerminalStatus } from './core/vocabulary.ts'

export interface LocationInfo {
  readonly directory: string
  readonly workspaceID?: string
  readonly project: { readonly id: string; readonly directory: string }
}

export interface Locations {
  /** The location of a directory, or the active one. A directory that does not exist is an `invalid_request`. */
  resolve(directory: string | undefined, workspace?: string | undefined): Promise<Result<LocationInfo, Failure>>
}

export interface SessionQuery {
  readonly limit?: number | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly sort?: 'created' | 'updated' | undefined
  readonly search?: string | undefined
  readonly directory?: string | undefined
  readonly project?: string | undefined
  readonly subpath?: string | undefined
  readonly cursor?: string | undefined
}

export interface MessageQuery {
  readonly limit: number
  readonly order?: 'asc' | 'desc' | undefined
  readonly cursor?: string | undefined
}

/** Rows as JSON texts, written once when they were stored. */
export interface Page {
  readonly rows: readonly string[]
  readonly previous?: string | undefined
  readonly next?: string | undefined
}

/** Sessions by what was said in them, each by its newest message that says it. */
export interface SaidPage {
  /** `session` is its record as JSON. */
  readonly matches: readonly (Said & { readonly session: string; readonly messageID: string })[]
  /** When the last one that was looked through changed; null once all were. */
  readonly searchedBackTo: number | null
  readonly next: string | undefined
}

interface PromptInput {
  readonly text: string
  readonly files?: readonly PromptFileInput[] | undefined
  readonly agents?: readonly AgentMention[] | undefined
}

export interface Admission {
  readonly id?: string | undefined
  readonly prompt: PromptInput
  readonly delivery?: Delivery | undefined
  readonly resume?: boolean | undefined
  readonly agent?: string | undefined
  readonly model?: ModelRef | undefined
}

export interface Receipt {
  readonly admittedSeq: number
  readonly id: string
  readonly sessionID: string
  readonly prompt: Prompt
  readonly delivery: Delivery
  readonly timeCreated: number
  readonly promotedSeq?: number
}

/** A prompt that was not taken in yet, or what the server has to tell the model. */
export interface WaitingPrompt {
  readonly id: string
  readonly admittedSeq: number
  readonly delivery: Delivery
  /** Its beginning, where it is long. */
  readonly text: string
  /** How many came with it. */
  readonly files: number
  readonly timeCreated: number
}

export interface LearnedNote {
  readonly id: string
  readonly text: string
  readonly sessionId: string
  readonly messageId: string
  readonly callId: string
  readonly createdMs: number
}

export interface Learning {
  /** Notes of earlier sessions that it was given last; undefined when it never was given any. */
  readonly retrieval:
    | { readonly selectedIds: readonly string[]; readonly candidateCount: number; readonly timeMs: number }
    | undefined
  readonly notes: readonly LearnedNote[]
  readonly total: number
}

/** Hunks of a file's change as it was listed; all of it where none are named. */
export interface HunkChoice {
  readonly path: string
  readonly patch: string
  readonly hunks?: readonly number[] | undefined
}

export interface Sessions {
  create(input: {
    readonly id?: string | undefined
    readonly agent?: string | undefined
    readonly model?: ModelRef | undefined
    readonly location: LocationInfo
    readonly inWorkTree?: boolean | undefined
  }): Promise<Result<string, Failure>>
  /** The stored record as JSON. */
  read(sessionId: string): Result<string, Failure>
  list(query: SessionQuery): Result<Page, Failure>
  said(query: { readonly text: string; readonly cursor?: string | undefined }): Promise<Result<SaidPage, Failure>>
  active(): readonly string[]
  /** Calls of its step that have not begun. */
  waitingCalls(sessionId: string): readonly string[]
  context(sessionId: string): Result<readonly string[], Failure>
  history(
    sessionId: string,
    range: { readonly after?: number | undefined; readonly limit: number },
  ): Result<{ readonly rows: readonly string[]; readonly hasMore: boolean }, Failure>
  /** `seq` is that of the newest event in them. */
  messages(sessionId: string, query: MessageQuery): Result<Page & { readonly seq: number }, Failure>
  message(sessionId: string, messageId: string): Result<string, Failure>
  switchAgent(sessionId: string, agent: string): Promise<Result<void, Failure>>
  switchModel(sessionId: string, model: ModelRef): Promise<Result<void, Failure>>
  admit(sessionId: string, admission: Admission): Promise<Result<Receipt, Failure>>
  waitingPrompts(sessionId: string): Result<readonly WaitingPrompt[], Failure>
  /** A prompt that waits is never taken in; one that was is a conflict. */
  withdraw(sessionId: string, messageId: string): Result<Receipt, Failure>
  compact(sessionId: string, signal: AbortSignal): Promise<Result<void, Failure>>
  wait(sessionId: string, signal: AbortSignal): Promise<Result<void, Failure>>
  interrupt(sessionId: string): Promise<Result<void, Failure>>
  /** What the steps changed in files, as it is now. */
  changes(sessionId: string): Promise<Result<readonly FileDiff[], Failure>>
  takeBackHunks(sessionId: string, change: HunkChoice): Promise<Result<void, Failure>>
  stageRevert(sessionId: string, target: { messageID: string; files: boolean }): Promise<Result<RevertState, Failure>>
  clearRevert(sessionId: string): Promise<Result<void, Failure>>
  commitRevert(sessionId: string): Promise<Result<void, Failure>>
  memoryPolicy(sessionId: string): Promise<Result<MemoryPolicy, Failure>>
  setMemoryPolicy(sessionId: string, change: PolicyChange): Promise<Result<MemoryPolicy, Failure>>
  learning(sessionId: string, page: { offset: number; limit: number }): Result<Learning, Failure>
  mergeWorkTree(sessionId: string): Promise<Result<void, Failure>>
  discardWorkTree(sessionId: string): Promise<Result<void, Failure>>
}

interface SessionWorkTrees {
  list(): readonly WireWorkTree[]
  changes(
    sessionId: string,
  ): Promise<Result<{ readonly info: WireWorkTree; readonly changes: readonly FileDiff[] }, Failure>>
}

export interface SavedRule {
  readonly id: string
  readonly projectID: string
  readonly action: string
  readonly resource: string
}

export interface Asks {
  permissions(
    scope: { readonly sessionId: string } | { readonly directory: string },
  ): Result<PermissionRequest[], Failure>
  permission(sessionId: string, requestId: string): Result<PermissionRequest, Failure>
  replyPermission(
    sessionId: string,
    requestId: string,
    reply: {
      readonly reply: PermissionReply
      readonly message?: string | undefined
      readonly scope?: 'session' | undefined
    },
  ): Result<void, Failure>
  savedRules(projectId: string | undefined): readonly SavedRule[]
  removeSavedRule(id: string): void
  questions(scope: { readonly sessionId: string } | { readonly directory: string }): Result<QuestionRequest[], Failure>
  replyQuestion(sessionId: string, requestId: string, answers: readonly (readonly string[])[]): Result<void, Failure>
  rejectQuestion(sessionId: string, requestId: string): Result<void, Failure>
}

export interface FileBytes {
  readonly type: string
  readonly size: number
  /** Must be read or cancelled: it holds the file open. */
  readonly body: ReadableStream<Uint8Array>
}

export interface ChangedFiles {
  readonly branch: string | undefined
  readonly files: readonly ChangedFile[]
  readonly isCut: boolean
}

export interface FindQuery {
  readonly query: string
  readonly type?: EntryType | undefined
  readonly limit: number
}

/** Paths are relative to the directory, and what leads out of it is `forbidden`. */
export interface Files {
  read(directory: string, path: string, signal: AbortSignal): Promise<Result<FileBytes, Failure>>
  list(directory: string, path: string, signal: AbortSignal): Promise<Result<Found, Failure>>
  find(directory: string, query: FindQuery, signal: AbortSignal): Promise<Result<Found, Failure>>
  /** What differs from the last commit, or one file of it with its patch; undefined outside of a repository. */
  changed(
    directory: string,
    one: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<ChangedFiles | undefined, Failure>>
}

export interface Streams {
  process(): Result<ReadableStream<Uint8Array>, Failure>
  /** `after` is the last sequence number the client has; undefined replays from the start. */
  session(sessionId: string, after: number | undefined): Result<ReadableStream<Uint8Array>, Failure>
}

export interface Catalogue {
  agents(location: LocationRef): Promise<Result<readonly WireAgent[], Failure>>
  commands(location: LocationRef): Promise<Result<readonly WireCommand[], Failure>>
  skills(location: LocationRef): Promise<Result<readonly WireSkill[], Failure>>
  references(location: LocationRef): Promise<Result<readonly WireReference[], Failure>>
  models(location: LocationRef): Promise<Result<readonly WireModel[], Failure>>
  providers(location: LocationRef): Promise<Result<readonly WireProvider[], Failure>>
  integrations(location: LocationRef): Promise<Result<readonly WireIntegration[], Failure>>
}

/** Which sessions a pruning looks at; without anything all of them. */
export interface PruneScope {
  readonly projectId?: string
  readonly directory?: string
}

export interface PruneChoice {
  readonly scope: PruneScope
  readonly olderThanDays: number
  readonly by: 'updated' | 'created'
  readonly includeRecent: boolean
}

export interface PruneCommand {
  readonly action: 'archive' | 'delete'
  /** Of the preview: what is applied must be what it showed. */
  readonly digest: string
  /** Rules that answers in these sessions left behind go with them. */
  readonly removesDerived: boolean
}

export type PruneReport = WirePruneReport
export type PruneArtifact = PruneReport['artifacts']['items'][number]

export interface Prunes {
  preview(choice: PruneChoice): Promise<PruneReport>
  apply(choice: PruneChoice, command: PruneCommand): Promise<Result<PruneReport, Failure>>
}

export interface TerminalInfo {
  readonly id: string
  readonly title: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly status: TerminalStatus
  readonly pid: number
  readonly exitCode?: number
}

export interface TerminalInput {
  readonly command?: string | undefined
  readonly args?: readonly string[] | undefined
  readonly cwd?: string | undefined
  readonly title?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly size?: TerminalSize | undefined
}

/** The other end of a WebSocket. */
export interface SocketPeer {
  readonly isOpen: boolean
  /** Text or bytes; resolves when the system has taken the frame, or the peer is gone. */
  send(frame: string | Uint8Array): Promise<void>
  close(code: number): void
}

/** What becomes of the frames of a peer. The next one is read when the last one was taken. */
export interface SocketAttachment {
  onFrame(bytes: Uint8Array): Promise<void>
  onClose(): void
}

export type ConnectTerminal = (peer: SocketPeer) => SocketAttachment

/** Terminals belong to the location they were created in; elsewhere there is no such terminal. */
export interface Terminals {
  list(location: LocationInfo): readonly TerminalInfo[]
  create(location: LocationInfo, input: TerminalInput): Promise<Result<TerminalInfo, Failure>>
  read(location: LocationInfo, id: string): Result<TerminalInfo, Failure>
  update(
    location: LocationInfo,
    id: string,
    change: { readonly title?: string | undefined; readonly size?: TerminalSize | undefined },
  ): Result<TerminalInfo, Failure>
  remove(location: LocationInfo, id: string): Promise<Result<void, Failure>>
  mintTicket(
    location: LocationInfo,
    id: string,
  ): Result<{ readonly ticket: string; readonly expiresInS: number }, Failure>
  /** Uses the ticket up, unless the request cannot become a WebSocket. */
  connect(
    location: LocationInfo,
    id: string,
    request: {
      readonly ticket?: string | undefined
      readonly cursor?: number | undefined
      readonly canUpgrade: boolean
    },
  ): Result<ConnectTerminal, Failure>
}

/** A command of the model that goes on beside its turns. */
export interface BackgroundInfo {
  readonly id: string
  readonly sessionID: string
  readonly messageID: string
  readonly callID: string
  readonly command: string
  readonly status: BackgroundStatus
  /** Of what it said. */
  readonly bytes: number
  readonly log: string
  readonly exit?: number
  readonly time: { readonly started: number; readonly ended?: number }
}

export interface Background {
  list(sessionId: string): Result<readonly BackgroundInfo[], Failure>
  /** What was said from a position on: all of it, or both ends. */
  read(
    sessionId: string,
    id: string,
    since: number,
    bytesMax: number,
  ): Result<
    {
      readonly info: BackgroundInfo
      readonly piece: { readonly text: string; readonly mark: number; readonly leftOutBytes: number }
    },
    Failure
  >
  stop(sessionId: string, id: string): Promise<Result<void, Failure>>
}

export interface ScheduleInput {
  readonly text: string
  readonly sessionID?: string | undefined
  readonly agent?: string | undefined
  readonly at?: number | undefined
  readonly everyMinutes?: number | undefined
}

/** Prompts that begin by themselves. */
export interface Schedules {
  list(): readonly WireSchedule[]
  create(directory: string, input: ScheduleInput): Result<WireSchedule, Failure>
  remove(id: string): Result<void, Failure>
}

export interface ConfiguredToolServers {
  list(location: LocationRef): Promise<Result<readonly WireToolServer[], Failure>>
  /** The address for the browser. */
  beginSignIn(location: LocationRef, name: string): Promise<Result<string, Failure>>
  finishSignIn(location: LocationRef, name: string, answer: URLSearchParams): Promise<Result<void, Failure>>
  forgetSignIn(location: LocationRef, name: string): Promise<Result<void, Failure>>
}

export interface Sandboxes {
  state(location: LocationInfo): Promise<Result<WireSandbox, Failure>>
}

/** What later sessions of a project are told beside their prompts. */
export interface ProjectMemory {
  rules(location: LocationInfo): Promise<Result<readonly RuleText[], Failure>>
  /** Newest first. */
  notes(location: LocationInfo): readonly LearnedNote[]
  forgetNote(noteId: string): Result<void, Failure>
}

export interface Logger {
  error(event: string, fields: Readonly<Record<string, unknown>>): void
}

export interface AgentDeps {
  readonly version: string
  /** Browsers sign in by an address: the route of that is answered before the others. */
  readonly hasBrowserAuth: boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly locations: Locations
  readonly files: Files
  readonly sessions: Sessions
  readonly asks: Asks
  readonly streams: Streams
  readonly catalogue: Catalogue
  readonly terminals: Terminals
  readonly background: Background
  readonly toolServers: ConfiguredToolServers
  readonly schedules: Schedules
  readonly prunes: Prunes
  readonly sandboxes: Sandboxes
  readonly memory: ProjectMemory
  readonly workTrees: SessionWorkTrees
  /** Brings what is stored to the disk: asked before an answer tells of it. */
  readonly settle: () => void
  /** Why nothing more can be stored; undefined while it can. */
  readonly storageProblem: () => Refusal | undefined
  /** Absent where the server is asked by programs alone. */
  readonly pages?: Pages | undefined
  /** Whether a thrown error comes from the database or the file system; anything else is a bug. */
  readonly faultOf: (
    cause: unknown,
  ) => { readonly code: 'database_error' | 'filesystem_error'; readonly why?: Refusal | undefined } | undefined
}
