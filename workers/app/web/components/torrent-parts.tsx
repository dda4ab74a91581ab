import { SelectField, TextField } from '#shared/pages/field.tsx'
import { Icon, type IconName } from '#shared/pages/icon.tsx'
import type { WireTorrent, WireTorrentDetails } from '../../contract/torrents.ts'
import { pushCategoryCharactersMax, pushTagsCharactersMax, savePathBytesMax } from '../../limits.ts'
import type { TorrentChange } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { joined, percentText, speedAmount } from '../model/amounts.ts'
import { useForm } from '../use-form.ts'
import { areLimits, LimitFields, limitsOf, typedLimit } from './limit-fields.tsx'
import { StateMark } from './state-mark.tsx'

const trackerMarks: Readonly<Record<WireTorrentDetails['trackers'][number]['state'], readonly [IconName, string]>> = {
  working: ['m-on', 'good'],
  updating: ['m-guess', 'acc'],
  waiting: ['m-guess', 'faint'],
  error: ['m-bad', 'bad'],
  off: ['m-off', 'faint'],
}

export function Trackers({ trackers }: { trackers: WireTorrentDetails['trackers'] }) {
  const text = words.value.torrent
  if (trackers.length === 0) return <p class="faint">{text.noTrackers}</p>
  return (
    <ul class="rows small">
      {trackers.map((tracker) => {
        const [mark, tone] = trackerMarks[tracker.state]
        return (
          <li key={tracker.host}>
            <span class="grow">
              <span class="t mono brk">{tracker.host}</span>
              {tracker.said === undefined ? null : <span class="s brk">{tracker.said}</span>}
            </span>
            {tracker.seeds === undefined && tracker.peers === undefined ? null : (
              <span class="faint num">{`${tracker.seeds ?? '—'} / ${tracker.peers ?? '—'}`}</span>
            )}
            <StateMark mark={mark} tone={tone}>
              {text.trackerStates[tracker.state]}
            </StateMark>
          </li>
        )
      })}
    </ul>
  )
}

export function Peers({ peers }: { peers: WireTorrentDetails['peers'] }) {
  const text = words.value.torrent
  if (peers.length === 0) return <p class="faint">{text.noPeers}</p>
  return (
    <ul class="rows small">
      {peers.map((peer) => (
        <li key={peer.address}>
          <span class="grow">
            <span class="t mono brk">{peer.address}</span>
            <span class="s">{peer.client}</span>
          </span>
          <span class="num">{`${percentText(peer.progress)}\u00a0%`}</span>
          <span class="num faint">
            <Icon name="up" small /> {joined(speedAmount(peer.upload_speed))} <Icon name="down" small />{' '}
            {joined(speedAmount(peer.download_speed))}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Each part is sent by itself: what was not touched is not written. */
export function Changes(props: {
  torrent: WireTorrent
  details: WireTorrentDetails | undefined
  categories: readonly string[]
  onChange: (change: TorrentChange) => Promise<boolean>
}) {
  const { torrent, details } = props
  const text = words.value.torrent
  const stored = {
    category: torrent.category ?? '',
    tags: torrent.tags ?? '',
    path: torrent.save_path ?? '',
    upload: typedLimit(details?.upload_limit),
    download: typedLimit(details?.download_limit),
  }
  const form = useForm(stored, { asks: false })
  const { category, tags, path, upload, download } = form.values
  const isRight = areLimits(form.values) && path.trim() !== ''
  const changes: TorrentChange[] = [
    ...(category.trim() === stored.category ? [] : [{ kind: 'category', category: category.trim() } as const]),
    ...(tags.trim() === stored.tags ? [] : [{ kind: 'tags', tags: tags.trim() } as const]),
    ...(path.trim() === stored.path ? [] : [{ kind: 'move', save_path: path.trim() } as const]),
    ...(upload.trim() === stored.upload && download.trim() === stored.download
      ? []
      : [{ kind: 'limits', ...limitsOf(form.values) } as const]),
  ]
  return (
    <form
      class="su-form"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        void form.run('change', isRight, async () => {
          for (const change of changes) if (!(await props.onChange(change))) return
        })
      }}
    >
      <div class="two-f">
        <TextField
          label={words.value.torrents.category}
          {...form.typed('category')}
          maxLength={pushCategoryCharactersMax}
          choices={props.categories}
        />
        <TextField label={words.value.torrents.tags} {...form.typed('tags')} maxLength={pushTagsCharactersMax} />
      </div>
      <TextField
        label={text.folder}
        {...form.typed('path')}
        maxLength={savePathBytesMax}
        hint={text.folderHint}
        error={form.wrong(path.trim() === '', text.folderNeeded)}
      />
      <LimitFields form={form} />
      <div class="btns">
        <button class="btn" type="submit" aria-disabled={form.busy === undefined ? undefined : 'true'}>
          {text.change}
        </button>
        <SelectField
          label={text.queue}
          value=""
          options={[
            { value: '', label: text.queueStays },
            ...(['top', 'up', 'down', 'bottom'] as const).map((place) => ({ value: place, label: text.places[place] })),
          ]}
          onChoose={(place) => {
            const chosen = (['top', 'up', 'down', 'bottom'] as const).find((one) => one === place)
            if (chosen !== undefined) void props.onChange({ kind: 'queue', place: chosen })
          }}
        />
      </div>
    </form>
  )
}
