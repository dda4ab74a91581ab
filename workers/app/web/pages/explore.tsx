/** Films and series of the metadata provider as posters: lists of the day, a search, and the way to the sites. */
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { Dialog } from '#shared/pages/dialog.tsx'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import { setting } from '#shared/pages/set.ts'
import type { WireExploreItem } from '../../contract/explore.ts'
import { fetchExplore } from '../api/media.ts'
import { fetchMetadataSettings } from '../api/service.ts'
import { CloseButton } from '../components/close-button.tsx'
import { List, Loaded } from '../components/loaded.tsx'
import { MetadataKeyLink } from '../components/metadata-key-link.tsx'
import { Poster } from '../components/poster.tsx'
import { SearchBar } from '../components/search-bar.tsx'
import { Shell } from '../components/shell.tsx'
import { SubscribeForm } from '../components/subscribe-form.tsx'
import { words } from '../locales/words.ts'
import {
  type ExploreQuery,
  exploreHash,
  exploreParameters,
  exploreWordsMax,
  readExploreQuery,
  wordsForSites,
} from '../model/explore-query.ts'
import { noSearch, searchHash } from '../model/search-query.ts'
import { everySubscription, subscriptionHash } from '../model/subscription-query.ts'
import { langOf } from '../model/title-language.ts'
import { useResource } from '../resource.ts'
import { goTo } from '../router.ts'

/** The year first: of a long name the end may be cut. */
function factsOf(title: WireExploreItem): string {
  const original = title.original_title === title.title ? undefined : title.original_title
  return [title.year, original].filter((part) => part !== undefined).join(' · ')
}

function Standing({ title }: { title: WireExploreItem }) {
  const text = words.value.explore
  if (!title.in_library && !title.subscribed) return null
  return <span class="tag">{title.in_library ? text.inLibrary : text.subscribed}</span>
}

function TitleCard({ title, onOpen }: { title: WireExploreItem; onOpen: () => void }) {
  return (
    <li>
      <button class="title" type="button" onClick={onOpen}>
        <Poster path={title.poster_path} title={title.title} />
        <b class="cut" lang={langOf(title.title)}>
          {title.title}
        </b>
        <span class="sub faint small">
          <span class="cut" title={factsOf(title)}>
            {factsOf(title)}
          </span>
          {title.vote_average === undefined ? null : (
            <span class="num" title={words.value.explore.rating}>
              {title.vote_average.toFixed(1)}
            </span>
          )}
        </span>
        <Standing title={title} />
      </button>
    </li>
  )
}

