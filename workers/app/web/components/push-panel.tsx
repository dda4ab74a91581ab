/** Where what was found goes: beside the results on a wide screen, above them on a narrow one. */

import { useSignal } from '@preact/signals'
import { TextField } from '#shared/pages/field.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import type { WireFoundTorrent } from '../../contract/console-search.ts'
import type { WireDownloader } from '../../contract/downloaders.ts'
import { toldFigure } from '../../core/search-figures.ts'
import { pushCategoryCharactersMax, pushTagsCharactersMax, savePathBytesMax } from '../../limits.ts'
import { fetchDownloaders } from '../api/downloaders.ts'
import { pushToDownloader } from '../api/search.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped, joined } from '../model/amounts.ts'
import { type PushResult, pushBodyOf, pushResult } from '../model/push.ts'
import { resultKey } from '../model/search-query.ts'
import { useResource } from '../resource.ts'
import { useForm } from '../use-form.ts'
import { useKnownPlaces } from '../use-known-places.ts'
import { Figure, Moment } from './figure.tsx'
import { LoadFailure } from './loaded.tsx'
import { OutcomeRow } from './outcome-row.tsx'
import { PushWhy } from './push-why.tsx'
import { PushWords } from './push-words.tsx'
import { Discount, Quality, SitePageLink } from './search-results.tsx'
import { SidePanel } from './side-panel.tsx'

const namesShown = 5
const resultsShown = 20

function Results({ results }: { results: readonly PushResult[] }) {
  const text = words.value.search
  if (results.length === 0) return null
  return (
    <div class="last">
      <h3>{text.justPushed}</h3>
      <div role="status">
        <ul class="rows small">
          {results.slice(0, resultsShown).map((one) => (
            <OutcomeRow key={one.key} outcome={one.outcome} title={one.title}>
              <PushWords of={one} />
            </OutcomeRow>
          ))}
        </ul>
      </div>
    </div>
  )
}

function OneItem({ item, label }: { item: WireFoundTorrent; label: string }) {
  const text = words.value.search
  const size = toldFigure(item, 'size')
  return (
    <>
      <p class="brk mono small">{item.title}</p>
      {item.subtitle === undefined ? null : <p class="pt">{item.subtitle}</p>}
      <dl class="kv small">
        <dt>{text.columns.site}</dt>
        <dd>
          <SitePageLink item={item} label={label} />
        </dd>
        <dt>{text.columns.quality}</dt>
        <dd class="quality">
          <Quality of={item.quality} />
          {item.quality.group === undefined ? null : <span class="faint small">{item.quality.group}</span>}
        </dd>
        <dt>{text.columns.size}</dt>
        <dd>{size === undefined ? text.unknown : <Figure amount={bytesAmount(size)} />}</dd>
        <dt>{text.discount}</dt>
        <dd>
          <Discount item={item} />
          {item.discount_end_at === undefined ? null : (
            <>
              {' '}
              {text.until} <Moment seconds={item.discount_end_at} />
            </>
          )}
        </dd>
        <dt>H&amp;R</dt>
        <dd>{item.has_hr ? <span class="warn">{text.hasHr}</span> : text.noHr}</dd>
        {item.imdb_id === undefined ? null : (
          <>
            <dt>IMDb</dt>
            <dd>{item.imdb_id}</dd>
          </>
        )}
        {item.douban_id === undefined ? null : (
          <>
            <dt>{text.douban}</dt>
            <dd>{item.douban_id}</dd>
          </>
        )}
      </dl>
    </>
  )
}

function ManyItems({ items }: { items: readonly WireFoundTorrent[] }) {
  const more = items.length - namesShown
  return (
    <>
      <p class="pt">
        {words.value.search.torrents(grouped(items.length))}{' '}
        <Figure amount={bytesAmount(items.reduce((sum, item) => sum + item.size, 0))} />
      </p>
      <ul class="rows names small">
        {items.slice(0, namesShown).map((item) => (
          <li key={`${item.site} ${item.torrent_id}`} title={item.title}>
            <span class="cut">{item.title}</span>
          </li>
        ))}
        {more > 0 ? <li class="faint">{words.value.torrents.andMore(grouped(more))}</li> : null}
      </ul>
    </>
  )
}

function downloaderWords(one: WireDownloader): string {
  const text = words.value.search
  const name = one.default ? text.theDefault(one.name) : one.name
  if (!one.reachable) return text.gone(name)
  return one.free_space > 0 ? text.withFree(name, joined(bytesAmount(one.free_space))) : name
}

