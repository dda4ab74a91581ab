/** What a step runs with: agent, model, instructions, tools and the gate that every call passes. */
import type { Result } from '#shared/kernel/result.ts'
import { failWith, succeed } from '#shared/kernel/result.ts'
import { type AgentInfo, baseInstructions } from '../core/agent-catalogue.ts'
import { evaluatePermission } from '../core/permission.ts'
import type { SessionRecord, TokenCounts } from '../core/session/message.ts'
import { compactionBufferTokens, compactionOutputTokensMax, stepsPerTurnMax } from '../limits.ts'
import { type DirectoryCatalogue, endpointOf, type Resolved } from './catalogue.ts'
import type { HumanRequests } from './human-requests.ts'
import type { PermissionAsk, Tool, ToolProblem } from './tool-port.ts'
import type { ToolServers } from './tool-servers.ts'
import type { StepSetup } from './turn.ts'

export interface SetupDeps {
  readonly catalogue: DirectoryCatalogue
  readonly asks: HumanRequests
  readonly tools: readonly Tool[]
  readonly toolServers: ToolServers
  readonly platform: string
}

const noModel = { providerID: 'none', id: 'none' }

export async function setUpStep(deps: SetupDeps, record: SessionRecord): Promise<StepSetup> {
  const { directory } = record.location
  const resolved = await deps.catalogue.resolve(directory)
  if (!resolved.ok) throw new Error(resolved.failure.message)
  const agent = agentOf(resolved.value, record.agent)
  const wanted = record.model ?? agent.model ?? resolved.value.defaultModel
  const found = endpointOf(resolved.value, wanted)
  const offered = [...deps.tools, ...(await deps.toolServers.tools(resolved.value.toolServers, directory))]
  const tools = found?.model.tools === false ? [] : offered.filter((tool) => mayUse(agent, tool))
  return {
    agent: agent.id,
    model: found?.endpoint.ref ?? wanted ?? noModel,
    endpoint: found?.endpoint,
    system: instructionsFor(resolved.value, agent, directory, deps.platform),
    tools,
    temperature: agent.temperature,
    stepsMax: Math.min(agent.steps ?? stepsPerTurnMax, stepsPerTurnMax),
    takesSnapshots: resolved.value.snapshots,
    contextTokensMax:
      found === undefined || !resolved.value.compactsByItself
        ? undefined
        : roomOf(found.model.context, found.model.output),
    costOf: (tokens) => costOf(tokens, found?.model.cost),
    permit: (call, ask) =>
      permit(
        deps,
        record.projectID,
        agent,
        { sessionId: call.sessionId, messageId: call.messageId, callId: call.callId },
        ask,
        call.signal,
      ),
  }
}

function agentOf(resolved: Resolved, named: string | undefined): AgentInfo {
  const byName = (id: string | undefined) => resolved.agents.find((agent) => agent.id === id)
  // An agent that the configuration no longer has: the session goes on with the default one.
  const agent = byName(named) ?? byName(resolved.defaultAgent) ?? resolved.agents[0]
  if (agent === undefined) throw new Error('the configuration leaves no agent')
  return agent
}

/** A tool that is denied for everything is not offered at all. */
function mayUse(agent: AgentInfo, tool: Tool): boolean {
  const action = tool.name === 'write' || tool.name === 'apply_patch' ? 'edit' : tool.name
  const last = agent.permissions.findLast((rule) => rule.action === action || rule.action === '*')
  return !(last?.effect === 'deny' && last.resource === '*')
}

/** Tokens that fit before a summary is due: answer and a reserve must still find room. */
function roomOf(context: number, output: number): number {
  return Math.max(1_000, context - Math.min(output, compactionOutputTokensMax) - compactionBufferTokens)
}

function costOf(
  tokens: TokenCounts,
  cost:
    | { readonly input: number; readonly output: number; readonly cacheRead: number; readonly cacheWrite: number }
    | undefined,
): number {
  if (cost === undefined) return 0
  const dollars =
    tokens.input * cost.input +
    (tokens.output + tokens.reasoning) * cost.output +
    tokens.cache.read * cost.cacheRead +
    tokens.cache.write * cost.cacheWrite
  return dollars / 1_000_000
}

function instructionsFor(resolved: Resolved, agent: AgentInfo, directory: string, platform: string): string {
  const { loaded } = resolved
  const skills = loaded.skills.map((skill) => `- ${skill.name}: ${String(skill.fields['description'] ?? '')}`)
  return [
    baseInstructions,
    agent.system ?? '',
    `The project is in ${directory}. The system is ${platform}.`,
    ...loaded.rules.map((rule) => `Rules from ${rule.file}:\n\n${rule.text}`),
    ...resolved.instructions,
    skills.length === 0 ? '' : `Skills that can be read with the skill tool:\n${skills.join('\n')}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

/** The rules of the agent decide; where they ask, a rule the owner saved before answers in the owner's place. */
async function permit(
  deps: SetupDeps,
  projectId: string,
  agent: AgentInfo,
  call: { readonly sessionId: string; readonly messageId: string; readonly callId: string },
  ask: PermissionAsk,
  signal: AbortSignal,
): Promise<Result<void, ToolProblem>> {
  const effect = evaluatePermission(ask.action, ask.resources, agent.permissions)
  if (effect === 'deny') {
    return failWith({ message: `The rules do not allow ${ask.action} here`, reason: 'refused' })
  }
  const isProtected = ask.isProtected === true
  if (effect === 'allow' && !isProtected) return succeed(undefined)
  if (!isProtected) {
    const saved = deps.asks.savedRules(projectId).map((rule) => ({ ...rule, effect: 'allow' as const }))
    if (evaluatePermission(ask.action, ask.resources, saved) === 'allow') return succeed(undefined)
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
