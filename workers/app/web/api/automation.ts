/** Brush tasks, feeds and filter rules. */
import type { BrushTaskBody, WireBrushTorrent, WireConsoleBrushTask } from '../../contract/console-brush.ts'
import type { FeedBody, WireFeed, WireFeedItem } from '../../contract/console-feeds.ts'
import type { RuleBody, RuleTrial, WireRule, WireRulesText, WireStoredRule } from '../../contract/console-rules.ts'
import { type Answer, call, type Done, type Items, own } from './call.ts'

export function fetchBrushTasks(signal?: AbortSignal): Items<WireConsoleBrushTask> {
  return call({ method: 'GET', path: `${own}/brush-tasks`, signal })
}

export function addBrushTask(body: BrushTaskBody): Promise<Answer<WireConsoleBrushTask>> {
  return call({ method: 'POST', path: `${own}/brush-tasks`, body })
}

export function changeBrushTask(id: number, body: BrushTaskBody): Promise<Answer<WireConsoleBrushTask>> {
  return call({ method: 'PUT', path: `${own}/brush-tasks/${id}`, body })
}

export function removeBrushTask(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/brush-tasks/${id}` })
}

export function runBrushTask(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/brush-tasks/${id}/run`, body: {} })
}

export function fetchBrushTorrents(id: number, signal?: AbortSignal): Items<WireBrushTorrent> {
  return call({ method: 'GET', path: `${own}/brush-tasks/${id}/torrents`, signal })
}

export function fetchFeeds(signal?: AbortSignal): Items<WireFeed> {
  return call({ method: 'GET', path: `${own}/feeds`, signal })
}

export function addFeed(body: FeedBody): Promise<Answer<WireFeed>> {
  return call({ method: 'POST', path: `${own}/feeds`, body })
}

export function changeFeed(id: number, body: FeedBody): Promise<Answer<WireFeed>> {
  return call({ method: 'PUT', path: `${own}/feeds/${id}`, body })
}

export function removeFeed(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/feeds/${id}` })
}

export function runFeed(id: number): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/feeds/${id}/run`, body: {} })
}

export function fetchFeedItems(query: string, signal?: AbortSignal): Items<WireFeedItem> {
  return call({ method: 'GET', path: `${own}/feed-items${query}`, signal })
}

export function fetchRules(signal?: AbortSignal): Items<WireStoredRule> {
  return call({ method: 'GET', path: `${own}/rules`, signal })
}

export function addRule(body: RuleBody): Promise<Answer<WireStoredRule>> {
  return call({ method: 'POST', path: `${own}/rules`, body })
}

export function changeRule(id: number, body: RuleBody): Promise<Answer<WireStoredRule>> {
  return call({ method: 'PUT', path: `${own}/rules/${id}`, body })
}

export function removeRule(id: number): Promise<Answer<Done>> {
  return call({ method: 'DELETE', path: `${own}/rules/${id}` })
}

export function orderRules(ids: readonly number[]): Promise<Answer<Done>> {
  return call({ method: 'POST', path: `${own}/rules/order`, body: { ids } })
}

export function tryRules(
  rules: readonly { readonly id: number; readonly rule: WireRule }[],
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