/** Of a film there is one subscription; of a series one for each season. */
function TitleDialog(props: { title: WireExploreItem; onSubscribed: () => void; onClose: () => void }) {
  const { title, onClose } = props
  const text = words.value.explore
  const subscriptions = words.value.subscriptions
  const isSubscribing = useSignal(false)
  const hasOne = title.subscription_id !== undefined
  if (isSubscribing.value) {
    return (
      <Dialog title={subscriptions.subscribeTo(title.title)} look="wide" onClose={onClose}>
        <SubscribeForm title={title} onSubscribed={props.onSubscribed} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title={title.title} look="wide" onClose={onClose}>
      <div class="title-detail">
        <Poster path={title.poster_path} title={title.title} />
        <div class="stack">
          <p class="muted">
            {[text.kindsOne[title.media_type], factsOf(title)].filter((part) => part !== '').join(' · ')}
            {title.vote_average === undefined ? null : ` · ${text.rating} ${title.vote_average.toFixed(1)}`}{' '}
            <Standing title={title} />
          </p>
          <p class="prose" lang={langOf(title.overview ?? '')}>
            {title.overview ?? text.noOverview}
          </p>
        </div>
      </div>
      <div class="btns ends-right">
        <CloseButton onClose={onClose} />
        <a class="btn" href={searchHash({ ...noSearch, words: wordsForSites(title) })}>
          <Icon name="search" />
          {text.searchSites}
        </a>
        {hasOne ? (
          <a class="btn" href={subscriptionHash({ ...everySubscription, id: title.subscription_id })}>
            <Icon name="subscribe" />
            {subscriptions.toSubscription}
          </a>
        ) : null}
        {hasOne && title.media_type === 'movie' ? null : (
          <button class="btn primary" type="button" onClick={setting(isSubscribing, true)}>
            <Icon name="subscribe" />
            {hasOne ? subscriptions.anotherSeason : subscriptions.subscribe}
          </button>
        )}
      </div>
    </Dialog>
  )
}

/** What there is to choose: films or series, and of which list. */
function Choices({ query }: { query: ExploreQuery }) {
  const text = words.value.explore
  const isSearch = query.words.trim() !== ''
  return (
    <div class="tab-row">
      <nav class="tabs" aria-label={text.kind}>
        {(['movie', 'tv'] as const).map((kind) => (
          <a
            key={kind}
            href={exploreHash({ ...query, kind, page: 1 })}
            aria-current={kind === query.kind ? 'page' : undefined}
          >
            {text.kinds[kind]}
          </a>
        ))}
      </nav>
      <nav class="tabs" aria-label={text.list}>
        {(['trending', 'popular'] as const).map((list) => (
          <a
            key={list}
            href={exploreHash({ ...query, list, words: '', page: 1 })}
            aria-current={!isSearch && list === query.list ? 'page' : undefined}
          >
            {text.lists[list]}
          </a>
        ))}
      </nav>
    </div>
  )
}

function Pages({ query, last }: { query: ExploreQuery; last: number }) {
  const text = words.value
  if (last === 1) return null
  const step = (page: number, name: string) =>
    page < 1 || page > last ? (
      <span class="btn quiet" aria-disabled="true">
        {name}
      </span>
    ) : (
      <a class="btn quiet" href={exploreHash({ ...query, page })}>
        {name}
      </a>
    )
  return (
    <nav class="pager faint small" aria-label={text.explore.pages}>
      <span>{text.explore.page(query.page, last)}</span>
      <span class="btns">
        {step(query.page - 1, text.common.previous)}
        {step(query.page + 1, text.common.next)}
      </span>
    </nav>
  )
}

function Titles({ query }: { query: ExploreQuery }) {
  const text = words.value.explore
  const parameters = exploreParameters(query)
  const key = `explore ${parameters}`
  const titles = useResource(key, (signal) => fetchExplore(parameters, signal))
  const opened = useSignal<WireExploreItem | undefined>(undefined)
  useEffect(() => {
    opened.value = undefined
    // The next page begins at its top.
    scrollTo({ top: 0 })
  }, [key, opened])
  return (
    <>
      <List
        of={titles}
        own
        lead={text.failed}
        empty={<Empty title={query.words === '' ? text.emptyTitle : text.nothingTitle} body={text.nothingBody} />}
      >
        {(data) => (
          <>
            <ul class="posters">
              {data.items.map((title) => (
                <TitleCard key={title.id} title={title} onOpen={setting(opened, title)} />
              ))}
            </ul>
            <Pages query={query} last={data.total_pages} />
          </>
        )}
      </List>
      {opened.value === undefined ? null : (
        <TitleDialog
          title={opened.value}
          onSubscribed={() => void titles.reload()}
          onClose={setting(opened, undefined)}
        />
      )}
    </>
  )
}

export function ExplorePage({ query: search }: { readonly query: URLSearchParams }) {
  const text = words.value.explore
  const query = useMemo(() => readExploreQuery(search), [search])
  const settings = useResource('metadata-settings', fetchMetadataSettings)
  const typed = useSignal(query.words)
  useEffect(() => {
    typed.value = query.words
  }, [query.words, typed])
  const { data: stored } = settings.state.value
  const bar = (
    <SearchBar
      label={text.words}
      typed={typed}
      charactersMax={exploreWordsMax}
      onSubmit={() => goTo(exploreHash({ ...query, words: typed.value.trim(), page: 1 }))}
    >
      <button class="btn" type="submit">
        {text.search}
      </button>
    </SearchBar>
  )
  return (
    <Shell screen="explore" title={words.value.screens.explore} facts={stored?.has_api_key === true ? bar : undefined}>
      <Loaded of={settings}>
        {({ has_api_key: hasKey }) =>
          hasKey ? (
            <>
              <Choices query={query} />
              <Titles query={query} />
            </>
          ) : (
            <Empty
              title={text.noKeyTitle}
              body={
                <>
                  {text.noKeyBody}
                  <MetadataKeyLink />
                </>
              }
            >
              <a class="btn primary" href="#/settings?at=services">
                {text.toSettings}
              </a>
            </Empty>
          )
        }
      </Loaded>
    </Shell>
  )
}
