/** Everything that goes on: what waits, what runs, and all sessions by project. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { SessionRecord } from '../../core/session/message.ts'
import { routes } from '../api/routes.ts'
import { AskCard } from '../components/ask-card.tsx'
import { NewTask } from '../components/new-task.tsx'
import { SessionChanges } from '../components/patch-view.tsx'
import { SaidSection } from '../components/said-list.tsx'
import { ScheduleSection } from '../components/schedule-list.tsx'
import { Shell, usePageTitle } from '../components/shell.tsx'
import { StateMark, stateOf } from '../components/state-mark.tsx'
import { FailureNote, Skeleton } from '../components/states.tsx'
import { ToolServerSection } from '../components/tool-servers.tsx'
import { WorkTreeSection } from '../components/work-trees.tsx'
import { homeWords, momentText } from '../locales/words.ts'
import { fileHref, searchHref, sessionHref } from '../model/address.ts'
import { dollars, grouped } from '../model/amounts.ts'
import { type Project, projectsOf, totalTokens } from '../model/transcript.ts'
import { goTo, replaceAddress } from '../router.ts'
import {
  active,
  asks,
  costs,
  here,
  nextSessions,
  readEverything,
  searchSessions,
  sessions,
  sessionsFailure,
  showMoreSessions,
} from '../state/sessions.ts'
import { useRead } from '../state/use-read.ts'

const searchMs = 150
/** How far down its reader was: who comes back from a session goes on there. */
let place = 0

export function HomeView({ search }: { search: string }) {
  const say = homeWords.value
  usePageTitle(say.title)
  useLayoutEffect(() => {
    window.scrollTo(0, place)
    const keep = (): void => {
      place = window.scrollY
    }
    window.addEventListener('scroll', keep, { passive: true })
    return () => window.removeEventListener('scroll', keep)
  }, [])
  const field = useRef<HTMLInputElement>(null)
  const typed = useRef<ReturnType<typeof setTimeout>>(undefined)
  // What was typed last must not be looked for after its reader has gone on.
  useEffect(() => () => clearTimeout(typed.current), [])
  const showAll = (): void => {
    clearTimeout(typed.current)
    if (field.current !== null) field.current.value = ''
    goTo('#/')
  }
  useEffect(() => {
    void searchSessions(search)
    return () => void (search === '' ? undefined : searchSessions(''))
  }, [search])
  const all = sessions.value
  const projects = all === undefined ? [] : projectsOf(all)
  return (
    <Shell
      bar={
        <>
          <h1>{say.title}</h1>
          <div class="end">
            <label class="find bar-find">
              <Icon name="search" />
              <span class="vh">{say.find}</span>
              <input
                class="input"
                type="search"
                data-search
                ref={field}
                placeholder={say.find}
                defaultValue={search}
                onInput={({ currentTarget: { value } }) => {
                  clearTimeout(typed.current)
                  typed.current = setTimeout(() => replaceAddress(searchHref(value.trim())), searchMs)
                }}
              />
              <kbd class="wide-only">/</kbd>
            </label>
            <a class="btn icon phone-only" href="#/new" aria-label={say.task.title}>
              <Icon name="plus" />
            </a>
          </div>
        </>
      }
    >
      <div class="page homep">
        {/* They count what is listed: of what was found they would say what is not so. */}
        {search === '' ? <Figures /> : null}
        <div class="cols hcols">
          <div class="stack">
            <Waiting />
            {sessionsFailure.value === undefined ? null : (
              <FailureNote failure={sessionsFailure.value} retry={() => void readEverything()} />
            )}
            {all === undefined && sessionsFailure.value === undefined ? <Skeleton rows={8} /> : null}
            {all?.length === 0 && search === '' ? <Empty title={say.empty.title} body={say.empty.body} /> : null}
            {all?.length === 0 && search !== '' ? (
              <Empty title={say.nothingFound(search)}>
                <button class="btn" type="button" onClick={showAll}>
                  {say.clearSearch}
                </button>
              </Empty>
            ) : null}
            {projects.map((project) => (
              <ProjectSection key={project.directory} project={project} />
            ))}
            {nextSessions.value === null ? null : (
              <button class="btn" type="button" onClick={showMoreSessions}>
                {say.showMore}
              </button>
            )}
            <SaidSection search={search} />
          </div>
          <div class="stack">
            <div class="wide-only">
              <NewTask />
            </div>
            <WorkTreeSection />
            <ScheduleSection />
            <ToolServerSection />
          </div>
        </div>
      </div>
    </Shell>
  )
}

