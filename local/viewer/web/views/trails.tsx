/** Saved trails: the list, one trail with what became of its hops, and the form in which one is saved. */
import { useActions } from '../api/use-actions.ts'
import '../styles/view-strip.css'
import './lists.css'
import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { SavedTrail, TrailsAnswer } from '../../contract/wire.ts'
import { api, deleteTrail } from '../api/client.ts'
import { put, useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { usePageTitle } from '../components/shell.tsx'
import { FailureNote } from '../components/states.tsx'
import { KindWord, linkTo, Place } from '../components/symbol-link.tsx'
import { hopMarks, trailChanges } from '../components/trail-state.ts'
import { saveText } from '../export/save-picture.ts'
import { fileName } from '../export/svg-text.ts'
import { trailsWords, words } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { formatTrail, parseTrail, symbolHref } from '../model/reading-trail.ts'
import { editSaved, editSteps, readNotes, trailMarkdown } from '../model/trail-edit.ts'
import { goTo } from '../router.ts'
import { TrailForm } from './trail-form.tsx'

/** Steps of the run that the index still has, to be read or shown as a flow. */
function openSteps(trail: SavedTrail) {
  return parseTrail(trail.encoded)
}

function ListNotes({ answer }: { answer: TrailsAnswer }) {
  const text = trailsWords.value
  return (
    <>
      {answer.readOnly ? <Note>{text.readOnly}</Note> : null}
      {answer.skipped === 0 ? null : <Note incomplete>{text.skipped(answer.skipped)}</Note>}
      {answer.bounded ? <Note incomplete>{text.bounded}</Note> : null}
    </>
  )
}

function TrailList({ answer }: { answer: TrailsAnswer }) {
  const text = trailsWords.value
  return (
    <>
      <ListNotes answer={answer} />
      {answer.trails.length === 0 ? (
        <Empty title={text.emptyTitle} body={text.emptyBody}>
          <a class="btn" href={href('home')}>
            {text.emptySearch}
          </a>
          <a class="btn" href={href('flow')}>
            {text.emptyFlow}
          </a>
        </Empty>
      ) : (
        <section class="sec">
          <header>
            <h2>{text.count(answer.trails.length)}</h2>
            <span class="end wide-only">
              {text.folder} <span class="mono">{answer.directory}</span>
            </span>
          </header>
          <ul class="rows trail-rows" data-rows="trails">
            {answer.trails.map((trail) => {
              const changed = trailChanges(trail)
              return (
                <li key={trail.id}>
                  <a class="grow" href={href('trails', trail.id)} data-row>
                    <span class="t">{trail.name}</span>
                    <span class="way mono small cut">{trail.hops.map((hop) => hop.name).join(' → ')}</span>
                    <span class="s">
                      {[text.hops(trail.hops.length), text.saved(trail.author, trail.updatedAt.slice(0, 10))].join(
                        words.value.comma,
                      )}
                    </span>
                  </a>
                  <span class="st">
                    <Icon name={changed === '' ? 'm-on' : 'm-part'} />
                    {changed === '' ? text.intact : changed}
                  </span>
                </li>
              )
            })}
          </ul>
        </section>
      )}
    </>
  )
}

function HopRow({ trail, at, note }: { trail: SavedTrail; at: number; note: string }) {
  const text = trailsWords.value
  const hop = trail.hops[at]
  if (hop === undefined) return null
  const isUnsure = hop.status === 'ambiguous' || hop.status === 'missing'
  const next = trail.hops[at + 1]
  const isLoose =
    next !== undefined && (next.dir === 'start' || isUnsure || next.status === 'missing' || next.status === 'ambiguous')
  const hasMovedLine = hop.status === 'ok' && hop.line !== null && hop.line !== hop.savedLine
  return (
    <li class={`thop${isUnsure ? ' unsure' : ''}${isLoose ? ' loose' : ''}`}>
      <span class="hn num" aria-hidden="true">
        {at + 1}
      </span>
      <div>
        <div class="thop-h">
          {at === 0 ? null : <span class="dir">{text.directions[hop.dir]}</span>}
          {hop.id === null ? (
            <span class="mono">{hop.qualifiedName}</span>
          ) : (
            <a class="mono" href={linkTo(hop.id)} data-row>
              {hop.qualifiedName}
            </a>
          )}
          <KindWord kind={hop.kind} />
          <span class={`st small ${hopMarks[hop.status].tone}`} title={text.statusLong[hop.status]}>
            <Icon name={hopMarks[hop.status].icon} />
            {text.status[hop.status]}
          </span>
        </div>
        <div class="thop-h">
          <Place file={hop.file ?? hop.savedFile} line={hop.line ?? hop.savedLine} />
          {hasMovedLine ? <span class="faint small">{text.lineMoved(hop.savedLine, hop.line ?? 0)}</span> : null}
          {hop.file !== null && hop.file !== hop.savedFile ? (
            <span class="faint small">{text.fileMoved(`${hop.savedFile}:${hop.savedLine}`)}</span>
          ) : null}
        </div>
        {hop.status === 'ok' ? null : <p class="small muted">{text.statusLong[hop.status]}.</p>}
        {note === '' ? null : <p class="thop-n">{note}</p>}
      </div>
    </li>
  )
}

function OneTrail({ trail, answer }: { trail: SavedTrail; answer: TrailsAnswer }) {
  const text = trailsWords.value
  const isAsked = useSignal(false)
  const { failure, act } = useActions()
  const { general, ofHops } = readNotes(trail.note, trail.hops.length)
  const steps = openSteps(trail)
  const changed = trailChanges(trail)
  usePageTitle(trail.name)
  function exportMarkdown(): void {
    const markdown = trailMarkdown(trail, {
      by: text.byOn,
      status: text.status,
      movedFrom: text.fileMoved,
      directions: text.directions,
    })
    saveText(fileName(trail.name, 'md'), 'text/markdown', markdown)
  }
  async function remove(): Promise<void> {
    isAsked.value = false
    const answered = await act(() => deleteTrail(trail.id))
    if (answered?.ok !== true) return
    put(api.trails(), answered.value)
    goTo(href('trails'))
  }
  return (
    <>
      <div class="trail-head">
        <div>
          <h1>{trail.name}</h1>
          <p class="muted small">
            {[text.hops(trail.hops.length), text.saved(trail.author, trail.updatedAt.slice(0, 10))].join(
              words.value.comma,
            )}
          </p>
        </div>
        <div class="btns">
          {trail.openId === null ? null : (
            <a class="btn primary" href={symbolHref(steps, trail.openId)}>
              {text.open}
            </a>
          )}
          {steps.length < 2 ? null : (
            <a class="btn" href={href('flow', '', { trail: formatTrail(steps) })}>
              <Icon name="flow" />
              {text.asFlow}
            </a>
          )}
          <button class="btn" type="button" onClick={exportMarkdown}>
            {text.markdown}
          </button>
          {answer.readOnly ? null : (
            <>
              {trail.resolved === 0 ? null : (
                <a class="btn" href={href('trails', trail.id, { edit: 1 })}>
                  {text.edit}
                </a>
              )}
              <button class="btn danger" type="button" onClick={() => (isAsked.value = true)}>
                {text.remove}
              </button>
            </>
          )}
        </div>
      </div>
      {failure.value === undefined ? null : <FailureNote lead={text.removeFailed} failure={failure.value} />}
      {answer.readOnly ? <Note>{text.readOnly}</Note> : null}
      <Note incomplete={changed !== ''} role="status">
        {changed === '' ? text.sinceNone : text.since(changed)}{' '}
        {trail.openId === null || trail.openCount === trail.hops.length
          ? ''
          : text.openRun(trail.openFrom, trail.openCount)}
      </Note>
      {general === '' ? null : <p class="prose trail-note">{general}</p>}
      <ol class="trail-hops" data-rows="hops">
        {trail.hops.map((hop, at) => (
          <HopRow key={`${at} ${hop.qualifiedName}`} trail={trail} at={at} note={ofHops[at] ?? ''} />
        ))}
      </ol>
      <p>
        <a class="link" href={href('trails')}>
          {text.all}
        </a>
      </p>
      {isAsked.value ? (
        <Dialog title={text.removeTitle(trail.name)} onClose={() => (isAsked.value = false)}>
          <p>{text.removeBody(trail.hops.length)}</p>
          <div class="btns ends-right">
            <button class="btn" type="button" data-first onClick={() => (isAsked.value = false)}>
              {words.value.cancel}
            </button>
            <button class="btn danger" type="button" onClick={() => void remove()}>
              {text.removeYes}
            </button>
          </div>
        </Dialog>
      ) : null}
    </>
  )
}

/** The way in the address, with the names that the index has for it. */
function NewTrail({ route, isReadOnly }: { route: Route; isReadOnly: boolean }) {
  const text = trailsWords.value
  const steps = parseTrail(route.query.get('trail'))
  const ids = [...new Set(steps.map((one) => one.id))].slice(0, 60)
  const answer = useAnswer(ids.length === 0 ? undefined : api.nodes(ids))
  usePageTitle(text.newTitle)
  const none = (
    <Empty title={text.noHopsTitle} body={text.noHopsBody}>
      <a class="btn" href={href('home')}>
        {text.emptySearch}
      </a>
    </Empty>
  )
  return (
    <>
      <h1>{text.newTitle}</h1>
      {isReadOnly ? <Note>{text.readOnly}</Note> : null}
      {ids.length === 0 ? (
        none
      ) : (
        <Answered of={answer}>
          {({ items, missing }) => {
            const gone = new Set(missing)
            const names = new Map(items.map((one) => [one.id, one.name]))
            const known = steps.filter((one) => !gone.has(one.id))
            const first = items.find((one) => one.id === known[0]?.id)
            const last = items.find((one) => one.id === known.at(-1)?.id)
            return known.length === 0 ? (
              none
            ) : isReadOnly ? null : (
              <TrailForm
                key={route.query.get('trail')}
                name={
                  first === undefined || last === undefined || first === last
                    ? (first?.name ?? '')
                    : `${first.name} → ${last.name}`
                }
                note=""
                hops={editSteps(known, (id) => names.get(id))}
                lost={steps.length - known.length}
              />
            )
          }}
        </Answered>
      )}
    </>
  )
}

function EditTrail({ trail }: { trail: SavedTrail }) {
  const text = trailsWords.value
  const { hops, note, lost } = editSaved(trail)
  usePageTitle(text.editTitle)
  return (
    <>
      <h1>{text.editTitle}</h1>
      <TrailForm key={trail.id} name={trail.name} note={note} hops={hops} lost={lost} />
    </>
  )
}

function ListTitle() {
  const text = trailsWords.value
  usePageTitle(text.title)
  return (
    <div>
      <h1>{text.title}</h1>
      <p class="muted">{text.about}</p>
    </div>
  )
}

export function TrailsView({ route }: { route: Route }) {
  const text = trailsWords.value
  const answer = useAnswer(api.trails())
  const { detail } = route
  return (
    <div class="page listing">
      {detail === '' ? <ListTitle /> : null}
      <Answered of={answer} skeletonRows={10}>
        {(data) => {
          if (detail === 'new') return <NewTrail route={route} isReadOnly={data.readOnly} />
          if (detail === '') return <TrailList answer={data} />
          const trail = data.trails.find((one) => one.id === detail)
          if (trail === undefined)
            return (
              <>
                <h1>{text.unknownTitle}</h1>
                <Empty title={detail} body={text.unknownBody}>
                  <a class="btn" href={href('trails')}>
                    {text.all}
                  </a>
                </Empty>
              </>
            )
          return route.query.get('edit') === '1' && !data.readOnly && trail.resolved > 0 ? (
            <EditTrail trail={trail} />
          ) : (
            <OneTrail trail={trail} answer={data} />
          )
        }}
      </Answered>
    </div>
  )
}
