/** How the list of torrents looks in this browser, and its filters with a name. */
import { useSignal } from '@preact/signals'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'
import {
  filterNameMax,
  movedColumn,
  type SavedFilter,
  type TorrentView,
  viewColumns,
  withColumn,
  withFilter,
} from '../model/torrent-view.ts'
import { chooseTorrentFilters, chooseTorrentView, torrentFilters, torrentView } from '../torrent-preferences.ts'

export function ViewDialog(props: { hash: string; onClose: () => void }) {
  const text = words.value.torrentView
  const columns = words.value.torrents.columns
  const view = torrentView.value
  const name = useSignal('')
  const show = (next: TorrentView) => chooseTorrentView(next)
  const keep = (filters: readonly SavedFilter[]) => chooseTorrentFilters(filters)
  const others = viewColumns.filter((column) => !view.columns.includes(column))
  return (
    <Dialog title={text.title} onClose={props.onClose}>
      <fieldset class="choice">
        <legend class="label">{text.rows}</legend>
        {(['two', 'one'] as const).map((rows) => (
          <label key={rows} class="opt">
            <input
              type="radio"
              name="rows"
              data-first={view.rows === rows ? true : undefined}
              checked={view.rows === rows}
              onChange={() => show({ ...view, rows })}
            />
            {text.rowsOf[rows]}
          </label>
        ))}
      </fieldset>
      <h3>
        {text.columns}{' '}
        <span class="faint small">
          {text.columnsOf(grouped(view.columns.length + 1), grouped(viewColumns.length + 1))}
        </span>
      </h3>
      <ul class="rows small cols-of">
        {[...view.columns, ...others].map((column) => {
          const at = view.columns.indexOf(column)
          return (
            <li key={column}>
              <label class="tick grow">
                <input
                  type="checkbox"
                  checked={at >= 0}
                  onChange={(event) => show(withColumn(view, column, event.currentTarget.checked))}
                />
                {columns[column]}
              </label>
              {at < 0
                ? null
                : ([-1, 1] as const).map((step) => (
                    <button
                      key={step}
                      class="btn quiet icon"
                      type="button"
                      aria-label={text.move[step === 1 ? 'right' : 'left'](columns[column])}
                      disabled={step === 1 ? at === view.columns.length - 1 : at === 0}
                      onClick={() => show(movedColumn(view, column, step))}
                    >
                      <Icon name={step === 1 ? 'down' : 'up'} small />
                    </button>
                  ))}
            </li>
          )
        })}
      </ul>
      <h3>{text.filters}</h3>
      <ul class="rows small">
        {torrentFilters.value.map((filter) => (
          <li key={filter.name}>
            <a class="link grow cut" href={filter.hash} onClick={props.onClose}>
              {filter.name}
            </a>
            <button
              class="btn quiet icon"
              type="button"
              aria-label={text.forget(filter.name)}
              onClick={() => keep(torrentFilters.value.filter((one) => one !== filter))}
            >
              <Icon name="trash" small />
            </button>
          </li>
        ))}
      </ul>
      <form
        class="inline-form"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.value.trim() === '') return
          keep(withFilter(torrentFilters.value, name.value.trim(), props.hash))
          name.value = ''
        }}
      >
        <input
          class="input"
          type="text"
          aria-label={text.nameOfFilter}
          placeholder={text.nameOfFilter}
          maxLength={filterNameMax}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
        <button class="btn" type="submit">
          {text.keep}
        </button>
      </form>
      <p class="faint small">{text.here}</p>
      <div class="btns ends-right">
        <button class="btn" type="button" onClick={props.onClose}>
          {words.value.common.close}
        </button>
      </div>
    </Dialog>
  )
}
