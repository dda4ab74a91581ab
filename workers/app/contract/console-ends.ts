/** The console's endpoints for when torrents come to their end: for the signed-in browser only. */
import * as z from '#shared/schema/deferred.ts'
import { endFlagFields, endNumberFields, endSetFields } from '../core/ends/end-rule.ts'
import { endActions, endModes, endStatuses } from '../core/vocabulary.ts'
import { endRulesMax, filterRuleNameCharactersMax, ruleConditionsMax, rulePerDayMax } from '../limits.ts'
import { wireClause } from './console-rules.ts'
import { wholeNumber } from './paging.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'
import { conditionOf } from './rule-condition.ts'

const endCondition = conditionOf({ numbers: endNumberFields, sets: endSetFields, flags: endFlagFields })

export const endRule = z.strictObject({
  action: z.enum(endActions),
  conditions: z.array(endCondition).min(1).max(ruleConditionsMax),
  /** Ended in any 24 hours; left out for no bound. */
  per_day_max: z.int().min(1).max(rulePerDayMax).optional(),
})

const ruleFields = {
  name: z.string().trim().min(1).max(filterRuleNameCharactersMax),
  enabled: z.boolean(),
  rule: endRule,
}
const ruleBody = z.strictObject(ruleFields)
export type EndRuleBody = z.output<typeof ruleBody>

const wireStoredRule = z.object({
  id: z.int(),
  ...ruleFields,
  /** In the last 30 days, and in the last 24 hours. */
  ended: z.int(),
  ended_today: z.int(),
})
export type WireStoredEndRule = z.infer<typeof wireStoredRule>

const mode = z.enum(endModes)
const ruleId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
const done = z.object({ ok: z.literal(true) })

/** In their order: the first that fits decides. */
export const listEndRules = declareRoute('session', 'get', '/end-rules', {
  operationId: 'listEndRules',
  summary: '种子结束规则',
  answers: { 200: z.object({ mode, items: z.array(wireStoredRule) }) },
})

export const addEndRule = declareRoute('session', 'post', '/end-rules', {
  operationId: 'addEndRule',
  summary: '添加种子结束规则，排在最后',
  body: ruleBody,
  answers: { 200: wireStoredRule },
})

export const changeEndRule = declareRoute('session', 'put', '/end-rules/{id}', {
  operationId: 'changeEndRule',
  summary: '修改种子结束规则',
  params: ruleId,
  body: ruleBody,
  answers: { 200: wireStoredRule },
})

export const removeEndRule = declareRoute('session', 'delete', '/end-rules/{id}', {
  operationId: 'removeEndRule',
  summary: '删除种子结束规则',
  params: ruleId,
  body: emptyBody,
  answers: { 200: done },
})

export const orderEndRules = declareRoute('session', 'post', '/end-rules/order', {
  operationId: 'orderEndRules',
  summary: '排列种子结束规则',
  body: z.strictObject({ ids: z.array(z.int().min(1)).max(endRulesMax) }),
  answers: { 200: done },
})

/** `dry` only says what the rules would end; `on` ends what was due in two looks. */
export const setEndMode = declareRoute('session', 'put', '/end-mode', {
  operationId: 'setEndMode',
  summary: '种子结束规则：关闭、仅预演或执行',
  body: z.strictObject({ mode }),
  answers: { 200: z.object({ mode }) },
})

const endFacts = {
  downloader: z.string(),
  info_hash: z.string(),
  title: z.string(),
  size: z.int(),
  action: z.enum(endActions),
  rule: z.string(),
  clauses: z.array(wireClause),
}

const wireEnd = z.object({
  id: z.int(),
  ...endFacts,
  downloader_id: z.int(),
  /** Left out where nobody knows. */
  site: z.string().optional(),
  status: z.enum(endStatuses),
  due_since: z.int(),
  decided_at: z.int(),
  error: z.string().optional(),
  ...withReason,
})
export type WireEnd = z.infer<typeof wireEnd>

/** What is due first, then what was ended in the last 30 days, newest first. */
export const listEnds = declareRoute('session', 'get', '/torrent-ends', {
  operationId: 'listEnds',
  summary: '将结束和已结束的种子',
  answers: { 200: z.object({ items: z.array(wireEnd) }) },
})

const endTrial = z.object({
  judged: z.int(),
  ended: z.int(),
  freed: z.int(),
  items: z.array(z.object(endFacts)),
  /** Downloaders that could not be read, and are not in it. */
  unread: z.array(z.object({ downloader: z.string(), error: z.string(), ...withReason })),
})
export type WireEndTrial = z.infer<typeof endTrial>

/** What the rules would end of what the downloaders hold now. Writes nothing. */
export const tryEndRules = declareRoute('session', 'post', '/end-rules/try', {
  operationId: 'tryEndRules',
  isTrial: true,
  summary: '用下载器中现有的种子试运行结束规则',
  body: z.strictObject({ rules: z.array(ruleBody).max(endRulesMax) }),
  answers: { 200: endTrial },
})

export const consoleEndDeclarations: readonly RouteDeclaration[] = [
  listEndRules,
  addEndRule,
  changeEndRule,
  removeEndRule,
  orderEndRules,
  setEndMode,
  listEnds,
  tryEndRules,
]
