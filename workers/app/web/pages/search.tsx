/** All sites at once: what they found, which of them did not answer, and pushing of what is chosen. */

import { signal, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireFoundTorrent } from '../../contract/console-search.ts'
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import { fetchSiteSettings } from '../api/sites.ts'
import { Figure } from '../components/figure.tsx'
import { Skeleton } from '../components/list-states.tsx'
import { LoadFailure } from '../components/loaded.tsx'
import { FailureNote } from '../components/note.tsx'
import { Pager } from '../components/pager.tsx'
import { PushPanel } from '../components/push-panel.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { SearchBar } from '../components/search-bar.tsx'
import { SearchResults } from '../components/search-results.tsx'
import { Shell } from '../components/shell.tsx'
import { useListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { bytesAmount, grouped } from '../model/amounts.ts'
import { momentText } from '../model/moments.ts'
import type { PushResult } from '../model/push.ts'
import { isMendedInForm } from '../model/reasons.ts'
import { foundTotal, type SearchProgress } from '../model/search-progress.ts'
import {
  asksForMore,
  minSeedersMax,
  narrow,
  noSearch,
  readSearchQuery,
  resultKey,
  type SearchForm,
  type SearchQuery,
  searchBody,
  searchCategoryMax,
  searchHash,
  searchRowsPerPage,
  searchWordsMax,
  sortResults,
  sortResultsBy,
} from '../model/search-query.ts'
import { siteLabel } from '../model/site-board.ts'
import { digitsOf } from '../model/typed-number.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { goTo, replaceAddress } from '../router.ts'
import { runningSearch } from '../running-search.ts'

/** Names that definitions use; a site's own id or word is possible too. */
const commonCategories = ['movie', 'tv', 'documentary', 'animation', 'music', 'book']

/** After this it is said of when what is shown is. */
const freshSeconds = 30

const namesShown = 3

/** Who is still asked: some by name, and how many more. */
function lateNames({ waiting = [] }: SearchProgress, labels: ReadonlyMap<string, string>): string {
  const names = waiting.slice(0, namesShown).map((name) => labels.get(name) ?? name)
  const more = waiting.length - names.length
  return words.value.search.lateNames(names, grouped(more), more)
}

function SitePills(props: {
  sites: readonly WireConsoleSite[]
  form: SearchForm
  progress: SearchProgress | undefined
  onChange: (sites: readonly string[]) => void
}) {
  const { form, progress } = props
  const text = words.value.search
  const failed = new Set(progress?.errors.map((one) => one.site))
  const waiting = new Set(progress?.waiting)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser
    <div class="btns pills" role="group" aria-label={text.sites}>
      <button class="opt" type="button" aria-pressed={form.sites.length === 0} onClick={() => props.onChange([])}>
        {text.allSites}
        {progress?.waiting === undefined ? null : <span class="num">{grouped(foundTotal(progress))}</span>}
      </button>
      {props.sites.map((site) => {
        const chosen = form.sites.includes(site.name)
        const count = progress?.counts[site.name]
        const isLate = waiting.has(site.name)
        return (
          <button
            key={site.id}
            class={failed.has(site.name) ? 'opt failed' : isLate ? 'opt late' : 'opt'}
            aria-busy={isLate && progress?.isOver === false ? 'true' : undefined}
            type="button"
            aria-pressed={chosen}
            onClick={() =>
              props.onChange(chosen ? form.sites.filter((name) => name !== site.name) : [...form.sites, site.name])
            }
          >
            {siteLabel(site)}
            {failed.has(site.name) ? (
              <span>{text.failed}</span>
            ) : count === undefined ? null : (
              <span class="num">{grouped(count)}</span>
            )}
          </button>
        )
      })}
    </div>
  )
}

function Errors({
  progress: { errors, isOver },
  sites,
  onRetry,
}: {
  progress: SearchProgress
  sites: readonly WireConsoleSite[]
  onRetry: () => void
}) {
  const text = words.value.search
  if (errors.length === 0) return null
  return (
    <Note
      tone="warn"
      incomplete
      role="status"
      action={
        isOver ? (
          <button class="link-button" type="button" onClick={onRetry}>
            {words.value.common.retry}
          </button>
        ) : null
      }
    >
      <b>{text.incomplete}</b>
      <ul class="failed-rows">
        {errors.map(({ site, reason }) => {
          const stored = sites.find((one) => one.name === site)
          return (
            <li key={site}>
              {text.didNotAnswer(stored === undefined ? site : siteLabel(stored))} <ReasonWords reason={reason} todo />
              {stored !== undefined && isMendedInForm(reason) ? (
                <>
                  {' '}
                  <a class="link" href={`#/sites/${stored.id}/edit`}>
                    {words.value.overview.update}
                  </a>
                </>
              ) : null}
            </li>
          )
        })}
      </ul>
    </Note>
  )
}

