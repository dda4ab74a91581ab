import { useSignal } from '@preact/signals'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { BrushTaskBody, WireBrushTorrent, WireConsoleBrushTask } from '../../contract/console-brush.ts'
import {
  changeBrushTask,
  fetchBrushTasks,
  fetchBrushTorrents,
  fetchDownloaderSettings,
  fetchSiteSettings,
  removeBrushTask,
  runBrushTask,
} from '../api-client.ts'
import { BrushForm } from '../components/brush-form.tsx'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { Figure, Moment } from '../components/figure.tsx'
import { Bones } from '../components/list-states.tsx'
import { Loaded } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { StateMark } from '../components/state-mark.tsx'
import { Name } from '../components/torrent-name.tsx'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { eachOf } from '../model/reasons.ts'
import { siteLabel } from '../model/site-board.ts'
import { type Loaded as LoadedState, useResource } from '../resource.ts'
import { goTo } from '../router.ts'
import { useAfter } from '../use-after.ts'

const everyMs = 5000

type Tasks = LoadedState<{ readonly items: readonly WireConsoleBrushTask[] }>

function bodyOf(task: WireConsoleBrushTask, enabled: boolean): BrushTaskBody {
  const { name, site, downloader_id, every_minutes, rules } = task
  return { name, site, downloader_id, every_minutes, rules, enabled }
}

const marks = {
  on: ['m-on', 'good'],
  failed: ['m-bad', 'bad'],
  off: ['m-off', 'faint'],
  untried: ['m-guess', 'faint'],
} as const

function stateOf({ enabled, site_enabled, last_at, last_error }: WireConsoleBrushTask): keyof typeof marks {
  if (!enabled || !site_enabled) return 'off'
  if (last_error !== undefined) return 'failed'
  return last_at === undefined ? 'untried' : 'on'
}

function Moved({ label, figures }: { label: string; figures: WireConsoleBrushTask['today'] }) {
  const text = words.value.brush
  return (
    <span class="dl-n small">
      <span class="faint">{label}</span>
      <span>
        <Icon name="up" small /> <span class="vh">{text.uploaded}</span>
        <Figure amount={bytesAmount(figures.uploaded)} />
      </span>
      <span>
        <Icon name="down" small /> <span class="vh">{text.downloaded}</span>
        <Figure amount={bytesAmount(figures.downloaded)} />
      </span>
      <span class="muted">{text.counts(grouped(figures.added), grouped(figures.removed))}</span>
    </span>
  )
}

function Outcome({ task }: { task: WireConsoleBrushTask }) {
  const text = words.value.brush
  if (task.last_at === undefined) return <span class="faint small">{text.notYet}</span>
  return (
    <span class="small">
      {task.reason === undefined ? (
        text.lastOk
      ) : (
        <span class="bad">
          {text.lastFailed}
          {': '}
          {eachOf(task.reason).map((reason, at) => (
            <span key={JSON.stringify(reason)}>
              {at === 0 ? null : <br />}
              <ReasonWords reason={reason} todo />
            </span>
          ))}
        </span>
      )}{' '}
      <span class="faint">
        <Moment seconds={task.last_at} />
      </span>
    </span>
  )
}

function Row(props: {
  task: WireConsoleBrushTask
  site: string
  onRun: () => void
  onSwitch: () => void
  onRemove: () => void
}) {
  const { task } = props
  const text = words.value.brush
  const state = stateOf(task)
  const [mark, tone] = marks[state]
  return (
    <li class={state === 'off' ? 'dl off' : 'dl'}>
      <div class="dl-h">
        <span class={tone}>
          <Icon name={mark} />
        </span>
        <span class="vh">{text.states[state]}</span>
        <a href={`#/brush/${task.id}`}>
          <b>{task.name}</b>
        </a>
        <span class="faint cut">
          {props.site} · {task.downloader === '' ? text.noDownloader : task.downloader}
        </span>
        {task.enabled ? null : <span class="tag guess">{text.offTag}</span>}
        {task.site_enabled ? null : <span class="tag guess">{text.siteOffTag}</span>}
      </div>
      <div class="dl-b">
        <span class="small">
          {text.holds(grouped(task.active), grouped(task.downloading), joined(bytesAmount(task.active_size)))}
        </span>
        <Moved label={text.today} figures={task.today} />
        <Moved label={text.total} figures={task.total} />
        <Outcome task={task} />
      </div>
      <div class="btns">
        <button
          class="btn"
          type="button"
          disabled={!task.enabled}
          aria-label={`${text.run} ${task.name}`}
          onClick={props.onRun}
        >
          <Icon name="play" />
          {text.run}
        </button>
        <button
          class="btn quiet"
          type="button"
          aria-label={`${task.enabled ? text.turnOff : text.turnOn} ${task.name}`}
          onClick={props.onSwitch}
        >
          {task.enabled ? text.turnOff : text.turnOn}
        </button>
        <button
          class="btn danger quiet"
          type="button"
          aria-label={`${text.remove} ${task.name}`}
          onClick={props.onRemove}
        >
          <Icon name="trash" />
          <span class="wide-only">{text.remove}…</span>
        </button>
      </div>
    </li>
  )
}

