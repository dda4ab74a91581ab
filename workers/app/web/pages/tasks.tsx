import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireTask } from '../../contract/tasks.ts'
import { fetchTasks } from '../api/search.ts'
import { CloseButton } from '../components/close-button.tsx'
import { Figure, Meter, Moment } from '../components/figure.tsx'
import { FindBox, useTyped } from '../components/find-box.tsx'
import { List } from '../components/loaded.tsx'
import { Pager } from '../components/pager.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { type Column, Table } from '../components/table.tsx'
import { TaskState } from '../components/task-state.tsx'
import { Name } from '../components/torrent-name.tsx'
import { useListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped } from '../model/amounts.ts'
import { siteLabel } from '../model/site-board.ts'
import {
  everyTask,
  isTaskFiltered,
  readTaskQuery,
  type TaskQuery,
  taskHash,
  taskParameters,
  taskRowsPerPage,
} from '../model/task-query.ts'
import { useResource } from '../resource.ts'
import { goTo, replaceAddress } from '../router.ts'
import { useNamed, useSites } from '../use-sites.ts'

const everyMs = 5000

function Progress({ task }: { task: WireTask }) {
  const isRunning = task.pushed && !task.completed
  return (
    <>
      <TaskState task={task} />
      {isRunning ? <Meter percent={task.progress} tone={task.reason === undefined ? 'f' : 'b'} /> : null}
    </>
  )
}

function TaskDetails({ task, label, onClose }: { task: WireTask; label: string; onClose: () => void }) {
  const text = words.value.tasks
  const search = words.value.search
  const torrents = words.value.torrents
  return (
    <Dialog title={task.title} look="wide" onClose={onClose}>
      <dl class="kv">
        <dt>{text.state}</dt>
        <dd>
          <TaskState task={task} />
        </dd>
        {task.reason === undefined ? null : (
          <>
            <dt>{text.error}</dt>
            <dd>
              <ReasonWords reason={task.reason} todo />
            </dd>
          </>
        )}
        <dt>{search.columns.site}</dt>
        <dd>{label}</dd>
        <dt>{text.torrentId}</dt>
        <dd class="mono">{task.torrent_id}</dd>
        <dt>{torrents.columns.size}</dt>
        <dd>{task.size === 0 ? search.unknown : <Figure amount={bytesAmount(task.size)} />}</dd>
        <dt>{torrents.downloader}</dt>
        <dd>{task.downloader ?? '—'}</dd>
        {task.category === undefined || task.category === '' ? null : (
          <>
            <dt>{torrents.category}</dt>
            <dd>{task.category}</dd>
          </>
        )}
        {task.tags === undefined || task.tags === '' ? null : (
          <>
            <dt>{torrents.tags}</dt>
            <dd>{task.tags}</dd>
          </>
        )}
        <dt>{search.discount}</dt>
        <dd>
          {task.free ? <span class="good">{text.free}</span> : text.notFree}
          {task.free_end === 'unknown' ? <span class="faint"> {search.endUnknown}</span> : null}
          {task.free_ending === undefined ? null : <span class="warn"> {text.freeEndings[task.free_ending]}</span>}
          {task.free_end_at === undefined ? null : (
            <>
              {' '}
              {search.until} <Moment seconds={task.free_end_at} />
            </>
          )}
        </dd>
        <dt>H&amp;R</dt>
        <dd>{task.has_hr ? <span class="warn">{search.hasHr}</span> : search.noHr}</dd>
        {task.source === undefined ? null : (
          <>
            <dt>{text.source}</dt>
            <dd>{text.sources[task.source]}</dd>
          </>
        )}
        <dt>{text.created}</dt>
        <dd>
          <Moment seconds={task.created_at} />
        </dd>
        <dt>{text.pushedAt}</dt>
        <dd>
          <Moment seconds={task.pushed_at} />
        </dd>
        <dt>{torrents.columns.completed_at}</dt>
        <dd>
          <Moment seconds={task.completed_at} />
        </dd>
      </dl>
      <div class="btns ends-right">
        <CloseButton onClose={onClose} />
      </div>
    </Dialog>
  )
}

