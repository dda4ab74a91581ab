/** The files of one torrent: which of them are wanted, how much, and how far they are. */
import { useSignal } from '@preact/signals'
import { Icon } from '#shared/pages/icon.tsx'
import { type FilePriority, filePriorities } from '../../core/vocabulary.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined, percentText } from '../model/amounts.ts'
import {
  chosenOf,
  type FileFilter,
  type FileRow,
  fileFilters,
  fileRows,
  findFiles,
  matchesFilter,
  sizeOf,
  type TorrentFile,
  withPriorities,
} from '../model/torrent-files.ts'
import { Figure } from './figure.tsx'
import { FindBox } from './find-box.tsx'

/** More than these are drawn when they are asked for. */
const rowsDrawn = 300
/** A short list is seen at once. */
const filesToFind = 8
const folderIndentPx = 20

type OnPriority = (indexes: readonly number[], priority: FilePriority) => void

export function Files(props: {
  files: readonly TorrentFile[]
  /** Resolves once the files are read again. */
  onPriority: (indexes: readonly number[], priority: FilePriority) => Promise<unknown>
}) {
  const text = words.value.torrent
  const sought = useSignal('')
  const filter = useSignal<FileFilter | undefined>(undefined)
  const closed = useSignal<ReadonlySet<string>>(new Set())
  const drawn = useSignal(rowsDrawn)
  /** What was asked for and is on its way is shown already. */
  const asked = useSignal<ReadonlyMap<number, FilePriority>>(new Map())
  const files = withPriorities(props.files, asked.value)
  if (files.length === 0) return <p class="faint">{text.noFiles}</p>
  const isNarrowed = sought.value.trim() !== '' || filter.value !== undefined
  const found = findFiles(files, sought.value, filter.value)
  const rows = fileRows(found, isNarrowed ? new Set() : closed.value)
  const chosen = chosenOf(files)
  const turn = (path: string) => {
    const next = new Set(closed.peek())
    if (!next.delete(path)) next.add(path)
    closed.value = next
  }
  const choose: OnPriority = (indexes, priority) => {
    asked.value = new Map([...asked.peek(), ...indexes.map((index) => [index, priority] as const)])
    void props.onPriority(indexes, priority).finally(() => {
      asked.value = new Map([...asked.peek()].filter(([index]) => !indexes.includes(index)))
    })
  }
  return (
    <>
      <div class="between of-files">
        <span class="small" role="status">
          <b>{text.chosenOf(grouped(chosen.count), grouped(files.length))}</b>{' '}
          <span class="faint">
            {words.value.torrentPage.doneOf(joined(bytesAmount(chosen.size)), joined(bytesAmount(sizeOf(files))))}
          </span>
        </span>
        <span class="btns">
          {files.length < filesToFind ? null : (
            <FindBox
              label={text.findFile}
              maxLength={100}
              value={sought.value}
              onText={(typed) => {
                sought.value = typed
              }}
            />
          )}
          {fileFilters.map((one) => {
            const count = files.filter((file) => matchesFilter(file, one)).length
            return count === 0 && filter.value !== one ? null : (
              <button
                key={one}
                class="opt"
                type="button"
                aria-pressed={filter.value === one}
                onClick={() => {
                  filter.value = filter.value === one ? undefined : one
                }}
              >
                {text.fileFilters[one]} <span class="n">{grouped(count)}</span>
              </button>
            )
          })}
        </span>
      </div>
      {rows.length === 0 ? <p class="faint">{text.noSuchFile}</p> : null}
      <ul class="rows small files">
        {rows.slice(0, drawn.value).map((row) => (
          <Row
            key={row.path}
            row={row}
            isOpen={isNarrowed || !closed.value.has(row.path)}
            onTurn={isNarrowed ? undefined : () => turn(row.path)}
            onPriority={choose}
          />
        ))}
      </ul>
      {rows.length <= drawn.value ? null : (
        <button
          class="btn"
          type="button"
          onClick={() => {
            drawn.value += rowsDrawn
          }}
        >
          {text.moreFiles(grouped(rows.length - drawn.value))}
        </button>
      )}
    </>
  )
}

function Row(props: { row: FileRow; isOpen: boolean; onTurn: (() => void) | undefined; onPriority: OnPriority }) {
  const text = words.value.torrent
  const { path, name, depth, isFolder, size, progress, priority, indexes } = props.row
  const isWanted = priority !== 'skip'
  return (
    <li class={isWanted ? undefined : 'faint'}>
      <span class="grow file-name" style={{ paddingLeft: `${depth * folderIndentPx}px` }}>
        <input
          type="checkbox"
          aria-label={text.want(path)}
          checked={isWanted}
          onChange={() => props.onPriority(indexes, isWanted ? 'skip' : 'normal')}
        />
        {isFolder ? (
          <button
            class="btn quiet icon"
            type="button"
            aria-expanded={props.isOpen}
            aria-label={name}
            disabled={props.onTurn === undefined}
            onClick={props.onTurn}
          >
            <Icon name={props.isOpen ? 'chevd' : 'chev'} small />
          </button>
        ) : null}
        <Icon name={isFolder ? 'folder' : 'file'} small />
        {isFolder ? <b class="brk">{name}</b> : <span class="brk">{name}</span>}
      </span>
      <select
        class="input of-row"
        aria-label={text.priorityOf(path)}
        value={priority ?? ''}
        onChange={({ currentTarget }) => {
          const chosen = filePriorities.find((one) => one === currentTarget.value)
          if (chosen !== undefined) props.onPriority(indexes, chosen)
        }}
      >
        {priority === undefined ? <option value="">{text.mixed}</option> : null}
        {filePriorities.map((one) => (
          <option key={one} value={one}>
            {text.priorities[one]}
          </option>
        ))}
      </select>
      <span class="num">{isWanted || progress > 0 ? `${percentText(progress)}\u00a0%` : '—'}</span>
      <span class="num size">
        <Figure amount={bytesAmount(size)} />
      </span>
    </li>
  )
}
