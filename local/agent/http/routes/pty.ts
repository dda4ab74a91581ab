import { type Result, succeed } from '#shared/kernel/result.ts'
import type { LocationQuery } from '../../contract/location.ts'
import {
  connectTerminal,
  createTerminal,
  getTerminal,
  listTerminals,
  mintConnectToken,
  removeTerminal,
  updateTerminal,
} from '../../contract/pty.ts'
import type { Failure } from '../../core/failure.ts'
import type { AgentDeps, LocationInfo, TerminalInfo } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

interface LocatedCall {
  readonly query: LocationQuery
  readonly headers: Headers
}

export function terminalRoutes(deps: Pick<AgentDeps, 'terminals' | 'locations'>): readonly BoundRoute[] {
  const { terminals } = deps

  /** A terminal with the location it belongs to. */
  async function one(
    call: LocatedCall,
    find: (location: LocationInfo) => Result<TerminalInfo, Failure> | Promise<Result<TerminalInfo, Failure>>,
  ) {
    const location = await locationOf(deps.locations, call.query, call.headers)
    if (!location.ok) return location
    const found = await find(location.value)
    return found.ok ? answerWith({ location: location.value, data: toWire(found.value) }) : found
  }

  return [
    bind(listTerminals, async (call) => {
      const location = await locationOf(deps.locations, call.query, call.headers)
      if (!location.ok) return location
      return answerWith({ location: location.value, data: terminals.list(location.value).map(toWire) })
    }),
    bind(createTerminal, (call) => one(call, (location) => terminals.create(location, call.body))),
    bind(getTerminal, (call) => one(call, (location) => terminals.read(location, call.params.ptyID))),
    bind(updateTerminal, (call) => one(call, (location) => terminals.update(location, call.params.ptyID, call.body))),
    bind(removeTerminal, async ({ params, query, headers }) => {
      const location = await locationOf(deps.locations, query, headers)
      if (!location.ok) return location
      const removed = await terminals.remove(location.value, params.ptyID)
      return removed.ok ? succeed(undefined) : removed
    }),
    bind(mintConnectToken, async ({ params, query, headers }) => {
      const location = await locationOf(deps.locations, query, headers)
      if (!location.ok) return location
      const minted = terminals.mintTicket(location.value, params.ptyID)
      if (!minted.ok) return minted
      const { ticket, expiresInS } = minted.value
      return answerWith({ location: location.value, data: { ticket, expires_in: expiresInS } })
    }),
    bind(connectTerminal, async ({ params, query, headers, canUpgrade }) => {
      const location = await locationOf(deps.locations, query, headers)
      if (!location.ok) return location
      const { ticket, cursor } = query
      return terminals.connect(location.value, params.ptyID, { ticket, cursor, canUpgrade })
    }),
  ]
}

function toWire(terminal: TerminalInfo) {
  return { ...terminal, args: [...terminal.args] }
}
