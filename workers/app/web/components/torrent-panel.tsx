/** One torrent whole: what it is, its files, its trackers and who is connected, and what can be changed about it. */
import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireTorrent } from '../../contract/torrents.ts'
import { fetchTorrent } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import { torrentPageHash } from '../model/hash-route.ts'
import { useResource } from '../resource.ts'
import { useTorrentChange } from '../use-torrent-change.tsx'
import { CloseButton } from './close-button.tsx'
import { LoadFailure } from './loaded.tsx'
import { AllFacts } from './torrent-facts.tsx'
import { Files } from './torrent-files.tsx'
import { Changes, Peers, Trackers } from './torrent-parts.tsx'

const againMs = 3000
const tabs = ['facts', 'files', 'trackers', 'peers', 'change'] as const
type Tab = (typeof tabs)[number]

export function TorrentPanel(props: {
  torrent: WireTorrent
  categories: readonly string[]
  onChanged: () => Promise<unknown>
  onClose: () => void
}) {
  const text = words.value.torrent
  const { downloader_id, task_id } = props.torrent
  const loaded = useResource(`${downloader_id}/${task_id}`, (signal) => fetchTorrent(props.torrent, signal), againMs)
  const details = loaded.state.value.data
  const torrent = details?.torrent ?? props.torrent
  const tab = useSignal<Tab>('facts')
  const { change, outcome } = useTorrentChange(props.torrent, () => Promise.all([loaded.reload(), props.onChanged()]))

  return (
    <Dialog title={torrent.title} look="wide" onClose={props.onClose}>
      <div class="btns">
        <button class="btn" type="button" onClick={() => void change({ kind: 'recheck' })}>
          <Icon name="check" />
          {text.recheck}
        </button>
        <button class="btn" type="button" onClick={() => void change({ kind: 'reannounce' })}>
          <Icon name="refresh" />
          {text.reannounce}
        </button>
        <a class="btn" href={torrentPageHash(props.torrent)}>
          <Icon name="torrent" />
          {text.ownPage}
        </a>
      </div>
      {outcome}
      <LoadFailure of={loaded} lead={text.detailsFailed} />
      <fieldset class="tabs" aria-label={text.parts}>
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            aria-current={tab.value === one ? 'true' : undefined}
            onClick={() => {
              tab.value = one
            }}
          >
            {text.tabs[one]}
            {details === undefined || one === 'facts' || one === 'change' ? null : (
              <span class="n">{grouped(details[one].length)}</span>
            )}
          </button>
        ))}
      </fieldset>
      {tab.value === 'facts' ? (
        <AllFacts torrent={torrent} details={details} />
      ) : details === undefined ? (
        <p class="faint">{text.reading}</p>
      ) : tab.value === 'files' ? (
        <Files
          files={details.files}
          onPriority={(indexes, priority) => change({ kind: 'files', indexes: [...indexes], priority })}
        />
      ) : tab.value === 'trackers' ? (
        <Trackers trackers={details.trackers} />
      ) : tab.value === 'peers' ? (
        <Peers peers={details.peers} />
      ) : (
        <Changes torrent={torrent} details={details} categories={props.categories} onChange={change} />
      )}
      <div class="btns ends-right">
        <CloseButton onClose={props.onClose} />
      </div>
    </Dialog>
  )
}
