/** A page for one torrent: how it stands and what to do about that, its parts, and what was done about it and why. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { WireTorrentDetails } from '../../contract/torrents.ts'
import { fetchTorrent } from '../api/downloaders.ts'
import { Confirm } from '../components/confirm.tsx'
import { Figure } from '../components/figure.tsx'
import { Letter } from '../components/letter.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Neighbours } from '../components/neighbours.tsx'
import { type MenuItem, type MenuPlace, RowMenu } from '../components/row-menu.tsx'
import { Shell } from '../components/shell.tsx'
import { TorrentEvents } from '../components/torrent-events.tsx'
import { Facts } from '../components/torrent-facts.tsx'
import { Files } from '../components/torrent-files.tsx'
import { Changes, Peers, Trackers } from '../components/torrent-parts.tsx'
import { TorrentSpeed } from '../components/torrent-speed.tsx'
import { State, TimeLeft } from '../components/torrent-table.tsx'
import { useKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, percentText, ratioText, speedAmount } from '../model/amounts.ts'
import { type TorrentPart, torrentPageHash, torrentParts } from '../model/hash-route.ts'
import { type SpeedSample, withSample } from '../model/speed-samples.ts'
import type { Deed } from '../model/torrent-undo.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'
import { placeInTrail, torrentTrail } from '../torrent-trail.ts'
import { useTorrentChange } from '../use-torrent-change.tsx'

const againMs = 3000

interface PageAction extends MenuItem {
  /** As it stands on the button. */
  readonly key?: string
}

/** As the browser calls those that are not called as they stand on a button. */
const keyNames: Readonly<Record<string, string>> = { Del: 'delete' }

/** What holds it up, in the words of whoever said it, and what usually helps. */
function Remedy({ torrent, onDo }: { torrent: WireTorrentDetails['torrent']; onDo: (deed: Deed) => void }) {
  const text = words.value.torrent
  const { condition, condition_said } = torrent
  const remedy =
    condition === 'missing_files' || condition === 'local_error'
      ? 'recheck'
      : condition === 'tracker_error' || condition === 'tracker_warning' || condition === 'no_peers'
        ? 'reannounce'
        : undefined
  if (condition === undefined || remedy === undefined) return null
  return (
    <Note
      tone={condition === 'tracker_warning' || condition === 'no_peers' ? 'warn' : 'bad'}
      action={
        <button class="link-button" type="button" onClick={() => onDo({ kind: remedy })}>
          {text[remedy]}
        </button>
      }
    >
      <b>{text.conditions[condition]}</b>
      {condition_said === undefined ? null : `: ${condition_said}`}
    </Note>
  )
}

function Figures({ torrent }: { torrent: WireTorrentDetails['torrent'] }) {
  const text = words.value.torrents
  const done = joined(bytesAmount((torrent.size * torrent.progress) / 100))
  return (
    <dl class="figures">
      <div class="fig">
        <dt>{text.columns.progress}</dt>
        <dd class="v">
          {percentText(torrent.progress)}
          <span class="unit">{'\u00a0%'}</span>
        </dd>
        <dd class="d">{words.value.torrentPage.doneOf(done, joined(bytesAmount(torrent.size)))}</dd>
      </div>
      {(['download_speed', 'upload_speed'] as const).map((name) => (
        <div class="fig" key={name}>
          <dt>{text.columns[name]}</dt>
          <dd class="v">
            <Figure amount={speedAmount(torrent[name])} />
          </dd>
          <dd class="d">{'\u00a0'}</dd>
        </div>
      ))}
      <div class="fig">
        <dt>{text.columns.ratio}</dt>
        <dd class="v">{ratioText(torrent.ratio)}</dd>
        <dd class="d">{`${text.columns.seeds} ${torrent.seeds} / ${torrent.peers}`}</dd>
      </div>
      <div class="fig">
        <dt>{text.columns.eta}</dt>
        <dd class="v">
          <TimeLeft torrent={torrent} />
        </dd>
        <dd class="d">{'\u00a0'}</dd>
      </div>
    </dl>
  )
}

