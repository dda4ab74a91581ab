import { DurableObject } from 'cloudflare:workers'
import { durableSql } from '#shared/sql/durable-sql.ts'
import { KeyLedger } from '../adapters/key-ledger.ts'
import type { Wanted } from '../core/keys/admission.ts'
import type { CallRecord } from '../core/keys/call-record.ts'
import type { KeyFields } from '../core/keys/key-record.ts'
import type { Moment } from '../core/keys/moment.ts'
import { keysMax } from '../limits.ts'
import type { KeptSecret } from '../ports.ts'

/**
 * One key and the only door to it, so that its budget holds whichever isolate asks. One more object, named `directory`,
 * knows which keys there are, and nothing else of them.
 */
export class GatewayKeyObject extends DurableObject<Cloudflare.Env> {
  readonly #sql = durableSql(this.ctx.storage)
  readonly #ledger = new KeyLedger(this.#sql)

  enter(id: string, digest: string, now: Moment, caller: string | undefined) {
    return this.#ledger.enter(id, digest, now, caller)
  }

  reserve(id: string, reservationId: string, wanted: Wanted, now: Moment) {
    return this.#ledger.reserve(id, reservationId, wanted, now)
  }

  settle(id: string, call: CallRecord, reservationId: string | undefined, now: Moment): void {
    this.#ledger.settle([{ id, call, reservationId, now }])
  }

  add(id: string, fields: KeyFields, secret: KeptSecret, ms: number): void {
    this.#ledger.add(id, fields, secret, ms)
  }

  key(id: string, now: Moment) {
    return this.#ledger.key(id, now)
  }

  change(id: string, fields: KeyFields): void {
    this.#ledger.change(id, fields)
  }

  renew(id: string, secret: KeptSecret, oldUntilMs: number): void {
    this.#ledger.renew(id, secret, oldUntilMs)
  }

  endOldSecret(id: string): void {
    this.#ledger.endOldSecret(id)
  }

  revoke(id: string, ms: number): void {
    this.#ledger.revoke(id, ms)
  }

  async keepBody(id: string, requestId: string, sealed: string, now: Moment): Promise<void> {
    this.#ledger.keepBody(id, requestId, sealed, now)
    await this.alarm()
  }

  body(id: string, requestId: string, now: Moment) {
    return this.#ledger.body(id, requestId, now)
  }

  /** What is too old goes, whether or not anybody asks again. */
  override async alarm(): Promise<void> {
    const nextMs = this.#ledger.forgetOldBodies(Date.now())
    if (nextMs !== undefined) await this.ctx.storage.setAlarm(nextMs)
  }

  async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    // The next caller gets an object whose tables are made again.
    this.ctx.abort('the key was removed')
  }

  usage(firstDay: string, lastDay: string) {
    return this.#ledger.usage(firstDay, lastDay)
  }

  providerSteps(firstStep: number) {
    return this.#ledger.providerSteps(firstStep)
  }

  calls(limit: number) {
    return this.#ledger.calls(limit, undefined)
  }

  /** Of the directory. False: there are as many keys as there may be. */
  list(id: string): boolean {
    this.#makeDirectory()
    const [row] = this.#sql.all('SELECT COUNT(*) AS count FROM listed')
    if (Number(row?.['count']) >= keysMax) return false
    this.#sql.run('INSERT INTO listed (id) VALUES (?)', id)
    return true
  }

  unlist(id: string): void {
    this.#makeDirectory()
    this.#sql.run('DELETE FROM listed WHERE id = ?', id)
  }

  listed(): string[] {
    this.#makeDirectory()
    return this.#sql.all('SELECT id FROM listed ORDER BY place').map((row) => String(row['id']))
  }

  #makeDirectory(): void {
    this.#sql.run(
      'CREATE TABLE IF NOT EXISTS listed (place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL)',
    )
  }
}
