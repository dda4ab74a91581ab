/** What a directory offers: agents, commands, skills, providers and models, from what is built in and configured. */

import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { PriceList } from '#shared/models/price-list.ts'
import type {
  WireAgent,
  WireCommand,
  WireIntegration,
  WireModel,
  WireProvider,
  WireReference,
  WireSkill,
} from '../contract/catalogue.ts'
import type { Configuration, ToolServerConfiguration } from '../contract/configuration.ts'
import type { AgentInfo } from '../core/agent-catalogue.ts'
import { type Failure, failure } from '../core/failure.ts'
import { present, splitModel } from '../core/fields.ts'
import type { MemoryDefaults } from '../core/memory.ts'
import type { ModelEntry, TokenCost } from '../core/provider-catalogue.ts'
import type { LocationRef, ModelRef } from '../core/session/message.ts'
import type { WebSearchSettings } from '../core/web-search.ts'
import { modelListMs, modelListStepMs, toolOutputBytesMax, toolOutputLinesMax } from '../limits.ts'
import type { Catalogue } from '../ports.ts'
import { resolveAgents } from './agents.ts'
import { type CommandInfo, resolveCommands } from './commands.ts'
import {
  type ConfigurationPlaces,
  type LoadedConfiguration,
  loadConfiguration,
  toolServersOf,
} from './configuration.ts'
import type { ModelLists } from './model-lists.ts'
import { type ResolvedProvider, readCredentials, resolveProviders } from './providers.ts'
import { type Reference, resolveReferences } from './references.ts'
import type { EditSettings, OutputLimits, SandboxSettings } from './tool-port.ts'

const keptMs = 1_000

export interface CatalogueDeps {
  readonly places: ConfigurationPlaces
  readonly clock: Clock
  /** Variables of the environment, for keys. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly credentialsFile: string
  /** Where copies of referenced repositories are. */
  readonly copiesFolder: string
  readonly lists: ModelLists
  /** Prompts of tool servers. */
  readonly remoteCommands: (
    servers: Readonly<Record<string, ToolServerConfiguration>>,
    directory: string,
  ) => Promise<readonly WireCommand[]>
  /** Read when it is first needed. */
  readonly prices: () => Promise<PriceList>
}

