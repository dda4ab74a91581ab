import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  addSite,
  changeSite,
  getSiteUsual,
  listConsoleSites,
  listLoginReminders,
  listPromotions,
  listSiteDefinitions,
  listSiteHistory,
  listSiteMessages,
  makeSiteFixture,
  refreshSite,
  removeSite,
  type SiteBody,
  saySiteFigure,
  type TestSiteBody,
  testSite,
  type WireConsoleSite,
  type WirePromotions,
} from '../../contract/console-sites.ts'
import { cookieHeader } from '../../core/cookies.ts'
import { type Failure, failure, wrongField } from '../../core/failure.ts'
import { addDays, localDay } from '../../core/local-day.ts'
import { siteReason } from '../../core/reason/of-fault.ts'
import type { Reason } from '../../core/reason/reason.ts'
import { parseServiceAddress } from '../../core/service-address.ts'
import { ownUserAgent, siteAbilities } from '../../core/site.ts'
import { changesByDay } from '../../core/site-changes.ts'
import { triedFigures } from '../../core/site-figures.ts'
import { parseProxySetting } from '../../core/site-proxy.ts'
import type { SiteKind } from '../../core/vocabulary.ts'
import {
  cookiesReadMax,
  inactivityDaysDefault,
  remindBeforeDaysDefault,
  siteCredentialCharactersMax,
  siteOverridesCharactersMax,
  sitesMax,
} from '../../limits.ts'
import type { FreeStandings } from '../../ports/pushes.ts'
import type { SiteChange, SiteRecord } from '../../ports/sites.ts'
import type { AppDeps } from '../../ports.ts'
import { type BoundRoute, bind } from '../bind.ts'
import { explained } from '../explained.ts'
import { removeNamed } from '../remove-named.ts'

const cookieBounds = { headerCharactersMax: siteCredentialCharactersMax, cookiesMax: cookiesReadMax }
const noSite = failure('not_found', { kind: 'none', what: 'site' })

type ReaderDeps = Pick<AppDeps, 'sites' | 'ownDefinitions' | 'clock' | 'canUseProxies'>

/** Makes of what was sent what is stored. */
export function createSiteReader(deps: ReaderDeps) {
  async function placeOf(body: SiteBody | TestSiteBody) {
    if (body.kind === 'cardigann' && (await deps.ownDefinitions.find(body.definition)) === undefined)
      return failWith(wrongField('definition', { kind: 'none', what: 'definition' }))
    const definition =
      body.kind === 'cardigann' ? undefined : deps.sites.definitions().find(({ id }) => id === body.definition)
    if (body.kind !== 'cardigann' && body.definition !== '' && definition === undefined)
      return failWith(wrongField('definition', { kind: 'none', what: 'definition' }))
    if (definition !== undefined && definition.kind !== body.kind)
      return failWith(wrongField('kind', { kind: 'rule.not_of_definition' }))
    const address = parseServiceAddress(body.address)
    if (!address.ok) return failWith(wrongField('address', address.failure))
    const proxy = body.proxy === undefined ? succeed(undefined) : parseProxySetting(body.proxy, deps.canUseProxies)
    if (!proxy.ok) return failWith(wrongField('proxy', proxy.failure))
    const cookie = cookieFor(body.cookie, address.value)
    if (!cookie.ok) return failWith(wrongField('cookie', cookie.failure))
    const overrides = body.overrides ?? {}
    if (JSON.stringify(overrides).length > siteOverridesCharactersMax)
      return failWith(wrongField('overrides', { kind: 'rule.too_long' }))
    return succeed({
      definition,
      place: {
        kind: body.kind,
        definition: body.definition,
        baseUrl: address.value,
        ...(cookie.value === undefined ? {} : { cookie: cookie.value }),
        ...(body.api_key === undefined ? {} : { apiKey: body.api_key }),
        ...(proxy.value === undefined ? {} : { proxy: proxy.value }),
        ...(body.answers === undefined ? {} : { answers: body.answers }),
        overrides,
      },
    })
  }

  /** Left out: the stored ones stay; empty: none. */
  function cookieFor(text: string | undefined, address: string): Result<string | undefined, Reason> {
    return text === undefined || text === ''
      ? succeed(text)
      : cookieHeader(text, address, unixSeconds(deps.clock), cookieBounds)
  }

  async function toChange(body: SiteBody): Promise<Result<SiteChange, Failure>> {
    const read = await placeOf(body)
    if (!read.ok) return read
    return succeed({
      ...read.value.place,
      name: body.name,
      displayName: body.display_name,
      enabled: body.enabled,
      autoSignIn: body.auto_sign_in,
      inactivityDays: body.inactivity_days ?? read.value.definition?.inactivity_days ?? inactivityDaysDefault,
      remindBeforeDays: body.remind_before_days ?? remindBeforeDaysDefault,
      capacityGib: body.capacity_gib ?? 0,
    })
  }

  return { placeOf, toChange }
}

