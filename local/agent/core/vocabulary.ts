/** Closed lists of the agent interface; schemas and storage read them from here. */
export const failureCodes = [
  'invalid_request',
  'invalid_event_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'file_too_large',
  'backend_unavailable',
  'database_error',
  'filesystem_error',
  'event_stream_failed',
  'internal',
] as const
export type FailureCode = (typeof failureCodes)[number]

export const entryTypes = ['file', 'directory'] as const
export type EntryType = (typeof entryTypes)[number]

export const deliveries = ['steer', 'queue'] as const
export type Delivery = (typeof deliveries)[number]

export const permissionEffects = ['allow', 'ask', 'deny'] as const
export type PermissionEffect = (typeof permissionEffects)[number]

export const permissionReplies = ['once', 'always', 'reject'] as const
export type PermissionReply = (typeof permissionReplies)[number]

export const terminalStatuses = ['running', 'exited'] as const
export type TerminalStatus = (typeof terminalStatuses)[number]

/** `lost`: it ended with a server that did not end it. */
export const backgroundStatuses = ['running', 'exited', 'stopped', 'lost'] as const
export type BackgroundStatus = (typeof backgroundStatuses)[number]

/** `needs_auth`: it can be used once its owner has signed in. */
export const toolServerStatuses = ['ready', 'starting', 'needs_auth', 'failed', 'off'] as const
export type ToolServerStatus = (typeof toolServerStatuses)[number]

/** Why a tool server cannot be used. */
export const toolServerFaultKinds = [
  'asks_sign_in',
  'asks_more',
  'credentials',
  'status',
  'unreachable',
  'late',
  'ended',
  'page',
  'refused',
  'message_too_long',
  'not_started',
  'input_closed',
  'other',
] as const
export type ToolServerFaultKind = (typeof toolServerFaultKinds)[number]

/** Why a step of a model failed. */
export const stepFaultKinds = [
  'no_model',
  'no_variant',
  'configuration',
  'unreachable',
  'credentials',
  'unknown_model',
  'slow_down',
  'status',
  'cut',
  'broke_off',
  'quiet',
  'no_answer',
  'answer_too_long',
] as const
export type StepFaultKind = (typeof stepFaultKinds)[number]

/** What a request may ask for; `excluded` is the server's own decision. */
export const requestedGenerations = ['enabled', 'disabled'] as const
export const memoryGenerations = [...requestedGenerations, 'excluded'] as const
export type MemoryGeneration = (typeof memoryGenerations)[number]

export const memorySources = ['configuration', 'request', 'host'] as const
export type MemorySource = (typeof memorySources)[number]

export const agentModes = ['primary', 'subagent', 'all'] as const
export type AgentMode = (typeof agentModes)[number]

/** What a machine lacks for a sandbox. */
const sandboxLackKinds = ['no_system', 'no_seatbelt', 'no_bubblewrap', 'does_not_start', 'does_not_hold'] as const
export type SandboxLackKind = (typeof sandboxLackKinds)[number]

/** Why a command would run outside of the sandbox. */
export const outsideKinds = ['asked', 'turned_off', 'too_large', ...sandboxLackKinds] as const
export type OutsideKind = (typeof outsideKinds)[number]

/** Why a command line is not split into its commands: what in it does more than name a program and its arguments. */
export type OpaqueReason =
  | 'an expansion'
  | 'a substitution'
  | 'a group'
  | 'a brace'
  | 'a history expansion or negation'
  | 'a home directory'
  | 'a redirection'
  | 'a continued line'
  | 'an open quote'
  | 'a quote with an expansion, or an open one'
  | 'a case branch'
  | 'a control character'
  | 'nothing to run'
  | 'an empty command'
  | 'an assignment'
  | 'a compound command'
  | 'a pattern in the place of a command'
