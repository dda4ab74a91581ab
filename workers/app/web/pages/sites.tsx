import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Icon } from '#shared/pages/icon.tsx'
import { Empty, Note } from '#shared/pages/note.tsx'
import type { WireOwnDefinition } from '../../contract/console-definitions.ts'
import type { WireConsoleSite } from '../../contract/console-sites.ts'
import { fetchOwnDefinitions } from '../api/definitions.ts'
import { fetchJobs } from '../api/service.ts'
import { changeSite, fetchOverview, fetchSiteDefinitions, fetchSiteSettings, fetchSites } from '../api/sites.ts'
import { AccountFigure, UploadedToday } from '../components/account-figure.tsx'
import { Figure } from '../components/figure.tsx'
import { FindBox, useTyped } from '../components/find-box.tsx'
import { ListScreen } from '../components/list-screen.tsx'
import { Loaded, LoadFailure } from '../components/loaded.tsx'
import { Neighbours } from '../components/neighbours.tsx'
import { FailureNote } from '../components/note.tsx'
import { ReasonWords } from '../components/reason.tsx'
import { Section } from '../components/section.tsx'
import { Shell } from '../components/shell.tsx'
import { SiteDetails } from '../components/site-details.tsx'
import { SiteForm } from '../components/site-form.tsx'
import { LoginGauge, SignInState, SiteIcon } from '../components/site-parts.tsx'
import { type Column, Table } from '../components/table.tsx'
import { useListKeys } from '../keys.ts'
import { words } from '../locales/words.ts'
import { knownFigure } from '../model/account-figures.ts'
import { bytesAmount, grouped, pointsText, ratioText } from '../model/amounts.ts'
import type { SitePlace } from '../model/hash-route.ts'
import { isUnderWay } from '../model/job-list.ts'
import { momentText } from '../model/moments.ts'
import {
  arrangeSites,
  everySite,
  lastFailure,
  needsAttention,
  readSiteQuery,
  type SiteQuery,
  type SiteRow,
  type SiteSort,
  siteFilters,
  siteHash,
  siteLabel,
  siteRows,
  siteWordsMax,
  sortSites,
} from '../model/site-board.ts'
import {
  changedSite,
  chosenKinds,
  credentialOfKind,
  definitionName,
  draftOf,
  findDefinitions,
  newDraft,
} from '../model/site-form.ts'
import { language } from '../preferences.ts'
import { useResource } from '../resource.ts'
import { goTo, replaceAddress } from '../router.ts'
import { useActions } from '../use-actions.ts'
import { NewOwnSite, OwnChoices, OwnDefinitionsPage } from './own-definitions.tsx'

const figuresEveryMs = 15_000
/** While work that was asked for is under way. */
const workEveryMs = 2000
const wordsMax = 100

function BackToSites() {
  return (
    <a class="link back" href="#/sites">
      {words.value.sites.back}
    </a>
  )
}

/** The sites before and after one in the list. */
function OtherSites({ rows, id }: { rows: readonly SiteRow[]; id: number }) {
  const at = rows.findIndex(({ settings }) => settings.id === id)
  if (at === -1 || rows.length < 2) return null
  const neighbour = (row: SiteRow | undefined) =>
    row === undefined ? undefined : { hash: `#/sites/${row.settings.id}`, name: siteLabel(row.settings) }
  return (
    <Neighbours
      label={words.value.sites.others}
      at={at + 1}
      count={rows.length}
      before={neighbour(rows[at - 1])}
      after={neighbour(rows[at + 1])}
    />
  )
}

/** The name is foreign to the page where it has none in its language. */
function DefinitionName({ definition }: { definition: { name: string; name_en?: string | undefined } }) {
  const name = definitionName(definition, language.value)
  return (
    <b class="t" lang={/\p{Script=Han}/u.test(name) ? 'zh-CN' : undefined}>
      {name}
    </b>
  )
}