function PushForm(props: {
  items: readonly WireFoundTorrent[]
  labels: ReadonlyMap<string, string>
  onPushed: (result: PushResult) => void
}) {
  const { items } = props
  const text = words.value.search
  const fleet = useResource('downloaders', fetchDownloaders)
  const downloaders = fleet.state.value.data?.items
  const usual = downloaders?.find((one) => one.default) ?? downloaders?.[0]
  const chosen = useSignal<number | undefined>(undefined)
  const form = useForm({ category: '', tags: '', savePath: '' }, { asks: false })
  const done = useSignal<number | undefined>(undefined)
  const isPathLong = new TextEncoder().encode(form.values.savePath.trim()).byteLength > savePathBytesMax
  const [only] = items
  // What its torrents have already is what the next one is likely to get.
  const downloaderId = chosen.value ?? usual?.id
  const choicesOf = useKnownPlaces(downloaderId)

  async function push(event: Event): Promise<void> {
    event.preventDefault()
    if (isPathLong || done.value !== undefined || downloaders === undefined) return
    done.value = 0
    // One after another: each push changes the free space that the next one is judged by.
    for (const item of items) {
      const place = { ...form.values, downloaderId }
      props.onPushed(pushResult(item, await pushToDownloader(pushBodyOf(item, place))))
      done.value += 1
    }
    done.value = undefined
    await fleet.reload()
  }

  if (downloaders !== undefined && downloaders.length === 0) {
    return (
      <div class="body">
        <p>{text.noDownloader}</p>
        <a class="btn primary" href="#/downloaders/new">
          <Icon name="plus" />
          {words.value.downloaders.add}
        </a>
      </div>
    )
  }
  return (
    <form
      class="body"
      onSubmit={(event) => void push(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      {items.length === 1 && only !== undefined ? (
        <OneItem item={only} label={props.labels.get(only.site) ?? only.site} />
      ) : (
        <ManyItems items={items} />
      )}
      <LoadFailure of={fleet} lead={words.value.downloaders.statusFailed} />
      <label class="field">
        <span class="label">{words.value.torrents.downloader}</span>
        <select
          class="input"
          value={String(downloaderId ?? '')}
          onChange={(event) => {
            chosen.value = Number(event.currentTarget.value)
          }}
        >
          {(downloaders ?? []).map((one) => (
            <option key={one.id} value={String(one.id)}>
              {downloaderWords(one)}
            </option>
          ))}
        </select>
      </label>
      <div class="two-f">
        <TextField
          label={words.value.torrents.category}
          {...form.typed('category')}
          maxLength={pushCategoryCharactersMax}
          choices={choicesOf('categories')}
        />
        <TextField
          label={words.value.torrents.tags}
          {...form.typed('tags')}
          maxLength={pushTagsCharactersMax}
          choices={choicesOf('tags')}
        />
      </div>
      <TextField
        label={text.savePath}
        {...form.typed('savePath')}
        maxLength={savePathBytesMax}
        choices={choicesOf('folders')}
        hint={text.savePathHint}
        error={isPathLong ? text.savePathLong : undefined}
      />
      <button
        class="btn primary full"
        type="submit"
        data-push
        // Not `disabled`: the focus stays on it while the push is under way.
        aria-disabled={done.value !== undefined || downloaders === undefined ? 'true' : undefined}
      >
        {done.value === undefined ? (
          <>
            {items.length === 1 ? text.push : text.pushSome(grouped(items.length))}
            <kbd class="wide-only">Ctrl ↵</kbd>
          </>
        ) : items.length === 1 ? (
          text.pushing
        ) : (
          text.pushingSome(grouped(done.value + 1), grouped(items.length))
        )}
      </button>
      <p class="hint faint small">{text.gates}</p>
      {items.length === 1 && only !== undefined && !isPathLong ? (
        // Another result or folder has another answer: it is asked for anew.
        <PushWhy
          key={`${resultKey(only)} ${form.values.savePath}`}
          item={only}
          place={{ savePath: form.values.savePath, downloaderId }}
        />
      ) : null}
    </form>
  )
}

export function PushPanel(props: {
  items: readonly WireFoundTorrent[]
  labels: ReadonlyMap<string, string>
  pushed: readonly PushResult[]
  onPushed: (result: PushResult) => void
  onClose: () => void
}) {
  const text = words.value.search
  return (
    <SidePanel title={text.pushTitle} first="[data-push]" onClose={props.onClose}>
      <PushForm items={props.items} labels={props.labels} onPushed={props.onPushed} />
      <Results results={props.pushed} />
    </SidePanel>
  )
}
