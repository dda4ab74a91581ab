/** The console's endpoints for filter rules: for the signed-in browser only. */

import * as z from '#shared/schema/deferred.ts'
import { clauseStates } from '../core/rules/clause.ts'
import { dayBoundFields } from '../core/rules/day-bound.ts'
import { factLacks, factSources, flagFields, numberFields, ruleActions, setFields } from '../core/rules/filter-rule.ts'
import { verdictActs } from '../core/rules/judge.ts'
import { discounts } from '../core/vocabulary.ts'
import {
  filterRuleNameCharactersMax,
  filterRulesMax,
  pushCategoryCharactersMax,
  pushTagsCharactersMax,
  pushTitleCharactersMax,
  ruleConditionsMax,
  ruleNumberMax,
  rulePerDayMax,
  rulesTextBytesMax,
  ruleWordsMax,
  savePathBytesMax,
} from '../limits.ts'
import { wholeNumber } from './paging.ts'
import { line } from './push.ts'
import { withReason } from './reason.ts'
import { declareRoute, emptyBody, type RouteDeclaration } from './route.ts'
import { anyCondition, conditionOf } from './rule-condition.ts'

const ruleCondition = conditionOf({ numbers: numberFields, sets: setFields, flags: flagFields })
export type WireCondition = z.infer<typeof ruleCondition>

export const filterRule = z.strictObject({
  action: z.enum(ruleActions),
  conditions: z.array(ruleCondition).min(1).max(ruleConditionsMax),
  target: z.strictObject({
    /** 0 for the default one. */
    downloader_id: z.int().min(0),
    category: z.string().trim().max(pushCategoryCharactersMax),
    tags: z
      .array(
        z
          .string()
          .trim()
          .min(1)
          .max(pushTagsCharactersMax)
          .regex(/^[^,]*$/),
      )
      .max(ruleWordsMax)
      .refine((tags) => tags.join(',').length <= pushTagsCharactersMax),
    save_path: z
      .string()
      .trim()
      .refine((path) => new TextEncoder().encode(path).length <= savePathBytesMax),
    paused: z.boolean().optional(),
  }),
  /** Taken in any 24 hours; left out for no bound. */
  per_day_max: z.int().min(1).max(rulePerDayMax).optional(),
  /** The same of their size, in GiB. */
  per_day_gib_max: z.number().gt(0).max(ruleNumberMax).optional(),
})
export type WireRule = z.infer<typeof filterRule>

const ruleFields = {
  name: z.string().trim().min(1).max(filterRuleNameCharactersMax),
  enabled: z.boolean(),
  rule: filterRule,
}
const ruleBody = z.strictObject(ruleFields)
export type RuleBody = z.output<typeof ruleBody>

/** A rule as it stands in a text of all of them: what has a usual value may be left out. */
export const writtenRule = z.strictObject({
  name: ruleFields.name,
  enabled: z.boolean().default(true),
  ...filterRule.shape,
  target: filterRule.shape.target.partial().default({}),
})

const wireStoredRule = z.object({
  id: z.int(),
  ...ruleFields,
  /** In the last 30 days, and in the last 24 hours. */
  taken: z.int(),
  taken_today: z.int(),
  /** Of the last 24 hours, in bytes. */
  size_today: z.int(),
})
export type WireStoredRule = z.infer<typeof wireStoredRule>

export const wireClause = z.object({
  asked: z.union([
    anyCondition,
    z.object({ field: z.enum(dayBoundFields), op: z.literal('at_most'), value: z.number() }),
    z.object({ field: z.literal('same_release'), op: z.literal('is'), value: z.literal(false) }),
  ]),
  state: z.enum(clauseStates),
  found: z.union([z.string(), z.number(), z.boolean()]).optional(),
  /** Where that was read, as far as it is known. */
  from: z.enum(factSources).optional(),
  /** Why nobody can tell. */
  lack: z.enum(factLacks).optional(),
  /** As it is now, and not as it was then. */
  now: z.literal(true).optional(),
})
export type WireClause = z.infer<typeof wireClause>

/** A torrent that turned up, as it was when it was decided; what nobody told is left out. */
export const candidateFacts = {
  site: z.string(),
  torrent_id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  size: z.int().optional(),
  seeders: z.int().optional(),
  leechers: z.int().optional(),
  uploaded_at: z.int().optional(),
  category: z.string().optional(),
  tags: z.array(z.string()).optional(),
  discount: z.enum(discounts).optional(),
  free_until: z.int().optional(),
  has_hr: z.boolean().optional(),
  /** The site's own list told of it, too. */
  listed: z.literal(true).optional(),
}
const wireCandidate = z.object(candidateFacts)
export type WireCandidate = z.infer<typeof wireCandidate>

const ruleId = z.object({ id: wholeNumber(1, Number.MAX_SAFE_INTEGER) })
const done = z.object({ ok: z.literal(true) })

/** In their order: the first that fits decides. */
export const listRules = declareRoute('session', 'get', '/rules', {
  operationId: 'listRules',
  summary: '过滤规则',
  answers: {
    200: z.object({
      items: z.array(wireStoredRule),
      /** That no rule wanted, in the last 30 days. */
      left: z.int(),
    }),
  },
})

