/** What a step runs with: agent, model, instructions, tools and the gate that every call passes. */
import path from 'node:path'
import type { Result } from '#shared/kernel/result.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { type AgentInfo, baseInstructions } from '../core/agent-catalogue.ts'
import { summaryAgents, summaryInstructions, tokensBeforeSummary } from '../core/compaction.ts'
import { describeNotes, policyOf } from '../core/memory.ts'
import { familyInstructions } from '../core/model-prompts.ts'
import { evaluatePermission, type PermissionResource } from '../core/permission.ts'
import { costOfTokens, type ModelEntry } from '../core/provider-catalogue.ts'
import type { Message, ModelRef, SessionRecord } from '../core/session/message.ts'
import {
  compactionBufferTokens,
  compactionOutputTokensMax,
  stepsPerTurnMax,
  toolOutputBytesMax,
  toolOutputLinesMax,
  toolsToldMax,
} from '../limits.ts'
import type { DirectoryCatalogue, Resolved } from './catalogue.ts'
import type { CodeSenses } from './code-senses.ts'
import type { HumanRequests } from './human-requests.ts'
import { loopShare } from './loop-share.ts'
import type { Memories } from './memories.ts'
import type { ModelEndpoint } from './model-port.ts'
import { endpointOf } from './providers.ts'
import type { Reference, ReferenceCopies } from './references.ts'
import type { StepSetup, Summariser } from './step-port.ts'
import type { PermissionAsk, Tool, ToolProblem } from './tool-port.ts'
import type { OfferedTools, ToolServers } from './tool-servers.ts'
import { backgroundToolNames } from './tools/background-tools.ts'
import { indexToolNames } from './tools/index-tools.ts'
import { memoryToolNames } from './tools/memory-tools.ts'
import { foundTools, toolSearch } from './tools/search-tool.ts'
import { webSearchToolName } from './tools/websearch-tool.ts'
import type { WorkTrees } from './work-trees.ts'

export interface SetupDeps {
  readonly catalogue: DirectoryCatalogue
  readonly asks: HumanRequests
  readonly memories: Pick<Memories, 'select'>
  readonly tools: readonly Tool[]
  readonly senses: Pick<CodeSenses, 'hasIndex' | 'mayBuild'> | undefined
  readonly toolServers: Pick<ToolServers, 'tools'>
  /** What the model of a session has before it. */
  readonly context: (sessionId: string) => readonly Message[]
  readonly copies: ReferenceCopies
  readonly workTrees: Pick<WorkTrees, 'of'>
  readonly folders: OwnFolders
  readonly platform: string
}

const compactionBounds = { answerMax: compactionOutputTokensMax, reserveMax: compactionBufferTokens }
const noModel = { providerID: 'none', id: 'none' }

