import { Icon, type IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { BrushTaskBody, WireBrushTorrent, WireConsoleBrushTask } from '../../contract/console-brush.ts'
import {
  changeBrushTask,
  fetchBrushTasks,
  fetchBrushTorrents,
  removeBrushTask,
  runBrushTask,
} from '../api/automation.ts'
import { fetchDownloaderSettings } from '../api/downloaders.ts'
import { fetchSiteSettings } from '../api/sites.ts'
import { BrushForm } from '../components/brush-form.tsx'
import { BrushLeft } from '../components/brush-left.tsx'
import { Decision } from '../components/clauses.tsx'
import { DecidedRow } from '../components/decided-row.tsx'
import { Figure, Moment } from '../components/figure.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { ListScreen } from '../components/list-screen.tsx'
import { List, Loaded } from '../components/loaded.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { RunRow, type RunState, runState } from '../components/run-row.tsx'
import { Section } from '../components/section.tsx'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { eachOf } from '../model/reasons.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'
import { useNamed, useSites } from '../use-sites.ts'

const everyMs = 5000

function bodyOf(task: WireConsoleBrushTask, enabled: boolean): BrushTaskBody {
  const { name, site, downloader_id, every_minutes, rules } = task
  return { name, site, downloader_id, every_minutes, rules, enabled }
}

function stateOf({ enabled, site_enabled, last_at, last_error }: WireConsoleBrushTask): RunState {
  return runState({
    isOn: enabled && site_enabled,
    hasRun: last_at !== undefined,
    failed: last_error !== undefined,
  })
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
  if (task.last_at === undefined) return <span class="faint small">{task.has_begun ? text.firstRun : text.notYet}</span>
  return (
    <span class="small">
      {task.reason === undefined ? (
        <>
          {text.lastOk}
          {task.today.added === 0 ? <span class="warn">{text.tookNothing}</span> : null}
        </>
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
  return (
    <RunRow
      row={task}
      screen="brush"
      state={stateOf(task)}
      place={`${props.site} · ${task.downloader === '' ? text.noDownloader : task.downloader}`}
      text={text}
      tags={{ off: text.offTag, siteOff: text.siteOffTag }}
      run={text.run}
      onRun={props.onRun}
      onSwitch={props.onSwitch}
      onRemove={props.onRemove}
    >
      <span class="small">
        {text.holds(grouped(task.active), grouped(task.downloading), joined(bytesAmount(task.active_size)))}
      </span>
      <Moved label={text.today} figures={task.today} />
      <Moved label={text.total} figures={task.total} />
      <Outcome task={task} />
    </RunRow>
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

function stateWords(one: WireBrushTorrent): string {
  const text = words.value.brush
  if (one.status === 'active' && one.completed_at === undefined) return text.downloading
  return one.reason === undefined
    ? text.statuses[one.status]
    : text.because(text.statuses[one.status], text.reasons[one.reason])
}

/** What was asked of it when it was taken, and by which figures it went. */
function Why({ of: one }: { of: WireBrushTorrent }) {
  const text = words.value.brush
  const { reason, removal } = one
  return (
    <>
      <Decision rule={text.picked} clauses={one.clauses} reason={undefined} isDecided />
      {reason === undefined || removal === undefined ? null : (
        <p class="small">
          {text.reasons[reason]}
          <span class="faint">
            {removal.asked === undefined ? null : ` · ${text.asked(text.measure(reason, removal.asked))}`}
            {` · ${text.wasThen(text.measure(reason, removal.found))}`}
          </span>
        </p>
      )}
    </>
  )
}

function TorrentRow({ of: one }: { of: WireBrushTorrent }) {
  const text = words.value.brush
  return (
    <DecidedRow
      mark={torrentMarks[one.status]}
      state={stateWords(one)}
      title={one.title}
      size={one.size}
      about={
        <>
          <Icon name="up" small /> <span class="vh">{text.uploaded}</span>
          <Figure amount={bytesAmount(one.uploaded)} /> · <span class="vh">{text.taken}</span>
          <Moment seconds={one.taken_at} />
        </>
      }
      why={one.clauses.length === 0 && one.removal === undefined ? undefined : () => <Why of={one} />}
    />
  )
}

function Torrents({ id }: { id: number }) {
  const text = words.value.brush
  const torrents = useResource(`brush-torrents ${id}`, (signal) => fetchBrushTorrents(id, signal), everyMs)
  return (
    <Section title={text.torrents}>
      <List of={torrents} skeletonRows={3} empty={<Empty title={text.noTorrents} body="" />}>
        {({ items }) => (
          <ul class="dls brushed">
            {items.map((one) => (
              <TorrentRow key={one.torrent_id} of={one} />
            ))}
          </ul>
        )}
      </List>
    </Section>
  )
}

/** What a task needs before it can be written down. */
function Fields(props: Omit<Parameters<typeof BrushForm>[0], 'sites' | 'downloaders'>) {
  const text = words.value.brush
  const sites = useResource('site-settings', fetchSiteSettings)
  const downloaders = useResource('downloader-settings', fetchDownloaderSettings)
  const noSites = (
    <Empty title={text.noSites} body={text.noSitesBody}>
      <a class="btn" href="#/sites/new">
        <Icon name="plus" />
        {words.value.sites.add}
      </a>
    </Empty>
  )
  return (
    <List of={sites} empty={noSites}>
      {({ items }) => (
        <Loaded of={downloaders}>
          {(known) => <BrushForm {...props} sites={items.filter(({ search }) => search)} downloaders={known.items} />}
        </Loaded>
      )}
    </List>
  )
}

export function BrushPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.brush
  const sites = useSites()
  const { labelOf } = sites
  const tasks = useNamed(useResource('brush-tasks', fetchBrushTasks, everyMs), sites)
  const actions = useActions<WireConsoleBrushTask>(tasks)

  if (form !== undefined) {
    return (
      <FormScreen
        screen="brush"
        form={form}
        of={tasks}
        listHash="#/brush"
        text={{ ...text, edit: text.title, editTitle: (name) => name }}
        goneBody={text.emptyBody}
        above={({ id }) => (
          <>
            <Torrents id={id} />
            <BrushLeft id={id} />
          </>
        )}
      >
        {({ data: _, ...row }) => <Fields {...row} />}
      </FormScreen>
    )
  }
  return (
    <ListScreen screen="brush" of={tasks} text={text} add="#/brush/new" actions={actions} remove={removeBrushTask}>
      {({ items }) => (
        <ul class="dls brush">
          {items.map((task) => (
            <Row
              key={task.id}
              task={task}
              site={labelOf(task.site)}
              onRun={() => void runBrushTask(task.id).then(actions.after)}
              onSwitch={() => void changeBrushTask(task.id, bodyOf(task, !task.enabled)).then(actions.after)}
              onRemove={() => {
                actions.removing.value = task
              }}
            />
          ))}
        </ul>
      )}
    </ListScreen>
  )
}
