import { DurableObject } from 'cloudflare:workers'
import { durableSql } from '#shared/sql/durable-sql.ts'
import { ResponseRows } from '../adapters/response-rows.ts'
import { keptResponseCharactersMax, keptResponseMs } from '../limits.ts'
import type { NewResponse } from '../ports.ts'

const bounds = { ownerCharactersMax: keptResponseCharactersMax, charactersMax: keptResponseCharactersMax }

/** The answers of one key, until they are too old; its alarm lets them go. */
export class GatewayResponsesObject extends DurableObject<Cloudflare.Env> {
  #opened: ResponseRows | undefined

  get #rows(): ResponseRows {
    this.#opened ??= new ResponseRows(durableSql(this.ctx.storage), bounds)
    return this.#opened
  }

  async put(owner: string, kept: string, nowMs: number): Promise<void> {
    this.#rows.put(owner, JSON.parse(kept) as NewResponse, nowMs)
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(nowMs + keptResponseMs)
  }

  get(owner: string, id: string, nowMs: number): string | undefined {
    const found = this.#rows.get(owner, id, nowMs)
    return found === undefined ? undefined : JSON.stringify(found)
  }

  items(owner: string, ids: readonly string[], nowMs: number): string {
    return JSON.stringify(this.#rows.items(owner, ids, nowMs))
  }

  remove(owner: string, id: string): boolean {
    return this.#rows.delete(owner, id)
  }

  async forget(): Promise<void> {
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    // Who asks next, if anybody does, has the tables made again.
    this.#opened = undefined
  }

  override async alarm(): Promise<void> {
    const nextMs = this.#rows.sweep(Date.now())
    if (nextMs !== undefined) await this.ctx.storage.setAlarm(nextMs)
  }
}
