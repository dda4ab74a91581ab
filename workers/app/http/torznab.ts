/**
 * The way in for programs that know indexers (Torznab): they search the owner's sites, one or all, and fetch what they
 * chose. What they fetch holds the owner's pass key, so their token is one that may read and operate.
 */
import { type Context, Hono } from 'hono'
import { bearerToken } from '#shared/http/bearer-token.ts'
import { unixSeconds } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { WireSearchItem } from '../contract/search.ts'
import { readSearchRows } from '../contract/search-rows.ts'
import { basePathAt } from '../core/base-path.ts'
import { type Failure, failure } from '../core/failure.ts'
import { mayUse, type Principal } from '../core/principal.ts'
import { siteReason } from '../core/reason/of-fault.ts'
import type { Reason } from '../core/reason/reason.ts'
import { sayFor } from '../core/reason/say.ts'
import { toldFigure } from '../core/search-figures.ts'
import { canSearch } from '../core/site.ts'
import type { SiteFault } from '../core/site-fault.ts'
import { categoriesOf, isAsked, searchWordOf } from '../core/torznab/categories.ts'
import { readFunction, readQuery, type TorznabFault, type TorznabQuery } from '../core/torznab/query.ts'
import { type TorznabItem, writeCapabilities, writeError, writeFeed } from '../core/torznab/write-feed.ts'
import { torznabPrefix } from '../core/vocabulary.ts'
import {
  keywordCharactersMax,
  torrentIdCharactersMax,
  torznabCategoriesMax,
  torznabItemsMax,
  torznabOffsetMax,
} from '../limits.ts'
import type { SiteEntry } from '../ports/sites.ts'
import type { AppDeps } from '../ports.ts'
import { writtenDown } from '../services/written-down.ts'
import { unauthorized } from './authenticate.ts'
import { type Framed, frameAnswers } from './frame-answers.ts'
import { renderFailure } from './render-failure.ts'

type TorznabDeps = Pick<
  AppDeps,
  | 'audit'
  | 'background'
  | 'basedAt'
  | 'clock'
  | 'credentials'
  | 'identifiers'
  | 'logger'
  | 'publicOrigins'
  | 'siteFleet'
  | 'siteRulesOf'
  | 'sites'
>

const bounds = {
  itemsMax: torznabItemsMax,
  offsetMax: torznabOffsetMax,
  keywordCharactersMax,
  categoriesMax: torznabCategoriesMax,
}
const noSite: TorznabFault = { code: 'incorrect', description: 'There is no such site, or it is off' }

export function serveTorznab(deps: TorznabDeps): Hono<Framed> {
  const app = new Hono<Framed>()
  frameAnswers(app, deps)

  const answer = async (c: Context<Framed>, site: string | undefined) => {
    const parameters = new URL(c.req.url).searchParams
    const asked = readFunction(parameters)
    if (!asked.ok) return xml(writeError(asked.failure))
    // The same for everybody: the protocol has it asked for before a key is known.
    if (asked.value === 'caps') return xml(writeCapabilities(torznabItemsMax))
    const caller = await callerOf(deps, c.req.raw, parameters)
    if (!caller.ok) return xml(writeError(caller.failure))
    const query = readQuery(asked.value, parameters, bounds)
    if (!query.ok) return xml(writeError(query.failure))
    const found = await searchFor(deps, site, query.value, c.req.raw, caller.value.key)
    return xml(found.ok ? found.value : writeError(found.failure), found.ok ? 'rss+xml' : 'xml')
  }
  app.get(`${torznabPrefix}/api`, (c) => answer(c, undefined))
  app.get(`${torznabPrefix}/:site/api`, (c) => answer(c, c.req.param('site')))

  app.get(`${torznabPrefix}/:site/file`, (c) => giveFile(deps, c, c.req.param('site')))

  app.all(`${torznabPrefix}/*`, (c) =>
    c.req.method === 'GET' || c.req.method === 'HEAD'
      ? renderFailure(failure('not_found', { kind: 'none', what: 'address' }), sayFor(c.req.raw.headers))
      : renderFailure(failure('method_not_allowed', { kind: 'method', allowed: ['GET'] }), sayFor(c.req.raw.headers), {
          allow: 'GET',
        }),
  )
  return app
}