function columnsOf(labelOf: (site: string) => string, onOpen: (id: number) => void): readonly Column<WireTask>[] {
  const text = words.value.tasks
  const torrents = words.value.torrents
  return [
    {
      head: torrents.columns.title,
      td: 'name',
      cell: (task) => (
        <>
          <button class="row-open" type="button" title={task.title} onClick={() => onOpen(task.id)}>
            <Name name={task.title} />
          </button>
          <span class="sub">
            {task.reason === undefined ? (
              task.category === undefined || task.category === '' ? null : (
                <span class="faint cut">{task.category}</span>
              )
            ) : (
              <span class={task.pushed ? 'warn' : 'bad'}>
                <ReasonWords reason={task.reason} todo />
              </span>
            )}
            {task.free ? <span class="tag on">{text.free}</span> : null}
            {task.free_ending === undefined || task.completed ? null : (
              <span class="tag warn">{text.freeEndings[task.free_ending]}</span>
            )}
            {task.has_hr ? <span class="tag warn">H&amp;R</span> : null}
          </span>
        </>
      ),
    },
    { head: words.value.search.columns.site, td: 'nowrap', cell: ({ site }) => labelOf(site) },
    {
      head: torrents.columns.size,
      th: 'num',
      td: 'num',
      cell: ({ size }) => (size === 0 ? '—' : <Figure amount={bytesAmount(size)} />),
    },
    { head: torrents.downloader, td: 'nowrap muted', cell: ({ downloader }) => downloader ?? '—' },
    {
      head: text.source,
      th: 'mid',
      td: 'nowrap muted wide-only mid',
      cell: ({ source }) => (source === undefined ? '—' : text.sources[source]),
    },
    { head: text.state, td: 'nowrap pg', cell: (task) => <Progress task={task} /> },
    {
      head: text.created,
      th: 'num',
      td: 'num muted wide-only',
      cell: (task) => <Moment seconds={task.created_at} />,
    },
  ]
}

export function TasksPage({ query: search }: { readonly query: URLSearchParams }) {
  const text = words.value.tasks
  const query = useMemo(() => readTaskQuery(search), [search])
  const parameters = taskParameters(query)
  const known = useSites()
  const { settings, labelOf } = known
  const tasks = useNamed(
    useResource(parameters.toString(), (signal) => fetchTasks(taskParameters(query), signal), everyMs),
    known,
  )
  const openId = useSignal<number | undefined>(undefined)
  const [typed, onTyped] = useTyped(query.words, (next) => replaceAddress(taskHash({ ...query, words: next, page: 1 })))
  const { data } = tasks.state.value
  const isOwn = tasks.isOwn()
  const sites = settings.state.value.data?.items ?? []
  const go = (next: Partial<TaskQuery>) => goTo(taskHash({ ...query, page: 1, ...next }))
  const open = data?.items.find((task) => task.id === openId.value)
  const columns = columnsOf(labelOf, (id) => {
    openId.value = id
  })
  useListKeys()
  const total = isOwn ? data?.total : undefined
  useEffect(() => {
    const last = Math.max(1, Math.ceil((total ?? 0) / taskRowsPerPage))
    if (total !== undefined && total > 0 && query.page > last) replaceAddress(taskHash({ ...query, page: last }))
  }, [total, query])

  const siteSelect = (
    <select
      class="input dl-sel"
      aria-label={text.siteFilter}
      value={query.site}
      onChange={(event) => go({ site: event.currentTarget.value })}
    >
      <option value="">{words.value.search.allSites}</option>
      {query.site === '' || sites.some((one) => one.name === query.site) ? null : (
        <option value={query.site}>{query.site}</option>
      )}
      {sites.map((one) => (
        <option key={one.id} value={one.name}>
          {siteLabel(one)}
        </option>
      ))}
    </select>
  )
  return (
    <Shell
      screen="tasks"
      title={words.value.screens.tasks}
      tight
      facts={data === undefined || !isOwn ? undefined : <span class="faint small">{grouped(data.total)}</span>}
      tools={<FindBox inBar label={words.value.torrents.find} maxLength={100} value={typed.value} onText={onTyped} />}
    >
      <div class="phone-only">
        <FindBox label={words.value.torrents.find} maxLength={100} value={typed.value} onText={onTyped} />
      </div>
      <div class="btns">
        {siteSelect}
        <button
          class="opt"
          type="button"
          aria-pressed={query.pushedOnly}
          onClick={() => go({ pushedOnly: !query.pushedOnly })}
        >
          {text.pushedOnly}
        </button>
      </div>
      <List
        of={tasks}
        empty={
          isTaskFiltered(query) ? (
            <Empty title={words.value.torrents.noMatch} body={text.noMatchBody}>
              <a class="btn" href={taskHash(everyTask)}>
                {words.value.torrents.clearFilters}
              </a>
            </Empty>
          ) : (
            <Empty title={text.emptyTitle} body={text.emptyBody}>
              <a class="btn primary" href="#/search">
                <Icon name="search" />
                {words.value.screens.search}
              </a>
            </Empty>
          )
        }
      >
        {({ items, total }) => (
          <>
            <Table class="tasks" columns={columns} rows={items} keyOf={({ id }) => id} isBusy={!isOwn} />
            <Pager page={query.page} pageSize={taskRowsPerPage} total={total} onPage={(page) => go({ page })} />
          </>
        )}
      </List>
      {open === undefined ? null : (
        <TaskDetails task={open} label={labelOf(open.site)} onClose={setting(openId, undefined)} />
      )}
    </Shell>
  )
}
