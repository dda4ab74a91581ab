import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/d1'
import { createKeyCheckStore } from '../adapters/d1/key-check.ts'
import { jsonLog } from '../adapters/json-log.ts'
import { createSecretBox } from '../adapters/secret-box.ts'
import { createSiteParts } from '../adapters/site-parts.ts'
import { schedulerRetrySeconds } from '../limits.ts'

/**
 * The service's own clock: one alarm, set for what is due next. What is due stands in the database, so that an alarm
 * that fires twice, late or not at all loses nothing.
 */
export class SchedulerObject extends DurableObject<Cloudflare.Env> {
  /** Somebody changed the list while it was being worked on. */
  #wasWoken = false

  /** Looks at the list as soon as possible. */
  async wake(): Promise<void> {
    this.#wasWoken = true
    const nowMs = Date.now()
    const present = await this.ctx.storage.getAlarm()
    if (present === null || present > nowMs) await this.ctx.storage.setAlarm(nowMs)
  }

  override async alarm(): Promise<void> {
    // Set first: whatever happens to this run, there is another one.
    await this.ctx.storage.setAlarm(Date.now() + schedulerRetrySeconds * 1000)
    this.#wasWoken = false
    try {
      const nextUnix = await this.#jobs().runDue()
      const nowMs = Date.now()
      if (this.#wasWoken) await this.ctx.storage.setAlarm(nowMs)
      else if (nextUnix === undefined) await this.ctx.storage.deleteAlarm()
      else await this.ctx.storage.setAlarm(Math.max(nextUnix * 1000, nowMs))
    } catch (cause) {
      jsonLog.error('scheduler_failed', { cause })
    }
  }

  #jobs() {
    const { jobs } = createSiteParts(this.env, {
      clock: { nowMs: () => Date.now() },
      logger: jsonLog,
      secrets: createSecretBox(this.env.MASTER_KEY, createKeyCheckStore(drizzle(this.env.DB))),
      random: Math.random,
      wake: () => this.wake(),
    })
    return jobs
  }
}
