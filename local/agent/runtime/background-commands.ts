/**
 * Commands of the model that go on while it does something else. They are known by rows, so that after a crash, which they
 * do not outlive, they are said to have ended, with what they said until then, and are never run again.
 */
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#shared/kernel/clock.ts'
import { failWith, type Result, succeed } from '#shared/kernel/result.ts'
import { numberOf, type SqlRow, type SyncSql, textOf } from '#shared/sql/sync-sql.ts'
import { type Failure, failure, sessionNotFound } from '../core/failure.ts'
import type { BackgroundStatus } from '../core/vocabulary.ts'
import {
  backgroundKeptPerSessionMax,
  backgroundLookMs,
  backgroundPerSessionMax,
  backgroundRunningMax,
  shellLogBytesMax,
  shellOutputEndBytesMax,
} from '../limits.ts'
import type { Background, BackgroundInfo, Logger } from '../ports.ts'
import type { EventStreams } from './event-streams.ts'
import type { Identifiers } from './identifiers.ts'
import { admitInput } from './inbox.ts'
import type { SessionStore, Transaction } from './session-store.ts'
import { BackgroundOutput, type OutputPiece, readKept } from './tools/background-output.ts'
import { type ShellStart, startShell } from './tools/shell-process.ts'

export interface BackgroundDeps {
  readonly store: SessionStore
  readonly sql: SyncSql
  readonly clock: Clock
  readonly ids: Identifiers
  readonly streams: Pick<EventStreams, 'notify'>
  readonly logger: Logger
  readonly environment: Readonly<Record<string, string>>
  readonly killGraceMs?: number | undefined
  readonly lookMs?: number | undefined
}

export interface BackgroundStart extends Pick<ShellStart, 'enclosure' | 'command' | 'directory'> {
  readonly sessionId: string
  readonly messageId: string
  readonly callId: string
  readonly log: string
}

export interface Look {
  /** A mark; without one it goes on where the last look ended. */
  readonly since?: number | undefined
  readonly waitMs: number
  readonly until: 'news' | 'end'
  readonly bytesMax: number
}

type Reason = 'model' | 'owner' | 'session' | 'server'

interface Running {
  readonly sessionId: string
  readonly output: BackgroundOutput
  readonly done: Promise<void>
  stop(reason: Reason): void
  /** Calls that will tell the model of the end themselves. */
  watchers: number
  /** Rung by output and by the end. */
  bell: PromiseWithResolvers<void>
}

const bounds = { endBytesMax: shellOutputEndBytesMax, logBytesMax: shellLogBytesMax }

export class BackgroundCommands implements Background {
  readonly #deps: BackgroundDeps
  readonly #running = new Map<string, Running>()
  /** Up to where the model has read, of each command. */
  readonly #marks = new Map<string, number>()

  constructor(deps: BackgroundDeps) {
    this.#deps = deps
  }

  get isBusy(): boolean {
    return this.#running.size > 0
  }

