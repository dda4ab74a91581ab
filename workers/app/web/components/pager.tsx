import { words } from '../locales/words.ts'
import { grouped } from '../model/amounts.ts'

export function Pager(props: {
  page: number
  pageSize: number
  total: number
  without?: string
  onPage: (page: number) => void
}) {
  const { page, pageSize, total } = props
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1
  const to = Math.min(total, page * pageSize)
  const last = Math.max(1, Math.ceil(total / pageSize))
  const text = words.value
  return (
    <div class="pager faint small">
      <span>
        {text.torrents.range(grouped(Math.min(from, total)), grouped(to), grouped(total))}
        {props.without === undefined ? '' : `, ${props.without}`}
      </span>
      <span class="btns">
        <button
          class="btn quiet"
          type="button"
          disabled={page <= 1}
          onClick={() => props.onPage(Math.min(page - 1, last))}
        >
          {text.common.previous}
        </button>
        <button class="btn quiet" type="button" disabled={page >= last} onClick={() => props.onPage(page + 1)}>
          {text.common.next}
        </button>
      </span>
    </div>
  )
}
