import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { LocationQuery } from '../../contract/location.ts'
import { beginSignIn, finishSignIn, forgetSignIn, listToolServers } from '../../contract/tool-server.ts'
import { type Failure, signInFailure } from '../../core/failure.ts'
import type { AgentDeps, LocationInfo } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

interface Call {
  readonly query: LocationQuery
  readonly headers: Headers
}

export function toolServerRoutes({
  locations,
  toolServers,
}: Pick<AgentDeps, 'locations' | 'toolServers'>): readonly BoundRoute[] {
  async function at<T>(
    { query, headers }: Call,
    work: (location: LocationInfo) => Promise<Result<T, Failure>>,
  ): Promise<Result<{ readonly location: LocationInfo; readonly data: T }, Failure>> {
    const location = await locationOf(locations, query, headers)
    if (!location.ok) return location
    const done = await work(location.value)
    return done.ok ? succeed({ location: location.value, data: done.value }) : done
  }

  return [
    bind(listToolServers, async (call) => {
      const listed = await at(call, (location) => toolServers.list(location))
      return listed.ok ? answerWith({ ...listed.value, data: [...listed.value.data] }) : listed
    }),
    bind(beginSignIn, async (call) => {
      const begun = await at(call, (location) => toolServers.beginSignIn(location, call.params.name))
      return begun.ok ? answerWith({ location: begun.value.location, data: { address: begun.value.data } }) : begun
    }),
    bind(finishSignIn, async (call) => {
      const answer = URL.parse(call.body.address)
      if (answer === null) return failWith(signInFailure({ kind: 'wrong_answer' }))
      const done = await at(call, (location) =>
        toolServers.finishSignIn(location, call.params.name, answer.searchParams),
      )
      return done.ok ? succeed(undefined) : done
    }),
    bind(forgetSignIn, async (call) => {
      const done = await at(call, (location) => toolServers.forgetSignIn(location, call.params.name))
      return done.ok ? succeed(undefined) : done
    }),
  ]
}