  /** Why no other one may begin. */
  refusal(sessionId: string): string | undefined {
    const own = [...this.#running.values()].filter((one) => one.sessionId === sessionId).length
    if (own >= backgroundPerSessionMax)
      return `${backgroundPerSessionMax} commands of this session run in the background already: end one with bash_stop`
    return this.#running.size >= backgroundRunningMax ? 'Too many commands run in the background' : undefined
  }

  start(given: BackgroundStart): string {
    const { ids, sql, clock } = this.#deps
    const id = ids.make('background')
    const output = new BackgroundOutput(given.log, bounds)
    // Written down first: a command that nobody knows of must not run.
    sql.run(
      `INSERT INTO background_command (session_id, id, message_id, call_id, command, log, status, bytes, started_ms)
       VALUES (?, ?, ?, ?, ?, ?, 'running', 0, ?)`,
      ...[given.sessionId, id, given.messageId, given.callId, given.command, given.log, clock.nowMs()],
    )
    this.#forgetOld(given.sessionId)
    const shell = startShell({
      ...given,
      environment: this.#deps.environment,
      killGraceMs: this.#deps.killGraceMs,
      onOutput(chunk) {
        output.add(chunk)
        ring(running)
      },
    })
    let stoppedBy: Reason | undefined
    const running: Running = {
      sessionId: given.sessionId,
      output,
      watchers: 0,
      bell: Promise.withResolvers(),
      stop(reason) {
        stoppedBy ??= reason
        shell.stop()
      },
      done: shell.ended
        .catch((cause: unknown) => this.#failed(cause, null))
        .then(async (exit) => {
          clearInterval(looking)
          await given.enclosure?.close()
          await settle()
          this.#end(id, running, { exit, stoppedBy, command: given.command })
        })
        .catch((cause: unknown) => this.#failed(cause, undefined))
        .finally(() => {
          output.close()
          this.#running.delete(id)
          ring(running)
        }),
    }
    // It may go on for days: what it made that only the owner may make does not lie there until its end.
    const settle = async () => {
      const aside = await given.enclosure?.settle().catch((cause: unknown) => this.#failed(cause, undefined))
      if (aside !== undefined && aside.length > 0) this.#tellAside(given.sessionId, aside)
    }
    const looking = setInterval(() => void settle(), this.#deps.lookMs ?? backgroundLookMs).unref()
    this.#running.set(id, running)
    this.#tell(given.sessionId, id, 'running')
    return id
  }

  /** Waits for something new, or for the end, and answers what is new; the model goes on from there next time. */
  async next(
    sessionId: string,
    id: string,
    { since, waitMs, until, bytesMax }: Look,
    signal: AbortSignal,
  ): Promise<Result<{ readonly info: BackgroundInfo; readonly piece: OutputPiece }, Failure>> {
    const from = since ?? this.#marks.get(id) ?? 0
    const running = this.#running.get(id)
    if (running?.sessionId === sessionId && waitMs > 0) {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      running.watchers += 1
      try {
        const isSilent = () => until === 'end' || running.output.totalBytes <= from
        while (this.#running.has(id) && isSilent() && !stop.aborted) {
          await Promise.race([running.bell.promise, sleep(waitMs, undefined, { signal: stop }).catch(() => undefined)])
        }
      } finally {
        running.watchers -= 1
      }
      signal.throwIfAborted()
    }
    const piece = this.read(sessionId, id, from, bytesMax)
    if (!piece.ok) return piece
    this.#marks.set(id, piece.value.piece.mark)
    return piece
  }

  list(sessionId: string): Result<readonly BackgroundInfo[], Failure> {
    if (this.#deps.store.recordText(sessionId) === undefined) return failWith(sessionNotFound(sessionId))
    const rows = this.#deps.sql.all('SELECT * FROM background_command WHERE session_id = ? ORDER BY id', sessionId)
    return succeed(rows.map((row) => this.#infoOf(row)))
  }

  read(sessionId: string, id: string, since: number, bytesMax: number) {
    const row = this.#row(sessionId, id)
    if (row === undefined) return unknownCommand
    const info = this.#infoOf(row)
    const piece =
      this.#running.get(id)?.output.read(since, bytesMax) ??
      readKept(textOf(row, 'log'), info.bytes, bounds, since, bytesMax)
    return succeed({ info, piece })
  }

  /** Answers once it has ended; one that has is left as it is. */
  async stop(sessionId: string, id: string, by: Reason = 'owner'): Promise<Result<void, Failure>> {
    if (this.#row(sessionId, id) === undefined) return unknownCommand
    const running = this.#running.get(id)
    running?.stop(by)
    await running?.done
    return succeed(undefined)
  }

  /** Of sessions that are over, or gone. */
  async endSessions(sessionIds: readonly string[]): Promise<void> {
    await this.#stopAll('session', ({ sessionId }) => sessionIds.includes(sessionId))
  }

  async close(): Promise<void> {
    await this.#stopAll('server', () => true)
  }

  /** None outlives its server: what a crash left running is over. */
  recover(): void {
    const { sql, store } = this.#deps
    for (const row of sql.all("SELECT * FROM background_command WHERE status = 'running'")) {
      const [sessionId, id] = [textOf(row, 'session_id'), textOf(row, 'id')]
      const bytes = statSync(textOf(row, 'log'), { throwIfNoEntry: false })?.size ?? 0
      store.commit(sessionId, (transaction) => {
        this.#settle(sessionId, id, { status: 'lost', exit: null, bytes })
        this.#note(
          transaction,
          `The command ${id} that ran in the background ended when the server did: ${inShort(textOf(row, 'command'))}\nWhether it had done its work is not known. bash_output has what it said until then.`,
        )
      })
    }
  }

  #end(id: string, running: Running, end: EndOfCommand & { readonly command: string }): void {
    const { store } = this.#deps
    const { sessionId, output } = running
    output.end()
    // With a session that was deleted its rows are gone.
    if (store.recordText(sessionId) === undefined) return
    const status = end.stoppedBy === undefined ? 'exited' : 'stopped'
    const isKnown = running.watchers > 0 || end.stoppedBy === 'model' || end.stoppedBy === 'session'
    store.commit(sessionId, (transaction) => {
      this.#settle(sessionId, id, { status, exit: end.exit, bytes: output.totalBytes })
      if (!isKnown) this.#note(transaction, `${describeEnd(id, end)}: ${inShort(end.command)}`)
    })
    this.#tell(sessionId, id, status)
  }

  #tellAside(sessionId: string, aside: readonly (readonly [string, string])[]): void {
    if (this.#deps.store.recordText(sessionId) === undefined) return
    const lines = aside.map(([name, other]) => `${name} is protected: it was put aside as ${other}`)
    this.#deps.store.commit(sessionId, (transaction) => this.#note(transaction, lines.join('\n')))
  }

  /** Given to the model with its next step. It is no reason to begin a turn that nobody asked for. */
  #note(transaction: Transaction, text: string): void {
    admitInput(transaction, this.#deps, { text, isSynthetic: true, isDriven: false })
  }

  #failed<T>(cause: unknown, instead: T): T {
    this.#deps.logger.error('background_failed', { cause })
    return instead
  }

  #settle(
    sessionId: string,
    id: string,
    end: { readonly status: BackgroundStatus; readonly exit: number | null; readonly bytes: number },
  ): void {
    this.#deps.sql.run(
      'UPDATE background_command SET status = ?, exit_code = ?, bytes = ?, ended_ms = ? WHERE session_id = ? AND id = ?',
      ...[end.status, end.exit, end.bytes, this.#deps.clock.nowMs(), sessionId, id],
    )
  }

  async #stopAll(reason: Reason, isMeant: (one: Running) => boolean): Promise<void> {
    const meant = [...this.#running.values()].filter(isMeant)
    for (const one of meant) one.stop(reason)
    await Promise.all(meant.map(({ done }) => done))
  }

  #forgetOld(sessionId: string): void {
    const ended = this.#deps.sql.all(
      `SELECT id FROM background_command WHERE session_id = ? AND status <> 'running' ORDER BY id DESC LIMIT -1 OFFSET ?`,
      sessionId,
      backgroundKeptPerSessionMax,
    )
    for (const row of ended) {
      const id = textOf(row, 'id')
      this.#marks.delete(id)
      this.#deps.sql.run('DELETE FROM background_command WHERE session_id = ? AND id = ?', sessionId, id)
    }
  }

  #row(sessionId: string, id: string): SqlRow | undefined {
    return this.#deps.sql.all('SELECT * FROM background_command WHERE session_id = ? AND id = ?', sessionId, id)[0]
  }

  #infoOf(row: SqlRow): BackgroundInfo {
    const exit = row['exit_code']
    const ended = row['ended_ms']
    const id = textOf(row, 'id')
    return {
      id,
      sessionID: textOf(row, 'session_id'),
      messageID: textOf(row, 'message_id'),
      callID: textOf(row, 'call_id'),
      command: textOf(row, 'command'),
      status: textOf(row, 'status') as BackgroundStatus,
      bytes: this.#running.get(id)?.output.totalBytes ?? numberOf(row, 'bytes'),
      log: textOf(row, 'log'),
      ...(typeof exit === 'number' ? { exit } : {}),
      time: { started: numberOf(row, 'started_ms'), ...(typeof ended === 'number' ? { ended } : {}) },
    }
  }

  #tell(sessionId: string, id: string, status: BackgroundStatus): void {
    this.#deps.streams.notify({
      type: 'session.background.changed',
      data: { sessionID: sessionId, id, status },
      directory: this.#deps.store.find(sessionId)?.location.directory,
    })
  }
}

const unknownCommand = failWith(failure('not_found', { kind: 'no_command' }))

function ring(running: Running): void {
  const { resolve } = running.bell
  running.bell = Promise.withResolvers()
  resolve()
}

const shownCharactersMax = 200

function inShort(command: string): string {
  return command.length <= shownCharactersMax ? command : `${command.slice(0, shownCharactersMax)}…`
}

interface EndOfCommand {
  readonly exit: number | null
  readonly stoppedBy: Reason | undefined
}

function describeEnd(id: string, { exit, stoppedBy }: EndOfCommand): string {
  if (stoppedBy === 'server') return `The server stopped, and the command ${id} that ran in the background with it`
  if (stoppedBy === 'owner') return `The user stopped the command ${id} that ran in the background`
  return `The command ${id} that ran in the background has ended with exit code ${exit ?? 'none'}`
}
