/** Addresses of the program, filtered as one types. */
import '../styles/view-strip.css'
import './lists.css'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { HandlersAnswer, RoutesAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { ListingPage } from '../components/listing-page.tsx'
import { routesWords } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { replaceAddress } from '../router.ts'
import { RouteTable, type UrlRow } from './route-table.tsx'

/** The most the server gives. */
const limit = 500

/** What frameworks hand to code, without what is among the routes. */
function handedOver(answer: HandlersAnswer, routes: RoutesAnswer): UrlRow[] {
  const places = new Set(routes.routed ? routes.entries.map((row) => `${row.routeFile}:${row.routeLine}`) : [])
  return answer.handlers.items.flatMap(({ method, url, whole, file, line, handler, inline, certain }) =>
    places.has(`${file}:${line}`)
      ? []
      : {
          ...{
            url,
            method,
            routeFile: file,
            routeLine: line,
            routeId: `${file}:${line} ${method} ${url}`,
            isEnd: !whole,
          },
          ...{
            handler: handler?.qualifiedName ?? '',
            handlerKind: handler?.kind ?? '',
            handlerId: handler?.id ?? null,
          },
          ...{ file: handler?.file ?? file, line: handler?.line ?? line, isInside: inline, isGuess: !certain },
        },
  )
}

function Routes({ answer, handlers, filter }: { answer: RoutesAnswer; handlers: HandlersAnswer; filter: string }) {
  const text = routesWords.value
  const wanted = filter.trim().toLowerCase()
  const hasPart = (row: UrlRow): boolean =>
    [row.url, row.handler, row.file, row.method ?? ''].some((part) => part.toLowerCase().includes(wanted))
  const rows = answer.routed ? answer.entries.filter(hasPart) : []
  const handed = handedOver(handlers, answer)
  const handedRows = handed.filter(hasPart)
  const clear = (): void => replaceAddress(href('routes'))
  return (
    <>
      {answer.routed && (answer.truncated || answer.routeCount > answer.shown) ? (
        <Note incomplete role="status">
          {text.leftOut(answer.routeCount - answer.shown)}
        </Note>
      ) : null}
      <label class="find listing-find">
        <Icon name="filter" />
        <span class="vh">{text.filter}</span>
        <input
          class="input"
          type="search"
          placeholder={text.filter}
          value={filter}
          onInput={(event) => replaceAddress(href('routes', '', { q: event.currentTarget.value }))}
        />
      </label>
      {rows.length + handedRows.length === 0 ? (
        <Empty title={text.filterNone(filter)}>
          <button class="btn" type="button" onClick={clear}>
            {text.clear}
          </button>
        </Empty>
      ) : null}
      {rows.length === 0 ? null : (
        <section class="sec">
          <header>
            <h2>{text.title}</h2>
            <span class="n" role="status">
              {text.shown(rows.length, answer.routeCount)}
            </span>
            {answer.topHandlerFile === null || wanted !== '' ? null : (
              <span class="end wide-only">{text.top(answer.topHandlerFileCount, answer.topHandlerFile)}</span>
            )}
          </header>
          <RouteTable rows={rows} />
        </section>
      )}
      {handedRows.length === 0 ? null : (
        <section class="sec">
          <header>
            <h2>{text.handed}</h2>
            <span class="n" role="status">
              {text.handedShown(handedRows.length, handed.length + handlers.handlers.total - handlers.handlers.shown)}
            </span>
            <span class="end wide-only">
              {handlers.frameworks.map((one) => text.ofFramework(one.name, one.handlers)).join(' · ')}
            </span>
          </header>
          <RouteTable rows={handedRows} />
        </section>
      )}
    </>
  )
}

export function RoutesView({ route }: { route: Route }) {
  const text = routesWords.value
  const answer = useAnswer(api.routes(limit))
  const handlers = useAnswer(api.handlers(limit))
  return (
    <ListingPage text={text}>
      <Answered of={answer} skeletonRows={14}>
        {(data) => (
          <Answered of={handlers} skeletonRows={14}>
            {(handed) =>
              data.routed || handed.handlers.total > 0 ? (
                <Routes answer={data} handlers={handed} filter={route.query.get('q') ?? ''} />
              ) : (
                <Empty title={text.noneTitle} body={text.noneBody(data.routeCount)}>
                  <a class="btn" href={href('entries')}>
                    {text.noneAction}
                  </a>
                </Empty>
              )
            }
          </Answered>
        )}
      </Answered>
    </ListingPage>
  )
}
