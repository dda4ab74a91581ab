/** Brush tasks, feeds, filter rules and the ends of torrents. */
import type {
  BrushTaskBody,
  BrushTrialBody,
  WireBrushLeftList,
  WireBrushTorrent,
  WireConsoleBrushTask,
} from '../../contract/console-brush.ts'
import type { EndRuleBody, WireEnd, WireEndTrial, WireStoredEndRule } from '../../contract/console-ends.ts'
import type { pushFeedItem as pushRoute, WireFeedItem, WireOtherRules } from '../../contract/console-feed-items.ts'
import type { FeedBody, WireFeed } from '../../contract/console-feeds.ts'
import type { ReseedBody, ReseedServiceBody, WireReseed, WireReseedService } from '../../contract/console-reseed.ts'
import type {
  RuleBody,
  RuleLikeBody,
  RuleTrial,
  WireRule,
  WireRuleStart,
  WireRulesText,
  WireStoredRule,
} from '../../contract/console-rules.ts'
import type { PushAnswer } from '../model/push.ts'
import { type Answer, call, type Done, type Items, own, rowsAt } from './call.ts'

export const {
  list: fetchBrushTasks,
  add: addBrushTask,
  change: changeBrushTask,
  remove: removeBrushTask,
} = rowsAt<WireConsoleBrushTask, BrushTaskBody>(`${own}/brush-tasks`)

export function runBrushTask(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/brush-tasks/${id}/run`, body: {} })
}

export function fetchBrushTorrents(id: number, signal?: AbortSignal): Items<WireBrushTorrent> {
  return call({ method: 'GET', path: `${own}/brush-tasks/${id}/torrents`, signal })
}

export function fetchBrushLeft(id: number, signal?: AbortSignal): Promise<Answer<WireBrushLeftList>> {
  return call({ method: 'GET', path: `${own}/brush-tasks/${id}/left`, signal })
}

export const {
  list: fetchFeeds,
  add: addFeed,
  change: changeFeed,
  remove: removeFeed,
} = rowsAt<WireFeed, FeedBody>(`${own}/feeds`)

export function runFeed(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/feeds/${id}/run`, body: {} })
}

export function fetchFeedItems(query: string, signal?: AbortSignal): Items<WireFeedItem> {
  return call({ method: 'GET', path: `${own}/feed-items${query}`, signal })
}

export function askOtherRules(id: number, signal?: AbortSignal): Promise<Answer<WireOtherRules>> {
  return call({ method: 'GET', path: `${own}/feed-items/${id}/others`, signal })
}

export function pushFeedItem(id: number, body: (typeof pushRoute)['body']['_input']): Promise<Answer<PushAnswer>> {
  return call({ method: 'POST', path: `${own}/feed-items/${id}/push`, body })
}

export function startRule(body: RuleLikeBody, signal?: AbortSignal): Promise<Answer<WireRuleStart>> {
  return call({ method: 'POST', path: `${own}/rules/like`, body, signal })
}

export const { add: addRule, change: changeRule, remove: removeRule } = rowsAt<WireStoredRule, RuleBody>(`${own}/rules`)

export function fetchRules(
  signal?: AbortSignal,
): Promise<Answer<{ readonly items: readonly WireStoredRule[]; readonly left: number }>> {
  return call({ method: 'GET', path: `${own}/rules`, signal })
}

export function orderRules(ids: readonly number[]): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/rules/order`, body: { ids } })
}

export function tryBrushPick(body: BrushTrialBody): Promise<Answer<RuleTrial>> {
  return call({ method: 'POST', path: `${own}/brush-tasks/try`, body })
}

export function tryRules(
  rules: readonly { readonly id: number; readonly name: string; readonly rule: WireRule }[],
): Promise<Answer<RuleTrial>> {
  return call({ method: 'POST', path: `${own}/rules/try`, body: { rules } })
}

export function fetchRulesText(signal?: AbortSignal): Promise<Answer<{ readonly text: string }>> {
  return call({ method: 'GET', path: `${own}/rules-text`, signal })
}

/** Without `keep` it is only checked and tried. */
export function putRulesText(text: string, keep: boolean): Promise<Answer<WireRulesText>> {
  return call({ method: 'PUT', path: `${own}/rules-text`, body: { text, keep } })
}

type EndMode = 'off' | 'dry' | 'on'

const endRules = rowsAt<WireStoredEndRule, EndRuleBody>(`${own}/end-rules`)
export const { add: addEndRule, change: changeEndRule, remove: removeEndRule } = endRules

export function fetchEndRules(
  signal?: AbortSignal,
): Promise<Answer<{ readonly mode: EndMode; readonly items: WireStoredEndRule[] }>> {
  return call({ method: 'GET', path: `${own}/end-rules`, signal })
}

export function orderEndRules(ids: readonly number[]): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/end-rules/order`, body: { ids } })
}

export function setEndMode(mode: EndMode): Promise<Answer<{ readonly mode: EndMode }>> {
  return call({ method: 'PUT', path: `${own}/end-mode`, body: { mode } })
}

export function fetchEnds(signal?: AbortSignal): Items<WireEnd> {
  return call({ method: 'GET', path: `${own}/torrent-ends`, signal })
}

export function tryEndRules(rules: readonly EndRuleBody[]): Promise<Answer<WireEndTrial>> {
  return call({ method: 'POST', path: `${own}/end-rules/try`, body: { rules } })
}

export interface Reseeds extends ReseedBody {
  readonly asked: readonly {
    readonly site: string
    readonly asks: number
    readonly ways: readonly { readonly way: WireReseed['way']; readonly found: number }[]
  }[]
  readonly service: WireReseedService
  readonly items: WireReseed[]
}

export function fetchReseeds(signal?: AbortSignal): Promise<Answer<Reseeds>> {
  return call({ method: 'GET', path: `${own}/reseeds`, signal })
}

export function changeReseedService(body: ReseedServiceBody): Promise<Answer<WireReseedService>> {
  return call({ method: 'PUT', path: `${own}/settings/reseed-service`, body })
}

export function changeReseed(body: ReseedBody): Promise<Answer<ReseedBody>> {
  return call({ method: 'PUT', path: `${own}/settings/reseed`, body })
}