/** Which site it is to be: a ready-made definition, or a kind. */
function Chooser({ query }: { query: URLSearchParams }) {
  const text = words.value.siteForm
  const definitions = useResource('site-definitions', fetchSiteDefinitions)
  const inAddress = query.get('q') ?? ''
  const [typed, onTyped] = useTyped(inAddress, (next) =>
    replaceAddress(next === '' ? '#/sites/new' : `#/sites/new?${new URLSearchParams({ q: next })}`),
  )
  const { data } = definitions.state.value
  const found = findDefinitions(data?.items ?? [], typed.value)
  return (
    <Shell screen="sites" title={words.value.sites.add}>
      <BackToSites />
      <div class="form-column stack">
        <section class="sec">
          <header>
            <h2>{text.ready}</h2>
            {data === undefined ? null : <span class="n">{grouped(found.length)}</span>}
          </header>
          <div class="pad">
            <FindBox label={text.findReady} maxLength={wordsMax} value={typed.value} onText={onTyped} />
          </div>
          <Loaded of={definitions} skeletonRows={4}>
            {() =>
              found.length === 0 ? (
                <Empty title={words.value.torrents.noMatch} body={text.noReady} />
              ) : (
                <ul class="rows tap choices">
                  {found.map((one) => (
                    <li key={one.id}>
                      <a class="row-open grow" href={`#/sites/new?definition=${encodeURIComponent(one.id)}`}>
                        <DefinitionName definition={one} />
                        <span class="s">
                          {text.kinds[one.kind]}
                          {one.address === undefined ? `, ${text.ownAddress}` : ''}
                        </span>
                      </a>
                      <Icon name="chev" />
                    </li>
                  ))}
                </ul>
              )
            }
          </Loaded>
        </section>
        <OwnChoices />
        <Section title={text.ownKind}>
          <ul class="rows tap choices">
            {chosenKinds.map((kind) => (
              <li key={kind}>
                <a class="row-open grow" href={`#/sites/new?kind=${kind}`}>
                  <b class="t">{text.kinds[kind]}</b>
                  <span class="s">{text.kindHints[kind]}</span>
                </a>
                <Icon name="chev" />
              </li>
            ))}
          </ul>
        </Section>
      </div>
    </Shell>
  )
}

function NewSite({ query }: { query: URLSearchParams }) {
  const text = words.value.siteForm
  const wanted = query.get('definition')
  const kind = chosenKinds.find((one) => one === query.get('kind'))
  const definitions = useResource('site-definitions', fetchSiteDefinitions)
  const { data } = definitions.state.value
  const definition = data?.items.find((one) => one.id === wanted)
  return (
    <Shell screen="sites" title={words.value.sites.add}>
      <a class="link back" href="#/sites/new">
        {text.otherKind}
      </a>
      <div class="form-column">
        {kind === undefined && definition === undefined ? (
          <Loaded of={definitions}>{() => <Empty title={text.goneDefinition} body={text.noReady} />}</Loaded>
        ) : (
          <>
            <h2 class="form-title">
              {definition === undefined ? text.kinds[kind ?? 'nexusphp'] : <DefinitionName definition={definition} />}
            </h2>
            <p class="muted">{text.lead}</p>
            <SiteForm
              key={wanted ?? kind}
              draft={newDraft(definition ?? kind ?? 'nexusphp', navigator.userAgent)}
              stored={undefined}
              credential={definition?.credential ?? credentialOfKind[kind ?? 'nexusphp']}
              canSignIn={definition?.sign_in ?? kind === 'nexusphp'}
              onSaved={(site) => goTo(`#/sites/${site.id}`)}
            />
          </>
        )}
      </div>
    </Shell>
  )
}

interface Editing {
  readonly stored: WireConsoleSite
  /** What of the form is meant, from where one comes. */
  readonly show: string | undefined
  /** Reads anew what was just saved, so that nobody opens the form on what was before. */
  readonly reload: () => Promise<void>
}

function EditOwnSite({ stored, show, reload }: Editing) {
  const own = useResource('own-definitions', fetchOwnDefinitions)
  const { data } = own.state.value
  if (data !== undefined)
    return (
      <EditSite
        stored={stored}
        show={show}
        reload={reload}
        own={data.items.find(({ id }) => id === stored.definition)}
      />
    )
  return (
    <Shell screen="sites" title={words.value.siteForm.editTitle(siteLabel(stored))}>
      <Loaded of={own}>{() => null}</Loaded>
    </Shell>
  )
}

function EditSite({ stored, show, reload, own }: Editing & { own?: WireOwnDefinition | undefined }) {
  const text = words.value.siteForm
  return (
    <Shell screen="sites" title={text.editTitle(siteLabel(stored))}>
      <a class="link back" href={`#/sites/${stored.id}`}>
        {siteLabel(stored)}
      </a>
      <div class="form-column">
        <SiteForm
          key={stored.id}
          draft={draftOf(stored)}
          stored={stored}
          own={own}
          show={show}
          credential={stored.credential}
          canSignIn={stored.sign_in}
          onSaved={async (site) => {
            await reload()
            goTo(`#/sites/${site.id}`)
          }}
        />
      </div>
    </Shell>
  )
}