export function consoleSiteRoutes(
  deps: Pick<
    AppDeps,
    | 'sites'
    | 'ownDefinitions'
    | 'siteFigures'
    | 'siteFleet'
    | 'siteAnnouncesOf'
    | 'freeStandings'
    | 'jobs'
    | 'loginReminders'
    | 'clock'
    | 'locale'
    | 'canUseProxies'
  >,
): BoundRoute[] {
  function toWire(record: SiteRecord): WireConsoleSite {
    // A definition of the owner's may have the name of a ready-made one.
    const announces = record.kind === 'cardigann' ? undefined : deps.siteAnnouncesOf(record.definition)
    return { ...toWireConsoleSite(record), ...(announces === undefined ? {} : { announces }) }
  }

  /** The row is written first; the work follows from it. */
  async function stored(
    outcome: Result<SiteRecord, 'not_found' | 'name_taken' | 'too_many' | 'secrets'>,
  ): Promise<Result<{ body: WireConsoleSite }, Failure>> {
    if (!outcome.ok) return failWith(storeFailures[outcome.failure])
    await deps.jobs.subjectChanged('site', outcome.value.id)
    return succeed({ body: toWire(outcome.value) })
  }

  const entryOf = async (id: number) => (await deps.sites.list()).find(({ record }) => record.id === id)
  const { placeOf, toChange } = createSiteReader(deps)

  return [
    bind(listSiteDefinitions, async () =>
      succeed({
        body: {
          items: deps.sites.definitions().map(({ id, name, name_en, kind, address, inactivity_days, overrides }) => ({
            id,
            name,
            ...(name_en === undefined ? {} : { name_en }),
            kind,
            ...(address === undefined ? {} : { address }),
            ...(inactivity_days === undefined ? {} : { inactivity_days }),
            ...toWireAbilities(kind, overrides?.signs_in ?? true, overrides?.searches ?? true),
          })),
        },
      }),
    ),
    bind(listConsoleSites, async () =>
      succeed({ body: { items: (await deps.sites.list()).map(({ record }) => toWire(record)) } }),
    ),
    bind(getSiteUsual, async ({ params }) => {
      const [usual, entry] = await Promise.all([deps.sites.usual(params.id), entryOf(params.id)])
      if (usual === undefined || entry === undefined) return failWith(noSite)
      const calls = await deps.siteFleet.calls(entry.target)
      const { labels, paths, selectors, headers, categories, hosts } = usual
      return succeed({
        body: {
          user_agent: usual.userAgent ?? ownUserAgent,
          request_interval_ms: usual.requestIntervalMs,
          ...(calls.ok ? { calls: calls.value } : {}),
          utc_offset_minutes: usual.utcOffsetMinutes,
          labels: listsOf(labels),
          paths: { ...paths },
          selectors: { ...selectors },
          headers: { ...headers },
          categories: listsOf(categories),
          hosts: [...hosts],
          // The host's own network adds nothing; at the edge the platform does.
          adds_headers: !deps.canUseProxies,
        },
      })
    }),
    bind(listPromotions, async ({ params }) => {
      const entry = await entryOf(params.id)
      return entry === undefined
        ? failWith(noSite)
        : succeed({ body: toWirePromotions(await deps.freeStandings(entry.record.name)) })
    }),
    bind(addSite, async ({ body }) => {
      const change = await toChange(body)
      return change.ok ? stored(await deps.sites.add(change.value)) : change
    }),
    bind(changeSite, async ({ params, body }) => {
      const change = await toChange(body)
      return change.ok ? stored(await deps.sites.update(params.id, change.value)) : change
    }),
    bind(removeSite, async ({ params }) => {
      const list = async () => (await deps.sites.list()).map(({ record }) => record)
      const removed = await removeNamed({ list, remove: (id: number) => deps.sites.remove(id) }, params.id, noSite)
      if (!removed.ok) return removed
      // What brush tasks took from it is looked after.
      await deps.jobs.subjectChanged('site', params.id)
      return removed
    }),
    bind(testSite, async ({ body, say }) => {
      const read = await placeOf(body)
      if (!read.ok) return read
      const settings = await deps.sites.trial(read.value.place, body.id)
      if (!settings.ok)
        return failWith(
          settings.failure === 'not_found'
            ? noSite
            : failure('unavailable', { kind: 'cannot_open', what: 'site', state: settings.failure }),
        )
      const reading = await deps.siteFleet.tryOut(settings.value)
      if (!reading.ok) return succeed({ body: { works: false, ...explained(say, siteReason(reading.failure)) } })
      const { user } = reading.value
      return succeed({
        body: {
          works: true,
          ...(user === undefined ? {} : { username: user.username, figures: triedFigures(user) }),
        },
      })
    }),
    bind(makeSiteFixture, async ({ params, say }) => {
      const entry = await entryOf(params.id)
      if (entry === undefined) return failWith(noSite)
      const made = await deps.siteFleet.fixture(entry.target)
      return succeed({
        body: made.ok
          ? { pages: [...made.value.pages], replaced: made.value.replaced }
          : explained(say, siteReason(made.failure)),
      })
    }),
    bind(saySiteFigure, async ({ params, body }) => {
      const { timeZone } = await deps.locale.read()
      const dayOf = (unix: number) => localDay(unix, timeZone)
      const said = await deps.siteFigures.sayFigure(params.id, body, dayOf, unixSeconds(deps.clock))
      if (!said.ok) return failWith(failure('unavailable', said.failure))
      return said.value
        ? succeed({ body: { ok: true as const } })
        : failWith(failure('not_found', { kind: 'none', what: 'doubt' }))
    }),
    bind(listSiteMessages, async ({ params, say }) => {
      const entry = await entryOf(params.id)
      if (entry === undefined) return failWith(noSite)
      const read = await deps.siteFleet.messages(entry.target)
      if (!read.ok) return succeed({ body: explained(say, siteReason(read.failure)) })
      const items = read.value.map(({ subject, sender, atUnix }) => ({
        subject,
        ...(sender === undefined ? {} : { sender }),
        ...(atUnix === undefined ? {} : { at: atUnix }),
      }))
      return succeed({ body: { items } })
    }),
    bind(refreshSite, async ({ params }) =>
      (await deps.jobs.runSoon({ scope: 'site', subjectId: params.id, name: 'statistics' }))
        ? succeed({ body: { ok: true as const } })
        : failWith(failure('not_found', { kind: 'none', what: 'statistics' })),
    ),
    bind(listSiteHistory, async ({ query }) => {
      const { timeZone } = await deps.locale.read()
      const today = localDay(unixSeconds(deps.clock), timeZone)
      const days = Array.from({ length: query.days }, (_, index) => addDays(today, index + 1 - query.days))
      const [entries, snapshots] = await Promise.all([
        deps.sites.list(),
        deps.siteFigures.snapshotsFor(days[0] ?? today, today),
      ])
      const enabled = new Set(entries.filter(({ record }) => record.enabled).map(({ record }) => record.id))
      const changes = changesByDay(
        snapshots.filter(({ siteId }) => enabled.has(siteId)),
        days,
      )
      return succeed({
        body: {
          items: changes.map(({ day, uploadedBytes, downloadedBytes, bonus, sites }) => ({
            day,
            uploaded: uploadedBytes,
            downloaded: downloadedBytes,
            bonus,
            sites,
          })),
        },
      })
    }),
    bind(listLoginReminders, async () => {
      const [reminders, entries] = await Promise.all([deps.loginReminders.list(), deps.sites.list()])
      const names = new Map(entries.map(({ record }) => [record.id, record.name]))
      return succeed({
        body: {
          items: reminders.flatMap(({ siteId, tier, daysRemaining, raisedAtUnix }) => {
            const site = names.get(siteId)
            return site === undefined ? [] : [{ site, tier, days_remaining: daysRemaining, raised_at: raisedAtUnix }]
          }),
        },
      })
    }),
  ]
}