export function TorrentPage(props: { downloaderId: number; taskId: string; part: TorrentPart }) {
  const target = { downloader_id: props.downloaderId, task_id: props.taskId }
  const text = words.value.torrent
  const list = words.value.torrents
  const own = words.value.torrentPage
  const key = `${props.downloaderId}/${props.taskId}`
  const loaded = useResource(key, (signal) => fetchTorrent(target, signal), againMs)
  const { change, save, outcome } = useTorrentChange(target, () => loaded.reload())
  const asked = useSignal<'delete' | 'delete_with_files' | undefined>(undefined)
  const samples = useSignal<readonly SpeedSample[]>([])
  const details = loaded.isOwn() ? loaded.state.value.data : undefined
  const torrent = details?.torrent
  useEffect(() => {
    samples.value = []
  }, [key, samples])
  useEffect(() => {
    if (torrent === undefined) return
    const { upload_speed: up, download_speed: down } = torrent
    samples.value = withSample(samples.peek(), { atMs: Date.now(), up, down })
  }, [torrent, samples])
  const trail = torrentTrail.value
  const listHash = trail?.hash ?? '#/torrents'
  const place = placeInTrail(trail, target)
  const menu = useSignal<MenuPlace | undefined>(undefined)
  const isHeld = torrent?.state === 'paused' || torrent?.state === 'stopped'
  const question = asked.value
  const usual: readonly PageAction[] = [
    {
      label: isHeld ? list.resume : list.pause,
      icon: isHeld ? 'play' : 'pause',
      key: isHeld ? 'R' : 'P',
      act: () => void change(isHeld ? 'resume' : 'pause'),
    },
    { label: text.reannounce, icon: 'refresh', key: 'N', act: () => void change({ kind: 'reannounce' }) },
    { label: text.recheck, icon: 'check', key: 'C', act: () => void change({ kind: 'recheck' }) },
  ]
  const rare: readonly PageAction[] = [
    { label: own.saveFile, icon: 'file', key: 'E', act: () => void save(torrent?.title ?? props.taskId) },
    {
      label: `${list.remove}${list.removeKeep}…`,
      icon: 'close',
      key: 'Del',
      act: () => {
        asked.value = 'delete'
      },
    },
    {
      label: `${list.deleteFiles}${list.deleteFilesWide}…`,
      icon: 'trash',
      isDanger: true,
      act: () => {
        asked.value = 'delete_with_files'
      },
    },
  ]
  useKeys(
    torrent === undefined
      ? {}
      : Object.fromEntries([...usual, ...rare].map(({ key = '', act }) => [keyNames[key] ?? key.toLowerCase(), act])),
  )
  const tags = (torrent?.tags ?? '').split(',').filter((tag) => tag.trim() !== '')

  return (
    <Shell screen="torrents" title={words.value.screens.torrents}>
      <div class="between">
        <a class="link back" href={listHash}>
          {own.back}
        </a>
        {place === undefined ? null : <Neighbours label={own.others} {...place} />}
      </div>
      <Loaded of={loaded}>
        {(read) => (
          <>
            <h2 class="brk form-title">{read.torrent.title}</h2>
            <p class="strip">
              <State torrent={read.torrent} pending={undefined} />
              <span class="faint">
                {[read.torrent.downloader, read.torrent.category ?? ''].filter((one) => one !== '').join(' · ')}
              </span>
              {tags.map((tag) => (
                <span class="tag" key={tag}>
                  {tag}
                </span>
              ))}
            </p>
            <Remedy torrent={read.torrent} onDo={(deed) => void change(deed)} />
            {outcome}
            <div class="btns acts" role="toolbar" aria-label={own.actions}>
              {[...usual, ...rare].map(({ label, icon, key, isDanger, act }, at) => (
                <button
                  key={label}
                  class={`btn${isDanger ? ' danger' : ''}${at < usual.length ? '' : ' wide-only'}`}
                  type="button"
                  onClick={act}
                >
                  <Icon name={icon} />
                  {label}
                  {key === undefined ? null : <Letter of={key} />}
                </button>
              ))}
              <button
                class="btn phone-only"
                type="button"
                aria-haspopup="menu"
                onClick={({ clientX: x, clientY: y }) => (menu.value = { x, y })}
              >
                <Icon name="menu" />
                {words.value.screens.more}
              </button>
            </div>
            {menu.value === undefined ? null : (
              <RowMenu
                label={own.actions}
                place={menu.value}
                items={rare}
                onClose={() => {
                  menu.value = undefined
                }}
              />
            )}
            <Figures torrent={read.torrent} />
            <div class="cols of-torrent">
              <div>
                <nav class="tabs" aria-label={text.parts}>
                  {torrentParts.map((part) => (
                    <a
                      key={part}
                      href={torrentPageHash(target, part)}
                      aria-current={part === props.part ? 'true' : undefined}
                    >
                      {own.parts[part]}
                      {part === 'files' || part === 'trackers' || part === 'peers' ? (
                        <span class="n">{grouped(read[part].length)}</span>
                      ) : null}
                    </a>
                  ))}
                </nav>
                {props.part === 'files' ? (
                  <Files
                    files={read.files}
                    onPriority={(indexes, priority) => change({ kind: 'files', indexes: [...indexes], priority })}
                  />
                ) : props.part === 'trackers' ? (
                  <Trackers trackers={read.trackers} />
                ) : props.part === 'peers' ? (
                  <Peers peers={read.peers} />
                ) : props.part === 'speed' ? (
                  <TorrentSpeed samples={samples.value} />
                ) : props.part === 'history' ? (
                  <TorrentEvents torrent={read.torrent} />
                ) : (
                  <Changes key={key} torrent={read.torrent} details={read} categories={[]} onChange={change} />
                )}
              </div>
              <aside aria-label={text.tabs.facts}>
                <h2>{text.tabs.facts}</h2>
                <Facts torrent={read.torrent} details={read} />
              </aside>
            </div>
          </>
        )}
      </Loaded>
      {loaded.state.value.failure?.status === 404 ? (
        <Empty title={own.gone} body={own.goneBody}>
          <a class="btn" href={listHash}>
            {own.back}
          </a>
        </Empty>
      ) : null}
      {question === undefined || torrent === undefined ? null : (
        <Confirm
          title={
            question === 'delete' ? list.confirmRemove('1') : list.confirmDelete('1', joined(bytesAmount(torrent.size)))
          }
          body={question === 'delete' ? list.confirmRemoveBody : list.confirmDeleteBody}
          action={question === 'delete' ? list.doRemove('1') : list.doDelete('1')}
          onCancel={() => (asked.value = undefined)}
          onConfirm={() => {
            asked.value = undefined
            void change(question).then((isDone) => {
              if (isDone) goTo(listHash)
            })
          }}
        >
          <p class="brk">{torrent.title}</p>
        </Confirm>
      )}
    </Shell>
  )
}
