import { type CallObject, type KeyBody, type KeyObject, type UsageObject, wireTokens } from '../contract/admin.ts'
import { firstBoundsMs, type UsageRow } from '../core/keys/call-record.ts'
import { type KeyFields, type KeyLimits, masterGrant } from '../core/keys/key-record.ts'
import { keepBodiesMs } from '../limits.ts'
import type { KeyStatus, ListedCall } from '../ports.ts'

const nanoPerDollar = 1_000_000_000

function dollarsOf(nano: number): number {
  return nano / nanoPerDollar
}

function nanoOf(dollars: number): number {
  return Math.round(dollars * nanoPerDollar)
}

const seconds = (ms: number | undefined) => (ms === undefined ? null : Math.floor(ms / 1_000))
const dollars = (nano: number | undefined) => (nano === undefined ? null : dollarsOf(nano))

export function keyObject(standing: KeyStatus): KeyObject {
  const { record } = standing
  const { limits } = record
  return {
    object: 'gateway.key',
    id: record.id,
    name: record.name,
    models: record.models,
    addresses: record.addresses ?? [],
    requests_per_minute: limits.requestsPerMinute ?? null,
    tokens_per_minute: limits.tokensPerMinute ?? null,
    budget_day_usd: dollars(limits.dayBudgetNano),
    budget_month_usd: dollars(limits.monthBudgetNano),
    expires_at: seconds(record.expiresMs),
    keeps_bodies_until: seconds(record.keepBodiesUntilMs),
    created_at: Math.floor(record.madeMs / 1_000),
    last_used_at: seconds(record.usedMs),
    revoked_at: seconds(record.revokedMs),
    secret_end: record.secretEnd,
    old_secret_until: seconds(record.oldSecretUntilMs),
    used: {
      day_usd: dollarsOf(standing.dayNano),
      month_usd: dollarsOf(standing.monthNano),
      reserved_usd: dollarsOf(standing.heldNano),
      requests_this_minute: standing.minuteRequests,
      tokens_this_minute: standing.minuteTokens,
      calls_under_way: standing.open,
    },
  }
}

/** What a body says over what was there; null takes a limit away. */
export function fieldsWith(body: KeyBody, before: KeyFields, nowMs: number): KeyFields {
  const { limits } = before
  const kept = <T>(said: T | null | undefined, was: T | undefined): T | undefined =>
    said === undefined ? was : (said ?? undefined)
  const amount = (said: number | null | undefined) => (typeof said === 'number' ? nanoOf(said) : said)
  const merged: { [limit in keyof KeyLimits]: number | undefined } = {
    requestsPerMinute: kept(body.requests_per_minute, limits.requestsPerMinute),
    tokensPerMinute: kept(body.tokens_per_minute, limits.tokensPerMinute),
    dayBudgetNano: kept(amount(body.budget_day_usd), limits.dayBudgetNano),
    monthBudgetNano: kept(amount(body.budget_month_usd), limits.monthBudgetNano),
  }
  const expiry = typeof body.expires_at === 'number' ? body.expires_at * 1_000 : body.expires_at
  const expiresMs = kept(expiry, before.expiresMs)
  const { keepBodiesUntilMs: until = 0 } = before
  const untilMs = body.keep_bodies === true && until <= nowMs ? nowMs + keepBodiesMs : until
  return {
    name: body.name ?? before.name,
    models: body.models ?? before.models,
    addresses: body.addresses ?? before.addresses ?? [],
    limits: Object.fromEntries(Object.entries(merged).filter(([, limit]) => limit !== undefined)),
    ...(expiresMs === undefined ? {} : { expiresMs }),
    ...(body.keep_bodies === false || untilMs <= nowMs ? {} : { keepBodiesUntilMs: untilMs }),
  }
}

/** The names of keys, the key of the settings among them. One that was removed is known by its id alone. */
export function namesOf(keys: readonly KeyStatus[]): (id: string) => string {
  const names = new Map(keys.map(({ record }) => [record.id, record.name]))
  return (id) => names.get(id) ?? (id === masterGrant.id ? masterGrant.name : id)
}

export function usageObject(row: UsageRow, nameOf: (id: string) => string): UsageObject {
  const { key, day, provider, model, requests, failed, refused, unpriced, firsts } = row
  return {
    key,
    key_name: nameOf(key),
    day,
    provider,
    model,
    requests,
    failed,
    refused,
    tokens: wireTokens(row.tokens),
    cost_usd: dollarsOf(row.costNano),
    unpriced,
    first_token: { bounds_ms: firstBoundsMs, counts: firsts },
  }
}

export function callObject({ key, record, hasBody }: ListedCall, nameOf: (id: string) => string): CallObject {
  return {
    key,
    key_name: nameOf(key),
    request_id: record.requestId,
    at: record.atMs / 1_000,
    route: record.route,
    provider: record.provider,
    model: record.model,
    outcome: record.outcome,
    code: record.code ?? null,
    tokens: wireTokens(record.tokens),
    is_estimated: record.isEstimated,
    cost_usd: dollars(record.costNano),
    first_token_ms: record.firstMs ?? null,
    took_ms: record.tookMs,
    has_body: hasBody,
    attempts: (record.attempts ?? []).map(({ code = null, ...attempt }) => ({ ...attempt, code })),
  }
}

const columns = [
  'day',
  'key',
  'key_name',
  'provider',
  'model',
  'requests',
  'failed',
  'refused',
  'input_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_usd',
  'unpriced_requests',
]

export function usageCsv(rows: readonly UsageObject[]): string {
  const lines = rows.map(({ tokens, ...row }) =>
    [
      row.day,
      row.key,
      row.key_name,
      row.provider,
      row.model,
      row.requests,
      row.failed,
      row.refused,
      tokens.input,
      tokens.cache_read,
      tokens.cache_write,
      tokens.output,
      tokens.reasoning,
      row.cost_usd,
      row.unpriced,
    ].map(cell),
  )
  return [columns, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

/** RFC 4180; and a text that a spreadsheet would take for a formula is made one that it does not. */
function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
