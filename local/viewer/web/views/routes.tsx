/** Addresses of the program, filtered as one types. */
import '../styles/view-strip.css'
import './lists.css'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { RoutesAnswer } from '../../contract/wire.ts'
import { api } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Answered } from '../components/answered.tsx'
import { ListingPage } from '../components/listing-page.tsx'
import { routesWords } from '../locales/words.ts'
import { href, type Route } from '../model/address.ts'
import { replaceAddress } from '../router.ts'
import { RouteTable } from './route-table.tsx'

/** The most the server gives. */
const limit = 500

function Routes({ answer, filter }: { answer: RoutesAnswer; filter: string }) {
  const text = routesWords.value
  const wanted = filter.trim().toLowerCase()
  const rows = answer.entries.filter((row) =>
    [row.url, row.handler, row.file, row.method ?? ''].some((part) => part.toLowerCase().includes(wanted)),
  )
  const clear = (): void => replaceAddress(href('routes'))
  return (
    <>
      {answer.truncated || answer.routeCount > answer.shown ? (
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
      {rows.length === 0 ? (
        <Empty title={text.filterNone(filter)}>
          <button class="btn" type="button" onClick={clear}>
            {text.clear}
          </button>
        </Empty>
      ) : (
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
    </>
  )
}

export function RoutesView({ route }: { route: Route }) {
  const text = routesWords.value
  const answer = useAnswer(api.routes(limit))
  return (
    <ListingPage text={text}>
      <Answered of={answer} skeletonRows={14}>
        {(data) =>
          data.routed ? (
            <Routes answer={data} filter={route.query.get('q') ?? ''} />
          ) : (
            <Empty title={text.noneTitle} body={text.noneBody(data.routeCount)}>
              <a class="btn" href={href('entries')}>
                {text.noneAction}
              </a>
            </Empty>
          )
        }
      </Answered>
    </ListingPage>
  )
}
