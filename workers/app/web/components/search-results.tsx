import { Icon } from '#shared/pages/icon.tsx'
import type { WireSearchItem } from '../../contract/search.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped } from '../model/amounts.ts'
import type { PushResult } from '../model/push.ts'
import { resultKey, type SearchQuery, type SearchSort } from '../model/search-query.ts'
import { Figure, Moment } from './figure.tsx'
import { SortHeading } from './sort-heading.tsx'
import { Name } from './torrent-name.tsx'

const daySeconds = 86_400

/** What of a download counts, and until when. */
export function Discount({ item }: { item: WireSearchItem }) {
  const text = words.value.search
  const discount = item.discount ?? 'NONE'
  if (discount === 'NONE') return <span class="faint">—</span>
  const left = item.discount_end_at === undefined ? undefined : item.discount_end_at - Date.now() / 1000
  return (
    <>
      <span class={item.free ? 'tag on' : 'tag warn'}>{text.discounts[discount]}</span>
      {item.discount_end === 'unknown' ? <span class="faint tiny"> {text.endUnknown}</span> : null}
      {left === undefined || left <= 0 ? null : (
        <span class="faint tiny">
          {' '}
          {left < daySeconds
            ? text.leftHours(Math.max(1, Math.round(left / 3600)))
            : text.leftDays(Math.round(left / daySeconds))}
        </span>
      )}
    </>
  )
}

function Heading(props: { sort: SearchSort; query: SearchQuery; class?: string; onSort: (sort: SearchSort) => void }) {
  const { query, sort } = props
  return (
    <SortHeading
      {...(props.class === undefined ? {} : { class: props.class })}
      order={query.sort === sort ? query.order : undefined}
      onSort={() => props.onSort(sort)}
    >
      {words.value.search.columns[sort]}
    </SortHeading>
  )
}

export function SearchResults(props: {
  items: readonly WireSearchItem[]
  query: SearchQuery
  labels: ReadonlyMap<string, string>
  selected: ReadonlyMap<string, WireSearchItem>
  open: string | undefined
  pushed: readonly PushResult[]
  onSort: (sort: SearchSort) => void
  onSelect: (items: readonly WireSearchItem[], on: boolean) => void
  onOpen: (item: WireSearchItem) => void
}) {
  const { items, query, selected } = props
  const text = words.value.search
  const heading = { query, onSort: props.onSort }
  const all = items.length > 0 && items.every((item) => selected.has(resultKey(item)))
  const done = new Map(props.pushed.map((one) => [one.key, one.outcome]))
  return (
    <table class="fold results">
      <thead>
        <tr>
          <th scope="col" class="pick">
            <input
              type="checkbox"
              aria-label={words.value.torrents.selectAll}
              checked={all}
              onChange={(event) => props.onSelect(items, event.currentTarget.checked)}
            />
          </th>
          <Heading {...heading} sort="title" />
          <Heading {...heading} sort="site" />
          <th scope="col">{text.discount}</th>
          <Heading {...heading} sort="size" class="num" />
          <Heading {...heading} sort="seeders" class="num" />
          <Heading {...heading} sort="leechers" class="num mid" />
          <Heading {...heading} sort="snatched" class="num mid" />
          <Heading {...heading} sort="uploaded_at" class="num" />
        </tr>
      </thead>
      <tbody>
        {items.map((item) => {
          const key = resultKey(item)
          const outcome = done.get(key)
          return (
            <tr key={key} class={selected.has(key) || props.open === key ? 'chosen' : undefined}>
              <td class="pick">
                <input
                  type="checkbox"
                  aria-label={words.value.torrents.select(item.title)}
                  checked={selected.has(key)}
                  onChange={(event) => props.onSelect([item], event.currentTarget.checked)}
                />
              </td>
              <td class="name">
                <button class="row-open" type="button" title={item.title} onClick={() => props.onOpen(item)}>
                  <Name name={item.title} />
                </button>
                <span class="sub">
                  <span class="faint cut">{item.subtitle ?? ''}</span>
                  {(item.tags ?? []).slice(0, 3).map((tag) => (
                    <span class="tag" key={tag}>
                      {tag}
                    </span>
                  ))}
                  {outcome === 'pushed' || outcome === 'skipped' ? (
                    <span class="tag on">{text.outcomes[outcome]}</span>
                  ) : outcome === undefined ? null : (
                    <span class="tag bad">{text.outcomes[outcome]}</span>
                  )}
                </span>
              </td>
              <td class="nowrap site">
                {props.labels.get(item.site) ?? item.site}
                {item.has_hr ? <span class="tag warn">H&amp;R</span> : null}
              </td>
              <td class="nowrap disc">
                <Discount item={item} />
              </td>
              <td class="num">{item.size === 0 ? '—' : <Figure amount={bytesAmount(item.size)} />}</td>
              <td class="num sd">
                <span class="phone-only faint">
                  <Icon name="up" small />
                  <span class="vh">{text.columns.seeders}</span>{' '}
                </span>
                {grouped(item.seeders)}
              </td>
              <td class="num wide-only mid muted">{grouped(item.leechers)}</td>
              <td class="num wide-only mid muted">{item.snatched === undefined ? '—' : grouped(item.snatched)}</td>
              <td class="num muted up">
                <Moment seconds={item.uploaded_at} />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
