/**
 * Decisions, expiries, stops and restarts in every order that a schedule finds, on the real store and the real driver:
 * of any action at most one thing becomes, and what was told stays.
 */

import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { test } from 'vitest'
import { type Result, succeed } from '#shared/kernel/result.ts'
import type { SqlRow, SqlValue, SyncSql } from '#shared/sql/sync-sql.ts'
import { ConversationStore } from '../../../workers/app/adapters/assistant/conversation-store.ts'
import { sha256 } from '../../../workers/app/adapters/web-crypto.ts'
import type { Confirmation } from '../../../workers/app/core/assistant/conversation.ts'
import type { ModelFault } from '../../../workers/app/core/assistant/model-fault.ts'
import { isCutByRestart } from '../../../workers/app/core/assistant/run-step.ts'
import { toolAnswers } from '../../../workers/app/core/assistant/tool-answers.ts'
import { confirmationMs, runStepsMax } from '../../../workers/app/limits.ts'
import type { AssistantTools, ChatModel, ModelAnswer } from '../../../workers/app/ports/assistant.ts'
import type { AuditLog } from '../../../workers/app/ports/audit-log.ts'
import type { Identifiers } from '../../../workers/app/ports/runtime.ts'
import { RunDriver } from '../../../workers/app/services/assistant/run-driver.ts'
import { localeOf } from '../../support/locale-of.ts'

const runs = Number(process.env['WHARF_FUZZ_RUNS'] ?? 50)

function memorySql(): SyncSql {
  const database = new DatabaseSync(':memory:')
  return {
    all: (sql, ...values: readonly SqlValue[]) => database.prepare(sql).all(...values) as SqlRow[],
    run: (sql, ...values) => void database.prepare(sql).run(...values),
    transaction(work) {
      database.exec('BEGIN')
      try {
        const result = work()
        database.exec('COMMIT')
        return result
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
  }
}

type Command = 'approve' | 'deny' | 'expire' | 'cancel' | 'restart' | 'approve other' | 'deny other'
/** What somebody does, and how much of what is under way goes on before it. */
const commands = fc.tuple(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<Command>('approve', 'approve other') },
    { weight: 2, arbitrary: fc.constantFrom<Command>('restart', 'cancel') },
    { weight: 1, arbitrary: fc.constantFrom<Command>('deny', 'deny other', 'expire') },
  ),
  fc.nat(8),
)

/** A conversation with two questions of one answer, whose every wait is the schedule's. */
class World {
  readonly #schedule: fc.Scheduler
  readonly #sql = memorySql()
  nowMs = 1000
  /** Effects by what was acted on. */
  readonly effects = new Map<string, number>()
  readonly outcomes = new Map<string, string[]>()
  #names = 0
  readonly #identifiers: Identifiers = { next: () => `id${++this.#names}`, secret: () => '' }
  store: ConversationStore
  driver: RunDriver
  #generation = 0

