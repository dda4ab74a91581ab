import { DurableObject } from 'cloudflare:workers'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import type { ConversationStore } from '../adapters/assistant/conversation-store.ts'
import type { EventWaiters } from '../adapters/assistant/event-waiters.ts'
import type { ConversationIndex } from '../adapters/d1/conversations.ts'
import {
  type Confirmation,
  type ConversationDetail,
  type ConversationSummary,
  type StartedRun,
  titleFrom,
} from '../core/assistant/conversation.ts'
import { isCutByRestart } from '../core/assistant/run-step.ts'
import { type ToolAnswers, toolAnswers } from '../core/assistant/tool-answers.ts'
import { aboutProposed } from '../core/audit-about.ts'
import { conversationsOf, type Principal } from '../core/principal.ts'
import type { Reason } from '../core/reason/reason.ts'
import type { ConversationEntry } from '../core/vocabulary.ts'
import {
  auditAboutBounds,
  conversationMirrorMs,
  conversationTitleCharactersMax,
  runStepsMax,
  runWatchMs,
} from '../limits.ts'
import { knownLocale } from '../services/assistant/known-locale.ts'
import type { RunDriver, RunDriverDeps } from '../services/assistant/run-driver.ts'
import { writtenDown } from '../services/written-down.ts'

const interrupted: Reason = { kind: 'run.interrupted' }

export interface ConversationParts
  extends Pick<RunDriverDeps, 'clock' | 'logger' | 'identifiers' | 'audit' | 'notices' | 'locale'> {
  readonly index: ConversationIndex
  readonly waiters: EventWaiters
  /** What is written of the conversation, in the object's own database. */
  open(storage: DurableObjectStorage): ConversationStore
  drive(store: ConversationStore, stored: () => void): RunDriver
}

/** Results of `decide` beside a decision. */
export type DecisionFault = 'not_found' | 'decided' | 'audit'

/**
 * One conversation, and the only door to it. All of it is in the object's own database; its alarm ends questions whose
 * time is over and runs whose process died, and tells the list of conversations what it was not told.
 */
