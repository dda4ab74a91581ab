import { getLearning, getMemoryPolicy, setMemoryPolicy } from '../../contract/memory.ts'
import type { AgentDeps } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'

export function memoryRoutes({ sessions }: Pick<AgentDeps, 'sessions'>): readonly BoundRoute[] {
  return [
    bind(getMemoryPolicy, async ({ params }) => {
      const policy = await sessions.memoryPolicy(params.sessionID)
      return policy.ok ? answerWith({ data: policy.value }) : policy
    }),
    bind(setMemoryPolicy, async ({ params, body }) => {
      const policy = await sessions.setMemoryPolicy(params.sessionID, body)
      return policy.ok ? answerWith({ data: policy.value }) : policy
    }),
    bind(getLearning, ({ params, query }) => {
      const learning = sessions.learning(params.sessionID, query)
      if (!learning.ok) return learning
      const { notes, total, retrieval } = learning.value
      const next = query.offset + notes.length
      return answerWith({
        data: {
          retrieval:
            retrieval === undefined
              ? null
              : {
                  selectedIds: [...retrieval.selectedIds],
                  candidateCount: retrieval.candidateCount,
                  timeUpdated: retrieval.timeMs,
                },
          experiencePage: { ...query, total, nextOffset: next < total ? next : null },
          experiences: notes.map((note) => ({
            id: note.id,
            sessionID: note.sessionId,
            text: note.text,
            source: { messageID: note.messageId, callID: note.callId },
            time: { created: note.createdMs },
          })),
        },
      })
    }),
  ]
}