function Figures() {
  const say = homeWords.value
  const all = sessions.value ?? []
  const own = all.filter(({ parentID }) => parentID === undefined)
  const running = own.filter((session) => stateOf(session) === 'running').length
  const tasks = all.filter(({ id, parentID }) => parentID !== undefined && active.value.has(id)).length
  const waiting = new Set(asks.value.map(({ request }) => request.sessionID)).size
  const cost = all.reduce((sum, session) => sum + session.cost, 0)
  const tokens = all.reduce((sum, session) => sum + totalTokens(session.tokens), 0)
  const folders = new Set(own.map(({ location }) => location.directory)).size
  const rows: readonly (readonly [string, string, string])[] = [
    [
      say.figures.waits,
      grouped(asks.value.length),
      waiting === 0 ? say.figureNotes.noWaits : say.figureNotes.waits(waiting),
    ],
    [say.figures.running, grouped(running), say.figureNotes.running(tasks)],
    [say.figures.sessions, grouped(own.length), say.figureNotes.projects(folders)],
    [say.figures.cost, dollars(cost), say.figureNotes.tokens(tokens)],
  ]
  return (
    <dl class="figures">
      {rows.map(([name, value, note], at) => (
        <div class="fig" key={name}>
          <dt>{name}</dt>
          <dd class="v">
            {at === 3 ? <span class="unit">$</span> : null}
            {value}
          </dd>
          <dd class="d">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

function Waiting() {
  const say = homeWords.value
  if (asks.value.length === 0) return null
  return (
    <section class="sec waits" aria-labelledby="waits">
      <header>
        <h2 id="waits">{say.waitsForYou}</h2>
        <span class="n">{asks.value.length}</span>
      </header>
      {asks.value.map((ask) => (
        <AskCard key={ask.request.id} ask={ask} />
      ))}
    </section>
  )
}

const ranks = { waits: 0, running: 1, reverted: 2, idle: 2, archived: 3 } as const

/** Where its files stand, as far as the server shows them, and what all its sessions cost. */
function ProjectLine({ project: { directory, sessions: own } }: { project: Project }) {
  const say = homeWords.value
  const top = here.value?.project.directory
  const isShown = top !== undefined && (directory === top || directory.startsWith(`${top.replace(/\/$/, '')}/`))
  const running = own.filter(({ id }) => active.value.has(id)).length
  const { value } = useRead(
    () => (isShown ? routes.changedFiles({ directory }) : undefined),
    [isShown, directory, running],
  )
  const { branch, data } = value.value ?? {}
  const differing = data?.length ?? 0
  const cost = own.reduce((sum, { id }) => sum + (costs.value.get(id) ?? 0), 0)
  return (
    <>
      {branch === undefined ? null : (
        <span class="small muted mono cut" title={say.branch}>
          {branch}
        </span>
      )}
      {differing === 0 ? null : directory === here.value?.directory ? (
        <a class="small nowrap" href={fileHref('')}>
          {say.differing(differing)}
        </a>
      ) : (
        <span class="small muted nowrap">{say.differing(differing)}</span>
      )}
      {cost === 0 ? null : (
        <span class="small muted nowrap">
          <span class="unit">$</span>
          {dollars(cost)}
        </span>
      )}
    </>
  )
}

function ProjectSection({ project }: { project: Project }) {
  const say = homeWords.value
  // Those that need something come first; within their kind the order of the server, newest change first, is kept.
  const rows = project.sessions
    .map((session) => ({ session, state: stateOf(session) }))
    .sort((one, other) => ranks[one.state] - ranks[other.state])
  return (
    <section class="sec" aria-label={project.name}>
      <header>
        <h2>{project.name}</h2>
        <span class="n">{rows.length}</span>
        <ProjectLine project={project} />
        <span class="end mono cut wide-only">{project.directory}</span>
      </header>
      <table class="fold sess">
        <thead class="vh">
          <tr>
            {Object.values(say.columns).map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ session, state }) => (
            <SessionRow key={session.id} session={session} state={state} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function SessionRow({ session, state }: { session: SessionRecord; state: ReturnType<typeof stateOf> }) {
  return (
    <tr>
      <td class="name">
        <a href={sessionHref(session.id)} class="t cut" dir="auto" data-row>
          {session.title}
        </a>
      </td>
      <td class="st-c">
        <StateMark state={state} />
      </td>
      <td class="muted wide-only">{session.agent ?? '—'}</td>
      <td class="num">
        <SessionChanges changes={session.changes} />
      </td>
      <td class="num wide-only">
        <span class="unit">$</span>
        {dollars(costs.value.get(session.id) ?? session.cost)}
      </td>
      <td class="num faint when">{momentText(session.time.updated)}</td>
    </tr>
  )
}