export abstract class ConversationHost extends DurableObject<Cloudflare.Env> {
  readonly #parts = this.compose()
  readonly #store = this.#parts.open(this.ctx.storage)
  readonly #waiters = this.#parts.waiters
  readonly #driver = this.#parts.drive(this.#store, () => this.#waiters.wake())
  /** A message that waits for its place among the runs. */
  #isClaiming = false
  /** What is said to the list of conversations takes turns, so that the last word stays. */
  #listing: Promise<unknown> = Promise.resolve()

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env)
    void this.ctx.blockConcurrencyWhile(() => this.#recover())
  }

  /** What the conversation is driven with. */
  protected abstract compose(): ConversationParts

  /** Long polls that wait for an event. */
  get waiting(): number {
    return this.#waiters.count
  }

  async create(
    principal: Principal,
    wanted: {
      readonly id: string
      readonly title: string
      readonly entry: ConversationEntry
      readonly message?: string
    },
  ): Promise<Result<{ conversation: ConversationSummary; run?: StartedRun }, 'too_many' | 'unavailable'>> {
    const { message: first, ...named } = wanted
    const nowMs = this.#nowMs()
    this.#store.begin({ ...named, createdAtMs: nowMs, updatedAtMs: nowMs }, principal)
    // Told by the alarm when this call does not live to do it.
    await this.ctx.storage.setAlarm(nowMs + conversationMirrorMs)
    const run = first === undefined ? undefined : await this.send(first)
    // Without its first message there is no conversation.
    if (run?.ok === false) this.#store.remove(nowMs)
    if (run?.ok !== true) await this.#tell()
    if (run?.ok === false) return failWith(run.failure === 'too_many' ? 'too_many' : 'unavailable')
    const conversation = this.#store.summary()
    if (conversation === undefined) throw new Error('the conversation went away while it was made')
    return succeed({ conversation, ...(run === undefined ? {} : { run: run.value }) })
  }

  summary(): ConversationSummary | undefined {
    return this.#store.summary()
  }

  read(): ConversationDetail | undefined {
    return this.#store.detail()
  }

  async send(text: string): Promise<Result<StartedRun, 'not_found' | 'busy' | 'too_many' | 'unavailable'>> {
    const { identifiers, index, logger } = this.#parts
    const present = this.#store.summary()
    if (present === undefined) return failWith('not_found')
    if (present.runId !== undefined || this.#isClaiming) return failWith('busy')
    const runId = identifiers.next()
    const title = present.title === '' ? titleFrom(text, conversationTitleCharactersMax) : present.title
    this.#isClaiming = true
    try {
      // The place is taken in the list first, and given back from there when the message does not get stored.
      this.#store.changed()
      await this.ctx.storage.setAlarm(this.#nowMs() + conversationMirrorMs)
      const nowMs = this.#nowMs()
      const claimed = { ...present, title, updatedAtMs: nowMs, runId }
      const holderId = conversationsOf(this.#store.principal())
      if (!(await this.#inTurn(() => index.claim(holderId, claimed)))) return failWith('too_many')
      if (this.#store.summary() === undefined) return failWith('not_found')
      const started = this.#store.startRun(runId, text, title, nowMs)
      if (started === undefined) return failWith('busy')
      const told = this.#store.untold()
      if (told !== undefined) this.#store.told(told.revision)
      this.#waiters.wake()
      await this.#arm()
      this.#drive()
      return succeed(started)
    } catch (cause) {
      // Who cannot be counted is not let in.
      logger.error('run_not_counted', { cause })
      return failWith('unavailable')
    } finally {
      this.#isClaiming = false
    }
  }

  async cancel(): Promise<boolean> {
    if (this.#store.summary() === undefined) return false
    if (await this.#driver.cancel()) await this.#tell()
    return true
  }

  async follow(after: number, waitMs: number): Promise<string | undefined> {
    const page = this.#store.page(after)
    if (page === undefined || !page.isEmpty || waitMs === 0) return page?.text
    await this.#waiters.wait(waitMs)
    return this.#store.page(after)?.text
  }

  async decide(
    confirmationId: string,
    approve: boolean,
    requestId: string,
  ): Promise<Result<Confirmation, DecisionFault>> {
    const answers = await this.#answers()
    this.#store.expire(answers, this.#nowMs())
    const status = this.#store.confirmationStatus(confirmationId)
    if (status === undefined) return failWith('not_found')
    if (status !== 'pending') {
      this.#waiters.wake()
      this.#drive()
      return failWith('decided')
    }
    const { kind: channel, id: user } = this.#store.principal()
    const { tool, proposed } = this.#store.confirmation(confirmationId)
    const about = aboutProposed(proposed, auditAboutBounds)
    const written = await writtenDown(
      this.#parts,
      { channel, user, command: `${approve ? 'approve' : 'deny'} ${tool}`, requestId },
      async () => {
        const decided = this.#store.decide(confirmationId, { approve, by: user }, answers, this.#nowMs())
        this.#waiters.wake()
        this.#drive()
        return decided
      },
      ({ ok }) => (ok ? { result: 'ok', status: 200, about } : { result: 'error:decided', status: 409, about }),
    )
    return written.ok ? written.value : failWith('audit')
  }

  async remove(): Promise<boolean> {
    if (this.#store.summary() === undefined) return false
    const nowMs = this.#nowMs()
    this.#store.remove(nowMs)
    // Told by the alarm when this call does not live to do it.
    const armed = this.ctx.storage.setAlarm(nowMs + conversationMirrorMs)
    this.#driver.abandon()
    this.#waiters.wake()
    await armed
    await this.#tell()
    return true
  }

  override async alarm(): Promise<void> {
    // Set first: whatever happens to this call, there is another one.
    await this.ctx.storage.setAlarm(this.#nowMs() + runWatchMs)
    try {
      this.#store.expire(await this.#answers(), this.#nowMs())
      this.#waiters.wake()
      this.#drive()
      await this.#tell()
    } catch (cause) {
      this.#parts.logger.error('conversation_alarm_failed', { cause })
    }
    await this.#arm()
  }

  /** A new life of the object: what the last one was in the middle of does not come back by itself. */
  async #recover(): Promise<void> {
    const run = this.#store.run()
    if (run === undefined) return
    if (isCutByRestart(run, runStepsMax)) {
      const { notices } = this.#parts
      const written = notices.write('assistant.failed', { reason: interrupted })
      const [notice, answers] = await Promise.all([written, this.#answers()])
      const lost = this.#store.lostActions()
      this.#store.noteRestart()
      this.#store.endRun(
        run.id,
        {
          status: 'failed',
          notice,
          reason: interrupted,
          openCalls: answers.interrupted,
          begunActions: answers.unknown,
        },
        this.#nowMs(),
      )
      for (const entry of lost) this.ctx.waitUntil(this.#noteLost(entry))
      this.ctx.waitUntil(this.#tell())
    } else this.#drive()
  }

  async #noteLost(entry: number): Promise<void> {
    const { audit, logger } = this.#parts
    await audit
      .finish(entry, { result: 'error:unknown', status: 500, latencyMs: 0 })
      .catch((cause) => logger.error('audit_unfinished', { cause }))
  }

  #drive(): void {
    if (this.#driver.isDriving) {
      void this.#driver.drive()
      return
    }
    if (this.#store.run() === undefined) return
    this.ctx.waitUntil(
      this.#driver.drive().then(
        () => this.#tell(),
        (cause) => this.#parts.logger.error('assistant_run_failed', { cause }),
      ),
    )
  }

  /** Tells the list how this conversation stands. What cannot be told now is told by the alarm. */
  async #tell(): Promise<void> {
    await this.#inTurn(() => this.#tellInTurn())
    await this.#forgetRemoved()
    await this.#arm()
  }

  async #tellInTurn(): Promise<void> {
    const { index, logger } = this.#parts
    // A message that takes its place tells the list itself.
    while (!this.#isClaiming) {
      const untold = this.#store.untold()
      if (untold === undefined) return
      const summary = this.#store.summary()
      try {
        if (summary === undefined) await index.remove(untold.id)
        else await index.put(conversationsOf(untold.principal), summary)
      } catch (cause) {
        logger.error('conversation_not_listed', { cause })
        return
      }
      this.#store.told(untold.revision)
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#listing.then(work)
    this.#listing = mine.catch(() => undefined)
    return mine
  }

  /** What became of its actions is known as long as the audit log; then the object is as if it had never been. */
  async #forgetRemoved(): Promise<void> {
    const until = this.#store.keptUntilMs()
    if (until === undefined || this.#nowMs() < until || this.#store.untold() !== undefined) return
    this.#store.forget()
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }

  /** The alarm rings when there is something to do, and not at all when there is not. */
  async #arm(): Promise<void> {
    const nowMs = this.#nowMs()
    const times: number[] = []
    if (this.#store.untold() !== undefined) times.push(nowMs + conversationMirrorMs)
    const expiry = this.#store.nextExpiryMs() ?? this.#store.keptUntilMs()
    if (expiry !== undefined) times.push(Math.max(expiry, nowMs))
    const isDriven = this.#driver.isDriving || expiry === undefined
    if (this.#store.run() !== undefined && isDriven) times.push(nowMs + runWatchMs)
    if (times.length > 0) await this.ctx.storage.setAlarm(Math.min(...times))
    else await this.ctx.storage.deleteAlarm()
  }

  async #answers(): Promise<ToolAnswers> {
    return toolAnswers[(await knownLocale(this.#parts)).language]
  }

  #nowMs(): number {
    return this.#parts.clock.nowMs()
  }
}
