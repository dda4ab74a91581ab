/** What a session does, by its mark and a word. */
import { Icon } from '#shared/pages/icon.tsx'
import type { SessionRecord } from '../../core/session/message.ts'
import { homeWords } from '../locales/words.ts'
import { active, asks, familyOf } from '../state/sessions.ts'

export type SessionState = 'waits' | 'running' | 'reverted' | 'archived' | 'idle'

export function stateOf(session: SessionRecord): SessionState {
  const family = familyOf(session.id)
  if (asks.value.some(({ request }) => family.has(request.sessionID))) return 'waits'
  if ([...family].some((id) => active.value.has(id))) return 'running'
  if (session.revert !== undefined) return 'reverted'
  return session.time.archived === undefined ? 'idle' : 'archived'
}

const marks = { waits: 'm-part', running: 'm-guess', reverted: 'undo', archived: 'm-off', idle: 'm-off' } as const

export function StateMark({ state, isSmall }: { state: SessionState; isSmall?: boolean }) {
  const tone = state === 'waits' || state === 'running' ? 'acc' : 'faint'
  return (
    <span class={`st ${tone}`}>
      <Icon name={marks[state]} small={isSmall === true} />
      <span class={isSmall === true ? 'vh' : ''}>{homeWords.value.states[state]}</span>
    </span>
  )
}
