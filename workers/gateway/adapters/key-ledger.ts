import { constantTimeEqualTexts } from '#shared/http/constant-time-equal.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { migrate } from '#shared/sql/migrate.ts'
import { numberOf, type SqlRow, type SqlValue, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { refusalOfCall, refusalOfKey, refusalOfRequest, type Used, type Wanted } from '../core/keys/admission.ts'
import { mayCallFrom } from '../core/keys/allowed-addresses.ts'
import {
  type CallRecord,
  firstBoundsMs,
  firstClass,
  type ProviderStep,
  providerStepMs,
  providerStepsKept,
  showsProviderWorks,
  tokensInAll,
  type UsageRow,
} from '../core/keys/call-record.ts'
import { grantOf, type KeyFields, type KeyGrant, type KeyRecord, type KeyRefusal } from '../core/keys/key-record.ts'
import { type Moment, minuteMs } from '../core/keys/moment.ts'
import {
  bodiesKeptCharactersMax,
  bodiesKeptMax,
  bodiesKeptMs,
  callsKeptMax,
  reservationMsMax,
  usageDaysMax,
} from '../limits.ts'
import type { KeptSecret, KeyStatus, ListedCall } from '../ports.ts'

const firstColumns = Array.from({ length: firstBoundsMs.length + 1 }, (_, index) => `f${index}`)
const sums = ['requests', 'failed', 'refused', 'input', 'cache_read', 'cache_write', 'output', 'reasoning', 'cost_nano']
const counts = [...sums, 'unpriced', ...firstColumns]
const stepColumns = ['step_answered', 'step_failed']
/** Digits of a step that is over, of its calls that were answered, and of those that failed. */
const stepDigits = [9, 7, 7] as const
const stepCharacters = stepDigits[0] + stepDigits[1] + stepDigits[2]
const dayMs = 24 * 60 * minuteMs

const steps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE api_key (
       id TEXT PRIMARY KEY, fields TEXT NOT NULL, made_ms INTEGER NOT NULL, revoked_ms INTEGER, used_ms INTEGER,
       digest TEXT NOT NULL, secret_end TEXT NOT NULL, old_digest TEXT, old_until_ms INTEGER)`,
    `CREATE TABLE usage_day (
       key TEXT NOT NULL, day TEXT NOT NULL, model TEXT NOT NULL, provider TEXT NOT NULL,
       ${counts.map((column) => `${column} INTEGER NOT NULL DEFAULT 0`).join(', ')},
       PRIMARY KEY (key, day, model, provider)) WITHOUT ROWID`,
    `CREATE TABLE hold (
       id TEXT PRIMARY KEY, key TEXT NOT NULL, cost_nano INTEGER NOT NULL, tokens INTEGER NOT NULL,
       made_ms INTEGER NOT NULL) WITHOUT ROWID`,
    'CREATE INDEX hold_by_key ON hold (key)',
    `CREATE TABLE this_minute (
       key TEXT PRIMARY KEY, minute INTEGER NOT NULL, requests INTEGER NOT NULL, tokens INTEGER NOT NULL) WITHOUT ROWID`,
    'CREATE TABLE call (seq INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, record TEXT NOT NULL)',
    'CREATE INDEX call_by_key ON call (key, seq)',
  ],
  [
    `CREATE TABLE body (
       seq INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, request_id TEXT NOT NULL, made_ms INTEGER NOT NULL,
       characters INTEGER NOT NULL, sealed TEXT NOT NULL, UNIQUE (key, request_id))`,
    'CREATE INDEX body_by_age ON body (made_ms)',
  ],
  [
    `CREATE TABLE provider_step (
       provider TEXT NOT NULL, step INTEGER NOT NULL, answered INTEGER NOT NULL, failed INTEGER NOT NULL,
       PRIMARY KEY (provider, step)) WITHOUT ROWID`,
  ],
  [
    'DROP TABLE provider_step',
    ...[...stepColumns, 'step'].map(
      (column) => `ALTER TABLE usage_day ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`,
    ),
    "ALTER TABLE usage_day ADD COLUMN past_steps TEXT NOT NULL DEFAULT ''",
  ],
]

/** A call that has ended, of the key with that id. */
interface EndedCall {
  readonly id: string
  readonly call: CallRecord
  readonly reservationId: string | undefined
  readonly now: Moment
}

/**
 * How calls of its provider ended in the newest step stands in numbers of their own, and goes to the text of those that
 * are over with the first call of another: a call writes no row for it.
 */
const added = [...counts, ...stepColumns, 'step']
const inStep = (column: string) => `CASE WHEN step = excluded.step THEN ${column} ELSE 0 END`
const addUsage = `INSERT INTO usage_day (key, day, model, provider, ${added.join(', ')})
  VALUES (?, ?, ?, ?, ${added.map(() => '?').join(', ')})
  ON CONFLICT DO UPDATE SET ${counts.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')},
    past_steps = CASE WHEN step = excluded.step THEN past_steps ELSE substr(past_steps ||
      printf('${stepDigits.map((digits) => `%0${digits}d`).join('')}', step, ${stepColumns.join(', ')}),
      ${-providerStepsKept * stepCharacters}) END,
    ${stepColumns.map((name) => `${name} = ${inStep(name)} + excluded.${name}`).join(', ')}, step = excluded.step`

/** Written by one statement: to run one costs more than a row does. */
const callsAtOnce = 16
const insertCalls = (count: number) =>
  `INSERT INTO call (key, record) VALUES ${Array.from({ length: count }, () => '(?, ?)').join(', ')}`
const [insertCall, insertManyCalls] = [insertCalls(1), insertCalls(callsAtOnce)]

/** What several calls add to one row. */
class UsageSum {
  readonly #row: readonly string[]
  readonly #step: number
  readonly #counts = counts.map(() => 0)
  #answered = 0
  #failed = 0

  constructor(id: string, day: string, step: number, { model, provider }: CallRecord) {
    this.#row = [id, day, model, provider]
    this.#step = step
  }

  /** In the order of the columns. */
  add(call: CallRecord): void {
    const { tokens, outcome, costNano, firstMs } = call
    const works = showsProviderWorks(call)
    if (works === true) this.#answered += 1
    if (works === false) this.#failed += 1
    const isPriceless = costNano === undefined && tokensInAll(tokens) > 0
    const added = [
      outcome === 'answered' || outcome === 'left' ? 1 : 0,
      outcome === 'failed' ? 1 : 0,
      outcome === 'refused' ? 1 : 0,
      tokens.input,
      tokens.cacheRead,
      tokens.cacheWrite,
      tokens.output,
      tokens.reasoning,
      costNano ?? 0,
      isPriceless ? 1 : 0,
    ]
    for (const [index, count] of added.entries()) this.#counts[index] = (this.#counts[index] ?? 0) + count
    if (firstMs === undefined) return
    const first = added.length + firstClass(firstMs)
    this.#counts[first] = (this.#counts[first] ?? 0) + 1
  }

  values(): readonly SqlValue[] {
    return [...this.#row, ...this.#counts, this.#answered, this.#failed, this.#step]
  }
}

/**
 * Keys, what they spend, and what is reserved for calls under way. A call is reserved before it is made and settled when
 * it has ended, each in one transaction, so that a budget holds however many calls run at once. One database may hold
 * one key or all of them.
 */
export class KeyLedger {
  readonly #sql: SyncSql
  #sincePruned = 0

  constructor(sql: SyncSql) {
    this.#sql = sql
    migrate(sql, steps)
  }

  add(id: string, fields: KeyFields, secret: KeptSecret, ms: number): void {
    this.#sql.run(
      'INSERT INTO api_key (id, fields, made_ms, digest, secret_end) VALUES (?, ?, ?, ?, ?)',
      id,
      JSON.stringify(fields),
      ms,
      secret.digest,
      secret.end,
    )
  }

  count(): number {
    const [row] = this.#sql.all('SELECT COUNT(*) AS count FROM api_key')
    return row === undefined ? 0 : numberOf(row, 'count')
  }

  keys(now: Moment): KeyStatus[] {
    return this.#sql.all('SELECT * FROM api_key ORDER BY made_ms, id').map((row) => this.#status(recordOf(row), now))
  }

  key(id: string, now: Moment): KeyStatus | undefined {
    const record = this.#record(id)
    return record === undefined ? undefined : this.#status(record, now)
  }

  /** Where no bodies are to be kept any more, those that were go at once. */
  change(id: string, fields: KeyFields): void {
    this.#sql.run('UPDATE api_key SET fields = ? WHERE id = ?', JSON.stringify(fields), id)
    if (fields.keepBodiesUntilMs === undefined) this.#sql.run('DELETE FROM body WHERE key = ?', id)
  }

  /** A new secret; the one before opens until `oldUntilMs`. */
  renew(id: string, secret: KeptSecret, oldUntilMs: number): void {
    this.#sql.run(
      'UPDATE api_key SET old_digest = digest, old_until_ms = ?, digest = ?, secret_end = ? WHERE id = ?',
      oldUntilMs,
      secret.digest,
      secret.end,
      id,
    )
  }

  endOldSecret(id: string): void {
    this.#sql.run('UPDATE api_key SET old_digest = NULL, old_until_ms = NULL WHERE id = ?', id)
  }

  revoke(id: string, ms: number): void {
    this.#sql.run('UPDATE api_key SET revoked_ms = ? WHERE id = ? AND revoked_ms IS NULL', ms, id)
  }

  /** With all that is written of it. */
  forget(id: string): void {
    this.#sql.transaction(() => {
      this.#sql.run('DELETE FROM api_key WHERE id = ?', id)
      for (const table of ['usage_day', 'hold', 'this_minute', 'call', 'body'])
        this.#sql.run(`DELETE FROM ${table} WHERE key = ?`, id)
    })
  }

  /** Lets a request in, and counts it. */
  enter(id: string, digest: string, now: Moment, caller?: string): Result<KeyGrant, KeyRefusal> {
    const [row] = this.#sql.all('SELECT * FROM api_key WHERE id = ?', id)
    if (row === undefined || !opens(row, digest, now)) return failWith({ reason: 'unknown' })
    const record = recordOf(row)
    const refusal = refusalOfKey(record, now)
    if (refusal !== undefined) return failWith(refusal)
    if (!mayCallFrom(record.addresses ?? [], caller)) return failWith({ reason: 'address' })
    if (record.usedMs === undefined || now.ms - record.usedMs >= minuteMs) {
      this.#sql.run('UPDATE api_key SET used_ms = ? WHERE id = ?', now.ms, id)
    }
    const { limits } = record
    if (limits.requestsPerMinute !== undefined) {
      const full = refusalOfRequest(limits, this.#minute(id, now).requests, now)
      if (full !== undefined) return failWith(full)
      this.#countInMinute(id, 1, 0, now)
    }
    return succeed(grantOf(record, now.ms))
  }

  /** Reserves what a call may take. Undefined: it is reserved. */
  reserve(id: string, reservationId: string, wanted: Wanted, now: Moment): KeyRefusal | undefined {
    return this.#sql.transaction(() => {
      const record = this.#record(id)
      if (record === undefined) return { reason: 'unknown' }
      // Who would have settled it is gone for good.
      this.#sql.run('DELETE FROM hold WHERE key = ? AND made_ms <= ?', id, now.ms - reservationMsMax)
      const refusal = refusalOfKey(record, now) ?? refusalOfCall(record.limits, this.#used(id, now), wanted, now)
      if (refusal !== undefined) return refusal
      const { costNano, tokens } = wanted
      this.#sql.run('INSERT INTO hold VALUES (?, ?, ?, ?, ?)', reservationId, id, costNano, tokens, now.ms)
      return undefined
    })
  }

  /** Writes calls down, and releases their reservations. */
  settle(ended: readonly EndedCall[]): void {
    const last = ended.at(-1)
    if (last === undefined) return
    this.#sql.transaction(() => {
      const sums = new Map<string, UsageSum>()
      for (const { id, call, reservationId, now } of ended) {
        if (reservationId !== undefined) {
          this.#sql.run('DELETE FROM hold WHERE id = ?', reservationId)
          this.#countInMinute(id, 0, tokensInAll(call.tokens), now)
        }
        const step = Math.floor(now.ms / providerStepMs)
        const row = `${id} ${now.day} ${step} ${call.provider} ${call.model}`
        const sum = sums.get(row) ?? new UsageSum(id, now.day, step, call)
        sums.set(row, sum)
        sum.add(call)
      }
      this.#list(ended)
      for (const sum of sums.values()) this.#sql.run(addUsage, ...sum.values())
    })
    this.#sincePruned += ended.length
    if (this.#sincePruned >= callsKeptMax) this.#prune(last.id, last.now)
  }

  /** Reservations of a process which is gone: these, or all there are. */
  release(reservationIds?: readonly string[]): void {
    if (reservationIds === undefined) this.#sql.run('DELETE FROM hold')
    else for (const id of reservationIds) this.#sql.run('DELETE FROM hold WHERE id = ?', id)
  }

  /** Days from the first to the last, both with. */
  usage(firstDay: string, lastDay: string): UsageRow[] {
    return this.#sql
      .all('SELECT * FROM usage_day WHERE day BETWEEN ? AND ? ORDER BY day, key, provider, model', firstDay, lastDay)
      .map((row) => ({
        key: textOf(row, 'key'),
        day: textOf(row, 'day'),
        provider: textOf(row, 'provider'),
        model: textOf(row, 'model'),
        requests: numberOf(row, 'requests'),
        failed: numberOf(row, 'failed'),
        refused: numberOf(row, 'refused'),
        tokens: {
          input: numberOf(row, 'input'),
          cacheRead: numberOf(row, 'cache_read'),
          cacheWrite: numberOf(row, 'cache_write'),
          output: numberOf(row, 'output'),
          reasoning: numberOf(row, 'reasoning'),
        },
        costNano: numberOf(row, 'cost_nano'),
        unpriced: numberOf(row, 'unpriced'),
        firsts: firstColumns.map((column) => numberOf(row, column)),
      }))
  }

  /** The newest first; of one key where it is named. */
  calls(limit: number, key: string | undefined): ListedCall[] {
    const rows =
      key === undefined
        ? this.#sql.all('SELECT * FROM call ORDER BY seq DESC LIMIT ?', limit)
        : this.#sql.all('SELECT * FROM call WHERE key = ? ORDER BY seq DESC LIMIT ?', key, limit)
    const bodies = new Set(
      this.#sql.all('SELECT key, request_id FROM body').map((row) => bodyName(row['key'], row['request_id'])),
    )
    return rows.map((row) => {
      // Written by this class alone.
      const record = JSON.parse(textOf(row, 'record')) as CallRecord
      const keyId = textOf(row, 'key')
      return { key: keyId, seq: numberOf(row, 'seq'), record, hasBody: bodies.has(bodyName(keyId, record.requestId)) }
    })
  }

  /** From that one on, in no order; a step may be told in parts. */
  providerSteps(firstStep: number): ProviderStep[] {
    // A day of any zone has begun a day later by the clock of UTC, and begins a day sooner.
    const firstDay = new Date(firstStep * providerStepMs - dayMs).toISOString().slice(0, 10)
    return this.#sql
      .all(`SELECT provider, step, past_steps, ${stepColumns.join(', ')} FROM usage_day WHERE day >= ?`, firstDay)
      .flatMap((row) => {
        const provider = textOf(row, 'provider')
        const newest = { provider, step: numberOf(row, 'step'), answered: numberOf(row, 'step_answered') }
        return [...pastSteps(provider, textOf(row, 'past_steps')), { ...newest, failed: numberOf(row, 'step_failed') }]
      })
      .filter(({ step, answered, failed }) => step >= firstStep && answered + failed > 0)
  }

  /** What a request and its answer say, if the key still keeps that; too many or too much, and the oldest go. */
  keepBody(id: string, requestId: string, sealed: string, now: Moment): void {
    if ((this.#record(id)?.keepBodiesUntilMs ?? 0) <= now.ms) return
    this.#sql.transaction(() => {
      this.#sql.run(
        'INSERT OR REPLACE INTO body (key, request_id, made_ms, characters, sealed) VALUES (?, ?, ?, ?, ?)',
        id,
        requestId,
        now.ms,
        sealed.length,
        sealed,
      )
      let characters = 0
      const kept = this.#sql.all('SELECT seq, characters FROM body WHERE key = ? ORDER BY seq DESC', id)
      for (const [place, row] of kept.entries()) {
        characters += numberOf(row, 'characters')
        if (place < bodiesKeptMax && characters <= bodiesKeptCharactersMax) continue
        this.#sql.run('DELETE FROM body WHERE seq = ?', numberOf(row, 'seq'))
      }
    })
    this.forgetOldBodies(now.ms)
  }

  body(id: string, requestId: string, now: Moment): string | undefined {
    const oldest = now.ms - bodiesKeptMs
    const [row] = this.#sql.all(
      'SELECT sealed FROM body WHERE key = ? AND request_id = ? AND made_ms > ?',
      id,
      requestId,
      oldest,
    )
    return row === undefined ? undefined : textOf(row, 'sealed')
  }

  /** When the next of them is too old; undefined: there are none. */
  forgetOldBodies(nowMs: number): number | undefined {
    this.#sql.run('DELETE FROM body WHERE made_ms <= ?', nowMs - bodiesKeptMs)
    const oldest = this.#sql.all('SELECT MIN(made_ms) AS oldest FROM body')[0]?.['oldest']
    return typeof oldest === 'number' ? oldest + bodiesKeptMs : undefined
  }

  /** In the order in which they ended. */
  #list(ended: readonly EndedCall[]): void {
    for (let first = 0; first < ended.length; ) {
      const isMany = ended.length - first >= callsAtOnce
      const next = first + (isMany ? callsAtOnce : 1)
      const rows = ended.slice(first, next).flatMap(({ id, call }) => [id, JSON.stringify(call)])
      this.#sql.run(isMany ? insertManyCalls : insertCall, ...rows)
      first = next
    }
  }

  #record(id: string): KeyRecord | undefined {
    const [row] = this.#sql.all('SELECT * FROM api_key WHERE id = ?', id)
    return row === undefined ? undefined : recordOf(row)
  }

  #status(record: KeyRecord, now: Moment): KeyStatus {
    const { heldTokens: _, ...used } = this.#used(record.id, now)
    const [row] = this.#sql.all('SELECT COUNT(*) AS open FROM hold WHERE key = ?', record.id)
    return { record, ...used, open: row === undefined ? 0 : numberOf(row, 'open') }
  }

  #minute(id: string, now: Moment): { readonly requests: number; readonly tokens: number } {
    const minute = Math.floor(now.ms / minuteMs)
    const [row] = this.#sql.all('SELECT * FROM this_minute WHERE key = ? AND minute = ?', id, minute)
    return row === undefined
      ? { requests: 0, tokens: 0 }
      : { requests: numberOf(row, 'requests'), tokens: numberOf(row, 'tokens') }
  }

  #countInMinute(id: string, requests: number, tokens: number, now: Moment): void {
    this.#sql.run(
      `INSERT INTO this_minute VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET
         requests = CASE WHEN minute = excluded.minute THEN requests ELSE 0 END + excluded.requests,
         tokens = CASE WHEN minute = excluded.minute THEN tokens ELSE 0 END + excluded.tokens,
         minute = excluded.minute`,
      id,
      Math.floor(now.ms / minuteMs),
      requests,
      tokens,
    )
  }

  #used(id: string, now: Moment): Used {
    const month = `${now.day.slice(0, 7)}-01`
    const [spent] = this.#sql.all(
      `SELECT COALESCE(SUM(cost_nano), 0) AS month, COALESCE(SUM(CASE WHEN day = ? THEN cost_nano ELSE 0 END), 0) AS day
       FROM usage_day WHERE key = ? AND day BETWEEN ? AND ?`,
      now.day,
      id,
      month,
      now.day,
    )
    const [held] = this.#sql.all(
      'SELECT COALESCE(SUM(cost_nano), 0) AS cost, COALESCE(SUM(tokens), 0) AS tokens FROM hold WHERE key = ?',
      id,
    )
    const { requests, tokens } = this.#minute(id, now)
    if (spent === undefined || held === undefined) throw new Error('a sum has no row')
    return {
      minuteRequests: requests,
      minuteTokens: tokens,
      dayNano: numberOf(spent, 'day'),
      monthNano: numberOf(spent, 'month'),
      heldNano: numberOf(held, 'cost'),
      heldTokens: numberOf(held, 'tokens'),
    }
  }

  #prune(id: string, now: Moment): void {
    this.#sincePruned = 0
    const oldest = new Date(now.ms - usageDaysMax * dayMs).toISOString().slice(0, 10)
    this.#sql.run('DELETE FROM usage_day WHERE key = ? AND day < ?', id, oldest)
    this.#sql.run('DELETE FROM call WHERE seq <= (SELECT MAX(seq) FROM call) - ?', callsKeptMax)
  }
}

function pastSteps(provider: string, text: string): ProviderStep[] {
  const [step, answered] = stepDigits
  return Array.from({ length: text.length / stepCharacters }, (_, index) => {
    const digits = text.slice(index * stepCharacters, (index + 1) * stepCharacters)
    return {
      provider,
      step: Number(digits.slice(0, step)),
      answered: Number(digits.slice(step, step + answered)),
      failed: Number(digits.slice(step + answered)),
    }
  })
}

function bodyName(key: unknown, requestId: unknown): string {
  return `${key} ${requestId}`
}

function opens(row: SqlRow, digest: string, now: Moment): boolean {
  if (constantTimeEqualTexts(textOf(row, 'digest'), digest)) return true
  const { old_digest: old, old_until_ms: until } = row
  if (typeof old !== 'string' || typeof until !== 'number' || until <= now.ms) return false
  return constantTimeEqualTexts(old, digest)
}

function recordOf(row: SqlRow): KeyRecord {
  // Written by this class alone.
  const fields = JSON.parse(textOf(row, 'fields')) as KeyFields
  const { revoked_ms: revoked, used_ms: used, old_until_ms: oldUntil } = row
  return {
    ...fields,
    id: textOf(row, 'id'),
    madeMs: numberOf(row, 'made_ms'),
    secretEnd: textOf(row, 'secret_end'),
    ...(typeof revoked === 'number' ? { revokedMs: revoked } : {}),
    ...(typeof used === 'number' ? { usedMs: used } : {}),
    ...(typeof oldUntil === 'number' ? { oldSecretUntilMs: oldUntil } : {}),
  }
}
