/** What is subscribed to: the list, and one of it in full. On phones one or the other. */
import { useMemo } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty } from '#shared/pages/note.tsx'
import type { WireSubscription } from '../../contract/subscriptions.ts'
import { subscriptionStatuses } from '../../core/vocabulary.ts'
import { fetchSubscriptions } from '../api/subscriptions.ts'
import { FindBox, useTyped } from '../components/find-box.tsx'
import { Skeleton } from '../components/list-states.tsx'
import { Loaded, LoadFailure } from '../components/loaded.tsx'
import { Shell } from '../components/shell.tsx'
import { SubscriptionDetails } from '../components/subscription-details.tsx'
import { SubscriptionList } from '../components/subscription-list.tsx'
import { useListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { countByStatus } from '../model/subscription-facts.ts'
import {
  everySubscription,
  readSubscriptionQuery,
  type SubscriptionQuery,
  subscriptionHash,
  subscriptionParameters,
  subscriptionWordsMax,
} from '../model/subscription-query.ts'
import { useResource } from '../resource.ts'
import { goTo, replaceAddress } from '../router.ts'

const everyMs = 15_000

/** The states, each with how many there are of it among those whose title matches. */
function StatusTabs(props: {
  query: SubscriptionQuery
  items: readonly WireSubscription[] | undefined
  where: 'wide-only' | 'phone-only'
}) {
  const { query } = props
  const text = words.value.subscriptions
  const counts = props.items === undefined ? undefined : countByStatus(props.items)
  return (
    <nav class={`tabs ${props.where}`} aria-label={text.statusFilter}>
      {([undefined, ...subscriptionStatuses] as const).map((status) => (
        <a
          key={status ?? 'all'}
          href={subscriptionHash({ ...query, status, id: undefined })}
          aria-current={status === query.status ? 'page' : undefined}
        >
          {status === undefined ? text.all : text.statuses[status]}
          {counts === undefined ? null : <span class="n">{counts[status ?? 'all']}</span>}
        </a>
      ))}
    </nav>
  )
}

export function SubscriptionsPage({ id, query: search }: { readonly id?: number; readonly query: URLSearchParams }) {
  const text = words.value.subscriptions
  const query = useMemo(() => readSubscriptionQuery(id, search), [id, search])
  const parameters = subscriptionParameters(query)
  const key = `subscriptions ${parameters}`
  const list = useResource(key, (signal) => fetchSubscriptions(parameters, signal), everyMs)
  const [typed, onTyped] = useTyped(query.words, (next) =>
    replaceAddress(subscriptionHash({ ...query, words: next, id: undefined })),
  )
  useListKeys()
  const { data } = list.state.value
  const isOwn = list.isOwn()
  const shown = data?.filter((one) => query.status === undefined || one.status === query.status)
  const hasNone = data?.length === 0 && isOwn && query.words.trim() === ''
  // On a wide screen something stands beside the list before one is chosen.
  const open = query.id ?? shown?.[0]?.id

  const failureNote = <LoadFailure of={list} />
  const isListShown = data !== undefined && !hasNone
  return (
    <Shell
      screen="subscriptions"
      title={words.value.screens.subscriptions}
      {...(isListShown ? { frame: query.id === undefined ? 'split subpage at-list' : 'split subpage' } : {})}
      facts={isListShown ? <StatusTabs query={query} items={data} where="wide-only" /> : undefined}
      tools={
        <>
          <a class="btn quiet" href="#/watchlists" aria-label={words.value.watchlists.title}>
            <Icon name="subscribe" />
            <span class="wide-only mid">{words.value.watchlists.title}</span>
          </a>
          <a class="btn quiet" href="#/profiles" aria-label={text.profiles}>
            <Icon name="filter" />
            <span class="wide-only mid">{text.profiles}</span>
          </a>
          <a class="btn primary" href="#/explore">
            <Icon name="plus" />
            {text.add}
          </a>
        </>
      }
    >
      {data === undefined ? (
        <Loaded of={list}>{() => null}</Loaded>
      ) : hasNone ? (
        <>
          {failureNote}
          <Empty title={text.emptyTitle} body={text.emptyBody}>
            <a class="btn primary" href="#/explore">
              <Icon name="explore" />
              {words.value.screens.explore}
            </a>
          </Empty>
        </>
      ) : (
        <>
          <section class="sublist" aria-label={text.list}>
            <div class="sl-h">
              <FindBox label={text.find} maxLength={subscriptionWordsMax} value={typed.value} onText={onTyped} />
              <StatusTabs query={query} items={data} where="phone-only" />
            </div>
            {failureNote}
            {shown !== undefined && shown.length > 0 ? (
              <SubscriptionList items={shown} query={query} current={open} isBusy={!isOwn} />
            ) : isOwn ? (
              <Empty title={text.noMatch} body={text.noMatchBody}>
                <a class="btn" href={subscriptionHash(everySubscription)}>
                  {words.value.torrents.clearFilters}
                </a>
              </Empty>
            ) : (
              <Skeleton />
            )}
          </section>
          {open === undefined ? null : (
            <SubscriptionDetails
              id={open}
              allHash={subscriptionHash({ ...query, id: undefined })}
              onChanged={list.reload}
              onRemoved={async () => {
                await list.reload()
                goTo(subscriptionHash({ ...query, id: undefined }))
              }}
            />
          )}
        </>
      )}
    </Shell>
  )
}