/** Faults too are answers that succeeded: the protocol has them told by the document alone. */
function xml(document: string, type: 'xml' | 'rss+xml' = 'xml'): Response {
  return new Response(document, { headers: { 'content-type': `application/${type}; charset=utf-8` } })
}

/** The key of a program is a token; it stands in the address, or where those who can put it in a header. */
async function callerOf(
  deps: Pick<TorznabDeps, 'credentials'>,
  { headers }: Request,
  parameters: URLSearchParams,
): Promise<Result<{ readonly principal: Principal; readonly key: string }, TorznabFault>> {
  const key =
    parameters.get('apikey') ?? headers.get('x-api-key') ?? bearerToken(headers.get('authorization') ?? undefined)
  const known = key === undefined || key === '' ? undefined : await deps.credentials.byToken(key)
  if (key === undefined || known === undefined)
    return failWith({ code: 'credentials', description: 'Incorrect user credentials' })
  return mayUse(known.principal, 'app:read') && mayUse(known.principal, 'app:write')
    ? succeed({ principal: known.principal, key })
    : failWith({
        code: 'privileges',
        description: 'Insufficient privileges: the token needs the scopes app:read and app:write',
      })
}

async function searchFor(
  deps: TorznabDeps,
  site: string | undefined,
  query: TorznabQuery,
  request: Request,
  key: string,
): Promise<Result<string, TorznabFault>> {
  const asked = (await deps.sites.list()).filter(
    ({ record }) =>
      record.enabled &&
      (site === undefined ? canSearch(record.kind, record.profile) : record.name === site.toLowerCase()),
  )
  if (site !== undefined && asked.length === 0) return failWith(noSite)
  const answers = await Promise.all(
    asked.map(async (entry) => ({ entry, found: await deps.siteFleet.search(entry.target, wishOf(query, entry)) })),
  )
  const read = answers.flatMap(({ entry, found }) => (found.ok ? [{ entry, rows: readSearchRows(found.value) }] : []))
  const [failed] = answers.flatMap(({ found }) => (found.ok ? [] : [found.failure]))
  if (read.length === 0 && failed !== undefined) return failWith(faultOf(failed, request))
  const base = `${homeOf(deps, request)}${torznabPrefix}`
  const items = read.flatMap(({ entry, rows }) =>
    rows.flatMap((row) => {
      const categories = categoriesOf(row.category, row.title)
      const isOther = query.imdbId !== undefined && row.imdb_id !== undefined && row.imdb_id !== query.imdbId
      return isOther || !isAsked(categories, query.categories) ? [] : [itemOf(deps, entry, row, categories, base, key)]
    }),
  )
  const newestFirst = items.toSorted((left, right) => (right.uploadedAtUnix ?? 0) - (left.uploadedAtUnix ?? 0))
  return succeed(
    writeFeed({
      title: site === undefined ? 'Wharf' : (asked[0]?.record.displayName ?? site),
      items: newestFirst.slice(query.offset, query.offset + query.limit),
      offset: query.offset,
      total: newestFirst.length,
      nowUnix: unixSeconds(deps.clock),
      dateOf: (seconds) => new Date(seconds * 1000).toUTCString().replace('GMT', '+0000'),
    }),
  )
}

/** A site is asked for a category only by a name that its settings know: other words would be compared with its own. */
function wishOf({ keyword, categories }: TorznabQuery, { target }: SiteEntry) {
  const word = searchWordOf(categories)
  const category = word !== undefined && word in target.profile.categories ? { category: word } : {}
  return { keyword, ...category, freeOnly: false, minSeeders: 0 }
}