/** `fallback` counts the models that the owner named to go on with; 0 is the session's own. */
export async function setUpStep(deps: SetupDeps, record: SessionRecord, fallback = 0): Promise<StepSetup> {
  const { directory } = record.location
  const resolved = await deps.catalogue.resolveFor(directory, (known) => wantedModel(known, record, fallback))
  // It comes for all at once who ask in a folder.
  if (loopShare.isSpent()) await loopShare.turn()
  if (!resolved.ok) return withoutConfiguration(record, resolved.failure.message)
  const agent = agentOf(resolved.value, record.agent)
  const wanted = wantedModel(resolved.value, record, fallback)
  const endpoint = endpointOf(resolved.value.providers, wanted)
  const found = endpoint.ok ? withOptions(endpoint.value, agent) : undefined
  const remote = await deps.toolServers.tools(resolved.value.toolServers, directory)
  const policy = policyOf(record, resolved.value.memory)
  const memories = deps.memories.select(record, policy)
  const isIndexed =
    deps.senses?.hasIndex(directory) === true ||
    (resolved.value.buildsIndex && deps.senses?.mayBuild(directory) === true)
  const own = deps.tools.filter(
    ({ name }) =>
      (policy.generation === 'enabled' || !memoryToolNames.has(name)) &&
      (isIndexed || !indexToolNames.has(name)) &&
      (resolved.value.webSearch !== undefined || name !== webSearchToolName),
  )
  const offered = [...own, ...toldOf(remote.tools, () => deps.context(record.id))]
  const tools =
    found?.model.tools === false ? [] : offered.filter((tool) => mayUse(agent, tool, record.parentID !== undefined))
  return {
    agent: agent.id,
    model: found?.endpoint.ref ?? wanted ?? noModel,
    endpoint: found?.endpoint,
    ...(endpoint.ok ? {} : { problem: endpoint.failure }),
    summariser: summariserOf(resolved.value, found),
    system: instructionsFor(resolved.value, agent, found?.endpoint.ref.id ?? '', directory, deps.platform, [
      await describeReferences(deps.copies, resolved.value.references),
      describeProblems(remote.problems),
      describeNotes(memories?.notes ?? []),
      describeWorkTree(deps.workTrees.of(record.id)),
    ]),
    ...(memories?.event === undefined ? {} : { retrieved: memories.event }),
    tools,
    temperature: agent.temperature,
    topP: agent.topP,
    outputLimits: resolved.value.toolOutput,
    sandbox: resolved.value.sandbox,
    edits: resolved.value.edits,
    webSearch: resolved.value.webSearch,
    stepsMax: Math.min(agent.steps ?? stepsPerTurnMax, stepsPerTurnMax),
    takesSnapshots: resolved.value.snapshots,
    fallbacks: resolved.value.fallbacks.length,
    contextTokensMax:
      found === undefined || !resolved.value.compactsByItself
        ? undefined
        : tokensBeforeSummary(found.model, compactionBounds),
    costOf: (tokens) => (found === undefined ? 0 : costOfTokens(tokens, found.model)),
    isAllowed: (action, text) => isAllowed(deps, record.projectID, record.id, agent, action, [{ text }]),
    rulesKey: () => JSON.stringify([agent.permissions, deps.asks.allowedRules(record.projectID, record.id)]),
    permit: (call, ask) =>
      permit(
        deps,
        record.projectID,
        agent,
        { sessionId: call.sessionId, messageId: call.messageId, callId: call.callId },
        ask,
        call.signal,
        directory,
        resolved.value.references,
      ),
  }
}

/** Nothing can run before the mistake is mended: the step says which one it is. */
function withoutConfiguration(record: SessionRecord, problem: string): StepSetup {
  return {
    agent: record.agent ?? 'build',
    model: record.model ?? noModel,
    endpoint: undefined,
    problem: { kind: 'configuration', said: problem },
    system: '',
    tools: [],
    temperature: undefined,
    topP: undefined,
    summariser: undefined,
    outputLimits: { linesMax: toolOutputLinesMax, bytesMax: toolOutputBytesMax },
    sandbox: { isOff: false, variables: [] },
    edits: { formats: false, diagnoses: false },
    webSearch: undefined,
    stepsMax: 1,
    takesSnapshots: false,
    fallbacks: 0,
    contextTokensMax: undefined,
    costOf: () => 0,
    isAllowed: () => false,
    rulesKey: () => '',
    permit: async () => failWith({ message: problem, reason: 'refused' }),
  }
}

function agentOf(resolved: Resolved, named: string | undefined): AgentInfo {
  const byName = (id: string | undefined) => resolved.agents.find((agent) => agent.id === id)
  // An agent that the configuration no longer has: the session goes on with the default one.
  const agent = byName(named) ?? byName(resolved.defaultAgent) ?? resolved.agents[0]
  if (agent === undefined) throw new Error('the configuration leaves no agent')
  return agent
}

function wantedModel(resolved: Resolved, record: SessionRecord, fallback: number): ModelRef | undefined {
  const instead = resolved.fallbacks[fallback - 1]
  if (instead !== undefined) return instead
  const agent = agentOf(resolved, record.agent)
  return record.model ?? withVariant(agent.model ?? resolved.defaultModel, agent.variant)
}

