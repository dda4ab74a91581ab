import { readSandbox } from '../../contract/sandbox.ts'
import type { AgentDeps } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

export function sandboxRoutes({
  locations,
  sandboxes,
}: Pick<AgentDeps, 'locations' | 'sandboxes'>): readonly BoundRoute[] {
  return [
    bind(readSandbox, async ({ query, headers }) => {
      const location = await locationOf(locations, query, headers)
      if (!location.ok) return location
      const state = await sandboxes.state(location.value)
      return state.ok ? answerWith({ location: location.value, data: state.value }) : state
    }),
  ]
}
