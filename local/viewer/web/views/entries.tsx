/** Where to start reading: routes, files that run by themselves, tests that reach far, and what most depends on. */
import '../styles/view-strip.css'
import './lists.css'
import type { ComponentChildren } from 'preact'
import { Empty } from '#shared/pages/note.tsx'
import type { EntryPointsAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { FileName } from '../components/file-name.tsx'
import { InPlaceLink } from '../components/in-place-link.tsx'
import { ListingPage } from '../components/listing-page.tsx'
import { Meter } from '../components/meter.tsx'
import { KindWord, linkTo, Place } from '../components/symbol-link.tsx'
import { grouped } from '../locales/numbers.ts'
import { entriesWords } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { RouteTable } from './route-table.tsx'

const limitUsual = 12
const limitMost = 50
const routesShown = 12

type Column<T> = readonly [title: string, value: (row: T) => number, note?: string]

function Ranked<
  T extends
    | EntryPointsAnswer['files']['items'][number]
    | EntryPointsAnswer['hubs']['items'][number]
    | EntryPointsAnswer['tests']['items'][number],
>(props: {
  title: string
  about: string
  list: { readonly total: number; readonly shown: number; readonly items: readonly T[] }
  isFile: boolean
  columns: readonly [Column<T>, ...Column<T>[]]
}) {
  const text = entriesWords.value
  const { list, columns } = props
  if (list.total === 0) return null
  const [[, first]] = columns
  const most = Math.max(1, ...list.items.map(first))
  return (
    <section class="sec">
      <header>
        <h2>{props.title}</h2>
        <span class="n">{text.shown(list.shown, list.total)}</span>
        <span class="end wide-only">{props.about}</span>
      </header>
      <table class="ranked" data-rows={props.title}>
        <thead>
          <tr>
            <th scope="col">{props.isFile ? text.file : text.symbol}</th>
            <th scope="col" class="bar-cell wide-only">
              <span class="vh">{columns[0][0]}</span>
            </th>
            {columns.map(([title, , note], at) => (
              <th key={title} scope="col" class={`num${at > 0 ? ' wide-only' : ''}`} title={note}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.items.map((row) => (
            <tr key={row.id}>
              <td class="name">
                <a href={linkTo(row.id)} data-row>
                  {props.isFile ? (
                    <FileName name={row.file} title={row.file} />
                  ) : (
                    <>
                      <KindWord kind={row.kind} />
                      <span class="mono cut">{row.qualifiedName}</span>
                      <Place file={row.file} line={row.line} />
                    </>
                  )}
                </a>
              </td>
              <td class="bar-cell wide-only">
                <Meter part={first(row)} of={most} />
              </td>
              {columns.map(([title, value], at) => (
                <td key={title} class={`num${at > 0 ? ' wide-only muted' : ''}`}>
                  {grouped(value(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Entries({ answer, more }: { answer: EntryPointsAnswer; more: ComponentChildren }) {
  const text = entriesWords.value
  const { routes, files, tests, hubs } = answer
  if (routes.items.length + files.total + tests.total + hubs.total === 0)
    return (
      <Empty title={text.emptyTitle} body={text.emptyBody}>
        <a class="btn" href={href('map')}>
          {text.emptyAction}
        </a>
      </Empty>
    )
  return (
    <div class="stack">
      {answer.frameworks.length === 0 ? null : <p class="muted">{text.frameworks(answer.frameworks.join(', '))}</p>}
      {routes.routed ? (
        <section class="sec">
          <header>
            <h2>{text.routes}</h2>
            <span class="n">{text.shown(Math.min(routesShown, routes.items.length), routes.routeCount)}</span>
            <a class="end link" href={href('routes')}>
              {text.allRoutes}
            </a>
          </header>
          <RouteTable rows={routes.items.slice(0, routesShown)} />
        </section>
      ) : null}
      <Ranked
        title={text.runs}
        about={text.runsAbout}
        list={files}
        isFile
        columns={[
          [text.calls, (row) => row.calls],
          [text.reaches, (row) => row.reaches],
          [text.dependents, (row) => row.dependents],
        ]}
      />
      <Ranked
        title={text.hubs}
        about={text.hubsAbout}
        list={hubs}
        isFile={false}
        columns={[
          [text.dependents, (row) => row.dependents],
          [text.guessed, (row) => row.uncertain, text.guessedNote],
        ]}
      />
      <Ranked
        title={text.tests}
        about={text.testsAbout}
        list={tests}
        isFile
        columns={[
          [text.reaches, (row) => row.reaches],
          [text.references, (row) => row.refs],
        ]}
      />
      {routes.routed ? null : <p class="faint small">{text.noRoutes}</p>}
      {more}
    </div>
  )
}

export function EntriesView({ route }: { route: Route }) {
  const text = entriesWords.value
  const isMore = route.query.get('more') === '1'
  const answer = useAnswer(api.entryPoints({ limit: isMore ? limitMost : limitUsual }))
  return (
    <ListingPage text={text}>
      <Answered of={answer} skeletonRows={14} keepsOld>
        {(data) => {
          const isAll = [data.files, data.hubs, data.tests].every((list) => list.shown === list.total)
          return (
            <Entries
              answer={data}
              more={
                isAll && !isMore ? null : (
                  <InPlaceLink class="btn" to={href('entries', '', { more: isMore ? undefined : '1' })}>
                    {isMore ? text.fewer : text.more}
                  </InPlaceLink>
                )
              }
            />
          )
        }}
      </Answered>
    </ListingPage>
  )
}