function SiteName({ row }: { row: SiteRow }) {
  const { settings, live } = row
  const text = words.value.sites
  const user = live?.user
  const failure = lastFailure(row)
  return (
    <>
      <a class="row-open with-icon" href={`#/sites/${settings.id}`}>
        <SiteIcon name={settings.name} />
        <b class="cut" title={siteLabel(settings)}>
          {siteLabel(settings)}
        </b>
        {settings.enabled ? null : <span class="tag guess">{text.offTag}</span>}
        {user !== undefined && (knownFigure(user, 'unread_messages') ?? 0) > 0 ? (
          <span class="tag acc">{text.unread(grouped(user.unread_messages))}</span>
        ) : null}
        {user?.hnr_unsatisfied !== undefined && (knownFigure(user, 'hnr_unsatisfied') ?? 0) > 0 ? (
          <span class="tag warn">{text.hnr(grouped(user.hnr_unsatisfied))}</span>
        ) : null}
      </a>
      <span class={failure === undefined ? 'sub faint small cut' : 'sub bad small'}>
        {failure === undefined ? (
          (user?.level ?? words.value.siteForm.kinds[settings.kind])
        ) : (
          <ReasonWords reason={failure.reason} />
        )}
      </span>
    </>
  )
}

function SiteList(props: { query: SiteQuery; rows: readonly SiteRow[]; onSwitch: (row: SiteRow) => void }) {
  const { query } = props
  const text = words.value.sites
  const shown = arrangeSites(props.rows, query)
  if (shown.length === 0) {
    return (
      <Empty title={words.value.torrents.noMatch} body={text.noMatchBody}>
        <a class="btn" href={siteHash({ ...everySite, sort: query.sort, order: query.order })}>
          {words.value.torrents.clearFilters}
        </a>
      </Empty>
    )
  }
  const column = (
    sort: SiteSort,
    look: { th?: string; td?: string; word?: string },
    cell: (row: SiteRow) => ComponentChildren,
  ): Column<SiteRow, SiteSort> => ({ head: text.columns[sort], sort, cell, ...look })
  const number = { th: 'num', td: 'num' }
  const more = { th: 'num mid', td: 'num wide-only mid' }
  return (
    <Table
      class="sites all"
      rows={shown}
      keyOf={({ settings }) => settings.id}
      sorting={{ ...query, onSort: (sort) => goTo(siteHash(sortSites(query, sort))) }}
      lookOf={({ settings }) => ({ class: settings.enabled ? undefined : 'off' })}
      columns={[
        column('name', { td: 'name' }, (row) => <SiteName row={row} />),
        column('ratio', { th: 'num', td: 'num ra', word: text.columns.ratio }, ({ live }) => (
          <AccountFigure user={live?.user} name="ratio">
            {({ ratio }) => ratioText(ratio)}
          </AccountFigure>
        )),
        column('uploaded', { th: 'num', td: 'num wide-only' }, ({ live }) => (
          <AccountFigure user={live?.user} name="uploaded">
            {({ uploaded }) => <Figure amount={bytesAmount(uploaded)} />}
          </AccountFigure>
        )),
        column('downloaded', more, ({ live }) => (
          <AccountFigure user={live?.user} name="downloaded">
            {({ downloaded }) => <Figure amount={bytesAmount(downloaded)} />}
          </AccountFigure>
        )),
        column('today', number, ({ today }) => <UploadedToday today={today} />),
        column('bonus', more, ({ live }) => (
          <AccountFigure user={live?.user} name="bonus">
            {({ bonus }) => pointsText(bonus)}
          </AccountFigure>
        )),
        column('seeding', more, ({ live }) => (
          <AccountFigure user={live?.user} name="seeding">
            {({ seeding }) => grouped(seeding)}
          </AccountFigure>
        )),
        column('days', {}, ({ live, settings }) =>
          live === undefined || !settings.enabled ? (
            <span class="faint">—</span>
          ) : (
            <LoginGauge tier={live.login.tier} days={live.login.days_remaining} />
          ),
        ),
        {
          head: text.columns.signIn,
          td: 'at',
          cell: ({ live, settings }) =>
            live === undefined || !settings.enabled ? null : <SignInState attendance={live.attendance} />,
        },
        {
          head: words.value.common.turnOff,
          isSpoken: true,
          td: 'num act wide-only',
          cell: (row) =>
            row.settings.from_file ? null : (
              <button
                class="btn quiet"
                type="button"
                aria-label={text.switchOne(row.settings.enabled, siteLabel(row.settings))}
                onClick={() => props.onSwitch(row)}
              >
                {row.settings.enabled ? words.value.common.turnOff : words.value.common.turnOn}
              </button>
            ),
        },
      ]}
    />
  )
}

function Filters({ query, rows }: { query: SiteQuery; rows: readonly SiteRow[] }) {
  const text = words.value.sites
  const counts = {
    all: rows.length,
    attention: rows.filter(needsAttention).length,
    off: rows.filter((row) => !row.settings.enabled).length,
  }
  return (
    <nav class="tabs" aria-label={text.filter}>
      {siteFilters.map((show) => (
        <a key={show} href={siteHash({ ...query, show })} aria-current={show === query.show ? 'true' : undefined}>
          {text.filters[show]}
          <span class="n">{grouped(counts[show])}</span>
        </a>
      ))}
    </nav>
  )
}

