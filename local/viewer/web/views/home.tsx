/** The first page: search as one types, and where to start reading when one does not know what to search for. */
import './home.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { SearchAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { arrowStep } from '../components/option.tsx'
import { usePageTitle } from '../components/shell.tsx'
import { DriftMark, DriftNote } from '../components/status.tsx'
import { KindWord, linkTo, Place } from '../components/symbol-link.tsx'
import { grouped } from '../locales/numbers.ts'
import { homeWords, words } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { filterToken, hasToken, matchParts, pathAsked, toggleToken } from '../model/search-text.ts'
import { goTo, replaceAddress } from '../router.ts'
import { IndexGaps } from './home-gaps.tsx'
import { ReadLast, SavedTrails, WhereToStart } from './home-start.tsx'

type Row = SearchAnswer['results']['items'][number]
/** The server answers no more at once. */
const resultsMax = 200

type GroupName = keyof (typeof homeWords.value)['groups']

const groupOf: Partial<Record<Row['kind'], GroupName>> = {
  class: 'types',
  struct: 'types',
  interface: 'types',
  trait: 'types',
  protocol: 'types',
  enum: 'types',
  type_alias: 'types',
  union: 'types',
  function: 'callables',
  method: 'callables',
  component: 'callables',
  route: 'routes',
  variable: 'values',
  constant: 'values',
  property: 'values',
  field: 'values',
  enum_member: 'values',
  file: 'files',
  module: 'files',
  namespace: 'files',
}

/** Groups in the order of their best row, so that reading downwards keeps to the ranking. */
function inGroups(rows: readonly Row[]): [GroupName, Row[]][] {
  return [...Map.groupBy(rows, (row) => groupOf[row.kind] ?? 'other')]
}

function Matched({ text, wanted }: { text: string; wanted: string }) {
  return (
    <span class="mono cut">
      {matchParts(text, wanted).map((part, at) => (part.isMatch ? <mark key={at}>{part.text}</mark> : part.text))}
    </span>
  )
}

