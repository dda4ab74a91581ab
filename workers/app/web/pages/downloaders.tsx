import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { DownloaderBody, WireConsoleDownloader } from '../../contract/console.ts'
import type { WireDownloader } from '../../contract/downloaders.ts'
import { changeDownloader, fetchDownloaderSettings, fetchDownloaders, removeDownloader } from '../api-client.ts'
import { ConfirmRemoval } from '../components/confirm-removal.tsx'
import { DownloaderForm } from '../components/downloader-form.tsx'
import { Figure } from '../components/figure.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { Loaded } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { bytesAmount, joined, speedAmount } from '../model/amounts.ts'
import { useResource } from '../resource.ts'
import { useAfter } from '../use-after.ts'

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
      <div class="btns">
        <a class="btn" href={`#/downloaders/${stored.id}`} aria-label={`${text.edit} ${stored.name}`}>
          {text.edit}
        </a>
        <button class="btn quiet" type="button" onClick={() => props.onChange({ enabled: !stored.enabled })}>
          {stored.enabled ? text.turnOff : text.turnOn}
        </button>
        {stored.default ? null : (
          <button class="btn quiet" type="button" onClick={() => props.onChange({ default: true })}>
            {text.makeDefault}
          </button>
        )}
        <button
          class="btn danger quiet"
          type="button"
          aria-label={`${text.remove} ${stored.name}`}
          onClick={props.onRemove}
        >
          <Icon name="trash" />
          <span class="wide-only">{text.remove}…</span>
        </button>
      </div>
    </li>
  )
}

export function DownloadersPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.downloaders
  const settings = useResource('downloader-settings', fetchDownloaderSettings)
  const live = useResource('downloaders', fetchDownloaders, statusEveryMs)
  const removing = useSignal<WireConsoleDownloader | undefined>(undefined)
  const { failure, after } = useAfter(settings, live)
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
    <Shell
      screen="downloaders"
      title={words.value.screens.downloaders}
      tools={
        <a class="btn primary" href="#/downloaders/new">
          <Icon name="plus" />
          {text.add}
        </a>
      }
    >
      {failure.value === undefined ? null : <FailureNote failure={failure.value} />}
      {status.failure === undefined || data === undefined || data.items.length === 0 ? null : (
        <FailureNote lead={text.statusFailed} failure={status.failure} retry={() => void live.reload()} role="status" />
      )}
      <Loaded of={settings} bones={3}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={text.emptyTitle} body={text.emptyBody}>
              <a class="btn" href="#/downloaders/new">
                <Icon name="plus" />
                {text.add}
              </a>
            </Empty>
          ) : (
            <ul class="dls">
              {data.items.map((stored) => (
                <Row
                  key={stored.id}
                  stored={stored}
                  live={status.data?.items.find((item) => item.id === stored.id)}
                  known={status.data !== undefined || status.failure !== undefined}
                  onChange={(change) => void changeDownloader(stored.id, bodyOf(stored, change)).then(after)}
                  onRemove={() => {
                    removing.value = stored
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
        remove={removeDownloader}
        after={after}
      />
    </Shell>
  )
}
