import { failWith, type Result } from '#shared/kernel/result.ts'
import {
  followProcess,
  getDocuments,
  getHealth,
  getHealthText,
  getLocation,
  type LocationQuery,
} from '../../contract/location.ts'
import { type Failure, failure } from '../../core/failure.ts'
import type { AgentDeps, LocationInfo, Locations } from '../../ports.ts'
import { answerJson, answerWith, type BoundRoute, bind } from '../bind.ts'

/** The location a request names: in the query, in a header, or the active one. */
export async function locationOf(
  locations: Locations,
  query: LocationQuery,
  headers: Headers,
): Promise<Result<LocationInfo, Failure>> {
  const fromHeader = headerEndingIn(headers, '-directory')
  const directory =
    query['location[directory]'] ?? query.directory ?? (fromHeader === undefined ? undefined : decode(fromHeader))
  return locations.resolve(directory, query['location[workspace]'] ?? query.workspace)
}

function headerEndingIn(headers: Headers, ending: string): string | undefined {
  for (const [name, value] of headers) if (name.startsWith('x-') && name.endsWith(ending)) return value
  return undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function locationRoutes(
  deps: Pick<AgentDeps, 'locations' | 'streams' | 'storageProblem'>,
  documentText: () => string,
): readonly BoundRoute[] {
  return [
    bind(getHealthText, () => ({ ok: true, value: 'ok\n' })),
    bind(getHealth, () => {
      const problem = deps.storageProblem()
      return problem === undefined ? answerJson('{"healthy":true}') : failWith(failure('backend_unavailable', problem))
    }),
    bind(getLocation, async ({ query, headers }) => {
      const location = await locationOf(deps.locations, query, headers)
      return location.ok ? answerWith(location.value) : location
    }),
    bind(followProcess, () => deps.streams.process()),
    ...getDocuments.map((route) => bind(route, () => answerJson(documentText()))),
  ]
}

export const unknownProvider = (providerID: string) =>
  failure('not_found', { kind: 'no_provider' }, { kind: 'provider', providerID })
