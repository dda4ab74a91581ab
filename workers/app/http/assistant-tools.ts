/**
 * What the assistant does, it does through the interface's own endpoints, in its caller's name: the same judgement of
 * input, the same redacted answers. Those that change something are first put before a person.
 */

import type { z } from '@hono/zod-openapi'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import {
  type AssistantTool,
  assistantToolShapes,
  isAssistantTool,
  searchOutput,
  type ToolArguments,
} from '../contract/assistant-tools.ts'
import { listDownloaders } from '../contract/downloaders.ts'
import { explore } from '../contract/explore.ts'
import { pushTorrent } from '../contract/push.ts'
import type { RouteDeclaration } from '../contract/route.ts'
import { search } from '../contract/search.ts'
import { carryOutSitePlan, makeSitePlan } from '../contract/site-plans.ts'
import { listSites } from '../contract/sites.ts'
import { addSubscription, listSubscriptions } from '../contract/subscriptions.ts'
import { listTasks } from '../contract/tasks.ts'
import { actOnTorrents, changeTorrents, listTorrents } from '../contract/torrents.ts'
import { getUpdates } from '../contract/updates.ts'
import { type ChangeOfTorrents, canBeShown, type TorrentTarget } from '../core/assistant/proposed-action.ts'
import { writeToolOutput } from '../core/assistant/tool-output.ts'
import { mayUse, type Principal } from '../core/principal.ts'
import { chooseDownloader } from '../core/push-plan.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { Say } from '../core/reason/say.ts'
import { groupTargets, unknownDownloader, unknownTorrent } from '../core/torrent-action-plan.ts'
import { assistantPageSize, toolOutputBytesMax } from '../limits.ts'
import type { AssistantTools, JudgedCall, ToolDescription, ToolOutcome } from '../ports/assistant.ts'
import type { AppDeps } from '../ports.ts'
import { type BoundRoute, FinishedJson } from './bind.ts'
import { describeIssues } from './describe-issues.ts'
import { downloaderRoutes } from './routes/downloaders.ts'
import { exploreRoutes } from './routes/explore.ts'
import { pushRoutes } from './routes/push.ts'
import { searchRoutes } from './routes/search.ts'
import { sitePlanRoutes } from './routes/site-plans.ts'
import { siteWatchRoutes } from './routes/site-watch.ts'
import { siteRoutes } from './routes/sites.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { taskRoutes } from './routes/tasks.ts'
import { torrentRoutes } from './routes/torrents.ts'
import { updateRoutes } from './routes/updates.ts'
import { titleToSubscribe } from './subscribe.ts'

const noTool: Reason = { kind: 'none', what: 'tool' }