function Listed({ place, query: search }: { place: SitePlace; query: URLSearchParams }) {
  const text = words.value.sites
  const query = useMemo(() => readSiteQuery(search), [search])
  const settings = useResource('site-settings', fetchSiteSettings)
  const isWorking = useSignal(false)
  const everyMs = isWorking.value ? workEveryMs : figuresEveryMs
  const live = useResource('sites', fetchSites, everyMs)
  const jobs = useResource('jobs', fetchJobs, everyMs)
  const overview = useResource('overview', fetchOverview, figuresEveryMs)
  const reload = async () => {
    await Promise.all([settings.reload(), live.reload(), jobs.reload(), overview.reload()])
  }
  const actions = useActions({ reload })
  const [typed, onTyped] = useTyped(query.words, (next) => replaceAddress(siteHash({ ...query, words: next })))
  const { data } = settings.state.value
  const rows = siteRows(
    data?.items ?? [],
    live.state.value.data?.items ?? [],
    jobs.state.value.data?.items ?? [],
    overview.state.value.data?.today.sites ?? [],
  )
  const shownJobs =
    place.at === 'list' ? [] : (rows.find((one) => 'id' in place && one.settings.id === place.id)?.jobs ?? [])
  const worksNow = shownJobs.some((job) => isUnderWay(job, Date.now() / 1000))
  useEffect(() => {
    isWorking.value = worksNow
  }, [worksNow, isWorking])
  const userError = live.state.value.data?.reason
  useListKeys()

  // The form and a site that was just saved are read again, so that neither shows what was before.
  const at = place.at === 'list' ? 'list' : `${place.at} ${'id' in place ? place.id : ''}`
  const before = useRef(at)
  useEffect(() => {
    if (before.current !== at) void reload()
    before.current = at
  }, [at])

  const turn = ({ settings: site }: SiteRow) =>
    changeSite(site.id, changedSite(site, { enabled: !site.enabled })).then(actions.after)

  const notes = (
    <>
      <FailureNote failure={actions.failure.value} />
      {data === undefined || data.items.length === 0 ? null : <LoadFailure of={live} lead={text.figuresUnread} quiet />}
      {userError === undefined ? null : (
        <Note tone="warn" incomplete role="status">
          <b>{text.figuresUnread}</b> <ReasonWords reason={userError} />
        </Note>
      )}
    </>
  )

  if (place.at === 'one' || place.at === 'edit') {
    const row = rows.find((one) => one.settings.id === place.id)
    const show = search.get('show') ?? undefined
    if (row !== undefined && place.at === 'edit' && row.settings.from_file === undefined)
      return row.settings.kind === 'cardigann' ? (
        <EditOwnSite stored={row.settings} show={show} reload={settings.reload} />
      ) : (
        <EditSite stored={row.settings} show={show} reload={settings.reload} />
      )
    return (
      <Shell screen="sites" title={row === undefined ? words.value.screens.sites : siteLabel(row.settings)}>
        <div class="between">
          <BackToSites />
          <OtherSites rows={rows} id={place.id} />
        </div>
        {notes}
        <Loaded of={settings}>
          {() =>
            row === undefined ? (
              <Empty title={text.gone} body={text.emptyBody} />
            ) : (
              <SiteDetails
                key={row.settings.id}
                row={row}
                reload={reload}
                todayKnown={overview.state.value.data?.today.error === undefined}
              />
            )
          }
        </Loaded>
      </Shell>
    )
  }

  const findBox = { label: text.find, maxLength: siteWordsMax, value: typed.value, onText: onTyped }
  return (
    <ListScreen
      screen="sites"
      of={settings}
      text={text}
      add="#/sites/new"
      find={<FindBox inBar {...findBox} />}
      notes={notes}
      skeletonRows={6}
    >
      {() => (
        <>
          <div class="phone-only">
            <FindBox {...findBox} />
          </div>
          <Filters query={query} rows={rows} />
          <SiteList query={query} rows={rows} onSwitch={(row) => void turn(row)} />
          <p class="faint small">
            {live.state.value.at === 0
              ? null
              : words.value.torrents.refreshed(momentText(live.state.value.at, Date.now() / 1000, language.value))}
          </p>
        </>
      )}
    </ListScreen>
  )
}

export function SitesPage({ place, query }: { readonly place: SitePlace; readonly query: URLSearchParams }) {
  if (place.at === 'definitions') return <OwnDefinitionsPage />
  if (place.at !== 'new') return <Listed place={place} query={query} />
  if (query.has('own')) return <NewOwnSite id={query.get('own') ?? ''} />
  if (query.has('definition') || query.has('kind')) return <NewSite query={query} />
  return <Chooser query={query} />
}
