/** The session that a command of its owner is about: one that is named, the newest of the folder, or a new one. */
import { type FaultOf, sayBy } from '#shared/kernel/fault-words.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { SessionRecord } from '../core/session/message.ts'
import type { AgentClient, ClientFailure } from './agent-client.ts'

export interface SessionChoice {
  readonly directory: string
  readonly session?: string | undefined
  readonly isContinued?: boolean | undefined
  readonly agent?: string | undefined
}

const sentences = {
  /** `reason`: the server. */
  server: ({ reason }: { reason: string }) => reason,
  no_model: ({ model, known }: { model: string; known: readonly string[] }) =>
    `There is no model ${model}${known.length === 0 ? '' : `; there are ${known.join(', ')}`}`,
  no_session: 'There is no session in this folder to go on with',
}
export type ChoiceFault = FaultOf<typeof sentences>
export const sayChoiceFault = sayBy(sentences)

export async function chooseSession(
  client: AgentClient,
  { session, isContinued, agent, directory }: SessionChoice,
): Promise<Result<SessionRecord, ChoiceFault>> {
  if (session !== undefined) return recordOf(await client.ask('GET', `/api/session/${encodeURIComponent(session)}`))
  if (isContinued !== true) {
    const body = { location: { directory }, ...(agent === undefined ? {} : { agent }) }
    return recordOf(await client.ask('POST', '/api/session', body))
  }
  const page = await client.ask<{ data: readonly SessionRecord[] }>(
    'GET',
    `/api/session?${new URLSearchParams({ directory, limit: '100' })}`,
  )
  if (!page.ok) return failWith({ kind: 'server', reason: page.failure.message })
  const newest = page.value.data.find(({ parentID }) => parentID === undefined)
  return newest === undefined ? failWith({ kind: 'no_session' }) : succeed(newest)
}

function recordOf(answer: Result<{ readonly data: SessionRecord }, ClientFailure>): Result<SessionRecord, ChoiceFault> {
  return answer.ok ? succeed(answer.value.data) : failWith({ kind: 'server', reason: answer.failure.message })
}
