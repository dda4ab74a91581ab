import { type Result, succeed } from '#shared/kernel/result.ts'
import {
  getIntegration,
  getProvider,
  listAgents,
  listCommands,
  listIntegrations,
  listModels,
  listProviders,
  listReferences,
  listSkills,
} from '../../contract/catalogue.ts'
import type { LocationQuery } from '../../contract/location.ts'
import type { Failure } from '../../core/failure.ts'
import type { AgentDeps, LocationInfo } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf, unknownProvider } from './location.ts'

export function catalogueRoutes(deps: Pick<AgentDeps, 'locations' | 'catalogue'>): readonly BoundRoute[] {
  const { catalogue } = deps

  async function located<T>(
    call: { readonly query: LocationQuery; readonly headers: Headers },
    read: (location: LocationInfo) => Promise<Result<T, Failure>>,
  ): Promise<Result<{ readonly location: LocationInfo; readonly data: T }, Failure>> {
    const location = await locationOf(deps.locations, call.query, call.headers)
    if (!location.ok) return location
    const data = await read(location.value)
    return data.ok ? succeed({ location: location.value, data: data.value }) : data
  }

  async function list<T>(
    call: { readonly query: LocationQuery; readonly headers: Headers },
    read: (location: LocationInfo) => Promise<Result<readonly T[], Failure>>,
  ) {
    const found = await located(call, read)
    return found.ok ? answerWith({ location: found.value.location, data: [...found.value.data] }) : found
  }

  return [
    bind(listAgents, (call) => list(call, (location) => catalogue.agents(location))),
    bind(listCommands, (call) => list(call, (location) => catalogue.commands(location))),
    bind(listSkills, (call) => list(call, (location) => catalogue.skills(location))),
    bind(listReferences, (call) => list(call, (location) => catalogue.references(location))),
    bind(listModels, (call) => list(call, (location) => catalogue.models(location))),
    bind(listProviders, (call) => list(call, (location) => catalogue.providers(location))),
    bind(getProvider, async (call) => {
      const found = await located(call, (location) => catalogue.providers(location))
      if (!found.ok) return found
      const provider = found.value.data.find((candidate) => candidate.id === call.params.providerID)
      if (provider === undefined) return { ok: false, failure: unknownProvider(call.params.providerID) }
      return answerWith({ location: found.value.location, data: provider })
    }),
    bind(listIntegrations, (call) => list(call, (location) => catalogue.integrations(location))),
    bind(getIntegration, async (call) => {
      const found = await located(call, (location) => catalogue.integrations(location))
      if (!found.ok) return found
      const integration = found.value.data.find((candidate) => candidate.id === call.params.integrationID)
      return answerWith({ location: found.value.location, data: integration ?? null })
    }),
  ]
}
