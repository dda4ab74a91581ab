/** A turn of the model, and what summarises and names a session. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from '@hono/zod-openapi'
import { createModelClient } from '../adapters/model-client.ts'
import type { JsonObject } from '../core/session/message.ts'
import { modelAttemptsMax, modelQuietMsMax } from '../limits.ts'
import type { DirectoryCatalogue } from '../runtime/catalogue.ts'
import { compactSession } from '../runtime/compaction.ts'
import type { HumanRequests } from '../runtime/human-requests.ts'
import { inLaterPass } from '../runtime/loop-share.ts'
import type { Memories } from '../runtime/memories.ts'
import type { ReferenceCopies } from '../runtime/references.ts'
import type { Reverts } from '../runtime/revert.ts'
import { setUpStep } from '../runtime/step-setup.ts'
import { nameSession } from '../runtime/titles.ts'
import type { Tool } from '../runtime/tool-port.ts'
import type { RunTask } from '../runtime/tools/task-tool.ts'
import { runTurn } from '../runtime/turn.ts'
import type { WaitingCalls } from '../runtime/waiting-calls.ts'
import type { WorkTrees } from '../runtime/work-trees.ts'
import type { Ground } from './ground.ts'
import type { AgentOptions } from './options.ts'
import { composeTools } from './tools.ts'
import type { Toolset } from './toolset.ts'

export function composeTurns(
  options: AgentOptions,
  ground: Ground,
  parts: {
    readonly catalogue: DirectoryCatalogue
    readonly asks: HumanRequests
    readonly memories: Memories
    readonly toolset: Toolset
    readonly runTask: RunTask
    readonly copies: ReferenceCopies
    readonly workTrees: WorkTrees
    readonly reverts: Reverts
    readonly waitingCalls: WaitingCalls
    /** The server ends. */
    readonly closing: AbortSignal
  },
) {
  const { store, clock, ids, streams, logger, folders } = ground
  const { catalogue, asks, memories, toolset, copies, workTrees, reverts, waitingCalls } = parts
  const tools = composeTools(options, ground, parts)
  const model = createModelClient(options.modelFetch ?? fetch)
  const schemas = new Map<string, JsonObject>()
  /** Written ahead of the first turn, or by it: all of them would take a start longer. */
  function schemaOf(tool: Tool): JsonObject {
    const known = tool.parameters ?? schemas.get(tool.name)
    if (known !== undefined) return known
    const written = z.toJSONSchema(tool.input) as JsonObject
    schemas.set(tool.name, written)
    return written
  }
  async function writeSchemas(): Promise<void> {
    for (const tool of tools) {
      await inLaterPass()
      schemaOf(tool)
    }
  }
  const setup = (record: Parameters<typeof setUpStep>[1], fallback?: number) =>
    setUpStep(
      {
        catalogue,
        asks,
        memories,
        tools,
        senses: options.codeSenses,
        toolServers: toolset.toolServers,
        context: (sessionId) => store.context(sessionId),
        copies,
        workTrees,
        folders,
        platform: process.platform,
      },
      record,
      fallback,
    )
  const compaction = {
    store,
    ids,
    model,
    notify: (type: string, data: Readonly<Record<string, unknown>>) => streams.notify({ type, data }),
  }
  return {
    async warm() {
      await inLaterPass()
      await model.warm()
      await writeSchemas()
    },
    turn: (sessionId: string, signal: AbortSignal) =>
      runTurn(
        {
          store,
          clock,
          ids,
          model,
          asks,
          memories,
          waitingCalls,
          setup,
          onFirstPrompt(record, text) {
            nameSession({ store, catalogue, model, logger }, record, text, parts.closing).catch((cause: unknown) =>
              logger.error('title_failed', { cause }),
            )
          },
          compact: (id, step, stop) => compactSession(compaction, id, step, 'auto', stop),
          beforeEffects: (...step) => reverts.beforeEffects(...step),
          afterEffects: (...step) => reverts.afterEffects(...step),
          countAgain: (id) => reverts.countAgain(id),
          progress: ({ id, location }, { messageId, callId }, output) =>
            streams.notify({
              type: 'session.tool.progress',
              data: { sessionID: id, assistantMessageID: messageId, callID: callId, output },
              directory: location.directory,
            }),
          toolSchema: schemaOf,
          attemptsMax: options.modelAttemptsMax ?? modelAttemptsMax,
          quietMsMax: options.modelQuietMsMax ?? modelQuietMsMax,
          delay: async (ms, stop) => {
            await sleep(ms, undefined, { signal: stop })
          },
        },
        sessionId,
        signal,
      ),
    compact: async (sessionId: string, signal: AbortSignal) => {
      const record = store.find(sessionId)
      if (record === undefined) return false
      return compactSession(compaction, sessionId, await setup(record), 'manual', signal)
    },
  }
}