/** What an endpoint is asked, before its own schemas look at it. */
interface Asked {
  readonly route: RouteDeclaration
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export function createAssistantTools(deps: AppDeps): AssistantTools {
  const routes = [
    ...siteRoutes(deps),
    ...siteWatchRoutes(deps),
    ...sitePlanRoutes(deps),
    ...torrentRoutes(deps),
    ...downloaderRoutes(deps),
    ...searchRoutes(deps),
    ...pushRoutes(deps),
    ...taskRoutes(deps),
    ...subscriptionRoutes(deps),
    ...exploreRoutes(deps),
    ...updateRoutes(deps),
  ]

  /** What the tool calls; its answer is an object. */
  async function ask(asked: Asked, caller: Principal, requestId: string, say: Say): Promise<Result<object, Reason>> {
    const bound = routes.find(({ route }) => route === asked.route)
    if (bound === undefined) throw new Error(`no route for ${asked.route.operationId}`)
    return callRoute(bound, asked, caller, requestId, say)
  }

  /** Torrents by their present names; fails with why they cannot be named. */
  async function named(targets: ToolArguments<'pause_torrent'>['targets']): Promise<Result<TorrentTarget[], Reason>> {
    const downloaders = await deps.downloaders.targets()
    const groups = groupTargets(targets.map((one) => ({ downloaderId: one.downloader_id, taskId: one.task_id })))
    const found = new Map<string, TorrentTarget>()
    for (const [downloaderId, hashes] of groups) {
      const downloader = downloaders.find(({ id }) => id === downloaderId)
      if (downloader === undefined) return failWith(unknownDownloader)
      const torrents = await deps.fleet.find(downloader, hashes)
      if (!torrents.ok) return torrents
      for (const { infoHash, title } of torrents.value)
        found.set(`${downloaderId} ${infoHash}`, { title, downloader: downloader.name, info_hash: infoHash })
    }
    const names = targets.map((one) => found.get(`${one.downloader_id} ${one.task_id}`))
    return names.every((name) => name !== undefined) ? succeed(names) : failWith(unknownTorrent)
  }

  async function judgeChange(
    change: WithoutTargets<ChangeOfTorrents>,
    given: ToolArguments<'pause_torrent'>,
  ): Promise<JudgedCall> {
    const keys = new Set(given.targets.map((one) => `${one.downloader_id} ${one.task_id}`))
    if (keys.size < given.targets.length) return { kind: 'refused', reason: { kind: 'assistant.same_torrent_twice' } }
    const names = await named(given.targets)
    if (!names.ok) return { kind: 'refused', reason: names.failure }
    return { kind: 'confirm', arguments: given, proposed: { ...change, targets: names.value } }
  }

  /** What the plan takes is told from the plan itself. */
  async function judgePlan(given: ToolArguments<'carry_out_site_plan'>): Promise<JudgedCall> {
    const [site, plan] = await Promise.all([
      deps.sites.find(given.site.toLowerCase()),
      deps.sitePlans.find(given.plan_id),
    ])
    if (site === undefined || plan?.siteId !== site.record.id)
      return { kind: 'refused', reason: { kind: 'none', what: 'site_plan' } }
    const { name, displayName } = site.record
    const target = {
      ...{ site: name, site_title: displayName, level: plan.level, plan_id: plan.id },
      seeds: plan.steps.filter(({ kind }) => kind === 'seed').length,
      pushes: plan.steps.filter(({ kind }) => kind === 'push').length,
      size: plan.steps.reduce((sum, { kind, sizeBytes }) => sum + (kind === 'push' ? sizeBytes : 0), 0),
    }
    return {
      kind: 'confirm',
      arguments: { site: name, plan_id: plan.id },
      proposed: { action: 'site_plan', targets: [target] },
    }
  }

  /** What the endpoint reads of it, without blanks at its ends, is what is shown and what is confirmed. */
  async function judgeLabel(
    action: 'category' | 'tags',
    given: ToolArguments<'pause_torrent'> & Partial<Record<'category' | 'tags', string>>,
  ): Promise<JudgedCall> {
    const value = (given[action] ?? '').trim()
    if (!canBeShown(value)) return { kind: 'refused', reason: { kind: 'assistant.unshowable', what: action } }
    return judgeChange({ action, value }, { ...given, [action]: value })
  }

  async function judgePush(given: ToolArguments<'push_torrent'>, found: readonly string[]): Promise<JudgedCall> {
    const site = await deps.sites.find(given.site.toLowerCase())
    if (site === undefined || !site.record.enabled)
      return { kind: 'refused', reason: { kind: 'none', what: 'site_on' } }
    // Chosen now, so that what is confirmed is what happens.
    const chosen = chooseDownloader(await deps.downloaders.targets(), given.downloader_id ?? 0)
    if (!chosen.ok) return { kind: 'refused', reason: unknownDownloader }
    const pinned = { ...given, site: site.record.name, downloader_id: chosen.value.id }
    const read = pushTorrent.body.safeParse(pinned)
    if (!read.success) return { kind: 'refused', reason: describeIssues('body', pinned, read.error).reason }
    // What the endpoint reads of them, without blanks at their ends, is what is shown and what is confirmed.
    const { category = '', tags = '' } = read.data
    if (!canBeShown(category)) return { kind: 'refused', reason: { kind: 'assistant.unshowable', what: 'category' } }
    if (!canBeShown(tags)) return { kind: 'refused', reason: { kind: 'assistant.unshowable', what: 'tags' } }
    const title = titleIn(found, site.record.name, given.torrent_id)
    const labels = { ...(category === '' ? {} : { category }), ...(tags === '' ? {} : { tags }) }
    const target = {
      site: site.record.name,
      site_title: site.record.displayName,
      torrent_id: given.torrent_id,
      downloader: chosen.value.name,
      ...(title === undefined ? {} : { title }),
      ...labels,
    }
    const { category: _, tags: __, ...rest } = pinned
    return { kind: 'confirm', arguments: { ...rest, ...labels }, proposed: { action: 'push', targets: [target] } }
  }

  async function judgeSubscription(given: ToolArguments<'add_subscription'>): Promise<JudgedCall> {
    const { media_type: mediaType, tmdb_id: tmdbId, season: wantedSeason = 0, upgrade = false } = given
    if (mediaType === 'movie' && wantedSeason > 0)
      return { kind: 'refused', reason: { kind: 'media.film_has_no_season' } }
    const found = await titleToSubscribe(deps, { mediaType, tmdbId, season: wantedSeason })
    if (!found.ok) return { kind: 'refused', reason: found.failure.reason }
    const { title, year, season } = found.value
    // The latest season may be another one by the time somebody says yes.
    const pinned = { media_type: mediaType, tmdb_id: tmdbId, ...(season === 0 ? {} : { season }), upgrade }
    const target = { title, tmdb_id: tmdbId, ...(year === undefined ? {} : { year }), season, upgrade }
    return { kind: 'confirm', arguments: pinned, proposed: { action: 'subscribe', targets: [target] } }
  }

  return {
    list: (caller) =>
      Object.entries(assistantToolShapes)
        .filter(([_, { write }]) => !write || mayUse(caller, 'app:write'))
        .map(([name, tool]) => describeTool(name, tool.description, tool.arguments)),

    changes: (name) => isAssistantTool(name) && assistantToolShapes[name].write,

    async judge(caller, call, found) {
      const read = readCall(caller, call)
      if (!read.ok) return { kind: 'refused', reason: read.failure }
      const { name, arguments: given } = read.value
      switch (name) {
        case 'pause_torrent':
          return judgeChange({ action: 'pause' }, given)
        case 'resume_torrent':
          return judgeChange({ action: 'resume' }, given)
        case 'recheck_torrent':
          return judgeChange({ action: 'recheck' }, given)
        case 'reannounce_torrent':
          return judgeChange({ action: 'reannounce' }, given)
        case 'set_torrent_category':
          return judgeLabel('category', given)
        case 'set_torrent_tags':
          return judgeLabel('tags', given)
        case 'limit_torrent': {
          const { upload_limit, download_limit } = given
          return judgeChange({ action: 'limits', upload_limit, download_limit }, given)
        }
        case 'delete_torrent':
          return judgeChange({ action: given.delete_files === true ? 'delete_with_files' : 'delete' }, given)
        case 'push_torrent':
          return judgePush(given, found)
        case 'carry_out_site_plan':
          return judgePlan(given)
        case 'add_subscription':
          return judgeSubscription(given)
        default:
          return { kind: 'read' }
      }
    },

    async run(caller, call, requestId, say): Promise<ToolOutcome> {
      const read = readCall(caller, call)
      if (!read.ok) return { text: say(read.failure), isError: true }
      const answer = await ask(askedBy(read.value), caller, requestId, say)
      if (!answer.ok) return { text: say(answer.failure), isError: true }
      return {
        text: writeToolOutput(shownOf(read.value, answer.value), toolOutputBytesMax),
        isError: isFailedAction(answer.value),
      }
    },
  }
}

/** Of each of several shapes. */
type WithoutTargets<T> = T extends unknown ? Omit<T, 'targets'> : never

type ReadCall = { [T in AssistantTool]: { readonly name: T; readonly arguments: ToolArguments<T> } }[AssistantTool]

/** Whose name and arguments are right, and whom it is for. */
function readCall(
  caller: Principal,
  { name, arguments: given }: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
): Result<ReadCall, Reason> {
  if (!isAssistantTool(name)) return failWith(noTool)
  const tool = assistantToolShapes[name]
  // For a caller who may only read there are no others.
  if (tool.write && !mayUse(caller, 'app:write')) return failWith(noTool)
  const read = tool.arguments.safeParse(given)
  if (!read.success) return failWith(describeIssues('body', given, read.error).reason)
  return succeed({ name, arguments: read.data } as ReadCall)
}

function askedBy(call: ReadCall): Asked {
  switch (call.name) {
    case 'list_tasks': {
      const { pushed_only: pushedOnly, ...rest } = call.arguments
      return { route: listTasks, query: texts({ ...rest, pushed: pushedOnly === true ? 1 : undefined }) }
    }
    case 'list_downloader_torrents':
      return { route: listTorrents, query: texts(call.arguments) }
    case 'get_downloader_stats':
      return { route: listDownloaders }
    case 'search_torrents':
      return { route: search, body: call.arguments }
    case 'get_site_userinfo':
      return { route: listSites }
    case 'plan_site_level':
      return { route: makeSitePlan, params: { site: call.arguments.site.toLowerCase() }, body: {} }
    case 'carry_out_site_plan': {
      const { site, plan_id: planId } = call.arguments
      return { route: carryOutSitePlan, params: { site: site.toLowerCase(), plan_id: String(planId) }, body: {} }
    }
    case 'check_updates':
      return { route: getUpdates, query: call.arguments.include_prerelease === true ? { include_prerelease: '1' } : {} }
    case 'explore_media':
      return { route: explore, query: texts(call.arguments) }
    case 'list_subscriptions':
      return { route: listSubscriptions, query: texts(call.arguments) }
    case 'add_subscription':
      return { route: addSubscription, body: call.arguments }
    case 'pause_torrent':
      return { route: actOnTorrents, body: { action: 'pause', ...call.arguments } }
    case 'resume_torrent':
      return { route: actOnTorrents, body: { action: 'resume', ...call.arguments } }
    case 'recheck_torrent':
      return { route: changeTorrents, body: { change: { kind: 'recheck' }, ...call.arguments } }
    case 'reannounce_torrent':
      return { route: changeTorrents, body: { change: { kind: 'reannounce' }, ...call.arguments } }
    case 'set_torrent_category': {
      const { category, targets } = call.arguments
      return { route: changeTorrents, body: { change: { kind: 'category', category }, targets } }
    }
    case 'set_torrent_tags': {
      const { tags, targets } = call.arguments
      return { route: changeTorrents, body: { change: { kind: 'tags', tags }, targets } }
    }
    case 'limit_torrent': {
      const { upload_limit, download_limit, targets } = call.arguments
      return { route: changeTorrents, body: { change: { kind: 'limits', upload_limit, download_limit }, targets } }
    }
    case 'delete_torrent': {
      const action = call.arguments.delete_files === true ? 'delete_with_files' : 'delete'
      return { route: actOnTorrents, body: { action, targets: call.arguments.targets } }
    }
    case 'push_torrent':
      return { route: pushTorrent, body: call.arguments }
  }
}

function texts(values: Readonly<Record<string, string | number | undefined>>): Record<string, string> {
  const given = Object.entries(values).filter(([_, value]) => value !== undefined && value !== '')
  return {
    page_size: String(assistantPageSize),
    ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  }
}

async function callRoute(
  { route, handle }: BoundRoute,
  asked: Asked,
  principal: Principal,
  requestId: string,
  say: Say,
): Promise<Result<object, Reason>> {
  const params = route.params?.safeParse(asked.params ?? {})
  if (params?.success === false) return failWith(describeIssues('params', asked.params, params.error).reason)
  const query = route.query?.safeParse(asked.query ?? {})
  if (query?.success === false) return failWith(describeIssues('query', asked.query, query.error).reason)
  const body = route.body?.safeParse(asked.body)
  if (body?.success === false) return failWith(describeIssues('body', asked.body, body.error).reason)
  const answer = await handle({
    params: params?.data,
    query: query?.data,
    body: body?.data,
    principal,
    requestId,
    signal: new AbortController().signal,
    headers: new Headers(),
    url: '',
    origin: '',
    say,
  } as Parameters<typeof handle>[0])
  if (!answer.ok) return failWith(answer.failure.reason)
  const written: unknown = answer.value.body
  return succeed(
    written instanceof FinishedJson ? JSON.parse(await new Response(written.stream()).text()) : (written as object),
  )
}

function describeTool(name: string, description: string, shape: z.ZodObject): ToolDescription {
  const { $schema: _, ...parameters } = shape.toJSONSchema()
  return { name, description, parameters }
}

function shownOf(call: ReadCall, answer: object): object {
  if (call.name === 'get_site_userinfo') return ofSite(answer, call.arguments.site)
  // A list by itself would be cut in the middle of an item.
  return Array.isArray(answer) ? { items: answer } : answer
}

function ofSite(answer: object, site: string | undefined): object {
  if (site === undefined || !('items' in answer) || !Array.isArray(answer.items)) return answer
  return { ...answer, items: answer.items.filter(({ name }) => name === site.toLowerCase()) }
}

/** Actions answer 200 also where they did not do what was asked. */
function isFailedAction(answer: object): boolean {
  if ('success' in answer) return answer.success === false
  return 'failed' in answer && answer.failed !== 0
}

/** What the site's own list called it, in a search of this conversation. */
function titleIn(outputs: readonly string[], site: string, torrentId: string): string | undefined {
  for (const output of outputs) {
    let read: ReturnType<typeof searchOutput.safeParse>
    try {
      read = searchOutput.safeParse(JSON.parse(output))
    } catch {
      continue
    }
    const hit = read.data?.items.find((item) => item.site === site && item.torrent_id === torrentId)
    if (hit !== undefined) return hit.title
  }
  return undefined
}