export interface Resolved {
  readonly loaded: LoadedConfiguration
  readonly agents: readonly AgentInfo[]
  readonly providers: readonly ResolvedProvider[]
  readonly defaultAgent: string
  readonly defaultModel: ModelRef | undefined
  readonly snapshots: boolean
  readonly compactsByItself: boolean
  readonly memory: MemoryDefaults
  readonly toolOutput: OutputLimits
  readonly webSearch: WebSearchSettings | undefined
  /** Where the owner is told that something waits. */
  readonly notify: Configuration['notify']
  /** Whether asking about code may have it indexed. */
  readonly buildsIndex: boolean
  /** For a model that is overloaded. */
  readonly fallbacks: readonly ModelRef[]
  readonly sandbox: SandboxSettings
  readonly edits: EditSettings
  readonly commands: readonly CommandInfo[]
  readonly references: readonly Reference[]
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
    const own = resolved.value.commands.map((command) => ({ ...command, model: command.model && { ...command.model } }))
    const remote = await this.#deps.remoteCommands(resolved.value.toolServers, directory)
    return succeed([...own.map(present), ...remote])
  }

  async skills({ directory }: LocationRef): Promise<Result<readonly WireSkill[], Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    return succeed(
      resolved.value.loaded.skills.map(({ name, values, body, file }) => ({
        name,
        description: values.description,
        location: file,
        content: body,
      })),
    )
  }

  async references({ directory }: LocationRef): Promise<Result<readonly WireReference[], Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    return succeed(resolved.value.references.map(({ isTrusted, ...reference }) => reference))
  }

  /** As `resolve`, with the list of the provider whose model is meant: its limits bound the prompt, its prices the cost. */
  resolveFor(
    directory: string,
    modelOf: (resolved: Resolved) => ModelRef | undefined,
  ): Promise<Result<Resolved, Failure>> {
    return this.#listed(
      directory,
      (resolved) => resolved.providers.filter(({ id }) => id === modelOf(resolved)?.providerID),
      modelListStepMs,
    )
  }

  async #listed(
    directory: string,
    wanted: (resolved: Resolved) => readonly ResolvedProvider[],
    waitMs: number,
  ): Promise<Result<Resolved, Failure>> {
    const resolved = await this.resolve(directory)
    if (!resolved.ok) return resolved
    const asked = wanted(resolved.value).filter(({ isListed }) => isListed)
    if (!(await this.#deps.lists.refresh(asked, waitMs))) return resolved
    this.#kept.delete(directory)
    return this.resolve(directory)
  }

  async models({ directory }: LocationRef): Promise<Result<readonly WireModel[], Failure>> {
    const resolved = await this.#listed(directory, ({ providers }) => providers, modelListMs)
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
          api: { type: 'aisdk' as const, package: provider.package, url: shownAddress(provider.url) },
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
    if (!loaded.ok) return failWith(failure('backend_unavailable', { kind: 'configuration', fault: loaded.failure }))
    const credentials = await readCredentials(this.#deps.credentialsFile)
    const { layers } = loaded.value
    const last = <T>(pick: (values: (typeof layers)[number]['values']) => T | undefined): T | undefined =>
      layers.reduce<T | undefined>((found, layer) => pick(layer.values) ?? found, undefined)
    const providers = await resolveProviders(
      loaded.value,
      { environment: this.#deps.environment, credentials },
      { listed: (provider) => this.#deps.lists.known(provider), prices: this.#deps.prices },
    )
    const named = last((values) => values.model)
    const firstUsable = preferredProvider(providers)
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
      fallbacks: (last((values) => values.fallback) ?? []).map((name) => splitModel(name)),
      webSearch: last((values) => values.web_search),
      notify: last((values) => values.notify),
      buildsIndex: last((values) => values.code_index) ?? true,
      snapshots: last((values) => values.snapshot) ?? true,
      compactsByItself: last((values) => values.compaction?.auto) ?? true,
      memory: {
        use: last((values) => values.memory?.use) ?? true,
        generate: last((values) => values.memory?.generate) ?? true,
      },
      sandbox: {
        isOff: last((values) => values.sandbox?.enabled) === false,
        variables: last((values) => values.sandbox?.environment) ?? [],
      },
      edits: {
        formats: last((values) => values.formatter) ?? true,
        diagnoses: last((values) => values.lsp) ?? true,
      },
      toolOutput: {
        linesMax: last((values) => values.tool_output?.max_lines) ?? toolOutputLinesMax,
        bytesMax: last((values) => values.tool_output?.max_bytes) ?? toolOutputBytesMax,
      },
      commands: resolveCommands(loaded.value),
      references: resolveReferences(layers, this.#deps.copiesFolder, this.#deps.environment),
      toolServers: toolServersOf(loaded.value),
    })
  }
}

/** What the owner configured comes before what his environment offers, and both before keys that lie in a file. */
function preferredProvider(providers: readonly ResolvedProvider[]): ResolvedProvider | undefined {
  const usable = providers.filter((provider) => provider.isUsable && provider.models.length > 0)
  const isFrom = (...types: readonly unknown[]) => usable.find(({ keySource }) => types.includes(keySource?.type))
  return isFrom('configuration', undefined) ?? isFrom('env') ?? isFrom('credential')
}

function toWireAgent(agent: AgentInfo): WireAgent {
  const { temperature, topP, options, model, variant, permissions, ...rest } = agent
  return {
    ...rest,
    ...(model === undefined ? {} : { model: { ...model, ...present({ variant }) } }),
    request: { headers: {}, body: present({ temperature, top_p: topP, ...options }) },
    permissions: permissions.map((rule) => ({ ...rule })),
  }
}

function toWireModel(provider: ResolvedProvider, model: ModelEntry): WireModel {
  return {
    id: model.id,
    providerID: provider.id,
    ...present({ family: model.family }),
    name: model.name,
    api: { id: model.id, type: 'aisdk', package: provider.package, url: shownAddress(provider.url) },
    capabilities: { tools: model.tools, input: [...model.input], output: ['text'] },
    request: { headers: {}, body: { ...model.options } },
    variants: Object.entries(model.variants ?? {}).map(([id, body]) => ({ id, headers: {}, body: { ...body } })),
    time: { released: model.releasedMs ?? 0 },
    cost: [
      toWireCost(model.cost),
      ...(model.longCost === undefined
        ? []
        : [{ tier: { type: 'context' as const, size: model.longCost.above }, ...toWireCost(model.longCost) }]),
    ],
    status: 'active',
    enabled: true,
    limit: { context: model.context, output: model.output },
  }
}

function toWireCost(cost: TokenCost) {
  return { input: cost.input, output: cost.output, cache: { read: cost.cacheRead, write: cost.cacheWrite } }
}

/** An address may itself hold a key: neither user info nor query is shown. */
function shownAddress(address: string): string {
  const url = URL.parse(address)
  return url === null ? '' : `${url.origin}${url.pathname}`.replace(/\/$/, '')
}
