import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { fetchAudit } from '../api-client.ts'
import { Loaded } from '../components/loaded.tsx'
import { Pager } from '../components/pager.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { StateMark } from '../components/state-mark.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { exactMoment } from '../model/moments.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'

const rowsPerPage = 50

function Outcome({ result }: { result: string }) {
  const known = words.value.log.results
  const word = Object.hasOwn(known, result) ? known[result as keyof typeof known] : result
  const [mark, tone] =
    result === 'ok'
      ? (['m-done', 'good'] as const)
      : result === 'started'
        ? (['m-guess', 'faint'] as const)
        : (['m-bad', 'bad'] as const)
  return (
    <StateMark mark={mark} tone={tone}>
      {word}
    </StateMark>
  )
}

export function LogPage({ query }: { readonly query: URLSearchParams }) {
  const text = words.value.log
  const asked = Number(query.get('page') ?? '1')
  const page = Number.isInteger(asked) && asked >= 1 && asked <= 1_000_000 ? asked : 1
  const audit = useResource(`audit ${page}`, (signal) => fetchAudit(page, rowsPerPage, signal))
  const { data } = audit.state.value
  return (
    <Shell
      screen="log"
      title={words.value.screens.log}
      facts={data === undefined ? undefined : <span class="faint small">{grouped(data.total)}</span>}
      tools={
        <button
          class="btn icon"
          type="button"
          aria-label={words.value.common.retry}
          onClick={() => void audit.reload()}
        >
          <Icon name="refresh" />
        </button>
      }
    >
      <p class="muted lead">{text.lead}</p>
      <Loaded of={audit}>
        {(data) =>
          data.items.length === 0 && page === 1 ? (
            <Empty title={text.emptyTitle} body={text.emptyBody} />
          ) : (
            <>
              <table class="fold log">
                <thead>
                  <tr>
                    <th scope="col">{text.time}</th>
                    <th scope="col">{text.command}</th>
                    <th scope="col">{text.who}</th>
                    <th scope="col">{text.result}</th>
                    <th scope="col" class="num">
                      {text.took}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.items.map((entry) => (
                    <tr key={entry.id}>
                      <td class="nowrap muted">
                        <time dateTime={new Date(entry.at * 1000).toISOString()}>
                          {exactMoment(entry.at, language.value)}
                        </time>
                      </td>
                      <td class="name mono">
                        <span class="cut" title={entry.command}>
                          {entry.command}
                        </span>
                      </td>
                      <td class="nowrap">
                        {entry.user}
                        {entry.channel === 'ai_assistant' ? (
                          <>
                            {' '}
                            <span class="tag">{text.byAssistant}</span>
                          </>
                        ) : null}
                      </td>
                      <td>
                        <Outcome result={entry.result} />
                        {entry.status === undefined ? null : <span class="faint"> {entry.status}</span>}
                        {entry.reason === undefined ? null : (
                          <span class="sub small muted">
                            <ReasonWords reason={entry.reason} />
                          </span>
                        )}
                      </td>
                      <td class="num faint wide-only">
                        {entry.latency_ms === undefined ? '—' : text.ms(entry.latency_ms)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <Pager
                page={page}
                pageSize={rowsPerPage}
                total={data.total}
                onPage={(next) => goTo(next === 1 ? '#/log' : `#/log?page=${next}`)}
              />
            </>
          )
        }
      </Loaded>
    </Shell>
  )
}
