/** The other sessions, beside the one on screen. */
import { Icon } from '#shared/pages/icon.tsx'
import type { SessionRecord } from '../../core/session/message.ts'
import { homeWords, momentText, sessionWords } from '../locales/words.ts'
import { sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { familyOf, sessions } from '../state/sessions.ts'
import { SessionChanges } from './patch-view.tsx'
import { type SessionState, StateMark, stateOf } from './state-mark.tsx'

const shownMax = 40

export function SessionList({ here }: { here: string }) {
  const say = sessionWords.value
  const own = (sessions.value ?? []).filter(({ parentID }) => parentID === undefined).slice(0, shownMax)
  const groups = Map.groupBy(
    own.map((session) => ({ session, state: stateOf(session) })),
    ({ state }) => (state === 'waits' || state === 'running' ? state : 'others'),
  )
  return (
    <nav class="convs" aria-label={say.sessionsNearby}>
      <a class="btn full" href="#/new">
        <Icon name="plus" />
        {homeWords.value.task.title}
        <kbd>N</kbd>
      </a>
      {(['waits', 'running', 'others'] as const).map((name) => {
        const rows = groups.get(name)
        return rows === undefined ? null : (
          <section key={name}>
            <h2 class="g">{say.groups[name]}</h2>
            <ul>
              {rows.map(({ session, state }) => (
                <Row key={session.id} session={session} state={state} here={here} />
              ))}
            </ul>
          </section>
        )
      })}
    </nav>
  )
}

function Row({ session, state, here }: { session: SessionRecord; state: SessionState; here: string }) {
  return (
    <li>
      <a href={sessionHref(session.id)} aria-current={familyOf(session.id).has(here) ? 'true' : undefined}>
        <StateMark state={state} isSmall />
        <span class="grow">
          <span class="cut blk" dir="auto">
            {session.title}
          </span>
          <span class="faint tiny blk cut">{nameOf(session.location.directory)}</span>
        </span>
        <span class="faint tiny nowrap beside">
          {momentText(session.time.updated)}
          {(session.changes?.files ?? 0) === 0 ? null : <SessionChanges changes={session.changes} />}
        </span>
      </a>
    </li>
  )
}