export function SearchPage({ query: parameters }: { readonly query: URLSearchParams }) {
  const text = words.value.search
  const query = useMemo(() => readSearchQuery(parameters), [parameters])
  const settings = useResource('site-settings', fetchSiteSettings)
  /** What is typed; the address holds what was searched for. */
  const typed = useSignal(query.words)
  const search = useMemo(() => signal(runningSearch(query)), [])
  const progress = search.value?.progress.value
  const selected = useSignal<ReadonlyMap<string, WireFoundTorrent>>(new Map())
  const pushing = useSignal<readonly WireFoundTorrent[] | undefined>(undefined)
  const pushed = useSignal<readonly PushResult[]>([])

  useEffect(() => {
    typed.value = query.words
  }, [query.words, typed])
  // Back leads to another search, or to none.
  useEffect(() => {
    if (query.words.trim() !== (search.peek()?.progress.peek().asked.words.trim() ?? ''))
      search.value = runningSearch(query)
  }, [query, search])
  useListKeys({
    back: () => {
      if (pushing.value === undefined) selected.value = new Map()
      else pushing.value = undefined
    },
  })

  const sites = (settings.state.value.data?.items ?? []).filter((site) => site.enabled && site.search)
  // Before the sites are read one may search already: Enter does nothing in a form whose button is off.
  const hasNoSites = settings.state.value.data !== undefined && sites.length === 0
  const labels = useMemo(() => new Map(sites.map((site) => [site.name, siteLabel(site)])), [sites])
  const all = progress?.items
  const arranged = useMemo(() => (all === undefined ? [] : sortResults(narrow(all, query), query)), [all, query])
  const total = progress === undefined ? 0 : foundTotal(progress)
  const rows = arranged.slice((query.page - 1) * searchRowsPerPage, query.page * searchRowsPerPage)
  const form: SearchForm = { ...query, words: typed.value }
  const isWider = progress !== undefined && asksForMore(query, progress.asked)
  const change = (next: Partial<SearchQuery>) => replaceAddress(searchHash({ ...query, page: 1, ...next }))

  function submit(): void {
    if (searchBody(form) === undefined) return
    selected.value = new Map()
    const next: SearchQuery = { ...query, ...form, page: 1 }
    search.value = runningSearch(next, true)
    goTo(searchHash(next))
  }

  function select(items: readonly WireFoundTorrent[], on: boolean): void {
    const next = new Map(selected.value)
    for (const item of items) {
      if (on) next.set(resultKey(item), item)
      else next.delete(resultKey(item))
    }
    selected.value = next
  }

  const chosen = [...selected.value.values()]
  const bar = (
    <SearchBar label={text.words} typed={typed} charactersMax={searchWordsMax} onSubmit={submit}>
      <button class="btn primary" type="submit" disabled={hasNoSites}>
        {text.search}
        <kbd class="wide-only">↵</kbd>
      </button>
    </SearchBar>
  )
  /** None is known before the sites are read. */
  const asking = progress?.waiting?.length ?? (query.sites.length === 0 ? sites.length : query.sites.length)
  return (
    <Shell screen="search" title={words.value.screens.search} facts={bar}>
      <div class="sfilter">
        <SitePills sites={sites} form={query} progress={progress} onChange={(next) => change({ sites: next })} />
        <div class="btns">
          <label class="field-in">
            <span class="vh">{text.category}</span>
            <input
              class="input cat"
              list="categories"
              placeholder={text.category}
              maxLength={searchCategoryMax}
              value={query.category}
              onChange={(event) => change({ category: event.currentTarget.value.trim() })}
            />
            <datalist id="categories">
              {commonCategories.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </label>
          <label class="tick">
            <input
              type="checkbox"
              checked={query.freeOnly}
              onChange={(event) => change({ freeOnly: event.currentTarget.checked })}
            />
            <span>{text.freeOnly}</span>
          </label>
          <label class="tick">
            <span>{text.minSeeders}</span>
            <input
              class="input min"
              inputMode="numeric"
              maxLength={digitsOf(minSeedersMax)}
              value={String(query.minSeeders)}
              onChange={(event) => {
                const wanted = /^[0-9]{1,5}$/.test(event.currentTarget.value) ? Number(event.currentTarget.value) : 0
                change({ minSeeders: Math.min(minSeedersMax, wanted) })
                event.currentTarget.value = String(wanted)
              }}
            />
          </label>
        </div>
      </div>
      <LoadFailure of={settings} />
      {isWider ? (
        <Note
          role="status"
          action={
            <button class="link-button" type="button" onClick={() => submit()}>
              {text.searchAgain}
            </button>
          }
        >
          {text.wider}
        </Note>
      ) : null}
      {progress?.failure === undefined ? null : (
        <FailureNote lead={text.searchFailed} failure={progress.failure} retry={() => search.value?.askAgain()} />
      )}
      <div class={pushing.value === undefined ? '' : 'cols sp-cols'}>
        <div>
          {progress === undefined ? (
            hasNoSites ? (
              <Empty title={text.noSitesTitle} body={text.noSitesBody}>
                <a class="btn primary" href="#/sites/new">
                  <Icon name="plus" />
                  {words.value.sites.add}
                </a>
              </Empty>
            ) : (
              <Empty title={text.startTitle} body={text.startBody} />
            )
          ) : progress.failure !== undefined && total === 0 ? null : (
            <section
              class={progress.isOver && progress.errors.length === 0 ? 'sec' : 'sec open'}
              aria-busy={!progress.isOver}
            >
              <header>
                <h2>{text.results}</h2>
                <span class="n" role="status">
                  {progress.isOver
                    ? text.counts(
                        grouped(arranged.length),
                        grouped(total),
                        grouped(Object.keys(progress.counts).length),
                        (progress.durationMs / 1000).toFixed(1),
                      )
                    : total === 0
                      ? asking === 0
                        ? null
                        : text.searching(grouped(asking))
                      : text.soFar(grouped(total), lateNames(progress, labels))}
                </span>
                {!progress.isOver || Date.now() / 1000 - progress.at < freshSeconds ? null : (
                  <span class="end">
                    {words.value.torrents.refreshed(momentText(progress.at, Date.now() / 1000, language.value))}{' '}
                    <button class="link-button" type="button" onClick={submit}>
                      {text.searchAgain}
                    </button>
                  </span>
                )}
              </header>
              <Errors progress={progress} sites={sites} onRetry={() => search.value?.askAgain()} />
              {total === 0 && !progress.isOver ? (
                <Skeleton />
              ) : total === 0 ? (
                <Empty
                  title={text.nothingTitle}
                  body={
                    Object.keys(progress.counts).length === 0
                      ? text.nobodyAnswered
                      : text.nothingBody(progress.asked.words.trim())
                  }
                />
              ) : arranged.length === 0 ? (
                <Empty title={words.value.torrents.noMatch} body={text.narrowed(grouped(total))}>
                  <a class="btn" href={searchHash({ ...noSearch, words: query.words, category: query.category })}>
                    {words.value.torrents.clearFilters}
                  </a>
                </Empty>
              ) : (
                <>
                  <SearchResults
                    items={rows}
                    query={query}
                    labels={labels}
                    selected={selected.value}
                    open={
                      pushing.value?.length === 1
                        ? resultKey(pushing.value[0] ?? { site: '', torrent_id: '' })
                        : undefined
                    }
                    pushed={pushed.value}
                    onSort={(column) => goTo(searchHash(sortResultsBy(query, column)))}
                    onSelect={select}
                    onOpen={(item) => {
                      pushing.value = [item]
                    }}
                  />
                  <Pager
                    page={query.page}
                    pageSize={searchRowsPerPage}
                    total={arranged.length}
                    onPage={(page) => goTo(searchHash({ ...query, page }))}
                  />
                </>
              )}
            </section>
          )}
        </div>
        {pushing.value === undefined ? null : (
          <PushPanel
            key={pushing.value.map(resultKey).join(' ')}
            items={pushing.value}
            labels={labels}
            pushed={pushed.value}
            onPushed={(result) => {
              pushed.value = [result, ...pushed.value.filter((one) => one.key !== result.key)]
            }}
            onClose={setting(pushing, undefined)}
          />
        )}
      </div>
      {chosen.length === 0 ? null : (
        <section class="selbar" aria-label={words.value.torrents.selected(grouped(chosen.length))}>
          <b role="status">{words.value.torrents.selected(grouped(chosen.length))}</b>
          <span class="faint">
            <Figure amount={bytesAmount(chosen.reduce((sum, item) => sum + item.size, 0))} />
          </span>
          <span class="btns">
            <button
              class="btn primary"
              type="button"
              onClick={() => {
                pushing.value = chosen
                selected.value = new Map()
              }}
            >
              <Icon name="send" />
              {text.pushSome(grouped(chosen.length))}
            </button>
          </span>
          <button
            class="btn quiet icon"
            type="button"
            aria-label={words.value.torrents.clear}
            onClick={() => {
              selected.value = new Map()
            }}
          >
            <Icon name="close" />
          </button>
        </section>
      )}
    </Shell>
  )
}
