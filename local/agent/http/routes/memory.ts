import { succeed } from '#shared/kernel/result.ts'
import { forgetNote, getLearning, getMemoryPolicy, readMemory, setMemoryPolicy } from '../../contract/memory.ts'
import type { AgentDeps, LearnedNote } from '../../ports.ts'
import { answerWith, type BoundRoute, bind } from '../bind.ts'
import { locationOf } from './location.ts'

export function memoryRoutes({
  sessions,
  memory,
  locations,
}: Pick<AgentDeps, 'sessions' | 'memory' | 'locations'>): readonly BoundRoute[] {
  return [
    bind(readMemory, async ({ query, headers }) => {
      const location = await locationOf(locations, query, headers)
      if (!location.ok) return location
      const rules = await memory.rules(location.value)
      if (!rules.ok) return rules
      const notes = memory.notes(location.value).map(toWireNote)
      return answerWith({ location: location.value, data: { rules: [...rules.value], notes } })
    }),
    bind(forgetNote, ({ params }) => {
      const forgotten = memory.forgetNote(params.memoryID)
      return forgotten.ok ? succeed(undefined) : forgotten
    }),
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
          experiences: notes.map(toWireNote),
        },
      })
    }),
  ]
}

function toWireNote(note: LearnedNote) {
  return {
    id: note.id,
    sessionID: note.sessionId,
    text: note.text,
    source: { messageID: note.messageId, callID: note.callId },
    time: { created: note.createdMs },
  }
}