function withVariant(model: ModelRef | undefined, variant: string | undefined): ModelRef | undefined {
  return model === undefined || variant === undefined ? model : { ...model, variant }
}

function withOptions<T extends { readonly endpoint: ModelEndpoint }>(found: T, { options }: AgentInfo): T {
  if (options === undefined) return found
  return { ...found, endpoint: { ...found.endpoint, options: { ...found.endpoint.options, ...options } } }
}

/** What is set for the agents of summaries; without a model of theirs that can be used, the session's writes it. */
function summariserOf(
  resolved: Resolved,
  own: { readonly endpoint: ModelEndpoint; readonly model: ModelEntry } | undefined,
): Summariser | undefined {
  const agents = summaryAgents.flatMap((id) => resolved.agents.filter((agent) => agent.id === id))
  const first = <K extends 'system' | 'temperature' | 'topP'>(setting: K) =>
    agents.find((agent) => agent[setting] !== undefined)?.[setting]
  const [writer = own] = agents.flatMap((agent) => {
    const chosen = endpointOf(resolved.providers, withVariant(agent.model, agent.variant))
    return chosen.ok ? [withOptions(chosen.value, agent)] : []
  })
  return (
    writer && {
      endpoint: writer.endpoint,
      system: first('system') ?? summaryInstructions,
      temperature: first('temperature'),
      topP: first('topP'),
      costOf: (tokens) => costOfTokens(tokens, writer.model),
    }
  )
}

/** What belongs to the one who talks with the owner. A task also hands nothing on, so that tasks end. */
const notForTasks = new Set(['question', 'todowrite', 'task', ...memoryToolNames])

/** All tools of servers where they are few; else a search, and what it has found. */
function toldOf(remote: readonly Tool[], context: () => readonly Message[]): readonly Tool[] {
  if (remote.length <= toolsToldMax) return remote
  const found = foundTools(context())
  return [toolSearch(remote), ...remote.filter(({ name }) => found.has(name))]
}

function actionOf(tool: string): string {
  if (backgroundToolNames.has(tool)) return 'bash'
  return tool === 'write' || tool === 'apply_patch' ? 'edit' : tool
}

/** A tool that is denied for everything is not offered at all. */
function mayUse(agent: AgentInfo, tool: Tool, isTask: boolean): boolean {
  if (isTask && notForTasks.has(tool.name)) return false
  const action = actionOf(tool.name)
  const last = agent.permissions.findLast((rule) => rule.action === action || rule.action === '*')
  return !(last?.effect === 'deny' && last.resource === '*')
}

