/** What a directory offers: agents, commands, skills, providers and models, from what is built in and configured. */
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type {
  WireAgent,
  WireCommand,
  WireIntegration,
  WireModel,
  WireProvider,
  WireReference,
  WireSkill,
} from '../contract/catalogue.ts'
import type { AgentConfiguration, ProviderConfiguration, ToolServerConfiguration } from '../contract/configuration.ts'
import {
  type AgentInfo,
  builtInAgents,
  builtInCommands,
  permissionRules,
  tighteningRules,
} from '../core/agent-catalogue.ts'
import { type Failure, failure } from '../core/failure.ts'
import type { PermissionRule } from '../core/permission.ts'
import { builtInProviders, type ModelEntry, modelEntry, type ProviderEntry } from '../core/provider-catalogue.ts'
import type { LocationRef, ModelRef } from '../core/session/message.ts'
import type { AgentMode } from '../core/vocabulary.ts'
import type { Catalogue } from '../ports.ts'
import { type ConfigurationPlaces, type LoadedConfiguration, loadConfiguration } from './configuration.ts'
import type { ModelEndpoint } from './model-port.ts'

const keptMs = 1_000
const packageName = '@ai-sdk/openai-compatible'

export interface CatalogueDeps {
  readonly places: ConfigurationPlaces
  readonly clock: Clock
  /** Variables of the environment, for keys. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly credentialsFile: string
}

export interface ResolvedProvider extends ProviderEntry {
  readonly apiKey: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly keySource:
    | { readonly type: 'env'; readonly name: string }
    | { readonly type: 'credential' }
    | { readonly type: 'configuration' }
    | undefined
  readonly isUsable: boolean
}

export interface Resolved {
  readonly loaded: LoadedConfiguration
  readonly agents: readonly AgentInfo[]
  readonly providers: readonly ResolvedProvider[]
  readonly defaultAgent: string
  readonly defaultModel: ModelRef | undefined
  readonly snapshots: boolean
  readonly compactsByItself: boolean
  readonly references: Readonly<Record<string, string>>
  readonly instructions: readonly string[]
  readonly toolServers: Readonly<Record<string, ToolServerConfiguration>>
}

export class DirectoryCatalogue implements Catalogue {
  readonly #deps: CatalogueDeps
  readonly #kept = new Map<string, { readonly atMs: number; readonly resolved: Promise<Result<Resolved, Failure>> }>()

  constructor(deps: CatalogueDeps) {
    this.#deps = deps
  }

  resolve(directory: string): Promise<Result<Resolved, Failure>> {
    const nowMs = this.#deps.clock.nowMs()
    const kept = this.#kept.get(directory)
    if (kept !== undefined && nowMs - kept.atMs < keptMs && nowMs >= kept.atMs) return kept.resolved
    const resolved = this.#resolve(directory)
    if (this.#kept.size >= 64) this.#kept.clear()
    this.#kept.set(directory, { atMs: nowMs, resolved })
    return resolved
  }

  async agents({ directory }: LocationRef): Promise<Result<readonly WireAgent[], Failure>> {
    const resolved = await this.resolve(directory)
    return resolved.ok ? succeed(resolved.value.agents.map(toWireAgent)) : resolved
  }

  async commands({ directory }: LocationRef): Promise<Result<readonly WireCommand[], Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    const { loaded } = resolved.value
    const byName = new Map<string, WireCommand>(builtInCommands.map((command) => [command.name, { ...command }]))
    for (const { values } of loaded.layers) {
      for (const [name, command] of Object.entries(values.command ?? {})) {
        byName.set(name, {
          name,
          template: command.template,
          ...present({ description: command.description, agent: command.agent, subtask: command.subtask }),
          ...(command.model === undefined ? {} : { model: splitModel(command.model) }),
        })
      }
    }
    for (const { name, fields, body } of loaded.commands) {
      byName.set(name, {
        name,
        template: body,
        ...present({ description: textField(fields, 'description'), agent: textField(fields, 'agent') }),
        ...(typeof fields['model'] === 'string' && fields['model'].includes('/')
          ? { model: splitModel(fields['model']) }
          : {}),
        ...(typeof fields['subtask'] === 'boolean' ? { subtask: fields['subtask'] } : {}),
      })
    }
    return succeed([...byName.values()])
  }

  async skills({ directory }: LocationRef): Promise<Result<readonly WireSkill[], Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    return succeed(
      resolved.value.loaded.skills.map(({ name, fields, body, file }) => ({
        name,
        ...present({ description: textField(fields, 'description') }),
        location: file,
        content: body,
      })),
    )
  }

  async references({ directory }: LocationRef): Promise<Result<readonly WireReference[], Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    return succeed(
      Object.entries(resolved.value.references).map(([name, target]) => {
        const full = path.resolve(directory, target)
        return { name, path: full, source: { type: 'local' as const, path: full } }
      }),
    )
  }

  async models({ directory }: LocationRef): Promise<Result<readonly WireModel[], Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    return succeed(
      resolved.value.providers
        .filter((provider) => provider.isUsable)
        .flatMap((provider) => provider.models.map((model) => toWireModel(provider, model))),
    )
  }

  async providers({ directory }: LocationRef): Promise<Result<readonly WireProvider[], Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    return succeed(
      resolved.value.providers
        .filter((provider) => provider.isUsable)
        .map((provider) => ({
          id: provider.id,
          integrationID: provider.id,
          name: provider.name,
          api: { type: 'aisdk' as const, package: packageName, url: provider.url },
          request: { headers: {}, body: {} },
        })),
    )
  }

  async integrations({ directory }: LocationRef): Promise<Result<readonly WireIntegration[], Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    return succeed(
      resolved.value.providers.map((provider) => ({
        id: provider.id,
        name: provider.name,
        methods: [
          { type: 'key' as const, label: 'API key' },
          ...(provider.keyVariables.length === 0 ? [] : [{ type: 'env' as const, names: [...provider.keyVariables] }]),
        ],
        connections:
          provider.keySource?.type === 'env'
            ? [{ type: 'env' as const, name: provider.keySource.name }]
            : provider.keySource?.type === 'credential'
              ? [{ type: 'credential' as const, id: provider.id, label: 'API key' }]
              : [],
      })),
    )
  }

  async #resolve(directory: string): Promise<Result<Resolved, Failure>> {
    const loaded = await loadConfiguration(this.#deps.places, directory)
    if (!loaded.ok) return failWith(failure('backend_unavailable', loaded.failure))
    const credentials = await readCredentials(this.#deps.credentialsFile)
    const { layers } = loaded.value
    const last = <T>(pick: (values: (typeof layers)[number]['values']) => T | undefined): T | undefined =>
      layers.reduce<T | undefined>((found, layer) => pick(layer.values) ?? found, undefined)
    const providers = this.#providers(loaded.value, credentials)
    const named = last((values) => values.model)
    const firstUsable = providers.find((provider) => provider.isUsable && provider.models.length > 0)
    const firstModel = firstUsable?.models[0]
    const fallback =
      firstUsable === undefined || firstModel === undefined
        ? undefined
        : { providerID: firstUsable.id, id: firstModel.id }
    return succeed({
      loaded: loaded.value,
      agents: resolveAgents(loaded.value),
      providers,
      defaultAgent: last((values) => values.default_agent) ?? 'build',
      defaultModel: named === undefined ? fallback : splitModel(named),
      snapshots: last((values) => values.snapshot) ?? true,
      compactsByItself: last((values) => values.compaction?.auto) ?? true,
      references: Object.assign({}, ...layers.map((layer) => layer.values.references ?? {})) as Record<string, string>,
      instructions: layers.flatMap((layer) => layer.values.instructions ?? []),
      toolServers: Object.assign(
        {},
        ...layers.filter((layer) => layer.isTrusted).map((layer) => layer.values.mcp ?? {}),
      ),
    })
  }

  #providers(loaded: LoadedConfiguration, credentials: Readonly<Record<string, string>>): ResolvedProvider[] {
    const configured: Record<string, ProviderConfiguration> = {}
    for (const { values, isTrusted } of loaded.layers) {
      if (!isTrusted) continue
      for (const [id, entry] of Object.entries(values.provider ?? {})) configured[id] = { ...configured[id], ...entry }
    }
    const ids = [...new Set([...Object.keys(configured), ...builtInProviders.map((provider) => provider.id)])]
    return ids.flatMap((id) => {
      const builtIn = builtInProviders.find((provider) => provider.id === id)
      const own = configured[id]
      const moved = builtIn?.urlVariable === undefined ? undefined : this.#deps.environment[builtIn.urlVariable]
      const url = own?.baseURL ?? moved ?? builtIn?.url
      if (url === undefined) return []
      const keyVariables = builtIn?.keyVariables ?? []
      const variable = keyVariables.find((name) => (this.#deps.environment[name] ?? '') !== '')
      const ownKey = own?.apiKey === undefined ? undefined : this.#expand(own.apiKey)
      const apiKey =
        ownKey ?? (variable === undefined ? undefined : this.#deps.environment[variable]) ?? credentials[id]
      const keySource =
        ownKey !== undefined
          ? ({ type: 'configuration' } as const)
          : variable !== undefined
            ? ({ type: 'env', name: variable } as const)
            : credentials[id] !== undefined
              ? ({ type: 'credential' } as const)
              : undefined
      const models = new Map((builtIn?.models ?? []).map((model) => [model.id, model]))
      for (const [modelId, entry] of Object.entries(own?.models ?? {})) {
        const { cost, ...facts } = entry
        const known = models.get(modelId) ?? modelEntry(modelId)
        models.set(modelId, {
          ...known,
          ...present(facts),
          ...(cost === undefined
            ? {}
            : {
                cost: {
                  input: cost.input,
                  output: cost.output,
                  cacheRead: cost.cacheRead ?? 0,
                  cacheWrite: cost.cacheWrite ?? 0,
                },
              }),
        } as ModelEntry)
      }
      return [
        {
          id,
          name: own?.name ?? builtIn?.name ?? id,
          url: url.replace(/\/+$/, ''),
          keyVariables,
          models: [...models.values()],
          apiKey,
          headers: Object.fromEntries(
            Object.entries(own?.headers ?? {}).map(([name, value]) => [name, this.#expand(value)]),
          ),
          keySource,
          // A configured address may need no key; a built-in one always does.
          isUsable: apiKey !== undefined || own?.baseURL !== undefined,
        },
      ]
    })
  }

  /** `{env:NAME}` stands for a variable, so that a key need not be in the file. */
  #expand(value: string): string {
    return value.replace(
      /\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g,
      (_whole, name: string) => this.#deps.environment[name] ?? '',
    )
  }
}