function Results({ answer, marked }: { answer: SearchAnswer; marked: number }) {
  const text = homeWords.value
  const { results, filters } = answer
  const asked = Object.values(filters).reduce((sum, values) => sum + values.length, 0)
  if (results.items.length === 0)
    return (
      <Empty
        title={text.noneTitle(answer.text === '' ? answer.query : answer.text)}
        body={`${text.noneBody}${asked === 0 ? '' : ` ${text.noneFilters(asked)}`}`}
      >
        {asked === 0 || answer.text === '' ? null : (
          <a class="btn" href={href('home', '', { q: answer.text })}>
            {text.dropFilters}
          </a>
        )}
        {answer.text === '' ? null : (
          <a class="btn" href={href('text', '', { q: answer.text })}>
            {words.value.search.inText(answer.text)}
          </a>
        )}
      </Empty>
    )
  let at = -1
  return (
    <div data-rows="results">
      {inGroups(results.items).map(([name, rows]) => (
        <div key={name}>
          <h3 class="kh">
            {text.groups[name]} <span class="faint">{grouped(rows.length)}</span>
          </h3>
          <ul class="res">
            {rows.map((row) => {
              at += 1
              return (
                <li key={row.id} class={at === marked ? 'sel' : undefined}>
                  <a href={linkTo(row.id)} data-row>
                    <KindWord kind={row.kind} />
                    <Matched text={row.kind === 'file' ? row.file : row.qualifiedName} wanted={answer.text} />
                    {row.matchKind === 'exact' ? <span class="tag acc">{text.exact}</span> : null}
                    {row.test ? <span class="tag">{words.value.test}</span> : null}
                    <DriftMark file={row.file} />
                    {row.kind === 'file' ? null : <Place file={row.file} line={row.line} />}
                  </a>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
      {results.truncated ? (
        <p class="faint small more-results">
          {words.value.list.shownOf(results.shown, results.total)}{' '}
          {results.shown < resultsMax ? (
            <a class="link" href={href('home', '', { q: answer.query, limit: resultsMax })}>
              {text.showMore(Math.min(resultsMax, results.total))}
            </a>
          ) : null}
        </p>
      ) : null}
    </div>
  )
}

export function HomeView({ route }: { route: Route }) {
  const text = homeWords.value
  const query = route.query.get('q') ?? ''
  const asked = query.trim()
  const path = pathAsked(asked)
  const box = useRef<HTMLInputElement>(null)
  const marked = useSignal(0)
  const stats = useAnswer(api.stats())
  const isEmpty = stats.reading.value.data?.graph.files === 0
  const starts = useAnswer(asked === '' ? api.entryPoints() : undefined)
  const areStartsThere = starts.reading.value.isCurrent || starts.reading.value.failure !== undefined
  const answer = useAnswer(
    asked === '' || path !== undefined
      ? undefined
      : api.search(asked, route.query.has('limit') ? resultsMax : undefined),
  )
  usePageTitle(asked === '' ? stats.reading.value.data?.project.name : asked)

  useEffect(() => {
    marked.value = 0
  }, [asked])
  useEffect(() => {
    // On a phone the keyboard would cover what there is to read.
    if (matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true })
  }, [])

  function search(next: string): void {
    const to = href('home', '', { q: next })
    // The first letter is a step one can go back from; the others belong to it.
    if (query === '') goTo(to)
    else replaceAddress(to)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const rows = answer.reading.value.data?.results.items ?? []
    const step = arrowStep(event)
    if (step !== 0) {
      marked.value = Math.min(rows.length - 1, Math.max(0, marked.value + step))
      document.querySelector('.res .sel')?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (path !== undefined) goTo(href('flow', '', path))
      else document.querySelector<HTMLElement>('[data-rows="results"] .sel a')?.click()
    }
  }

  const { nodesByKind = {}, filesByLanguage = {} } = stats.reading.value.data?.graph ?? {}
  const filters = [
    ...(['function', 'method', 'class', 'interface', 'type_alias', 'route', 'file'] as const)
      .filter((kind) => (nodesByKind[kind] ?? 0) > 0)
      .map((kind) => filterToken('kind', kind)),
    ...Object.entries(filesByLanguage)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 3)
      .map(([language]) => filterToken('lang', language)),
  ]
  return (
    <div class="page home">
      <search class="homeq">
        <label class="find big">
          <Icon name="search" />
          <span class="vh">{words.value.search.label}</span>
          <input
            ref={box}
            class="input"
            type="search"
            data-search
            autocomplete="off"
            spellcheck={false}
            placeholder={words.value.search.placeholder}
            value={query}
            onInput={(event) => search(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <kbd class="wide-only">/</kbd>
        </label>
        <fieldset class="btns hs">
          <legend class="vh">{text.filters}</legend>
          {filters.map((token) => (
            <button
              key={token}
              type="button"
              class="opt"
              aria-pressed={hasToken(query, token)}
              onClick={() => search(toggleToken(query, token))}
            >
              {token}
            </button>
          ))}
        </fieldset>
      </search>
      <DriftNote />
      {path !== undefined ? (
        <p>
          <a class="btn" href={href('flow', '', path)}>
            <Icon name="flow" />
            {words.value.search.findPath(path.from, path.to)}
          </a>
        </p>
      ) : asked === '' ? null : (
        <section class="sec results" aria-busy={answer.reading.value.busy}>
          <Answered of={answer} keepsOld>
            {(data) => (
              <>
                <header>
                  <h2>{text.results}</h2>
                  <span class="n" role="status">
                    {text.count(data.results.total)}
                  </span>
                  <span class="end wide-only">
                    {data.text === '' || data.results.items.length === 0 ? null : (
                      <a class="link" href={href('text', '', { q: data.text })}>
                        {words.value.search.inText(data.text)}
                      </a>
                    )}{' '}
                    {text.keys}
                  </span>
                </header>
                <Results answer={data} marked={marked.value} />
              </>
            )}
          </Answered>
        </section>
      )}
      {isEmpty ? <Empty title={text.emptyIndex} body={text.emptyIndexBody} /> : null}
      {asked === '' && !isEmpty ? (
        <div class="cols homec">
          <WhereToStart answer={starts} />
          {/* On a phone it stands below, and waits so that nothing on screen moves. */}
          {areStartsThere ? (
            <div class="stack">
              <ReadLast root={stats.reading.value.data?.project.root} />
              <SavedTrails />
              <IndexGaps />
            </div>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}
