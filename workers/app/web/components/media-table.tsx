/** What became of what was complete, as a table and one row of it in full. */

import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Note } from '#shared/pages/note.tsx'
import type { WireMediaRecord } from '../../contract/media.ts'
import { organiseAgain } from '../api/media.ts'
import { words } from '../locales/words.ts'
import { bytesAmount } from '../model/amounts.ts'
import { partOf } from '../model/media-query.ts'
import { useActions } from '../use-actions.ts'
import { CloseButton } from './close-button.tsx'
import { Figure, Moment } from './figure.tsx'
import { FailureNote } from './note.tsx'
import { ReasonWords } from './reason.tsx'
import { StateMark } from './state-mark.tsx'
import { Table } from './table.tsx'
import { Name } from './torrent-name.tsx'

const marks = {
  done: ['m-done', 'good'],
  failed: ['m-bad', 'bad'],
  skipped: ['m-off', 'faint'],
  removed: ['m-off', 'faint'],
} as const

function State({ status }: { status: WireMediaRecord['status'] }) {
  const [mark, tone] = marks[status]
  return (
    <StateMark mark={mark} tone={tone}>
      {words.value.library.filters[status]}
    </StateMark>
  )
}

function titleOf({ title, year }: WireMediaRecord): string {
  return year === undefined ? title : `${title} (${year})`
}

export function MediaTable(props: {
  records: readonly WireMediaRecord[]
  isBusy: boolean
  onOpen: (id: number) => void
}) {
  const text = words.value.library
  return (
    <Table
      class="tasks media"
      rows={props.records}
      keyOf={({ id }) => id}
      isBusy={props.isBusy}
      columns={[
        {
          head: text.columns.title,
          td: 'name',
          cell: (record) => (
            <>
              <button class="row-open" type="button" title={titleOf(record)} onClick={() => props.onOpen(record.id)}>
                <span class="cut">
                  {titleOf(record)}
                  {partOf(record) === '' ? null : <span class="mono small muted"> {partOf(record)}</span>}
                </span>
              </button>
              <span class="sub">
                {record.status === 'failed' && record.reason !== undefined ? (
                  <span class="bad">
                    <ReasonWords reason={record.reason} />
                  </span>
                ) : (
                  <span class="faint cut">
                    <Name name={record.torrent_name} />
                  </span>
                )}
              </span>
            </>
          ),
        },
        { head: text.columns.folder, td: 'nowrap muted drop', cell: ({ library }) => library ?? text.noFolder },
        { head: text.size, th: 'num', td: 'num', cell: ({ size }) => <Figure amount={bytesAmount(size)} /> },
        { head: text.columns.state, td: 'nowrap pg', cell: ({ status }) => <State status={status} /> },
        {
          head: text.columns.when,
          th: 'num',
          td: 'num muted wide-only',
          cell: (record) => <Moment seconds={record.created_at} />,
        },
      ]}
    />
  )
}

export function MediaDetails({ record, onClose }: { record: WireMediaRecord; onClose: () => void }) {
  const text = words.value.library
  const { act, isBusy, failure } = useActions()
  const begun = useSignal(false)
  const mayBeAgain = record.status === 'failed' || record.status === 'skipped'

  async function again(): Promise<void> {
    const answer = await act(() => organiseAgain(record.id))
    begun.value = answer?.ok === true
  }

  return (
    <Dialog title={`${titleOf(record)} ${partOf(record)}`.trim()} look="wide" onClose={onClose}>
      <dl class="kv">
        <dt>{text.columns.state}</dt>
        <dd>
          <State status={record.status} />
        </dd>
        {record.reason === undefined ? null : (
          <>
            <dt>{text.reason}</dt>
            <dd>
              <ReasonWords reason={record.reason} />
            </dd>
          </>
        )}
        <dt>{text.torrent}</dt>
        <dd class="brk">{record.torrent_name}</dd>
        <dt>{text.columns.folder}</dt>
        <dd>{record.library ?? text.noFolder}</dd>
        <dt>{text.place}</dt>
        <dd class="mono brk">{record.target_path ?? '—'}</dd>
        <dt>{text.mode}</dt>
        <dd>{text.modes[record.mode]}</dd>
        <dt>{text.size}</dt>
        <dd>
          <Figure amount={bytesAmount(record.size)} />
        </dd>
        <dt>{text.columns.when}</dt>
        <dd>
          <Moment seconds={record.created_at} />
        </dd>
      </dl>
      <FailureNote failure={failure.value} />
      {begun.value ? (
        <Note tone="good" role="status">
          {text.begun}
        </Note>
      ) : null}
      <div class="btns ends-right">
        {mayBeAgain && !begun.value ? (
          <button class="btn" type="button" disabled={isBusy} onClick={() => void again()}>
            {text.again}
          </button>
        ) : null}
        <CloseButton onClose={onClose} />
      </div>
    </Dialog>
  )
}
