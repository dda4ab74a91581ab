/** What was done about one torrent, and why: from what this service wrote down, and from its downloader. */
import type { ComponentChildren } from 'preact'
import type { IconName } from '#shared/pages/icon.tsx'
import type { WireTorrentEvent } from '../../contract/console-torrents.ts'
import type { WireTorrent } from '../../contract/torrents.ts'
import { fetchTorrentHistory } from '../api/downloaders.ts'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { Decision } from './clauses.tsx'
import { Moment } from './figure.tsx'
import { Loaded } from './loaded.tsx'
import { ReasonWords } from './reason.tsx'
import { StateMark } from './state-mark.tsx'
import { WhyButton } from './why.tsx'

type Shown = WireTorrentEvent | { readonly at: number; readonly kind: 'added' }

const marks: Readonly<Record<Shown['kind'], readonly [IconName, string]>> = {
  added: ['m-part', 'acc'],
  found: ['m-on', 'acc'],
  pushed: ['m-done', 'good'],
  not_pushed: ['m-bad', 'bad'],
  completed: ['m-on', 'good'],
  organised: ['m-done', 'good'],
  brush_taken: ['m-on', 'acc'],
  brush_removed: ['m-off', 'faint'],
  end_due: ['m-part', 'warn'],
  ended: ['m-off', 'faint'],
}

function beside(event: Shown): string {
  if (event.kind === 'added') return ''
  const source = event.source === undefined ? '' : words.value.tasks.sources[event.source]
  return [event.by, event.site, source, event.path].filter(Boolean).join(' · ')
}

/** Undefined where nobody kept why. */
function whyOf(event: Shown): (() => ComponentChildren) | undefined {
  if (event.kind === 'added') return undefined
  const { clauses, reason, by, rule } = event
  if (clauses === undefined)
    return reason === undefined
      ? undefined
      : () => (
          <p class="small">
            <ReasonWords reason={reason} todo />
          </p>
        )
  const decidedBy = (event.kind === 'brush_taken' ? by : rule) ?? ''
  return () => <Decision rule={decidedBy} clauses={clauses} reason={reason} isDecided />
}

export function TorrentEvents({ torrent }: { torrent: WireTorrent }) {
  const text = words.value.torrentPage
  const history = useResource(`${torrent.downloader_id}/${torrent.task_id}`, (signal) =>
    fetchTorrentHistory(torrent, signal),
  )
  return (
    <Loaded of={history}>
      {({ items }) => {
        const isTold = items.some(({ kind }) => kind === 'completed')
        const own: Shown[] = [
          ...(torrent.added_at > 0 ? [{ at: torrent.added_at, kind: 'added' as const }] : []),
          ...(torrent.completed_at > 0 && !isTold ? [{ at: torrent.completed_at, kind: 'completed' as const }] : []),
        ]
        const events = [...items, ...own].sort((one, other) => other.at - one.at)
        return (
          <>
            {items.length === 0 ? <p class="faint">{text.notOurs}</p> : null}
            <ol class="rows small">
              {events.map((event) => {
                const [mark, tone] = marks[event.kind]
                const why = whyOf(event)
                const state = (
                  <StateMark mark={mark} tone={tone}>
                    {text.events[event.kind]}
                  </StateMark>
                )
                const about = beside(event)
                return (
                  <li key={`${event.kind} ${event.at}`}>
                    <span class="grow">
                      {state}
                      <span class="s brk">{about}</span>
                    </span>
                    {why === undefined ? null : <WhyButton of={{ title: torrent.title, state, about, why }} />}
                    <span class="faint num">
                      <Moment seconds={event.at} />
                    </span>
                  </li>
                )
              })}
            </ol>
          </>
        )
      }}
    </Loaded>
  )
}
