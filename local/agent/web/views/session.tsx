/** One session: the others beside it, its transcript, and what it changed, knows and runs. */

import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { routes } from '../api/routes.ts'
import { RunningCommands } from '../components/background-list.tsx'
import { Composer } from '../components/composer.tsx'
import { SessionChanges } from '../components/patch-view.tsx'
import { SandboxTag } from '../components/sandbox-tag.tsx'
import { SessionList } from '../components/session-list.tsx'
import { Shell, usePageTitle } from '../components/shell.tsx'
import { stateOf } from '../components/state-mark.tsx'
import { FailureNote } from '../components/states.tsx'
import { isAtEnd, scrollToEnd, Transcript } from '../components/transcript.tsx'
import { panelWords, sessionWords, words } from '../locales/words.ts'
import { type Panel, sessionHref } from '../model/address.ts'
import { nameOf } from '../model/transcript.ts'
import { useActions } from '../state/kit.ts'
import { type OpenSession, openSession } from '../state/open-session.ts'
import { asks, familyOf } from '../state/sessions.ts'
import { PanelView } from './panel.tsx'

/** Where the panel has a place beside the transcript. Elsewhere one of the two is shown. */
const wide = matchMedia('(min-width: 1181px)')
const isWide = signal(wide.matches)
wide.addEventListener('change', ({ matches }) => {
  isWide.value = matches
})

export function SessionView({ id, panel }: { id: string; panel: Panel | undefined }) {
  const session = useMemo(() => openSession(id), [id])
  useEffect(() => () => session.close(), [session])
  const isAlone = panel !== undefined && !isWide.value
  useLayoutEffect(() => {
    if (isAlone) window.scrollTo(0, 0)
  }, [isAlone, panel])
  const say = sessionWords.value
  const record = session.record.value
  usePageTitle(record?.title ?? words.value.views.session)
  const { failure } = session
  if (record === undefined && failure.value?.code === 'not_found')
    return (
      <Shell bar={<h1>{words.value.views.session}</h1>}>
        <div class="page">
          <Empty title={say.gone}>
            <a class="btn" href="#/">
              {words.value.views.home}
            </a>
          </Empty>
        </div>
      </Shell>
    )
  return (
    <Shell bar={<Bar session={session} />}>
      <div class={`agentp${panel === undefined ? '' : ' with-panel'}`}>
        <SessionList here={id} />
        <section class="chat" aria-label={say.transcript}>
          <FailureNote failure={failure.value} />
          <Transcript session={session} />
          {record === undefined ? null : <Foot session={session} />}
        </section>
        {record !== undefined && (panel !== undefined || isWide.value) ? (
          <PanelView session={session} record={record} panel={panel ?? 'changes'} />
        ) : null}
      </div>
    </Shell>
  )
}

function Bar({ session }: { session: OpenSession }) {
  const say = sessionWords.value
  const record = session.record.value
  const { failure, act } = useActions()
  if (record === undefined) return <h1 class="cut">{words.value.loading}</h1>
  const state = stateOf(record)
  const isBusy = state === 'running' || state === 'waits'
  return (
    <>
      {record.parentID === undefined ? null : (
        <a class="btn icon quiet" href={sessionHref(record.parentID)} aria-label={words.value.views.session}>
          <Icon name="up" />
        </a>
      )}
      <h1 class="cut" dir="auto">
        {record.title}
      </h1>
      <span class="faint small wide-only nowrap">{nameOf(record.location.directory)}</span>
      <span class="wide-only">
        <SandboxTag directory={record.location.directory} href={sessionHref(record.id, 'context')} />
      </span>
      <div class="end">
        <span class={`small muted nowrap${session.isLost.value ? '' : ' wide-only'}`} role="status">
          {session.isLost.value
            ? words.value.connection.lost
            : say.state[state === 'running' || state === 'waits' ? state : 'idle']}
        </span>
        {(record.changes?.files ?? 0) === 0 ? null : (
          <a class="small wide-only" href={sessionHref(record.id, 'changes')}>
            <span class="vh">{panelWords.value.changes.title} </span>
            <SessionChanges changes={record.changes} />
          </a>
        )}
        <FailureNote failure={failure.value} />
        {isBusy ? (
          <button class="btn" type="button" onClick={() => void act(() => routes.interrupt(record.id))}>
            <Icon name="stop" />
            {say.interrupt}
            <kbd class="wide-only">Esc</kbd>
          </button>
        ) : null}
      </div>
    </>
  )
}

/** The prompt, and on a phone the way to what waits, which may be far above. */
function Foot({ session }: { session: OpenSession }) {
  const say = sessionWords.value
  const record = session.record.value
  if (record === undefined) return null
  const family = familyOf(record.id)
  const waiting = asks.value.filter(({ request }) => family.has(request.sessionID)).length
  const state = stateOf(record)
  return (
    <div class="chat-foot">
      {isAtEnd.value ? null : (
        <button class="btn to-end" type="button" onClick={scrollToEnd}>
          <Icon name="down" />
          {say.toEnd}
        </button>
      )}
      {waiting === 0 || isAtEnd.value ? null : (
        <div class="askbar">
          <span class="acc">
            <Icon name="shield" />
          </span>
          <span class="grow cut">{say.asks(waiting)}</span>
          <button class="btn" type="button" onClick={() => document.querySelector<HTMLElement>('[data-ask]')?.focus()}>
            {say.show}
          </button>
        </div>
      )}
      <RunningCommands session={record.id} />
      <Composer
        record={record}
        messages={session.cells.value.map(({ message }) => message.value)}
        draft={session.draft}
        isRunning={state === 'running' || state === 'waits'}
        onSent={scrollToEnd}
      />
    </div>
  )
}