const storeFailures = {
  not_found: noSite,
  name_taken: wrongField('name', { kind: 'name_taken', what: 'site' }),
  too_many: failure('invalid_argument', { kind: 'too_many', what: 'site', limit: sitesMax }),
  secrets: failure('unavailable', { kind: 'cannot_seal', what: 'site' }),
} as const

function toWireAbilities(kind: SiteKind, signsIn: boolean, searches: boolean) {
  const { statistics, signIn, search, hitAndRun, credential } = siteAbilities[kind]
  return { statistics, sign_in: signIn && signsIn, search: search && searches, hit_and_run: hitAndRun, credential }
}

function listsOf(lists: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]]))
}

function toWirePromotions({ action, items, silent }: FreeStandings): WirePromotions {
  return {
    action,
    items: items.map(({ torrentId, endAtUnix, needsSeconds, billedBytes, actsAtUnix, ...rest }) => ({
      torrent_id: torrentId,
      ...rest,
      ...(endAtUnix === undefined ? {} : { ends_at: endAtUnix }),
      ...(needsSeconds === undefined ? {} : { needs: needsSeconds }),
      ...(billedBytes === undefined ? {} : { billed: billedBytes }),
      ...(actsAtUnix === undefined ? {} : { acts_at: Math.floor(actsAtUnix) }),
    })),
    silent: [...silent],
  }
}

function toWireConsoleSite(record: SiteRecord): WireConsoleSite {
  return {
    id: record.id,
    name: record.name,
    display_name: record.displayName,
    kind: record.kind,
    definition: record.definition,
    address: record.baseUrl,
    has_cookie: record.hasCookie,
    has_api_key: record.hasApiKey,
    ...(record.cookieFrom === undefined ? {} : { cookie_from: record.cookieFrom }),
    ...(record.cookieAtUnix === undefined ? {} : { cookie_at: record.cookieAtUnix }),
    ...(record.proxyHost === '' ? {} : { proxy_host: record.proxyHost }),
    enabled: record.enabled,
    auto_sign_in: record.autoSignIn,
    inactivity_days: record.inactivityDays,
    remind_before_days: record.remindBeforeDays,
    capacity_gib: record.capacityGib,
    overrides: record.overrides,
    answered: [...record.answered],
    ...toWireAbilities(record.kind, record.profile.signsIn, record.profile.searches),
  }
}