function itemOf(
  deps: Pick<TorznabDeps, 'siteRulesOf'>,
  { record }: SiteEntry,
  row: WireSearchItem,
  categories: readonly number[],
  base: string,
  key: string,
): TorznabItem {
  const place = new URLSearchParams({ id: row.torrent_id, apikey: key })
  const seedHours = row.has_hr ? deps.siteRulesOf(record.definition).hit_and_run?.seed_hours : undefined
  return {
    site: record.name,
    torrentId: row.torrent_id,
    title: row.title,
    subtitle: row.subtitle,
    link: `${base}/${encodeURIComponent(record.name)}/file?${place}`,
    sizeBytes: row.size,
    categories,
    uploadedAtUnix: row.uploaded_at,
    seeders: toldFigure(row, 'seeders'),
    leechers: toldFigure(row, 'leechers'),
    snatched: row.snatched,
    infoHash: row.info_hash,
    imdbId: row.imdb_id,
    discount: row.discount,
    seedSeconds: seedHours === undefined ? undefined : Math.ceil(seedHours * 3600),
  }
}

function faultOf(fault: SiteFault, request: Request): TorznabFault {
  return {
    code: fault.kind === 'rate_limited' ? 'limited' : 'other',
    description: sayFor(request.headers)(siteReason(fault)),
  }
}

function homeOf({ publicOrigins, basedAt }: Pick<TorznabDeps, 'publicOrigins' | 'basedAt'>, { url }: Request): string {
  const { host, origin } = new URL(url)
  return `${publicOrigins.find((one) => new URL(one).host === host) ?? origin}${basePathAt(url, basedAt)}`
}

/** Written into the log before it is done, as every act of a token is: with the file goes the owner's pass key. */
async function giveFile(deps: TorznabDeps, c: Context<Framed>, siteName: string): Promise<Response> {
  const say = sayFor(c.req.raw.headers)
  const parameters = new URL(c.req.url).searchParams
  const caller = await callerOf(deps, c.req.raw, parameters)
  if (!caller.ok) {
    const refusal =
      caller.failure.code === 'credentials'
        ? unauthorized
        : failure('forbidden', { kind: 'account.no_permission', holder: 'token', scope: 'app:write' })
    return renderFailure(refusal, say)
  }
  const id = parameters.get('id') ?? ''
  if (id === '' || [...id].length > torrentIdCharactersMax)
    return renderFailure(failure('invalid_argument', { kind: 'field.wrong', field: 'id', part: 'parameter' }), say)
  const entry = await deps.sites.find(siteName)
  if (entry === undefined || !entry.record.enabled)
    return renderFailure(failure('not_found', { kind: 'none', what: 'site' }), say)
  const refused = (why: Failure): { readonly response: Response; readonly reason?: Reason } => ({
    response: renderFailure(why, say),
    reason: why.reason,
  })
  const { principal } = caller.value
  const { name } = entry.record
  const given = writtenDown(
    deps,
    {
      channel: principal.kind,
      user: principal.id,
      command: `GET ${torznabPrefix}/${name}/file`,
      requestId: c.get('requestId'),
    },
    async () => {
      const file = await deps.siteFleet.download(entry.target, id)
      return file.ok
        ? { response: fileResponse(file.value, `${name}-${id.replace(/[^\w.-]/g, '_').slice(0, 80)}`) }
        : refused(failure('download_failed', siteReason(file.failure)))
    },
    ({ response: { status }, reason }) => ({ result: reason === undefined ? 'ok' : 'error', status, reason }),
  )
  // What began goes on to its outcome when its caller leaves.
  deps.background.run(given.catch(() => undefined))
  const written = await given
  return (written.ok ? written.value : refused(failure('unavailable', written.failure))).response
}

function fileResponse(file: Uint8Array, name: string): Response {
  return new Response(Uint8Array.from(file), {
    headers: {
      'content-type': 'application/x-bittorrent',
      'content-disposition': `attachment; filename="${name}.torrent"`,
    },
  })
}