export const addRule = declareRoute('session', 'post', '/rules', {
  operationId: 'addRule',
  summary: '添加过滤规则，排在最后',
  body: ruleBody,
  answers: { 200: wireStoredRule },
})

export const changeRule = declareRoute('session', 'put', '/rules/{id}', {
  operationId: 'changeRule',
  summary: '修改过滤规则',
  params: ruleId,
  body: ruleBody,
  answers: { 200: wireStoredRule },
})

export const removeRule = declareRoute('session', 'delete', '/rules/{id}', {
  operationId: 'removeRule',
  summary: '删除过滤规则',
  params: ruleId,
  body: emptyBody,
  answers: { 200: done },
})

export const orderRules = declareRoute('session', 'post', '/rules/order', {
  operationId: 'orderRules',
  summary: '排列过滤规则',
  body: z.strictObject({ ids: z.array(z.int().min(1)).max(filterRulesMax) }),
  answers: { 200: done },
})

const dryRunFigures = z.object({
  taken: z.int(),
  /** Of those, not free at that time. */
  billed: z.int(),
  size: z.int(),
  /** Of those whose size nobody told. */
  unsized: z.int(),
  /** No rule wants it. */
  left: z.int(),
  /** The 24 hours in which most would be taken, up to the last of it; left out where nothing would. */
  busiest: z.object({ until: z.int(), taken: z.int(), size: z.int() }).optional(),
})
export type WireDryRunFigures = z.infer<typeof dryRunFigures>

const triedVerdict = z.object({
  act: z.enum(verdictActs),
  /** Of the rule that decides or comes nearest; empty where there is none. */
  rule: z.string(),
  clauses: z.array(wireClause),
})

const ruleShare = z.object({ taken: z.int(), billed: z.int(), size: z.int() })

export const ruleTrial = z.object({
  judged: z.int(),
  stored: dryRunFigures,
  tried: dryRunFigures,
  /** What each rule would take, in their order; what it would have as stored is left out for one that is not. */
  rules: z.array(z.object({ id: z.int(), name: z.string(), stored: ruleShare.optional(), tried: ruleShare })),
  /** Decided otherwise than by the stored rules: the newest few. */
  changed: z.array(
    z.object({ ...candidateFacts, feed: z.string(), at: z.int(), stored: triedVerdict, tried: triedVerdict }),
  ),
})
export type RuleTrial = z.infer<typeof ruleTrial>

/** What the rules would have done with what turned up in the last 30 days, beside what the stored ones would. Writes nothing. */
export const tryRules = declareRoute('session', 'post', '/rules/try', {
  operationId: 'tryRules',
  isTrial: true,
  summary: '用最近三十天的种子试运行规则',
  body: z.strictObject({
    /** In their order, as if they stood in place of the stored ones. A new one has the number 0. */
    rules: z
      .array(z.strictObject({ id: z.int().min(0), name: ruleFields.name.optional(), rule: filterRule }))
      .max(filterRulesMax),
  }),
  answers: { 200: ruleTrial },
})

/** A rule to begin with, for what is like a torrent that was found. Writes nothing. */
export const startRule = declareRoute('session', 'post', '/rules/like', {
  operationId: 'startRule',
  isTrial: true,
  summary: '由一个种子拟出过滤规则',
  body: z.strictObject({
    title: line(pushTitleCharactersMax).refine((title) => title !== ''),
    subtitle: line(pushTitleCharactersMax).optional(),
    size: z.int().min(0).optional(),
    discount: z.enum(discounts).optional(),
  }),
  answers: { 200: z.object({ name: z.string(), conditions: z.array(ruleCondition) }) },
})
export type RuleLikeBody = z.infer<typeof startRule.body>
export type WireRuleStart = z.infer<(typeof startRule.answers)[200]>

/** All of them in their order, as YAML. */
export const readRulesText = declareRoute('session', 'get', '/rules-text', {
  operationId: 'readRulesText',
  summary: '以 YAML 查看全部过滤规则',
  answers: { 200: z.object({ text: z.string() }) },
})

const wireRulesText = z.object({
  kept: z.boolean(),
  faults: z.array(
    z.object({
      /** With dots; empty for the whole. */
      path: z.string(),
      line: z.int().optional(),
      error: z.string(),
      ...withReason,
    }),
  ),
  /** What they would have done, beside what the rules did that were stored before. Left out where there are faults. */
  trial: ruleTrial.optional(),
})
export type WireRulesText = z.infer<typeof wireRulesText>

/**
 * In place of all rules there are; with faults, or without `keep`, nothing changes. One that keeps its name keeps what it
 * took.
 */
export const putRulesText = declareRoute('session', 'put', '/rules-text', {
  operationId: 'putRulesText',
  summary: '检查 YAML 形式的全部过滤规则，并可替换现有规则',
  body: z.strictObject({ text: z.string().max(rulesTextBytesMax), keep: z.boolean() }),
  answers: { 200: wireRulesText },
})

export const consoleRuleDeclarations: readonly RouteDeclaration[] = [
  listRules,
  addRule,
  changeRule,
  removeRule,
  orderRules,
  tryRules,
  startRule,
  readRulesText,
  putRulesText,
]
