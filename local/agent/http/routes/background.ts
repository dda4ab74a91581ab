import { succeed } from '#shared/kernel/result.ts'
import { listBackground, readBackground, stopBackground } from '../../contract/background.ts'
import { backgroundShownBytesMax } from '../../limits.ts'
import type { AgentDeps } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'

export function backgroundRoutes({ background }: Pick<AgentDeps, 'background'>): readonly BoundRoute[] {
  return [
    bind(listBackground, ({ params }) => {
      const known = background.list(params.sessionID)
      return known.ok ? answerWith({ data: [...known.value] }) : known
    }),
    bind(readBackground, ({ params, query }) => {
      const read = background.read(params.sessionID, params.commandID, query.after ?? 0, backgroundShownBytesMax)
      if (!read.ok) return read
      const { info, piece } = read.value
      return answerWith({ data: { ...info, output: piece.text, mark: piece.mark, leftOut: piece.leftOutBytes } })
    }),
    bind(stopBackground, async ({ params }) => {
      const stopped = await background.stop(params.sessionID, params.commandID)
      return stopped.ok ? succeed(undefined) : stopped
    }),
  ]
}
