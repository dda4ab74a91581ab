import { Icon } from '#shared/pages/icon.tsx'
import type { DownloaderBody, WireConsoleDownloader } from '../../contract/console.ts'
import type { WireDownloader } from '../../contract/downloaders.ts'
import { changeDownloader, fetchDownloaderSettings, fetchDownloaders, removeDownloader } from '../api/downloaders.ts'
import { DownloaderForm } from '../components/downloader-form.tsx'
import { Figure } from '../components/figure.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { ListScreen } from '../components/list-screen.tsx'
import { LoadFailure } from '../components/loaded.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { RowButtons } from '../components/row-buttons.tsx'
import { words } from '../locales/words.ts'
import { bytesAmount, joined, speedAmount } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

const statusEveryMs = 5000

function bodyOf(stored: WireConsoleDownloader, change: Partial<DownloaderBody>): DownloaderBody {
  const { name, type, address, username, enabled } = stored
  return { name, type, address, username, enabled, default: stored.default, ...change }
}

function Status({
  stored,
  live,
  known,
}: {
  stored: WireConsoleDownloader
  live: WireDownloader | undefined
  known: boolean
}) {
  const text = words.value.downloaders
  if (!stored.enabled) return <span class="faint small">{text.notAsked}</span>
  if (live === undefined) {
    return <span class="faint small">{known ? text.unknown : '…'}</span>
  }
  if (!live.reachable) {
    return (
      <span class="bad small">
        {text.unreachable}
        {live.reason === undefined ? null : (
          <>
            {': '}
            <ReasonWords reason={live.reason} plain />
          </>
        )}
      </span>
    )
  }
  return (
    <span class="dl-n small">
      <span>
        <Icon name="up" small /> <Figure amount={speedAmount(live.upload_speed)} />
      </span>
      <span>
        <Icon name="down" small /> <Figure amount={speedAmount(live.download_speed)} />
      </span>
      <span class="muted">{live.free_space < 0 ? '—' : text.freeShort(joined(bytesAmount(live.free_space)))}</span>
    </span>
  )
}

function Row(props: {
  stored: WireConsoleDownloader
  live: WireDownloader | undefined
  known: boolean
  onChange: (change: Partial<DownloaderBody>) => void
  onRemove: () => void
}) {
  const { stored, live } = props
  const text = words.value.downloaders
  const mark = !stored.enabled ? 'm-off' : live === undefined ? 'm-guess' : live.reachable ? 'm-on' : 'm-bad'
  const tone = mark === 'm-on' ? 'good' : mark === 'm-bad' ? 'bad' : 'faint'
  const word = !stored.enabled
    ? text.offTag
    : live === undefined
      ? text.unknown
      : live.reachable
        ? text.reachable
        : text.unreachable
  return (
    <li class={live?.reachable === false || !stored.enabled ? 'dl off' : 'dl'}>
      <div class="dl-h">
        <span class={tone}>
          <Icon name={mark} />
        </span>
        <span class="vh">{word}</span>
        <b>{stored.name}</b>
        <span class="faint">
          {text.kinds[stored.type]}
          {live?.version === undefined ? '' : ` ${live.version}`}
        </span>
        {stored.default ? <span class="tag on">{text.defaultTag}</span> : null}
        {stored.enabled ? null : <span class="tag guess">{text.offTag}</span>}
      </div>
      <div class="dl-b">
        <span class="mono small faint cut">{stored.address}</span>
        <Status stored={stored} live={live} known={props.known} />
      </div>
      <RowButtons
        isOfFile={stored.from_file}
        name={stored.name}
        text={text}
        editHash={`#/downloaders/${stored.id}`}
        onSwitch={{ isOn: stored.enabled, act: () => props.onChange({ enabled: !stored.enabled }) }}
        onDefault={stored.default ? undefined : () => props.onChange({ default: true })}
        onRemove={props.onRemove}
      />
    </li>
  )
}

export function DownloadersPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.downloaders
  const settings = useResource('downloader-settings', fetchDownloaderSettings)
  const live = useResource('downloaders', fetchDownloaders, statusEveryMs)
  const actions = useActions<WireConsoleDownloader>(settings, live)
  const { data } = settings.state.value
  const status = live.state.value

  if (form !== undefined) {
    return (
      <FormScreen
        screen="downloaders"
        form={form}
        of={settings}
        listHash="#/downloaders"
        text={text}
        goneBody={text.emptyBody}
      >
        {({ data, ...row }) => <DownloaderForm {...row} first={data.items.length === 0} />}
      </FormScreen>
    )
  }
  return (
    <ListScreen
      screen="downloaders"
      of={settings}
      text={text}
      add="#/downloaders/new"
      actions={actions}
      remove={removeDownloader}
      beside={
        data === undefined || data.items.length < 2 ? null : (
          <p class="small">
            <a class="link" href="#/transfers">
              {words.value.transfers.heading}
            </a>
          </p>
        )
      }
      notes={
        data === undefined || data.items.length === 0 ? null : <LoadFailure of={live} lead={text.statusFailed} quiet />
      }
    >
      {({ items }) => (
        <ul class="dls">
          {items.map((stored) => (
            <Row
              key={stored.id}
              stored={stored}
              live={status.data?.items.find((item) => item.id === stored.id)}
              known={status.data !== undefined || status.failure !== undefined}
              onChange={(change) => void changeDownloader(stored.id, bodyOf(stored, change)).then(actions.after)}
              onRemove={() => {
                actions.removing.value = stored
              }}
            />
          ))}
        </ul>
      )}
    </ListScreen>
  )
}