  constructor(schedule: fc.Scheduler) {
    this.#schedule = schedule
    this.store = new ConversationStore(this.#sql, this.#identifiers)
    const principal = { kind: 'api_token', id: 'token:t', scopes: ['app:read', 'app:write'] } as const
    this.store.begin({ id: 'c', title: '', entry: 'app', createdAtMs: 1, updatedAtMs: 1 }, principal)
    this.driver = this.#driver()
  }

  #driver(): RunDriver {
    const mine = ++this.#generation
    const wait = <T>(name: string, value: T): Promise<T> =>
      // A process that is gone never hears of what it waited for.
      this.#schedule
        .schedule(Promise.resolve(value), name)
        .then((heard) => (mine === this.#generation ? heard : new Promise<never>(() => undefined)))
    let asked = 0
    const model: ChatModel = {
      answer: async ({ onText }): Promise<Result<ModelAnswer, ModelFault>> => {
        asked += 1
        const isFirst = this.store.run()?.steps === 0
        await wait(`model ${asked}`, undefined)
        if (!isFirst) {
          onText('done')
          return succeed({ toolCalls: [], isCut: false })
        }
        const toolCalls = ['one', 'two'].map((what) => ({ id: what, name: 'act', arguments: JSON.stringify({ what }) }))
        return succeed({ toolCalls, isCut: false })
      },
      tryOut: async () => succeed({ callsTools: true }),
      models: async () => [],
    }
    const tools: AssistantTools = {
      list: () => [],
      changes: () => true,
      judge: async (_, { arguments: given }) =>
        wait('judge', { kind: 'confirm', arguments: given, proposed: { action: 'pause', targets: [] } } as const),
      run: async (_, { arguments: given }) => {
        const what = String(given['what'])
        // The effect is there before anybody hears of it.
        this.effects.set(what, (this.effects.get(what) ?? 0) + 1)
        return wait('effect', { text: 'ok', isError: false })
      },
    }
    const audit: AuditLog = {
      begin: async () => wait('audit', 1),
      finish: async () => wait('audit end', undefined),
      page: async () => ({ items: [], total: 0 }),
    }
    const logger = { info: () => undefined, error: () => undefined }
    const deps = {
      clock: { nowMs: () => this.nowMs },
      logger,
      identifiers: this.#identifiers,
      audit,
      model,
      tools,
      notices: { write: async () => wait('words', 'n'), say: async () => wait('words', 'n') },
      locale: localeOf('UTC'),
      digest: sha256,
    }
    return new RunDriver(this.store, deps, () => undefined)
  }

  ask(): void {
    this.store.startRun('r', 'do both', 't', this.nowMs)
    void this.driver.drive()
  }

  /** As the object begins a new life. */
  restart(): void {
    this.store = new ConversationStore(this.#sql, this.#identifiers)
    this.driver = this.#driver()
    const run = this.store.run()
    if (run === undefined) return
    if (!isCutByRestart(run, runStepsMax)) {
      void this.driver.drive()
      return
    }
    this.store.noteRestart()
    this.store.endRun(run.id, { status: 'failed', notice: 'n', openCalls: 'o', begunActions: 'unknown' }, this.nowMs)
  }

  /** All that were ever asked, settled ones too. */
  questions(): Confirmation[] {
    const ids = this.events().flatMap(({ confirmation }) => (confirmation === undefined ? [] : [confirmation.id]))
    return [...new Set(ids)].map((id) => this.store.confirmation(id))
  }

  perform(command: Command): void {
    const [first, second] = this.questions()
    const question = command.endsWith('other') ? second : first
    switch (command) {
      case 'cancel':
        void this.driver.cancel()
        return
      case 'restart':
        this.restart()
        return
      case 'expire':
        this.nowMs += confirmationMs
        this.store.expire(toolAnswers.en, this.nowMs)
        break
      default: {
        if (question === undefined) return
        const decided = this.store.decide(
          question.id,
          { approve: command.startsWith('approve'), by: 'somebody' },
          toolAnswers.en,
          this.nowMs,
        )
        const what = String(question.arguments['what'])
        this.outcomes.set(what, [
          ...(this.outcomes.get(what) ?? []),
          decided.ok ? decided.value.status : decided.failure,
        ])
      }
    }
    void this.driver.drive()
  }

  /** Every event from the first, as it is stored. */
  events(): { readonly seq: number; readonly type: string; readonly confirmation?: { id: string; status: string } }[] {
    return JSON.parse(
      `[${this.#sql
        .all('SELECT data FROM event ORDER BY seq')
        .map(({ data }, at) => `{"seq":${at + 1},${String(data).slice(1)}`)
        .join(',')}]`,
    )
  }

  seqs(): number[] {
    return this.#sql.all('SELECT seq FROM event ORDER BY seq').map(({ seq }) => Number(seq))
  }
}

/** One wait ends, or what is under way elsewhere gets its turn. */
async function goOn(schedule: fc.Scheduler): Promise<void> {
  if (schedule.count() > 0) await schedule.waitNext(1)
  await new Promise((resolve) => setImmediate(resolve))
}

async function settle(schedule: fc.Scheduler, world: World): Promise<void> {
  while (schedule.count() > 0 || world.driver.isDriving) await goOn(schedule)
}

test('in whatever order, an action happens at most once and only after its own yes', async ({ expect }) => {
  let acted = 0
  let stopped = 0
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(commands, { minLength: 2, maxLength: 8 }),
    async (schedule, wanted) => {
      const world = new World(schedule)
      world.ask()
      let told = world.events()
      for (const [command, pauses] of wanted) {
        for (let times = 0; times < pauses; times += 1) await goOn(schedule)
        world.perform(command)
        const now = world.events()
        expect(now.slice(0, told.length)).toEqual(told)
        told = now
      }
      await settle(schedule, world)
      // What nobody decided expires: a run always comes to an end.
      world.nowMs += confirmationMs
      world.store.expire(toolAnswers.en, world.nowMs)
      void world.driver.drive()
      await settle(schedule, world)

      const events = world.events()
      expect(world.seqs()).toEqual(world.seqs().map((_, at) => at))
      expect(events.filter(({ type }) => type === 'run_finished')).toHaveLength(1)
      expect(world.store.detail()?.confirmations).toEqual([])
      for (const what of ['one', 'two']) {
        const effects = world.effects.get(what) ?? 0
        const decisions = world.outcomes.get(what) ?? []
        expect(effects).toBeLessThanOrEqual(1)
        if (effects === 1) expect(decisions).toContain('approved')
        if (decisions.includes('denied')) expect(effects).toBe(0)
        expect(decisions.filter((one) => one === 'approved' || one === 'denied').length).toBeLessThanOrEqual(1)
        acted += effects
      }
      // Every question was settled once, and every call has exactly one result.
      const settled = events.flatMap((event) =>
        event.confirmation !== undefined && event.confirmation.status !== 'pending' ? [event.confirmation.id] : [],
      )
      expect(new Set(settled).size).toBe(settled.length)
      const messages = world.store.messages(1000)
      const calls = messages.flatMap((message) =>
        message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
      )
      const results = messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []))
      expect(results.sort()).toEqual(calls.sort())
      if (wanted.some(([command]) => command === 'cancel')) stopped += 1
    },
  )
  await fc.assert(property, { numRuns: runs })
  // The schedules really lead into the interesting places.
  expect(acted).toBeGreaterThan(0)
  expect(stopped).toBeGreaterThan(0)
})