function resolveAgents(loaded: LoadedConfiguration): AgentInfo[] {
  const agents = new Map(builtInAgents.map((agent) => [agent.id, agent]))
  for (const { values, isTrusted } of loaded.layers) {
    const rules = values.permission === undefined ? [] : permissionRules(values.permission)
    const granted = isTrusted ? rules : tighteningRules(rules)
    if (granted.length > 0) {
      for (const [id, agent] of agents) agents.set(id, { ...agent, permissions: [...agent.permissions, ...granted] })
    }
    for (const [id, entry] of Object.entries(values.agent ?? {})) applyAgent(agents, id, entry, isTrusted)
  }
  for (const { name, fields, body, isTrusted } of loaded.agents) {
    applyAgent(
      agents,
      name,
      {
        prompt: body,
        description: textField(fields, 'description'),
        mode: textField(fields, 'mode') as AgentMode | undefined,
        model: textField(fields, 'model'),
        hidden: typeof fields['hidden'] === 'boolean' ? fields['hidden'] : undefined,
        color: textField(fields, 'color'),
        steps: typeof fields['steps'] === 'number' ? fields['steps'] : undefined,
        temperature: typeof fields['temperature'] === 'number' ? fields['temperature'] : undefined,
        disable: typeof fields['disable'] === 'boolean' ? fields['disable'] : undefined,
      },
      isTrusted,
    )
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
      model: entry.model === undefined ? base?.model : splitModel(entry.model),
    }),
  })
}

