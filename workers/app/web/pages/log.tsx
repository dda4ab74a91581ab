import { Icon } from '#shared/pages/icon.tsx'
import type { WireAuditEntry } from '../../contract/console.ts'
import { fetchAudit } from '../api/account.ts'
import { ListScreen } from '../components/list-screen.tsx'
import { Pager } from '../components/pager.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { StateMark } from '../components/state-mark.tsx'
import { type Column, Table } from '../components/table.tsx'
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

/** What it was about: the act where the command does not say it, and the names. */
function About({ deed, names, more }: NonNullable<WireAuditEntry['about']>) {
  const text = words.value.log
  const deeds: Readonly<Record<string, string>> = text.deeds
  const said = [
    deed === undefined ? undefined : (deeds[deed] ?? deed),
    names.join(language.value === 'zh' ? '、' : ', '),
  ]
  const line = said.filter((part) => part !== undefined && part !== '').join(language.value === 'zh' ? '：' : ': ')
  return (
    <span class="sub small" title={line}>
      {line}
      {more === 0 ? null : <span class="muted"> {text.more(grouped(more))}</span>}
    </span>
  )
}

export function LogPage({ query }: { readonly query: URLSearchParams }) {
  const text = words.value.log
  const asked = Number(query.get('page') ?? '1')
  const page = Number.isInteger(asked) && asked >= 1 && asked <= 1_000_000 ? asked : 1
  const audit = useResource(`audit ${page}`, (signal) => fetchAudit(page, rowsPerPage, signal))
  const { data } = audit.state.value
  const columns: readonly Column<WireAuditEntry>[] = [
    {
      head: text.time,
      td: 'nowrap muted',
      cell: ({ at }) => <time dateTime={new Date(at * 1000).toISOString()}>{exactMoment(at, language.value)}</time>,
    },
    {
      head: text.command,
      td: 'name mono',
      cell: ({ command, about }) => (
        <>
          <span class="cut" title={command}>
            {command}
          </span>
          {about === undefined ? null : <About {...about} />}
        </>
      ),
    },
    {
      head: text.who,
      td: 'nowrap',
      cell: ({ user, channel }) => (
        <>
          {user === 'session' ? text.byOwner : user}{' '}
          {channel === 'ai_assistant' ? <span class="tag">{text.byAssistant}</span> : null}
        </>
      ),
    },
    {
      head: text.result,
      cell: ({ result, status, reason }) => (
        <>
          <Outcome result={result} />
          {status === undefined ? null : <span class="faint"> {status}</span>}
          {reason === undefined ? null : (
            <span class="sub small muted">
              <ReasonWords reason={reason} />
            </span>
          )}
        </>
      ),
    },
    {
      head: text.took,
      th: 'num',
      td: 'num faint wide-only',
      cell: ({ latency_ms: ms }) => (ms === undefined ? '—' : text.ms(ms)),
    },
  ]
  const rows = (items: readonly WireAuditEntry[]) => (
    <>
      <Table class="log" columns={columns} rows={items} keyOf={({ id }) => id} />
      <Pager
        page={page}
        pageSize={rowsPerPage}
        total={data?.total ?? 0}
        onPage={(next) => goTo(next === 1 ? '#/log' : `#/log?page=${next}`)}
      />
    </>
  )
  return (
    <ListScreen
      screen="log"
      of={audit}
      text={text}
      skeletonRows={6}
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
      empty={page === 1 ? undefined : rows([])}
    >
      {({ items }) => rows(items)}
    </ListScreen>
  )
}