function instructionsFor(
  resolved: Resolved,
  agent: AgentInfo,
  modelId: string,
  directory: string,
  platform: string,
  more: readonly string[],
): string {
  const { loaded } = resolved
  const skills = loaded.skills.map((skill) => `- ${skill.name}: ${skill.values.description}`)
  return [
    baseInstructions,
    familyInstructions(modelId),
    agent.system ?? '',
    `The project is in ${directory}. The system is ${platform}.`,
    ...loaded.rules.map(({ text }) => text),
    ...more,
    skills.length === 0 ? '' : `Skills that can be read with the skill tool:\n${skills.join('\n')}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

interface OwnFolders {
  /** The server's data: keys, what is trusted, the database. And what the program that started it keeps. */
  readonly withheld: readonly string[]
  /** The owner's configuration. */
  readonly configuration: string
  /** Whole outputs of tools, which the model is told to look into. */
  readonly outputs: string
  readonly copies: string
  /** Projects that sessions have copies of. */
  readonly workTrees: string
}

const fileActions = new Set(['read', 'edit', 'list', 'grep', 'glob'])

function isInside(folder: string, full: string): boolean {
  return full === folder || full.startsWith(`${folder}${path.sep}`)
}

/** What is the server's own is asked for whatever the rules say, wherever it lies. */
function isOwnFile(folders: OwnFolders, full: string): boolean {
  const shown = [folders.outputs, folders.copies, folders.workTrees]
  if (shown.some((folder) => isInside(folder, full))) return false
  return folders.withheld.some((folder) => isInside(folder, full)) || isInside(folders.configuration, full)
}

/** What the owner refers to may be looked at without asking; a project's own say is not enough for that. */
function mayLookInto(folders: OwnFolders, references: readonly Reference[], full: string): boolean {
  const isNamed = references.some((reference) => reference.isTrusted && isInside(reference.path, full))
  return isNamed || isInside(folders.outputs, full)
}

async function describeReferences(copies: ReferenceCopies, references: readonly Reference[]): Promise<string> {
  const lines = await Promise.all(
    references
      .filter((reference) => reference.hidden !== true)
      .map(async (reference) => {
        const state = await copies.state(reference)
        const note = state === 'ready' ? '' : state === 'fetching' ? ' (being fetched: look again later)' : ' (missing)'
        return `- ${reference.name}: ${reference.path}${note}${reference.description === undefined ? '' : `, ${reference.description}`}`
      }),
  )
  return lines.length === 0 ? '' : `Folders beside the project to look things up in:\n${lines.join('\n')}`
}

function describeWorkTree(tree: ReturnType<WorkTrees['of']>): string {
  if (tree === undefined) return ''
  return `This is a work tree made from ${tree.project}, on branch ${tree.branch}: work here alone. The user merges its files into the project; no commit is needed. What git ignores, such as installed dependencies, is not in it.`
}

function describeProblems(problems: OfferedTools['problems']): string {
  if (problems.length === 0) return ''
  return `Tool servers that cannot be used now:\n${problems.map(({ server, message }) => `- ${server}: ${message}`).join('\n')}`
}

function isAllowed(
  { asks }: SetupDeps,
  projectId: string,
  sessionId: string,
  agent: AgentInfo,
  action: string,
  resources: readonly PermissionResource[],
): boolean {
  const effect = evaluatePermission(action, resources, agent.permissions)
  if (effect !== 'ask') return effect === 'allow'
  return evaluatePermission(action, resources, asks.allowedRules(projectId, sessionId)) === 'allow'
}

/** The rules of the agent decide; where they ask, a rule the owner saved before answers in the owner's place. */
async function permit(
  deps: SetupDeps,
  projectId: string,
  agent: AgentInfo,
  call: { readonly sessionId: string; readonly messageId: string; readonly callId: string },
  ask: PermissionAsk,
  signal: AbortSignal,
  directory: string,
  references: readonly Reference[],
): Promise<Result<void, ToolProblem>> {
  const effect = evaluatePermission(ask.action, ask.resources, agent.permissions)
  const broader = ask.within === undefined ? 'allow' : evaluatePermission(ask.within, ask.resources, agent.permissions)
  if (effect === 'deny' || broader === 'deny') {
    return failWith({ message: `The rules do not allow ${ask.action} here`, reason: 'refused' })
  }
  const paths = ask.resources.map(({ text }) => path.resolve(directory, text))
  const isProtected =
    ask.isProtected === true || (fileActions.has(ask.action) && paths.some((full) => isOwnFile(deps.folders, full)))
  if (ask.isLook === true && paths.every((full) => mayLookInto(deps.folders, references, full))) {
    return succeed(undefined)
  }
  if (!isProtected && isAllowed(deps, projectId, call.sessionId, agent, ask.action, ask.resources)) {
    if (ask.within === undefined) return succeed(undefined)
    const { within: action, ...rest } = ask
    return permit(deps, projectId, agent, call, { ...rest, action }, signal, directory, references)
  }
  return deps.asks.askPermission(
    call.sessionId,
    call,
    {
      action: ask.action,
      resources: ask.resources.map((resource) => resource.text),
      save: isProtected ? [] : ask.save,
      metadata: { ...ask.metadata, ...(isProtected ? { protected: true } : {}) },
    },
    signal,
  )
}