function toWireAgent(agent: AgentInfo): WireAgent {
  const { temperature, model, permissions, ...rest } = agent
  return {
    ...rest,
    ...(model === undefined ? {} : { model: { ...model } }),
    request: { headers: {}, body: temperature === undefined ? {} : { temperature } },
    permissions: permissions.map((rule) => ({ ...rule })),
  }
}

function toWireModel(provider: ResolvedProvider, model: ModelEntry): WireModel {
  return {
    id: model.id,
    providerID: provider.id,
    ...present({ family: model.family }),
    name: model.name,
    api: { id: model.id, type: 'aisdk', package: packageName, url: provider.url },
    capabilities: { tools: model.tools, input: [...model.input], output: ['text'] },
    request: { headers: {}, body: {} },
    variants: [],
    time: { released: 0 },
    cost: [
      {
        input: model.cost.input,
        output: model.cost.output,
        cache: { read: model.cost.cacheRead, write: model.cost.cacheWrite },
      },
    ],
    status: 'active',
    enabled: true,
    limit: { context: model.context, output: model.output },
  }
}

/** The endpoint of a model, when its provider can be used. A model the catalogue does not list is tried as it is. */
export function endpointOf(
  resolved: Resolved,
  ref: ModelRef | undefined,
): { readonly endpoint: ModelEndpoint; readonly model: ModelEntry } | undefined {
  const provider = resolved.providers.find((candidate) => candidate.id === ref?.providerID)
  if (ref === undefined || provider === undefined || !provider.isUsable) return undefined
  const model = provider.models.find((candidate) => candidate.id === ref.id) ?? modelEntry(ref.id)
  return {
    model,
    endpoint: {
      ref,
      url: provider.url,
      apiKey: provider.apiKey,
      headers: provider.headers,
      outputTokensMax: undefined,
    },
  }
}

/** `provider/model`, where the model may itself hold slashes. */
function splitModel(name: string): { id: string; providerID: string } {
  const slash = name.indexOf('/')
  return { providerID: name.slice(0, slash), id: name.slice(slash + 1) }
}

/** Keys by provider. A file that others may read is not used: its keys are no secret any more. */
async function readCredentials(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    const facts = await stat(file)
    if (!facts.isFile() || (facts.mode & 0o077) !== 0) return {}
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof parsed !== 'object' || parsed === null) return {}
    return Object.fromEntries(
      Object.entries(parsed).flatMap(([id, entry]: [string, unknown]) =>
        typeof entry === 'object' && entry !== null && 'key' in entry && typeof entry.key === 'string'
          ? [[id, entry.key]]
          : [],
      ),
    )
  } catch {
    return {}
  }
}

function textField(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Leaves out what is undefined: absent fields are absent on the wire. */
function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
}
