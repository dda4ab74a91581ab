import { DurableObject } from 'cloudflare:workers'
import type { Clock } from '#shared/kernel/clock.ts'
import type { AnnounceReason } from '../core/reason/reason.ts'
import type { Scheduler } from '../jobs/scheduler.ts'
import { schedulerRetrySeconds } from '../limits.ts'
import type { AnnounceService, AnnounceSource } from '../ports/feeds.ts'
import type { Logger } from '../ports/runtime.ts'

export interface SchedulerParts {
  readonly clock: Clock
  readonly logger: Logger
  /** Made anew for each look: a setting may have changed. */
  jobs(wake: () => Promise<void>): Pick<Scheduler, 'runDue'>
  /** For the host on one's own machine. */
  announces(wake: () => Promise<void>): AnnounceService
}

/**
 * The service's own clock: one alarm, set for what is due next. What is due stands in the database, so that an alarm
 * that fires twice, late or not at all loses nothing.
 */
export abstract class SchedulerHost extends DurableObject<Cloudflare.Env> {
  readonly #parts = this.compose()
  /** Somebody changed the list while it was being worked on. */
  #wasWoken = false

  protected abstract compose(): SchedulerParts

  /** Looks at the list as soon as possible. */
  async wake(): Promise<void> {
    this.#wasWoken = true
    const nowMs = this.#nowMs()
    const present = await this.ctx.storage.getAlarm()
    // One that is long overdue will not ring by itself any more: its runtime gave it up, or lost it.
    const isRinging = present !== null && present <= nowMs && present > nowMs - schedulerRetrySeconds * 1000
    if (!isRinging) await this.ctx.storage.setAlarm(nowMs)
  }

  announceSources(): Promise<readonly AnnounceSource[]> {
    return this.#announces().sources()
  }

  hearAnnounce(feedId: number, said: string): Promise<void> {
    return this.#announces().hear(feedId, said)
  }

  announceState(feedId: number, reason: AnnounceReason | undefined): Promise<void> {
    return this.#announces().state(feedId, reason)
  }

  #announces(): AnnounceService {
    return this.#parts.announces(() => this.wake())
  }

  override async alarm(): Promise<void> {
    // Set first: whatever happens to this run, there is another one.
    await this.ctx.storage.setAlarm(this.#nowMs() + schedulerRetrySeconds * 1000)
    this.#wasWoken = false
    try {
      const nextUnix = await this.#parts.jobs(() => this.wake()).runDue()
      const nowMs = this.#nowMs()
      if (this.#wasWoken) await this.ctx.storage.setAlarm(nowMs)
      else if (nextUnix === undefined) await this.ctx.storage.deleteAlarm()
      else await this.ctx.storage.setAlarm(Math.max(nextUnix * 1000, nowMs))
    } catch (cause) {
      this.#parts.logger.error('scheduler_failed', { cause })
    }
  }

  #nowMs(): number {
    return this.#parts.clock.nowMs()
  }
}