const torrentMarks: Readonly<Record<WireBrushTorrent['status'], readonly [IconName, string]>> = {
  taking: ['m-part', 'acc'],
  active: ['m-on', 'good'],
  removing: ['m-part', 'warn'],
  removed: ['m-done', 'faint'],
  gone: ['m-off', 'faint'],
  released: ['m-off', 'faint'],
  skipped: ['m-off', 'faint'],
  failed: ['m-bad', 'bad'],
}

function Torrents({ id }: { id: number }) {
  const text = words.value.brush
  const torrents = useResource(`brush-torrents ${id}`, (signal) => fetchBrushTorrents(id, signal), everyMs)
  return (
    <section class="sec">
      <header>
        <h2>{text.torrents}</h2>
      </header>
      <Loaded of={torrents} bones={3}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={text.noTorrents} body="" />
          ) : (
            <table class="fold brushed">
              <thead>
                <tr>
                  <th scope="col">{words.value.torrents.columns.title}</th>
                  <th scope="col">{text.state}</th>
                  <th scope="col" class="num">
                    {words.value.torrents.columns.size}
                  </th>
                  <th scope="col" class="num">
                    {text.uploaded}
                  </th>
                  <th scope="col" class="num">
                    {text.taken}
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.items.map((one) => (
                  <tr key={one.torrent_id}>
                    <td class="name">
                      <Name name={one.title} />
                    </td>
                    <td class="nowrap">
                      <StateMark mark={torrentMarks[one.status][0]} tone={torrentMarks[one.status][1]}>
                        {one.status === 'active' && one.completed_at === undefined
                          ? text.downloading
                          : one.reason === undefined
                            ? text.statuses[one.status]
                            : text.because(text.statuses[one.status], text.reasons[one.reason])}
                      </StateMark>
                    </td>
                    <td class="num">
                      <Figure amount={bytesAmount(one.size)} />
                    </td>
                    <td class="num up">
                      <Icon name="up" small /> <Figure amount={bytesAmount(one.uploaded)} />
                    </td>
                    <td class="num muted wide-only">
                      <Moment seconds={one.taken_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </section>
  )
}

function FormScreen({ form, tasks, reload }: { form: 'new' | number; tasks: Tasks; reload: () => Promise<void> }) {
  const text = words.value.brush
  const sites = useResource('site-settings', fetchSiteSettings)
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  const stored = tasks.data?.items.find(({ id }) => id === form)
  const siteList = sites.state.value.data
  const downloaderList = downloaders.state.value.data
  const failure = tasks.failure ?? sites.state.value.failure ?? downloaders.state.value.failure
  return (
    <Shell screen="brush" title={form === 'new' ? text.addTitle : (stored?.name ?? text.title)}>
      <a class="link back" href="#/brush">
        {text.back}
      </a>
      {tasks.data === undefined || siteList === undefined || downloaderList === undefined ? (
        failure === undefined ? (
          <Bones />
        ) : (
          <FailureNote
            lead={words.value.common.loadFailed}
            failure={failure}
            retry={() => void Promise.all([reload(), sites.reload(), downloaders.reload()])}
          />
        )
      ) : form !== 'new' && stored === undefined ? (
        <Empty title={text.gone} body={text.emptyBody} />
      ) : siteList.items.length === 0 ? (
        <Empty title={text.noSites} body={text.noSitesBody}>
          <a class="btn" href="#/sites/new">
            <Icon name="plus" />
            {words.value.sites.add}
          </a>
        </Empty>
      ) : (
        <>
          {stored === undefined ? null : <Torrents id={stored.id} />}
          <div class="form-column">
            <BrushForm
              key={form}
              stored={stored}
              sites={siteList.items.filter(({ search }) => search)}
              downloaders={downloaderList.items}
              onSaved={() => {
                void reload()
                goTo('#/brush')
              }}
            />
          </div>
        </>
      )}
    </Shell>
  )
}

export function BrushPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.brush
  const tasks = useResource('brush-tasks', fetchBrushTasks, everyMs)
  const sites = useResource('site-settings', fetchSiteSettings)
  const removing = useSignal<WireConsoleBrushTask | undefined>(undefined)
  const { failure, after } = useAfter(tasks)
  const labelOf = (name: string) => {
    const site = sites.state.value.data?.items.find((one) => one.name === name)
    return site === undefined ? name : siteLabel(site)
  }

  if (form !== undefined) return <FormScreen form={form} tasks={tasks.state.value} reload={tasks.reload} />
  const add = (
    <a class="btn primary" href="#/brush/new">
      <Icon name="plus" />
      {text.add}
    </a>
  )
  return (
    <Shell screen="brush" title={words.value.screens.brush} tools={add}>
      <p class="muted lead">{text.lead}</p>
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      <Loaded of={tasks} bones={3}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={text.emptyTitle} body={text.emptyBody}>
              {add}
            </Empty>
          ) : (
            <ul class="dls brush">
              {data.items.map((task) => (
                <Row
                  key={task.id}
                  task={task}
                  site={labelOf(task.site)}
                  onRun={() => void runBrushTask(task.id).then(after)}
                  onSwitch={() => void changeBrushTask(task.id, bodyOf(task, !task.enabled)).then(after)}
                  onRemove={() => {
                    removing.value = task
                  }}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <ConfirmRemoval
        wanted={removing}
        title={text.confirmRemove}
        body={text.confirmRemoveBody}
        action={text.doRemove}
        remove={removeBrushTask}
        after={after}
      />
    </Shell>
  )
}
