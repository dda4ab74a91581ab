/** Torrents that move from one downloader to another, and those that did. */
import type { IconName } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireTransfer } from '../../contract/console-transfers.ts'
import { fetchTransfers, stopTransfer } from '../api/downloaders.ts'
import { DecidedRow } from '../components/decided-row.tsx'
import { Moment } from '../components/figure.tsx'
import { List } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Shell } from '../components/shell.tsx'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

const everyMs = 3000

const marks: Readonly<Record<WireTransfer['state'], readonly [IconName, string]>> = {
  waiting: ['m-part', 'faint'],
  adding: ['m-part', 'acc'],
  checking: ['m-part', 'acc'],
  switching: ['m-part', 'acc'],
  done: ['m-done', 'good'],
  failed: ['m-bad', 'bad'],
}

function Row({ transfer, onStop }: { transfer: WireTransfer; onStop: () => void }) {
  const text = words.value.transfers
  const canStop = transfer.state === 'waiting' || transfer.state === 'adding' || transfer.state === 'checking'
  return (
    <DecidedRow
      mark={marks[transfer.state]}
      state={transfer.stopping ? text.stopping : text.states[transfer.state]}
      title={transfer.title}
      size={transfer.size}
      about={
        <>
          {transfer.from} → {transfer.to} · <Moment seconds={transfer.since} />
        </>
      }
      button={
        canStop && !transfer.stopping ? (
          <button class="btn quiet" type="button" aria-label={`${text.stop} ${transfer.title}`} onClick={onStop}>
            {text.stop}
          </button>
        ) : null
      }
    >
      {transfer.reason === undefined ? null : (
        <p class={transfer.state === 'failed' ? 'small bad' : 'small faint'}>
          <ReasonWords reason={transfer.reason} todo />
        </p>
      )}
    </DecidedRow>
  )
}

export function TransfersPage() {
  const text = words.value.transfers
  const transfers = useResource('transfers', fetchTransfers, everyMs)
  const { failure, after } = useActions<WireTransfer>(transfers)
  return (
    <Shell screen="torrents" title={text.heading}>
      <a class="link back" href="#/torrents">
        {words.value.screens.torrents}
      </a>
      <p class="muted lead">{text.how}</p>
      <FailureNote failure={failure.value} />
      <List of={transfers} skeletonRows={3} empty={<Empty title={text.emptyTitle} body={text.emptyBody} />}>
        {({ items }) => (
          <ul class="dls transfers">
            {items.map((transfer) => (
              <Row key={transfer.id} transfer={transfer} onStop={() => void stopTransfer(transfer.id).then(after)} />
            ))}
          </ul>
        )}
      </List>
    </Shell>
  )
}
