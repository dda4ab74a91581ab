/** The agents of a directory: built in, then those of the configuration and of its Markdown files. */
import type { AgentConfiguration } from '../contract/configuration.ts'
import { type AgentInfo, builtInAgents, permissionRules, tighteningRules } from '../core/agent-catalogue.ts'
import { present, splitModel } from '../core/fields.ts'
import type { PermissionRule } from '../core/permission.ts'
import type { LoadedConfiguration } from './configuration.ts'

export function resolveAgents(loaded: LoadedConfiguration): AgentInfo[] {
  const agents = new Map(builtInAgents.map((agent) => [agent.id, agent]))
  for (const { values, isTrusted } of loaded.layers) {
    const rules = values.permission === undefined ? [] : permissionRules(values.permission)
    const granted = isTrusted ? rules : tighteningRules(rules)
    if (granted.length > 0) {
      for (const [id, agent] of agents) agents.set(id, { ...agent, permissions: [...agent.permissions, ...granted] })
    }
    for (const [id, entry] of Object.entries(values.agent ?? {})) applyAgent(agents, id, entry, isTrusted)
  }
  for (const { name, values, body, isTrusted } of loaded.agents) {
    applyAgent(agents, name, { ...values, prompt: body === '' ? undefined : body }, isTrusted)
  }
  return [...agents.values()]
}

function applyAgent(
  agents: Map<string, AgentInfo>,
  id: string,
  entry: { readonly [K in keyof AgentConfiguration]: AgentConfiguration[K] | undefined },
  isTrusted: boolean,
): void {
  if (entry.disable === true) {
    agents.delete(id)
    return
  }
  const base = agents.get(id)
  const own = entry.permission === undefined ? [] : permissionRules(entry.permission)
  const rules: PermissionRule[] = isTrusted ? own : tighteningRules(own)
  const inherited = base?.permissions ?? agents.get('build')?.permissions ?? []
  agents.set(id, {
    id,
    mode: entry.mode ?? base?.mode ?? 'all',
    hidden: entry.hidden ?? base?.hidden ?? false,
    permissions: [...inherited, ...rules],
    ...present({
      description: entry.description ?? base?.description,
      system: entry.prompt ?? base?.system,
      color: entry.color ?? base?.color,
      steps: entry.steps ?? base?.steps,
      temperature: entry.temperature ?? base?.temperature,
      topP: entry.top_p ?? base?.topP,
      options: (isTrusted ? entry.options : undefined) ?? base?.options,
      model: entry.model === undefined ? base?.model : splitModel(entry.model),
      variant: entry.variant ?? base?.variant,
    }),
  })
}
