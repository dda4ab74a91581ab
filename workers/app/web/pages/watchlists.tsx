/** Lists of films and series that are kept elsewhere and make subscriptions. */
import type { WatchlistBody, WireWatchlist } from '../../contract/console-watchlists.ts'
import { changeWatchlist, fetchWatchlists, removeWatchlist, runWatchlist } from '../api/watchlists.ts'
import { Moment } from '../components/figure.tsx'
import { FormScreen } from '../components/form-screen.tsx'
import { ListScreen } from '../components/list-screen.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { RowButtons } from '../components/row-buttons.tsx'
import { RunMark, runState } from '../components/run-row.tsx'
import { WatchlistForm } from '../components/watchlist-form.tsx'
import { WatchlistItems } from '../components/watchlist-items.tsx'
import { words } from '../locales/words.ts'
import { useResource } from '../resource.ts'
import { useActions } from '../use-actions.ts'

const everyMs = 5000

/** With nothing of its place but whose it is: what is stored stays. */
function bodyOf(one: WireWatchlist, enabled: boolean): WatchlistBody {
  const { name, kind, account, list, every_minutes, first_look, profile_id, upgrade } = one
  return { name, kind, account, list, every_minutes, first_look, profile_id, upgrade, enabled }
}

function Row(props: { one: WireWatchlist; onRun: () => void; onSwitch: () => void; onRemove: () => void }) {
  const { one } = props
  const text = words.value.watchlists
  // One that is longer than is read of a list was read all the same.
  const isCut = one.reason?.kind === 'watchlist.cut'
  const failed = one.reason !== undefined && !isCut
  const state = runState({ isOn: one.enabled, hasRun: one.last_at !== undefined, failed })
  return (
    <li class={one.enabled ? 'dl' : 'dl off'}>
      <div class="dl-h">
        <RunMark state={state} names={text.states} />
        <b>{one.name}</b>
        <span class="faint">{text.kinds[one.kind]}</span>
        {(one.counts.unclear ?? 0) === 0 ? null : (
          <span class="tag guess">{text.unclear(String(one.counts.unclear))}</span>
        )}
      </div>
      <div class="dl-b">
        <span class="small faint cut">
          {one.host === '' ? text.sentFile : <span class="mono">{one.host}</span>} {one.account} {one.list}
        </span>
        <span class="small">
          {text.addedOf(String(one.counts.added ?? 0))}{' '}
          {one.reason === undefined ? null : (
            <span class={isCut ? 'warn' : 'bad'}>
              <ReasonWords reason={one.reason} todo />
            </span>
          )}{' '}
          <span class="faint">{one.last_at === undefined ? text.notYet : <Moment seconds={one.last_at} />}</span>
        </span>
      </div>
      <RowButtons
        name={one.name}
        text={text}
        editHash={`#/watchlists/${one.id}`}
        onSwitch={{ isOn: one.enabled, act: props.onSwitch }}
        onRemove={props.onRemove}
      >
        {one.enabled && one.host !== '' ? (
          <button class="btn quiet" type="button" aria-label={`${text.look} ${one.name}`} onClick={props.onRun}>
            {text.look}
          </button>
        ) : null}
      </RowButtons>
    </li>
  )
}

export function WatchlistsPage({ form }: { readonly form?: 'new' | number }) {
  const text = words.value.watchlists
  const lists = useResource('watchlists', fetchWatchlists, form === undefined ? everyMs : undefined)
  const actions = useActions<WireWatchlist>(lists)

  if (form !== undefined) {
    return (
      <FormScreen
        screen="subscriptions"
        form={form}
        of={lists}
        listHash="#/watchlists"
        text={text}
        goneBody={text.goneBody}
      >
        {({ data: _, ...row }) => <WatchlistForm {...row} />}
      </FormScreen>
    )
  }
  return (
    <ListScreen
      screen="subscriptions"
      title={text.title}
      of={lists}
      text={text}
      back={
        <a class="link back" href="#/subscriptions">
          {words.value.subscriptions.backToAll}
        </a>
      }
      add="#/watchlists/new"
      actions={actions}
      remove={removeWatchlist}
      beside={<WatchlistItems />}
    >
      {({ items }) => (
        <ul class="dls watchlists">
          {items.map((one) => (
            <Row
              key={one.id}
              one={one}
              onRun={() => void runWatchlist(one.id).then(actions.after)}
              onSwitch={() => void changeWatchlist(one.id, bodyOf(one, !one.enabled)).then(actions.after)}
              onRemove={() => {
                actions.removing.value = one
              }}
            />
          ))}
        </ul>
      )}
    </ListScreen>
  )
}
